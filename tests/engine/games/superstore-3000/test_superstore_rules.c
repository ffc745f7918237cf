/* What worked cases of Superstore 3000 cannot show: the sentences of refusals, the set-up, what is
 * conserved in any game, take-backs, the shapes of attractions, and an adviser that plays to win.
 * Views and events have a file of their own. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/superstore-3000/plan.h"
#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/wishes.h"
#include "engine/search/policy.h"
#include "tests/engine/support/position.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct superstore_components *set;

FIXTURE(start_up)
{
    game = catalog_newest(span_of("superstore-3000"));
    return sodium_init() < 0 || game == NULL;
}

static void begin_game(struct superstore_state *state, unsigned seats, uint8_t seed)
{
    struct chance chance = chance_of(seed);
    struct game_options options = {{0}};
    memset(state, 0, sizeof *state);
    game->setup(game, state, seats, &options, &chance);
}

static const struct refused refusals[] = {
    {"turn 1", "", "money a", "not-your-decision", "It is another seat's decision."},
    {"seats 2", "", "pass", "bad-syntax", "The move is not written in a known form."},
    {"seats 2", "", "serve m1 1 gym m1 2", "wrong-decision",
     "This kind of move is not possible at this point."},
    {"a gym", "", "build a2 m1 2", "slot-empty", "There is no tile on that slot."},
    {"a -", "", "money a", "slot-empty", "There is no tile on that slot."},
    {"notes 0 0", "", "build a2 m1 2", "not-enough-notes",
     "You do not have enough bank notes for that row."},
    {"seats 2", "", "build a1 r1 1", "first-floor", "Mall elements cannot stand on floor 1."},
    {"el 0 m1 2 gym", "", "build a1 m1 2", "occupied", "Another tile is there."},
    {"seats 2", "", "build a1 m1 3", "no-support", "Nothing below that place can carry a tile."},
    {"seats 2", "", "attract aquarium front m1 2", "not-in-game",
     "That attraction is not in this game."},
    {"built-common aquarium", "", "attract aquarium front m1 2", "already-built",
     "That attraction has been built."},
    {"seats 2", "", "attract night-club front m1 2", "condition-not-met",
     "Your mall does not meet the condition."},
    {"notes 7 7\ncommon escape-room:a", "", "attract escape-room front m1 1", "below-ground",
     "Part of it would be below floor 1."},
    {"notes 7 7\ncommon escape-room:a", "", "attract escape-room front m1 2", "covers-tile",
     "It would cover another tile."},
    {"notes 7 7\ncommon escape-room:a", "", "attract escape-room front r1 2", "no-base",
     "The base plate must stand on a tile that can carry it."},
    {"dk 1 gray-food r1", "", "dock gray-food r1", "dock-taken", "That docking bay is taken."},
    {"dk 0 gray-food r1", "", "dock gray-plain l1", "dock-colour-limit",
     "You already have a docking bay of that color."},
    {"seats 2", "", "dock gray-plain l1", "condition-not-met",
     "Your mall does not meet the condition."},
    {"el 0 r1 2 gym\nel 0 r1 3 apparel\nel 0 r1 4 grocery\nel 0 r1 5 entrance-01 -", "",
     "dock gray-plain m1", "occupied", "Another tile is there."},
    {"el 0 r1 2 gym\nel 0 r1 3 apparel\nel 0 r1 4 grocery\nel 0 r1 5 entrance-01 -", "",
     "dock gray-plain l2", "not-beside-entrance",
     "It must stand beside the main entrance or your other docking bay."},
    {"mall 0 main-1 -\na entrance-12\nel 0 m1 2 gym\nel 0 m2 2 gym", "build a1 m1 3",
     "serve m1 1 gym m1 2", "no-such-customer", "No customer with that wish stands there."},
    {"mall 0 main-1 -\na entrance-12\nel 0 m1 2 gym\nel 0 m2 2 gym", "build a1 m1 3",
     "serve m1 3 gym m1 1", "no-such-store", "There is no store there."},
    {"mall 0 main-1 -\na entrance-12\nel 0 m1 2 gym\nel 0 m2 2 gym\nel 0 m2 3 theater",
     "build a1 m1 3", "serve m1 3 gym m2 3", "wrong-store",
     "That is not the store this customer wants."},
    {"mall 0 main-1 -\na entrance-12\nel 0 m1 2 gym\nel 0 m2 2 gym\nel 0 m2 3 gym *",
     "build a1 m1 3", "serve m1 3 gym m2 3", "store-occupied",
     "Another customer is in that store."},
    {"mall 0 main-1 -\na entrance-12\nel 0 m1 2 gym\nel 0 m2 2 gym\nel 0 m2 9 gym", "build a1 m1 3",
     "serve m1 3 gym m2 9", "too-far", "That store is more than 3 tiles away."},
    {"mall 0 main-1 -\na entrance-12\nel 0 m1 2 gym\nel 0 m2 2 gym\nel 0 m2 3 apparel\n"
     "el 0 m2 4 apparel",
     "build a1 m1 3", "serve m1 3 apparel m2 3", "not-now",
     "Another group of customers must be settled first."},
};

TEST(test_refusals)
{
    check_refusals(game, refusals, sizeof refusals / sizeof refusals[0]);
}

TEST(test_nothing_is_played_after_the_end)
{
    struct superstore_state state;
    struct chance chance = chance_of(0);
    struct refusal refusal = {"", ""};
    LOAD_POSITION(game, &state, "turn 1\ntrigger yes");
    assert_true(game->play(game, &state, 1, span_of("money a"), &chance, &refusal));
    assert_int_equal(game->deciders(&state), 0);
    assert_false(game->play(game, &state, 7, span_of("pass"), &chance, &refusal));
    assert_string_equal(refusal.code, "game-over");
    assert_string_equal(refusal.message, "The game has ended.");
}

/* Each draw is a shuffle of the published list with a stream of its own. */
TEST(test_setup_draws)
{
    for (unsigned seats = SEATS_MIN; seats <= SEATS_MAX; seats++) {
        struct superstore_state state;
        struct chance chance = chance_of((uint8_t)(40 + seats));
        struct chance_stream stream;
        begin_game(&state, seats, (uint8_t)(40 + seats));
        uint8_t cards[CARDS] = {0, 1, 2, 3, 4, 5};
        chance_open(&stream, &chance, "cards", 0);
        chance_shuffle(&stream, cards, CARDS);
        uint8_t mains[MAINS] = {0, 1, 2, 3};
        chance_open(&stream, &chance, "mains", 0);
        chance_shuffle(&stream, mains, MAINS);
        for (unsigned seat = 0; seat < seats; seat++) {
            const struct superstore_mall *mall = &state.mall[seat];
            assert_int_equal(mall->card, cards[seat]);
            assert_int_equal(mall->tiles, 1);
            assert_int_equal(mall->piece[0], FIRST_MAIN + mains[seat]);
            assert_int_equal(mall->customers[0], 7);
            assert_int_equal(mall->bank_notes, START_NOTES);
        }
        chance_open(&stream, &chance, "first", 0);
        assert_int_equal(state.first, chance_uniform(&stream, seats));
        assert_int_equal(state.active, state.first);
        chance_open(&stream, &chance, "sides", 0);
        assert_int_equal(state.common_count, seats == 4 ? 6 : 5);
        for (unsigned i = 0; i < state.common_count; i++)
            assert_int_equal(state.common[i].side, chance_uniform(&stream, 2));
    }
}

