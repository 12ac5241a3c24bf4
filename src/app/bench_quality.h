/* bench_quality: how near plans come to the bound, over a grid of profiles, budgets and links. */
#ifndef SLACKSWAP_APP_BENCH_QUALITY_H
#define SLACKSWAP_APP_BENCH_QUALITY_H

#include "options.h"

enum ss_status bench_quality(const struct options *options, struct error *error);

#endif
