/* bound_game: see bound_game.h.
 *
 * One player picks a path, the other what runs again; the first gains the path's length. Whatever mixture of paths the
 * first plays, what it gains at least is a bound: the other's best answer to a mixture is found op by op, exactly. Good
 * mixtures come from the small game of the paths and answers seen so far, to which each side adds its best answer
 * until neither has a better one (the "double oracle" of McMahan, Gordon and Blum, 2003).
 *
 * The other player may mix too, as if ops could run again by halves. That is mended by branching: an op that is mixed
 * runs again in one game and does not in another; the least of all open games is the bound. */
#include "bound_game.h"

#include <math.h>
#include <string.h>

#define PATHS_MOST 48
#define ANSWERS_MOST 96
#define GAMES_MOST 400
#define ROUNDS_FIRST 60   /* answers of either side in the first game … */
#define ROUNDS 14         /* … and in those that follow */
#define MATCHES 60        /* of the small game, each time */
#define FEW_OPS 128       /* that may run again: branching pays among so many */
#define WORK_FIRST 400000 /* tensors looked at and matches of pairs in the first game, about: the more, the higher the bound … */
#define WORK_MOST 900000  /* … and in all */
#define WORTHWHILE 1e-4   /* what may be gained, as a part of what is known, so that more is tried */

enum choice { CHOICE_FREE, CHOICE_NEVER, CHOICE_ALWAYS };

struct game {
    double us;                     /* its bound so far */
    uint8_t *choice;               /* op -> enum choice */
    double weight[PATHS_MOST];     /* of the paths, when it was left */
    uint32_t branch;               /* the op to branch on; NONE: nothing is mixed */
};

struct table {
    struct windows *windows;
    struct arena *arena;
    uint32_t ops, steps;
    uint32_t *latest;              /* op -> the last step before which running it again restores something; 0: none */
    uint32_t *active, active_count;/* ops that may run again */
    struct path path[PATHS_MOST]; uint32_t path_count;
    uint32_t *answer[ANSWERS_MOST]; uint32_t answer_count; /* op -> step before which it runs again, or 0 */
    double gain[PATHS_MOST][ANSWERS_MOST];
    double weight[PATHS_MOST], odds_of[ANSWERS_MOST];
    double *again_weight;          /* step -> weight of the paths on which a re-run before it counts */
    struct odds *odds;
    double least_us;               /* the shortest longest path of any answer: no bound gets higher */
    double floor_us;               /* and no bound below this is of use */
    uint64_t work;
};

/* ---- answers ---- */

static void weigh_steps(struct table *t) {
    double all = 0;
    memset(t->again_weight, 0, (t->steps + 1) * sizeof *t->again_weight);
    for (uint32_t j = 0; j < t->path_count; j++) {
        all += t->weight[j];
        for (uint32_t h = 0; h < t->path[j].count; h++) {
            t->again_weight[t->path[j].hop[h].low] -= t->weight[j];
            t->again_weight[t->path[j].hop[h].high + 1] += t->weight[j];
        }
    }
    for (uint32_t b = 0; b < t->steps; b++) {
        all += t->again_weight[b];
        t->again_weight[b] = all;
    }
}

static double effect(const struct table *t, uint32_t op, uint32_t step) {
    double us = t->windows->closure->share_us[op] * t->again_weight[step];
    for (uint32_t j = 0; j < t->path_count; j++)
        if (t->weight[j] > 0)
            us -= t->weight[j] * windows_relief(t->windows, &t->path[j], op, step);
    return us;
}

static void consider(const struct table *t, uint32_t op, uint32_t step, uint32_t *best, double *best_us) {
    if (step < t->ops || step > t->latest[op])
        return;
    const double us = effect(t, op, step);
    if (us < *best_us) {
        *best_us = us;
        *best = step;
    }
}

/* The step before which OP had best run again, 0 for not at all, and how that changes the mixture's length. What is
 * restored late relieves most; earlier than need be is better only where fewer paths count the re-run. */
static uint32_t best_step(const struct table *t, uint32_t op, enum choice choice, double *us) {
    uint32_t best = 0;
    *us = choice == CHOICE_ALWAYS ? INFINITY : 0;
    if (choice == CHOICE_NEVER)
        return 0;
    consider(t, op, t->latest[op], &best, us);
    for (uint32_t j = 0; j < t->path_count; j++) {
        for (uint32_t h = 0; h < t->path[j].count && t->weight[j] > 0; h++) {
            const uint32_t ends[2] = { t->path[j].hop[h].high, t->path[j].hop[h].low - 1 };
            for (int e = 0; e < 2; e++)
                if (ends[e] < t->latest[op] && t->again_weight[ends[e]] < t->again_weight[t->latest[op]])
                    consider(t, op, ends[e], &best, us);
        }
    }
    return best;
}

