/* Checks and applies a ply. A move is read, then its conditions are tested in the order of the
 * rules, and the first broken one is the answer; only then is anything changed. */
#include "engine/games/superstore-3000/notation.h"
#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/wishes.h"

#include <string.h>

static const struct refusal game_over = {REFUSAL_GAME_OVER, "The game has ended."};
static const struct refusal not_your_decision = {"not-your-decision",
                                                 "It is another seat's decision."};
static const struct refusal bad_syntax = {REFUSAL_BAD_SYNTAX,
                                          "The move is not written in a known form."};
static const struct refusal wrong_decision = {"wrong-decision",
                                              "This kind of move is not possible at this point."};
static const struct refusal slot_empty = {"slot-empty", "There is no tile on that slot."};
static const struct refusal not_enough_notes = {"not-enough-notes",
                                                "You do not have enough bank notes for that row."};
static const struct refusal first_floor = {"first-floor", "Mall elements cannot stand on floor 1."};
static const struct refusal occupied = {"occupied", "Another tile is there."};
static const struct refusal no_support = {"no-support",
                                          "Nothing below that place can carry a tile."};
static const struct refusal not_in_game = {"not-in-game", "That attraction is not in this game."};
static const struct refusal already_built = {"already-built", "That attraction has been built."};
static const struct refusal condition_not_met = {"condition-not-met",
                                                 "Your mall does not meet the condition."};
static const struct refusal below_ground = {"below-ground", "Part of it would be below floor 1."};
static const struct refusal covers_tile = {"covers-tile", "It would cover another tile."};
static const struct refusal no_base = {"no-base",
                                       "The base plate must stand on a tile that can carry it."};
static const struct refusal dock_taken = {"dock-taken", "That docking bay is taken."};
static const struct refusal dock_colour_limit = {"dock-colour-limit",
                                                 "You already have a docking bay of that color."};
static const struct refusal not_beside_entrance = {
    "not-beside-entrance", "It must stand beside the main entrance or your other docking bay."};
static const struct refusal no_such_customer = {"no-such-customer",
                                                "No customer with that wish stands there."};
static const struct refusal no_such_store = {"no-such-store", "There is no store there."};
static const struct refusal wrong_store = {"wrong-store",
                                           "That is not the store this customer wants."};
static const struct refusal store_occupied = {"store-occupied",
                                              "Another customer is in that store."};
static const struct refusal too_far = {"too-far", "That store is more than 3 tiles away."};
static const struct refusal not_now = {"not-now",
                                       "Another group of customers must be settled first."};

/* The first condition that a move breaks, NULL if it is legal. */
typedef const struct refusal *check_result;

static const struct superstore_mall *active_mall(const struct superstore_state *state)
{
    return &state->mall[state->active];
}

static check_result check_build(const struct superstore_components *set,
                                const struct superstore_state *state,
                                const struct superstore_move *move)
{
    const struct superstore_mall *mall = active_mall(state);
    if (move->slot_row >= state->height[move->slot_column])
        return &slot_empty;
    if (mall->bank_notes < move->slot_row)
        return &not_enough_notes;
    if (move->floor == 1)
        return &first_floor;
    if (mall->tops.floor[move->column] == move->floor)
        return NULL;
    const struct superstore_column column = superstore_draw_column(set, mall, move->column);
    if ((column.occupied >> move->floor & 1) != 0)
        return &occupied;
    return (superstore_support_places(column) >> move->floor & 1) == 0 ? &no_support : NULL;
}

static bool is_built(const struct superstore_state *state, unsigned attraction)
{
    if (attraction == 0)
        return superstore_has_night_club(active_mall(state));
    return state->common[superstore_find_common(state, attraction)].built;
}

static check_result check_attract(const struct superstore_components *set,
                                  const struct superstore_state *state,
                                  const struct superstore_move *move)
{
    const struct superstore_mall *mall = active_mall(state);
    unsigned attraction = (unsigned)move->piece - FIRST_ATTRACTION;
    if (attraction != 0 && superstore_find_common(state, attraction) == NONE)
        return &not_in_game;
    if (is_built(state, attraction))
        return &already_built;
    if (!superstore_holds(mall, superstore_condition_of(set, state, mall, attraction)))
        return &condition_not_met;
    struct superstore_tile tile = {move->piece, move->column, move->floor, move->face, 0};
    struct superstore_outline outline;
    superstore_draw_outline(set, mall, &outline);
    static const struct refusal *const reasons[] = {[FITS] = NULL,
                                                    [BELOW_GROUND] = &below_ground,
                                                    [COVERS_TILE] = &covers_tile,
                                                    [NO_BASE] = &no_base};
    return reasons[superstore_fit(set, &outline, &tile)];
}

