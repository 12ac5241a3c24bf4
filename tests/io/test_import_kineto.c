/* torch.profiler traces become profiles: ops, kernels, bytes and steps, odd input of all sorts, what is refused, and how
 * much memory and time that takes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/measured.h"
#include "io/file.h"
#include "io/import_kineto.h"
#include "io/kineto_scan.h"
#include "io/stream.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static struct arena arena;
static struct profile profile;
static struct import_remarks remarks;
static struct kineto_links links;
static struct error error;
static struct file_text text;

static int forget(void **state) {
    (void)state;
    arena_free(&arena);
    file_text_free(&text);
    text = (struct file_text){ 0 };
    error = (struct error){ .place = "", .text = "" };
    return 0;
}

static enum ss_status import_device(const int64_t *device) {
    const struct import_file file = { .text = text.text, .length = text.length, .name = "trace", .device = device };
    return import_kineto_links(&file, &arena, &profile, &remarks, &links, &error);
}

static enum ss_status import_bytes(const char *trace, size_t length, const int64_t *step) {
    const struct import_file file = { .text = trace, .length = length, .name = "trace", .step = step };
    return import_kineto_links(&file, &arena, &profile, &remarks, &links, &error);
}

static enum ss_status import_text(const char *trace) {
    return import_bytes(trace, strlen(trace), NULL);
}

static void read_fixture(const char *name) {
    char path[4096];
    const char *source = getenv("SRCDIR");
    snprintf(path, sizeof path, "%s/tests/fixtures/kineto/%s", source ? source : ".", name);
    assert_int_equal(file_read(path, &text, &error), SS_OK);
}

static enum ss_status import_fixture(const char *name) {
    read_fixture(name);
    return import_bytes(text.text, text.length, NULL);
}

static const struct op *op_named(const char *name) {
    const uint32_t i = profile_find_op(&profile, name);
    if (i == NONE) fail_msg("no op %s", name);
    return &profile.ops[i];
}

static uint64_t bytes_of(const char *tensor) {
    const uint32_t i = profile_find_tensor(&profile, tensor);
    if (i == NONE) fail_msg("no tensor %s", tensor);
    return profile.tensors[i].bytes;
}

static void assert_saved(const char *op, const char *expected) {
    char names[512] = "";
    const struct span saved = op_named(op)->saved;
    for (uint32_t i = 0; i < saved.count; i++) {
        strcat(names, i ? " " : "");
        strcat(names, profile.tensors[profile.index[saved.at + i]].name);
    }
    assert_string_equal(names, expected);
}

static void assert_warned(const char *words) {
    for (uint32_t i = 0; i < remarks.warning_count; i++)
        if (strstr(remarks.warnings[i], words)) return;
    fail_msg("no warning \"%s\"", words);
}

/* --- small traces --- */

static void an_op_owns_the_kernels_launched_while_it_runs(void **state) {
    (void)state;
    assert_int_equal(import_fixture("step.json"), SS_OK);
    assert_true(import_kineto_matches(text.text, text.length));
    assert_int_equal(profile.op_count, 4);
    assert_true(op_named("linear.0")->forward_us == 7.125 && op_named("linear.0")->backward_us == 13);
    assert_true(op_named("gelu.1")->forward_us == 3.5 && op_named("gelu.1")->backward_us == 5);
    assert_true(op_named("dropout.2")->forward_us == 0 && op_named("dropout.2")->backward_us == 2.25);
}

static void a_number_belongs_to_the_last_op_that_carries_it(void **state) {
    (void)state;
    assert_int_equal(import_fixture("step.json"), SS_OK); /* detach carries 5, too, and comes first */
    assert_int_equal(profile_find_op(&profile, "detach.0"), NONE);
    assert_int_equal(links.rows[0].backward_ops, 2);
    assert_int_equal(links.rows[0].sequence, 6);
}

static void what_the_gpu_does_beside_the_ops_is_fixed_time_but_for_collectives(void **state) {
    (void)state;
    assert_int_equal(import_fixture("step.json"), SS_OK);
    assert_true(profile.fixed_us == 5.5);
    assert_int_equal(links.collective_ns, 50000);
    assert_int_equal(links.forward_thread_ns, 14625);
    assert_int_equal(links.backward_thread_ns, 71750);
}

