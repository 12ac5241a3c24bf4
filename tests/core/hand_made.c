#include "hand_made.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void must(const struct hand *hand, enum ss_status status) {
    if (status != SS_OK)
        fail_msg("%s", hand->error.text);
}

void hand_begin(struct hand *hand) {
    *hand = (struct hand){ .link = { .name = "test", .h2d_gb_per_s = 1, .d2h_gb_per_s = 1, .h2d_both_gb_per_s = 1,
                                     .d2h_both_gb_per_s = 1 },
                           .budget_bytes = BYTES_UNLIMITED };
    must(hand, profile_begin(&hand->profile, &hand->arena, &hand->error));
}

void hand_end(struct hand *hand) {
    simulator_free(hand->simulator);
    arena_free(&hand->arena);
}

uint32_t hand_tensor_with(struct hand *hand, struct tensor_spec spec) {
    uint32_t number;
    must(hand, profile_add_tensor(&hand->profile, &spec, &number, &hand->error));
    return number;
}

uint32_t hand_tensor(struct hand *hand, const char *name, uint64_t bytes) {
    return hand_tensor_with(hand, (struct tensor_spec){ .name = name, .bytes = bytes, .no_gradient = true });
}

uint32_t hand_find(const struct hand *hand, const char *tensor) {
    for (uint32_t t = 0; t < hand->profile.tensor_count; t++)
        if (strcmp(hand->profile.tensors[t].name, tensor) == 0)
            return t;
    fail_msg("no tensor %s", tensor);
    return NONE;
}

/* The numbers of the tensors named in LIST. */
static const uint32_t *numbers(struct hand *hand, const char *list, uint32_t *count) {
    uint32_t *out = ARENA_ARRAY(&hand->arena, uint32_t, strlen(list) + 1);
    char *words = arena_strdup(&hand->arena, list), *rest = NULL;
    assert_non_null(out);
    assert_non_null(words);
    *count = 0;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        out[(*count)++] = hand_find(hand, word);
    return out;
}

void hand_op_with(struct hand *hand, struct op_spec spec, const char *inputs, const char *outputs, const char *saved) {
    spec.inputs = numbers(hand, inputs, &spec.input_count);
    spec.outputs = numbers(hand, outputs, &spec.output_count);
    spec.saved = numbers(hand, saved, &spec.saved_count);
    must(hand, profile_add_op(&hand->profile, &spec, NULL, &hand->error));
}

void hand_op(struct hand *hand, const char *name, double forward_us, double backward_us, const char *inputs,
             const char *outputs, const char *saved) {
    struct op_spec spec = { .name = name, .forward_us = forward_us, .backward_us = backward_us, .recompute_us = NAN };
    hand_op_with(hand, spec, inputs, outputs, saved);
}

void hand_finish(struct hand *hand) {
    must(hand, profile_finish(&hand->profile, NULL, &hand->error));
    must(hand, plan_init(&hand->plan, &hand->arena, &hand->profile, &hand->error));
    hand->simulator = simulator_new(&hand->profile, &hand->error);
    assert_non_null(hand->simulator);
}

void hand_plan(struct hand *hand, const char *tensor, enum action action) {
    must(hand, plan_set(&hand->plan, &hand->profile, hand_find(hand, tensor), action, &hand->error));
}

void hand_prefetch(struct hand *hand, const char *tensor, uint32_t distance) {
    if (!hand->plan.prefetch) {
        hand->plan.prefetch = ARENA_ARRAY(&hand->arena, uint32_t, hand->profile.tensor_count);
        assert_non_null(hand->plan.prefetch);
        for (uint32_t t = 0; t < hand->profile.tensor_count; t++)
            hand->plan.prefetch[t] = PREFETCH_ANY;
    }
    hand->plan.prefetch[hand_find(hand, tensor)] = distance;
}

const struct schedule *hand_schedule(struct hand *hand) {
    const struct schedule *schedule;
    must(hand, schedule_build(simulator_builder(hand->simulator), &hand->plan, &schedule, &hand->error));
    return schedule;
}

const char *hand_steps(struct hand *hand) {
    const struct schedule *schedule = hand_schedule(hand);
    const char *text = "";
    for (uint32_t k = 0; k < schedule->step_count; k++)
        text = arena_printf(&hand->arena, "%s%s%c%s", text, k ? " " : "", STEP_LETTER[schedule->kind[k]],
                            hand->profile.ops[schedule->op[k]].name);
    return text;
}

void hand_run(struct hand *hand) {
    must(hand, sim_run(hand->simulator, &hand->plan, &hand->link, hand->budget_bytes, &hand->arena, &hand->timeline,
                       &hand->error));
}

void hand_chain(struct hand *hand) {
    hand_begin(hand);
    hand_tensor(hand, "x", 10000);
    hand_tensor(hand, "y", 10000);
    hand_tensor(hand, "z", 10000);
    hand_op(hand, "a", 10, 10, "", "x", "");
    hand_op(hand, "b", 10, 10, "x", "y", "x");
    hand_op(hand, "c", 10, 10, "y", "z", "y");
    hand_op(hand, "d", 10, 10, "z", "", "z");
    hand_finish(hand);
}
