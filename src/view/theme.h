/* theme: what each role looks like. A role says what a cell means; a theme gives it a colour, a glyph, an ASCII glyph
 * and a letter, so that nothing is told by colour alone. Colours are resolved for a terminal's depth by pure functions.
 *
 * Default colours are those of Okabe and Ito, which colour-blind people tell apart (jfly.uni-koeln.de/color). */
#ifndef SLACKSWAP_VIEW_THEME_H
#define SLACKSWAP_VIEW_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "grid.h"

#define COLOUR_NONE 0xFF000000u /* the terminal's own */

/*   role         name           fg           bg           bold  glyph ascii letter  words for the legend        */
#define ROLES(X)                                                                                                 \
    X(TEXT,       "text",        COLOUR_NONE, COLOUR_NONE, 0,    " ",  " ",  ' ',   "")                          \
    X(DIM,        "dim",         0x8A8A8A,    COLOUR_NONE, 0,    " ",  " ",  ' ',   "")                          \
    X(TITLE,      "title",       COLOUR_NONE, COLOUR_NONE, 1,    " ",  " ",  ' ',   "")                          \
    X(NUMBER,     "number",      COLOUR_NONE, COLOUR_NONE, 1,    " ",  " ",  ' ',   "")                          \
    X(RULE,       "rule",        0x5F5F5F,    COLOUR_NONE, 0,    "─",  "-",  ' ',   "")                          \
    X(KEY,        "key",         0x56B4E9,    COLOUR_NONE, 1,    " ",  " ",  ' ',   "")                          \
    X(KNOB,       "knob",        0xF0E442,    COLOUR_NONE, 0,    "█",  "#",  ' ',   "")                          \
    X(FIELD,      "field",       0x000000,    0xF0E442,    1,    "_",  "_",  ' ',   "")                          \
    X(LABEL,      "label",       COLOUR_NONE, COLOUR_NONE, 0,    " ",  " ",  ' ',   "")                          \
    X(CURSOR,     "cursor",      COLOUR_NONE, COLOUR_NONE, 0,    "┆",  ":",  ' ',   "cursor")                    \
    X(GOOD,       "good",        0x009E73,    COLOUR_NONE, 1,    " ",  " ",  ' ',   "")                          \
    X(WARNING,    "warning",     0xE69F00,    COLOUR_NONE, 1,    " ",  " ",  ' ',   "")                          \
    X(BAD,        "bad",         0xD55E00,    COLOUR_NONE, 1,    " ",  " ",  ' ',   "")                          \
    X(FORWARD,    "forward",     0x56B4E9,    COLOUR_NONE,    0,    "█",  "=",  'F',   "forward")                \
    X(BACKWARD,   "backward",    0x0072B2,    0x00446B,    0,    "▓",  "#",  'B',   "backward")                  \
    X(RECOMPUTE,  "recompute",   0xE69F00,    0x7F5700,    0,    "▒",  "%",  'R',   "recompute (forward run again)") \
    X(D2H,        "d2h",         0xCC79A7,    COLOUR_NONE, 0,    "▼",  "v",  'D',   "D2H: offload to the host")  \
    X(H2D,        "h2d",         0x009E73,    COLOUR_NONE, 0,    "▲",  "^",  'H',   "H2D: return to the GPU")    \
    X(STALL,      "stall",       0xD55E00,    0x471F00,    1,    "!",  "!",  '!',   "stall: the GPU waits")      \
    X(BUDGET,     "budget",      0xF0E442,    COLOUR_NONE, 0,    "┄",  "-",  ' ',   "memory budget")             \
    X(PEAK,       "peak",        0xF0E442,    COLOUR_NONE, 1,    "▾",  "V",  ' ',   "memory peak")               \
    X(KEPT,       "kept",        0x56B4E9,    COLOUR_NONE,    0,    "█",  "#",  'k',   "kept activations")       \
    X(DRAINING,   "draining",    0xCC79A7,    0x6F425B,    0,    "▒",  "v",  'd',   "draining: on their way out") \
    X(PREFETCHED, "prefetched",  0x009E73,    0x00533D,    0,    "░",  "^",  'p',   "prefetched: back, not yet used") \
    X(GRADIENTS,  "gradients",   0x0072B2,    0x00446B,    0,    "▓",  "g",  'g',   "gradients")                 \
    X(SCRATCH,    "scratch",     0xBBBBBB,    0x5E5E5E,    0,    "▞",  "s",  's',   "scratch: workspace, intermediates")

enum role {
    ROLE_NONE, /* only as struct style's UNDER: nothing behind the glyph */
#define X(id, name, fg, bg, bold, glyph, ascii, letter, words) ROLE_##id,
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
    struct theme_role role[ROLE_COUNT];
};
extern const struct theme THEME_DEFAULT;

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
