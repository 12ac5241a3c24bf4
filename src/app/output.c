#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "io/file.h"
#include "io/profile_json.h"
#include "talk.h"

enum ss_status output_print(const char *data, size_t length, struct error *error) {
    if (fwrite(data, 1, length, stdout) == length && fflush(stdout) == 0)
        return SS_OK;
    if (errno == EPIPE) /* a reader that went away is no news */
        return SS_INTERNAL;
    error_set(error, SS_INTERNAL, "can't be written: %s", strerror(errno));
    error_place(error, "standard output");
    return SS_INTERNAL;
}

enum ss_status output_write(const struct options *options, const char *data, size_t length, struct error *error) {
    if (!options->output || strcmp(options->output, "-") == 0)
        return output_print(data, length, error);
    enum ss_status status = file_write(options->output, data, length, error);
    return status == SS_OK ? SS_OK : error_in_file(error, options->output, status);
}

enum ss_status output_buffer(const struct options *options, struct buffer *buffer, struct error *error) {
    enum ss_status status = buffer_status(buffer, error);
    if (status == SS_OK)
        status = output_write(options, buffer->text, buffer->length, error);
    buffer_free(buffer);
    return status;
}

enum ss_status output_profile(const struct options *options, const struct profile *profile, struct error *error) {
    struct buffer out = { 0 };
    profile_json_write(&out, profile);
    return output_buffer(options, &out, error);
}

enum ss_status output_result(const struct options *options, const struct outcome *outcome,
                             const struct report_extras *extras, struct error *error) {
    struct buffer out = { 0 };
    if (options->json)
        report_json(&out, outcome, extras);
    else
        report_text(&out, outcome, extras);
    enum ss_status status = buffer_status(&out, error);
    if (status == SS_OK)
        status = output_print(out.text, out.length, error);
    buffer_free(&out);
    return status;
}
