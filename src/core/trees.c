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

enum ss_status level_tree_init(struct level_tree *tree, const int64_t *level, uint32_t count, struct arena *arena,
                               struct error *error) {
    tree->size = power_of_two(count);
    tree->most = ARENA_ARRAY(arena, int64_t, 2 * (size_t)tree->size);
    tree->raised = ARENA_ARRAY(arena, int64_t, 2 * (size_t)tree->size);
    if (!tree->most || !tree->raised)
        return error_no_memory(error);
    for (uint32_t i = 0; i < tree->size; i++)
        tree->most[tree->size + i] = i < count ? level[i] : INT64_MIN / 2;
    for (uint32_t i = tree->size - 1; i > 0; i--)
        tree->most[i] = tree->most[2 * i] > tree->most[2 * i + 1] ? tree->most[2 * i] : tree->most[2 * i + 1];
    return SS_OK;
}

static inline void raise_node(struct level_tree *tree, uint32_t i, int64_t by) {
    tree->most[i] += by;
    tree->raised[i] += by;
}

/* The maxima on the way from LEAF to the root. */
static inline void mend_above(struct level_tree *tree, uint32_t leaf) {
    for (uint32_t i = leaf / 2; i > 0; i /= 2) {
        const int64_t a = tree->most[2 * i], b = tree->most[2 * i + 1];
        tree->most[i] = (a > b ? a : b) + tree->raised[i];
    }
}

void level_tree_raise(struct level_tree *tree, uint32_t first, uint32_t last, int64_t by) {
    const uint32_t from = tree->size + first, to = tree->size + last;
    for (uint32_t low = from, high = to; low <= high; low /= 2, high /= 2) {
        if (low % 2 == 1)
            raise_node(tree, low++, by);
        if (high % 2 == 0)
            raise_node(tree, high--, by);
    }
    mend_above(tree, from);
    mend_above(tree, to);
}
