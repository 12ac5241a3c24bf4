/* inspect: the lines of the inspector, whatever the place they are drawn in. */
#ifndef SLACKSWAP_VIEW_INSPECT_H
#define SLACKSWAP_VIEW_INSPECT_H

#include "grid.h"
#include "state.h"

#define INSPECT_LABEL 8    /* columns of the label before each line */
#define INSPECT_LINES 60
#define INSPECT_WIDTH 150  /* columns of text at most: longer lines are hard to read */
#define INSPECT_BYTES 640

struct inspect_line {
    const char *label; /* "" for the second and later lines of one paragraph */
    char text[INSPECT_BYTES];
};
struct inspect_text {
    struct inspect_line line[INSPECT_LINES];
    int count;
};

/* Says all about the selection, wrapped to WIDTH columns (labels included). */
void inspect_lines(const struct view_state *state, const struct scene *scene, int width, struct inspect_text *out);
/* The same as plain text, a paragraph a line, in ARENA: for the clipboard. NULL when memory is short. */
char *inspect_copy(const struct view_state *state, const struct scene *scene, struct arena *arena);
/* How far the inspector can scroll in RECT (its first row is the title). */
int inspector_scroll_last(const struct view_state *state, const struct scene *scene, struct rect rect);

#endif
