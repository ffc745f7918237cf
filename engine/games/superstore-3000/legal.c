/* Every legal move, generated in byte order: verbs, attractions, faces, slots, columns and floors
 * are each walked in the byte order of their names. Only `serve`, with a handful of moves, is
 * sorted at the end. */
#include "engine/games/superstore-3000/notation.h"
#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/wishes.h"

#include <string.h>

/* All support places, with their texts ` COLUMN FLOOR`, in byte order. */
struct places {
    unsigned count;
    struct {
        uint8_t column, floor;
    } cell[COLUMNS + TILES_MAX];
    struct move_part text[COLUMNS + TILES_MAX];
};

struct offer {
    const struct superstore_state *state;
    const struct superstore_mall *mall;
    struct move_list *list;       /* NULL: moves are listed as structs */
    struct superstore_move *move; /* the next one goes here */
    struct superstore_outline outline;
    bool drawn; /* there is an outline */
    struct places places;
};

static const struct superstore_outline *outline_of(const struct superstore_components *set,
                                                   struct offer *offer)
{
    if (!offer->drawn)
        superstore_draw_outline(set, offer->mall, &offer->outline);
    offer->drawn = true;
    return &offer->outline;
}

static void add_attraction(const struct superstore_components *set, struct offer *offer,
                           uint8_t piece, uint8_t face)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text move = TEXT_OVER(bytes);
    text_add(&move, "attract ");
    text_add_span(&move, set->pieces[piece].name);
    text_add_char(&move, ' ');
    text_add_span(&move, superstore_faces[face]);
    for (unsigned i = 0; i < offer->places.count; i++) {
        const uint8_t column = offer->places.cell[i].column;
        const uint8_t floor = offer->places.cell[i].floor;
        const struct move_part *place = &offer->places.text[i];
        const struct superstore_tile tile = {piece, column, floor, face, 0};
        if (superstore_fit(set, outline_of(set, offer), &tile) != FITS)
            continue;
        if (offer->list == NULL)
            *offer->move++ = (struct superstore_move){.verb = VERB_ATTRACT,
                                                      .piece = piece,
                                                      .face = face,
                                                      .column = column,
                                                      .floor = floor};
        else
            move_list_add_parts(offer->list, text_span(&move),
                                (struct span){place->bytes, place->length});
    }
}

/* The conditions of the attractions that are in the game and not built, by attraction; NULL for the
 * others. */
static void find_unbuilt(const struct superstore_components *set, const struct offer *offer,
                         const struct superstore_condition *unbuilt[static ATTRACTIONS])
{
    const struct superstore_state *state = offer->state;
    for (unsigned i = 0; i < ATTRACTIONS; i++)
        unbuilt[i] = NULL;
    if (!superstore_has_night_club(offer->mall))
        unbuilt[0] = &set->cards[offer->mall->card].condition;
    for (unsigned i = 0; i < state->common_count; i++) {
        const struct superstore_common *common = &state->common[i];
        if (!common->built)
            unbuilt[common->attraction] = &set->attractions[common->attraction].side[common->side];
    }
}

static void add_attractions(const struct superstore_components *set, struct offer *offer)
{
    const struct superstore_condition *unbuilt[ATTRACTIONS];
    find_unbuilt(set, offer, unbuilt);
    for (unsigned i = 0; i < ATTRACTIONS; i++) {
        uint8_t attraction = set->attractions_in_byte_order[i];
        if (unbuilt[attraction] == NULL || !superstore_holds(offer->mall, unbuilt[attraction]))
            continue;
        add_attraction(set, offer, (uint8_t)(FIRST_ATTRACTION + attraction), BACK);
        add_attraction(set, offer, (uint8_t)(FIRST_ATTRACTION + attraction), FRONT);
    }
}

static void add_place(struct offer *offer, uint8_t column, uint8_t floor)
{
    struct places *places = &offer->places;
    struct move_part *text = &places->text[places->count];
    places->cell[places->count].column = column;
    places->cell[places->count++].floor = floor;
    const struct span name = superstore_columns[column];
    memset(text->bytes, 0, sizeof text->bytes);
    char *at = text->bytes;
    *at++ = ' ';
    for (size_t i = 0; i < name.length; i++)
        *at++ = name.at[i];
    *at++ = ' ';
    if (floor >= 10)
        *at++ = (char)('0' + floor / 10);
    *at++ = (char)('0' + floor % 10);
    text->length = (unsigned)(at - text->bytes);
}

