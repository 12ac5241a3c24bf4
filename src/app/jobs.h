/* jobs: independent pieces of work done by several threads, and what they give taken up in order.
 *
 * Work is begun in order, at most some pieces ahead of what was taken, so that results don't pile up. Whatever the number
 * of threads, the same pieces are taken up in the same order, and the first error in that order is the one reported. */
#ifndef SLACKSWAP_APP_JOBS_H
#define SLACKSWAP_APP_JOBS_H

#include "core/base.h"

#define JOBS_MOST 256

struct jobs {
    uint32_t count;
    /* Does piece N, on any thread. What it makes is kept by CONTEXT, for piece N alone. */
    enum ss_status (*work)(void *context, uint32_t n, struct error *error);
    /* Takes up what piece N gave, on the caller's thread, in order. */
    enum ss_status (*take)(void *context, uint32_t n, struct error *error);
    void *context;
};

/* Does all of JOBS on THREADS threads (1: on the caller's alone). After an error no further piece is begun or taken up;
 * pieces that were begun are finished, and CONTEXT may have to free what they made. */
enum ss_status jobs_run(const struct jobs *jobs, uint32_t threads, struct error *error);
/* Processors at hand: threads that make sense. */
uint32_t jobs_threads_default(void);

#endif
