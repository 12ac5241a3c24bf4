/* Any bytes at all through every importer: each refuses them with a message, or makes a profile that can be planned. */
#include "exercise.h"
#include "io/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct import_file file = { .text = (const char *)data, .length = size, .name = "fuzz" };
    for (uint32_t i = 0; i < IMPORTER_COUNT; i++) {
        struct arena arena = { 0 };
        struct profile profile = { 0 };
        struct import_remarks remarks = { 0 };
        struct error error = { 0 };
        const enum ss_status status = IMPORTERS[i].import(&file, &arena, &profile, &remarks, &error);
        exercise_reading(status, &error);
        if (status == SS_OK)
            exercise_profile(&profile, NULL);
        arena_free(&arena);
    }
    return 0;
}