static void find_places(const struct superstore_components *set, struct offer *offer)
{
    offer->places.count = 0;
    for (uint64_t rest = superstore_top_columns(offer->mall); rest != 0; rest &= rest - 1) {
        const uint8_t column = superstore_columns_in_byte_order[__builtin_ctzll(rest)];
        const uint8_t top = offer->mall->tops.floor[column];
        if (top != TOP_SEVERAL) {
            add_place(offer, column, top);
            continue;
        }
        const uint64_t floors =
            superstore_support_places(superstore_draw_column(set, offer->mall, column));
        for (unsigned k = 0; k < FLOOR_MAX; k++)
            if ((floors >> superstore_floors_in_byte_order[k] & 1) != 0)
                add_place(offer, column, superstore_floors_in_byte_order[k]);
    }
}

static void add_builds(struct offer *offer)
{
    static const struct move_part slots[DISPENSER_COLUMNS][DISPENSER_ROWS] = {
        {{"build a1", 8}, {"build a2", 8}, {"build a3", 8}, {"build a4", 8}},
        {{"build b1", 8}, {"build b2", 8}, {"build b3", 8}, {"build b4", 8}}};
    const struct places *places = &offer->places;
    for (unsigned column = 0; column < DISPENSER_COLUMNS; column++) {
        for (unsigned row = 0; row < offer->state->height[column]; row++) {
            for (unsigned i = 0; row <= offer->mall->bank_notes && i < places->count; i++) {
                if (offer->list == NULL)
                    *offer->move++ = (struct superstore_move){.verb = VERB_BUILD,
                                                              .slot_column = (uint8_t)column,
                                                              .slot_row = (uint8_t)row,
                                                              .column = places->cell[i].column,
                                                              .floor = places->cell[i].floor};
                else
                    move_list_add_short(offer->list, &slots[column][row], &places->text[i]);
            }
        }
    }
}

static void add_dock(const struct superstore_components *set, struct offer *offer, uint64_t columns,
                     uint8_t piece)
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        uint8_t column = superstore_columns_in_byte_order[i];
        if ((columns >> column & 1) == 0 || !superstore_is_free(outline_of(set, offer), column, 1))
            continue;
        if (offer->list == NULL) {
            *offer->move++ = (struct superstore_move){
                .verb = VERB_DOCK, .piece = piece, .column = column, .floor = 1};
            continue;
        }
        char bytes[GAME_MOVE_MAX + 1];
        struct text move = TEXT_OVER(bytes);
        text_add(&move, "dock ");
        text_add_span(&move, set->pieces[piece].name);
        text_add_char(&move, ' ');
        text_add_span(&move, superstore_columns[column]);
        move_list_add(offer->list, text_span(&move));
    }
}

static void add_docks(const struct superstore_components *set, struct offer *offer)
{
    bool open[2];
    const unsigned sets = superstore_full_sets(offer->mall);
    for (unsigned colour = GRAY; colour <= BROWN; colour++)
        open[colour] =
            sets >= set->dock_requirement[colour] && !superstore_has_dock(set, offer->mall, colour);
    if (!open[GRAY] && !open[BROWN])
        return;
    const uint64_t columns = superstore_beside_entrances(offer->mall);
    for (unsigned i = 0; i < DOCKS; i++) {
        uint8_t dock = set->docks_in_byte_order[i];
        if (offer->state->dock_owner[dock] == NONE && open[set->docks[dock].colour])
            add_dock(set, offer, columns, (uint8_t)(FIRST_DOCK + dock));
    }
}

static void add_actions(const struct superstore_components *set, struct offer *offer)
{
    offer->drawn = false;
    find_places(set, offer);
    add_attractions(set, offer);
    add_builds(offer);
    add_docks(set, offer);
    for (uint8_t column = 0; column < DISPENSER_COLUMNS; column++) {
        if (offer->state->height[column] == 0)
            continue;
        if (offer->list == NULL)
            *offer->move++ = (struct superstore_move){.verb = VERB_MONEY, .slot_column = column};
        else
            move_list_add(offer->list, span_of(column == 0 ? "money a" : "money b"));
    }
}