TEST(test_setup_attractions)
{
    struct superstore_state state;
    struct chance chance = chance_of(9);
    struct chance_stream stream;
    begin_game(&state, 4, 9);
    uint8_t pink[3] = {1, 2, 3};
    uint8_t purple[7] = {4, 5, 6, 7, 8, 9, 10};
    chance_open(&stream, &chance, "pink", 0);
    chance_shuffle(&stream, pink, 3);
    chance_open(&stream, &chance, "purple", 0);
    chance_shuffle(&stream, purple, 7);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(state.common[i].attraction, i < 2 ? pink[i] : purple[i - 2]);
        assert_false(state.common[i].built);
    }
}

/* The dispenser is filled row by row, column a first. */
TEST(test_setup_dispenser)
{
    struct superstore_state state;
    struct chance_stacks stacks = {.count = 0};
    struct chance chance = {.stacks = &stacks};
    struct game_options options = {{0}};
    assert_true(chance_stack_add(&stacks, span_of("supply"),
                                 span_of("gym theater apparel grocery entrance-03 restaurant "
                                         "nothing hair-salon entrance-03 book-store gym")));
    assert_true(chance_stack_add(&stacks, span_of("sides"), span_of("b a b b a")));
    assert_true(chance_stack_add(&stacks, span_of("pink"), span_of("escape-room")));
    assert_true(chance_stack_add(&stacks, span_of("first"), span_of("1")));
    memset(&state, 0, sizeof state);
    game->setup(game, &state, 2, &options, &chance);
    static const char *const a[] = {"gym", "apparel", "entrance-03", "hair-salon"};
    static const char *const b[] = {"theater", "grocery", "restaurant", "book-store"};
    for (unsigned row = 0; row < DISPENSER_ROWS; row++) {
        assert_string_equal(set->pieces[state.dispenser[0][row]].name.at, a[row]);
        assert_string_equal(set->pieces[state.dispenser[1][row]].name.at, b[row]);
    }
    assert_string_equal(set->pieces[state.supply[state.supply_next]].name.at, "gym");
    assert_int_equal(state.supply_end - state.supply_next, 40);
    assert_int_equal(state.first, 1);
    assert_int_equal(state.common[0].attraction, 3);
    static const uint8_t sides[] = {1, 0, 1, 1, 0};
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(state.common[i].side, sides[i]);
}

