/* The Dutch system by brute force: of all legal pairings of a small field the best, compared
 * criterion by criterion and bracket by bracket as articles 2 to 4 of FIDE C.04.3 read. Of the
 * engine it uses dutch_judge() alone, for what one pair costs. */
#ifndef TILLROLL_TESTS_ENGINE_TOURNAMENT_FORMATS_DUTCH_DUTCH_REFERENCE_H
#define TILLROLL_TESTS_ENGINE_TOURNAMENT_FORMATS_DUTCH_DUTCH_REFERENCE_H

#include <stdlib.h>
#include <string.h>

#include "tests/engine/tournament/formats/dutch/dutch_event.h"

enum { REFERENCE_PLAYERS = 9, REFERENCE_KEY = 4096 };

/* Numbers to be compared from the first on; smaller is better. */
struct key {
    uint32_t at[REFERENCE_KEY];
    size_t length;
};

struct reference {
    const struct dutch_request *request;
    void *work;
    uint16_t order[REFERENCE_PLAYERS]; /* rank -> player */
    uint32_t score[REFERENCE_PLAYERS]; /* by rank, as the following */
    uint16_t count;
    int mate[REFERENCE_PLAYERS]; /* rank, -1 = bye */
    struct dutch_pair pairs[REFERENCE_PLAYERS];
    const struct dutch_pair *pair[REFERENCE_PLAYERS];
    bool found;
    struct key best;
    int best_mate[REFERENCE_PLAYERS];
};

static inline void key_add(struct key *key, uint32_t value)
{
    key->at[key->length++] = value;
}

static inline int compare_down(const void *a, const void *b)
{
    uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return first > second ? -1 : first < second;
}

/* A list whose largest number counts most; what is missing is better than anything. */
static inline void key_add_list(struct key *key, uint32_t *list, size_t length)
{
    qsort(list, length, sizeof *list, compare_down);
    for (size_t i = 0; i < REFERENCE_PLAYERS; i++)
        key_add(key, i < length ? list[i] + 1 : 0);
}

static inline bool leaves(const struct reference *reference, uint16_t rank, uint32_t bracket)
{
    int mate = reference->mate[rank];
    return mate < 0 || reference->score[mate] < bracket;
}

/* In the bracket of that score, and not paired before it. */
static inline bool is_member(const struct reference *reference, uint16_t rank, uint32_t bracket)
{
    int mate = reference->mate[rank];
    return reference->score[rank] >= bracket &&
           (mate < 0 || reference->score[rank] <= bracket || reference->score[mate] <= bracket);
}

/* C6 and C7. */
static inline void add_downfloaters(const struct reference *reference, uint32_t bracket,
                                    struct key *key)
{
    uint32_t scores[REFERENCE_PLAYERS] = {0}, count = 0;
    for (uint16_t rank = 0; rank < reference->count; rank++)
        if (is_member(reference, rank, bracket) && leaves(reference, rank, bracket))
            scores[count++] = reference->score[rank];
    key_add(key, count);
    key_add_list(key, scores, count);
}

/* C9: only for who has the bye and is the only one to leave the bracket. */
static inline uint32_t unplayed_of_bye(const struct reference *reference, uint32_t bracket)
{
    unsigned leaving = 0;
    uint32_t unplayed = 0;
    for (uint16_t rank = 0; rank < reference->count; rank++) {
        if (!is_member(reference, rank, bracket) || !leaves(reference, rank, bracket))
            continue;
        leaving++;
        if (reference->mate[rank] < 0)
            unplayed = reference->pair[rank]->cost[DUTCH_C9] + 1;
    }
    return leaving == 1 ? unplayed : 0;
}

