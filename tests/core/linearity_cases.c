/* linearity_cases SHAPE OPS: one evaluation of a chain of OPS ops, for linearity.sh to count its instructions. Shapes:
 *   kept        everything stays
 *   offloaded   everything moves, into the least budget that fits
 *   recomputed  everything is dropped
 *   crowd       the first half's tensors, small ones, wait through the second half's backward for room, which each
 *               backward step makes for just one of them */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sim.h"
#include "tests/counted.h"

static void must(enum ss_status status, const struct error *error) {
    if (status == SS_OK)
        return;
    fprintf(stderr, "linearity_cases: %s\n", error->text);
    exit(1);
}

/* Op i makes tensor i from tensor i-1 and saves what its shape says. */
static void add_op(struct profile *profile, uint32_t i, bool crowd) {
    struct error error;
    char name[16];
    snprintf(name, sizeof name, "%u", i);
    struct tensor_spec tensor = { .name = name, .bytes = 1000 + (crowd ? 0 : i * 7 % 1000) };
    must(profile_add_tensor(profile, &tensor, NULL, &error), &error);
    uint32_t input = i ? i - 1 : 0, output = i;
    struct op_spec op = { .name = name, .forward_us = 1 + i % 3, .backward_us = 2 + i % 5, .recompute_us = NAN,
                          .inputs = &input, .input_count = !crowd && i, .outputs = &output, .output_count = 1,
                          .saved = crowd ? &output : &input, .saved_count = crowd || i };
    must(profile_add_op(profile, &op, NULL, &error), &error);
}

static enum action action_of(const char *shape, const struct profile *profile, uint32_t tensor) {
    if (strcmp(shape, "kept") == 0)
        return ACTION_KEEP;
    if (strcmp(shape, "recomputed") == 0)
        return ACTION_RECOMPUTE;
    return strcmp(shape, "crowd") == 0 && tensor >= profile->op_count / 2 ? ACTION_KEEP : ACTION_OFFLOAD;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: linearity_cases SHAPE OPS\n");
        return 2;
    }
    struct arena arena = { NULL };
    struct error error = { .text = "" };
    struct profile profile;
    struct plan plan;
    struct sim_totals totals;
    const char *shape = argv[1];
    uint32_t ops = (uint32_t)strtoul(argv[2], NULL, 10);
    must(profile_begin(&profile, &arena, &error), &error);
    for (uint32_t i = 0; i < ops; i++)
        add_op(&profile, i, strcmp(shape, "crowd") == 0);
    must(profile_finish(&profile, NULL, &error), &error);
    must(plan_init(&plan, &arena, &profile, &error), &error);
    for (uint32_t i = 0; i < profile.managed_count; i++)
        plan.action[profile.managed[i]] = (uint8_t)action_of(shape, &profile, profile.managed[i]);
    struct simulator *simulator = simulator_new(&profile, &error);
    must(simulator ? SS_OK : SS_INTERNAL, &error);
    COUNT_FROM_HERE();
    /* with no room at all it tells what the plan needs; then with just that */
    must(sim_evaluate(simulator, &plan, &profile.link, 0, &totals, &error), &error);
    must(sim_evaluate(simulator, &plan, &profile.link, totals.required_bytes, &totals, &error), &error);
    printf("%u ops, step %.0f us, stall %.0f us\n", ops, totals.step_us, totals.stall_us);
    simulator_free(simulator);
    arena_free(&arena);
    return totals.feasible ? 0 : 1;
}
