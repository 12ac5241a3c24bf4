#define NCURSES_WIDECHAR 1
#include "term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "core/sanitise.h"
#include "crash.h"
#include "term_colours.h"
#include "term_keys.h"
#include "term_mouse.h"
#include "term_paste.h"

#include <term.h> /* last: its macros have names such as "columns" */

#define ESCAPE 0x1B
#define ESCAPE_DELAY_MS 25
#define PATH_SIZE 256

struct terminal {
    FILE *in, *out; /* the same terminal, opened twice: only reading is non-blocking */
    SCREEN *screen;
    WINDOW *keys;   /* a pad: reading from stdscr would refresh it */
    bool ascii, mouse, left, repaint;
    mbstate_t decoding;         /* of a character of several bytes, under way */
    struct mouse_reader report; /* of the mouse, under way */
    struct paste_reader paste;
    struct term_colours colours;
    struct grid shown; /* what the terminal shows; meaningless while repaint is set */
    int cursor;        /* curs_set's argument at the moment */
    struct crash_restore restore;
};

/* ---- opening ---- */

static int open_terminal(int flags) {
    char path[PATH_SIZE];
    for (int fd = 0; fd <= 2; fd++)
        if (isatty(fd) && ttyname_r(fd, path, sizeof path) == 0) {
            int opened = open(path, flags | O_NOCTTY | O_CLOEXEC);
            if (opened >= 0)
                return opened;
        }
    return open("/dev/tty", flags | O_NOCTTY | O_CLOEXEC);
}

static FILE *open_stream(int flags, const char *mode) {
    int fd = open_terminal(flags);
    FILE *stream = fd >= 0 ? fdopen(fd, mode) : NULL;
    if (!stream && fd >= 0)
        close(fd);
    return stream;
}

static const char *capability(const char *name) {
    char *text = tigetstr(name);
    return text == (char *)-1 ? NULL : text;
}

/* Whether there is a terminfo entry NAME that a screen can be drawn with. */
static bool usable(const char *name, int fd) {
    int why;
    if (setupterm(name, fd, &why) != OK)
        return false;
    bool can_place = capability("cup") != NULL;
    del_curterm(cur_term);
    return can_place;
}

static enum ss_status refuse(struct error *error) {
    const char *name = getenv("TERM");
    if (!name || !*name)
        return error_set(error, SS_USAGE,
                         "the viewer can't draw: TERM is not set; set it to your terminal's type (TERM=xterm-256color), "
                         "or use --plain");
    return error_set(error, SS_USAGE,
                     "the viewer can't draw on a terminal of type \"%s\"; set TERM to your terminal's type "
                     "(TERM=xterm-256color), or use --plain",
                     name);
}

/* Terminfo may ask for delays in the midst of a string ($<5>): nothing that a handler could wait for. */
static void add_reset(struct crash_restore *restore, const char *text) {
    for (; text && *text; text++) {
        if (text[0] == '$' && text[1] == '<' && strchr(text, '>'))
            text = strchr(text, '>');
        else if (restore->length < sizeof restore->reset)
            restore->reset[restore->length++] = *text;
    }
}

static void prepare_crash(struct crash_restore *restore, bool mouse) {
    static const char *const RESET[] = { "rmkx", "sgr0", "op", "cnorm", "rmcup" };
    restore->length = 0;
    add_reset(restore, PASTE_OFF);
    if (mouse)
        add_reset(restore, MOUSE_OFF);
    for (size_t i = 0; i < sizeof RESET / sizeof RESET[0]; i++)
        add_reset(restore, capability(RESET[i]));
    if (!capability("rmcup"))
        add_reset(restore, "\r\n");
}

static bool start_curses(struct terminal *term, const struct term_options *options) {
    char direct[PATH_SIZE];
    const char *name = getenv("TERM");
    int fd = fileno(term->out);
    if (!name || !*name || !usable(name, fd))
        return false;
    if (!options->mono && term_direct_name(name, getenv("COLORTERM"), usable, fd, direct, sizeof direct))
        name = direct;
    term->screen = newterm(name, term->out, term->in);
    return term->screen != NULL;
}

/* The mouse is asked for by hand, in the form that has no end at column 223 and that can be told from keys in any state;
 * curses must not take part. Terminals that know nothing of pastes pass over being asked to tell them. */