static check_result check_dock(const struct superstore_components *set,
                               const struct superstore_state *state,
                               const struct superstore_move *move)
{
    const struct superstore_mall *mall = active_mall(state);
    unsigned dock = (unsigned)move->piece - FIRST_DOCK;
    struct superstore_outline outline;
    if (state->dock_owner[dock] != NONE)
        return &dock_taken;
    if (superstore_has_dock(set, mall, set->docks[dock].colour))
        return &dock_colour_limit;
    if (!superstore_may_dock(set, mall, set->docks[dock].colour))
        return &condition_not_met;
    superstore_draw_outline(set, mall, &outline);
    if (!superstore_is_free(&outline, move->column, move->floor))
        return &occupied;
    if ((superstore_beside_entrances(mall) >> move->column & 1) == 0)
        return &not_beside_entrance;
    return NULL;
}

static check_result check_money(const struct superstore_components *set,
                                const struct superstore_state *state,
                                const struct superstore_move *move)
{
    (void)set;
    return state->height[move->slot_column] == 0 ? &slot_empty : NULL;
}

/* The standing customer that a move names, the first of those who want the same. False if there is
 * none. */
static bool find_customer(const struct superstore_components *set,
                          const struct superstore_mall *mall, const struct superstore_move *move,
                          struct superstore_wish *customer)
{
    customer->tile = superstore_tile_at(mall, move->column, move->floor);
    if (customer->tile == NONE)
        return false;
    const uint8_t standing = mall->customers[customer->tile];
    const struct superstore_piece *piece = &set->pieces[mall->piece[customer->tile]];
    for (customer->slot = 0; customer->slot < piece->wish_count; customer->slot++)
        if (piece->wish[customer->slot] == move->wish && (standing >> customer->slot & 1) != 0)
            return true;
    return false;
}

/* The index of this customer's wish among the open ones, or `open->count`. */
static unsigned find_wish(const struct superstore_wishes *open,
                          const struct superstore_wish *customer)
{
    unsigned i = 0;
    while (i < open->count &&
           (open->wish[i].tile != customer->tile || open->wish[i].slot != customer->slot))
        i++;
    return i;
}

static check_result check_serve(const struct superstore_components *set,
                                const struct superstore_state *state,
                                const struct superstore_move *move)
{
    const struct superstore_mall *mall = active_mall(state);
    struct superstore_wish customer;
    if (!find_customer(set, mall, move, &customer))
        return &no_such_customer;
    uint8_t store = superstore_tile_at(mall, move->store_column, move->store_floor);
    if (store == NONE || !superstore_is_store(mall->piece[store]))
        return &no_such_store;
    if (!superstore_suits(set, move->wish, mall->piece[store]))
        return &wrong_store;
    if (mall->customers[store] != 0)
        return &store_occupied;
    struct superstore_wishes open;
    superstore_find_wishes(set, mall, &open);
    unsigned wish = find_wish(&open, &customer);
    if (wish == open.count || (open.wish[wish].stores >> store & 1) == 0)
        return &too_far;
    return superstore_in_group(&open, CURRENT_GROUP, wish) ? NULL : &not_now;
}

static void apply_build(const struct superstore_components *set, struct superstore_state *state,
                        const struct superstore_move *move)
{
    struct superstore_mall *mall = &state->mall[state->active];
    uint8_t price = move->slot_row;
    mall->bank_notes = (uint8_t)(mall->bank_notes - price);
    state->bank = (uint8_t)(state->bank + price);
    uint8_t piece = superstore_take(state, move->slot_column, move->slot_row);
    struct superstore_tile tile = {piece, move->column, move->floor, FRONT, 0};
    superstore_note(state, STEP_BUILT, superstore_add_tile(set, mall, tile), price, 0);
}

static void apply_attract(const struct superstore_components *set, struct superstore_state *state,
                          const struct superstore_move *move)
{
    struct superstore_mall *mall = &state->mall[state->active];
    struct superstore_tile tile = {move->piece, move->column, move->floor, move->face, 0};
    superstore_note(state, STEP_ATTRACTION, superstore_add_tile(set, mall, tile), 0, 0);
    if (move->piece == FIRST_ATTRACTION) {
        superstore_note(state, STEP_CARD, 0, 0, 0);
        return;
    }
    state->common[superstore_find_common(state, (unsigned)move->piece - FIRST_ATTRACTION)].built =
        1;
    if (superstore_commons_left(state) == 0)
        superstore_trigger_end(state, false);
}