/* The best answer to the present weights; returns what the mixture of paths gains at least. */
static double answer_paths(struct table *t, const uint8_t *choice, uint32_t *answer) {
    double us = 0;
    weigh_steps(t);
    for (uint32_t j = 0; j < t->path_count; j++)
        us += t->weight[j] * t->path[j].constant_us;
    for (uint32_t a = 0; a < t->active_count; a++) {
        double change;
        answer[t->active[a]] = best_step(t, t->active[a], (enum choice)choice[t->active[a]], &change);
        us += change;
    }
    for (uint32_t j = 0; j < t->path_count; j++)
        t->work += t->weight[j] > 0 ? (uint64_t)t->active_count * (1 + t->path[j].count) : 0;
    return us;
}

/* ---- paths ---- */

static bool longest(struct table *t, struct path *path, double *us) {
    t->work += t->windows->sights + t->steps + 4 * t->active_count;
    return windows_longest(t->windows, t->odds, path, us);
}

/* The longest path against the answers as they are mixed now. */
static bool path_against_mixture(struct table *t, struct path *path, double *us) {
    for (uint32_t a = 0; a < t->active_count; a++) {
        struct odds *odds = &t->odds[t->active[a]];
        double most = 0;
        *odds = (struct odds){ 0, 0 };
        for (uint32_t i = 0; i < t->answer_count; i++) {
            const uint32_t step = t->answer[i][t->active[a]];
            odds->chance += step ? t->odds_of[i] : 0;
            if (step && t->odds_of[i] > most) { /* the likeliest step stands for all: a path need not be the very longest */
                most = t->odds_of[i];
                odds->step = step;
            }
        }
    }
    return longest(t, path, us);
}

static double gain(struct table *t, const struct path *path, const uint32_t *answer) {
    double us = path->constant_us;
    t->work += (uint64_t)t->active_count * (1 + path->count) / 2;
    for (uint32_t a = 0; a < t->active_count; a++)
        us += windows_effect(t->windows, path, t->active[a], answer[t->active[a]]);
    return us;
}

static bool path_against(struct table *t, const uint32_t *answer, struct path *path) {
    double us;
    for (uint32_t a = 0; a < t->active_count; a++) {
        const uint32_t step = answer[t->active[a]];
        t->odds[t->active[a]] = (struct odds){ step, step ? 1 : 0 };
    }
    return longest(t, path, &us);
}

static bool same_path(const struct path *a, const struct path *b) {
    if (a->count != b->count)
        return false;
    for (uint32_t h = 0; h < a->count; h++)
        if (a->hop[h].tight != b->hop[h].tight || a->hop[h].place != b->hop[h].place || a->hop[h].out != b->hop[h].out)
            return false;
    return true;
}

/* Adds PATH; the lightest makes room when there are too many. False when it is there already. */
static bool add_path(struct table *t, const struct path *path) {
    uint32_t lightest = 0;
    for (uint32_t j = 0; j < t->path_count; j++) {
        if (same_path(&t->path[j], path))
            return false;
        lightest = t->weight[j] < t->weight[lightest] ? j : lightest;
    }
    const uint32_t place = t->path_count < PATHS_MOST ? t->path_count++ : lightest;
    t->path[place] = *path;
    t->weight[place] = 0;
    for (uint32_t i = 0; i < t->answer_count; i++)
        t->gain[place][i] = gain(t, path, t->answer[i]);
    return true;
}

static bool add_answer(struct table *t, const uint32_t *answer) {
    uint32_t lightest = 0;
    for (uint32_t i = 0; i < t->answer_count; i++) {
        if (memcmp(t->answer[i], answer, t->ops * sizeof *answer) == 0)
            return false;
        lightest = t->odds_of[i] < t->odds_of[lightest] ? i : lightest;
    }
    const uint32_t place = t->answer_count < ANSWERS_MOST ? t->answer_count : lightest;
    if (!t->answer[place] && !(t->answer[place] = ARENA_ARRAY(t->arena, uint32_t, t->ops)))
        return false; /* without it the bound is lower, and holds */
    t->answer_count += place == t->answer_count;
    memcpy(t->answer[place], answer, t->ops * sizeof *answer);
    t->odds_of[place] = 0;
    for (uint32_t j = 0; j < t->path_count; j++)
        t->gain[j][place] = gain(t, &t->path[j], answer);
    return true;
}

/* ---- the small game ---- */