static void switch_reports(struct terminal *term, bool on) {
    if (term->mouse)
        fputs(on ? MOUSE_ON : MOUSE_OFF, term->out);
    fputs(on ? PASTE_ON : PASTE_OFF, term->out);
    fflush(term->out);
    term->report = (struct mouse_reader){ 0 };
    term->paste = (struct paste_reader){ 0 };
}

static void set_modes(struct terminal *term) {
    raw(); /* C-c, C-z and C-s are keys */
    noecho();
    nonl();
    if (!getenv("ESCDELAY"))
        set_escdelay(ESCAPE_DELAY_MS);
    term->cursor = 0;
    curs_set(0);
    nodelay(term->keys, TRUE);
    keypad(term->keys, TRUE);
    keyok(KEY_MOUSE, FALSE);
    switch_reports(term, true);
}

enum ss_status term_open(struct terminal **out, const struct term_options *options, struct error *error) {
    struct terminal *term = calloc(1, sizeof *term);
    if (!term)
        return error_no_memory(error);
    enum ss_status status = SS_OK;
    term->in = open_stream(O_RDONLY | O_NONBLOCK, "r");
    term->out = open_stream(O_WRONLY, "w");
    if (!term->in || !term->out || tcgetattr(fileno(term->out), &term->restore.modes) != 0)
        status = error_set(error, SS_USAGE, "the viewer needs a terminal, and there is none; use --plain");
    else if (!start_curses(term, options))
        status = refuse(error);
    else if (!(term->keys = newpad(1, 1)))
        status = error_no_memory(error);
    if (status != SS_OK) {
        term_close(term);
        return status;
    }
    term->mouse = options->mouse && capability("kmous");
    term->ascii = options->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    term->repaint = true;
    term->restore.fd = fileno(term->out);
    prepare_crash(&term->restore, term->mouse);
    crash_arm(&term->restore);
    set_modes(term);
    term_colours_start(&term->colours, options->theme, options->mono);
    term_take_size(term);
    *out = term;
    return SS_OK;
}

void term_close(struct terminal *term) {
    if (!term)
        return;
    if (term->screen) {
        if (!term->left) {
            switch_reports(term, false);
            endwin();
        }
        crash_disarm();
        if (term->keys)
            delwin(term->keys);
        delscreen(term->screen);
    }
    if (term->in)
        fclose(term->in);
    if (term->out)
        fclose(term->out);
    grid_free(&term->shown);
    free(term);
}

int term_fd(const struct terminal *term) {
    return fileno(term->in);
}

bool term_ascii(const struct terminal *term) {
    return term->ascii;
}

void term_size(const struct terminal *term, int *width, int *height) {
    (void)term;
    *width = COLS;
    *height = LINES;
}

/* ---- keys and mouse ---- */

/* What wget_wch should do; but that swallows what comes behind a broken byte, the end of a paste perhaps. */
static int get_wide(struct terminal *term, wint_t *out) {
    for (int code; (code = wgetch(term->keys)) != ERR;) {
        const char byte = (char)code;
        wchar_t wide;
        size_t length;
        if (code > UCHAR_MAX) {
            term->decoding = (mbstate_t){ 0 };
            *out = (wint_t)code;
            return KEY_CODE_YES;
        }
        bool begun = !mbsinit(&term->decoding);
        if ((length = mbrtowc(&wide, &byte, 1, &term->decoding)) == (size_t)-1) {
            term->decoding = (mbstate_t){ 0 };
            if (begun)
                ungetch(code); /* it only broke what was begun */
        } else if (length != (size_t)-2) {
            *out = (wint_t)wide;
            return OK;
        }
    }
    return ERR;
}

/* After ESC [ or ESC O: a sequence that terminfo doesn't know, up to its final character, or the start of the mouse's
 * report or of a paste. False when nothing followed: then somebody pressed that key with Alt. */
