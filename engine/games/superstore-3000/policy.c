/* A sensible player. It tries each legal move, lets customers settle, and judges the position
 * reached (judge.h). Most moves only add a mall element that serves nobody: what they change is
 * then computed, and the rest is as before. */

#include <string.h>

#include "engine/games/superstore-3000/judge.h"
#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/wishes.h"

/* A cell where mall elements can be built. */
struct site {
    uint32_t touched;                                 /* bit t: tile t would be adjacent */
    uint32_t near;                                    /* ... or reached from there */
    uint8_t known;                                    /* bit c: cluster[c] is known */
    struct superstore_size cluster[STORE_CATEGORIES]; /* of a store there */
};

/* Support places, and places for docking bays. */
enum { SITES_MAX = 2 * COLUMNS + TILES_MAX };

/* A tile of the dispenser that is built. */
struct slot {
    bool known;
    int32_t turns; /* left, after the move */
    int32_t notes;
};

/* The grid of a seat's mall, from one decision to the next. Begins with zeros. */
struct ground {
    unsigned tiles; /* that are on the grid */
    bool settled;   /* it is known that nobody can be served */
    struct superstore_grid grid;
};

struct trial {
    struct superstore_state table;
    struct superstore_outlook outlook;
    const struct superstore_grid *grid; /* of the seat's mall before the move */
    struct superstore_plan plan;
    struct superstore_standing before;
    struct superstore_sets sets;
    bool settled;            /* nobody can be served before the move */
    uint32_t free[STORES];   /* free stores by what they are: bit t for tile t */
    uint32_t wished[STORES]; /* tiles on which somebody would go to such a store */
    struct slot slot[DISPENSER_COLUMNS][DISPENSER_ROWS];
    struct slot other[PIECES]; /* after an attraction or docking bay */
    uint32_t measured;         /* bit t: within[t] is known */
    uint32_t within[TILES_MAX][MOVE_RANGE + 1];
    unsigned sites;
    struct site site[SITES_MAX];
    uint8_t site_at[COLUMNS][FLOOR_MAX + 1]; /* index + 1 */
};

/* True for a move that adds a tile to a mall where nobody can be served. */
static bool adds_to_settled(const struct trial *trial, const struct superstore_move *move)
{
    return trial->settled && move->verb != VERB_MONEY;
}

/* The worth of the position after the move, and after the fallback choices that may follow. */
static int32_t worth_after(const struct superstore_components *set, struct trial *trial,
                           const struct superstore_move *move)
{
    const unsigned seat = trial->outlook.seat;
    struct superstore_state after = trial->table;
    struct superstore_mall *mall = &after.mall[seat];
    struct superstore_standing standing = trial->before;
    superstore_apply(set, &after, move);
    if (move->verb == VERB_BUILD) {
        const struct superstore_tile built = superstore_tile(mall, mall->tiles - 1u);
        superstore_add_element(set, &trial->outlook, &built, &standing);
    }
    superstore_settle(set, &after, adds_to_settled(trial, move), NULL);
    while (after.point == AT_SERVE) {
        struct superstore_wishes open;
        superstore_find_wishes(set, mall, &open);
        superstore_lie_down(mall, &open.wish[CURRENT_GROUP], superstore_first_store(mall, &open));
        after.steps = 0;
        superstore_settle(set, &after, false, NULL);
    }
    superstore_survey_again(set, &after, &trial->outlook, &standing);
    return superstore_worth(&standing, superstore_turns_left(&after), &trial->outlook);
}

/* ---- Moves that serve nobody ---- */

static void find_wished(const struct superstore_components *set, const struct superstore_mall *mall,
                        struct trial *trial)
{
    memset(trial->free, 0, sizeof trial->free);
    memset(trial->wished, 0, sizeof trial->wished);
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_piece *piece = &set->pieces[mall->piece[i]];
        if (superstore_is_store(mall->piece[i]))
            trial->free[mall->piece[i]] |= (uint32_t)(mall->customers[i] == 0) << i;
        else
            for (unsigned slot = 0; slot < piece->wish_count; slot++)
                for (uint8_t store = 0; store < STORES; store++)
                    if ((mall->customers[i] >> slot & 1) != 0 &&
                        superstore_suits(set, piece->wish[slot], store))
                        trial->wished[store] |= UINT32_C(1) << i;
    }
}

/* The tiles that are within so many steps of a new one, which is not among them: the first step
 * goes to one that it touches, and to attractions it is free. */
