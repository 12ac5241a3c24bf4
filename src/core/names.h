/* names: which index a name has. Open-addressing table over strings that the caller keeps alive. */
#ifndef SLACKSWAP_CORE_NAMES_H
#define SLACKSWAP_CORE_NAMES_H

#include "base.h"

struct names {
    const char **name;  /* slot -> string, NULL when empty */
    uint32_t *index;    /* slot -> index given at insertion */
    uint32_t mask, used;
};

/* A table for up to COUNT names, in ARENA. */
enum ss_status names_init(struct names *names, struct arena *arena, size_t count, struct error *error);
/* Adds NAME (kept by reference). Returns false when it is there already. */
bool names_add(struct names *names, const char *name, uint32_t index);
/* The same for a table whose size nobody knew: it moves to a larger one in ARENA when it is half full. ADDED tells
 * whether NAME was new. */
enum ss_status names_insert(struct names *names, struct arena *arena, const char *name, uint32_t index, bool *added,
                            struct error *error);
/* The index of NAME, or NONE. */
uint32_t names_find(const struct names *names, const char *name);

#endif
