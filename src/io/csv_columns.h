/* csv_columns: which column of a table is which field of a layer, and in which unit (import_csv.h). */
#ifndef SLACKSWAP_IO_CSV_COLUMNS_H
#define SLACKSWAP_IO_CSV_COLUMNS_H

#include "core/base.h"
#include "lines.h"

enum csv_field {
    CSV_NAME, CSV_FORWARD, CSV_BACKWARD, CSV_ACTIVATION_AND_OUTPUT, CSV_ACTIVATION, CSV_OUTPUT, CSV_WEIGHT,
    CSV_FORWARD_WORKSPACE, CSV_BACKWARD_WORKSPACE, CSV_REPEAT, CSV_FIELD_COUNT
};
extern const char *const CSV_FIELD_NAME[CSV_FIELD_COUNT]; /* without the unit */

struct csv_column { uint32_t at; double scale; }; /* at NONE: no such column; scale: to us or bytes */

/* repeat=FIRST..LAST*N */
struct csv_block { struct piece first, last; uint32_t times; };
#define CSV_LARGEST_REPEAT 100000
#define CSV_BLOCKS 16

#define CSV_LARGEST_ROW 256 /* cells */
struct csv_columns {
    uint32_t count;          /* cells of every row */
    struct csv_column field[CSV_FIELD_COUNT];
    const char *dialect;     /* NULL: none of the known ones */
    double failed_us;        /* what the dialect writes as the time of an op that failed; NAN: nothing */
    struct csv_block blocks[CSV_BLOCKS];
    uint32_t block_count;
};

/* Finds the columns in HEADER, the first line, then as MAP (or NULL) says. SS_USAGE for a map that is wrong, SS_BAD_INPUT
 * with place "line 1" for a header without the required fields. Borrows MAP. */
enum ss_status csv_columns_find(struct csv_columns *columns, struct piece header, const char *map, struct arena *arena,
                                struct error *error);

/* Splits LINE into cells, blanks around them dropped, quotes undone (in ARENA). COUNT may exceed CSV_LARGEST_ROW: so many
 * there are. SS_BAD_INPUT, without a place, for a quote that is not closed. */
enum ss_status csv_cells(struct piece line, struct piece cells[CSV_LARGEST_ROW], uint32_t *count, struct arena *arena,
                         struct error *error);

#endif
