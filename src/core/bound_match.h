/* bound_match: the small game of the paths and answers seen so far: good mixtures of either. */
#ifndef SLACKSWAP_CORE_BOUND_MATCH_H
#define SLACKSWAP_CORE_BOUND_MATCH_H

#include "bound_table.h"

/* Both set the weights of the paths and the odds of the answers. Whatever they are, what is concluded from them holds. */

/* The best mixtures, where one of few paths and answers does. */
void match_exactly(struct table *t);
/* Ones that are better the more MATCHES are played, with a little of much. */
void match_often(struct table *t, uint32_t matches);

#endif
