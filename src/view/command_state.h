/* command_state: the part of the state that belongs to the command palette and to bookmarks. */
#ifndef SLACKSWAP_VIEW_COMMAND_STATE_H
#define SLACKSWAP_VIEW_COMMAND_STATE_H

#include <stdbool.h>
#include <stdint.h>

#define COMMAND_MAX 256 /* bytes typed, terminator included */
struct command_state {
    bool open;
    char text[COMMAND_MAX]; /* typed so far */
    uint32_t choice;        /* the one chosen among what matches */
};

/* A place to come back to, by what it is and by shares of the step, so that it is found in another outcome too. */
struct bookmark {
    bool set, exists;       /* exists: something was selected */
    uint8_t view, row, kind, lane;
    uint32_t layer, op, tensor;
    float from, to, cursor; /* shares of the step */
};
#define BOOKMARKS 26
struct bookmarks {
    uint8_t awaiting;       /* a letter is to be typed: BOOKMARK_SET, BOOKMARK_GO, or 0 */
    struct bookmark at[BOOKMARKS];
};
enum { BOOKMARK_SET = 1, BOOKMARK_GO };

#endif
