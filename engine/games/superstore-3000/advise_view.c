/* Setting a table up from a view. The view is the service's own, so what is missing or unknown in
 * it is left at zero and not complained about; indices stay within their bounds all the same. */
#include "engine/games/superstore-3000/advise.h"

#include "engine/games/superstore-3000/rules.h"
#include "engine/view_reading.h"

/* A number 0 .. max; anything else is 0. */
static uint8_t number_of(const json_t *object, const char *key, unsigned max)
{
    uint8_t number = view_read_number(json_object_get(object, key));
    return number > max ? 0 : number;
}

static bool truth_of(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

static uint8_t customers_of(const json_t *object, uint8_t piece)
{
    if (superstore_is_store(piece))
        return truth_of(object, "occupied");
    const json_t *standing = json_object_get(object, "standing");
    uint8_t customers = 0;
    for (size_t i = 0; i < json_array_size(standing); i++) {
        struct span wish = view_read_text(json_array_get(standing, i));
        for (unsigned slot = 0; slot < superstore_pieces[piece].wish_count; slot++)
            if (span_equal(superstore_wishes[superstore_pieces[piece].wish[slot]], wish))
                customers = (uint8_t)(customers | 1u << slot);
    }
    return customers;
}

static void recall_mall(const json_t *player, struct superstore_mall *mall)
{
    const json_t *tiles = json_object_get(player, "mall");
    for (size_t i = 0; i < json_array_size(tiles) && mall->tiles + 1 < TILES_MAX; i++) {
        const json_t *object = json_array_get(tiles, i);
        struct superstore_tile tile = {
            .piece =
                superstore_piece_named(view_read_text(json_object_get(object, "tile")), 0, PIECES),
            .column = superstore_column_named(view_read_text(json_object_get(object, "column"))),
            .floor = number_of(object, "floor", FLOOR_MAX),
            .face = span_is(view_read_text(json_object_get(object, "face")), "back") ? BACK : FRONT,
        };
        if (tile.piece == NONE || tile.column == NONE)
            continue;
        tile.customers = customers_of(object, tile.piece);
        mall->tile[mall->tiles++] = tile;
    }
    mall->bank_notes = number_of(player, "bank_notes", UINT8_MAX);
    const json_t *card = json_object_get(player, "individual_card");
    uint8_t known = superstore_card_named(view_read_text(json_object_get(card, "card")));
    mall->card = known == NONE ? 0 : known;
}

static void recall_column(const json_t *tiles, struct superstore_state *state, unsigned column)
{
    for (size_t i = 0; i < json_array_size(tiles) && i < DISPENSER_ROWS; i++) {
        struct span tile = view_read_text(json_array_get(tiles, i));
        uint8_t piece = superstore_piece_named(tile, 0, ELEMENTS);
        if (piece != NONE)
            state->dispenser[column][state->height[column]++] = piece;
    }
}

static void recall_attractions(const json_t *list, struct superstore_state *state)
{
    for (size_t i = 0; i < json_array_size(list) && state->common_count < COMMON_MAX; i++) {
        const json_t *object = json_array_get(list, i);
        uint8_t piece = superstore_piece_named(
            view_read_text(json_object_get(object, "attraction")), FIRST_ATTRACTION + 1, PIECES);
        if (piece == NONE)
            continue;
        state->common[state->common_count++] = (struct superstore_common){
            (uint8_t)(piece - FIRST_ATTRACTION),
            span_is(view_read_text(json_object_get(object, "side")), "b"),
            truth_of(object, "built")};
    }
}

/* Bays that are not in the list of those left belong to somebody: it does not matter to whom. */
static void recall_docks(const json_t *left, struct superstore_state *state)
{
    for (unsigned dock = 0; dock < DOCKS; dock++)
        state->dock_owner[dock] = 0;
    for (size_t i = 0; i < json_array_size(left); i++) {
        struct span bay = view_read_text(json_array_get(left, i));
        uint8_t piece = superstore_piece_named(bay, FIRST_DOCK, FIRST_ATTRACTION);
        if (piece != NONE)
            state->dock_owner[piece - FIRST_DOCK] = NONE;
    }
}

void superstore_read_view(const json_t *view, struct superstore_state *state)
{
    uint8_t seats = number_of(view, "seats", SEATS_MAX);
    superstore_clear(state, seats < SEATS_MIN ? SEATS_MIN : seats);
    state->first = number_of(view, "first_player", state->seats - 1);
    state->active = number_of(view, "active", state->seats - 1);
    state->point =
        span_is(view_read_text(json_object_get(view, "decision")), "serve") ? AT_SERVE : AT_ACT;
    state->last_round = truth_of(view, "last_round");
    state->bank = number_of(view, "bank", UINT8_MAX);
    state->supply_end = number_of(view, "supply", SUPPLY_MAX);
    const json_t *dispenser = json_object_get(view, "dispenser");
    recall_column(json_object_get(dispenser, "a"), state, 0);
    recall_column(json_object_get(dispenser, "b"), state, 1);
    recall_attractions(json_object_get(view, "common_attractions"), state);
    recall_docks(json_object_get(view, "docking_bays"), state);
    const json_t *players = json_object_get(view, "players");
    for (size_t seat = 0; seat < json_array_size(players) && seat < state->seats; seat++)
        recall_mall(json_array_get(players, seat), &state->mall[seat]);
}