static void match_regrets(double *chance, const double *regret, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += regret[i];
    for (uint32_t i = 0; i < count; i++)
        chance[i] = sum > 0 ? regret[i] / sum : 1.0 / count;
}

/* Good mixtures of the paths and answers seen so far, by matching regrets, the later ones counting more (Tammelin 2014). */
static void play(struct table *t) {
    double row_regret[PATHS_MOST] = { 0 }, column_regret[ANSWERS_MOST] = { 0 };
    double row[PATHS_MOST], column[ANSWERS_MOST], row_sum[PATHS_MOST] = { 0 }, column_sum[ANSWERS_MOST] = { 0 };
    for (int m = 1; m <= MATCHES; m++) {
        double value[ANSWERS_MOST > PATHS_MOST ? ANSWERS_MOST : PATHS_MOST], mean = 0;
        match_regrets(column, column_regret, t->answer_count);
        for (uint32_t j = 0; j < t->path_count; j++) {
            value[j] = 0;
            for (uint32_t i = 0; i < t->answer_count; i++)
                value[j] += t->gain[j][i] * column[i];
        }
        match_regrets(row, row_regret, t->path_count);
        for (uint32_t j = 0; j < t->path_count; j++)
            mean += value[j] * row[j];
        for (uint32_t j = 0; j < t->path_count; j++)
            row_regret[j] = fmax(0, row_regret[j] + value[j] - mean);
        match_regrets(row, row_regret, t->path_count);
        mean = 0;
        for (uint32_t i = 0; i < t->answer_count; i++) {
            value[i] = 0;
            for (uint32_t j = 0; j < t->path_count; j++)
                value[i] += t->gain[j][i] * row[j];
            mean += value[i] * column[i];
        }
        for (uint32_t i = 0; i < t->answer_count; i++)
            column_regret[i] = fmax(0, column_regret[i] + mean - value[i]);
        for (uint32_t j = 0; j < t->path_count; j++)
            row_sum[j] += m * row[j];
        for (uint32_t i = 0; i < t->answer_count; i++)
            column_sum[i] += m * column[i];
    }
    match_regrets(t->weight, row_sum, t->path_count);
    match_regrets(t->odds_of, column_sum, t->answer_count);
    t->work += (uint64_t)MATCHES * t->path_count * t->answer_count;
}

/* ---- games ---- */

/* The op whose mixing is worth most to the other player. */
static uint32_t most_mixed(const struct table *t, const uint8_t *choice) {
    double most = 0;
    uint32_t best = NONE;
    for (uint32_t a = 0; a < t->active_count; a++) {
        const uint32_t op = t->active[a];
        double again = 0;
        for (uint32_t i = 0; i < t->answer_count; i++)
            again += t->answer[i][op] ? t->odds_of[i] : 0;
        const double mixed = fmin(again, 1 - again) * t->windows->closure->share_us[op];
        if (choice[op] == CHOICE_FREE && mixed > most) {
            most = mixed;
            best = op;
        }
    }
    return best;
}

static void play_on(struct table *t, struct game *game, uint32_t rounds, uint64_t work, uint32_t *answer) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->answer_count; i++) { /* answers that this game allows */
        bool allowed = true;
        for (uint32_t a = 0; a < t->active_count && allowed; a++) {
            const enum choice choice = (enum choice)game->choice[t->active[a]];
            allowed = choice == CHOICE_FREE || (choice == CHOICE_ALWAYS) == (t->answer[i][t->active[a]] != 0);
        }
        if (!allowed)
            continue;
        uint32_t *swap = t->answer[kept];
        t->answer[kept] = t->answer[i];
        t->answer[i] = swap;
        for (uint32_t j = 0; j < t->path_count; j++)
            t->gain[j][kept] = t->gain[j][i];
        kept++;
    }
    t->answer_count = kept;
    memcpy(t->weight, game->weight, sizeof t->weight);
    bool more = true; /* a side has found something new: the mixtures may get better */
    for (uint32_t round = 0; round < rounds; round++) {
        struct path path;
        double mixed_us;
        const double us = answer_paths(t, game->choice, answer);
        if (us > game->us) {
            game->us = us;
            memcpy(game->weight, t->weight, sizeof t->weight);
        }
        if (game->us >= t->least_us * (1 - 1e-9) || t->least_us <= t->floor_us || t->work > work)
            break;
        const bool fresh = add_answer(t, answer);
        if (!fresh && !more)
            break;
        more = fresh;
        if (fresh && path_against(t, answer, &path)) {
            t->least_us = fmin(t->least_us, gain(t, &path, answer));
            add_path(t, &path);
        }
        play(t);
        if (path_against_mixture(t, &path, &mixed_us)) {
            more = add_path(t, &path) || more;
            /* not even mixing pays for the first player, and there are too many ops to branch on */
            if (t->active_count > FEW_OPS && mixed_us <= t->floor_us * (1 + WORTHWHILE))
                break;
        }
        play(t);
    }
    game->branch = most_mixed(t, game->choice);
}

