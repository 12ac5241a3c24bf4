/* help_state: what help tells beside the keys — terms of the glossary, and which of them are looked for. */
#ifndef SLACKSWAP_VIEW_HELP_STATE_H
#define SLACKSWAP_VIEW_HELP_STATE_H

#include <stdbool.h>
#include <stdint.h>

#define HELP_TERMS 16
#define HELP_QUERY_MAX 32 /* bytes, terminator included */

struct help_state {
    uint8_t term[HELP_TERMS]; /* told first (GLOSSARY): what the screen that help was opened over speaks of … */
    uint8_t count;
    bool asked;               /* … or the first one by name or by hand, and those that are related to it */
    bool finding;             /* a term is being typed */
    char query[HELP_QUERY_MAX]; /* typed: only the terms that it asks for are shown; "": everything */
};

#endif