static unsigned taken_as_money(const struct superstore_state *state)
{
    unsigned notes = state->bank;
    for (unsigned seat = 0; seat < state->seats; seat++)
        notes += state->mall[seat].bank_notes;
    return notes - START_NOTES * state->seats;
}

/* Every tile is in the supply, on the dispenser, in a mall, or a bank note. */
static void check_elements(const struct superstore_state *state)
{
    uint8_t seen[ELEMENTS] = {0};
    unsigned count = taken_as_money(state);
    for (unsigned i = state->supply_next; i < state->supply_end; i++, count++)
        seen[state->supply[i]]++;
    for (unsigned column = 0; column < DISPENSER_COLUMNS; column++)
        for (unsigned row = 0; row < state->height[column]; row++, count++)
            seen[state->dispenser[column][row]]++;
    for (unsigned seat = 0; seat < state->seats; seat++)
        for (unsigned i = 0; i < state->mall[seat].tiles; i++)
            if (superstore_is_element(state->mall[seat].piece[i])) {
                seen[state->mall[seat].piece[i]]++;
                count++;
            }
    assert_int_equal(count, state->seats * ELEMENTS_A_SEAT);
    for (unsigned store = 0; store < STORES; store++)
        assert_true(seen[store] <= 2 * state->seats);
    for (unsigned entrance = FIRST_ENTRANCE; entrance < ELEMENTS; entrance++)
        assert_true(seen[entrance] <= 1);
}

/* Every customer that came stands where it came, or lies in a store. */
static void check_customers(const struct superstore_mall *mall)
{
    unsigned came = 0;
    unsigned standing = 0;
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile tile = superstore_tile(mall, i);
        came += set->pieces[tile.piece].wish_count;
        if (superstore_is_store(tile.piece)) {
            assert_true(tile.customers <= 1);
            continue;
        }
        assert_int_equal(tile.customers & ~superstore_all_customers(set, tile.piece), 0);
        for (unsigned rest = tile.customers; rest != 0; rest &= rest - 1)
            standing++;
    }
    assert_int_equal(came, standing + superstore_satisfied(mall));
}

/* Tiles do not overlap, and each stands on something that was there before it. */
static void check_geometry(const struct superstore_mall *whole)
{
    struct superstore_mall mall = {.tiles = 0};
    for (unsigned i = 0; i < whole->tiles; i++) {
        struct superstore_tile tile = superstore_tile(whole, i);
        struct superstore_outline outline;
        struct superstore_place cell[CELLS_MAX];
        superstore_draw_outline(set, &mall, &outline);
        unsigned count = superstore_cells(set, &tile, cell);
        for (unsigned j = 0; j < count; j++) {
            assert_true(cell[j].floor >= 1 && cell[j].floor <= FLOOR_MAX);
            assert_true(cell[j].column >= 0 && cell[j].column < COLUMNS);
            assert_true(superstore_is_free(&outline, cell[j].column, cell[j].floor));
        }
        if (superstore_is_element(tile.piece) || superstore_is_attraction(tile.piece))
            assert_true(superstore_is_support_place(&outline, tile.column, tile.floor));
        else
            assert_int_equal(tile.floor, 1);
        superstore_add_tile(set, &mall, tile);
    }
}

/* Tiles are connected as their cells are, found in another way: across edges on the grid. */
static void check_plan(const struct superstore_mall *mall)
{
    struct superstore_grid grid;
    superstore_draw_grid(set, mall, 0, &grid);
    assert_int_equal(mall->plan.attractions, grid.attractions);
    for (unsigned i = 0; i < mall->tiles; i++) {
        const uint32_t own = UINT32_C(1) << i;
        const struct superstore_tile tile = superstore_tile(mall, i);
        const uint32_t touched = superstore_touched(set, &grid, &tile) & ~own;
        assert_int_equal(mall->plan.neighbours[i], touched == 0 ? 0 : touched | own);
    }
}

