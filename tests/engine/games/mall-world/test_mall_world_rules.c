/* What worked cases of Mall World cannot show: the sentences of refusals, what is conserved in any
 * game, openings that are drawn, counts against a slow way of counting, take-backs, and an adviser
 * that plays to win. Auctions, views and events have files of their own. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/mall-world/piles.h"
#include "engine/games/mall-world/rules.h"
#include "engine/search/policy.h"
#include "tests/engine/games/mall-world/mall_world_position.h"
#include "tests/engine/support/dice.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct mall_world_components *set;

FIXTURE(start_up)
{
    game = catalog_newest(span_of("mall-world"));
    return sodium_init() < 0;
}

static struct chance chance_numbered(uint32_t number)
{
    struct chance chance = {.stacks = NULL};
    dice_seed(number, chance.seed);
    return chance;
}

static void begin_game(struct mall_world_state *state, unsigned seats, bool fixed, uint32_t number)
{
    struct chance chance = chance_numbered(number);
    struct game_options options = {{fixed}};
    memset(state, 0, sizeof *state);
    game->setup(game, state, seats, &options, &chance);
}

static unsigned lowest_decider(const struct mall_world_state *state)
{
    return (unsigned)__builtin_ctz(game->deciders(state));
}

/* ---- Refusals ---- */

#define SHOPS    "tiles c2=clothing f2=sports c5=hobby f5=food\n"
#define SUPPLY   SHOPS "at SUPPLY\ndisplay 2xfood-food food-sports sports-sports\nhand 0 food-food\n"
#define PROGRESS SHOPS "at PROGRESS\nlobby use-food-hobby\nbureau 4000\nround 2\n"
#define HOLDING  PROGRESS "hand 0 2xfood-food hobby-hobby clothing-food use-food-food\n"
#define SOLD                                                                                       \
    "tiles f2=food g2=food f3=food g3=food h3=food f4=food g4=food h4=food f5=food c2=clothing\n"

