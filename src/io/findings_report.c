/* findings_report: see findings_report.h. */
#include "findings_report.h"

#include "core/fix_words.h"
#include "core/sanitise.h"
#include "core/units.h"
#include "json_write.h"

uint32_t finding_line(const struct finding *finding, const struct profile *profile,
                      const struct findings_source *source) {
    if (finding->place.entry)
        return member_line(source->lines, finding->place.entry);
    return finding->place.tensor == NONE ? 0 : member_line(source->lines, profile->tensors[finding->place.tensor].name);
}

/* ---- for people ----------------------------------------------------------------------------------------------------- */

static void put_file(struct buffer *out, const char *file) {
    char name[SANITISED_BYTES(512)];
    buffer_text(out, sanitise(name, sizeof name, file));
}

void findings_text(struct buffer *out, const struct check *check, const struct findings_source *source) {
    const struct profile *profile = check->timeline.profile;
    for (uint32_t i = 0; i < check->findings.count; i++) {
        const struct finding *finding = &check->findings.finding[i];
        const struct rule *rule = &RULE_TABLE[finding->rule];
        const uint32_t line = finding_line(finding, profile, source);
        put_file(out, source->file);
        if (line > 0)
            buffer_printf(out, ":%u", line);
        buffer_printf(out, ": %s: %s: %s", SEVERITY_NAME[rule->severity], rule->id, finding->words);
        if (finding->fix) {
            struct words words;
            words_start(&words, &VOICE_PLAIN);
            words_fix(&words, profile, finding->fix);
            buffer_printf(out, ". Fix: %s", words.text);
        }
        buffer_text(out, "\n");
    }
}

void rules_text(struct buffer *out) {
    for (int id = 0; id < RULE_COUNT; id++) {
        const struct rule *rule = &RULE_TABLE[id];
        buffer_printf(out, "%s%s (%s): the plan %s.\n    %s\n    Example: %s\n", id ? "\n" : "", rule->id,
                      SEVERITY_NAME[rule->severity], rule->title, rule->explanation, rule->example);
    }
}

/* "step 219.7 ms -> 218.3 ms, peak 5.37 GiB -> 5.38 GiB, host 1.65 GiB" */
static void put_totals(struct buffer *out, const struct mended *mended) {
    char step[2][UNIT_TEXT], peak[2][UNIT_TEXT], host[UNIT_TEXT];
    const struct sim_totals *was = &mended->before, *is = &mended->after;
    format_time(step[1], is->step_us);
    format_bytes(peak[1], is->peak_bytes);
    format_bytes(host, is->host_peak_bytes);
    if (was->feasible)
        buffer_printf(out, "step %s -> %s, peak %s -> %s, host %s\n", format_time(step[0], was->step_us), step[1],
                      format_bytes(peak[0], was->peak_bytes), peak[1], host);
    else
        buffer_printf(out, "needed %s; now step %s, peak %s, host %s\n", format_bytes(peak[0], was->required_bytes),
                      step[1], peak[1], host);
}

void fix_text(struct buffer *out, const struct profile *profile, const struct fix_report *fix) {
    const struct mended *mended = fix->mended;
    for (uint32_t i = 0; i < mended->count; i++) {
        struct words words;
        words_start(&words, &VOICE_PLAIN);
        words_change(&words, profile, &mended->change[i]);
        buffer_printf(out, "  %s\n", words.text);
    }
    buffer_printf(out, "%u change%s", mended->count, plural(mended->count));
    if (fix->entries > 0)
        buffer_printf(out, ", %u entr%s taken out", fix->entries, fix->entries == 1 ? "y" : "ies");
    buffer_text(out, ": ");
    put_totals(out, mended);
}

/* ---- for programs --------------------------------------------------------------------------------------------------- */

static void put_change(struct json_writer *writer, const struct profile *profile, const struct change *change) {
    json_open_object(writer, NULL, JSON_INLINE);
    json_put_text(writer, "tensor", profile->tensors[change->tensor].name);
    if (change->from != change->to) {
        json_put_text(writer, "from", ACTION_NAME[change->from]);
        json_put_text(writer, "to", ACTION_NAME[change->to]);
    }
    if (change->from_distance != change->to_distance) {
        json_put_number(writer, "from_prefetch", change->from_distance == PREFETCH_ANY ? NAN : change->from_distance);
        json_put_number(writer, "to_prefetch", change->to_distance == PREFETCH_ANY ? NAN : change->to_distance);
    }
    json_end(writer);
}

static void put_changes(struct json_writer *writer, const struct profile *profile, const struct change *change,
                        uint32_t count) {
    json_open_array(writer, "changes", JSON_LINES);
    for (uint32_t i = 0; i < count; i++)
        put_change(writer, profile, &change[i]);
    json_end(writer);
}

static void put_totals_json(struct json_writer *writer, const char *key, const struct sim_totals *totals) {
    json_open_object(writer, key, JSON_INLINE);
    json_put_bool(writer, "feasible", totals->feasible);
    json_put_whole(writer, "required_bytes", totals->required_bytes);
    json_put_number(writer, "step_us", totals->feasible ? totals->step_us : NAN);
    json_put_number(writer, "peak_bytes", totals->feasible ? (double)totals->peak_bytes : NAN);
    json_put_number(writer, "host_peak_bytes", totals->feasible ? (double)totals->host_peak_bytes : NAN);
    json_end(writer);
}

