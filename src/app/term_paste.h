/* term_paste: what is pasted. Asked for with PASTE_ON, a terminal puts it between ESC [ 200 ~ and ESC [ 201 ~ ("bracketed
 * paste"), so that it can be told from keys: text from elsewhere must not edit a plan, or quit. The reader keeps its place
 * between calls: over a slow line a paste comes in pieces. */
#ifndef SLACKSWAP_APP_TERM_PASTE_H
#define SLACKSWAP_APP_TERM_PASTE_H

#include <stdbool.h>

#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
#define PASTE_BEGINS 200 /* the number between ESC [ and ~ */

struct paste_reader {
    bool on;     /* what comes is pasted */
    int matched; /* characters of the end's mark that have come */
};

/* Takes one more character of a paste (0: something that is none). True when it is text, false for what belongs to the end's
 * mark, after which reader->on is false, and for control characters. */
bool paste_take(struct paste_reader *reader, unsigned long character);

#endif
