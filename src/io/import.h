/* import: profiles out of other people's files. One importer a format, one entry in IMPORTERS; a file's format is told
 * by its content. An importer reads the whole text and fills a finished profile; it decides what each op's backward
 * saves where the format does not say, and writes that down in the profile's source. */
#ifndef SLACKSWAP_IO_IMPORT_H
#define SLACKSWAP_IO_IMPORT_H

#include "core/base.h"
#include "core/profile.h"

struct import_file {
    const char *text; /* LENGTH bytes, any bytes, not terminated */
    size_t length;
    const char *name; /* for the profile: the file's name without folder and ending */
    const char *columns; /* of a table: which column is which field (import_csv.h); NULL: as the header says */
};

#define IMPORT_WARNINGS 8
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
    bool (*matches)(const char *text, size_t length);
    /* SS_BAD_INPUT with error place "line N" when the file breaks its format. PROFILE lives in ARENA. */
    enum ss_status (*import)(const struct import_file *file, struct arena *arena, struct profile *profile,
                             struct import_remarks *remarks, struct error *error);
};
extern const struct importer IMPORTERS[];
extern const uint32_t IMPORTER_COUNT;

const struct importer *importer_find(const char *name);
/* The first importer that knows the text by its content; NULL when none does. */
const struct importer *importer_detect(const char *text, size_t length);

#endif
