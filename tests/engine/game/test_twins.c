/* Noninterference with twins of every kind (support/twist.h): two positions that agree in all that
 * a viewer may know give that viewer the same views, moves and refusals; and a ply that leaves it
 * so gives the same events. `test_twins [SLUG]`; TILLROLL_PLAYOUTS sets how many games each table
 * gets; with TILLROLL_LONG in the environment every kind of twin comes three times as often.
 * tests/mutants/views plants leaks and counts which of them this finds. */
#include <stdlib.h>
#include <string.h>

#include "engine/search/policy.h"
#include "tests/engine/game/each_ruleset.h"
#include "tests/engine/support/sight.h"
#include "tests/engine/support/table.h"
#include "tests/engine/support/twist/twist.h"
#include "tests/test.h"

enum { VIEWERS_MAX = GAME_SEATS_MAX + 2, TWISTS_MAX = 16, BANK = 64, WEIGHED_EVERY = 20 };

/* Games, and how rarely there is a twin: every so many plies, roughly; where several decide, one of
 * each kind. */
#ifdef PLAYOUTS_DEFAULT /* fewer, because the build is slow */
enum { GAMES = 1, EVERY = 18, EVERY_OF_SEVERAL = 4, ENOUGH = 6, ENOUGH_OF_TWO = 2 };
#else
enum { GAMES = 2, EVERY = 3, EVERY_OF_SEVERAL = 1, ENOUGH = 20, ENOUGH_OF_TWO = 5 };
#endif

struct trial {
    const struct game *game;
    const struct twisting *twisting;
    struct table table;
    struct dice dice;
    struct move_list one, two;
    struct played bank[BANK]; /* moves that were legal somewhere */
    size_t banked;
    size_t plies;
    uint64_t pairs[TWISTS_MAX]; /* twins looked at, by twist */
};

struct state {
    _Alignas(8) unsigned char bytes[GAME_STATE_MAX];
};

/* A twin, and for each viewer whether the two are indistinguishable. */
struct pair {
    const struct twist *twist;
    unsigned seat;
    struct state one, two;
    bool alike[VIEWERS_MAX];
};

static unsigned viewer_count(const struct trial *trial)
{
    return trial->table.seats + 2;
}

static struct viewer viewer_at(const struct trial *trial, unsigned i)
{
    if (i < trial->table.seats)
        return (struct viewer){VIEWER_SEAT, i};
    return (struct viewer){i == trial->table.seats ? VIEWER_SPECTATOR : VIEWER_AUDITOR, 0};
}

__attribute__((noreturn)) static void found(const struct trial *trial, const struct pair *pair,
                                            unsigned viewer, const char *what)
{
    fail_msg("%s, %u seats, ply %zu: %s of seat %u, viewer %u: %s", trial->game->slug,
             trial->table.seats, trial->plies, pair->twist->what, pair->seat, viewer, what);
    abort();
}

static bool knows_the_same(const struct trial *trial, const struct pair *pair, unsigned i,
                           unsigned mover)
{
    struct state one = pair->one;
    struct state two = pair->two;
    trial->twisting->conceal(one.bytes, viewer_at(trial, i), mover);
    trial->twisting->conceal(two.bytes, viewer_at(trial, i), mover);
    return memcmp(one.bytes, two.bytes, trial->game->state_size) == 0;
}

static bool may_see(const struct trial *trial, const struct pair *pair, unsigned i)
{
    struct viewer viewer = viewer_at(trial, i);
    bool own = viewer.kind == VIEWER_SEAT && viewer.seat == pair->seat;
    switch (pair->twist->seen) {
    case TWIST_SEAT:
        return own;
    case TWIST_SEAT_AND_AUDITOR:
        return own || viewer.kind == VIEWER_AUDITOR;
    case TWIST_SEATS_AND_AUDITOR:
        return viewer.kind != VIEWER_SPECTATOR;
    default:
        return false;
    }
}

/* ---- What is compared ---- */

static void compare_lists(struct trial *trial, const struct pair *pair, unsigned seat)
{
    table_legal(trial->game, pair->one.bytes, seat, &trial->one);
    table_legal(trial->game, pair->two.bytes, seat, &trial->two);
    if (trial->one.count != trial->two.count || trial->one.used != trial->two.used ||
        memcmp(trial->one.bytes, trial->two.bytes, trial->one.used) != 0)
        found(trial, pair, seat, "legal moves differ");
}

/* The weights of the moves, which are the same in both. (Some of them: it takes long.) */
static void compare_weights(struct trial *trial, const struct pair *pair, unsigned seat)
{
    size_t count = trial->one.count;
    if (count == 0 || !dice_one_in(&trial->dice, WEIGHED_EVERY))
        return;
    int32_t *one = calloc(2 * count, sizeof *one);
    int32_t *two = one + count;
    trial->game->weigh(trial->game, pair->one.bytes, seat, &trial->one, one);
    trial->game->weigh(trial->game, pair->two.bytes, seat, &trial->one, two);
    for (size_t i = 0; i < count; i++) {
        if (one[i] != two[i])
            found(trial, pair, seat, "weights differ");
        assert_in_range(one[i] + GAME_WEIGHT_MAX, 0, 2 * GAME_WEIGHT_MAX);
    }
    free(one);
}

