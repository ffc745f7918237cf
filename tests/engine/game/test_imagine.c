/* What `imagine` promises of every game (engine/game/game.h), in games that are played:
 *
 *      twins     positions that differ in nothing but what a viewer cannot know (support/twist.h)
 *                become the same bytes; so do a position and one that was imagined from it
 *      sight     who imagines sees, may do and decides the same as before
 *      tally     no component is lost or made
 *      memory    what follows from what happened in the open is kept
 *      go on     the imagined position can be played on
 *
 * Each ruleset is tried with its own component set, and with others (set_changes.h).
 *
 * That every deal is equally likely, and what is remembered, is tested game by game
 * (tests/engine/games). `test_imagine [SLUG]`; TILLROLL_PAIRS sets how many twins each ruleset
 * gets. tests/mutants/imagine.mjs plants leaks and counts which of them this finds. */
#include <stdlib.h>
#include <string.h>

#include "engine/search/policy.h"
#include "tests/engine/game/each_ruleset.h"
#include "tests/engine/game/set_changes.h"
#include "tests/engine/support/table.h"
#include "tests/engine/support/twist/twist.h"
#include "tests/test.h"

enum {
    TWISTS_MAX = 16,
    PAIRS_A_PLY = 8,
    LOOK_EVERY = 24, /* plies, roughly */
    GO_ON = 6,       /* plies */
    OTHER_SETS = 3,
    CHANGES = 120 /* that are tried on a set */
};

#ifdef PLAYOUTS_DEFAULT /* fewer, because the build is slow */
enum { PAIRS = 4000 };
#else
enum { PAIRS = 6000 };
#endif

struct state {
    _Alignas(8) unsigned char bytes[GAME_STATE_MAX];
};

struct trial {
    const struct game *game;
    const struct twisting *twisting;
    struct table table;
    struct dice dice;
    struct move_list one, two;
    size_t plies;
    uint64_t pairs, twisted[TWISTS_MAX], kept[TWISTS_MAX];
};

static struct viewer choose_viewer(struct trial *trial)
{
    unsigned i = dice_below(&trial->dice, trial->table.seats + 2);
    if (i < trial->table.seats)
        return (struct viewer){VIEWER_SEAT, i};
    return (struct viewer){i == trial->table.seats ? VIEWER_SPECTATOR : VIEWER_AUDITOR, 0};
}

static struct chance choose_chance(struct trial *trial)
{
    struct chance chance = {.stacks = NULL};
    dice_seed(chance_word(&trial->dice.stream), chance.seed);
    return chance;
}

__attribute__((noreturn)) static void found(const struct trial *trial, struct viewer viewer,
                                            const char *what)
{
    fail_msg("%s, %u seats, ply %zu, viewer %d/%u: %s", trial->game->slug, trial->table.seats,
             trial->plies, (int)viewer.kind, viewer.seat, what);
    abort();
}

static void imagine(const struct trial *trial, struct state *state, struct viewer viewer,
                    const struct chance *chance)
{
    trial->game->imagine(trial->game, state->bytes, viewer, chance);
}

static bool same(const struct trial *trial, const struct state *one, const struct state *two)
{
    /* cppcheck-suppress ctuuninitvar ; both are copied from the table */
    return memcmp(one->bytes, two->bytes, trial->game->state_size) == 0;
}

/* True if `viewer` may know the difference. */
static bool tells_apart(const struct trial *trial, struct viewer viewer, const struct state *one,
                        const struct state *two)
{
    struct state first = *one;
    struct state second = *two;
    trial->twisting->conceal(first.bytes, viewer, GAME_SEATS_MAX);
    trial->twisting->conceal(second.bytes, viewer, GAME_SEATS_MAX);
    return !same(trial, &first, &second);
}

/* ---- Twins ---- */

/* Changes something that `viewer` cannot know, if it can be found. */
static void twist(struct trial *trial, struct viewer viewer, struct state *state)
{
    size_t number = dice_below(&trial->dice, trial->twisting->count);
    const struct twist *chosen = &trial->twisting->twists[number];
    struct state other = *state;
    unsigned seat = dice_below(&trial->dice, trial->table.seats);
    if (chosen->remembered || !chosen->apply(other.bytes, seat, &trial->dice) ||
        tells_apart(trial, viewer, state, &other))
        return;
    *state = other;
    trial->twisted[number]++;
}

