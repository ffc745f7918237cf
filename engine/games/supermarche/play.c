/* Checks and applies a ply. The conditions of a move are tested one by one in the order in which
 * the refusals rank, directly against the position, without the list of legal moves. */
#include <string.h>

#include "engine/game/game.h"
#include "engine/games/supermarche/components.h"
#include "engine/games/supermarche/move.h"
#include "engine/games/supermarche/rules.h"
#include "engine/games/supermarche/turn.h"

/* Reads a move: finds the form with its words, then looks up the names from left to right, and the
 * number last. */

enum sort { END, FOOD, BOX, CUSTOMER, NUMBER, KEYWORD };

enum { WORDS_MAX = 3 };

/* A form with a keyword comes before one with a name in its place. */
static const struct form {
    struct span verb;
    struct span keyword;
    uint8_t meaning; /* enum verb */
    uint8_t count;
    uint8_t sort[WORDS_MAX];
} forms[] = {
    {SPAN_LITERAL("serve"), SPAN_LITERAL(""), VERB_SERVE, 1, {CUSTOMER}},
    {SPAN_LITERAL("initial"), SPAN_LITERAL("take"), VERB_TAKE, 1, {KEYWORD}},
    {SPAN_LITERAL("initial"), SPAN_LITERAL("skip"), VERB_SKIP, 1, {KEYWORD}},
    {SPAN_LITERAL("pay"), SPAN_LITERAL("normal"), VERB_PAY_NORMAL, 1, {KEYWORD}},
    {SPAN_LITERAL("pay"), SPAN_LITERAL("coupon"), VERB_PAY_COUPON, 1, {KEYWORD}},
    {SPAN_LITERAL("buy"), SPAN_LITERAL(""), VERB_BUY, 2, {FOOD, NUMBER}},
    {SPAN_LITERAL("buy"), SPAN_LITERAL("done"), VERB_BUY_DONE, 1, {KEYWORD}},
    {SPAN_LITERAL("stock"), SPAN_LITERAL(""), VERB_STOCK, 3, {FOOD, BOX, NUMBER}},
    {SPAN_LITERAL("stock"), SPAN_LITERAL("done"), VERB_STOCK_DONE, 1, {KEYWORD}},
    {SPAN_LITERAL("sale"), SPAN_LITERAL("none"), VERB_SALE_NONE, 1, {KEYWORD}},
    {SPAN_LITERAL("sale"), SPAN_LITERAL(""), VERB_SALE, 1, {FOOD}},
    {SPAN_LITERAL("restock"), SPAN_LITERAL(""), VERB_RESTOCK, 0, {END}},
    {SPAN_LITERAL("roll"), SPAN_LITERAL(""), VERB_ROLL, 0, {END}},
    {SPAN_LITERAL("next"), SPAN_LITERAL(""), VERB_NEXT, 0, {END}},
};

/* Words are not empty. Most forms have another first letter, which is seen at once. */
static bool is_word(struct span written, struct span word)
{
    return written.at[0] == word.at[0] && span_equal(written, word);
}

static bool has_form(const struct words *words, const struct form *form)
{
    return form->count == words->count - 1 && is_word(words->word[0], form->verb) &&
           (form->sort[0] != KEYWORD || is_word(words->word[1], form->keyword));
}

static const struct form *find_form(const struct words *words)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (has_form(words, &forms[i]))
            return &forms[i];
    return NULL;
}

/* The alphabet is smaller than that of the general notation. */
static bool has_letters_only(struct span text)
{
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-' && c != ' ')
            return false;
    }
    return true;
}

static bool read_number(struct span word, uint8_t *number, struct refusal *refusal)
{
    uint64_t value;
    if (!span_number(word, NUMBER_MAX, &value) || value == 0)
        return refuse(refusal, "bad-number", "The number must be 1 to 99, without leading zeros.");
    *number = (uint8_t)value;
    return true;
}

static bool read_word(const struct supermarche_components *set, enum sort sort, struct span word,
                      struct supermarche_move *move, struct refusal *refusal)
{
    switch (sort) {
    case FOOD:
        move->food = supermarche_food_named(set, word);
        return move->food != NONE || refuse(refusal, "unknown-food", "There is no such food.");
    case BOX:
        move->box = supermarche_box_named(set, word);
        return move->box != NONE || refuse(refusal, "unknown-box", "There is no such box.");
    case CUSTOMER:
        move->customer = supermarche_customer_named(set, word);
        return move->customer != NONE ||
               refuse(refusal, "unknown-customer", "There is no such customer.");
    case NUMBER:
        return read_number(word, &move->number, refusal);
    case KEYWORD:
    case END:
        break;
    }
    return true;
}

