/* A bracket is one matching problem over all unpaired players.
 *
 *      current   moved-down players and residents: the bracket
 *      next      residents of the next bracket: C8 looks at them
 *      below     all others: they only have to find partners (C4)
 *      bye       one more vertex if the number of players is odd; its partner has the bye
 *
 * The cost of an edge is a number whose digits are the criteria, C6 the highest. A digit is as wide
 * as the sum over a whole matching can be, so digits never carry into each other, and the matching
 * of least cost is the best pairing criterion by criterion. C1 - C3 are edges that do not exist; C4
 * is that the matching is perfect; C5 is settled before the first bracket and leaves the bye only
 * to players of that score. Digits below 2^64 say which of the pairings that are equal in all
 * criteria articles 3 and 4 prefer; they change one player at a time.
 *
 * Two sums that a rule names are never needed: as many residents float as C6 leaves after the
 * moved-down players of C7; the same holds for C14 and C16 before C18 and C20.
 */
#include "engine/tournament/formats/dutch/dutch_field.h"

#include <assert.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/tournament/number/limbs.h"
#include "engine/tournament/number/matching.h"

enum { MOVED_GROUPS_MAX = 64, GROUPS_MAX = MOVED_GROUPS_MAX + 1 };

enum zone { ZONE_PAIRED, ZONE_CURRENT, ZONE_NEXT, ZONE_BELOW };

/* What a player of the bracket may still do. */
enum {
    MAY_LEAD = 1,   /* be the higher one of a pair in this bracket */
    MAY_FOLLOW = 2, /* be the lower one; never a moved-down player */
    MAY_LEAVE = 4   /* float down, or get the bye */
};

/* Digits, the highest first. Scores have one digit per scoregroup. */
enum digit {
    DIGIT_C6,
    DIGIT_C7,
    DIGIT_C8_COUNT,
    DIGIT_C8_SCORES,
    DIGIT_C9,
    DIGIT_C10,
    DIGIT_C11,
    DIGIT_C12,
    DIGIT_C13,
    DIGIT_C14,
    DIGIT_C15,
    DIGIT_C16,
    DIGIT_C17,
    DIGIT_C18,
    DIGIT_C19,
    DIGIT_C20,
    DIGIT_C21,
    DIGITS
};

enum { DOWN_STATES = 4, UP_STATES = 4, COLOUR_STATES = 16 };

struct layout {
    uint32_t capacity[DIGITS][GROUPS_MAX]; /* the largest sum; 0 = no such digit */
    uint16_t offset[DIGITS][GROUPS_MAX];   /* of its lowest bit above 2^64 */
    size_t high;                           /* limbs above the first */
};

struct brackets {
    const struct dutch_field *field;
    struct matching matching;
    uint16_t count; /* of players; also the vertex of the bye */
    bool odd;
    uint32_t bye_score;

    /* The bracket. Ranks below `residents` are moved down, from `next` on the next bracket's. */
    uint16_t residents, next, below;
    uint16_t groups; /* scoregroups of moved-down players; also the index of the residents' */
    uint8_t *zone;   /* [rank], ZONE_BELOW for the bye */
    uint8_t *may;    /* [rank] */
    uint8_t *downs;  /* [rank] bit 0: floated down in the last round; bit 1: in the round before */
    uint8_t *ups;    /* [rank] the same for floating up */
    uint16_t *group; /* [rank] 0 = highest score in the bracket */
    uint16_t *list;  /* remainder, leaders */
    struct layout layout;

    /* Costs above 2^64, layout.high limbs each. */
    uint64_t *pair_costs;  /* [group][ups of the lower][colours] */
    uint64_t *leave_costs; /* [group][downs][0 = to the next bracket, 1 = further] */
    uint64_t *bye_costs;   /* [rank] when C9 counts */
    bool c9_counts;
    uint64_t next_cost[MATCHING_LIMBS_MAX]; /* a resident of the next bracket floats further down */
    uint64_t nothing[MATCHING_LIMBS_MAX];

