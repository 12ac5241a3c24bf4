#include "knobs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "units.h"

const struct knob KNOBS[KNOB_COUNT] = {
    [KNOB_BUDGET] = { "budget", "budget", "% or GiB", "memory for activations: a share of the unlimited peak, or bytes",
                      KNOB_REPLAN },
    [KNOB_BANDWIDTH] = { "bandwidth", "PCIe", "GB/s", "bandwidth of the link to the host, the other rates in ratio",
                         KNOB_REPLAN },
    [KNOB_LATENCY] = { "latency", "latency", "us", "what a transfer costs before it moves bytes", KNOB_REPLAN },
    [KNOB_DUPLEX] = { "duplex", "duplex", "full, half or as-is",
                      "rates while both directions move bytes: the single ones, half of them, or the profile's",
                      KNOB_REPLAN },
    [KNOB_SHARE] = { "share", "share", "GPUs", "GPUs behind one switch, which share the link's rates", KNOB_REPLAN },
    [KNOB_HEADROOM] = { "headroom", "headroom", "% or GiB", "GPU memory left free for what is not modelled",
                        KNOB_REPLAN },
    [KNOB_HOST_MEMORY] = { "host-memory", "host limit", "GiB or none", "limit on pinned host memory", KNOB_REPLAN },
    [KNOB_BATCH] = { "batch", "batch", "samples", "samples in a step of the built-in model", KNOB_REBUILD_PROFILE },
    [KNOB_SEQUENCE] = { "seq", "seq", "tokens", "tokens in each of them", KNOB_REBUILD_PROFILE },
    [KNOB_ATTENTION] = { "attention", "attention", "flash or eager", "attention in one kernel, or spelled out",
                         KNOB_REBUILD_PROFILE },
    [KNOB_GPU] = { "gpu", "GPU", "a GPU's name", "the GPU that the built-in model is priced on", KNOB_REBUILD_PROFILE },
};

#define SHARE_MAX 1024u
#define HEADROOM_MAX 0.95

struct settings settings_default(void) {
    return (struct settings){
        .budget = BUDGET_CHOICE_DEFAULT,
        .link = LINK_OPTIONS_NONE,
        .planner = planner_find(PLANNER_DEFAULT),
        .unit = UNIT_TENSOR,
        .host_memory_bytes = BYTES_UNLIMITED,
        .evaluation_limit = EVALS_DEFAULT,
    };
}

/* Values that were typed or turned are compared exactly; a NAN ("not given") equals another. */
static bool same_value(double a, double b) {
    return (isnan(a) && isnan(b)) || !(a < b || a > b || isnan(a) || isnan(b));
}

static bool same_budget(const struct budget_choice *a, const struct budget_choice *b) {
    return a->kind == b->kind && same_value(a->share, b->share) && a->bytes == b->bytes &&
           same_value(a->headroom_share, b->headroom_share) && a->headroom_bytes == b->headroom_bytes;
}

static bool same_link(const struct link_options *a, const struct link_options *b) {
    return same_value(a->bandwidth_gb_per_s, b->bandwidth_gb_per_s) && same_value(a->h2d_gb_per_s, b->h2d_gb_per_s) &&
           same_value(a->d2h_gb_per_s, b->d2h_gb_per_s) && same_value(a->h2d_both_gb_per_s, b->h2d_both_gb_per_s) &&
           same_value(a->d2h_both_gb_per_s, b->d2h_both_gb_per_s) && a->duplex == b->duplex &&
           same_value(a->latency_us, b->latency_us) && a->share == b->share;
}

bool settings_equal(const struct settings *a, const struct settings *b) {
    return same_budget(&a->budget, &b->budget) && same_link(&a->link, &b->link) && a->planner == b->planner &&
           a->unit == b->unit && a->host_memory_bytes == b->host_memory_bytes && work_equal(&a->work, &b->work) &&
           a->evaluation_limit == b->evaluation_limit && a->seed == b->seed;
}

struct outcome_request settings_request(const struct profile *profile, const struct settings *settings) {
    return (struct outcome_request){
        .profile = profile,
        .budget = settings->budget,
        .link = settings->link,
        .planner = settings->planner,
        .unit = settings->unit,
        .host_memory_bytes = settings->host_memory_bytes,
        .evaluation_limit = settings->evaluation_limit,
        .seed = settings->seed,
    };
}