/* What a mall holds beside the list of its tiles follows from the list. */
static void check_sets(const struct superstore_mall *mall)
{
    struct superstore_sets sets = {.satisfied = 0};
    for (unsigned i = 0; i < TILES_MAX; i++) {
        const struct superstore_tile tile = superstore_tile(mall, i);
        const uint32_t own = UINT32_C(1) << i;
        if (i >= mall->tiles) {
            assert_int_equal(tile.piece | tile.column | tile.floor | tile.face | tile.customers, 0);
            continue;
        }
        if (superstore_is_element(tile.piece))
            sets.elements[set->pieces[tile.piece].category] |= own;
        if (tile.customers != 0)
            *(superstore_is_store(tile.piece) ? &sets.satisfied : &sets.waiting) |= own;
    }
    assert_memory_equal(&sets, &mall->sets, sizeof sets);
}

static void check_tops(const struct superstore_mall *mall)
{
    struct superstore_outline outline;
    superstore_draw_outline(set, mall, &outline);
    for (unsigned place = 0; place < COLUMNS; place++) {
        const uint8_t column = superstore_columns_in_byte_order[place];
        unsigned count = 0, last = 0;
        for (unsigned floor = 1; floor <= FLOOR_MAX; floor++)
            if (superstore_is_support_place(&outline, column, floor)) {
                count++;
                last = floor;
            }
        assert_int_equal(mall->tops.floor[column], count > 1 ? TOP_SEVERAL : last);
        assert_int_equal(superstore_top_columns(mall) >> place & 1, count > 0);
    }
    assert_int_equal(superstore_top_columns(mall) >> COLUMNS, 0);
}

static void check_bays_and_attractions(const struct superstore_state *state)
{
    unsigned built[ATTRACTIONS] = {0};
    for (unsigned seat = 0; seat < state->seats; seat++) {
        const struct superstore_mall *mall = &state->mall[seat];
        unsigned bays[2] = {0};
        unsigned clubs = 0;
        for (unsigned i = 0; i < mall->tiles; i++) {
            uint8_t piece = mall->piece[i];
            if (superstore_is_dock(piece)) {
                assert_int_equal(state->dock_owner[piece - FIRST_DOCK], seat);
                bays[set->docks[piece - FIRST_DOCK].colour]++;
            }
            if (superstore_is_attraction(piece))
                built[piece - FIRST_ATTRACTION]++;
            clubs += piece == FIRST_ATTRACTION;
        }
        assert_true(bays[GRAY] <= 1 && bays[BROWN] <= 1 && clubs <= 1);
    }
    for (unsigned i = 0; i < state->common_count; i++) {
        assert_int_equal(built[state->common[i].attraction], state->common[i].built);
        built[state->common[i].attraction] = 0;
    }
    for (unsigned i = 1; i < ATTRACTIONS; i++)
        assert_int_equal(built[i], 0);
}

/* Only the seat that has to choose has somebody who could lie down. */
static void check_wishes(const struct superstore_state *state)
{
    for (unsigned seat = 0; seat < state->seats; seat++) {
        struct superstore_wishes open;
        superstore_find_wishes(set, &state->mall[seat], &open);
        bool choosing = state->point == AT_SERVE && seat == state->active;
        assert_int_equal(open.count > 0, choosing);
    }
}

static void check_position(const struct superstore_state *state)
{
    check_elements(state);
    check_bays_and_attractions(state);
    check_wishes(state);
    for (unsigned seat = 0; seat < state->seats; seat++) {
        check_customers(&state->mall[seat]);
        check_plan(&state->mall[seat]);
        check_sets(&state->mall[seat]);
        check_tops(&state->mall[seat]);
        check_geometry(&state->mall[seat]);
    }
}

static unsigned count_moves(const struct move_list *list, const char *verb)
{
    unsigned count = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct span move = move_list_get(list, i);
        count += span_is(span_word(&move), verb);
    }
    return count;
}

/* There is always a place for a tile, and always money to take; a choice is one. */
static void check_moves(const struct superstore_state *state, const struct move_list *legal)
{
    if (state->point == AT_SERVE) {
        assert_true(legal->count >= 2);
        assert_int_equal(count_moves(legal, "serve"), legal->count);
        return;
    }
    assert_true(count_moves(legal, "build") >= 1);
    assert_int_equal(count_moves(legal, "money"), 2);
    assert_int_equal(count_moves(legal, "serve"), 0);
}

