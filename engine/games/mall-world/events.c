/* Describes what a ply did, from its notes in the state: one event for each note, in order, with
 * data for a program and a sentence for a person. Everything noted happened in the open. The one
 * exception is a bid while others are missing: it leaves no note, and only its bidder gets an
 * event. */
#include "engine/game/view_parts.h"
#include "engine/games/mall-world/rules.h"

static void say_coins(struct telling *telling, unsigned coins)
{
    telling_say_count(telling, coins, "coin", "coins");
}

/* ---- Data and words together ---- */

static void tell_order(const struct mall_world_components *set, struct telling *telling,
                       unsigned order)
{
    telling_set_name(telling, "order", set->orders[order].name);
    telling_say_span(telling, set->orders[order].name);
}

static void tell_card(const struct mall_world_components *set, struct telling *telling,
                      unsigned card)
{
    telling_set_name(telling, "card", set->cards[card].name);
    telling_say_span(telling, set->cards[card].name);
}

static void tell_room(const struct mall_world_components *set, struct telling *telling,
                      unsigned square)
{
    telling_set_name(telling, "room", mall_world_room_name(set, square));
    telling_say_span(telling, mall_world_room_name(set, square));
}

/* The cards that follow as NOTE_CARD: `food-food, hobby-hobby`. */
static void tell_cards(const struct mall_world_components *set, struct telling *telling)
{
    const struct mall_world_state *state = telling->state;
    json_t *cards = json_array();
    const char *comma = "";
    for (; telling->next < state->notes && state->note[telling->next].kind == NOTE_CARD;
         telling->next++) {
        struct span name = set->cards[state->note[telling->next].a].name;
        json_array_append_new(cards, json_stringn(name.at, name.length));
        telling_say(telling, comma);
        telling_say_span(telling, name);
        comma = ", ";
    }
    if (comma[0] == '\0')
        telling_say(telling, "nothing");
    telling_set(telling, "cards", cards);
}

/* ---- Lobby ---- */

static void tell_accepted(const struct mall_world_components *set, struct telling *telling,
                          struct note note)
{
    int32_t price = set->site_price[note.c];
    telling_begin_with_seat(telling, "accepted", note.b);
    telling_say(telling, " accepts ");
    tell_order(set, telling, note.a);
    telling_say(telling, " for ");
    telling_say_number(telling, price);
    telling_say(telling, " CHF");
    telling_set_number(telling, "price", price);
    telling_finish(telling);
}

static void tell_declined(const struct mall_world_components *set, struct telling *telling,
                          struct note note)
{
    (void)set;
    telling_begin_with_seat(telling, "declined", note.a);
    telling_say(telling, note.b ? " cannot accept an order" : " accepts no order");
    telling_finish(telling);
}

static void tell_marker(const struct mall_world_components *set, struct telling *telling,
                        struct note note)
{
    (void)set;
    telling_begin(telling, "marker");
    telling_say(telling, "The marker of ");
    telling_seat(telling, note.a);
    telling_say(telling, " goes to the lobby");
    telling_finish(telling);
}

static void tell_markers_back(const struct mall_world_components *set, struct telling *telling,
                              struct note note)
{
    (void)set;
    (void)note;
    telling_plain(telling, "markers_back", "All markers leave the lobby");
}

static void tell_order_removed(const struct mall_world_components *set, struct telling *telling,
                               struct note note)
{
    telling_begin(telling, "order_removed");
    tell_order(set, telling, note.a);
    telling_say(telling, " leaves the lobby and the game");
    telling_finish(telling);
}

static void tell_order_laid(const struct mall_world_components *set, struct telling *telling,
                            struct note note)
{
    telling_begin(telling, "order_laid");
    tell_order(set, telling, note.a);
    telling_say(telling, " comes into the lobby at ");
    telling_say_number(telling, set->site_price[note.b]);
    telling_say(telling, " CHF");
    telling_set_number(telling, "price", set->site_price[note.b]);
    telling_finish(telling);
}

static void tell_rents_open(const struct mall_world_components *set, struct telling *telling,
                            struct note note)
{
    (void)set;
    (void)note;
    telling_plain(telling, "rents_open", "From now on shops may be let");
}

/* ---- Progress ---- */

static void tell_offered(const struct mall_world_components *set, struct telling *telling,
                         struct note note)
{
    telling_begin_with_seat(telling, "offered", note.a);
    telling_say(telling, " offers ");
    tell_cards(set, telling);
    telling_finish(telling);
}

