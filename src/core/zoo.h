/* zoo: analytic profiles of transformer models (MODEL.md §7): blocks priced by a roofline, generated, not recorded.
 *
 * With n = batch*seq*hidden elements, S = heads*seq²*batch, f = batch*seq*ffn, 2 bytes an element, masks 1 byte:
 * a GEMM takes flop/(gemm_efficiency*peak) + 4 us forward and twice that backward; a memory-bound op bytes
 * moved/(memory_efficiency*rate) + 4 us; fused attention 4*n*seq flop (half when causal)/(attention_efficiency*peak)
 * + 4 us forward and 2.5 times that backward. */
#ifndef SLACKSWAP_CORE_ZOO_H
#define SLACKSWAP_CORE_ZOO_H

#include "base.h"
#include "profile.h"

enum attention { ATTENTION_FLASH, ATTENTION_EAGER };
extern const char *const ATTENTION_NAME[2];

struct gpu {
    const char *name;          /* as typed */
    double tflop_per_s;        /* dense 16-bit peak, 1e12 flop/s */
    double memory_gb_per_s;    /* 1e9 bytes/s */
    uint64_t memory_bytes;
    const char *source;        /* the public data sheet */
};
extern const struct gpu GPUS[];
extern const uint32_t GPU_COUNT;
const struct gpu *gpu_find(const char *name);

/* Named links with measured rates, both-way ones included; link.name is what is typed. */
struct link_preset { struct link link; const char *source; };
extern const struct link_preset LINKS[];
extern const uint32_t LINK_COUNT;
const struct link_preset *link_find(const char *name);

/* What a block is made of: zoo_build.c has a table of ops for each family. */
enum family {
    FAMILY_GPT,   /* norm before each half, dropout, GELU (BERT is priced with it too) */
    FAMILY_LLAMA, /* rotary embedding, gated SiLU, no dropout */
};
struct model {
    const char *name, *title;
    uint32_t layers, hidden, heads, ffn, vocabulary;
    uint32_t batch, sequence;  /* defaults */
    bool causal;
    enum family family;
};
extern const struct model MODELS[];
extern const uint32_t MODEL_COUNT;
const struct model *model_find(const char *name);

#define MODEL_OPTION_MOST (UINT32_C(1) << 20) /* of batch and sequence */
struct model_options {
    uint32_t batch, sequence;  /* 0 = the model's default; at most MODEL_OPTION_MOST each */
    enum attention attention;
    bool no_head;              /* blocks alone: no final norm, vocabulary projection and loss */
    const struct gpu *gpu;     /* NULL = a100-80gb */
    const struct link_preset *link; /* NULL = pcie4-x16 */
    double gemm_efficiency, memory_efficiency, attention_efficiency; /* above 0, at most 1; 0 = 0.70, 0.80, 0.50 */
};

/* Writes out the defaults in OPTIONS; SS_USAGE, the rest left as it is, when one is out of range. ERROR may be NULL. */
enum ss_status model_options_fill(const struct model *model, struct model_options *options, struct error *error);
/* What model_build would say of OPTIONS, memory aside, without building anything. */
enum ss_status model_check(const struct model *model, const struct model_options *options, struct error *error);
/* Builds the profile in ARENA; SS_USAGE when an option is out of range or a tensor would reach 2^53
 * bytes. */
enum ss_status model_build(const struct model *model, const struct model_options *options, struct arena *arena,
                           struct profile *out, struct error *error);

#endif
