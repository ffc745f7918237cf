/* What worked cases of Supermarché cannot show: the sentences of refusals, what is conserved in any
 * game, that play accepts exactly what is listed, luck that decisions do not shift, take-backs, and
 * an adviser that plays to win. Views and events have a file of their own. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/supermarche/luck.h"
#include "engine/games/supermarche/move.h"
#include "engine/games/supermarche/sketch.h"
#include "engine/search/policy.h"
#include "tests/engine/games/supermarche/rule_of_thumb.h"
#include "tests/engine/games/supermarche/supermarche_position.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct supermarche_components *set;

FIXTURE(start_up)
{
    game = catalog_newest(span_of("supermarche"));
    return sodium_init() < 0;
}

static void begin_game(struct supermarche_state *state, uint8_t difficulty, uint8_t seed)
{
    struct chance chance = chance_of(seed);
    struct game_options options = {{difficulty}};
    memset(state, 0, sizeof *state);
    game->setup(game, state, 1, &options, &chance);
}

/* ---- Refusals ---- */

/* `before` is played first, "" for nothing; then `move` must be refused and change nothing. */
static const struct refused refusals[] = {
    {"at SALE", "", "jump", "bad-syntax", "This is not a move in the notation."},
    {"at SALE", "", "sale milk", "unknown-food", "There is no such food."},
    {"at SALE", "", "stock dairy r1 1", "unknown-box", "There is no such box."},
    {"at SALE", "", "serve x", "unknown-customer", "There is no such customer."},
    {"at SALE", "", "buy dairy 0", "bad-number",
     "The number must be 1 to 99, without leading zeros."},
    {"at SALE", "", "restock", "restock-not-now", "You cannot restock at this moment."},
    {"at SALE", "", "roll", "wrong-decision", "This move is not for the current decision."},
    {"at DELIVERY\nmoney 9", "buy dairy 1", "buy bakery 1", "wrong-order",
     "Buy foods in board order, each at most once a round."},
    {"at DELIVERY\nmoney 9", "", "buy dairy 11", "out-of-supply",
     "The Distribution Center does not have that many."},
    {"at DELIVERY\nmoney 9\nstock frozen never:10; dry-goods r4:9", "", "buy dairy 2",
     "stock-room-full", "The Stock Room holds at most 20 cubes."},
    {"at DELIVERY\nmoney 9", "", "buy frozen 10", "not-enough-money",
     "You cannot spend more than you have."},
    {"at STOCKING\nstock dairy r3:2 r4:2", "stock dairy r3 1", "stock dairy r3 1", "wrong-order",
     "Move cubes in food order, then box order, each pair once."},
    {"at STOCKING\nstock dairy r3:2", "", "stock dairy r3 3", "not-in-stock",
     "The Stock Room does not have that many with that date."},
    {"at STOCKING\nstock dairy r3:2\nstore frozen never:10; dry-goods r4:4", "", "stock dairy r3 2",
     "store-full", "The Store holds at most 15 cubes."},
    {"row rory lesley mo donna melanie\ndice rory 1,1\nstore dry-goods r4:1\nstock dairy r3:2",
     "serve rory | restock", "stock done", "restock-empty",
     "A restock must move at least one cube."},
    {"at SALE\nused dairy", "", "sale dairy", "sale-used",
     "Each food can be on sale only once a game."},
    {"at SALE\nround 4", "", "sale none", "sale-required",
     "You must put a food on sale now: three different foods in the game."},
    {"", "", "serve mo", "not-face-up", "No face-up customer of that name is waiting."},
    {"", "", "serve rory", "no-dice", "The record does not say how the dice fell."},
    {"row rory lesley mo donna melanie\ndice rory 1,1", "serve rory", "sale  none", "game-over",
     "The game is over."},
};

static void check_refusal(const struct refused *refused)
{
    struct position position;
    load_position(&position, refused->position);
    play_moves(&position, refused->before);
    assert_refused_with(&position.chance, game, &position.state, 0, refused->move, refused->code,
                        refused->message);
}

