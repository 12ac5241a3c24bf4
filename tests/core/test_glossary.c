/* The glossary: a table without holes, found by whatever people type, and the manual page that is made of it.
 *
 * man/slackswap-glossary.7 is kept in the sources, so that it is there without a build; `make update-glossary` writes it anew
 * from the table, and this test fails while the two differ. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base.h"
#include "core/glossary.h"
#include "core/planner.h"
#include "core/bound.h"
#include "core/knobs.h"
#include "core/difference.h"

#define PAGE "man/slackswap-glossary.7"

static uint32_t find(const char *name) {
    return glossary_find(name, strlen(name));
}

/* ---- the table ---- */

static void terms_stand_in_alphabetical_order(void **state) {
    (void)state;
    for (uint32_t i = 1; i < GLOSSARY_COUNT; i++)
        if (strcasecmp(GLOSSARY[i - 1].name, GLOSSARY[i].name) >= 0)
            fail_msg("'%s' stands before '%s'", GLOSSARY[i - 1].name, GLOSSARY[i].name);
}

static void no_two_terms_are_written_alike(void **state) {
    (void)state;
    for (uint32_t i = 0; i < GLOSSARY_COUNT; i++) {
        assert_int_equal(find(GLOSSARY[i].name), i);
        for (const char *form = GLOSSARY[i].forms; *form != '\0';) {
            size_t length = strcspn(form, "|");
            if (glossary_find(form, length) != i)
                fail_msg("'%.*s' is '%s' and '%s'", (int)length, form, GLOSSARY[i].name, GLOSSARY[glossary_find(form, length)].name);
            form += length + (form[length] == '|');
        }
    }
}

static void every_term_is_explained_in_one_or_two_short_sentences(void **state) {
    (void)state;
    assert_in_range(GLOSSARY_COUNT, 60, 255);
    for (uint32_t i = 0; i < GLOSSARY_COUNT; i++) {
        const char *words = GLOSSARY[i].words;
        size_t length = strlen(words);
        if (length < 30 || length > 300 || words[length - 1] != '.')
            fail_msg("'%s': %s", GLOSSARY[i].name, words);
        for (const char *c = words; *c != '\0'; c++)
            if (*c < ' ' || *c > '~' || (c[0] == ' ' && c[1] == ' '))
                fail_msg("'%s' has a character that is none of plain text, or two blanks", GLOSSARY[i].name);
        if (GLOSSARY[i].section[0] != '\0')
            assert_in_range(GLOSSARY[i].section[0], '1', '7');
    }
}

static void what_to_see_also_is_there_and_is_another_term(void **state) {
    (void)state;
    for (uint32_t i = 0; i < GLOSSARY_COUNT; i++) {
        uint32_t n = 0;
        const char *see = GLOSSARY[i].see;
        for (; *see != '\0'; n++) {
            size_t length = strcspn(see, "|");
            if (glossary_related(i, n) == TERM_NONE || glossary_related(i, n) == i)
                fail_msg("'%s' refers to '%.*s'", GLOSSARY[i].name, (int)length, see);
            see += length + (see[length] == '|');
        }
        assert_int_equal(glossary_related(i, n), TERM_NONE);
        assert_true(strlen(GLOSSARY[i].see) + n < 52); /* "see a, b" is one line at 80 columns */
    }
}

/* ---- the program's other vocabularies ---- */

static void assert_term(const char *words) {
    size_t at = 0, length;
    if (glossary_next(words, &at, &length) == TERM_NONE)
        fail_msg("nothing in the glossary tells about '%s'", words);
}

static void planners_knobs_figures_and_what_binds_are_in_it(void **state) {
    (void)state;
    for (uint32_t i = 0; i < PLANNER_COUNT; i++)
        assert_term(PLANNERS[i].name);
    for (int i = 0; i < KNOB_COUNT; i++)
        assert_term(KNOBS[i].label);
    for (int i = 0; i < BINDING_COUNT; i++)
        assert_term(BINDING_NAME[i]);
    for (int i = 0; i < ACTION_COUNT; i++)
        assert_term(ACTION_NAME[i]);
    for (int i = 0; i < DIFFERENCE_FIGURE_COUNT; i++)
        assert_term(DIFFERENCE_FIGURE[i].label);
    for (int i = 0; i < STALL_REASON_COUNT; i++)
        assert_term(STALL_REASON_WORDS[i]);
}

/* ---- finding ---- */

static void a_term_is_found_whatever_the_case_and_by_other_forms(void **state) {
    (void)state;
    assert_string_equal(GLOSSARY[find("SLACK")].name, "slack");
    assert_string_equal(GLOSSARY[find("Device to Host")].name, "D2H");
    assert_string_equal(GLOSSARY[find("kept")].name, "keep");
    assert_int_equal(find("slac"), TERM_NONE);
    assert_int_equal(find(""), TERM_NONE);
}

static void terms_are_found_in_a_text_as_whole_words_the_longest_first(void **state) {
    (void)state;
    static const char TEXT[] = "gap 0.06%: D2H window; stalled slackswap-rule, steps";
    static const char *const FOUND[] = { "gap", "D2H window", "slackswap-rule", "step" };
    size_t at = 0, length = 0;
    for (size_t i = 0; i < sizeof FOUND / sizeof FOUND[0]; i++, at += length)
        assert_string_equal(GLOSSARY[glossary_next(TEXT, &at, &length)].name, FOUND[i]);
    assert_int_equal(glossary_next(TEXT, &at, &length), TERM_NONE);
}