bool knob_applies(enum knob_id knob, const struct settings *settings) {
    if (KNOBS[knob].effects & KNOB_REBUILD_PROFILE)
        return settings->work.model != NULL;
    return knob != KNOB_HEADROOM || settings->budget.kind == BUDGET_GPU_MEMORY;
}

double knob_bandwidth(const struct profile *profile, const struct settings *settings) {
    struct link_options options = settings->link;
    struct link link;
    options.share = 1;
    return link_resolve(&profile->link, &options, &link, NULL) == SS_OK ? link.h2d_gb_per_s : 0;
}

/* Rates given one by one win over the bandwidth (MODEL.md §4), so they must be turned along with it. A both-way rate
 * must not come out above its single one by a rounding. */
static void set_bandwidth(const struct profile *profile, double gb_per_s, struct settings *settings) {
    struct link_options *link = &settings->link, single;
    struct link resolved;
    if (!profile) {
        link->bandwidth_gb_per_s = gb_per_s;
        return;
    }
    double now = knob_bandwidth(profile, settings);
    double ratio = now > 0 ? gb_per_s / now : 1;
    link->bandwidth_gb_per_s =
        isnan(link->h2d_gb_per_s)         ? gb_per_s
        : isnan(link->bandwidth_gb_per_s) ? profile->link.h2d_gb_per_s * ratio
                                          : link->bandwidth_gb_per_s * ratio;
    if (!isnan(link->h2d_gb_per_s))
        link->h2d_gb_per_s = gb_per_s;
    link->d2h_gb_per_s *= ratio;
    single = *link;
    single.share = 1;
    single.h2d_both_gb_per_s = single.d2h_both_gb_per_s = NAN;
    if (link_resolve(&profile->link, &single, &resolved, NULL) != SS_OK)
        return;
    if (!isnan(link->h2d_both_gb_per_s))
        link->h2d_both_gb_per_s = fmin(link->h2d_both_gb_per_s * ratio, resolved.h2d_gb_per_s);
    if (!isnan(link->d2h_both_gb_per_s))
        link->d2h_both_gb_per_s = fmin(link->d2h_both_gb_per_s * ratio, resolved.d2h_gb_per_s);
}

static const char *const DUPLEX_NAME[] = { [DUPLEX_AS_IS] = "as-is", [DUPLEX_FULL] = "full", [DUPLEX_HALF] = "half" };

static enum ss_status parse_duplex(const char *text, enum link_duplex *out, struct error *error) {
    for (int i = 0; i < 3; i++) {
        if (strcmp(text, DUPLEX_NAME[i]) == 0) {
            *out = (enum link_duplex)i;
            return SS_OK;
        }
    }
    return error_set(error, SS_USAGE, "expected full, half or as-is, found '%s'", text);
}

static bool ends_in_percent(const char *text) {
    size_t length = strlen(text);
    return length > 0 && text[length - 1] == '%';
}

/* Bytes mean the whole GPU where the budget is already one of a whole GPU. */
static enum ss_status parse_budget(const char *text, struct budget_choice *budget, struct error *error) {
    struct budget_choice choice = *budget;
    enum ss_status status;
    if (ends_in_percent(text)) {
        choice.kind = BUDGET_SHARE;
        status = parse_share(text, &choice.share, error);
        if (status == SS_OK && choice.share == 0)
            status = error_set(error, SS_USAGE, "expected a budget above 0%%, found '%s'", text);
    } else {
        choice.kind = choice.kind == BUDGET_GPU_MEMORY ? BUDGET_GPU_MEMORY : BUDGET_BYTES;
        status = parse_bytes(text, &choice.bytes, error);
    }
    if (status == SS_OK)
        *budget = choice;
    return status;
}

static enum ss_status parse_headroom(const char *text, struct budget_choice *budget, struct error *error) {
    double share = 0;
    uint64_t bytes = 0;
    enum ss_status status =
        ends_in_percent(text) ? parse_share(text, &share, error) : parse_bytes(text, &bytes, error);
    if (status == SS_OK && share > HEADROOM_MAX)
        status = error_set(error, SS_USAGE, "expected a headroom of at most %.0f%%, found '%s'", HEADROOM_MAX * 100, text);
    if (status == SS_OK) {
        budget->headroom_share = share;
        budget->headroom_bytes = bytes;
    }
    return status;
}

