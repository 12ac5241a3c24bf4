/* Any bytes at all as a configuration file, each of its values as that of its option, as a theme, and as keys to press: each
 * is refused with a message or taken. */
#include <stdlib.h>
#include <string.h>

#include "app/config_file.h"
#include "exercise.h"
#include "view/key.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect_message(enum ss_status status, const struct error *error) {
    if (status != SS_OK && ((status != SS_BAD_INPUT && status != SS_USAGE) || !*error->text))
        abort();
}

static void take_values(const struct config_file *file, enum command_id command) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        struct options options = { .command = command, .settings = settings_default() };
        struct error error = { 0 };
        if (file->value[id] && id != OPTION_theme) /* which would read files */
            expect_message(option_take((enum option_id)id, &options, file->value[id], &error), &error);
        arena_free(&options.arena);
    }
}

static void check_text(const char *text, size_t size) {
    struct arena arena = { 0 };
    struct config_file file = { .path = "config" };
    struct theme theme;
    struct key *keys;
    size_t count;
    struct error error = { 0 };
    enum ss_status status = config_file_parse(text, size, &arena, &file, &error);
    expect_message(status, &error);
    if (status == SS_OK) {
        take_values(&file, COMMAND_PLAN);
        take_values(&file, COMMAND_SWEEP);
    }
    expect_message(theme_parse(text, size, "fuzz", &arena, &theme, &error), &error);
    expect_message(keys_parse(text, &arena, &keys, &count, &error), &error);
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    check_text(text, size);
    free(text);
    return 0;
}
