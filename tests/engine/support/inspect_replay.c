/* The same log gives the same bytes: on copies, on a dirty stack and heap, and from the start. And
 * absent seats: their fallback moves bring every game to its end. */
#include <stdlib.h>
#include <string.h>

#include "tests/engine/support/inspect.h"

/* Leaves `value` all over the stack that the next call will use. */
static __attribute__((noinline)) void soil_stack(unsigned char value)
{
    volatile unsigned char bytes[1 << 15];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = value;
}

static void soil_heap(unsigned char value)
{
    void *blocks[24];
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        size_t size = (size_t)16 << i % 12;
        blocks[i] = malloc(size);
        if (blocks[i] == NULL)
            abort();
        memset(blocks[i], value, size);
    }
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        free(blocks[i]);
}

static bool play_soiled(struct inspector *inspector, unsigned char *copy, unsigned seat,
                        struct span move, unsigned char value)
{
    struct refusal refusal = {NULL, NULL};
    memcpy(copy, inspector->table.state, inspector->game->state_size);
    soil_heap(value);
    soil_stack(value);
    return inspector->game->play(inspector->game, copy, seat, move, &inspector->table.chance,
                                 &refusal);
}

bool inspect_copies(struct inspector *inspector, unsigned seat, struct span move)
{
    if (!play_soiled(inspector, inspector->left, seat, move, 0x00) ||
        !play_soiled(inspector, inspector->right, seat, move, 0xff))
        return inspect_fail(inspector, "copies-same", "%s is refused", move.at);
    if (memcmp(inspector->left, inspector->right, inspector->game->state_size) != 0)
        return inspect_fail(inspector, "copies-same", "%s gives other bytes on a copy", move.at);
    return true;
}

/* Plays the first ply, then the second, on `copy`. False if one of them is refused. */
static bool play_two(struct inspector *inspector, unsigned char *copy, const struct ply *first,
                     const struct ply *second)
{
    const struct game *game = inspector->game;
    const struct chance *chance = &inspector->table.chance;
    struct refusal refusal = {NULL, NULL};
    memcpy(copy, inspector->table.state, game->state_size);
    return game->play(game, copy, first->seat, first->move, chance, &refusal) &&
           game->play(game, copy, second->seat, second->move, chance, &refusal);
}

bool inspect_arrivals(struct inspector *inspector, unsigned seat, struct span move)
{
    const struct game *game = inspector->game;
    const struct ply one = {seat, move};
    for (unsigned other = 0; other < inspector->table.seats; other++) {
        if (other == seat || !game_decides(game, inspector->table.state, other))
            continue;
        const struct move_list *legal = &inspector->legal[other];
        const struct ply two = {other,
                                move_list_get(legal, dice_below(&inspector->dice, legal->count))};
        if (!play_two(inspector, inspector->left, &one, &two) ||
            !play_two(inspector, inspector->right, &two, &one))
            return inspect_fail(inspector, "arrivals-same", "%s or %s is refused", one.move.at,
                                two.move.at);
        if (memcmp(inspector->left, inspector->right, game->state_size) != 0)
            return inspect_fail(inspector, "arrivals-same",
                                "%s and %s give other bytes the other way round", one.move.at,
                                two.move.at);
    }
    return true;
}

bool inspect_replay(struct inspector *inspector)
{
    const struct game *game = inspector->game;
    const struct table *table = &inspector->table;
    unsigned char *state = inspector->right;
    memset(state, 0xff, game->state_size);
    soil_stack(0xff);
    game->setup(game, state, table->seats, &table->options, &table->chance);
    for (size_t ply = 0; ply <= inspector->plies; ply++) {
        struct refusal refusal = {NULL, NULL};
        if (inspect_digest(game, state) != inspector->trail[ply])
            return inspect_fail(inspector, "replay-same", "other bytes after %zu plies", ply);
        if (ply < inspector->plies &&
            !game->play(game, state, inspector->log[ply].seat, played_move(&inspector->log[ply]),
                        &table->chance, &refusal))
            return inspect_fail(inspector, "replay-same", "ply %zu is refused", ply);
    }
    return true;
}

/* ---- Absent seats ---- */

bool inspect_quiet_moves(struct inspector *inspector)
{
    const struct game *game = inspector->game;
    for (unsigned seat = 0; seat < inspector->table.seats; seat++) {
        char bytes[2][GAME_MOVE_MAX + 1];
        struct text first = TEXT_OVER(bytes[0]);
        struct text again = TEXT_OVER(bytes[1]);
        if (!game_decides(game, inspector->table.state, seat))
            continue;
        game->fallback(game, inspector->table.state, seat, &first);
        game->fallback(game, inspector->table.state, seat, &again);
        if (!span_equal(text_span(&first), text_span(&again)))
            return inspect_fail(inspector, "quiet-same", "%s, then %s", first.at, again.at);
        if (move_list_find(&inspector->legal[seat], text_span(&first)) < 0)
            return inspect_fail(inspector, "quiet-legal", "%s", first.at);
    }
    return true;
}

static unsigned lowest_seat(uint32_t deciders)
{
    unsigned seat = 0;
    while ((deciders >> seat & 1) == 0)
        seat++;
    return seat;
}

bool inspect_quiet_end(struct inspector *inspector)
{
    const struct game *game = inspector->game;
    size_t plies = inspector->plies;
    memcpy(inspector->right, inspector->table.state, game->state_size);
    for (uint32_t deciders; (deciders = game->deciders(inspector->right)) != 0; plies++) {
        char bytes[GAME_MOVE_MAX + 1];
        struct text move = TEXT_OVER(bytes);
        struct refusal refusal = {NULL, NULL};
        if (plies == game->plies_max)
            return inspect_fail(inspector, "quiet-ends", "the game goes on");
        game->fallback(game, inspector->right, lowest_seat(deciders), &move);
        if (!game->play(game, inspector->right, lowest_seat(deciders), text_span(&move),
                        &inspector->table.chance, &refusal))
            return inspect_fail(inspector, "quiet-legal", "%s is refused", move.at);
    }
    return true;
}