    /* Costs below 2^64. */
    uint64_t *lead;   /* [rank] for leading a pair */
    uint64_t *leave;  /* [rank] for floating */
    uint64_t *follow; /* [rank] for following `chooser` */
    uint16_t chooser; /* rank, or DUTCH_NOBODY */
};

/* ---- Costs ---- */

static uint64_t *pair_cost(const struct brackets *brackets, unsigned group, unsigned ups,
                           unsigned colours)
{
    size_t index = (group * UP_STATES + ups) * COLOUR_STATES + colours;
    return brackets->pair_costs + index * brackets->layout.high;
}

static uint64_t *leave_cost(const struct brackets *brackets, unsigned group, unsigned downs,
                            bool further)
{
    size_t index = (group * DOWN_STATES + downs) * 2 + further;
    return brackets->leave_costs + index * brackets->layout.high;
}

static bool may_have_bye(const struct brackets *brackets, uint16_t rank)
{
    const struct dutch_entrant *entrant = &brackets->field->entrants[rank];
    return entrant->bye_allowed && entrant->score == brackets->bye_score;
}

static bool may_meet(const struct brackets *brackets, uint16_t a, uint16_t b)
{
    return b == brackets->count ? may_have_bye(brackets, a)
                                : (dutch_field_code(brackets->field, a, b) & PAIR_BARRED) == 0;
}

static struct matching_cost price_inside(const struct brackets *brackets, uint16_t a, uint16_t b)
{
    unsigned colours = dutch_field_code(brackets->field, a, b) & PAIR_COLOURS;
    unsigned ups = a < brackets->residents ? brackets->ups[b] : 0;
    uint64_t low = brackets->lead[a] + (a == brackets->chooser ? brackets->follow[b] : 0);
    if ((brackets->may[a] & MAY_LEAD) == 0 || (brackets->may[b] & MAY_FOLLOW) == 0)
        return (struct matching_cost){NULL, 0};
    return (struct matching_cost){pair_cost(brackets, brackets->group[a], ups, colours), low};
}

static struct matching_cost price_leaving(const struct brackets *brackets, uint16_t a, uint16_t b)
{
    if ((brackets->may[a] & MAY_LEAVE) == 0)
        return (struct matching_cost){NULL, 0};
    if (b == brackets->count && brackets->c9_counts)
        return (struct matching_cost){brackets->bye_costs + a * brackets->layout.high,
                                      brackets->leave[a]};
    bool further = brackets->zone[b] == ZONE_BELOW;
    return (struct matching_cost){
        leave_cost(brackets, brackets->group[a], brackets->downs[a], further), brackets->leave[a]};
}

static struct matching_cost price_edge(const void *context, uint16_t a, uint16_t b)
{
    const struct brackets *brackets = context;
    if (!may_meet(brackets, a, b))
        return (struct matching_cost){NULL, 0};
    if (brackets->zone[a] == ZONE_CURRENT)
        return brackets->zone[b] == ZONE_CURRENT ? price_inside(brackets, a, b)
                                                 : price_leaving(brackets, a, b);
    if (brackets->zone[a] == ZONE_NEXT && brackets->zone[b] == ZONE_BELOW)
        return (struct matching_cost){brackets->next_cost, 0};
    return (struct matching_cost){brackets->nothing, 0};
}

/* C5, before the first bracket: the bye costs the rank of the score. */
static struct matching_cost price_bye(const void *context, uint16_t a, uint16_t b)
{
    const struct brackets *brackets = context;
    const struct dutch_entrant *entrant = &brackets->field->entrants[a];
    if (b == brackets->count) {
        const struct dutch_entrant *last = &brackets->field->entrants[brackets->count - 1];
        uint64_t cost = 2 * (uint64_t)(last->group - entrant->group);
        return (struct matching_cost){entrant->bye_allowed ? brackets->nothing : NULL, cost};
    }
    bool barred = (dutch_field_code(brackets->field, a, b) & PAIR_BARRED) != 0;
    return (struct matching_cost){barred ? NULL : brackets->nothing, 0};
}

/* ---- Layout ---- */

static unsigned bits_of(uint32_t number)
{
    unsigned bits = 0;
    for (; number > 0; number >>= 1)
        bits++;
    return bits;
}