/* `before` is played first; then `move` of seat 0 must be refused and change nothing. */
static const struct refused refusals[] = {
    {SHOPS "at SUPPLY\nround 3\nactive 3\n", "3> done", "jump", "game-over", "The game is over."},
    {SHOPS "at SUPPLY\nactive 1\nbureau 4000\n", "", "done", "not-your-decision",
     "You have nothing to decide now."},
    {"seats 3\n" HOLDING, "0> offer food-food hobby-hobby\n0> bid 1", "bid 1", "already-bid",
     "You have already bid."},
    {HOLDING, "", "bid 1", "wrong-phase", "This move is not possible at this point."},
    {HOLDING, "", "offer", "bad-notation", "The move cannot be read."},
    {SHOPS "lobby use-food-food\n", "", "accept x", "unknown-order", "There is no such order."},
    {SHOPS "lobby use-food-food\n", "", "accept use-food-hobby", "order-not-in-lobby",
     "This order is not in the lobby."},
    {SHOPS "at PROGRESS\nround 3\nhand 0 2xfood-food use-food-food\nbureau 4000\n",
     "0> offer food-food\n0> realize food-food build food f4", "offer food-food",
     "offer-already-made", "You have already dealt with approval cards this turn."},
    {HOLDING, "", "offer x x x x", "too-many-cards", "At most three cards may be offered."},
    {HOLDING, "", "offer x", "unknown-card", "There is no such approval card."},
    {HOLDING, "", "offer hobby-hobby food-food", "not-sorted", "List the cards in card order."},
    {HOLDING, "", "offer sports-sports", "card-not-in-hand", "You do not hold these cards."},
    {"at PROGRESS\nhand 0 food-food\nround 2\n", "", "offer food-food", "card-not-realizable",
     "One of these cards cannot be realized now."},
    {HOLDING "coins 0 0\n", "", "offer food-food", "no-coin", "A single card costs one coin."},
    {SHOPS "at PROGRESS\nround 3\nhand 0 food-food use-food-food\nbureau 4000 1000\n",
     "0> confirm use-food-food bribe 1000", "confirm x bribe 1", "confirm-already-made",
     "You have already confirmed an order this turn."},
    {HOLDING, "", "confirm x bribe 4000", "unknown-order", "There is no such order."},
    {HOLDING, "", "confirm use-food-hobby bribe 4000", "order-not-in-hand",
     "You do not hold this order."},
    {HOLDING, "", "confirm use-food-food bribe 1000", "bribe-not-in-bureau",
     "No such chip is in the bureau."},
    {HOLDING, "", "pass", "progress-required",
     "You must deal with approval cards or confirm an order."},
    {"seats 3\n" HOLDING, "0> offer food-food hobby-hobby", "bid 6", "bid-over-coins",
     "You do not have that many coins."},
    {HOLDING, "0> offer food-food", "realize x build food f4", "unknown-card",
     "There is no such approval card."},
    {HOLDING, "0> offer food-food", "realize hobby-hobby build x f4", "card-not-offered",
     "This card is not on offer."},
    {HOLDING, "0> offer food-food", "realize food-food build x f4", "unknown-use",
     "There is no such use."},
    {HOLDING, "0> offer food-food", "realize food-food build hobby x", "use-not-on-card",
     "The card does not show this use."},
    {HOLDING, "0> offer food-food", "realize food-food build food x", "unknown-room",
     "There is no such room."},
    {HOLDING "block f4\n", "0> offer food-food", "realize food-food build food f4", "room-blocked",
     "This room is covered."},
    {HOLDING, "0> offer food-food", "realize food-food build food c2", "room-occupied",
     "There is already a shop in this room."},
    {SOLD "at PROGRESS\nround 2\nhand 0 clothing-food\n", "0> offer clothing-food",
     "realize clothing-food build food c1", "no-shop-tile", "No such tile is left."},
    {HOLDING, "0> offer food-food", "realize food-food build food c1", "no-matching-neighbour",
     "No neighboring shop has the other use."},
    {HOLDING, "0> offer food-food", "realize food-food rent x f5", "unknown-group",
     "There is no such target group."},
    {SHOPS "at PROGRESS\nhand 0 food-food\n", "0> offer food-food",
     "realize food-food rent women f5", "rents-closed", "Shops cannot be let yet."},
    {HOLDING, "0> offer food-food", "realize food-food rent women f4", "no-shop",
     "There is no shop in this room."},
    {"tiles f5=food/men c2=clothing\nat PROGRESS\nround 2\nhand 0 clothing-food\n",
     "0> offer clothing-food", "realize clothing-food rent men f5", "already-rented",
     "This shop is already let."},
    {HOLDING, "0> offer food-food", "realize food-food rent men f5", "rent-not-on-card",
     "The card does not show this chain store."},
    {"tiles c1=food/women d1=food/women e1=food/women b2=food/women c2=food/women d2=food/women "
     "e2=hobby/women f2=hobby/women g2=food\nat PROGRESS\nround 2\nhand 0 food-food\n",
     "0> offer food-food", "realize food-food rent women g2", "no-chip", "No such chip is left."},
    {SUPPLY, "", "remove x", "unknown-card", "There is no such approval card."},
    {SUPPLY, "", "remove hobby-hobby", "card-not-in-hand", "You do not hold this card."},
    {SUPPLY, "", "remove food-food", "card-still-usable", "This card can still be used."},
    {SUPPLY "coins 0 1\n", "", "refresh", "not-enough-coins", "A new display costs two coins."},
    {SHOPS "at SUPPLY\n", "", "refresh", "no-cards", "There are no approval cards left."},
    {SUPPLY, "", "take x x x", "too-many-cards", "At most two cards may be taken."},
    {SUPPLY, "", "take food-food x", "unknown-card", "There is no such approval card."},
    {SUPPLY, "", "take sports-sports food-food", "not-sorted", "List the cards in card order."},
    {SUPPLY, "", "take hobby-hobby", "card-not-displayed", "These cards are not on display."},
    {SHOPS "at SUPPLY\ndisplay 2xfood-food\nhand 0 4xhobby-hobby 3xsports-sports\n", "",
     "take food-food food-food", "hand-full", "Your hand would exceed eight cards."},
};

