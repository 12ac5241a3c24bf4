/* worker: plans, simulates and indexes for drawing in libuv's thread pool, so that the thread which draws never waits.
 *
 * One request runs, at most one is pending: the newest. Asking again tells the running one to stop and replaces the pending
 * one, so that holding a key never queues up work that nobody will look at. A request is a copy (settings are plain data)
 * and has an arena of its own; what it is about is shared, read-only. Results are handed over by pointer on the loop's thread:
 * early ones while an anytime planner is still at work, then the final one. Those of superseded requests are dropped.
 *
 * All functions are for the loop's thread. */
#ifndef SLACKSWAP_APP_WORKER_H
#define SLACKSWAP_APP_WORKER_H

#include <uv.h>

#include "core/knobs.h"
#include "core/outcome.h"
#include "view/scene.h"

/* Who is told of results. A function may take the contents of ARENA, in which MODEL's outcome and arrays live, by emptying
 * *ARENA; what is left there is freed after the call. GENERATION is the request's. */
struct worker_listener {
    void (*planned)(void *context, uint64_t generation, struct arena *arena, const struct view_model *model, bool final);
    void (*failed)(void *context, uint64_t generation, const struct error *error);
    void *context;
};

/* What a worker does with a request: outcome_compute, or something of its shape. */
typedef enum ss_status compute_function(const struct outcome_request *request, struct arena *arena, struct outcome *out,
                                        struct error *error);

struct worker;
/* A worker on LOOP. A request may search for PLAN_TIME_US at most (INFINITY: as long as its
 * planner likes). */
enum ss_status worker_new(struct worker **out, uv_loop_t *loop, double plan_time_us, compute_function *compute,
                          const struct worker_listener *listener, struct error *error);
/* Asks for the outcome of SETTINGS on SUBJECT, which the worker holds until then: of PLAN, which must not change until its result has come or worker_close has done its
 * work, else (NULL) of what the settings' planner finds; one of the listener's functions will be called for it, unless another request or
 * worker_close comes first. */
void worker_request(struct worker *worker, struct subject *subject, const struct settings *settings,
                    const struct plan *plan, uint64_t generation);
/* Stops what runs and tells nobody. The worker is freed by the loop, once what runs has stopped: run the loop until it
 * has no more to do. */
void worker_close(struct worker *worker);

#endif
