/* Makes games of random players: header, luck and seats from the players' file. */
#ifndef TILLROLL_TESTS_FILL_MAKER_H
#define TILLROLL_TESTS_FILL_MAKER_H

#include "fill_game.h"
#include "fill_players.h"

enum { FILL_RULESETS_MAX = 16 };

/* A game's place in time, and which of the players sit in it. */
struct fill_seating {
    int64_t started_at_ms;
    size_t player[GAME_SEATS_MAX];
};

/* Its place in an event. */
struct fill_place {
    struct id event;
    uint32_t round, table;
};

struct fill_maker {
    const struct fill_players *players; /* borrowed */
    struct dice dice;
    struct move_list legal[FILL_RULESETS_MAX]; /* by the ruleset's place in the catalogue */
    struct fill_game game;                     /* the one made last */
    uint8_t secret[32];                        /* its secret */
};

/* The games depend on `seed` and on the time of their start; their ids are new each time. */
void fill_maker_open(struct fill_maker *maker, const struct fill_players *players, uint32_t seed);
void fill_maker_close(struct fill_maker *maker);

/* Plays a game to its end. `place` may be NULL. */
void fill_maker_make(struct fill_maker *maker, const struct game *ruleset, unsigned seats,
                     const struct fill_seating *seating, const struct fill_place *place);

#endif
