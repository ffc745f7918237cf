/* What a ply did, told from the notes that it left in the state: one event for each, in order, with
 * data for a program and a sentence for a person. All that is noted happened in the open; the one
 * thing that did not is a bid while others are missing: it leaves no note, is told to its bidder,
 * and nobody else is told anything. */
#include <string.h>

#include "engine/games/mall-world/rules.h"

struct teller {
    const struct mall_world_state *state;
    unsigned next; /* note to be told */
    json_t *list;
    json_t *event; /* being put together */
    struct text text;
    char bytes[1024];
};

/* ---- Data ---- */

static void set_name(const struct teller *teller, const char *key, struct span name)
{
    json_object_set_new(teller->event, key, json_stringn(name.at, name.length));
}

static void set_number(const struct teller *teller, const char *key, int64_t number)
{
    json_object_set_new(teller->event, key, json_integer(number));
}

/* ---- Words ---- */

static void say(struct teller *teller, const char *words)
{
    text_add(&teller->text, words);
}

static void say_span(struct teller *teller, struct span words)
{
    text_add_span(&teller->text, words);
}

static void say_seat(struct teller *teller, unsigned seat)
{
    say(teller, "{seat ");
    text_add_number(&teller->text, seat);
    say(teller, "}");
}

static void say_number(struct teller *teller, int64_t number)
{
    text_add_number(&teller->text, number);
}

static void say_coins(struct teller *teller, unsigned coins)
{
    say_number(teller, coins);
    say(teller, coins == 1 ? " coin" : " coins");
}

/* ---- Both ---- */

static void tell_seat(struct teller *teller, unsigned seat)
{
    set_number(teller, "seat", seat);
    say_seat(teller, seat);
}

static void tell_order(struct teller *teller, unsigned order)
{
    set_name(teller, "order", mall_world_orders[order].name);
    say_span(teller, mall_world_orders[order].name);
}

static void tell_card(struct teller *teller, unsigned card)
{
    set_name(teller, "card", mall_world_cards[card].name);
    say_span(teller, mall_world_cards[card].name);
}

static void tell_room(struct teller *teller, unsigned square)
{
    set_name(teller, "room", mall_world_room_name(square));
    say_span(teller, mall_world_room_name(square));
}

static void begin(struct teller *teller, const char *kind)
{
    teller->event = json_object();
    teller->text = TEXT_OVER(teller->bytes);
    json_object_set_new(teller->event, "kind", json_string(kind));
}

static void finish(struct teller *teller)
{
    say(teller, ".");
    assert(!teller->text.overflow);
    json_object_set_new(teller->event, "text", json_string(teller->bytes));
    json_array_append_new(teller->list, teller->event);
}

/* The cards that follow as NOTE_CARD: `food-food, hobby-hobby`. */
static void tell_cards(struct teller *teller)
{
    const struct mall_world_state *state = teller->state;
    json_t *cards = json_array();
    const char *comma = "";
    for (; teller->next < state->notes && state->note[teller->next].kind == NOTE_CARD;
         teller->next++) {
        struct span name = mall_world_cards[state->note[teller->next].a].name;
        json_array_append_new(cards, json_stringn(name.at, name.length));
        say(teller, comma);
        say_span(teller, name);
        comma = ", ";
    }
    if (comma[0] == '\0')
        say(teller, "nothing");
    json_object_set_new(teller->event, "cards", cards);
}

/* ---- Lobby ---- */

static void tell_accepted(struct teller *teller, struct note note)
{
    int32_t price = mall_world_site_price[note.c];
    begin(teller, "accepted");
    tell_seat(teller, note.b);
    say(teller, " accepts ");
    tell_order(teller, note.a);
    say(teller, " for ");
    say_number(teller, price);
    say(teller, " CHF");
    set_number(teller, "price", price);
    finish(teller);
}

static void tell_declined(struct teller *teller, struct note note)
{
    begin(teller, "declined");
    tell_seat(teller, note.a);
    say(teller, note.b ? " cannot accept an order" : " accepts no order");
    finish(teller);
}

static void tell_marker(struct teller *teller, struct note note)
{
    begin(teller, "marker");
    say(teller, "The marker of ");
    tell_seat(teller, note.a);
    say(teller, " goes to the lobby");
    finish(teller);
}

static void tell_markers_back(struct teller *teller, struct note note)
{
    (void)note;
    begin(teller, "markers_back");
    say(teller, "All markers leave the lobby");
    finish(teller);
}

static void tell_order_removed(struct teller *teller, struct note note)
{
    begin(teller, "order_removed");
    tell_order(teller, note.a);
    say(teller, " leaves the lobby and the game");
    finish(teller);
}

static void tell_order_laid(struct teller *teller, struct note note)
{
    begin(teller, "order_laid");
    tell_order(teller, note.a);
    say(teller, " comes into the lobby at ");
    say_number(teller, mall_world_site_price[note.b]);
    say(teller, " CHF");
    set_number(teller, "price", mall_world_site_price[note.b]);
    finish(teller);
}

