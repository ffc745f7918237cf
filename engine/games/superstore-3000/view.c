/* What a viewer may know, as JSON, built from what is allowed: everything on the table, and for a
 * seat its own individual card. The auditor sees all cards in play; everyone sees the card of a
 * built night club, and all cards once the game is over. Nobody sees the supply. */
#include "engine/game/view_parts.h"
#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/score.h"
#include "engine/games/superstore-3000/wishes.h"

static json_t *piece_name(const struct superstore_components *set, uint8_t piece)
{
    return view_name(set->pieces[piece].name);
}

static void set_cell(json_t *object, unsigned column, unsigned floor)
{
    view_set(object, "column", view_name(superstore_columns[column]));
    view_set(object, "floor", json_integer(floor));
}

/* {"column": "m1", "floor": 2} */
static json_t *cell(unsigned column, unsigned floor)
{
    json_t *object = json_object();
    set_cell(object, column, floor);
    return object;
}

static json_t *dispenser(const struct superstore_components *set,
                         const struct superstore_state *state)
{
    static const char *const columns[DISPENSER_COLUMNS] = {"a", "b"};
    json_t *object = json_object();
    for (unsigned column = 0; column < DISPENSER_COLUMNS; column++) {
        json_t *tiles = json_array();
        for (unsigned row = 0; row < state->height[column]; row++)
            json_array_append_new(tiles, piece_name(set, state->dispenser[column][row]));
        view_set(object, columns[column], tiles);
    }
    return object;
}

/* The seat that built a common attraction; null if none. */
static json_t *builder(const struct superstore_state *state, uint8_t piece)
{
    for (unsigned seat = 0; seat < state->seats; seat++)
        if (superstore_tiles_of(&state->mall[seat], piece) != 0)
            return json_integer(seat);
    return json_null();
}

static uint32_t seats_that_meet(const struct superstore_state *state,
                                const struct superstore_condition *condition)
{
    uint32_t seats = 0;
    for (unsigned seat = 0; seat < state->seats; seat++)
        if (superstore_holds(&state->mall[seat], condition))
            seats |= UINT32_C(1) << seat;
    return seats;
}

static json_t *common_attractions(const struct superstore_components *set,
                                  const struct superstore_state *state)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < state->common_count; i++) {
        const struct superstore_common *common = &state->common[i];
        const struct superstore_attraction *attraction = &set->attractions[common->attraction];
        const struct superstore_condition *condition = &attraction->side[common->side];
        uint8_t piece = (uint8_t)(FIRST_ATTRACTION + common->attraction);
        json_t *object = json_object();
        view_set(object, "attraction", piece_name(set, piece));
        view_set(object, "side", json_string(common->side == 0 ? "a" : "b"));
        view_set(object, "points", json_integer(attraction->points));
        view_set(object, "condition", json_string(condition->text));
        view_set(object, "built", json_boolean(common->built));
        view_set(object, "built_by", builder(state, piece));
        view_set(object, "met_by", view_seat_list(seats_that_meet(state, condition)));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *docks_left(const struct superstore_components *set,
                          const struct superstore_state *state)
{
    json_t *list = json_array();
    for (unsigned dock = 0; dock < DOCKS; dock++)
        if (state->dock_owner[dock] == NONE)
            json_array_append_new(list, piece_name(set, (uint8_t)(FIRST_DOCK + dock)));
    return list;
}

static json_t *standing(const struct superstore_components *set, const struct superstore_tile *tile)
{
    const struct superstore_piece *piece = &set->pieces[tile->piece];
    json_t *list = json_array();
    for (unsigned slot = 0; slot < piece->wish_count; slot++)
        if ((tile->customers >> slot & 1) != 0)
            json_array_append_new(list, view_name(set->wishes[piece->wish[slot]]));
    return list;
}

static json_t *tile_object(const struct superstore_components *set,
                           const struct superstore_tile *tile)
{
    json_t *object = json_object();
    view_set(object, "tile", piece_name(set, tile->piece));
    set_cell(object, tile->column, tile->floor);
    if (superstore_is_attraction(tile->piece))
        view_set(object, "face", view_name(superstore_faces[tile->face]));
    else if (superstore_is_store(tile->piece))
        view_set(object, "occupied", json_boolean(tile->customers != 0));
    else
        view_set(object, "standing", standing(set, tile));
    return object;
}

static json_t *mall_tiles(const struct superstore_components *set,
                          const struct superstore_mall *mall)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile tile = superstore_tile(mall, i);
        json_array_append_new(list, tile_object(set, &tile));
    }
    return list;
}

