#include "lesson_play.h"

#include <string.h>

#include "formula.h"

/* ---- beginning ---- */

static enum ss_status prepare(struct lesson_play *play, struct error *error) {
    const struct lesson *lesson = play->lesson;
    enum ss_status status = SS_OK;
    play->record = ARENA_ARRAY(&play->arena, struct lesson_record, lesson->step_count);
    play->entry = ARENA_ARRAY(&play->arena, struct snapshot, lesson->step_count);
    play->end = ARENA_ARRAY(&play->arena, struct snapshot, lesson->step_count);
    play->named = ARENA_ARRAY(&play->arena, struct formula_named, lesson->step_count);
    if (!play->record || !play->entry || !play->end || !play->named)
        return error_no_memory(error);
    for (uint32_t i = 0; i < lesson->step_count && status == SS_OK; i++) {
        play->record[i].answer = play->record[i].first = LESSON_ANSWERS_MOST;
        status = snapshot_init(&play->entry[i], &play->arena, &lesson->profile, error);
        if (status == SS_OK)
            status = snapshot_init(&play->end[i], &play->arena, &lesson->profile, error);
    }
    return status;
}

enum ss_status lesson_play_start(struct lesson_play *play, const struct lesson *lesson, struct error *error) {
    *play = (struct lesson_play){ .lesson = lesson };
    const enum ss_status status = prepare(play, error);
    if (status != SS_OK)
        lesson_play_free(play);
    return status;
}

void lesson_play_free(struct lesson_play *play) {
    arena_free(&play->arena);
    *play = (struct lesson_play){ 0 };
}

/* ---- where one is ---- */

static const struct lesson_step *step_of(const struct lesson_play *play) { return &play->lesson->step[play->step]; }
static struct lesson_record *record_of(const struct lesson_play *play) { return &play->record[play->step]; }

/* Whether the page shows how its step ends, not how it begins. */
static bool is_at_end(const struct lesson_play *play) {
    return play->phase == LESSON_REVEAL || play->phase == LESSON_DONE ||
           (play->phase == LESSON_END && step_of(play)->kind != LESSON_TELLS);
}

/* The last page of the step at hand, as far as the learner has been there. */
static enum lesson_phase last_page(const struct lesson_play *play) {
    const struct lesson_record *record = record_of(play);
    switch (step_of(play)->kind) {
    case LESSON_ASKS:
        return record->answer < LESSON_ANSWERS_MOST || record->shown ? LESSON_REVEAL : LESSON_ASK;
    case LESSON_SETS_TASK:
        return record->solved || record->shown ? LESSON_DONE : LESSON_TASK;
    default:
        return LESSON_TELL;
    }
}

/* ---- what was shown before ---- */

static bool same_plan(const struct profile *profile, const struct plan *a, const struct plan *b) {
    if (!a || !b)
        return a == b;
    return memcmp(a->action, b->action, profile->tensor_count) == 0 && !a->prefetch == !b->prefetch &&
           (!a->prefetch || memcmp(a->prefetch, b->prefetch, profile->tensor_count * sizeof *a->prefetch) == 0);
}

static bool same_stand(const struct profile *profile, const struct lesson_stand *a, const struct lesson_stand *b) {
    return settings_equal(&a->settings, &b->settings) && same_plan(profile, a->plan, b->plan);
}

/* The snapshot of an earlier page that showed what STAND says; NULL: there is none. What a learner made of a task is none. */
static const struct snapshot *find_shown(const struct lesson_play *play, const struct lesson_stand *stand) {
    const struct profile *profile = &play->lesson->profile;
    for (uint32_t i = 0; i < play->lesson->step_count; i++) {
        const struct lesson_step *step = &play->lesson->step[i];
        const struct lesson_record *record = &play->record[i];
        if (record->entered && same_stand(profile, &step->stand, stand))
            return &play->entry[i];
        if (record->ended && !record->tried && same_stand(profile, lesson_step_end(step), stand))
            return &play->end[i];
    }
    return NULL;
}

static void mark_answer(struct lesson_play *play);

