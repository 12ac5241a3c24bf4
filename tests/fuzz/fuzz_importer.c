/* Any bytes at all through one importer, the one called FUZZED: it refuses them with a message, or makes a profile that can
 * be planned. Lines "%step N", "%device N" and "%map FIELD=COLUMN,…" in front say what the options would. */
#include <stdlib.h>
#include <string.h>

#include "exercise.h"
#include "io/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Takes the line in front of TEXT if it begins with KEY; its rest is in VALUE (SIZE bytes), TEXT what comes behind. */
static bool take_line(const char **text, size_t *length, const char *key, char *value, size_t size) {
    const size_t named = strlen(key);
    const char *end = memchr(*text, '\n', *length);
    if (*length < named || memcmp(*text, key, named) != 0 || !end || (size_t)(end - *text) - named >= size)
        return false;
    memcpy(value, *text + named, (size_t)(end - *text) - named);
    value[(size_t)(end - *text) - named] = '\0';
    *length -= (size_t)(end + 1 - *text);
    *text = end + 1;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena arena = { 0 };
    struct profile profile = { 0 };
    struct import_remarks remarks = { 0 };
    struct error error = { 0 };
    struct import_file file = { .name = "fuzz" };
    const char *text = (const char *)data;
    char step[32], device[32], map[256];
    int64_t step_number, device_number;
    if (take_line(&text, &size, "%step ", step, sizeof step)) {
        step_number = atoll(step);
        file.step = &step_number;
    }
    if (take_line(&text, &size, "%device ", device, sizeof device)) {
        device_number = atoll(device);
        file.device = &device_number;
    }
    if (take_line(&text, &size, "%map ", map, sizeof map))
        file.columns = map;
    char *copy = malloc(size ? size : 1); /* of its own size, so that a byte too far is seen */
    memcpy(copy, text, size);
    file.text = copy;
    file.length = size;
    const enum ss_status status = importer_find(FUZZED)->import(&file, &arena, &profile, &remarks, &error);
    if (status != SS_USAGE || !*error.text) /* a step, a GPU or a column that is not there */
        exercise_reading(status, &error);
    if (status == SS_OK)
        exercise_profile(&profile, NULL);
    arena_free(&arena);
    free(copy);
    return 0;
}