static void memory_events_are_parted_into_output_saved_and_workspace(void **state) {
    (void)state;
    assert_int_equal(import_fixture("step.json"), SS_OK);
    assert_int_equal(bytes_of("linear.0.out"), 32768);
    assert_int_equal(op_named("linear.0")->forward_workspace_bytes, 4096);
    assert_int_equal(bytes_of("dropout.2.out"), 32768);
    assert_int_equal(bytes_of("dropout.2.saved"), 8192);
    assert_int_equal(profile.static_bytes, 2 * (131072 + 512) + 65536);
    assert_saved("linear.0", "");
    assert_saved("gelu.1", "linear.0.out");
    assert_saved("dropout.2", "dropout.2.saved");
}

static void ops_are_grouped_by_the_module_that_holds_several(void **state) {
    (void)state;
    assert_int_equal(import_fixture("step.json"), SS_OK);
    assert_string_equal(profile.layers[op_named("linear.0")->layer].name, "Block_0");
    assert_int_equal(op_named("linear.0")->layer, op_named("dropout.2")->layer);
    assert_string_equal(profile.layers[op_named("sum.3")->layer].name, "sum.3");
}

static void the_source_says_which_step_rank_and_device(void **state) {
    (void)state;
    assert_int_equal(import_fixture("step.json"), SS_OK);
    assert_non_null(strstr(profile.source, "ProfilerStep#7 of 1 steps, rank 3"));
    assert_string_equal(profile.device_name, "Test GPU");
    assert_int_equal(profile.device_memory_bytes, 17179869184);
}

static void old_names_and_shapes_without_types_serve_too(void **state) {
    (void)state;
    assert_int_equal(import_fixture("old.json"), SS_OK);
    assert_int_equal(profile.op_count, 5);
    assert_true(op_named("conv2d.0")->forward_us == 12 && op_named("conv2d.0")->backward_us == 20);
    assert_true(op_named("conv2d.0")->recompute_us == 15); /* with what relu_ does to it in place */
    assert_int_equal(bytes_of("conv2d.0.out"), 2048);
    assert_int_equal(bytes_of("max_pool2d.2.out"), 512);
    assert_int_equal(bytes_of("max_pool2d.2.saved"), 1024);
    assert_saved("relu_.1", "conv2d.0.out");
    assert_saved("linear.4", "max_pool2d.2.out"); /* through the view of flatten */
    assert_warned("no known type");
    assert_warned("1 kernels (0.008 ms in the whole file) have no launch");
}

static void a_step_is_chosen_by_its_number(void **state) {
    (void)state;
    const int64_t there = 7, missing = 8;
    read_fixture("step.json");
    assert_int_equal(import_bytes(text.text, text.length, &there), SS_OK);
    assert_int_equal(import_bytes(text.text, text.length, &missing), SS_USAGE);
    assert_non_null(strstr(error.text, "7 to 7, found 8"));
}

static void a_gpu_is_chosen_by_its_number_and_brings_its_own_process(void **state) {
    (void)state;
    static const struct { int64_t device; const char *name; double forward_us, backward_us; } cases[] = {
        { 0, "First GPU", 10, 25 }, { 1, "Second GPU", 20, 45 },
    };
    const int64_t missing = 5;
    read_fixture("two_gpus.json");
    for (size_t i = 0; i < LENGTH(cases); i++) {
        assert_int_equal(import_device(&cases[i].device), SS_OK);
        assert_string_equal(profile.device_name, cases[i].name);
        assert_int_equal(profile.op_count, 1);
        assert_true(profile.ops[0].forward_us == cases[i].forward_us && profile.ops[0].backward_us == cases[i].backward_us);
    }
    assert_int_equal(import_device(NULL), SS_OK); /* the last step */
    assert_string_equal(profile.device_name, "Second GPU");
    assert_int_equal(import_device(&missing), SS_USAGE);
    assert_string_equal(error.text, "--device: expected a GPU that works in the trace (0, 1), found 5");
}

static void assert_measured(enum lane lane, uint32_t index, double start_us, double duration_us, uint64_t bytes) {
    assert_true(index < profile.measured->count[lane]);
    const struct measured_slice *slice = &profile.measured->slices[lane][index];
    assert_true(fabs(slice->start_us - start_us) < 1e-9 && fabs(slice->duration_us - duration_us) < 1e-9);
    assert_int_equal(slice->bytes, bytes);
}

