#include "commands.h"

#include <string.h>

const struct command COMMAND_TABLE[COMMAND_COUNT] = {
#define X(id, name, arguments, least, most, summary, example)                                                           \
    [COMMAND_##id] = { #name, arguments, summary, example, least, most, cmd_##name },
    COMMANDS(X)
#undef X
};

enum command_id command_find(const char *name) {
    int id = 0;
    while (id < COMMAND_COUNT && strcmp(COMMAND_TABLE[id].name, name) != 0)
        id++;
    return (enum command_id)id;
}
