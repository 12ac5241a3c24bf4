/* bound_match: see bound_match.h. */
#include "bound_match.h"

#include <math.h>
#include <string.h>

#define PIVOTS_MOST 400
#define TINY 1e-10        /* of gains that range from 1 to 2 */

/* ---- exactly ---- */

/* The linear program of a matrix game: the answers that sum to most while no path gains more than 1 of them, by the simplex
 * method. Its last row holds what the paths weigh. */
struct tableau {
    uint32_t rows, columns, width; /* paths; answers; with slacks */
    double cell[PATHS_MOST + 1][ANSWERS_MOST + PATHS_MOST + 1];
    uint32_t basis[PATHS_MOST];
};

static void tableau_fill(struct tableau *b, const struct table *t) {
    double least = INFINITY, most = -INFINITY;
    b->rows = t->path_count;
    b->columns = t->answer_count;
    b->width = b->rows + b->columns;
    for (uint32_t j = 0; j < b->rows; j++) {
        for (uint32_t i = 0; i < b->columns; i++) {
            least = t->gain[j][i] < least ? t->gain[j][i] : least;
            most = larger(most, t->gain[j][i]);
        }
    }
    const double scale = most > least ? 1 / (most - least) : 1;
    for (uint32_t j = 0; j <= b->rows; j++) {
        const bool path = j < b->rows;
        for (uint32_t i = 0; i < b->columns; i++)
            b->cell[j][i] = path ? (t->gain[j][i] - least) * scale + 1 : -1;
        for (uint32_t k = 0; k < b->rows; k++)
            b->cell[j][b->columns + k] = j == k;
        b->cell[j][b->width] = path;
        if (path)
            b->basis[j] = b->columns + j;
    }
}

static uint32_t entering(const struct tableau *b) {
    uint32_t best = NONE;
    double least = -TINY;
    for (uint32_t i = 0; i < b->width; i++) {
        if (b->cell[b->rows][i] < least) {
            least = b->cell[b->rows][i];
            best = i;
        }
    }
    return best;
}

static uint32_t leaving(const struct tableau *b, uint32_t column) {
    uint32_t best = NONE;
    double least = INFINITY;
    for (uint32_t j = 0; j < b->rows; j++) {
        if (b->cell[j][column] > TINY && b->cell[j][b->width] < least * b->cell[j][column]) {
            least = b->cell[j][b->width] / b->cell[j][column];
            best = j;
        }
    }
    return best;
}

static void pivot(struct tableau *b, uint32_t row, uint32_t column) {
    const double by = 1 / b->cell[row][column];
    for (uint32_t i = 0; i <= b->width; i++)
        b->cell[row][i] *= by;
    for (uint32_t j = 0; j <= b->rows; j++) {
        const double times = b->cell[j][column];
        if (j == row || times == 0)
            continue;
        for (uint32_t i = 0; i <= b->width; i++)
            b->cell[j][i] -= times * b->cell[row][i];
    }
    b->basis[row] = column;
}

/* Takes COUNT shares for chances, whatever rounding has left of them. */
static void share_out(double *chance, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        chance[i] = larger(0, chance[i]);
        sum += chance[i];
    }
    for (uint32_t i = 0; i < count; i++)
        chance[i] = sum > 0 ? chance[i] / sum : 1.0 / count;
}

void match_exactly(struct table *t) {
    struct tableau b;
    tableau_fill(&b, t);
    for (uint32_t pivots = 0; pivots < PIVOTS_MOST; pivots++) {
        const uint32_t column = entering(&b), row = column == NONE ? NONE : leaving(&b, column);
        if (row == NONE)
            break;
        pivot(&b, row, column);
        t->work += (uint64_t)(b.rows + 1) * b.width / 4;
    }
    for (uint32_t j = 0; j < b.rows; j++)
        t->weight[j] = b.cell[b.rows][b.columns + j];
    share_out(t->weight, b.rows);
    memset(t->odds_of, 0, b.columns * sizeof *t->odds_of);
    for (uint32_t j = 0; j < b.rows; j++)
        if (b.basis[j] < b.columns)
            t->odds_of[b.basis[j]] = b.cell[j][b.width];
    share_out(t->odds_of, b.columns);
}

/* ---- often ---- */

static void match_regrets(double *chance, const double *regret, uint32_t count) {
    memcpy(chance, regret, count * sizeof *chance);
    share_out(chance, count);
}

/* What each of COUNT pure choices of one side is worth against the other's mixture; LINE: the other side's choice -> worth.
 * Most choices have no chance in a mixture. */
static void weigh(double *value, uint32_t count, const double *line, size_t stride, const double *chance,
                  uint32_t lines) {
    for (uint32_t k = 0; k < count; k++)
        value[k] = 0;
    for (uint32_t l = 0; l < lines; l++, line += stride) {
        if (!(chance[l] > 0))
            continue;
        for (uint32_t k = 0; k < count; k++)
            value[k] += line[k] * chance[l];
    }
}

static double mean_of(const double *value, const double *chance, uint32_t count) {
    double mean = 0;
    for (uint32_t k = 0; k < count; k++)
        mean += value[k] * chance[k];
    return mean;
}

/* Good mixtures of the paths and answers seen so far, by matching regrets, the later ones counting more (Tammelin 2014). */
void match_often(struct table *t, uint32_t matches) {
    double gain_of[ANSWERS_MOST][PATHS_MOST]; /* the same as t->gain, answer by answer */
    for (uint32_t j = 0; j < t->path_count; j++)
        for (uint32_t i = 0; i < t->answer_count; i++)
            gain_of[i][j] = t->gain[j][i];
    double row_regret[PATHS_MOST] = { 0 }, column_regret[ANSWERS_MOST] = { 0 };
    double row[PATHS_MOST], column[ANSWERS_MOST], row_sum[PATHS_MOST] = { 0 }, column_sum[ANSWERS_MOST] = { 0 };
    for (uint32_t m = 1; m <= matches; m++) {
        double value[ANSWERS_MOST > PATHS_MOST ? ANSWERS_MOST : PATHS_MOST];
        match_regrets(column, column_regret, t->answer_count);
        weigh(value, t->path_count, gain_of[0], PATHS_MOST, column, t->answer_count);
        match_regrets(row, row_regret, t->path_count);
        double mean = mean_of(value, row, t->path_count);
        for (uint32_t j = 0; j < t->path_count; j++)
            row_regret[j] = larger(0, row_regret[j] + value[j] - mean);
        match_regrets(row, row_regret, t->path_count);
        weigh(value, t->answer_count, t->gain[0], ANSWERS_MOST, row, t->path_count);
        mean = mean_of(value, column, t->answer_count);
        for (uint32_t i = 0; i < t->answer_count; i++)
            column_regret[i] = larger(0, column_regret[i] + mean - value[i]);
        for (uint32_t j = 0; j < t->path_count; j++)
            row_sum[j] += m * row[j];
        for (uint32_t i = 0; i < t->answer_count; i++)
            column_sum[i] += m * column[i];
    }
    match_regrets(t->weight, row_sum, t->path_count);
    match_regrets(t->odds_of, column_sum, t->answer_count);
    t->work += (uint64_t)matches * t->path_count * t->answer_count;
}
