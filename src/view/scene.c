#include "scene.h"

#include <string.h>

/* A track while it is filled: the same arrays, writable. */
struct filling {
    double *start_us, *end_us, *before_us;
    uint32_t *index;
    uint32_t count;
};

static bool filling_init(struct filling *filling, struct arena *arena, size_t count, size_t tracks) {
    filling->start_us = ARENA_ARRAY(arena, double, count);
    filling->end_us = ARENA_ARRAY(arena, double, count);
    filling->before_us = ARENA_ARRAY(arena, double, count + tracks);
    filling->index = ARENA_ARRAY(arena, uint32_t, count);
    filling->count = 0;
    return filling->start_us != NULL && filling->end_us != NULL && filling->before_us != NULL &&
           filling->index != NULL;
}

/* Cuts a filling for COUNT intervals off the front of POOL. */
static struct filling filling_cut(struct filling *pool, uint32_t count) {
    struct filling out = { pool->start_us, pool->end_us, pool->before_us, pool->index, 0 };
    pool->start_us += count;
    pool->end_us += count;
    pool->before_us += count + 1;
    pool->index += count;
    return out;
}

static void append(struct filling *filling, double start_us, double end_us, uint32_t index) {
    uint32_t i = filling->count++;
    filling->start_us[i] = start_us;
    filling->end_us[i] = end_us;
    filling->index[i] = index;
    filling->before_us[i + 1] = filling->before_us[i] + (end_us - start_us);
}

static struct track finished(const struct filling *filling) {
    return (struct track){ filling->count, filling->start_us, filling->end_us, filling->before_us, filling->index };
}

/* One interval of a timeline with the track and the layer where it belongs. */
struct interval {
    double start_us, end_us;
    uint32_t index, layer;
    enum track_kind kind;
};
typedef void visit(void *context, struct interval interval);

static enum track_kind step_track(uint8_t kind) {
    return kind == STEP_FORWARD ? TRACK_FORWARD : kind == STEP_RECOMPUTE ? TRACK_RECOMPUTE : TRACK_BACKWARD;
}

static void each_transfer(const struct timeline *timeline, const struct timeline_transfer *transfers, uint32_t count,
                          enum track_kind kind, visit *visit, void *context) {
    const struct profile *profile = timeline->profile;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t layer = profile->ops[profile->tensors[transfers[i].tensor].producer].layer;
        visit(context, (struct interval){ transfers[i].start_us, transfers[i].end_us, i, layer, kind });
    }
}

/* Everything on the lanes, ascending in time within each kind. */
static void each_interval(const struct timeline *timeline, visit *visit, void *context) {
    const struct schedule *schedule = &timeline->schedule;
    const struct op *ops = timeline->profile->ops;
    for (uint32_t k = 0; k < schedule->step_count; k++)
        visit(context, (struct interval){ timeline->steps[k].start_us, timeline->steps[k].end_us, k,
                                          ops[schedule->op[k]].layer, step_track(schedule->kind[k]) });
    each_transfer(timeline, timeline->d2h, schedule->d2h_count, TRACK_D2H, visit, context);
    each_transfer(timeline, timeline->h2d, schedule->h2d_count, TRACK_H2D, visit, context);
    for (uint32_t i = 0; i < timeline->stall_count; i++) {
        const struct stall *stall = &timeline->stalls[i];
        visit(context, (struct interval){ stall->start_us, stall->end_us, stall->step,
                                          ops[schedule->op[stall->step]].layer, TRACK_STALL });
    }
}

struct counts {
    uint32_t all[TRACK_KIND_COUNT];
    uint32_t (*layer)[TRACK_KIND_COUNT];
};
static void count_interval(void *context, struct interval interval) {
    struct counts *counts = context;
    counts->all[interval.kind]++;
    counts->layer[interval.layer][interval.kind]++;
}

struct fillings {
    struct filling all[TRACK_KIND_COUNT];
    struct filling (*layer)[TRACK_KIND_COUNT];
};
static void fill_interval(void *context, struct interval interval) {
    struct fillings *fillings = context;
    append(&fillings->all[interval.kind], interval.start_us, interval.end_us, interval.index);
    append(&fillings->layer[interval.layer][interval.kind], interval.start_us, interval.end_us, interval.index);
}

