/* link_json: see link_json.h. */
#include "link_json.h"

bool link_json_take(struct json *json, const cJSON *object, struct link *out) {
    struct link link = { .name = "" };
    json_get_text(json, object, "name", JSON_OPTIONAL, &link.name);
    json_get_rate(json, object, "h2d_gb_per_s", JSON_REQUIRED, &link.h2d_gb_per_s);
    json_get_rate(json, object, "d2h_gb_per_s", JSON_REQUIRED, &link.d2h_gb_per_s);
    link.h2d_both_gb_per_s = link.h2d_gb_per_s;
    link.d2h_both_gb_per_s = link.d2h_gb_per_s;
    json_get_rate(json, object, "h2d_both_gb_per_s", JSON_OPTIONAL, &link.h2d_both_gb_per_s);
    json_get_rate(json, object, "d2h_both_gb_per_s", JSON_OPTIONAL, &link.d2h_both_gb_per_s);
    json_get_time(json, object, "latency_us", JSON_OPTIONAL, &link.latency_us);
    *out = link;
    return json->status == SS_OK;
}

void link_json_put_rates(struct json_writer *writer, const struct link *link) {
    json_put_number(writer, "h2d_gb_per_s", link->h2d_gb_per_s);
    json_put_number(writer, "d2h_gb_per_s", link->d2h_gb_per_s);
    json_put_number(writer, "h2d_both_gb_per_s", link->h2d_both_gb_per_s);
    json_put_number(writer, "d2h_both_gb_per_s", link->d2h_both_gb_per_s);
    json_put_number(writer, "latency_us", link->latency_us);
}

void link_json_put(struct json_writer *writer, const struct link *link) {
    json_open_object(writer, "link", JSON_INLINE);
    if (*link->name)
        json_put_text(writer, "name", link->name);
    link_json_put_rates(writer, link);
    json_end(writer);
}
