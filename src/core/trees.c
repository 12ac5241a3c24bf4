/* trees: see trees.h. */
#include "trees.h"

#include <math.h>

static uint32_t power_of_two(uint32_t least) {
    uint32_t size = 1;
    while (size < least)
        size *= 2;
    return size;
}

/* ---- queue_tree ---- */

enum ss_status queue_tree_init(struct queue_tree *tree, uint32_t count, struct arena *arena, struct error *error) {
    tree->size = power_of_two(count);
    tree->node = ARENA_ARRAY(arena, struct queue_node, 2 * (size_t)tree->size);
    if (!tree->node)
        return error_no_memory(error);
    for (uint32_t i = 0; i < 2 * tree->size; i++)
        tree->node[i].done = -INFINITY;
    return SS_OK;
}

/* What the later half adds to the earlier one. */
static inline struct queue_node join(struct queue_node earlier, struct queue_node later) {
    const double done = earlier.done + later.work;
    return (struct queue_node){ earlier.work + later.work, done > later.done ? done : later.done };
}

void queue_tree_set(struct queue_tree *tree, uint32_t leaf, struct queue_node piece) {
    uint32_t i = tree->size + leaf;
    tree->node[i] = piece;
    for (i /= 2; i > 0; i /= 2)
        tree->node[i] = join(tree->node[2 * i], tree->node[2 * i + 1]);
}

void queue_tree_build(struct queue_tree *tree) {
    for (uint32_t i = tree->size - 1; i > 0; i--)
        tree->node[i] = join(tree->node[2 * i], tree->node[2 * i + 1]);
}

/* ---- level_tree ---- */

/* The maximum at node I from those below it; false when it is as before. */
static inline bool mend(struct level_tree *tree, uint32_t i) {
    const int64_t before = tree->node[i].most, a = tree->node[2 * i].most, b = tree->node[2 * i + 1].most;
    tree->node[i].most = (a > b ? a : b) + tree->node[i].raised;
    return tree->node[i].most != before;
}

enum ss_status level_tree_init(struct level_tree *tree, const int64_t *level, uint32_t count, struct arena *arena,
                               struct error *error) {
    tree->size = power_of_two(count + 2);
    tree->node = ARENA_ARRAY(arena, struct level_node, 2 * (size_t)tree->size);
    if (!tree->node)
        return error_no_memory(error);
    for (uint32_t i = 0; i < tree->size; i++)
        tree->node[tree->size + i].most = i > 0 && i <= count ? level[i - 1] : INT64_MIN / 2;
    for (uint32_t i = tree->size - 1; i > 0; i--)
        mend(tree, i);
    return SS_OK;
}

static inline void raise_node(struct level_tree *tree, uint32_t i, int64_t by) {
    tree->node[i].most += by;
    tree->node[i].raised += by;
}

/* From the leaves beside the range upwards, until they meet: what lies between their ways is raised. */
void level_tree_raise(struct level_tree *tree, uint32_t first, uint32_t last, int64_t by) {
    uint32_t low = tree->size + first, high = tree->size + last + 2;
    while ((low ^ high) != 1) {
        if (low % 2 == 0)
            raise_node(tree, low ^ 1, by);
        if (high % 2 == 1)
            raise_node(tree, high ^ 1, by);
        low /= 2;
        high /= 2;
        mend(tree, low);
        mend(tree, high);
    }
    do
        low /= 2;
    while (low > 0 && mend(tree, low));
}
