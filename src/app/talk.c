#include "talk.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/sanitise.h"

static const char *spoken_name(const char *file) { return strcmp(file, "-") == 0 ? "standard input" : file; }

/* Errors are harmless already (error_set). */
void talk_error(const struct error *error) {
    fprintf(stderr, "slackswap: %s%s%s\n", error->place, *error->place ? ": " : "", error->text);
}

void talk_note(const struct options *options, const char *format, ...) {
    char text[1024], clean[SANITISED_BYTES(sizeof text)];
    va_list arguments;
    if (options->quiet)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "slackswap: %s\n", sanitise(clean, sizeof clean, text));
}

void talk_warnings(const struct options *options, const char *file, const struct warnings *warnings) {
    for (uint32_t i = 0; i < warnings->count; i++)
        talk_note(options, "%s: warning: %s", spoken_name(file), warnings->text[i]);
}

enum ss_status error_in_file(struct error *error, const char *file, enum ss_status status) {
    char place[sizeof error->place];
    if (!error)
        return status;
    memcpy(place, error->place, sizeof place);
    error_place(error, "%s%s%s", spoken_name(file), *place ? ": " : "", place);
    return status;
}
