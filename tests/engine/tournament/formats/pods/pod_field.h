/* A field of players with everything that a request can hold, for the tests of the pairing. */
#ifndef TILLROLL_TESTS_ENGINE_TOURNAMENT_FORMATS_PODS_POD_FIELD_H
#define TILLROLL_TESTS_ENGINE_TOURNAMENT_FORMATS_PODS_POD_FIELD_H

#include <string.h>

#include "engine/tournament/formats/pods/pod_cost.h"
#include "engine/tournament/formats/pods/pod_swiss.h"
#include "tests/test.h"

enum { COUNT_MAX = 200, PAIRS_MAX = 16, SEATS = TOURNAMENT_SEATS_MAX };

static const struct chance test_chance = {.seed = {7, 11, 13}};

/* Numbers that look random and are the same everywhere. */
static inline uint32_t roll(uint32_t *luck, uint32_t sides)
{
    *luck = *luck * 1664525U + 1013904223U;
    return (*luck >> 8) % sides;
}

/* A request with everything in it. */
struct field {
    struct pod_player players[COUNT_MAX];
    uint8_t met[COUNT_MAX * COUNT_MAX];
    uint8_t before[COUNT_MAX * COUNT_MAX];
    struct pod_pair pairs[PAIRS_MAX];
    struct pod_request request;
};

static inline void fill_player(struct pod_player *player, size_t i, uint32_t *luck)
{
    *player =
        (struct pod_player){.tpn = (uint16_t)(3 * i + 1),
                            .place = (uint16_t)(1 + roll(luck, 5)),
                            .score = (int32_t)(60 * roll(luck, 6)),
                            .short_sittings = (uint16_t)roll(luck, 3),
                            .floats = {(int8_t)(roll(luck, 3) - 1), (int8_t)(roll(luck, 3) - 1)}};
    for (unsigned seat = 0; seat < SEATS; seat++)
        player->seat_count[seat] = (uint16_t)roll(luck, 3);
}

static inline void fill_history(struct field *field, size_t count, uint32_t *luck)
{
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b < a; b++) {
            uint8_t met = (uint8_t)(roll(luck, 3) == 0 ? 1 + roll(luck, 2) : 0);
            field->met[a * count + b] = field->met[b * count + a] = met;
            field->before[a * count + b] = met > 0 ? (uint8_t)roll(luck, 2) : 0;
            field->before[b * count + a] = met > 0 ? (uint8_t)roll(luck, 2) : 0;
        }
    }
}

static inline void fill_pairs(struct field *field, size_t count, uint32_t *luck)
{
    field->request.pair_count = roll(luck, 5);
    for (size_t i = 0; i < field->request.pair_count; i++) {
        uint16_t a = (uint16_t)roll(luck, (uint32_t)count);
        uint16_t b = (uint16_t)((a + 1 + roll(luck, (uint32_t)count - 1)) % count);
        field->pairs[i] =
            (struct pod_pair){a, b, (uint16_t)(i == 0 ? POD_FORBIDDEN : 1 + roll(luck, 9))};
    }
}

static inline void fill(struct field *field, size_t count, uint32_t seed)
{
    uint32_t luck = seed * 2654435761U + 99;
    memset(field, 0, sizeof *field);
    for (size_t i = 0; i < count; i++)
        fill_player(&field->players[i], i, &luck);
    fill_history(field, count, &luck);
    fill_pairs(field, count, &luck);
    field->request.players = field->players;
    field->request.player_count = count;
    field->request.met = field->met;
    field->request.before = field->before;
    field->request.pairs = field->pairs;
    field->request.rule = table_rule_range(3, 4, 4);
    field->request.profile = (enum pod_profile)(seed % 3);
    field->request.round = 3;
    field->request.attempt = 1;
    field->request.chance = &test_chance;
}

/* A first round: nothing has happened yet. */
static inline void fill_new(struct field *field, size_t count)
{
    fill(field, count, 0);
    for (size_t i = 0; i < count; i++)
        field->players[i] = (struct pod_player){.tpn = (uint16_t)(i + 1), .place = 1};
    field->request.met = NULL;
    field->request.before = NULL;
    field->request.pair_count = 0;
}

static inline struct pod_pairing pair_field(const struct field *field)
{
    struct pod_pairing pairing;
    struct refusal refusal;
    if (!pod_swiss_pair(&field->request, &pairing, &refusal))
        fail_msg("refused: %s", refusal.code);
    return pairing;
}

/* Everybody has exactly one seat or bye, and every table an allowed size. */
static inline void assert_complete(const struct field *field, const struct pod_pairing *pairing)
{
    unsigned seen[COUNT_MAX] = {0};
    for (size_t t = 0; t < pairing->table_count; t++) {
        const struct pod_table *table = &pairing->tables[t];
        assert_true(field->request.rule.allowed >> table->seats & 1);
        for (unsigned seat = 0; seat < table->seats; seat++)
            seen[table->player[seat]]++;
    }
    for (size_t i = 0; i < pairing->bye_count; i++)
        seen[pairing->byes[i]]++;
    for (size_t i = 0; i < field->request.player_count; i++)
        assert_int_equal(seen[i], 1);
}

#endif
