/* The generator behind zoo.h. A model is a run of sections: the embedding, its blocks, the head. A section is two tables,
 * its tensors and its ops, in the order in which the profile lists them. An op row says what the op reads, makes and
 * saves, and how it is priced (MODEL.md §7); names are local to the section, "x" is what the section before left as its
 * "out". To add a family of blocks, write its two tables and name them in block_of(). */
#include "zoo.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BYTES_PER_ELEMENT 2.0
#define LAUNCH_US 4.0           /* a kernel's fixed cost */
#define GEMM_BACKWARD 2.0       /* gradients of the input and of the weight */
#define ATTENTION_BACKWARD 2.5  /* five products for forward's two */

/* How many elements a thing has. All are exact in a double: build_start() refuses what reaches 2^53 bytes. */
enum extent { HIDDEN, QKV, FFN, LOGITS, SCORES, LOSS, EXTENT_COUNT };
static const char *const EXTENT_WORDS[EXTENT_COUNT] = {
    "hidden state", "queries, keys and values", "feed-forward state", "logits", "attention scores", "loss",
};

enum when { FLASH = 1 << ATTENTION_FLASH, EAGER = 1 << ATTENTION_EAGER, BOTH = FLASH | EAGER };

enum price {
    MEMORY, /* moves `forward` and `backward` times the bytes of its extent */
    GEMM,   /* 2 flop for each element of its extent and each hidden unit (fc2 sums over ffn: the same product) */
    MATMUL, /* the two products of eager attention: a GEMM or the traffic of the scores, whichever is slower */
    FUSED,  /* attention in one kernel */
};

struct tensor_row { const char *name; enum extent extent; enum when when; bool mask; };
struct op_row {
    const char *name, *kind;
    enum when when;
    enum price price;
    enum extent extent;
    double forward, backward;
    const char *inputs[2], *outputs[2], *saved[2];
};
struct section {
    const struct tensor_row *tensors; uint32_t tensor_count;
    const struct op_row *ops;         uint32_t op_count;
};
#define SECTION(tensors, ops) { tensors, sizeof tensors / sizeof *tensors, ops, sizeof ops / sizeof *ops }
#define MASK true
#define LARGEST_SECTION 32

static const struct tensor_row EMBED_TENSORS[] = { { "out", HIDDEN, BOTH, 0 } };
static const struct op_row EMBED_OPS[] = {
    { "", "embedding", BOTH, MEMORY, HIDDEN, 2, 2, { NULL }, { "out" }, { NULL } },
};

static const struct tensor_row GPT_TENSORS[] = {
    { "norm1", HIDDEN, BOTH, 0 },      { "qkv", QKV, BOTH, 0 },           { "context", HIDDEN, BOTH, 0 },
    { "scores", SCORES, EAGER, 0 },    { "probs", SCORES, EAGER, 0 },     { "attn_mask", SCORES, EAGER, MASK },
    { "attn_drop", SCORES, EAGER, 0 }, { "proj", HIDDEN, BOTH, 0 },       { "residual1", HIDDEN, BOTH, 0 },
    { "mask1", HIDDEN, BOTH, MASK },   { "norm2", HIDDEN, BOTH, 0 },      { "fc1", FFN, BOTH, 0 },
    { "gelu", FFN, BOTH, 0 },          { "fc2", HIDDEN, BOTH, 0 },        { "out", HIDDEN, BOTH, 0 },
    { "mask2", HIDDEN, BOTH, MASK },
};
static const struct op_row GPT_OPS[] = {
    { "norm1", "norm", BOTH, MEMORY, HIDDEN, 2, 3, { "x" }, { "norm1" }, { "x" } },
    { "qkv", "gemm", BOTH, GEMM, QKV, 0, 0, { "norm1" }, { "qkv" }, { "norm1" } },
    { "attention", "attention", FLASH, FUSED, HIDDEN, 0, 0, { "qkv" }, { "context" }, { "qkv", "context" } },
    { "scores", "gemm", EAGER, MATMUL, SCORES, 0, 0, { "qkv" }, { "scores" }, { "qkv" } },
    { "softmax", "softmax", EAGER, MEMORY, SCORES, 2, 3, { "scores" }, { "probs" }, { "probs" } },
    { "attn_dropout", "dropout", EAGER, MEMORY, SCORES, 2.5, 2.5, { "probs" }, { "attn_mask", "attn_drop" },
      { "attn_mask" } },
    { "mix", "gemm", EAGER, MATMUL, SCORES, 0, 0, { "attn_drop", "qkv" }, { "context" }, { "attn_drop", "qkv" } },
    { "proj", "gemm", BOTH, GEMM, HIDDEN, 0, 0, { "context" }, { "proj" }, { "context" } },
    { "dropout_add1", "dropout", BOTH, MEMORY, HIDDEN, 3.5, 2.5, { "proj", "x" }, { "mask1", "residual1" },
      { "mask1" } },
    { "norm2", "norm", BOTH, MEMORY, HIDDEN, 2, 3, { "residual1" }, { "norm2" }, { "residual1" } },
    { "fc1", "gemm", BOTH, GEMM, FFN, 0, 0, { "norm2" }, { "fc1" }, { "norm2" } },
    { "gelu", "elementwise", BOTH, MEMORY, FFN, 2, 3, { "fc1" }, { "gelu" }, { "fc1" } },
    { "fc2", "gemm", BOTH, GEMM, FFN, 0, 0, { "gelu" }, { "fc2" }, { "gelu" } },
    { "dropout_add2", "dropout", BOTH, MEMORY, HIDDEN, 3.5, 2.5, { "fc2", "residual1" }, { "mask2", "out" },
      { "mask2" } },
};

