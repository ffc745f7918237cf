/* Rounds of few players in the order of their keys, up to the first one after which others without
 * repeats can follow.
 *
 * The solutions of all sets are known, and with them the least key of every round that begins with
 * some tables. So the first item of a heap of beginnings leads to the best round not yet
 * examined (Lawler, A procedure for computing the K best solutions to discrete optimization
 * problems, 1972). Three things shorten the search:
 *
 *      nobody has met      all rounds are alike, and have the P2 of the best one
 *      from before         if no later + 1 rounds can follow the rounds played so far, no round
 *                          will do; if they can, each of them will, and the best one is a bound
 *      work                ends after POD_LOOK_STEPS tables tried, or when the heap is full
 */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/formats/pods/pod_completion.h"
#include "engine/tournament/formats/pods/pod_exhaustive.h"

enum { LEVEL_FORBIDDEN, LEVEL_REPEATS /* of the profile `strict` */ };

/* The first tables of some rounds. */
struct beginning {
    struct pod_key least; /* least key of the rounds that begin with them */
    pod_completion_round table;
    uint32_t standing; /* players without a seat */
    uint8_t tables;
};

struct looking {
    struct pod_exhaustive *search;
    const struct table_sizes *sizes;
    struct pod_acquaintance met;
    unsigned later;
    struct beginning *heap; /* least key first */
    size_t count;
    bool found, full;
    pod_completion_round best;
    struct pod_key best_key;
};

static int compare(const struct looking *looking, const struct pod_key *a, const struct pod_key *b)
{
    return pod_key_compare(a, b, looking->search->problem->levels);
}

