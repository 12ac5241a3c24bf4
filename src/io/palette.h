/* palette: what the areas of a picture are, and their colours. Who draws knows kinds alone; who asks for a picture brings
 * the colours, for themes belong to the screen (view/theme.h). */
#ifndef SLACKSWAP_IO_PALETTE_H
#define SLACKSWAP_IO_PALETTE_H

#include <stdint.h>

/* Kinds of area. What shares a place with others differs from them in texture too, so that nothing is told by colour alone.
 *    id          name          texture           words for the legend */
#define AREAS(X)                                                                          \
    X(FORWARD,    "forward",    TEXTURE_NONE,    "forward")                                \
    X(BACKWARD,   "backward",   TEXTURE_NONE,    "backward")                               \
    X(RECOMPUTE,  "recompute",  TEXTURE_RISING,  "recompute")                              \
    X(STALL,      "stall",      TEXTURE_CROSS,   "stall: the GPU waits")                   \
    X(FIXED,      "fixed",      TEXTURE_NONE,    "fixed: optimizer and the like")          \
    X(D2H,        "d2h",        TEXTURE_NONE,    "D2H: offload")                           \
    X(H2D,        "h2d",        TEXTURE_NONE,    "H2D: return")                            \
    X(KEPT,       "kept",       TEXTURE_NONE,    "kept")                                   \
    X(DRAINING,   "draining",   TEXTURE_LEVEL,   "draining, on its way out")               \
    X(PREFETCHED, "prefetched", TEXTURE_UPRIGHT, "fetched, not yet used")                  \
    X(GRADIENTS,  "gradients",  TEXTURE_NONE,    "gradients")                              \
    X(SCRATCH,    "scratch",    TEXTURE_RISING,  "scratch")
enum area {
#define X(id, name, texture, words) AREA_##id,
    AREAS(X)
#undef X
    AREA_COUNT
};
extern const char *const AREA_NAME[AREA_COUNT], *const AREA_WORDS[AREA_COUNT];

struct palette { /* 0xRRGGBB each */
    uint32_t ground, ink, dim, rule, budget, peak;
    uint32_t area[AREA_COUNT];
};

/* The looks of a picture: one, or (DARK not NULL) another for readers whose browser prefers the dark. */
struct look { const struct palette *light, *dark; };

#endif
