/* Any bytes at all as a profile, and, after a line "%%", as a plan for it: each is refused with a message, or can be
 * planned, and what is written of it reads back as the same text. */
#include <stdlib.h>
#include <string.h>

#include "exercise.h"
#include "io/plan_json.h"
#include "io/profile_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect_same(struct buffer *first, struct buffer *second) {
    if (first->length != second->length || memcmp(first->text, second->text, first->length) != 0)
        abort();
    buffer_free(first);
    buffer_free(second);
}

static void check_plan(const char *text, const struct profile *profile, struct arena *arena) {
    struct plan plan = { 0 }, again = { 0 };
    struct error error = { 0 };
    struct buffer written = { 0 }, rewritten = { 0 };
    const enum ss_status status = plan_json_read(text, strlen(text), profile, arena, &plan, NULL, &error);
    exercise_reading(status, &error);
    exercise_profile(profile, status == SS_OK ? &plan : NULL);
    if (status != SS_OK)
        return;
    plan_json_write(&written, profile, &plan);
    if (plan_json_read(written.text, written.length, profile, arena, &again, NULL, &error) != SS_OK)
        abort();
    plan_json_write(&rewritten, profile, &again);
    expect_same(&written, &rewritten);
}

static void check_profile(const char *text, const char *plan_text) {
    struct arena arena = { 0 };
    struct profile profile = { 0 }, again = { 0 };
    struct error error = { 0 };
    struct buffer written = { 0 }, rewritten = { 0 };
    const enum ss_status status = profile_json_read(text, strlen(text), &arena, &profile, NULL, &error);
    exercise_reading(status, &error);
    if (status == SS_OK) {
        check_plan(plan_text, &profile, &arena);
        profile_json_write(&written, &profile);
        if (profile_json_read(written.text, written.length, &arena, &again, NULL, &error) != SS_OK)
            abort();
        profile_json_write(&rewritten, &again);
        expect_same(&written, &rewritten);
    }
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char between[] = "\n%%\n";
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    char *plan_text = strstr(text, between);
    if (plan_text) {
        *plan_text = '\0';
        plan_text += strlen(between);
    }
    check_profile(text, plan_text ? plan_text : "");
    free(text);
    return 0;
}