static void check_refusal(const struct refused *refused)
{
    struct mall_world_state state;
    LOAD_POSITION(game, &state, refused->position);
    play_all(&state, refused->before);
    assert_refused(game, &state, 0, refused->move, refused->code, refused->message);
}

TEST(test_refusals)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        check_refusal(&refusals[i]);
}

/* A list may be of any length: it is still a list. */
TEST(test_long_lists)
{
    struct mall_world_state state;
    struct chance chance = chance_numbered(0);
    struct refusal refusal = {"", ""};
    char bytes[9000];
    struct text move = TEXT_OVER(bytes);
    LOAD_POSITION(game, &state, HOLDING);
    text_add(&move, "offer");
    for (unsigned i = 0; i < 800; i++)
        text_add(&move, " food-food");
    assert_false(game->play(game, &state, 0, text_span(&move), &chance, &refusal));
    assert_string_equal(refusal.code, "too-many-cards");
    text_add(&move, " ");
    assert_false(game->play(game, &state, 0, text_span(&move), &chance, &refusal));
    assert_string_equal(refusal.code, "bad-notation");
}

/* ---- What is conserved ---- */

static void check_approval_cards(const struct mall_world_state *state)
{
    for (unsigned card = 0; card < CARDS; card++) {
        unsigned count = (unsigned)state->display[card] + state->discard[card] + state->gone[card] +
                         state->offer[card];
        for (unsigned i = state->stack_next; i < state->stack_end; i++)
            count += state->stack[i] == card;
        for (unsigned seat = 0; seat < state->seats; seat++)
            count += state->hand[seat][card];
        assert_int_equal(count, 4);
    }
}

static void check_orders(const struct mall_world_state *state)
{
    uint32_t places[2 * SEATS_MAX + 4] = {state->boxed, state->closed};
    for (unsigned i = state->orders_next; i < state->orders_end; i++)
        places[2] |= UINT32_C(1) << state->orders[i];
    for (unsigned site = 0; site < state->lobby_orders; site++)
        places[3] |= UINT32_C(1) << state->lobby[site];
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        places[4 + seat] = state->held[seat];
        places[4 + SEATS_MAX + seat] = state->confirmed[seat];
    }
    for (unsigned order = 0; order < ORDERS; order++) {
        unsigned found = 0;
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
            found += places[i] >> order & 1;
        assert_int_equal(found, 1);
    }
    assert_true(state->lobby_orders == SITES || state->orders_next == state->orders_end);
    uint32_t use_orders = (UINT32_C(1) << USE_ORDERS) - 1;
    if (state->round > 1)
        assert_int_equal((places[2] | places[3]) & use_orders, 0);
}

static void check_mall(const struct mall_world_state *state)
{
    rooms shops = 0;
    rooms chips = 0;
    rooms chains = 0;
    for (unsigned use = 0; use < USES; use++) {
        assert_true((state->tile[use] & (shops | state->covered)) == 0);
        assert_true(mall_world_tiles_left(state, use) <= TILES_OF_A_USE);
        shops |= state->tile[use];
    }
    for (unsigned group = 0; group < GROUPS; group++) {
        assert_true((state->chip[group] & chips) == 0);
        assert_true(mall_world_chips_left(state, group) <= CHIPS_OF_A_GROUP);
        chips |= state->chip[group];
    }
    for (unsigned chain = 0; chain < CHAINS; chain++)
        chains |= mall_world_chain_rooms(set, state, chain);
    assert_true((chips & ~shops) == 0);
    assert_true(chains == chips); /* no chip makes one of the four that do not exist */
}

