/* Describes what a ply did, from its notes in the state: one event for each note, in order, with
 * data for a program and a sentence for a person. Nothing here is private: notes name a card only
 * once it is face up. */
#include "engine/game/view_parts.h"
#include "engine/games/supermarche/rules.h"

static void set_food(const struct supermarche_components *set, struct telling *telling,
                     unsigned food)
{
    telling_set_name(telling, "food", set->foods[food].name);
}

static void set_box(const struct supermarche_components *set, struct telling *telling, unsigned box)
{
    telling_set_name(telling, "box", set->boxes[box].name);
}

static void set_customer(const struct supermarche_components *set, struct telling *telling,
                         unsigned customer)
{
    telling_set_name(telling, "customer", set->customers[customer].name);
}

static void say_money(struct telling *telling, int dollars)
{
    telling_say(telling, "$");
    telling_say_number(telling, dollars);
}

/* `3 Dry Goods` */
static void say_cubes(const struct supermarche_components *set, struct telling *telling, int number,
                      unsigned food)
{
    telling_say_number(telling, number);
    telling_say(telling, " ");
    telling_say(telling, set->foods[food].title);
}

static void say_box(const struct supermarche_components *set, struct telling *telling, unsigned box)
{
    telling_say(telling, " (");
    telling_say(telling, set->boxes[box].title);
    telling_say(telling, ")");
}

static void say_customer(const struct supermarche_components *set, struct telling *telling,
                         unsigned customer)
{
    telling_say(telling, set->customers[customer].title);
}

/* An event whose subject is the one player. */
static void begin_with_player(struct telling *telling, const char *kind, const char *words)
{
    telling_begin_with_seat(telling, kind, 0);
    telling_say(telling, words);
}

static void tell_bought(const struct supermarche_components *set, struct telling *telling,
                        struct note note)
{
    begin_with_player(telling, "buy", " buys ");
    set_food(set, telling, note.a);
    telling_set_number(telling, "cubes", note.b);
    telling_set_number(telling, "cost", note.b * note.c);
    say_cubes(set, telling, note.b, note.a);
    telling_say(telling, " for ");
    say_money(telling, note.b * note.c);
    telling_finish(telling);
}

static void tell_stocked(const struct supermarche_components *set, struct telling *telling,
                         struct note note)
{
    bool automatic = note.kind == NOTE_AUTO_STOCKED;
    begin_with_player(telling, automatic ? "auto_stock" : "stock", " moves ");
    set_food(set, telling, note.a);
    set_box(set, telling, note.b);
    telling_set_number(telling, "cubes", note.c);
    say_cubes(set, telling, note.c, note.a);
    say_box(set, telling, note.b);
    telling_say(telling, " to the Store");
    if (automatic)
        telling_say(telling, ", the only cube that can move");
    telling_finish(telling);
}

static void tell_phase_end(const struct supermarche_components *set, struct telling *telling,
                           struct note note)
{
    (void)set;
    telling_begin(telling, "phase_end");
    telling_set_name(telling, "phase", span_of(supermarche_point_name(note.a)));
    if (note.a == AT_DELIVERY)
        telling_say(telling, "The purchases are over");
    else if (note.a == AT_STOCKING)
        telling_say(telling, "The shelves are stocked");
    else
        telling_say(telling, "The restock is over");
    telling_finish(telling);
}

static void tell_sale(const struct supermarche_components *set, struct telling *telling,
                      struct note note)
{
    if (note.a == NONE) {
        begin_with_player(telling, "no_sale", " puts nothing on sale this round");
        telling_finish(telling);
        return;
    }
    begin_with_player(telling, "sale", " puts ");
    set_food(set, telling, note.a);
    telling_set_number(telling, "price", set->foods[note.a].sale_price);
    telling_say(telling, set->foods[note.a].title);
    telling_say(telling, " on sale at ");
    say_money(telling, set->foods[note.a].sale_price);
    telling_finish(telling);
}

static void tell_served(const struct supermarche_components *set, struct telling *telling,
                        struct note note)
{
    begin_with_player(telling, "serve", " serves ");
    set_customer(set, telling, note.a);
    say_customer(set, telling, note.a);
    telling_finish(telling);
}

