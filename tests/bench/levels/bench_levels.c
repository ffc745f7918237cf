/* How strong a level of play is beside another, and what a decision costs:
 *
 *      bench_levels SLUG SEATS DEALS LEVEL RIVAL [FIRST [TIMES]]
 *
 * plays so many deals from the number FIRST (0) on, each once from every seat of a player of LEVEL,
 * whose rivals are all of RIVAL; in a game for one both play each deal alone, TIMES (1) times with
 * other dice and other luck of their decisions, and their mean results are compared. Prints one
 * line of JSON: first places and rivals beaten in percent with half the width of their 95 %
 * intervals (alone: deals in which it was better, and better or equal), and the lower ends of such
 * intervals when two deals that were won and two that were lost are added (A. Agresti, B. Coull,
 * 1998), so that a few deals that were all won do not say more than they can; the mean scores, the
 * core's own time for a decision with a choice, and what that makes of playouts, or of choices by
 * weight, a second.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/cli/bots/sprt.h"
#include "engine/game/catalog.h"
#include "engine/search/level.h"

enum { TIMES_MAX = 1 << 20 };

struct player {
    struct level_player *player;
    double score; /* sum over games, a seat */
    size_t count; /* decisions with a choice */
    double sum_ms;
    double ms[TIMES_MAX]; /* of each of them */
};

struct bench {
    const struct game *game;
    unsigned seats;
    uint32_t times; /* a deal is played, alone */
    struct move_list list;
    struct player player[2]; /* the level and its rival */
    struct shares first, beaten;
    _Alignas(8) unsigned char state[GAME_STATE_MAX];
};

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static size_t choose(struct bench *bench, struct player *player, unsigned seat, uint32_t deal,
                     uint32_t again, uint32_t ply)
{
    struct chance luck;
    uint8_t head[32] = {0};
    memcpy(head, &deal, sizeof deal);
    memcpy(head + sizeof deal, &ply, sizeof ply);
    memcpy(head + sizeof deal + sizeof ply, &again, sizeof again);
    level_luck(&luck, head, seat);
    double start = now_ms();
    size_t move = level_choose(player->player, bench->state, seat, &luck, &bench->list);
    double ms = now_ms() - start;
    if (bench->list.count > 1 && player->count < TIMES_MAX) {
        player->ms[player->count++] = ms;
        player->sum_ms += ms;
    }
    return move;
}

/* Plays a deal with the level at this seat; alone, seat 0 is of player `own`. After the setup, luck
 * differs with `again`. */
static struct outcome play(struct bench *bench, uint32_t deal, uint32_t again, unsigned own)
{
    const struct game *game = bench->game;
    const struct game_options options = game_options_initial(game);
    struct chance chance = {.stacks = NULL};
    struct outcome outcome;
    uint32_t deciders;
    memcpy(chance.seed, &deal, sizeof deal);
    memset(bench->state, 0, sizeof bench->state);
    game->setup(game, bench->state, bench->seats, &options, &chance);
    memcpy(chance.seed + sizeof deal, &again, sizeof again);
    for (uint32_t ply = 0; (deciders = game->deciders(bench->state)) != 0; ply++) {
        struct refusal refusal;
        unsigned seat = 0;
        while ((deciders >> seat & 1) == 0)
            seat++;
        bool is_level = bench->seats == 1 ? own == 0 : seat == own;
        move_list_clear(&bench->list);
        game->legal(game, bench->state, seat, &bench->list);
        size_t move = choose(bench, &bench->player[is_level ? 0 : 1], seat, deal, again, ply);
        if (!game->play(game, bench->state, seat, move_list_get(&bench->list, move), &chance,
                        &refusal))
            abort();
    }
    game->outcome(game, bench->state, &outcome);
    return outcome;
}