static enum ss_status build_tracks(struct view_model *model, struct arena *arena, struct error *error) {
    uint32_t layers = model->profile->layer_count;
    struct counts counts = { .layer = arena_alloc(arena, layers, sizeof *counts.layer) };
    struct fillings fillings = { .layer = arena_alloc(arena, layers, sizeof *fillings.layer) };
    model->layer = arena_alloc(arena, layers, sizeof *model->layer);
    if (counts.layer == NULL || fillings.layer == NULL || model->layer == NULL)
        return error_no_memory(error);
    each_interval(model->timeline, count_interval, &counts);
    for (int kind = 0; kind < TRACK_KIND_COUNT; kind++) {
        struct filling pool;
        if (!filling_init(&fillings.all[kind], arena, counts.all[kind], 1) ||
            !filling_init(&pool, arena, counts.all[kind], layers))
            return error_no_memory(error);
        for (uint32_t layer = 0; layer < layers; layer++)
            fillings.layer[layer][kind] = filling_cut(&pool, counts.layer[layer][kind]);
    }
    each_interval(model->timeline, fill_interval, &fillings);
    for (int kind = 0; kind < TRACK_KIND_COUNT; kind++) {
        model->all[kind] = finished(&fillings.all[kind]);
        for (uint32_t layer = 0; layer < layers; layer++)
            model->layer[layer][kind] = finished(&fillings.layer[layer][kind]);
    }
    return SS_OK;
}

/* The transfers on the critical path, in the order of time. */
static enum ss_status build_critical(struct view_model *model, struct arena *arena, struct error *error) {
    const struct timeline *timeline = model->timeline;
    struct event *path;
    uint32_t count, of[2] = { 0, 0 };
    enum ss_status status = timeline_critical_path(timeline, arena, &path, &count, error);
    if (status != SS_OK)
        return status;
    for (uint32_t i = 0; i < count; i++)
        if (path[i].lane != LANE_COMPUTE)
            of[path[i].lane == LANE_H2D]++;
    for (int lane = 0; lane < 2; lane++) {
        struct filling filling;
        if (!filling_init(&filling, arena, of[lane], 1))
            return error_no_memory(error);
        for (uint32_t i = count; i-- > 0;)
            if (path[i].lane == (lane == 0 ? LANE_D2H : LANE_H2D))
                append(&filling, timeline_start(timeline, path[i]), timeline_end(timeline, path[i]), path[i].index);
        model->critical[lane] = finished(&filling);
    }
    return SS_OK;
}

/* Of two samples the one with more memory in use, the earlier when alike; NONE stands for no sample. What a waiting step
 * only asks for counts less than anything that is in use. */
static uint32_t larger(const struct view_model *model, uint32_t a, uint32_t b) {
    if (a == NONE || b == NONE)
        return a == NONE ? b : a;
    const struct memory_sample *first = &model->timeline->memory[a], *second = &model->timeline->memory[b];
    if (first->running != second->running)
        return first->running ? a : b;
    return memory_used(second) > memory_used(first) ? b : a;
}

static enum ss_status build_peaks(struct view_model *model, struct arena *arena, struct error *error) {
    uint32_t count = model->timeline->memory_count, leaves = 1;
    while (leaves < count)
        leaves *= 2;
    model->peak_leaves = leaves;
    model->peak_tree = ARENA_ARRAY(arena, uint32_t, 2 * (size_t)leaves);
    if (model->peak_tree == NULL)
        return error_no_memory(error);
    for (uint32_t i = 0; i < leaves; i++)
        model->peak_tree[leaves + i] = i < count ? i : NONE;
    for (uint32_t node = leaves - 1; node > 0; node--)
        model->peak_tree[node] = larger(model, model->peak_tree[2 * node], model->peak_tree[2 * node + 1]);
    return SS_OK;
}

enum ss_status view_model_build(struct view_model *model, struct arena *arena, const struct profile *profile,
                                const struct outcome *outcome, struct error *error) {
    *model = (struct view_model){ .profile = profile, .outcome = outcome, .timeline = &outcome->timeline };
    if (!outcome_feasible(outcome))
        return SS_OK;
    enum ss_status status = build_tracks(model, arena, error);
    if (status == SS_OK)
        status = build_critical(model, arena, error);
    if (status == SS_OK)
        status = layer_figures_build(&model->figures, arena, model->timeline, error);
    return status == SS_OK ? build_peaks(model, arena, error) : status;
}

uint32_t view_model_peak(const struct view_model *model, double from_us, double to_us) {
    uint32_t best = NONE;
    uint32_t left = timeline_memory_at(model->timeline, from_us);
    uint32_t right = timeline_memory_at(model->timeline, to_us);
    /* the sample that starts exactly at TO_US does not hold before it */
    if (right > left && model->timeline->memory[right].at_us >= to_us)
        right--;
    left += model->peak_leaves;
    right += model->peak_leaves + 1;
    for (; left < right; left /= 2, right /= 2) {
        if (left & 1)
            best = larger(model, best, model->peak_tree[left++]);
        if (right & 1)
            best = larger(model, best, model->peak_tree[--right]);
    }
    return best;
}

