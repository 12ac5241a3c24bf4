#include "base.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sanitise.h"

/* Messages quote names out of files: they are made harmless here, once for everybody. */
static void format_safely(char *out, size_t size, const char *format, va_list arguments) {
    char raw[512];
    vsnprintf(raw, sizeof raw, format, arguments);
    sanitise(out, size, raw);
}

enum ss_status error_set(struct error *error, enum ss_status status, const char *format, ...) {
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->place[0] = '\0';
        format_safely(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

void error_place(struct error *error, const char *format, ...) {
    if (!error)
        return;
    va_list arguments;
    va_start(arguments, format);
    format_safely(error->place, sizeof error->place, format, arguments);
    va_end(arguments);
}

enum ss_status error_no_memory(struct error *error) {
    return error_set(error, SS_INTERNAL, "out of memory");
}

#define CHUNK_LEAST ((size_t)16 << 10)
#define CHUNK_MOST ((size_t)4 << 20) /* chunks double up to here */

struct arena_chunk {
    struct arena_chunk *older;
    size_t size, used; /* bytes of data */
    alignas(max_align_t) unsigned char data[];
};

static bool is_full(const struct arena_chunk *chunk, size_t bytes) {
    return !chunk || bytes > chunk->size - chunk->used;
}

static struct arena_chunk *add_chunk(struct arena *arena, size_t bytes) {
    size_t size = CHUNK_LEAST;
    if (arena->chunk && arena->chunk->size < CHUNK_MOST)
        size = arena->chunk->size * 2;
    else if (arena->chunk)
        size = CHUNK_MOST;
    if (size < bytes)
        size = bytes;
    if (size > SIZE_MAX - sizeof(struct arena_chunk))
        return NULL;
    struct arena_chunk *chunk = malloc(sizeof *chunk + size);
    if (!chunk)
        return NULL;
    *chunk = (struct arena_chunk){ .older = arena->chunk, .size = size };
    return arena->chunk = chunk;
}

void *arena_alloc(struct arena *arena, size_t count, size_t size) {
    const size_t align = alignof(max_align_t);
    if (size != 0 && count > (SIZE_MAX - align) / size)
        return NULL;
    size_t bytes = (count * size + align - 1) / align * align;
    struct arena_chunk *chunk = arena->chunk;
    if (is_full(chunk, bytes))
        chunk = add_chunk(arena, bytes);
    if (!chunk)
        return NULL;
    void *place = chunk->data + chunk->used;
    chunk->used += bytes;
    return memset(place, 0, bytes);
}

char *arena_strdup(struct arena *arena, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = arena_alloc(arena, size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

char *arena_printf(struct arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : arena_alloc(arena, (size_t)length + 1, 1);
    if (text) {
        va_start(arguments, format);
        vsnprintf(text, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    return text;
}

static void free_chunks(struct arena *arena, const struct arena_chunk *kept) {
    struct arena_chunk *chunk = arena->chunk;
    while (chunk) {
        struct arena_chunk *older = chunk->older;
        if (chunk != kept)
            free(chunk);
        chunk = older;
    }
}

void arena_reset(struct arena *arena) {
    struct arena_chunk *largest = arena->chunk;
    for (struct arena_chunk *chunk = arena->chunk; chunk; chunk = chunk->older)
        if (chunk->size > largest->size)
            largest = chunk;
    free_chunks(arena, largest);
    arena->chunk = largest;
    if (largest) {
        largest->older = NULL;
        largest->used = 0;
    }
}

void arena_free(struct arena *arena) {
    free_chunks(arena, NULL);
    arena->chunk = NULL;
}

bool bytes_add(uint64_t a, uint64_t b, uint64_t *sum) {
    const uint64_t limit = (uint64_t)1 << 63;
    if (a >= limit || b >= limit - a)
        return false;
    *sum = a + b;
    return true;
}

uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
