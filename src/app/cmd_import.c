/* import: a profile out of another program's recording. */
#include "importing.h"
#include "output.h"

enum ss_status cmd_import(const struct options *options, struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    enum ss_status status = import_file(options, options->argument[0], &arena, &profile, error);
    if (status == SS_OK)
        status = output_profile(options, &profile, error);
    arena_free(&arena);
    return status;
}