TEST(test_refusals)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
        check_refusal(&refusals[i]);
}

TEST(test_other_seats_are_refused)
{
    struct position position;
    struct refusal refusal = {"", ""};
    load_position(&position, "at SALE");
    for (unsigned seat = 1; seat < GAME_SEATS_MAX; seat++) {
        assert_false(game->play(game, &position.state, seat, span_of("sale none"), &position.chance,
                                &refusal));
        assert_string_equal(refusal.code, "not-your-turn");
        assert_string_equal(refusal.message, "It is not this seat's decision.");
    }
}

/* ---- Whole games ---- */

static void check_cubes(const struct supermarche_state *state)
{
    for (unsigned food = 0; food < FOODS; food++) {
        unsigned cubes = supermarche_shelf(state, food) +
                         supermarche_sum(state->stock[food], BOXES) + state->supply[food] +
                         state->on_cards[food];
        assert_int_equal(cubes, CUBES);
        for (unsigned box = 0; box < BOXES; box++)
            if ((set->foods[food].store_boxes >> box & 1) == 0)
                assert_int_equal(state->store[food][box] + state->stock[food][box], 0);
    }
    assert_true(supermarche_store_size(state) <= STORE_MAX);
    assert_true(supermarche_stock_size(state) <= STOCK_ROOM_MAX);
}

static void check_cards(const struct supermarche_state *state)
{
    uint32_t customers = 0;
    unsigned costs = 0;
    for (unsigned i = 0; i < CUSTOMERS; i++)
        customers |= UINT32_C(1) << state->deck[i];
    for (unsigned i = 0; i < COST_CARDS; i++)
        costs |= 1u << state->costs[i];
    assert_int_equal(customers, (UINT32_C(1) << CUSTOMERS) - 1);
    assert_int_equal(costs, (1u << COST_CARDS) - 1);
    assert_int_equal(supermarche_cards(state, CARD_SHOPPING), state->shopper != NONE);
    assert_true(supermarche_cards(state, CARD_DISCARDED) <= state->restocked);
}

static unsigned count_sales(const struct supermarche_state *state)
{
    unsigned count = 0;
    for (unsigned food = 0; food < FOODS; food++)
        count += state->sales >> food & 1;
    return count;
}

/* Nothing expired stands on the shelves of a later round, and food on sale was put there. */
static void check_position(const struct supermarche_state *state)
{
    check_cubes(state);
    check_cards(state);
    assert_true(state->point <= AT_OVER);
    assert_true(state->notes > 0 && state->notes < NOTES_MAX);
    assert_true(state->on_sale == NONE || (state->sales >> state->on_sale & 1) != 0);
    assert_true(count_sales(state) + (ROUNDS + 1u - state->round) >= SALES_REQUIRED);
    for (unsigned food = 0; food < FOODS; food++)
        for (unsigned box = BOX_R2; box < BOX_NEVER; box++)
            if (set->boxes[box].expires < state->round)
                assert_int_equal(state->store[food][box] + state->stock[food][box], 0);
}

static void check_end(const struct supermarche_state *state)
{
    struct outcome outcome;
    game->outcome(game, state, &outcome);
    assert_int_equal(outcome.seats, 1);
    assert_int_equal(outcome.rank[0], 1);
    if (state->result == RESULT_COMPLETE) {
        assert_int_equal(outcome.score[0], state->money);
        assert_int_equal(outcome.tie_break[0][0], ROUNDS);
        assert_true(count_sales(state) >= SALES_REQUIRED);
        assert_int_equal(state->round, ROUNDS);
    } else {
        assert_true(state->money < 0 && state->money >= -35);
        assert_int_equal(outcome.score[0], -1);
        assert_int_equal(outcome.tie_break[0][0], state->round - 1);
    }
}

typedef void visitor(void *context, const struct supermarche_state *state,
                     const struct move_list *legal);

