#include "engine/tournament/formats/knockout/elimination.h"

#include <assert.h>
#include <string.h>

static const char *const names[BRACKET_ORDERS] = {
    [BRACKET_NATURAL] = "natural",       [BRACKET_REVERSE] = "reverse",
    [BRACKET_HALF_SHIFT] = "half_shift", [BRACKET_REVERSE_HALF_SHIFT] = "reverse_half_shift",
    [BRACKET_PAIR_FLIP] = "pair_flip",   [BRACKET_INNER_OUTER] = "inner_outer",
};

/* A bracket of twice the size puts beside each seed s the seed that makes their sum one more than
 * the size: from one size to the next, `place` loses its last bit, the outermost choice. */
static size_t inner_outer(size_t count, size_t place)
{
    if (count == 1)
        return 0;
    size_t seed = inner_outer(count / 2, place / 2);
    return place % 2 == 0 ? seed : count - 1 - seed;
}

size_t bracket_order_source(enum bracket_order order, size_t count, size_t place)
{
    size_t half = count / 2;
    assert(count >= 2 && (count & (count - 1)) == 0 && place < count);
    switch (order) {
    case BRACKET_REVERSE:
        return count - 1 - place;
    case BRACKET_HALF_SHIFT:
        return (place + half) % count;
    case BRACKET_REVERSE_HALF_SHIFT:
        return place < half ? half - 1 - place : count - 1 - (place - half);
    case BRACKET_PAIR_FLIP:
        return place ^ 1;
    case BRACKET_INNER_OUTER:
        return inner_outer(count, place);
    case BRACKET_NATURAL:
    case BRACKET_ORDERS:
        break;
    }
    return place;
}

const char *bracket_order_name(enum bracket_order order)
{
    assert(order < BRACKET_ORDERS);
    return names[order];
}

/* Orders for the losers of each upper round into the lower bracket, by the number of upper rounds,
 * beginning with the first round of losers. */
static const uint8_t usual_orders[ELIMINATION_ROUNDS_MAX + 1][ELIMINATION_ROUNDS_MAX] = {
    [2] = {BRACKET_NATURAL},
    [3] = {BRACKET_NATURAL, BRACKET_REVERSE},
    [4] = {BRACKET_NATURAL, BRACKET_REVERSE_HALF_SHIFT, BRACKET_REVERSE},
    [5] = {BRACKET_NATURAL, BRACKET_REVERSE, BRACKET_HALF_SHIFT, BRACKET_NATURAL},
    [6] = {BRACKET_NATURAL, BRACKET_REVERSE, BRACKET_HALF_SHIFT, BRACKET_REVERSE, BRACKET_NATURAL},
    [7] = {BRACKET_NATURAL, BRACKET_REVERSE, BRACKET_HALF_SHIFT, BRACKET_PAIR_FLIP,
           BRACKET_PAIR_FLIP, BRACKET_PAIR_FLIP},
};

static unsigned upper_rounds(const struct elimination_rule *rule)
{
    return (unsigned)__builtin_ctz(rule->size);
}

static bool has_lower_bracket(const struct elimination_rule *rule)
{
    return rule->kind == ELIMINATION_DOUBLE && rule->size > ELIMINATION_SIZE_MIN;
}

unsigned elimination_orders(const struct elimination_rule *rule)
{
    return has_lower_bracket(rule) ? upper_rounds(rule) : 1;
}

struct elimination_rule elimination_rule_usual(enum elimination_kind kind, unsigned entries)
{
    struct elimination_rule rule = {
        .size = ELIMINATION_SIZE_MIN, .kind = (uint8_t)kind, .order = {BRACKET_INNER_OUTER}};
    assert(entries >= ELIMINATION_SIZE_MIN && entries <= ELIMINATION_SIZE_MAX);
    while (rule.size < entries)
        rule.size = (uint16_t)(rule.size * 2);
    if (kind == ELIMINATION_DOUBLE)
        rule.grand_final = GRAND_FINAL_SIMPLE;
    memcpy(rule.order + 1, usual_orders[upper_rounds(&rule)], elimination_orders(&rule) - 1);
    return rule;
}