/* A page was turned to: what was shown before is known. */
static bool arrive(struct lesson_play *play) {
    const bool end = is_at_end(play);
    struct lesson_record *record = record_of(play);
    if (lesson_play_waits(play)) {
        const struct snapshot *shown = find_shown(play, lesson_play_stand(play));
        if (shown)
            snapshot_copy(end ? &play->end[play->step] : &play->entry[play->step], shown, &play->lesson->profile);
        *(end ? &record->ended : &record->entered) = shown != NULL;
    }
    if (play->phase == LESSON_REVEAL && record->ended)
        mark_answer(play);
    return true;
}

/* ---- turning pages ---- */

static bool next_step(struct lesson_play *play) {
    if (play->step + 1 < play->lesson->step_count) {
        play->step++;
        play->phase = LESSON_TELL;
    } else {
        play->phase = LESSON_END;
    }
    return arrive(play);
}

bool lesson_play_next(struct lesson_play *play) {
    const enum lesson_kind kind = (enum lesson_kind)step_of(play)->kind;
    if (play->phase == LESSON_ASK || play->phase == LESSON_TASK || play->phase == LESSON_END || lesson_play_waits(play))
        return false;
    if (play->phase != LESSON_TELL || kind == LESSON_TELLS)
        return next_step(play);
    play->phase = kind == LESSON_ASKS ? LESSON_ASK : LESSON_TASK;
    return arrive(play);
}

bool lesson_play_back(struct lesson_play *play) {
    switch (play->phase) {
    case LESSON_REVEAL: play->phase = LESSON_ASK; return true;
    case LESSON_DONE: play->phase = LESSON_TASK; return true;
    case LESSON_ASK:
    case LESSON_TASK: play->phase = LESSON_TELL; return arrive(play);
    case LESSON_END: play->phase = last_page(play); return true;
    default: break;
    }
    if (play->step == 0)
        return false;
    play->step--;
    play->phase = last_page(play);
    return arrive(play);
}

bool lesson_play_answer(struct lesson_play *play, uint32_t answer) {
    struct lesson_record *record = record_of(play);
    if (play->phase != LESSON_ASK || answer >= step_of(play)->question.answer_count || lesson_play_waits(play))
        return false;
    record->answer = (uint8_t)answer;
    if (record->first == LESSON_ANSWERS_MOST && !record->shown)
        record->first = (uint8_t)answer;
    play->phase = LESSON_REVEAL;
    return arrive(play);
}

bool lesson_play_give_up(struct lesson_play *play) {
    struct lesson_record *record = record_of(play);
    if ((play->phase != LESSON_ASK && play->phase != LESSON_TASK) || lesson_play_waits(play))
        return false;
    record->shown = true;
    record->answer = LESSON_ANSWERS_MOST;
    if (play->phase == LESSON_TASK) {
        record->solved = false;
        record->ended = record->tried = false; /* what was tried is not the solution */
    }
    play->phase = play->phase == LESSON_ASK ? LESSON_REVEAL : LESSON_DONE;
    return arrive(play);
}

void lesson_play_go(struct lesson_play *play, uint32_t step) {
    play->step = step < play->lesson->step_count ? step : play->lesson->step_count - 1;
    play->phase = LESSON_TELL;
    arrive(play);
}

/* ---- what stands ---- */

const struct lesson_stand *lesson_play_stand(const struct lesson_play *play) {
    return is_at_end(play) ? lesson_step_end(step_of(play)) : &step_of(play)->stand;
}

bool lesson_play_is_as_set(const struct lesson_play *play, const struct settings *settings, const struct plan *plan) {
    const struct lesson_stand *stand = lesson_play_stand(play);
    struct lesson_stand asked = { .settings = *settings, .plan = plan };
    if (!play->lesson->model && !settings->work.model)
        asked.settings.work = stand->settings.work; /* whoever keeps the lesson's profile numbers it */
    return same_stand(&play->lesson->profile, stand, &asked);
}

bool lesson_play_waits(const struct lesson_play *play) {
    return is_at_end(play) ? !record_of(play)->ended : !record_of(play)->entered;
}

/* ---- figures ---- */

