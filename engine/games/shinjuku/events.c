/* What a ply did, told from the notes that it left in the state: one event for each, in order, with
 * data for a program and a sentence for a person. A card drawn unseen is named to the seat that
 * drew it and to the auditor only; everything else happens in the open. */
#include <string.h>

#include "engine/games/shinjuku/rules.h"

struct teller {
    const struct shinjuku_state *state;
    struct viewer viewer;
    unsigned seat; /* who made the ply */
    unsigned next; /* note to be told */
    json_t *list;
    json_t *event; /* being put together */
    struct text text;
    char bytes[512];
};

static void set_name(const struct teller *teller, const char *key, struct span name)
{
    json_object_set_new(teller->event, key, json_stringn(name.at, name.length));
}

static void set_number(const struct teller *teller, const char *key, unsigned number)
{
    json_object_set_new(teller->event, key, json_integer(number));
}

static void set_ward(const struct teller *teller, const char *key, unsigned ward)
{
    set_name(teller, key, shinjuku_wards[ward].name);
}

static void set_station(const struct teller *teller, const char *key, unsigned station)
{
    set_name(teller, key, shinjuku_stations[station].name);
}

static void say(struct teller *teller, const char *words)
{
    text_add(&teller->text, words);
}

static void say_seat(struct teller *teller, unsigned seat)
{
    say(teller, "{seat ");
    text_add_number(&teller->text, seat);
    say(teller, "}");
}

static void say_number(struct teller *teller, unsigned number)
{
    text_add_number(&teller->text, number);
}

static void say_ward(struct teller *teller, unsigned ward)
{
    say(teller, shinjuku_wards[ward].title);
}

