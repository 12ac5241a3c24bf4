#include "preset.h"

#include <stdio.h>
#include <string.h>

#include "units.h"

#define SHARE(percent) { .kind = BUDGET_SHARE, .share = (percent) / 100.0 }
#define WHOLE_GPU(gib, percent) { .kind = BUDGET_GPU_MEMORY, .bytes = UINT64_C(gib) << 30, .headroom_share = (percent) / 100.0 }

const struct preset PRESETS[] = {
    { .name = "balance", .model = "gpt2-xl", .gpu = "a100-80gb", .link = "pcie4-x16", .budget = SHARE(50),
      .words = "Half the memory for 3% of the time: some leaves unseen, the rest is made again." },
    { .name = "offload-all", .model = "gpt2-xl", .gpu = "a100-80gb", .link = "pcie4-x16", .budget = SHARE(50),
      .planner = "offload",
      .words = "Offload alone: most of the step is waiting. e visits the stalls, P replans." },
    { .name = "slow-link", .model = "gpt2-xl", .gpu = "h100-sxm", .link = "pcie3-x16", .budget = SHARE(50),
      .words = "A fast GPU and an old link: nearly all that leaves memory is made again." },
    { .name = "superchip", .model = "llama-7b", .gpu = "gh200", .link = "nvlink-c2c-gh200-measured", .budget = SHARE(50),
      .words = "Over NVLink-C2C half of the memory goes and comes unseen: the step is ideal." },
    { .name = "shared-switch", .model = "gpt2-xl", .gpu = "a100-80gb", .link = "pcie4-x16", .budget = SHARE(50), .share = 4,
      .words = "Four GPUs share a switch: a quarter of the link, over twice the recompute." },
    { .name = "long-sequence", .model = "llama-7b", .gpu = "a100-80gb", .link = "pcie4-x16", .sequence = 16384,
      .budget = SHARE(50),
      .words = "Long sequences compute more per byte: more hides, less than 0.2% is lost." },
    { .name = "eager-attention", .model = "bert-large", .gpu = "a100-80gb", .link = "pcie4-x16", .attention = ATTENTION_EAGER,
      .budget = SHARE(50),
      .words = "Eager attention writes its scores: twice the memory, mostly made again." },
    { .name = "small-card", .model = "gpt2-xl", .gpu = "rtx-4090", .link = "pcie4-x16-rtx4090-measured", .batch = 16,
      .budget = WHOLE_GPU(24, 10),
      .words = "43 GiB of activations on a card of 24, 2% slower: 3 tells which batch is best." },
};
const uint32_t PRESET_COUNT = sizeof PRESETS / sizeof PRESETS[0];

const struct preset *preset_find(const char *name) {
    for (uint32_t i = 0; i < PRESET_COUNT; i++)
        if (strcmp(PRESETS[i].name, name) == 0)
            return &PRESETS[i];
    return NULL;
}

static struct model_options options_of(const struct preset *preset) {
    return (struct model_options){ .batch = preset->batch, .sequence = preset->sequence, .attention = preset->attention,
                                   .gpu = gpu_find(preset->gpu), .link = link_find(preset->link) };
}

void preset_apply(const struct preset *preset, struct settings *settings) {
    const struct model_options options = options_of(preset);
    settings->work = work_of_model(model_find(preset->model), &options);
    settings->budget = preset->budget;
    settings->link = LINK_OPTIONS_NONE;
    settings->link.share = preset->share ? preset->share : 1;
    settings->planner = planner_find(preset->planner ? preset->planner : PLANNER_DEFAULT);
}

/* ", batch 16", or nothing for the model's own. */
static int add_count(char *text, int at, const char *what, uint32_t count) {
    return count ? at + snprintf(text + at, PRESET_TEXT - (size_t)at, ", %s %u", what, (unsigned)count) : at;
}

char *preset_format(const struct preset *preset, char text[PRESET_TEXT]) {
    const struct budget_choice *budget = &preset->budget;
    char bytes[UNIT_TEXT], share[UNIT_TEXT];
    int at = snprintf(text, PRESET_TEXT, "%s", preset->model);
    at = add_count(text, at, "batch", preset->batch);
    at = add_count(text, at, "sequence", preset->sequence);
    snprintf(share, sizeof share, "%.0f%%", budget->share * 100);
    at += snprintf(text + at, PRESET_TEXT - (size_t)at, "%s, %s, %s, %s", preset->attention == ATTENTION_EAGER ? ", eager" : "",
                   preset->gpu, budget->kind == BUDGET_SHARE ? share : format_bytes(bytes, budget->bytes), preset->link);
    if (preset->share > 1)
        at += snprintf(text + at, PRESET_TEXT - (size_t)at, " shared by %u", (unsigned)preset->share);
    if (preset->planner)
        snprintf(text + at, PRESET_TEXT - (size_t)at, ", planner %s", preset->planner);
    return text;
}
