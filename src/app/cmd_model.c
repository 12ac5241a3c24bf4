/* model: the profile of a built-in model, or a list of what is built in. */
#include "core/units.h"
#include "io/json_write.h"
#include "io/link_json.h"
#include "load.h"
#include "options.h"
#include "output.h"

static void print_models(struct buffer *out) {
    buffer_printf(out, "Models\n  %-15s%7s%8s%7s%7s%12s%7s%10s  %s\n", "name", "layers", "hidden", "heads", "ffn", "vocabulary",
           "batch", "sequence", "what it is");
    for (uint32_t i = 0; i < MODEL_COUNT; i++) {
        const struct model *model = &MODELS[i];
        buffer_printf(out, "  %-15s%7u%8u%7u%7u%12u%7u%10u  %s\n", model->name, model->layers, model->hidden, model->heads,
               model->ffn, model->vocabulary, model->batch, model->sequence, model->title);
    }
}

static void print_gpus(struct buffer *out) {
    char memory[UNIT_TEXT];
    buffer_printf(out, "\nDevices (--gpu)\n  %-15s%9s%7s%10s  %s\n", "name", "Tflop/s", "GB/s", "memory", "source");
    for (uint32_t i = 0; i < GPU_COUNT; i++)
        buffer_printf(out, "  %-15s%9g%7g%10s  %s\n", GPUS[i].name, GPUS[i].tflop_per_s, GPUS[i].memory_gb_per_s,
               format_bytes(memory, GPUS[i].memory_bytes), GPUS[i].source);
}

static void print_links(struct buffer *out) {
    buffer_printf(out, "\nLinks (--link; rates in GB/s)\n  %-32s%7s%8s%10s%10s%9s  %s\n", "name", "H2D", "D2H", "H2D both",
           "D2H both", "latency", "source");
    for (uint32_t i = 0; i < LINK_COUNT; i++) {
        const struct link *link = &LINKS[i].link;
        buffer_printf(out, "  %-32s%7g%8g%10g%10g%6g us  %s\n", link->name, link->h2d_gb_per_s, link->d2h_gb_per_s,
               link->h2d_both_gb_per_s, link->d2h_both_gb_per_s, link->latency_us, LINKS[i].source);
    }
}

static void put_models(struct json_writer *writer) {
    json_open_array(writer, "models", JSON_LINES);
    for (uint32_t i = 0; i < MODEL_COUNT; i++) {
        const struct model *model = &MODELS[i];
        json_open_object(writer, NULL, JSON_INLINE);
        json_put_text(writer, "name", model->name);
        json_put_text(writer, "title", model->title);
        json_put_number(writer, "layers", model->layers);
        json_put_number(writer, "hidden", model->hidden);
        json_put_number(writer, "heads", model->heads);
        json_put_number(writer, "ffn", model->ffn);
        json_put_number(writer, "vocabulary", model->vocabulary);
        json_put_number(writer, "batch", model->batch);
        json_put_number(writer, "sequence", model->sequence);
        json_end(writer);
    }
    json_end(writer);
}

static void put_gpus(struct json_writer *writer) {
    json_open_array(writer, "gpus", JSON_LINES);
    for (uint32_t i = 0; i < GPU_COUNT; i++) {
        json_open_object(writer, NULL, JSON_INLINE);
        json_put_text(writer, "name", GPUS[i].name);
        json_put_number(writer, "tflop_per_s", GPUS[i].tflop_per_s);
        json_put_number(writer, "memory_gb_per_s", GPUS[i].memory_gb_per_s);
        json_put_number(writer, "memory_bytes", (double)GPUS[i].memory_bytes);
        json_put_text(writer, "source", GPUS[i].source);
        json_end(writer);
    }
    json_end(writer);
}

static void put_links(struct json_writer *writer) {
    json_open_array(writer, "links", JSON_LINES);
    for (uint32_t i = 0; i < LINK_COUNT; i++) {
        const struct link *link = &LINKS[i].link;
        json_open_object(writer, NULL, JSON_INLINE);
        json_put_text(writer, "name", link->name);
        link_json_put_rates(writer, link);
        json_put_text(writer, "source", LINKS[i].source);
        json_end(writer);
    }
    json_end(writer);
}

static void put_lists(struct buffer *out) {
    struct json_writer writer = { .out = out };
    json_open_object(&writer, NULL, JSON_LINES);
    put_models(&writer);
    put_gpus(&writer);
    put_links(&writer);
    json_end(&writer);
}

static enum ss_status list(const struct options *options, struct error *error) {
    struct buffer out = { 0 };
    if (options->argument_count)
        return error_set(error, SS_USAGE, "model --list takes no argument: what is '%s'?", options->argument[0]);
    if (options->json) {
        put_lists(&out);
    } else {
        print_models(&out);
        print_gpus(&out);
        print_links(&out);
    }
    return output_buffer(options, &out, error);
}

enum ss_status cmd_model(const struct options *options, struct error *error) {
    struct arena arena = { 0 };
    struct profile profile;
    if (options->list)
        return list(options, error);
    if (options->argument_count == 0)
        return error_set(error, SS_USAGE, "model needs NAME; 'slackswap model --list' names them");
    enum ss_status status = load_model(options, options->argument[0], &arena, &profile, error);
    if (status == SS_OK)
        status = output_profile(options, &profile, error);
    arena_free(&arena);
    return status;
}