static void say_station(struct teller *teller, unsigned station)
{
    say(teller, shinjuku_stations[station].title);
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

/* The notes of `kind` that follow, NULL when there are no more. */
static const struct note *following(struct teller *teller, enum note_kind kind)
{
    if (teller->next >= teller->state->notes || teller->state->note[teller->next].kind != kind)
        return NULL;
    return &teller->state->note[teller->next++];
}

/* `2 food, 1 double books`, or `nobody`. */
static void tell_customers(struct teller *teller)
{
    json_t *customers = json_object();
    const char *comma = "";
    const struct note *note;
    while ((note = following(teller, NOTE_CUSTOMERS)) != NULL) {
        json_object_set_new(customers, shinjuku_kinds[note->a].name.at, json_integer(note->b));
        say(teller, comma);
        say_number(teller, note->b);
        say(teller, " ");
        say(teller, shinjuku_kinds[note->a].title);
        comma = ", ";
    }
    if (comma[0] == '\0')
        say(teller, "nobody");
    json_object_set_new(teller->event, "customers", customers);
}

static void tell_matsuri(struct teller *teller, struct note note)
{
    begin(teller, "matsuri");
    set_ward(teller, "from", note.a);
    set_ward(teller, "to", note.b);
    say(teller, "The Matsuri moves from ");
    say_ward(teller, note.a);
    say(teller, " to ");
    say_ward(teller, note.b);
    finish(teller);
}

static void tell_payment(struct teller *teller, struct note note)
{
    begin(teller, "paid");
    json_t *cards = json_array();
    const struct note *card = &note;
    const char *comma = " pays ";
    set_number(teller, "seat", teller->seat);
    say_seat(teller, teller->seat);
    for (; card != NULL; card = following(teller, NOTE_PAID)) {
        struct span name = shinjuku_wards[card->a].name;
        json_array_append_new(cards, json_stringn(name.at, name.length));
        say(teller, comma);
        say_ward(teller, card->a);
        comma = ", ";
    }
    json_object_set_new(teller->event, "cards", cards);
    finish(teller);
}

static void tell_opened(struct teller *teller, struct note note)
{
    begin(teller, "store_opened");
    set_number(teller, "seat", teller->seat);
    set_station(teller, "station", note.a);
    set_name(teller, "good", shinjuku_goods[note.b]);
    say_seat(teller, teller->seat);
    say(teller, " opens a Store for ");
    say(teller, shinjuku_goods[note.b].at);
    say(teller, " in ");
    say_station(teller, note.a);
    finish(teller);
}

static void tell_relocated(struct teller *teller, struct note note)
{
    begin(teller, "store_relocated");
    set_number(teller, "seat", teller->seat);
    set_station(teller, "from", note.a);
    set_station(teller, "to", note.b);
    say_seat(teller, teller->seat);
    say(teller, " moves a Store from ");
    say_station(teller, note.a);
    say(teller, " to ");
    say_station(teller, note.b);
    finish(teller);
}

static void tell_track(struct teller *teller, struct note note)
{
    const struct shinjuku_connection *connection = &shinjuku_connections[note.a];
    begin(teller, "track_laid");
    set_number(teller, "seat", teller->seat);
    set_station(teller, "a", connection->a);
    set_station(teller, "b", connection->b);
    say_seat(teller, teller->seat);
    say(teller, " lays track between ");
    say_station(teller, connection->a);
    say(teller, " and ");
    say_station(teller, connection->b);
    finish(teller);
}

static void tell_group(struct teller *teller, struct note note)
{
    begin(teller, "move_begins");
    set_number(teller, "seat", teller->seat);
    set_station(teller, "station", note.a);
    say_seat(teller, teller->seat);
    say(teller, " gathers customers in ");
    say_station(teller, note.a);
    say(teller, ": ");
    tell_customers(teller);
    finish(teller);
}

static void tell_step(struct teller *teller, struct note note)
{
    uint8_t owner = teller->state->track_owner[note.b];
    begin(teller, "step");
    set_station(teller, "station", note.a);
    json_object_set_new(teller->event, "track_of",
                        owner == NONE ? json_null() : json_integer(owner));
    say(teller, "The customers ride to ");
    say_station(teller, note.a);
    if (owner != NONE) {
        say(teller, " on track of ");
        say_seat(teller, owner);
    }
    finish(teller);
}

static void tell_given(struct teller *teller, struct note note)
{
    begin(teller, "delivered");
    set_number(teller, "seat", note.b);
    set_name(teller, "customer", shinjuku_kinds[note.a].name);
    set_station(teller, "station", note.c);
    say(teller, "The Store of ");
    say_seat(teller, note.b);
    say(teller, " in ");
    say_station(teller, note.c);
    say(teller, " takes a customer: ");
    say(teller, shinjuku_kinds[note.a].title);
    finish(teller);
}

static void tell_move_end(struct teller *teller, struct note note)
{
    uint8_t ward = shinjuku_stations[note.a].ward;
    begin(teller, "move_ends");
    set_station(teller, "station", note.a);
    set_ward(teller, "ward", ward);
    say(teller, "The move ends in ");
    say_station(teller, note.a);
    say(teller, "; left in ");
    say_ward(teller, ward);
    say(teller, ": ");
    tell_customers(teller);
    finish(teller);
}

static bool may_see_cards(const struct teller *teller, unsigned seat)
{
    return teller->viewer.kind == VIEWER_AUDITOR ||
           (teller->viewer.kind == VIEWER_SEAT && teller->viewer.seat == seat);
}

static void tell_income(struct teller *teller, struct note note)
{
    begin(teller, "income");
    set_number(teller, "seat", note.a);
    set_number(teller, "count", note.b);
    say_seat(teller, note.a);
    say(teller, " draws ");
    say_number(teller, note.b);
    say(teller, note.b == 1 ? " card" : " cards");
    bool seen = may_see_cards(teller, note.a);
    json_t *cards = json_array();
    const char *comma = ": ";
    const struct note *card;
    while ((card = following(teller, NOTE_CARD)) != NULL) {
        if (!seen)
            continue;
        struct span name = shinjuku_wards[card->a].name;
        json_array_append_new(cards, json_stringn(name.at, name.length));
        say(teller, comma);
        say_ward(teller, card->a);
        comma = ", ";
    }
    if (seen)
        json_object_set(teller->event, "cards", cards);
    json_decref(cards);
    finish(teller);
}

static void tell_upgraded(struct teller *teller, struct note note)
{
    begin(teller, "store_upgraded");
    set_number(teller, "seat", teller->seat);
    set_station(teller, "station", note.a);
    set_name(teller, "customer", shinjuku_kinds[note.b].name);
    say_seat(teller, teller->seat);
    say(teller, " opens a Department Store in ");
    say_station(teller, note.a);
    say(teller, " and spends a customer: ");
    say(teller, shinjuku_kinds[note.b].title);
    finish(teller);
}

static void tell_bonus(struct teller *teller, struct note note)
{
    begin(teller, "bonus_claimed");
    set_number(teller, "seat", teller->seat);
    set_number(teller, "tokens", note.a);
    say_seat(teller, teller->seat);
    say(teller, " claims Upgrade Bonus tokens: ");
    say_number(teller, note.a);
    finish(teller);
}

static void tell_queued(struct teller *teller, struct note note)
{
    begin(teller, "queued");
    set_number(teller, "space", note.a + 1u);
    set_name(teller, "customer", shinjuku_kinds[note.b].name);
    say(teller, "A customer joins space ");
    say_number(teller, note.a + 1u);
    say(teller, " of the Queue: ");
    say(teller, shinjuku_kinds[note.b].title);
    finish(teller);
}

static void tell_removed(struct teller *teller, struct note note)
{
    begin(teller, "removed");
    set_name(teller, "customer", shinjuku_kinds[note.a].name);
    say(teller, "A customer leaves the game: ");
    say(teller, shinjuku_kinds[note.a].title);
    finish(teller);
}

static void tell_turn_end(struct teller *teller, struct note note)
{
    begin(teller, "turn_ends");
    set_number(teller, "seat", note.a);
    say_seat(teller, note.a);
    say(teller, " ends the turn");
    finish(teller);
}

static void tell_turn(struct teller *teller, struct note note)
{
    teller->seat = note.a;
    begin(teller, "turn_begins");
    set_number(teller, "seat", note.a);
    say(teller, "The turn of ");
    say_seat(teller, note.a);
    say(teller, " begins");
    finish(teller);
}

static void tell_placed(struct teller *teller, struct note note)
{
    begin(teller, "customers_placed");
    set_ward(teller, "ward", note.a);
    say(teller, "Customers arrive in ");
    say_ward(teller, note.a);
    say(teller, ": ");
    tell_customers(teller);
    finish(teller);
}

static void tell_queue_card(struct teller *teller, struct note note)
{
    begin(teller, "queue_card_taken");
    set_number(teller, "seat", teller->seat);
    set_ward(teller, "card", note.a);
    json_object_set_new(teller->event, "kept", json_boolean(note.b));
    say_seat(teller, teller->seat);
    say(teller, note.b ? " takes the card " : " holds 15 cards and discards the card ");
    say_ward(teller, note.a);
    finish(teller);
}

static void tell_revealed(struct teller *teller, struct note note)
{
    begin(teller, "card_revealed");
    set_ward(teller, "card", note.a);
    say(teller, "The Queue is filled up with the card ");
    say_ward(teller, note.a);
    finish(teller);
}

static void tell_plain(struct teller *teller, const char *kind, const char *sentence)
{
    begin(teller, kind);
    say(teller, sentence);
    finish(teller);
}

static void tell(struct teller *teller, struct note note)
{
    switch ((enum note_kind)note.kind) {
    case NOTE_MATSURI:
        tell_matsuri(teller, note);
        break;
    case NOTE_PAID:
        tell_payment(teller, note);
        break;
    case NOTE_OPENED:
        tell_opened(teller, note);
        break;
    case NOTE_RELOCATED:
        tell_relocated(teller, note);
        break;
    case NOTE_TRACK:
        tell_track(teller, note);
        break;
    case NOTE_GROUP:
        tell_group(teller, note);
        break;
    case NOTE_STEP:
        tell_step(teller, note);
        break;
    case NOTE_GIVEN:
        tell_given(teller, note);
        break;
    case NOTE_MOVE_END:
        tell_move_end(teller, note);
        break;
    case NOTE_INCOME:
        tell_income(teller, note);
        break;
    case NOTE_UPGRADED:
        tell_upgraded(teller, note);
        break;
    case NOTE_BONUS:
        tell_bonus(teller, note);
        break;
    case NOTE_QUEUED:
        tell_queued(teller, note);
        break;
    case NOTE_REMOVED:
        tell_removed(teller, note);
        break;
    case NOTE_TURN_END:
        tell_turn_end(teller, note);
        break;
    case NOTE_TURN:
        tell_turn(teller, note);
        break;
    case NOTE_PLACED:
        tell_placed(teller, note);
        break;
    case NOTE_QUEUE_CARD:
        tell_queue_card(teller, note);
        break;
    case NOTE_REVEALED:
        tell_revealed(teller, note);
        break;
    case NOTE_SHUFFLED:
        tell_plain(teller, "shuffled", "The discard pile is shuffled into a new draw pile");
        break;
    case NOTE_FINAL:
        tell_plain(teller, "final_phase",
                   "The last customer has arrived: the game ends with this round of turns");
        break;
    case NOTE_OVER:
        tell_plain(teller, "game_over", "The game is over");
        break;
    case NOTE_NOTHING:
    case NOTE_CUSTOMERS:
    case NOTE_CARD:
        break;
    }
}

/* An action that waits for its payment has left no note yet; naming it is the event. */
static void tell_named(struct teller *teller, struct span move)
{
    begin(teller, "action_named");
    set_number(teller, "seat", teller->seat);
    set_name(teller, "action", span_of(shinjuku_action_name(teller->state->action)));
    set_name(teller, "move", move);
    say_seat(teller, teller->seat);
    say(teller, " is about to pay for: ");
    text_add_span(&teller->text, move);
    finish(teller);
}

json_t *shinjuku_events(const void *before, const void *after, const struct ply *ply,
                        struct viewer viewer)
{
    (void)before;
    struct teller teller = {
        .state = after, .viewer = viewer, .seat = ply->seat, .list = json_array()};
    if (teller.state->point == AT_PAY)
        tell_named(&teller, ply->move);
    while (teller.next < teller.state->notes)
        tell(&teller, teller.state->note[teller.next++]);
    return teller.list;
}