static const struct tensor_row LLAMA_TENSORS[] = {
    { "norm1", HIDDEN, BOTH, 0 },   { "qkv", QKV, BOTH, 0 },       { "rope", QKV, BOTH, 0 },
    { "context", HIDDEN, BOTH, 0 }, { "scores", SCORES, EAGER, 0 }, { "probs", SCORES, EAGER, 0 },
    { "proj", HIDDEN, BOTH, 0 },    { "residual1", HIDDEN, BOTH, 0 }, { "norm2", HIDDEN, BOTH, 0 },
    { "gate", FFN, BOTH, 0 },       { "up", FFN, BOTH, 0 },        { "silu", FFN, BOTH, 0 },
    { "product", FFN, BOTH, 0 },    { "fc2", HIDDEN, BOTH, 0 },    { "out", HIDDEN, BOTH, 0 },
};
static const struct op_row LLAMA_OPS[] = {
    { "norm1", "norm", BOTH, MEMORY, HIDDEN, 2, 3, { "x" }, { "norm1" }, { "x" } },
    { "qkv", "gemm", BOTH, GEMM, QKV, 0, 0, { "norm1" }, { "qkv" }, { "norm1" } },
    { "rope", "elementwise", BOTH, MEMORY, QKV, 2, 2, { "qkv" }, { "rope" }, { NULL } },
    { "attention", "attention", FLASH, FUSED, HIDDEN, 0, 0, { "rope" }, { "context" }, { "rope", "context" } },
    { "scores", "gemm", EAGER, MATMUL, SCORES, 0, 0, { "rope" }, { "scores" }, { "rope" } },
    { "softmax", "softmax", EAGER, MEMORY, SCORES, 2, 3, { "scores" }, { "probs" }, { "probs" } },
    { "mix", "gemm", EAGER, MATMUL, SCORES, 0, 0, { "probs", "rope" }, { "context" }, { "probs", "rope" } },
    { "proj", "gemm", BOTH, GEMM, HIDDEN, 0, 0, { "context" }, { "proj" }, { "context" } },
    { "add1", "elementwise", BOTH, MEMORY, HIDDEN, 3, 1, { "proj", "x" }, { "residual1" }, { NULL } },
    { "norm2", "norm", BOTH, MEMORY, HIDDEN, 2, 3, { "residual1" }, { "norm2" }, { "residual1" } },
    { "gate", "gemm", BOTH, GEMM, FFN, 0, 0, { "norm2" }, { "gate" }, { "norm2" } },
    { "up", "gemm", BOTH, GEMM, FFN, 0, 0, { "norm2" }, { "up" }, { "norm2" } },
    { "silu", "elementwise", BOTH, MEMORY, FFN, 2, 3, { "gate" }, { "silu" }, { "gate" } },
    { "multiply", "elementwise", BOTH, MEMORY, FFN, 3, 5, { "silu", "up" }, { "product" }, { "silu", "up" } },
    { "fc2", "gemm", BOTH, GEMM, FFN, 0, 0, { "product" }, { "fc2" }, { "product" } },
    { "add2", "elementwise", BOTH, MEMORY, HIDDEN, 3, 1, { "fc2", "residual1" }, { "out" }, { NULL } },
};

