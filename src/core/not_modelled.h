/* not_modelled: what the figures leave out (MODEL.md, "What is not"), so that nobody takes them for more than they are. One
 * list, which reports and the viewer's help show. */
#ifndef SLACKSWAP_CORE_NOT_MODELLED_H
#define SLACKSWAP_CORE_NOT_MODELLED_H

#define NOT_MODELLED_COUNT 6
extern const char *const NOT_MODELLED[NOT_MODELLED_COUNT]; /* a few words each */

#endif
