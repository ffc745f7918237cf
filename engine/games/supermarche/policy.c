/* A sensible shopkeeper: the usual amounts (amounts.h), and trials (trial.h) for choices among a
 * few moves. */
#include "engine/games/supermarche/amounts.h"
#include "engine/games/supermarche/move.h"
#include "engine/games/supermarche/rules.h"
#include "engine/games/supermarche/trial.h"

enum {
    CENTS = 100,
    PLANNED = 3000, /* weight of the amount that the rule of thumb names */
    APART = 600     /* less for every cube more or less */
};

/* The mean of some trials, in hundredths of a dollar. */
static int32_t weigh_by_trials(const struct supermarche_components *set,
                               struct supermarche_trials *trials, struct span text)
{
    struct supermarche_move move;
    struct refusal refusal;
    if (!supermarche_read_move(set, text, &move, &refusal))
        return SUPERMARCHE_RUIN * CENTS;
    return supermarche_try(set, trials, &move) * CENTS / SUPERMARCHE_TRIALS;
}

/* What the rule of thumb buys or moves, in the order of play: `kinds` foods, or pairs. */
struct amounts {
    unsigned kinds;
    unsigned of[PAIRS];
};

static void plan_amounts(const struct supermarche_components *set,
                         const struct supermarche_state *seen, struct amounts *amounts)
{
    if (seen->point != AT_DELIVERY) {
        amounts->kinds = PAIRS;
        supermarche_usual_shelves(set, seen, amounts->of);
        return;
    }
    amounts->kinds = FOODS;
    supermarche_usual_order(set, seen, amounts->of);
}

/* By how many cubes a move departs from them; it leaves out all kinds before its own. */
static unsigned cubes_apart(const struct amounts *amounts, const struct supermarche_move *move)
{
    unsigned kind = amounts->kinds, apart = 0;
    if (move->verb == VERB_BUY)
        kind = move->food;
    else if (move->verb == VERB_STOCK)
        kind = (unsigned)PAIR(move->food, move->box);
    for (unsigned i = 0; i < kind; i++)
        apart += amounts->of[i];
    if (kind == amounts->kinds)
        return apart;
    unsigned planned = amounts->of[kind];
    return apart + (move->number > planned ? move->number - planned : planned - move->number);
}

static void weigh_by_plan(const struct supermarche_components *set,
                          const struct supermarche_state *seen, const struct move_list *legal,
                          int32_t *weight)
{
    struct amounts amounts;
    plan_amounts(set, seen, &amounts);
    for (size_t i = 0; i < legal->count; i++) {
        struct supermarche_move move;
        struct refusal refusal;
        weight[i] = 0;
        if (!supermarche_read_move(set, move_list_get(legal, i), &move, &refusal))
            continue;
        int32_t less = APART * (int32_t)cubes_apart(&amounts, &move);
        weight[i] = less < PLANNED ? PLANNED - less : 0;
    }
}

void supermarche_weigh(const struct game *game, const void *state, unsigned seat,
                       const struct move_list *legal, int32_t *weight)
{
    const struct supermarche_state *seen = state;
    const struct supermarche_components *set = game->set;
    struct supermarche_trials trials;
    (void)seat;
    if (supermarche_is_amount(seen)) {
        weigh_by_plan(set, seen, legal, weight);
        return;
    }
    supermarche_begin_trials(&trials, seen);
    for (size_t i = 0; i < legal->count; i++)
        weight[i] = weigh_by_trials(set, &trials, move_list_get(legal, i));
}