static void tell_rents_open(struct teller *teller, struct note note)
{
    (void)note;
    begin(teller, "rents_open");
    say(teller, "From now on shops may be let");
    finish(teller);
}

/* ---- Progress ---- */

static void tell_offered(struct teller *teller, struct note note)
{
    begin(teller, "offered");
    tell_seat(teller, note.a);
    say(teller, " offers ");
    tell_cards(teller);
    finish(teller);
}

static void tell_confirmed(struct teller *teller, struct note note)
{
    int32_t bribe = mall_world_bribe_value[note.c];
    begin(teller, "confirmed");
    tell_seat(teller, note.b);
    say(teller, " confirms ");
    tell_order(teller, note.a);
    say(teller, bribe > 0 ? " and gets " : " and pays ");
    say_number(teller, bribe > 0 ? bribe : -bribe);
    say(teller, " CHF");
    set_number(teller, "bribe", bribe);
    finish(teller);
}

static void tell_idle(struct teller *teller, struct note note)
{
    begin(teller, "no_progress");
    tell_seat(teller, note.a);
    say(teller, note.b ? " has nothing for progress" : " passes");
    finish(teller);
}

static void tell_bid(struct teller *teller, struct note note)
{
    begin(teller, "bid");
    tell_seat(teller, note.a);
    say(teller, " bids ");
    say_coins(teller, note.b);
    set_number(teller, "coins", note.b);
    finish(teller);
}

static void tell_paid(struct teller *teller, struct note note)
{
    begin(teller, "paid");
    tell_seat(teller, note.a);
    say(teller, " pays ");
    say_coins(teller, note.b);
    set_number(teller, "coins", note.b);
    if (note.c == PAYS_SLUSH) {
        say(teller, " into the slush fund");
        set_name(teller, "to", span_of("slush"));
    } else {
        say(teller, " to ");
        say_seat(teller, note.c);
        set_number(teller, "to", note.c);
    }
    finish(teller);
}

static void tell_built(struct teller *teller, struct note note)
{
    begin(teller, "built");
    tell_seat(teller, note.a);
    say(teller, " realises ");
    tell_card(teller, note.b);
    say(teller, ": a ");
    say_span(teller, mall_world_uses[note.c]);
    set_name(teller, "use", mall_world_uses[note.c]);
    say(teller, " shop in ");
    tell_room(teller, note.d);
    finish(teller);
}

/* The chain store of the card for which the group stands. */
static const struct mall_world_chain *chain_of(unsigned card, unsigned group)
{
    const struct mall_world_card *type = &mall_world_cards[card];
    unsigned i = 0;
    while (i + 1 < type->chain_count && mall_world_chains[type->chain[i]].group != group)
        i++;
    return &mall_world_chains[type->chain[i]];
}

static void tell_let(struct teller *teller, struct note note)
{
    const struct mall_world_chain *chain = chain_of(note.b, note.c);
    begin(teller, "let");
    tell_seat(teller, note.a);
    say(teller, " realises ");
    tell_card(teller, note.b);
    say(teller, ": ");
    tell_room(teller, note.d);
    say(teller, " is let to ");
    say_span(teller, mall_world_groups[note.c]);
    set_name(teller, "group", mall_world_groups[note.c]);
    say(teller, " and becomes ");
    say(teller, chain->title);
    set_name(teller, "chain", chain->name);
    finish(teller);
}

static void tell_lapsed(struct teller *teller, struct note note)
{
    (void)note;
    begin(teller, "lapsed");
    say(teller, "Cannot be realised any more and are discarded: ");
    tell_cards(teller);
    finish(teller);
}

/* ---- Supply ---- */

static void tell_unusable(struct teller *teller, struct note note)
{
    begin(teller, "unusable");
    tell_card(teller, note.a);
    say(teller, " cannot be used any more and leaves the game");
    finish(teller);
}

static void tell_removed(struct teller *teller, struct note note)
{
    begin(teller, "removed");
    tell_seat(teller, note.b);
    say(teller, " removes ");
    tell_card(teller, note.a);
    say(teller, " from the game");
    finish(teller);
}

static void tell_refreshed(struct teller *teller, struct note note)
{
    begin(teller, "refreshed");
    tell_seat(teller, note.a);
    say(teller, " pays ");
    say_coins(teller, REFRESH_COST);
    say(teller, " for a new display; discarded: ");
    tell_cards(teller);
    finish(teller);
}

static void tell_displayed(struct teller *teller, struct note note)
{
    begin(teller, "displayed");
    tell_card(teller, note.a);
    say(teller, " is displayed");
    finish(teller);
}

static void tell_shuffled(struct teller *teller, struct note note)
{
    (void)note;
    begin(teller, "shuffled");
    say(teller, "The discard pile is shuffled into a new stack");
    finish(teller);
}