static void what_the_gpu_did_is_kept_lane_by_lane_from_its_first_work_on(void **state) {
    (void)state;
    read_fixture("two_gpus.json");
    const int64_t device = 0;
    assert_int_equal(import_device(&device), SS_OK);
    assert_non_null(profile.measured);
    assert_true(profile.measured->step_us == 1000);
    assert_int_equal(profile.measured->count[LANE_H2D], 1); /* two copies that overlap */
    assert_measured(LANE_H2D, 0, 0, 12, 5096);
    assert_int_equal(profile.measured->count[LANE_D2H], 1);
    assert_measured(LANE_D2H, 0, 570, 16, 512);
    assert_int_equal(profile.measured->count[LANE_COMPUTE], 3);
    assert_measured(LANE_COMPUTE, 0, 10, 10, 0);
    assert_measured(LANE_COMPUTE, 1, 360, 26, 0); /* two kernels 1 us apart */
    assert_measured(LANE_COMPUTE, 2, 600, 2, 99); /* a copy within the GPU */
    assert_true(profile.measured && measured_sum(profile.measured, LANE_COMPUTE).busy_us == 38);
}

static void a_trace_without_a_gpu_measures_none_and_has_no_device(void **state) {
    (void)state;
    static const char trace[] = "[{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mul\",\"pid\":1,\"tid\":1,\"ts\":10,"
        "\"dur\":10,\"args\":{\"Sequence number\":1}},{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"MulBackward0\",\"pid\":1,"
        "\"tid\":2,\"ts\":50,\"dur\":5,\"args\":{\"Sequence number\":1}}]";
    const int64_t device = 0;
    assert_int_equal(import_text(trace), SS_OK);
    assert_null(profile.measured);
    const struct import_file file = { .text = trace, .length = sizeof trace - 1, .name = "trace", .device = &device };
    assert_int_equal(import_kineto(&file, &arena, &profile, &remarks, &error), SS_USAGE);
    assert_string_equal(error.text, "--device: no GPU works in the trace, found 0 asked for");
}

/* --- odd input --- */

#define STEP "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#1\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":100}"
#define FORWARD(name, args) \
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":10,\"args\":{" args "}}"
#define BACKWARD(dur, args) "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"MulBackward0\",\"pid\":1,\"tid\":2,\"ts\":50.5,\"dur\":" \
    dur ",\"args\":{" args "}}"
#define NUMBER "\"Sequence number\":1"

static void a_bare_array_and_a_trace_without_a_gpu_are_taken(void **state) {
    (void)state;
    static const char trace[] = "\xEF\xBB\xBF [" STEP "," FORWARD("aten::mul", NUMBER) "," BACKWARD("12.345", NUMBER) "] ";
    assert_true(import_kineto_matches(trace, sizeof trace - 1));
    assert_int_equal(import_text(trace), SS_OK);
    assert_true(profile.ops[0].forward_us == 10 && profile.ops[0].backward_us == 12.345);
    assert_non_null(strstr(profile.source, "ops on the CPU"));
}

static void names_may_hold_what_is_no_json_and_are_made_harmless(void **state) {
    (void)state;
    assert_int_equal(import_text("[" STEP "," FORWARD("C:\\path\\lib::\x1b[31m\xff\\u0041\\\"", NUMBER) ","
                                 BACKWARD("1", NUMBER) "]"), SS_OK);
    assert_string_equal(profile.ops[0].name, "C:\\path\\lib::\xEF\xBF\xBD[31m\xEF\xBF\xBD" "A\".0");
}

static void durations_that_cannot_be_are_dropped_and_counted(void **state) {
    (void)state;
    static const char *const durations[] = { "-5", "7443141121984000", "\"x\"" };
    for (size_t i = 0; i < LENGTH(durations); i++) {
        char trace[2048];
        snprintf(trace, sizeof trace, "[" STEP "," FORWARD("aten::mul", NUMBER) "," BACKWARD("%s", NUMBER) "]", durations[i]);
        assert_int_equal(import_text(trace), SS_OK);
        assert_true(profile.ops[0].backward_us == 0);
        assert_warned("1 events with a negative or endless duration");
    }
}