/* Plays by rule of thumb, with a move at random once in `luck` plies, and shows every position. */
static unsigned play_through(struct supermarche_state *state, const struct chance *chance,
                             uint32_t luck, visitor *visit, void *context)
{
    struct chance_stream choice;
    struct move_list legal;
    unsigned plies = 0;
    assert_true(move_list_init(&legal, game));
    chance_open(&choice, chance, "test", 0);
    for (; game->deciders(state) != 0; plies++) {
        char bytes[GAME_MOVE_MAX + 1];
        struct text plan = TEXT_OVER(bytes);
        struct refusal refusal = {"", ""};
        move_list_clear(&legal);
        game->legal(game, state, 0, &legal);
        visit(context, state, &legal);
        supermarche_plan(set, state, &plan);
        struct span move = text_span(&plan);
        if (chance_uniform(&choice, luck) == 0)
            move = move_list_get(&legal, chance_uniform(&choice, (uint32_t)legal.count));
        if (!game->play(game, state, 0, move, chance, &refusal))
            fail_msg("%.*s was refused: %s", (int)move.length, move.at, refusal.code);
    }
    move_list_free(&legal);
    return plies;
}

static void visit_checking(void *context, const struct supermarche_state *state,
                           const struct move_list *legal)
{
    size_t *most = context;
    assert_true(legal->count >= 2);
    *most = legal->count > *most ? legal->count : *most;
    check_position(state);
}

TEST(test_conservation)
{
    unsigned complete = 0;
    size_t most = 0;
    for (uint8_t seed = 0; seed < 240; seed++) {
        struct supermarche_state state;
        struct chance chance = chance_of(seed);
        begin_game(&state, seed % DIFFICULTIES, seed);
        unsigned plies = play_through(&state, &chance, 8 + seed % 32, visit_checking, &most);
        check_position(&state);
        check_end(&state);
        assert_true(plies <= 366);
        complete += state.result == RESULT_COMPLETE;
    }
    assert_true(complete > 20); /* else the later rounds were not looked at */
    assert_true(most > 30);
}

struct dice_check {
    const struct chance *chance;
    unsigned rolls;
};

/* Dice that were thrown ahead are the next ones of the shopper's stream. */
static void visit_dice(void *context, const struct supermarche_state *state,
                       const struct move_list *legal)
{
    struct dice_check *check = context;
    const struct supermarche_state none = {.dice_ahead = 0};
    (void)legal;
    assert_true(state->dice_ahead <= DICE_AHEAD && state->dice_ahead % DICE == 0);
    if (state->dice_ahead == 0) {
        assert_memory_equal(state->ahead, none.ahead, sizeof none.ahead);
        return;
    }
    const uint8_t customer = supermarche_customer_at(state, state->shopper);
    struct chance_stream stream;
    chance_open_epoch(&stream, check->chance, set->customers[customer].stream, state->epoch,
                      state->dice_words[customer]);
    for (unsigned i = DICE_AHEAD - state->dice_ahead; i < DICE_AHEAD; i++)
        assert_int_equal(state->ahead[i], 1 + chance_uniform(&stream, 6));
    check->rolls++;
}

TEST(test_dice_thrown_ahead)
{
    unsigned rolls = 0;
    for (uint8_t seed = 0; seed < 40; seed++) {
        struct supermarche_state state;
        struct chance chance = chance_of(seed);
        struct dice_check check = {&chance, 0};
        begin_game(&state, seed % DIFFICULTIES, seed);
        if (seed % 2 == 1)
            game->rekey(game, &state, seed, &chance);
        play_through(&state, &chance, 8, visit_dice, &check);
        rolls += check.rolls;
    }
    assert_true(rolls > 400);
}

/* ---- To the end in thought ---- */