static bool rule_valid(const struct elimination_rule *rule)
{
    if (rule->size < ELIMINATION_SIZE_MIN || rule->size > ELIMINATION_SIZE_MAX ||
        (rule->size & (rule->size - 1)) != 0 || rule->kind > ELIMINATION_DOUBLE ||
        rule->grand_final > GRAND_FINAL_DOUBLE)
        return false;
    if (rule->consolation && rule->size == ELIMINATION_SIZE_MIN)
        return false;
    for (unsigned i = 0; i < elimination_orders(rule); i++)
        if (rule->order[i] >= BRACKET_ORDERS)
            return false;
    return true;
}

/* Building: the matches, and the origins of their sides. */

static struct elimination_side side_from(enum elimination_origin origin, size_t from)
{
    return (struct elimination_side){
        .origin = (uint8_t)origin, .from = (uint16_t)from, .entry = ELIMINATION_NONE};
}

static void add_match(struct elimination *bracket, enum elimination_bracket part, unsigned round,
                      unsigned number, struct elimination_side first,
                      struct elimination_side second)
{
    uint16_t index = bracket->match_count++;
    assert(index < ELIMINATION_MATCHES_MAX);
    bracket->match[index] = (struct elimination_match){.bracket = (uint8_t)part,
                                                       .round = (uint8_t)round,
                                                       .number = (uint8_t)number,
                                                       .side = {first, second},
                                                       .result = ELIMINATION_NONE,
                                                       .winner_to = ELIMINATION_NONE,
                                                       .loser_to = ELIMINATION_NONE};
    for (unsigned i = 0; i < 2; i++) {
        const struct elimination_side *side = &bracket->match[index].side[i];
        if (side->origin == ORIGIN_WINNER || side->origin == ORIGIN_AGAIN)
            bracket->match[side->from].winner_to = index;
        if (side->origin == ORIGIN_LOSER || side->origin == ORIGIN_AGAIN)
            bracket->match[side->from].loser_to = index;
    }
}

/* A round among the winners of `count` matches from `from` on, in pairs. */
static void add_round_of_winners(struct elimination *bracket, enum elimination_bracket part,
                                 unsigned round, size_t from, size_t count)
{
    for (unsigned i = 0; i < count / 2; i++)
        add_match(bracket, part, round, i + 1, side_from(ORIGIN_WINNER, from + 2 * i),
                  side_from(ORIGIN_WINNER, from + 2 * i + 1));
}

static void add_upper(struct elimination *bracket)
{
    size_t size = bracket->rule.size, from = 0;
    for (unsigned i = 0; i < size / 2; i++) {
        struct elimination_side side[2];
        for (unsigned j = 0; j < 2; j++)
            side[j] = side_from(ORIGIN_SEED,
                                bracket_order_source(bracket->rule.order[0], size, 2 * i + j) + 1);
        add_match(bracket, ELIMINATION_UPPER, 1, i + 1, side[0], side[1]);
    }
    for (unsigned round = 2, count = (unsigned)size / 2; count > 1; round++, count /= 2) {
        add_round_of_winners(bracket, ELIMINATION_UPPER, round, from, count);
        from += count;
    }
}

/* The first match of an upper round. */
static size_t upper_first(const struct elimination_rule *rule, unsigned round)
{
    return rule->size - ((size_t)rule->size >> (round - 1));
}

/* The loser at `place` among those of an upper round. */
static struct elimination_side loser_at(const struct elimination *bracket, unsigned round,
                                        enum bracket_order order, size_t place)
{
    size_t count = (size_t)bracket->rule.size >> round;
    size_t source = count < 2 ? place : bracket_order_source(order, count, place);
    return side_from(ORIGIN_LOSER, upper_first(&bracket->rule, round) + source);
}

/* Lower round 1: losers among each other. */
static void add_first_lower_round(struct elimination *bracket)
{
    enum bracket_order order = bracket->rule.order[1];
    for (unsigned i = 0; i < bracket->rule.size / 4U; i++)
        add_match(bracket, ELIMINATION_LOWER, 1, i + 1, loser_at(bracket, 1, order, 2 * i),
                  loser_at(bracket, 1, order, 2 * i + 1));
}

