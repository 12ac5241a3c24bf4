/* Everything that some room must not do, in one object: tests/build/test_symbols.sh must name each of them. It is
 * compiled and looked at, never linked; so the libraries' functions are declared here as far as a symbol needs it. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void *cJSON_Parse(const char *text);
int endwin(void);
int inflate(void *stream, int flush);
long utf8proc_reencode(int *buffer, long length, int options);
int uv_run(void *loop, int mode);
int offend(const char *path);

int offended = 1;
int shared_offence;
static long offences[4];

int offend(const char *path) {
    struct timespec now;
    FILE *file = fopen(path, "r");
    clock_gettime(CLOCK_MONOTONIC, &now);
    offences[shared_offence++ & 3] += now.tv_nsec + offended++;
    fprintf(stderr, "%s\n", getenv("HOME"));
    printf("%ld\n", offences[endwin() & 3]);
    return file && cJSON_Parse(path) && inflate(file, 0) && utf8proc_reencode(&offended, 1, 0) && uv_run(file, 0);
}