static void put_fix(struct json_writer *writer, const struct profile *profile, const struct fix *fix) {
    if (!fix) {
        json_put_null(writer, "fix");
        return;
    }
    json_open_object(writer, "fix", JSON_LINES);
    if (fix->entry)
        json_put_text(writer, "remove_entry", fix->entry);
    put_changes(writer, profile, fix->change, fix->count);
    json_put_bool(writer, "fits", fix->fits);
    put_totals_json(writer, "result", &fix->totals);
    json_put_number(writer, "step_change_us", fix->step_change_us);
    json_put_number(writer, "peak_change_bytes", fix->peak_change_bytes);
    json_end(writer);
}

/* "B L03.fc1" */
static void put_step(struct json_writer *writer, const struct timeline *timeline, uint32_t step) {
    struct buffer text = { 0 };
    buffer_printf(&text, "%c %s", STEP_LETTER[timeline->schedule.kind[step]],
                  timeline->profile->ops[timeline->schedule.op[step]].name);
    json_put_text(writer, "step", text.failed ? "" : text.text);
    json_put_whole(writer, "step_number", step);
    writer->out->failed = writer->out->failed || text.failed;
    buffer_free(&text);
}

static void put_place(struct json_writer *writer, const struct check *check, const struct finding *finding,
                      const struct findings_source *source) {
    const struct profile *profile = check->timeline.profile;
    const struct place *place = &finding->place;
    const uint32_t line = finding_line(finding, profile, source);
    json_open_object(writer, "place", JSON_INLINE);
    if (line > 0)
        json_put_whole(writer, "line", line);
    if (place->step != NONE)
        put_step(writer, &check->timeline, place->step);
    if (place->op != NONE)
        json_put_text(writer, "op", profile->ops[place->op].name);
    if (place->layer != NONE)
        json_put_text(writer, "layer", profile->layers[place->layer].name);
    if (place->tensor != NONE || place->entry)
        json_put_text(writer, "tensor", place->entry ? place->entry : profile->tensors[place->tensor].name);
    if (!isnan(place->at_us))
        json_put_number(writer, "at_us", place->at_us);
    json_end(writer);
}

static void put_finding(struct json_writer *writer, const struct check *check, const struct finding *finding,
                        const struct findings_source *source) {
    const struct rule *rule = &RULE_TABLE[finding->rule];
    json_open_object(writer, NULL, JSON_LINES);
    json_put_text(writer, "rule", rule->id);
    json_put_text(writer, "severity", SEVERITY_NAME[rule->severity]);
    json_put_text(writer, "words", finding->words);
    put_place(writer, check, finding, source);
    json_open_object(writer, "figures", JSON_INLINE);
    for (uint32_t i = 0; i < finding->figure_count; i++) {
        const struct figure *figure = &finding->figure[i];
        if (figure->text)
            json_put_text(writer, figure->name, figure->text);
        else
            json_put_number(writer, figure->name, figure->value);
    }
    json_end(writer);
    put_fix(writer, check->timeline.profile, finding->fix);
    json_end(writer);
}

static void put_mended(struct json_writer *writer, const struct profile *profile, const struct fix_report *fix) {
    const struct mended *mended = fix->mended;
    json_open_object(writer, "fixed", JSON_LINES);
    json_put_bool(writer, "fits", mended->fits);
    put_changes(writer, profile, mended->change, mended->count);
    json_put_whole(writer, "entries_removed", fix->entries);
    put_totals_json(writer, "before", &mended->before);
    put_totals_json(writer, "after", &mended->after);
    if (fix->written)
        json_put_text(writer, "written", fix->written);
    else
        json_put_null(writer, "written");
    json_end(writer);
}

void findings_json(struct buffer *out, const struct check *check, const struct findings_source *source,
                   const struct fix_report *fix) {
    struct json_writer writer = { .out = out };
    const struct timeline *timeline = &check->timeline;
    json_open_object(&writer, NULL, JSON_LINES);
    json_put_text(&writer, "schema", FINDINGS_SCHEMA);
    json_put_text(&writer, "profile", timeline->profile->name);
    json_put_text(&writer, "plan", source->file);
    json_put_whole(&writer, "budget_bytes", timeline->budget_bytes);
    json_put_whole(&writer, "errors", check->findings.of[SEVERITY_ERROR]);
    json_put_whole(&writer, "warnings", check->findings.of[SEVERITY_WARNING]);
    json_put_bool(&writer, "every_change_tried", !check->limited);
    put_totals_json(&writer, "result", &timeline->totals);
    json_open_array(&writer, "findings", JSON_LINES);
    for (uint32_t i = 0; i < check->findings.count; i++)
        put_finding(&writer, check, &check->findings.finding[i], source);
    json_end(&writer);
    if (fix)
        put_mended(&writer, timeline->profile, fix);
    json_end(&writer);
}

void rules_json(struct buffer *out) {
    struct json_writer writer = { .out = out };
    json_open_array(&writer, NULL, JSON_LINES);
    for (int id = 0; id < RULE_COUNT; id++) {
        const struct rule *rule = &RULE_TABLE[id];
        json_open_object(&writer, NULL, JSON_LINES);
        json_put_text(&writer, "rule", rule->id);
        json_put_text(&writer, "severity", SEVERITY_NAME[rule->severity]);
        json_put_text(&writer, "title", rule->title);
        json_put_text(&writer, "explanation", rule->explanation);
        json_put_text(&writer, "example", rule->example);
        json_end(&writer);
    }
    json_end(&writer);
}
