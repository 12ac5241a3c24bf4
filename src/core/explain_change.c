/* explain_change: what other planners and other settings would give. Everything is planned or simulated anew. */
#include "explain_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BELOW 0.98            /* how far below a threshold its other side is shown */
#define BANDWIDTH_SPAN 64.0   /* thresholds are looked for up to this many times the bandwidth, and down as far */
#define QUICK_PLANNER "slackswap"
#define TRIES_MOST 24

static bool is_free(const struct outcome *outcome) {
    const struct sim_totals *totals = &outcome->timeline.totals;
    const double rounding = 1e-9 * outcome->ideal_us + 1e-6 * outcome->timeline.schedule.step_count;
    return outcome_feasible(outcome) && totals->step_us <= outcome->ideal_us + rounding;
}

static void say_unknown(struct explainer *e) { answer_say(e, "That could not be found in the time that planners have."); }

/* ---- offloading all of it against recomputing ---- */

static bool try_planner(struct explainer *e, const char *name, double *step_us, uint64_t *required) {
    struct settings settings = e->request->settings;
    struct outcome outcome;
    settings.planner = planner_find(name);
    if (!explain_try_settings(e, &settings, true, &outcome))
        return false;
    const bool fits = outcome_feasible(&outcome);
    *step_us = fits ? outcome.timeline.totals.step_us : INFINITY;
    *required = outcome.timeline.totals.required_bytes;
    answer_figure(e, name, "feasible", fits);
    if (fits) {
        answer_figure(e, name, "step_us", *step_us);
        answer_figure(e, name, "stall_us", outcome.timeline.totals.stall_us);
        answer_figure(e, name, "recompute_us", outcome.timeline.totals.recompute_us);
    } else {
        answer_figure(e, name, "required_bytes", (double)*required);
    }
    return true;
}

static void say_planner(struct explainer *e, const char *words, double step_us, uint64_t required) {
    if (isfinite(step_us))
        answer_say(e, "%s the step takes %s. ", words, show_time(step_us).text);
    else
        answer_say(e, "%s it does not fit: it needs %s. ", words, show_bytes(required).text);
}

void answer_offload_or_recompute(struct explainer *e) {
    double offload, recompute;
    uint64_t offload_needs, recompute_needs;
    answer_begin(e, "offload-or-recompute", "Is offloading all of it worse than recomputing?");
    if (!try_planner(e, "offload", &offload, &offload_needs) || !try_planner(e, "recompute", &recompute, &recompute_needs)) {
        say_unknown(e);
        answer_end(e);
        return;
    }
    if (offload == recompute)
        answer_say(e, isfinite(offload) ? "They come out the same. " : "Neither fits. ");
    else
        answer_say(e, "%s%s. ", offload > recompute ? "Yes" : "No",
                   isfinite(offload) && isfinite(recompute) ? "" : ": the other does not fit");
    say_planner(e, "Where all that must go is offloaded,", offload, offload_needs);
    say_planner(e, "Where it is recomputed,", recompute, recompute_needs);
    if (e->timeline->totals.feasible) {
        answer_figure(e, "this", "step_us", e->timeline->totals.step_us);
        answer_say(e, "This plan takes %s.", show_time(e->timeline->totals.step_us).text);
    }
    answer_end(e);
}

/* ---- where recompute starts ---- */

enum verdict { VERDICT_NO, VERDICT_YES, VERDICT_UNKNOWN };

/* Does PLANNER recompute anything with BYTES of activations? What does not fit counts as yes. */
static enum verdict recomputes(struct explainer *e, const struct planner *planner, uint64_t bytes, double *us) {
    struct settings settings = e->request->settings;
    struct outcome outcome;
    settings.planner = planner;
    settings.budget = (struct budget_choice){ .kind = BUDGET_BYTES, .bytes = bytes };
    if (!explain_try_settings(e, &settings, true, &outcome))
        return VERDICT_UNKNOWN;
    *us = outcome_feasible(&outcome) ? outcome.timeline.totals.recompute_us : INFINITY;
    return *us > 0 ? VERDICT_YES : VERDICT_NO;
}

