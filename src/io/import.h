/* import: profiles out of other people's files. One importer a format, one entry in IMPORTERS; a file's format is told
 * by its content. An importer reads the whole file and fills a finished profile; it decides what each op's backward
 * saves where the format does not say, and writes that down in the profile's source. */
#ifndef SLACKSWAP_IO_IMPORT_H
#define SLACKSWAP_IO_IMPORT_H

#include "core/base.h"
#include "core/profile.h"

struct stream;

struct import_file {
    const char *text; /* LENGTH bytes, any bytes, not terminated */
    size_t length;
    const char *name; /* for the profile: the file's name without folder and ending */
    const char *columns; /* of a table: which column is which field (import_csv.h); NULL: as the header says */
    struct stream *stream; /* what comes behind the text, for an importer that reads_on; NULL: nothing */
    const int64_t *step; /* of a trace: the number of the step to take; NULL: the last whole one */
    const int64_t *device; /* of a trace: the GPU to take; NULL: the one that works most in the step */
    void (*progress)(void *context, uint64_t bytes); /* told now and then how much is read; may be NULL */
    void *progress_context;
};

#define IMPORT_WARNINGS 12
/* What a user should know about the import, for stderr. Texts live in the profile's arena. */
struct import_remarks {
    const char *summary;                   /* the totals that the file holds, one line */
    const char *warnings[IMPORT_WARNINGS]; /* what had to be guessed or left out, with counts */
    uint32_t warning_count;
};

struct importer {
    const char *name;  /* as typed after --from */
    const char *words; /* what it reads, for help */
    bool takes_columns; /* import_file.columns means something to it */
    bool takes_step;    /* import_file.step and device do */
    bool reads_on;      /* it reads import_file.stream, and needs no more than IMPORT_HEAD bytes at first */
    bool (*matches)(const char *text, size_t length);
    /* SS_BAD_INPUT with error place "line N" when the file breaks its format. PROFILE lives in ARENA. */
    enum ss_status (*import)(const struct import_file *file, struct arena *arena, struct profile *profile,
                             struct import_remarks *remarks, struct error *error);
};
#define IMPORT_HEAD 65536 /* bytes from the start of a file that are enough to tell its format */
extern const struct importer IMPORTERS[];
extern const uint32_t IMPORTER_COUNT;

const struct importer *importer_find(const char *name);
/* The first importer that knows the text by its content; NULL when none does. */
const struct importer *importer_detect(const char *text, size_t length);

#endif