/* New losers against the winners of the `count` matches from `from` on. */
static void add_minor_round(struct elimination *bracket, unsigned upper_round, size_t from,
                            size_t count)
{
    enum bracket_order order = count > 1 ? bracket->rule.order[upper_round] : BRACKET_NATURAL;
    for (unsigned i = 0; i < count; i++)
        add_match(bracket, ELIMINATION_LOWER, 2 * (upper_round - 1), i + 1,
                  loser_at(bracket, upper_round, order, i), side_from(ORIGIN_WINNER, from + i));
}

static void add_lower(struct elimination *bracket)
{
    add_first_lower_round(bracket);
    for (unsigned round = 2; round <= upper_rounds(&bracket->rule); round++) {
        size_t count = (size_t)bracket->rule.size >> round;
        if (round > 2)
            add_round_of_winners(bracket, ELIMINATION_LOWER, 2 * round - 3,
                                 bracket->match_count - 2 * count, 2 * count);
        add_minor_round(bracket, round, bracket->match_count - count, count);
    }
}

static void add_grand_final(struct elimination *bracket, size_t upper_last, size_t lower_last)
{
    size_t first = bracket->match_count;
    if (bracket->rule.grand_final == GRAND_FINAL_NONE)
        return;
    add_match(bracket, ELIMINATION_FINALS, 1, 1, side_from(ORIGIN_WINNER, upper_last),
              side_from(ORIGIN_WINNER, lower_last));
    if (bracket->rule.grand_final == GRAND_FINAL_DOUBLE)
        add_match(bracket, ELIMINATION_FINALS, 2, 1, side_from(ORIGIN_AGAIN, first),
                  side_from(ORIGIN_AGAIN, first));
}

static void build_single(struct elimination *bracket)
{
    add_upper(bracket);
    size_t final = bracket->match_count - 1U;
    if (bracket->rule.consolation)
        add_match(bracket, ELIMINATION_FINALS, 1, 1, side_from(ORIGIN_LOSER, final - 2),
                  side_from(ORIGIN_LOSER, final - 1));
}

static void build_double(struct elimination *bracket)
{
    add_upper(bracket);
    size_t upper_last = bracket->match_count - 1U;
    add_lower(bracket);
    size_t lower_last = bracket->match_count - 1U;
    add_grand_final(bracket, upper_last, lower_last);
    if (bracket->rule.consolation)
        add_match(bracket, ELIMINATION_FINALS, bracket->rule.grand_final + 1U, 2,
                  side_from(ORIGIN_LOSER, lower_last - 1), side_from(ORIGIN_LOSER, lower_last));
}

static void build(struct elimination *bracket, const struct elimination_rule *rule)
{
    memset(bracket, 0, sizeof *bracket);
    bracket->rule = *rule;
    if (has_lower_bracket(rule))
        build_double(bracket);
    else
        build_single(bracket);
}

/* Flow: fills the sides, from match to match. */

static void copy_occupant(struct elimination_side *to, const struct elimination_side *from)
{
    to->occupant = from->occupant;
    to->entry = from->entry;
    to->seed = from->seed;
}

static void occupy(struct elimination_side *side, enum elimination_occupant occupant)
{
    side->occupant = (uint8_t)occupant;
    side->entry = ELIMINATION_NONE;
    side->seed = 0;
}

/* The side that advances against a bye; of two byes, either one. */
static const struct elimination_side *passing_side(const struct elimination_match *match)
{
    return &match->side[match->side[0].occupant == OCCUPANT_BYE];
}

static void take_winner(struct elimination_side *side, const struct elimination_match *from)
{
    if (from->state == ELIMINATION_PASSED)
        copy_occupant(side, passing_side(from));
    else if (from->state == ELIMINATION_DECIDED && from->winner < 2)
        copy_occupant(side, &from->side[from->winner]);
    else
        occupy(side, from->state == ELIMINATION_DECIDED ? OCCUPANT_BYE : OCCUPANT_OPEN);
}

static void take_loser(struct elimination_side *side, const struct elimination_match *from)
{
    if (from->state == ELIMINATION_DECIDED && from->winner < 2)
        copy_occupant(side, &from->side[1 - from->winner]);
    else
        occupy(side, from->state == ELIMINATION_DECIDED || from->state == ELIMINATION_PASSED
                         ? OCCUPANT_BYE
                         : OCCUPANT_OPEN);
}