static bool is_moved(const struct brackets *brackets, uint16_t rank)
{
    return rank < brackets->residents;
}

/* The first rank of the bracket from `rank` on; brackets->next if there is none. */
static uint16_t next_current(const struct brackets *brackets, uint16_t rank)
{
    while (rank < brackets->next && brackets->zone[rank] != ZONE_CURRENT)
        rank++;
    return rank;
}

static void count_player(struct brackets *brackets, uint16_t rank)
{
    struct layout *layout = &brackets->layout;
    unsigned group = brackets->group[rank];
    unsigned downs = brackets->downs[rank], ups = brackets->ups[rank];
    layout->capacity[DIGIT_C6][0]++;
    layout->capacity[DIGIT_C8_COUNT][0]++;
    layout->capacity[DIGIT_C8_SCORES][group]++;
    if (is_moved(brackets, rank)) {
        layout->capacity[DIGIT_C7][group]++;
        layout->capacity[DIGIT_C18][group] += downs & 1;
        layout->capacity[DIGIT_C20][group] += downs >> 1;
        layout->capacity[DIGIT_C19][group]++;
        layout->capacity[DIGIT_C21][group]++;
    } else {
        layout->capacity[DIGIT_C14][0] += downs & 1;
        layout->capacity[DIGIT_C16][0] += downs >> 1;
        layout->capacity[DIGIT_C15][0] += ups & 1;
        layout->capacity[DIGIT_C17][0] += ups >> 1;
    }
}

/* Digits of colour criteria that no pair of the bracket can violate are dropped. */
static void count_colours(struct brackets *brackets)
{
    unsigned codes = 0;
    uint32_t players = brackets->layout.capacity[DIGIT_C6][0];
    for (uint16_t a = next_current(brackets, 0); a < brackets->next;
         a = next_current(brackets, (uint16_t)(a + 1)))
        for (uint16_t b = brackets->residents; b < brackets->next; b++)
            if ((dutch_field_code(brackets->field, a, b) & PAIR_BARRED) == 0)
                codes |= dutch_field_code(brackets->field, a, b);
    for (unsigned bit = 0; bit < 4; bit++)
        if ((codes >> bit & 1) != 0)
            brackets->layout.capacity[DIGIT_C10 + bit][0] = players / 2;
}

/* Digits that are 0 for every edge get no space. */
static void drop_idle_digits(struct brackets *brackets)
{
    struct layout *layout = &brackets->layout;
    bool ups1 = layout->capacity[DIGIT_C15][0] > 0, ups2 = layout->capacity[DIGIT_C17][0] > 0;
    for (unsigned group = 0; group < brackets->groups; group++) {
        if (!ups1)
            layout->capacity[DIGIT_C19][group] = 0;
        if (!ups2)
            layout->capacity[DIGIT_C21][group] = 0;
    }
    if (brackets->groups == 0)
        layout->capacity[DIGIT_C15][0] = layout->capacity[DIGIT_C17][0] = 0;
    if (brackets->next == brackets->below) {
        memset(layout->capacity[DIGIT_C8_COUNT], 0, sizeof layout->capacity[0]);
        memset(layout->capacity[DIGIT_C8_SCORES], 0, sizeof layout->capacity[0]);
    }
}

/* False: the cost would be longer than the matching supports. */
static bool lay_out(struct brackets *brackets)
{
    struct layout *layout = &brackets->layout;
    unsigned offset = 0;
    memset(layout, 0, sizeof *layout);
    for (uint16_t rank = next_current(brackets, 0); rank < brackets->next;
         rank = next_current(brackets, (uint16_t)(rank + 1)))
        count_player(brackets, rank);
    layout->capacity[DIGIT_C8_COUNT][0] += (uint32_t)(brackets->below - brackets->next);
    count_colours(brackets);
    if (brackets->odd)
        layout->capacity[DIGIT_C9][0] = TOURNAMENT_ROUNDS_MAX;
    drop_idle_digits(brackets);
    for (unsigned digit = DIGITS; digit-- > 0;)
        for (unsigned group = brackets->groups + 1U; group-- > 0;) {
            layout->offset[digit][group] = (uint16_t)offset;
            offset += bits_of(layout->capacity[digit][group]);
        }
    layout->high = (offset + LIMBS_HEADROOM + 63) / 64;
    return layout->high + 1 <= MATCHING_LIMBS_MAX;
}