static void check_money(const struct mall_world_state *state)
{
    unsigned coins = state->slush;
    for (unsigned seat = 0; seat < state->seats; seat++) {
        coins += state->coins[seat];
        assert_true(mall_world_hand_size(state, seat) <= HAND_MAX);
    }
    assert_int_equal(coins, COINS_OF_A_SEAT * state->seats);
    if (state->point == AT_ACCEPT)
        assert_true(state->slush < state->seats);
}

/* Unusable cards stay unusable and cannot be realised. */
static void check_usability(const struct mall_world_state *state, bool unusable[static CARDS])
{
    for (unsigned card = 0; card < CARDS; card++) {
        bool usable = mall_world_is_usable(set, state, card);
        assert_false(usable && unusable[card]);
        assert_false(!usable && mall_world_is_realizable(set, state, card));
        unusable[card] = !usable;
    }
}

static void check_turn(const struct mall_world_state *state, size_t moves)
{
    assert_true(state->point <= AT_OVER);
    assert_true(state->point != AT_REALIZE || moves > 1);
    assert_true(state->notes < NOTES_MAX);
    assert_true(!state->last_turns_run || state->last_turns <= state->seats);
}

static void play_random_game(unsigned seats, bool fixed, uint32_t number, struct move_list *legal)
{
    struct mall_world_state state;
    struct chance chance = chance_numbered(number);
    struct dice dice;
    bool unusable[CARDS] = {false};
    size_t plies = 0;
    begin_game(&state, seats, fixed, number);
    dice_open(&dice, "mall-world", number);
    while (game->deciders(&state) != 0) {
        struct refusal refusal;
        unsigned seat = lowest_decider(&state);
        move_list_clear(legal);
        game->legal(game, &state, seat, legal);
        check_approval_cards(&state);
        check_orders(&state);
        check_mall(&state);
        check_money(&state);
        check_usability(&state, unusable);
        check_turn(&state, legal->count);
        struct span move = move_list_get(legal, dice_below(&dice, legal->count));
        assert_true(game->play(game, &state, seat, move, &chance, &refusal));
        assert_true(++plies <= game->plies_max);
    }
    check_approval_cards(&state);
    check_orders(&state);
    check_money(&state);
    for (unsigned seat = 0; seat < seats; seat++)
        assert_int_equal(state.confirmed[seat], 0);
}

TEST(test_conservation)
{
    struct move_list legal;
    assert_true(move_list_init(&legal, game));
    for (unsigned seats = SEATS_MIN; seats <= SEATS_MAX; seats++)
        for (uint32_t number = 0; number < 100; number++)
            play_random_game(seats, number % 2 == 1, number, &legal);
    move_list_free(&legal);
}

/* ---- Openings ---- */

static void check_drawn_opening(const struct mall_world_state *state)
{
    rooms tiles = 0;
    assert_int_equal(mall_world_room_count(state->covered),
                     (unsigned)TRIO * set->covers[state->seats - SEATS_MIN]);
    assert_true(mall_world_is_connected(set, set->plan & ~state->covered));
    for (unsigned use = 0; use < USES; use++) {
        assert_int_equal(mall_world_room_count(state->tile[use]), 1);
        tiles |= state->tile[use];
    }
    assert_int_equal(mall_world_room_count(tiles), USES);
    assert_true((mall_world_neighbours(set, tiles) & tiles) == 0);
    assert_true((tiles & state->covered) == 0);
}

