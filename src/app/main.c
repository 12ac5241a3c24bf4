#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "core/version.h"

int main(int argc, char **argv)
{
    if (argc == 2 && (strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "--version") == 0)) {
        puts(version_text());
        return SS_OK;
    }
    fputs("usage: slackswap -V\n", stderr);
    return SS_USAGE;
}