static bool read_words(const struct supermarche_components *set, const struct form *form,
                       const struct words *words, struct supermarche_move *move,
                       struct refusal *refusal)
{
    *move = (struct supermarche_move){.verb = (enum verb)form->meaning};
    for (unsigned i = 0; i < form->count; i++)
        if (!read_word(set, (enum sort)form->sort[i], words->word[i + 1], move, refusal))
            return false;
    return true;
}

/* Moves consist of the notation's characters, so only texts that are no move are checked for
 * others. */
bool supermarche_read_move(const struct supermarche_components *set, struct span text,
                           struct supermarche_move *move, struct refusal *refusal)
{
    struct words words;
    const struct form *form = notation_split(text, &words) ? find_form(&words) : NULL;
    if (form != NULL && read_words(set, form, &words, move, refusal))
        return true;
    if (form == NULL || !has_letters_only(text))
        return refuse(refusal, REFUSAL_BAD_SYNTAX, "This is not a move in the notation.");
    return false;
}

typedef const struct refusal *check_result; /* NULL: legal */

static const struct refusal game_over = {REFUSAL_GAME_OVER, "The game is over."};
static const struct refusal not_your_turn = {REFUSAL_NOT_YOUR_TURN,
                                             "It is not this seat's decision."};
static const struct refusal wrong_decision = {"wrong-decision",
                                              "This move is not for the current decision."};
static const struct refusal restock_not_now = {"restock-not-now",
                                               "You cannot restock at this moment."};
static const struct refusal buy_wrong_order = {
    "wrong-order", "Buy foods in board order, each at most once a round."};
static const struct refusal out_of_supply = {"out-of-supply",
                                             "The Distribution Center does not have that many."};
static const struct refusal stock_room_full = {"stock-room-full",
                                               "The Stock Room holds at most 20 cubes."};
static const struct refusal not_enough_money = {"not-enough-money",
                                                "You cannot spend more than you have."};
static const struct refusal stock_wrong_order = {
    "wrong-order", "Move cubes in food order, then box order, each pair once."};
static const struct refusal not_in_stock = {
    "not-in-stock", "The Stock Room does not have that many with that date."};
static const struct refusal store_full = {"store-full", "The Store holds at most 15 cubes."};
static const struct refusal restock_empty = {"restock-empty",
                                             "A restock must move at least one cube."};
static const struct refusal sale_used = {"sale-used", "Each food can be on sale only once a game."};
static const struct refusal sale_required = {
    "sale-required", "You must put a food on sale now: three different foods in the game."};
static const struct refusal not_face_up = {"not-face-up",
                                           "No face-up customer of that name is waiting."};
static const struct refusal no_dice = {"no-dice", "The record does not say how the dice fell."};

static check_result check_buy(const struct supermarche_components *set,
                              const struct supermarche_state *state,
                              const struct supermarche_move *move)
{
    if (move->food < state->next_food)
        return &buy_wrong_order;
    if (move->number > state->supply[move->food])
        return &out_of_supply;
    if (move->number > STOCK_ROOM_MAX - supermarche_stock_size(state))
        return &stock_room_full;
    if ((int)(move->number * supermarche_cost(set, state, move->food)) > state->money)
        return &not_enough_money;
    return NULL;
}

static check_result check_stock(const struct supermarche_components *set,
                                const struct supermarche_state *state,
                                const struct supermarche_move *move)
{
    (void)set;
    if (PAIR(move->food, move->box) < state->next_pair)
        return &stock_wrong_order;
    if (move->number > state->stock[move->food][move->box])
        return &not_in_stock;
    if (move->number > STORE_MAX - supermarche_store_size(state))
        return &store_full;
    return NULL;
}

static check_result check_stock_done(const struct supermarche_components *set,
                                     const struct supermarche_state *state,
                                     const struct supermarche_move *move)
{
    (void)set;
    (void)move;
    return state->point == AT_RESTOCK && state->next_pair == 0 ? &restock_empty : NULL;
}

static check_result check_sale(const struct supermarche_components *set,
                               const struct supermarche_state *state,
                               const struct supermarche_move *move)
{
    (void)set;
    return (state->sales >> move->food & 1) != 0 ? &sale_used : NULL;
}

