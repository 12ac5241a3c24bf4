/* term_keys: what curses reads, as keys. */
#ifndef SLACKSWAP_APP_TERM_KEYS_H
#define SLACKSWAP_APP_TERM_KEYS_H

#include "view/key.h"

/* A character as read from the terminal (a control character among them); false when it is no key. */
bool term_key_of_character(uint32_t character, struct key *out);
/* A code of curses (KEY_LEFT, or one that terminfo defines by a name such as kLFT5); false when it is no key. */
bool term_key_of_code(int code, struct key *out);

#endif
