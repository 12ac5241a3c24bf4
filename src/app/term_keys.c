#define NCURSES_WIDECHAR 1
#include "term_keys.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    int code;
    struct key key;
} CODES[] = {
    { KEY_UP, { K_UP, 0 } },
    { KEY_DOWN, { K_DOWN, 0 } },
    { KEY_LEFT, { K_LEFT, 0 } },
    { KEY_RIGHT, { K_RIGHT, 0 } },
    { KEY_HOME, { K_HOME, 0 } },
    { KEY_END, { K_END, 0 } },
    { KEY_LL, { K_END, 0 } },
    { KEY_PPAGE, { K_PAGE_UP, 0 } },
    { KEY_NPAGE, { K_PAGE_DOWN, 0 } },
    { KEY_ENTER, { K_ENTER, 0 } },
    { KEY_BACKSPACE, { K_BACKSPACE, 0 } },
    { KEY_DC, { K_DELETE, 0 } },
    { KEY_IC, { K_INSERT, 0 } },
    { KEY_BTAB, { K_BACK_TAB, 0 } },
    /* the numeric keypad in application mode */
    { KEY_A1, { K_HOME, 0 } },
    { KEY_A3, { K_PAGE_UP, 0 } },
    { KEY_C1, { K_END, 0 } },
    { KEY_C3, { K_PAGE_DOWN, 0 } },
    { KEY_SR, { K_UP, MODIFIER_SHIFT } },
    { KEY_SF, { K_DOWN, MODIFIER_SHIFT } },
    { KEY_SLEFT, { K_LEFT, MODIFIER_SHIFT } },
    { KEY_SRIGHT, { K_RIGHT, MODIFIER_SHIFT } },
    { KEY_SHOME, { K_HOME, MODIFIER_SHIFT } },
    { KEY_SEND, { K_END, MODIFIER_SHIFT } },
    { KEY_SPREVIOUS, { K_PAGE_UP, MODIFIER_SHIFT } },
    { KEY_SNEXT, { K_PAGE_DOWN, MODIFIER_SHIFT } },
    { KEY_SDC, { K_DELETE, MODIFIER_SHIFT } },
    { KEY_SIC, { K_INSERT, MODIFIER_SHIFT } },
};

/* Terminfo's names of keys with modifiers: one of these and a digit, xterm's number of the modifiers. */
static const struct {
    const char *name;
    uint32_t code;
} EXTENDED[] = {
    { "kUP", K_UP },    { "kDN", K_DOWN },     { "kLFT", K_LEFT },      { "kRIT", K_RIGHT },   { "kHOM", K_HOME },
    { "kEND", K_END },  { "kPRV", K_PAGE_UP }, { "kNXT", K_PAGE_DOWN }, { "kDC", K_DELETE },   { "kIC", K_INSERT },
};

bool term_key_of_character(uint32_t character, struct key *out) {
    switch (character) {
    case '\r':
    case '\n': *out = (struct key){ K_ENTER, 0 }; return true;
    case '\t': *out = (struct key){ K_TAB, 0 }; return true;
    case '\b':
    case 0x7F: *out = (struct key){ K_BACKSPACE, 0 }; return true;
    case 0x1B: *out = (struct key){ K_ESCAPE, 0 }; return true;
    case 0: *out = (struct key){ ' ', MODIFIER_CONTROL }; return true;
    default: break;
    }
    if (character < ' ') {
        uint32_t letter = character + '@';
        *out = (struct key){ letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter, MODIFIER_CONTROL };
        return true;
    }
    *out = (struct key){ character, 0 };
    return character < 0x80 || (character >= 0xA0 && character < 0x110000);
}

static bool extended_key(int code, struct key *out) {
    const char *name = keyname(code);
    for (size_t i = 0; name && i < sizeof EXTENDED / sizeof EXTENDED[0]; i++) {
        size_t length = strlen(EXTENDED[i].name);
        if (strncmp(name, EXTENDED[i].name, length) != 0 || name[length] < '2' || name[length] > '8' || name[length + 1])
            continue;
        int bits = name[length] - '1'; /* 1 shift, 2 alt, 4 control */
        *out = (struct key){ EXTENDED[i].code,
                             (uint8_t)((bits & 1 ? MODIFIER_SHIFT : 0) | (bits & 2 ? MODIFIER_ALT : 0) |
                                       (bits & 4 ? MODIFIER_CONTROL : 0)) };
        return true;
    }
    return false;
}

bool term_key_of_code(int code, struct key *out) {
    for (size_t i = 0; i < sizeof CODES / sizeof CODES[0]; i++)
        if (CODES[i].code == code) {
            *out = CODES[i].key;
            return true;
        }
    /* terminfo counts function keys on through shift and control, twelve each */
    if (code >= KEY_F(1) && code <= KEY_F(36)) {
        static const uint8_t BANK[] = { 0, MODIFIER_SHIFT, MODIFIER_CONTROL };
        int number = code - KEY_F(1);
        *out = (struct key){ (uint32_t)(K_F1 + number % 12), BANK[number / 12] };
        return true;
    }
    return extended_key(code, out);
}
