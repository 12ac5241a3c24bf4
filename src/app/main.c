/* Where it starts: the command line is read, its command run, and what went wrong is said once. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <unistd.h>

#include "core/version.h"
#include "help.h"
#include "options.h"
#include "output.h"
#include "talk.h"

/* A descriptor that was closed would be given to the next file opened, and be written to by mistake. */
static void keep_standard_descriptors(void) {
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
            _exit(SS_INTERNAL);
}

static enum ss_status answer(const struct options *options, struct error *error) {
    struct buffer out = { 0 };
    if (options->version)
        buffer_printf(&out, "%s\n", version_text());
    else
        help_put(&out, options->command);
    return output_buffer(options, &out, error);
}

int main(int argc, char **argv) {
    struct options options;
    struct error error = { 0 };
    keep_standard_descriptors();
    setlocale(LC_CTYPE, ""); /* numbers keep their decimal point */
    enum ss_status status = options_parse(argc, argv, &options, &error);
    if (status == SS_OK && (options.version || options.help))
        status = answer(&options, &error);
    else if (status == SS_OK)
        status = COMMAND_TABLE[options.command].run(&options, &error);
    if (status != SS_OK && error.text[0])
        talk_error(&error);
    options_free(&options);
    return (int)status;
}
