/* base: what every room shares — status and message, arena, checked arithmetic, units.
 *
 * Units everywhere: time in microseconds (_us, double), size in bytes (_bytes, uint64_t below 2^53 per input,
 * sums below 2^63), rate in GB/s at the edges (_gb_per_s, 1 GB = 1e9 bytes) and bytes per microsecond inside
 * (1 GB/s = 1000 bytes/us). */
#ifndef SLACKSWAP_CORE_BASE_H
#define SLACKSWAP_CORE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a call ended. The values up to SS_INTERNAL are the program's exit statuses (INTERFACE.md §1). */
enum ss_status {
    SS_OK = 0,
    SS_NO = 1,        /* the answer is "no": infeasible, findings, plans differ */
    SS_USAGE = 2,     /* the caller asked for something that does not exist */
    SS_BAD_INPUT = 3, /* a profile, plan or other input breaks its contract */
    SS_INTERNAL = 4,  /* out of memory, a bug */
    SS_STOPPED = 5,   /* should_stop() said so; nothing was produced; never an exit status */
};

/* One formatted message, filled where the fault is found and shown once, by the app.
 * PLACE is a JSON path or "line N" when the fault lies in a file, otherwise empty. */
struct error {
    char place[256];
    char text[512];
};

/* Formats the message into ERROR (NULL is allowed: the message is dropped) and returns STATUS. */
enum ss_status error_set(struct error *error, enum ss_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Sets the place of the fault; the text stays. */
void error_place(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The message for "no memory left"; returns SS_INTERNAL. */
enum ss_status error_no_memory(struct error *error);

/* An arena: memory that is freed all at once. Zero-initialise it; arena_free() gives everything back and leaves
 * it usable again; arena_reset() forgets the contents and keeps the largest chunk for reuse.
 * Not thread-safe: one owner at a time. */
struct arena_chunk;
struct arena {
    struct arena_chunk *chunk; /* newest first */
};

/* COUNT zeroed objects of SIZE bytes, aligned for any type; NULL when memory is short or COUNT*SIZE overflows.
 * COUNT == 0 gives a valid pointer that must not be read. */
void *arena_alloc(struct arena *arena, size_t count, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
void arena_reset(struct arena *arena);
void arena_free(struct arena *arena);

#define ARENA_ARRAY(arena, type, count) ((type *)arena_alloc((arena), (count), sizeof(type)))

/* A + B in SUM; false (SUM untouched) when the sum would reach 2^63. */
bool bytes_add(uint64_t a, uint64_t b, uint64_t *sum);

/* The greatest divisor of both; the other one where one is 0. */
uint64_t common_divisor(uint64_t a, uint64_t b);

#define BYTES_LIMIT ((uint64_t)1 << 53) /* sizes in files are below this (MODEL.md §1) */
#define BYTES_UNLIMITED UINT64_MAX      /* "no budget" / "no limit" */
#define NONE UINT32_MAX                 /* "no op", "no tensor", "no step" */

static inline double gb_per_s_to_bytes_per_us(double rate) { return rate * 1e3; }

#endif
