/* scene: what there is to look at — the profile, the newest outcome, and the newest outcome that fits in memory,
 * indexed for drawing.
 *
 * Life of a scene: scene_init, then scene_take for every outcome that arrives (each with the arena it lives in, which
 * the scene then owns), scene_free. A scene may not be moved. When an outcome is infeasible the last feasible one stays in
 * `shown`, to be drawn as stale; `latest` is the newest in any case.
 *
 * scene_open goes on with another profile. Outcomes of the one before go on being shown, as stale, where the two are alike
 * (subject.h); else nothing is shown until the first outcome of the new one. */
#ifndef SLACKSWAP_VIEW_SCENE_H
#define SLACKSWAP_VIEW_SCENE_H

#include "core/outcome.h"
#include "layer_figures.h"
#include "study.h"
#include "subject.h"

/* A list of intervals of one kind, ascending and disjoint in time, for measuring how much of a column they cover. */
struct track {
    uint32_t count;
    const double *start_us, *end_us;
    const double *before_us;   /* Σ lengths of the intervals before each; count + 1 entries */
    const uint32_t *index;     /* step (F, R, B and stalls: the step that waited) or transfer on its lane */
};

enum track_kind {
    TRACK_FORWARD, TRACK_RECOMPUTE, TRACK_BACKWARD, TRACK_D2H, TRACK_H2D, TRACK_STALL, TRACK_KIND_COUNT
};

/* An outcome made ready for drawing. Times and tracks exist only when it is feasible. */
struct view_model {
    const struct profile *profile;
    const struct outcome *outcome;
    const struct timeline *timeline;          /* &outcome->timeline */
    struct track all[TRACK_KIND_COUNT];       /* the engine lanes */
    struct track (*layer)[TRACK_KIND_COUNT];  /* profile.layer_count rows */
    struct track critical[2];                 /* transfers on the critical path: D2H, H2D */
    struct layer_figures figures;
    uint32_t *peak_tree;                      /* segment tree over the memory samples: index of the largest */
    uint32_t peak_leaves;                     /* a power of two */
};

/* Builds the index in ARENA; linear in steps, transfers and samples. */
enum ss_status view_model_build(struct view_model *model, struct arena *arena, const struct profile *profile,
                                const struct outcome *outcome, struct error *error);
/* The sample with the most memory in use among those that hold somewhere in [FROM_US, TO_US), one of a running step where
 * there is one; log n. */
uint32_t view_model_peak(const struct view_model *model, double from_us, double to_us);
/* The first interval that ends after AT_US, or track->count; log n. */
uint32_t track_find(const struct track *track, double at_us);

struct scene_slot {
    struct arena arena;             /* owns outcome and model */
    struct subject *subject;        /* that they are about, held */
    const struct outcome *outcome;
    struct view_model model;
};
struct scene {
    struct subject *subject;            /* what is looked at, held; the next four are of it */
    const struct profile *profile;
    struct limits limits;
    struct closure closure;
    uint32_t layer_prefix;
    struct subject *opened;             /* the profile that was opened at first (WORK_OPENED), held; NULL: a model was */
    const struct work_source *source;   /* of others, borrowed; NULL: there are none */
    const struct view_model *shown;     /* newest feasible; NULL before the first */
    const struct outcome *latest;       /* newest; NULL before the first; infeasible or shown->outcome */
    struct scene_slot slot[2];
    struct scene_slot ghost;            /* what was shown before the last change that led to something, to compare with; empty: none */
    bool changing;                      /* a change was made: once its outcome is shown, the one before is the ghost */
    struct study_slot study[STUDY_COUNT]; /* what views asked for beyond the outcome */
};
/* PROFILE, which is borrowed and outlives the scene, is what is looked at first. */
enum ss_status scene_init(struct scene *scene, const struct profile *profile, struct error *error);
/* The same for a SUBJECT, which the scene holds too. */
void scene_begin(struct scene *scene, struct subject *subject);
/* Goes on with what WORK names; on failure the scene stays as it was. */
enum ss_status scene_open(struct scene *scene, const struct work_choice *work, struct error *error);
/* The profile that was opened at first has changed: FRESH takes its place. The scene goes on with it by scene_open. */
void scene_replace_opened(struct scene *scene, struct subject *fresh);
/* Takes OUTCOME over together with ARENA, in which it lives; *ARENA is emptied. On failure the scene stays as it was
 * and the arena stays the caller's. */
enum ss_status scene_take(struct scene *scene, struct arena *arena, const struct outcome *outcome,
                          struct error *error);
/* The same for an outcome whose MODEL was built in ARENA before, on another thread perhaps. */
void scene_take_model(struct scene *scene, struct arena *arena, const struct view_model *model);
/* A change was made whose outcome is to come. */
void scene_change(struct scene *scene);
/* Shows nothing any more, as before the first outcome that fits. */
void scene_forget(struct scene *scene);
void scene_free(struct scene *scene);

#endif
