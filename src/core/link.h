/* link: the host link of one GPU (MODEL.md §1 "link", §4 "Link options"). Rates in GB/s, 1 GB = 1e9 bytes. */
#ifndef SLACKSWAP_CORE_LINK_H
#define SLACKSWAP_CORE_LINK_H

#include <math.h>

#include "base.h"

/* Rates are > 0 and each both-way rate is at most its single one; latency_us >= 0. */
struct link {
    const char *name;
    double h2d_gb_per_s, d2h_gb_per_s;           /* while that direction alone moves bytes */
    double h2d_both_gb_per_s, d2h_both_gb_per_s; /* while both directions move bytes */
    double latency_us;                           /* a transfer holds its lane this long before it moves bytes */
};

enum link_duplex { DUPLEX_AS_IS, DUPLEX_FULL, DUPLEX_HALF };

/* Options in the order in which MODEL.md §4 applies them. NAN = not given; share 1 = not shared. */
struct link_options {
    double bandwidth_gb_per_s; /* h2d becomes this, the other three keep their ratio to it */
    double h2d_gb_per_s, d2h_gb_per_s;
    double h2d_both_gb_per_s, d2h_both_gb_per_s;
    enum link_duplex duplex;
    double latency_us;
    uint32_t share; /* N GPUs behind one switch: all four rates divided by N; 1..LINK_SHARE_MOST */
};

#define LINK_OPTIONS_NONE                                                                                              \
    ((struct link_options){ .bandwidth_gb_per_s = NAN, .h2d_gb_per_s = NAN, .d2h_gb_per_s = NAN,                       \
                            .h2d_both_gb_per_s = NAN, .d2h_both_gb_per_s = NAN, .duplex = DUPLEX_AS_IS,                \
                            .latency_us = NAN, .share = 1 })

/* What makes LINK of any other: every value said one by one. */
struct link_options link_options_of(const struct link *link);

#define LINK_SHARE_MOST 1024
/* Rates beyond these are refused with the ones that are not > 0: times computed from them would not stay finite. */
#define RATE_LEAST 1e-100
#define RATE_MOST 1e100

extern const struct link LINK_DEFAULT; /* pcie4-x16: 25 GB/s each way, 10 us */

/* All values the same; names don't matter. */
bool link_equal(const struct link *a, const struct link *b);

/* The field of LINK, as MODEL.md §1 names it, that is out of its range; NULL when all are in it. */
const char *link_fault(const struct link *link);

/* BASE after OPTIONS. SS_USAGE with a message that names the option when a rate is not > 0, a both-way rate exceeds
 * its single one, or the latency is negative or not finite. */
enum ss_status link_resolve(const struct link *base, const struct link_options *options, struct link *out,
                            struct error *error);

#endif