static check_result check_sale_none(const struct supermarche_components *set,
                                    const struct supermarche_state *state,
                                    const struct supermarche_move *move)
{
    (void)set;
    (void)move;
    return supermarche_may_skip_sale(state) ? NULL : &sale_required;
}

/* The position of a waiting customer, or NONE. */
static uint8_t find_waiting(const struct supermarche_state *state, uint8_t customer)
{
    for (unsigned position = 0; position < ROW; position++)
        if (state->row[position] == CARD_UP && supermarche_customer_at(state, position) == customer)
            return (uint8_t)position;
    return NONE;
}

static check_result check_serve(const struct supermarche_components *set,
                                const struct supermarche_state *state,
                                const struct supermarche_move *move)
{
    (void)set;
    return find_waiting(state, move->customer) == NONE ? &not_face_up : NULL;
}

static check_result check_nothing(const struct supermarche_components *set,
                                  const struct supermarche_state *state,
                                  const struct supermarche_move *move)
{
    (void)set;
    (void)state;
    (void)move;
    return NULL;
}

#define AT(point) (1u << AT_##point)

/* The decision points that a verb answers, and its conditions. */
static const struct duty {
    uint32_t points;
    check_result (*check)(const struct supermarche_components *set,
                          const struct supermarche_state *state,
                          const struct supermarche_move *move);
} duties[] = {
    [VERB_BUY] = {AT(DELIVERY), check_buy},
    [VERB_BUY_DONE] = {AT(DELIVERY), check_nothing},
    [VERB_STOCK] = {AT(STOCKING) | AT(RESTOCK), check_stock},
    [VERB_STOCK_DONE] = {AT(STOCKING) | AT(RESTOCK), check_stock_done},
    [VERB_SALE] = {AT(SALE), check_sale},
    [VERB_SALE_NONE] = {AT(SALE), check_sale_none},
    [VERB_SERVE] = {AT(CHOOSE), check_serve},
    [VERB_TAKE] = {AT(INITIAL), check_nothing},
    [VERB_SKIP] = {AT(INITIAL), check_nothing},
    [VERB_ROLL] = {AT(ROLL), check_nothing},
    [VERB_RESTOCK] = {AT(ROLL) | AT(BETWEEN), check_nothing},
    [VERB_PAY_NORMAL] = {AT(PAY), check_nothing},
    [VERB_PAY_COUPON] = {AT(PAY), check_nothing},
    [VERB_NEXT] = {AT(BETWEEN), check_nothing},
};

static check_result check(const struct supermarche_components *set,
                          const struct supermarche_state *state,
                          const struct supermarche_move *move)
{
    const struct duty *duty = &duties[move->verb];
    if ((duty->points >> state->point & 1) == 0)
        return move->verb == VERB_RESTOCK ? &restock_not_now : &wrong_decision;
    return duty->check(set, state, move);
}

static void apply_buy(const struct supermarche_components *set, struct supermarche_state *state,
                      const struct supermarche_move *move)
{
    unsigned cost = supermarche_cost(set, state, move->food);
    uint8_t *stock =
        &state->stock[move->food][set->foods[move->food].purchase_box[state->round - 1]];
    state->money = (int16_t)(state->money - (int)(move->number * cost));
    state->supply[move->food] = (uint8_t)(state->supply[move->food] - move->number);
    *stock = (uint8_t)(*stock + move->number);
    state->next_food = (uint8_t)(move->food + 1);
    supermarche_note(state, NOTE_BOUGHT, move->food, move->number, cost);
}

static void apply_initial(const struct supermarche_components *set, struct supermarche_state *state,
                          bool take)
{
    if (take)
        supermarche_sell(set, state, state->on_sale);
    else
        supermarche_note(state, NOTE_INITIAL_SKIPPED, 0, 0, 0);
    state->point = AT_BEFORE_ROLL;
}

static void add_name(struct text *out, struct span name)
{
    text_add_char(out, ' ');
    text_add_span(out, name);
}

static void add_number(struct text *out, unsigned number)
{
    text_add_char(out, ' ');
    text_add_number(out, number);
}