static enum ss_status parse_host_memory(const char *text, uint64_t *bytes, struct error *error) {
    if (strcmp(text, "none") != 0)
        return parse_bytes(text, bytes, error);
    *bytes = BYTES_UNLIMITED;
    return SS_OK;
}

static enum ss_status parse_size_of(const char *text, uint32_t *out, struct error *error) {
    uint64_t count = 0;
    enum ss_status status = parse_count(text, 1, MODEL_OPTION_MOST, &count, error);
    if (status == SS_OK)
        *out = (uint32_t)count;
    return status;
}

static enum ss_status parse_attention(const char *text, enum attention *out, struct error *error) {
    for (int i = 0; i < 2; i++) {
        if (strcmp(text, ATTENTION_NAME[i]) == 0) {
            *out = (enum attention)i;
            return SS_OK;
        }
    }
    return error_set(error, SS_USAGE, "expected flash or eager, found '%s'", text);
}

static enum ss_status parse_gpu(const char *text, const struct gpu **out, struct error *error) {
    const struct gpu *gpu = gpu_find(text);
    if (!gpu)
        return error_set(error, SS_USAGE, "expected a GPU such as %s, found '%s'", GPUS[0].name, text);
    *out = gpu;
    return SS_OK;
}

static enum ss_status parse_knob(enum knob_id knob, const char *text, const struct profile *profile,
                                 struct settings *settings, struct error *error) {
    double rate = 0;
    uint64_t count = 0;
    enum ss_status status = SS_OK;
    switch (knob) {
    case KNOB_BUDGET:
        return parse_budget(text, &settings->budget, error);
    case KNOB_BANDWIDTH:
        status = parse_rate(text, &rate, error);
        if (status == SS_OK)
            set_bandwidth(profile, rate, settings);
        return status;
    case KNOB_LATENCY:
        return parse_time(text, &settings->link.latency_us, error);
    case KNOB_DUPLEX:
        return parse_duplex(text, &settings->link.duplex, error);
    case KNOB_SHARE:
        status = parse_count(text, 1, SHARE_MAX, &count, error);
        if (status == SS_OK)
            settings->link.share = (uint32_t)count;
        return status;
    case KNOB_HEADROOM:
        return parse_headroom(text, &settings->budget, error);
    case KNOB_HOST_MEMORY:
        return parse_host_memory(text, &settings->host_memory_bytes, error);
    case KNOB_BATCH:
        return parse_size_of(text, &settings->work.options.batch, error);
    case KNOB_SEQUENCE:
        return parse_size_of(text, &settings->work.options.sequence, error);
    case KNOB_ATTENTION:
        return parse_attention(text, &settings->work.options.attention, error);
    case KNOB_GPU:
        return parse_gpu(text, &settings->work.options.gpu, error);
    case KNOB_COUNT:
        break;
    }
    return error_set(error, SS_INTERNAL, "no such knob");
}

enum ss_status knob_parse(enum knob_id knob, const char *text, const struct profile *profile,
                          struct settings *settings, struct error *error) {
    struct settings next = *settings;
    struct link link;
    if (!knob_applies(knob, settings))
        return error_set(error, SS_USAGE, knob == KNOB_HEADROOM ? "%s needs the GPU's memory to be given (--gpu-memory)"
                                                                : "%s is a knob of built-in models only", KNOBS[knob].name);
    enum ss_status status = parse_knob(knob, text, profile, &next, error);
    if (status == SS_OK && profile)
        status = link_resolve(&profile->link, &next.link, &link, error);
    if (status == SS_OK && (KNOBS[knob].effects & KNOB_REBUILD_PROFILE))
        status = work_check(&next.work, error);
    if (status == SS_OK)
        *settings = next;
    return status;
}

/* Turning: a value moves to the next whole notch, in whichever direction. Notches may widen as a value grows. */

