/* glob: see glob.h. */
#include "glob.h"

#include <stddef.h>
#include <string.h>

#include "sanitise.h"

bool glob_is_pattern(const char *text) { return strpbrk(text, "*?[") != NULL; }

/* Takes one character; a broken byte is a character of its own. 0 at the end. */
static unsigned long take(const char **text) {
    unsigned long code = (unsigned char)**text;
    size_t length = utf8_decode(*text, &code);
    if (code != 0)
        *text += length > 0 ? length : 1;
    return code;
}

/* The end of the set that begins behind a "[", where its "]" stands; NULL when there is none. A "]" that comes first
 * belongs to the set. */
static const char *set_end(const char *set) {
    if (*set == '!')
        set++;
    return *set != '\0' ? strchr(set + 1, ']') : NULL;
}

static bool in_set(const char *set, const char *end, unsigned long code) {
    const bool other = *set == '!';
    bool found = false;
    set += other;
    while (set < end) {
        unsigned long first = take(&set), last = first;
        if (set + 1 < end && *set == '-') {
            set++;
            last = take(&set);
        }
        found = found || (first <= code && code <= last);
    }
    return found != other;
}

/* One character of NAME against what stands first in PATTERN, which is no "*"; both move on when they agree. */
static bool step(const char **pattern, const char **name) {
    const char *p = *pattern, *n = *name;
    const unsigned long wanted = take(&p), found = take(&n);
    const char *end = wanted == '[' ? set_end(p) : NULL;
    if (wanted == 0 || found == 0)
        return false;
    if (end ? !in_set(p, end, found) : wanted != '?' && wanted != found)
        return false;
    *pattern = end ? end + 1 : p;
    *name = n;
    return true;
}

bool glob_matches(const char *pattern, const char *name) {
    const char *star = NULL, *resume = NULL; /* behind the last "*", and where in NAME to try it next */
    for (;;) {
        if (*pattern == '*') {
            star = ++pattern;
            resume = name;
        } else if (*pattern == '\0' && *name == '\0') {
            return true;
        } else if (!step(&pattern, &name)) {
            if (star == NULL || *resume == '\0')
                return false;
            take(&resume);
            pattern = star;
            name = resume;
        }
    }
}