/* Plays by the rules what finish() would play; every move has to be legal. Returns the score. */
static int play_quickly(struct supermarche_state *state, const struct chance *chance)
{
    struct outcome outcome;
    while (game->deciders(state) != 0) {
        char bytes[GAME_MOVE_MAX + 1];
        struct text move = TEXT_OVER(bytes);
        struct refusal refusal = {"", ""};
        supermarche_plan_quickly(set, state, &move);
        if (!game->play(game, state, 0, text_span(&move), chance, &refusal))
            fail_msg("%.*s was refused: %s", (int)move.length, bytes, refusal.code);
    }
    game->outcome(game, state, &outcome);
    return outcome.score[0];
}

static void visit_finishing(void *context, const struct supermarche_state *state,
                            const struct move_list *legal)
{
    struct supermarche_state copy = *state, again = *state;
    const struct chance chance = chance_of((uint8_t)state->money);
    unsigned *finished = context;
    /* The move that it goes on with depends on nothing hidden. */
    game->imagine(game, &again, (struct viewer){VIEWER_SEAT, 0}, &chance);
    assert_int_equal(game->sketch(game, &again, 0, legal), game->sketch(game, state, 0, legal));
    again = *state;
    game->finish(game, &copy, &chance);
    game->finish(game, &again, &chance);
    assert_memory_equal(&copy, &again, sizeof copy);
    assert_int_equal(game->deciders(&copy), 0);
    copy.notes = 1; /* those of the last ply are not kept */
    check_position(&copy);
    check_end(&copy);
    ++*finished;
}

TEST(test_finish_ends_the_game_from_anywhere)
{
    unsigned finished = 0;
    for (uint8_t seed = 0; seed < 20; seed++) {
        struct supermarche_state state;
        struct chance chance = chance_of(seed);
        begin_game(&state, seed % DIFFICULTIES, seed);
        play_through(&state, &chance, 8 + seed, visit_finishing, &finished);
    }
    assert_true(finished > 1000);
}

/* Its own dice are as good as those of the game: over many games the scores are alike. */
TEST(test_finish_plays_as_by_the_rules)
{
    enum { GAMES = 250, NEAR = 10 };
    int finished = 0, played = 0;
    for (unsigned seed = 0; seed < GAMES; seed++) {
        struct supermarche_state state, copy;
        struct outcome outcome;
        const struct chance chance = chance_of((uint8_t)seed);
        begin_game(&state, 0, (uint8_t)seed);
        copy = state;
        game->finish(game, &copy, &chance);
        game->outcome(game, &copy, &outcome);
        finished += outcome.score[0];
        played += play_quickly(&state, &chance);
    }
    assert_in_range(finished, played - NEAR * GAMES, played + NEAR * GAMES);
    assert_true(played > 100 * GAMES);
}

/* ---- Weights of amounts ---- */

/* What the rule of thumb names weighs most, and each cube less of the same kind costs the same. */
static void visit_weighing(void *context, const struct supermarche_state *state,
                           const struct move_list *legal)
{
    int32_t weight[64];
    char bytes[GAME_MOVE_MAX + 1];
    struct text plan = TEXT_OVER(bytes);
    struct supermarche_move planned, move;
    struct refusal refusal;
    unsigned *compared = context;
    supermarche_plan(set, state, &plan);
    size_t best = (size_t)move_list_find(legal, text_span(&plan));
    if (state->point != AT_DELIVERY && state->point != AT_STOCKING && state->point != AT_RESTOCK)
        return;
    game->weigh(game, state, 0, legal, weight);
    assert_int_equal(policy_best(legal, weight), best);
    assert_true(supermarche_read_move(set, text_span(&plan), &planned, &refusal));
    for (size_t i = 0; i < legal->count; i++) {
        assert_true(supermarche_read_move(set, move_list_get(legal, i), &move, &refusal));
        assert_true(i == best || weight[i] < weight[best]);
        if (move.verb != planned.verb || move.food != planned.food || move.box != planned.box ||
            move.number >= planned.number)
            continue;
        int32_t less = (planned.number - move.number) * 600;
        assert_int_equal(weight[i], less < weight[best] ? weight[best] - less : 0);
        ++*compared;
    }
}

