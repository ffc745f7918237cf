#include "engine/tournament/formats/dutch/dutch_field.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"

static void carve_all(struct carver *carver, struct dutch_field *field, size_t player_count)
{
    field->entrants = carve(carver, player_count, sizeof *field->entrants);
    field->codes = carve(carver, player_count * player_count, sizeof *field->codes);
}

size_t dutch_field_size(size_t player_count)
{
    struct carver carver = {NULL, 0};
    struct dutch_field field;
    carve_all(&carver, &field, player_count);
    return carver.used;
}

/* ---- Checks ---- */

static bool check_request(const struct dutch_request *request, struct refusal *refusal)
{
    if (request->player_count > TOURNAMENT_ENTRIES_MAX)
        return refuse(refusal, DUTCH_REFUSAL_TOO_MANY,
                      "There are more players than an event can have.");
    if (request->rounds_played >= TOURNAMENT_ROUNDS_MAX ||
        request->rounds_planned <= request->rounds_played)
        return refuse(refusal, DUTCH_REFUSAL_REQUEST, "All planned rounds have been paired.");
    if (request->points_for_win <= request->points_for_loss)
        return refuse(refusal, DUTCH_REFUSAL_REQUEST, "A win must be worth more than a loss.");
    if (request->initial != DUTCH_WHITE && request->initial != DUTCH_BLACK)
        return refuse(refusal, DUTCH_REFUSAL_REQUEST, "The initial color has not been drawn.");
    return true;
}

/* A played round, and a forfeit with an opponent, must agree on both sides. */
static bool result_agrees(const struct dutch_request *request, uint16_t player, uint16_t round)
{
    const struct dutch_result *result = dutch_result_of(request, player, round);
    bool played = round_kind_is_played(result->kind);
    bool forfeit = result->kind == ROUND_FORFEIT_WIN || round_kind_is_lost(result->kind);
    if (result->kind >= ROUND_KINDS)
        return false;
    if (result->opponent == DUTCH_NOBODY)
        return !played;
    if (!(played || forfeit) || result->opponent >= request->player_count ||
        result->opponent == player)
        return false;
    const struct dutch_result *other = dutch_result_of(request, result->opponent, round);
    if (other->opponent != player || round_kind_is_played(other->kind) != played)
        return false;
    return !played || (result->colour == DUTCH_WHITE && other->colour == DUTCH_BLACK) ||
           (result->colour == DUTCH_BLACK && other->colour == DUTCH_WHITE);
}

static bool check_results(const struct dutch_request *request, struct refusal *refusal)
{
    for (uint16_t player = 0; player < request->player_count; player++)
        for (uint16_t round = 1; round <= request->rounds_played; round++)
            if (!result_agrees(request, player, round))
                return refuse(refusal, DUTCH_REFUSAL_RESULT,
                              "The results of two opponents disagree about a round.");
    return true;
}

static bool check_forbidden(const struct dutch_request *request, struct refusal *refusal)
{
    for (size_t i = 0; i < request->forbidden_count; i++) {
        const struct dutch_forbidden *pair = &request->forbidden[i];
        if (pair->a >= request->player_count || pair->b >= request->player_count ||
            pair->a == pair->b)
            return refuse(refusal, DUTCH_REFUSAL_PAIR,
                          "A forbidden pair does not name two players.");
    }
    return true;
}

/* ---- Facts about a player ---- */

static bool has_arrived(const struct dutch_request *request, uint16_t player)
{
    if (request->players[player].present)
        return true;
    for (uint16_t round = 1; round <= request->rounds_played; round++) {
        const struct dutch_result *result = dutch_result_of(request, player, round);
        if (result->opponent != DUTCH_NOBODY || result->kind == ROUND_PAIRING_BYE)
            return true;
    }
    return false;
}

/* The score before `round` was paired. */
static uint32_t score_before(const struct dutch_request *request, uint16_t player, uint16_t round)
{
    uint32_t score = 0;
    for (uint16_t earlier = 1; earlier < round; earlier++)
        score += dutch_result_of(request, player, earlier)->points;
    return score;
}