TEST(test_drawn_openings)
{
    for (unsigned seats = SEATS_MIN; seats <= SEATS_MAX; seats++) {
        rooms covered = 0;
        rooms built = 0;
        for (uint32_t number = 0; number < 300; number++) {
            struct mall_world_state state;
            begin_game(&state, seats, false, number);
            check_drawn_opening(&state);
            covered |= state.covered;
            built |= state.tile[CLOTHING];
            assert_int_equal(mall_world_card_total(state.display), DISPLAY);
            for (unsigned seat = 0; seat < seats; seat++) {
                assert_int_equal(mall_world_hand_cards(&state, seat), DEAL);
                assert_int_equal(mall_world_hand_orders(&state, seat), 1);
                assert_true(state.held[seat] >= UINT32_C(1) << SPECIAL_ORDER_FIRST);
            }
        }
        assert_true(covered == (seats == 5 ? 0 : set->plan));
        assert_true(built == set->plan);
    }
}

/* The k-th order of either kind, the specials and the cards do not depend on the opening, nor the
 * orders on the number of seats. */
TEST(test_what_the_same_seed_shares)
{
    for (uint32_t number = 0; number < 20; number++) {
        struct mall_world_state three;
        struct mall_world_state five;
        struct mall_world_state fixed;
        begin_game(&three, 3, false, number);
        begin_game(&five, 5, false, number);
        begin_game(&fixed, 5, true, number);
        assert_memory_equal(three.lobby, five.lobby, SITES);
        assert_int_equal(three.orders_end, LOBBY_ORDERS - 6);
        assert_int_equal(five.orders_end, LOBBY_ORDERS);
        assert_memory_equal(three.orders, five.orders, USE_ORDERS - 3);
        assert_memory_equal(three.orders + USE_ORDERS - 3, five.orders + USE_ORDERS,
                            RENT_ORDERS - 3);
        assert_memory_equal(three.held, five.held, 3 * sizeof three.held[0]);
        assert_memory_equal(three.stack, five.stack, DECK);
        assert_memory_equal(fixed.stack, five.stack, DECK);
        assert_memory_equal(fixed.bribes, five.bribes, BRIBES);
        assert_memory_equal(fixed.held, five.held, sizeof five.held);
    }
}

/* ---- Counts ---- */

static bool is_counted(const struct mall_world_state *state, const struct mall_world_order *order,
                       uint8_t what, rooms room)
{
    if (order->kind == USE_ORDER)
        return (mall_world_vacant(state, what) & room) != 0;
    return (mall_world_chain_rooms(set, state, what) & room) != 0;
}

static unsigned count_slowly(const struct mall_world_state *state,
                             const struct mall_world_order *order)
{
    unsigned count = 0;
    for (unsigned i = 0; i < ROOMS; i++) {
        rooms room = mall_world_room(set->rooms[i].square);
        if (order->kind == RENT_ORDER) {
            count += is_counted(state, order, order->first, room);
            count += is_counted(state, order, order->second, room);
            continue;
        }
        for (unsigned j = i + 1; j < ROOMS; j++) {
            rooms other = mall_world_room(set->rooms[j].square);
            if ((mall_world_neighbours(set, room) & other) == 0)
                continue;
            count += (is_counted(state, order, order->first, room) &&
                      is_counted(state, order, order->second, other)) ||
                     (is_counted(state, order, order->first, other) &&
                      is_counted(state, order, order->second, room));
        }
    }
    return count;
}

TEST(test_counts_against_a_slow_count)
{
    struct dice dice;
    dice_open(&dice, "counts", 1);
    for (unsigned i = 0; i < 300; i++) {
        struct mall_world_state state = {.seats = 3};
        for (unsigned room = 0; room < ROOMS; room++) {
            unsigned use = dice_below(&dice, USES + 1);
            rooms here = mall_world_room(set->rooms[room].square);
            if (use == USES)
                continue;
            state.tile[use] |= here;
            if (dice_one_in(&dice, 2))
                state.chip[dice_below(&dice, GROUPS)] |= here;
        }
        for (unsigned order = 0; order < ORDERS; order++)
            assert_int_equal(mall_world_count(set, &state, order),
                             count_slowly(&state, &set->orders[order]));
    }
}

