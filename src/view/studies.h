/* studies: the table of studies (study.h). A line here makes STUDY_name, its place in the scene, and the declarations of
 * name_ask, name_same and name_run; PREPARE is name_prepare or NULL. An answer ABOUT what the SCENE
 * looks at is forgotten when that is another profile; one about what its QUESTION says alone stands. */
#ifndef SLACKSWAP_VIEW_STUDIES_H
#define SLACKSWAP_VIEW_STUDIES_H

/*    name          question                    prepare          about              */
#define STUDIES(X)                                                                  \
    X(budget_curve, struct whatif_question,      NULL,            SCENE)            \
    X(rate_curve,   struct whatif_question,      NULL,            SCENE)            \
    X(planner_map,  struct whatif_question,      NULL,            SCENE)            \
    X(cell_bound,   struct cell_question,        NULL,            SCENE)            \
    X(batches,      struct batches_question,     NULL,            QUESTION)         \
    X(compare,      struct compare_question,     compare_prepare, SCENE)            \
    X(prices,       struct price_question,       prices_prepare,  SCENE)            \
    X(live,         struct live_question,        live_prepare,    SCENE)            \
    X(challenge,    struct challenge_question,   NULL,            QUESTION)         \
    X(problems,     struct problems_question,    newest_plan,     SCENE)            \
    X(remedies,     struct remedies_question,    newest_plan,     SCENE)

enum study_about { ABOUT_SCENE, ABOUT_QUESTION };

enum study_id {
#define X(name, question, prepare, about) STUDY_##name,
    STUDIES(X)
#undef X
    STUDY_COUNT
};

#endif
