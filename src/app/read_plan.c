#include "read_plan.h"

#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/plan_json.h"

static enum ss_status read_file(const char *path, const struct profile *profile, struct arena *arena, struct plan *plan,
                                struct warnings *warnings, struct error *error) {
    struct file_text text;
    enum ss_status status = file_check_regular(path, error); /* while one waits the screen stands still */
    if (status == SS_OK)
        status = file_read(path, &text, error);
    if (status != SS_OK)
        return status;
    status = plan_json_read(text.text, text.length, profile, arena, plan, warnings, error);
    file_text_free(&text);
    return status;
}

unsigned read_compared_plan(struct view_state *state, const struct scene *scene) {
    struct arena arena = { 0 };
    struct plan plan;
    struct error error = { "", "" };
    struct warnings warnings = { .count = 0 };
    const char *asked = state->compare.path, *home = getenv("HOME");
    const bool in_home = strncmp(asked, "~/", 2) == 0 && home != NULL;
    const char *path = arena_printf(&arena, "%s%s", in_home ? home : "", in_home ? asked + 1 : asked);
    unsigned effects = 0;
    if (path != NULL && read_file(path, scene->profile, &arena, &plan, &warnings, &error) == SS_OK) {
        effects = state_compare_file(state, scene, &plan);
        if (warnings.count > 0)
            effects |= state_message(state, MESSAGE_INFO, warnings.text[0]);
    } else {
        const char *text = arena_printf(&arena, "%s: %s%s%s", asked, error.place, error.place[0] != '\0' ? ": " : "", error.text);
        effects = state_message(state, MESSAGE_BAD, text != NULL ? text : "No memory is left.");
    }
    arena_free(&arena);
    return effects;
}