/* Halves the range until it is a thousandth of the unlimited peak: nothing is recomputed at *HIGH, something at *LOW. */
static void narrow_budget(struct explainer *e, const struct planner *planner, uint64_t *low, uint64_t *high) {
    const uint64_t near_enough = *high / 1000 + 1;
    double us;
    while (*high - *low > near_enough) {
        const uint64_t middle = *low + (*high - *low) / 2;
        const enum verdict verdict = recomputes(e, planner, middle, &us);
        if (verdict == VERDICT_UNKNOWN)
            return;
        *(verdict == VERDICT_YES ? low : high) = middle;
    }
}

static uint64_t below_budget(const struct explainer *e, uint64_t bytes) {
    const uint64_t below = (uint64_t)(BELOW * (double)bytes);
    return below > e->outcome->limits.least_bytes ? below : e->outcome->limits.least_bytes;
}

/* Moves *BYTES until PLANNER recomputes nothing there but something 2 % below. */
static enum verdict settle_budget(struct explainer *e, const struct planner *planner, uint64_t *bytes, double *below_us) {
    const uint64_t most = e->outcome->limits.unlimited_peak_bytes;
    double us;
    for (int i = 0; i < TRIES_MOST; i++) {
        enum verdict verdict = recomputes(e, planner, *bytes, &us);
        if (verdict == VERDICT_YES && *bytes < most) {
            *bytes = *bytes + *bytes / 100 + 1 < most ? *bytes + *bytes / 100 + 1 : most;
            continue;
        }
        if (verdict != VERDICT_NO)
            return VERDICT_UNKNOWN;
        verdict = recomputes(e, planner, below_budget(e, *bytes), below_us);
        if (verdict != VERDICT_NO)
            return verdict;
        *bytes = below_budget(e, *bytes);
    }
    return VERDICT_UNKNOWN;
}

static void say_recompute_start(struct explainer *e, const struct planner *planner, uint64_t bytes, double below_us) {
    const uint64_t below = below_budget(e, bytes);
    answer_figure(e, NULL, "budget_bytes", (double)bytes);
    answer_figure(e, NULL, "below_bytes", (double)below);
    answer_figure(e, NULL, "below_recompute_us", below_us);
    answer_say(e, "Below %s (%s of the unlimited peak, --budget %llu): there %s recomputes nothing, but with %s ",
               show_bytes(bytes).text,
               show_percent((double)bytes / (double)e->outcome->limits.unlimited_peak_bytes).text,
               (unsigned long long)bytes, planner->name, show_bytes(below).text);
    if (isfinite(below_us))
        answer_say(e, "it recomputes for %s.", show_time(below_us).text);
    else
        answer_say(e, "it does not fit.");
}

void answer_recompute_starts(struct explainer *e) {
    const struct planner *planner = e->request->settings.planner, *quick = planner_find(QUICK_PLANNER);
    const struct limits *limits = &e->outcome->limits;
    uint64_t low = limits->least_bytes, high = limits->unlimited_peak_bytes;
    double us = 0, below_us = 0;
    answer_begin(e, "recompute-starts", "Where does recompute start as the budget falls?");
    const enum verdict least = recomputes(e, planner, low, &us), most = recomputes(e, planner, high, &below_us);
    if (least == VERDICT_NO) {
        answer_figure(e, NULL, "least_budget_bytes", (double)low);
        answer_say(e, "Nowhere: even with %s, less than which no plan fits, %s recomputes nothing.", show_bytes(low).text,
                   planner->name);
    } else if (least == VERDICT_UNKNOWN || most != VERDICT_NO) {
        if (most == VERDICT_YES)
            answer_say(e, "At once: %s recomputes even where everything could be kept.", planner->name);
        else
            say_unknown(e);
    } else {
        narrow_budget(e, planner->run == planner_find(PLANNER_DEFAULT)->run ? quick : planner, &low, &high);
        if (settle_budget(e, planner, &high, &below_us) == VERDICT_YES)
            say_recompute_start(e, planner, high, below_us);
        else
            say_unknown(e);
    }
    answer_end(e);
}

/* ---- from which bandwidth on it is free ---- */

/* Rates are said, and tried, with four digits: what is printed can be typed. */
static double four_digits(double rate, bool up) {
    const double scale = pow(10, 3 - floor(log10(rate)));
    return (up ? ceil(rate * scale * (1 - 1e-12)) : floor(rate * scale * (1 + 1e-12))) / scale;
}