/* Article 1.4. */
static enum dutch_float float_in(const struct dutch_request *request, uint16_t player,
                                 uint16_t round)
{
    const struct dutch_result *result = dutch_result_of(request, player, round);
    if (!round_kind_is_played(result->kind))
        return result->points > request->points_for_loss ? FLOAT_DOWN : FLOAT_NONE;
    uint32_t own = score_before(request, player, round);
    uint32_t others = score_before(request, result->opponent, round);
    return own > others ? FLOAT_DOWN : own < others ? FLOAT_UP : FLOAT_NONE;
}

/* C2. */
static bool bye_allowed(const struct dutch_request *request, uint16_t player)
{
    for (uint16_t round = 1; round <= request->rounds_played; round++) {
        const struct dutch_result *result = dutch_result_of(request, player, round);
        if (!round_kind_is_played(result->kind) &&
            (result->kind == ROUND_PAIRING_BYE || result->points >= request->points_for_win))
            return false;
    }
    return true;
}

static uint8_t other_colour(uint8_t colour)
{
    return colour == DUTCH_WHITE ? DUTCH_BLACK : DUTCH_WHITE;
}

/* Fills in wants, strength, repeated and imbalance from the player's games. */
static void dutch_colour_history(const struct dutch_request *request, struct dutch_entrant *entrant)
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

static void fill_entrant(const struct dutch_request *request, struct dutch_entrant *entrant)
{
    uint16_t player = entrant->player, rounds = request->rounds_played;
    entrant->score = score_before(request, player, (uint16_t)(rounds + 1));
    entrant->bye_allowed = bye_allowed(request, player);
    for (uint16_t round = 1; round <= rounds; round++)
        if (!round_kind_is_played(dutch_result_of(request, player, round)->kind))
            entrant->unplayed++;
    for (uint16_t back = 0; back < 2 && back < rounds; back++)
        entrant->floats[back] = (uint8_t)float_in(request, player, (uint16_t)(rounds - back));
    dutch_colour_history(request, entrant);
}

/* ---- Order ---- */

static int compare_numbers(const void *a, const void *b)
{
    const struct dutch_entrant *first = a, *second = b;
    return (int)first->number - (int)second->number;
}

static int compare_ranks(const void *a, const void *b)
{
    const struct dutch_entrant *first = a, *second = b;
    if (first->score != second->score)
        return first->score > second->score ? -1 : 1;
    return (int)first->number - (int)second->number;
}

/* Numbers the arrived players by TPN and keeps those present. The array has room for all players;
 * `number` is the TPN at first. */
static bool number_entrants(struct dutch_field *field, struct refusal *refusal)
{
    const struct dutch_request *request = field->request;
    size_t arrived = 0;
    for (uint16_t player = 0; player < request->player_count; player++)
        field->entrants[player] =
            (struct dutch_entrant){.player = player, .number = request->players[player].tpn};
    qsort(field->entrants, request->player_count, sizeof *field->entrants, compare_numbers);
    for (size_t i = 0; i < request->player_count; i++) {
        struct dutch_entrant *entrant = &field->entrants[i];
        if (entrant->number == 0 ||
            (i + 1 < request->player_count && entrant->number == entrant[1].number))
            return refuse(refusal, DUTCH_REFUSAL_PLAYER, "A TPN is 0, or two players share it.");
        arrived += has_arrived(request, entrant->player);
        if (request->players[entrant->player].present) {
            field->entrants[field->count] = *entrant;
            field->entrants[field->count++].number = (uint16_t)arrived;
        }
    }
    return true;
}

static void rank_entrants(struct dutch_field *field)
{
    for (size_t i = 0; i < field->count; i++)
        fill_entrant(field->request, &field->entrants[i]);
    qsort(field->entrants, field->count, sizeof *field->entrants, compare_ranks);
    for (size_t i = 1; i < field->count; i++) {
        struct dutch_entrant *entrant = &field->entrants[i];
        entrant->group = (uint16_t)(entrant[-1].group + (entrant->score != entrant[-1].score));
    }
}

