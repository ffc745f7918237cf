/* What a viewer may know, as JSON, built from what is allowed: everything on the table, the sizes
 * of hands and piles, and for a seat its own hand and artifacts. The auditor, and everyone once the
 * game is over, sees all hands and artifacts; nobody sees the order of a pile, except minors put
 * under their deck in the open. */
#include "engine/game/view_parts.h"
#include "engine/games/super-motherload/rules.h"

static void append(json_t *list, json_t *value)
{
    json_array_append_new(list, value);
}

/* {"r0": 2}: without zero counts. */
static json_t *cards(const struct motherload_components *set, const uint8_t counts[static CARDS])
{
    json_t *object = json_object();
    for (unsigned card = 0; card < CARDS; card++)
        if (counts[card] > 0)
            view_set(object, set->cards[card].name.at, json_integer(counts[card]));
    return object;
}

static json_t *minerals(const struct motherload_components *set,
                        const uint8_t counts[static MINERALS])
{
    json_t *object = json_object();
    for (unsigned mineral = 0; mineral < MINERALS; mineral++)
        if (counts[mineral] > 0)
            view_set(object, set->minerals[mineral].name.at, json_integer(counts[mineral]));
    return object;
}

static json_t *artifacts(const struct motherload_components *set,
                         const uint8_t counts[static ARTIFACTS])
{
    json_t *object = json_object();
    for (unsigned artifact = 0; artifact < ARTIFACTS; artifact++)
        if (counts[artifact] > 0)
            view_set(object, set->artifacts[artifact].name.at, json_integer(counts[artifact]));
    return object;
}

static json_t *achievement_names(const struct motherload_components *set, uint32_t achievements)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < ACHIEVEMENTS; i++) {
        uint8_t achievement = set->achievements_in_byte_order[i];
        if ((achievements >> achievement & 1) != 0)
            append(list, view_name(set->achievements[achievement].name));
    }
    return list;
}

/* Face-up achievements in the order of their slots; null = empty slot. */
static json_t *slots(const struct motherload_components *set,
                     const uint8_t achievements[static SLOTS])
{
    json_t *list = json_array();
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        if (achievements[slot] == NONE) {
            append(list, json_null());
            continue;
        }
        const struct motherload_achievement *achievement = &set->achievements[achievements[slot]];
        json_t *object = json_object();
        view_set(object, "id", view_name(achievement->name));
        view_set(object, "points", json_integer(achievement->points));
        view_set(object, "goal", json_string(achievement->text));
        append(list, object);
    }
    return list;
}

static json_t *minor_deck(const struct motherload_components *set,
                          const struct motherload_state *state)
{
    json_t *object = json_object();
    json_t *bottom = json_array();
    unsigned first = (unsigned)(state->minor_deck_count - state->minor_deck_known);
    for (unsigned i = first; i < state->minor_deck_count; i++)
        append(bottom, view_name(set->achievements[state->minor_deck[i]].name));
    view_set(object, "size", json_integer(state->minor_deck_count));
    view_set(object, "bottom", bottom);
    return object;
}

static json_t *strings(const char *const rows[static ROWS])
{
    json_t *list = json_array();
    for (unsigned row = 0; row < ROWS; row++)
        append(list, json_string(rows[row]));
    return list;
}

/* One string per row, `T` for a tunnel. */
static json_t *tunnels(const uint16_t covered[static ROWS])
{
    json_t *list = json_array();
    for (unsigned row = 0; row < ROWS; row++) {
        char drawing[COLUMNS + 1] = {0};
        for (unsigned column = 0; column < COLUMNS; column++)
            drawing[column] = (covered[row] >> column & 1) != 0 ? 'T' : '.';
        append(list, json_string(drawing));
    }
    return list;
}