static bool set_bandwidth_to(struct explainer *e, struct settings *settings, double gb_per_s) {
    char text[UNIT_TEXT];
    snprintf(text, sizeof text, "%.6g", gb_per_s);
    return knob_parse(KNOB_BANDWIDTH, text, e->profile, settings, NULL) == SS_OK;
}

/* "--bandwidth 27.5", as it would be typed; where rates were given one by one that option alone does not do it. */
static struct unit_text typed_bandwidth(const struct explainer *e, double gb_per_s) {
    const struct link_options *link = &e->request->settings.link;
    const bool alone = isnan(link->h2d_gb_per_s) && isnan(link->d2h_gb_per_s) && isnan(link->h2d_both_gb_per_s) &&
                       isnan(link->d2h_both_gb_per_s);
    struct unit_text text;
    snprintf(text.text, sizeof text.text, alone ? "--bandwidth %.4g" : "all rates in ratio to %.4g", gb_per_s);
    return text;
}

/* The bandwidth as the knob has it: the H2D rate before sharing. */
static double bandwidth_now(const struct explainer *e) {
    return e->outcome->link.h2d_gb_per_s * e->request->settings.link.share;
}

/* Could any plan be free at that bandwidth? The bound says when none can. */
static bool bound_is_free(struct explainer *e, double gb_per_s) {
    struct settings settings = e->request->settings;
    struct link link;
    const double ideal_us = e->outcome->ideal_us * (1 + 1e-12);
    struct bound bound;
    return set_bandwidth_to(e, &settings, gb_per_s) &&
           link_resolve(&e->profile->link, &settings.link, &link, NULL) == SS_OK &&
           bounds_quick(&e->bounds, e->profile, &link, e->outcome->budget_bytes, &bound, NULL) == SS_OK &&
           bound.bound_us <= ideal_us &&
           bounds_find(&e->bounds, e->profile, &link, e->outcome->budget_bytes, &bound, NULL) == SS_OK &&
           bound.bound_us <= ideal_us;
}

static enum verdict free_at(struct explainer *e, const struct planner *planner, double gb_per_s, double *step_us) {
    struct settings settings = e->request->settings;
    struct outcome outcome;
    *step_us = INFINITY;
    settings.planner = planner;
    if (!e->request->replayed && !bound_is_free(e, gb_per_s) && planner != e->request->settings.planner)
        return VERDICT_NO;
    if (!set_bandwidth_to(e, &settings, gb_per_s) ||
        !explain_try_settings(e, &settings, !e->request->replayed, &outcome))
        return VERDICT_UNKNOWN;
    *step_us = outcome_feasible(&outcome) ? outcome.timeline.totals.step_us : INFINITY;
    return is_free(&outcome) ? VERDICT_YES : VERDICT_NO;
}

/* The least bandwidth at which the bound allows a free plan, to a thousandth; from LOW, where it does not, to HIGH. */
static double least_by_bound(struct explainer *e, double low, double high) {
    while (high > low * 1.001) {
        const double middle = sqrt(low * high);
        *(bound_is_free(e, middle) ? &high : &low) = middle;
    }
    return high;
}

/* A bandwidth from LEAST on at which PLANNER is free; steps grow until one is found. INFINITY: none up to MOST. */
static double first_free(struct explainer *e, const struct planner *planner, double least, double most) {
    double step_us, share = 0.001;
    for (double rate = least; rate <= most; rate *= 1 + share, share *= 2)
        if (free_at(e, planner, rate, &step_us) == VERDICT_YES)
            return rate;
    return INFINITY;
}

/* Between LOW, where it is not free, and HIGH, where it is: to 1 %. */
static double narrow_bandwidth(struct explainer *e, const struct planner *planner, double low, double high) {
    double step_us;
    for (int i = 0; i < TRIES_MOST && high > low * 1.01; i++) {
        const double middle = four_digits(sqrt(low * high), true);
        const enum verdict verdict = middle < high ? free_at(e, planner, middle, &step_us) : VERDICT_UNKNOWN;
        if (verdict == VERDICT_UNKNOWN)
            break;
        *(verdict == VERDICT_YES ? &high : &low) = middle;
    }
    return high;
}