/* Picks the moves of seat `advised` by advice, all others at random but the same in every run;
 * checks every position on the way. Counts the turns of each seat. */
static void play_through(struct superstore_state *state, uint8_t seed, unsigned advised,
                         unsigned turns[static SEATS_MAX])
{
    struct chance chance = chance_of(seed);
    struct chance_stream choice;
    struct move_list legal;
    assert_true(move_list_init(&legal, game));
    chance_open(&choice, &chance, "test", 0);
    while (game->deciders(state) != 0) {
        check_position(state);
        move_list_clear(&legal);
        game->legal(game, state, state->active, &legal);
        check_moves(state, &legal);
        size_t i = chance_uniform(&choice, (uint32_t)legal.count);
        if (state->active == advised) {
            i = policy_advise(game, state, advised, &legal);
            assert_true(i < legal.count);
        }
        turns[state->active] += state->point == AT_ACT;
        struct refusal refusal = {"", ""};
        struct span move = move_list_get(&legal, i);
        if (!game->play(game, state, state->active, move, &chance, &refusal))
            fail_msg("%s was refused: %s", move.at, refusal.code);
    }
    check_position(state);
    move_list_free(&legal);
}

TEST(test_conservation)
{
    for (unsigned seats = SEATS_MIN; seats <= SEATS_MAX; seats++) {
        for (uint8_t seed = 0; seed < 40; seed++) {
            struct superstore_state state;
            unsigned turns[SEATS_MAX] = {0};
            begin_game(&state, seats, seed);
            play_through(&state, seed, seed % 8, turns);
            assert_true(state.last_round);
            assert_int_equal(state.active, state.first);
            for (unsigned seat = 1; seat < seats; seat++)
                assert_int_equal(turns[seat], turns[0]);
        }
    }
}

/* A seat that played no better than its three random rivals would win about one game in four. */
TEST(test_adviser_beats_random_players)
{
    unsigned wins = 0;
    for (uint8_t seed = 0; seed < 20; seed++) {
        struct superstore_state state;
        struct outcome outcome;
        unsigned turns[SEATS_MAX] = {0};
        begin_game(&state, 4, seed);
        play_through(&state, seed, 2, turns);
        game->outcome(game, &state, &outcome);
        wins += outcome.rank[2] == 1;
    }
    assert_true(wins > 14);
}

/* Plays `plies` fallback moves, or moves from the end of the list. */
static void play_some(struct superstore_state *state, unsigned plies, bool quiet)
{
    struct chance chance = chance_of(0);
    struct move_list legal;
    struct refusal refusal = {"", ""};
    assert_true(move_list_init(&legal, game));
    for (unsigned i = 0; i < plies; i++) {
        char bytes[GAME_MOVE_MAX + 1];
        struct text move = TEXT_OVER(bytes);
        move_list_clear(&legal);
        game->legal(game, state, state->active, &legal);
        game->fallback(game, state, state->active, &move);
        struct span chosen = quiet ? text_span(&move) : move_list_get(&legal, legal.count / 2);
        assert_true(game->play(game, state, state->active, chosen, &chance, &refusal));
    }
    move_list_free(&legal);
}

/* The k-th tile revealed is the same whatever is played. */
TEST(test_supply_does_not_depend_on_play)
{
    struct superstore_state quiet;
    struct superstore_state busy;
    begin_game(&quiet, 3, 5);
    begin_game(&busy, 3, 5);
    play_some(&quiet, 20, true);
    play_some(&busy, 20, false);
    assert_memory_equal(quiet.supply, busy.supply, sizeof quiet.supply);
    assert_memory_not_equal(quiet.mall, busy.mall, sizeof quiet.mall);
}

