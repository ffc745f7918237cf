/* What worked cases of Shinjuku cannot show: the sentences of refusals, what is conserved in any
 * game, shuffles, take-backs, scoring against a search of all uses of the tokens, and an adviser
 * that plays to win. Views and events have a file of their own. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/shinjuku/piles.h"
#include "engine/games/shinjuku/rules.h"
#include "engine/search/policy.h"
#include "tests/engine/support/position.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct shinjuku_components *set;

FIXTURE(start_up)
{
    game = catalog_newest(span_of("shinjuku"));
    return sodium_init() < 0;
}

static void begin_game(struct shinjuku_state *state, unsigned seats, bool advanced, uint8_t seed)
{
    struct chance chance = chance_of(seed);
    struct game_options options = {{advanced}};
    memset(state, 0, sizeof *state);
    game->setup(game, state, seats, &options, &chance);
}

static const struct refused refusals[] = {
    {"at 0 action 1", "", "jump", "bad-syntax",
     "This is not a move of Shinjuku: unknown verb, wrong number of words, or an extra space."},
    {"at 0 action 1", "", "matsuri x", "unknown-ward", "No ward has this name."},
    {"at 0 action 1", "", "move x", "unknown-station", "No station has this name."},
    {"at 0 action 1", "", "open tokyo x", "unknown-good", "No good has this name."},
    {"at 0 action 1", "", "give x", "unknown-customer", "No kind of customer has this name."},
    {"at 0 action 1", "", "stop", "wrong-decision",
     "This move is for another decision than the current one."},
    {"at 1 action 1", "", "end", "not-your-turn", "It is not this seat's decision."},
    {"at 0 matsuri", "", "matsuri edogawa", "matsuri-not-neighbour",
     "The Matsuri must move to a ward that shares an edge with its own."},
    {"used open", "", "open tokyo food", "action-already-taken",
     "The same action may not be taken twice in a turn."},
    {"store tokyo 1 food", "", "open tokyo food", "station-occupied",
     "A Store already stands in this station."},
    {"supply 0 food=0", "", "open tokyo food", "no-store-token",
     "No Specialty Store of this good is left in your supply."},
    {"at 0 action 1", "", "open tokyo food", "cannot-pay",
     "You hold no matching card, no wildcard, and fewer than three cards."},
    {"at 0 action 1", "", "open tokyo from ueno", "not-your-store",
     "You own no Store in that station."},
    {"store ueno 0 department", "", "open tokyo from ueno", "department-store-fixed",
     "A Department Store cannot be moved."},
    {"at 0 action 1", "", "expand tokyo akihabara", "not-canonical",
     "Write the stations in the canonical order."},
    {"at 0 action 1", "", "expand akihabara oji", "no-connection",
     "No connection joins these stations."},
    {"at 0 action 1", "", "expand shinjuku yoyogi", "permanent-connection",
     "This connection is permanent."},
    {"track 1 akihabara tokyo", "", "expand akihabara tokyo", "connection-taken",
     "Track already lies on this connection."},
    {"supply 0 track=0", "", "expand akihabara tokyo", "not-enough-track",
     "You do not have enough track."},
    {"hand 0 ota ota ota ota ota setagaya setagaya setagaya setagaya setagaya minato minato minato "
     "minato kita",
     "", "income", "hand-full", "You hold 15 cards."},
    {"at 0 action 1", "", "move tokyo", "no-customers", "There is no customer in this ward."},
    {"store ueno 0 department", "", "upgrade ueno food", "already-department-store",
     "This is already a Department Store."},
    {"store oji 0 food", "", "upgrade oji food", "no-sakura",
     "Only a station with the Sakura icon may hold a Department Store."},
    {"store ueno 0 food\nsupply 0 department=0", "", "upgrade ueno food", "no-department-token",
     "You have no Department Store left."},
    {"store ueno 0 food", "", "upgrade ueno books", "wrong-good",
     "The customer must want what this Store sells."},
    {"store ueno 0 food", "", "upgrade ueno food", "customer-not-owned",
     "You have won no such customer."},
    {"hand 0 kita ota\nward kita food", "move oji", "pay koto", "card-not-in-hand",
     "You do not hold that card."},
    {"hand 0 kita ota\nward kita food", "move oji", "pay ota", "card-does-not-match",
     "This card neither matches nor is a wildcard."},
    {"hand 0 kita ota ota\nward kita food", "move oji", "pay ota ota kita", "not-canonical",
     "Write the cards in the canonical order."},
    {"hand 0 kita\nward kita food books\nstore oji 0 department", "move oji", "give clothing",
     "customer-not-in-group", "No such customer is in the group."},
    {"hand 0 kita\nward kita food food-2 books\nstore oji 0 food", "move oji", "give books",
     "store-does-not-sell", "The Store in this station does not sell that."},
    {"hand 0 kita\nward kita food\ntrack 0 komagome oji", "move oji", "step nishi-nippori",
     "no-track", "No track lies on this connection."},
};

TEST(test_refusals)
{
    check_refusals(game, refusals, sizeof refusals / sizeof refusals[0]);
}

TEST(test_a_visited_station_is_refused)
{
    struct shinjuku_state state;
    struct chance chance = chance_of(0);
    struct refusal refusal = {"", ""};
    LOAD_POSITION(game, &state,
                  "hand 0 kita\nward kita food\n"
                  "track 0 komagome oji komagome nishi-nippori nishi-nippori oji");
    assert_true(game->play(game, &state, 0, span_of("move oji"), &chance, &refusal));
    assert_true(game->play(game, &state, 0, span_of("step komagome"), &chance, &refusal));
    assert_false(game->play(game, &state, 0, span_of("step oji"), &chance, &refusal));
    assert_string_equal(refusal.code, "station-visited");
    assert_string_equal(refusal.message, "No station may be visited twice in one MOVE.");
}

TEST(test_nothing_is_played_after_the_end)
{
    struct shinjuku_state state;
    struct chance chance = chance_of(0);
    struct refusal refusal = {"", ""};
    LOAD_POSITION(game, &state, "final yes\nat 1 action 2");
    assert_true(game->play(game, &state, 1, span_of("end"), &chance, &refusal));
    assert_int_equal(game->deciders(&state), 0);
    assert_false(game->play(game, &state, 0, span_of("jump"), &chance, &refusal));
    assert_string_equal(refusal.code, "game-over");
    assert_string_equal(refusal.message, "The game is over.");
}

static void check_cards(const struct shinjuku_state *state)
{
    uint8_t cards[WARDS];
    memcpy(cards, state->discard, sizeof cards);
    for (unsigned i = state->deck_next; i < state->deck_end; i++)
        cards[state->deck[i]]++;
    for (unsigned space = 0; space < QUEUE_SPACES; space++)
        cards[state->queue_ward[space]]++;
    for (unsigned ward = 0; ward < WARDS; ward++) {
        for (unsigned seat = 0; seat < state->seats; seat++)
            cards[ward] = (uint8_t)(cards[ward] + state->hand[seat][ward]);
        assert_int_equal(cards[ward], set->wards[ward].cards);
    }
    for (unsigned seat = 0; seat < state->seats; seat++)
        assert_true(shinjuku_hand_size(state, seat) <= HAND_MAX);
}

static void check_customers(const struct shinjuku_state *state)
{
    for (unsigned kind = 0; kind < KINDS; kind++) {
        unsigned count = (unsigned)state->group[kind] + state->removed[kind];
        for (unsigned i = state->bag_next; i < state->bag_end; i++)
            count += state->bag[i] == kind;
        for (unsigned space = 0; space < QUEUE_SPACES; space++)
            count += state->queue[space][kind];
        for (unsigned ward = 0; ward < WARDS; ward++)
            count += state->customers[ward][kind];
        for (unsigned seat = 0; seat < state->seats; seat++)
            count += state->earned[seat][kind];
        assert_int_equal(count, set->kinds[kind].count);
    }
}

static void check_queue(const struct shinjuku_state *state)
{
    unsigned waiting = 0;
    bool empty = false;
    for (unsigned space = 0; space < QUEUE_SPACES; space++) {
        unsigned here = shinjuku_customers(state->queue[space]);
        unsigned goods = 0;
        for (unsigned kind = 0; kind < KINDS; kind += 2)
            goods += state->queue[space][kind] + state->queue[space][kind + 1] > 0;
        assert_true(goods <= 1);
        assert_false(empty && here > 0);
        empty = here == 0;
        waiting += here;
    }
    if (state->bag_next < state->bag_end)
        assert_int_equal(waiting, QUEUE_CUSTOMERS + state->upgrades);
}

static void check_supplies(const struct shinjuku_state *state)
{
    for (unsigned seat = 0; seat < state->seats; seat++) {
        unsigned track = state->track_left[seat];
        unsigned stores[GOODS + 1] = {0};
        for (unsigned good = 0; good < GOODS; good++)
            stores[good] = state->stores_left[seat][good];
        stores[DEPARTMENT] = state->departments_left[seat];
        for (unsigned i = 0; i < CONNECTIONS; i++)
            track += state->track_owner[i] == seat;
        for (unsigned i = 0; i < STATIONS; i++)
            if (state->store_owner[i] == seat)
                stores[state->store_sells[i]]++;
        assert_int_equal(track, TRACK);
        for (unsigned good = 0; good < GOODS; good++)
            assert_int_equal(stores[good], STORES_OF_A_GOOD);
        assert_int_equal(stores[DEPARTMENT], DEPARTMENT_STORES);
    }
}

static void check_position(const struct shinjuku_state *state)
{
    check_cards(state);
    check_customers(state);
    check_queue(state);
    check_supplies(state);
    assert_true(state->notes < NOTES_MAX);
    assert_true(state->point <= AT_OVER);
    assert_int_equal(state->matsuri == NONE, state->advanced);
    if (state->point != AT_GIVE && state->point != AT_ROUTE)
        assert_int_equal(shinjuku_customers(state->group), 0);
}

/* Picks seat 0's moves by advice if `advised`, all others at random but the same in every run;
 * checks every position on the way. */