static void say_free_from(struct explainer *e, double rate, double below, double below_step_us, bool proved) {
    const char *who = e->request->replayed ? "this plan" : e->request->settings.planner->name;
    answer_figure(e, NULL, "bandwidth_gb_per_s", rate);
    answer_figure(e, NULL, "below_gb_per_s", below);
    answer_figure(e, NULL, "below_step_us", below_step_us);
    answer_figure(e, NULL, "ideal_us", e->outcome->ideal_us);
    answer_say(e, "From %.4g GB/s on (H2D, the other rates in ratio; now %s): with %s the step of %s takes no longer than "
               "the ideal %s; with %.4g it takes %s", rate, show_rate(bandwidth_now(e)).text, typed_bandwidth(e, rate).text,
               who,
               show_time(e->outcome->ideal_us).text, below,
               isfinite(below_step_us) ? show_time(below_step_us).text : "longer");
    if (isfinite(below_step_us))
        answer_say(e, ", %s more", show_time(below_step_us - e->outcome->ideal_us).text);
    answer_say(e, ".%s", proved ? " Less is free for no plan: the bound says so." : "");
}

/* Lowers *RATE until it is free there and not 2 % below; false when planning ran out of time. */
static bool settle_bandwidth(struct explainer *e, double *rate, double *below, double *below_step_us) {
    const struct planner *planner = e->request->settings.planner;
    double step_us;
    for (int i = 0; i < TRIES_MOST; i++) {
        *below = four_digits(BELOW * *rate, false);
        if (free_at(e, planner, *rate, &step_us) != VERDICT_YES)
            return false;
        const enum verdict verdict = free_at(e, planner, *below, below_step_us);
        if (verdict != VERDICT_YES)
            return verdict == VERDICT_NO;
        *rate = *below;
    }
    return false;
}

/* What stands in the way of a free plan at MOST, where no bandwidth helps any more. */
static void say_obstacle(struct explainer *e, double most) {
    struct settings settings = e->request->settings;
    struct link link;
    struct bound bound;
    if (!set_bandwidth_to(e, &settings, most) || link_resolve(&e->profile->link, &settings.link, &link, NULL) != SS_OK ||
        bounds_find(&e->bounds, e->profile, &link, e->outcome->budget_bytes, &bound, NULL) != SS_OK)
        return;
    answer_figure(e, NULL, "tried_bound_us", bound.bound_us);
    if (bound.binding == BINDING_IDEAL)
        return;
    answer_say(e, " Even there the bound for every plan is %s, %s above the ideal; what binds it is %s",
               show_time(bound.bound_us).text, show_time(bound.bound_us - e->outcome->ideal_us).text,
               BINDING_NAME[bound.binding]);
    if (bound.step_op != NONE) {
        struct name_text name;
        name_fit(name.text, e->profile->ops[bound.step_op].name);
        answer_say(e, " at %c %s", STEP_LETTER[bound.step_kind], name.text);
    }
    answer_say(e, ".");
}

static void say_never_free(struct explainer *e, double most) {
    const double recompute = e->timeline->totals.recompute_us;
    answer_figure(e, NULL, "tried_gb_per_s", most);
    if (e->request->replayed && e->timeline->totals.feasible && recompute > 0) {
        answer_figure(e, NULL, "recompute_us", recompute);
        answer_say(e, "At none: this plan computes again for %s, whatever the link.", show_time(recompute).text);
    } else {
        answer_say(e, "At none up to %.4g GB/s.", most);
        say_obstacle(e, most);
    }
}

/* Where every bandwidth down to LEAST would be free. */
static void say_always_free(struct explainer *e, double least) {
    answer_figure(e, NULL, "bandwidth_gb_per_s", least);
    answer_say(e, "At any: even at %.4g GB/s the step takes no longer than the ideal %s.", least,
               show_time(e->outcome->ideal_us).text);
}

