/* Events of the pairing's tests: round after round with made-up results. */
#ifndef TILLROLL_TESTS_ENGINE_TOURNAMENT_FORMATS_PODS_POD_EVENT_H
#define TILLROLL_TESTS_ENGINE_TOURNAMENT_FORMATS_PODS_POD_EVENT_H

#include "engine/tournament/formats/pods/pod_history.h"
#include "tests/engine/tournament/formats/pods/pod_field.h"
#include "tests/test.h"

enum { ROUNDS_MAX = 16 };

/* Plays an event with made-up results; the history is what the results say. */
struct event {
    struct field field;
    struct entry entries[COUNT_MAX];
    uint16_t present[COUNT_MAX];
    struct table_result results[COUNT_MAX * ROUNDS_MAX];
    size_t result_count;
    uint16_t groups[ROUNDS_MAX];
    int32_t work[COUNT_MAX];
    uint32_t luck;
    uint16_t planned; /* rounds; 0: nobody looks ahead */
};

static inline void event_count(struct event *event, uint16_t rounds)
{
    struct pod_history history = {.entries = event->entries,
                                  .entry_count = event->field.request.player_count,
                                  .results = event->results,
                                  .result_count = event->result_count,
                                  .scoring = &scoring_default,
                                  .present = event->present,
                                  .present_count = event->field.request.player_count,
                                  .rounds = rounds,
                                  .preferred = event->field.request.rule.preferred};
    pod_history_count(&history, event->field.players, event->field.met, event->field.before,
                      event->groups, event->work);
    event->field.request.round = (uint16_t)(rounds + 1);
    event->field.request.later_rounds =
        event->planned > rounds + 1 ? (uint16_t)(event->planned - rounds - 1) : 0;
    event->field.request.earlier_groups = event->groups;
    event->field.request.earlier_rounds = rounds;
}

static inline void event_start(struct event *event, size_t count)
{
    memset(event, 0, sizeof *event);
    fill_new(&event->field, count);
    event->field.request.met = event->field.met;
    event->field.request.before = event->field.before;
    for (size_t i = 0; i < count; i++) {
        event->entries[i].tpn = (uint16_t)(i + 1);
        event->present[i] = (uint16_t)i;
    }
    event_count(event, 0);
}

static inline void event_play(struct event *event, const struct pod_pairing *pairing)
{
    for (size_t t = 0; t < pairing->table_count; t++) {
        struct table_result *result = &event->results[event->result_count++];
        *result = (struct table_result){.round = event->field.request.round,
                                        .table = (uint16_t)(t + 1),
                                        .seats = pairing->tables[t].seats};
        uint32_t first = roll(&event->luck, result->seats);
        for (unsigned seat = 0; seat < result->seats; seat++)
            result->seat[seat] =
                (struct seat_result){.entry = pairing->tables[t].player[seat],
                                     .rank = (uint8_t)(1 + (seat + first) % result->seats)};
    }
    for (size_t i = 0; i < pairing->bye_count; i++)
        event->results[event->result_count++] =
            (struct table_result){.round = event->field.request.round,
                                  .seats = 1,
                                  .seat = {{pairing->byes[i], ROUND_PAIRING_BYE, 0, 0}}};
}

static inline struct pod_criteria event_round(struct event *event)
{
    struct pod_pairing pairing = pair_field(&event->field);
    assert_complete(&event->field, &pairing);
    assert_true(pairing.repeats_bound <= pairing.criteria.value[POD_P3_REPEATS]);
    event_play(event, &pairing);
    event_count(event, event->field.request.round);
    struct pod_criteria criteria = pairing.criteria;
    pod_pairing_free(&pairing);
    return criteria;
}

#endif
