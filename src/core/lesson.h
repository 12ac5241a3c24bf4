/* lesson: a guided look at one training step, as data (slackswap-lesson/1; man 5 slackswap-lesson).
 *
 * A lesson is work, settings, and steps: a text each, and where it asks something a question or a task. Whoever plays it
 * (lesson_play.h) shows what a step *sets* — knobs, a plan, keys pressed, places lit up — and says its text, whose
 * figures are formulas (formula.h) over what the simulator makes of it.
 *
 * All of a lesson is resolved when it is read: names of tensors and layers are numbers, settings are complete, each
 * standing on the one before it, and every formula is known to make sense. It lives in one arena and is read-only. Texts
 * are harmless to look at (sanitise.h). */
#ifndef SLACKSWAP_CORE_LESSON_H
#define SLACKSWAP_CORE_LESSON_H

#include "knobs.h"
#include "plan.h"
#include "profile.h"
#include "zoo.h"

#define LESSON_EVALS 300          /* unless the lesson says otherwise: its figures must repeat */
#define LESSON_STEPS_MOST 64
#define LESSON_ANSWERS_MOST 4
#define LESSON_HIGHLIGHTS_MOST 16
#define LESSON_CLAIMS_MOST 32
#define LESSON_TERMS_MOST 16
#define LESSON_MINUTES_LEAST 3
#define LESSON_MINUTES_MOST 6
/* Characters at most, of texts once they are filled in. */
#define LESSON_TEXT_MOST 400
#define LESSON_ASK_MOST 160
#define LESSON_ANSWER_MOST 60
#define LESSON_TITLE_MOST 40
#define LESSON_SUMMARY_MOST 120

/* Places of the screen that can be lit up; "layer NAME" and "tensor NAME" are two more.
 *     id        what it is */
#define LESSON_PLACES(X)                                        \
    X(compute,   "the compute lane")                            \
    X(recompute, "what the compute lane does again")            \
    X(d2h,       "the lane to the host")                        \
    X(h2d,       "the lane to the GPU")                         \
    X(stall,     "where compute waits")                         \
    X(memory,    "the memory curve")                            \
    X(budget,    "the budget: its line, and its knob")          \
    X(peak,      "where memory is largest")                     \
    X(header,    "the figures at the top")                      \
    X(bound,     "the bound and the gap")                       \
    X(inspector, "what is said about the selection")            \
    X(knobs,     "the knob bar")

enum lesson_place_id {
#define X(id, help) LESSON_PLACE_##id,
    LESSON_PLACES(X)
#undef X
    LESSON_PLACE_LAYER,
    LESSON_PLACE_TENSOR,
    LESSON_PLACE_COUNT
};
/* "compute" …, "layer", "tensor" */
extern const char *const LESSON_PLACE_NAME[LESSON_PLACE_COUNT];
extern const char *const LESSON_PLACE_HELP[LESSON_PLACE_COUNT];

struct lesson_place {
    uint8_t id;      /* enum lesson_place_id */
    uint32_t index;  /* the layer or the tensor; else NONE */
};

/* What is shown: how things stand from here on. */
struct lesson_stand {
    struct settings settings;
    const struct plan *plan;    /* made by hand; NULL: the planner of the settings makes one */
    const char *keys;           /* pressed once planning has settled, as view/key.h reads them; "" for none */
    const struct lesson_place *highlight; uint32_t highlight_count;
};

struct lesson_answer {
    const char *text;
    const char *when;           /* a claim: the answer is right if it holds once the reveal is there */
    const char *why;            /* said when it was picked; "" for nothing */
};
struct lesson_question {
    const char *ask, *why;
    struct lesson_answer answer[LESSON_ANSWERS_MOST]; uint32_t answer_count;
    struct lesson_stand reveal;
};
struct lesson_task {
    const char *ask, *why;
    const char *goal;           /* a claim */
    struct lesson_stand solution, attempt; /* one that reaches the goal, and one that does not */
};
enum lesson_kind { LESSON_TELLS, LESSON_ASKS, LESSON_SETS_TASK };
struct lesson_step {
    const char *name;           /* for later formulas; "" when it has none */
    const char *text;
    uint8_t kind;               /* enum lesson_kind */
    struct lesson_stand stand;
    struct lesson_question question;
    struct lesson_task task;
    const char *const *claim; uint32_t claim_count;
};

struct lesson {
    struct arena *arena;        /* owns everything below; borrowed */
    const char *name;           /* of its file, without folder and ending: "03-offload" */
    const char *title, *summary;
    uint32_t minutes;
    const char *const *term; uint32_t term_count; /* entries of the glossary that it teaches */
    struct profile profile;
    const struct model *model;  /* the built-in model that the profile was built from, and how; NULL: none */
    struct model_options model_options;
    const struct lesson_step *step; uint32_t step_count; /* at least one */
};

/* How things stand at the end of STEP: as revealed, as solved, or as told. */
const struct lesson_stand *lesson_step_end(const struct lesson_step *step);

/* Reads one highlight ("d2h", "layer L03", "tensor L03.gelu") of PROFILE. SS_BAD_INPUT with what was expected. */
enum ss_status lesson_place_parse(const char *text, const struct profile *profile, struct lesson_place *out,
                                  struct error *error);

/* Whether a lesson can set what is called NAME. */
bool lesson_can_set(const char *name);
/* Takes one setting of a lesson — a knob by its name, "link", "planner", "unit", "evals" or "seed" — into SETTINGS. "link"
 * sets all that the named link says (rates and latency) and forgets what was said of the link before. SS_USAGE with what
 * was expected and found. */
enum ss_status lesson_set(const char *name, const char *value, const struct profile *profile, struct settings *settings,
                          struct error *error);

#endif
