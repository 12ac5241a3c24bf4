/* studies: the table of studies (study.h). A line here makes STUDY_name, its place in the scene, and the declarations of
 * name_ask, name_same and name_run; PREPARE is name_prepare or NULL. */
#ifndef SLACKSWAP_VIEW_STUDIES_H
#define SLACKSWAP_VIEW_STUDIES_H

/*    name          question                     prepare                                            */
#define STUDIES(X)                                                                                   \
    X(budget_curve, struct whatif_question,      NULL)                                               \
    X(rate_curve,   struct whatif_question,      NULL)                                               \
    X(planner_map,  struct whatif_question,      NULL)                                               \
    X(batches,      struct batches_question,     NULL)                                               \
    X(compare,      struct compare_question,     compare_prepare)                                    \
    X(prices,       struct price_question,       prices_prepare)                                     \
    X(live,         struct live_question,        live_prepare)                                     \
    X(problems,     struct problems_question,    newest_plan)                                        \
    X(remedies,     struct remedies_question,    newest_plan)

enum study_id {
#define X(name, question, prepare) STUDY_##name,
    STUDIES(X)
#undef X
    STUDY_COUNT
};

#endif
