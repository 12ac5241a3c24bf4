/* Models with a name: public architecture figures. Batch and sequence are defaults that fit an 80 GB card in training. */
#include "zoo.h"

#include <string.h>

const char *const ATTENTION_NAME[2] = { "flash", "eager" };

const struct model MODELS[] = {
    { .name = "gpt2-xl", .title = "GPT-2 XL, 1.5 B (Radford et al., 2019)", .layers = 48, .hidden = 1600, .heads = 25,
      .ffn = 6400, .vocabulary = 50257, .batch = 4, .sequence = 1024, .causal = true, .family = FAMILY_GPT },
    { .name = "bert-large", .title = "BERT-Large (Devlin et al., 2018)", .layers = 24, .hidden = 1024, .heads = 16,
      .ffn = 4096, .vocabulary = 30522, .batch = 16, .sequence = 512, .causal = false, .family = FAMILY_GPT },
    { .name = "llama-7b", .title = "LLaMA 7B (Touvron et al., 2023)", .layers = 32, .hidden = 4096, .heads = 32,
      .ffn = 11008, .vocabulary = 32000, .batch = 1, .sequence = 2048, .causal = true, .family = FAMILY_LLAMA },
    { .name = "bert-base", .title = "BERT-Base (Devlin et al., 2018)", .layers = 12, .hidden = 768, .heads = 12,
      .ffn = 3072, .vocabulary = 30522, .batch = 32, .sequence = 512, .causal = false, .family = FAMILY_GPT },
    { .name = "gpt2", .title = "GPT-2, 124 M (Radford et al., 2019)", .layers = 12, .hidden = 768, .heads = 12,
      .ffn = 3072, .vocabulary = 50257, .batch = 16, .sequence = 1024, .causal = true, .family = FAMILY_GPT },
    { .name = "gpt2-medium", .title = "GPT-2 Medium, 355 M (Radford et al., 2019)", .layers = 24, .hidden = 1024,
      .heads = 16, .ffn = 4096, .vocabulary = 50257, .batch = 8, .sequence = 1024, .causal = true,
      .family = FAMILY_GPT },
    { .name = "gpt2-large", .title = "GPT-2 Large, 774 M (Radford et al., 2019)", .layers = 36, .hidden = 1280,
      .heads = 20, .ffn = 5120, .vocabulary = 50257, .batch = 4, .sequence = 1024, .causal = true,
      .family = FAMILY_GPT },
    { .name = "megatron-1.7b", .title = "GPT 1.7 B of Megatron-LM (Narayanan et al., 2021)", .layers = 24,
      .hidden = 2304, .heads = 24, .ffn = 9216, .vocabulary = 51200, .batch = 4, .sequence = 2048, .causal = true,
      .family = FAMILY_GPT },
    { .name = "megatron-3.6b", .title = "GPT 3.6 B of Megatron-LM (Narayanan et al., 2021)", .layers = 30,
      .hidden = 3072, .heads = 32, .ffn = 12288, .vocabulary = 51200, .batch = 2, .sequence = 2048, .causal = true,
      .family = FAMILY_GPT },
    { .name = "megatron-7.5b", .title = "GPT 7.5 B of Megatron-LM (Narayanan et al., 2021)", .layers = 36,
      .hidden = 4096, .heads = 32, .ffn = 16384, .vocabulary = 51200, .batch = 1, .sequence = 2048, .causal = true,
      .family = FAMILY_GPT },
    { .name = "llama-13b", .title = "LLaMA 13B (Touvron et al., 2023)", .layers = 40, .hidden = 5120, .heads = 40,
      .ffn = 13824, .vocabulary = 32000, .batch = 1, .sequence = 2048, .causal = true, .family = FAMILY_LLAMA },
};
const uint32_t MODEL_COUNT = sizeof MODELS / sizeof *MODELS;

const struct model *model_find(const char *name) {
    for (uint32_t i = 0; i < MODEL_COUNT; i++)
        if (strcmp(MODELS[i].name, name) == 0) return &MODELS[i];
    return NULL;
}
