/* ranked: see ranked.h. */
#include "ranked.h"

static inline bool comes_first(const struct ranked *a, const struct ranked *b) {
    return a->key < b->key || (a->key == b->key && a->tie <= b->tie);
}

/* Merges runs of doubling length, to and fro between the two arrays. */
struct ranked *ranked_sort(struct ranked *array, struct ranked *other, uint32_t count) {
    struct ranked *from = array, *to = other;
    for (size_t length = 1; length < count; length *= 2) {
        for (size_t start = 0; start < count; start += 2 * length) {
            const size_t middle = start + length < count ? start + length : count;
            const size_t end = start + 2 * length < count ? start + 2 * length : count;
            size_t a = start, b = middle;
            for (size_t i = start; i < end; i++)
                to[i] = b == end || (a < middle && comes_first(&from[a], &from[b])) ? from[a++] : from[b++];
        }
        struct ranked *merged = to;
        to = from;
        from = merged;
    }
    return from;
}