void answer_free_bandwidth(struct explainer *e) {
    const struct planner *planner = e->request->settings.planner, *quick = planner_find(QUICK_PLANNER);
    const double now = bandwidth_now(e), least = four_digits(now / BANDWIDTH_SPAN, true);
    const double most = four_digits(now * BANDWIDTH_SPAN, false);
    const bool by_bound = !e->request->replayed;
    double step_us, below = 0, below_step_us = 0, low = least;
    answer_begin(e, "free-bandwidth", "At what bandwidth is it free?");
    if (free_at(e, planner, least, &step_us) == VERDICT_YES) {
        say_always_free(e, least);
        answer_end(e);
        return;
    }
    if (by_bound && bound_is_free(e, most))
        low = bound_is_free(e, least) ? least : least_by_bound(e, least, most);
    const double start = four_digits(low, true);
    double high = by_bound && !bound_is_free(e, most) ? INFINITY
                : first_free(e, planner->run == planner_find(PLANNER_DEFAULT)->run && by_bound ? quick : planner, start, most);
    if (!isfinite(high) && by_bound && bound_is_free(e, most)) /* what the quick one misses the other may find */
        high = first_free(e, planner, most, most);
    if (!isfinite(high)) {
        say_never_free(e, most);
        answer_end(e);
        return;
    }
    double rate = narrow_bandwidth(e, planner, start / 1.001, four_digits(high, true));
    if (settle_bandwidth(e, &rate, &below, &below_step_us))
        say_free_from(e, rate, below, below_step_us, by_bound && below < low);
    else
        say_unknown(e);
    answer_end(e);
}

/* ---- which knob helps most ---- */

struct turn {
    const char *name;       /* of the option */
    char typed[UNIT_TEXT + 16]; /* the option as it would be */
    char words[80];
    struct settings settings;
    double step_us, value_number;
    const char *value_name;
};
#define TURNS_MOST 6
#define NO_GAIN_US 1e-3

static struct turn *add_turn(struct explainer *e, struct turn *turns, uint32_t *count, const char *name) {
    struct turn *turn = &turns[(*count)++];
    *turn = (struct turn){ .name = name, .settings = e->request->settings };
    return turn;
}

static void turn_budget(struct explainer *e, struct turn *turns, uint32_t *count) {
    const uint64_t now = e->outcome->budget_bytes, most = e->outcome->limits.unlimited_peak_bytes;
    if (now >= most)
        return;
    struct turn *turn = add_turn(e, turns, count, "budget");
    const double more = 1.1 * (double)now;
    const uint64_t bytes = more < (double)most ? (uint64_t)more : most;
    turn->settings.budget = (struct budget_choice){ .kind = BUDGET_BYTES, .bytes = bytes };
    turn->value_name = "value_bytes";
    turn->value_number = (double)bytes;
    snprintf(turn->typed, sizeof turn->typed, "--budget %llu", (unsigned long long)bytes);
    snprintf(turn->words, sizeof turn->words, "%s more memory (%s)", show_percent((double)bytes / (double)now - 1).text,
             show_bytes(bytes).text);
}

static void turn_bandwidth(struct explainer *e, struct turn *turns, uint32_t *count) {
    const double rate = four_digits(1.1 * bandwidth_now(e), true);
    struct turn *turn = add_turn(e, turns, count, "bandwidth");
    if (!set_bandwidth_to(e, &turn->settings, rate)) {
        --*count;
        return;
    }
    turn->value_name = "value_gb_per_s";
    turn->value_number = rate;
    snprintf(turn->typed, sizeof turn->typed, "%s", typed_bandwidth(e, rate).text);
    snprintf(turn->words, sizeof turn->words, "10%% more bandwidth (%s)", show_rate(rate).text);
}

static void turn_latency(struct explainer *e, struct turn *turns, uint32_t *count) {
    if (!(e->outcome->link.latency_us > 0))
        return;
    struct turn *turn = add_turn(e, turns, count, "latency");
    turn->settings.link.latency_us = 0;
    turn->value_name = "value_us";
    snprintf(turn->typed, sizeof turn->typed, "--latency 0us");
    snprintf(turn->words, sizeof turn->words, "no latency");
}

static void turn_duplex(struct explainer *e, struct turn *turns, uint32_t *count) {
    const struct link *link = &e->outcome->link;
    if (link->h2d_both_gb_per_s == link->h2d_gb_per_s && link->d2h_both_gb_per_s == link->d2h_gb_per_s)
        return;
    struct turn *turn = add_turn(e, turns, count, "duplex");
    turn->settings.link.duplex = DUPLEX_FULL;
    turn->settings.link.h2d_both_gb_per_s = turn->settings.link.d2h_both_gb_per_s = NAN;
    snprintf(turn->typed, sizeof turn->typed, "--duplex full");
    snprintf(turn->words, sizeof turn->words, "full rates both ways at once");
}

