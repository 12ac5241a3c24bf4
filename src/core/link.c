#include "link.h"

#include <math.h>

const struct link LINK_DEFAULT = { .name = "pcie4-x16",
                                   .h2d_gb_per_s = 25, .d2h_gb_per_s = 25,
                                   .h2d_both_gb_per_s = 25, .d2h_both_gb_per_s = 25, .latency_us = 10 };

static enum ss_status check_rate_option(const char *option, double rate, struct error *error) {
    if (isnan(rate) || (rate >= RATE_LEAST && rate <= RATE_MOST))
        return SS_OK;
    return error_set(error, SS_USAGE, "%s: expected a rate above 0 GB/s, found %g", option, rate);
}

static enum ss_status check_options(const struct link_options *options, struct error *error) {
    const struct { const char *name; double rate; } rates[] = {
        { "--bandwidth", options->bandwidth_gb_per_s }, { "--h2d", options->h2d_gb_per_s },
        { "--d2h", options->d2h_gb_per_s },             { "--h2d-both", options->h2d_both_gb_per_s },
        { "--d2h-both", options->d2h_both_gb_per_s },
    };
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        enum ss_status status = check_rate_option(rates[i].name, rates[i].rate, error);
        if (status != SS_OK)
            return status;
    }
    if (!isnan(options->latency_us) && !(options->latency_us >= 0 && isfinite(options->latency_us)))
        return error_set(error, SS_USAGE, "--latency: expected a time of 0 us or more, found %g", options->latency_us);
    if (options->share < 1 || options->share > LINK_SHARE_MOST)
        return error_set(error, SS_USAGE, "--share: expected 1 to %d GPUs, found %u", LINK_SHARE_MOST,
                         (unsigned)options->share);
    return SS_OK;
}

/* The both-way rates go by their ratio to the single ones, not by a common factor: where the two are equal they stay so
 * to the last bit, and none ends up above its single rate by a rounding. */
static void scale_direction(double *single, double *both, double wanted) {
    *both = wanted * (*both / *single);
    *single = wanted;
}

static void apply_rates(struct link *link, const struct link_options *options) {
    if (!isnan(options->bandwidth_gb_per_s)) {
        double factor = options->bandwidth_gb_per_s / link->h2d_gb_per_s;
        scale_direction(&link->d2h_gb_per_s, &link->d2h_both_gb_per_s, link->d2h_gb_per_s * factor);
        scale_direction(&link->h2d_gb_per_s, &link->h2d_both_gb_per_s, options->bandwidth_gb_per_s);
    }
    if (!isnan(options->h2d_gb_per_s))
        scale_direction(&link->h2d_gb_per_s, &link->h2d_both_gb_per_s, options->h2d_gb_per_s);
    if (!isnan(options->d2h_gb_per_s))
        scale_direction(&link->d2h_gb_per_s, &link->d2h_both_gb_per_s, options->d2h_gb_per_s);
    if (!isnan(options->h2d_both_gb_per_s))
        link->h2d_both_gb_per_s = options->h2d_both_gb_per_s;
    if (!isnan(options->d2h_both_gb_per_s))
        link->d2h_both_gb_per_s = options->d2h_both_gb_per_s;
    if (options->duplex != DUPLEX_AS_IS) {
        double part = options->duplex == DUPLEX_HALF ? 0.5 : 1;
        link->h2d_both_gb_per_s = link->h2d_gb_per_s * part;
        link->d2h_both_gb_per_s = link->d2h_gb_per_s * part;
    }
}

const char *link_fault(const struct link *link) {
    const struct { const char *single_name, *both_name; double single, both; } directions[] = {
        { "h2d_gb_per_s", "h2d_both_gb_per_s", link->h2d_gb_per_s, link->h2d_both_gb_per_s },
        { "d2h_gb_per_s", "d2h_both_gb_per_s", link->d2h_gb_per_s, link->d2h_both_gb_per_s },
    };
    for (int i = 0; i < 2; i++) {
        if (!(directions[i].single >= RATE_LEAST && directions[i].single <= RATE_MOST))
            return directions[i].single_name;
        if (!(directions[i].both >= RATE_LEAST && directions[i].both <= directions[i].single))
            return directions[i].both_name;
    }
    return link->latency_us >= 0 && isfinite(link->latency_us) ? NULL : "latency_us";
}

bool link_equal(const struct link *a, const struct link *b) {
    return a->h2d_gb_per_s == b->h2d_gb_per_s && a->d2h_gb_per_s == b->d2h_gb_per_s &&
           a->h2d_both_gb_per_s == b->h2d_both_gb_per_s && a->d2h_both_gb_per_s == b->d2h_both_gb_per_s &&
           a->latency_us == b->latency_us;
}

struct link_options link_options_of(const struct link *link) {
    struct link_options options = LINK_OPTIONS_NONE;
    options.h2d_gb_per_s = link->h2d_gb_per_s;
    options.d2h_gb_per_s = link->d2h_gb_per_s;
    options.h2d_both_gb_per_s = link->h2d_both_gb_per_s;
    options.d2h_both_gb_per_s = link->d2h_both_gb_per_s;
    options.latency_us = link->latency_us;
    return options;
}

enum ss_status link_resolve(const struct link *base, const struct link_options *options, struct link *out,
                            struct error *error) {
    enum ss_status status = check_options(options, error);
    if (status != SS_OK)
        return status;
    struct link link = *base;
    apply_rates(&link, options);
    if (!isnan(options->latency_us))
        link.latency_us = options->latency_us;
    if (link.h2d_both_gb_per_s > link.h2d_gb_per_s)
        return error_set(error, SS_USAGE, "--h2d-both: expected at most the H2D rate, %g GB/s, found %g",
                         link.h2d_gb_per_s, link.h2d_both_gb_per_s);
    if (link.d2h_both_gb_per_s > link.d2h_gb_per_s)
        return error_set(error, SS_USAGE, "--d2h-both: expected at most the D2H rate, %g GB/s, found %g",
                         link.d2h_gb_per_s, link.d2h_both_gb_per_s);
    link.h2d_gb_per_s /= options->share;
    link.d2h_gb_per_s /= options->share;
    link.h2d_both_gb_per_s /= options->share;
    link.d2h_both_gb_per_s /= options->share;
    const char *fault = link_fault(&link);
    if (fault)
        return error_set(error, SS_USAGE, "the link options leave %s out of range", fault);
    *out = link;
    return SS_OK;
}
