/* What a ply did, told from the notes that it left in the state: one event for each, in order, with
 * data for a program and a sentence for a person. Nothing here is private: notes name a card only
 * once it lies face up. */
#include "engine/games/supermarche/rules.h"

struct teller {
    json_t *list;
    json_t *event; /* being put together */
    struct text text;
    char bytes[256];
};

static void set_name(const struct teller *teller, const char *key, struct span name)
{
    json_object_set_new(teller->event, key, json_stringn(name.at, name.length));
}

static void set_number(const struct teller *teller, const char *key, int number)
{
    json_object_set_new(teller->event, key, json_integer(number));
}

static void set_food(const struct teller *teller, unsigned food)
{
    set_name(teller, "food", supermarche_foods[food].name);
}

static void set_box(const struct teller *teller, unsigned box)
{
    set_name(teller, "box", supermarche_boxes[box].name);
}

static void set_customer(const struct teller *teller, unsigned customer)
{
    set_name(teller, "customer", supermarche_customers[customer].name);
}

static void say(struct teller *teller, const char *words)
{
    text_add(&teller->text, words);
}

static void say_number(struct teller *teller, int number)
{
    text_add_number(&teller->text, number);
}

static void say_money(struct teller *teller, int dollars)
{
    say(teller, "$");
    say_number(teller, dollars);
}

/* `3 Dry Goods` */
static void say_cubes(struct teller *teller, int number, unsigned food)
{
    say_number(teller, number);
    say(teller, " ");
    say(teller, supermarche_foods[food].title);
}

static void say_box(struct teller *teller, unsigned box)
{
    say(teller, " (");
    say(teller, supermarche_boxes[box].title);
    say(teller, ")");
}

static void say_customer(struct teller *teller, unsigned customer)
{
    say(teller, supermarche_customers[customer].title);
}

static void begin(struct teller *teller, const char *kind)
{
    teller->event = json_object();
    teller->text = TEXT_OVER(teller->bytes);
    json_object_set_new(teller->event, "kind", json_string(kind));
}

/* An event of which the seat is the subject. */
static void begin_with_seat(struct teller *teller, const char *kind, const char *words)
{
    begin(teller, kind);
    set_number(teller, "seat", 0);
    say(teller, "{seat 0} ");
    say(teller, words);
}

static void finish(struct teller *teller)
{
    say(teller, ".");
    assert(!teller->text.overflow);
    json_object_set_new(teller->event, "text", json_string(teller->bytes));
    json_array_append_new(teller->list, teller->event);
}

static void tell_bought(struct teller *teller, struct note note)
{
    begin_with_seat(teller, "buy", "buys ");
    set_food(teller, note.a);
    set_number(teller, "cubes", note.b);
    set_number(teller, "cost", note.b * note.c);
    say_cubes(teller, note.b, note.a);
    say(teller, " for ");
    say_money(teller, note.b * note.c);
    finish(teller);
}

static void tell_stocked(struct teller *teller, struct note note)
{
    bool automatic = note.kind == NOTE_AUTO_STOCKED;
    begin_with_seat(teller, automatic ? "auto_stock" : "stock", "moves ");
    set_food(teller, note.a);
    set_box(teller, note.b);
    set_number(teller, "cubes", note.c);
    say_cubes(teller, note.c, note.a);
    say_box(teller, note.b);
    say(teller, " to the Store");
    if (automatic)
        say(teller, ", the only cube that can move");
    finish(teller);
}

static void tell_phase_end(struct teller *teller, struct note note)
{
    begin(teller, "phase_end");
    set_name(teller, "phase", span_of(supermarche_point_name(note.a)));
    if (note.a == AT_DELIVERY)
        say(teller, "The purchases are over");
    else if (note.a == AT_STOCKING)
        say(teller, "The shelves are stocked");
    else
        say(teller, "The restock is over");
    finish(teller);
}

static void tell_sale(struct teller *teller, struct note note)
{
    if (note.a == NONE) {
        begin_with_seat(teller, "no_sale", "puts nothing on sale this round");
        finish(teller);
        return;
    }
    begin_with_seat(teller, "sale", "puts ");
    set_food(teller, note.a);
    set_number(teller, "price", supermarche_foods[note.a].sale_price);
    say(teller, supermarche_foods[note.a].title);
    say(teller, " on sale at ");
    say_money(teller, supermarche_foods[note.a].sale_price);
    finish(teller);
}

static void tell_served(struct teller *teller, struct note note)
{
    begin_with_seat(teller, "serve", "serves ");
    set_customer(teller, note.a);
    say_customer(teller, note.a);
    finish(teller);
}

static void tell_rolled(struct teller *teller, struct note note)
{
    begin(teller, "roll");
    json_object_set_new(teller->event, "dice", json_pack("[i,i]", (int)note.a, (int)note.b));
    set_number(teller, "total", note.a + note.b);
    say(teller, "The dice show ");
    say_number(teller, note.a);
    say(teller, " and ");
    say_number(teller, note.b);
    say(teller, ": ");
    say_number(teller, note.a + note.b);
    finish(teller);
}

