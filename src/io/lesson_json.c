#include "lesson_json.h"

#include <stdio.h>
#include <string.h>

#include "core/formula.h"
#include "core/glossary.h"
#include "core/sanitise.h"
#include "plan_json.h"
#include "profile_json.h"

#define RAW_MOST 2000 /* bytes of a text that still has its formulas in it */

/* How things stand: what the next step's "set" and "plan" change. */
struct carried {
    struct settings settings;
    const struct plan *plan;
};

struct reading {
    struct json json;
    struct arena *arena;
    struct lesson *lesson;
    struct limits limits;
    struct lesson_step *step; /* the lesson's */
    uint32_t step_at;         /* the one being read */
    struct formula_named named[LESSON_STEPS_MOST];
    uint32_t named_count;
};

static bool no_memory(struct reading *in) {
    return json_fault(&in->json, in->json.root, NULL, error_no_memory(in->json.error));
}

static bool fine(const struct reading *in) { return in->json.status == SS_OK; }

/* ---- members ---- */

/* Whether every member of OBJECT is one of NAMES, which have "|" between them: a word that is misspelt must not go by. */
static bool check_members(struct reading *in, const cJSON *object, const char *what, const char *names) {
    if (!json_is_object(&in->json, object, what))
        return false;
    for (const cJSON *member = object->child; member; member = member->next) {
        const size_t length = strlen(member->string);
        const char *at = names;
        while (at && !(strncmp(at, member->string, length) == 0 && (at[length] == '|' || !at[length])))
            at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL;
        if (at && length > 0)
            continue;
        char list[200];
        snprintf(list, sizeof list, "%s", names);
        for (char *bar; (bar = strchr(list, '|'));)
            *bar = ' ';
        return json_fault(&in->json, member, NULL,
                          error_set(in->json.error, SS_BAD_INPUT, "expected one of %s, found '%.60s'", list,
                                    member->string));
    }
    return true;
}