static const struct snapshot *entry_of(const struct lesson_play *play, uint32_t step) {
    return play->record[step].entered ? &play->entry[step] : NULL;
}

static const struct snapshot *end_of(const struct lesson_play *play, uint32_t step) {
    if (play->lesson->step[step].kind == LESSON_TELLS)
        return entry_of(play, step);
    return play->record[step].ended ? &play->end[step] : NULL;
}

/* What formulas of the step at hand see: as it was entered beside what was before, or as it ended beside how it was
 * entered. NAMED has room for every step. */
static struct formula_scope scope_of(const struct lesson_play *play, bool end, struct formula_named *named) {
    const uint32_t step = play->step;
    struct formula_scope scope = { .profile = &play->lesson->profile, .named = named };
    for (uint32_t i = 0; i < step; i++)
        if (*play->lesson->step[i].name)
            named[scope.named_count++] = (struct formula_named){ play->lesson->step[i].name, end_of(play, i) };
    scope.now = end ? end_of(play, step) : entry_of(play, step);
    if (end && play->lesson->step[step].kind != LESSON_TELLS)
        scope.before = entry_of(play, step);
    else if (step > 0)
        scope.before = end_of(play, step - 1);
    return scope;
}

/* Formulas were checked when the lesson was read. */
bool lesson_play_holds(const struct lesson_play *play, const char *claim, char *trace, size_t size) {
    struct formula_scope scope = scope_of(play, true, play->named);
    bool out = false;
    scope.trace = trace;
    scope.trace_size = size;
    if (trace)
        *trace = '\0';
    return formula_holds(claim, strlen(claim), &scope, &out, NULL) == SS_OK && out;
}

static bool holds(const struct lesson_play *play, const char *claim) { return lesson_play_holds(play, claim, NULL, 0); }

uint32_t lesson_play_right(const struct lesson_play *play) {
    const struct lesson_question *question = &step_of(play)->question;
    uint32_t right = LESSON_ANSWERS_MOST;
    if (step_of(play)->kind != LESSON_ASKS || !record_of(play)->ended || !record_of(play)->entered)
        return right;
    for (uint32_t i = 0; i < question->answer_count; i++) {
        if (!holds(play, question->answer[i].when))
            continue;
        if (right != LESSON_ANSWERS_MOST)
            return LESSON_ANSWERS_MOST;
        right = i;
    }
    return right;
}

/* What an outcome tells of the answer that was given before it was known. */
static void mark_answer(struct lesson_play *play) {
    struct lesson_record *record = record_of(play);
    const uint32_t right = lesson_play_right(play);
    record->shown = true;
    if (right != LESSON_ANSWERS_MOST && record->first == right)
        record->earned = true;
}

static bool take_attempt(struct lesson_play *play, const struct outcome *outcome) {
    struct lesson_record *record = record_of(play);
    snapshot_take(&play->end[play->step], outcome);
    record->ended = record->tried = true;
    if (!holds(play, step_of(play)->task.goal))
        return false;
    record->solved = true;
    record->earned = record->earned || !record->shown;
    play->phase = LESSON_DONE;
    return true;
}

bool lesson_play_take(struct lesson_play *play, const struct outcome *outcome) {
    struct lesson_record *record = record_of(play);
    if (outcome->timeline.profile->tensor_count != play->lesson->profile.tensor_count)
        return false; /* other work */
    if (play->phase == LESSON_TASK && record->entered)
        return take_attempt(play, outcome);
    snapshot_take(is_at_end(play) ? &play->end[play->step] : &play->entry[play->step], outcome);
    *(is_at_end(play) ? &record->ended : &record->entered) = true;
    record->tried = record->tried && !is_at_end(play);
    if (play->phase == LESSON_REVEAL)
        mark_answer(play);
    return false;
}

enum lesson_verdict lesson_play_verdict(const struct lesson_play *play) {
    const struct lesson_record *record = record_of(play);
    if (play->phase == LESSON_DONE)
        return record->solved ? VERDICT_RIGHT : VERDICT_SHOWN;
    if (play->phase != LESSON_REVEAL)
        return VERDICT_NONE;
    if (record->answer == LESSON_ANSWERS_MOST)
        return VERDICT_SHOWN;
    if (!record->ended || !record->entered)
        return VERDICT_WAITING;
    return record->answer == lesson_play_right(play) ? VERDICT_RIGHT : VERDICT_WRONG;
}