static json_t *support_places(const struct superstore_components *set,
                              const struct superstore_mall *mall)
{
    struct superstore_outline outline;
    superstore_draw_outline(set, mall, &outline);
    json_t *list = json_array();
    for (unsigned column = 0; column < COLUMNS; column++)
        for (unsigned floor = 1; floor <= FLOOR_MAX; floor++)
            if (superstore_is_support_place(&outline, column, floor))
                json_array_append_new(list, cell(column, floor));
    return list;
}

/* By category: the best cluster, as it counts for balloons. */
static json_t *clusters(const struct superstore_components *set, const struct superstore_mall *mall)
{
    json_t *object = json_object();
    for (unsigned category = 0; category < STORE_CATEGORIES; category++) {
        struct superstore_merit merit;
        superstore_best_cluster(mall, category, &merit);
        json_t *floors = json_array();
        for (unsigned i = 0; i < merit.customers; i++)
            json_array_append_new(floors, json_integer(merit.floor[i]));
        json_t *cluster = json_object();
        view_set(cluster, "size", json_integer(merit.size));
        view_set(cluster, "satisfied", json_integer(merit.customers));
        view_set(cluster, "floors", floors);
        view_set(object, set->categories[category].at, cluster);
    }
    return object;
}

static bool may_see_card(const struct superstore_state *state, struct viewer viewer, unsigned seat)
{
    return state->point == AT_OVER || view_is_open_to(viewer, seat) ||
           superstore_has_night_club(&state->mall[seat]);
}

static json_t *card_of(const struct superstore_components *set, const struct superstore_mall *mall)
{
    const struct superstore_card *card = &set->cards[mall->card];
    json_t *object = json_object();
    view_set(object, "card", view_name(card->name));
    view_set(object, "condition", json_string(card->condition.text));
    view_set(object, "met", json_boolean(superstore_holds(mall, &card->condition)));
    return object;
}

static json_t *points_of(const struct superstore_points *points, unsigned seat)
{
    json_t *object = json_object();
    for (unsigned balloon = 0; balloon < BALLOONS; balloon++)
        view_set(object, superstore_balloons[balloon].at,
                 json_integer(points->balloons[balloon][seat]));
    view_set(object, "attractions", json_integer(points->attractions[seat]));
    view_set(object, "docking_bays", json_integer(points->docks[seat]));
    return object;
}

static json_t *player(const struct superstore_components *set, const struct superstore_state *state,
                      unsigned seat, struct viewer viewer, const struct superstore_points *counted)
{
    const struct superstore_mall *mall = &state->mall[seat];
    json_t *object = json_object();
    view_set(object, "seat", json_integer(seat));
    view_set(object, "bank_notes", json_integer(mall->bank_notes));
    view_set(object, "mall", mall_tiles(set, mall));
    view_set(object, "support_places", support_places(set, mall));
    view_set(object, "satisfied", json_integer(superstore_satisfied(mall)));
    view_set(object, "clusters", clusters(set, mall));
    view_set(object, "points", points_of(counted, seat));
    view_set(object, "night_club", json_boolean(superstore_has_night_club(mall)));
    view_set(object, "individual_card",
             may_see_card(state, viewer, seat) ? card_of(set, mall) : json_null());
    return object;
}

static json_t *players(const struct superstore_components *set,
                       const struct superstore_state *state, struct viewer viewer,
                       const struct superstore_points *counted)
{
    json_t *list = json_array();
    for (unsigned seat = 0; seat < state->seats; seat++)
        json_array_append_new(list, player(set, state, seat, viewer, counted));
    return list;
}

/* The values, and the seats that would get them now: a list of seats for each kind, the best
 * balloon first. */
