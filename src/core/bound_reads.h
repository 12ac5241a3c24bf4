/* bound_reads: what each op's closure reads, and what follows for when ops run again (bound.c, item 7). */
#ifndef SLACKSWAP_CORE_BOUND_READS_H
#define SLACKSWAP_CORE_BOUND_READS_H

#include "bound_windows.h"

/* Fills in read_at, read, reads_cut and natural; the leavers are there. Linear. */
enum ss_status reads_list(struct windows *windows, struct arena *arena, struct error *error);

#endif
