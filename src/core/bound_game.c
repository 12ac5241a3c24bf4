/* bound_game: see bound_game.h.
 *
 * One player picks a path, the other what runs again; the first gains the path's length. Whatever mixture of paths the
 * first plays, what it gains at least is a bound: the other's best answer to a mixture is found op by op
 * (bound_answer.h). Good mixtures come from the small game of the paths and answers seen so far (bound_match.h), to which
 * each side adds its best answer until neither has a better one (the "double oracle" of McMahan, Gordon and Blum, 2003).
 *
 * The other player may mix too, as if ops could run again by halves. That is mended by branching: an op that is mixed
 * runs again in one game and does not in another; the least of all open games is the bound. Where that is asked for,
 * games are parted by what large tensors do as well, and by ops of which a path hopes too much (`glossed`: its length, were the
 * answer known, is more than what is counted). */
#include "bound_game.h"

#include <math.h>
#include <string.h>

#include "bound_answer.h"
#include "bound_match.h"

#define GAMES_MOST 1000
#define ROUNDS_FIRST 200  /* answers of either side in the first game */
#define MATCHES 60        /* of the small game, each time */
#define FEW_OPS 128       /* that may run again: branching pays among so many */
#define LARGE_MOST 12     /* large tensors by which games are parted */
#define LARGE_FIRST 2     /* of them, when they come first */
#define CHEAP 1e-5        /* of the forward pass: costs about nothing to run again */
#define IDLE_PART 0.125   /* of what is missing: what games must gain while they are below what is known */
#define WORTHWHILE 1e-4   /* what may be gained, as a part of what is known, so that more is tried */

struct game {
    double us;                     /* its bound so far */
    struct premises premises;
    double weight[PATHS_MOST];     /* of the paths, when it was left */
    uint32_t branch;               /* the op to branch on; NONE: nothing is mixed */
    uint32_t glossed;              /* an op that runs again, of which too much is hoped; or NONE */
};

/* ---- paths ---- */

static bool longest(struct table *t, const struct premises *premises, struct path *path, double *us) {
    t->work += t->windows->sights + t->steps + 4 * t->active_count;
    return windows_longest(t->windows, premises, t->odds, path, us);
}

/* ODDS in the order of steps; where there are too many, the least likely counts with the step behind it. */
static void odds_add(struct odds *odds, uint32_t step, double chance) {
    int at = 0, free = -1;
    for (int i = 0; i < ODDS_STEPS; i++) {
        if (odds->chance[i] > 0 && odds->step[i] == step) {
            odds->chance[i] += chance;
            return;
        }
        free = odds->chance[i] > 0 ? free : i;
        at += odds->chance[i] > 0 && odds->step[i] < step;
    }
    if (free < 0) {
        const int next = at < ODDS_STEPS ? at : ODDS_STEPS - 1;
        odds->chance[next] += chance;
        return;
    }
    int used = 0;
    while (used < ODDS_STEPS && odds->chance[used] > 0)
        used++;
    for (int i = used; i > at; i--) {
        odds->step[i] = odds->step[i - 1];
        odds->chance[i] = odds->chance[i - 1];
    }
    odds->step[at] = step;
    odds->chance[at] = chance;
}

/* The longest path against the answers as they are mixed now. */
static bool path_against_mixture(struct table *t, const struct premises *premises, struct path *path, double *us) {
    for (uint32_t a = 0; a < t->active_count; a++) {
        const uint32_t op = t->active[a];
        struct odds *odds = &t->odds[op];
        *odds = (struct odds){ .chance = { 0 } };
        for (uint32_t i = 0; i < t->answer_count; i++)
            if (t->answer[i][op] && t->odds_of[i] > 0)
                odds_add(odds, t->answer[i][op], t->odds_of[i]);
    }
    return longest(t, premises, path, us);
}

/* What the calls on PATH add when ops run again by ANSWER. */
static double called(const struct table *t, const struct path *path, const uint32_t *answer) {
    double us = 0;
    for (uint32_t h = 0; h < path->count; h++) {
        const struct hop *hop = &path->hop[h];
        for (uint32_t i = hop->calls_at; i < hop->calls_at + hop->calls; i++) {
            const uint32_t step = answer[path->call[i].op];
            us += step && step <= hop->high ? windows_call_us(t->windows, hop, &path->call[i]) : 0;
        }
    }
    return us;
}

/* How long PATH is when ops run again by ANSWER. */
static double gain(struct table *t, const struct path *path, const uint32_t *answer) {
    double us = path->constant_us;
    t->work += (uint64_t)t->active_count * (1 + path->count) / 2;
    for (uint32_t a = 0; a < t->active_count; a++)
        us += windows_effect(t->windows, path, t->active[a], answer[t->active[a]]);
    return us + called(t, path, answer);
}