static void apply_dock(const struct superstore_components *set, struct superstore_state *state,
                       const struct superstore_move *move)
{
    struct superstore_tile tile = {move->piece, move->column, move->floor, FRONT, 0};
    state->dock_owner[move->piece - FIRST_DOCK] = state->active;
    superstore_note(state, STEP_DOCKED, superstore_add_tile(set, &state->mall[state->active], tile),
                    0, 0);
}

static void apply_money(const struct superstore_components *set, struct superstore_state *state,
                        const struct superstore_move *move)
{
    uint8_t piece = superstore_take(state, move->slot_column, 0);
    unsigned matches = 0;
    for (unsigned row = 0; row < state->height[move->slot_column]; row++)
        matches += set->pieces[state->dispenser[move->slot_column][row]].category ==
                   set->pieces[piece].category;
    uint8_t gained = (uint8_t)(matches < state->bank ? matches : state->bank);
    struct superstore_mall *mall = &state->mall[state->active];
    mall->bank_notes = (uint8_t)(mall->bank_notes + 1 + gained);
    state->bank = (uint8_t)(state->bank - gained);
    superstore_note(state, STEP_MONEY, move->slot_column, piece, gained);
}

static void apply_serve(const struct superstore_components *set, struct superstore_state *state,
                        const struct superstore_move *move)
{
    struct superstore_mall *mall = &state->mall[state->active];
    struct superstore_wish customer;
    bool found = find_customer(set, mall, move, &customer);
    assert(found);
    (void)found;
    uint8_t store = superstore_tile_at(mall, move->store_column, move->store_floor);
    superstore_lie_down(mall, &customer, store);
    superstore_note(state, STEP_SERVED, customer.tile, customer.slot, store);
}

/* The decision that a verb answers, its conditions and its effect. */
static const struct duty {
    uint8_t point;
    check_result (*check)(const struct superstore_components *set,
                          const struct superstore_state *state, const struct superstore_move *move);
    void (*apply)(const struct superstore_components *set, struct superstore_state *state,
                  const struct superstore_move *move);
} duties[] = {
    [VERB_ATTRACT] = {AT_ACT, check_attract, apply_attract},
    [VERB_BUILD] = {AT_ACT, check_build, apply_build},
    [VERB_DOCK] = {AT_ACT, check_dock, apply_dock},
    [VERB_MONEY] = {AT_ACT, check_money, apply_money},
    [VERB_SERVE] = {AT_SERVE, check_serve, apply_serve},
};

static check_result check(const struct superstore_components *set,
                          const struct superstore_state *state, unsigned seat, struct span text,
                          struct superstore_move *move)
{
    if (state->point == AT_OVER)
        return &game_over;
    if (seat != state->active)
        return &not_your_decision;
    if (!superstore_read_move(set, text, move))
        return &bad_syntax;
    if (duties[move->verb].point != state->point)
        return &wrong_decision;
    return duties[move->verb].check(set, state, move);
}

void superstore_apply(const struct superstore_components *set, struct superstore_state *state,
                      const struct superstore_move *move)
{
    enum { FEW = 8 };
    memset(state->step, 0, FEW * sizeof state->step[0]);
    if (state->steps > FEW)
        memset(state->step, 0, state->steps * sizeof state->step[0]);
    state->steps = 0;
    duties[move->verb].apply(set, state, move);
}

uint32_t superstore_deciders(const void *opaque)
{
    const struct superstore_state *state = opaque;
    return state->point == AT_OVER ? 0 : UINT32_C(1) << state->active;
}

bool superstore_play(const struct game *game, void *opaque, unsigned seat, struct span text,
                     const struct chance *chance, struct refusal *refusal)
{
    struct superstore_state *state = opaque;
    const struct superstore_components *set = game->set;
    struct superstore_move move;
    check_result reason = check(set, state, seat, text, &move);
    if (reason != NULL) {
        *refusal = *reason;
        return false;
    }
    superstore_apply(set, state, &move);
    if (move.verb == VERB_MONEY) /* no mall has changed, and nobody could be served before */
        superstore_end_turn(set, state, chance);
    else
        superstore_settle(set, state, move.verb != VERB_SERVE, chance);
    return true;
}