static void try_pair(struct trial *trial)
{
    struct viewer viewer = choose_viewer(trial);
    struct chance chance = choose_chance(trial);
    struct state one, two;
    memcpy(one.bytes, trial->table.state, trial->game->state_size);
    memcpy(two.bytes, trial->table.state, trial->game->state_size);
    const bool open = trial->twisting->count == 0; /* nothing is hidden */
    if (open || dice_one_in(&trial->dice, 4)) {
        struct chance other = choose_chance(trial);
        imagine(trial, &two, viewer, &other);
    }
    for (unsigned twists = open ? 0 : 1 + dice_below(&trial->dice, 4); twists > 0; twists--)
        twist(trial, viewer, &two);
    if (!open && same(trial, &one, &two))
        return;
    imagine(trial, &one, viewer, &chance);
    imagine(trial, &two, viewer, &chance);
    if (!same(trial, &one, &two))
        found(trial, viewer, "twins become different");
    trial->pairs++;
}

/* What no view shows and nobody forgets. */
static void try_memory(struct trial *trial)
{
    struct viewer viewer = choose_viewer(trial);
    struct chance chance = choose_chance(trial);
    unsigned seat = dice_below(&trial->dice, trial->table.seats);
    for (size_t i = 0; i < trial->twisting->count; i++) {
        struct state one, two;
        memcpy(one.bytes, trial->table.state, trial->game->state_size);
        memcpy(two.bytes, trial->table.state, trial->game->state_size);
        const struct twist *chosen = &trial->twisting->twists[i];
        if (!chosen->remembered || !chosen->apply(two.bytes, seat, &trial->dice))
            continue;
        imagine(trial, &one, viewer, &chance);
        imagine(trial, &two, viewer, &chance);
        if (same(trial, &one, &two))
            found(trial, viewer, "what happened in the open is forgotten");
        trial->kept[i]++;
    }
}

/* ---- Sight, tally, going on ---- */

static void compare_views(const struct trial *trial, struct viewer viewer,
                          const struct state *state)
{
    json_t *one = trial->game->view(trial->game, trial->table.state, viewer);
    json_t *two = trial->game->view(trial->game, state->bytes, viewer);
    bool equal = json_equal(one, two) == 1;
    json_decref(one);
    json_decref(two);
    if (!equal)
        found(trial, viewer, "the view differs");
}

static void compare_decisions(struct trial *trial, struct viewer viewer, const struct state *state)
{
    uint32_t one = trial->game->deciders(trial->table.state);
    uint32_t two = trial->game->deciders(state->bytes);
    bool own = viewer.kind == VIEWER_SEAT && ((one ^ two) >> viewer.seat & 1) != 0;
    if (own || (one == 0) != (two == 0) || (one & ~two) != 0)
        found(trial, viewer, "others decide");
    if (viewer.kind != VIEWER_SEAT)
        return;
    table_legal(trial->game, trial->table.state, viewer.seat, &trial->one);
    table_legal(trial->game, state->bytes, viewer.seat, &trial->two);
    if (trial->one.count != trial->two.count || trial->one.used != trial->two.used ||
        memcmp(trial->one.bytes, trial->two.bytes, trial->one.used) != 0)
        found(trial, viewer, "legal moves differ");
}

static void compare_tallies(const struct trial *trial, struct viewer viewer,
                            const struct state *state)
{
    unsigned one[TALLY_MAX] = {0};
    unsigned two[TALLY_MAX] = {0};
    trial->twisting->tally(trial->table.state, one);
    trial->twisting->tally(state->bytes, two);
    if (memcmp(one, two, sizeof one) != 0)
        found(trial, viewer, "components are lost or made");
}

static unsigned choose_seat(struct trial *trial, uint32_t deciders)
{
    unsigned seat = dice_below(&trial->dice, trial->table.seats);
    while ((deciders >> seat & 1) == 0)
        seat = (seat + 1) % trial->table.seats;
    return seat;
}

static void go_on(struct trial *trial, struct viewer viewer, struct state *state)
{
    struct chance chance = choose_chance(trial);
    struct refusal refusal;
    for (unsigned i = 0; i < GO_ON && trial->game->deciders(state->bytes) != 0; i++) {
        unsigned seat = choose_seat(trial, trial->game->deciders(state->bytes));
        table_legal(trial->game, state->bytes, seat, &trial->two);
        if (trial->two.count == 0)
            found(trial, viewer, "who decides can do nothing");
        struct span move = move_list_get(&trial->two, dice_below(&trial->dice, trial->two.count));
        if (!trial->game->play(trial->game, state->bytes, seat, move, &chance, &refusal))
            found(trial, viewer, "a legal move is refused");
    }
}

static void look(struct trial *trial)
{
    struct viewer viewer = choose_viewer(trial);
    struct chance chance = choose_chance(trial);
    struct state state;
    memset(state.bytes, 0xa5, sizeof state.bytes);
    memcpy(state.bytes, trial->table.state, trial->game->state_size);
    imagine(trial, &state, viewer, &chance);
    for (size_t i = trial->game->state_size; i < sizeof state.bytes; i++)
        assert_int_equal(state.bytes[i], 0xa5);
    compare_views(trial, viewer, &state);
    compare_decisions(trial, viewer, &state);
    compare_tallies(trial, viewer, &state);
    go_on(trial, viewer, &state);
}