static void tell_sold(struct teller *teller, struct note note)
{
    begin(teller, "sell");
    set_food(teller, note.a);
    set_box(teller, note.b);
    set_number(teller, "price", note.c);
    say_cubes(teller, 1, note.a);
    say_box(teller, note.b);
    say(teller, " is sold for ");
    say_money(teller, note.c);
    finish(teller);
}

static void tell_coupon(struct teller *teller, struct note note)
{
    begin(teller, "coupon");
    set_number(teller, "discount", note.a);
    say(teller, "The coupon takes ");
    say_money(teller, note.a);
    say(teller, " off");
    finish(teller);
}

static void tell_completed(struct teller *teller, struct note note)
{
    begin(teller, "complete");
    set_customer(teller, note.a);
    set_number(teller, "bonus", note.b);
    say_customer(teller, note.a);
    say(teller, " leaves with a full cart");
    if (note.b > 0) {
        say(teller, " and a bonus of ");
        say_money(teller, note.b);
    }
    finish(teller);
}

static void tell_failed(struct teller *teller, struct note note)
{
    begin(teller, "fail");
    set_customer(teller, note.a);
    set_number(teller, "penalty", note.b);
    set_number(teller, "refund", note.c);
    say_customer(teller, note.a);
    say(teller, " does not find everything: penalty ");
    say_money(teller, note.b);
    say(teller, ", refund ");
    say_money(teller, note.c);
    finish(teller);
}

static void tell_left(struct teller *teller, struct note note)
{
    begin(teller, "leave");
    set_customer(teller, note.a);
    set_number(teller, "penalty", note.b);
    say(teller, "A restock ends the trip of ");
    say_customer(teller, note.a);
    say(teller, ": penalty ");
    say_money(teller, note.b);
    finish(teller);
}

static void tell_discarded(struct teller *teller, struct note note)
{
    begin(teller, "discard_unseen");
    set_number(teller, "position", note.a + 1);
    say(teller, "For a restock, the card in position ");
    say_number(teller, note.a + 1);
    say(teller, " is discarded unseen");
    finish(teller);
}

static void tell_flipped(struct teller *teller, struct note note)
{
    begin(teller, "flip");
    set_number(teller, "position", note.a + 1);
    set_customer(teller, note.b);
    say_customer(teller, note.b);
    say(teller, " is turned up in position ");
    say_number(teller, note.a + 1);
    finish(teller);
}

static void tell_returned(struct teller *teller, struct note note)
{
    begin(teller, "return");
    set_food(teller, note.a);
    set_number(teller, "cubes", note.b);
    say_cubes(teller, note.b, note.a);
    say(teller, " from customer cards to the Distribution Center");
    finish(teller);
}

static void tell_wasted(struct teller *teller, struct note note)
{
    begin(teller, "expire");
    set_food(teller, note.a);
    set_box(teller, note.b);
    set_number(teller, "cubes", note.c);
    say_cubes(teller, note.c, note.a);
    say_box(teller, note.b);
    say(teller, " is thrown away");
    finish(teller);
}

static void tell_waste_paid(struct teller *teller, struct note note)
{
    begin(teller, "waste");
    set_number(teller, "fee", note.a);
    say(teller, "Throwing food away costs ");
    say_money(teller, note.a);
    finish(teller);
}

static void tell_round(struct teller *teller, struct note note)
{
    begin(teller, "deal");
    set_number(teller, "round", note.a);
    say(teller, "Round ");
    say_number(teller, note.a);
    say(teller, " begins: five customers are dealt");
    finish(teller);
}

static void tell_cost_card(struct teller *teller, struct note note)
{
    const struct supermarche_cost_card *card = &supermarche_cost_cards[note.a];
    json_t *costs = json_object();
    const char *comma = "The costs of this round: ";
    begin(teller, "cost_card");
    set_name(teller, "card", card->name);
    for (unsigned food = 0; food < FOODS; food++) {
        json_object_set_new(costs, supermarche_foods[food].name.at, json_integer(card->cost[food]));
        say(teller, comma);
        say(teller, supermarche_foods[food].title);
        say(teller, " ");
        say_money(teller, card->cost[food]);
        comma = ", ";
    }
    json_object_set_new(teller->event, "costs", costs);
    finish(teller);
}

static void tell_over(struct teller *teller, struct note note)
{
    begin(teller, "game_over");
    set_name(teller, "result", span_of(supermarche_result_name(note.a)));
    say(teller, note.a == RESULT_COMPLETE ? "The game is over: six rounds are played"
                                          : "Money is below $0: the store closes down");
    finish(teller);
}

static void tell_skipped(struct teller *teller, struct note note)
{
    (void)note;
    begin_with_seat(teller, "initial_skip", "offers no food on sale before the first roll");
    finish(teller);
}

static void tell_no_restock(struct teller *teller, struct note note)
{
    (void)note;
    begin_with_seat(teller, "next", "goes on without a restock");
    finish(teller);
}

static void (*const tellers[])(struct teller *teller, struct note note) = {
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

json_t *supermarche_events(const void *before, const void *after, const struct ply *ply,
                           struct viewer viewer)
{
    const struct supermarche_state *state = after;
    struct teller teller = {.list = json_array()};
    (void)before;
    (void)ply;
    (void)viewer;
    for (unsigned i = 0; i < state->notes; i++)
        tellers[state->note[i].kind](&teller, state->note[i]);
    return teller.list;
}