static void play_through(struct shinjuku_state *state, uint8_t seed, bool advised)
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
        size_t i = chance_uniform(&choice, (uint32_t)legal.count);
        if (advised && state->active == 0) {
            i = policy_advise(game, state, 0, &legal);
            assert_true(i < legal.count);
        }
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
        for (uint8_t seed = 0; seed < 12; seed++) {
            struct shinjuku_state state;
            begin_game(&state, seats, seed % 2 == 1, seed);
            play_through(&state, seed, seed % 4 >= 2);
            assert_true(state.final_phase);
            assert_int_equal(state.bag_next, state.bag_end);
            assert_int_equal(state.active, seats - 1);
        }
    }
}

/* A seat that played no better than its three random rivals would win about one game in four. */
TEST(test_adviser_beats_random_players)
{
    unsigned wins = 0;
    for (uint8_t seed = 0; seed < 10; seed++) {
        struct shinjuku_state state;
        struct outcome outcome;
        begin_game(&state, 4, false, seed);
        play_through(&state, seed, true);
        game->outcome(game, &state, &outcome);
        wins += outcome.score[0] > outcome.score[1] && outcome.score[0] > outcome.score[2] &&
                outcome.score[0] > outcome.score[3];
    }
    assert_true(wins > 5);
}

/* The most that any use of the tokens can bring, by trying them all. */
static int32_t best_score(unsigned value[GOODS], unsigned tokens)
{
    if (tokens > 0) {
        int32_t best = 0;
        for (unsigned good = 0; good < GOODS; good++) {
            value[good]++;
            int32_t score = best_score(value, tokens - 1);
            best = score > best ? score : best;
            value[good]--;
        }
        return best;
    }
    int32_t score = 0;
    for (unsigned round = 1;; round++) {
        unsigned goods = 0;
        for (unsigned good = 0; good < GOODS; good++)
            goods += value[good] >= round;
        if (goods == 0)
            return score;
        score += (const int32_t[]){0, 1, 3, 6, 10}[goods];
    }
}