static void tell_confirmed(const struct mall_world_components *set, struct telling *telling,
                           struct note note)
{
    int32_t bribe = set->bribe_value[note.c];
    telling_begin_with_seat(telling, "confirmed", note.b);
    telling_say(telling, " confirms ");
    tell_order(set, telling, note.a);
    telling_say(telling, bribe > 0 ? " and gets " : " and pays ");
    telling_say_number(telling, bribe > 0 ? bribe : -bribe);
    telling_say(telling, " CHF");
    telling_set_number(telling, "bribe", bribe);
    telling_finish(telling);
}

static void tell_idle(const struct mall_world_components *set, struct telling *telling,
                      struct note note)
{
    (void)set;
    telling_begin_with_seat(telling, "no_progress", note.a);
    telling_say(telling, note.b ? " has nothing for progress" : " passes");
    telling_finish(telling);
}

static void tell_bid(const struct mall_world_components *set, struct telling *telling,
                     struct note note)
{
    (void)set;
    telling_begin_with_seat(telling, "bid", note.a);
    telling_say(telling, " bids ");
    say_coins(telling, note.b);
    telling_set_number(telling, "coins", note.b);
    telling_finish(telling);
}

static void tell_paid(const struct mall_world_components *set, struct telling *telling,
                      struct note note)
{
    (void)set;
    telling_begin_with_seat(telling, "paid", note.a);
    telling_say(telling, " pays ");
    say_coins(telling, note.b);
    telling_set_number(telling, "coins", note.b);
    if (note.c == PAYS_SLUSH) {
        telling_say(telling, " into the slush fund");
        telling_set_name(telling, "to", span_of("slush"));
    } else {
        telling_say(telling, " to ");
        telling_say_seat(telling, note.c);
        telling_set_number(telling, "to", note.c);
    }
    telling_finish(telling);
}

static void tell_built(const struct mall_world_components *set, struct telling *telling,
                       struct note note)
{
    telling_begin_with_seat(telling, "built", note.a);
    telling_say(telling, " realizes ");
    tell_card(set, telling, note.b);
    telling_say(telling, ": a ");
    telling_say_span(telling, mall_world_uses[note.c]);
    telling_set_name(telling, "use", mall_world_uses[note.c]);
    telling_say(telling, " shop in ");
    tell_room(set, telling, note.d);
    telling_finish(telling);
}

/* The chain store of the card that the group stands for. */
static const struct mall_world_chain *chain_of(const struct mall_world_components *set,
                                               unsigned card, unsigned group)
{
    const struct mall_world_card *type = &set->cards[card];
    unsigned i = 0;
    while (i + 1 < type->chain_count && set->chains[type->chain[i]].group != group)
        i++;
    return &set->chains[type->chain[i]];
}

static void tell_let(const struct mall_world_components *set, struct telling *telling,
                     struct note note)
{
    const struct mall_world_chain *chain = chain_of(set, note.b, note.c);
    telling_begin_with_seat(telling, "let", note.a);
    telling_say(telling, " realizes ");
    tell_card(set, telling, note.b);
    telling_say(telling, ": ");
    tell_room(set, telling, note.d);
    telling_say(telling, " is let to ");
    telling_say_span(telling, mall_world_groups[note.c]);
    telling_set_name(telling, "group", mall_world_groups[note.c]);
    telling_say(telling, " and becomes ");
    telling_say(telling, chain->title);
    telling_set_name(telling, "chain", chain->name);
    telling_finish(telling);
}

static void tell_lapsed(const struct mall_world_components *set, struct telling *telling,
                        struct note note)
{
    (void)note;
    telling_begin(telling, "lapsed");
    telling_say(telling, "Cannot be realized any more and are discarded: ");
    tell_cards(set, telling);
    telling_finish(telling);
}

/* ---- Supply ---- */

static void tell_unusable(const struct mall_world_components *set, struct telling *telling,
                          struct note note)
{
    telling_begin(telling, "unusable");
    tell_card(set, telling, note.a);
    telling_say(telling, " cannot be used any more and leaves the game");
    telling_finish(telling);
}

static void tell_removed(const struct mall_world_components *set, struct telling *telling,
                         struct note note)
{
    telling_begin_with_seat(telling, "removed", note.b);
    telling_say(telling, " removes ");
    tell_card(set, telling, note.a);
    telling_say(telling, " from the game");
    telling_finish(telling);
}

static void tell_refreshed(const struct mall_world_components *set, struct telling *telling,
                           struct note note)
{
    telling_begin_with_seat(telling, "refreshed", note.a);
    telling_say(telling, " pays ");
    say_coins(telling, REFRESH_COST);
    telling_say(telling, " for a new display; discarded: ");
    tell_cards(set, telling);
    telling_finish(telling);
}

