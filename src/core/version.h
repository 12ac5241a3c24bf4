/* version: what the program calls itself. */
#ifndef SLACKSWAP_CORE_VERSION_H
#define SLACKSWAP_CORE_VERSION_H

const char *version_text(void); /* "slackswap 0.1.0" */

#endif