uint32_t track_find(const struct track *track, double at_us) {
    uint32_t low = 0, high = track->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (track->end_us[middle] > at_us)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void look_at(struct scene *scene, struct subject *subject) {
    subject_hold(subject);
    subject_release(scene->subject);
    scene->subject = subject;
    scene->profile = subject->profile;
    scene->limits = subject->limits;
    scene->closure = subject->closure;
    scene->layer_prefix = subject->layer_prefix;
}

void scene_begin(struct scene *scene, struct subject *subject) {
    *scene = (struct scene){ .subject = NULL };
    look_at(scene, subject);
    if (subject->work.model == NULL)
        scene->opened = subject_hold(subject);
}

enum ss_status scene_init(struct scene *scene, const struct profile *profile, struct error *error) {
    const struct work_choice work = { .profile = WORK_OPENED };
    struct subject *subject;
    *scene = (struct scene){ .subject = NULL };
    enum ss_status status = subject_new(&subject, &work, profile, NULL, error);
    if (status == SS_OK) {
        scene_begin(scene, subject);
        subject_release(subject);
    }
    return status;
}

/* The slot that does not hold the shown outcome. */
static struct scene_slot *spare_slot(struct scene *scene) {
    return scene->shown == &scene->slot[0].model ? &scene->slot[1] : &scene->slot[0];
}

static void slot_clear(struct scene_slot *slot) {
    arena_free(&slot->arena);
    subject_release(slot->subject);
    *slot = (struct scene_slot){ .outcome = NULL };
}

void scene_take_model(struct scene *scene, struct arena *arena, const struct view_model *model) {
    struct scene_slot *slot = spare_slot(scene);
    slot_clear(slot);
    *slot = (struct scene_slot){ .arena = *arena, .subject = subject_hold(scene->subject), .outcome = model->outcome,
                                 .model = *model };
    *arena = (struct arena){ 0 };
    scene->latest = slot->outcome;
    if (!outcome_feasible(slot->outcome))
        return;
    scene->shown = &slot->model;
    struct scene_slot *before = spare_slot(scene);
    if (scene->changing && before->outcome != NULL) {
        slot_clear(&scene->ghost);
        scene->ghost = *before;
        *before = (struct scene_slot){ .outcome = NULL };
    }
    slot_clear(before);
    scene->changing = false;
}

void scene_change(struct scene *scene) { scene->changing = true; }

enum ss_status scene_take(struct scene *scene, struct arena *arena, const struct outcome *outcome,
                          struct error *error) {
    struct view_model model;
    enum ss_status status = view_model_build(&model, arena, scene->profile, outcome, error);
    if (status == SS_OK)
        scene_take_model(scene, arena, &model);
    return status;
}

void scene_forget(struct scene *scene) {
    if (scene->shown == NULL)
        return;
    struct scene_slot *slot = scene->shown == &scene->slot[0].model ? &scene->slot[0] : &scene->slot[1];
    if (scene->latest == slot->outcome)
        scene->latest = NULL;
    scene->shown = NULL;
    slot_clear(slot);
    slot_clear(&scene->ghost);
}

/* ---- another profile ---- */

static void show_nothing(struct scene *scene) {
    scene->shown = NULL;
    scene->latest = NULL;
    for (int i = 0; i < 2; i++)
        slot_clear(&scene->slot[i]);
    slot_clear(&scene->ghost);
}

static enum ss_status subject_of(const struct scene *scene, const struct work_choice *work, struct subject **out,
                                 struct error *error) {
    if (work->model != NULL || work->profile != WORK_OPENED || scene->opened == NULL)
        return subject_new(out, work, NULL, scene->source, error);
    *out = subject_hold(scene->opened);
    return SS_OK;
}

enum ss_status scene_open(struct scene *scene, const struct work_choice *work, struct error *error) {
    struct subject *next;
    enum ss_status status = subject_of(scene, work, &next, error);
    if (status != SS_OK)
        return status;
    if (!subject_alike(scene->subject, next))
        show_nothing(scene);
    if (next != scene->subject)
        study_forget(scene->study);
    look_at(scene, next);
    subject_release(next);
    return SS_OK;
}

void scene_replace_opened(struct scene *scene, struct subject *fresh) {
    subject_release(scene->opened);
    scene->opened = subject_hold(fresh);
}

void scene_free(struct scene *scene) {
    show_nothing(scene);
    for (int i = 0; i < STUDY_COUNT; i++)
        study_free(&scene->study[i]);
    subject_release(scene->subject);
    subject_release(scene->opened);
    *scene = (struct scene){ .profile = NULL };
}