TEST(test_score_is_the_best_use_of_tokens)
{
    for (unsigned combination = 0; combination < 5 * 5 * 5 * 5; combination++) {
        uint8_t earned[KINDS] = {0};
        unsigned value[GOODS];
        unsigned rest = combination;
        for (unsigned good = 0; good < GOODS; good++, rest /= 5) {
            value[good] = rest % 5;
            earned[2 * good] = (uint8_t)(value[good] % 2);
            earned[2 * good + 1] = (uint8_t)(value[good] / 2);
        }
        for (unsigned tokens = 0; tokens <= 5; tokens++)
            assert_int_equal(shinjuku_score(set, earned, tokens), best_score(value, tokens));
    }
}

static void count_all_cards(uint8_t copies[WARDS])
{
    for (unsigned ward = 0; ward < WARDS; ward++)
        copies[ward] = set->wards[ward].cards;
}

/* Ruling R6: the n-th shuffle of a seed is one permutation of all cards, so two tables that discard
 * different cards draw the cards they share in the same order. */
TEST(test_reshuffles_agree_between_tables)
{
    struct shinjuku_state a = {0};
    struct shinjuku_state b = {0};
    struct chance chance = chance_of(9);
    uint8_t all[WARDS];
    uint8_t some[WARDS];
    count_all_cards(all);
    for (unsigned ward = 0; ward < WARDS; ward++)
        some[ward] = ward % 3 == 0 ? 0 : all[ward];
    for (unsigned shuffle = 0; shuffle < 3; shuffle++) {
        shinjuku_build_deck(set, &a, all, &chance);
        shinjuku_build_deck(set, &b, some, &chance);
        unsigned at = 0;
        for (unsigned i = 0; i < a.deck_end; i++)
            if (a.deck[i] % 3 != 0)
                assert_int_equal(a.deck[i], b.deck[at++]);
        assert_int_equal(at, b.deck_end);
        assert_int_equal(a.deck_words, b.deck_words);
    }
}

