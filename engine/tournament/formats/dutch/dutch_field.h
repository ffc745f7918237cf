/* The field of a round: the players to be paired, in the order of article 1.2, with what the
 * criteria need about each. Internal to the Dutch system. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_FORMATS_DUTCH_DUTCH_FIELD_H
#define TILLROLL_ENGINE_TOURNAMENT_FORMATS_DUTCH_DUTCH_FIELD_H

#include "engine/tournament/formats/dutch/dutch.h"

enum dutch_float { FLOAT_NONE, FLOAT_DOWN, FLOAT_UP };

/* Article 1.7, in order of strength. */
enum dutch_preference { PREFERENCE_NONE, PREFERENCE_MILD, PREFERENCE_STRONG, PREFERENCE_ABSOLUTE };

/* The cost of a pair, or why it is not allowed; one byte per pair. */
enum {
    PAIR_C10 = 1 << 0,
    PAIR_C11 = 1 << 1,
    PAIR_C12 = 1 << 2,
    PAIR_C13 = 1 << 3,
    PAIR_COLOURS = PAIR_C10 | PAIR_C11 | PAIR_C12 | PAIR_C13,
    PAIR_BREAKS_C1 = 1 << 4,
    PAIR_BREAKS_C3 = 1 << 5,
    PAIR_BARRED = PAIR_BREAKS_C1 | PAIR_BREAKS_C3
};

struct dutch_entrant {
    uint32_t score;    /* 60ths */
    uint16_t player;   /* index into dutch_request.players */
    uint16_t number;   /* 1 .. : position by TPN among the arrived players */
    uint16_t group;    /* scoregroup, 0 = highest score */
    uint8_t unplayed;  /* rounds without a game */
    uint8_t floats[2]; /* enum dutch_float: last round, the round before */
    uint8_t wants;     /* enum dutch_colour */
    uint8_t strength;  /* enum dutch_preference */
    uint8_t
        repeated; /* enum dutch_colour: the colour of the last two games, if both have the same */
    uint8_t imbalance; /* |games with White - games with Black| */
    bool bye_allowed;  /* C2 */
};

/* Entrants are in order of rank: the index is the rank, and the vertex of the matching. */
struct dutch_field {
    const struct dutch_request *request;
    struct dutch_entrant *entrants;
    size_t count;
    uint8_t *codes; /* [a * count + b], symmetric */
};

/* Bytes for a field of this many players. */
size_t dutch_field_size(size_t player_count);

/* Checks the request and sets up the field in `memory`, which stays borrowed. */
bool dutch_field_init(struct dutch_field *field, const struct dutch_request *request, void *memory,
                      struct refusal *refusal);

static inline uint8_t dutch_field_code(const struct dutch_field *field, uint16_t a, uint16_t b)
{
    return field->codes[(size_t)a * field->count + b];
}

static inline const struct dutch_result *dutch_result_of(const struct dutch_request *request,
                                                         uint16_t player, uint16_t round)
{
    return &request->results[(size_t)player * request->rounds_played + round - 1];
}

/* ---- Colours ---- */

/* True if the higher of two entrants gets White (article 5.2). */
bool dutch_higher_gets_white(const struct dutch_request *request,
                             const struct dutch_entrant *higher, const struct dutch_entrant *lower);

/* Pairing one bracket after the other (articles 3 and 4). Internal to the Dutch system. */

size_t dutch_brackets_size(size_t player_count);

/* Pairs the field: mate[a] is the rank of a's opponent; field->count for the bye. `memory` of
 * dutch_brackets_size() stays borrowed, `mate` lies in it. */
bool dutch_brackets_pair(const struct dutch_field *field, void *memory, const uint16_t **mate,
                         struct refusal *refusal);

#endif
