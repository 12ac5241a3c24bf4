/* plan_rules: see plan_rules.h. */
#include "plan_rules.h"

#include <stdlib.h>
#include <string.h>

#include "glob.h"

struct application {
    struct plan *plan;
    const struct profile *profile;
    struct plan_rule *rules;
    uint32_t *rule_of;     /* tensor -> the rule that counts, or NONE */
};

/* A layer called "encoder.3.mlp" belongs to the modules "encoder.3" and "encoder". */
static bool lies_in(const char *layer, const char *module) {
    const size_t length = strlen(module);
    return strncmp(layer, module, length) == 0 && layer[length] == '.';
}

static bool any_layer_in(const struct profile *profile, const char *module) {
    for (uint32_t i = 0; i < profile->layer_count; i++)
        if (lies_in(profile->layers[i].name, module))
            return true;
    return false;
}

static enum ss_status classify(struct plan_rule *rule, const struct profile *profile, struct error *error) {
    if (!rule->about_layers) {
        const bool exact = profile_find_tensor(profile, rule->text) != NONE;
        rule->kind = exact ? RULE_TENSOR : RULE_TENSOR_PATTERN;
        if (exact || glob_is_pattern(rule->text))
            return SS_OK;
        return error_set(error, SS_BAD_INPUT, "expected a tensor of profile '%.120s', found '%.120s'", profile->name,
                         rule->text);
    }
    rule->kind = profile_find_layer(profile, rule->text) != NONE ? RULE_LAYER
               : glob_is_pattern(rule->text)                     ? RULE_LAYER_PATTERN
                                                                 : RULE_MODULE;
    if (rule->kind != RULE_MODULE || any_layer_in(profile, rule->text))
        return SS_OK;
    return error_set(error, SS_BAD_INPUT, "expected a layer of profile '%.120s', found '%.120s'", profile->name,
                     rule->text);
}

static void decide(struct application *a, uint32_t rule, uint32_t tensor) {
    const struct tensor *t = &a->profile->tensors[tensor];
    if (!t->managed || (t->keep && a->rules[rule].action != ACTION_KEEP))
        return;
    a->rules[rule].matched++;
    a->rule_of[tensor] = rule;
    a->plan->action[tensor] = (uint8_t)a->rules[rule].action;
}

static void decide_layer(struct application *a, uint32_t rule, uint32_t layer) {
    const struct profile *profile = a->profile;
    const struct span ops = profile->layers[layer].ops;
    for (uint32_t i = 0; i < ops.count; i++) {
        const struct span outputs = profile->ops[profile->index[ops.at + i]].outputs;
        for (uint32_t o = 0; o < outputs.count; o++)
            decide(a, rule, profile->index[outputs.at + o]);
    }
}

static void decide_layers(struct application *a, uint32_t rule) {
    const struct plan_rule *r = &a->rules[rule];
    if (r->kind == RULE_LAYER) {
        decide_layer(a, rule, profile_find_layer(a->profile, r->text));
        return;
    }
    for (uint32_t i = 0; i < a->profile->layer_count; i++) {
        const char *name = a->profile->layers[i].name;
        if (r->kind == RULE_MODULE ? lies_in(name, r->text) : glob_matches(r->text, name))
            decide_layer(a, rule, i);
    }
}

static void decide_tensors(struct application *a, uint32_t rule) {
    const struct profile *profile = a->profile;
    for (uint32_t i = 0; i < profile->managed_count; i++)
        if (glob_matches(a->rules[rule].text, profile->tensors[profile->managed[i]].name))
            decide(a, rule, profile->managed[i]);
}

static enum ss_status apply_rule(struct application *a, uint32_t rule, struct error *error) {
    struct plan_rule *r = &a->rules[rule];
    if (r->kind == RULE_TENSOR) {
        const uint32_t tensor = profile_find_tensor(a->profile, r->text);
        const enum ss_status status = plan_set(a->plan, a->profile, tensor, r->action, error);
        r->matched = status == SS_OK;
        a->rule_of[tensor] = rule;
        return status;
    }
    if (r->about_layers)
        decide_layers(a, rule);
    else
        decide_tensors(a, rule);
    if (r->matched > 0 || r->kind == RULE_LAYER || r->kind == RULE_MODULE)
        return SS_OK;
    return error_set(error, SS_BAD_INPUT, "pattern '%.120s' matches no tensor of profile '%.120s' that a plan could %s",
                     r->text, a->profile->name, ACTION_NAME[r->action]);
}

struct ranked_rule { enum rule_kind kind; size_t length; uint32_t rule; };

/* The least specific first: what is applied later wins. */
static int by_rank(const void *a, const void *b) {
    const struct ranked_rule *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->kind == RULE_MODULE && x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

static enum ss_status rank(struct application *a, uint32_t count, struct ranked_rule *order, uint32_t *fault,
                           struct error *error) {
    uint32_t wide = 0;
    for (uint32_t i = 0; i < count; i++) {
        a->rules[i].matched = a->rules[i].decided = 0;
        *fault = i;
        const enum ss_status status = classify(&a->rules[i], a->profile, error);
        if (status != SS_OK)
            return status;
        wide += a->rules[i].kind != RULE_TENSOR && a->rules[i].kind != RULE_LAYER;
        if (wide > RULES_MOST)
            return error_set(error, SS_BAD_INPUT, "expected at most %d patterns and modules", RULES_MOST);
        order[i] = (struct ranked_rule){ a->rules[i].kind, strlen(a->rules[i].text), i };
    }
    qsort(order, count, sizeof *order, by_rank);
    return SS_OK;
}

enum ss_status plan_rules_apply(struct plan *plan, const struct profile *profile, struct plan_rule *rules,
                                uint32_t count, uint32_t *rule_of, uint32_t *fault, struct error *error) {
    struct arena arena = { 0 };
    struct application a = { .plan = plan, .profile = profile, .rules = rules, .rule_of = rule_of };
    struct ranked_rule *order = ARENA_ARRAY(&arena, struct ranked_rule, count);
    uint32_t at = 0;
    enum ss_status status = order ? SS_OK : error_no_memory(error);
    for (uint32_t t = 0; t < profile->tensor_count; t++)
        rule_of[t] = NONE;
    if (status == SS_OK)
        status = rank(&a, count, order, &at, error);
    for (uint32_t i = 0; i < count && status == SS_OK; i++) {
        at = order[i].rule;
        status = apply_rule(&a, at, error);
    }
    for (uint32_t t = 0; t < profile->tensor_count && status == SS_OK; t++)
        if (rule_of[t] != NONE)
            rules[rule_of[t]].decided++;
    if (fault)
        *fault = at;
    arena_free(&arena);
    return status;
}
