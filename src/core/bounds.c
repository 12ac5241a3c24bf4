/* bounds: see bounds.h. */
#include "bounds.h"

static struct known_bound *look_up(struct bounds *bounds, const struct profile *profile, const struct link *link,
                                   uint64_t budget_bytes) {
    for (uint32_t i = 0; i < bounds->count; i++) {
        struct known_bound *known = &bounds->known[i];
        if (known->profile == profile && known->budget_bytes == budget_bytes && link_equal(&known->link, link))
            return known;
    }
    return NULL;
}

static void note(struct bounds *bounds, const struct known_bound *new) {
    struct known_bound *place = look_up(bounds, new->profile, &new->link, new->budget_bytes);
    if (place == NULL) {
        place = &bounds->known[bounds->next];
        bounds->count += bounds->count < BOUNDS_MOST;
        bounds->next = (bounds->next + 1) % BOUNDS_MOST;
    }
    *place = *new;
}

static enum ss_status find(struct bounds *bounds, const struct profile *profile, const struct link *link,
                           uint64_t budget_bytes, bool quick, struct bound *out, struct error *error) {
    const struct known_bound *known = bounds != NULL ? look_up(bounds, profile, link, budget_bytes) : NULL;
    if (known != NULL && (quick || !known->quick)) {
        *out = known->bound;
        return SS_OK;
    }
    const enum ss_status status = (quick ? bound_quick : bound_compute)(profile, link, budget_bytes, out, error);
    if (status == SS_OK && bounds != NULL)
        note(bounds, &(struct known_bound){ profile, *link, budget_bytes, quick, *out });
    return status;
}

enum ss_status bounds_find(struct bounds *bounds, const struct profile *profile, const struct link *link,
                           uint64_t budget_bytes, struct bound *out, struct error *error) {
    return find(bounds, profile, link, budget_bytes, false, out, error);
}

enum ss_status bounds_quick(struct bounds *bounds, const struct profile *profile, const struct link *link,
                            uint64_t budget_bytes, struct bound *out, struct error *error) {
    return find(bounds, profile, link, budget_bytes, true, out, error);
}

void bounds_note(struct bounds *bounds, const struct profile *profile, const struct link *link, uint64_t budget_bytes,
                 const struct bound *bound) {
    note(bounds, &(struct known_bound){ profile, *link, budget_bytes, false, *bound });
}