/* Adds `times` to a digit of a cost. */
static void charge(const struct brackets *brackets, uint64_t *cost, enum digit digit,
                   unsigned group, unsigned times)
{
    const struct layout *layout = &brackets->layout;
    if (layout->capacity[digit][group] == 0)
        return;
    for (unsigned bit = 0; times >> bit != 0; bit++)
        if ((times >> bit & 1) != 0)
            limbs_add_bit(cost, layout->offset[digit][group] + bit, layout->high);
}

static void fill_pair_cost(struct brackets *brackets, unsigned group, unsigned ups,
                           unsigned colours)
{
    uint64_t *cost = pair_cost(brackets, group, ups, colours);
    limbs_zero(cost, brackets->layout.high);
    for (unsigned bit = 0; bit < 4; bit++)
        charge(brackets, cost, (enum digit)(DIGIT_C10 + bit), 0, colours >> bit & 1);
    charge(brackets, cost, DIGIT_C15, 0, ups & 1);
    charge(brackets, cost, DIGIT_C17, 0, ups >> 1);
    charge(brackets, cost, DIGIT_C19, group, ups & 1);
    charge(brackets, cost, DIGIT_C21, group, ups >> 1);
}

static void fill_leave_cost(struct brackets *brackets, unsigned group, unsigned downs, bool further)
{
    uint64_t *cost = leave_cost(brackets, group, downs, further);
    bool moved = group < brackets->groups;
    limbs_zero(cost, brackets->layout.high);
    charge(brackets, cost, DIGIT_C6, 0, 1);
    charge(brackets, cost, DIGIT_C7, group, 1);
    charge(brackets, cost, DIGIT_C8_COUNT, 0, further);
    charge(brackets, cost, DIGIT_C8_SCORES, group, further);
    charge(brackets, cost, moved ? DIGIT_C18 : DIGIT_C14, moved ? group : 0, downs & 1);
    charge(brackets, cost, moved ? DIGIT_C20 : DIGIT_C16, moved ? group : 0, downs >> 1);
}

static void fill_costs(struct brackets *brackets)
{
    for (unsigned group = 0; group <= brackets->groups; group++) {
        for (unsigned ups = 0; ups < UP_STATES; ups++)
            for (unsigned colours = 0; colours < COLOUR_STATES; colours++)
                fill_pair_cost(brackets, group, group < brackets->groups ? ups : 0, colours);
        for (unsigned downs = 0; downs < DOWN_STATES; downs++)
            for (unsigned further = 0; further < 2; further++)
                fill_leave_cost(brackets, group, downs, further != 0);
    }
    limbs_zero(brackets->next_cost, brackets->layout.high);
    charge(brackets, brackets->next_cost, DIGIT_C8_COUNT, 0, 1);
}

/* ---- Setting a bracket up ---- */

static uint8_t float_bits(const struct dutch_entrant *entrant, enum dutch_float direction)
{
    return (uint8_t)((entrant->floats[0] == direction ? 1 : 0) |
                     (entrant->floats[1] == direction ? 2 : 0));
}

/* The first rank after the scoregroup that begins with `rank`. */
static uint16_t end_of_group(const struct brackets *brackets, uint16_t rank)
{
    const struct dutch_entrant *entrants = brackets->field->entrants;
    uint16_t end = rank;
    while (end < brackets->count && entrants[end].group == entrants[rank].group)
        end++;
    return end;
}