TEST(test_amounts_have_graded_weights)
{
    unsigned compared = 0;
    for (uint8_t seed = 0; seed < 20; seed++) {
        struct supermarche_state state;
        struct chance chance = chance_of(seed);
        begin_game(&state, seed % DIFFICULTIES, seed);
        play_through(&state, &chance, 8, visit_weighing, &compared);
    }
    assert_true(compared > 100);
}

/* ---- Exactly what is listed is accepted ---- */

struct trial {
    const struct supermarche_state *state;
    const struct move_list *legal;
    size_t accepted;
};

static void try_move(struct trial *trial, const struct text *move)
{
    struct supermarche_state copy = *trial->state;
    struct chance chance = chance_of(1);
    struct refusal refusal;
    bool accepted = game->play(game, &copy, 0, text_span(move), &chance, &refusal);
    bool listed = move_list_find(trial->legal, text_span(move)) >= 0;
    if (accepted != listed)
        fail_msg("`%s` is %s", move->at, accepted ? "accepted but not listed" : "listed only");
    if (!accepted)
        assert_memory_equal(&copy, trial->state, sizeof copy);
    trial->accepted += accepted;
}

static void try_words(struct trial *trial, const char *first, const char *second, const char *third,
                      unsigned number)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text move = TEXT_OVER(bytes);
    const char *const words[] = {first, second, third};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i] == NULL)
            continue;
        text_add(&move, i > 0 ? " " : "");
        text_add(&move, words[i]);
    }
    if (number > 0) {
        text_add_char(&move, ' ');
        text_add_number(&move, number);
    }
    try_move(trial, &move);
}

static void try_fixed_moves(struct trial *trial)
{
    static const char *const moves[] = {"buy done",   "stock done", "sale none",    "roll",
                                        "restock",    "next",       "initial take", "initial skip",
                                        "pay normal", "pay coupon"};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++)
        try_words(trial, moves[i], NULL, NULL, 0);
    for (unsigned i = 0; i < CUSTOMERS; i++)
        try_words(trial, "serve", set->customers[i].name.at, NULL, 0);
}

/* Every move of the notation with numbers up to 11. */
static void visit_trying(void *context, const struct supermarche_state *state,
                         const struct move_list *legal)
{
    struct trial trial = {state, legal, 0};
    (void)context;
    try_fixed_moves(&trial);
    for (unsigned i = 0; i < FOODS; i++) {
        const char *food = set->foods[i].name.at;
        try_words(&trial, "sale", food, NULL, 0);
        for (unsigned number = 1; number <= CUBES + 1; number++)
            try_words(&trial, "buy", food, NULL, number);
        for (unsigned box = 0; box < BOXES; box++)
            for (unsigned number = 1; number <= CUBES + 1; number++)
                try_words(&trial, "stock", food, set->boxes[box].name.at, number);
    }
    assert_int_equal(trial.accepted, legal->count);
}

TEST(test_play_accepts_exactly_the_list)
{
    for (uint8_t seed = 0; seed < 6; seed++) {
        struct supermarche_state state;
        struct chance chance = chance_of(seed);
        begin_game(&state, seed % DIFFICULTIES, seed);
        play_through(&state, &chance, 10, visit_trying, NULL);
    }
}

/* ---- Luck ---- */

/* What a player learns about the luck of a seed. */
struct luck {
    uint8_t costs[COST_CARDS];
    uint8_t deck[CUSTOMERS];
    unsigned rolls[CUSTOMERS];
    uint8_t roll[CUSTOMERS][5][2];
};

static void read_luck(struct luck *luck, const struct supermarche_state *state)
{
    unsigned customer = 0;
    for (unsigned i = 0; i < state->notes; i++) {
        struct note note = state->note[i];
        if (note.kind == NOTE_SERVED)
            customer = note.a;
        if (note.kind != NOTE_ROLLED)
            continue;
        assert_true(luck->rolls[customer] < 5);
        luck->roll[customer][luck->rolls[customer]][0] = note.a;
        luck->roll[customer][luck->rolls[customer]++][1] = note.b;
    }
}

