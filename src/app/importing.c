/* importing: see importing.h. */
#include "importing.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/buffer.h"
#include "io/file.h"
#include "io/import.h"
#include "io/profile_json.h"
#include "io/stream.h"
#include "talk.h"

#define PROGRESS_STEP ((uint64_t)4 << 20) /* bytes between two words */

/* "folder/vgg16.graph.txt" is called "vgg16". */
static char *name_of(const char *path, struct arena *arena) {
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    if (strcmp(path, "-") == 0)
        return arena_strdup(arena, "imported");
    size_t length = base[0] == '.' ? strlen(base) : strcspn(base, ".");
    return arena_printf(arena, "%.*s", (int)length, base);
}

static enum ss_status choose(const struct options *options, const struct buffer *head, const struct importer **importer,
                             struct error *error) {
    *importer = options->importer ? options->importer : importer_detect(head->text, head->length);
    if (!*importer)
        return error_set(error, SS_BAD_INPUT, "expected a trace of torch.profiler, a graph of PipeDream or a table of layers, found none of these; "
                         "--from csv and --map read other tables");
    if (options->map && !(*importer)->takes_columns)
        return error_set(error, SS_USAGE, "--map is for tables, and this is %s", (*importer)->name);
    if (options->source[OPTION_step] != SOURCE_DEFAULT && !(*importer)->takes_step)
        return error_set(error, SS_USAGE, "--step is for traces, and this is %s", (*importer)->name);
    if (options->source[OPTION_device] != SOURCE_DEFAULT && !(*importer)->takes_step)
        return error_set(error, SS_USAGE, "--device is for traces, and this is %s", (*importer)->name);
    return SS_OK;
}

/* Appends up to LENGTH bytes of STREAM to TEXT. */
static enum ss_status read_more(struct stream *stream, struct buffer *text, size_t length, struct error *error) {
    char block[16384];
    size_t got = 1;
    enum ss_status status = SS_OK;
    while (status == SS_OK && got > 0 && length > 0) {
        status = stream_read(stream, block, length < sizeof block ? length : sizeof block, &got, error);
        buffer_put(text, block, got);
        length -= got;
    }
    return status == SS_OK ? buffer_status(text, error) : status;
}

static void show_progress(void *context, uint64_t bytes) {
    uint64_t *shown = context;
    if (bytes < *shown + PROGRESS_STEP)
        return;
    *shown = bytes;
    fprintf(stderr, "\rslackswap: %llu MiB read", (unsigned long long)(bytes >> 20));
}

static void talk_remarks(const struct options *options, const struct import_remarks *remarks) {
    if (remarks->summary)
        talk_note(options, "%s", remarks->summary);
    for (uint32_t i = 0; i < remarks->warning_count; i++)
        talk_note(options, "%s", remarks->warnings[i]);
}

static enum ss_status import_stream(const struct options *options, const char *path, struct stream *stream,
                                    struct buffer *text, struct arena *arena, struct profile *profile,
                                    struct error *error) {
    struct import_remarks remarks = { 0 };
    struct import_file file = { .name = name_of(path, arena), .columns = options->map };
    const struct importer *importer;
    const int64_t step = (int64_t)options->step, device = (int64_t)options->device;
    uint64_t shown = 0;
    enum ss_status status = choose(options, text, &importer, error);
    if (status == SS_OK && !importer->reads_on)
        status = read_more(stream, text, FILE_BYTES_MOST, error);
    if (status == SS_OK && !importer->reads_on && text->length > FILE_BYTES_MOST)
        status = error_set(error, SS_BAD_INPUT, "can't be read: it has more than %zu MiB", FILE_BYTES_MOST >> 20);
    if (status != SS_OK)
        return status;
    if (!file.name)
        return error_no_memory(error);
    file.text = text->text ? text->text : "";
    file.length = text->length;
    file.stream = importer->reads_on ? stream : NULL;
    file.step = options->source[OPTION_step] != SOURCE_DEFAULT ? &step : NULL;
    file.device = options->source[OPTION_device] != SOURCE_DEFAULT ? &device : NULL;
    file.progress = !options->quiet && isatty(STDERR_FILENO) ? show_progress : NULL;
    file.progress_context = &shown;
    status = importer->import(&file, arena, profile, &remarks, error);
    if (shown > 0)
        fprintf(stderr, "\r%32s\r", "");
    if (status == SS_OK)
        talk_remarks(options, &remarks);
    return status;
}

enum ss_status import_file(const struct options *options, const char *path, struct arena *arena,
                           struct profile *profile, struct error *error) {
    struct buffer text = { 0 };
    struct stream stream;
    enum ss_status status = stream_open(&stream, path, error);
    if (status == SS_OK) {
        status = read_more(&stream, &text, IMPORT_HEAD, error);
        if (status == SS_OK)
            status = import_stream(options, path, &stream, &text, arena, profile, error);
        stream_close(&stream);
        buffer_free(&text);
    }
    return status == SS_BAD_INPUT ? error_in_file(error, path, status) : status;
}

bool import_knows(const char *path) {
    struct buffer text = { 0 };
    struct stream stream;
    bool known = false;
    if (file_check_regular(path, NULL) == SS_OK && stream_open(&stream, path, NULL) == SS_OK) {
        known = read_more(&stream, &text, IMPORT_HEAD, NULL) == SS_OK && importer_detect(text.text, text.length);
        stream_close(&stream);
        buffer_free(&text);
    }
    return known;
}
