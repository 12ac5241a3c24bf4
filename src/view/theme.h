/* theme: what each role looks like. A role says what a cell means; a theme gives it a colour, a glyph and an ASCII glyph,
 * so that nothing is told by colour alone; the letters are everywhere the same. Colours are resolved for a terminal's
 * depth by pure functions.
 *
 * The built-in themes are themes/NAME.json, compiled in; users bring more of the same form (app/theme_file.h). Default
 * colours are those of Okabe and Ito, which colour-blind people tell apart (jfly.uni-koeln.de/color). */
#ifndef SLACKSWAP_VIEW_THEME_H
#define SLACKSWAP_VIEW_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "grid.h"

#define COLOUR_NONE 0xFF000000u /* the terminal's own */

/*    role         name          letter words for the legend */
#define ROLES(X)                                                             \
    X(TEXT,        "text",        ' ',  "")                                  \
    X(DIM,         "dim",         ' ',  "")                                  \
    X(TITLE,       "title",       ' ',  "")                                  \
    X(NUMBER,      "number",      ' ',  "")                                  \
    X(RULE,        "rule",        ' ',  "")                                  \
    X(KEY,         "key",         ' ',  "")                                  \
    X(KNOB,        "knob",        ' ',  "")                                  \
    X(FIELD,       "field",       ' ',  "")                                  \
    X(LABEL,       "label",       ' ',  "")                                  \
    X(CURSOR,      "cursor",      ' ',  "cursor")                            \
    X(HIGHLIGHT,   "highlight",   ' ',  "what a lesson points at")           \
    X(GOOD,        "good",        ' ',  "")                                  \
    X(WARNING,     "warning",     ' ',  "")                                  \
    X(BAD,         "bad",         ' ',  "")                                  \
    X(FORWARD,     "forward",     'F',  "forward")                           \
    X(BACKWARD,    "backward",    'B',  "backward")                          \
    X(RECOMPUTE,   "recompute",   'R',  "recompute (forward run again)")     \
    X(D2H,         "d2h",         'D',  "D2H: offload to the host")          \
    X(H2D,         "h2d",         'H',  "H2D: return to the GPU")            \
    X(STALL,       "stall",       '!',  "stall: the GPU waits")              \
    X(BUDGET,      "budget",      ' ',  "memory budget")                     \
    X(PEAK,        "peak",        ' ',  "memory peak")                       \
    X(KEPT,        "kept",        'k',  "kept activations")                  \
    X(DRAINING,    "draining",    'd',  "draining: on their way out")        \
    X(PREFETCHED,  "prefetched",  'p',  "prefetched: back, not yet used")    \
    X(GRADIENTS,   "gradients",   'g',  "gradients")                         \
    X(SCRATCH,     "scratch",     's',  "scratch: workspace, intermediates")         \
    X(GHOST,       "ghost",       ' ',  "memory before the last change")

enum role {
    ROLE_NONE, /* only as struct style's UNDER: nothing behind the glyph */
#define X(id, name, letter, words) ROLE_##id,
    ROLES(X)
#undef X
    ROLE_COUNT
};

struct theme_role {
    uint32_t fg, bg;          /* 0xRRGGBB or COLOUR_NONE */
    bool bold;
    const char *glyph, *ascii; /* one column each */
};
struct theme {
    const char *name;
    uint32_t foreground, background; /* for pictures, and for contrast; a terminal keeps its own */
    bool mono;                       /* attributes tell what colours would, at any depth */
    struct theme_role role[ROLE_COUNT];
};
extern const struct theme THEME_BUILTIN[];
extern const uint32_t THEME_BUILTIN_COUNT;
#define THEME_DEFAULT (THEME_BUILTIN[0])
/* The built-in theme called NAME, or NULL. */
const struct theme *theme_builtin(const char *name);

extern const char *const ROLE_NAME[ROLE_COUNT];
extern const char *const ROLE_WORDS[ROLE_COUNT]; /* for the legend; "" when it has no place there */
extern const char ROLE_LETTER[ROLE_COUNT];

enum colour_depth { DEPTH_MONO, DEPTH_16, DEPTH_256, DEPTH_TRUE };

enum paint_attribute { PAINT_BOLD = 1, PAINT_DIM = 2, PAINT_UNDERLINE = 4, PAINT_REVERSE = 8 };
#define PAINT_DEFAULT (-1) /* the terminal's own colour */
/* A style as a terminal is told: palette index (16, 256), 0xRRGGBB (true), or PAINT_DEFAULT. */
struct paint {
    int32_t fg, bg;
    uint8_t attributes; /* enum paint_attribute */
};
struct paint theme_paint(const struct theme *theme, struct style style, enum colour_depth depth);
/* The same as two colours, nothing left to a terminal: for pictures. */
struct paint theme_paint_picture(const struct theme *theme, struct style style);

/* The nearest entry of the 16- or 256-colour palette of xterm (for 256: the fixed entries 16..255). */
uint8_t colour_nearest_16(uint32_t rgb);
uint8_t colour_nearest_256(uint32_t rgb);

#endif
