/* The threshold search of pod_search.c, where a draw spends most of its time. */
#include "engine/tournament/formats/pods/pod_layout.h"

enum {
    THRESHOLDS = 16, /* steps in which the threshold shrinks */
    NEAR = 16,       /* half of the swaps are between players this close in the order of score */
    KINDS = 8,       /* kinds of turns, equally likely: */
    SWAPS = 6,       /* the first six are swaps, the others cycles of three */
    SEATS_THRESHOLD = 8 * POD_SEAT_WEIGHT,
    WORDS = 512, /* words read at once */
    WORDS_OF_BLOCK = 16
};

/* Words of the event's stream, read ahead. */
struct luck {
    struct chance_stream *stream;
    uint32_t word[WORDS];
    unsigned used;
    uint32_t players, last, inverse; /* words above `last` are discarded; 2^32 / players */
};

static void luck_open(struct luck *luck, struct chance_stream *stream, size_t players)
{
    luck->stream = stream;
    luck->used = WORDS;
    luck->players = (uint32_t)players;
    luck->inverse = (uint32_t)((UINT64_C(1) << 32) / players);
    luck->last = luck->inverse * (uint32_t)players - 1;
}

/* Returns the surplus words. */
static void luck_close(struct luck *luck)
{
    luck->stream->next -= WORDS - luck->used;
}

/* Reads up to the end of a block of the stream: chance_words() is fast for whole blocks. */
static inline uint32_t next_word(struct luck *luck)
{
    if (luck->used == WORDS) {
        luck->used = luck->stream->next % WORDS_OF_BLOCK;
        chance_words(luck->stream, luck->word + luck->used, WORDS - luck->used);
    }
    return luck->word[luck->used++];
}

/* The word modulo the number of players. */
static inline uint32_t pairing_below(const struct luck *luck, uint32_t word)
{
    uint32_t rest = word - (uint32_t)((uint64_t)word * luck->inverse >> 32) * luck->players;
    return rest >= luck->players ? rest - luck->players : rest;
}

/* chance_uniform() with n = the number of players. */
static inline uint16_t pairing_slot(struct luck *luck)
{
    uint32_t word = next_word(luck);
    while (word > luck->last)
        word = next_word(luck);
    return (uint16_t)pairing_below(luck, word);
}

/* Another slot: of a player close to the one in `slot` in the order of score (each of NEAR slots
 * equally likely), or any. Both are computed, because the branch cannot be predicted. */
static inline uint16_t pairing_other(const struct pod_layout *plan, struct luck *luck,
                                     uint16_t slot, bool near)
{
    uint32_t word = next_word(luck);
    while (word > luck->last && !near)
        word = next_word(luck);
    uint32_t player = plan->player[slot] + 1U + word % NEAR;
    player -= player < luck->players ? 0 : luck->players;
    uint32_t mask = 0U - near;
    return (uint16_t)((plan->slot[player] & mask) | (pairing_below(luck, word) & ~mask));
}

/* Inlined into the loop, once for each kind of turn: most of the search time is spent here. */
#define INLINE static inline __attribute__((always_inline))

/* The search of a level, with the earlier levels that a turn can change. */
struct sought {
    unsigned levels[POD_LEVELS_MAX], count, level;
    int64_t threshold;
};

/* Whether no turn changes the level. */
static bool is_fixed(const struct pod_layout *plan, unsigned level)
{
    bool fixed = true;
    if (plan->criterion[level] == POD_P1_FORBIDDEN)
        return plan->problem->kept_apart == NULL;
    if (plan->criterion[level] != POD_P4_SHORT)
        return false;
    for (size_t table = 0; table < plan->table_count; table++)
        fixed = fixed && pod_layout_size(plan, table) == plan->problem->request->rule.preferred;
    return fixed;
}

static void seek(struct sought *sought, const struct pod_layout *plan, unsigned level)
{
    *sought = (struct sought){.level = level};
    for (unsigned before = 0; before < level; before++)
        if (!is_fixed(plan, before))
            sought->levels[sought->count++] = before;
}

static __attribute__((noinline)) int64_t change_of_slots(const struct pod_layout *plan,
                                                         const uint16_t *slots, unsigned count,
                                                         unsigned level)
{
    struct pod_turn turn = pod_layout_turn(plan, slots, count);
    return pod_layout_change(plan, &turn, level);
}

