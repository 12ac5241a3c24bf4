/* target: what K, O and R act on, and what is priced — a tensor, what some ops make, or what some layers make. */
#ifndef SLACKSWAP_VIEW_TARGET_H
#define SLACKSWAP_VIEW_TARGET_H

#include "core/profile.h"

enum target_kind { TARGET_NONE, TARGET_TENSOR, TARGET_OPS, TARGET_LAYERS };
struct target {
    uint8_t kind;           /* enum target_kind */
    uint32_t first, last;   /* tensor (both the same), ops or layers */
    const uint32_t *place;  /* layers: FIRST and LAST are places, and this is layer -> place; NULL: layers by number */
};

/* Whether TENSOR, a managed one, belongs to TARGET. */
bool target_has(const struct profile *profile, struct target target, uint32_t tensor);
/* How many managed tensors belong to it; ONE (may be NULL) receives the first of them. */
uint32_t target_count(const struct profile *profile, struct target target, uint32_t *one);
bool target_equal(struct target a, struct target b);

#define TARGET_WORDS 160
/* "L3.gelu", "L3.drop (2 tensors)", "layer L3 (4 tensors)", "layers L3 to L9 (28 tensors)". */
char *target_words(const struct profile *profile, struct target target, bool ascii, char text[TARGET_WORDS]);

#endif
