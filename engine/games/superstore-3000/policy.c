/* A sensible player. It tries each legal move, lets customers settle, and judges the position
 * reached (judge.h). Most moves only add a mall element that serves nobody: what they change is
 * then computed, and the rest is as before. */

#include <string.h>

#include "engine/games/superstore-3000/judge.h"
#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/wishes.h"

/* A cell where mall elements can be built. */
struct site {
    uint8_t column, floor;
    uint32_t touched;                                 /* bit t: tile t would be adjacent */
    uint32_t near;                                    /* ... or reached from there */
    uint8_t known;                                    /* bit c: cluster[c] is known */
    struct superstore_size cluster[STORE_CATEGORIES]; /* of a store there */
};

enum { SITES_MAX = COLUMNS + TILES_MAX };

/* A tile of the dispenser that is built. */
struct slot {
    bool known;
    uint8_t piece;
    int32_t turns; /* left, after the move */
    int32_t notes;
};

struct trial {
    struct superstore_state table;
    struct superstore_outlook outlook;
    struct superstore_grid grid; /* of the seat's mall before the move */
    struct superstore_plan plan;
    struct superstore_standing before;
    struct superstore_sets sets;
    bool settled;            /* nobody can be served before the move */
    uint32_t free[STORES];   /* free stores by what they are: bit t for tile t */
    uint32_t wished[STORES]; /* tiles on which somebody would go to such a store */
    struct slot slot[DISPENSER_COLUMNS][DISPENSER_ROWS];
    unsigned sites;
    struct site site[SITES_MAX];
};

/* The worth of the position after the move, and after the fallback choices that may follow. */
static int32_t worth_after(const struct superstore_components *set, struct trial *trial,
                           const struct superstore_move *move)
{
    const unsigned seat = trial->outlook.seat;
    struct superstore_state after = trial->table;
    struct superstore_mall *mall = &after.mall[seat];
    struct superstore_plan plan = trial->plan;
    struct superstore_standing standing = trial->before;
    superstore_apply(set, &after, move);
    if (move->verb == VERB_BUILD)
        superstore_add_element(set, &trial->outlook, &mall->tile[mall->tiles - 1], &standing);
    if (mall->tiles > trial->table.mall[seat].tiles)
        superstore_join_plan(set, &plan, &trial->grid, &mall->tile[mall->tiles - 1],
                             mall->tiles - 1u);
    superstore_settle(set, &after, &plan, NULL);
    while (after.point == AT_SERVE) {
        struct superstore_wishes open;
        superstore_find_wishes(set, mall, &plan, &open);
        superstore_lie_down(mall, &open.wish[CURRENT_GROUP], superstore_first_store(mall, &open));
        after.steps = 0;
        superstore_settle(set, &after, &plan, NULL);
    }
    superstore_survey_again(set, &after, &plan, &trial->outlook, &standing);
    return superstore_worth(set, &standing, superstore_turns_left(&after), &trial->outlook);
}

/* ---- Moves that serve nobody ---- */

static void find_wished(const struct superstore_components *set, const struct superstore_mall *mall,
                        struct trial *trial)
{
    memset(trial->free, 0, sizeof trial->free);
    memset(trial->wished, 0, sizeof trial->wished);
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *tile = &mall->tile[i];
        const struct superstore_piece *piece = &set->pieces[tile->piece];
        if (superstore_is_store(tile->piece))
            trial->free[tile->piece] |= (uint32_t)(tile->customers == 0) << i;
        else
            for (unsigned slot = 0; slot < piece->wish_count; slot++)
                for (uint8_t store = 0; store < STORES; store++)
                    if ((tile->customers >> slot & 1) != 0 &&
                        superstore_suits(set, piece->wish[slot], store))
                        trial->wished[store] |= UINT32_C(1) << i;
    }
}

/* What a mall element there would be connected with. */
static struct site *find_site(const struct superstore_components *set, struct trial *trial,
                              uint8_t column, uint8_t floor)
{
    const unsigned tiles = trial->table.mall[trial->outlook.seat].tiles;
    for (unsigned i = 0; i < trial->sites; i++)
        if (trial->site[i].column == column && trial->site[i].floor == floor)
            return &trial->site[i];
    struct superstore_plan plan = trial->plan;
    struct site *site = &trial->site[trial->sites++];
    superstore_join_plan(set, &plan, &trial->grid,
                         &(struct superstore_tile){0, column, floor, FRONT, 0}, tiles);
    site->column = column;
    site->floor = floor;
    site->touched = plan.neighbours[tiles];
    site->near = superstore_within(&plan, tiles, MOVE_RANGE);
    site->known = 0;
    return site;
}

/* False only if nobody can be served. All new ways lead over the new tile, so who is served and
 * where are both near it. */
static bool may_serve(const struct superstore_components *set, const struct trial *trial,
                      uint32_t near, uint8_t piece)
{
    const struct superstore_piece *built = &set->pieces[piece];
    if (superstore_is_store(piece) && (trial->wished[piece] & near) != 0)
        return true;
    for (uint8_t store = 0; store < STORES; store++) {
        if ((trial->free[store] & near) == 0)
            continue;
        if ((trial->wished[store] & near) != 0)
            return true;
        for (unsigned slot = 0; slot < built->wish_count; slot++)
            if (superstore_suits(set, built->wish[slot], store))
                return true;
    }
    return false;
}