static void an_arrow_ties_where_no_number_does(void **state) {
    (void)state;
    static const char arrow[] = "[" STEP "," FORWARD("aten::mul", "\"Input Dims\":[]") "," BACKWARD("5", "") ","
        "{\"ph\":\"f\",\"cat\":\"fwdbwd\",\"id\":3,\"pid\":1,\"tid\":2,\"ts\":50.5,\"bp\":\"e\"},"
        "{\"ph\":\"%s\",\"cat\":\"fwdbwd\",\"id\":3,\"pid\":\"1\",\"tid\":\"1\",\"ts\":\"10\"}]";
    char trace[2048];
    snprintf(trace, sizeof trace, arrow, "s");
    assert_int_equal(import_text(trace), SS_OK);
    assert_true(profile.ops[0].backward_us == 5);
    snprintf(trace, sizeof trace, arrow, "t"); /* the start is missing */
    assert_int_equal(import_text(trace), SS_BAD_INPUT);
}

static void what_has_no_training_step_is_refused(void **state) {
    (void)state;
    static const struct { const char *trace, *words; } cases[] = {
        { "{\"traceEvents\": []}", "no backward found" },
        { "{\"traceEvents\": [{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1}]}", "no backward found" },
        { "[" STEP "," FORWARD("aten::mul", NUMBER) "]", "no backward found" },
        { "[" STEP "," FORWARD("aten::mul", NUMBER) "," BACKWARD("5", "\"Sequence number\":2") "]", "arrows" },
        { "{\"deviceProperties\": []}", "traceEvents" },
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        assert_int_equal(import_text(cases[i].trace), SS_BAD_INPUT);
        assert_non_null(strstr(error.text, cases[i].words));
    }
}

static void broken_structure_is_refused_with_its_place(void **state) {
    (void)state;
    static const struct { const char *trace, *place, *words; } cases[] = {
        { "[" STEP "," "{\"ph\" \"X\"}]", "$.traceEvents[1], byte 99", "an event" },
        { "[" STEP " 5]", "$.traceEvents[1], byte 93", "a comma" },
        { "[" STEP ",", "$.traceEvents[1], byte 93", "found the end of the file" },
        { "{\"traceEvents\": [{\"ph\": \"X", "$.traceEvents[0], byte 26", "found the end of the file" },
        { "[] x", "$.traceEvents[0], byte 3", "the end of the file" },
        { "[5]", "$.traceEvents[0], byte 1", "an event" },
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        assert_int_equal(import_text(cases[i].trace), SS_BAD_INPUT);
        assert_string_equal(error.place, cases[i].place);
        assert_non_null(strstr(error.text, cases[i].words));
    }
}

static void a_file_that_ends_anywhere_is_refused(void **state) {
    (void)state;
    read_fixture("step.json");
    for (size_t length = text.length - 2; length > 0; length -= length > 37 ? 37 : length) {
        assert_int_equal(import_bytes(text.text, length, NULL), SS_BAD_INPUT);
        assert_non_null(strstr(error.text, "the end of the file"));
    }
}

static void times_keep_their_nanoseconds(void **state) {
    (void)state;
    static const struct { const char *text; int64_t ns; bool good; } cases[] = {
        { "1712195495519689.123", 1712195495519689123, true }, { "\"1712195495519689.001\"", 1712195495519689001, true },
        { "4458676522690.655", 4458676522690655, true },       { "7", 7000, true },
        { "0.0019", 1, true },                                 { "-3.5", -3500, true },
        { "1.712195495519689123e15", 1712195495519689123, true }, { "25E-1", 2500, true },
        { "9223372036854776", 0, false },                      { "1e300", 0, false },
        { "nan", 0, false },                                   { "", 0, false },
        { "0x10", 0, false },                                  { "1.2.3", 0, false },
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        int64_t ns = 0;
        const struct piece value = { cases[i].text, strlen(cases[i].text) };
        if (kineto_nanoseconds(value, &ns) != cases[i].good || (cases[i].good && ns != cases[i].ns))
            fail_msg("%s gave %lld", cases[i].text, (long long)ns);
    }
}

static uint32_t next_random(uint32_t *seed) {
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 8;
}