static bool skip_sequence(struct terminal *term, wint_t opening) {
    wint_t c;
    if (get_wide(term, &c) != OK)
        return false;
    if (term->mouse && opening == '[' && (c == '<' || c == 'M')) {
        mouse_begin(&term->report, c == '<' ? MOUSE_DECIMAL : MOUSE_BYTES);
        return true;
    }
    int number = 0;
    for (int kind = OK; c >= ' ' && c < '@' && kind == OK; kind = get_wide(term, &c))
        number = c >= '0' && c <= '9' && number <= PASTE_BEGINS ? 10 * number + (int)(c - '0') : -1;
    term->paste.on = opening == '[' && c == '~' && number == PASTE_BEGINS;
    return true;
}

/* What follows an escape character: nothing (the key itself), a key pressed with Alt, or a sequence to pass over (false). */
static bool after_escape(struct terminal *term, struct key *out) {
    wint_t c = 0;
    int kind = get_wide(term, &c);
    *out = (struct key){ K_ESCAPE, 0 };
    if (kind == ERR)
        return true;
    if (kind == OK && c == ESCAPE) {
        ungetch(ESCAPE);
        return true;
    }
    if (kind == OK && (c == '[' || c == 'O') && skip_sequence(term, c))
        return false;
    if (!(kind == OK ? term_key_of_character(c, out) : term_key_of_code((int)c, out)))
        return false;
    out->modifiers |= MODIFIER_ALT;
    return true;
}

static bool take_pasted(struct terminal *term, int kind, wint_t c, struct key *out) {
    return paste_take(&term->paste, kind == OK ? c : 0) && term_key_of_character(c, out);
}

bool term_input(struct terminal *term, struct input *out) {
    wint_t c;
    for (int kind; (kind = get_wide(term, &c)) != ERR;) {
        out->is_pasted = term->paste.on;
        out->is_mouse = !out->is_pasted && term->report.form != MOUSE_NO_REPORT;
        if (out->is_pasted              ? take_pasted(term, kind, c, &out->key)
            : out->is_mouse             ? mouse_take(&term->report, kind == OK ? c : 0, &out->mouse)
            : kind == OK && c == ESCAPE ? after_escape(term, &out->key)
            : kind == OK                ? term_key_of_character(c, &out->key)
                                        : term_key_of_code((int)c, &out->key))
            return true;
    }
    return false;
}

bool term_is_gone(const struct terminal *term) {
    struct pollfd ask = { .fd = fileno(term->in), .events = POLLIN };
    int waiting = 0;
    if (poll(&ask, 1, 0) <= 0)
        return false;
    if (ask.revents & (POLLHUP | POLLERR | POLLNVAL))
        return true;
    /* readable, but nothing to read: the end of the file */
    return ioctl(ask.fd, FIONREAD, &waiting) != 0 || waiting == 0;
}

/* ---- drawing ---- */

static bool cell_equal(const struct cell *a, const struct cell *b) {
    return a->length == b->length && a->width == b->width && style_equal(a->style, b->style) &&
           memcmp(a->text, b->text, a->length) == 0;
}

/* The cell's characters as curses takes them. One that the C library sees in another width than we do would shift the
 * rest of its row: it is shown as a replacement. */
static void cell_characters(const struct terminal *term, const struct cell *cell, wchar_t out[CCHARW_MAX + 1]) {
    int count = 0;
    unsigned long code;
    size_t at = 0, length;
    char text[CELL_BYTES + 1];
    memcpy(text, cell->text, cell->length);
    text[cell->length] = '\0';
    while (count < CCHARW_MAX && (length = utf8_decode(text + at, &code)) > 0) {
        out[count++] = (wchar_t)code;
        at += length;
    }
    out[count] = L'\0';
    if (count == 0 || (out[0] >= 0x80 && (term->ascii || wcwidth(out[0]) != cell->width)))
        wcscpy(out, cell->width == 2 ? L"?" : term->ascii ? L"?" : L"\uFFFD");
}

static void put_cell(struct terminal *term, const struct cell *cell, int x, int y) {
    wchar_t text[CCHARW_MAX + 1];
    cchar_t out;
    struct term_look look = term_colours_look(&term->colours, cell->style);
    cell_characters(term, cell, text);
    if (setcchar(&out, text, look.attributes, 0, &look.pair) == ERR) {
        text[1] = L'\0'; /* marks that curses doesn't take */
        if (setcchar(&out, text, look.attributes, 0, &look.pair) == ERR)
            setcchar(&out, L"?", look.attributes, 0, &look.pair);
    }
    mvadd_wch(y, x, &out); /* an error in the last column of the last row only says that the cursor can't go on */
    if (cell->width == 2 && wcwidth(text[0]) != 2) {
        setcchar(&out, L" ", look.attributes, 0, &look.pair);
        mvadd_wch(y, x + 1, &out);
    }
}

