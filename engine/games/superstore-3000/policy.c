/* A sensible player. It tries each legal move, lets customers settle, and judges the position
 * reached: final points count fully; prospects (waiting customers, growing clusters, conditions
 * nearly met, money) count in part, and less towards the end. */

#include <string.h>

#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/score.h"

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

/* The best merit of another seat for a balloon. */
static int32_t best_rival(const struct superstore_state *state, unsigned seat, unsigned balloon)
{
    int32_t best = 0;
    for (unsigned other = 0; other < state->seats; other++) {
        struct superstore_plan plan;
        struct superstore_merit merit;
        if (other == seat)
            continue;
        superstore_draw_plan(&state->mall[other], &plan);
        superstore_find_merit(&state->mall[other], &plan, balloon, &merit);
        best = merit.size > best ? merit.size : best;
    }
    return best;
}

/* `each` for every one of `size`, less for those beyond a safe lead. */
static int32_t worth_of_size(int32_t size, int32_t rival, int32_t each)
{
    int32_t safe = rival + LEAD_MAX;
    return size <= safe ? size * each : safe * each + (size - safe) * each / PAST_LEAD;
}

static int32_t worth_of_balloons(const struct superstore_state *state, unsigned seat)
{
    const struct superstore_mall *mall = &state->mall[seat];
    struct superstore_plan plan;
    superstore_draw_plan(mall, &plan);
    int32_t worth = 0;
    for (unsigned balloon = 0; balloon < BALLOONS; balloon++) {
        struct superstore_merit merit;
        superstore_find_merit(mall, &plan, balloon, &merit);
        int32_t each = balloon == RAINBOW ? CUSTOMER : CLUSTER_STORE;
        worth += worth_of_size(merit.size, best_rival(state, seat, balloon), each);
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
    struct superstore_condition part = *condition;
    for (; part.count > 0; part.count--)
        if (superstore_holds(mall, &part))
            return 100 * part.count / condition->count;
    part.count = 1;
    for (; part.min_floor > 1; part.min_floor--)
        if (superstore_holds(mall, &part))
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

static int32_t superstore_worth(const struct superstore_state *state, unsigned seat)
{
    const struct superstore_mall *mall = &state->mall[seat];
    int32_t turns = turns_left(state);
    int32_t notes = mall->bank_notes < NOTES_USEFUL ? mall->bank_notes : NOTES_USEFUL;
    return POINT * (superstore_attraction_points(mall) + superstore_dock_points(mall)) +
           worth_of_balloons(state, seat) + worth_of_waiting(mall, turns) +
           worth_of_conditions(state, seat, turns) + fading(notes * NOTE, turns);
}

/* Makes the move, and the quiet choices that may follow. False if the table does not accept the
 * move. */
static bool try_move(struct superstore_state *state, unsigned seat, struct span move)
{
    static const struct chance none;
    struct refusal refusal;
    if (!superstore_play(state, seat, move, &none, &refusal))
        return false;
    while (state->point == AT_SERVE) {
        char bytes[GAME_MOVE_MAX + 1];
        struct text quiet = TEXT_OVER(bytes);
        superstore_fallback(state, state->active, &quiet);
        if (!superstore_play(state, state->active, text_span(&quiet), &none, &refusal))
            return false;
    }
    return true;
}

/* Every move is tried on a table as the seat may suppose it, so that nothing hidden counts. */
void superstore_weigh(const void *state, unsigned seat, const struct move_list *legal,
                      int32_t *weight)
{
    static const struct chance none;
    struct superstore_state table = *(const struct superstore_state *)state;
    superstore_imagine(&table, (struct viewer){VIEWER_SEAT, seat}, &none);
    for (size_t i = 0; i < legal->count; i++) {
        struct superstore_state after = table;
        bool made = try_move(&after, seat, move_list_get(legal, i));
        weight[i] = made ? superstore_worth(&after, seat) : -GAME_WEIGHT_MAX;
    }
}
