#include "palette_of.h"

#include <string.h>

static uint32_t colour_of(const struct theme *theme, enum role role) {
    return theme->role[role].fg == COLOUR_NONE ? theme->foreground : theme->role[role].fg;
}

void palette_of(const struct theme *theme, struct palette *out) {
    *out = (struct palette){
        .ground = theme->background, .ink = theme->foreground,
        .dim = colour_of(theme, ROLE_DIM), .rule = colour_of(theme, ROLE_RULE),
        .budget = colour_of(theme, ROLE_BUDGET), .peak = colour_of(theme, ROLE_PEAK),
    };
    for (int area = 0; area < AREA_COUNT; area++) {
        out->area[area] = colour_of(theme, ROLE_DIM); /* an area that no screen has */
        for (int role = 0; role < ROLE_COUNT; role++)
            if (strcmp(AREA_NAME[area], ROLE_NAME[role]) == 0)
                out->area[area] = colour_of(theme, (enum role)role);
    }
}
