/* planning_cases SHAPE OPS [EVALUATIONS | stop]: the first plan (planner slackswap) of a made-up model of about OPS ops at half of its
 * unlimited peak, for planning_cost.sh to count its instructions. Shapes:
 *   chain        equal layers, one op each, that save something beside their output
 *   uneven       the same with sizes and times all different
 *   transformer  layers of ten ops: norms, matrix products, dropouts with their masks, residual sums
 *   mid, bertlike  the chains of the literature (samples/), at half of their P; OPS is the link's rate in MiB/ms
 * Built-in models go by their names; OPS counts for nothing there.
 *
 * EVALUATIONS limits how many plans the planner may try. With "stop" it is told to stop at once, as a newer request
 * does: what counts then is how long it takes to hear it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bound.h"
#include "core/planner_list.h"
#include "core/zoo.h"
#include "tests/counted.h"

static struct error error;

static void must(enum ss_status status) {
    if (status == SS_OK)
        return;
    fprintf(stderr, "planning_cases: %s\n", error.text);
    exit(1);
}

/* Figures that look random and are the same everywhere. */
static uint32_t scatter(uint32_t i) {
    uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    return (uint32_t)(x * UINT64_C(0xbf58476d1ce4e5b9) >> 40);
}

static void add_layer(struct profile *profile, uint32_t i, bool uneven) {
    char name[16];
    snprintf(name, sizeof name, "%u", i);
    const uint32_t size = uneven ? scatter(i) % 1000 : 500, time = uneven ? scatter(~i) % 1000 : 500;
    const struct layer_spec layer = { .name = name, .forward_us = 100 + time, .backward_us = 200 + 2 * time,
                                      .activation_bytes = 48000000 + 48000 * size, .output_bytes = 16000000 + 16000 * size };
    must(profile_add_layer(profile, &layer, &error));
}

static uint32_t add_tensor(struct profile *profile, const char *layer, const char *part, uint64_t bytes, bool mask) {
    char name[32];
    uint32_t index;
    snprintf(name, sizeof name, "%s.%s", layer, part);
    must(profile_add_tensor(profile, &(struct tensor_spec){ .name = name, .bytes = bytes, .no_gradient = mask }, &index,
                            &error));
    return index;
}

/* A op that reads INPUT (and ALSO), makes OUTPUT (and EXTRA) and saves SAVED (and EXTRA); NONE: not there. */
struct part { const char *name; double us; uint32_t input, also, output, extra, saved; };

static void add_op(struct profile *profile, const char *layer, const struct part *part) {
    char name[32];
    snprintf(name, sizeof name, "%s.%s", layer, part->name);
    const uint32_t inputs[] = { part->input, part->also }, outputs[] = { part->output, part->extra };
    const uint32_t saved[] = { part->saved == NONE ? part->extra : part->saved, part->extra };
    must(profile_add_op(profile, &(struct op_spec){
        .name = name, .layer = layer, .forward_us = part->us, .backward_us = 2 * part->us, .recompute_us = NAN,
        .inputs = inputs, .input_count = (part->input != NONE) + (part->also != NONE),
        .outputs = outputs, .output_count = 1 + (part->extra != NONE),
        .saved = saved, .saved_count = (part->saved != NONE) + (part->extra != NONE) }, NULL, &error));
}

/* The residual stream X through norm, projection, dropout, sum, norm, up, activation, down, dropout, sum; returns it. */
static uint32_t add_block(struct profile *profile, uint32_t number, uint32_t x) {
    char layer[16];
    const uint64_t unit = 16000000 + scatter(number) % 16000;
    snprintf(layer, sizeof layer, "L%u", number);
    for (int half = 0; half < 2; half++) {
        static const char *const NAMES[2][5] = { { "ln1", "proj", "drop1", "add1", "mask1" },
                                                 { "ln2", "down", "drop2", "add2", "mask2" } };
        const char *const *names = NAMES[half];
        uint32_t now = add_tensor(profile, layer, names[0], unit, false);
        add_op(profile, layer, &(struct part){ names[0], 20, x, NONE, now, NONE, x });
        if (half == 1) {
            const uint32_t up = add_tensor(profile, layer, "up", 4 * unit, false);
            const uint32_t active = add_tensor(profile, layer, "act", 4 * unit, false);
            add_op(profile, layer, &(struct part){ "up", 400, now, NONE, up, NONE, now });
            add_op(profile, layer, &(struct part){ "act", 60, up, NONE, active, NONE, up });
            now = active;
        }
        const uint32_t product = add_tensor(profile, layer, names[1], unit, false);
        const uint32_t dropped = add_tensor(profile, layer, names[2], unit, false);
        const uint32_t mask = add_tensor(profile, layer, names[4], unit / 2, true);
        const uint32_t sum = add_tensor(profile, layer, names[3], unit, false);
        add_op(profile, layer, &(struct part){ names[1], 300, now, NONE, product, NONE, now });
        add_op(profile, layer, &(struct part){ names[2], 15, product, NONE, dropped, mask, NONE });
        add_op(profile, layer, &(struct part){ names[3], 20, x, dropped, sum, NONE, NONE });
        x = sum;
    }
    return x;
}

