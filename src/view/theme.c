#include "theme.h"

#include <string.h>

const char *const ROLE_NAME[ROLE_COUNT] = {
    [ROLE_NONE] = "none",
#define X(id, name, letter, words) [ROLE_##id] = name,
    ROLES(X)
#undef X
};
const char *const ROLE_WORDS[ROLE_COUNT] = {
    [ROLE_NONE] = "",
#define X(id, name, letter, words) [ROLE_##id] = words,
    ROLES(X)
#undef X
};
const char ROLE_LETTER[ROLE_COUNT] = {
    [ROLE_NONE] = ' ',
#define X(id, name, letter, words) [ROLE_##id] = letter,
    ROLES(X)
#undef X
};

const struct theme *theme_builtin(const char *name) {
    for (uint32_t i = 0; i < THEME_BUILTIN_COUNT; i++)
        if (strcmp(THEME_BUILTIN[i].name, name) == 0)
            return &THEME_BUILTIN[i];
    return NULL;
}

static int red(uint32_t rgb) { return (int)(rgb >> 16 & 0xFF); }
static int green(uint32_t rgb) { return (int)(rgb >> 8 & 0xFF); }
static int blue(uint32_t rgb) { return (int)(rgb & 0xFF); }
static uint32_t rgb_of(int r, int g, int b) { return (uint32_t)r << 16 | (uint32_t)g << 8 | (uint32_t)b; }

/* Brightness as seen, 0..255 (Rec. 601 luma). */
static int luma(uint32_t rgb) {
    return (299 * red(rgb) + 587 * green(rgb) + 114 * blue(rgb)) / 1000;
}

/* A mixed with PERCENT of B. */
static uint32_t blend(uint32_t a, uint32_t b, int percent) {
    int keep = 100 - percent;
    return rgb_of((red(a) * keep + red(b) * percent) / 100, (green(a) * keep + green(b) * percent) / 100,
                  (blue(a) * keep + blue(b) * percent) / 100);
}

/* Squared distance, green weighing most, as the eye does. */
static int distance(uint32_t a, uint32_t b) {
    int r = red(a) - red(b), g = green(a) - green(b), bl = blue(a) - blue(b);
    return 2 * r * r + 4 * g * g + 3 * bl * bl;
}

/* Hue in degrees, 0..359; saturation in percent through SATURATION. */
static int hue(uint32_t rgb, int *saturation) {
    int r = red(rgb), g = green(rgb), b = blue(rgb);
    int most = r > g ? (r > b ? r : b) : (g > b ? g : b);
    int least = r < g ? (r < b ? r : b) : (g < b ? g : b);
    int span = most - least;
    *saturation = most == 0 ? 0 : 100 * span / most;
    if (span == 0)
        return 0;
    int degrees = most == r ? 60 * (g - b) / span : most == g ? 120 + 60 * (b - r) / span : 240 + 60 * (r - g) / span;
    return (degrees + 360) % 360;
}

/* With sixteen colours the hue is what tells roles apart, so it decides first (terminals disagree about the exact
 * colours anyway) and brightness then picks the plain or the bright one. Between cyan and blue, where sky blue and
 * dark blue share a hue, the darker goes to blue. */
uint8_t colour_nearest_16(uint32_t rgb) {
    static const uint8_t GREY[4][2] = { { 0, 0 }, { 8, 127 }, { 7, 229 }, { 15, 255 } };
    static const struct {
        uint8_t plain, plain_luma, bright_luma;
    } HUE[6] = { { 1, 61, 76 }, { 3, 182, 226 }, { 2, 120, 150 }, { 6, 144, 179 }, { 4, 27, 101 }, { 5, 85, 105 } };
    int saturation, bright = luma(rgb);
    int degrees = hue(rgb, &saturation);
    if (saturation < 25) {
        int best = 0;
        for (int i = 1; i < 4; i++)
            if ((GREY[i][1] - bright) * (GREY[i][1] - bright) < (GREY[best][1] - bright) * (GREY[best][1] - bright))
                best = i;
        return GREY[best][0];
    }
    int to_blue = bright < 120 ? 195 : 210;
    int i = degrees < 30 ? 0 : degrees < 75 ? 1 : degrees < 170 ? 2 : degrees < to_blue ? 3 : degrees < 270 ? 4
            : degrees < 335 ? 5 : 0;
    int middle = (HUE[i].plain_luma + HUE[i].bright_luma) / 2;
    return (uint8_t)(HUE[i].plain + (bright > middle ? 8 : 0));
}

uint8_t colour_nearest_256(uint32_t rgb) {
    static const int LEVEL[6] = { 0, 95, 135, 175, 215, 255 };
    int part[3] = { red(rgb), green(rgb), blue(rgb) }, near[3];
    for (int i = 0; i < 3; i++)
        near[i] = part[i] < 48 ? 0 : part[i] < 115 ? 1 : (part[i] - 35) / 40;
    uint32_t cube = rgb_of(LEVEL[near[0]], LEVEL[near[1]], LEVEL[near[2]]);
    int grey = (luma(rgb) - 3) / 10;
    grey = grey < 0 ? 0 : grey > 23 ? 23 : grey;
    int level = 8 + 10 * grey;
    if (distance(rgb, rgb_of(level, level, level)) < distance(rgb, cube))
        return (uint8_t)(232 + grey);
    return (uint8_t)(16 + 36 * near[0] + 6 * near[1] + near[2]);
}