/* ---- Games ---- */

/* The sensible player every other time: it comes where luck does not. */
static size_t choose(struct trial *trial, unsigned seat)
{
    if (dice_one_in(&trial->dice, 2))
        return dice_below(&trial->dice, trial->one.count);
    size_t move = policy_advise(trial->game, trial->table.state, seat, &trial->one);
    return move;
}

static void play_game(struct trial *trial, unsigned seats, const struct game_options *options,
                      uint32_t number, uint64_t pairs)
{
    const struct game *game = trial->game;
    struct refusal refusal;
    table_set(&trial->table, game, seats, options, number);
    dice_open(&trial->dice, "imagine", number);
    for (trial->plies = 0; trial->plies < game->plies_max && trial->pairs < pairs; trial->plies++) {
        uint32_t deciders = game->deciders(trial->table.state);
        for (unsigned i = 0; i < PAIRS_A_PLY; i++)
            try_pair(trial);
        if (deciders == 0 || dice_one_in(&trial->dice, LOOK_EVERY)) {
            look(trial);
            try_memory(trial);
        }
        if (deciders == 0)
            return;
        unsigned seat = choose_seat(trial, deciders);
        table_legal(game, trial->table.state, seat, &trial->one);
        struct span move = move_list_get(&trial->one, choose(trial, seat));
        assert_true(
            game->play(game, trial->table.state, seat, move, &trial->table.chance, &refusal));
    }
}

static uint64_t pairs_each(void)
{
    const char *wanted = getenv("TILLROLL_PAIRS");
    uint64_t pairs = PAIRS;
    if (wanted != NULL && !span_number(span_of(wanted), UINT32_MAX, &pairs))
        fail_msg("TILLROLL_PAIRS takes a number");
    return pairs;
}

/* `more` pairs of twins, and what comes with them. */
static void try_game(struct trial *trial, const struct game *game, uint64_t more)
{
    struct game_options options = {{0}};
    const uint64_t pairs = trial->pairs + more;
    uint32_t number = 0;
    trial->game = game;
    trial->twisting = twisting_of(game);
    assert_non_null(trial->twisting);
    assert_true(trial->twisting->count <= TWISTS_MAX);
    table_list_init(&trial->one, game);
    table_list_init(&trial->two, game);
    /* Each combination gets its share, over and over until there are enough. */
    uint64_t share = more / table_combinations(game) + 1;
    while (trial->pairs < pairs) {
        (void)table_next_options(game, &options);
        for (unsigned seats = game->seats_min; seats <= game->seats_max; seats++)
            play_game(trial, seats, &options, number++, trial->pairs + share);
    }
    move_list_free(&trial->one);
    move_list_free(&trial->two);
}

/* Every kind of twin has come, but for `rare` of them. */
static void check_counts(const struct trial *trial, const struct game *rules, unsigned rare)
{
    unsigned missing = 0;
    print_message("%s %s: %llu pairs of twins\n", rules->slug, rules->version,
                  (unsigned long long)trial->pairs);
    for (size_t i = 0; i < trial->twisting->count; i++) {
        bool kept = trial->twisting->twists[i].remembered;
        uint64_t count = kept ? trial->kept[i] : trial->twisted[i];
        print_message("  %s: %llu%s\n", trial->twisting->twists[i].what, (unsigned long long)count,
                      kept ? ", remembered" : "");
        missing += count == 0;
    }
    assert_true(missing <= rare);
}

static void test_imagine(void **context)
{
    struct trial trial;
    memset(&trial, 0, sizeof trial);
    try_game(&trial, *context, pairs_each());
    check_counts(&trial, *context, 0);
}

static void test_imagine_with_other_sets(void **context)
{
    struct trial trial;
    const struct game *rules = *context;
    if (rules->read == NULL)
        skip(); /* it has no tables */
    memset(&trial, 0, sizeof trial);
    for (uint32_t number = 0; number < OTHER_SETS; number++) {
        unsigned steps;
        struct game *game = set_changed(rules, number, CHANGES, &steps);
        assert_true(steps > 10);
        try_game(&trial, game, pairs_each() / OTHER_SETS);
        component_set_free(game);
    }
    check_counts(&trial, rules, 1);
}

static int run(const struct game *game)
{
    const struct CMUnitTest tests[] = {
        {"imagine", test_imagine, NULL, NULL, (void *)game},
        {"imagine with other sets", test_imagine_with_other_sets, NULL, NULL, (void *)game}};
    return cmocka_run_group_tests_name(game->slug, tests, NULL, NULL);
}

int main(int argc, char **argv)
{
    return each_ruleset(argc, argv, run);
}