static const struct tensor_row HEAD_TENSORS[] = {
    { "norm", HIDDEN, BOTH, 0 }, { "logits", LOGITS, BOTH, 0 }, { "loss", LOSS, BOTH, 0 },
};
static const struct op_row HEAD_OPS[] = {
    { "norm", "norm", BOTH, MEMORY, HIDDEN, 2, 3, { "x" }, { "norm" }, { "x" } },
    { "linear", "gemm", BOTH, GEMM, LOGITS, 0, 0, { "norm" }, { "logits" }, { "norm" } },
    { "loss", "loss", BOTH, MEMORY, LOGITS, 1, 2, { "logits" }, { "loss" }, { "logits" } },
};

static const struct section EMBED = SECTION(EMBED_TENSORS, EMBED_OPS);
static const struct section GPT = SECTION(GPT_TENSORS, GPT_OPS);
static const struct section LLAMA = SECTION(LLAMA_TENSORS, LLAMA_OPS);
static const struct section HEAD = SECTION(HEAD_TENSORS, HEAD_OPS);

static const struct section *block_of(enum family family) {
    switch (family) {
    case FAMILY_GPT: return &GPT;
    case FAMILY_LLAMA: return &LLAMA;
    }
    return NULL;
}

/* A model at one batch, sequence and GPU. */
struct build {
    const struct model *model;
    struct model_options options;   /* defaults filled in */
    double elements[EXTENT_COUNT];
    double gemm_rate, attention_rate; /* flop/us */
    double memory_rate;             /* bytes/us */
    struct profile *profile;
    uint32_t carried;               /* the tensor that the section before left as its "out", or NONE */
};

static double bytes_of(const struct build *build, enum extent extent) {
    return build->elements[extent] * BYTES_PER_ELEMENT;
}

static double slower(double a, double b) { return a > b ? a : b; }

static double traffic_us(const struct build *build, double bytes) { return bytes / build->memory_rate + LAUNCH_US; }

static void price(const struct build *build, const struct op_row *row, double *forward_us, double *backward_us) {
    const double hidden = build->elements[HIDDEN], sequence = build->options.sequence;
    double flop, bytes;
    switch (row->price) {
    case MEMORY:
        *forward_us = traffic_us(build, row->forward * bytes_of(build, row->extent));
        *backward_us = traffic_us(build, row->backward * bytes_of(build, row->extent));
        return;
    case GEMM:
        flop = 2 * build->elements[row->extent] * build->model->hidden;
        *forward_us = flop / build->gemm_rate + LAUNCH_US;
        *backward_us = GEMM_BACKWARD * *forward_us;
        return;
    case MATMUL:
        flop = 2 * hidden * sequence;
        bytes = bytes_of(build, SCORES) + 2 * bytes_of(build, HIDDEN);
        *forward_us = slower(flop / build->gemm_rate + LAUNCH_US, traffic_us(build, bytes));
        *backward_us = GEMM_BACKWARD * *forward_us;
        return;
    case FUSED:
        flop = (build->model->causal ? 2 : 4) * hidden * sequence;
        *forward_us = flop / build->attention_rate + LAUNCH_US;
        *backward_us = ATTENTION_BACKWARD * *forward_us;
        return;
    }
}

static bool used(const struct build *build, enum when when) { return when & (1u << build->options.attention); }

