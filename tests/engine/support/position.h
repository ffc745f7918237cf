/* For the tests of the games: positions from the set-up lines of a worked case, luck from one byte,
 * and moves that must be refused. */
#ifndef TILLROLL_TESTS_POSITION_H
#define TILLROLL_TESTS_POSITION_H

#include <string.h>

#include "engine/game/case_fields.h"
#include "tests/test.h"

/* Fills the `size` bytes of `state`. Lines that have no meaning fail the running test. */
static inline void load_with(const struct game *game, void *state, size_t size, const char *text,
                             struct chance_stacks *stacks, const struct chance *chance)
{
    struct case_line lines[24];
    char bytes[200];
    struct text error = TEXT_OVER(bytes);
    struct case_reader reader = {.game = game,
                                 .state = state,
                                 .stacks = stacks,
                                 .chance = chance,
                                 .lines = lines,
                                 .error = &error};
    struct span rest = span_of(text);
    struct span line;
    while (span_line(&rest, &line)) {
        assert_true(reader.count < sizeof lines / sizeof lines[0]);
        lines[reader.count].key = span_word(&line);
        lines[reader.count++].rest = line;
    }
    memset(state, 0, size);
    if (!game->cases->load(&reader))
        fail_msg("%s", bytes);
}

/* The same where no luck is needed after loading; `state` points to the game's struct. */
#define LOAD_POSITION(game, state, text) load_state(game, state, sizeof *(state), text)

static inline void load_state(const struct game *game, void *state, size_t size, const char *text)
{
    struct chance_stacks stacks = {.count = 0};
    struct chance chance = {.stacks = &stacks};
    load_with(game, state, size, text, &stacks, &chance);
}

static inline struct chance chance_of(uint8_t seed)
{
    struct chance chance = {.stacks = NULL};
    memset(chance.seed, seed, sizeof chance.seed);
    return chance;
}

/* The move must be refused with this code and sentence, and change nothing. */
static inline void assert_refused_with(const struct chance *chance, const struct game *game,
                                       void *state, unsigned seat, const char *move,
                                       const char *code, const char *message)
{
    unsigned char before[GAME_STATE_MAX];
    struct refusal refusal = {"", ""};
    memcpy(before, state, game->state_size);
    if (game->play(game, state, seat, span_of(move), chance, &refusal))
        fail_msg("`%s` was accepted", move);
    assert_string_equal(refusal.code, code);
    assert_string_equal(refusal.message, message);
    assert_memory_equal(state, before, game->state_size);
}

/* The same where luck does not matter. */
static inline void assert_refused(const struct game *game, void *state, unsigned seat,
                                  const char *move, const char *code, const char *message)
{
    struct chance chance = chance_of(0);
    assert_refused_with(&chance, game, state, seat, move, code, message);
}

/* A move of seat 0 that must be refused in a position, after its move `before` ("" for none). */
struct refused {
    const char *position, *before, *move, *code, *message;
};

static inline void check_refusals(const struct game *game, const struct refused *refused,
                                  size_t count)
{
    for (size_t i = 0; i < count; i++, refused++) {
        _Alignas(8) unsigned char state[GAME_STATE_MAX];
        struct chance chance = chance_of(0);
        struct refusal refusal = {"", ""};
        load_state(game, state, game->state_size, refused->position);
        if (refused->before[0] != '\0' &&
            !game->play(game, state, 0, span_of(refused->before), &chance, &refusal))
            fail_msg("`%s` was refused: %s", refused->before, refusal.code);
        assert_refused(game, state, 0, refused->move, refused->code, refused->message);
    }
}

static inline void sort_bytes(uint8_t *bytes, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && bytes[j - 1] > bytes[j]; j--) {
            uint8_t byte = bytes[j];
            bytes[j] = bytes[j - 1];
            bytes[j - 1] = byte;
        }
}

#endif
