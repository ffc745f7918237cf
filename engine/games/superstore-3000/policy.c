/* A sensible player. It tries each legal move, lets customers settle, and judges the position
 * reached: final points count fully; prospects (waiting customers, growing clusters, conditions
 * nearly met, money) count in part, and less towards the end. */

#include <string.h>

#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/score.h"
#include "engine/games/superstore-3000/wishes.h"

/* All in hundredths of a point. */
enum {
    POINT = 100,
    CUSTOMER = 130,        /* a satisfied customer, for the rainbow and most conditions */
    CLUSTER_STORE = 90,    /* a store of a best cluster */
    CLUSTER_CUSTOMER = 25, /* a customer in one */
    LEAD_MAX = 4,          /* a larger lead than this is worth little more */
    PAST_LEAD = 4,         /* ... one part in this many */
    WAITING = 45,          /* a waiting customer, with many turns left */
    FREE_STORE = 15,       /* a store for a future customer, with many turns left */
    NOTE = 30,             /* a bank note */
    NOTES_USEFUL = 6,
    MET = 80, /* percent of an attraction's points for a met condition */
    NEARLY = 45,
    MANY_TURNS = 8
};

/* Turns that each seat has left, roughly. */
static int32_t turns_left(const struct superstore_state *state)
{
    int32_t turns = (state->supply_end - state->supply_next) / state->seats;
    return state->last_round ? 0 : turns + 1;
}

/* `value` in full with many turns left, nothing at the end. */
static int32_t fading(int32_t value, int32_t turns)
{
    return turns >= MANY_TURNS ? value : value * turns / MANY_TURNS;
}

/* What all moves of a decision have in common. */
struct outlook {
    unsigned seat;
    int32_t rival[BALLOONS];     /* the best merit of another seat */
    struct superstore_grid grid; /* of the seat's mall before the move */
    struct superstore_plan plan;
};

static void look_around(const struct superstore_state *state, unsigned seat,
                        struct outlook *outlook)
{
    outlook->seat = seat;
    memset(outlook->rival, 0, sizeof outlook->rival);
    superstore_draw_grid(&state->mall[seat], &outlook->grid, &outlook->plan);
    for (unsigned other = 0; other < state->seats; other++) {
        struct superstore_plan plan;
        if (other == seat)
            continue;
        superstore_draw_plan(&state->mall[other], &plan);
        for (unsigned balloon = 0; balloon < BALLOONS; balloon++) {
            struct superstore_merit merit;
            superstore_find_merit(&state->mall[other], &plan, balloon, &merit);
            if (merit.size > outlook->rival[balloon])
                outlook->rival[balloon] = merit.size;
        }
    }
}

/* `each` for every one of `size`, less for those beyond a safe lead. */
static int32_t worth_of_size(int32_t size, int32_t rival, int32_t each)
{
    int32_t safe = rival + LEAD_MAX;
    return size <= safe ? size * each : safe * each + (size - safe) * each / PAST_LEAD;
}

static int32_t worth_of_balloons(const struct superstore_mall *mall,
                                 const struct superstore_plan *plan, const struct outlook *outlook)
{
    int32_t worth = 0;
    for (unsigned balloon = 0; balloon < BALLOONS; balloon++) {
        struct superstore_merit merit;
        superstore_find_merit(mall, plan, balloon, &merit);
        int32_t each = balloon == RAINBOW ? CUSTOMER : CLUSTER_STORE;
        worth += worth_of_size(merit.size, outlook->rival[balloon], each);
        worth += balloon == RAINBOW ? 0 : merit.customers * CLUSTER_CUSTOMER;
    }
    return worth;
}

static int32_t worth_of_waiting(const struct superstore_mall *mall, int32_t turns)
{
    int32_t worth = 0;
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *tile = &mall->tile[i];
        if (superstore_is_store(tile->piece))
            worth += tile->customers == 0 ? FREE_STORE : 0;
        else
            for (unsigned customers = tile->customers; customers != 0; customers &= customers - 1)
                worth += WAITING;
    }
    return fading(worth, turns);
}

/* The progress of a condition, in percent: the greatest part of the number, or of the height, for
 * which it holds. */