/* Serves the first or the last who waits, and otherwise plays by rule of thumb; the notes of a ply
 * name the one who shops unless it is the same as before. */
static void play_for_luck(uint8_t seed, uint8_t difficulty, bool last, struct luck *luck)
{
    struct supermarche_state state;
    struct chance chance = chance_of(seed);
    begin_game(&state, difficulty, seed);
    memset(luck, 0, sizeof *luck);
    memcpy(luck->costs, state.costs, sizeof luck->costs);
    memcpy(luck->deck, state.deck, sizeof luck->deck);
    while (game->deciders(&state) != 0) {
        char bytes[GAME_MOVE_MAX + 1];
        struct text move = TEXT_OVER(bytes);
        struct refusal refusal;
        supermarche_plan(set, &state, &move);
        if (last && state.point == AT_CHOOSE) {
            uint8_t position = ROW - 1;
            while (state.row[position] != CARD_UP)
                position--;
            text_clear(&move);
            text_add(&move, "serve ");
            text_add_span(&move, set->customers[supermarche_customer_at(&state, position)].name);
        }
        uint8_t shopper =
            state.shopper == NONE ? NONE : supermarche_customer_at(&state, state.shopper);
        assert_true(game->play(game, &state, 0, text_span(&move), &chance, &refusal));
        if (shopper != NONE) { /* the notes begin in the middle of the trip */
            struct note served = {NOTE_SERVED, shopper, 0, 0};
            struct supermarche_state told = state;
            memmove(told.note + 1, told.note, (NOTES_MAX - 1) * sizeof told.note[0]);
            told.note[0] = served;
            told.notes++;
            read_luck(luck, &told);
        } else {
            read_luck(luck, &state);
        }
    }
}

/* Rulings R5 and R47: one seed is one order of customers, of costs, and of each customer's rolls,
 * whoever plays it and however. */
TEST(test_decisions_do_not_shift_luck)
{
    unsigned compared = 0;
    for (uint8_t seed = 0; seed < 20; seed++) {
        struct luck a;
        struct luck b;
        play_for_luck(seed, 0, false, &a);
        play_for_luck(seed, 1, true, &b);
        assert_memory_equal(a.costs, b.costs, sizeof a.costs);
        assert_memory_equal(a.deck, b.deck, sizeof a.deck);
        for (unsigned customer = 0; customer < CUSTOMERS; customer++) {
            unsigned both =
                a.rolls[customer] < b.rolls[customer] ? a.rolls[customer] : b.rolls[customer];
            assert_memory_equal(a.roll[customer], b.roll[customer], 2 * (size_t)both);
            compared += both;
        }
    }
    assert_true(compared > 300);
}

/* The rolls of one customer are two draws each from that customer's stream. */
TEST(test_dice_are_draws_from_the_stream_of_the_customer)
{
    struct chance chance = chance_of(3);
    struct luck luck;
    play_for_luck(3, 0, false, &luck);
    for (unsigned customer = 0; customer < CUSTOMERS; customer++) {
        struct chance_stream stream;
        chance_open(&stream, &chance, set->customers[customer].stream, 0);
        for (unsigned i = 0; i < luck.rolls[customer]; i++)
            for (unsigned die = 0; die < 2; die++)
                assert_int_equal(luck.roll[customer][i][die], 1 + chance_uniform(&stream, 6));
    }
}

