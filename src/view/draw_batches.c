/* What-if: the batches of a built-in model that fit the memory at hand, and what each is worth. */
#include <stdio.h>

#include "core/units.h"
#include "draw_batches.h"

#define ROOMY 50 /* columns from which a line says all in words */

/* "18.8k" */
static char *format_thousands(char text[UNIT_TEXT], double number) {
    snprintf(text, UNIT_TEXT, number >= 1e6 ? "%.3gM" : number >= 1e3 ? "%.3gk" : "%.0f",
             number >= 1e6 ? number / 1e6 : number >= 1e3 ? number / 1e3 : number);
    return text;
}

static const struct whatif_batch *fastest(const struct whatif_batches *batches) {
    const struct whatif_batch *best = NULL;
    for (uint32_t i = 0; i < batches->count; i++)
        if (batches->batch[i].fits && (best == NULL || batches->batch[i].tokens_per_s > best->tokens_per_s))
            best = &batches->batch[i];
    return best;
}

const char *batches_summary(const struct whatif_batches *batches, char *text, size_t size) {
    char rate[UNIT_TEXT];
    const struct whatif_batch *best = fastest(batches);
    if (batches->largest == 0)
        snprintf(text, size, "not even 1 fits");
    else if (best == NULL)
        snprintf(text, size, "up to %u fits", (unsigned)batches->largest);
    else
        snprintf(text, size, "up to %u; %s tokens/s at %u", (unsigned)batches->largest,
                 format_thousands(rate, best->tokens_per_s), (unsigned)best->batch);
    return text;
}

static void draw_batch(const struct canvas *canvas, struct rect rect, int y, const struct whatif_batches *batches, uint32_t i) {
    const struct view_state *state = canvas->state;
    const struct whatif_batch *batch = &batches->batch[i];
    const bool here = state->whatif.pane == WHATIF_PANE_BATCH && i == whatif_batch_cursor(state, batches);
    const bool best = batch == fastest(batches), roomy = rect.width >= ROOMY;
    struct style style = plain(best ? ROLE_GOOD : batch->batch == whatif_knob_batch(state) ? ROLE_NUMBER : ROLE_TEXT);
    char text[96], rate[UNIT_TEXT], step[UNIT_TEXT];
    style.attributes |= here ? CELL_SELECTED : 0;
    if (batch->fits)
        snprintf(text, sizeof text, roomy ? "%9u: %6s tokens/s, %s a step%s" : "%7u: %6s tokens/s, %s%s", (unsigned)batch->batch,
                 format_thousands(rate, batch->tokens_per_s), format_time(step, batch->step_us), best && roomy ? ", fastest" : "");
    else
        snprintf(text, sizeof text, "%9u: not known", (unsigned)batch->batch);
    if (batch->batch == whatif_knob_batch(state))
        canvas_text(canvas, rect, 1, y, canvas_symbol(canvas, SYMBOL_KNOB_HERE), plain(ROLE_KNOB));
    canvas_text(canvas, rect, 2, y, text, style);
    canvas_link(canvas, rect, 0, rect.width, y, here ? DO_open : DO_point_next, whatif_item(WHATIF_PANE_BATCH, i));
}

int draw_batches(const struct canvas *canvas, struct rect rect, int y, const struct whatif_batches *batches) {
    const int rows = rect.height - y;
    const int cursor = batches->count > 0 ? (int)whatif_batch_cursor(canvas->state, batches) : 0;
    if (batches->count == 0 && rows > 0) {
        canvas_text(canvas, rect, 1, y, "not even one sample fits", plain(ROLE_BAD));
        return 1;
    }
    const int first = cursor < rows ? 0 : cursor - rows + 1;
    int drawn = 0;
    for (; drawn < rows && first + drawn < (int)batches->count; drawn++)
        draw_batch(canvas, rect, y + drawn, batches, (uint32_t)(first + drawn));
    return drawn;
}