static bool counts_on(const struct path *path, uint32_t step) {
    for (uint32_t h = 0; h < path->count; h++)
        if (path->hop[h].low <= step && step <= path->hop[h].high)
            return false;
    return true;
}

/* The same of the path at PLACE, whose reliefs are known. */
static double gain_of(struct table *t, uint32_t place, const uint32_t *answer) {
    const struct path *path = &t->path[place];
    const struct reliefs *reliefs = &t->reliefs[place];
    double us = path->constant_us + called(t, path, answer);
    t->work += (uint64_t)t->active_count * (1 + path->count) / 2;
    for (uint32_t h = 0; h < path->count; h++)
        for (uint32_t i = reliefs->at[h]; i < reliefs->at[h + 1]; i++)
            if (answer[reliefs->list[i].op] > t->windows->tight[path->hop[h].tight].step)
                t->relieved[reliefs->list[i].op] += reliefs->list[i].us;
    for (uint32_t a = 0; a < t->active_count; a++) {
        const uint32_t op = t->active[a];
        if (answer[op])
            us += (counts_on(path, answer[op]) ? t->windows->closure->share_us[op] : 0) - t->relieved[op];
        t->relieved[op] = 0;
    }
    return us;
}

/* False when memory is short. */
static bool list_reliefs(struct table *t, const struct path *path, struct reliefs *out) {
    uint32_t count = 0;
    for (uint32_t h = 0; h < path->count; h++) {
        out->at[h] = count;
        if (out->room < count + t->active_count) {
            const uint32_t room = 2 * count + t->active_count;
            struct relief *list = ARENA_ARRAY(t->arena, struct relief, room);
            if (!list)
                return false;
            if (count > 0)
                memcpy(list, out->list, count * sizeof *list);
            out->list = list;
            out->room = room;
        }
        for (uint32_t a = 0; a < t->active_count; a++) {
            const double us = windows_relief(t->windows, path, &path->hop[h], t->active[a]);
            if (us != 0)
                out->list[count++] = (struct relief){ t->active[a], us };
        }
    }
    out->at[path->count] = count;
    return true;
}

static void set_odds(struct table *t, const uint32_t *answer) {
    for (uint32_t a = 0; a < t->active_count; a++) {
        const uint32_t step = answer[t->active[a]];
        t->odds[t->active[a]] = (struct odds){ { step }, { step ? 1 : 0 } };
    }
}

static bool path_against(struct table *t, const struct premises *premises, const uint32_t *answer, struct path *path) {
    double us;
    set_odds(t, answer);
    return longest(t, premises, path, &us);
}

static bool same_path(const struct path *a, const struct path *b) {
    if (a->count != b->count)
        return false;
    for (uint32_t h = 0; h < a->count; h++)
        if (a->hop[h].tight != b->hop[h].tight || a->hop[h].place != b->hop[h].place || a->hop[h].out != b->hop[h].out ||
            a->hop[h].whole != b->hop[h].whole || a->hop[h].bytes != b->hop[h].bytes || a->hop[h].scale != b->hop[h].scale ||
            a->hop[h].calls != b->hop[h].calls)
            return false;
    return a->call_count == b->call_count && memcmp(a->call, b->call, a->call_count * sizeof *a->call) == 0;
}

/* Takes the path at FROM to TO, where it was no more of use; that one's room for reliefs is kept. */
static void move_path(struct table *t, uint32_t from, uint32_t to) {
    const struct reliefs spare = t->reliefs[to];
    t->path[to] = t->path[from];
    t->weight[to] = t->weight[from];
    t->reliefs[to] = t->reliefs[from];
    t->reliefs[from] = spare;
    memcpy(t->gain[to], t->gain[from], sizeof t->gain[from]);
}