struct notch { double up_to, size; }; /* SIZE holds up to UP_TO; the last row has no end */
static const struct notch BANDWIDTH_NOTCHES[] = { { 16, 0.5 }, { 64, 1 }, { INFINITY, 4 } };
static const struct notch LATENCY_NOTCHES[] = { { 20, 1 }, { 100, 5 }, { INFINITY, 25 } };
static const struct notch BATCH_NOTCHES[] = { { 16, 1 }, { 64, 4 }, { 256, 16 }, { INFINITY, 64 } };
static const struct notch SEQUENCE_NOTCHES[] = { { 1024, 128 }, { 4096, 512 }, { 16384, 2048 }, { INFINITY, 8192 } };

static double turn_once(double value, int direction, const struct notch *notch) {
    double tolerance = 1e-9 * fabs(value);
    while (direction > 0 ? value + tolerance >= notch->up_to : value - tolerance > notch->up_to)
        notch++;
    double notches = value / notch->size;
    notches = direction > 0 ? floor(notches + 1e-6) + 1 : ceil(notches - 1e-6) - 1;
    return notches * notch->size;
}

static double turn_number(double value, int steps, const struct notch *notch, double low, double high) {
    int direction = steps > 0 ? 1 : -1;
    for (; steps != 0; steps -= direction) {
        double next = turn_once(value, direction, notch);
        if (direction > 0 ? next > high : next < low)
            break;
        value = next;
    }
    return value;
}

/* The largest power of two that is at most BYTES / 64, and at least 1 MiB: a notch that stays the same for a while. */
static uint64_t notch_bytes(uint64_t bytes) {
    uint64_t notch = (uint64_t)1 << 20;
    while (notch <= bytes / 128)
        notch *= 2;
    return notch;
}

/* The notch is that of REFERENCE, so that what is turned up can be turned down again. */
static uint64_t turn_bytes(uint64_t bytes, int steps, uint64_t reference, uint64_t low, uint64_t high) {
    const struct notch notch = { INFINITY, (double)notch_bytes(reference) };
    return (uint64_t)turn_number((double)bytes, steps, &notch, (double)low, (double)high);
}

static double turn_share(double share, int steps, double low, double high) {
    const struct notch notch = { INFINITY, 1 };
    return turn_number(share * 100, steps, &notch, low * 100, high * 100) / 100;
}

/* The notch and the range of a budget that is given in bytes. */
static uint64_t budget_notch(const struct profile *profile, const struct limits *limits, const struct budget_choice *budget,
                             uint64_t *most) {
    uint64_t peak = limits->unlimited_peak_bytes, reference = peak;
    if (budget->kind == BUDGET_GPU_MEMORY)
        reference = profile->device_memory_bytes ? profile->device_memory_bytes : peak + profile->static_bytes;
    *most = reference;
    return notch_bytes(reference);
}

static void turn_budget(int steps, const struct profile *profile, const struct limits *limits,
                        struct budget_choice *budget) {
    if (budget->kind == BUDGET_SHARE) {
        budget->share = turn_share(budget->share, steps, 0.01, 1);
        return;
    }
    uint64_t reference, notch = budget_notch(profile, limits, budget, &reference);
    budget->bytes = turn_bytes(budget->bytes, steps, reference, notch, reference + notch);
}

bool knob_turn_budget_to(uint64_t bytes, const struct profile *profile, const struct limits *limits,
                         struct settings *settings) {
    struct budget_choice *budget = &settings->budget, before = *budget;
    double peak = (double)limits->unlimited_peak_bytes;
    uint64_t now, most, notch = budget_notch(profile, limits, budget, &most);
    if (budget->kind == BUDGET_SHARE) {
        double percent = peak > 0 ? round((double)bytes / peak * 100) : 100;
        budget->share = fmin(fmax(percent, 1), 100) / 100;
        return budget->share < before.share || budget->share > before.share;
    }
    if (budget_resolve(budget, profile, limits, &now, NULL) != SS_OK)
        return false;
    double beside = budget->kind == BUDGET_GPU_MEMORY ? (double)budget->bytes - (double)now : 0;
    double notches = round(((double)bytes + beside) / (double)notch);
    budget->bytes = (uint64_t)(fmin(fmax(notches, 1), floor((double)most / (double)notch) + 1) * (double)notch);
    return budget->bytes != before.bytes;
}

static void turn_headroom(int steps, struct budget_choice *budget) {
    if (budget->headroom_bytes)
        budget->headroom_bytes = turn_bytes(budget->headroom_bytes, steps, budget->bytes, 0, budget->bytes);
    else
        budget->headroom_share = turn_share(budget->headroom_share, steps, 0, HEADROOM_MAX);
}

