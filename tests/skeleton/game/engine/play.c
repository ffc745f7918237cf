/* The rules: RULES.md in code. All luck is the shuffle of the stream `pile`. */
#include <string.h>

#include "engine/game/unseen.h"
#include "engine/games/the-skeleton/rules.h"

uint8_t the_skeleton_card_named(struct span name)
{
    uint64_t number;
    return span_number(name, CARDS, &number) && number != NO_CARD ? (uint8_t)number : UINT8_MAX;
}

/* Puts what is left of the pile, whatever its order, into that of the shuffle. */
static void shuffle(struct the_skeleton_state *state, const struct chance *chance)
{
    bool left[CARDS + 1] = {false};
    unsigned at = state->next;
    for (unsigned i = state->next; i < CARDS; i++)
        left[state->pile[i]] = true;
    for (unsigned card = 1; card <= CARDS; card++)
        if (left[card])
            state->pile[at++] = (uint8_t)card;
    (void)chance_arrange_or_shuffle(chance, "pile", state->epoch, state->pile + state->next,
                                    (size_t)(CARDS - state->next), the_skeleton_card_named);
}

void the_skeleton_setup(void *opaque, unsigned seats, const struct game_options *options,
                        const struct chance *chance)
{
    struct the_skeleton_state *state = opaque;
    (void)options;
    memset(state, 0, sizeof *state);
    state->seats = (uint8_t)seats;
    for (unsigned i = 0; i < CARDS; i++)
        state->pile[i] = (uint8_t)(i + 1);
    shuffle(state, chance);
}

void the_skeleton_rekey(void *opaque, unsigned epoch, const struct chance *chance)
{
    struct the_skeleton_state *state = opaque;
    state->epoch = epoch;
    shuffle(state, chance);
}

void the_skeleton_imagine(void *opaque, struct viewer viewer, const struct chance *chance)
{
    struct the_skeleton_state *state = opaque;
    struct chance_stream stream;
    (void)viewer; /* nobody knows the order of the pile, and all else is open */
    unseen_open(&stream, chance);
    unseen_shuffle_pile(&stream, state->pile + state->next, (size_t)(CARDS - state->next));
}

uint32_t the_skeleton_drawn(const void *opaque)
{
    const struct the_skeleton_state *state = opaque;
    return state->next;
}

uint32_t the_skeleton_deciders(const void *opaque)
{
    const struct the_skeleton_state *state = opaque;
    return state->turn < state->seats ? UINT32_C(1) << state->turn : 0;
}

void the_skeleton_legal(const void *opaque, unsigned seat, struct move_list *list)
{
    if ((the_skeleton_deciders(opaque) >> seat & 1) == 0)
        return;
    move_list_add(list, span_of("draw"));
    move_list_add(list, span_of("pass"));
}

void the_skeleton_fallback(const void *state, unsigned seat, struct text *move)
{
    (void)state;
    (void)seat;
    text_add(move, "pass");
}

bool the_skeleton_play(void *opaque, unsigned seat, struct span move, const struct chance *chance,
                       struct refusal *refusal)
{
    struct the_skeleton_state *state = opaque;
    (void)chance;
    if (state->turn == state->seats)
        return refuse(refusal, REFUSAL_GAME_OVER, "The game is over.");
    if (seat != state->turn)
        return refuse(refusal, REFUSAL_NOT_YOUR_TURN, "It is not your turn.");
    bool draws = span_is(move, "draw");
    if (!draws && !span_is(move, "pass"))
        return refuse(refusal, REFUSAL_BAD_SYNTAX,
                      "This is no move of The Skeleton: `draw` or `pass`.");
    if (draws)
        state->card[seat] = state->pile[state->next++];
    state->turn++;
    return true;
}

void the_skeleton_outcome(const void *opaque, struct outcome *outcome)
{
    const struct the_skeleton_state *state = opaque;
    *outcome = (struct outcome){.seats = state->seats};
    for (unsigned seat = 0; seat < state->seats; seat++)
        outcome->score[seat] = state->card[seat];
    outcome_rank(outcome);
}