size_t superstore_list_actions(const struct superstore_components *set,
                               const struct superstore_state *state, struct superstore_move *moves)
{
    struct offer offer;
    offer.state = state;
    offer.mall = &state->mall[state->active];
    offer.list = NULL;
    offer.move = moves;
    add_actions(set, &offer);
    return (size_t)(offer.move - moves);
}

static struct superstore_move service(const struct superstore_components *set,
                                      const struct superstore_mall *mall,
                                      const struct superstore_wish *wish, unsigned store)
{
    return (struct superstore_move){.verb = VERB_SERVE,
                                    .column = mall->column[wish->tile],
                                    .floor = mall->floor[wish->tile],
                                    .wish = superstore_wish_of(set, mall, wish),
                                    .store_column = mall->column[store],
                                    .store_floor = mall->floor[store]};
}

void superstore_write_service(const struct superstore_components *set,
                              const struct superstore_move *service, struct text *text)
{
    text_add(text, "serve");
    superstore_write_cell(text, service->column, service->floor);
    text_add_char(text, ' ');
    text_add_span(text, set->wishes[service->wish]);
    superstore_write_cell(text, service->store_column, service->store_floor);
}

/* True if an earlier wish is the same: a customer on the same tile who wants the same store. One
 * move says both. */
static bool is_repeated(const struct superstore_components *set, const struct superstore_mall *mall,
                        const struct superstore_wishes *open, unsigned i)
{
    const struct superstore_wish *wish = &open->wish[i];
    for (unsigned k = 0; k < i; k++)
        if (open->wish[k].tile == wish->tile &&
            superstore_wish_of(set, mall, &open->wish[k]) == superstore_wish_of(set, mall, wish))
            return true;
    return false;
}

size_t superstore_list_services(const struct superstore_components *set,
                                const struct superstore_state *state, struct superstore_move *moves)
{
    const struct superstore_mall *mall = &state->mall[state->active];
    struct superstore_wishes open;
    size_t count = 0;
    superstore_find_wishes(set, mall, &open);
    for (unsigned i = 0; i < open.count; i++) {
        if (!superstore_in_group(&open, CURRENT_GROUP, i) || is_repeated(set, mall, &open, i))
            continue;
        for (uint32_t stores = open.wish[i].stores; stores != 0; stores &= stores - 1)
            moves[count++] = service(set, mall, &open.wish[i], superstore_lowest(stores));
    }
    return count;
}

static void add_services(const struct superstore_components *set,
                         const struct superstore_state *state, struct move_list *list)
{
    struct superstore_move moves[LEGAL_MAX];
    const size_t count = superstore_list_services(set, state, moves);
    for (size_t i = 0; i < count; i++) {
        char bytes[GAME_MOVE_MAX + 1];
        struct text move = TEXT_OVER(bytes);
        superstore_write_service(set, &moves[i], &move);
        move_list_add(list, text_span(&move));
    }
    move_list_sort(list);
}

void superstore_legal(const struct game *game, const void *opaque, unsigned seat,
                      struct move_list *list)
{
    const struct superstore_state *state = opaque;
    const struct superstore_components *set = game->set;
    if (state->point == AT_OVER || seat != state->active)
        return;
    if (state->point == AT_SERVE) {
        add_services(set, state, list);
        return;
    }
    struct offer offer;
    offer.state = state;
    offer.mall = &state->mall[seat];
    offer.list = list;
    add_actions(set, &offer);
}

void superstore_fallback(const struct game *game, const void *opaque, unsigned seat,
                         struct text *move)
{
    const struct superstore_state *state = opaque;
    const struct superstore_components *set = game->set;
    assert(seat == state->active && state->point != AT_OVER);
    const struct superstore_mall *mall = &state->mall[seat];
    if (state->point == AT_ACT) {
        text_add(move, "money a");
        return;
    }
    struct superstore_wishes open;
    superstore_find_wishes(set, mall, &open);
    const struct superstore_move first =
        service(set, mall, &open.wish[CURRENT_GROUP], superstore_first_store(mall, &open));
    superstore_write_service(set, &first, move);
}