/* ---- Pairs ---- */

static void bar(struct dutch_field *field, size_t a, size_t b)
{
    field->codes[a * field->count + b] |= PAIR_BREAKS_C1;
    field->codes[b * field->count + a] |= PAIR_BREAKS_C1;
}

static void bar_opponents(struct dutch_field *field, size_t a, const uint16_t *rank_of)
{
    uint16_t player = field->entrants[a].player;
    for (uint16_t round = 1; round <= field->request->rounds_played; round++) {
        const struct dutch_result *result = dutch_result_of(field->request, player, round);
        if (round_kind_is_played(result->kind) && rank_of[result->opponent] != DUTCH_NOBODY)
            bar(field, a, rank_of[result->opponent]);
    }
}

/* Article 1.8: a score above half of the maximum, in the last round. */
static bool is_topscorer(const struct dutch_request *request, const struct dutch_entrant *entrant)
{
    return request->rounds_played + 1 >= request->rounds_planned &&
           2 * entrant->score > (uint32_t)request->rounds_played * request->points_for_win;
}

static bool want_the_same(const struct dutch_entrant *a, const struct dutch_entrant *b)
{
    return a->wants == b->wants && a->wants != DUTCH_NO_COLOUR;
}

/* Two topscorers with the same absolute preference meet: the one with the smaller imbalance gets
 * the other colour; if equal, either may. */
static bool repeats_thrice(const struct dutch_entrant *a, const struct dutch_entrant *b)
{
    if (a->imbalance == b->imbalance)
        return a->repeated != DUTCH_NO_COLOUR && a->repeated == b->repeated;
    const struct dutch_entrant *yields = a->imbalance > b->imbalance ? b : a;
    return yields->repeated == other_colour(yields->wants);
}

/* PAIR_C10 .. PAIR_C13 and PAIR_BREAKS_C3 for two entrants. */
static uint8_t dutch_colour_code(const struct dutch_request *request, const struct dutch_entrant *a,
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

static void fill_codes(struct dutch_field *field)
{
    const struct dutch_request *request = field->request;
    uint16_t rank_of[TOURNAMENT_ENTRIES_MAX];
    memset(rank_of, UINT8_MAX, sizeof rank_of);
    for (size_t a = 0; a < field->count; a++)
        rank_of[field->entrants[a].player] = (uint16_t)a;
    for (size_t a = 0; a < field->count; a++)
        for (size_t b = 0; b < field->count; b++)
            field->codes[a * field->count + b] =
                a == b ? PAIR_BREAKS_C1
                       : dutch_colour_code(request, &field->entrants[a], &field->entrants[b]);
    for (size_t a = 0; a < field->count; a++)
        bar_opponents(field, a, rank_of);
    for (size_t i = 0; i < request->forbidden_count; i++) {
        uint16_t a = rank_of[request->forbidden[i].a], b = rank_of[request->forbidden[i].b];
        if (a != DUTCH_NOBODY && b != DUTCH_NOBODY)
            bar(field, a, b);
    }
}

bool dutch_field_init(struct dutch_field *field, const struct dutch_request *request, void *memory,
                      struct refusal *refusal)
{
    if (!check_request(request, refusal) || !check_results(request, refusal) ||
        !check_forbidden(request, refusal))
        return false;
    struct carver carver = {memory, 0};
    *field = (struct dutch_field){.request = request};
    carve_all(&carver, field, request->player_count);
    if (!number_entrants(field, refusal))
        return false;
    rank_entrants(field);
    fill_codes(field);
    return true;
}

/* Colour preferences (article 1.7), what a pair means for them (C3, C10 - C13), and the allocation
 * of colours (article 5). */

/* The colour of the player's latest game before round `*round`; moves `*round` to it. */
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

/* Article 5.2.3: alternate from the most recent time in which one had White and the other Black.
 * The colour for `a`, or none. */
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

/* Article 5.2.2: compares the strength of preferences; negative: that of `a` is stronger. */
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
