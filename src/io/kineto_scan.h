/* kineto_scan: a Chrome trace cut into its events, however long the file is.
 *
 * The file is an array of events, or an object whose "traceEvents" is one. Each event is handed over as raw text that
 * lies in a window of the file; memory is that of the window and of the longest event. Profilers write what is no JSON
 * (raw control bytes, "C:\path", bytes that are no UTF-8), so a text ends at a quote with an even number of backslashes
 * before it, and whatever stands inside is taken. Structure is not forgiven. */
#ifndef SLACKSWAP_IO_KINETO_SCAN_H
#define SLACKSWAP_IO_KINETO_SCAN_H

#include "import.h"
#include "lines.h"

/* What an event says, each the raw text of a JSON value (a text with its quotes) or empty. */
struct kineto_event {
    struct piece ph, cat, name, pid, tid, ts, dur, id, args;
};

/* A fault that a handler sets gets the event's place. */
struct kineto_handler {
    void *context;
    enum ss_status (*event)(void *context, const struct kineto_event *event, struct error *error);
    /* A member beside traceEvents, in the order of the file. */
    enum ss_status (*member)(void *context, struct piece key, struct piece value, struct error *error);
};

/* SS_BAD_INPUT with place "$.traceEvents[N], byte B", B the number of bytes before the fault, unpacked. */
enum ss_status kineto_scan(const struct import_file *file, const struct kineto_handler *handler, struct error *error);

/* The members of the object OBJECT, one by one: a key without its quotes, a raw value. False at the end, and with FAULTY
 * set where it is no object. Start with CURSOR zeroed. */
struct kineto_cursor { const char *at; bool faulty; };
bool kineto_member(struct piece object, struct kineto_cursor *cursor, struct piece *key, struct piece *value);
/* The elements of the array ARRAY likewise. */
bool kineto_element(struct piece array, struct kineto_cursor *cursor, struct piece *value);

/* VALUE without its quotes, if it has any. */
struct piece kineto_bare(struct piece value);
/* Microseconds as whole nanoseconds, read from the digits: no double is precise enough for a time since 1970. Numbers and
 * numbers in quotes alike. False when it is neither, or beyond 2^63 ns. */
bool kineto_nanoseconds(struct piece value, int64_t *ns);
/* A whole number, in quotes or not; false when it is none or beyond 2^63. */
bool kineto_whole(struct piece value, int64_t *number);

#endif
