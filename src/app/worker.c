#include "worker.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "planning.h"

#define EARLY_INTERVAL_US 100e3 /* between early results */
#define EARLY_SHARE 10          /* and recording them takes a tenth of the planner's time at most */

struct request {
    struct subject *subject; /* held */
    struct settings settings;
    const struct plan *plan; /* to be replayed; NULL: to be planned */
    uint64_t generation;
};

/* What goes to the loop's thread. */
struct result {
    struct arena arena; /* owns what model points to */
    struct view_model model;
};

struct worker {
    uv_loop_t *loop;
    uv_async_t early_ready;
    struct worker_listener listener;
    double plan_time_us;
    compute_function *compute;

    struct subject *work_of_bounds; /* held; NULL before the first request */
    bool running, waiting, closing;
    struct request pending; /* meaningful while waiting */

    /* The running request. Between uv_queue_work and its completion all of this but `stop` and `early` belongs to the
     * thread that runs it. */
    uv_work_t work;
    struct request current;
    struct result final;
    struct bounds bounds;          /* of work_of_bounds */
    enum ss_status status;
    struct error error;
    double deadline_us, next_early_us;
    atomic_bool stop;              /* superseded, or closing */
    _Atomic(struct result *) early; /* the newest early result that was not yet taken */
};

static void start(struct worker *worker, const struct request *request);

static void early_free(struct result *early) {
    if (early)
        arena_free(&early->arena);
    free(early);
}

/* ---- on the pool's thread ---- */

static bool should_stop(void *context) {
    struct worker *worker = context;
    return atomic_load_explicit(&worker->stop, memory_order_relaxed) || clock_us() > worker->deadline_us;
}

static enum ss_status compute(struct worker *worker, const struct outcome_request *request, struct result *result,
                              struct error *error) {
    struct outcome *outcome = ARENA_ARRAY(&result->arena, struct outcome, 1);
    if (!outcome)
        return error_no_memory(error);
    enum ss_status status = worker->compute(request, &result->arena, outcome, error);
    if (status != SS_OK)
        return status;
    outcome->planner_name = request->planner->name; /* of a plan that is replayed, too */
    return view_model_build(&result->model, &result->arena, request->profile, outcome, error);
}

/* The planner found a better plan and goes on: shows it, unless one was shown just now. Failing to is no harm. */
static void improved(void *context, const struct plan *plan, const struct sim_totals *totals) {
    struct worker *worker = context;
    double began_us = clock_us();
    if (!totals->feasible || began_us < worker->next_early_us || should_stop(worker))
        return;
    struct error ignored;
    struct outcome_request request = settings_request(worker->current.subject->profile, &worker->current.settings);
    request.plan = plan;
    request.bounds = &worker->bounds;
    request.in_passing = true;
    struct result *early = calloc(1, sizeof *early);
    if (!early)
        return;
    if (compute(worker, &request, early, &ignored) != SS_OK) {
        early_free(early);
        return;
    }
    early_free(atomic_exchange(&worker->early, early));
    uv_async_send(&worker->early_ready);
    double now_us = clock_us();
    worker->next_early_us = now_us + fmax(EARLY_INTERVAL_US, (now_us - began_us) * EARLY_SHARE);
}

static void run(uv_work_t *work) {
    struct worker *worker = work->data;
    struct outcome_request request = settings_request(worker->current.subject->profile, &worker->current.settings);
    request.plan = worker->current.plan;
    request.bounds = &worker->bounds;
    request.should_stop = should_stop;
    request.improved = improved;
    request.context = worker;
    worker->deadline_us = clock_us() + worker->plan_time_us;
    worker->next_early_us = 0;
    worker->status = compute(worker, &request, &worker->final, &worker->error);
    if (worker->status == SS_STOPPED)
        error_set(&worker->error, SS_STOPPED, "%s found no plan in the time given",
                  worker->current.settings.planner->name);
}

/* ---- on the loop's thread ---- */

static void take_early(uv_async_t *async) {
    struct worker *worker = async->data;
    struct result *early = atomic_exchange(&worker->early, NULL);
    if (early && worker->running && !worker->closing && !atomic_load(&worker->stop))
        worker->listener.planned(worker->listener.context, worker->current.generation, &early->arena, &early->model,
                                 false);
    early_free(early);
}

static void on_closed(uv_handle_t *handle) {
    struct worker *worker = handle->data;
    early_free(atomic_exchange(&worker->early, NULL));
    subject_release(worker->work_of_bounds);
    free(worker);
}

static void tell(struct worker *worker) {
    const struct worker_listener *listener = &worker->listener;
    if (worker->status == SS_OK)
        listener->planned(listener->context, worker->current.generation, &worker->final.arena, &worker->final.model,
                          true);
    else
        listener->failed(listener->context, worker->current.generation, &worker->error);
}

static void on_done(uv_work_t *work, int cancelled) {
    struct worker *worker = work->data;
    (void)cancelled; /* nobody cancels it: the flag stops it */
    early_free(atomic_exchange(&worker->early, NULL)); /* late by now */
    if (!atomic_load(&worker->stop))
        tell(worker); /* counts as running meanwhile: the listener may ask anew, or close */
    arena_free(&worker->final.arena);
    subject_release(worker->current.subject);
    worker->running = false;
    if (worker->closing) {
        uv_close((uv_handle_t *)&worker->early_ready, on_closed);
    } else if (worker->waiting) {
        worker->waiting = false;
        start(worker, &worker->pending);
    }
}

static void start(struct worker *worker, const struct request *request) {
    worker->current = *request;
    if (worker->work_of_bounds != request->subject) {
        subject_hold(request->subject);
        subject_release(worker->work_of_bounds);
        worker->work_of_bounds = request->subject;
        worker->bounds = (struct bounds){ .count = 0 };
    }
    worker->error = (struct error){ "", "" };
    atomic_store(&worker->stop, false);
    worker->running = true;
    worker->work.data = worker;
    uv_queue_work(worker->loop, &worker->work, run, on_done);
}

enum ss_status worker_new(struct worker **out, uv_loop_t *loop, double plan_time_us, compute_function *compute,
                          const struct worker_listener *listener, struct error *error) {
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return error_no_memory(error);
    worker->loop = loop;
    worker->plan_time_us = plan_time_us;
    worker->compute = compute;
    worker->listener = *listener;
    worker->early_ready.data = worker;
    int failed = uv_async_init(loop, &worker->early_ready, take_early);
    if (failed) {
        free(worker);
        return error_set(error, SS_INTERNAL, "no wake-up for the planning thread: %s", uv_strerror(failed));
    }
    *out = worker;
    return SS_OK;
}

/* The pending request gives way. */
static void drop_pending(struct worker *worker) {
    if (worker->waiting)
        subject_release(worker->pending.subject);
    worker->waiting = false;
}

void worker_request(struct worker *worker, struct subject *subject, const struct settings *settings,
                    const struct plan *plan, uint64_t generation) {
    struct request request = { subject_hold(subject), *settings, plan, generation };
    if (!worker->running) {
        start(worker, &request);
        return;
    }
    drop_pending(worker);
    worker->pending = request;
    worker->waiting = true;
    atomic_store(&worker->stop, true);
}

void worker_close(struct worker *worker) {
    worker->closing = true;
    drop_pending(worker);
    atomic_store(&worker->stop, true);
    if (!worker->running)
        uv_close((uv_handle_t *)&worker->early_ready, on_closed);
}
