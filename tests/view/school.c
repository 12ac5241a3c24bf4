#include "school.h"

#include <string.h>

#define TEXT "The step takes {step_us}, and memory peaks at {peak_bytes}."

static struct plan *plan_of(struct school *school, const struct profile *profile, const char *tensor, enum action action) {
    struct plan *plan = arena_alloc(&school->arena, 1, sizeof *plan);
    assert_int_equal(plan_init(plan, &school->arena, profile, NULL), SS_OK);
    if (tensor != NULL)
        assert_int_equal(plan_set(plan, profile, profile_find_tensor(profile, tensor), action, NULL), SS_OK);
    return plan;
}

static struct lesson_stand stand(const char *keys, const struct lesson_place *places, uint32_t count, const struct plan *plan) {
    struct lesson_stand out = { .settings = settings_default(), .keys = keys, .highlight = places, .highlight_count = count,
                                .plan = plan };
    out.settings.planner = planner_find("offload");
    out.settings.budget = (struct budget_choice){ .kind = BUDGET_SHARE, .share = 1 };
    return out;
}

static void make_first(struct school *school, struct lesson *lesson) {
    static const struct lesson_place LANES[] = { { LESSON_PLACE_d2h, NONE }, { LESSON_PLACE_memory, NONE } };
    struct lesson_place *layer = arena_alloc(&school->arena, 1, sizeof *layer);
    struct lesson_step *step = arena_alloc(&school->arena, 4, sizeof *step);
    const struct profile *profile = &lesson->profile;
    memset(step, 0, 4 * sizeof *step);
    *layer = (struct lesson_place){ LESSON_PLACE_LAYER, profile_find_layer(profile, "L2") };
    struct lesson_stand keep = stand("", LANES, 2, plan_of(school, profile, NULL, ACTION_KEEP));
    struct lesson_stand away = stand("", LANES, 1, plan_of(school, profile, "L2.fc", ACTION_OFFLOAD));
    struct lesson_stand again = stand("2 G", layer, 1, plan_of(school, profile, "L2.fc", ACTION_RECOMPUTE));
    step[0] = (struct lesson_step){ .name = "kept", .text = TEXT, .kind = LESSON_TELLS, .stand = keep };
    step[1] = (struct lesson_step){ .name = "", .text = "L2.fc goes to the host.", .kind = LESSON_ASKS, .stand = keep };
    step[1].question = (struct lesson_question){
        .ask = "Which lane has something to do then?", .why = "{d2h_bytes} go out; before it were {before.d2h_bytes}.",
        .answer = { { "The D2H lane", "d2h_bytes > before.d2h_bytes", "" },
                    { "None: everything is kept", "d2h_bytes = before.d2h_bytes", "Look again." } },
        .answer_count = 2, .reveal = away,
    };
    step[2] = (struct lesson_step){ .name = "", .text = "Make room.", .kind = LESSON_SETS_TASK, .stand = keep };
    step[2].task = (struct lesson_task){ .ask = "Recompute L2.fc.", .why = "It costs {recompute_us}.",
                                         .goal = "recompute_us > 0", .solution = again, .attempt = keep };
    step[3] = (struct lesson_step){ .name = "", .text = "Back to {kept.step_us}.", .kind = LESSON_TELLS,
                                    .stand = stand("2 G", LANES, 0, NULL) };
    lesson->name = "first";
    lesson->title = "All kinds of pages";
    lesson->summary = "For tests.";
    lesson->minutes = 3;
    lesson->step = step;
    lesson->step_count = 4;
}

static void make_second(struct school *school, struct lesson *lesson) {
    struct lesson_step *step = arena_alloc(&school->arena, 1, sizeof *step);
    *step = (struct lesson_step){ .name = "", .text = TEXT, .kind = LESSON_TELLS,
                                  .stand = stand("", NULL, 0, NULL) };
    lesson->name = "second";
    lesson->title = "One page";
    lesson->summary = "For tests, too.";
    lesson->minutes = 4;
    lesson->step = step;
    lesson->step_count = 1;
}

static void make_lessons(struct school *school) {
    for (int i = 0; i < 2; i++) {
        screen_profile_small(&school->maker[i]);
        school->lesson[i] = (struct lesson){ .arena = &school->arena, .profile = school->maker[i].profile };
        school->lesson[i].profile.name = "taught";
    }
    make_first(school, &school->lesson[0]);
    make_second(school, &school->lesson[1]);
}

static enum ss_status list(void *context, const struct classroom_entry **entry, uint32_t *count, struct error *error) {
    struct school *school = context;
    (void)error;
    *entry = school->entry;
    *count = 3;
    return SS_OK;
}

static enum ss_status open_lesson(void *context, uint32_t number, const struct lesson **lesson, struct error *error) {
    struct school *school = context;
    if (school->refuses || number > 1)
        return error_set(error, SS_BAD_INPUT, "the school is closed");
    *lesson = &school->lesson[number];
    return SS_OK;
}

void school_open(struct school *school, struct screen *screen, int width, int height) {
    memset(school, 0, sizeof *school);
    make_lessons(school);
    for (int i = 0; i < 2; i++)
        school->entry[i] = (struct classroom_entry){ .title = school->lesson[i].title, .summary = school->lesson[i].summary,
                                                     .minutes = school->lesson[i].minutes };
    school->entry[2] = (struct classroom_entry){ .title = "broken.json", .summary = "", .fault = "line 1, column 1: expected an object" };
    school->source = (struct classroom_source){ list, open_lesson, school };
    school->classroom.source = &school->source;
    school->profiles = (struct work_source){ classroom_profile, &school->classroom };
    screen_open(screen, width, height);
    screen->state.classroom = &school->classroom;
    screen->scene.source = &school->profiles;
}

void school_close(struct school *school, struct screen *screen) {
    screen_close(screen);
    classroom_free(&school->classroom);
    for (int i = 0; i < 2; i++)
        arena_free(&school->maker[i].arena);
    arena_free(&school->arena);
}