/* How much of its cell a shade glyph inks, in percent. */
static int ink(const char *glyph) {
    return strcmp(glyph, "░") == 0 ? 25 : strcmp(glyph, "▒") == 0 ? 50 : strcmp(glyph, "▓") == 0 ? 75 : 60;
}

/* What a cell that is filled with ROLE's glyph looks like from afar: its two colours mixed. */
static uint32_t texture(const struct theme *theme, enum role role) {
    const struct theme_role *look = &theme->role[role];
    return look->bg == COLOUR_NONE ? look->fg : blend(look->fg, look->bg, 100 - ink(look->glyph));
}

/* The colours of STYLE as 0xRRGGBB, COLOUR_NONE where the terminal's own is meant. */
static void colours(const struct theme *theme, struct style style, uint32_t *fg, uint32_t *bg) {
    uint32_t own = theme->role[style.role].bg;
    *fg = theme->role[style.role].fg;
    /* a part of a cell looks like the textured cells beside it, which mix their two colours */
    if (style.attributes & CELL_BARE)
        *fg = texture(theme, (enum role)style.role);
    *bg = style.under != ROLE_NONE && style.role == ROLE_GHOST ? texture(theme, (enum role)style.under)
          : style.under != ROLE_NONE                           ? theme->role[style.under].fg
          : style.attributes & CELL_BARE                       ? COLOUR_NONE
                                                               : own;
    if (style.attributes & CELL_STALE) {
        *fg = blend(*fg == COLOUR_NONE ? theme->foreground : *fg, theme->background, 50);
        if (*bg != COLOUR_NONE)
            *bg = blend(*bg, theme->background, 50);
    } else if (style.attributes & CELL_DIM) {
        *fg = blend(*fg == COLOUR_NONE ? theme->foreground : *fg, theme->background, 35);
    }
    if (style.attributes & CELL_SELECTED) {
        uint32_t away = luma(theme->background) > 125 ? 0x000000 : 0xFFFFFF; /* from the background */
        *bg = blend(*bg == COLOUR_NONE ? theme->background : *bg, away, style.under != ROLE_NONE ? 45 : 20);
        if (style.under == ROLE_NONE)
            *fg = blend(*fg == COLOUR_NONE ? theme->foreground : *fg, away, 40);
    }
    if (style.role == ROLE_LABEL && *bg != COLOUR_NONE)
        *fg = luma(*bg) > 125 ? 0x000000 : 0xFFFFFF;
}

/* What a terminal of DEPTH is told for RGB. */
static int32_t nearest(uint32_t rgb, enum colour_depth depth) {
    if (rgb == COLOUR_NONE)
        return PAINT_DEFAULT;
    return depth == DEPTH_16 ? colour_nearest_16(rgb) : depth == DEPTH_256 ? colour_nearest_256(rgb) : (int32_t)rgb;
}

static uint8_t paint_attributes(const struct theme *theme, struct style style) {
    uint8_t out = 0;
    if (theme->role[style.role].bold || (style.attributes & (CELL_BOLD | CELL_SELECTED)))
        out |= PAINT_BOLD;
    if (style.attributes & CELL_UNDERLINE)
        out |= PAINT_UNDERLINE;
    return out;
}

struct paint theme_paint(const struct theme *theme, struct style style, enum colour_depth depth) {
    struct paint paint = { PAINT_DEFAULT, PAINT_DEFAULT, paint_attributes(theme, style) };
    uint32_t fg, bg;
    bool faint = style.attributes & (CELL_STALE | CELL_DIM);
    if (theme->mono)
        depth = DEPTH_MONO;
    if (depth == DEPTH_MONO || depth == DEPTH_16) {
        bool filled = style.under != ROLE_NONE || (depth == DEPTH_MONO && style.role == ROLE_FIELD);
        if (depth == DEPTH_MONO ? filled != !!(style.attributes & CELL_SELECTED)
                                : !filled && (style.attributes & CELL_SELECTED))
            paint.attributes |= PAINT_REVERSE;
        if (faint || (depth == DEPTH_MONO && (style.role == ROLE_DIM || style.role == ROLE_RULE)))
            paint.attributes |= PAINT_DIM;
        /* faintness and selection are attributes here, not shades */
        style.attributes = 0;
    }
    if (depth == DEPTH_MONO)
        return paint;
    colours(theme, style, &fg, &bg);
    /* a tint behind a textured bar needs more than sixteen colours */
    if (depth == DEPTH_16 && style.under == ROLE_NONE && style.role != ROLE_FIELD)
        bg = COLOUR_NONE;
    paint.fg = nearest(fg, depth);
    paint.bg = nearest(bg, depth);
    return paint;
}

struct paint theme_paint_picture(const struct theme *theme, struct style style) {
    struct paint paint = theme_paint(theme, style, DEPTH_TRUE);
    if (paint.fg == PAINT_DEFAULT)
        paint.fg = (int32_t)theme->foreground;
    if (paint.bg == PAINT_DEFAULT)
        paint.bg = (int32_t)theme->background;
    if (paint.attributes & PAINT_DIM)
        paint.fg = (int32_t)blend((uint32_t)paint.fg, (uint32_t)paint.bg, 45);
    if (paint.attributes & PAINT_REVERSE) {
        int32_t fg = paint.fg;
        paint.fg = paint.bg;
        paint.bg = fg;
    }
    return paint;
}