/* The second match of the grand final has opponents only if it is needed. */
static bool is_second_needed(const struct elimination_match *first)
{
    return first->state == ELIMINATION_DECIDED && first->winner == 1;
}

static void fill_match(struct elimination *bracket, struct elimination_match *match)
{
    for (unsigned i = 0; i < 2; i++) {
        struct elimination_side *side = &match->side[i];
        const struct elimination_match *from = &bracket->match[side->from];
        if (side->origin == ORIGIN_WINNER)
            take_winner(side, from);
        else if (side->origin == ORIGIN_LOSER)
            take_loser(side, from);
        else if (side->origin == ORIGIN_AGAIN && is_second_needed(from))
            copy_occupant(side, &from->side[i]);
        else if (side->origin == ORIGIN_AGAIN)
            occupy(side, OCCUPANT_OPEN);
    }
}

static bool is_unneeded(const struct elimination *bracket, const struct elimination_match *match)
{
    if (match->side[0].origin != ORIGIN_AGAIN)
        return false;
    const struct elimination_match *first = &bracket->match[match->side[0].from];
    return first->state == ELIMINATION_PASSED ||
           (first->state == ELIMINATION_DECIDED && first->winner != 1);
}

static enum elimination_state state_before_results(const struct elimination *bracket,
                                                   const struct elimination_match *match)
{
    uint8_t a = match->side[0].occupant, b = match->side[1].occupant;
    if (is_unneeded(bracket, match))
        return ELIMINATION_UNNEEDED;
    if (a == OCCUPANT_BYE || b == OCCUPANT_BYE)
        return ELIMINATION_PASSED;
    return a == OCCUPANT_ENTRY && b == OCCUPANT_ENTRY ? ELIMINATION_READY : ELIMINATION_OPEN;
}

/* Chains of the results of each match. */
struct results {
    const struct elimination_result *result;
    uint16_t first[ELIMINATION_MATCHES_MAX];
    uint16_t next[ELIMINATION_RESULTS_MAX];
};

static bool same_opponents(const uint16_t a[2], const uint16_t b[2])
{
    return (a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]);
}

static uint16_t find_result(const struct results *results, uint16_t match,
                            const uint16_t opponents[2])
{
    uint16_t index = results->first[match];
    while (index != ELIMINATION_NONE && !same_opponents(results->result[index].entry, opponents))
        index = results->next[index];
    return index;
}

static bool outcome_possible(const struct elimination_result *result)
{
    if (result->entry[0] == result->entry[1] || result->forfeits > 3)
        return false;
    if (result->winner == 2)
        return result->forfeits == 3;
    return result->winner < 2 && (result->forfeits >> result->winner & 1) == 0;
}

static bool chain_results(const struct elimination_input *input, const struct elimination *bracket,
                          struct results *results, struct refusal *refusal)
{
    if (input->result_count > ELIMINATION_RESULTS_MAX)
        return refuse(refusal, ELIMINATION_REFUSAL_RESULT, "There are too many results.");
    memset(results->first, 0xff, sizeof results->first);
    for (size_t i = 0; i < input->result_count; i++) {
        const struct elimination_result *result = &input->results[i];
        if (result->match >= bracket->match_count || !outcome_possible(result))
            return refuse(refusal, ELIMINATION_REFUSAL_RESULT,
                          "A result names a match that is not in this bracket, or is impossible.");
        if (find_result(results, result->match, result->entry) != ELIMINATION_NONE)
            return refuse(refusal, ELIMINATION_REFUSAL_TWICE,
                          "There are two results of one match between the same opponents.");
        results->next[i] = results->first[result->match];
        results->first[result->match] = (uint16_t)i;
    }
    return true;
}

static void decide_by_result(struct elimination_match *match, const struct results *results,
                             uint16_t index)
{
    const struct elimination_result *result = &results->result[index];
    unsigned turned = result->entry[0] != match->side[0].entry;
    match->state = ELIMINATION_DECIDED;
    match->result = index;
    match->winner = result->winner == 2 ? 2 : (uint8_t)(result->winner ^ turned);
    for (unsigned i = 0; i < 2; i++)
        if ((result->forfeits >> i & 1) != 0)
            match->forfeits = (uint8_t)(match->forfeits | 1U << (i ^ turned));
}

