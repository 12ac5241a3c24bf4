/* The built-in models, GPUs and links: every entry builds, and the prices are those of MODEL.md §7. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "core/zoo.h"

static struct arena arena;
static struct profile profile;
static struct error error;

static int forget(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

static enum ss_status build(const char *name, struct model_options options) {
    const struct model *model = model_find(name);
    assert_non_null(model);
    return model_build(model, &options, &arena, &profile, &error);
}

static const struct op *op_named(const char *name) {
    for (uint32_t i = 0; i < profile.op_count; i++)
        if (strcmp(profile.ops[i].name, name) == 0) return &profile.ops[i];
    fail_msg("no op %s", name);
    return NULL;
}

static const struct tensor *tensor_named(const char *name) {
    for (uint32_t i = 0; i < profile.tensor_count; i++)
        if (strcmp(profile.tensors[i].name, name) == 0) return &profile.tensors[i];
    fail_msg("no tensor %s", name);
    return NULL;
}

static void assert_times(const char *op, double forward_us, double backward_us) {
    const struct op *found = op_named(op);
    if (fabs(found->forward_us - forward_us) > 1e-9 * forward_us ||
        fabs(found->backward_us - backward_us) > 1e-9 * backward_us)
        fail_msg("%s: %.9f, %.9f <> %.9f, %.9f", op, found->forward_us, found->backward_us, forward_us, backward_us);
}

static void every_name_in_a_table_finds_its_own_entry(void **state) {
    (void)state;
    for (uint32_t i = 0; i < MODEL_COUNT; i++) assert_ptr_equal(model_find(MODELS[i].name), &MODELS[i]);
    for (uint32_t i = 0; i < GPU_COUNT; i++) assert_ptr_equal(gpu_find(GPUS[i].name), &GPUS[i]);
    for (uint32_t i = 0; i < LINK_COUNT; i++) assert_ptr_equal(link_find(LINKS[i].link.name), &LINKS[i]);
    assert_null(model_find("gpt5"));
    assert_null(gpu_find(""));
    assert_null(link_find("pcie"));
}

static void every_link_keeps_its_contract_and_names_its_source(void **state) {
    (void)state;
    for (uint32_t i = 0; i < LINK_COUNT; i++) {
        const struct link *link = &LINKS[i].link;
        assert_true(link->h2d_both_gb_per_s > 0 && link->h2d_both_gb_per_s <= link->h2d_gb_per_s);
        assert_true(link->d2h_both_gb_per_s > 0 && link->d2h_both_gb_per_s <= link->d2h_gb_per_s);
        assert_true(link->latency_us >= 0 && *LINKS[i].source);
    }
    for (uint32_t i = 0; i < GPU_COUNT; i++) assert_true(*GPUS[i].source);
}

static void every_model_builds_on_every_gpu_with_either_attention(void **state) {
    (void)state;
    for (uint32_t m = 0; m < MODEL_COUNT; m++)
        for (uint32_t g = 0; g < GPU_COUNT; g++)
            for (int attention = 0; attention < 2; attention++) {
                const struct model_options options = { .gpu = &GPUS[g], .attention = (enum attention)attention };
                assert_int_equal(build(MODELS[m].name, options), SS_OK);
                assert_true(profile.managed_count > MODELS[m].layers && profile.ideal_us > 0);
                assert_int_equal(profile.device_memory_bytes, GPUS[g].memory_bytes);
                assert_int_equal(profile.layer_count, MODELS[m].layers + 2);
                arena_free(&arena);
            }
}

static void gpt2_xl_has_its_ten_ops_a_layer_and_the_head(void **state) {
    (void)state;
    assert_int_equal(build("gpt2-xl", (struct model_options){ 0 }), SS_OK);
    assert_int_equal(profile.op_count, 1 + 48 * 10 + 3);
    assert_int_equal(profile.tensor_count, 1 + 48 * 12 + 3);
    assert_string_equal(profile.name, "gpt2-xl");
    assert_int_equal(tensor_named("L07.qkv")->bytes, 4 * 1024 * 3 * 1600 * 2);
    assert_int_equal(tensor_named("L07.mask1")->bytes, 4 * 1024 * 1600);
    assert_false(tensor_named("L07.mask1")->gradient);
    assert_int_equal(tensor_named("head.logits")->bytes, 4 * 1024 * 50257LL * 2);
}

static void without_its_head_a_model_ends_with_its_last_block(void **state) {
    (void)state;
    assert_int_equal(build("gpt2-xl", (struct model_options){ .no_head = true }), SS_OK);
    assert_int_equal(profile.op_count, 1 + 48 * 10);
    assert_int_equal(profile.tensor_count, 1 + 48 * 12);
    assert_string_equal(profile.layers[profile.layer_count - 1].name, "L47");
    assert_non_null(strstr(profile.source, "no head"));
}

static void ops_are_priced_by_the_roofline(void **state) {
    (void)state;
    const double tokens = 4 * 1024, hidden = 1600, bytes = 2 * tokens * hidden;
    const double gemm = 312e6 * 0.70, fused = 312e6 * 0.50, memory = 2039e3 * 0.80;
    assert_int_equal(build("gpt2-xl", (struct model_options){ 0 }), SS_OK);
    assert_times("L00.norm1", 2 * bytes / memory + 4, 3 * bytes / memory + 4);
    assert_times("L00.dropout_add1", 3.5 * bytes / memory + 4, 2.5 * bytes / memory + 4);
    assert_times("L00.gelu", 8 * bytes / memory + 4, 12 * bytes / memory + 4);
    const double fc1 = 2 * tokens * hidden * 6400 / gemm + 4, qkv = 2 * tokens * hidden * 4800 / gemm + 4;
    assert_times("L00.fc1", fc1, 2 * fc1);
    assert_times("L00.fc2", fc1, 2 * fc1);
    assert_times("L00.qkv", qkv, 2 * qkv);
    const double causal = 4 * tokens * hidden * 1024 / 2 / fused + 4;
    assert_times("L00.attention", causal, 2.5 * causal);
}

static void attention_that_is_not_causal_takes_all_its_flop(void **state) {
    (void)state;
    const double flop = 4.0 * 16 * 512 * 1024 * 512, forward = flop / (312e6 * 0.50) + 4;
    assert_int_equal(build("bert-large", (struct model_options){ 0 }), SS_OK);
    assert_times("L23.attention", forward, 2.5 * forward);
}

static void eager_attention_spells_out_its_scores(void **state) {
    (void)state;
    const uint64_t scores = 2ull * 4 * 25 * 1024 * 1024, hidden = 2ull * 4 * 1024 * 1600;
    const double memory = 2039e3 * 0.80, product = (double)(scores + 2 * hidden) / memory + 4;
    assert_int_equal(build("gpt2-xl", (struct model_options){ .attention = ATTENTION_EAGER }), SS_OK);
    assert_int_equal(tensor_named("L00.scores")->bytes, scores);
    assert_int_equal(tensor_named("L00.attn_mask")->bytes, scores / 2);
    assert_times("L00.scores", product, 2 * product);
    assert_times("L00.softmax", 2 * (double)scores / memory + 4, 3 * (double)scores / memory + 4);
}

static void the_products_of_eager_attention_take_the_slower_of_compute_and_memory(void **state) {
    (void)state;
    const double forward = 2.0 * 2048 * 4096 * 2048 / (71e6 * 0.70) + 4; /* slower than this GPU's memory */
    assert_int_equal(build("llama-7b", (struct model_options){ .attention = ATTENTION_EAGER,
                                                               .gpu = gpu_find("rtx-3090") }), SS_OK);
    assert_times("L00.mix", forward, 2 * forward);
}