void supermarche_write_move(const struct supermarche_components *set,
                            const struct supermarche_move *move, struct text *out)
{
    static const char *const words[] = {
        [VERB_BUY] = "buy",           [VERB_BUY_DONE] = "buy done",
        [VERB_STOCK] = "stock",       [VERB_STOCK_DONE] = "stock done",
        [VERB_SALE] = "sale",         [VERB_SALE_NONE] = "sale none",
        [VERB_SERVE] = "serve",       [VERB_TAKE] = "initial take",
        [VERB_SKIP] = "initial skip", [VERB_ROLL] = "roll",
        [VERB_RESTOCK] = "restock",   [VERB_PAY_NORMAL] = "pay normal",
        [VERB_NEXT] = "next",         [VERB_PAY_COUPON] = "pay coupon"};
    text_add(out, words[move->verb]);
    if (move->verb == VERB_BUY || move->verb == VERB_STOCK || move->verb == VERB_SALE)
        add_name(out, set->foods[move->food].name);
    if (move->verb == VERB_STOCK)
        add_name(out, set->boxes[move->box].name);
    if (move->verb == VERB_SERVE)
        add_name(out, set->customers[move->customer].name);
    if (move->verb == VERB_BUY || move->verb == VERB_STOCK)
        add_number(out, move->number);
}

void supermarche_apply(const struct supermarche_components *set, struct supermarche_state *state,
                       const struct supermarche_move *move)
{
    switch (move->verb) {
    case VERB_BUY:
        apply_buy(set, state, move);
        break;
    case VERB_BUY_DONE:
    case VERB_STOCK_DONE:
        supermarche_end_phase(state);
        break;
    case VERB_STOCK:
        supermarche_move_cubes(state, move->food, move->box, move->number, NOTE_STOCKED);
        break;
    case VERB_SALE:
        supermarche_put_on_sale(state, move->food);
        break;
    case VERB_SALE_NONE:
        supermarche_put_on_sale(state, NONE);
        break;
    case VERB_SERVE:
        supermarche_serve(set, state, find_waiting(state, move->customer));
        break;
    case VERB_TAKE:
    case VERB_SKIP:
        apply_initial(set, state, move->verb == VERB_TAKE);
        break;
    case VERB_ROLL:
        state->point = AT_DICE;
        break;
    case VERB_RESTOCK:
        supermarche_restock(set, state);
        break;
    case VERB_PAY_NORMAL:
    case VERB_PAY_COUPON:
        supermarche_resolve(set, state, move->verb == VERB_PAY_COUPON);
        break;
    case VERB_NEXT:
        supermarche_note(state, NOTE_NO_RESTOCK, 0, 0, 0);
        state->point = AT_FLIP;
        break;
    }
}

static bool carry_out(const struct supermarche_components *set, struct supermarche_state *state,
                      const struct supermarche_move *move, const struct chance *chance)
{
    supermarche_forget_notes(state);
    supermarche_apply(set, state, move);
    return supermarche_advance(set, state, chance);
}

static bool refuse_with(struct refusal *refusal, check_result reason)
{
    *refusal = *reason;
    return false;
}

/* Fixed dice can run out during the automatic steps of a ply, so it is tried on a copy first. */
static bool play_with_fixed_dice(const struct supermarche_components *set,
                                 struct supermarche_state *state,
                                 const struct supermarche_move *move, const struct chance *chance,
                                 struct refusal *refusal)
{
    struct supermarche_state trial = *state;
    if (!carry_out(set, &trial, move, chance))
        return refuse_with(refusal, &no_dice);
    *state = trial;
    return true;
}

uint32_t supermarche_deciders(const void *opaque)
{
    const struct supermarche_state *state = opaque;
    return state->point == AT_OVER ? 0 : 1;
}

bool supermarche_play(const struct game *game, void *opaque, unsigned seat, struct span text,
                      const struct chance *chance, struct refusal *refusal)
{
    struct supermarche_state *state = opaque;
    const struct supermarche_components *set = game->set;
    struct supermarche_move move = {.verb = VERB_BUY};
    if (state->point == AT_OVER)
        return refuse_with(refusal, &game_over);
    if (seat != 0)
        return refuse_with(refusal, &not_your_turn);
    if (!supermarche_read_move(set, text, &move, refusal))
        return false;
    check_result reason = check(set, state, &move);
    if (reason != NULL)
        return refuse_with(refusal, reason);
    if (chance->stacks != NULL)
        return play_with_fixed_dice(set, state, &move, chance, refusal);
    return carry_out(set, state, &move, chance);
}