/* 24 equal layers behind an input of OUTPUT MiB; at half of P = x + 24 xbar + 2 x, no latency. Returns that budget. */
static uint64_t build_published(bool bertlike, double mib_per_ms, struct arena *arena, struct profile *profile) {
    const uint64_t output = (uint64_t)(bertlike ? 16 : 1) << 20, saved = (uint64_t)(bertlike ? 272 : 4) << 20;
    const double forward = bertlike ? 1500 : 1000, rate = mib_per_ms * 1048576 / 1e6;
    must(profile_begin(profile, arena, &error));
    profile->link = (struct link){ "uniform", rate, rate, rate, rate, 0 };
    must(profile_add_layer(profile, &(struct layer_spec){ .name = "input", .output_bytes = output }, &error));
    for (int i = 0; i < 24; i++)
        must(profile_add_layer(profile, &(struct layer_spec){
            .name = arena_printf(arena, "%d", i), .forward_us = forward, .backward_us = 2 * forward,
            .activation_bytes = saved - output, .output_bytes = output }, &error));
    must(profile_finish(profile, NULL, &error));
    return (3 * output + 24 * saved) / 2;
}

static void build(const char *shape, uint32_t ops, struct arena *arena, struct profile *profile) {
    if (model_find(shape)) {
        must(model_build(model_find(shape), &(struct model_options){ 0 }, arena, profile, &error));
        return;
    }
    must(profile_begin(profile, arena, &error));
    if (strcmp(shape, "transformer") == 0) {
        uint32_t x = NONE;
        must(profile_add_tensor(profile, &(struct tensor_spec){ .name = "tokens", .bytes = 1000 }, &x, &error));
        for (uint32_t i = 0; i < ops / 10; i++)
            x = add_block(profile, i, x);
    } else {
        for (uint32_t i = 0; i < ops; i++)
            add_layer(profile, i, strcmp(shape, "uneven") == 0);
    }
    must(profile_finish(profile, NULL, &error));
}

static bool at_once(void *context) {
    ++*(uint32_t *)context;
    return true;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: planning_cases SHAPE OPS [EVALUATIONS | stop]\n");
        return 2;
    }
    struct arena arena = { NULL };
    struct profile profile;
    struct limits limits;
    struct planner_result result;
    uint32_t asked = 0;
    const bool bertlike = strcmp(argv[1], "bertlike") == 0, published = bertlike || strcmp(argv[1], "mid") == 0;
    uint64_t budget = 0;
    if (published)
        budget = build_published(bertlike, strtod(argv[2], NULL), &arena, &profile);
    else
        build(argv[1], (uint32_t)strtoul(argv[2], NULL, 10), &arena, &profile);
    must(limits_compute(&profile, &limits, &error));
    struct simulator *simulator = simulator_new(&profile, &error);
    must(simulator ? SS_OK : SS_INTERNAL);
    const bool stop = argc > 3 && strcmp(argv[3], "stop") == 0;
    const struct plan_task task = { .profile = &profile, .link = profile.link, .host_memory_bytes = BYTES_UNLIMITED,
                                    .budget_bytes = published ? budget : limits.unlimited_peak_bytes / 2,
                                    .evaluation_limit = argc > 3 && !stop ? strtoul(argv[3], NULL, 10) : EVALS_DEFAULT,
                                    .should_stop = stop ? at_once : NULL, .context = &asked };
    COUNT_FROM_HERE();
    must(planner_slackswap(&task, simulator, &arena, &result, &error));
    printf("%u ops, %llu evaluations, %s, %.4f of ideal\n", profile.op_count, (unsigned long long)result.evaluations,
           result.totals.feasible ? "fits" : "does not fit", profile.ideal_us / result.totals.step_us);
    simulator_free(simulator);
    arena_free(&arena);
    return result.totals.feasible && (!stop || result.stopped) ? 0 : 1;
}
