/* import: a profile out of another program's recording. */
#include <string.h>

#include "io/file.h"
#include "io/import.h"
#include "io/profile_json.h"
#include "options.h"
#include "output.h"
#include "talk.h"

/* "folder/vgg16.graph.txt" is called "vgg16". */
static char *name_of(const char *path, struct arena *arena) {
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    if (strcmp(path, "-") == 0)
        return arena_strdup(arena, "imported");
    size_t length = base[0] == '.' ? strlen(base) : strcspn(base, ".");
    return arena_printf(arena, "%.*s", (int)length, base);
}

static const struct importer *choose(const struct options *options, const struct file_text *text, struct error *error) {
    if (options->importer)
        return options->importer;
    const struct importer *importer = importer_detect(text->text, text->length);
    if (!importer)
        error_set(error, SS_BAD_INPUT, "no known format; --from says which it is");
    return importer;
}

static void talk_remarks(const struct options *options, const struct import_remarks *remarks) {
    if (remarks->summary)
        talk_note(options, "%s", remarks->summary);
    for (uint32_t i = 0; i < remarks->warning_count; i++)
        talk_note(options, "%s", remarks->warnings[i]);
}

static enum ss_status import_text(const struct options *options, const struct file_text *text, struct arena *arena,
                                  struct profile *profile, struct error *error) {
    struct import_remarks remarks = { 0 };
    struct import_file file = { text->text, text->length, name_of(options->argument[0], arena), options->map };
    const struct importer *importer = choose(options, text, error);
    if (!importer)
        return SS_BAD_INPUT;
    if (options->map && !importer->takes_columns)
        return error_set(error, SS_USAGE, "--map is for tables, and this is %s", importer->name);
    if (!file.name)
        return error_no_memory(error);
    enum ss_status status = importer->import(&file, arena, profile, &remarks, error);
    if (status == SS_OK)
        talk_remarks(options, &remarks);
    return status;
}

enum ss_status cmd_import(const struct options *options, struct error *error) {
    struct arena arena = { 0 };
    struct file_text text;
    struct profile profile;
    const char *path = options->argument[0];
    enum ss_status status = file_read(path, &text, error);
    if (status == SS_OK) {
        status = import_text(options, &text, &arena, &profile, error);
        file_text_free(&text);
    }
    if (status == SS_BAD_INPUT)
        status = error_in_file(error, path, status);
    if (status == SS_OK)
        status = output_profile(options, &profile, error);
    arena_free(&arena);
    return status;
}
