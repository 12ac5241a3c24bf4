#include "key.h"

#include <stdio.h>
#include <string.h>

#include "action.h"
#include "core/sanitise.h"
#include "text.h"

static const struct {
    const char *name;
    unsigned long code;
} NAMED[] = {
    /* the first name of a code is the one shown */
    { "Up", K_UP },           { "Down", K_DOWN },        { "Left", K_LEFT },       { "Right", K_RIGHT },
    { "Home", K_HOME },       { "End", K_END },          { "PPage", K_PAGE_UP },   { "NPage", K_PAGE_DOWN },
    { "PageUp", K_PAGE_UP },  { "PageDown", K_PAGE_DOWN }, { "PgUp", K_PAGE_UP },  { "PgDn", K_PAGE_DOWN },
    { "Enter", K_ENTER },     { "Escape", K_ESCAPE },    { "Esc", K_ESCAPE },      { "Tab", K_TAB },
    { "BTab", K_BACK_TAB },   { "BSpace", K_BACKSPACE }, { "DC", K_DELETE },       { "Delete", K_DELETE },
    { "IC", K_INSERT },       { "Insert", K_INSERT },    { "Space", ' ' },         { "F1", K_F1 },
    { "F2", K_F2 },           { "F3", K_F3 },            { "F4", K_F4 },           { "F5", K_F5 },
    { "F6", K_F6 },           { "F7", K_F7 },            { "F8", K_F8 },           { "F9", K_F9 },
    { "F10", K_F10 },         { "F11", K_F11 },          { "F12", K_F12 },
};
#define NAMED_COUNT (sizeof NAMED / sizeof NAMED[0])

char *key_format(struct key key, char text[KEY_TEXT]) {
    char character[5] = "";
    const char *name = NULL;
    for (size_t i = 0; i < NAMED_COUNT && name == NULL; i++)
        if (NAMED[i].code == key.code)
            name = NAMED[i].name;
    if (name == NULL) {
        if (key.code < 0x110000)
            text_encode(key.code, character);
        name = character;
    }
    if (key.modifiers == 0) /* most keys: drawn in every frame */
        return strcpy(text, name);
    snprintf(text, KEY_TEXT, "%s%s%s%s", key.modifiers & MODIFIER_CONTROL ? "C-" : "",
             key.modifiers & MODIFIER_ALT ? "M-" : "", key.modifiers & MODIFIER_SHIFT ? "S-" : "", name);
    return text;
}

static bool modifier(char letter, uint8_t *out) {
    switch (letter) {
    case 'C': *out = MODIFIER_CONTROL; return true;
    case 'M': *out = MODIFIER_ALT; return true;
    case 'S': *out = MODIFIER_SHIFT; return true;
    default: return false;
    }
}

bool key_parse(const char *word, size_t length, struct key *out) {
    uint8_t modifiers = 0, bit;
    while (length > 2 && word[1] == '-' && modifier(word[0], &bit)) {
        modifiers |= bit;
        word += 2;
        length -= 2;
    }
    for (size_t i = 0; length > 1 && i < NAMED_COUNT; i++) /* most keys are a character, and no name is */
        if (strlen(NAMED[i].name) == length && memcmp(NAMED[i].name, word, length) == 0) {
            *out = (struct key){ NAMED[i].code, modifiers };
            return true;
        }
    char copy[5] = "";
    unsigned long code;
    if (length == 0 || length > 4)
        return false;
    memcpy(copy, word, length);
    if (utf8_decode(copy, &code) != length || code < ' ' || code == 0x7F)
        return false;
    if ((modifiers & MODIFIER_CONTROL) && code >= 'A' && code <= 'Z')
        code += 'a' - 'A';
    *out = (struct key){ (uint32_t)code, modifiers };
    return true;
}

/* A character that may stand in a value of a knob: digits, units, "full", "half", "none". */
static bool is_value_character(char c) {
    return strchr("0123456789.%/kKMGTiBmusfulhanoe", c) != NULL;
}

/* Whether each character of the run-together word means something; "C-…" is a key that was misspelt, not a run. While a
 * name is typed (NAMING) any character does. */
static bool is_run(const char *word, size_t length, bool naming) {
    uint8_t bit;
    if (length >= 2 && word[1] == '-' && modifier(word[0], &bit))
        return false;
    for (size_t i = 0; i < length; i++) {
        struct key key = { (unsigned char)word[i], 0 };
        if (word[i] <= ' ' || word[i] >= 0x7F || (!naming && !key_is_bound(key) && !is_value_character(word[i])))
            return false;
    }
    return true;
}

static size_t skip_blanks(const char *text) {
    return strspn(text, " \t\r\n");
}
static size_t word_length(const char *text) {
    return strcspn(text, " \t\r\n");
}

enum ss_status keys_parse(const char *script, struct arena *arena, struct key **keys, size_t *count,
                          struct error *error) {
    struct key *out = ARENA_ARRAY(arena, struct key, strlen(script));
    size_t used = 0;
    bool naming = false; /* between / or : and Enter anything may be typed */
    if (out == NULL)
        return error_no_memory(error);
    for (const char *word = script + skip_blanks(script); *word != '\0'; word += skip_blanks(word)) {
        size_t length = word_length(word);
        if (key_parse(word, length, &out[used])) {
            used++;
        } else if (is_run(word, length, naming)) {
            for (size_t i = 0; i < length; i++)
                out[used++] = (struct key){ (unsigned char)word[i], 0 };
        } else {
            return error_set(error, SS_USAGE,
                             "unknown key \"%.*s\": expected keys as tmux writes them, such as b 5 0 %% Enter Left C-r",
                             (int)length, word);
        }
        naming = used > 0 && out[used - 1].code != K_ENTER && out[used - 1].code != K_ESCAPE &&
                 (naming || memchr(word, '/', length) != NULL || memchr(word, ':', length) != NULL);
        word += length;
    }
    *keys = out;
    *count = used;
    return SS_OK;
}
