#include "letters.h"

char letter_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool letters_begin(const char *text, const char *word, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\0' || letter_lower(text[i]) != letter_lower(word[i]))
            return false;
    return true;
}

bool letters_hold(const char *text, const char *word, size_t length) {
    for (; *text != '\0'; text++)
        if (letters_begin(text, word, length))
            return true;
    return false;
}