static json_t *balloons(const struct superstore_components *set,
                        const struct superstore_state *state,
                        const struct superstore_points *counted)
{
    json_t *object = json_object();
    for (unsigned balloon = 0; balloon < BALLOONS; balloon++) {
        const uint8_t *values = balloon == RAINBOW ? set->rainbow_values[state->seats]
                                                   : set->colour_values[state->seats];
        json_t *list = json_array();
        for (unsigned place = 0; place + 1 < state->seats; place++) {
            json_t *token = json_object();
            unsigned holder = 0;
            while (counted->balloons[balloon][holder] != values[place])
                holder++;
            view_set(token, "value", json_integer(values[place]));
            view_set(token, "seat", json_integer(holder));
            json_array_append_new(list, token);
        }
        view_set(object, superstore_balloons[balloon].at, list);
    }
    return object;
}

static json_t *store_cells(const struct superstore_mall *mall, uint32_t stores)
{
    json_t *list = json_array();
    for (; stores != 0; stores &= stores - 1) {
        const unsigned store = superstore_lowest(stores);
        json_array_append_new(list, cell(mall->column[store], mall->floor[store]));
    }
    return list;
}

/* At SERVE: the customers of the current group, each with the stores it can go to. */
static json_t *choice(const struct superstore_components *set, const struct superstore_state *state)
{
    if (state->point != AT_SERVE)
        return json_null();
    const struct superstore_mall *mall = &state->mall[state->active];
    struct superstore_wishes open;
    superstore_find_wishes(set, mall, &open);
    json_t *list = json_array();
    for (unsigned i = 0; i < open.count; i++) {
        const struct superstore_wish *wish = &open.wish[i];
        if (!superstore_in_group(&open, CURRENT_GROUP, i))
            continue;
        json_t *customer = cell(mall->column[wish->tile], mall->floor[wish->tile]);
        view_set(customer, "wish", view_name(set->wishes[superstore_wish_of(set, mall, wish)]));
        view_set(customer, "stores", store_cells(mall, wish->stores));
        json_array_append_new(list, customer);
    }
    return list;
}

/* The cards that no seat holds: public at the end of the game. */
static json_t *cards_not_dealt(const struct superstore_components *set,
                               const struct superstore_state *state)
{
    if (state->point != AT_OVER)
        return json_null();
    json_t *list = json_array();
    for (unsigned i = 0; i < CARDS; i++) {
        bool dealt = false;
        for (unsigned seat = 0; seat < state->seats; seat++)
            dealt = dealt || state->mall[seat].card == i;
        if (!dealt)
            json_array_append_new(list, view_name(set->cards[i].name));
    }
    return list;
}

/* Sets the seats to move and the decision. */
static void set_turn(const struct superstore_components *set, json_t *view,
                     const struct superstore_state *state)
{
    const char *decision = state->point == AT_ACT ? "act" : "serve";
    view_set_turn(view, superstore_deciders(state), state->point == AT_OVER ? NULL : decision,
                  state->active);
    view_set(view, "first_player", json_integer(state->first));
    view_set(view, "last_round", json_boolean(state->last_round));
    view_set(view, "choice", choice(set, state));
}

json_t *superstore_view(const struct game *game, const void *opaque, struct viewer viewer)
{
    const struct superstore_state *state = opaque;
    const struct superstore_components *set = game->set;
    struct superstore_points counted;
    superstore_count_points(set, state, &counted);
    json_t *view = json_object();
    view_set(view, "ruleset", json_string("superstore-3000"));
    view_set(view, "seats", json_integer(state->seats));
    set_turn(set, view, state);
    view_set(view, "dispenser", dispenser(set, state));
    view_set(view, "supply", json_integer(state->supply_end - state->supply_next));
    view_set(view, "bank", json_integer(state->bank));
    view_set(view, "common_attractions", common_attractions(set, state));
    view_set(view, "docking_bays", docks_left(set, state));
    view_set(view, "balloons", balloons(set, state, &counted));
    view_set(view, "players", players(set, state, viewer, &counted));
    view_set(view, "cards_not_dealt", cards_not_dealt(set, state));
    view_set(view, "outcome", view_outcome(game, state, state->point == AT_OVER, true));
    return view;
}