static unsigned artifacts_hidden(const struct motherload_components *set,
                                 const struct motherload_state *state, unsigned place)
{
    unsigned hidden = 0;
    for (unsigned row = 0; row < ROWS; row++) {
        unsigned left = set->boards[state->board[place]].artifact[row] &
                        ~(unsigned)state->covered[place * ROWS + row];
        for (; left != 0; left &= left - 1)
            hidden++;
    }
    return hidden;
}

static json_t *boards(const struct motherload_components *set, const struct motherload_state *state)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < state->boards; i++) {
        const struct motherload_board *board = &set->boards[state->board[i]];
        json_t *object = json_object();
        view_set(object, "id", view_name(board->name));
        view_set(object, "depth", json_integer(board->depth));
        view_set(object, "terrain", strings(board->terrain));
        view_set(object, "content", strings(board->content));
        view_set(object, "tunnels", tunnels(state->covered + (size_t)i * ROWS));
        view_set(object, "artifacts_left", json_integer(artifacts_hidden(set, state, i)));
        append(list, object);
    }
    return list;
}

static json_t *last_tunnel(const struct motherload_state *state)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < state->last_count; i++) {
        char bytes[8];
        struct text space = TEXT_OVER(bytes);
        motherload_add_space(&space, state->last[i]);
        append(list, json_string(bytes));
    }
    return list;
}

static json_t *bonuses(const struct motherload_components *set, uint8_t set_of_bonuses)
{
    json_t *list = json_array();
    for (unsigned bonus = 0; bonus < DRILL_BONUSES; bonus++)
        if ((set_of_bonuses >> bonus & 1) != 0)
            append(list, view_name(set->drill_bonuses[bonus]));
    return list;
}

/* The Drill or Bomb begun last in this turn. */
static json_t *act(const struct motherload_components *set, const struct motherload_state *state)
{
    if (state->act.kind == ACT_NONE)
        return json_null();
    json_t *object = json_object();
    bool drill = state->act.kind == ACT_DRILL;
    view_set(object, "kind", json_string(drill ? "drill" : "bomb"));
    if (drill) {
        view_set(object, "color", view_name(set->colors[state->act.color]));
        view_set(object, "length", json_integer(state->act.length));
        view_set(object, "bonuses", bonuses(set, state->act.bonuses));
    } else {
        view_set(object, "pattern", view_name(set->patterns[state->act.pattern].name));
    }
    return object;
}

static json_t *turn(const struct motherload_components *set, const struct motherload_state *state)
{
    json_t *object = json_object();
    view_set(object, "left", json_integer(state->left));
    view_set(object, "taken", json_integer(state->taken));
    view_set(object, "bought", json_integer(state->buys));
    view_set(object, "tunnel_placed", json_boolean(state->placed));
    view_set(object, "minor_claimed", json_boolean(state->claimed_minor));
    view_set(object, "major_claimed", json_boolean(state->claimed_major));
    view_set(object, "claimable", achievement_names(set, motherload_claimable(state)));
    view_set(object, "act", act(set, state));
    view_set(object, "waiting", minerals(set, state->waiting));
    view_set(object, "put_before",
             state->put_mineral == NONE ? json_null()
                                        : view_name(set->minerals[state->put_mineral].name));
    view_set(object, "bought_from",
             state->bought_from == NONE ? json_null() : view_name(set->colors[state->bought_from]));
    return object;
}

static json_t *stack(const struct motherload_components *set, const struct motherload_state *state,
                     unsigned seat, unsigned color)
{
    json_t *object = json_object();
    bool left = motherload_stack_left(state, seat, color);
    view_set(object, "bought", json_integer(state->bought[seat][color]));
    view_set(object, "minerals", minerals(set, state->minerals[seat][color]));
    view_set(object, "value", json_integer(motherload_stack_value(set, state, seat, color)));
    if (!left) {
        view_set(object, "card", json_null());
        return object;
    }
    const struct motherload_card *card = &set->cards[motherload_top_card(state, seat, color)];
    view_set(object, "card", view_name(card->name));
    view_set(object, "cost", json_integer(card->cost));
    return object;
}