static void push(struct looking *looking, const struct beginning *beginning)
{
    size_t at = looking->count;
    if (at == POD_LOOK_BEGINNINGS) {
        looking->full = true;
        return;
    }
    looking->count++;
    while (at > 0 && compare(looking, &beginning->least, &looking->heap[(at - 1) / 2].least) < 0) {
        looking->heap[at] = looking->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    looking->heap[at] = *beginning;
}

static struct beginning pop(struct looking *looking)
{
    struct beginning first = looking->heap[0];
    const struct beginning *last = &looking->heap[--looking->count];
    size_t at = 0;
    for (size_t child = 1; child < looking->count; child = 2 * at + 1) {
        if (child + 1 < looking->count &&
            compare(looking, &looking->heap[child + 1].least, &looking->heap[child].least) < 0)
            child++;
        if (compare(looking, &last->least, &looking->heap[child].least) <= 0)
            break;
        looking->heap[at] = looking->heap[child];
        at = child;
    }
    looking->heap[at] = *last;
    return first;
}

static struct pod_key key_of(const struct looking *looking, const uint16_t *table, size_t tables)
{
    struct pod_key key = {{0}};
    for (size_t t = 0; t < tables; t++)
        pod_key_add(&key, pod_exhaustive_key(looking->search, table[t]),
                    looking->search->problem->levels);
    return key;
}

/* Adds one more table, if a round without repeats that beats the best can result. */
static void push_next(struct looking *looking, const struct beginning *from, uint32_t company,
                      pod_tables_left left)
{
    struct beginning next = *from;
    next.table[next.tables++] = (uint16_t)company;
    next.standing &= ~company;
    next.least = key_of(looking, next.table, next.tables);
    pod_key_add(&next.least,
                &pod_exhaustive_solve(looking->search, looking->sizes, next.standing, left)->key,
                looking->search->problem->levels);
    looking->search->steps++;
    if (next.least.level[LEVEL_FORBIDDEN] == 0 && next.least.level[LEVEL_REPEATS] == 0 &&
        !(looking->found && compare(looking, &next.least, &looking->best_key) >= 0))
        push(looking, &next);
}

/* Completes a table with `wanted` more players who have not met. */
static void push_companies(struct looking *looking, const struct beginning *from, uint32_t company,
                           uint32_t candidates, unsigned wanted, pod_tables_left left)
{
    if (wanted == 0) {
        push_next(looking, from, company, left);
        return;
    }
    while (candidates != 0) {
        uint32_t lowest = candidates & (0 - candidates);
        candidates &= ~lowest;
        push_companies(looking, from, company | lowest,
                       candidates & ~(uint32_t)looking->met.met[__builtin_ctz(lowest)], wanted - 1,
                       left);
    }
}

static void go_on(struct looking *looking, const struct beginning *from)
{
    pod_tables_left left;
    memcpy(left, looking->sizes->tables, sizeof left);
    for (unsigned t = 0; t < from->tables; t++)
        left[__builtin_popcount(from->table[t])]--;
    uint32_t first = from->standing & (0 - from->standing);
    uint32_t candidates =
        from->standing & ~first & ~(uint32_t)looking->met.met[__builtin_ctz(first)];
    for (unsigned size = TABLE_SIZE_MIN; size <= TOURNAMENT_SEATS_MAX; size++) {
        if (left[size] == 0)
            continue;
        left[size]--;
        push_companies(looking, from, first, candidates, size - 1, left);
        left[size]++;
    }
}

static bool can_be_followed(struct looking *looking, const uint16_t *round)
{
    struct pod_acquaintance met = looking->met;
    for (size_t t = 0; t < looking->sizes->table_count; t++)
        pod_acquaintance_add(&met, round[t]);
    return pod_completion_find(&met, looking->sizes, looking->later, &looking->search->steps,
                               NULL) != POD_COMPLETION_NONE;
}

static void keep(struct looking *looking, const uint16_t *round, const struct pod_key *key)
{
    looking->found = true;
    looking->best_key = *key;
    memcpy(looking->best, round, sizeof looking->best);
}

/* Searches from the state before the round. False if no round will do. */
static bool look_from_before(struct looking *looking)
{
    pod_completion_round rounds[POD_COMPLETION_ROUNDS];
    enum pod_completion completion = pod_completion_find(
        &looking->met, looking->sizes, looking->later + 1, &looking->search->steps, rounds);
    for (unsigned i = 0; completion == POD_COMPLETION_FOUND && i <= looking->later; i++) {
        struct pod_key key = key_of(looking, rounds[i], looking->sizes->table_count);
        if (key.level[LEVEL_FORBIDDEN] == 0 &&
            (!looking->found || compare(looking, &key, &looking->best_key) < 0))
            keep(looking, rounds[i], &key);
    }
    return completion != POD_COMPLETION_NONE;
}

/* False if the work limit was reached before the answer was known. */
static bool look_in_order(struct looking *looking)
{
    uint64_t end = looking->search->steps + POD_LOOK_STEPS;
    struct beginning nothing = {.standing = (1U << looking->search->problem->count) - 1};
    push(looking, &nothing);
    while (looking->count > 0 && !looking->full) {
        struct beginning first = pop(looking);
        if (looking->found && compare(looking, &first.least, &looking->best_key) >= 0)
            return true;
        if (looking->search->steps + POD_COMPLETION_STEPS > end)
            return false;
        if (first.standing != 0) {
            go_on(looking, &first);
        } else if (can_be_followed(looking, first.table)) {
            keep(looking, first.table, &first.least);
            return true;
        }
    }
    return !looking->full;
}

static bool has_anybody_met(const struct pod_acquaintance *met)
{
    uint16_t any = 0;
    for (size_t player = 0; player < met->count; player++)
        any |= met->met[player];
    return any != 0;
}

/* Whether a round other than the best one can be needed and found. */
static bool is_another_wanted(struct looking *looking, const uint16_t *round)
{
    struct pod_key key = key_of(looking, round, looking->sizes->table_count);
    return key.level[LEVEL_FORBIDDEN] == 0 && key.level[LEVEL_REPEATS] == 0 &&
           has_anybody_met(&looking->met) && !can_be_followed(looking, round) &&
           look_from_before(looking);
}

bool pod_exhaustive_look_ahead(struct pod_exhaustive *search, const struct table_sizes *sizes,
                               unsigned later, uint16_t *round, bool *proved)
{
    struct looking looking = {.search = search, .sizes = sizes, .later = later};
    pod_acquaintance_read(search->problem, &looking.met);
    *proved = true;
    if (!is_another_wanted(&looking, round))
        return true;
    looking.heap = calloc(POD_LOOK_BEGINNINGS, sizeof *looking.heap);
    if (looking.heap == NULL)
        return false;
    *proved = look_in_order(&looking);
    if (looking.found)
        memcpy(round, looking.best, sizes->table_count * sizeof *round);
    free(looking.heap);
    return true;
}
