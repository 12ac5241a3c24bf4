/* symbol: the characters beside the roles' own glyphs that screens are made of, each with its ASCII stand-in. */
#ifndef SLACKSWAP_VIEW_SYMBOL_H
#define SLACKSWAP_VIEW_SYMBOL_H

#include <stdbool.h>

#define SYMBOLS(X)                                                             \
    X(SEPARATOR, "│", "|")  /* between names and plot */                       \
    X(THUMB, "┃", "#")      /* the part of the rows that is in sight */        \
    X(MARK, "▸", ">")       /* the selected row, in the pane that has the keys */\
    X(MARK_WEAK, "▹", ".")  /* the selected row otherwise */                   \
    X(MARKED, "▎", "*")     /* a row of the marked range */                    \
    X(CURSOR_MARK, "▽", "V")                                                   \
    X(TURN_DOWN, "◂", "<")                                                     \
    X(TURN_UP, "▸", ">")                                                       \
    X(GAUGE_FULL, "█", "#")                                                    \
    X(GAUGE_EMPTY, "·", ".")                                                   \
    X(STAR, "★", "*")                                                         \
    X(STAR_EMPTY, "☆", ".")                                                   \
    X(DOT, "·", "-")                                                           \
    X(BECOMES, "→", "->")                                                      \
    X(TIMES, "×", "x")                                                         \
    X(MORE, "…", "..")                                                         \
    X(KNOB_HERE, "▲", "^")  /* where the knob stands on an axis */             \
    X(KNEE, "◆", "*")                                                          \
    X(RIGHT, "✓", "+")      /* the right answer */                             \
    X(WRONG, "✗", "x")      /* another, picked */                              \
    X(RULE, "─", "-")                                                          \
    X(OPENED, "▾", "v")                                                        \
    X(BRANCH, "├", "+")                                                        \
    X(BRANCH_LAST, "└", "+")                                                   \
    X(CORNER_TL, "┌", "+")                                                     \
    X(CORNER_TR, "┐", "+")                                                     \
    X(CORNER_BL, "└", "+")                                                     \
    X(CORNER_BR, "┘", "+")                                                     \
    X(ARROW_LEFT, "←", "Left")                                                 \
    X(ARROW_RIGHT, "→", "Right")                                               \
    X(ARROW_UP, "↑", "Up")                                                     \
    X(ARROW_DOWN, "↓", "Down")

enum symbol {
#define X(id, text, ascii) SYMBOL_##id,
    SYMBOLS(X)
#undef X
    SYMBOL_COUNT
};

const char *symbol_text(enum symbol symbol, bool ascii);

#endif
