/* Describes what a ply did, from its notes in the state: one event for each note, in order, with
 * data for a program and a sentence for a person. A card drawn unseen is named only to the seat
 * that drew it and to the auditor; everything else happens in the open. */
#include "engine/game/view_parts.h"
#include "engine/games/shinjuku/rules.h"

/* The state after the ply. */
static const struct shinjuku_state *state_of(const struct telling *telling)
{
    return telling->state;
}

static void set_ward(const struct shinjuku_components *set, struct telling *telling,
                     const char *key, unsigned ward)
{
    telling_set_name(telling, key, set->wards[ward].name);
}

static void set_station(const struct shinjuku_components *set, struct telling *telling,
                        const char *key, unsigned station)
{
    telling_set_name(telling, key, set->stations[station].name);
}

static void say_ward(const struct shinjuku_components *set, struct telling *telling, unsigned ward)
{
    telling_say(telling, set->wards[ward].title);
}

static void say_station(const struct shinjuku_components *set, struct telling *telling,
                        unsigned station)
{
    telling_say(telling, set->stations[station].title);
}

/* The notes of `kind` that follow, NULL when there are no more. */
static const struct note *following(struct telling *telling, enum note_kind kind)
{
    const struct shinjuku_state *state = state_of(telling);
    if (telling->next >= state->notes || state->note[telling->next].kind != kind)
        return NULL;
    return &state->note[telling->next++];
}

/* `2 food, 1 double books`, or `nobody`. */
static void tell_customers(const struct shinjuku_components *set, struct telling *telling)
{
    json_t *customers = json_object();
    const char *comma = "";
    const struct note *note;
    while ((note = following(telling, NOTE_CUSTOMERS)) != NULL) {
        json_object_set_new(customers, set->kinds[note->a].name.at, json_integer(note->b));
        telling_say(telling, comma);
        telling_say_number(telling, note->b);
        telling_say(telling, " ");
        telling_say(telling, set->kinds[note->a].title);
        comma = ", ";
    }
    if (comma[0] == '\0')
        telling_say(telling, "nobody");
    telling_set(telling, "customers", customers);
}

static void tell_matsuri(const struct shinjuku_components *set, struct telling *telling,
                         struct note note)
{
    telling_begin(telling, "matsuri");
    set_ward(set, telling, "from", note.a);
    set_ward(set, telling, "to", note.b);
    telling_say(telling, "The Matsuri moves from ");
    say_ward(set, telling, note.a);
    telling_say(telling, " to ");
    say_ward(set, telling, note.b);
    telling_finish(telling);
}

static void tell_payment(const struct shinjuku_components *set, struct telling *telling,
                         struct note note)
{
    telling_begin_with_seat(telling, "paid", telling->seat);
    json_t *cards = json_array();
    const struct note *card = &note;
    const char *comma = " pays ";
    for (; card != NULL; card = following(telling, NOTE_PAID)) {
        struct span name = set->wards[card->a].name;
        json_array_append_new(cards, json_stringn(name.at, name.length));
        telling_say(telling, comma);
        say_ward(set, telling, card->a);
        comma = ", ";
    }
    telling_set(telling, "cards", cards);
    telling_finish(telling);
}

static void tell_opened(const struct shinjuku_components *set, struct telling *telling,
                        struct note note)
{
    telling_begin_with_seat(telling, "store_opened", telling->seat);
    set_station(set, telling, "station", note.a);
    telling_set_name(telling, "good", set->goods[note.b]);
    telling_say(telling, " opens a Store for ");
    telling_say(telling, set->goods[note.b].at);
    telling_say(telling, " in ");
    say_station(set, telling, note.a);
    telling_finish(telling);
}

static void tell_relocated(const struct shinjuku_components *set, struct telling *telling,
                           struct note note)
{
    telling_begin_with_seat(telling, "store_relocated", telling->seat);
    set_station(set, telling, "from", note.a);
    set_station(set, telling, "to", note.b);
    telling_say(telling, " moves a Store from ");
    say_station(set, telling, note.a);
    telling_say(telling, " to ");
    say_station(set, telling, note.b);
    telling_finish(telling);
}

static void tell_track(const struct shinjuku_components *set, struct telling *telling,
                       struct note note)
{
    const struct shinjuku_connection *connection = &set->connections[note.a];
    telling_begin_with_seat(telling, "track_laid", telling->seat);
    set_station(set, telling, "a", connection->a);
    set_station(set, telling, "b", connection->b);
    telling_say(telling, " lays track between ");
    say_station(set, telling, connection->a);
    telling_say(telling, " and ");
    say_station(set, telling, connection->b);
    telling_finish(telling);
}