static void tell_taken(struct teller *teller, struct note note)
{
    begin(teller, "taken");
    tell_seat(teller, note.a);
    say(teller, " takes ");
    tell_cards(teller);
    finish(teller);
}

static void tell_done(struct teller *teller, struct note note)
{
    begin(teller, "done");
    tell_seat(teller, note.a);
    say(teller, " takes no card");
    finish(teller);
}

/* ---- Turns and rounds ---- */

static void tell_shared(struct teller *teller, struct note note)
{
    begin(teller, "slush_shared");
    say(teller, "Everybody gets ");
    say_coins(teller, note.a);
    say(teller, " from the slush fund");
    set_number(teller, "coins", note.a);
    finish(teller);
}

static void tell_round_ended(struct teller *teller, struct note note)
{
    begin(teller, "round_ended");
    say(teller, "Round ");
    say_number(teller, note.a);
    say(teller, " ends");
    set_number(teller, "round", note.a);
    finish(teller);
}

static void tell_cashed(struct teller *teller, struct note note)
{
    int64_t income = (int64_t)note.c * mall_world_order_value[mall_world_orders[note.a].kind];
    begin(teller, "cashed");
    tell_seat(teller, note.b);
    say(teller, " gets ");
    say_number(teller, income);
    say(teller, " CHF for ");
    tell_order(teller, note.a);
    say(teller, ", which counts ");
    say_number(teller, note.c);
    set_number(teller, "count", note.c);
    set_number(teller, "income", income);
    finish(teller);
}

static void tell_round(struct teller *teller, struct note note)
{
    begin(teller, "round");
    say(teller, "Round ");
    say_number(teller, note.a);
    say(teller, " begins");
    set_number(teller, "round", note.a);
    finish(teller);
}

static void tell_last_turns(struct teller *teller, struct note note)
{
    begin(teller, "last_turns");
    say(teller, "The game ends after ");
    say_number(teller, note.a);
    say(teller, " more turns");
    set_number(teller, "turns", note.a);
    finish(teller);
}

static void tell_turn(struct teller *teller, struct note note)
{
    begin(teller, "turn");
    say(teller, "It is the turn of ");
    tell_seat(teller, note.a);
    finish(teller);
}

static void tell_over(struct teller *teller, struct note note)
{
    (void)note;
    begin(teller, "over");
    say(teller, "The game is over");
    finish(teller);
}

static void (*const tellers[])(struct teller *teller, struct note note) = {
    [NOTE_ACCEPTED] = tell_accepted,
    [NOTE_DECLINED] = tell_declined,
    [NOTE_MARKER] = tell_marker,
    [NOTE_MARKERS_BACK] = tell_markers_back,
    [NOTE_ORDER_REMOVED] = tell_order_removed,
    [NOTE_ORDER_LAID] = tell_order_laid,
    [NOTE_RENTS_OPEN] = tell_rents_open,
    [NOTE_OFFERED] = tell_offered,
    [NOTE_CONFIRMED] = tell_confirmed,
    [NOTE_IDLE] = tell_idle,
    [NOTE_BID] = tell_bid,
    [NOTE_PAID] = tell_paid,
    [NOTE_BUILT] = tell_built,
    [NOTE_LET] = tell_let,
    [NOTE_LAPSED] = tell_lapsed,
    [NOTE_UNUSABLE] = tell_unusable,
    [NOTE_REMOVED] = tell_removed,
    [NOTE_REFRESHED] = tell_refreshed,
    [NOTE_DISPLAYED] = tell_displayed,
    [NOTE_SHUFFLED] = tell_shuffled,
    [NOTE_TAKEN] = tell_taken,
    [NOTE_DONE] = tell_done,
    [NOTE_SHARED] = tell_shared,
    [NOTE_ROUND_ENDED] = tell_round_ended,
    [NOTE_CASHED] = tell_cashed,
    [NOTE_ROUND] = tell_round,
    [NOTE_LAST_TURNS] = tell_last_turns,
    [NOTE_TURN] = tell_turn,
    [NOTE_OVER] = tell_over,
};

/* A bid that did not open the auction: known to its bidder alone. */
static void tell_sealed_bid(struct teller *teller, unsigned seat)
{
    begin(teller, "bid_sealed");
    tell_seat(teller, seat);
    say(teller, " has bid ");
    say_coins(teller, teller->state->bid[seat]);
    set_number(teller, "coins", teller->state->bid[seat]);
    finish(teller);
}

json_t *mall_world_events(const void *before, const void *after, const struct ply *ply,
                          struct viewer viewer)
{
    (void)before;
    struct teller teller = {.state = after, .list = json_array()};
    const struct mall_world_state *state = after;
    bool sealed = state->point == AT_BID && state->notes == 0;
    if (sealed && viewer.kind == VIEWER_SEAT && viewer.seat == ply->seat)
        tell_sealed_bid(&teller, ply->seat);
    while (teller.next < state->notes) {
        struct note note = state->note[teller.next++];
        tellers[note.kind](&teller, note);
    }
    return teller.list;
}