/* The numbers of a row's tensors, found by their names within the section. */
static uint32_t find_tensors(const struct section *section, const uint32_t *numbers, uint32_t carried,
                             const char *const names[2], uint32_t found[2]) {
    uint32_t count = 0;
    for (; count < 2 && names[count]; count++) {
        uint32_t row = 0;
        while (row < section->tensor_count && strcmp(section->tensors[row].name, names[count]) != 0) row++;
        found[count] = row < section->tensor_count ? numbers[row] : carried; /* "x" is in no table */
    }
    return count;
}

static enum ss_status add_tensors(struct build *build, const struct section *section, const char *layer,
                                  uint32_t *numbers, struct error *error) {
    char name[64];
    for (uint32_t i = 0; i < section->tensor_count; i++) {
        const struct tensor_row *row = &section->tensors[i];
        if (!used(build, row->when)) continue;
        snprintf(name, sizeof name, "%s.%s", layer, row->name);
        const double bytes = row->mask ? build->elements[row->extent] : bytes_of(build, row->extent);
        const struct tensor_spec spec = { .name = name, .bytes = (uint64_t)bytes, .no_gradient = row->mask };
        enum ss_status status = profile_add_tensor(build->profile, &spec, &numbers[i], error);
        if (status != SS_OK) return status;
    }
    return SS_OK;
}

static enum ss_status add_op(struct build *build, const struct section *section, const char *layer,
                             const uint32_t *numbers, const struct op_row *row, struct error *error) {
    char name[64];
    uint32_t inputs[2], outputs[2], saved[2];
    snprintf(name, sizeof name, "%s%s%s", layer, *row->name ? "." : "", row->name);
    struct op_spec spec = {
        .name = name, .layer = layer, .kind = row->kind, .recompute_us = NAN,
        .inputs = inputs, .input_count = find_tensors(section, numbers, build->carried, row->inputs, inputs),
        .outputs = outputs, .output_count = find_tensors(section, numbers, build->carried, row->outputs, outputs),
        .saved = saved, .saved_count = find_tensors(section, numbers, build->carried, row->saved, saved),
    };
    price(build, row, &spec.forward_us, &spec.backward_us);
    return profile_add_op(build->profile, &spec, NULL, error);
}

static enum ss_status add_section(struct build *build, const struct section *section, const char *layer,
                                  struct error *error) {
    uint32_t numbers[LARGEST_SECTION];
    enum ss_status status = add_tensors(build, section, layer, numbers, error);
    for (uint32_t i = 0; i < section->op_count && status == SS_OK; i++)
        if (used(build, section->ops[i].when))
            status = add_op(build, section, layer, numbers, &section->ops[i], error);
    for (uint32_t i = 0; i < section->tensor_count; i++)
        if (strcmp(section->tensors[i].name, "out") == 0) build->carried = numbers[i];
    return status;
}

static enum ss_status take_count(const char *name, uint32_t given, uint32_t fallback, uint32_t *out,
                                 struct error *error) {
    *out = given ? given : fallback;
    if (*out <= MODEL_OPTION_MOST) return SS_OK;
    return error_set(error, SS_USAGE, "%s: expected 1 to %u, found %u", name, (unsigned)MODEL_OPTION_MOST, (unsigned)*out);
}

static enum ss_status take_efficiency(const char *name, double given, double fallback, double *out,
                                      struct error *error) {
    *out = given == 0 ? fallback : given;
    if (*out > 0 && *out <= 1) return SS_OK; /* false for NAN, too */
    return error_set(error, SS_USAGE, "%s efficiency: expected above 0 and at most 1, found %g", name, *out);
}

enum ss_status model_options_fill(const struct model *model, struct model_options *options, struct error *error) {
    const struct model_options given = *options;
    enum ss_status status;
    if (!options->gpu) options->gpu = gpu_find("a100-80gb");
    if (!options->link) options->link = link_find("pcie4-x16");
    if ((status = take_count("batch", given.batch, model->batch, &options->batch, error)) != SS_OK ||
        (status = take_count("sequence", given.sequence, model->sequence, &options->sequence, error)) != SS_OK ||
        (status = take_efficiency("GEMM", given.gemm_efficiency, 0.70, &options->gemm_efficiency, error)) != SS_OK ||
        (status = take_efficiency("memory", given.memory_efficiency, 0.80, &options->memory_efficiency, error)) != SS_OK)
        return status;
    return take_efficiency("attention", given.attention_efficiency, 0.50, &options->attention_efficiency, error);
}