/* Groups of the bracket, numbered from the highest score. False: too many. */
static bool number_groups(struct brackets *brackets)
{
    const struct dutch_entrant *entrants = brackets->field->entrants;
    uint16_t groups = 0, last = DUTCH_NOBODY;
    for (uint16_t rank = next_current(brackets, 0); rank < brackets->residents;
         rank = next_current(brackets, (uint16_t)(rank + 1))) {
        groups = (uint16_t)(groups + (last != DUTCH_NOBODY && entrants[rank].group != last));
        last = entrants[rank].group;
        if (groups >= MOVED_GROUPS_MAX)
            return false;
        brackets->group[rank] = groups;
    }
    brackets->groups = (uint16_t)(last == DUTCH_NOBODY ? 0 : groups + 1);
    for (uint16_t rank = brackets->residents; rank < brackets->next; rank++)
        brackets->group[rank] = brackets->groups;
    return true;
}

/* Opens the bracket whose residents begin with `residents`; unpaired players are moved down. */
static bool open_bracket(struct brackets *brackets, uint16_t residents)
{
    brackets->residents = residents;
    brackets->next = end_of_group(brackets, residents);
    brackets->below = end_of_group(brackets, brackets->next);
    brackets->chooser = DUTCH_NOBODY;
    brackets->c9_counts = false;
    for (uint16_t rank = 0; rank < brackets->next; rank++) {
        brackets->may[rank] =
            rank < residents ? MAY_LEAD | MAY_LEAVE : MAY_LEAD | MAY_FOLLOW | MAY_LEAVE;
        brackets->lead[rank] = brackets->leave[rank] = 0;
        if (rank >= residents)
            brackets->zone[rank] = ZONE_CURRENT;
    }
    for (uint16_t rank = brackets->next; rank < brackets->below; rank++)
        brackets->zone[rank] = ZONE_NEXT;
    if (!number_groups(brackets) || !lay_out(brackets))
        return false;
    fill_costs(brackets);
    return true;
}

/* ---- Queries of the matching ---- */

static void solve(struct brackets *brackets)
{
    bool solved = matching_solve(&brackets->matching);
    assert(solved);
    (void)solved;
}

/* Call before and after the costs of one player change. */
static void release(struct brackets *brackets, uint16_t rank)
{
    matching_release(&brackets->matching, rank);
}

static void settle(struct brackets *brackets, uint16_t rank)
{
    matching_reprice(&brackets->matching, rank);
    solve(brackets);
}

static void set_may(struct brackets *brackets, uint16_t rank, unsigned may)
{
    release(brackets, rank);
    brackets->may[rank] = (uint8_t)may;
    settle(brackets, rank);
}

static void set_low(struct brackets *brackets, uint64_t *low, uint16_t rank, uint64_t value)
{
    release(brackets, rank);
    low[rank] = value;
    settle(brackets, rank);
}

static bool stays(const struct brackets *brackets, uint16_t rank)
{
    return brackets->zone[brackets->matching.mate[rank]] == ZONE_CURRENT;
}

static bool leads(const struct brackets *brackets, uint16_t rank)
{
    return stays(brackets, rank) && brackets->matching.mate[rank] > rank;
}

static void lock_pair(struct brackets *brackets, uint16_t rank)
{
    uint16_t mate = brackets->matching.mate[rank];
    matching_lock(&brackets->matching, rank, mate);
    brackets->zone[rank] = brackets->zone[mate] = ZONE_PAIRED;
    solve(brackets);
}

/* ---- C9 ---- */

/* If the only player who leaves is the one for the bye, C9 chooses among the candidates. */
static void apply_c9(struct brackets *brackets)
{
    unsigned leaving = 0;
    if (!brackets->odd || brackets->matching.mate[brackets->count] >= brackets->next)
        return;
    for (uint16_t rank = next_current(brackets, 0); rank < brackets->next;
         rank = next_current(brackets, (uint16_t)(rank + 1)))
        leaving += !stays(brackets, rank);
    if (leaving != 1)
        return;
    release(brackets, brackets->count);
    for (uint16_t rank = 0; rank < brackets->next; rank++) {
        uint64_t *cost = brackets->bye_costs + rank * brackets->layout.high;
        if (brackets->zone[rank] != ZONE_CURRENT)
            continue;
        limbs_copy(cost, leave_cost(brackets, brackets->group[rank], brackets->downs[rank], true),
                   brackets->layout.high);
        charge(brackets, cost, DIGIT_C9, 0, brackets->field->entrants[rank].unplayed);
    }
    brackets->c9_counts = true;
    settle(brackets, brackets->count);
}