static uint32_t within(struct trial *trial, uint32_t touched, unsigned steps)
{
    uint32_t reached = 0;
    for (uint32_t rest = touched; rest != 0; rest &= rest - 1) {
        const unsigned tile = superstore_lowest(rest);
        const bool free = (trial->plan.attractions >> tile & 1) != 0;
        if ((trial->measured >> tile & 1) == 0)
            superstore_find_reach(&trial->plan, tile, trial->within[tile]);
        trial->measured |= UINT32_C(1) << tile;
        if (free || steps > 0)
            reached |= trial->within[tile][free ? steps : steps - 1];
    }
    return reached;
}

/* What a mall element or docking bay there would be connected with. */
static struct site *find_site(const struct superstore_components *set, struct trial *trial,
                              uint8_t column, uint8_t floor)
{
    uint8_t *at = &trial->site_at[column][floor];
    if (*at != 0)
        return &trial->site[*at - 1];
    struct site *site = &trial->site[trial->sites++];
    *at = (uint8_t)trial->sites;
    site->touched =
        superstore_touched(set, trial->grid, &(struct superstore_tile){0, column, floor, FRONT, 0});
    site->near = within(trial, site->touched, MOVE_RANGE);
    site->known = 0;
    return site;
}

/* False if nobody can be served. All new ways lead over the new tile: from a wish to it, which
 * costs as much as back, but for the last tile that is entered, and on to a store. */
static bool may_serve(const struct superstore_components *set, struct trial *trial,
                      uint32_t touched, uint32_t near, uint8_t piece)
{
    const struct superstore_piece *built = &set->pieces[piece];
    const uint32_t attractions = trial->plan.attractions;
    uint32_t wished = 0;
    for (uint8_t store = 0; store < STORES; store++) {
        if ((trial->free[store] & near) == 0)
            continue;
        for (unsigned slot = 0; slot < built->wish_count; slot++)
            if (superstore_suits(set, built->wish[slot], store))
                return true;
        wished |= (uint32_t)((trial->wished[store] & near) != 0) << store;
    }
    if (superstore_is_store(piece) &&
        (trial->wished[piece] & ((near & ~attractions) | within(trial, touched, MOVE_RANGE - 1))) !=
            0)
        return true;
    if (wished == 0)
        return false;
    const unsigned entered = superstore_is_attraction(piece) ? 0 : 1;
    for (unsigned steps = entered; steps < MOVE_RANGE; steps++) {
        const uint32_t from = (within(trial, touched, steps + 1 - entered) & ~attractions) |
                              (within(trial, touched, steps - entered) & attractions);
        const uint32_t to = within(trial, touched, MOVE_RANGE - steps);
        for (uint32_t rest = wished; rest != 0; rest &= rest - 1) {
            const unsigned store = superstore_lowest(rest);
            if ((trial->wished[store] & from) != 0 && (trial->free[store] & to) != 0)
                return true;
        }
    }
    return false;
}