static void turn_host_memory(int steps, const struct limits *limits, uint64_t *bytes) {
    uint64_t peak = limits->unlimited_peak_bytes, notch = notch_bytes(peak);
    if (*bytes == BYTES_UNLIMITED && steps > 0)
        return;
    if (*bytes == BYTES_UNLIMITED)
        *bytes = peak + notch;
    *bytes = turn_bytes(*bytes, steps, peak, 0, UINT64_C(1) << 62);
    if (*bytes > peak)
        *bytes = BYTES_UNLIMITED;
}

static bool same_rates(const struct profile *profile, const struct link_options *a, const struct link_options *b) {
    struct link first, second;
    return link_resolve(&profile->link, a, &first, NULL) == SS_OK &&
           link_resolve(&profile->link, b, &second, NULL) == SS_OK &&
           first.h2d_both_gb_per_s == second.h2d_both_gb_per_s && first.d2h_both_gb_per_s == second.d2h_both_gb_per_s;
}

/* Upwards: half, as-is, full. A notch that would leave the rates as they are is passed over. */
static void turn_duplex(int steps, const struct profile *profile, struct link_options *link) {
    static const enum link_duplex order[] = { DUPLEX_HALF, DUPLEX_AS_IS, DUPLEX_FULL };
    int direction = steps > 0 ? 1 : -1, at = 0;
    while (order[at] != link->duplex)
        at++;
    struct link_options next = *link;
    for (at += direction; steps != 0 && at >= 0 && at < 3; at += direction) {
        next.duplex = order[at];
        if (same_rates(profile, link, &next))
            continue;
        *link = next;
        steps -= direction;
    }
}

static uint32_t turn_count(uint32_t count, int steps, const struct notch *notch, uint32_t low) {
    return (uint32_t)turn_number(count, steps, notch, low, MODEL_OPTION_MOST);
}

static const struct gpu *turn_gpu(const struct gpu *gpu, int steps) {
    int64_t to = gpu - GPUS + steps;
    return &GPUS[to < 0 ? 0 : to < (int64_t)GPU_COUNT ? to : (int64_t)GPU_COUNT - 1];
}

/* One notch at a time: those after which the model can't be built are beyond the end. */
static bool turn_work(enum knob_id knob, int steps, struct work_choice *work) {
    const struct work_choice before = work_of_model(work->model, &work->options);
    struct work_choice next = before;
    const int direction = steps > 0 ? 1 : -1;
    *work = before;
    for (; steps != 0; steps -= direction) {
        struct model_options *options = &next.options;
        if (knob == KNOB_BATCH)
            options->batch = turn_count(options->batch, direction, BATCH_NOTCHES, 1);
        else if (knob == KNOB_SEQUENCE)
            options->sequence = turn_count(options->sequence, direction, SEQUENCE_NOTCHES, 128);
        else if (knob == KNOB_ATTENTION)
            options->attention = direction > 0 ? ATTENTION_EAGER : ATTENTION_FLASH;
        else
            options->gpu = turn_gpu(options->gpu, direction);
        if (work_check(&next, NULL) != SS_OK)
            break;
        *work = next;
    }
    return !work_equal(work, &before);
}

static bool same_settings(const struct settings *a, const struct settings *b) {
    const struct link_options *x = &a->link, *y = &b->link;
    return a->budget.share == b->budget.share && a->budget.bytes == b->budget.bytes &&
           a->budget.headroom_share == b->budget.headroom_share &&
           a->budget.headroom_bytes == b->budget.headroom_bytes && a->host_memory_bytes == b->host_memory_bytes &&
           x->duplex == y->duplex && x->share == y->share;
}