static void damage_is_refused_or_gives_a_profile_that_holds(void **state) {
    (void)state;
    static const char bytes[] = "{}[]\",:\\-0199eE.x\xff";
    uint32_t seed = 5, taken = 0;
    read_fixture("step.json");
    char *copy = malloc(text.length);
    assert_non_null(copy);
    for (int round = 0; round < 600; round++) {
        memcpy(copy, text.text, text.length);
        for (uint32_t i = next_random(&seed) % 4 + 1; i > 0; i--)
            copy[next_random(&seed) % text.length] = bytes[next_random(&seed) % (sizeof bytes - 1)];
        arena_free(&arena);
        const enum ss_status status = import_bytes(copy, text.length, NULL);
        taken += status == SS_OK;
        assert_true(status == SS_OK ? profile.op_count > 0 && isfinite(profile.ideal_us)
                                    : status == SS_BAD_INPUT && error.text[0]);
    }
    free(copy);
    assert_true(taken > 100 && taken < 600);
}

/* --- real traces --- */

static const char *shared_file(char path[4096], const char *name) {
    const char *shared = getenv("SLACKSWAP_SHARED");
    snprintf(path, 4096, "%s/data/kineto_trace/%s", shared ? shared : "../shared", name);
    if (access(path, R_OK) != 0) skip();
    return path;
}

static enum ss_status import_path(const char *path, const int64_t *step) {
    struct stream stream;
    assert_int_equal(stream_open(&stream, path, &error), SS_OK);
    const struct import_file file = { .text = "", .name = "trace", .stream = &stream, .step = step };
    const enum ss_status status = import_kineto_links(&file, &arena, &profile, &remarks, &links, &error);
    stream_close(&stream);
    return status;
}

#define RESNET_MEMORY "kineto_resnet50_v100_memory.pt.trace.json.gz"

/* Kernel times by thread are independent sums over the files (GOLDEN.txt). */
static void kernel_times_split_as_an_independent_count_has_them(void **state) {
    (void)state;
    static const struct { const char *name; int64_t forward_ns, backward_ns; } cases[] = {
        { "hta_sampled_rank-0.json.gz", 360638000, 245881000 },
        { RESNET_MEMORY, 205444000, 386088000 },
        { "mi250_minitoy_train_ROCm6_2_kineto.json.gz", 62401, 48480 },
        { "resnet_ddp_nccl.json.gz", 40171465, 122360875 },
        { "resnet_v100_ns_absolute_epoch.pt.trace.json.gz", 154957389, 313196213 },
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        char path[4096];
        assert_int_equal(import_path(shared_file(path, cases[i].name), NULL), SS_OK);
        assert_int_equal(links.forward_thread_ns, cases[i].forward_ns);
        assert_int_equal(links.backward_thread_ns, cases[i].backward_ns);
        assert_int_equal(links.unlinked_ns, 0);
    }
}

/* The reference gives an op the backward of its own number; an op made of several ("linear" of t and addmm) has more here. */
static void assert_layers(const char *trace, const char *table, int64_t step) {
    char path[4096], line[512], op[128];
    assert_int_equal(import_path(shared_file(path, trace), &step), SS_OK);
    FILE *file = fopen(shared_file(path, table), "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    uint32_t row = 0, several = 0;
    for (; fgets(line, sizeof line, file); row++) {
        double forward_us, backward_us;
        long long sequence, retained;
        const int found = sscanf(line, "%*u,%127[^,],%lld,%lf,%lf,%lld", op, &sequence, &forward_us, &backward_us, &retained);
        assert_true(found >= 4 && row < profile.op_count);
        assert_string_equal(profile.ops[row].kind, op + strlen("aten::"));
        assert_true(fabs(profile.ops[row].forward_us - forward_us) < 1e-6);
        if (found == 5) assert_int_equal(links.rows[row].retained_bytes, retained);
        if (links.rows[row].sequence == sequence)
            assert_true(fabs(profile.ops[row].backward_us - backward_us) < 1e-6);
        else
            several += profile.ops[row].backward_us > backward_us;
    }
    fclose(file);
    assert_int_equal(row, profile.op_count);
    assert_int_equal(several, 2); /* linear, cross_entropy_loss */
}

static void layers_of_resnet_are_those_of_the_reference(void **state) {
    (void)state;
    assert_layers(RESNET_MEMORY, "GOLDEN_resnet50_step6_layers.csv", 6);
    assert_layers("resnet_ddp_nccl.json.gz", "GOLDEN_resnet_ddp_step5_layers.csv", 5);
    assert_layers("resnet_v100_ns_absolute_epoch.pt.trace.json.gz", "GOLDEN_resnet_ns_step103_layers.csv", 103);
}

static void a_real_trace_without_a_tied_backward_is_refused(void **state) {
    (void)state;
    static const struct { const char *name, *words; } cases[] = {
        { "tracelens_h100_bert_small_inference_memory.json.gz", "no backward found" },
        { "inference_rank_1.json.gz", "no backward found" },
        { "triton_example.json.gz", "no backward found" },
        { "kineto_resnet50_v100_nomem.pt.trace.json.gz", "sequence numbers" },
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        char path[4096];
        assert_int_equal(import_path(shared_file(path, cases[i].name), NULL), SS_BAD_INPUT);
        assert_non_null(strstr(error.text, cases[i].words));
    }
}

static void unpack(const char *from, const char *to) {
    static char block[65536];
    struct stream stream;
    size_t got = 1;
    FILE *file = fopen(to, "wb");
    assert_non_null(file);
    assert_int_equal(stream_open(&stream, from, &error), SS_OK);
    while (got > 0) {
        assert_int_equal(stream_read(&stream, block, sizeof block, &got, &error), SS_OK);
        assert_int_equal(fwrite(block, 1, got, file), got);
    }
    stream_close(&stream);
    assert_int_equal(fclose(file), 0);
}

static double children_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
}

