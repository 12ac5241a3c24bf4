/* pipedream_kinds: what is known of the modules in a PipeDream graph: what they make and what their backward reads. */
#ifndef SLACKSWAP_IO_PIPEDREAM_KINDS_H
#define SLACKSWAP_IO_PIPEDREAM_KINDS_H

#include "lines.h"

enum saves { NOTHING = 0, INPUT = 1, OUTPUT = 2 };
extern const char *const SAVES_WORDS[4]; /* for each set of them */

enum role {
    COMPUTES,
    VIEW, /* its operand's storage under another shape */
    HOST, /* a number for the CPU, no tensor */
};

struct kind {
    const char *name;   /* of the module; "Conv*" stands for all that begin so */
    enum role role;
    unsigned saves;     /* enum saves */
    const char *extra;  /* a further output, which only the backward reads; NULL: none */
    double extra_ratio; /* its bytes to the output's */
    bool leads;         /* has a weight matrix: a layer begins with it */
    bool unknown;       /* the last row, for every other name */
};
extern const struct kind KINDS[];
extern const uint32_t KIND_COUNT;

/* The first row that has NAME; the last one when none has. */
const struct kind *kind_of(struct piece name);

#endif