/* A criterion of pairs (C10 - C13, C15, C17), and one of residents who leave (C14, C16). */
static inline void add_counts(const struct reference *reference, uint32_t bracket, struct key *key)
{
    for (unsigned criterion = DUTCH_C10; criterion <= DUTCH_C17; criterion++) {
        bool of_leaving = criterion == DUTCH_C14 || criterion == DUTCH_C16;
        uint32_t sum = 0;
        for (uint16_t rank = 0; rank < reference->count; rank++) {
            bool leaving = leaves(reference, rank, bracket);
            bool lower = reference->mate[rank] >= 0 && reference->mate[rank] < (int)rank;
            if (!is_member(reference, rank, bracket) || leaving != of_leaving ||
                (of_leaving && reference->score[rank] != bracket) || (!of_leaving && !lower))
                continue;
            sum += reference->pair[rank]->cost[criterion];
        }
        key_add(key, sum);
    }
}

static inline bool floated_down(const struct reference *reference, uint16_t rank, unsigned back)
{
    const struct dutch_pair *pair = reference->pair[rank];
    return pair->cost[back == 1 ? DUTCH_C14 : DUTCH_C16] != 0;
}

/* C18 and C20 by the scores of moved-down players who leave again, C19 and C21 by those of the
 * opponents of upfloaters: in one bracket the differences stand in the same order. */
static inline void add_differences(const struct reference *reference, uint32_t bracket,
                                   struct key *key)
{
    for (unsigned back = 1; back <= 2; back++) {
        uint32_t down[REFERENCE_PLAYERS] = {0}, up[REFERENCE_PLAYERS] = {0};
        size_t downs = 0, ups = 0;
        for (uint16_t rank = 0; rank < reference->count; rank++) {
            if (!is_member(reference, rank, bracket))
                continue;
            int mate = reference->mate[rank];
            if (leaves(reference, rank, bracket)) {
                if (reference->score[rank] > bracket && floated_down(reference, rank, back))
                    down[downs++] = reference->score[rank];
            } else if (mate > (int)rank &&
                       reference->pair[rank]->cost[back == 1 ? DUTCH_C15 : DUTCH_C17] != 0) {
                up[ups++] = reference->score[rank];
            }
        }
        key_add_list(key, down, downs);
        key_add_list(key, up, ups);
    }
}

/* Articles 3 and 4: moved-down players, then exchanges and transpositions of the remainder. */
static inline void add_order(const struct reference *reference, uint32_t bracket, struct key *key)
{
    uint16_t remainder[REFERENCE_PLAYERS] = {0}, count = 0, pairs = 0;
    uint32_t exchanges = 0, sum = 0;
    for (uint16_t rank = 0; rank < reference->count; rank++)
        key_add(key, is_member(reference, rank, bracket) && reference->score[rank] > bracket &&
                         leaves(reference, rank, bracket));
    for (uint16_t rank = 0; rank < reference->count; rank++) {
        bool moved = is_member(reference, rank, bracket) && reference->score[rank] > bracket;
        key_add(key,
                moved && !leaves(reference, rank, bracket) ? (uint32_t)reference->mate[rank] : 0);
    }
    for (uint16_t rank = 0; rank < reference->count; rank++) {
        int mate = reference->mate[rank];
        if (reference->score[rank] != bracket || !is_member(reference, rank, bracket) ||
            (mate >= 0 && reference->score[mate] > bracket))
            continue;
        remainder[count++] = rank;
        pairs = (uint16_t)(pairs + (mate > (int)rank && reference->score[mate] == bracket));
    }
    bool lead[REFERENCE_PLAYERS];
    for (uint16_t i = 0; i < count; i++) {
        int mate = reference->mate[remainder[i]];
        lead[i] = mate > (int)remainder[i] && reference->score[mate] == bracket;
        exchanges += lead[i] && i >= pairs;
        sum += lead[i] ? i : 0;
    }
    key_add(key, exchanges);
    key_add(key, sum);
    for (uint16_t i = pairs; i-- > 0;)
        key_add(key, lead[i]);
    for (uint16_t i = pairs; i < count; i++)
        key_add(key, !lead[i]);
    for (uint16_t i = 0; i < count; i++)
        if (lead[i])
            key_add(key, (uint32_t)reference->mate[remainder[i]]);
}