static bool run_child(const char *trace, bool python) {
    static const char load[] = "import json, sys; json.load(open(sys.argv[1]))";
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        if (python) execlp("python3", "python3", "-c", load, trace, (char *)NULL);
        _exit(python ? 127 : import_path(trace, NULL) == SS_OK ? 0 : 1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* 35 MB: below 64 MiB resident, and at most 0.7 of the time that python3 takes to load the file. */
static void a_large_trace_takes_little_memory_and_less_time_than_loading_it(void **state) {
    (void)state;
    char path[4096];
    const char *instrumented = getenv("INSTRUMENTED");
    if (instrumented && *instrumented) skip();
    unpack(shared_file(path, RESNET_MEMORY), "kineto.tmp.json");
    const double before = children_seconds();
    const bool imported = run_child("kineto.tmp.json", false);
    const double ours = children_seconds() - before;
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    const bool loaded = run_child("kineto.tmp.json", true);
    const double theirs = children_seconds() - before - ours;
    remove("kineto.tmp.json");
    assert_true(imported);
    assert_true(usage.ru_maxrss < 64 * 1024);
    if (!loaded) skip();
    if (ours > 0.7 * theirs) fail_msg("%.3f s, python3 %.3f s", ours, theirs);
}

int main(void) {
#define TEST(f) cmocka_unit_test_teardown(f, forget)
    const struct CMUnitTest tests[] = {
        TEST(an_op_owns_the_kernels_launched_while_it_runs),
        TEST(a_number_belongs_to_the_last_op_that_carries_it),
        TEST(what_the_gpu_does_beside_the_ops_is_fixed_time_but_for_collectives),
        TEST(memory_events_are_parted_into_output_saved_and_workspace),
        TEST(ops_are_grouped_by_the_module_that_holds_several),
        TEST(the_source_says_which_step_rank_and_device),
        TEST(old_names_and_shapes_without_types_serve_too),
        TEST(a_step_is_chosen_by_its_number),
        TEST(a_gpu_is_chosen_by_its_number_and_brings_its_own_process),
        TEST(what_the_gpu_did_is_kept_lane_by_lane_from_its_first_work_on),
        TEST(a_trace_without_a_gpu_measures_none_and_has_no_device),
        TEST(a_bare_array_and_a_trace_without_a_gpu_are_taken),
        TEST(names_may_hold_what_is_no_json_and_are_made_harmless),
        TEST(durations_that_cannot_be_are_dropped_and_counted),
        TEST(an_arrow_ties_where_no_number_does),
        TEST(what_has_no_training_step_is_refused),
        TEST(broken_structure_is_refused_with_its_place),
        TEST(a_file_that_ends_anywhere_is_refused),
        TEST(times_keep_their_nanoseconds),
        TEST(damage_is_refused_or_gives_a_profile_that_holds),
        TEST(kernel_times_split_as_an_independent_count_has_them),
        TEST(layers_of_resnet_are_those_of_the_reference),
        TEST(a_real_trace_without_a_tied_backward_is_refused),
        TEST(a_large_trace_takes_little_memory_and_less_time_than_loading_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