struct lesson_score lesson_play_score(const struct lesson_play *play) {
    struct lesson_score score = { 0 };
    for (uint32_t i = 0; i < play->lesson->step_count; i++) {
        score.of += play->lesson->step[i].kind != LESSON_TELLS;
        score.earned += play->record[i].earned;
    }
    return score;
}

/* ---- words ---- */

static const char *words_of(const struct lesson_step *step, enum lesson_part part, uint32_t index) {
    const struct lesson_question *question = &step->question;
    const bool asks = step->kind == LESSON_ASKS, task = step->kind == LESSON_SETS_TASK;
    switch (part) {
    case LESSON_PART_TEXT: return step->text;
    case LESSON_PART_ASK: return asks ? question->ask : task ? step->task.ask : "";
    case LESSON_PART_WHY: return asks ? question->why : task ? step->task.why : "";
    case LESSON_PART_ANSWER: return asks && index < question->answer_count ? question->answer[index].text : "";
    case LESSON_PART_ANSWER_WHY: return asks && index < question->answer_count ? question->answer[index].why : "";
    }
    return "";
}

static bool speaks_of_end(enum lesson_part part) { return part == LESSON_PART_WHY || part == LESSON_PART_ANSWER_WHY; }

char *lesson_play_fill(const struct lesson_play *play, enum lesson_part part, uint32_t index, const char *unknown,
                       struct arena *arena) {
    const struct formula_scope scope = scope_of(play, speaks_of_end(part), play->named);
    char *text = NULL;
    const enum ss_status status = formula_fill(words_of(step_of(play), part, index), &scope, unknown, arena, &text, NULL);
    return status == SS_BAD_INPUT ? arena_strdup(arena, "") : text;
}

char *lesson_play_say(const struct lesson_play *play, enum lesson_part part, uint32_t index, struct arena *arena) {
    const bool end = speaks_of_end(part);
    const struct formula_scope scope = scope_of(play, end, play->named);
    const bool complete = scope.now && (scope.before || (play->step == 0 && !end));
    return lesson_play_fill(play, part, index, complete ? "-" : "…", arena);
}

/* ---- for hosts that may wait ---- */

static enum ss_status compute_stand(const struct lesson *lesson, const struct lesson_stand *stand, struct arena *arena,
                                    struct outcome *out, struct error *error) {
    struct outcome_request request = settings_request(&lesson->profile, &stand->settings);
    request.plan = stand->plan;
    return outcome_compute(&request, arena, out, error);
}

enum ss_status lesson_play_compute(struct lesson_play *play, struct arena *arena, struct outcome *out,
                                   struct error *error) {
    const enum ss_status status = compute_stand(play->lesson, lesson_play_stand(play), arena, out, error);
    if (status == SS_OK)
        lesson_play_take(play, out);
    return status;
}

static enum ss_status compute_into(struct lesson_play *play, const struct lesson_stand *stand, struct snapshot *snapshot,
                                   bool *there, struct error *error) {
    struct arena arena = { 0 };
    struct outcome outcome;
    enum ss_status status = SS_OK;
    if (!*there) {
        status = compute_stand(play->lesson, stand, &arena, &outcome, error);
        if (status == SS_OK)
            snapshot_take(snapshot, &outcome);
        *there = status == SS_OK;
    }
    arena_free(&arena);
    return status;
}

enum ss_status lesson_play_compute_before(struct lesson_play *play, struct error *error) {
    enum ss_status status = SS_OK;
    for (uint32_t i = 0; i < play->step && status == SS_OK; i++) {
        const struct lesson_step *step = &play->lesson->step[i];
        status = compute_into(play, &step->stand, &play->entry[i], &play->record[i].entered, error);
        if (status == SS_OK && step->kind != LESSON_TELLS)
            status = compute_into(play, lesson_step_end(step), &play->end[i], &play->record[i].ended, error);
    }
    return status;
}