static int32_t progress(const struct superstore_mall *mall,
                        const struct superstore_condition *condition)
{
    int32_t reached = (int32_t)superstore_reached(mall, condition);
    if (reached > 0)
        return reached < condition->count ? 100 * reached / condition->count : 100;
    struct superstore_condition part = *condition;
    for (; part.min_floor > 1; part.min_floor--)
        if (superstore_reached(mall, &part) > 0)
            return 100 * part.min_floor / condition->min_floor / condition->count;
    return 0;
}

static int32_t worth_of_condition(const struct superstore_mall *mall,
                                  const struct superstore_condition *condition, int32_t points,
                                  int32_t turns)
{
    int32_t part = progress(mall, condition);
    if (turns == 0)
        return 0;
    if (part == 100)
        return points * MET;
    return fading(points * NEARLY * part / 100 * part / 100, turns);
}

static int32_t worth_of_conditions(const struct superstore_state *state, unsigned seat,
                                   int32_t turns)
{
    const struct superstore_mall *mall = &state->mall[seat];
    int32_t worth = 0;
    for (unsigned i = 0; i < state->common_count; i++) {
        const struct superstore_common *common = &state->common[i];
        const struct superstore_attraction *attraction =
            &superstore_attractions[common->attraction];
        if (!common->built)
            worth += worth_of_condition(mall, &attraction->side[common->side], attraction->points,
                                        turns);
    }
    if (!superstore_has_night_club(mall))
        worth += worth_of_condition(mall, &superstore_cards[mall->card].condition,
                                    superstore_attractions[0].points, turns);
    return worth;
}

static int32_t superstore_worth(const struct superstore_state *state,
                                const struct superstore_plan *plan, const struct outlook *outlook)
{
    const unsigned seat = outlook->seat;
    const struct superstore_mall *mall = &state->mall[seat];
    int32_t turns = turns_left(state);
    int32_t notes = mall->bank_notes < NOTES_USEFUL ? mall->bank_notes : NOTES_USEFUL;
    return POINT * (superstore_attraction_points(mall) + superstore_dock_points(mall)) +
           worth_of_balloons(mall, plan, outlook) + worth_of_waiting(mall, turns) +
           worth_of_conditions(state, seat, turns) + fading(notes * NOTE, turns);
}

/* The worth of the position after the move, and after the fallback choices that may follow. */
static int32_t worth_after(const struct superstore_state *table, const struct superstore_move *move,
                           const struct outlook *outlook)
{
    struct superstore_state after = *table;
    struct superstore_mall *mall = &after.mall[outlook->seat];
    struct superstore_plan plan = outlook->plan;
    superstore_apply(&after, move);
    if (mall->tiles > table->mall[outlook->seat].tiles)
        superstore_join_plan(&plan, &outlook->grid, &mall->tile[mall->tiles - 1], mall->tiles - 1u);
    superstore_settle(&after, &plan, NULL);
    while (after.point == AT_SERVE) {
        struct superstore_wishes open;
        superstore_find_wishes(mall, &plan, &open);
        superstore_lie_down(mall, &open.wish[CURRENT_GROUP], superstore_first_store(mall, &open));
        after.steps = 0;
        superstore_settle(&after, &plan, NULL);
    }
    return superstore_worth(&after, &plan, outlook);
}

/* Every move is tried on a table as the seat may suppose it, so that nothing hidden counts. */
void superstore_weigh(const void *state, unsigned seat, const struct move_list *legal,
                      int32_t *weight)
{
    static const struct chance none;
    struct superstore_state table = *(const struct superstore_state *)state;
    struct superstore_move moves[LEGAL_MAX];
    struct outlook outlook;
    bool read = true;
    superstore_imagine(&table, (struct viewer){VIEWER_SEAT, seat}, &none);
    look_around(&table, seat, &outlook);
    if (table.point == AT_ACT)
        read = superstore_list_actions(&table, moves) == legal->count;
    else
        for (size_t i = 0; i < legal->count; i++)
            read &= superstore_read_move(move_list_get(legal, i), &moves[i]);
    assert(read);
    (void)read;
    for (size_t i = 0; i < legal->count; i++)
        weight[i] = worth_after(&table, &moves[i], &outlook);
}
