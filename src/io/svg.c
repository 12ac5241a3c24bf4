#include "svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/sanitise.h"

enum texture { TEXTURE_NONE, TEXTURE_RISING, TEXTURE_CROSS, TEXTURE_LEVEL, TEXTURE_UPRIGHT };

static const enum texture TEXTURE[AREA_COUNT] = {
#define X(id, name, texture, words) texture,
    AREAS(X)
#undef X
};
const char *const AREA_NAME[AREA_COUNT] = {
#define X(id, name, texture, words) name,
    AREAS(X)
#undef X
};
const char *const AREA_WORDS[AREA_COUNT] = {
#define X(id, name, texture, words) words,
    AREAS(X)
#undef X
};

/* The colours of curves are those of areas that no curve is near. */
static const enum area CURVE_AREA[SVG_CURVES] = { AREA_BACKWARD, AREA_STALL,     AREA_H2D,     AREA_D2H,
                                                    AREA_FORWARD,  AREA_RECOMPUTE, AREA_SCRATCH, AREA_FIXED };

/* Whether text on COLOUR is black rather than white (Rec. 601 luma). */
static bool is_bright(uint32_t colour) {
    return 299 * (colour >> 16 & 0xFF) + 587 * (colour >> 8 & 0xFF) + 114 * (colour & 0xFF) > 118000;
}

static void put_colour(struct buffer *out, const char *selector, const char *property, uint32_t colour) {
    buffer_printf(out, "%s{%s:#%06X}", selector, property, (unsigned)colour);
}

static void put_colours(struct buffer *out, const struct palette *palette) {
    for (int area = 0; area < AREA_COUNT; area++) {
        buffer_text(out, TEXTURE[area] == TEXTURE_NONE ? "." : ".plain-");
        put_colour(out, AREA_NAME[area], "fill", palette->area[area]);
        buffer_printf(out, "text.on-%s{fill:#%s}", AREA_NAME[area], is_bright(palette->area[area]) ? "000" : "FFF");
    }
    buffer_text(out, "\n");
    for (int curve = 0; curve < SVG_CURVES; curve++) {
        buffer_printf(out, ".curve%d", curve);
        put_colour(out, "", "stroke", palette->area[CURVE_AREA[curve]]);
    }
    put_colour(out, ".ground", "fill", palette->ground);
    put_colour(out, "text", "fill", palette->ink);
    put_colour(out, "text.dim", "fill", palette->dim);
    put_colour(out, ".axis", "stroke", palette->dim);
    put_colour(out, ".grid", "stroke", palette->rule);
    put_colour(out, ".budget", "stroke", palette->budget);
    put_colour(out, ".bound", "stroke", palette->ink);
    put_colour(out, ".peak", "fill", palette->peak);
    put_colour(out, ".marker", "fill", palette->ground);
    put_colour(out, ".texture", "stroke", palette->ground);
    buffer_text(out, "\n");
}

static void put_style(struct buffer *out, const struct look *look) {
    buffer_text(out, "<style>\n"
                "text{font-family:\"DejaVu Sans\",Helvetica,Arial,sans-serif;font-size:12px}"
                "text.title{font-size:17px;font-weight:bold}text.small{font-size:10px}"
                "text.middle{text-anchor:middle}text.end{text-anchor:end}\n"
                ".axis,.grid{stroke-width:1;fill:none}.grid{opacity:.35}.budget{stroke-width:1.5;stroke-dasharray:6 3;fill:none}"
                ".bound{stroke-width:1.2;stroke-dasharray:2 3;fill:none}.texture{stroke-width:1.2;opacity:.55;fill:none}\n"
                ".curve{stroke-width:1.8;fill:none}.curve1{stroke-dasharray:7 3}.curve2{stroke-dasharray:2 2}"
                ".curve3{stroke-dasharray:9 3 2 3}.curve4{stroke-dasharray:4 2}.curve5{stroke-dasharray:12 4}"
                ".curve6{stroke-dasharray:1 3}.curve7{stroke-dasharray:8 2 2 2 2 2}"
                ".marker{stroke-width:1.2;stroke-dasharray:none}\n");
    for (int area = 0; area < AREA_COUNT; area++)
        if (TEXTURE[area] != TEXTURE_NONE)
            buffer_printf(out, ".%s{fill:url(#slackswap-%s)}", AREA_NAME[area], AREA_NAME[area]);
    buffer_text(out, "\n");
    put_colours(out, look->light);
    if (look->dark) {
        buffer_text(out, "@media (prefers-color-scheme:dark){\n");
        put_colours(out, look->dark);
        buffer_text(out, "}\n");
    }
    buffer_text(out, "</style>\n");
}

