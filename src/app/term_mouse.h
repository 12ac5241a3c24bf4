/* term_mouse: reports of the mouse, as terminals write them between the keys.
 *
 * Asked for with MOUSE_ON, a terminal sends ESC [ < button ; column ; row M (m for a release), as xterm defined it, or,
 * where it does not know that form, ESC [ M and three bytes. The reader takes what follows "ESC [ <" or "ESC [ M" byte by
 * byte and keeps its place between calls: over a slow line a report comes in pieces. */
#ifndef SLACKSWAP_APP_TERM_MOUSE_H
#define SLACKSWAP_APP_TERM_MOUSE_H

#include "view/mouse.h"

#define MOUSE_ON "\033[?1002h\033[?1006h"  /* presses, releases, drags and the wheel; in decimal numbers */
#define MOUSE_OFF "\033[?1006l\033[?1002l"

enum mouse_form { MOUSE_NO_REPORT, MOUSE_DECIMAL, MOUSE_BYTES };
struct mouse_reader {
    enum mouse_form form;  /* of the report that is being read */
    int count;             /* numbers that are complete, or bytes */
    long number[3];
};

/* "ESC [ <" (MOUSE_DECIMAL) or "ESC [ M" (MOUSE_BYTES) has been read. */
void mouse_begin(struct mouse_reader *reader, enum mouse_form form);
/* Takes one more character. Returns true when it completed a report that means something, with OUT filled; whether more
 * belongs to the report is told by reader->form. A character that can't belong to it ends it. */
bool mouse_take(struct mouse_reader *reader, unsigned long character, struct mouse *out);

#endif
