/* key: keys as tmux writes them — "q", "Left", "C-r", "M-1", "F1" — in scripts, help and configuration alike. */
#ifndef SLACKSWAP_VIEW_KEY_H
#define SLACKSWAP_VIEW_KEY_H

#include "core/base.h"

/* A key is a character (its Unicode number) or one of these, with modifiers. Control letters are the lower-case letter
 * with MODIFIER_CONTROL; shifted characters are simply that character. */
enum key_code {
    K_UP = 0x110000, K_DOWN, K_LEFT, K_RIGHT, K_HOME, K_END, K_PAGE_UP, K_PAGE_DOWN,
    K_ENTER, K_ESCAPE, K_TAB, K_BACK_TAB, K_BACKSPACE, K_DELETE, K_INSERT,
    K_F1, K_F2, K_F3, K_F4, K_F5, K_F6, K_F7, K_F8, K_F9, K_F10, K_F11, K_F12,
};
enum key_modifier { MODIFIER_CONTROL = 1, MODIFIER_ALT = 2, MODIFIER_SHIFT = 4 };

struct key {
    uint32_t code;
    uint8_t modifiers;
};

static inline bool key_equal(struct key a, struct key b) { return a.code == b.code && a.modifiers == b.modifiers; }

#define KEY_TEXT 24
/* The key's name, at most KEY_TEXT bytes, terminated; returns TEXT. */
char *key_format(struct key key, char text[KEY_TEXT]);
/* Reads exactly one key from the LENGTH bytes at WORD; false when it names none. */
bool key_parse(const char *word, size_t length, struct key *out);
/* Reads a script: words parted by blanks, each a key, or several single characters run together ("jjK", "b50%"). A
 * run-together word may only hold characters that mean something (a bound key, or part of a value; between / and Enter
 * anything): otherwise it is SS_USAGE naming the word. KEYS lives in ARENA. */
enum ss_status keys_parse(const char *script, struct arena *arena, struct key **keys, size_t *count,
                          struct error *error);

#endif
