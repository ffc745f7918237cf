/* Seasons and circuits: the ranking of players over several events.
 *
 * The value of a result is computed once, as a whole number of millionths of a point, rounded down;
 * a season is a sum of such numbers, so anyone can add up what a page shows.
 *
 *      points       the points of the event, times its weight
 *      percentile   100 * (n + 5) / (n + 6) * (n - p) / (n - 1) for place p of n, times its weight:
 *                   the Pentamind formula, which values a large field a little more
 *
 * Shared places count as the mean of the places they cover. The weight of an event comes from its
 * field (season_field_weight()), not from anyone's wish. For each player the best `counted` results
 * count. Ties are broken by the best result, then the second best and so on; then, between two, by
 * who was ahead in more of the events both played; then by the most recent event, the one with the
 * highest index. Version 1 of these rules.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_STANDINGS_SEASON_H
#define TILLROLL_ENGINE_TOURNAMENT_STANDINGS_SEASON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/game/game.h"

enum {
    SEASON_UNIT = 1000000, /* one point, in the unit of result values */
    SEASON_EVENTS_MAX = 256,
    SEASON_PLAYERS_MAX = 65536,
    SEASON_ENTRANTS_MAX = 16384,
    SEASON_POINTS_MAX = 1 << 20, /* of one event, in 60ths */
    SEASON_WEIGHT_ONE = 1000,
    SEASON_WEIGHT_MAX = 1000000 /* thousandths */
};

enum season_method { SEASON_POINTS, SEASON_PERCENTILE, SEASON_METHODS };

struct season_rules {
    enum season_method method;
    uint16_t counted;        /* best results that count, 1 .. SEASON_EVENTS_MAX */
    uint16_t least_entrants; /* an event with fewer entrants counts for nobody; at least 2 */
};

struct season_event {
    uint32_t weight; /* thousandths, 0 .. SEASON_WEIGHT_MAX */
    int32_t
        points_most; /* the most that the best result can give, in 60ths; for SEASON_POINTS only */
    uint16_t entrants; /* n; 0 .. SEASON_ENTRANTS_MAX; read once the event is over */
    bool over;         /* its results are final; until then it has none */
    uint8_t padding;
};

struct season_result {
    uint32_t player; /* index */
    uint16_t event;  /* index */
    uint16_t place;  /* 1 .. entrants; the best of shared places */
    uint16_t shared; /* number of players who share it, including this one, 1 .. */
    uint16_t padding;
    int32_t points; /* in 60ths, 0 .. SEASON_POINTS_MAX; for SEASON_POINTS only */
};

/* All borrowed, and must live as long as the season made from them. */
struct season_input {
    struct season_rules rules;
    const struct season_event *events; /* in order of time */
    size_t event_count;                /* 0 .. SEASON_EVENTS_MAX */
    const struct season_result *results;
    size_t result_count;
    size_t player_count; /* 0 .. SEASON_PLAYERS_MAX */
};

/* The value of one result; an operand of a total. */
struct season_value {
    int64_t value;  /* millionths of a point */
    uint16_t event; /* index */
    bool counted;   /* otherwise dropped: there are better ones, or the field was too small */
    uint8_t padding[5];
};

struct season_row {
    uint32_t player; /* index */
    uint32_t rank;   /* 1 + number of better players; shared if nothing separates them */
    int64_t total;   /* sum of the counted values, in millionths */
    int64_t most;    /* the total if the player won every event that is not over */
    /* Bounds: the player's final rank is not above `rank_best` or below `rank_worst`, whatever
     * happens. Each player's certain total is compared with the most that the others can reach. */
    uint32_t rank_best, rank_worst;
    size_t value_from, value_count; /* in season.values: the player's results, best first */
};

struct season {
    struct season_row *rows;     /* owned; best first, ties by index of the player */
    struct season_value *values; /* owned; by player */
    size_t count;
};

#define SEASON_REFUSAL_INPUT  "bad-season" /* counts, rules */
#define SEASON_REFUSAL_EVENT  "bad-event"  /* a number out of its range */
#define SEASON_REFUSAL_RESULT "bad-result" /* a number out of its range, or an event not over */
#define SEASON_REFUSAL_TWICE  "result-twice"
#define SEASON_REFUSAL_MEMORY "out-of-memory"

/* Ranks the players. True: free with season_free(). False: refused, nothing to free. The order of
 * results does not matter. Pure; any thread. */
bool season_make(const struct season_input *input, struct season *season, struct refusal *refusal);

void season_free(struct season *season);

/* The value, in millionths, that one more result needs for the player's total to reach `target`: 0
 * if it does already. If all counted results are taken, the new one replaces the lowest. */
int64_t season_needed(const struct season_rules *rules, const struct season *season,
                      const struct season_row *row, int64_t target);

/* The weight of an event by its field, in thousandths: the combined expected score of its entrants
 * (0 .. SEASON_ENTRANTS_MAX, rated 1 .. 2^24 on FIDE's scale) against a player of the `reference`
 * rating, by FIDE's table, per `unit` points. Ten entrants of the reference rating with a unit of 5
 * give 1. At most SEASON_WEIGHT_MAX. */
uint32_t season_field_weight(const int32_t *ratings, size_t count, int32_t reference,
                             uint32_t unit);

#endif
