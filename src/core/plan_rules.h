/* plan_rules: actions said for many tensors at once, as other tools write plans — by module ("encoder.3": recompute)
 * or by pattern ("*.gelu": recompute).
 *
 * A rule decides about managed tensors only; those that must stay (keep: true) are passed over unless the rule keeps.
 * Of several rules for one tensor the most specific wins: the tensor's exact name, then a pattern of tensor names,
 * then the layer's exact name, then a module around the layer (the innermost), then a pattern of layer names. Of two
 * patterns the later one wins. */
#ifndef SLACKSWAP_CORE_PLAN_RULES_H
#define SLACKSWAP_CORE_PLAN_RULES_H

#include "plan.h"

enum rule_kind {
    RULE_LAYER_PATTERN,  /* "encoder.*" among layers */
    RULE_MODULE,         /* "encoder": every layer called "encoder.…" */
    RULE_LAYER,          /* the name of a layer */
    RULE_TENSOR_PATTERN, /* "*.gelu" */
    RULE_TENSOR,         /* the name of a tensor */
    RULE_KIND_COUNT
}; /* the least specific first */

struct plan_rule {
    const char *text;      /* as written; borrowed */
    bool about_layers;     /* it stands among the layers, not among the tensors */
    enum action action;
    enum rule_kind kind;   /* filled in, as all below */
    uint32_t matched;      /* managed tensors that it names and that may do so */
    uint32_t decided;      /* of these, tensors for which no other rule counts more */
};

#define RULES_MOST 4096 /* patterns of one plan: each is held against every name */

/* Says of each rule what it names and applies them all to PLAN. RULE_OF (tensor -> the rule that counts, or NONE) is
 * filled; it has profile.tensor_count entries. SS_BAD_INPUT, with FAULT (may be NULL) the rule at fault: it names or matches nothing that the profile has, or an exact name can't do so (plan_set). A layer whose ops
 * make no managed tensor is not at fault; its `matched` is 0. */
enum ss_status plan_rules_apply(struct plan *plan, const struct profile *profile, struct plan_rule *rules,
                                uint32_t count, uint32_t *rule_of, uint32_t *fault, struct error *error);

#endif
