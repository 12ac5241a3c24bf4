/* trees: two trees of maxima that follow a change in log n, kept in plain arrays: node 1 is the root, the children of
 * node i are 2 i and 2 i + 1, leaves stand in order from `size` on (of the level_tree, whose outermost leaves stand beside all
 * levels, from the one behind it). */
#ifndef SLACKSWAP_CORE_TREES_H
#define SLACKSWAP_CORE_TREES_H

#include "base.h"

/* queue_tree: work that is done one piece after another in the order of the leaves, each piece when it has been released.
 * A node knows how long the pieces below it take, and when the last of them would be done if nothing came before. */
struct queue_node { double work, done; };
struct queue_tree { uint32_t size; struct queue_node *node; };

/* COUNT leaves without work that are never late; lives in ARENA. */
enum ss_status queue_tree_init(struct queue_tree *tree, uint32_t count, struct arena *arena, struct error *error);
void queue_tree_set(struct queue_tree *tree, uint32_t leaf, struct queue_node piece);
/* After leaves have been set directly. */
void queue_tree_build(struct queue_tree *tree);
static inline double queue_tree_done(const struct queue_tree *tree) { return tree->node[1].done; }

/* level_tree: the highest of many levels, of which ranges are raised and lowered. A node holds the maximum below it, as
 * far as its own range and those within it were raised; `raised` is what its range was. */
struct level_node { int64_t most, raised; };
struct level_tree { uint32_t size; struct level_node *node; };

/* The levels of COUNT leaves; lives in ARENA. */
enum ss_status level_tree_init(struct level_tree *tree, const int64_t *level, uint32_t count, struct arena *arena,
                               struct error *error);
/* Raises leaves FIRST to LAST; FIRST <= LAST. */
void level_tree_raise(struct level_tree *tree, uint32_t first, uint32_t last, int64_t by);
static inline int64_t level_tree_most(const struct level_tree *tree) { return tree->node[1].most; }

#endif
