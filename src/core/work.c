#include "work.h"

struct work_choice work_of_model(const struct model *model, const struct model_options *options) {
    struct work_choice work = { .model = model, .options = *options };
    model_options_fill(model, &work.options, NULL);
    return work;
}

static bool same_value(double a, double b) { return !(a < b || a > b); }

bool work_equal(const struct work_choice *a, const struct work_choice *b) {
    if (a->model != b->model || !a->model)
        return a->model == b->model && a->profile == b->profile;
    struct model_options x = a->options, y = b->options;
    model_options_fill(a->model, &x, NULL);
    model_options_fill(b->model, &y, NULL);
    return x.batch == y.batch && x.sequence == y.sequence && x.attention == y.attention && x.no_head == y.no_head &&
           x.gpu == y.gpu && x.link == y.link && same_value(x.gemm_efficiency, y.gemm_efficiency) &&
           same_value(x.memory_efficiency, y.memory_efficiency) && same_value(x.attention_efficiency, y.attention_efficiency);
}

enum ss_status work_check(const struct work_choice *work, struct error *error) {
    return work->model ? model_check(work->model, &work->options, error) : SS_OK;
}
