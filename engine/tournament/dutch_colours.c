/* Colour preferences (article 1.7), what a pair means for them (C3, C10 - C13), and the allocation
 * of colours (article 5). */
#include "engine/tournament/dutch_field.h"

static uint8_t other_colour(uint8_t colour)
{
    return colour == DUTCH_WHITE ? DUTCH_BLACK : DUTCH_WHITE;
}

void dutch_colour_history(const struct dutch_request *request, struct dutch_entrant *entrant)
{
    int difference = 0;
    unsigned run = 0;
    uint8_t last = DUTCH_NO_COLOUR;
    for (uint16_t round = 1; round <= request->rounds_played; round++) {
        const struct dutch_result *result = dutch_result_of(request, entrant->player, round);
        if (!round_kind_is_played(result->kind))
            continue;
        difference += result->colour == DUTCH_WHITE ? 1 : -1;
        run = result->colour == last ? run + 1 : 1;
        last = result->colour;
    }
    uint8_t rarer = difference > 0 ? DUTCH_BLACK : DUTCH_WHITE;
    entrant->imbalance = (uint8_t)(difference < 0 ? -difference : difference);
    entrant->repeated = run >= 2 ? last : DUTCH_NO_COLOUR;
    if (last == DUTCH_NO_COLOUR) {
        entrant->wants = DUTCH_NO_COLOUR;
        entrant->strength = PREFERENCE_NONE;
    } else if (entrant->imbalance > 1 || run >= 2) {
        entrant->wants = entrant->imbalance > 1 ? rarer : other_colour(last);
        entrant->strength = PREFERENCE_ABSOLUTE;
    } else if (entrant->imbalance == 1) {
        entrant->wants = rarer;
        entrant->strength = PREFERENCE_STRONG;
    } else {
        entrant->wants = other_colour(last);
        entrant->strength = PREFERENCE_MILD;
    }
}

/* Article 1.8: a score above half of the most that could be scored, in the last round. */
static bool is_topscorer(const struct dutch_request *request, const struct dutch_entrant *entrant)
{
    return request->rounds_played + 1 >= request->rounds_planned &&
           2 * entrant->score > (uint32_t)request->rounds_played * request->points_for_win;
}

static bool want_the_same(const struct dutch_entrant *a, const struct dutch_entrant *b)
{
    return a->wants == b->wants && a->wants != DUTCH_NO_COLOUR;
}

/* Two who want the same colour absolutely meet (topscorers): the one with the smaller imbalance
 * gets the other colour, at equal ones either may. */
static bool repeats_thrice(const struct dutch_entrant *a, const struct dutch_entrant *b)
{
    if (a->imbalance == b->imbalance)
        return a->repeated != DUTCH_NO_COLOUR && a->repeated == b->repeated;
    const struct dutch_entrant *yields = a->imbalance > b->imbalance ? b : a;
    return yields->repeated == other_colour(yields->wants);
}

uint8_t dutch_colour_code(const struct dutch_request *request, const struct dutch_entrant *a,
                          const struct dutch_entrant *b)
{
    unsigned code = 0;
    if (!want_the_same(a, b))
        return 0;
    bool both_absolute = a->strength == PREFERENCE_ABSOLUTE && b->strength == PREFERENCE_ABSOLUTE;
    if (both_absolute && !is_topscorer(request, a) && !is_topscorer(request, b))
        code |= PAIR_BREAKS_C3;
    if (a->imbalance > 1 && b->imbalance > 1)
        code |= PAIR_C10;
    if (both_absolute && repeats_thrice(a, b))
        code |= PAIR_C11;
    code |= PAIR_C12;
    if (a->strength >= PREFERENCE_STRONG && b->strength >= PREFERENCE_STRONG && !both_absolute)
        code |= PAIR_C13;
    return (uint8_t)code;
}

/* The colour of the latest game of the player before round `*round`; moves `*round` to it. */
static uint8_t earlier_colour(const struct dutch_request *request, uint16_t player, uint16_t *round)
{
    while (--*round >= 1) {
        const struct dutch_result *result = dutch_result_of(request, player, *round);
        if (round_kind_is_played(result->kind))
            return result->colour;
    }
    *round = 1;
    return DUTCH_NO_COLOUR;
}

/* Article 5.2.3: alternate to the most recent time in which one had White and the other Black. The
 * colour for `a`, or none. */
static uint8_t alternate(const struct dutch_request *request, const struct dutch_entrant *a,
                         const struct dutch_entrant *b)
{
    uint16_t round_a = (uint16_t)(request->rounds_played + 1), round_b = round_a;
    uint8_t of_a, of_b;
    do {
        of_a = earlier_colour(request, a->player, &round_a);
        of_b = earlier_colour(request, b->player, &round_b);
    } while (of_a == of_b && of_a != DUTCH_NO_COLOUR);
    return of_a == DUTCH_NO_COLOUR || of_b == DUTCH_NO_COLOUR ? DUTCH_NO_COLOUR : of_b;
}

/* Article 5.2.2: whose preference is the stronger; negative: that of `a`. */
static int compare_preferences(const struct dutch_entrant *a, const struct dutch_entrant *b)
{
    if (a->strength != b->strength)
        return (int)b->strength - (int)a->strength;
    return a->strength == PREFERENCE_ABSOLUTE ? (int)b->imbalance - (int)a->imbalance : 0;
}

static uint8_t colour_of_higher(const struct dutch_request *request,
                                const struct dutch_entrant *higher,
                                const struct dutch_entrant *lower)
{
    if (!want_the_same(higher, lower)) {
        if (higher->wants != DUTCH_NO_COLOUR)
            return higher->wants;
        if (lower->wants != DUTCH_NO_COLOUR)
            return other_colour(lower->wants);
        uint8_t initial = (uint8_t)request->initial;
        return higher->number % 2 == 1 ? initial : other_colour(initial);
    }
    int order = compare_preferences(higher, lower);
    if (order != 0)
        return order < 0 ? higher->wants : other_colour(lower->wants);
    uint8_t alternated = alternate(request, higher, lower);
    return alternated != DUTCH_NO_COLOUR ? alternated : higher->wants;
}

bool dutch_higher_gets_white(const struct dutch_request *request,
                             const struct dutch_entrant *higher, const struct dutch_entrant *lower)
{
    return colour_of_higher(request, higher, lower) == DUTCH_WHITE;
}
