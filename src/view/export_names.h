/* export_names: the forms in which the viewer takes a result away: of those that `slackswap export --to` knows, the ones of
 * a single result. ENDING is that of the file's name. */
#ifndef SLACKSWAP_VIEW_EXPORT_NAMES_H
#define SLACKSWAP_VIEW_EXPORT_NAMES_H

#define EXPORT_NAMES(X)                                                           \
    X("chrome",   ".trace.json", "a trace for Perfetto and chrome://tracing")      \
    X("svg",      ".svg",        "a picture of the step")                          \
    X("csv",      ".csv",        "every step and transfer as a table")             \
    X("markdown", ".md",         "a report")

struct export_name { const char *name, *ending, *words; };
extern const struct export_name EXPORT_TABLE[];
extern const unsigned EXPORT_NAME_COUNT;

#endif