TEST(test_shuffles_are_those_of_the_streams)
{
    struct chance chance = chance_of(4);
    struct supermarche_state state;
    struct chance_stream stream;
    uint8_t customers[CUSTOMERS];
    uint8_t costs[COST_CARDS];
    for (unsigned i = 0; i < CUSTOMERS; i++)
        customers[i] = (uint8_t)i;
    for (unsigned i = 0; i < COST_CARDS; i++)
        costs[i] = (uint8_t)i;
    chance_open(&stream, &chance, "customers", 0);
    chance_shuffle(&stream, customers, CUSTOMERS);
    chance_open(&stream, &chance, "costs", 0);
    chance_shuffle(&stream, costs, COST_CARDS);
    begin_game(&state, 1, 4);
    assert_memory_equal(state.deck, customers, sizeof customers);
    assert_memory_equal(state.costs, costs, sizeof costs);
}

TEST(test_stacks_fix_the_decks)
{
    struct chance_stacks stacks = {.count = 0};
    struct chance chance = {.stacks = &stacks};
    struct game_options options = {{1}};
    struct supermarche_state state = {0};
    assert_true(chance_stack_add(&stacks, span_of("customers"), span_of("dave stu")));
    assert_true(chance_stack_add(&stacks, span_of("costs"), span_of("cost-4 cost-2")));
    game->setup(game, &state, 1, &options, &chance);
    assert_int_equal(state.deck[0], supermarche_customer_named(set, span_of("dave")));
    assert_int_equal(state.deck[1], supermarche_customer_named(set, span_of("stu")));
    assert_int_equal(state.deck[2], 0);
    assert_int_equal(state.costs[0], 3);
    assert_int_equal(state.costs[1], 1);
}

/* ---- Take-backs ---- */

static const char middle[] = "round 2\nrow rory lesley/done mo/up donna/down melanie/discarded\n"
                             "restocked yes\ndice rory 1,1\nstore dry-goods r5:1";

TEST(test_rekey_changes_only_what_nobody_has_seen)
{
    struct position position;
    struct chance chance = chance_of(5);
    load_position(&position, middle);
    struct supermarche_state before = position.state;
    before.dice_words[1] = 4;
    before.dice_ahead = 2;
    before.ahead[DICE_AHEAD - 1] = 6;
    struct supermarche_state after = before;
    game->rekey(game, &after, 1, &chance);
    assert_memory_not_equal(after.deck, before.deck, sizeof before.deck);
    assert_memory_equal(after.deck, before.deck, 8); /* the first round; rory, lesley and mo */
    assert_true(after.deck[8] != before.deck[8] || after.deck[9] != before.deck[9]);
    assert_memory_not_equal(after.costs, before.costs, sizeof before.costs);
    assert_memory_equal(after.costs, before.costs, 2);
    assert_int_equal(after.dice_words[1], 0);
    assert_int_equal(after.dice_ahead, 0);
    check_cards(&after);

    struct supermarche_state other = before;
    game->rekey(game, &other, 2, &chance);
    assert_memory_not_equal(other.deck, after.deck, sizeof after.deck);

    memcpy(after.deck, before.deck, sizeof after.deck);
    memcpy(after.costs, before.costs, sizeof after.costs);
    memcpy(after.dice_words, before.dice_words, sizeof after.dice_words);
    memcpy(after.ahead, before.ahead, sizeof after.ahead);
    after.dice_ahead = before.dice_ahead;
    after.epoch = before.epoch;
    assert_memory_equal(&after, &before, sizeof before);
}

/* The order after a rekey must not depend on the order that was to come before it. */
TEST(test_rekey_forgets_the_old_order)
{
    struct position position;
    struct chance chance = chance_of(6);
    load_position(&position, middle);
    struct supermarche_state a = position.state;
    struct supermarche_state b = a;
    b.deck[8] = a.deck[20];
    b.deck[20] = a.deck[9];
    b.deck[9] = a.deck[8];
    b.costs[2] = a.costs[5];
    b.costs[5] = a.costs[2];
    game->rekey(game, &a, 3, &chance);
    game->rekey(game, &b, 3, &chance);
    assert_memory_equal(&a, &b, sizeof a);
}

