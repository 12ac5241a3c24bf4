/* The analytic profiles are those of MODEL.md §7's reference output, tensor by tensor and op by op, where the shared data
 * lies beside the checkout. Read with cJSON alone, so that no code of ours stands between the two. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/zoo.h"
#include "io/file.h"

#define ROUNDING_US 0.002

static const char *string_of(const cJSON *object, const char *name) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    if (!text) fail_msg("no %s", name);
    return text;
}

static double number_of(const cJSON *object, const char *name) {
    return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static void assert_time(const char *op, const char *name, double found, double expected) {
    if (!(fabs(found - expected) <= ROUNDING_US)) fail_msg("%s.%s: %.6f <> %.6f", op, name, found, expected);
}

static void assert_list(const struct profile *profile, const char *op, const cJSON *reference, const char *name,
                        struct span list) {
    const cJSON *names = cJSON_GetObjectItemCaseSensitive(reference, name);
    if ((uint32_t)cJSON_GetArraySize(names) != list.count) fail_msg("%s.%s: another length", op, name);
    for (uint32_t i = 0; i < list.count; i++)
        assert_string_equal(profile->tensors[profile->index[list.at + i]].name,
                            cJSON_GetStringValue(cJSON_GetArrayItem(names, (int)i)));
}

static void assert_tensors(const struct profile *profile, const cJSON *reference) {
    const cJSON *tensors = cJSON_GetObjectItemCaseSensitive(reference, "tensors"), *expected = NULL;
    uint32_t i = 0;
    assert_int_equal(profile->tensor_count, cJSON_GetArraySize(tensors));
    cJSON_ArrayForEach(expected, tensors) {
        const struct tensor *tensor = &profile->tensors[i++];
        assert_string_equal(tensor->name, string_of(expected, "name"));
        assert_true((double)tensor->bytes == number_of(expected, "bytes"));
        assert_int_equal(tensor->gradient, !cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(expected, "gradient")));
        assert_false(tensor->keep);
    }
}

static void assert_ops(const struct profile *profile, const cJSON *reference) {
    const cJSON *ops = cJSON_GetObjectItemCaseSensitive(reference, "ops"), *expected = NULL;
    uint32_t i = 0;
    assert_int_equal(profile->op_count, cJSON_GetArraySize(ops));
    cJSON_ArrayForEach(expected, ops) {
        const struct op *op = &profile->ops[i++];
        assert_string_equal(op->name, string_of(expected, "name"));
        assert_string_equal(profile->layers[op->layer].name, string_of(expected, "layer"));
        assert_string_equal(op->kind, string_of(expected, "kind"));
        assert_time(op->name, "forward_us", op->forward_us, number_of(expected, "forward_us"));
        assert_time(op->name, "backward_us", op->backward_us, number_of(expected, "backward_us"));
        assert_true(op->recompute_us == op->forward_us && op->recomputable);
        assert_int_equal(op->forward_workspace_bytes + op->backward_workspace_bytes, 0);
        assert_list(profile, op->name, expected, "inputs", op->inputs);
        assert_list(profile, op->name, expected, "outputs", op->outputs);
        assert_list(profile, op->name, expected, "saved", op->saved);
    }
}

static void assert_head(const struct profile *profile, const cJSON *reference) {
    const cJSON *device = cJSON_GetObjectItemCaseSensitive(reference, "device");
    const cJSON *link = cJSON_GetObjectItemCaseSensitive(reference, "link");
    const char *source = string_of(reference, "source");
    assert_string_equal(profile->name, string_of(reference, "name"));
    if (strncmp(profile->source, source, strlen(source)) != 0) fail_msg("%s <> %s", profile->source, source);
    assert_string_equal(profile->device_name, string_of(device, "name"));
    assert_true((double)profile->device_memory_bytes == number_of(device, "memory_bytes"));
    assert_string_equal(profile->link.name, string_of(link, "name"));
    assert_true(profile->link.h2d_gb_per_s == number_of(link, "h2d_gb_per_s"));
    assert_true(profile->link.d2h_gb_per_s == number_of(link, "d2h_gb_per_s"));
    assert_true(profile->link.h2d_both_gb_per_s == profile->link.h2d_gb_per_s);
    assert_true(profile->link.d2h_both_gb_per_s == profile->link.d2h_gb_per_s);
    assert_true(profile->link.latency_us == number_of(link, "latency_us"));
    assert_true(profile->static_bytes == 0 && profile->fixed_us == 0);
}

static void assert_equals_reference(const char *name, enum attention attention) {
    const char *shared = getenv("SLACKSWAP_SHARED");
    const struct model_options options = { .attention = attention };
    struct file_text text;
    struct arena arena = { 0 };
    struct profile profile;
    struct error error;
    char path[4096];
    snprintf(path, sizeof path, "%s/data/analytic/%s-%s.json", shared ? shared : "../shared", name,
             ATTENTION_NAME[attention]);
    if (file_read(path, &text, &error) != SS_OK) skip();
    cJSON *reference = cJSON_ParseWithLength(text.text, text.length);
    assert_non_null(reference);
    assert_int_equal(model_build(model_find(name), &options, &arena, &profile, &error), SS_OK);
    assert_head(&profile, reference);
    assert_tensors(&profile, reference);
    assert_ops(&profile, reference);
    cJSON_Delete(reference);
    arena_free(&arena);
    file_text_free(&text);
}

#define EQUALS_REFERENCE(test, name, attention)                                                                        \
    static void test(void **state) {                                                                                   \
        (void)state;                                                                                                   \
        assert_equals_reference(name, attention);                                                                      \
    }
EQUALS_REFERENCE(bert_large_flash_equals_the_reference, "bert-large", ATTENTION_FLASH)
EQUALS_REFERENCE(bert_large_eager_equals_the_reference, "bert-large", ATTENTION_EAGER)
EQUALS_REFERENCE(gpt2_xl_flash_equals_the_reference, "gpt2-xl", ATTENTION_FLASH)
EQUALS_REFERENCE(gpt2_xl_eager_equals_the_reference, "gpt2-xl", ATTENTION_EAGER)
EQUALS_REFERENCE(llama_7b_flash_equals_the_reference, "llama-7b", ATTENTION_FLASH)
EQUALS_REFERENCE(llama_7b_eager_equals_the_reference, "llama-7b", ATTENTION_EAGER)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bert_large_flash_equals_the_reference), cmocka_unit_test(bert_large_eager_equals_the_reference),
        cmocka_unit_test(gpt2_xl_flash_equals_the_reference),    cmocka_unit_test(gpt2_xl_eager_equals_the_reference),
        cmocka_unit_test(llama_7b_flash_equals_the_reference),   cmocka_unit_test(llama_7b_eager_equals_the_reference),
    };
    return cmocka_run_group_tests_name("zoo_reference", tests, NULL, NULL);
}