/* ---- Moved-down players ---- */

static bool could_stay(const struct brackets *brackets, uint16_t rank)
{
    for (uint16_t other = brackets->residents; other < brackets->next; other++)
        if (brackets->zone[other] == ZONE_CURRENT &&
            matching_tight(&brackets->matching, rank, other))
            return true;
    return false;
}

/* Pairs the moved-down player in this bracket if an equally good pairing does. */
static void admit(struct brackets *brackets, uint16_t rank)
{
    if (!stays(brackets, rank) && could_stay(brackets, rank)) {
        set_low(brackets, brackets->leave, rank, 2);
        bool staying = stays(brackets, rank);
        release(brackets, rank);
        brackets->leave[rank] = 0;
        brackets->may[rank] = staying ? MAY_LEAD : MAY_LEAVE;
        settle(brackets, rank);
    } else {
        set_may(brackets, rank, stays(brackets, rank) ? MAY_LEAD : MAY_LEAVE);
    }
}

/* Chooses the moved-down players who are paired here: C7 settles how many of each score; of equal
 * scores the higher ranked come first. */
static void choose_moved(struct brackets *brackets)
{
    uint16_t rank = next_current(brackets, 0);
    while (rank < brackets->residents) {
        uint16_t group = brackets->group[rank], end = rank;
        unsigned players = 0, staying = 0;
        for (; end < brackets->residents && brackets->group[end] == group;
             end = next_current(brackets, (uint16_t)(end + 1))) {
            players++;
            staying += stays(brackets, end);
        }
        if (staying > 0 && staying < players)
            for (uint16_t each = rank; each < end;
                 each = next_current(brackets, (uint16_t)(each + 1)))
                admit(brackets, each);
        rank = end;
    }
}

/* Gives `rank` the highest ranked opponent, from `from` on, that an equally good pairing allows,
 * and fixes the pair. */
static void choose_opponent(struct brackets *brackets, uint16_t rank, uint16_t from)
{
    uint16_t mate = brackets->matching.mate[rank], other = from;
    while (other < mate && !(brackets->zone[other] == ZONE_CURRENT &&
                             matching_tight(&brackets->matching, rank, other)))
        other++;
    if (other < mate) {
        release(brackets, rank);
        brackets->chooser = rank;
        for (uint16_t each = from; each < brackets->next; each++)
            brackets->follow[each] = 2 * (uint64_t)(each - from);
        settle(brackets, rank);
    }
    lock_pair(brackets, rank);
    brackets->chooser = DUTCH_NOBODY;
}

static void pair_moved(struct brackets *brackets)
{
    choose_moved(brackets);
    for (uint16_t rank = next_current(brackets, 0); rank < brackets->residents;
         rank = next_current(brackets, (uint16_t)(rank + 1)))
        if (stays(brackets, rank))
            choose_opponent(brackets, rank, brackets->residents);
}

/* ---- The remainder ---- */

/* Residents who are left, in order, with the low digits of leading a pair:
 *
 *      highest   exchanges: 1 for each who leads from S2            (article 4.3.1)
 *      then      the sum of sequence numbers of those who lead      (4.3.2)
 *      then      one bit of either sign for choose_exchanges()        (4.3.3, 4.3.4)
 *      lowest    choose_opponent()
 */
struct remainder {
    const uint16_t *ranks;
    uint16_t count, pairs;
    uint64_t step; /* the bit of choose_exchanges() */
};

static struct remainder collect_remainder(struct brackets *brackets)
{
    struct remainder remainder = {.ranks = brackets->list};
    for (uint16_t rank = brackets->residents; rank < brackets->next; rank++) {
        if (brackets->zone[rank] != ZONE_CURRENT)
            continue;
        brackets->list[remainder.count++] = rank;
        remainder.pairs = (uint16_t)(remainder.pairs + leads(brackets, rank));
    }
    remainder.step = 2 * (uint64_t)(brackets->next - brackets->residents);
    return remainder;
}