TEST(test_rekey_changes_only_what_nobody_has_seen)
{
    struct shinjuku_state before;
    struct chance chance = chance_of(5);
    begin_game(&before, 3, false, 5);
    struct shinjuku_state after = before;
    game->rekey(game, &after, 1, &chance);
    assert_memory_not_equal(before.deck, after.deck, sizeof before.deck);
    assert_memory_not_equal(before.bag, after.bag, sizeof before.bag);
    assert_memory_equal(before.deck, after.deck, before.deck_next);
    assert_memory_equal(before.bag, after.bag, before.bag_next);

    struct shinjuku_state other = before;
    game->rekey(game, &other, 2, &chance);
    assert_memory_not_equal(other.deck, after.deck, sizeof after.deck);

    sort_bytes(before.deck, before.deck_end);
    sort_bytes(after.deck, after.deck_end);
    sort_bytes(before.bag, before.bag_end);
    sort_bytes(after.bag, after.bag_end);
    after.epoch = before.epoch;
    after.deck_words = before.deck_words;
    after.deck_shuffles = before.deck_shuffles;
    assert_memory_equal(&before, &after, sizeof before);
}

/* The order after a rekey must not depend on the order that was to come before it. */
TEST(test_rekey_forgets_the_old_order)
{
    struct shinjuku_state a;
    struct chance chance = chance_of(6);
    begin_game(&a, 2, false, 6);
    struct shinjuku_state b = a;
    sort_bytes(b.deck + b.deck_next, (size_t)(b.deck_end - b.deck_next));
    sort_bytes(b.bag + b.bag_next, (size_t)(b.bag_end - b.bag_next));
    assert_memory_not_equal(&a, &b, sizeof a);
    game->rekey(game, &a, 3, &chance);
    game->rekey(game, &b, 3, &chance);
    assert_memory_equal(&a, &b, sizeof a);
}

TEST(test_reshuffles_follow_the_epoch)
{
    struct shinjuku_state a;
    struct chance chance = chance_of(7);
    uint8_t all[WARDS];
    count_all_cards(all);
    begin_game(&a, 2, false, 7);
    struct shinjuku_state b = a;
    game->rekey(game, &b, 1, &chance);
    uint32_t words = b.deck_words;
    shinjuku_build_deck(set, &a, all, &chance);
    shinjuku_build_deck(set, &b, all, &chance);
    assert_memory_not_equal(a.deck, b.deck, sizeof a.deck);
    assert_true(b.deck_words > words);
}

/* Stacks fix the order of a later shuffle too. */
TEST(test_stacks_fix_a_reshuffle)
{
    struct shinjuku_state state;
    struct chance_stacks stacks = {.count = 0};
    struct chance chance = chance_of(0);
    struct refusal refusal = {"", ""};
    chance.stacks = &stacks;
    assert_true(chance_stack_add(&stacks, span_of("deck/2"), span_of("nerima toshima")));
    LOAD_POSITION(game, &state, "deck only none\nhand 0 ota ota ota");
    assert_true(game->play(game, &state, 0, span_of("income"), &chance, &refusal));
    assert_int_equal(state.hand[0][shinjuku_ward_named(set, span_of("nerima"))], 1);
    assert_int_equal(state.queue_ward[QUEUE_SPACES - 1],
                     shinjuku_ward_named(set, span_of("toshima")));
}

int main(void)
{
    game = catalog_newest(span_of("shinjuku"));
    set = game->set;
    return run_all_tests(start_up, NULL);
}
