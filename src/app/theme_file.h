/* theme_file: themes that users wrote, from $XDG_CONFIG_HOME/slackswap/themes/NAME.json (slackswap-theme/1).
 *
 * A file is an object with one member a role that it changes, each an object of "fg" and "bg" ("#RRGGBB", or null for
 * the terminal's own), "bold", "glyph" (one column) and "ascii" (one printable ASCII character). What it leaves out is as
 * in the built-in theme that "base" names ("default" when absent). Beside the roles it may have "schema", "foreground",
 * "background" (the terminal's, for pictures and contrast) and "mono". */
#ifndef SLACKSWAP_APP_THEME_FILE_H
#define SLACKSWAP_APP_THEME_FILE_H

#include "core/base.h"
#include "view/theme.h"

struct theme_file {
    struct theme theme;
    const char *path;    /* of the user's file; NULL for a built-in theme */
    struct arena arena;  /* owns the strings */
};

/* The theme called NAME: the user's file of that name, else the built-in one. SS_USAGE when there is neither (or NAME is
 * no file name), SS_BAD_INPUT naming file and place when the file can't be used. OUT must be given to theme_file_free
 * when SS_OK came back, and not otherwise. */
enum ss_status theme_file_load(const char *name, struct theme_file *out, struct error *error);
void theme_file_free(struct theme_file *file);

/* The theme that LENGTH bytes at TEXT (TEXT[LENGTH] is NUL) describe; strings in ARENA. For tests and theme_file_load. */
enum ss_status theme_parse(const char *text, size_t length, const char *name, struct arena *arena, struct theme *out,
                           struct error *error);

#endif
