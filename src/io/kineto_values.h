/* kineto_values: the tensors of a traced step, and which op reads which (import_kineto.h says by what rules).
 *
 * Row r may make two storages: storages[2r], its output, and storages[2r + 1], what it makes for its backward only. */
#ifndef SLACKSWAP_IO_KINETO_VALUES_H
#define SLACKSWAP_IO_KINETO_VALUES_H

#include "core/profile.h"
#include "kineto_link.h"

struct kineto_storage {
    bool used;
    uint32_t tensor;        /* the importer's */
    uint64_t bytes;
};

struct kineto_reading {
    struct span inputs, saved; /* storages, each once: values.index[] */
    int64_t in_place_ns;    /* what ops in place do to its output later */
};

struct kineto_values {
    struct kineto_storage *storages;
    struct kineto_reading *readings; /* beside links.rows */
    uint32_t *index;        uint32_t index_count;
    uint64_t static_bytes;
    uint32_t shaped;        /* rows with shapes */
    uint32_t untyped;       /* inputs without a known type */
    uint32_t ambiguous;     /* inputs that fit several tensors equally well */
    uint32_t by_order;      /* outputs whose size is that of the next input that nothing else fits, for want of a better clue */
    uint32_t unknown;       /* rows of unknown kind */
    uint32_t unsized;       /* outputs of unknown size */
};

/* All in ARENA. SS_BAD_INPUT when a size reaches 2^53. */
enum ss_status kineto_values_find(struct kineto_values *values, const struct kineto_trace *trace,
                                  const struct kineto_links *links, struct arena *arena, struct error *error);

#endif