TEST(test_scores)
{
    struct mall_world_state state;
    struct outcome outcome;
    LOAD_POSITION(game, &state,
                  "seats 3\nat SUPPLY\ntiles c2=food d2=food c1=food\n"
                  "account 0 -4000\ncoins 0 4\nconfirmed 1 use-food-food\n"
                  "account 1 10000\ncoins 1 0\naccount 2 16000\ncoins 2 0\n");
    game->outcome(game, &state, &outcome);
    assert_int_equal(outcome.seats, 3);
    assert_int_equal(outcome.tie_breaks, 0);
    assert_int_equal(outcome.score[0], 0);
    assert_int_equal(outcome.score[1], 16000); /* the order counts 2 */
    assert_int_equal(outcome.score[2], 16000);
    assert_int_equal(outcome.rank[0], 3);
    assert_int_equal(outcome.rank[1], 1);
    assert_int_equal(outcome.rank[2], 1);
}

/* ---- Chance after the set-up ---- */

/* The k-th time that the discard pile becomes the stack it is put in card order, and shuffled with
 * a stream of its own. */
static void check_reshuffle(struct mall_world_state *state, const char *name,
                            const struct chance *chance)
{
    struct refusal refusal = {"", ""};
    struct chance_stream stream;
    uint8_t expected[DECK];
    uint8_t count = 0;
    assert_int_equal(state->stack_next, state->stack_end);
    for (uint8_t card = 0; card < CARDS; card++)
        for (int i = 0; i < state->discard[card] + state->display[card]; i++)
            expected[count++] = card;
    chance_open(&stream, chance, name, 0);
    chance_shuffle(&stream, expected, count);
    assert_true(game->play(game, state, 0, span_of("refresh"), chance, &refusal));
    assert_int_equal(state->stack_end, count);
    assert_int_equal(state->stack_next, 4);
    assert_memory_equal(state->stack, expected, count);
}

TEST(test_reshuffles_have_streams_of_their_own)
{
    static const char position[] = SHOPS
        "at SUPPLY\nhand 0 food-food\ncoins 0 20\nlobby use-food-hobby\nbureau 4000\n"
        "display food-food food-sports hobby-hobby sports-sports\n"
        "discard 2xclothing-clothing 2xclothing-food clothing-hobby 2xfood-hobby hobby-sports\n";
    struct mall_world_state state;
    struct chance chance = chance_numbered(31);
    struct refusal refusal = {"", ""};
    LOAD_POSITION(game, &state, position);
    check_reshuffle(&state, "reshuffle-1", &chance);
    while (state.stack_next < state.stack_end)
        assert_true(game->play(game, &state, 0, span_of("refresh"), &chance, &refusal));
    check_reshuffle(&state, "reshuffle-2", &chance);
}

/* ---- Take-backs ---- */

/* Everything that somebody has seen, as bytes: what rekey() may change is blanked. */
static struct mall_world_state seen(const struct mall_world_state *state)
{
    struct mall_world_state copy = *state;
    copy.epoch = 0;
    copy.boxed = 0;
    memset(copy.stack, 0, sizeof copy.stack);
    copy.stack_end = (uint8_t)(copy.stack_end - copy.stack_next);
    copy.stack_next = 0;
    memset(copy.orders + copy.orders_next, 0, sizeof copy.orders - copy.orders_next);
    return copy;
}

