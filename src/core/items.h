/* items: what a planner chooses among, with prices.
 *
 * An item is what one re-run brings back: the free managed tensors of one op (or of one module, with --unit layer),
 * at the price of the closure (closure.h). Its units may be offloaded one by one. */
#ifndef SLACKSWAP_CORE_ITEMS_H
#define SLACKSWAP_CORE_ITEMS_H

#include "trial.h"

struct item {
    uint32_t at, count;       /* items.unit[]: its units */
    uint32_t producer;        /* op that makes the first tensor */
    uint64_t bytes, inner_bytes; /* inner: of units that no other layer reads */
    double price_us;          /* to recompute the item, its closure included */
    bool recomputable;
};

struct items {
    struct item *item; uint32_t count;   /* in the order of their producers */
    uint32_t *unit;
    bool *crosses;                       /* unit -> some other layer reads it */
};

/* Among items of one price: the latest first, or spread evenly so that neighbours, whose re-runs would chain, come
 * late. */
enum item_ties { TIES_LATEST, TIES_SPREAD, TIES_COUNT };

/* The items that may be recomputed, cheapest per byte first; INNER: by the bytes that no other layer reads. */
struct item_order { uint32_t *item; uint32_t count; };
enum ss_status items_order(struct item_order *out, const struct items *items, struct arena *arena, bool inner,
                           enum item_ties ties, struct error *error);

enum ss_status items_build(struct items *items, struct arena *arena, const struct trial *trial, struct error *error);

#endif