static json_t *stacks(const struct motherload_components *set, const struct motherload_state *state,
                      unsigned seat)
{
    json_t *object = json_object();
    for (unsigned color = 0; color < COLORS; color++)
        view_set(object, set->colors[color].at, stack(set, state, seat, color));
    return object;
}

static json_t *player(const struct motherload_components *set, const struct motherload_state *state,
                      unsigned seat, struct viewer viewer)
{
    json_t *object = json_object();
    view_set(object, "seat", json_integer(seat));
    view_set(object, "deck",
             state->deck[seat] == NONE ? json_null()
                                       : view_name(set->decks[state->deck[seat]].name));
    view_set(object, "stacks", stacks(set, state, seat));
    view_set(object, "hand_size", json_integer(motherload_hand_size(state, seat)));
    view_set(object, "draw_pile_size", json_integer(motherload_pile_size(state, seat)));
    view_set(object, "discard_pile", cards(set, state->discard[seat]));
    view_set(object, "bombs", json_integer(state->bombs[seat]));
    view_set(object, "artifacts_held", json_integer(motherload_artifacts_held(state, seat)));
    view_set(object, "achievements", achievement_names(set, state->claimed[seat]));
    view_set(object, "points_seen", json_integer(motherload_public_score(set, state, seat)));
    if (state->point != AT_OVER && !view_is_open_to(viewer, seat))
        return object;
    view_set(object, "hand", cards(set, state->hand[seat]));
    view_set(object, "artifacts", artifacts(set, state->artifacts[seat]));
    view_set(object, "score", json_integer(motherload_score(set, state, seat)));
    return object;
}

static json_t *players(const struct motherload_components *set,
                       const struct motherload_state *state, struct viewer viewer)
{
    json_t *list = json_array();
    for (unsigned seat = 0; seat < state->seats; seat++)
        append(list, player(set, state, seat, viewer));
    return list;
}

static json_t *chosen_options(const struct motherload_state *state)
{
    json_t *object = json_object();
    view_set(object, "decks", json_string(state->decks_by_seat ? "seat" : "chosen"));
    view_set(object, "sides", json_string(state->sides_drawn ? "drawn" : "chosen"));
    return object;
}

/* Sets the seats to move and the decision. */
static void set_turn(const struct motherload_components *set, json_t *view,
                     const struct motherload_state *state)
{
    bool over = state->point == AT_OVER;
    view_set_turn(view, motherload_deciders(state),
                  over ? NULL : motherload_point_name(state->point), state->active);
    view_set(view, "turn", turn(set, state));
    view_set(view, "ending", json_boolean(state->ending));
    view_set(view, "idle_turns", json_integer(state->idle));
    view_set(view, "idle_turns_max", json_integer((json_int_t)IDLE_TURNS * state->seats));
}

json_t *motherload_view(const struct game *game, const void *opaque, struct viewer viewer)
{
    const struct motherload_state *state = opaque;
    const struct motherload_components *set = game->set;
    json_t *view = json_object();
    view_set(view, "ruleset", json_string("super-motherload"));
    view_set(view, "seats", json_integer(state->seats));
    view_set(view, "options", chosen_options(state));
    set_turn(set, view, state);
    view_set(view, "boards", boards(set, state));
    view_set(view, "last_tunnel", last_tunnel(state));
    view_set(view, "majors", slots(set, state->majors));
    view_set(view, "minors", slots(set, state->minors));
    view_set(view, "minor_deck", minor_deck(set, state));
    view_set(view, "artifact_pile_size", json_integer(ARTIFACT_TILES - state->artifact_next));
    view_set(view, "bomb_supply", json_integer(state->supply));
    view_set(view, "players", players(set, state, viewer));
    view_set(view, "outcome", view_outcome(game, state, state->point == AT_OVER, false));
    return view;
}
