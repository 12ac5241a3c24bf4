/* palette_of: a theme's colours as pictures want them. */
#ifndef SLACKSWAP_APP_PALETTE_OF_H
#define SLACKSWAP_APP_PALETTE_OF_H

#include "io/palette.h"
#include "view/theme.h"

/* Areas are called as the roles are that they show; where a theme leaves a colour to the terminal, its foreground or
 * background stands for it. */
void palette_of(const struct theme *theme, struct palette *out);

#endif
