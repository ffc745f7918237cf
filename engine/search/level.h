/* Levels of play. Every level needs the rules alone: no file, no clock. The same position, seat,
 * luck and level give the same move on every machine, for as long as LEVEL_VERSION stays.
 */
#ifndef TILLROLL_ENGINE_SEARCH_LEVEL_H
#define TILLROLL_ENGINE_SEARCH_LEVEL_H

#include "engine/search/search.h"

/* Changes whenever any level may choose another move anywhere (tests/engine/search/test_level.c).
 */
#define LEVEL_VERSION "8"

struct level {
    const char *name;    /* a lower-case word */
    const char *meaning; /* one sentence for the person choosing */
};

/* How a level plays a game. */
struct level_play {
    uint32_t units; /* a move worse by so many of the game's units is drawn half as often; 0 = the
                     * best move is made */
    struct search_settings search; /* playouts 0 = moves are chosen by weight alone */
};

/* Level i, the weakest first, or NULL past the last. Static. */
const struct level *level_at(size_t i);

/* The level of this name, or NULL. */
const struct level *level_named(struct span name);

/* How the level plays `game`: budgets and softness are found by matches, game by game. Static. */
const struct level_play *level_play(const struct level *level, const struct game *game);

/* A player of one level in games of one ruleset. */
struct level_player;

/* NULL when out of memory. level_player_free() frees; NULL is fine. A player may be used by one
 * thread at a time. */
struct level_player *level_player_new(const struct game *game, const struct level *level);
void level_player_free(struct level_player *player);

/* The index of the move that the player makes for `seat`, one of the deciders. `legal` is what
 * legal() lists for it. Nothing is used that the seat cannot know. All luck comes from `luck`. */
size_t level_choose(struct level_player *player, const void *state, unsigned seat,
                    const struct chance *luck, const struct move_list *legal);

/* How often the player has played a game to its end to find a move. */
uint64_t level_playouts(const struct level_player *player);

/* The luck of a decision: of a seat, after the line of the record whose hash is `head`. Everybody
 * who has the record can make the decision again. */
void level_luck(struct chance *luck, const uint8_t head[static 32], unsigned seat);

#endif
