/* Describes what a ply did, from its steps in the state: one event for each, in order, with data
 * for a program and a sentence for a person. Everything happens in the open; a card is named only
 * when it is revealed to all. */
#include "engine/game/view_parts.h"
#include "engine/games/superstore-3000/rules.h"

/* The state after the ply. */
static const struct superstore_state *state_of(const struct telling *telling)
{
    return telling->state;
}

/* `m1 on floor 2` */
static void say_cell(struct telling *telling, const struct superstore_tile *tile)
{
    telling_say_span(telling, superstore_columns[tile->column]);
    telling_say(telling, " on floor ");
    telling_say_number(telling, tile->floor);
}

static void say_notes(struct telling *telling, unsigned count)
{
    telling_say_count(telling, count, "bank note", "bank notes");
}

static struct superstore_tile tile_of(const struct telling *telling, uint8_t tile)
{
    return superstore_tile(&state_of(telling)->mall[telling->seat], tile);
}

static void set_tile(const struct superstore_components *set, struct telling *telling,
                     const struct superstore_tile *tile)
{
    telling_set_name(telling, "tile", set->pieces[tile->piece].name);
    telling_set_name(telling, "column", superstore_columns[tile->column]);
    telling_set_number(telling, "floor", tile->floor);
}

static void set_cell(struct telling *telling, const char *key, const struct superstore_tile *tile)
{
    struct span column = superstore_columns[tile->column];
    json_t *cell = json_object();
    json_object_set_new(cell, "column", json_stringn(column.at, column.length));
    json_object_set_new(cell, "floor", json_integer(tile->floor));
    telling_set(telling, key, cell);
}

static void tell_built(const struct superstore_components *set, struct telling *telling,
                       struct superstore_step step)
{
    const struct superstore_tile tile = tile_of(telling, step.a);
    telling_begin_with_seat(telling, "element_built", telling->seat);
    set_tile(set, telling, &tile);
    telling_set_number(telling, "price", step.b);
    telling_say(telling, " builds ");
    telling_say(telling, set->pieces[tile.piece].title);
    telling_say(telling, " at ");
    say_cell(telling, &tile);
    if (step.b > 0) {
        telling_say(telling, " for ");
        say_notes(telling, step.b);
    }
    telling_finish(telling);
}

static void tell_attraction(const struct superstore_components *set, struct telling *telling,
                            struct superstore_step step)
{
    const struct superstore_tile tile = tile_of(telling, step.a);
    uint8_t points = set->attractions[tile.piece - FIRST_ATTRACTION].points;
    telling_begin_with_seat(telling, "attraction_built", telling->seat);
    set_tile(set, telling, &tile);
    telling_set_name(telling, "face", superstore_faces[tile.face]);
    telling_set_number(telling, "points", points);
    telling_say(telling, " builds the attraction ");
    telling_say(telling, set->pieces[tile.piece].title);
    telling_say(telling, " at ");
    say_cell(telling, &tile);
    telling_say(telling, ", worth ");
    telling_say_number(telling, points);
    telling_say(telling, " points");
    telling_finish(telling);
}

static void tell_card(const struct superstore_components *set, struct telling *telling)
{
    uint8_t held = state_of(telling)->mall[telling->seat].card;
    const struct superstore_card *card = &set->cards[held];
    telling_begin_with_seat(telling, "card_revealed", telling->seat);
    telling_set_name(telling, "card", card->name);
    telling_set(telling, "condition", json_string(card->condition.text));
    telling_say(telling, " reveals the individual card: ");
    telling_say(telling, card->condition.text);
    telling_finish(telling);
}

static void tell_docked(const struct superstore_components *set, struct telling *telling,
                        struct superstore_step step)
{
    const struct superstore_tile tile = tile_of(telling, step.a);
    telling_begin_with_seat(telling, "docking_bay_built", telling->seat);
    set_tile(set, telling, &tile);
    telling_say(telling, " builds a docking bay at ");
    telling_say_span(telling, superstore_columns[tile.column]);
    telling_say(telling, ": ");
    telling_say(telling, set->pieces[tile.piece].title);
    telling_finish(telling);
}

static const char *dispenser_column(unsigned column)
{
    return column == 0 ? "a" : "b";
}

static void tell_money(const struct superstore_components *set, struct telling *telling,
                       struct superstore_step step)
{
    telling_begin_with_seat(telling, "money_taken", telling->seat);
    telling_set(telling, "dispenser", json_string(dispenser_column(step.a)));
    telling_set_name(telling, "tile", set->pieces[step.b].name);
    telling_set_number(telling, "notes", step.c + 1);
    telling_set_number(telling, "from_bank", step.c);
    telling_say(telling, " takes ");
    telling_say(telling, set->pieces[step.b].title);
    telling_say(telling, " as money: ");
    say_notes(telling, step.c + 1u);
    telling_finish(telling);
}

