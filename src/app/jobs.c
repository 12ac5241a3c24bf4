/* jobs: see jobs.h. */
#include "jobs.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define AHEAD 4 /* pieces for each thread that may be begun before the oldest is taken up */

struct piece { bool done; enum ss_status status; struct error error; };

struct pool {
    const struct jobs *jobs;
    pthread_mutex_t lock;
    pthread_cond_t changed;    /* a piece is done, or one more may be begun, or stop */
    uint32_t begun, taken;     /* pieces */
    uint32_t room;             /* pieces that may be begun and not yet taken */
    bool stop;
    struct piece *piece;       /* ROOM of them: piece N at N % ROOM */
};

static void *work(void *context) {
    struct pool *pool = context;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->stop && pool->begun < pool->jobs->count && pool->begun >= pool->taken + pool->room)
            pthread_cond_wait(&pool->changed, &pool->lock);
        if (pool->stop || pool->begun == pool->jobs->count)
            break;
        const uint32_t n = pool->begun++;
        struct piece *piece = &pool->piece[n % pool->room];
        *piece = (struct piece){ .done = false };
        pthread_mutex_unlock(&pool->lock);
        const enum ss_status status = pool->jobs->work(pool->jobs->context, n, &piece->error);
        pthread_mutex_lock(&pool->lock);
        piece->status = status;
        piece->done = true;
        pthread_cond_broadcast(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static enum ss_status take_all(struct pool *pool, struct error *error) {
    enum ss_status status = SS_OK;
    pthread_mutex_lock(&pool->lock);
    while (pool->taken < pool->jobs->count && status == SS_OK) {
        const uint32_t n = pool->taken;
        struct piece *piece = &pool->piece[n % pool->room];
        while (n >= pool->begun || !piece->done)
            pthread_cond_wait(&pool->changed, &pool->lock);
        pthread_mutex_unlock(&pool->lock);
        status = piece->status;
        if (status == SS_OK)
            status = pool->jobs->take(pool->jobs->context, n, error);
        else if (error != NULL)
            *error = piece->error;
        pthread_mutex_lock(&pool->lock);
        pool->taken++;
        pool->stop = status != SS_OK;
        pthread_cond_broadcast(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
    return status;
}

static enum ss_status run_alone(const struct jobs *jobs, struct error *error) {
    enum ss_status status = SS_OK;
    for (uint32_t n = 0; n < jobs->count && status == SS_OK; n++) {
        status = jobs->work(jobs->context, n, error);
        if (status == SS_OK)
            status = jobs->take(jobs->context, n, error);
    }
    return status;
}

enum ss_status jobs_run(const struct jobs *jobs, uint32_t threads, struct error *error) {
    struct pool pool = { .jobs = jobs, .room = threads * AHEAD };
    pthread_t thread[JOBS_MOST];
    uint32_t started = 0;
    if (threads > jobs->count)
        threads = jobs->count;
    if (threads <= 1)
        return run_alone(jobs, error);
    if (threads > JOBS_MOST)
        threads = JOBS_MOST;
    pool.piece = calloc(pool.room, sizeof *pool.piece);
    if (pool.piece == NULL)
        return error_no_memory(error);
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.changed, NULL);
    while (started < threads && pthread_create(&thread[started], NULL, work, &pool) == 0)
        started++;
    /* where the system gives no thread at all, this one does */
    const enum ss_status status = started > 0 ? take_all(&pool, error) : run_alone(jobs, error);
    for (uint32_t i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    pthread_cond_destroy(&pool.changed);
    pthread_mutex_destroy(&pool.lock);
    free(pool.piece);
    return status;
}

uint32_t jobs_threads_default(void) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > JOBS_MOST ? JOBS_MOST : (uint32_t)processors;
}