static void tell_group(const struct shinjuku_components *set, struct telling *telling,
                       struct note note)
{
    telling_begin_with_seat(telling, "move_begins", telling->seat);
    set_station(set, telling, "station", note.a);
    telling_say(telling, " gathers customers in ");
    say_station(set, telling, note.a);
    telling_say(telling, ": ");
    tell_customers(set, telling);
    telling_finish(telling);
}

static void tell_step(const struct shinjuku_components *set, struct telling *telling,
                      struct note note)
{
    uint8_t owner = state_of(telling)->track_owner[note.b];
    telling_begin(telling, "step");
    set_station(set, telling, "station", note.a);
    telling_set(telling, "track_of", owner == NONE ? json_null() : json_integer(owner));
    telling_say(telling, "The customers ride to ");
    say_station(set, telling, note.a);
    if (owner != NONE) {
        telling_say(telling, " on ");
        telling_say_seat(telling, owner);
        telling_say(telling, "'s track");
    }
    telling_finish(telling);
}

static void tell_given(const struct shinjuku_components *set, struct telling *telling,
                       struct note note)
{
    telling_begin(telling, "delivered");
    telling_set_number(telling, "seat", note.b);
    telling_set_name(telling, "customer", set->kinds[note.a].name);
    set_station(set, telling, "station", note.c);
    telling_say(telling, "The Store of ");
    telling_say_seat(telling, note.b);
    telling_say(telling, " in ");
    say_station(set, telling, note.c);
    telling_say(telling, " takes a customer: ");
    telling_say(telling, set->kinds[note.a].title);
    telling_finish(telling);
}

static void tell_move_end(const struct shinjuku_components *set, struct telling *telling,
                          struct note note)
{
    uint8_t ward = set->stations[note.a].ward;
    telling_begin(telling, "move_ends");
    set_station(set, telling, "station", note.a);
    set_ward(set, telling, "ward", ward);
    telling_say(telling, "The move ends in ");
    say_station(set, telling, note.a);
    telling_say(telling, "; left in ");
    say_ward(set, telling, ward);
    telling_say(telling, ": ");
    tell_customers(set, telling);
    telling_finish(telling);
}

static void tell_income(const struct shinjuku_components *set, struct telling *telling,
                        struct note note)
{
    telling_begin_with_seat(telling, "income", note.a);
    telling_set_number(telling, "count", note.b);
    telling_say(telling, " draws ");
    telling_say_count(telling, note.b, "card", "cards");
    bool seen = view_is_open_to(telling->viewer, note.a);
    json_t *cards = json_array();
    const char *comma = ": ";
    const struct note *card;
    while ((card = following(telling, NOTE_CARD)) != NULL) {
        if (!seen)
            continue;
        struct span name = set->wards[card->a].name;
        json_array_append_new(cards, json_stringn(name.at, name.length));
        telling_say(telling, comma);
        say_ward(set, telling, card->a);
        comma = ", ";
    }
    if (seen)
        json_object_set(telling->event, "cards", cards);
    json_decref(cards);
    telling_finish(telling);
}

static void tell_upgraded(const struct shinjuku_components *set, struct telling *telling,
                          struct note note)
{
    telling_begin_with_seat(telling, "store_upgraded", telling->seat);
    set_station(set, telling, "station", note.a);
    telling_set_name(telling, "customer", set->kinds[note.b].name);
    telling_say(telling, " opens a Department Store in ");
    say_station(set, telling, note.a);
    telling_say(telling, " and spends a customer: ");
    telling_say(telling, set->kinds[note.b].title);
    telling_finish(telling);
}

static void tell_bonus(struct telling *telling, struct note note)
{
    telling_begin_with_seat(telling, "bonus_claimed", telling->seat);
    telling_set_number(telling, "tokens", note.a);
    telling_say(telling, " claims Upgrade Bonus tokens: ");
    telling_say_number(telling, note.a);
    telling_finish(telling);
}

static void tell_queued(const struct shinjuku_components *set, struct telling *telling,
                        struct note note)
{
    telling_begin(telling, "queued");
    telling_set_number(telling, "space", note.a + 1u);
    telling_set_name(telling, "customer", set->kinds[note.b].name);
    telling_say(telling, "A customer joins space ");
    telling_say_number(telling, note.a + 1u);
    telling_say(telling, " of the Queue: ");
    telling_say(telling, set->kinds[note.b].title);
    telling_finish(telling);
}

static void tell_removed(const struct shinjuku_components *set, struct telling *telling,
                         struct note note)
{
    telling_begin(telling, "removed");
    telling_set_name(telling, "customer", set->kinds[note.a].name);
    telling_say(telling, "A customer leaves the game: ");
    telling_say(telling, set->kinds[note.a].title);
    telling_finish(telling);
}