static void tell_rolled(const struct supermarche_components *set, struct telling *telling,
                        struct note note)
{
    (void)set;
    telling_begin(telling, "roll");
    telling_set(telling, "dice", json_pack("[i,i]", (int)note.a, (int)note.b));
    telling_set_number(telling, "total", note.a + note.b);
    telling_say(telling, "The dice show ");
    telling_say_number(telling, note.a);
    telling_say(telling, " and ");
    telling_say_number(telling, note.b);
    telling_say(telling, ": ");
    telling_say_number(telling, note.a + note.b);
    telling_finish(telling);
}

static void tell_sold(const struct supermarche_components *set, struct telling *telling,
                      struct note note)
{
    telling_begin(telling, "sell");
    set_food(set, telling, note.a);
    set_box(set, telling, note.b);
    telling_set_number(telling, "price", note.c);
    say_cubes(set, telling, 1, note.a);
    say_box(set, telling, note.b);
    telling_say(telling, " is sold for ");
    say_money(telling, note.c);
    telling_finish(telling);
}

static void tell_coupon(const struct supermarche_components *set, struct telling *telling,
                        struct note note)
{
    (void)set;
    telling_begin(telling, "coupon");
    telling_set_number(telling, "discount", note.a);
    telling_say(telling, "The coupon takes ");
    say_money(telling, note.a);
    telling_say(telling, " off");
    telling_finish(telling);
}

static void tell_completed(const struct supermarche_components *set, struct telling *telling,
                           struct note note)
{
    telling_begin(telling, "complete");
    set_customer(set, telling, note.a);
    telling_set_number(telling, "bonus", note.b);
    say_customer(set, telling, note.a);
    telling_say(telling, " leaves with a full cart");
    if (note.b > 0) {
        telling_say(telling, " and a bonus of ");
        say_money(telling, note.b);
    }
    telling_finish(telling);
}

static void tell_failed(const struct supermarche_components *set, struct telling *telling,
                        struct note note)
{
    telling_begin(telling, "fail");
    set_customer(set, telling, note.a);
    telling_set_number(telling, "penalty", note.b);
    telling_set_number(telling, "refund", note.c);
    say_customer(set, telling, note.a);
    telling_say(telling, " does not find everything: penalty ");
    say_money(telling, note.b);
    telling_say(telling, ", refund ");
    say_money(telling, note.c);
    telling_finish(telling);
}

static void tell_left(const struct supermarche_components *set, struct telling *telling,
                      struct note note)
{
    telling_begin(telling, "leave");
    set_customer(set, telling, note.a);
    telling_set_number(telling, "penalty", note.b);
    telling_say(telling, "A restock ends the trip of ");
    say_customer(set, telling, note.a);
    telling_say(telling, ": penalty ");
    say_money(telling, note.b);
    telling_finish(telling);
}

static void tell_discarded(const struct supermarche_components *set, struct telling *telling,
                           struct note note)
{
    (void)set;
    telling_begin(telling, "discard_unseen");
    telling_set_number(telling, "position", note.a + 1);
    telling_say(telling, "For a restock, the card in position ");
    telling_say_number(telling, note.a + 1);
    telling_say(telling, " is discarded unseen");
    telling_finish(telling);
}

static void tell_flipped(const struct supermarche_components *set, struct telling *telling,
                         struct note note)
{
    telling_begin(telling, "flip");
    telling_set_number(telling, "position", note.a + 1);
    set_customer(set, telling, note.b);
    say_customer(set, telling, note.b);
    telling_say(telling, " is turned up in position ");
    telling_say_number(telling, note.a + 1);
    telling_finish(telling);
}

static void tell_returned(const struct supermarche_components *set, struct telling *telling,
                          struct note note)
{
    telling_begin(telling, "return");
    set_food(set, telling, note.a);
    telling_set_number(telling, "cubes", note.b);
    telling_say(telling, "Back from customer cards to the Distribution Center: ");
    say_cubes(set, telling, note.b, note.a);
    telling_finish(telling);
}

static void tell_wasted(const struct supermarche_components *set, struct telling *telling,
                        struct note note)
{
    telling_begin(telling, "expire");
    set_food(set, telling, note.a);
    set_box(set, telling, note.b);
    telling_set_number(telling, "cubes", note.c);
    telling_say(telling, "Thrown away: ");
    say_cubes(set, telling, note.c, note.a);
    say_box(set, telling, note.b);
    telling_finish(telling);
}