static void put_textures(struct buffer *out) {
    static const char *const LINES[] = {
        [TEXTURE_RISING] = "M0 6 6 0M-1 1 1-1M5 7 7 5", [TEXTURE_CROSS] = "M0 6 6 0M0 0 6 6",
        [TEXTURE_LEVEL] = "M0 3H6", [TEXTURE_UPRIGHT] = "M3 0V6",
    };
    buffer_text(out, "<defs>\n");
    for (int area = 0; area < AREA_COUNT; area++)
        if (TEXTURE[area] != TEXTURE_NONE)
            buffer_printf(out, "<pattern id=\"slackswap-%s\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
                          "<rect class=\"plain-%s\" width=\"6\" height=\"6\"/><path class=\"texture\" d=\"%s\"/></pattern>\n",
                          AREA_NAME[area], AREA_NAME[area], LINES[TEXTURE[area]]);
    buffer_text(out, "</defs>\n");
}

void svg_begin(struct buffer *out, int width, int height, const struct look *look, const char *title) {
    buffer_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n<title>",
                  width, height, width, height);
    svg_escape(out, title);
    buffer_text(out, "</title>\n");
    put_style(out, look);
    put_textures(out);
    buffer_printf(out, "<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n", width, height);
}

void svg_end(struct buffer *out) { buffer_text(out, "</svg>\n"); }

void svg_escape(struct buffer *out, const char *text) {
    const size_t size = SANITISED_BYTES(strlen(text));
    char *clean = malloc(size);
    if (!clean) {
        out->failed = true;
        return;
    }
    sanitise(clean, size, text);
    for (const char *at = clean; *at;) {
        unsigned long code;
        const size_t length = utf8_decode(at, &code);
        if (code == '<' || code == '>' || code == '&' || code == '"')
            buffer_printf(out, "&#%lu;", code);
        else if (code == 0xFFFE || code == 0xFFFF) /* no characters of XML */
            buffer_text(out, "\xEF\xBF\xBD");
        else
            buffer_put(out, at, length);
        at += length;
    }
    free(clean);
}

double svg_width_of(const char *text) { return 6.6 * (double)strlen(text); }

void svg_text(struct buffer *out, double x, double y, const char *class, enum svg_anchor anchor, const char *text) {
    static const char *const ANCHOR[] = { "", " middle", " end" };
    buffer_printf(out, "<text x=\"%.2f\" y=\"%.2f\" class=\"%s%s\">", x, y, class, ANCHOR[anchor]);
    svg_escape(out, text);
    buffer_text(out, "</text>\n");
}

void svg_rect(struct buffer *out, enum area area, double x, double y, double width, double height,
              const char *hover) {
    buffer_printf(out, "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"", AREA_NAME[area], x, y,
                  width, height);
    if (!hover) {
        buffer_text(out, "/>\n");
        return;
    }
    buffer_text(out, "><title>");
    svg_escape(out, hover);
    buffer_text(out, "</title></rect>\n");
}

void svg_line(struct buffer *out, const char *class, double x1, double y1, double x2, double y2) {
    buffer_printf(out, "<path class=\"%s\" d=\"M%.2f %.2fL%.2f %.2f\"/>\n", class, x1, y1, x2, y2);
}

void svg_legend(struct buffer *out, enum area first, uint32_t count, double x, double y) {
    for (uint32_t i = 0; i < count; i++) {
        const char *words = AREA_WORDS[first + i];
        svg_rect(out, first + i, x, y - 9, 11, 11, NULL);
        svg_text(out, x + 16, y, "small", SVG_START, words);
        x += 34 + svg_width_of(words);
    }
}

double svg_tick(double most, int count) {
    if (!(most > 0))
        return 1;
    const double rough = most / count, power = pow(10, floor(log10(rough))), mantissa = rough / power;
    return power * (mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10);
}
