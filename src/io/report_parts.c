/* report_parts: see report_parts.h. */
#include "report_parts.h"

#include <stdio.h>
#include <string.h>

struct shown show_name(const char *name) {
    struct shown shown;
    name_fit(shown.text, name);
    return shown;
}

void report_label(struct buffer *out, const char *text) { buffer_printf(out, "%-*s", LABEL_COLUMNS, text); }

struct shown show_step(const struct timeline *timeline, uint32_t step) {
    struct shown shown = show_name(timeline->profile->ops[timeline->schedule.op[step]].name), named;
    snprintf(named.text, sizeof named.text, "%c %.150s", STEP_LETTER[timeline->schedule.kind[step]], shown.text);
    return named;
}

void report_link(struct buffer *out, const struct link *link) {
    report_label(out, "link");
    if (*link->name)
        buffer_printf(out, "%s: ", show_name(link->name).text);
    buffer_printf(out, "H2D %s, D2H %s", show_rate(link->h2d_gb_per_s).text, show_rate(link->d2h_gb_per_s).text);
    if (link->h2d_both_gb_per_s < link->h2d_gb_per_s || link->d2h_both_gb_per_s < link->d2h_gb_per_s)
        buffer_printf(out, " (at once %s, %s)", show_rate(link->h2d_both_gb_per_s).text,
                      show_rate(link->d2h_both_gb_per_s).text);
    buffer_printf(out, ", latency %s\n", show_time(link->latency_us).text);
}

void report_profile(struct buffer *out, const struct profile *profile) {
    report_label(out, "profile");
    buffer_printf(out, "%s: %u op%s in %u layer%s, %u of %u tensors managed\n",
                  *profile->name ? show_name(profile->name).text : "(without a name)", (unsigned)profile->op_count,
                  plural(profile->op_count), (unsigned)profile->layer_count, plural(profile->layer_count),
                  (unsigned)profile->managed_count, (unsigned)profile->tensor_count);
    if (*profile->device_name) {
        report_label(out, "device");
        buffer_printf(out, "%s\n", show_name(profile->device_name).text);
    }
}

void report_binding(struct buffer *out, const struct profile *profile, const struct bound *bound) {
    buffer_text(out, BINDING_NAME[bound->binding]);
    if (bound->binding == BINDING_ROOM && bound->step_op != NONE)
        buffer_printf(out, " at %c %s", STEP_LETTER[bound->step_kind], profile->ops[bound->step_op].name);
}