/* Refused with the same words, or taken, in both. */
static void compare_refusals(struct trial *trial, const struct pair *pair, unsigned seat)
{
    struct state one = pair->one;
    struct state two = pair->two;
    struct refusal first = {"", ""};
    struct refusal second = {"", ""};
    struct span move = played_move(&trial->bank[dice_below(&trial->dice, trial->banked)]);
    bool good = trial->game->play(trial->game, one.bytes, seat, move, &trial->table.chance, &first);
    bool same = trial->game->play(trial->game, two.bytes, seat, move, &trial->table.chance,
                                  &second) == good;
    if (!same || strcmp(first.code, second.code) != 0 || strcmp(first.message, second.message) != 0)
        found(trial, pair, seat, "refusals differ");
}

static void compare(struct trial *trial, const struct pair *pair)
{
    for (unsigned i = 0; i < viewer_count(trial); i++) {
        if (!pair->alike[i])
            continue;
        if (!is_same_view(trial->game, pair->one.bytes, pair->two.bytes, viewer_at(trial, i)))
            found(trial, pair, i, "views differ");
        if (i >= trial->table.seats)
            continue;
        compare_lists(trial, pair, i);
        compare_weights(trial, pair, i);
        if (trial->banked > 0)
            compare_refusals(trial, pair, i);
    }
}

/* `ply` was made in one, `other` in the other. */
static void compare_events(struct trial *trial, const struct pair *before, const struct pair *after,
                           const struct ply *ply, const struct ply *other)
{
    for (unsigned i = 0; i < viewer_count(trial); i++) {
        if (!after->alike[i])
            continue;
        struct viewer viewer = viewer_at(trial, i);
        bool same = is_same_json(
            trial->game->events(trial->game, before->one.bytes, after->one.bytes, ply, viewer),
            trial->game->events(trial->game, before->two.bytes, after->two.bytes, other, viewer));
        if (!same)
            found(trial, after, i, "events differ");
    }
}

/* ---- Playing ---- */

static void keep(struct played *played, unsigned seat, struct span move)
{
    played->seat = seat;
    played->length = (unsigned)move.length;
    memcpy(played->move, move.at, move.length + 1);
}

/* A move of `seat` that is legal in both; false if none was hit upon. What is decided in secret may
 * be another move in the other. */
static bool choose_both(struct trial *trial, const struct pair *pair, unsigned seat, bool secret,
                        struct played *move, struct played *other)
{
    enum { TRIES = 4 };
    table_legal(trial->game, pair->one.bytes, seat, &trial->one);
    table_legal(trial->game, pair->two.bytes, seat, &trial->two);
    for (unsigned i = 0; i < TRIES && trial->one.count > 0 && trial->two.count > 0; i++) {
        struct span chosen = move_list_get(&trial->one, dice_below(&trial->dice, trial->one.count));
        ptrdiff_t at = move_list_find(&trial->two, chosen);
        if (secret && dice_one_in(&trial->dice, 2))
            at = (ptrdiff_t)dice_below(&trial->dice, trial->two.count);
        if (at < 0)
            continue;
        keep(move, seat, chosen);
        keep(other, seat, move_list_get(&trial->two, (size_t)at));
        return true;
    }
    return false;
}

static unsigned choose_seat(struct trial *trial, uint32_t deciders)
{
    unsigned seat = dice_below(&trial->dice, trial->table.seats);
    while ((deciders >> seat & 1) == 0)
        seat = (seat + 1) % trial->table.seats;
    return seat;
}

/* Plays one ply in both, and compares what it tells those who know the same before and after. */
static void play_both(struct trial *trial, const struct pair *before)
{
    struct played move;
    struct played another;
    struct refusal refusal;
    uint32_t deciders =
        trial->game->deciders(before->one.bytes) & trial->game->deciders(before->two.bytes);
    bool secret = (deciders & (deciders - 1)) != 0;
    if (deciders == 0 ||
        !choose_both(trial, before, choose_seat(trial, deciders), secret, &move, &another))
        return;
    struct pair after = *before;
    const struct ply ply = {move.seat, played_move(&move)};
    const struct ply other = {another.seat, played_move(&another)};
    assert_true(trial->game->play(trial->game, after.one.bytes, ply.seat, ply.move,
                                  &trial->table.chance, &refusal));
    assert_true(trial->game->play(trial->game, after.two.bytes, other.seat, other.move,
                                  &trial->table.chance, &refusal));
    for (unsigned i = 0; i < viewer_count(trial); i++)
        after.alike[i] = before->alike[i] && knows_the_same(trial, &after, i, ply.seat);
    compare_events(trial, before, &after, &ply, &other);
    compare(trial, &after);
}

