/* lines: text files read line by line, for importers of line formats. A struct piece is a run of the text, borrowed from
 * it and not terminated. Nothing here allocates, except where an arena is named. */
#ifndef SLACKSWAP_IO_LINES_H
#define SLACKSWAP_IO_LINES_H

#include "core/base.h"

struct piece { const char *at; size_t length; };

struct lines {
    struct piece rest;
    uint32_t number; /* of the line returned last, from 1 */
};

/* The next line, without its end ("\n" or "\r\n"; the last line may lack one). False at the end of the text. */
bool lines_next(struct lines *lines, struct piece *line);
/* How many lines TEXT has at most. */
size_t lines_count(struct piece text);

struct piece piece_of(const char *text);
struct piece piece_trim(struct piece piece); /* without blanks and tabs at both ends */
bool piece_equal(struct piece piece, const char *text);
bool piece_starts(struct piece piece, const char *text);
/* Splits PIECE at the first MARK into HEAD and the returned tail; false, with HEAD the whole of PIECE and an empty TAIL,
 * when MARK is not there. HEAD or TAIL may be PIECE itself. */
bool piece_split(struct piece piece, const char *mark, struct piece *head, struct piece *tail);
char *piece_copy(struct piece piece, struct arena *arena);

/* The whole of PIECE as a finite decimal number >= 0; false for anything else (signs, hexadecimal, nan, blanks too). */
bool piece_number(struct piece piece, double *out);
/* The same, a whole number below 2^53 ("4096" and "4096.000" alike). */
bool piece_bytes(struct piece piece, uint64_t *out);

#define QUOTE_TEXT 80
/* PIECE for a message: in quotes, shortened, bytes outside printable ASCII shown as '?'. Returns TEXT. */
char *piece_quote(struct piece piece, char text[QUOTE_TEXT]);

#endif
