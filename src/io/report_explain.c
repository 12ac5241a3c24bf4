/* report_explain: see report_explain.h. */
#include "report_explain.h"

#include <string.h>

#include "report_parts.h"

#define TEXT_COLUMNS 78

/* ---- text --------------------------------------------------------------------------------------------------------------- */

/* Bytes of the next line of TEXT: up to the last blank within COLUMNS, or a longer word whole. Bytes that continue a
 * character count for nothing. */
static size_t line_length(const char *text, int columns) {
    size_t end = 0, at = 0;
    for (int used = 0; text[at] != '\0'; at++) {
        used += (text[at] & 0xC0) != 0x80;
        if (used > columns + 1 && end > 0)
            return end;
        if (text[at] == ' ')
            end = at;
    }
    return end > 0 && end == at - 1 ? end : at;
}

/* TEXT in lines, the first after FIRST, the others after as many blanks. */
static void put_wrapped(struct buffer *out, const char *first, const char *text) {
    const int indent = (int)strlen(first);
    const char *before = first;
    while (*text != '\0') {
        size_t length = line_length(text, TEXT_COLUMNS - indent);
        buffer_printf(out, "%*s%.*s\n", indent, before, (int)length, text);
        before = "";
        text += length;
        text += strspn(text, " ");
    }
}

static void put_answer(struct buffer *out, const struct answer *answer) {
    buffer_printf(out, "\n%s\n", answer->question);
    put_wrapped(out, "  ", answer->words);
    for (uint32_t i = 0; i < answer->chain_count; i++)
        put_wrapped(out, i == 0 ? "  cause  " : "     <-  ", answer->chain[i].words);
    if (answer->chain_cut)
        buffer_text(out, "     <-  and so on\n");
}

static void put_subject(struct buffer *out, const struct outcome *outcome) {
    const struct sim_totals *totals = &outcome->timeline.totals;
    report_profile(out, outcome->timeline.profile);
    report_link(out, &outcome->link);
    report_label(out, "plan");
    buffer_printf(out, "by %s, budget %s: ", show_name(outcome->planner_name).text,
                  show_bytes(outcome->timeline.budget_bytes).text);
    if (totals->feasible)
        buffer_printf(out, "step %s, %s of ideal%s\n", show_time(totals->step_us).text,
                      show_percent(outcome_throughput(outcome)).text,
                      outcome->host_limit_exceeded ? ", more host memory than allowed" : "");
    else
        buffer_text(out, "does not fit\n");
}

void explain_text(struct buffer *out, const struct outcome *outcome, const struct explanation *explanation) {
    put_subject(out, outcome);
    for (uint32_t i = 0; i < explanation->count; i++)
        put_answer(out, &explanation->answers[i]);
}

/* ---- JSON --------------------------------------------------------------------------------------------------------------- */

static bool same_subject(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool told_before(const struct answer *answer, uint32_t i) {
    for (uint32_t k = 0; k < i; k++)
        if (same_subject(answer->figures[k].subject, answer->figures[i].subject))
            return true;
    return false;
}

/* Figures of one subject stand together, those of the answer itself first. */
static void put_figures(struct json_writer *writer, const struct answer *answer, const char *subject) {
    for (uint32_t i = 0; i < answer->figure_count; i++)
        if (same_subject(answer->figures[i].subject, subject))
            json_put_number(writer, answer->figures[i].name, answer->figures[i].value);
}

static void put_all_figures(struct json_writer *writer, const struct answer *answer) {
    json_open_object(writer, "figures", JSON_LINES);
    put_figures(writer, answer, NULL);
    for (uint32_t i = 0; i < answer->figure_count; i++) {
        const char *subject = answer->figures[i].subject;
        if (!subject || told_before(answer, i))
            continue;
        json_open_object(writer, subject, JSON_INLINE);
        put_figures(writer, answer, subject);
        json_end(writer);
    }
    json_end(writer);
}

static void put_link(struct json_writer *writer, const struct timeline *timeline, const struct answer_link *link) {
    static const char *const LANE_NAME[LANE_COUNT] = { "compute", "d2h", "h2d" };
    const struct event event = link->event;
    json_open_object(writer, NULL, JSON_INLINE);
    json_put_text(writer, "lane", LANE_NAME[event.lane]);
    if (event.lane == LANE_COMPUTE) {
        static const char *const KIND[STEP_KIND_COUNT] = { "forward", "recompute", "backward" };
        json_put_text(writer, "kind", KIND[timeline->schedule.kind[event.index]]);
        json_put_text(writer, "op", timeline->profile->ops[timeline->schedule.op[event.index]].name);
    } else {
        const struct timeline_transfer *transfers = event.lane == LANE_D2H ? timeline->d2h : timeline->h2d;
        json_put_text(writer, "tensor", timeline->profile->tensors[transfers[event.index].tensor].name);
    }
    json_put_number(writer, "start_us", timeline_start(timeline, event));
    json_put_number(writer, "end_us", timeline_end(timeline, event));
    json_put_whole(writer, "events", link->count);
    json_put_text(writer, "words", link->words);
    json_end(writer);
}

void explain_json(struct buffer *out, const struct outcome *outcome, const struct explanation *explanation,
                  const struct report_extras *extras) {
    struct json_writer writer = { .out = out };
    json_open_object(&writer, NULL, JSON_LINES);
    json_put_text(&writer, "schema", EXPLANATION_SCHEMA);
    report_json_put(&writer, "result", outcome, extras);
    json_open_array(&writer, "answers", JSON_LINES);
    for (uint32_t i = 0; i < explanation->count; i++) {
        const struct answer *answer = &explanation->answers[i];
        json_open_object(&writer, NULL, JSON_LINES);
        json_put_text(&writer, "id", answer->id);
        json_put_text(&writer, "question", answer->question);
        json_put_text(&writer, "answer", answer->words);
        put_all_figures(&writer, answer);
        json_open_array(&writer, "causes", JSON_LINES);
        for (uint32_t k = 0; k < answer->chain_count; k++)
            put_link(&writer, &outcome->timeline, &answer->chain[k]);
        json_end(&writer);
        json_end(&writer);
    }
    json_end(&writer);
    json_end(&writer);
}
