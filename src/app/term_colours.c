#define NCURSES_WIDECHAR 1
#include "term_colours.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>

#include <term.h> /* last: its macros have names such as "columns" */

/* Terminfo says by RGB, of any type, that colour numbers are 0xRRGGBB. */
static bool takes_rgb(void) {
    static char capability[] = "RGB";
    char *text = tigetstr(capability);
    return tigetflag(capability) > 0 || tigetnum(capability) > 0 || (text != NULL && text != (char *)-1);
}

static bool sibling(const char *term, size_t length, bool (*usable)(const char *, int), int fd, char *name, size_t size) {
    int written = snprintf(name, size, "%.*s-direct", (int)length, term);
    return written > 0 && (size_t)written < size && usable(name, fd);
}

const char *term_direct_name(const char *term, const char *colorterm, bool (*usable)(const char *name, int fd), int fd,
                             char *name, size_t size) {
    if (!term || !colorterm || (strcmp(colorterm, "truecolor") != 0 && strcmp(colorterm, "24bit") != 0))
        return NULL;
    const char *variant = strrchr(term, '-'); /* xterm-256color is a variant of xterm */
    if (variant && strcmp(variant, "-direct") == 0)
        return NULL;
    if (sibling(term, strlen(term), usable, fd, name, size) ||
        (variant && sibling(term, (size_t)(variant - term), usable, fd, name, size)))
        return name;
    return NULL;
}

void term_colours_start(struct term_colours *colours, const struct theme *theme, bool mono) {
    *colours = (struct term_colours){ .theme = theme, .depth = DEPTH_MONO, .pair_count = 1, .pair_limit = 1 };
    if (mono || !has_colors() || start_color() == ERR || use_default_colors() == ERR)
        return;
    colours->count = COLORS;
    colours->depth = takes_rgb() ? DEPTH_TRUE : COLORS >= 256 ? DEPTH_256 : COLORS >= 8 ? DEPTH_16 : DEPTH_MONO;
    colours->pair_limit = COLOR_PAIRS < COLOR_PAIRS_MAX ? COLOR_PAIRS : COLOR_PAIRS_MAX;
}

void term_colours_theme(struct term_colours *colours, const struct theme *theme) {
    colours->theme = theme;
    colours->pair_count = 1;
}

/* The pair of FG on BG; the terminal's own colours when it has no more pairs. */
static int pair_of(struct term_colours *colours, int fg, int bg) {
    if (fg == -1 && bg == -1)
        return 0;
    for (int i = 1; i < colours->pair_count; i++)
        if (colours->fg[i] == fg && colours->bg[i] == bg)
            return i;
    if (colours->pair_count >= colours->pair_limit || init_extended_pair(colours->pair_count, fg, bg) == ERR)
        return 0;
    colours->fg[colours->pair_count] = fg;
    colours->bg[colours->pair_count] = bg;
    return colours->pair_count++;
}

/* A direct-colour entry keeps 0..7 for the palette, whose black may be anything; the next darkest blue is black to the eye. */
static int direct(int32_t rgb) {
    return rgb >= 0 && rgb < 8 ? 8 : rgb;
}

/* Eight colours: the bright half is the plain one in bold. */
static void fold(struct paint *paint) {
    if (paint->fg >= 8) {
        paint->fg -= 8;
        paint->attributes |= PAINT_BOLD;
    }
    if (paint->bg >= 8)
        paint->bg -= 8;
}

struct term_look term_colours_look(struct term_colours *colours, struct style style) {
    struct paint paint = theme_paint(colours->theme, style, colours->depth);
    struct term_look look = { A_NORMAL, 0 };
    if (colours->depth == DEPTH_16 && colours->count < 16)
        fold(&paint);
    if (colours->depth == DEPTH_TRUE)
        look.pair = pair_of(colours, direct(paint.fg), direct(paint.bg));
    else if (colours->depth != DEPTH_MONO)
        look.pair = pair_of(colours, paint.fg, paint.bg);
    look.attributes |= paint.attributes & PAINT_BOLD ? A_BOLD : 0;
    look.attributes |= paint.attributes & PAINT_DIM ? A_DIM : 0;
    look.attributes |= paint.attributes & PAINT_UNDERLINE ? A_UNDERLINE : 0;
    look.attributes |= paint.attributes & PAINT_REVERSE ? A_REVERSE : 0;
    return look;
}
