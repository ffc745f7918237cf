/* The player: by rule of thumb for amounts, and by trying out for choices among a few moves.
 *
 * A trial deals what the player has not seen in some order of its own, rolls dice of its own, makes
 * the move and goes on by rule of thumb till the round is over. All moves of a choice are tried
 * with the same trials. Nothing of the real deck or dice is known here, and the same view gives the
 * same advice. */
#include "engine/games/supermarche/advise.h"

#include "engine/games/supermarche/luck.h"
#include "engine/games/supermarche/rules.h"

enum {
    TRIALS = 24,
    RUIN = -60,    /* a lost game is worth this many dollars */
    STEPS_MAX = 60 /* plies of one trial */
};

/* What a cube is worth to a shop that stays open. */
static int worth_of_cubes(const struct supermarche_state *state)
{
    static const int dollars[FOODS] = {[BAKERY] = 2, [DAIRY] = 2, [DRY_GOODS] = 5, [FROZEN] = 4};
    int sum = 0;
    for (unsigned food = 0; food < FOODS; food++) {
        unsigned cubes =
            supermarche_shelf(state, food) + supermarche_sum(state->stock[food], BOXES);
        sum += dollars[food] * (int)cubes;
    }
    return sum;
}

static int worth(const struct supermarche_state *state)
{
    if (state->result == RESULT_BANKRUPT)
        return RUIN;
    if (state->result == RESULT_COMPLETE)
        return state->money;
    return state->money + worth_of_cubes(state);
}

static void play_by_rule_of_thumb(struct supermarche_state *state, const struct chance *chance)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text move = TEXT_OVER(bytes);
    struct refusal refusal;
    supermarche_plan(state, &move);
    (void)supermarche_play(state, 0, text_span(&move), chance, &refusal);
}

static int try_out(const struct supermarche_state *seen, struct span move, unsigned trial)
{
    static const struct chance chance = {.stacks = NULL};
    struct supermarche_state state = *seen;
    struct refusal refusal;
    supermarche_rekey(&state, 1 + trial, &chance);
    if (!supermarche_play(&state, 0, move, &chance, &refusal))
        return RUIN;
    for (unsigned i = 0; i < STEPS_MAX && state.point != AT_OVER && state.round == seen->round; i++)
        play_by_rule_of_thumb(&state, &chance);
    return worth(&state);
}

static size_t choose_by_trials(const struct supermarche_state *seen, const struct move_list *legal)
{
    size_t best = 0;
    int best_sum = 0;
    for (size_t i = 0; i < legal->count; i++) {
        int sum = 0;
        for (unsigned trial = 0; trial < TRIALS; trial++)
            sum += try_out(seen, move_list_get(legal, i), trial);
        if (i == 0 || sum > best_sum) {
            best = i;
            best_sum = sum;
        }
    }
    return best;
}

static size_t choose_by_plan(const struct supermarche_state *seen, const struct move_list *legal)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text move = TEXT_OVER(bytes);
    supermarche_plan(seen, &move);
    ptrdiff_t index = move_list_find(legal, text_span(&move));
    return index < 0 ? 0 : (size_t)index;
}

static bool is_amount(const struct supermarche_state *seen)
{
    return seen->point == AT_DELIVERY || seen->point == AT_STOCKING || seen->point == AT_RESTOCK;
}

size_t supermarche_advise(const json_t *view, const struct move_list *legal)
{
    struct supermarche_state seen;
    supermarche_read_view(&seen, view);
    return is_amount(&seen) ? choose_by_plan(&seen, legal) : choose_by_trials(&seen, legal);
}