static const char *best(const char *query) {
    uint32_t found[256];
    uint32_t count = glossary_search(query, found, 256);
    return count > 0 ? GLOSSARY[found[0]].name : "";
}

static void a_search_puts_the_term_that_is_called_so_first(void **state) {
    (void)state;
    uint32_t found[256];
    assert_string_equal(best("slack"), "slack");
    assert_string_equal(best("what is slack?"), "slack");
    assert_string_equal(best("checkp"), "checkpoint");
    assert_string_equal(best("least bud"), "least budget");
    assert_string_equal(best("vocabulary"), "logits");
    assert_string_equal(best("xyzzy"), "");
    assert_int_equal(glossary_search("", found, 256), GLOSSARY_COUNT);
    assert_int_equal(glossary_search("", found, 3), 3);
    assert_string_equal(best("a word that is so much longer than any term of the glossary is"), "");
}

/* ---- the manual page ---- */

static void put_words(FILE *file, const char *words) {
    for (const char *sentence = words; *sentence != '\0';) {
        const char *end = strstr(sentence, ". ");
        size_t length = end != NULL ? (size_t)(end - sentence) + 1 : strlen(sentence);
        fprintf(file, "%s%.*s\n", strchr(".'", *sentence) != NULL ? "\\&" : "", (int)length, sentence);
        sentence += length + (end != NULL);
    }
}

static void put_term(FILE *file, uint32_t i) {
    const struct term *term = &GLOSSARY[i];
    fprintf(file, ".It %s\n", term->name);
    put_words(file, term->words);
    uint32_t related = glossary_related(i, 0);
    for (uint32_t n = 1; related != TERM_NONE; n++) {
        uint32_t next = glossary_related(i, n);
        fprintf(file, "%s.Em %s%s\n", n == 1 ? "See\n" : "", GLOSSARY[related].name, next != TERM_NONE ? " ," : " .");
        related = next;
    }
    if (term->section[0] != '\0')
        fprintf(file, "(Model, section %s.)\n", term->section);
}

static void put_page(FILE *file) {
    fprintf(file, ".\\\" Made from src/core/glossary.c by make update-glossary: change it there.\n"
                  ".Dd November 30, 2026\n.Dt SLACKSWAP-GLOSSARY 7\n.Os\n"
                  ".Sh NAME\n.Nm slackswap-glossary\n.Nd what the words mean that slackswap uses\n"
                  ".Sh DESCRIPTION\n"
                  "These are the words on the screens of\n.Xr slackswap 1 ,\nin its reports and in its lessons.\n"
                  "The viewer explains them too:\n.Sq \\&?\n"
                  "begins with those on the screen and has all of them,\n.Sq /\nfinds one there,\n"
                  "a right click on a word tells what it means, and so does the command palette:\n.Ql \\&: what is slack .\n"
                  ".Pp\nSections are those of the model that profile, plan, schedule and simulation follow: 1 profile,\n"
                  "2 plan, 3 schedule, 4 simulation, 5 planners, 6 lower bound, 7 built-in models.\n"
                  ".Bl -tag -width Ds\n");
    for (uint32_t i = 0; i < GLOSSARY_COUNT; i++)
        put_term(file, i);
    fprintf(file, ".El\n.Sh SEE ALSO\n.Xr slackswap 1 ,\n.Xr slackswap-plan 5 ,\n.Xr slackswap-profile 5\n");
}

static char *read_all(FILE *file) {
    static char text[2][1 << 17];
    static int turn;
    char *out = text[turn ^= 1];
    rewind(file);
    out[fread(out, 1, sizeof text[0] - 1, file)] = '\0';
    return out;
}

static void the_manual_page_is_what_the_table_says(void **state) {
    (void)state;
    const char *folder = getenv("SRCDIR");
    struct arena arena = { 0 };
    const char *path = arena_printf(&arena, "%s/" PAGE, folder != NULL ? folder : ".");
    FILE *file = fopen(path, getenv("UPDATE_GLOSSARY") != NULL ? "w+" : "r"), *made = tmpfile();
    if (file == NULL)
        fail_msg("no %s", path);
    assert_non_null(made);
    put_page(made);
    if (getenv("UPDATE_GLOSSARY") != NULL)
        put_page(file);
    if (strcmp(read_all(file), read_all(made)) != 0)
        fail_msg("%s is older than src/core/glossary.c: make update-glossary writes it anew", PAGE);
    fclose(file);
    fclose(made);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_stand_in_alphabetical_order),
        cmocka_unit_test(no_two_terms_are_written_alike),
        cmocka_unit_test(every_term_is_explained_in_one_or_two_short_sentences),
        cmocka_unit_test(what_to_see_also_is_there_and_is_another_term),
        cmocka_unit_test(planners_knobs_figures_and_what_binds_are_in_it),
        cmocka_unit_test(a_term_is_found_whatever_the_case_and_by_other_forms),
        cmocka_unit_test(terms_are_found_in_a_text_as_whole_words_the_longest_first),
        cmocka_unit_test(a_search_puts_the_term_that_is_called_so_first),
        cmocka_unit_test(the_manual_page_is_what_the_table_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