static inline void reference_key(const struct reference *reference, struct key *key)
{
    key->length = 0;
    uint32_t bye_score = 0;
    for (uint16_t rank = 0; rank < reference->count; rank++)
        if (reference->mate[rank] < 0)
            bye_score = reference->score[rank];
    key_add(key, bye_score);
    for (uint16_t rank = 0; rank < reference->count; rank++) {
        uint32_t bracket = reference->score[rank], next = bracket;
        if (rank > 0 && reference->score[rank - 1] == bracket)
            continue;
        for (uint16_t other = rank; other < reference->count && next == bracket; other++)
            next = reference->score[other];
        add_downfloaters(reference, bracket, key);
        if (next != bracket)
            add_downfloaters(reference, next, key);
        key_add(key, unplayed_of_bye(reference, bracket));
        add_counts(reference, bracket, key);
        add_differences(reference, bracket, key);
        add_order(reference, bracket, key);
    }
}

static inline int compare_keys(const struct key *a, const struct key *b)
{
    for (size_t i = 0; i < a->length && i < b->length; i++)
        if (a->at[i] != b->at[i])
            return a->at[i] < b->at[i] ? -1 : 1;
    return 0;
}

/* A complete pairing: judged, and kept if it is the best so far. */
static inline void reference_try(struct reference *reference)
{
    struct dutch_pair *pairs = reference->pairs;
    struct refusal refusal;
    struct key key;
    size_t count = 0;
    for (uint16_t rank = 0; rank < reference->count; rank++) {
        int mate = reference->mate[rank];
        if (mate >= 0 && mate < (int)rank)
            continue;
        reference->pair[rank] = &pairs[count];
        if (mate >= 0)
            reference->pair[mate] = &pairs[count];
        pairs[count++] = (struct dutch_pair){.white = reference->order[rank],
                                             .black = mate < 0 ? (uint16_t)DUTCH_NOBODY
                                                               : reference->order[mate]};
    }
    if (!dutch_judge(reference->request, reference->work, pairs, count, &refusal))
        abort();
    for (size_t i = 0; i < count; i++)
        if (pairs[i].cost[DUTCH_C1] + pairs[i].cost[DUTCH_C2] + pairs[i].cost[DUTCH_C3] > 0)
            return;
    reference_key(reference, &key);
    if (reference->found && compare_keys(&key, &reference->best) >= 0)
        return;
    reference->found = true;
    reference->best = key;
    memcpy(reference->best_mate, reference->mate, sizeof reference->mate);
}

static inline void reference_enumerate(struct reference *reference, unsigned used, bool bye)
{
    uint16_t first = 0;
    while (first < reference->count && (used >> first & 1) != 0)
        first++;
    if (first == reference->count) {
        reference_try(reference);
        return;
    }
    for (uint16_t other = (uint16_t)(first + 1); other < reference->count; other++) {
        if ((used >> other & 1) != 0)
            continue;
        reference->mate[first] = other;
        reference->mate[other] = first;
        reference_enumerate(reference, used | 1U << first | 1U << other, bye);
    }
    if (bye) {
        reference->mate[first] = -1;
        reference_enumerate(reference, used | 1U << first, false);
    }
}

/* Finds the best pairing of at most REFERENCE_PLAYERS present players; `found` false: none is
 * legal. */
static inline void reference_pair(struct reference *reference, const struct dutch_request *request,
                                  void *work)
{
    *reference = (struct reference){.request = request, .work = work};
    for (uint16_t player = 0; player < request->player_count; player++) {
        uint32_t score = 0;
        if (!request->players[player].present)
            continue;
        for (uint16_t round = 0; round < request->rounds_played; round++)
            score += request->results[player * request->rounds_played + round].points;
        uint16_t rank = reference->count++;
        for (; rank > 0 && reference->score[rank - 1] < score; rank--) {
            reference->order[rank] = reference->order[rank - 1];
            reference->score[rank] = reference->score[rank - 1];
        }
        reference->order[rank] = player;
        reference->score[rank] = score;
    }
    reference_enumerate(reference, 0, reference->count % 2 == 1);
}

#endif
