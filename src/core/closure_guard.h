/* closure_guard: who must run again as well whenever an op shares the re-run of another (closure_share.c). */
#ifndef SLACKSWAP_CORE_CLOSURE_GUARD_H
#define SLACKSWAP_CORE_CLOSURE_GUARD_H

#include "profile.h"

#define GUARD_HORIZON 128u /* ops behind a shared one that are looked at */
#define GUARD_EDGES 512u

/* What the guards are asked of. FROM: op -> which of the ops that the shared one serves leads here; NONE, one, or
 * FROM_MANY. MAY_PAY: op -> its re-run restores something, once in a plan, and is for that alone; LEFT_US: what it costs then,
 * less what it has paid for already. */
#define FROM_MANY (NONE - 1)
struct guard_terms { const struct profile *profile; const uint32_t *from; const bool *may_pay; const double *left_us; };

/* An op to which a member alone leads, on a way to where others lead, too. */
struct guard {
    uint32_t op, first_edge;   /* its edges end where those of the next begin */
    bool pays, only, exits;    /* ONLY: no way leads past it; EXITS: a way leads from here to where others lead, too */
    double left_us, bytes;
};
/* All of them, in the order of ops, the member first. EDGE: the guards that lead to each. */
struct guards {
    uint32_t count, edges;
    bool never;                /* shares never: no way leads to where others lead */
    struct guard guard[GUARD_HORIZON + 1];
    uint16_t edge[GUARD_EDGES];
    double paid_us[GUARD_HORIZON + 1]; /* scratch: at least, by the end of each, on any way there */
};

/* Guards of MEMBER among the ops before END; all is as if there were none where they are too many. */
void guards_find(struct guards *out, const struct guard_terms *terms, uint32_t member, uint32_t end);
/* How much is paid on every way when guards pay down to LEVEL us a byte, those past which a way leads only down to DEAR. */
double guards_reach(struct guards *guards, double level, double dear);
/* Takes US, which they reach so, off what is left of them: adds it to CREDIT, by op. */
void guards_take(struct guards *guards, double level, double dear, double us, double *credit);

/* Bytes of all outputs of OP, and 1. */
double guard_bytes(const struct profile *profile, uint32_t op);

#endif