static size_t characters(const char *text) {
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

/* A text to be shown, made harmless; *OUT stays as it was where it is absent and may be. */
static bool take_words(struct reading *in, const cJSON *object, const char *key, enum json_need need, const char **out) {
    const char *text = NULL;
    if (!(need == JSON_REQUIRED ? json_get_name(&in->json, object, key, need, &text)
                                : json_get_text(&in->json, object, key, need, &text)) ||
        !text)
        return fine(in);
    if (strlen(text) > RAW_MOST)
        return json_fault(&in->json, json_find(object, key), NULL,
                          error_set(in->json.error, SS_BAD_INPUT, "expected at most %d bytes, found %zu", RAW_MOST,
                                    strlen(text)));
    char *copy = ARENA_ARRAY(in->arena, char, SANITISED_BYTES(strlen(text)));
    if (!copy)
        return no_memory(in);
    *out = sanitise(copy, SANITISED_BYTES(strlen(text)), text);
    return true;
}

/* The same of at most MOST characters as it stands. */
static bool take_line(struct reading *in, const cJSON *object, const char *key, size_t most, const char **out) {
    if (!take_words(in, object, key, JSON_REQUIRED, out))
        return false;
    if (characters(*out) <= most)
        return true;
    return json_fault(&in->json, json_find(object, key), NULL,
                      error_set(in->json.error, SS_BAD_INPUT, "expected at most %zu characters, found %zu", most,
                                characters(*out)));
}

/* A list of LEAST to MOST elements. */
static bool take_list(struct reading *in, const cJSON *object, const char *key, enum json_need need, uint32_t least,
                      uint32_t most, const cJSON **out, uint32_t *count) {
    *out = NULL;
    *count = 0;
    if (!json_get_array(&in->json, object, key, need, out) || !*out)
        return fine(in);
    const uint32_t found = (uint32_t)cJSON_GetArraySize(*out);
    *count = found;
    return (found >= least && found <= most) ||
           json_fault(&in->json, *out, NULL,
                      error_set(in->json.error, SS_BAD_INPUT, "expected %u to %u elements, found %u", least, most, found));
}

static bool take_texts(struct reading *in, const cJSON *list, uint32_t count, const char *what,
                       const char *const **out) {
    const char **texts = ARENA_ARRAY(in->arena, const char *, count);
    uint32_t i = 0;
    if (!texts)
        return no_memory(in);
    for (const cJSON *node = list ? list->child : NULL; node; node = node->next, i++) {
        const char *text;
        if (!json_take_text(&in->json, node, what, &text))
            return false;
        texts[i] = arena_strdup(in->arena, text);
        if (!texts[i])
            return no_memory(in);
    }
    *out = texts;
    return true;
}

/* ---- formulas ---- */

/* What formulas may speak of: BEFORE is false where nothing was before. */
static struct formula_scope scope_of(const struct reading *in, bool before) {
    return (struct formula_scope){ .profile = &in->lesson->profile, .nothing_before = !before, .named = in->named,
                                   .named_count = in->named_count };
}

/* The message tells which character; the place is NODE's. */
static bool formula_fault(struct reading *in, const cJSON *node, enum ss_status status) {
    struct error *error = in->json.error;
    if (error && *error->place) {
        const struct error said = *error;
        error_set(error, status, "%.40s: %.400s", said.place, said.text);
    }
    return json_fault(&in->json, node, NULL, status);
}

static bool check_claim(struct reading *in, const cJSON *node, const char *claim, bool before) {
    const struct formula_scope scope = scope_of(in, before);
    bool holds;
    const enum ss_status status = formula_holds(claim, strlen(claim), &scope, &holds, in->json.error);
    return status == SS_OK || formula_fault(in, node, status);
}

static bool check_text(struct reading *in, const cJSON *node, const char *text, bool before) {
    const struct formula_scope scope = scope_of(in, before);
    struct arena scratch = { 0 };
    char *filled;
    const enum ss_status status = node ? formula_fill(text, &scope, "", &scratch, &filled, in->json.error) : SS_OK;
    arena_free(&scratch);
    return status == SS_OK || formula_fault(in, node, status);
}

/* A text with formulas in it. */
static bool take_filled(struct reading *in, const cJSON *object, const char *key, enum json_need need, bool before,
                        const char **out) {
    return take_words(in, object, key, need, out) && check_text(in, json_find(object, key), *out, before);
}

static bool take_claim(struct reading *in, const cJSON *object, const char *key, bool before, const char **out) {
    const char *text = NULL;
    if (!json_get_name(&in->json, object, key, JSON_REQUIRED, &text))
        return false;
    *out = arena_strdup(in->arena, text);
    return *out ? check_claim(in, json_find(object, key), *out, before) : no_memory(in);
}

/* ---- how things stand ---- */

static bool take_settings(struct reading *in, const cJSON *object, struct carried *now) {
    uint64_t budget;
    struct link link;
    const struct profile *profile = &in->lesson->profile;
    for (const cJSON *member = object ? object->child : NULL; member; member = member->next) {
        const char *value;
        if (!json_take_text(&in->json, member, "a text, such as \"40%\"", &value))
            return false;
        enum ss_status status = lesson_set(member->string, value, profile, &now->settings, in->json.error);
        if (status == SS_USAGE)
            status = SS_BAD_INPUT;
        if (status != SS_OK)
            return json_fault(&in->json, member, NULL, status);
        if (strcmp(member->string, "planner") == 0)
            now->plan = NULL;
    }
    enum ss_status status = budget_resolve(&now->settings.budget, profile, &in->limits, &budget, in->json.error);
    if (status == SS_OK)
        status = link_resolve(&profile->link, &now->settings.link, &link, in->json.error);
    return status == SS_OK ||
           json_fault(&in->json, object ? object : in->json.root, NULL, status == SS_USAGE ? SS_BAD_INPUT : status);
}

static bool take_plan(struct reading *in, const cJSON *object, struct carried *now) {
    const cJSON *node = json_find(object, "plan");
    if (!node)
        return fine(in);
    if (cJSON_IsNull(node)) {
        now->plan = NULL;
        return true;
    }
    struct plan *plan = ARENA_ARRAY(in->arena, struct plan, 1);
    if (!plan)
        return no_memory(in);
    now->plan = plan;
    return plan_json_take(&in->json, node, &in->lesson->profile, in->arena, plan);
}

static bool take_highlights(struct reading *in, const cJSON *object, struct lesson_stand *out) {
    const cJSON *list;
    uint32_t count, i = 0;
    if (!take_list(in, object, "highlight", JSON_OPTIONAL, 0, LESSON_HIGHLIGHTS_MOST, &list, &count) || !list)
        return fine(in);
    struct lesson_place *place = ARENA_ARRAY(in->arena, struct lesson_place, count);
    if (!place)
        return no_memory(in);
    for (const cJSON *node = list->child; node; node = node->next, i++) {
        const char *text;
        if (!json_take_text(&in->json, node, "the name of a place", &text))
            return false;
        const enum ss_status status = lesson_place_parse(text, &in->lesson->profile, &place[i], in->json.error);
        if (status != SS_OK)
            return json_fault(&in->json, node, NULL, status);
    }
    out->highlight = place;
    out->highlight_count = count;
    return true;
}

/* What OBJECT (NULL: nothing) changes of NOW is what stands then; BEHIND (may be NULL) is the stand on which its places go on. */
static bool take_stand(struct reading *in, const cJSON *object, struct carried *now, const struct lesson_stand *behind,
                       struct lesson_stand *out) {
    const cJSON *set = NULL;
    const char *keys = "";
    *out = (struct lesson_stand){ .keys = "" };
    if (behind) {
        out->highlight = behind->highlight;
        out->highlight_count = behind->highlight_count;
    }
    if (!json_get_object(&in->json, object, "set", JSON_OPTIONAL, &set) || !take_settings(in, set, now) ||
        !take_plan(in, object, now) || !take_highlights(in, object, out) ||
        !json_get_text(&in->json, object, "keys", JSON_OPTIONAL, &keys))
        return false;
    out->settings = now->settings;
    out->plan = now->plan;
    out->keys = arena_strdup(in->arena, keys);
    return out->keys || no_memory(in);
}

/* ---- questions and tasks ---- */

static bool take_answer(struct reading *in, const cJSON *node, bool before, struct lesson_answer *out) {
    out->why = "";
    return check_members(in, node, "an answer, an object", "text|when|why") &&
           take_filled(in, node, "text", JSON_REQUIRED, before, &out->text) &&
           take_claim(in, node, "when", true, &out->when) &&
           take_filled(in, node, "why", JSON_OPTIONAL, true, &out->why);
}

static bool take_question(struct reading *in, const cJSON *node, bool before, const struct lesson_stand *stand,
                          struct carried *now, struct lesson_question *out) {
    const cJSON *list, *reveal = NULL;
    uint32_t i = 0;
    if (!check_members(in, node, "a question, an object", "ask|answers|reveal|why") ||
        !take_filled(in, node, "ask", JSON_REQUIRED, before, &out->ask) ||
        !take_list(in, node, "answers", JSON_REQUIRED, 2, LESSON_ANSWERS_MOST, &list, &out->answer_count))
        return false;
    for (const cJSON *answer = list->child; answer; answer = answer->next, i++)
        if (!take_answer(in, answer, before, &out->answer[i]))
            return false;
    if (!json_get_object(&in->json, node, "reveal", JSON_OPTIONAL, &reveal) ||
        (reveal && !check_members(in, reveal, "an object", "set|plan|keys|highlight")))
        return false;
    return take_stand(in, reveal, now, stand, &out->reveal) &&
           take_filled(in, node, "why", JSON_REQUIRED, true, &out->why);
}

static bool take_task(struct reading *in, const cJSON *node, bool before, const struct lesson_stand *stand,
                      struct carried *now, struct lesson_task *out) {
    const cJSON *solution = NULL, *attempt = NULL;
    struct carried tried = *now;
    if (!check_members(in, node, "a task, an object", "ask|goal|solution|attempt|why") ||
        !take_filled(in, node, "ask", JSON_REQUIRED, before, &out->ask) ||
        !take_claim(in, node, "goal", true, &out->goal) ||
        !json_get_object(&in->json, node, "solution", JSON_REQUIRED, &solution) ||
        !check_members(in, solution, "an object", "set|plan|keys|highlight") ||
        !json_get_object(&in->json, node, "attempt", JSON_REQUIRED, &attempt) ||
        !check_members(in, attempt, "an object", "set|plan"))
        return false;
    return take_stand(in, attempt, &tried, stand, &out->attempt) && take_stand(in, solution, now, stand, &out->solution) &&
           take_filled(in, node, "why", JSON_REQUIRED, true, &out->why);
}

/* ---- steps ---- */

static bool is_step_name(const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    return name[0] >= 'a' && name[0] <= 'z' && strspn(name, letters) == strlen(name) && strlen(name) <= 30 &&
           strcmp(name, "before") != 0;
}

static bool take_step_name(struct reading *in, const cJSON *node, const char **out) {
    const char *name = NULL;
    *out = "";
    if (!json_get_text(&in->json, node, "name", JSON_OPTIONAL, &name) || !name)
        return fine(in);
    const cJSON *member = json_find(node, "name");
    if (!is_step_name(name))
        return json_expected(&in->json, member, "a name of small letters, digits and _, not \"before\"");
    for (uint32_t i = 0; i < in->step_at; i++)
        if (strcmp(in->step[i].name, name) == 0)
            return json_expected(&in->json, member, "a name that no earlier step has");
    *out = arena_strdup(in->arena, name);
    return *out || no_memory(in);
}

static bool take_claims(struct reading *in, const cJSON *node, bool before, struct lesson_step *step) {
    const cJSON *list;
    uint32_t i = 0;
    if (!take_list(in, node, "claims", JSON_OPTIONAL, 0, LESSON_CLAIMS_MOST, &list, &step->claim_count) ||
        !take_texts(in, list, step->claim_count, "a claim", &step->claim))
        return false;
    for (const cJSON *claim = list ? list->child : NULL; claim; claim = claim->next, i++)
        if (!check_claim(in, claim, step->claim[i], before))
            return false;
    return true;
}

static bool take_step(struct reading *in, const cJSON *node, struct carried *now) {
    struct lesson_step *step = &in->step[in->step_at];
    const bool before = in->step_at > 0;
    const cJSON *question, *task;
    if (!check_members(in, node, "a step, an object", "name|text|set|plan|keys|highlight|question|task|claims") ||
        !take_step_name(in, node, &step->name) || !take_filled(in, node, "text", JSON_REQUIRED, before, &step->text) ||
        !take_stand(in, node, now, NULL, &step->stand))
        return false;
    question = json_find(node, "question");
    task = json_find(node, "task");
    step->kind = question ? LESSON_ASKS : task ? LESSON_SETS_TASK : LESSON_TELLS;
    if (question && task)
        return json_fault(&in->json, task, NULL,
                          error_set(in->json.error, SS_BAD_INPUT, "expected a question or a task, found both"));
    if (question && !take_question(in, question, before, &step->stand, now, &step->question))
        return false;
    if (task && !take_task(in, task, before, &step->stand, now, &step->task))
        return false;
    if (!take_claims(in, node, before || step->kind != LESSON_TELLS, step))
        return false;
    if (*step->name)
        in->named[in->named_count++] = (struct formula_named){ step->name, NULL };
    return true;
}

/* ---- the whole ---- */

static bool take_model(struct reading *in, const cJSON *node) {
    struct json *json = &in->json;
    struct lesson *lesson = in->lesson;
    const char *model = NULL, *attention = NULL, *gpu = NULL, *link = NULL;
    uint64_t batch = 0, sequence = 0;
    bool head = true;
    if (!check_members(in, node, "an object", "model|batch|seq|attention|gpu|link|head") ||
        !json_get_name(json, node, "model", JSON_REQUIRED, &model) ||
        !json_get_name(json, node, "attention", JSON_OPTIONAL, &attention) ||
        !json_get_name(json, node, "gpu", JSON_OPTIONAL, &gpu) ||
        !json_get_name(json, node, "link", JSON_OPTIONAL, &link) ||
        !json_get_whole(json, node, "batch", JSON_OPTIONAL, (1 << 20) + 1, &batch) ||
        !json_get_whole(json, node, "seq", JSON_OPTIONAL, (1 << 20) + 1, &sequence) ||
        !json_get_bool(json, node, "head", &head))
        return false;
    lesson->model = model_find(model);
    lesson->model_options = (struct model_options){ .batch = (uint32_t)batch, .sequence = (uint32_t)sequence,
                                                    .no_head = !head };
    if (!lesson->model)
        return json_expected(json, json_find(node, "model"), "the name of a built-in model ('slackswap model --list')");
    if (gpu && !(lesson->model_options.gpu = gpu_find(gpu)))
        return json_expected(json, json_find(node, "gpu"), "the name of a device ('slackswap model --list')");
    if (link && !(lesson->model_options.link = link_find(link)))
        return json_expected(json, json_find(node, "link"), "the name of a link ('slackswap model --list')");
    if (attention && strcmp(attention, ATTENTION_NAME[ATTENTION_EAGER]) == 0)
        lesson->model_options.attention = ATTENTION_EAGER;
    else if (attention && strcmp(attention, ATTENTION_NAME[ATTENTION_FLASH]) != 0)
        return json_expected(json, json_find(node, "attention"), "\"flash\" or \"eager\"");
    const enum ss_status status = model_build(lesson->model, &lesson->model_options, in->arena, &lesson->profile,
                                              json->error);
    return status == SS_OK || json_fault(json, node, NULL, status == SS_USAGE ? SS_BAD_INPUT : status);
}

static bool take_profile(struct reading *in) {
    struct json *json = &in->json;
    const cJSON *node = NULL;
    if (!json_get_object(json, json->root, "profile", JSON_REQUIRED, &node))
        return false;
    if (!(json_find(node, "model") ? take_model(in, node) : profile_json_take(json, node, in->arena, &in->lesson->profile)))
        return false;
    const enum ss_status status = limits_compute(&in->lesson->profile, &in->limits, json->error);
    return status == SS_OK || json_fault(json, node, NULL, status);
}

/* What a lesson teaches can be looked up. */
static bool take_terms(struct reading *in) {
    const cJSON *list;
    struct lesson *lesson = in->lesson;
    if (!take_list(in, in->json.root, "terms", JSON_OPTIONAL, 0, LESSON_TERMS_MOST, &list, &lesson->term_count) ||
        !take_texts(in, list, lesson->term_count, "a term of the glossary", &lesson->term))
        return false;
    for (const cJSON *node = list ? list->child : NULL; node; node = node->next)
        if (glossary_find(node->valuestring, strlen(node->valuestring)) == TERM_NONE)
            return json_expected(&in->json, node, "a term of the glossary");
    return true;
}

static bool take_header(struct reading *in) {
    struct json *json = &in->json;
    struct lesson *lesson = in->lesson;
    uint64_t minutes = 0;
    if (!check_members(in, json->root, "a lesson, an object",
                       "schema|title|summary|minutes|terms|profile|settings|steps"))
        return false;
    if (!json_find(json->root, "schema"))
        return json_missing(json, json->root, "schema", "\"" LESSON_SCHEMA "\"");
    if (!json_check_schema(json, LESSON_SCHEMA, NULL) ||
        !take_line(in, json->root, "title", LESSON_TITLE_MOST, &lesson->title) ||
        !take_line(in, json->root, "summary", LESSON_SUMMARY_MOST, &lesson->summary) ||
        !json_get_whole(json, json->root, "minutes", JSON_REQUIRED, 1000, &minutes))
        return false;
    lesson->minutes = (uint32_t)minutes;
    if (minutes < LESSON_MINUTES_LEAST || minutes > LESSON_MINUTES_MOST)
        return json_expected(json, json_find(json->root, "minutes"), "3 to 6 minutes");
    return take_terms(in);
}

static bool take_lesson(struct reading *in) {
    struct json *json = &in->json;
    struct lesson *lesson = in->lesson;
    const cJSON *settings = NULL, *steps;
    struct carried now = { .settings = settings_default() };
    now.settings.evaluation_limit = LESSON_EVALS;
    if (!take_header(in) || !take_profile(in))
        return false;
    if (lesson->model)
        now.settings.work = work_of_model(lesson->model, &lesson->model_options);
    if (!json_get_object(json, json->root, "settings", JSON_OPTIONAL, &settings) || !take_settings(in, settings, &now) ||
        !take_list(in, json->root, "steps", JSON_REQUIRED, 1, LESSON_STEPS_MOST, &steps, &lesson->step_count))
        return false;
    in->step = ARENA_ARRAY(in->arena, struct lesson_step, lesson->step_count);
    if (!in->step)
        return no_memory(in);
    lesson->step = in->step;
    for (const cJSON *step = steps->child; step; step = step->next, in->step_at++)
        if (!take_step(in, step, &now))
            return false;
    return true;
}

enum ss_status lesson_json_read(const char *text, size_t length, const char *name, struct arena *arena,
                                struct lesson *out, struct error *error) {
    *out = (struct lesson){ .arena = arena, .name = arena_strdup(arena, name) };
    struct reading in = { .arena = arena, .lesson = out };
    if (!out->name)
        return error_no_memory(error);
    const enum ss_status status = json_open(&in.json, text, length, error);
    if (status != SS_OK)
        return status;
    take_lesson(&in);
    json_close(&in.json);
    return in.json.status;
}
