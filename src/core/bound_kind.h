/* bound_kind: what is alike to the parts of the bound (bound.c). */
#ifndef SLACKSWAP_CORE_BOUND_KIND_H
#define SLACKSWAP_CORE_BOUND_KIND_H

#include <stdint.h>

/* Of one kind is what has the same bytes, and costs the same us to run again. */
struct kind { uint64_t bytes; double price; };

/* For qsort: by bytes, then by price. */
static inline int kind_compare(const void *a, const void *b) {
    const struct kind *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return x->price < y->price ? -1 : x->price > y->price;
}

#endif