static void tell_turn_end(struct telling *telling, struct note note)
{
    telling_begin_with_seat(telling, "turn_ends", note.a);
    telling_say(telling, " ends the turn");
    telling_finish(telling);
}

static void tell_turn(struct telling *telling, struct note note)
{
    telling->seat = note.a;
    telling_begin(telling, "turn_begins");
    telling_seat(telling, note.a);
    telling_say(telling, "'s turn begins");
    telling_finish(telling);
}

static void tell_placed(const struct shinjuku_components *set, struct telling *telling,
                        struct note note)
{
    telling_begin(telling, "customers_placed");
    set_ward(set, telling, "ward", note.a);
    telling_say(telling, "Customers arrive in ");
    say_ward(set, telling, note.a);
    telling_say(telling, ": ");
    tell_customers(set, telling);
    telling_finish(telling);
}

static void tell_queue_card(const struct shinjuku_components *set, struct telling *telling,
                            struct note note)
{
    telling_begin_with_seat(telling, "queue_card_taken", telling->seat);
    set_ward(set, telling, "card", note.a);
    telling_set(telling, "kept", json_boolean(note.b));
    telling_say(telling, note.b ? " takes the card " : " holds 15 cards and discards the card ");
    say_ward(set, telling, note.a);
    telling_finish(telling);
}

static void tell_revealed(const struct shinjuku_components *set, struct telling *telling,
                          struct note note)
{
    telling_begin(telling, "card_revealed");
    set_ward(set, telling, "card", note.a);
    telling_say(telling, "The Queue is refilled with the card ");
    say_ward(set, telling, note.a);
    telling_finish(telling);
}

static void tell(const struct shinjuku_components *set, struct telling *telling, struct note note)
{
    switch ((enum note_kind)note.kind) {
    case NOTE_MATSURI:
        tell_matsuri(set, telling, note);
        break;
    case NOTE_PAID:
        tell_payment(set, telling, note);
        break;
    case NOTE_OPENED:
        tell_opened(set, telling, note);
        break;
    case NOTE_RELOCATED:
        tell_relocated(set, telling, note);
        break;
    case NOTE_TRACK:
        tell_track(set, telling, note);
        break;
    case NOTE_GROUP:
        tell_group(set, telling, note);
        break;
    case NOTE_STEP:
        tell_step(set, telling, note);
        break;
    case NOTE_GIVEN:
        tell_given(set, telling, note);
        break;
    case NOTE_MOVE_END:
        tell_move_end(set, telling, note);
        break;
    case NOTE_INCOME:
        tell_income(set, telling, note);
        break;
    case NOTE_UPGRADED:
        tell_upgraded(set, telling, note);
        break;
    case NOTE_BONUS:
        tell_bonus(telling, note);
        break;
    case NOTE_QUEUED:
        tell_queued(set, telling, note);
        break;
    case NOTE_REMOVED:
        tell_removed(set, telling, note);
        break;
    case NOTE_TURN_END:
        tell_turn_end(telling, note);
        break;
    case NOTE_TURN:
        tell_turn(telling, note);
        break;
    case NOTE_PLACED:
        tell_placed(set, telling, note);
        break;
    case NOTE_QUEUE_CARD:
        tell_queue_card(set, telling, note);
        break;
    case NOTE_REVEALED:
        tell_revealed(set, telling, note);
        break;
    case NOTE_SHUFFLED:
        telling_plain(telling, "shuffled", "The discard pile is shuffled into a new draw pile");
        break;
    case NOTE_FINAL:
        telling_plain(telling, "final_phase",
                      "The last customer has arrived: the game ends with this round of turns");
        break;
    case NOTE_OVER:
        telling_plain(telling, "game_over", "The game is over");
        break;
    case NOTE_NOTHING:
    case NOTE_CUSTOMERS:
    case NOTE_CARD:
        break;
    }
}

/* An action that awaits its payment has left no note yet; naming it is the event. */
static void tell_named(struct telling *telling, struct span move)
{
    telling_begin_with_seat(telling, "action_named", telling->seat);
    telling_set_name(telling, "action", span_of(shinjuku_action_name(state_of(telling)->action)));
    telling_set_name(telling, "move", move);
    telling_say(telling, " is about to pay for: ");
    telling_say_span(telling, move);
    telling_finish(telling);
}

json_t *shinjuku_events(const struct game *game, const void *before, const void *after,
                        const struct ply *ply, struct viewer viewer)
{
    const struct shinjuku_components *set = game->set;
    (void)before;
    const struct shinjuku_state *state = after;
    struct telling telling;
    telling_init(&telling, after, ply, viewer);
    if (state->point == AT_PAY)
        tell_named(&telling, ply->move);
    while (telling.next < state->notes)
        tell(set, &telling, state->note[telling.next++]);
    return telling.list;
}
