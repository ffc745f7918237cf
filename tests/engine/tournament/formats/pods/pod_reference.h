/* The criteria of Tillroll Pod Swiss written a second time, from their definitions and without
 * regard to speed: what the tests hold the pairing against. */
#ifndef TILLROLL_TESTS_ENGINE_TOURNAMENT_FORMATS_PODS_POD_REFERENCE_H
#define TILLROLL_TESTS_ENGINE_TOURNAMENT_FORMATS_PODS_POD_REFERENCE_H

#include <assert.h>
#include <stdlib.h>

#include "engine/tournament/formats/pods/pod_swiss.h"

struct vector {
    int64_t value[POD_CRITERIA];
};

/* The two words that P9 takes from the stream of round 3, attempt 1 (the tests' rounds). */
static inline uint64_t reference_draw_key(const struct chance *chance)
{
    struct chance_stream stream;
    chance_open(&stream, chance, "pair/3/1", 0);
    uint64_t key = chance_word(&stream);
    return key + (uint64_t)chance_word(&stream) * (UINT64_C(1) << 32);
}

static inline int64_t reference_draw(uint64_t hash, const struct pod_request *request,
                                     const uint16_t *table, unsigned size)
{
    unsigned below = 0;
    for (unsigned n = 0; n < size; n++) {
        unsigned next = UINT16_MAX + 1;
        for (unsigned i = 0; i < size; i++) {
            unsigned tpn = request->players[table[i]].tpn;
            next = tpn > below && tpn < next ? tpn : next;
        }
        below = next;
        hash ^= next;
        hash = (hash ^ (hash >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        hash = (hash ^ (hash >> 27)) * UINT64_C(0x94d049bb133111eb);
        hash ^= hash >> 31;
    }
    return (int64_t)(hash / (UINT64_C(1) << 32));
}

static inline int64_t reference_pairs(const struct pod_request *request, uint16_t a, uint16_t b,
                                      bool forbidden)
{
    int64_t heaviest = 0;
    for (size_t i = 0; i < request->pair_count; i++) {
        const struct pod_pair *pair = &request->pairs[i];
        bool same = (pair->a == a && pair->b == b) || (pair->a == b && pair->b == a);
        if (same && pair->weight > heaviest)
            heaviest = pair->weight;
    }
    if (heaviest == POD_FORBIDDEN)
        return forbidden;
    return forbidden ? 0 : heaviest;
}

/* The cheapest order, by trying seats for one player after another. */
static inline int64_t reference_seats(const struct pod_request *request, const uint16_t *table,
                                      unsigned size, uint16_t *order, unsigned seated)
{
    int64_t least = INT64_MAX;
    if (seated == size) {
        int64_t cost = 0;
        for (unsigned seat = 0; seat < size; seat++) {
            int64_t count = request->players[order[seat]].seat_count[seat];
            size_t pair = order[seat] * request->player_count + order[(seat + 1) % size];
            int64_t before = request->before == NULL ? 0 : request->before[pair];
            cost += 16 * ((count + 1) * (count + 1) - count * count);
            cost += (before + 1) * (before + 1) - before * before;
        }
        return cost;
    }
    for (unsigned i = 0; i < size; i++) {
        bool taken = false;
        for (unsigned seat = 0; seat < seated; seat++)
            taken = taken || order[seat] == table[i];
        if (taken)
            continue;
        order[seated] = table[i];
        int64_t cost = reference_seats(request, table, size, order, seated + 1);
        least = cost < least ? cost : least;
    }
    return least;
}

static inline struct vector reference_table(const struct pod_request *request, uint64_t pairing_key,
                                            const uint16_t *table, unsigned size)
{
    struct vector vector = {{0}};
    uint16_t order[TOURNAMENT_SEATS_MAX];
    int64_t sum = 0;
    assert(size >= 2);
    for (unsigned i = 0; i < size; i++)
        sum += request->players[table[i]].score;
    for (unsigned i = 0; i < size; i++) {
        const struct pod_player *player = &request->players[table[i]];
        int64_t s = player->short_sittings;
        int64_t distance = size * (int64_t)player->score - sum; /* size times too long */
        int now = (distance > 0) - (distance < 0);
        for (unsigned j = 0; j < i; j++) {
            vector.value[POD_P1_FORBIDDEN] += reference_pairs(request, table[i], table[j], true);
            vector.value[POD_P8_AVOID] += reference_pairs(request, table[i], table[j], false);
            if (request->met != NULL)
                vector.value[POD_P3_REPEATS] +=
                    request->met[table[i] * request->player_count + table[j]];
        }
        if (size != request->rule.preferred)
            vector.value[POD_P4_SHORT] += (s + 1) * (s + 1) - s * s;
        vector.value[POD_P5_SPREAD] += 60 * distance * distance;
        if (now != 0 && player->floats[0] == now)
            vector.value[POD_P6_FLOATS] += 2;
        if (now != 0 && player->floats[1] == now)
            vector.value[POD_P6_FLOATS] += 1;
    }
    vector.value[POD_P5_SPREAD] /= (int64_t)size * size;
    vector.value[POD_P7_SEATS] = reference_seats(request, table, size, order, 0);
    vector.value[POD_P9_DRAW] = reference_draw(pairing_key, request, table, size);
    return vector;
}

static inline void reference_add(struct vector *sum, const struct vector *vector)
{
    for (unsigned i = 0; i < POD_CRITERIA; i++)
        sum->value[i] += vector->value[i];
}

/* The orders of the profiles, spelled out. Without P9 if `searched`. */
static inline int reference_compare(const struct pod_request *request, const struct vector *a,
                                    const struct vector *b, bool searched)
{
    static const int orders[3][9] = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8}, {0, 1, 9, 3, 9, 5, 6, 7, 8}, {0, 1, 4, 2, 3, 5, 6, 7, 8}};
    int64_t price = request->repeat_price == 0 ? 60 : request->repeat_price;
    for (unsigned i = 0; i < 9; i++) {
        int criterion = orders[request->profile][i];
        int64_t x = 0, y = 0;
        if (criterion == 8 && searched)
            break;
        if (criterion == 9) {
            x = a->value[4] + price * 216000 * a->value[2];
            y = b->value[4] + price * 216000 * b->value[2];
        } else {
            x = a->value[criterion];
            y = b->value[criterion];
        }
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

#endif