TEST(test_rekey_draws_anew_what_nobody_has_seen)
{
    struct mall_world_state state;
    struct chance chance = chance_numbered(7);
    begin_game(&state, 3, false, 7);
    struct mall_world_state one = state;
    struct mall_world_state two = state;
    game->rekey(game, &one, 1, &chance);
    game->rekey(game, &two, 2, &chance);
    check_approval_cards(&one);
    check_orders(&one);
    struct mall_world_state before = seen(&state);
    struct mall_world_state after = seen(&one);
    assert_memory_equal(&before, &after, sizeof before);
    assert_memory_not_equal(one.stack, two.stack, DECK);
    assert_memory_not_equal(one.orders, two.orders, LOBBY_ORDERS);
    assert_int_not_equal(one.boxed, two.boxed);
    uint32_t specials = state.boxed >> SPECIAL_ORDER_FIRST;
    assert_int_equal(one.boxed >> SPECIAL_ORDER_FIRST, specials);
    for (unsigned i = 0; i < one.orders_end; i++) /* use orders still lie on rent orders */
        assert_true(i == 0 ||
                    set->orders[one.orders[i - 1]].kind <= set->orders[one.orders[i]].kind);
    struct mall_world_state again = state;
    game->rekey(game, &again, 1, &chance);
    assert_memory_equal(&again, &one, sizeof one);
}

/* The chips of the coming rounds and coming reshuffles are drawn from the new streams, too. */
TEST(test_rekey_changes_what_comes)
{
    static const char position[] = SHOPS "at SUPPLY\nactive 3\nlobby rent-biologic-lovis\n"
                                         "discard 4xfood-food 4xhobby-hobby 4xsports-sports "
                                         "4xfood-hobby\n";
    struct chance chance = chance_numbered(3);
    unsigned other_chips = 0;
    unsigned other_cards = 0;
    for (unsigned epoch = 1; epoch <= 10; epoch++) {
        struct mall_world_state plain;
        struct mall_world_state rekeyed;
        struct refusal refusal;
        LOAD_POSITION(game, &plain, position);
        rekeyed = plain;
        game->rekey(game, &rekeyed, epoch, &chance);
        assert_true(game->play(game, &plain, 3, span_of("refresh"), &chance, &refusal));
        assert_true(game->play(game, &rekeyed, 3, span_of("refresh"), &chance, &refusal));
        assert_true(game->play(game, &plain, 3, span_of("done"), &chance, &refusal));
        assert_true(game->play(game, &rekeyed, 3, span_of("done"), &chance, &refusal));
        other_chips += memcmp(plain.bribes, rekeyed.bribes, sizeof plain.bribes) != 0;
        other_cards += memcmp(plain.stack, rekeyed.stack, sizeof plain.stack) != 0;
        assert_int_equal(plain.round, 2);
    }
    assert_true(other_chips > 0);
    assert_true(other_cards > 0);
}

/* ---- The adviser ---- */

/* Its share of first ranks over `games` games against players who choose at random. */
static double share_of_wins(unsigned seats, uint32_t games, struct move_list *legal)
{
    double wins = 0;
    for (uint32_t number = 0; number < games; number++) {
        struct mall_world_state state;
        struct outcome outcome;
        struct dice dice;
        struct chance chance = chance_numbered(number);
        unsigned player = number % seats;
        begin_game(&state, seats, false, number);
        dice_open(&dice, "adviser", number);
        while (game->deciders(&state) != 0) {
            struct refusal refusal;
            unsigned seat = lowest_decider(&state);
            move_list_clear(legal);
            game->legal(game, &state, seat, legal);
            size_t choice = dice_below(&dice, legal->count);
            if (seat == player) {
                choice = policy_advise(game, &state, seat, legal);
            }
            assert_true(
                game->play(game, &state, seat, move_list_get(legal, choice), &chance, &refusal));
        }
        game->outcome(game, &state, &outcome);
        wins += outcome.rank[player] == 1;
    }
    return wins / games;
}

TEST(test_adviser_beats_chance)
{
    struct move_list legal;
    assert_true(move_list_init(&legal, game));
    for (unsigned seats = SEATS_MIN; seats <= SEATS_MAX; seats++)
        assert_true(share_of_wins(seats, 40, &legal) > 0.8);
    move_list_free(&legal);
}

int main(void)
{
    game = catalog_newest(span_of("mall-world"));
    set = game->set;
    return run_all_tests(start_up, NULL);
}