static void tell_displayed(const struct mall_world_components *set, struct telling *telling,
                           struct note note)
{
    telling_begin(telling, "displayed");
    tell_card(set, telling, note.a);
    telling_say(telling, " is displayed");
    telling_finish(telling);
}

static void tell_shuffled(const struct mall_world_components *set, struct telling *telling,
                          struct note note)
{
    (void)set;
    (void)note;
    telling_plain(telling, "shuffled", "The discard pile is shuffled into a new stack");
}

static void tell_taken(const struct mall_world_components *set, struct telling *telling,
                       struct note note)
{
    telling_begin_with_seat(telling, "taken", note.a);
    telling_say(telling, " takes ");
    tell_cards(set, telling);
    telling_finish(telling);
}

static void tell_done(const struct mall_world_components *set, struct telling *telling,
                      struct note note)
{
    (void)set;
    telling_begin_with_seat(telling, "done", note.a);
    telling_say(telling, " takes no card");
    telling_finish(telling);
}

/* ---- Turns and rounds ---- */

static void tell_shared(const struct mall_world_components *set, struct telling *telling,
                        struct note note)
{
    (void)set;
    telling_begin(telling, "slush_shared");
    telling_say(telling, "Every player gets ");
    say_coins(telling, note.a);
    telling_say(telling, " from the slush fund");
    telling_set_number(telling, "coins", note.a);
    telling_finish(telling);
}

static void tell_round_ended(const struct mall_world_components *set, struct telling *telling,
                             struct note note)
{
    (void)set;
    telling_begin(telling, "round_ended");
    telling_say(telling, "Round ");
    telling_say_number(telling, note.a);
    telling_say(telling, " ends");
    telling_set_number(telling, "round", note.a);
    telling_finish(telling);
}

static void tell_cashed(const struct mall_world_components *set, struct telling *telling,
                        struct note note)
{
    int64_t income = (int64_t)note.c * set->order_value[set->orders[note.a].kind];
    telling_begin_with_seat(telling, "cashed", note.b);
    telling_say(telling, " gets ");
    telling_say_number(telling, income);
    telling_say(telling, " CHF for ");
    tell_order(set, telling, note.a);
    telling_say(telling, " (");
    telling_say_number(telling, note.c);
    telling_say(telling, " counted)");
    telling_set_number(telling, "count", note.c);
    telling_set_number(telling, "income", income);
    telling_finish(telling);
}

static void tell_round(const struct mall_world_components *set, struct telling *telling,
                       struct note note)
{
    (void)set;
    telling_begin(telling, "round");
    telling_say(telling, "Round ");
    telling_say_number(telling, note.a);
    telling_say(telling, " begins");
    telling_set_number(telling, "round", note.a);
    telling_finish(telling);
}

static void tell_last_turns(const struct mall_world_components *set, struct telling *telling,
                            struct note note)
{
    (void)set;
    telling_begin(telling, "last_turns");
    telling_say(telling, "The game ends after ");
    telling_say_number(telling, note.a);
    telling_say(telling, " more turns");
    telling_set_number(telling, "turns", note.a);
    telling_finish(telling);
}

static void tell_turn(const struct mall_world_components *set, struct telling *telling,
                      struct note note)
{
    (void)set;
    telling_begin(telling, "turn");
    telling_say(telling, "It is ");
    telling_seat(telling, note.a);
    telling_say(telling, "'s turn");
    telling_finish(telling);
}

static void tell_over(const struct mall_world_components *set, struct telling *telling,
                      struct note note)
{
    (void)set;
    (void)note;
    telling_plain(telling, "over", "The game is over");
}

static void (*const tellers[])(const struct mall_world_components *set, struct telling *telling,
                               struct note note) = {
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

/* A bid that did not open the auction: known only to its bidder. */
static void tell_sealed_bid(struct telling *telling, unsigned seat, unsigned coins)
{
    telling_begin_with_seat(telling, "bid_sealed", seat);
    telling_say(telling, " has bid ");
    say_coins(telling, coins);
    telling_set_number(telling, "coins", coins);
    telling_finish(telling);
}

json_t *mall_world_events(const struct game *game, const void *before, const void *after,
                          const struct ply *ply, struct viewer viewer)
{
    const struct mall_world_components *set = game->set;
    (void)before;
    const struct mall_world_state *state = after;
    struct telling telling;
    telling_init(&telling, after, ply, viewer);
    bool sealed = state->point == AT_BID && state->notes == 0;
    if (sealed && viewer.kind == VIEWER_SEAT && viewer.seat == ply->seat)
        tell_sealed_bid(&telling, ply->seat, state->bid[ply->seat]);
    while (telling.next < state->notes) {
        struct note note = state->note[telling.next++];
        tellers[note.kind](set, &telling, note);
    }
    return telling.list;
}
