/* rules: see rules.h. */
#include "rules.h"

const char *const SEVERITY_NAME[SEVERITY_COUNT] = { "warning", "error" };

const struct rule RULE_TABLE[RULE_COUNT] = {
#define X(rule, id, severity, title, explanation, example)                                                             \
    [RULE_##rule] = { id, SEVERITY_##severity, title, explanation, example },
    RULES(X)
#undef X
};
