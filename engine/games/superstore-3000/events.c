/* What a ply did, told from the steps that it left in the state: one event for each, in order, with
 * data for a program and a sentence for a person. Everything happens in the open; a card is named
 * only where it is revealed to all. */
#include "engine/games/superstore-3000/rules.h"

struct teller {
    const struct superstore_state *state;
    unsigned seat; /* who made the ply */
    json_t *list;
    json_t *event; /* being put together */
    struct text text;
    char bytes[256];
};

static void set(const struct teller *teller, const char *key, json_t *value)
{
    json_object_set_new(teller->event, key, value);
}

static void set_name(const struct teller *teller, const char *key, struct span name)
{
    set(teller, key, json_stringn(name.at, name.length));
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

/* `m1 on floor 2` */
static void say_cell(struct teller *teller, const struct superstore_tile *tile)
{
    text_add_span(&teller->text, superstore_columns[tile->column]);
    say(teller, " on floor ");
    text_add_number(&teller->text, tile->floor);
}

static void say_notes(struct teller *teller, unsigned count)
{
    text_add_number(&teller->text, count);
    say(teller, count == 1 ? " bank note" : " bank notes");
}

static void begin(struct teller *teller, const char *kind)
{
    teller->event = json_object();
    teller->text = TEXT_OVER(teller->bytes);
    set(teller, "kind", json_string(kind));
}

static void begin_with_seat(struct teller *teller, const char *kind)
{
    begin(teller, kind);
    set(teller, "seat", json_integer(teller->seat));
    say_seat(teller, teller->seat);
}

static void finish(struct teller *teller)
{
    say(teller, ".");
    assert(!teller->text.overflow);
    set(teller, "text", json_string(teller->bytes));
    json_array_append_new(teller->list, teller->event);
}

static const struct superstore_tile *tile_of(const struct teller *teller, uint8_t tile)
{
    return &teller->state->mall[teller->seat].tile[tile];
}

static void set_tile(const struct teller *teller, const struct superstore_tile *tile)
{
    set_name(teller, "tile", superstore_pieces[tile->piece].name);
    set_name(teller, "column", superstore_columns[tile->column]);
    set(teller, "floor", json_integer(tile->floor));
}

static void set_cell(const struct teller *teller, const char *key,
                     const struct superstore_tile *tile)
{
    struct span column = superstore_columns[tile->column];
    json_t *cell = json_object();
    json_object_set_new(cell, "column", json_stringn(column.at, column.length));
    json_object_set_new(cell, "floor", json_integer(tile->floor));
    set(teller, key, cell);
}

static void tell_built(struct teller *teller, struct superstore_step step)
{
    const struct superstore_tile *tile = tile_of(teller, step.a);
    begin_with_seat(teller, "element_built");
    set_tile(teller, tile);
    set(teller, "price", json_integer(step.b));
    say(teller, " builds ");
    say(teller, superstore_pieces[tile->piece].title);
    say(teller, " at ");
    say_cell(teller, tile);
    if (step.b > 0) {
        say(teller, " for ");
        say_notes(teller, step.b);
    }
    finish(teller);
}

static void tell_attraction(struct teller *teller, struct superstore_step step)
{
    const struct superstore_tile *tile = tile_of(teller, step.a);
    uint8_t points = superstore_attractions[tile->piece - FIRST_ATTRACTION].points;
    begin_with_seat(teller, "attraction_built");
    set_tile(teller, tile);
    set_name(teller, "face", superstore_faces[tile->face]);
    set(teller, "points", json_integer(points));
    say(teller, " builds the attraction ");
    say(teller, superstore_pieces[tile->piece].title);
    say(teller, " at ");
    say_cell(teller, tile);
    say(teller, ", worth ");
    text_add_number(&teller->text, points);
    say(teller, " points");
    finish(teller);
}

static void tell_card(struct teller *teller)
{
    const struct superstore_card *card = &superstore_cards[teller->state->mall[teller->seat].card];
    begin_with_seat(teller, "card_revealed");
    set_name(teller, "card", card->name);
    set(teller, "condition", json_string(card->condition.text));
    say(teller, " reveals the individual card: ");
    say(teller, card->condition.text);
    finish(teller);
}

static void tell_docked(struct teller *teller, struct superstore_step step)
{
    const struct superstore_tile *tile = tile_of(teller, step.a);
    begin_with_seat(teller, "docking_bay_built");
    set_tile(teller, tile);
    say(teller, " builds a docking bay at ");
    text_add_span(&teller->text, superstore_columns[tile->column]);
    say(teller, ": ");
    say(teller, superstore_pieces[tile->piece].title);
    finish(teller);
}

static const char *dispenser_column(unsigned column)
{
    return column == 0 ? "a" : "b";
}

static void tell_money(struct teller *teller, struct superstore_step step)
{
    begin_with_seat(teller, "money_taken");
    set(teller, "dispenser", json_string(dispenser_column(step.a)));
    set_name(teller, "tile", superstore_pieces[step.b].name);
    set(teller, "notes", json_integer(step.c + 1));
    set(teller, "from_bank", json_integer(step.c));
    say(teller, " takes ");
    say(teller, superstore_pieces[step.b].title);
    say(teller, " as money: ");
    say_notes(teller, step.c + 1u);
    finish(teller);
}

static void tell_served(struct teller *teller, struct superstore_step step)
{
    const struct superstore_tile *from = tile_of(teller, step.a);
    const struct superstore_tile *store = tile_of(teller, step.c);
    uint8_t wish = superstore_pieces[from->piece].wish[step.b];
    begin_with_seat(teller, "customer_satisfied");
    set_name(teller, "wish", superstore_wishes[wish]);
    set_cell(teller, "from", from);
    set_cell(teller, "to", store);
    set_name(teller, "store", superstore_pieces[store->piece].name);
    say(teller, ": a customer goes from ");
    say_cell(teller, from);
    say(teller, " to ");
    say(teller, superstore_pieces[store->piece].title);
    say(teller, " at ");
    say_cell(teller, store);
    finish(teller);
}

static void tell_choice(struct teller *teller)
{
    begin_with_seat(teller, "choice");
    say(teller, " has to choose where a customer goes");
    finish(teller);
}

static void tell_refilled(struct teller *teller, struct superstore_step step)
{
    begin(teller, "dispenser_refilled");
    set(teller, "dispenser", json_string(dispenser_column(step.a)));
    set_name(teller, "tile", superstore_pieces[step.b].name);
    say(teller, "Dispenser column ");
    say(teller, dispenser_column(step.a));
    say(teller, " is filled up with ");
    say(teller, superstore_pieces[step.b].title);
    finish(teller);
}

static void tell_last_round(struct teller *teller, struct superstore_step step)
{
    begin(teller, "last_round");
    set(teller, "reason", json_string(step.a ? "supply" : "attractions"));
    say(teller, step.a ? "The supply is empty" : "The last common attraction is built");
    say(teller, ": the game ends with this round");
    finish(teller);
}

static void tell_turn(struct teller *teller, struct superstore_step step)
{
    begin(teller, "turn_begins");
    set(teller, "seat", json_integer(step.a));
    say(teller, "It is the turn of ");
    say_seat(teller, step.a);
    finish(teller);
}

/* The cards that were still secret are public now. */
static void tell_over(struct teller *teller)
{
    json_t *cards = json_array();
    for (unsigned seat = 0; seat < teller->state->seats; seat++) {
        struct span name = superstore_cards[teller->state->mall[seat].card].name;
        json_array_append_new(cards, json_stringn(name.at, name.length));
    }
    begin(teller, "game_over");
    set(teller, "cards", cards);
    say(teller, "The game is over");
    finish(teller);
}

static void tell(struct teller *teller, struct superstore_step step)
{
    switch ((enum step_kind)step.kind) {
    case STEP_BUILT:
        tell_built(teller, step);
        break;
    case STEP_ATTRACTION:
        tell_attraction(teller, step);
        break;
    case STEP_CARD:
        tell_card(teller);
        break;
    case STEP_DOCKED:
        tell_docked(teller, step);
        break;
    case STEP_MONEY:
        tell_money(teller, step);
        break;
    case STEP_SERVED:
        tell_served(teller, step);
        break;
    case STEP_CHOICE:
        tell_choice(teller);
        break;
    case STEP_REFILLED:
        tell_refilled(teller, step);
        break;
    case STEP_LAST_ROUND:
        tell_last_round(teller, step);
        break;
    case STEP_TURN:
        tell_turn(teller, step);
        break;
    case STEP_OVER:
        tell_over(teller);
        break;
    }
}

json_t *superstore_events(const void *before, const void *after, const struct ply *ply,
                          struct viewer viewer)
{
    (void)before;
    (void)viewer;
    struct teller teller = {.state = after, .seat = ply->seat, .list = json_array()};
    for (unsigned i = 0; i < teller.state->steps; i++)
        tell(&teller, teller.state->step[i]);
    return teller.list;
}