static enum ss_status table_init(struct table *t, struct windows *windows, struct arena *arena, struct error *error) {
    t->windows = windows;
    t->arena = arena;
    t->ops = windows->profile->op_count;
    t->steps = 2 * t->ops;
    t->least_us = INFINITY;
    t->latest = ARENA_ARRAY(arena, uint32_t, t->ops);
    t->active = ARENA_ARRAY(arena, uint32_t, t->ops);
    t->again_weight = ARENA_ARRAY(arena, double, (size_t)t->steps + 1);
    t->odds = ARENA_ARRAY(arena, struct odds, t->ops);
    if (!t->latest || !t->active || !t->again_weight || !t->odds)
        return error_no_memory(error);
    for (uint32_t i = 0; i < windows->leaver_count; i++) {
        const struct leaver *leaver = &windows->leaver[i];
        if (leaver->again && leaver->back > t->latest[leaver->op])
            t->latest[leaver->op] = leaver->back;
    }
    for (uint32_t i = 0; i < t->ops; i++)
        if (t->latest[i])
            t->active[t->active_count++] = i;
    return SS_OK;
}

static enum ss_status branch(struct table *t, const struct game *parent, enum choice choice, struct game *out,
                             uint32_t *answer, struct error *error) {
    *out = *parent;
    out->choice = ARENA_ARRAY(t->arena, uint8_t, t->ops);
    if (!out->choice)
        return error_no_memory(error);
    memcpy(out->choice, parent->choice, t->ops);
    out->choice[parent->branch] = (uint8_t)choice;
    play_on(t, out, ROUNDS, WORK_MOST, answer);
    return SS_OK;
}

static uint32_t least_game(const struct game *games, uint32_t count) {
    uint32_t best = 0;
    for (uint32_t g = 1; g < count; g++)
        best = games[g].us < games[best].us ? g : best;
    return best;
}

/* Could a higher bound than FLOOR_US be found, and one that is worth it? */
static bool worthwhile(const struct table *t, const struct game *game, uint32_t games, double floor_us) {
    return game->branch != NONE && games < GAMES_MOST && t->work < WORK_MOST && t->active_count <= FEW_OPS
        && game->us < t->least_us * (1 - 1e-9) && t->least_us > floor_us * (1 + WORTHWHILE);
}

/* The window that counts most in the paths as they are mixed now. */
static void name_window(const struct table *t, struct game_result *out) {
    double most = 0;
    for (uint32_t j = 0; j < t->path_count; j++) {
        for (uint32_t h = 0; h < t->path[j].count; h++) {
            const struct hop *hop = &t->path[j].hop[h];
            const double us = t->weight[j] * windows_length(t->windows, hop);
            if (us > most) {
                most = us;
                out->step = t->windows->tight[hop->tight].step;
                out->out = hop->out;
            }
        }
    }
}

enum ss_status bound_game(struct windows *windows, struct arena *arena, double floor_us, struct game_result *out,
                          struct error *error) {
    struct table *t = ARENA_ARRAY(arena, struct table, 1);
    struct game *games = ARENA_ARRAY(arena, struct game, GAMES_MOST);
    uint32_t *answer = ARENA_ARRAY(arena, uint32_t, windows->profile->op_count), count = 1;
    *out = (struct game_result){ 0, NONE, false };
    if (!t || !games || !answer)
        return error_no_memory(error);
    enum ss_status status = table_init(t, windows, arena, error);
    games[0].weight[0] = 1;
    if (status == SS_OK && !(games[0].choice = ARENA_ARRAY(arena, uint8_t, t->ops)))
        status = error_no_memory(error);
    if (status != SS_OK || !path_against(t, answer, &t->path[0]))
        return status;
    t->path_count = 1;
    t->floor_us = floor_us;
    play_on(t, &games[0], ROUNDS_FIRST, WORK_FIRST, answer);
    name_window(t, out);
    uint32_t least = 0;
    while (status == SS_OK && worthwhile(t, &games[least], count, floor_us)) {
        const struct game parent = games[least];
        status = branch(t, &parent, CHOICE_NEVER, &games[least], answer, error);
        if (status == SS_OK)
            status = branch(t, &parent, CHOICE_ALWAYS, &games[count++], answer, error);
        least = least_game(games, count);
    }
    out->us = games[least].us;
    return status;
}
