/* ranked: sorting by a key, ties by number, in time n log n and without a call an element: planners sort hundreds of
 * thousands. */
#ifndef SLACKSWAP_CORE_RANKED_H
#define SLACKSWAP_CORE_RANKED_H

#include "base.h"

struct ranked { double key; uint32_t tie, what; };

/* Sorts COUNT of them, smallest key first, then smallest tie. OTHER is as large; one of the two arrays is returned,
 * sorted, the other is left in disorder. */
struct ranked *ranked_sort(struct ranked *array, struct ranked *other, uint32_t count);

#endif