TEST(test_dice_follow_the_epoch)
{
    struct supermarche_state state;
    struct chance chance = chance_of(7);
    unsigned same = 0;
    begin_game(&state, 1, 7);
    state.shopper = 0;
    for (unsigned epoch = 1; epoch <= 20; epoch++) {
        struct supermarche_state a = state;
        struct supermarche_state b = state;
        game->rekey(game, &b, epoch, &chance);
        memcpy(b.deck, a.deck, sizeof b.deck);
        assert_true(supermarche_roll(set, &a, &chance) && supermarche_roll(set, &b, &chance));
        same += memcmp(a.dice, b.dice, sizeof a.dice) == 0;
    }
    assert_true(same < 10);
}

/* Discarded cards are turned up at the end, so they stay. */
TEST(test_rekey_keeps_discarded_cards_at_the_end)
{
    struct position position;
    struct chance chance = chance_of(8);
    load_position(&position, middle);
    play_moves(&position, "serve rory"); /* $10 for dry goods */
    position.state.point = AT_OVER;
    uint8_t discarded = position.state.deck[9];
    for (unsigned epoch = 1; epoch < 6; epoch++) {
        game->rekey(game, &position.state, epoch, &chance);
        assert_int_equal(position.state.deck[9], discarded);
    }
}

/* ---- The end ---- */

TEST(test_levels)
{
    static const struct {
        int money;
        const char *level;
    } levels[] = {
        {-35, "defeat"},
        {-1, "defeat"},
        {0, "slightly-less-defeat"},
        {50, "slightly-less-defeat"},
        {51, "very-minor-victory"},
        {100, "very-minor-victory"},
        {101, "minor-victory"},
        {150, "minor-victory"},
        {151, "victory"},
        {200, "victory"},
        {201, "incredible-victory"},
        {250, "incredible-victory"},
        {251, "supreme-victory"},
        {2500, "supreme-victory"},
    };
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        assert_string_equal(supermarche_level(set, levels[i].money)->name.at, levels[i].level);
}

TEST(test_outcome_as_if_the_game_ended_now)
{
    struct position position;
    struct outcome outcome;
    load_position(&position, "round 4\nmoney 77");
    game->outcome(game, &position.state, &outcome);
    assert_int_equal(outcome.seats, 1);
    assert_int_equal(outcome.tie_breaks, 1);
    assert_int_equal(outcome.score[0], 77);
    assert_int_equal(outcome.tie_break[0][0], 3);
    assert_int_equal(outcome.rank[0], 1);
}

/* ---- The adviser ---- */

static int play_with_advice(uint8_t seed, bool advised)
{
    struct supermarche_state state;
    struct chance chance = chance_of(seed);
    struct chance_stream choice;
    struct move_list legal;
    struct outcome outcome;
    assert_true(move_list_init(&legal, game));
    chance_open(&choice, &chance, "test", 0);
    begin_game(&state, 1, seed);
    while (game->deciders(&state) != 0) {
        struct refusal refusal;
        move_list_clear(&legal);
        game->legal(game, &state, 0, &legal);
        size_t i = chance_uniform(&choice, (uint32_t)legal.count);
        if (advised) {
            i = policy_advise(game, &state, 0, &legal);
            assert_true(i < legal.count);
        }
        assert_true(game->play(game, &state, 0, move_list_get(&legal, i), &chance, &refusal));
    }
    game->outcome(game, &state, &outcome);
    move_list_free(&legal);
    return outcome.score[0];
}

TEST(test_adviser_makes_money)
{
    int advised = 0;
    int random = 0;
    for (uint8_t seed = 0; seed < 10; seed++) {
        advised += play_with_advice(seed, true);
        random += play_with_advice(seed, false);
    }
    assert_true(random < 0); /* all went bankrupt */
    assert_true(advised > 10 * 100);
}

int main(void)
{
    game = catalog_newest(span_of("supermarche"));
    set = game->set;
    return run_all_tests(start_up, NULL);
}
