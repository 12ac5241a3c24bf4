/* import_csv: profiles out of tables with one row a layer (MODEL.md §1, short form).
 *
 * The first line names the columns. A column is taken for a field when it is called like one ("forward_us",
 * "activation_mib"), when the table is of a known dialect (Aceso), or when the map says so: FIELD=COLUMN, parted by
 * commas. A field's name ends in its unit: times in us, ms, s; sizes in bytes, kb, mb, gb, kib, mib, gib.
 *
 *   name                     of the layer
 *   forward_*, backward_*    times
 *   activation_*             what the layer saves for its backward, its output left out
 *   output_*                 its output
 *   activation_and_output_*  both together, instead of activation; an output larger than this is cut down to it
 *   weight_*                 goes into static_bytes, and as much again for the gradients
 *   forward_workspace_*, backward_workspace_*
 *   repeat                   the row stands for so many; rows in a row with one count stand for so many blocks of them
 *
 * A map may also say repeat=FIRST..LAST*N: the rows from the one named FIRST to the one named LAST are a block that
 * comes N times. name, forward and backward are required; name of a repeated layer is NAME.00, NAME.01 …
 *
 * Cells may stand in quotes, quotes in them doubled; no cell holds a line end. */
#ifndef SLACKSWAP_IO_IMPORT_CSV_H
#define SLACKSWAP_IO_IMPORT_CSV_H

#include "import.h"

/* True when the first line names the columns that are required. */
bool import_csv_matches(const char *text, size_t length);

/* SS_USAGE, too: when file->columns (the map) names a field or a column that does not exist. */
enum ss_status import_csv(const struct import_file *file, struct arena *arena, struct profile *profile,
                          struct import_remarks *remarks, struct error *error);

/* Sums over the rows, each row once. */
struct csv_totals {
    uint32_t rows, layers; /* layers: with repeats */
    double forward_us, backward_us;
    double saved_bytes;    /* activations and outputs */
    double weight_bytes;
};
enum ss_status import_csv_totals(const struct import_file *file, struct arena *arena, struct profile *profile,
                                 struct import_remarks *remarks, struct csv_totals *totals, struct error *error);

#endif