/* Leaving costs slightly more than leading for the last of S1. This changes nothing, because the
 * number of those who leave is settled, but it gives good duals at once: with them every edge
 * between S1 and S2 that was tight is tight again, other edges at S1 are not, and none costs less
 * than its duals. */
static void charge_remainder(struct brackets *brackets, const struct remainder *remainder)
{
    uint64_t exchange = (uint64_t)remainder->count * remainder->count;
    uint64_t leave = 2 * remainder->step * remainder->pairs;
    for (uint16_t i = 0; i < remainder->count; i++)
        release(brackets, remainder->ranks[i]);
    for (uint16_t i = 0; i < remainder->count; i++) {
        uint16_t rank = remainder->ranks[i];
        bool first_half = i < remainder->pairs;
        brackets->lead[rank] = 2 * remainder->step * ((first_half ? 0 : exchange) + i);
        brackets->leave[rank] = leave;
        matching_shift(&brackets->matching, rank, first_half ? brackets->lead[rank] : leave,
                       first_half ? leave : 0);
    }
    solve(brackets);
}

/* Lets the player lead (or not lead) from now on if an equally good pairing does: leading
 * temporarily costs a little less (more). */
static bool exchange(struct brackets *brackets, const struct remainder *remainder, uint16_t rank,
                     bool to_lead)
{
    uint64_t lead = brackets->lead[rank];
    if (leads(brackets, rank) != to_lead)
        set_low(brackets, brackets->lead, rank,
                to_lead ? lead - remainder->step : lead + remainder->step);
    bool exchanged = leads(brackets, rank) == to_lead;
    release(brackets, rank);
    brackets->lead[rank] = lead;
    if (exchanged)
        brackets->may[rank] = to_lead ? MAY_LEAD : MAY_FOLLOW | MAY_LEAVE;
    settle(brackets, rank);
    return exchanged;
}

/* Chooses the players exchanged between S1 and S2; their number and the sum of their numbers are
 * settled. From S1 the lowest ranked go first (4.3.3), from S2 the highest ranked (4.3.4); the last
 * one follows from the sum. */
static void choose_exchanges(struct brackets *brackets, const struct remainder *remainder)
{
    unsigned exchanges = 0;
    for (uint16_t i = 0; i < remainder->pairs; i++)
        exchanges += !leads(brackets, remainder->ranks[i]);
    unsigned left = exchanges;
    for (uint16_t i = remainder->pairs; i-- > 0 && left > 0;)
        left -= exchange(brackets, remainder, remainder->ranks[i], false);
    left = exchanges;
    for (uint16_t i = remainder->pairs; i < remainder->count && left > 1; i++)
        left -= exchange(brackets, remainder, remainder->ranks[i], true);
}

/* Fixes the leaders. There are no odd rings between S1 and S2, which makes the choice of opponents
 * fast. */
static void fix_sides(struct brackets *brackets, const struct remainder *remainder)
{
    for (uint16_t i = 0; i < remainder->count; i++) {
        uint16_t rank = remainder->ranks[i];
        brackets->may[rank] = leads(brackets, rank) ? MAY_LEAD : MAY_FOLLOW | MAY_LEAVE;
    }
    for (uint16_t i = 0; i < remainder->count; i++)
        release(brackets, remainder->ranks[i]);
    solve(brackets);
}

static void pair_remainder(struct brackets *brackets)
{
    struct remainder remainder = collect_remainder(brackets);
    if (remainder.pairs == 0)
        return;
    charge_remainder(brackets, &remainder);
    choose_exchanges(brackets, &remainder);
    fix_sides(brackets, &remainder);
    for (uint16_t i = 0; i < remainder.count; i++) {
        uint16_t rank = remainder.ranks[i];
        if (brackets->zone[rank] == ZONE_CURRENT && leads(brackets, rank))
            choose_opponent(brackets, rank, (uint16_t)(rank + 1));
    }
}

/* ---- All brackets ---- */