/* withdrawn[seed - 1] */
static void decide_by_walkover(struct elimination_match *match, const bool *withdrawn)
{
    for (unsigned i = 0; i < 2; i++)
        if (withdrawn[match->side[i].seed - 1])
            match->forfeits = (uint8_t)(match->forfeits | 1U << i);
    if (match->forfeits == 0)
        return;
    match->state = ELIMINATION_DECIDED;
    match->winner = match->forfeits == 3 ? 2 : match->forfeits == 1;
}

static void settle_match(struct elimination *bracket, uint16_t index, const struct results *results,
                         const bool *withdrawn)
{
    struct elimination_match *match = &bracket->match[index];
    fill_match(bracket, match);
    match->state = (uint8_t)state_before_results(bracket, match);
    if (match->state != ELIMINATION_READY)
        return;
    const uint16_t opponents[2] = {match->side[0].entry, match->side[1].entry};
    uint16_t result = find_result(results, index, opponents);
    if (result != ELIMINATION_NONE)
        decide_by_result(match, results, result);
    else
        decide_by_walkover(match, withdrawn);
}

static void settle(struct elimination *bracket, const struct results *results,
                   const bool *withdrawn)
{
    bracket->over = true;
    for (uint16_t i = 0; i < bracket->match_count; i++) {
        const struct elimination_match *match = &bracket->match[i];
        settle_match(bracket, i, results, withdrawn);
        if (match->state == ELIMINATION_OPEN || match->state == ELIMINATION_READY)
            bracket->over = false;
        if (match->result != ELIMINATION_NONE)
            bracket->unused_results--;
    }
}

static bool seeding_valid(const struct elimination_input *input, uint16_t *entries)
{
    if (input->seed_count > input->rule.size)
        return false;
    *entries = 0;
    for (size_t i = 0; i < input->seed_count; i++) {
        if (input->seeding[i] == ELIMINATION_NONE)
            continue;
        ++*entries;
        for (size_t j = 0; j < i; j++)
            if (input->seeding[j] == input->seeding[i])
                return false;
    }
    return *entries >= 2;
}

static void seat_seeds(const struct elimination_input *input, struct elimination *bracket)
{
    for (unsigned i = 0; i < input->rule.size; i++) {
        struct elimination_side *side = &bracket->match[i / 2].side[i % 2];
        uint16_t seed = side->from;
        uint16_t entry = seed <= input->seed_count ? input->seeding[seed - 1] : ELIMINATION_NONE;
        occupy(side, entry == ELIMINATION_NONE ? OCCUPANT_BYE : OCCUPANT_ENTRY);
        side->entry = entry;
        side->seed = entry == ELIMINATION_NONE ? 0 : seed;
    }
}

static bool mark_withdrawn(const struct elimination_input *input, bool *withdrawn)
{
    for (size_t i = 0; i < input->withdrawn_count; i++) {
        size_t seed = 0;
        while (seed < input->seed_count && input->seeding[seed] != input->withdrawn[i])
            seed++;
        if (seed == input->seed_count || input->withdrawn[i] == ELIMINATION_NONE)
            return false;
        withdrawn[seed] = true;
    }
    return true;
}

bool elimination_make(const struct elimination_input *input, struct elimination *bracket,
                      struct refusal *refusal)
{
    struct results results = {.result = input->results};
    bool withdrawn[ELIMINATION_SIZE_MAX] = {false};
    if (!rule_valid(&input->rule))
        return refuse(refusal, ELIMINATION_REFUSAL_RULE,
                      "The size of a bracket is a power of two from 2 to 128, and a consolation "
                      "final needs four.");
    build(bracket, &input->rule);
    if (!seeding_valid(input, &bracket->entry_count))
        return refuse(refusal, ELIMINATION_REFUSAL_SEEDING,
                      "A bracket needs at least two entries, at most its size, and none twice.");
    if (!mark_withdrawn(input, withdrawn))
        return refuse(refusal, ELIMINATION_REFUSAL_LEFT,
                      "An entry that left was not in this bracket.");
    if (!chain_results(input, bracket, &results, refusal))
        return false;
    seat_seeds(input, bracket);
    bracket->unused_results = (uint16_t)input->result_count;
    settle(bracket, &results, withdrawn);
    return true;
}