/* Adds PATH; the lightest makes room when there are too many. False when it is there already. */
static bool add_path(struct table *t, const struct path *path) {
    uint32_t lightest = 0;
    for (uint32_t j = 0; j < t->path_count; j++) {
        if (same_path(&t->path[j], path))
            return false;
        lightest = t->weight[j] < t->weight[lightest] ? j : lightest;
    }
    const uint32_t place = t->path_count < PATHS_MOST ? t->path_count : lightest;
    if (!list_reliefs(t, path, &t->reliefs[place])) { /* without it, and what stood there, the bound is lower, and holds */
        if (place < t->path_count)
            move_path(t, --t->path_count, place);
        return false;
    }
    t->path_count += place == t->path_count;
    t->path[place] = *path;
    t->weight[place] = 0;
    for (uint32_t i = 0; i < t->answer_count; i++)
        t->gain[place][i] = gain_of(t, place, t->answer[i]);
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
        t->gain[j][place] = gain_of(t, j, answer);
    return true;
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

/* Does all that PATH takes for granted hold under NEW? What runs again matters to whole windows, and where it needs something
 * early. A path's premises are those of a game that may have been parted since: then more is asked for than it needs. */
static bool holds(const struct table *t, const struct path *path, const struct premises *new) {
    const struct premises *old = path->premises;
    bool matters = old->early_count > 0;
    for (uint32_t h = 0; h < path->count; h++)
        matters = matters || path->hop[h].whole;
    for (uint32_t a = 0; a < t->active_count && matters; a++)
        if (old->choice[t->active[a]] != CHOICE_FREE && old->choice[t->active[a]] != new->choice[t->active[a]])
            return false;
    for (uint32_t i = 0; i < t->large_count; i++)
        if (old->fate[t->large[i]] != FATE_OPEN && old->fate[t->large[i]] != new->fate[t->large[i]])
            return false;
    return true;
}

/* Answers that GAME allows, and paths whose premises are among its own. */
static void keep_valid(struct table *t, const struct game *game) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->answer_count; i++) {
        bool allowed = true;
        for (uint32_t a = 0; a < t->active_count && allowed; a++) {
            const enum choice choice = (enum choice)game->premises.choice[t->active[a]];
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
    kept = 0;
    double all = 0;
    for (uint32_t j = 0; j < t->path_count; j++) {
        if (!holds(t, &t->path[j], &game->premises))
            continue;
        if (kept < j)
            move_path(t, j, kept);
        t->weight[kept] = game->weight[j];
        all += t->weight[kept++];
    }
    t->path_count = kept;
    for (uint32_t j = 0; j < kept; j++)
        t->weight[j] = all > 0 ? t->weight[j] / all : 1.0 / kept;
}

/* Of the ops that run again in ANSWER but need not, the one that restores most. */
static uint32_t largest_again(const struct table *t, const uint8_t *choice, const uint32_t *answer) {
    const struct windows *w = t->windows;
    uint64_t most = 0;
    uint32_t best = NONE;
    for (uint32_t a = 0; a < t->active_count; a++) {
        const uint32_t op = t->active[a];
        uint64_t bytes = 0;
        for (uint32_t l = w->first_of[op]; l < w->first_of[op + 1]; l++)
            bytes += w->leaver[l].bytes;
        if (choice[op] == CHOICE_FREE && answer[op] && bytes > most) {
            most = bytes;
            best = op;
        }
    }
    return best;
}

/* Where the best mixtures lead nowhere, others may: what is best against few paths need not be against all. */
static void match(struct table *t, uint32_t matches) {
    if (t->effort->exact && matches <= MATCHES)
        match_exactly(t);
    else
        match_often(t, matches);
}

static void play_on(struct table *t, struct game *game, uint32_t rounds, uint64_t work, uint32_t *answer) {
    keep_valid(t, game);
    t->least_us = INFINITY;
    bool more = true; /* a side has found something new: the mixtures may get better */
    uint32_t matches = MATCHES;
    for (uint32_t round = 0; round < rounds; round++) {
        struct path path;
        double mixed_us;
        const double us = answer_paths(t, game->premises.choice, answer);
        if (us > game->us) {
            game->us = us;
            memcpy(game->weight, t->weight, sizeof t->weight);
        }
        if (game->us >= t->least_us * (1 - 1e-9) || t->least_us <= t->floor_us || t->work > work)
            break;
        const bool fresh = add_answer(t, answer);
        if (!fresh && !more && (matches *= 4) > t->effort->matches_most)
            break;
        more = fresh;
        if ((fresh || t->effort->by_tensor) && path_against(t, &game->premises, answer, &path)) {
            t->least_us = fmin(t->least_us, gain(t, &path, answer));
            more = add_path(t, &path) || more;
        }
        match(t, matches);
        if (path_against_mixture(t, &game->premises, &path, &mixed_us)) {
            more = add_path(t, &path) || more;
            /* not even mixing pays for the first player, and there are too many ops to branch on */
            if (t->active_count > FEW_OPS && mixed_us <= t->floor_us * (1 + WORTHWHILE))
                break;
        }
        match(t, matches);
    }
    t->shortest_us = fmin(t->shortest_us, t->least_us);
    game->branch = game->us < t->least_us * (1 - 1e-9) ? most_mixed(t, game->premises.choice) : NONE;
    game->glossed = NONE;
    if (t->effort->by_tensor) {
        set_odds(t, answer);
        t->work += t->windows->sights + t->steps;
        if (windows_exactly(t->windows, &game->premises, t->odds) > game->us * (1 + 1e-6))
            game->glossed = largest_again(t, game->premises.choice, answer);
    }
}

/* The leavers whose copies take longest, where there are few in all. */
static enum ss_status list_large(struct table *t, struct error *error) {
    const struct windows *w = t->windows;
    t->large = ARENA_ARRAY(t->arena, uint32_t, LARGE_MOST + 1);
    if (!t->large)
        return error_no_memory(error);
    for (uint32_t l = 0; l < w->leaver_count && t->effort->by_tensor && w->tight_count > 0; l++) {
        if (!leaver_is_large(w, &w->leaver[l]))
            continue;
        uint32_t at = t->large_count;
        for (; at > 0 && w->leaver[l].bytes > w->leaver[t->large[at - 1]].bytes; at--)
            t->large[at] = t->large[at - 1];
        t->large[at] = l;
        t->large_count += t->large_count < LARGE_MOST;
    }
    return SS_OK;
}

static enum ss_status table_init(struct table *t, struct windows *windows, struct arena *arena, struct error *error) {
    t->windows = windows;
    t->arena = arena;
    t->ops = windows->profile->op_count;
    t->steps = 2 * t->ops;
    t->shortest_us = INFINITY;
    t->latest = ARENA_ARRAY(arena, uint32_t, t->ops);
    t->active = ARENA_ARRAY(arena, uint32_t, t->ops);
    t->again_weight = ARENA_ARRAY(arena, double, (size_t)t->steps + 1);
    t->odds = ARENA_ARRAY(arena, struct odds, t->ops);
    t->change = ARENA_ARRAY(arena, double, t->ops);
    t->relieved = ARENA_ARRAY(arena, double, t->ops);
    t->best = ARENA_ARRAY(arena, double, t->ops);
    t->ends = ARENA_ARRAY(arena, uint32_t, t->steps);
    t->begins = ARENA_ARRAY(arena, uint32_t, t->steps);
    t->at_latest = ARENA_ARRAY(arena, double, t->ops);
    t->penalty = ARENA_ARRAY(arena, double, t->ops);
    t->extra = ARENA_ARRAY(arena, double, t->ops);
    t->called = ARENA_ARRAY(arena, bool, t->ops);
    t->is_end = ARENA_ARRAY(arena, bool, t->steps);
    if (!t->latest || !t->active || !t->again_weight || !t->odds || !t->change || !t->relieved || !t->best ||
        !t->ends || !t->is_end || !t->begins || !t->at_latest || !t->penalty || !t->extra || !t->called)
        return error_no_memory(error);
    for (uint32_t i = 0; i < windows->leaver_count; i++) {
        const struct leaver *leaver = &windows->leaver[i];
        if (leaver->again && leaver->back > t->latest[leaver->op])
            t->latest[leaver->op] = leaver->back;
    }
    for (uint32_t i = 0; i < t->ops; i++)
        if (t->latest[i])
            t->active[t->active_count++] = i;
    return list_large(t, error);
}

static enum ss_status premises_copy(struct premises *out, const struct premises *from, struct table *t,
                                    struct error *error) {
    out->choice = ARENA_ARRAY(t->arena, uint8_t, t->ops);
    out->fate = ARENA_ARRAY(t->arena, uint8_t, t->windows->leaver_count);
    out->back = ARENA_ARRAY(t->arena, uint32_t, t->windows->leaver_count);
    out->early = ARENA_ARRAY(t->arena, uint32_t, t->windows->leaver_count);
    if (!out->choice || !out->fate || !out->back || !out->early)
        return error_no_memory(error);
    if (from) {
        memcpy(out->choice, from->choice, t->ops);
        memcpy(out->fate, from->fate, t->windows->leaver_count);
        memcpy(out->back, from->back, t->windows->leaver_count * sizeof *out->back);
    }
    return SS_OK;
}

/* What a game may be parted by: an op runs again or does not; a leaver goes over the link or stays. */
struct parting { bool by_op; uint32_t what; };

/* One of the two games that PARENT is parted into. */
static enum ss_status branch(struct table *t, const struct game *parent, struct parting parting, bool second,
                             struct game *out, uint32_t *answer, struct error *error) {
    *out = *parent;
    const enum ss_status status = premises_copy(&out->premises, &parent->premises, t, error);
    if (status != SS_OK)
        return status;
    if (parting.by_op) {
        out->premises.choice[parting.what] = second ? CHOICE_ALWAYS : CHOICE_NEVER;
    } else {
        const uint32_t op = t->windows->leaver[parting.what].op;
        out->premises.fate[parting.what] = second ? FATE_LEAVES : FATE_STAYS;
        if (second && t->windows->first_of[op + 1] == t->windows->first_of[op] + 1)
            out->premises.choice[op] = CHOICE_NEVER; /* it would restore nothing */
    }
    if (t->effort->by_tensor) /* elsewhere paths had better serve in every game */
        windows_conclude(t->windows, &out->premises);
    play_on(t, out, t->effort->rounds, t->effort->work_most, answer);
    return SS_OK;
}

static bool next_large(const struct table *t, const struct game *game, uint32_t most, struct parting *out) {
    for (uint32_t i = 0; i < t->large_count && i < most; i++) {
        *out = (struct parting){ false, t->large[i] };
        if (game->premises.fate[t->large[i]] == FATE_OPEN)
            return true;
    }
    return false;
}

/* How GAME is parted; false when nothing is left to decide. What costs nothing to run again comes first: all answers do. */
static bool parting_of(const struct table *t, const struct game *game, struct parting *out) {
    const double *price = t->windows->closure->share_us;
    const bool glossed = game->glossed != NONE, mixed = game->branch != NONE && t->active_count <= FEW_OPS;
    *out = (struct parting){ true, game->glossed };
    if (glossed && price[game->glossed] <= CHEAP * t->windows->profile->forward_us)
        return true;
    if (t->effort->large_first && next_large(t, game, LARGE_FIRST, out))
        return true;
    *out = (struct parting){ true, mixed && !(t->effort->large_first && glossed) ? game->branch : game->glossed };
    return mixed || glossed || next_large(t, game, LARGE_MOST, out);
}

static uint32_t least_game(const struct game *games, uint32_t count) {
    uint32_t best = 0;
    for (uint32_t g = 1; g < count; g++)
        best = games[g].us < games[best].us ? g : best;
    return best;
}

/* Is GAME, the least of COUNT, worth parting? Without tensors, nothing exceeds the shortest longest path. */
static bool worthwhile(const struct table *t, const struct game *game, uint32_t count, double floor_us, uint32_t idle,
                       struct parting *out) {
    const struct game_effort *effort = t->effort;
    const bool vain = game->us < floor_us && idle > effort->idle_below && t->work > t->raised_at + effort->idle_work;
    if (vain || count >= GAMES_MOST || t->work >= effort->work_most || idle > effort->idle_most || !parting_of(t, game, out))
        return false;
    return effort->by_tensor || (game->us < t->shortest_us * (1 - 1e-9) && t->shortest_us > floor_us * (1 + WORTHWHILE));
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

enum ss_status bound_game(struct windows *windows, struct arena *arena, double floor_us, const struct game_effort *effort,
                          struct game_result *out, struct error *error) {
    struct table *t = ARENA_ARRAY(arena, struct table, 1);
    struct game *games = ARENA_ARRAY(arena, struct game, GAMES_MOST);
    uint32_t *answer = ARENA_ARRAY(arena, uint32_t, windows->profile->op_count), count = 1;
    *out = (struct game_result){ 0, NONE, false };
    if (!t || !games || !answer)
        return error_no_memory(error);
    t->effort = effort;
    enum ss_status status = table_init(t, windows, arena, error);
    games[0].weight[0] = 1;
    if (status == SS_OK)
        status = premises_copy(&games[0].premises, NULL, t, error);
    if (status != SS_OK)
        return status;
    windows_conclude(windows, &games[0].premises);
    if (!path_against(t, &games[0].premises, answer, &t->path[0]))
        return SS_OK;
    if (!list_reliefs(t, &t->path[0], &t->reliefs[0]))
        return error_no_memory(error);
    t->path_count = 1;
    t->floor_us = floor_us;
    play_on(t, &games[0], ROUNDS_FIRST, effort->work_first, answer);
    name_window(t, out);
    uint32_t least = 0, idle = 0;
    struct parting parting;
    for (double known = games[0].us; status == SS_OK && worthwhile(t, &games[least], count, floor_us, idle, &parting); idle++) {
        const struct game parent = games[least];
        status = branch(t, &parent, parting, false, &games[least], answer, error);
        if (status == SS_OK)
            status = branch(t, &parent, parting, true, &games[count++], answer, error);
        least = least_game(games, count);
        if (games[least].us > known + larger(known * 1e-5, (floor_us - known) * IDLE_PART)) {
            known = games[least].us;
            idle = 0;
            t->raised_at = t->work;
        }
    }
    if (out->step == NONE)
        name_window(t, out);
    out->us = games[least].us;
    return status;
}
