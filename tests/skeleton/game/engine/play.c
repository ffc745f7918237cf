/* The rules: RULES.md in code. All luck is the shuffle of the stream `pile`. */
#include <string.h>

#include "engine/game/unseen.h"
#include "engine/games/the-skeleton/rules.h"

uint8_t the_skeleton_card_named(struct span name)
{
    uint64_t number;
    return span_number(name, CARDS, &number) && number != NO_CARD ? (uint8_t)number : UINT8_MAX;
}

/* By card; none is named like NO_CARD. */
static const struct span names[CARDS + 1] = {
    SPAN_LITERAL("-"),  SPAN_LITERAL("1"),  SPAN_LITERAL("2"), SPAN_LITERAL("3"), SPAN_LITERAL("4"),
    SPAN_LITERAL("5"),  SPAN_LITERAL("6"),  SPAN_LITERAL("7"), SPAN_LITERAL("8"), SPAN_LITERAL("9"),
    SPAN_LITERAL("10"), SPAN_LITERAL("11"), SPAN_LITERAL("12")};

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
                                    (size_t)(CARDS - state->next), NAMES_ALONE(names, CARDS + 1));
}

void the_skeleton_setup(const struct game *game, void *opaque, unsigned seats,
                        const struct game_options *options, const struct chance *chance)
{
    struct the_skeleton_state *state = opaque;
    (void)game;
    (void)options;
    memset(state, 0, sizeof *state);
    state->seats = (uint8_t)seats;
    for (unsigned i = 0; i < CARDS; i++)
        state->pile[i] = (uint8_t)(i + 1);
    shuffle(state, chance);
}

void the_skeleton_rekey(const struct game *game, void *opaque, unsigned epoch,
                        const struct chance *chance)
{
    struct the_skeleton_state *state = opaque;
    (void)game;
    state->epoch = epoch;
    shuffle(state, chance);
}

void the_skeleton_imagine(const struct game *game, void *opaque, struct viewer viewer,
                          const struct chance *chance)
{
    struct the_skeleton_state *state = opaque;
    (void)game;
    struct chance_stream stream;
    (void)viewer; /* nobody knows the order of the pile, and all else is open */
    unseen_open(&stream, chance);
    unseen_shuffle_pile(&stream, state->pile + state->next, (size_t)(CARDS - state->next));
}

uint32_t the_skeleton_drawn(const struct game *game, const void *opaque)
{
    const struct the_skeleton_state *state = opaque;
    (void)game;
    return state->next;
}

uint32_t the_skeleton_deciders(const void *opaque)
{
    const struct the_skeleton_state *state = opaque;
    return state->turn < state->seats ? UINT32_C(1) << state->turn : 0;
}

void the_skeleton_legal(const struct game *game, const void *opaque, unsigned seat,
                        struct move_list *list)
{
    (void)game;
    if ((the_skeleton_deciders(opaque) >> seat & 1) == 0)
        return;
    move_list_add(list, span_of("draw"));
    move_list_add(list, span_of("pass"));
}

void the_skeleton_fallback(const struct game *game, const void *state, unsigned seat,
                           struct text *move)
{
    (void)game;
    (void)state;
    (void)seat;
    text_add(move, "pass");
}

bool the_skeleton_play(const struct game *game, void *opaque, unsigned seat, struct span move,
                       const struct chance *chance, struct refusal *refusal)
{
    struct the_skeleton_state *state = opaque;
    (void)game;
    (void)chance;
    if (state->turn == state->seats)
        return refuse(refusal, REFUSAL_GAME_OVER, "The game is over.");
    if (seat != state->turn)
        return refuse(refusal, REFUSAL_NOT_YOUR_TURN, "Another seat has to decide now.");
    bool draws = span_is(move, "draw");
    if (!draws && !span_is(move, "pass"))
        return refuse(refusal, REFUSAL_BAD_SYNTAX,
                      "This is not a move of The Skeleton: `draw` or `pass`.");
    if (draws)
        state->card[seat] = state->pile[state->next++];
    state->turn++;
    return true;
}

void the_skeleton_outcome(const struct game *game, const void *opaque, struct outcome *outcome)
{
    const struct the_skeleton_state *state = opaque;
    (void)game;
    *outcome = (struct outcome){.seats = state->seats};
    for (unsigned seat = 0; seat < state->seats; seat++)
        outcome->score[seat] = state->card[seat];
    outcome_rank(outcome);
}