static struct superstore_size cluster_at(struct trial *trial, struct site *site, unsigned category)
{
    const unsigned tile = trial->table.mall[trial->outlook.seat].tiles;
    if ((site->known >> category & 1) == 0) {
        trial->plan.neighbours[tile] = site->touched;
        trial->sets.elements[category] |= UINT32_C(1) << tile;
        site->cluster[category] = superstore_size_of(&trial->plan, &trial->sets, category, tile);
        trial->sets.elements[category] &= ~(UINT32_C(1) << tile);
        trial->plan.neighbours[tile] = 0;
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
    if (may_serve(set, trial, site->touched, site->near, piece))
        return worth_after(set, trial, move);
    if (!slot->known)
        finish(set, trial, move, slot);
    if (superstore_is_store(piece))
        cluster = cluster_at(trial, site, set->pieces[piece].category);
    superstore_add_element(set, &trial->outlook, &tile, &standing);
    superstore_add_customers(set, &tile, cluster, &standing);
    superstore_set_notes(&trial->outlook, slot->notes, &standing);
    return superstore_worth(&standing, slot->turns, &trial->outlook);
}

static int32_t worth_of_attraction_or_dock(const struct superstore_components *set,
                                           struct trial *trial, const struct superstore_move *move)
{
    const struct superstore_tile tile = {move->piece, move->column, move->floor, move->face, 0};
    const bool attraction = superstore_is_attraction(move->piece);
    struct slot *slot = &trial->other[move->piece];
    struct superstore_standing standing = trial->before;
    uint32_t touched, near;
    if (attraction) {
        touched = superstore_touched(set, trial->grid, &tile);
        near = within(trial, touched, MOVE_RANGE);
    } else {
        const struct site *site = find_site(set, trial, move->column, move->floor);
        touched = site->touched;
        near = site->near;
    }
    if (may_serve(set, trial, touched, near, move->piece))
        return worth_after(set, trial, move);
    if (!slot->known)
        finish(set, trial, move, slot);
    superstore_set_notes(&trial->outlook, slot->notes, &standing);
    superstore_add_other(set, &trial->outlook, &tile, &standing);
    touched = within(trial, touched, 1);
    if (attraction && superstore_connects(&trial->sets, touched)) {
        const unsigned added = trial->table.mall[trial->outlook.seat].tiles;
        struct superstore_plan plan = trial->plan;
        superstore_join_plan(set, &plan, trial->grid, &tile, added);
        superstore_connect_stores(&plan, &trial->sets, touched, &standing);
    }
    return superstore_worth(&standing, slot->turns, &trial->outlook);
}

static int32_t worth_of_money(const struct superstore_components *set, struct trial *trial,
                              const struct superstore_move *move)
{
    struct slot slot;
    struct superstore_standing standing = trial->before;
    finish(set, trial, move, &slot);
    superstore_set_notes(&trial->outlook, slot.notes, &standing);
    return superstore_worth(&standing, slot.turns, &trial->outlook);
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
                  const struct superstore_state *state, unsigned seat,
                  struct ground ground[static SEATS_MAX])
{
    const struct superstore_mall *mall = &state->mall[seat];
    struct superstore_wishes open;
    trial->table = *state;
    superstore_look_around(set, &trial->table, seat, &trial->outlook);
    superstore_draw_grid(set, mall, ground[seat].tiles, &ground[seat].grid);
    ground[seat].tiles = mall->tiles;
    trial->grid = &ground[seat].grid;
    trial->plan = mall->plan;
    trial->sets = mall->sets;
    superstore_survey(set, &trial->outlook, &trial->before);
    find_wished(set, mall, trial);
    open.count = 0;
    if (!ground[seat].settled)
        superstore_find_wishes(set, mall, &open);
    trial->settled = open.count == 0;
    trial->sites = 0;
    trial->measured = 0;
    memset(trial->slot, 0, sizeof trial->slot);
    memset(trial->other, 0, sizeof trial->other);
    memset(trial->site_at, 0, sizeof trial->site_at);
}

static void clear_ground(struct ground ground[static SEATS_MAX])
{
    for (unsigned seat = 0; seat < SEATS_MAX; seat++) {
        ground[seat].tiles = 0;
        ground[seat].settled = false;
    }
}

/* Nothing hidden is looked at: the supply, and the cards of other seats. */
void superstore_weigh(const struct game *game, const void *state, unsigned seat,
                      const struct move_list *legal, int32_t *weight)
{
    const struct superstore_components *set = game->set;
    struct superstore_move moves[LEGAL_MAX];
    struct trial trial;
    struct ground ground[SEATS_MAX];
    bool read = true;
    clear_ground(ground);
    begin(set, &trial, state, seat, ground);
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

/* True if the move comes before the other one in byte order. Only services are not listed so. */
static bool comes_before(const struct superstore_components *set,
                         const struct superstore_move *move, const struct superstore_move *other)
{
    char bytes[GAME_MOVE_MAX + 1], other_bytes[GAME_MOVE_MAX + 1];
    struct text text = TEXT_OVER(bytes), other_text = TEXT_OVER(other_bytes);
    if (move->verb != VERB_SERVE)
        return false;
    superstore_write_service(set, move, &text);
    superstore_write_service(set, other, &other_text);
    return span_compare(text_span(&text), text_span(&other_text)) < 0;
}

static void play_best(const struct superstore_components *set, struct superstore_state *state,
                      struct ground ground[static SEATS_MAX], const struct chance *chance)
{
    const unsigned seat = state->active;
    struct superstore_move moves[LEGAL_MAX];
    struct trial trial;
    const size_t count = state->point == AT_ACT ? superstore_list_actions(set, state, moves)
                                                : superstore_list_services(set, state, moves);
    size_t best = 0;
    begin(set, &trial, state, seat, ground);
    int32_t most = worth_of_move(set, &trial, &moves[0]);
    for (size_t i = 1; i < count; i++) {
        int32_t worth = worth_of_move(set, &trial, &moves[i]);
        if (worth < most || (worth == most && !comes_before(set, &moves[i], &moves[best])))
            continue;
        most = worth;
        best = i;
    }
    superstore_apply(set, state, &moves[best]);
    superstore_settle(set, state, adds_to_settled(&trial, &moves[best]), chance);
    ground[seat].settled = state->point != AT_SERVE;
}

void superstore_play_best(const struct game *game, void *state, unsigned seat,
                          const struct chance *chance)
{
    struct ground ground[SEATS_MAX];
    (void)seat;
    clear_ground(ground);
    play_best(game->set, state, ground, chance);
}

void superstore_finish(const struct game *game, void *opaque, const struct chance *chance)
{
    struct superstore_state *state = opaque;
    struct ground ground[SEATS_MAX];
    clear_ground(ground);
    while (state->point != AT_OVER)
        play_best(game->set, state, ground, chance);
}