static struct superstore_size cluster_at(struct trial *trial, struct site *site, unsigned category)
{
    const unsigned tile = trial->table.mall[trial->outlook.seat].tiles;
    if ((site->known >> category & 1) == 0) {
        struct superstore_plan plan = trial->plan;
        struct superstore_sets sets = trial->sets;
        plan.neighbours[tile] = site->touched;
        sets.stores[category] |= UINT32_C(1) << tile;
        site->cluster[category] = superstore_size_of(&plan, &sets, category, tile);
        site->known |= (uint8_t)(1u << category);
    }
    return site->cluster[category];
}

/* The table after a move that serves nobody. */
static void finish(const struct superstore_components *set, const struct trial *trial,
                   const struct superstore_move *move, struct slot *slot)
{
    struct superstore_state after = trial->table;
    superstore_apply(set, &after, move);
    superstore_end_turn(set, &after, NULL);
    slot->turns = superstore_turns_left(&after);
    slot->notes = after.mall[trial->outlook.seat].bank_notes;
    slot->known = true;
}

static int32_t worth_of_build(const struct superstore_components *set, struct trial *trial,
                              const struct superstore_move *move)
{
    struct slot *slot = &trial->slot[move->slot_column][move->slot_row];
    const uint8_t piece = trial->table.dispenser[move->slot_column][move->slot_row];
    const struct superstore_tile tile = {piece, move->column, move->floor, FRONT, 0};
    struct site *site = find_site(set, trial, move->column, move->floor);
    struct superstore_standing standing = trial->before;
    struct superstore_size cluster = {0, 0};
    if (may_serve(set, trial, site->near, piece))
        return worth_after(set, trial, move);
    if (!slot->known)
        finish(set, trial, move, slot);
    if (superstore_is_store(piece))
        cluster = cluster_at(trial, site, set->pieces[piece].category);
    superstore_add_element(set, &trial->outlook, &tile, &standing);
    superstore_add_customers(set, &tile, cluster, &standing);
    superstore_set_notes(&trial->outlook, slot->notes, &standing);
    return superstore_worth(set, &standing, slot->turns, &trial->outlook);
}

static int32_t worth_of_attraction_or_dock(const struct superstore_components *set,
                                           struct trial *trial, const struct superstore_move *move)
{
    struct superstore_state after = trial->table;
    const struct superstore_mall *mall = &after.mall[trial->outlook.seat];
    const unsigned added = mall->tiles;
    struct superstore_plan plan = trial->plan;
    struct superstore_standing standing = trial->before;
    superstore_apply(set, &after, move);
    superstore_join_plan(set, &plan, &trial->grid, &mall->tile[added], added);
    if (may_serve(set, trial, superstore_within(&plan, added, MOVE_RANGE), move->piece))
        return worth_after(set, trial, move);
    superstore_end_turn(set, &after, NULL);
    superstore_add_other(set, &after, &plan, &trial->sets, &trial->outlook, &standing);
    return superstore_worth(set, &standing, superstore_turns_left(&after), &trial->outlook);
}

static int32_t worth_of_money(const struct superstore_components *set, struct trial *trial,
                              const struct superstore_move *move)
{
    struct slot slot;
    struct superstore_standing standing = trial->before;
    finish(set, trial, move, &slot);
    superstore_set_notes(&trial->outlook, slot.notes, &standing);
    return superstore_worth(set, &standing, slot.turns, &trial->outlook);
}

static int32_t worth_of_move(const struct superstore_components *set, struct trial *trial,
                             const struct superstore_move *move)
{
    if (!trial->settled)
        return worth_after(set, trial, move);
    if (move->verb == VERB_BUILD)
        return worth_of_build(set, trial, move);
    if (move->verb == VERB_MONEY)
        return worth_of_money(set, trial, move);
    return worth_of_attraction_or_dock(set, trial, move);
}

static void begin(const struct superstore_components *set, struct trial *trial,
                  const struct superstore_state *state, unsigned seat)
{
    const struct superstore_mall *mall = &state->mall[seat];
    struct superstore_wishes open;
    trial->table = *state;
    superstore_look_around(set, &trial->table, seat, &trial->outlook);
    superstore_draw_grid(set, mall, &trial->grid, &trial->plan);
    superstore_sort_tiles(set, mall, &trial->sets);
    superstore_survey(set, &trial->outlook, &trial->plan, &trial->sets, &trial->before);
    find_wished(set, mall, trial);
    superstore_find_wishes(set, mall, &trial->plan, &open);
    trial->settled = open.count == 0;
    trial->sites = 0;
    memset(trial->slot, 0, sizeof trial->slot);
}

/* Nothing hidden is looked at: the supply, and the cards of other seats. */
void superstore_weigh(const struct game *game, const void *state, unsigned seat,
                      const struct move_list *legal, int32_t *weight)
{
    const struct superstore_components *set = game->set;
    struct superstore_move moves[LEGAL_MAX];
    struct trial trial;
    bool read = true;
    begin(set, &trial, state, seat);
    if (trial.table.point == AT_ACT)
        read = superstore_list_actions(set, &trial.table, moves) == legal->count;
    else
        for (size_t i = 0; i < legal->count; i++)
            read &= superstore_read_move(set, move_list_get(legal, i), &moves[i]);
    assert(read);
    (void)read;
    for (size_t i = 0; i < legal->count; i++)
        weight[i] = worth_of_move(set, &trial, &moves[i]);
}