/* Places. A level says how far an entry came: 2 * round for those who lose and are out, one less
 * for those who forfeited before they reached that round, and above all rounds: */
enum { LEVEL_FOURTH = 100, LEVEL_THIRD, LEVEL_SECOND, LEVEL_FIRST };

/* The level of a winner without a further match. */
static unsigned level_of_winner(const struct elimination_match *match)
{
    if (elimination_is_consolation(match))
        return LEVEL_THIRD;
    return match->bracket == ELIMINATION_LOWER ? LEVEL_SECOND : LEVEL_FIRST;
}

/* The level of a loser without a further match. In the upper bracket of double elimination, only
 * after both forfeited. */
static unsigned level_of_loser(const struct elimination *bracket,
                               const struct elimination_match *match)
{
    if (elimination_is_consolation(match))
        return LEVEL_FOURTH;
    if (match->bracket == ELIMINATION_FINALS)
        return LEVEL_SECOND;
    if (match->bracket == ELIMINATION_LOWER)
        return 2U * match->round;
    if (has_lower_bracket(&bracket->rule))
        return 2U * bracket->match[match->loser_to].round - 1U;
    return match->round == upper_rounds(&bracket->rule) ? LEVEL_SECOND : 2U * match->round;
}

static void reach(unsigned *level, const struct elimination_side *side, unsigned reached)
{
    if (side->occupant == OCCUPANT_ENTRY)
        level[side->seed - 1] = reached;
}

static bool plays_on(const struct elimination *bracket, uint16_t next)
{
    return next != ELIMINATION_NONE && bracket->match[next].state != ELIMINATION_UNNEEDED;
}

static void reach_decided(const struct elimination *bracket, const struct elimination_match *match,
                          unsigned *level)
{
    for (unsigned i = 0; i < 2; i++) {
        bool won = match->winner == i;
        if (match->winner != 2 && plays_on(bracket, won ? match->winner_to : match->loser_to))
            continue;
        reach(level, &match->side[i],
              won ? level_of_winner(match) : level_of_loser(bracket, match));
    }
}

/* level[seed - 1] of every entry that has finished; the others keep 0. */
static void find_levels(const struct elimination *bracket, unsigned *level)
{
    memset(level, 0, ELIMINATION_SIZE_MAX * sizeof *level);
    for (unsigned i = 0; i < bracket->match_count; i++) {
        const struct elimination_match *match = &bracket->match[i];
        if (match->state == ELIMINATION_DECIDED)
            reach_decided(bracket, match, level);
        else if (match->state == ELIMINATION_PASSED && !plays_on(bracket, match->winner_to))
            reach(level, passing_side(match), level_of_winner(match));
    }
}

/* Lets side 0 win everything undecided: how many go out in each round does not depend on the
 * winners. */
static void play_out(struct elimination *bracket)
{
    for (uint16_t i = 0; i < bracket->match_count; i++) {
        struct elimination_match *match = &bracket->match[i];
        if (match->state == ELIMINATION_DECIDED)
            continue;
        fill_match(bracket, match);
        match->state = (uint8_t)state_before_results(bracket, match);
        if (match->state == ELIMINATION_READY) {
            match->state = ELIMINATION_DECIDED;
            match->winner = 0;
        }
    }
}

void elimination_places(const struct elimination *bracket, uint16_t *place)
{
    unsigned now[ELIMINATION_SIZE_MAX], then[ELIMINATION_SIZE_MAX];
    struct elimination ended = *bracket;
    play_out(&ended);
    find_levels(bracket, now);
    find_levels(&ended, then);
    for (unsigned i = 0; i < bracket->rule.size; i++) {
        place[i] = now[i] == 0 ? 0 : 1;
        for (unsigned j = 0; now[i] > 0 && j < bracket->rule.size; j++)
            if (then[j] > now[i])
                place[i]++;
    }
}
