/* bench_paper: the figures of the paper that slackswap is named after, beside ours. */
#ifndef SLACKSWAP_APP_BENCH_PAPER_H
#define SLACKSWAP_APP_BENCH_PAPER_H

#include "options.h"

enum ss_status bench_paper(const struct options *options, struct error *error);

#endif