static void batch_sequence_and_efficiencies_are_taken_and_shown(void **state) {
    (void)state;
    const struct model_options options = { .batch = 3, .sequence = 100, .gpu = gpu_find("h100-sxm"),
        .link = link_find("pcie4-x16-a100-measured"), .gemm_efficiency = 0.6, .memory_efficiency = 0.9,
        .attention_efficiency = 0.4 };
    assert_int_equal(build("llama-7b", options), SS_OK);
    assert_int_equal(tensor_named("L31.gate")->bytes, 3 * 100 * 11008 * 2);
    assert_true(profile.link.h2d_both_gb_per_s == 12.5);
    assert_string_equal(profile.source, "analytic: llama-7b, batch 3, sequence 100, flash attention, h100-sxm; 60% of "
                                        "its 16-bit peak in GEMMs, 40% in fused attention, 90% of its memory rate, 4 us "
                                        "a kernel");
}

static void options_out_of_range_are_refused_with_the_range(void **state) {
    (void)state;
    static const struct { struct model_options options; const char *words; } cases[] = {
        { { .batch = (1 << 20) + 1 }, "batch: expected 1 to 1048576, found 1048577" },
        { { .sequence = UINT32_MAX }, "sequence: expected 1 to 1048576, found 4294967295" },
        { { .gemm_efficiency = 1.5 }, "GEMM efficiency: expected above 0 and at most 1, found 1.5" },
        { { .memory_efficiency = -1 }, "memory efficiency: expected above 0 and at most 1, found -1" },
        { { .attention_efficiency = NAN }, "attention efficiency: expected above 0 and at most 1" },
        { { .batch = 1 << 20, .sequence = 1 << 20 }, "its queries, keys and values would take 1.06e+16 bytes" },
        { { .batch = 1 << 10, .sequence = 1 << 20, .attention = ATTENTION_EAGER }, "its attention scores would take" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(build("gpt2-xl", cases[i].options), SS_USAGE);
        if (!strstr(error.text, cases[i].words)) fail_msg("%s <> %s", error.text, cases[i].words);
    }
    assert_int_equal(build("gpt2-xl", (struct model_options){ .batch = 1 << 20, .sequence = 1 << 10 }), SS_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_in_a_table_finds_its_own_entry),
        cmocka_unit_test(every_link_keeps_its_contract_and_names_its_source),
        cmocka_unit_test(every_model_builds_on_every_gpu_with_either_attention),
        cmocka_unit_test_teardown(gpt2_xl_has_its_ten_ops_a_layer_and_the_head, forget),
        cmocka_unit_test_teardown(without_its_head_a_model_ends_with_its_last_block, forget),
        cmocka_unit_test_teardown(ops_are_priced_by_the_roofline, forget),
        cmocka_unit_test_teardown(attention_that_is_not_causal_takes_all_its_flop, forget),
        cmocka_unit_test_teardown(eager_attention_spells_out_its_scores, forget),
        cmocka_unit_test_teardown(the_products_of_eager_attention_take_the_slower_of_compute_and_memory, forget),
        cmocka_unit_test_teardown(batch_sequence_and_efficiencies_are_taken_and_shown, forget),
        cmocka_unit_test_teardown(options_out_of_range_are_refused_with_the_range, forget),
    };
    return cmocka_run_group_tests_name("zoo", tests, NULL, NULL);
}
