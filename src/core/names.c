#include "names.h"

#include <string.h>

/* FNV-1a over 64 bits, folded: names that differ in their last digit alone must not share a neighbourhood. */
static uint32_t hash(const char *name) {
    uint64_t state = UINT64_C(0xCBF29CE484222325);
    for (; *name; name++)
        state = (state ^ (unsigned char)*name) * UINT64_C(0x100000001B3);
    return (uint32_t)(state ^ state >> 32);
}

/* The slot of NAME, or the empty one where it belongs. There is always an empty one: see names_init and names_add. */
static uint32_t slot_of(const struct names *names, const char *name) {
    uint32_t slot = hash(name) & names->mask;
    while (names->name[slot] && strcmp(names->name[slot], name) != 0)
        slot = (slot + 1) & names->mask;
    return slot;
}

enum ss_status names_init(struct names *names, struct arena *arena, size_t count, struct error *error) {
    size_t slots = 8;
    if (count > (size_t)1 << 30)
        return error_set(error, SS_BAD_INPUT, "more than 2^30 names");
    while (slots < 2 * count)
        slots *= 2;
    *names = (struct names){ .name = ARENA_ARRAY(arena, const char *, slots),
                             .index = ARENA_ARRAY(arena, uint32_t, slots), .mask = (uint32_t)(slots - 1) };
    return names->name && names->index ? SS_OK : error_no_memory(error);
}

bool names_add(struct names *names, const char *name, uint32_t index) {
    uint32_t slot = slot_of(names, name);
    if (names->name[slot])
        return false;
    names->name[slot] = name;
    names->index[slot] = index;
    names->used++;
    return true;
}

static enum ss_status grow(struct names *names, struct arena *arena, struct error *error) {
    const struct names old = *names;
    enum ss_status status = names_init(names, arena, (size_t)old.used * 2, error);
    for (size_t slot = 0; status == SS_OK && slot <= old.mask; slot++)
        if (old.name[slot])
            names_add(names, old.name[slot], old.index[slot]);
    return status;
}

enum ss_status names_insert(struct names *names, struct arena *arena, const char *name, uint32_t index, bool *added,
                            struct error *error) {
    if (names->used > names->mask / 2) {
        enum ss_status status = grow(names, arena, error);
        if (status != SS_OK)
            return status;
    }
    *added = names_add(names, name, index);
    return SS_OK;
}

uint32_t names_find(const struct names *names, const char *name) {
    uint32_t slot = slot_of(names, name);
    return names->name[slot] ? names->index[slot] : NONE;
}