static void pair_bracket(struct brackets *brackets)
{
    matching_reset(&brackets->matching, brackets->layout.high + 1, price_edge, brackets);
    solve(brackets);
    apply_c9(brackets);
    pair_moved(brackets);
    pair_remainder(brackets);
}

/* C4 for the whole round, and C5. */
static bool settle_bye(struct brackets *brackets, struct refusal *refusal)
{
    matching_reset(&brackets->matching, 1, price_bye, brackets);
    if (!matching_solve(&brackets->matching))
        return refuse(
            refusal, DUTCH_REFUSAL_IMPOSSIBLE,
            "The players who are present cannot be paired without a repeat, a forbidden pair or a "
            "second bye. Close the event, or pair the round when others are present.");
    if (brackets->odd)
        brackets->bye_score =
            brackets->field->entrants[brackets->matching.mate[brackets->count]].score;
    return true;
}

static void *carve_all(struct carver *carver, struct brackets **brackets, size_t players)
{
    size_t vertices = players + 1, high = MATCHING_LIMBS_MAX - 1;
    struct brackets none, *all = carve(carver, 1, sizeof *all);
    *brackets = all;
    if (all == NULL)
        all = &none;
    all->lead = carve(carver, vertices, sizeof *all->lead);
    all->leave = carve(carver, vertices, sizeof *all->leave);
    all->follow = carve(carver, vertices, sizeof *all->follow);
    all->pair_costs =
        carve(carver, GROUPS_MAX * UP_STATES * COLOUR_STATES * high, sizeof *all->pair_costs);
    all->leave_costs = carve(carver, GROUPS_MAX * DOWN_STATES * 2 * high, sizeof *all->leave_costs);
    all->bye_costs = carve(carver, vertices * high, sizeof *all->bye_costs);
    all->group = carve(carver, vertices, sizeof *all->group);
    all->list = carve(carver, vertices, sizeof *all->list);
    all->zone = carve(carver, vertices, sizeof *all->zone);
    all->may = carve(carver, vertices, sizeof *all->may);
    all->downs = carve(carver, vertices, sizeof *all->downs);
    all->ups = carve(carver, vertices, sizeof *all->ups);
    return carve(carver, matching_size(vertices, MATCHING_LIMBS_MAX), 1);
}

size_t dutch_brackets_size(size_t player_count)
{
    struct carver carver = {NULL, 0};
    struct brackets *brackets;
    carve_all(&carver, &brackets, player_count);
    return carver.used;
}

static struct brackets *set_up(const struct dutch_field *field, void *memory)
{
    struct carver carver = {memory, 0};
    struct brackets *brackets;
    void *rest = carve_all(&carver, &brackets, field->count);
    brackets->field = field;
    brackets->count = (uint16_t)field->count;
    brackets->odd = field->count % 2 == 1;
    brackets->bye_score = 0;
    limbs_zero(brackets->nothing, MATCHING_LIMBS_MAX);
    matching_init(&brackets->matching, rest, field->count + brackets->odd, MATCHING_LIMBS_MAX);
    for (uint16_t rank = 0; rank < field->count; rank++) {
        brackets->zone[rank] = ZONE_BELOW;
        brackets->downs[rank] = float_bits(&field->entrants[rank], FLOAT_DOWN);
        brackets->ups[rank] = float_bits(&field->entrants[rank], FLOAT_UP);
    }
    brackets->zone[field->count] = ZONE_BELOW;
    return brackets;
}

bool dutch_brackets_pair(const struct dutch_field *field, void *memory, const uint16_t **mate,
                         struct refusal *refusal)
{
    struct brackets *brackets = set_up(field, memory);
    *mate = brackets->matching.mate;
    if (field->count == 0)
        return true;
    if (!settle_bye(brackets, refusal))
        return false;
    for (uint16_t rank = 0; rank < brackets->count; rank = brackets->next) {
        if (!open_bracket(brackets, rank))
            return refuse(refusal, DUTCH_REFUSAL_TOO_DEEP,
                          "Players of too many different scores float into one bracket.");
        pair_bracket(brackets);
        progress_tell(field->request->progress, brackets->next, brackets->count);
    }
    return true;
}
