/* Presets: what each one's sentence claims is what the simulator says. A sentence that is changed needs its test changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/outcome.h"
#include "core/preset.h"

#define EVALUATIONS 300

static struct arena arena;
static struct profile profile;
static struct outcome outcome;
static struct settings settings;

static int shut(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

static const struct sim_totals *totals(void) { return &outcome.timeline.totals; }

/* Plays what SETTINGS say. */
static void play(void) {
    struct error error = { "", "" };
    arena_reset(&arena);
    settings.evaluation_limit = EVALUATIONS;
    if (model_build(settings.work.model, &settings.work.options, &arena, &profile, &error) != SS_OK)
        fail_msg("%s", error.text);
    const struct outcome_request request = settings_request(&profile, &settings);
    if (outcome_compute(&request, &arena, &outcome, &error) != SS_OK)
        fail_msg("%s", error.text);
    assert_true(outcome_feasible(&outcome));
}

/* Plays the preset NAME, whose sentence still is WORDS. */
static void open_preset(const char *name, const char *words) {
    const struct preset *preset = preset_find(name);
    assert_non_null(preset);
    assert_string_equal(preset->words, words);
    settings = settings_default();
    preset_apply(preset, &settings);
    play();
}

static double loss(void) { return totals()->step_us / outcome.ideal_us - 1; }

static uint64_t bytes(enum action action) { return plan_mix(&profile, &outcome.timeline.plan).bytes[action]; }

static void balance(void **state) {
    (void)state;
    open_preset("balance", "Half the memory for 3% of the time: some leaves unseen, the rest is made again.");
    assert_true(loss() > 0.025 && loss() < 0.035);
    assert_true(totals()->stall_us < 0.002 * totals()->step_us);
    assert_true(bytes(ACTION_OFFLOAD) > 0 && bytes(ACTION_RECOMPUTE) > 0);
}

static void offload_all(void **state) {
    (void)state;
    open_preset("offload-all", "Offload alone: most of the step is waiting. e visits the stalls, P replans.");
    assert_true(totals()->stall_us > 0.5 * totals()->step_us);
    assert_int_equal(bytes(ACTION_RECOMPUTE), 0);
    const double alone_us = totals()->step_us;
    settings.planner = planner_find(PLANNER_DEFAULT);
    play();
    assert_true(totals()->step_us < alone_us / 2);
}

static void slow_link(void **state) {
    (void)state;
    open_preset("slow-link", "A fast GPU and an old link: nearly all that leaves memory is made again.");
    assert_true(bytes(ACTION_RECOMPUTE) > 10 * bytes(ACTION_OFFLOAD));
}

static void superchip(void **state) {
    (void)state;
    open_preset("superchip", "Over NVLink-C2C half of the memory goes and comes unseen: the step is ideal.");
    assert_true(loss() < 0.0005);
    assert_true(totals()->recompute_us == 0 && totals()->stall_us < 0.0005 * totals()->step_us);
    assert_true((double)bytes(ACTION_OFFLOAD) > 0.45 * (double)outcome.limits.unlimited_peak_bytes);
    settings.work.options.link = link_find("pcie5-x16"); /* which is no matter of course */
    play();
    assert_true(totals()->recompute_us > 0);
}

static void shared_switch(void **state) {
    (void)state;
    open_preset("shared-switch", "Four GPUs share a switch: a quarter of the link, over twice the recompute.");
    const double shared_us = totals()->recompute_us, rate = outcome.link.h2d_gb_per_s;
    settings.link.share = 1;
    play();
    assert_true(shared_us > 2 * totals()->recompute_us);
    assert_true(rate * 4 == outcome.link.h2d_gb_per_s);
}

static void long_sequence(void **state) {
    (void)state;
    open_preset("long-sequence", "Long sequences compute more per byte: more hides, less than 0.2% is lost.");
    const double lost = loss();
    const double hidden = (double)bytes(ACTION_OFFLOAD) / (double)outcome.limits.unlimited_peak_bytes;
    assert_true(lost < 0.002);
    settings.work.options.sequence = 2048;
    play();
    assert_true(loss() > 2 * lost);
    assert_true((double)bytes(ACTION_OFFLOAD) / (double)outcome.limits.unlimited_peak_bytes < hidden);
}

static void eager_attention(void **state) {
    (void)state;
    open_preset("eager-attention", "Eager attention writes its scores: twice the memory, mostly made again.");
    const double eager = (double)outcome.limits.unlimited_peak_bytes;
    uint64_t of_scores = 0, again = 0;
    for (uint32_t i = 0; i < profile.managed_count; i++) {
        const struct tensor *tensor = &profile.tensors[profile.managed[i]];
        const char *local = strchr(tensor->name, '.');
        if (!local || (strcmp(local, ".probs") != 0 && strcmp(local, ".attn_drop") != 0 && strcmp(local, ".attn_mask") != 0))
            continue;
        of_scores += tensor->bytes;
        again += outcome.timeline.plan.action[profile.managed[i]] == ACTION_RECOMPUTE ? tensor->bytes : 0;
    }
    assert_true(of_scores > 0 && again > of_scores / 2);
    settings.work.options.attention = ATTENTION_FLASH;
    play();
    const double ratio = eager / (double)outcome.limits.unlimited_peak_bytes;
    assert_true(ratio > 1.9 && ratio < 2.1);
}

static void small_card(void **state) {
    (void)state;
    open_preset("small-card", "43 GiB of activations on a card of 24, 2% slower: 3 tells which batch is best.");
    const double gib = (double)outcome.limits.unlimited_peak_bytes / (double)(UINT64_C(1) << 30);
    assert_true(gib > 42.5 && gib < 43.5);
    assert_int_equal(gpu_find("rtx-4090")->memory_bytes, UINT64_C(24) << 30);
    assert_true(totals()->peak_bytes <= UINT64_C(24) << 30);
    assert_true(loss() < 0.02);
}

static void all_are_eight_and_short(void **state) {
    (void)state;
    assert_int_equal(PRESET_COUNT, 8);
    for (uint32_t i = 0; i < PRESET_COUNT; i++) {
        const struct preset *preset = &PRESETS[i];
        char text[PRESET_TEXT];
        assert_true(strlen(preset->words) <= PRESET_WORDS && preset->words[strlen(preset->words) - 1] == '.');
        assert_ptr_equal(preset_find(preset->name), preset);
        assert_non_null(model_find(preset->model));
        assert_non_null(gpu_find(preset->gpu));
        assert_non_null(link_find(preset->link));
        assert_true(preset->planner == NULL || planner_find(preset->planner) != NULL);
        assert_non_null(strstr(preset_format(preset, text), preset->gpu));
        assert_null(model_find(preset->name));
    }
    assert_null(preset_find("nothing"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(balance, shut),       cmocka_unit_test_teardown(offload_all, shut),
        cmocka_unit_test_teardown(slow_link, shut),     cmocka_unit_test_teardown(superchip, shut),
        cmocka_unit_test_teardown(shared_switch, shut), cmocka_unit_test_teardown(long_sequence, shut),
        cmocka_unit_test_teardown(eager_attention, shut), cmocka_unit_test_teardown(small_card, shut),
        cmocka_unit_test(all_are_eight_and_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