static void tell_served(const struct superstore_components *set, struct telling *telling,
                        struct superstore_step step)
{
    const struct superstore_tile from = tile_of(telling, step.a);
    const struct superstore_tile store = tile_of(telling, step.c);
    uint8_t wish = set->pieces[from.piece].wish[step.b];
    telling_begin_with_seat(telling, "customer_satisfied", telling->seat);
    telling_set_name(telling, "wish", set->wishes[wish]);
    set_cell(telling, "from", &from);
    set_cell(telling, "to", &store);
    telling_set_name(telling, "store", set->pieces[store.piece].name);
    telling_say(telling, ": a customer goes from ");
    say_cell(telling, &from);
    telling_say(telling, " to ");
    telling_say(telling, set->pieces[store.piece].title);
    telling_say(telling, " at ");
    say_cell(telling, &store);
    telling_finish(telling);
}

static void tell_choice(struct telling *telling)
{
    telling_begin_with_seat(telling, "choice", telling->seat);
    telling_say(telling, " has to choose where a customer goes");
    telling_finish(telling);
}

static void tell_refilled(const struct superstore_components *set, struct telling *telling,
                          struct superstore_step step)
{
    telling_begin(telling, "dispenser_refilled");
    telling_set(telling, "dispenser", json_string(dispenser_column(step.a)));
    telling_set_name(telling, "tile", set->pieces[step.b].name);
    telling_say(telling, "Dispenser column ");
    telling_say(telling, dispenser_column(step.a));
    telling_say(telling, " is refilled with ");
    telling_say(telling, set->pieces[step.b].title);
    telling_finish(telling);
}

static void tell_last_round(struct telling *telling, struct superstore_step step)
{
    telling_begin(telling, "last_round");
    telling_set(telling, "reason", json_string(step.a ? "supply" : "attractions"));
    telling_say(telling, step.a ? "The supply is empty" : "The last common attraction is built");
    telling_say(telling, ": the game ends with this round");
    telling_finish(telling);
}

static void tell_turn(struct telling *telling, struct superstore_step step)
{
    telling_begin(telling, "turn_begins");
    telling_say(telling, "It is ");
    telling_seat(telling, step.a);
    telling_say(telling, "'s turn");
    telling_finish(telling);
}

/* The cards that were still secret become public. */
static void tell_over(const struct superstore_components *set, struct telling *telling)
{
    const struct superstore_state *state = state_of(telling);
    json_t *cards = json_array();
    for (unsigned seat = 0; seat < state->seats; seat++) {
        struct span name = set->cards[state->mall[seat].card].name;
        json_array_append_new(cards, json_stringn(name.at, name.length));
    }
    telling_begin(telling, "game_over");
    telling_set(telling, "cards", cards);
    telling_say(telling, "The game is over");
    telling_finish(telling);
}

static void tell(const struct superstore_components *set, struct telling *telling,
                 struct superstore_step step)
{
    switch ((enum step_kind)step.kind) {
    case STEP_BUILT:
        tell_built(set, telling, step);
        break;
    case STEP_ATTRACTION:
        tell_attraction(set, telling, step);
        break;
    case STEP_CARD:
        tell_card(set, telling);
        break;
    case STEP_DOCKED:
        tell_docked(set, telling, step);
        break;
    case STEP_MONEY:
        tell_money(set, telling, step);
        break;
    case STEP_SERVED:
        tell_served(set, telling, step);
        break;
    case STEP_CHOICE:
        tell_choice(telling);
        break;
    case STEP_REFILLED:
        tell_refilled(set, telling, step);
        break;
    case STEP_LAST_ROUND:
        tell_last_round(telling, step);
        break;
    case STEP_TURN:
        tell_turn(telling, step);
        break;
    case STEP_OVER:
        tell_over(set, telling);
        break;
    }
}

json_t *superstore_events(const struct game *game, const void *before, const void *after,
                          const struct ply *ply, struct viewer viewer)
{
    const struct superstore_components *set = game->set;
    (void)before;
    const struct superstore_state *state = after;
    struct telling telling;
    telling_init(&telling, after, ply, viewer);
    for (unsigned i = 0; i < state->steps; i++)
        tell(set, &telling, state->step[i]);
    return telling.list;
}
