/* axis: see axis.h. */
#include "axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "units.h"

#define WORD_MAX 64

/* What the values of an axis are. Each is counted in a unit of its own: percent, bytes or GB/s. */
enum measure { MEASURE_SHARE, MEASURE_SIZE, MEASURE_RATE };

/* Called for each value, as it was or would be written. */
typedef enum ss_status take_value(void *context, const char *text, enum measure measure, struct error *error);

struct parser {
    bool rates;
    take_value *take;
    void *context;
    uint32_t count;
};

static enum ss_status take_one(struct parser *parser, const char *text, enum measure measure, struct error *error) {
    if (parser->count == AXIS_MOST)
        return error_set(error, SS_USAGE, "expected at most %d values", AXIS_MOST);
    parser->count++;
    return parser->take(parser->context, text, measure, error);
}

static enum measure measure_of(const struct parser *parser, const char *text) {
    const size_t length = strlen(text);
    return parser->rates                             ? MEASURE_RATE
           : length > 0 && text[length - 1] == '%' ? MEASURE_SHARE
                                                     : MEASURE_SIZE;
}

/* TEXT as a number in the unit of MEASURE. */
static enum ss_status parse_number(const char *text, enum measure measure, double *out, struct error *error) {
    uint64_t bytes = 0;
    enum ss_status status = measure == MEASURE_SHARE  ? parse_share(text, out, error)
                            : measure == MEASURE_RATE ? parse_rate(text, out, error)
                                                      : parse_bytes(text, &bytes, error);
    if (measure == MEASURE_SHARE)
        *out *= 100;
    else if (measure == MEASURE_SIZE)
        *out = (double)bytes; /* below 2^53: exact */
    return status;
}

/* The value as somebody would have written it: twelve digits tell apart what a person tells apart, and drop what adding
 * up steps leaves behind. */
static void write_number(char text[WORD_MAX], enum measure measure, double number) {
    if (measure == MEASURE_SIZE)
        snprintf(text, WORD_MAX, "%.0f", number);
    else
        snprintf(text, WORD_MAX, measure == MEASURE_SHARE ? "%.12g%%" : "%.12g", number);
}

/* FROM:TO:STEP */
static enum ss_status take_range(struct parser *parser, const char *text, char *part[3], struct error *error) {
    double number[3] = { 0, 0, 0 };
    const enum measure measure = measure_of(parser, part[0]);
    for (int i = 0; i < 3; i++) {
        if (measure_of(parser, part[i]) != measure)
            return error_set(error, SS_USAGE, "expected three shares or three sizes, found '%s'", text);
        const enum ss_status status = parse_number(part[i], measure, &number[i], error);
        if (status != SS_OK)
            return status;
    }
    const double from = number[0], to = number[1], step = number[2];
    if (!(step > 0))
        return error_set(error, SS_USAGE, "expected a step above 0, found '%s'", text);
    if (from > to)
        return error_set(error, SS_USAGE, "expected a range that goes up, found '%s'", text);
    const double steps = floor((to - from) / step * (1 + 1e-12) + 1e-9);
    if (steps >= AXIS_MOST)
        return error_set(error, SS_USAGE, "expected at most %d values, found '%s'", AXIS_MOST, text);
    enum ss_status status = SS_OK;
    for (uint32_t i = 0; i <= (uint32_t)steps && status == SS_OK; i++) {
        char value[WORD_MAX];
        write_number(value, measure, from + i * step);
        status = take_one(parser, value, measure, error);
    }
    return status;
}

/* A value, or a range. */
static enum ss_status take_item(struct parser *parser, const char *text, struct error *error) {
    char copy[WORD_MAX], *part[3] = { copy, NULL, NULL };
    int parts = 1;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *at = strchr(copy, ':'); at != NULL && parts < 4; at = strchr(at + 1, ':')) {
        *at = '\0';
        if (parts < 3)
            part[parts] = at + 1;
        parts++;
    }
    if (parts == 1)
        return take_one(parser, text, measure_of(parser, text), error);
    if (parts != 3)
        return error_set(error, SS_USAGE, "expected a value or a range FROM:TO:STEP, found '%s'", text);
    return take_range(parser, text, part, error);
}

static enum ss_status parse_list(struct parser *parser, const char *text, struct error *error) {
    enum ss_status status = SS_OK;
    while (status == SS_OK) {
        char item[WORD_MAX];
        const size_t length = strcspn(text, ",");
        if (length == 0 || length >= sizeof item)
            return error_set(error, SS_USAGE, "expected values and ranges FROM:TO:STEP parted by commas, found '%s'",
                             text);
        memcpy(item, text, length);
        item[length] = '\0';
        status = take_item(parser, item, error);
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    return status;
}

struct budget_taking { struct budget_choice *choice; uint32_t count; enum budget_kind kind; };

static enum ss_status take_budget(void *context, const char *text, enum measure measure, struct error *error) {
    struct budget_taking *taking = context;
    struct budget_choice choice = { .kind = measure == MEASURE_SHARE ? BUDGET_SHARE : taking->kind };
    enum ss_status status;
    if (measure != MEASURE_SHARE)
        status = parse_bytes(text, &choice.bytes, error);
    else if (taking->kind == BUDGET_BYTES)
        status = parse_share(text, &choice.share, error);
    else
        status = error_set(error, SS_USAGE, "expected a size of the whole GPU, found '%s'", text);
    if (status == SS_OK)
        taking->choice[taking->count++] = choice;
    return status;
}

enum ss_status axis_parse_budgets(const char *text, enum budget_kind kind, struct arena *arena,
                                  struct budget_axis *out, struct error *error) {
    struct budget_taking taking = { .choice = ARENA_ARRAY(arena, struct budget_choice, AXIS_MOST), .kind = kind };
    struct parser parser = { .take = take_budget, .context = &taking };
    if (taking.choice == NULL)
        return error_no_memory(error);
    const enum ss_status status = parse_list(&parser, text, error);
    if (status == SS_OK)
        *out = (struct budget_axis){ taking.choice, taking.count };
    return status;
}

struct rate_taking { double *gb_per_s; uint32_t count; };

static enum ss_status take_rate(void *context, const char *text, enum measure measure, struct error *error) {
    struct rate_taking *taking = context;
    (void)measure;
    const enum ss_status status = parse_rate(text, &taking->gb_per_s[taking->count], error);
    taking->count += status == SS_OK;
    return status;
}

enum ss_status axis_parse_rates(const char *text, struct arena *arena, struct rate_axis *out, struct error *error) {
    struct rate_taking taking = { .gb_per_s = ARENA_ARRAY(arena, double, AXIS_MOST) };
    struct parser parser = { .rates = true, .take = take_rate, .context = &taking };
    if (taking.gb_per_s == NULL)
        return error_no_memory(error);
    const enum ss_status status = parse_list(&parser, text, error);
    if (status == SS_OK)
        *out = (struct rate_axis){ taking.gb_per_s, taking.count };
    return status;
}
