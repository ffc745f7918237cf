/* One event made of lines in short, by the service itself, a second each. */
#ifndef TILLROLL_TESTS_ENGINE_TOURNAMENT_EVENT_EVENT_LINES_H
#define TILLROLL_TESTS_ENGINE_TOURNAMENT_EVENT_EVENT_LINES_H

#include <stdlib.h>
#include <string.h>

#include "tests/engine/tournament/event/short_lines.h"
#include "tests/test.h"

static inline bool apply(const char *kind, json_t *detail, struct refusal *refusal)
{
    return apply_as("", 1000 * (event.lines + 1), kind, detail, refusal);
}

static inline void take(const char *kind, const char *detail)
{
    struct refusal refusal = {"", ""};
    if (!apply(kind, detail_of(detail), &refusal))
        fail_msg("%s %s: %s: %s", kind, detail, refusal.code, refusal.message);
}

/* Arrays of plain numbers and texts are the same if their bytes are. */
static inline void expect_same(const struct tournament *was)
{
    assert_int_equal(event.phase, was->phase);
    assert_int_equal(event.lines, was->lines);
    assert_int_equal(event.entrant_count, was->entrant_count);
    assert_int_equal(event.numbered, was->numbered);
    assert_int_equal(event.stages, was->stages);
    assert_int_equal(event.round_count, was->round_count);
    assert_int_equal(event.rounds_started, was->rounds_started);
    assert_int_equal(event.attempts, was->attempts);
    assert_int_equal(event.table_count, was->table_count);
    assert_int_equal(event.bye_count, was->bye_count);
    assert_int_equal(event.pair_count, was->pair_count);
    assert_int_equal(event.challenge_count, was->challenge_count);
    assert_int_equal(event.queue_count, was->queue_count);
    assert_int_equal(event.role_count, was->role_count);
    assert_int_equal(event.open_undecided, was->open_undecided);
    if (event.entrant_count > 0)
        assert_memory_equal(event.entrants, was->entrants,
                            event.entrant_count * sizeof *event.entrants);
    if (event.round_count > 0)
        assert_memory_equal(event.rounds, was->rounds, event.round_count * sizeof *event.rounds);
    if (event.table_count > 0)
        assert_memory_equal(event.tables, was->tables, event.table_count * sizeof *event.tables);
    if (event.bye_count > 0)
        assert_memory_equal(event.byes, was->byes, event.bye_count * sizeof *event.byes);
    if (event.challenge_count > 0)
        assert_memory_equal(event.challenges, was->challenges,
                            event.challenge_count * sizeof *event.challenges);
    if (event.queue_count > 0)
        assert_memory_equal(event.queue, was->queue, event.queue_count * sizeof *event.queue);
}

static inline void refused(const char *kind, const char *detail, const char *code)
{
    struct refusal refusal = {"", ""};
    struct tournament *was = tournament_copy(&event);
    assert_non_null(was);
    assert_false(apply(kind, detail_of(detail), &refusal));
    assert_string_equal(refusal.code, code);
    expect_same(was);
    tournament_free(was);
    free(was);
}

static inline int empty(void **state)
{
    (void)state;
    tournament_init(&event);
    return 0;
}

/* Settings as an organizer writes them. */
static inline void create(const char *settings)
{
    struct refusal refusal;
    assert_true(apply("created", settings_of(settings), &refusal));
}

static inline void create_swiss(void)
{
    create("{'name':'Cup','ruleset':'shinjuku','format':'pod_swiss','rounds':3,'seats_min':2,"
           "'seats_max':4,'seats_preferred':4,'late_entries':1}");
}

/* a, b, c, d with numbers 1 .. 4. */
static inline void number_four(void)
{
    take("entries_opened", "{}");
    take("entered", "{'player':<a>,'rating':1500}");
    take("entered", "{'player':<b>,'rating':null}");
    take("entered", "{'player':<c>}");
    take("entered", "{'player':<d>}");
    take("entries_closed", "{'numbers':[<d>,<c>,<b>,<a>]}");
}

static inline void begin_round(void)
{
    create_swiss();
    number_four();
    take("stage_started", "{'stage':1,'entries':[1,2,3,4]}");
    take("round_drawn", "{'round':1,'stage':1,'attempt':1,'tables':[[4,1],[3,2]],'byes':[],"
                        "'quality':{}}");
    take("round_started", "{'round':1,'deadline':null}");
}

static inline const struct entrant *entrant(char player)
{
    uint16_t entry = tournament_entry(&event, span_of(id_of(player)));
    assert_int_not_equal(entry, TOURNAMENT_NOBODY);
    return &event.entrants[entry];
}

static inline uint16_t number(unsigned tpn)
{
    return tournament_entry_numbered(&event, (uint16_t)tpn);
}

#define EVENT_TEST(function) cmocka_unit_test_setup_teardown(function, empty, clear)

#endif