static int compare_bytes(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

/* After a take-back the supply is in another order; nothing else has changed. */
TEST(test_rekey_keeps_what_was_seen)
{
    struct superstore_state state;
    struct chance chance = chance_of(3);
    begin_game(&state, 4, 3);
    play_some(&state, 11, false);
    struct superstore_state before = state;
    game->rekey(game, &state, 1, &chance);
    size_t left = (size_t)(state.supply_end - state.supply_next);
    assert_memory_not_equal(state.supply, before.supply, sizeof state.supply);
    assert_memory_equal(state.supply, before.supply, state.supply_next);
    struct superstore_state again = before;
    game->rekey(game, &again, 2, &chance);
    assert_memory_not_equal(state.supply, again.supply, sizeof state.supply);
    qsort(state.supply + state.supply_next, left, 1, compare_bytes);
    qsort(before.supply + before.supply_next, left, 1, compare_bytes);
    assert_memory_equal(&state, &before, sizeof state);
}

/* The new order does not depend on the old one, which somebody may have seen. */
TEST(test_rekey_forgets_the_old_order)
{
    struct superstore_state one;
    struct chance chance = chance_of(4);
    begin_game(&one, 2, 4);
    struct superstore_state two = one;
    qsort(two.supply + two.supply_next, (size_t)(two.supply_end - two.supply_next), 1,
          compare_bytes);
    assert_memory_not_equal(&one, &two, sizeof one);
    game->rekey(game, &one, 7, &chance);
    game->rekey(game, &two, 7, &chance);
    assert_memory_equal(&one, &two, sizeof one);
    struct chance_stacks stacks = {.count = 0};
    assert_true(chance_stack_add(&stacks, span_of("supply/e8"), span_of("nothing")));
    chance.stacks = &stacks;
    game->rekey(game, &one, 8, &chance);
    for (unsigned i = one.supply_next; i + 1 < one.supply_end; i++)
        assert_true(one.supply[i] <= one.supply[i + 1]);
}

/* A face has its cells in other places than the other face, and a place to build at the top. */
TEST(test_shapes)
{
    for (unsigned attraction = 0; attraction < ATTRACTIONS; attraction++) {
        uint8_t piece = (uint8_t)(FIRST_ATTRACTION + attraction);
        struct superstore_mall front = {.tiles = 0};
        struct superstore_mall back = {.tiles = 0};
        superstore_add_tile(set, &front, (struct superstore_tile){piece, COLUMN_M1, 10, FRONT, 0});
        superstore_add_tile(set, &back, (struct superstore_tile){piece, COLUMN_M1, 10, BACK, 0});
        struct superstore_outline one;
        struct superstore_outline two;
        superstore_draw_outline(set, &front, &one);
        superstore_draw_outline(set, &back, &two);
        assert_memory_not_equal(one.column, two.column, sizeof one.column);
        uint64_t occupied = 0;
        uint64_t carries = 0;
        for (int column = 0; column < COLUMNS; column++) {
            int mirrored = 2 * COLUMN_M1 - column;
            if (mirrored >= 0) {
                assert_int_equal(one.column[column].occupied, two.column[mirrored].occupied);
                assert_int_equal(one.column[column].carries, two.column[mirrored].carries);
            }
            occupied |= one.column[column].occupied;
            carries |= one.column[column].carries;
        }
        assert_true(carries > occupied / 2);
        assert_true((one.column[COLUMN_M1].occupied >> 10 & 1) == 1);
    }
}

/* Beyond the columns and above floor 40 everything is free and nothing carries. */
TEST(test_edges_of_the_grid)
{
    struct superstore_state state;
    struct chance chance = chance_of(0);
    struct refusal refusal = {"", ""};
    LOAD_POSITION(game, &state,
                  "card 0 high-element\nel 0 r16 5 gym\nel 0 l16 5 gym\nel 0 m1 40 gym\n"
                  "el 0 m2 39 gym\nmall 0 main-1 -");
    struct superstore_outline outline;
    superstore_draw_outline(set, &state.mall[0], &outline);
    assert_true(superstore_is_free(&outline, -1, 5));
    assert_true(superstore_is_free(&outline, COLUMNS, 5));
    assert_true(superstore_is_free(&outline, COLUMN_M1, FLOOR_MAX + 1));
    assert_int_equal(superstore_support_places(outline.column[COLUMN_M1]), 1u << 2);
    struct superstore_state before = state;
    assert_true(game->play(game, &state, 0, span_of("build a1 m2 40"), &chance, &refusal));
    state = before;
    assert_true(
        game->play(game, &state, 0, span_of("attract night-club front r16 6"), &chance, &refusal));
    state = before;
    assert_true(
        game->play(game, &state, 0, span_of("attract night-club back l16 6"), &chance, &refusal));
    state = before;
    assert_true(
        game->play(game, &state, 0, span_of("attract night-club back m2 40"), &chance, &refusal));
}

int main(void)
{
    game = catalog_newest(span_of("superstore-3000"));
    set = game->set;
    return run_all_tests(start_up, NULL);
}