static void turn_share(struct explainer *e, struct turn *turns, uint32_t *count) {
    if (e->request->settings.link.share < 2)
        return;
    struct turn *turn = add_turn(e, turns, count, "share");
    turn->settings.link.share = 1;
    turn->value_name = "value";
    turn->value_number = 1;
    snprintf(turn->typed, sizeof turn->typed, "--share 1");
    snprintf(turn->words, sizeof turn->words, "a link of its own");
}

static void turn_host_memory(struct explainer *e, struct turn *turns, uint32_t *count) {
    if (e->request->settings.host_memory_bytes == BYTES_UNLIMITED)
        return;
    struct turn *turn = add_turn(e, turns, count, "host-memory");
    turn->settings.host_memory_bytes = BYTES_UNLIMITED;
    snprintf(turn->typed, sizeof turn->typed, "--host-memory none");
    snprintf(turn->words, sizeof turn->words, "no limit on host memory");
}

/* The turns that help, best first; what does not comes last, in the order in which knobs are listed. */
static void sort_turns(struct turn *turns, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        const struct turn turn = turns[i];
        uint32_t at = i;
        for (; at > 0 && turns[at - 1].step_us > turn.step_us + NO_GAIN_US; at--)
            turns[at] = turns[at - 1];
        turns[at] = turn;
    }
}

static void say_turns(struct explainer *e, const struct turn *turns, uint32_t count) {
    const double now = e->timeline->totals.step_us;
    uint32_t helping = 0;
    for (; helping < count && turns[helping].step_us < now - NO_GAIN_US; helping++)
        answer_say(e, "%s%s (%s): the step takes %s, %s less", helping == 0 ? "Most helps " : "; then ",
                   turns[helping].words, turns[helping].typed,
                   show_time(turns[helping].step_us).text, show_time(now - turns[helping].step_us).text);
    answer_say(e, helping > 0 ? ". " : "None helps. ");
    for (uint32_t i = helping; i < count; i++)
        answer_say(e, "%s%s%s", i == helping ? "No gain from " : i + 1 < count ? ", " : " or ", turns[i].words,
                   i + 1 < count ? "" : ". ");
}

void answer_knobs(struct explainer *e) {
    struct turn turns[TURNS_MOST];
    struct outcome outcome;
    uint32_t count = 0;
    answer_begin(e, "knobs", "Which knob helps most?");
    turn_budget(e, turns, &count);
    turn_bandwidth(e, turns, &count);
    turn_latency(e, turns, &count);
    turn_duplex(e, turns, &count);
    turn_share(e, turns, &count);
    turn_host_memory(e, turns, &count);
    for (uint32_t i = 0; i < count; i++) {
        const bool known = explain_try_settings(e, &turns[i].settings, !e->request->replayed, &outcome);
        turns[i].step_us = known && outcome_feasible(&outcome) ? outcome.timeline.totals.step_us : INFINITY;
        if (turns[i].value_name)
            answer_figure(e, turns[i].name, turns[i].value_name, turns[i].value_number);
        answer_figure(e, turns[i].name, "step_us", turns[i].step_us);
    }
    answer_figure(e, "now", "step_us", e->timeline->totals.step_us);
    answer_figure(e, "now", "bound_us", e->outcome->bound.bound_us);
    sort_turns(turns, count);
    say_turns(e, turns, count);
    answer_say(e, "%s the step takes %s; what binds the bound is %s.", e->request->replayed ? "As the plan stands" : "Now",
               show_time(e->timeline->totals.step_us).text,
               e->outcome->bound.binding == BINDING_IDEAL ? "the compute itself" : BINDING_NAME[e->outcome->bound.binding]);
    if (e->timeline->budget_bytes < e->outcome->budget_bytes)
        answer_say(e, " The plan's own budget, %s, holds it down.", show_bytes(e->timeline->budget_bytes).text);
    answer_end(e);
}
