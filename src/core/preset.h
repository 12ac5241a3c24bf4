/* preset: scenes to explore — a model on a device, a link, a budget, at times a planner — each with one sentence on what to
 * look at. tests/core/test_preset.c holds every sentence to what the simulator says. */
#ifndef SLACKSWAP_CORE_PRESET_H
#define SLACKSWAP_CORE_PRESET_H

#include "knobs.h"

struct preset {
    const char *name;            /* as typed */
    const char *words;           /* one sentence, at most PRESET_WORDS columns */
    const char *model, *gpu, *link;
    const char *planner;         /* NULL: the default one */
    uint32_t batch, sequence;    /* 0: the model's own */
    uint32_t share;              /* GPUs behind one switch; 0: 1 */
    enum attention attention;
    struct budget_choice budget;
};
#define PRESET_WORDS 79
extern const struct preset PRESETS[];
extern const uint32_t PRESET_COUNT;
const struct preset *preset_find(const char *name);

/* Turns SETTINGS to PRESET: work, budget, link and planner; the rest stays. */
void preset_apply(const struct preset *preset, struct settings *settings);
/* "llama-7b, sequence 16384, a100-80gb, 50%, pcie4-x16": what it is. Returns TEXT. */
#define PRESET_TEXT 120
char *preset_format(const struct preset *preset, char text[PRESET_TEXT]);

#endif
