/* mend: the fewest changes that make a plan fit. */
#ifndef SLACKSWAP_CORE_MEND_H
#define SLACKSWAP_CORE_MEND_H

#include "checker.h"

/* Makes the checker's plan fit, if it does not, with few changes. WORK is equal to it at first and becomes what was
 * found; TOTALS are WORK's. False when nothing was found. */
bool mend_fit(struct checker *checker, struct plan *work, struct sim_totals *totals);
/* The same as a fix; NULL when there is none. */
struct fix *mend_fix(struct checker *checker);

#endif