static enum ss_status measure(struct build *build, struct error *error) {
    const struct model *model = build->model;
    const struct model_options *options = &build->options;
    const double tokens = (double)options->batch * options->sequence;
    build->elements[HIDDEN] = tokens * model->hidden;
    build->elements[QKV] = 3 * build->elements[HIDDEN];
    build->elements[FFN] = tokens * model->ffn;
    build->elements[LOGITS] = tokens * model->vocabulary;
    build->elements[LOSS] = 2; /* one 32-bit number */
    if (options->attention == ATTENTION_EAGER)
        build->elements[SCORES] = tokens * options->sequence * model->heads;
    for (int extent = 0; extent < EXTENT_COUNT; extent++)
        if (bytes_of(build, (enum extent)extent) >= (double)BYTES_LIMIT)
            return error_set(error, SS_USAGE, "%s at batch %u, sequence %u: its %s would take %.3g bytes; a tensor "
                             "must stay below %.3g bytes", model->name, (unsigned)options->batch,
                             (unsigned)options->sequence, EXTENT_WORDS[extent],
                             bytes_of(build, (enum extent)extent), (double)BYTES_LIMIT);
    build->gemm_rate = options->gpu->tflop_per_s * 1e6 * options->gemm_efficiency;
    build->attention_rate = options->gpu->tflop_per_s * 1e6 * options->attention_efficiency;
    build->memory_rate = gb_per_s_to_bytes_per_us(options->gpu->memory_gb_per_s) * options->memory_efficiency;
    return SS_OK;
}

static enum ss_status describe(const struct build *build, struct arena *arena, struct error *error) {
    const struct model_options *options = &build->options;
    struct profile *profile = build->profile;
    profile->name = build->model->name;
    profile->source = arena_printf(arena, "analytic: %s, batch %u, sequence %u, %s attention%s, %s; %g%% of its 16-bit "
                                   "peak in GEMMs, %g%% in fused attention, %g%% of its memory rate, %g us a kernel",
                                   build->model->name, (unsigned)options->batch, (unsigned)options->sequence,
                                   ATTENTION_NAME[options->attention], options->no_head ? ", no head" : "", options->gpu->name,
                                   100 * options->gemm_efficiency, 100 * options->attention_efficiency,
                                   100 * options->memory_efficiency, LAUNCH_US);
    profile->device_name = options->gpu->name;
    profile->device_memory_bytes = options->gpu->memory_bytes;
    profile->link = options->link->link;
    profile->link_given = true;
    return profile->source ? SS_OK : error_no_memory(error);
}

static enum ss_status begin(struct build *build, const struct model *model, const struct model_options *options,
                            struct profile *out, struct error *error) {
    *build = (struct build){ .model = model, .options = *options, .profile = out, .carried = NONE };
    enum ss_status status = model_options_fill(model, &build->options, error);
    return status == SS_OK ? measure(build, error) : status;
}

enum ss_status model_check(const struct model *model, const struct model_options *options, struct error *error) {
    struct build build;
    return begin(&build, model, options, NULL, error);
}

enum ss_status model_build(const struct model *model, const struct model_options *options, struct arena *arena,
                           struct profile *out, struct error *error) {
    struct build build;
    char layer[16];
    enum ss_status status;
    if ((status = begin(&build, model, options, out, error)) != SS_OK ||
        (status = profile_begin(out, arena, error)) != SS_OK || (status = describe(&build, arena, error)) != SS_OK)
        return status;
    status = add_section(&build, &EMBED, "embed", error);
    for (uint32_t i = 0; i < model->layers && status == SS_OK; i++) {
        snprintf(layer, sizeof layer, "L%02u", (unsigned)i);
        status = add_section(&build, block_of(model->family), layer, error);
    }
    if (status == SS_OK && !options->no_head) status = add_section(&build, &HEAD, "head", error);
    return status == SS_OK ? profile_finish(out, NULL, error) : status;
}
