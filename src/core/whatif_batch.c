/* whatif_batch: see whatif_batch.h. */
#include "whatif_batch.h"

#include <stdlib.h>
#include <string.h>


struct trying {
    const struct whatif_task *task;
    const struct model *model;
    struct model_options options;
};

static bool is_over(const struct whatif_task *task) {
    return task->should_stop != NULL && task->should_stop(task->context);
}

static enum ss_status build(const struct trying *trying, uint32_t batch, struct arena *arena, struct profile *profile,
                            struct error *error) {
    struct model_options options = trying->options;
    options.batch = batch;
    return model_build(trying->model, &options, arena, profile, error);
}

/* Whether any plan fits. A batch whose tensors are beyond all measure does not. */
static enum ss_status find_whether(const struct trying *trying, uint32_t batch, uint64_t budget_bytes, bool *fits,
                                   struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    struct limits limits;
    enum ss_status status = build(trying, batch, &arena, &profile, error);
    if (status == SS_OK)
        status = limits_compute(&profile, &limits, error);
    *fits = status == SS_OK && limits.least_bytes <= budget_bytes;
    arena_free(&arena);
    return status == SS_INTERNAL ? status : is_over(trying->task) ? SS_STOPPED : SS_OK;
}

/* The least budget grows with the batch. */
static enum ss_status find_largest(const struct trying *trying, struct whatif_batches *out, struct error *error) {
    uint32_t low = 0, high = 1;
    bool fits = true;
    enum ss_status status = SS_OK;
    while (status == SS_OK && fits && high < MODEL_OPTION_MOST) {
        status = find_whether(trying, high, out->budget_bytes, &fits, error);
        if (fits) {
            low = high;
            high *= 2;
        }
    }
    while (status == SS_OK && high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        status = find_whether(trying, middle, out->budget_bytes, &fits, error);
        *(fits ? &low : &high) = middle;
    }
    out->largest = low;
    return status;
}

static void add_batch(struct whatif_batches *out, uint32_t batch) {
    if (batch > 0 && batch <= out->largest && out->count < WHATIF_BATCHES)
        out->batch[out->count++].batch = batch;
}

static int compare_batches(const void *a, const void *b) {
    const uint32_t x = ((const struct whatif_batch *)a)->batch, y = ((const struct whatif_batch *)b)->batch;
    return x < y ? -1 : x > y;
}

/* Powers of two, the model's own, and the largest; none twice. */
static void lay_out(const struct trying *trying, struct whatif_batches *out) {
    const uint32_t own = trying->options.batch > 0 ? trying->options.batch : trying->model->batch;
    for (uint32_t batch = 1; batch < out->largest; batch *= 2)
        add_batch(out, batch);
    add_batch(out, out->largest);
    if ((own & (own - 1)) != 0 && own != out->largest)
        add_batch(out, own);
    qsort(out->batch, out->count, sizeof out->batch[0], compare_batches);
}

static enum ss_status plan_batch(const struct trying *trying, const struct whatif_batches *all,
                                 struct whatif_batch *batch, struct error *error) {
    const struct settings *settings = &trying->task->settings;
    const uint64_t asked = settings->evaluation_limit;
    struct arena arena = { 0 };
    struct profile profile;
    struct outcome outcome;
    enum ss_status status = build(trying, batch->batch, &arena, &profile, error);
    if (status == SS_OK) {
        const struct outcome_request request = {
            .profile = &profile, .budget = { .kind = BUDGET_BYTES, .bytes = all->budget_bytes },
            .link = settings->link, .planner = settings->planner, .unit = settings->unit,
            .host_memory_bytes = settings->host_memory_bytes, .seed = settings->seed,
            .evaluation_limit = asked == EVALS_DEFAULT || asked == UINT64_MAX ? WHATIF_EVALUATIONS : asked,
            .should_stop = trying->task->should_stop, .context = trying->task->context,
        };
        status = outcome_compute(&request, &arena, &outcome, error);
    }
    if (status == SS_OK && outcome_feasible(&outcome)) {
        batch->fits = true;
        batch->step_us = outcome.timeline.totals.step_us;
        batch->tokens_per_s = batch->step_us > 0 ? 1e6 * batch->batch * all->sequence / batch->step_us : 0;
    }
    arena_free(&arena);
    return status == SS_OK && is_over(trying->task) ? SS_STOPPED : status;
}

enum ss_status whatif_batches(const struct whatif_task *task, const struct model *model,
                              const struct model_options *options, struct whatif_batches *out,
                              void (*show)(void *context, const struct whatif_batches *batches), struct error *error) {
    const struct trying trying = { .task = task, .model = model, .options = *options };
    struct limits limits;
    memset(out, 0, sizeof *out);
    out->sequence = options->sequence > 0 ? options->sequence : model->sequence;
    enum ss_status status = limits_compute(task->profile, &limits, error);
    if (status == SS_OK)
        status = budget_resolve(&task->settings.budget, task->profile, &limits, &out->budget_bytes, error);
    if (status == SS_OK)
        status = find_largest(&trying, out, error);
    if (status != SS_OK)
        return status;
    lay_out(&trying, out);
    show(task->context, out);
    for (uint32_t i = 0; i < out->count && status == SS_OK; i++) {
        status = plan_batch(&trying, out, &out->batch[i], error);
        if (status == SS_OK)
            show(task->context, out);
    }
    return status;
}