/* The very last cell takes a trick (curses writes it beside its place and pushes it there) that one column has no room
 * for: curses then reads and writes outside its screen. */
static bool is_out_of_reach(int x, int y) {
    return COLS == 1 && x == 0 && y == LINES - 1;
}

static void put_changes(struct terminal *term, const struct grid *grid, bool all) {
    int width = grid->width < COLS ? grid->width : COLS, height = grid->height < LINES ? grid->height : LINES;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const struct cell *cell = grid_at(grid, x, y);
            if (cell->width > 0 && x + cell->width <= width && !is_out_of_reach(x, y) &&
                (all || !cell_equal(cell, grid_at(&term->shown, x, y))))
                put_cell(term, cell, x, y);
        }
}

static void place_cursor(struct terminal *term, const struct grid *grid) {
    int cursor = grid->cursor_x >= 0 && grid->cursor_x < COLS && grid->cursor_y < LINES;
    if (cursor)
        move(grid->cursor_y, grid->cursor_x);
    if (cursor != term->cursor)
        curs_set(cursor);
    term->cursor = cursor;
}

#define COPY_MOST 8192 /* bytes: terminals drop longer ones */

/* LENGTH bytes at TEXT in base64 (RFC 4648). */
static void put_base64(FILE *out, const unsigned char *text, size_t length) {
    static const char DIGIT[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        unsigned long bits = (unsigned long)text[i] << 16 | (unsigned long)(i + 1 < length ? text[i + 1] : 0) << 8 |
                             (unsigned long)(i + 2 < length ? text[i + 2] : 0);
        for (int digit = 0; digit < 4; digit++)
            fputc(i + (size_t)digit > length ? '=' : DIGIT[bits >> (18 - 6 * digit) & 63], out);
    }
}

void term_copy(struct terminal *term, const char *text) {
    size_t length = strlen(text) < COPY_MOST ? strlen(text) : COPY_MOST;
    if (term->left)
        return;
    fputs("\033]52;c;", term->out);
    put_base64(term->out, (const unsigned char *)text, length);
    fputs("\a", term->out);
    fflush(term->out);
}

void term_draw(struct terminal *term, const struct grid *grid) {
    bool all = term->repaint || term->shown.width != grid->width || term->shown.height != grid->height;
    if (term->left)
        return;
    if (all)
        erase();
    if (term->repaint)
        clearok(curscr, TRUE);
    put_changes(term, grid, all);
    place_cursor(term, grid);
    refresh();
    /* short of memory for the copy, every cell is sent each time */
    term->repaint = !grid_resize(&term->shown, grid->width, grid->height);
    if (!term->repaint)
        memcpy(term->shown.cells, grid->cells, (size_t)grid->width * (size_t)grid->height * sizeof *grid->cells);
}

void term_theme(struct terminal *term, const struct theme *theme) {
    term_colours_theme(&term->colours, theme);
    term->repaint = true;
}

void term_repaint(struct terminal *term) {
    term->repaint = true;
}

void term_take_size(struct terminal *term) {
    struct winsize size;
    if (ioctl(fileno(term->out), TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0 &&
        (size.ws_row != LINES || size.ws_col != COLS))
        resizeterm(size.ws_row, size.ws_col);
}

/* ---- other owners ---- */

bool term_is_ours(const struct terminal *term) {
    pid_t foreground = tcgetpgrp(fileno(term->out));
    return foreground < 0 || foreground == getpgrp(); /* < 0: it is not the controlling terminal */
}

void term_leave(struct terminal *term) {
    if (!term->left) {
        switch_reports(term, false);
        endwin();
    }
    term->left = true;
    crash_disarm();
}

void term_return(struct terminal *term) {
    /* Stopped without notice, the shell has set its own modes: leaving first makes refresh() set ours again. */
    term_leave(term);
    tcgetattr(term->restore.fd, &term->restore.modes);
    term->left = false;
    crash_arm(&term->restore);
    switch_reports(term, true);
    term_take_size(term);
    term->repaint = true;
}
