/* explain_residuals: where a step that really ran differs from its simulation. */
#include "explain_parts.h"
#include "residuals.h"

#define NAMED_MOST 3 /* events of a lane that are named */

static void say_residual(struct explainer *e, const struct residual *residual, bool first) {
    char change[UNIT_TEXT], longer[UNIT_TEXT];
    answer_say(e, "%s%s %s (of that %s by taking longer or shorter)", first ? " The largest residuals: " : ", ",
               text_event(e, residual->event).text, format_time_change(change, residual_of(residual)),
               format_time_change(longer, residual->longer_us));
}

static void say_lane(struct explainer *e, int lane, const struct lane_residuals *residuals) {
    static const char *const NAME[LANE_COUNT] = { "compute", "d2h", "h2d" };
    static const char *const TITLE[LANE_COUNT] = { "Compute", "D2H", "H2D" };
    char late[UNIT_TEXT], longer[UNIT_TEXT];
    answer_figure(e, NAME[lane], "events", residuals->count);
    answer_figure(e, NAME[lane], "late_us", residuals->late_us);
    answer_figure(e, NAME[lane], "longer_us", residuals->longer_us);
    answer_say(e, "%s, %u event%s measured: it ends %s against the simulation, its events took %s in all.", TITLE[lane],
               (unsigned)residuals->count, plural(residuals->count), format_time_change(late, residuals->late_us),
               format_time_change(longer, residuals->longer_us));
    uint32_t named = 0;
    while (named < NAMED_MOST && named < residuals->count && residual_of(&residuals->residuals[named]) != 0) {
        say_residual(e, &residuals->residuals[named], named == 0);
        named++;
    }
    answer_say(e, named > 0 ? ". " : " ");
}

void answer_residuals(struct explainer *e) {
    struct residuals residuals;
    answer_begin(e, "measured", "Where does the measured step differ from the simulated one?");
    arena_reset(&e->scratch);
    const enum ss_status status = residuals_compute(&residuals, &e->scratch, e->timeline, e->request->measurements,
                                                    e->request->measurement_count, e->error);
    if (status != SS_OK)
        e->status = status;
    for (int lane = 0; lane < LANE_COUNT && status == SS_OK; lane++)
        if (residuals.lane[lane].count > 0)
            say_lane(e, lane, &residuals.lane[lane]);
    answer_end(e);
}
