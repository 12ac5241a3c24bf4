/* profile: what one training step looks like (MODEL.md §1).
 *
 * Ops stand in forward execution order; op i's backward runs in reverse order. Tensors are numbered as in the file.
 * A tensor without a producer (the batch, a weight) belongs to static_bytes and is never managed. A tensor with a
 * producer that stands in some op's `saved` is *managed*: a plan decides about it.
 *
 * A profile is built once (profile_begin … profile_finish), lives in its arena and is read-only ever after: any number
 * of threads may read it. All strings and arrays belong to that arena. */
#ifndef SLACKSWAP_CORE_PROFILE_H
#define SLACKSWAP_CORE_PROFILE_H

#include "base.h"
#include "link.h"
#include "names.h"

struct measured;

struct span { uint32_t at, count; }; /* a run of profile.index[] or of another array named beside it */

struct tensor {
    const char *name;
    uint64_t bytes;          /* < 2^53 */
    bool gradient;           /* a gradient of this size flows back */
    bool keep;               /* must stay on the GPU */
    /* derived by profile_finish: */
    bool managed;
    uint32_t producer;       /* op, or NONE */
    uint32_t output_index;   /* place among its producer's outputs */
    uint32_t last_forward;   /* last op that reads it in forward; its producer when nobody does; NONE without producer
                                and consumer */
    struct span consumers;   /* ops that read it, ascending, each once: profile.index[] */
    struct span savers;      /* ops whose backward reads it, ascending, each once: profile.index[] */
};

struct op {
    const char *name;
    uint32_t layer;          /* index into profile.layers */
    const char *kind;        /* free text: gemm, norm, attention, …; "" when not given */
    double forward_us, backward_us, recompute_us; /* finite, >= 0 */
    bool recomputable;       /* may run twice */
    uint64_t forward_workspace_bytes, backward_workspace_bytes;
    struct span inputs, outputs, saved; /* tensors, in listed order: profile.index[] */
};

/* A layer is a name; its ops need not be adjacent. Layers are numbered by first op. */
struct layer {
    const char *name;
    struct span ops;         /* ascending: profile.index[] */
};

struct profile {
    struct arena *arena;     /* owns everything below; borrowed */
    const char *name, *source;
    const char *device_name;
    uint64_t device_memory_bytes; /* 0 = not known */
    struct link link;
    bool link_given;
    uint64_t static_bytes;
    double fixed_us;
    const struct measured *measured; /* what the recording that the profile was made of saw; NULL: not told */

    struct tensor *tensors;  uint32_t tensor_count;
    struct op *ops;          uint32_t op_count;
    struct layer *layers;    uint32_t layer_count;
    uint32_t *managed;       uint32_t managed_count; /* managed tensors, ascending */
    uint32_t *index;         /* what the spans point into */

    struct names tensor_names, op_names, layer_names; /* who is called what: see profile_find_tensor */

    double forward_us, backward_us; /* sums over ops */
    double ideal_us;         /* forward + backward + fixed */

    struct profile_builder *builder; /* NULL once finished */
};

/* Where in the input a fault lies, so that a reader can name its file's own place (JSON path, line).
 * part "tensors" or "ops" or "" (the profile itself); field "" when the element as a whole is meant;
 * element NONE unless the field is a list. */
struct profile_fault {
    const char *part;
    uint32_t index;
    const char *field;
    uint32_t element;
};

/* Description of one tensor/op as the caller knows it; strings are copied. */
struct tensor_spec { const char *name; uint64_t bytes; bool no_gradient, keep; };
struct op_spec {
    const char *name;
    const char *layer;       /* NULL: the op's name */
    const char *kind;        /* NULL: "" */
    double forward_us, backward_us;
    double recompute_us;     /* NAN: forward_us */
    bool not_recomputable;
    uint64_t forward_workspace_bytes, backward_workspace_bytes;
    const uint32_t *inputs;  uint32_t input_count;
    const uint32_t *outputs; uint32_t output_count;
    const uint32_t *saved;   uint32_t saved_count;
};

/* Starts an empty profile in ARENA: defaults of MODEL.md §1 (link pcie4-x16, zeros, empty strings). The caller may set
 * name, source, device, link (with link_given), static_bytes and fixed_us directly until profile_finish. */
enum ss_status profile_begin(struct profile *profile, struct arena *arena, struct error *error);
/* Appends a tensor / an op; INDEX (may be NULL) receives its number. Names must be unique among their kind and not
 * empty; a second tensor or op of one name is SS_BAD_INPUT at once. Tensor numbers in op lists must exist by
 * profile_finish. */
enum ss_status profile_add_tensor(struct profile *profile, const struct tensor_spec *spec, uint32_t *index,
                                  struct error *error);
enum ss_status profile_add_op(struct profile *profile, const struct op_spec *spec, uint32_t *index,
                              struct error *error);
/* The number of the tensor / op / layer called NAME, or NONE; also while the profile is being built. */
uint32_t profile_find_tensor(const struct profile *profile, const char *name);
uint32_t profile_find_op(const struct profile *profile, const char *name);
uint32_t profile_find_layer(const struct profile *profile, const char *name);
/* One row of the short form (MODEL.md §1): appends the op and its tensors. */
struct layer_spec {
    const char *name;
    double forward_us, backward_us;
    uint64_t activation_bytes, output_bytes, forward_workspace_bytes, backward_workspace_bytes;
};
enum ss_status profile_add_layer(struct profile *profile, const struct layer_spec *spec, struct error *error);
/* Checks everything that MODEL.md §1 demands (order, one producer, saved only inputs/outputs/unproduced tensors, no
 * tensor twice among an op's outputs, finite times >= 0, bytes < 2^53, sums below 2^63, at least one op, link rates)
 * and derives the rest. FAULT (may be NULL) says where; the message names the op or tensor. */
enum ss_status profile_finish(struct profile *profile, struct profile_fault *fault, struct error *error);

#endif
