/* help: the overlay that lists keys (from the action table), what the glyphs mean, and what is not modelled. */
#ifndef SLACKSWAP_VIEW_HELP_H
#define SLACKSWAP_VIEW_HELP_H

struct canvas;

void draw_help(const struct canvas *canvas);
/* How far help can scroll on a screen of WIDTH x HEIGHT. */
int help_scroll_last(int width, int height);

#endif
