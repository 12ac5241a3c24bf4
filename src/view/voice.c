#include "voice.h"

#include "text.h"

#define NAME_COLUMNS 28

static char *fit(char *out, size_t size, const char *name) {
    return text_fit(out, size, name, NAME_COLUMNS, CUT_MIDDLE, false);
}

static char *fit_ascii(char *out, size_t size, const char *name) {
    return text_fit(out, size, name, NAME_COLUMNS, CUT_MIDDLE, true);
}

const struct voice *screen_voice(bool ascii) {
    static const struct voice VOICES[2] = {
        { .back = "◀", .more = "…", .dash = "–", .becomes = "→", .at_least = "≥", .fit = fit },
        { .back = "<-", .more = "..", .dash = "-", .becomes = "->", .at_least = ">=", .fit = fit_ascii },
    };
    return &VOICES[ascii];
}