static void try_twist(struct trial *trial, size_t number)
{
    struct pair pair = {.twist = &trial->twisting->twists[number],
                        .seat = dice_below(&trial->dice, trial->table.seats)};
    memcpy(pair.one.bytes, trial->table.state, trial->game->state_size);
    pair.two = pair.one;
    if (!pair.twist->apply(pair.two.bytes, pair.seat, &trial->dice))
        return;
    assert_memory_not_equal(pair.one.bytes, pair.two.bytes, trial->game->state_size);
    trial->pairs[number]++;
    for (unsigned i = 0; i < viewer_count(trial); i++) {
        pair.alike[i] = knows_the_same(trial, &pair, i, GAME_SEATS_MAX);
        if (!pair.alike[i] && !may_see(trial, &pair, i))
            found(trial, &pair, i, "conceal() shows what the twist says is hidden");
    }
    compare(trial, &pair);
    play_both(trial, &pair);
}

static void remember(struct trial *trial, unsigned seat, struct span move)
{
    size_t at = trial->banked < BANK ? trial->banked++ : dice_below(&trial->dice, BANK);
    keep(&trial->bank[at], seat, move);
}

/* The sensible player every other time: it comes where luck does not. */
static size_t choose(struct trial *trial, unsigned seat)
{
    if (dice_one_in(&trial->dice, 2))
        return dice_below(&trial->dice, trial->one.count);
    size_t move = policy_advise(trial->game, trial->table.state, seat, &trial->one);
    return move;
}

static void play_game(struct trial *trial, unsigned seats, const struct game_options *options,
                      uint32_t number)
{
    const struct game *game = trial->game;
    struct refusal refusal;
    table_set(&trial->table, game, seats, options, number);
    dice_open(&trial->dice, "twins", number);
    for (trial->plies = 0; trial->plies < game->plies_max; trial->plies++) {
        uint32_t deciders = game->deciders(trial->table.state);
        bool several = (deciders & (deciders - 1)) != 0 &&
                       (EVERY_OF_SEVERAL == 1 || dice_one_in(&trial->dice, EVERY_OF_SEVERAL));
        if (trial->twisting->count > 0 && dice_one_in(&trial->dice, EVERY))
            try_twist(trial, dice_below(&trial->dice, trial->twisting->count));
        for (size_t i = 0; several && i < trial->twisting->count; i++)
            try_twist(trial, i);
        if (deciders == 0)
            return;
        unsigned seat = choose_seat(trial, deciders);
        table_legal(game, trial->table.state, seat, &trial->one);
        remember(trial, seat,
                 move_list_get(&trial->one, dice_below(&trial->dice, trial->one.count)));
        struct span move = move_list_get(&trial->one, choose(trial, seat));
        assert_true(
            game->play(game, trial->table.state, seat, move, &trial->table.chance, &refusal));
    }
}

static uint32_t games_each(void)
{
    const char *wanted = getenv("TILLROLL_PLAYOUTS");
    uint64_t games = GAMES;
    if (wanted != NULL && !span_number(span_of(wanted), UINT32_MAX, &games))
        fail_msg("TILLROLL_PLAYOUTS takes a number");
    return (uint32_t)games;
}

/* Every twist has had its turn often enough; the tables begin anew until it has. (What two seats
 * have is there late in games.) */
static bool is_enough(const struct trial *trial)
{
    const uint64_t times = getenv("TILLROLL_LONG") != NULL ? 3 : 1;
    for (size_t i = 0; i < trial->twisting->count; i++) {
        bool of_two = trial->twisting->twists[i].seen == TWIST_SEATS_AND_AUDITOR;
        if (trial->pairs[i] < times * (of_two ? ENOUGH_OF_TWO : ENOUGH))
            return false;
    }
    return true;
}

static void test_twins(void **context)
{
    struct trial trial;
    struct game_options options = {{0}};
    uint32_t number = 0;
    memset(&trial, 0, sizeof trial);
    trial.game = *context;
    trial.twisting = twisting_of(trial.game);
    assert_non_null(trial.twisting);
    assert_true(trial.twisting->count <= TWISTS_MAX);
    table_list_init(&trial.one, trial.game);
    table_list_init(&trial.two, trial.game);
    do {
        for (unsigned seats = trial.game->seats_min; seats <= trial.game->seats_max; seats++)
            for (uint32_t i = 0; i < games_each(); i++)
                play_game(&trial, seats, &options, number++);
    } while (table_next_options(trial.game, &options) || !is_enough(&trial));
    move_list_free(&trial.one);
    move_list_free(&trial.two);
    for (size_t i = 0; i < trial.twisting->count; i++)
        print_message("%s %s: %s: %llu twins\n", trial.game->slug, trial.game->version,
                      trial.twisting->twists[i].what, (unsigned long long)trial.pairs[i]);
}

static int run(const struct game *game)
{
    const struct CMUnitTest tests[] = {{"twins", test_twins, NULL, NULL, (void *)game}};
    return cmocka_run_group_tests_name(game->slug, tests, NULL, NULL);
}

int main(int argc, char **argv)
{
    return each_ruleset(argc, argv, run);
}
