#include "kineto_measured.h"

#include <stdlib.h>

#define TOUCH_NS 2000 /* kernels that follow each other closer than this are one slice */

/* What is sorted: qsort has no context. */
struct moment { int64_t start; uint32_t kernel; };

static int compare(const void *a, const void *b) {
    const struct moment *p = a, *q = b;
    if (p->start != q->start)
        return p->start < q->start ? -1 : 1;
    return p->kernel < q->kernel ? -1 : p->kernel > q->kernel;
}

static enum lane lane_of(const struct kineto_kernel *kernel) {
    return kernel->copy == COPY_OUT ? LANE_D2H : kernel->copy == COPY_IN ? LANE_H2D : LANE_COMPUTE;
}

/* Nanoseconds from FIRST to AT, which is no earlier, as far as a sum of two of them holds. */
static int64_t since(int64_t at, int64_t first) {
    const uint64_t distance = (uint64_t)at - (uint64_t)first;
    return distance < INT64_MAX / 2 ? (int64_t)distance : INT64_MAX / 2;
}

/* Puts the kernels of LANE together into SLICES, those of a copy only where they overlap. */
static uint32_t gather(const struct kineto_trace *trace, const struct moment *moments, uint32_t count, enum lane lane,
                       struct measured_slice *slices) {
    const int64_t touch = lane == LANE_COMPUTE ? TOUCH_NS : 0;
    int64_t start = 0, end = 0;
    uint32_t made = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct kineto_kernel *kernel = &trace->kernels[moments[i].kernel];
        const int64_t at = since(kernel->start, moments[0].start), until = at + kernel->duration;
        if (lane_of(kernel) != lane)
            continue;
        if (made == 0 || at - end >= touch) {
            start = at;
            end = until;
            slices[made++] = (struct measured_slice){ .start_us = (double)at / 1e3 };
        }
        end = until > end ? until : end;
        slices[made - 1].duration_us = (double)(end - start) / 1e3;
        slices[made - 1].bytes += kernel->bytes;
    }
    return made;
}

enum ss_status kineto_measure(const struct kineto_trace *trace, const uint32_t *work, uint32_t count, int64_t step_ns,
                              struct arena *arena, struct measured **out, struct error *error) {
    struct measured *measured = ARENA_ARRAY(arena, struct measured, 1);
    struct measured_slice *slices = ARENA_ARRAY(arena, struct measured_slice, count);
    struct moment *moments = calloc(count ? count : 1, sizeof *moments);
    if (!measured || !slices || !moments) {
        free(moments);
        return error_no_memory(error);
    }
    for (uint32_t i = 0; i < count; i++)
        moments[i] = (struct moment){ trace->kernels[work[i]].start, work[i] };
    qsort(moments, count, sizeof *moments, compare);
    measured->step_us = (double)step_ns / 1e3;
    for (int lane = 0; lane < LANE_COUNT; lane++) {
        measured->slices[lane] = slices;
        measured->count[lane] = gather(trace, moments, count, (enum lane)lane, slices);
        slices += measured->count[lane]; /* together no more than there are kernels */
    }
    free(moments);
    *out = measured;
    return SS_OK;
}
