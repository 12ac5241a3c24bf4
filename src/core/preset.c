#include "preset.h"

#include <stdio.h>
#include <string.h>

#define SHARE(percent) { .kind = BUDGET_SHARE, .share = (percent) / 100.0 }
#define WHOLE_GPU(gib, percent) { .kind = BUDGET_GPU_MEMORY, .bytes = UINT64_C(gib) << 30, .headroom_share = (percent) / 100.0 }

const struct preset PRESETS[] = {
    { .name = "balance", .model = "gpt2-xl", .gpu = "a100-80gb", .link = "pcie4-x16", .budget = SHARE(50),
      .words = "Half of the memory for 3% of the time: the link takes what it can hide, the rest is made again." },
    { .name = "offload-all", .model = "gpt2-xl", .gpu = "a100-80gb", .link = "pcie4-x16", .budget = SHARE(50),
      .planner = "offload",
      .words = "Offload alone makes the GPU wait for most of the step: e visits the stalls, P tries other planners." },
    { .name = "slow-link", .model = "gpt2-xl", .gpu = "h100-sxm", .link = "pcie3-x16", .budget = SHARE(50),
      .words = "A fast GPU on an old link hides few transfers: nearly all that leaves memory is made again." },
    { .name = "superchip", .model = "llama-7b", .gpu = "gh200", .link = "nvlink-c2c-gh200-measured", .budget = SHARE(50),
      .words = "Over NVLink-C2C half of the memory goes and comes unseen: nothing waits, nothing runs twice." },
    { .name = "shared-switch", .model = "gpt2-xl", .gpu = "a100-80gb", .link = "pcie4-x16", .budget = SHARE(50), .share = 4,
      .words = "Four GPUs on one switch: a quarter of the link for each, and more than twice the recompute." },
    { .name = "long-sequence", .model = "llama-7b", .gpu = "a100-80gb", .link = "pcie4-x16", .sequence = 16384, .batch = 1,
      .budget = SHARE(50),
      .words = "Longer sequences compute more per byte: more transfers hide, and less than 0.2% is lost." },
    { .name = "eager-attention", .model = "bert-large", .gpu = "a100-80gb", .link = "pcie4-x16", .attention = ATTENTION_EAGER,
      .budget = SHARE(50),
      .words = "Eager attention keeps scores that fused attention never writes: twice the memory, most of it made again." },
    { .name = "small-card", .model = "gpt2-xl", .gpu = "rtx-4090", .link = "pcie4-x16-rtx4090-measured", .batch = 16,
      .budget = WHOLE_GPU(24, 10),
      .words = "Activations of 43 GiB on a card of 24: they fit. 3 tells how many samples would, and how fast." },
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

char *preset_format(const struct preset *preset, char text[PRESET_TEXT]) {
    const struct model_options options = options_of(preset);
    const struct work_choice work = work_of_model(model_find(preset->model), &options);
    snprintf(text, PRESET_TEXT, "%s, batch %u, sequence %u, %s", preset->model, (unsigned)work.options.batch,
             (unsigned)work.options.sequence, preset->gpu);
    return text;
}
