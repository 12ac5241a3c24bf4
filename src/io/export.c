#include "export.h"

#include <string.h>

#include "plan_json.h"

const struct export_format EXPORTS[] = {
    { "chrome", "Chrome trace (JSON): opens in Perfetto, chrome://tracing and speedscope", true, false, export_chrome, NULL },
    { "svg", "a picture: lanes, layers, and memory under the budget", true, true, export_svg, NULL },
    { "curves", "a picture: the step over budgets, and over rates if there are several", true, true, NULL, export_curves },
    { "csv", "a table of events: a row for each step, transfer and stall", true, false, export_csv, NULL },
    { "memory-csv", "a table of memory: a row for each change", true, false, export_memory_csv, NULL },
    { "markdown", "a report with tables", false, false, export_markdown, NULL },
    { "plan", "the plan (slackswap-plan/1)", false, false, export_plan, NULL },
};
const uint32_t EXPORT_COUNT = sizeof EXPORTS / sizeof *EXPORTS;

const struct export_format *export_find(const char *name) {
    for (uint32_t i = 0; i < EXPORT_COUNT; i++)
        if (strcmp(EXPORTS[i].name, name) == 0)
            return &EXPORTS[i];
    return NULL;
}

void export_plan(struct buffer *out, const struct outcome *outcome, const struct look *look) {
    (void)look;
    plan_json_write(out, outcome->timeline.profile, &outcome->timeline.plan);
}
