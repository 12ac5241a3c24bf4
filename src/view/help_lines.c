#include "help_lines.h"

#include <string.h>

#include "core/glossary.h"
#include "core/not_modelled.h"
#include "help_state.h"
#include "theme.h"
#include "view_kind.h"
#include "wrap.h"

#define WORDS_LEAST 20 /* columns that a term's words are wrapped to, however narrow the screen is */

static void add(struct help_page *page, struct help_line line) {
    if (page->count < HELP_LINES_MAX)
        page->line[page->count++] = line;
}

static void add_words(struct help_page *page, enum line_kind kind, int what, const char *words) {
    add(page, (struct help_line){ kind, what, words, strlen(words), false });
}

static void add_heading(struct help_page *page, const char *words) {
    if (page->count > page->second)
        add_words(page, LINE_BLANK, 0, "");
    add_words(page, LINE_HEADING, 0, words);
}

/* ---- keys and signs ---- */

static bool is_listed(int action, enum context context) {
    return ACTION_TABLE[action].context == context && ACTION_TABLE[action].help[0] != '\0';
}

/* What keys do in most views, group by group; then what is special to each of the other views. */
static void add_keys(struct help_page *page) {
    for (int group = 0; group < GROUP_COUNT; group++) {
        add_heading(page, GROUP_TITLE[group]);
        if (group == 0)
            page->part[PART_KEYS] = page->count - 1;
        for (int i = DO_nothing + 1; i < DO_COUNT; i++) {
            bool common = is_listed(i, CONTEXT_ANY) || is_listed(i, CONTEXT_VIEW) || is_listed(i, CONTEXT_TIMELINE) ||
                          is_listed(i, CONTEXT_LESSON) || is_listed(i, CONTEXT_QUESTION) || is_listed(i, CONTEXT_TASK);
            if ((int)ACTION_TABLE[i].group == group && common)
                add_words(page, LINE_ACTION, i, ACTION_TABLE[i].help);
        }
    }
    for (int view = VIEW_TIMELINE + 1; view < VIEW_COUNT; view++) {
        bool any = false;
        for (int i = DO_nothing + 1; i < DO_COUNT; i++) {
            if (!is_listed(i, VIEW_KINDS[view].context))
                continue;
            if (!any)
                add_heading(page, VIEW_TAB[view]);
            add_words(page, LINE_ACTION, i, ACTION_TABLE[i].help);
            any = true;
        }
    }
}

static void add_signs(struct help_page *page) {
    add_heading(page, "What the signs mean");
    for (int role = 1; role < ROLE_COUNT; role++)
        if (ROLE_WORDS[role][0] != '\0')
            add_words(page, LINE_ROLE, role, ROLE_WORDS[role]);
    add_words(page, LINE_NOTE, 0, "tensors kept, offloaded, recomputed");
    add_words(page, LINE_WORDS, 0, "underlined: what belongs to the selection");
    add_words(page, LINE_WORDS, 0, "transfers on the ruler: they are on the critical path");
    add_heading(page, "What is not modelled");
    page->part[PART_NOT_MODELLED] = page->count - 1;
    for (int i = 0; i < NOT_MODELLED_COUNT; i++)
        add_words(page, LINE_WORDS, i, NOT_MODELLED[i]);
}

/* ---- terms ---- */

int help_term_indent(int columns) {
    return columns >= TERM_NAMES_BESIDE ? 2 + TERM_COLUMNS : 4;
}

static void add_term(struct help_page *page, uint32_t which, int columns, bool related) {
    const struct term *term = &GLOSSARY[which];
    const char *words = term->words;
    int room = columns - help_term_indent(columns);
    bool beside = columns >= TERM_NAMES_BESIDE;
    if (!beside)
        add(page, (struct help_line){ LINE_TERM, (int)which, "", 0, true });
    for (bool first = beside; *words != '\0'; first = false) {
        size_t length = wrap_line(words, room < WORDS_LEAST ? WORDS_LEAST : room, SIZE_MAX);
        add(page, (struct help_line){ LINE_TERM, (int)which, words, length, first });
        words += length;
    }
    if (related && term->see[0] != '\0')
        add(page, (struct help_line){ LINE_SEE, (int)which, term->see, strlen(term->see), false });
}

/* As many as have room in LINES, at least one. */
static void add_terms_here(struct help_page *page, const struct help_state *about, int columns, int lines) {
    if (about->count == 0)
        return;
    add_heading(page, about->asked ? "What was asked for" : "Words on this screen");
    page->part[PART_TERMS_HERE] = page->count - 1;
    for (uint8_t i = 0; i < about->count; i++) {
        int before = page->count;
        add_term(page, about->term[i], columns, about->asked);
        if (i > 0 && page->count > lines && !about->asked) {
            page->count = before;
            return;
        }
    }
}

static void add_glossary(struct help_page *page, int columns) {
    add_heading(page, "All words, from A to Z");
    page->part[PART_GLOSSARY] = page->count - 1;
    for (uint32_t i = 0; i < GLOSSARY_COUNT; i++)
        add_term(page, i, columns, true);
}

static void add_found(struct help_page *page, const char *query, int columns) {
    uint32_t found[256], count = glossary_search(query, found, sizeof found / sizeof found[0]);
    add_heading(page, count > 0 ? "Words that were looked for" : "No word is called so, nor is it said of any");
    page->part[PART_GLOSSARY] = page->count - 1;
    for (uint32_t i = 0; i < count; i++)
        add_term(page, found[i], columns, true);
}

void help_page_make(struct help_page *page, const struct help_state *about, int parallel, int columns, int height) {
    page->count = page->second = 0;
    for (int i = 0; i < PART_COUNT_OF_HELP; i++)
        page->part[i] = -1;
    if (about->query[0] != '\0') {
        add_found(page, about->query, columns);
    } else if (parallel > 1) {
        add_keys(page);
        add_signs(page);
        page->second = page->count;
        add_terms_here(page, about, columns, HELP_LINES_MAX);
        add_glossary(page, columns);
        return;
    } else {
        add_terms_here(page, about, columns, height / 2);
        add_keys(page);
        add_signs(page);
        add_glossary(page, columns);
    }
    page->second = page->count;
}