static void play_alone(struct bench *bench, uint32_t deal)
{
    int64_t level = 0, rival = 0;
    for (uint32_t again = 0; again < bench->times; again++) {
        level += play(bench, deal, again, 0).score[0];
        rival += play(bench, deal, again, 1).score[0];
    }
    bench->player[0].score += (double)level / bench->times;
    bench->player[1].score += (double)rival / bench->times;
    shares_add(&bench->first, level > rival);
    shares_add(&bench->beaten, level >= rival);
}

static void play_deal(struct bench *bench, uint32_t deal)
{
    double first = 0, beaten = 0;
    for (unsigned own = 0; own < bench->seats; own++) {
        const struct outcome outcome = play(bench, deal, 0, own);
        unsigned firsts = 0;
        for (unsigned i = 0; i < bench->seats; i++) {
            firsts += outcome.rank[i] == 1;
            bench->player[i == own ? 0 : 1].score +=
                outcome.score[i] / (i == own ? 1.0 : bench->seats - 1);
            if (i != own)
                beaten += outcome.rank[i] > outcome.rank[own]    ? 1
                          : outcome.rank[i] == outcome.rank[own] ? 0.5
                                                                 : 0;
        }
        first += outcome.rank[own] == 1 ? 1.0 / firsts : 0;
    }
    shares_add(&bench->first, first / bench->seats);
    shares_add(&bench->beaten, beaten / (bench->seats * (bench->seats - 1)));
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* In percent. */
static double least(const struct shares *shares)
{
    double low, high;
    shares_interval(shares, &low, &high);
    return 100 * low;
}

static void print(struct bench *bench, unsigned long deals)
{
    struct player *level = &bench->player[0], *rival = &bench->player[1];
    double games = (double)deals * bench->seats;
    double playouts = (double)level_playouts(level->player);
    qsort(level->ms, level->count, sizeof *level->ms, by_size);
    printf("{\"first\": %.1f, \"first_margin\": %.1f, \"first_least\": %.1f, \"beaten\": %.1f, "
           "\"beaten_margin\": %.1f, \"beaten_least\": %.1f, \"score\": %.1f, \"rival_score\": "
           "%.1f, \"mean_ms\": %.3f, \"p95_ms\": %.3f, "
           "\"most_ms\": %.3f, \"playouts_per_s\": %.0f, \"rival_decisions_per_s\": %.0f}\n",
           100 * bench->first.mean, 100 * shares_margin(&bench->first), least(&bench->first),
           100 * bench->beaten.mean, 100 * shares_margin(&bench->beaten), least(&bench->beaten),
           level->score / games, rival->score / games, level->sum_ms / (double)level->count,
           level->ms[level->count * 95 / 100], level->ms[level->count - 1],
           1e3 * playouts / level->sum_ms, 1e3 * (double)rival->count / rival->sum_ms);
}

int main(int argc, char **argv)
{
    static struct bench all;
    struct bench *bench = &all;
    if (sodium_init() < 0 || argc < 6 || argc > 8)
        return 2;
    bench->game = catalog_newest(span_of(argv[1]));
    bench->seats = (unsigned)strtoul(argv[2], NULL, 10);
    unsigned long deals = strtoul(argv[3], NULL, 10);
    const uint32_t first = argc > 6 ? (uint32_t)strtoul(argv[6], NULL, 10) : 0;
    bench->times = argc > 7 ? (uint32_t)strtoul(argv[7], NULL, 10) : 1;
    for (unsigned i = 0; i < 2; i++) {
        const struct level *level = level_named(span_of(argv[4 + i]));
        if (bench->game == NULL || level == NULL ||
            (bench->player[i].player = level_player_new(bench->game, level)) == NULL)
            return 2;
    }
    if (bench->seats < bench->game->seats_min || bench->seats > bench->game->seats_max ||
        deals == 0 || bench->times == 0 || (bench->times > 1 && bench->seats > 1) ||
        !move_list_init(&bench->list, bench->game))
        return 2;
    for (uint32_t deal = 0; deal < deals; deal++)
        (bench->seats == 1 ? play_alone : play_deal)(bench, first + deal);
    print(bench, deals);
    return 0;
}
