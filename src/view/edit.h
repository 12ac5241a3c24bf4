/* edit: what an action by hand does to a plan, tensor by tensor. */
#ifndef SLACKSWAP_VIEW_EDIT_H
#define SLACKSWAP_VIEW_EDIT_H

#include "core/closure.h"
#include "core/plan.h"

/* How an edit went, in tensors. */
struct edit_count {
    uint32_t changed, same, bound, barred; /* bound: must stay on the GPU; barred: its op may not run again */
};
/* Sets ACTION for the managed TENSOR where it may have it, and counts how that went. */
void edit_tensor(const struct profile *profile, const struct closure *closure, struct plan *plan, uint32_t tensor,
                 enum action action, struct edit_count *count);

#endif
