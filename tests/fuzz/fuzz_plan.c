/* Any bytes at all as a plan for a small profile: refused with a message, or replayed, and what is written of it reads back
 * as the same text. The linter reads what the rules about tensors forbid. */
#include <stdlib.h>
#include <string.h>

#include "exercise.h"
#include "io/plan_json.h"
#include "io/profile_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The profile of tests/bad/good.json, whose plans are the corpus, with layers to name. */
static const char PROFILE[] =
    "{\"schema\": \"slackswap-profile/1\", \"name\": \"good\", \"tensors\": [{\"name\": \"x\", \"bytes\": 100}, {\"name\": \"a\","
    " \"bytes\": 1000}, {\"name\": \"b\", \"bytes\": 2000}, {\"name\": \"mask\", \"bytes\": 500, \"gradient\": false}, {\"name\":"
    " \"pinned\", \"bytes\": 10, \"keep\": true}, {\"name\": \"loose\", \"bytes\": 10}], \"ops\": [{\"name\": \"A\", \"layer\":"
    " \"net.1\", \"forward_us\": 1, \"backward_us\": 2, \"inputs\": [\"x\"], \"outputs\": [\"a\", \"loose\"], \"saved\": [\"x\","
    " \"a\"]}, {\"name\": \"B\", \"layer\": \"net.2\", \"forward_us\": 1, \"backward_us\": 2, \"inputs\": [\"a\"], \"outputs\":"
    " [\"b\", \"mask\"], \"saved\": [\"a\", \"mask\"], \"recomputable\": false}, {\"name\": \"C\", \"forward_us\": 1,"
    " \"backward_us\": 2, \"inputs\": [\"b\"], \"outputs\": [\"pinned\"], \"saved\": [\"b\", \"pinned\"]}]}";

static void check_plan(const char *text, size_t length, const struct profile *profile, struct arena *arena) {
    struct plan plan = { 0 }, again = { 0 };
    struct error error = { 0 };
    struct plan_faults faults = { .arena = arena };
    struct buffer written = { 0 }, rewritten = { 0 };
    const enum ss_status status = plan_json_read(text, length, profile, arena, &plan, NULL, &error);
    exercise_reading(status, &error);
    exercise_reading(plan_json_read_faulty(text, length, profile, arena, &again, &faults, NULL, &error), &error);
    if (status != SS_OK)
        return;
    exercise_plan(profile, &plan);
    plan_json_write(&written, profile, &plan);
    if (plan_json_read(written.text, written.length, profile, arena, &again, NULL, &error) != SS_OK)
        abort();
    plan_json_write(&rewritten, profile, &again);
    if (written.length != rewritten.length || memcmp(written.text, rewritten.text, written.length) != 0)
        abort();
    buffer_free(&written);
    buffer_free(&rewritten);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena arena = { 0 };
    struct profile profile = { 0 };
    struct error error = { 0 };
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    if (profile_json_read(PROFILE, sizeof PROFILE - 1, &arena, &profile, NULL, &error) != SS_OK)
        abort();
    check_plan(text, size, &profile, &arena);
    arena_free(&arena);
    free(text);
    return 0;
}