bool knob_turn(enum knob_id knob, int steps, const struct profile *profile, const struct limits *limits,
               struct settings *settings) {
    struct settings before = *settings;
    struct link_options *link = &settings->link;
    struct link now;
    if (steps == 0 || !knob_applies(knob, settings) ||
        link_resolve(&profile->link, link, &now, NULL) != SS_OK)
        return false;
    switch (knob) {
    case KNOB_BUDGET:
        turn_budget(steps, profile, limits, &settings->budget);
        break;
    case KNOB_BANDWIDTH: {
        double rate = knob_bandwidth(profile, settings);
        double turned = turn_number(rate, steps, BANDWIDTH_NOTCHES, 0.5, 2000);
        if (turned != rate)
            set_bandwidth(profile, turned, settings);
        return turned != rate;
    }
    case KNOB_LATENCY:
        link->latency_us = turn_number(now.latency_us, steps, LATENCY_NOTCHES, 0, 10000);
        return link->latency_us != now.latency_us;
    case KNOB_DUPLEX:
        turn_duplex(steps, profile, link);
        break;
    case KNOB_SHARE: {
        static const struct notch one = { INFINITY, 1 };
        link->share = (uint32_t)turn_number(link->share, steps, &one, 1, SHARE_MAX);
        break;
    }
    case KNOB_HEADROOM:
        turn_headroom(steps, &settings->budget);
        break;
    case KNOB_HOST_MEMORY:
        turn_host_memory(steps, limits, &settings->host_memory_bytes);
        break;
    case KNOB_BATCH:
    case KNOB_SEQUENCE:
    case KNOB_ATTENTION:
    case KNOB_GPU:
        return turn_work(knob, steps, &settings->work);
    case KNOB_COUNT:
        return false;
    }
    return !same_settings(&before, settings);
}

static char *format_share(char *text, double share) {
    snprintf(text, UNIT_TEXT, "%.4g%%", share * 100);
    return text;
}

static char *format_word(char *text, const char *word) {
    snprintf(text, UNIT_TEXT, "%s", word);
    return text;
}

/* "as-is" only where the profile's rates are neither. */
static const char *duplex_word(const struct profile *profile, const struct link_options *link) {
    struct link_options full = *link, half = *link;
    full.duplex = DUPLEX_FULL;
    half.duplex = DUPLEX_HALF;
    if (same_rates(profile, link, &full))
        return DUPLEX_NAME[DUPLEX_FULL];
    if (same_rates(profile, link, &half))
        return DUPLEX_NAME[DUPLEX_HALF];
    return DUPLEX_NAME[DUPLEX_AS_IS];
}

static char *format_work(enum knob_id knob, const struct work_choice *work, char *text) {
    if (!work->model)
        return format_word(text, "-");
    const struct work_choice full = work_of_model(work->model, &work->options);
    if (knob == KNOB_ATTENTION || knob == KNOB_GPU)
        return format_word(text, knob == KNOB_GPU ? full.options.gpu->name : ATTENTION_NAME[full.options.attention]);
    snprintf(text, UNIT_TEXT, "%u", (unsigned)(knob == KNOB_BATCH ? full.options.batch : full.options.sequence));
    return text;
}

char *knob_format(enum knob_id knob, const struct profile *profile, const struct settings *settings,
                  char text[UNIT_TEXT]) {
    const struct budget_choice *budget = &settings->budget;
    const struct link_options *link = &settings->link;
    switch (knob) {
    case KNOB_BUDGET:
        return budget->kind == BUDGET_SHARE ? format_share(text, budget->share) : format_bytes(text, budget->bytes);
    case KNOB_BANDWIDTH:
        return format_rate(text, knob_bandwidth(profile, settings));
    case KNOB_LATENCY:
        snprintf(text, UNIT_TEXT, "%.4g us", isnan(link->latency_us) ? profile->link.latency_us : link->latency_us);
        return text;
    case KNOB_DUPLEX:
        return format_word(text, duplex_word(profile, link));
    case KNOB_SHARE:
        snprintf(text, UNIT_TEXT, "%u", (unsigned)link->share);
        return text;
    case KNOB_HEADROOM:
        return budget->headroom_bytes ? format_bytes(text, budget->headroom_bytes)
                                      : format_share(text, budget->headroom_share);
    case KNOB_HOST_MEMORY:
        return settings->host_memory_bytes == BYTES_UNLIMITED ? format_word(text, "none")
                                                              : format_bytes(text, settings->host_memory_bytes);
    case KNOB_BATCH:
    case KNOB_SEQUENCE:
    case KNOB_ATTENTION:
    case KNOB_GPU:
        return format_work(knob, &settings->work, text);
    case KNOB_COUNT:
        break;
    }
    return format_word(text, "-");
}