static void tell_waste_paid(const struct supermarche_components *set, struct telling *telling,
                            struct note note)
{
    (void)set;
    telling_begin(telling, "waste");
    telling_set_number(telling, "fee", note.a);
    telling_say(telling, "Throwing food away costs ");
    say_money(telling, note.a);
    telling_finish(telling);
}

static void tell_round(const struct supermarche_components *set, struct telling *telling,
                       struct note note)
{
    (void)set;
    telling_begin(telling, "deal");
    telling_set_number(telling, "round", note.a);
    telling_say(telling, "Round ");
    telling_say_number(telling, note.a);
    telling_say(telling, " begins: five customers are dealt");
    telling_finish(telling);
}

static void tell_cost_card(const struct supermarche_components *set, struct telling *telling,
                           struct note note)
{
    const struct supermarche_cost_card *card = &set->cost_cards[note.a];
    json_t *costs = json_object();
    const char *comma = "The costs of this round: ";
    telling_begin(telling, "cost_card");
    telling_set_name(telling, "card", card->name);
    for (unsigned food = 0; food < FOODS; food++) {
        json_object_set_new(costs, set->foods[food].name.at, json_integer(card->cost[food]));
        telling_say(telling, comma);
        telling_say(telling, set->foods[food].title);
        telling_say(telling, " ");
        say_money(telling, card->cost[food]);
        comma = ", ";
    }
    telling_set(telling, "costs", costs);
    telling_finish(telling);
}

static void tell_over(const struct supermarche_components *set, struct telling *telling,
                      struct note note)
{
    (void)set;
    telling_begin(telling, "game_over");
    telling_set_name(telling, "result", span_of(supermarche_result_name(note.a)));
    telling_say(telling, note.a == RESULT_COMPLETE ? "The game is over: six rounds are played"
                                                   : "Money is below $0: the store closes down");
    telling_finish(telling);
}

static void tell_skipped(const struct supermarche_components *set, struct telling *telling,
                         struct note note)
{
    (void)set;
    (void)note;
    begin_with_player(telling, "initial_skip", " offers no food on sale before the first roll");
    telling_finish(telling);
}

static void tell_no_restock(const struct supermarche_components *set, struct telling *telling,
                            struct note note)
{
    (void)set;
    (void)note;
    begin_with_player(telling, "next", " continues without a restock");
    telling_finish(telling);
}

static void (*const tellers[])(const struct supermarche_components *set, struct telling *telling,
                               struct note note) = {
    [NOTE_BOUGHT] = tell_bought,
    [NOTE_STOCKED] = tell_stocked,
    [NOTE_AUTO_STOCKED] = tell_stocked,
    [NOTE_PHASE_END] = tell_phase_end,
    [NOTE_SALE] = tell_sale,
    [NOTE_SERVED] = tell_served,
    [NOTE_INITIAL_SKIPPED] = tell_skipped,
    [NOTE_ROLLED] = tell_rolled,
    [NOTE_SOLD] = tell_sold,
    [NOTE_COUPON] = tell_coupon,
    [NOTE_COMPLETED] = tell_completed,
    [NOTE_FAILED] = tell_failed,
    [NOTE_LEFT] = tell_left,
    [NOTE_DISCARDED] = tell_discarded,
    [NOTE_NO_RESTOCK] = tell_no_restock,
    [NOTE_FLIPPED] = tell_flipped,
    [NOTE_RETURNED] = tell_returned,
    [NOTE_WASTED] = tell_wasted,
    [NOTE_WASTE_PAID] = tell_waste_paid,
    [NOTE_ROUND] = tell_round,
    [NOTE_COST_CARD] = tell_cost_card,
    [NOTE_OVER] = tell_over,
};

json_t *supermarche_events(const struct game *game, const void *before, const void *after,
                           const struct ply *ply, struct viewer viewer)
{
    const struct supermarche_state *state = after;
    const struct supermarche_components *set = game->set;
    struct telling telling;
    (void)before;
    telling_init(&telling, after, ply, viewer);
    for (unsigned i = 0; i < state->notes; i++)
        tellers[state->note[i].kind](set, &telling, state->note[i]);
    return telling.list;
}