/* Written out so that the values needed for most turns stay in registers. */
INLINE int64_t change_of(const struct pod_layout *plan, const uint16_t *slots, unsigned count,
                         unsigned level)
{
    size_t a = plan->player[slots[0]], b = plan->player[slots[1]], at = plan->table[slots[0]],
           to = plan->table[slots[1]];
    size_t c = count == 3 ? plan->player[slots[2]] : b;
    size_t third = count == 3 ? plan->table[slots[2]] : to;
    switch (plan->criterion[level]) {
    case POD_P3_REPEATS:
        return pod_layout_repeats_at(plan, at, c, a) + pod_layout_repeats_at(plan, to, a, b) +
               (count == 3 ? pod_layout_repeats_at(plan, third, b, c) : 0);
    case POD_P4_SHORT:
        return pod_layout_odd_at(plan, at, c, a) + pod_layout_odd_at(plan, to, a, b) +
               (count == 3 ? pod_layout_odd_at(plan, third, b, c) : 0);
    case POD_P5_SPREAD:
        return pod_layout_spread_at(plan, at, c, a) + pod_layout_spread_at(plan, to, a, b) +
               (count == 3 ? pod_layout_spread_at(plan, third, b, c) : 0);
    default:
        return change_of_slots(plan, slots, count, level);
    }
}

INLINE bool is_acceptable(const struct pod_layout *plan, const uint16_t *slots, unsigned count,
                          const struct sought *sought)
{
    for (unsigned i = 0; i < sought->count; i++) {
        int64_t change = change_of(plan, slots, count, sought->levels[i]);
        if (change != 0)
            return change < 0;
    }
    return change_of(plan, slots, count, sought->level) <= sought->threshold;
}

static __attribute__((noinline)) void make(struct pod_layout *plan, const uint16_t *slots,
                                           unsigned count, unsigned levels)
{
    struct pod_turn turn = pod_layout_turn(plan, slots, count);
    pod_layout_make(plan, &turn, levels);
}

INLINE void try_turn(struct pod_layout *plan, const uint16_t *slots, unsigned count,
                     const struct sought *sought)
{
    if (is_acceptable(plan, slots, count, sought))
        make(plan, slots, count, sought->level + 1);
}

/* Draws a swap (three times out of four) or a cycle, and makes it if acceptable. */
static inline void propose(struct pod_layout *plan, struct luck *luck, const struct sought *sought)
{
    uint32_t kind = next_word(luck) % KINDS;
    bool near = kind % 2 == 0;
    uint16_t slot[POD_TURN_MAX];
    slot[0] = pairing_slot(luck);
    slot[1] = pairing_other(plan, luck, slot[0], near);
    bool apart = plan->table[slot[0]] != plan->table[slot[1]];
    if (kind < SWAPS) {
        if (apart)
            try_turn(plan, slot, 2, sought);
        return;
    }
    slot[2] = pairing_other(plan, luck, slot[1], near);
    if (apart && plan->table[slot[1]] != plan->table[slot[2]] &&
        plan->table[slot[0]] != plan->table[slot[2]])
        try_turn(plan, slot, 3, sought);
}

/* How much a level may rise at first: about two repeats, the cost of two tables, or four more
 * sittings in one seat. */
static int64_t first_threshold(const struct pod_layout *plan, unsigned level)
{
    switch (plan->criterion[level]) {
    case POD_P3_REPEATS:
        return 2;
    case POD_P7_SEATS:
        return SEATS_THRESHOLD;
    default:
        return 2 * plan->total.level[level] / (int64_t)plan->table_count;
    }
}

void pod_threshold_search(struct pod_layout *plan, struct chance_stream *stream, unsigned level,
                          uint32_t proposals)
{
    struct luck luck;
    struct sought sought;
    int64_t first = first_threshold(plan, level);
    uint32_t each = proposals / THRESHOLDS + 1;
    *plan->steps += proposals;
    seek(&sought, plan, level);
    luck_open(&luck, stream, plan->problem->count);
    for (unsigned step = 0; step < THRESHOLDS; step++) {
        sought.threshold = first * (THRESHOLDS - 1 - step) / (THRESHOLDS - 1);
        for (uint32_t i = 0; i < each && proposals > 0; i++, proposals--)
            propose(plan, &luck, &sought);
    }
    luck_close(&luck);
    pod_layout_cost(plan);
}
