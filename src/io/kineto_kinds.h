/* kineto_kinds: what autograd keeps for the backward of an op, by the op's name in a trace. */
#ifndef SLACKSWAP_IO_KINETO_KINDS_H
#define SLACKSWAP_IO_KINETO_KINDS_H

#include "core/base.h"

enum { KINETO_NOTHING = 0, KINETO_INPUT = 1, KINETO_OUTPUT = 2 };

struct kineto_kind {
    const char *name;      /* without "aten::" and the "_" of in-place ops; "*" at the end stands for anything */
    unsigned saves;        /* KINETO_INPUT: all inputs that are no parameters */
    uint32_t parameters;   /* bit i: the argument i is a parameter or a running statistic */
    double extra_per_element; /* bytes for each element of the output that it makes for its backward: masks, indices */
    bool view;             /* its output is its input's memory */
    bool same;             /* its output has the shape and type of its first input */
    bool unknown;
};

/* OP: as the trace names it. Never NULL. */
const struct kineto_kind *kineto_kind_of(const char *op);
/* Whether OP overwrites its first input: "aten::relu_". */
bool kineto_in_place(const char *op);

#endif
