/* lesson_play: how far a learner has come in a lesson, and what is to be shown and said there. Pure: it plans nothing
 * itself (lesson_play_compute apart) but is given outcomes, has no clock and does no I/O; the command that tells a
 * lesson, the viewer and the tests all play through it.
 *
 *     TELL -> next step's TELL … -> END                  a step that only tells
 *     TELL -> ASK -> REVEAL -> …                         a question: answered, or given up
 *     TELL -> TASK -> DONE -> …                          a task: its goal reached, or given up
 *
 * Each phase is a page. Whenever the stand (lesson_play_stand) has changed, the host shows it and, when its outcome is
 * there, hands it over (lesson_play_take); until then the figures in the page's text are "…" and no page is turned but
 * back. While a TASK is open, every outcome of whatever the learner tries is handed over; elsewhere only those of the
 * stand itself: what else a learner does to the knobs is no business of the lesson. A task that was solved
 * leaves the learner's own plan on the screen, and figures of it in the text, until the page is shown again. */
#ifndef SLACKSWAP_CORE_LESSON_PLAY_H
#define SLACKSWAP_CORE_LESSON_PLAY_H

#include "lesson.h"
#include "snapshot.h"

enum lesson_phase { LESSON_TELL, LESSON_ASK, LESSON_REVEAL, LESSON_TASK, LESSON_DONE, LESSON_END, LESSON_PHASE_COUNT };

enum lesson_verdict {
    VERDICT_NONE,    /* nothing was asked, or not answered yet */
    VERDICT_WAITING, /* the outcome that tells is not there yet */
    VERDICT_RIGHT,   /* the right answer; the task done */
    VERDICT_WRONG,
    VERDICT_SHOWN,   /* given up */
};

/* What became of one step. */
struct lesson_record {
    uint8_t answer;       /* picked last; LESSON_ANSWERS_MOST: none */
    uint8_t first;        /* picked first, before anything was revealed */
    bool shown;           /* the answer or the solution was seen: nothing can be earned any more */
    bool earned;          /* right at the first try, or the task done unaided */
    bool solved;          /* the task's goal was reached by the learner */
    bool entered, ended;  /* there are snapshots of it */
    bool tried;           /* that of its end is what the learner made of a task */
};

struct lesson_play {
    const struct lesson *lesson;      /* borrowed */
    struct arena arena;               /* owns what is below */
    uint32_t step;                    /* < step_count */
    uint8_t phase;                    /* enum lesson_phase */
    struct lesson_record *record;     /* a step each … */
    struct snapshot *entry, *end;     /* … as it was entered, and as it ended (where a step only tells: the same) */
    struct formula_named *named;      /* the steps that have names, in their order */
    uint32_t named_count;
};

/* Begins LESSON at its first page. On failure nothing needs freeing. */
enum ss_status lesson_play_start(struct lesson_play *play, const struct lesson *lesson, struct error *error);
void lesson_play_free(struct lesson_play *play);

/* Each turns to another page, or returns false where there is none: next passes no open question or task and no figures
 * that are not there yet, back does not leave the first page. */
bool lesson_play_next(struct lesson_play *play);
bool lesson_play_back(struct lesson_play *play);
/* Picks an answer of the open question: reveals. */
bool lesson_play_answer(struct lesson_play *play, uint32_t answer);
/* Shows the answer, or the solution. */
bool lesson_play_give_up(struct lesson_play *play);
/* To STEP's first page (at most the last step), whatever lies between. What stood before it must be computed where its
 * text is to be filled in: lesson_play_compute_before. */
void lesson_play_go(struct lesson_play *play, uint32_t step);

/* What the page shows; that of the last one at the END. */
const struct lesson_stand *lesson_play_stand(const struct lesson_play *play);
/* Whether SETTINGS and PLAN (NULL: none by hand) are what the page sets, the number of a profile that is no built-in
 * model's apart. */
bool lesson_play_is_as_set(const struct lesson_play *play, const struct settings *settings, const struct plan *plan);
/* Whether the figures of the stand are not known yet: its outcome has not been taken, nor that of an earlier page that
 * showed the same. */
bool lesson_play_waits(const struct lesson_play *play);
/* Takes an outcome of the lesson's work (that of others is passed over), see above. Returns whether the page has changed: a task's goal was reached, and
 * the page is DONE. Outcomes with a host limit exceeded, or infeasible, are taken like others. */
bool lesson_play_take(struct lesson_play *play, const struct outcome *outcome);

enum lesson_verdict lesson_play_verdict(const struct lesson_play *play);
/* The right answer of the step's question, LESSON_ANSWERS_MOST while it is not known (or not one alone). */
uint32_t lesson_play_right(const struct lesson_play *play);

struct lesson_score { uint32_t earned, of; };
/* Of all the questions and tasks of the lesson. */
struct lesson_score lesson_play_score(const struct lesson_play *play);

/* Parts of what is said. */
enum lesson_part {
    LESSON_PART_TEXT,       /* of the step */
    LESSON_PART_ASK,        /* its question or task; "" where it has none */
    LESSON_PART_ANSWER,     /* the INDEX-th answer */
    LESSON_PART_ANSWER_WHY, /* what is said when it was picked */
    LESSON_PART_WHY,        /* what the reveal or the solution shows */
};
/* It, filled in, in ARENA; "" where the step has no such part. NULL when memory is short. */
char *lesson_play_say(const struct lesson_play *play, enum lesson_part part, uint32_t index, struct arena *arena);
/* The same with UNKNOWN for figures that are not there. */
char *lesson_play_fill(const struct lesson_play *play, enum lesson_part part, uint32_t index, const char *unknown,
                       struct arena *arena);
/* Whether CLAIM holds at the end of the page's step, as far as that is known. TRACE (SIZE bytes; NULL: not wanted) gets the
 * figures that it looked at. */
bool lesson_play_holds(const struct lesson_play *play, const char *claim, char *trace, size_t size);

/* For hosts that may wait: plans and simulates what the page shows, and takes it. OUT lives in ARENA. */
enum ss_status lesson_play_compute(struct lesson_play *play, struct arena *arena, struct outcome *out,
                                   struct error *error);
/* Computes all that the steps before the page's showed and nobody has taken: as revealed, as solved. */
enum ss_status lesson_play_compute_before(struct lesson_play *play, struct error *error);

#endif
