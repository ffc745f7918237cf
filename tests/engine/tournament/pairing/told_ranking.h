/* Standings of events that are told, for their tests: written in short and compared. */
#ifndef TILLROLL_TESTS_ENGINE_TOURNAMENT_PAIRING_TOLD_RANKING_H
#define TILLROLL_TESTS_ENGINE_TOURNAMENT_PAIRING_TOLD_RANKING_H

#include <string.h>

#include "engine/tournament/pairing/ranking.h"
#include "tests/engine/support/told_event.h"
#include "tests/test.h"

enum { PLAYERS_MAX = 64, TEXT_MAX = 1024, NOW = TOURNAMENT_ROUNDS_MAX };

static const struct chance test_chance = {.seed = {1, 2, 3}};
static struct tournament event;

static inline int empty(void **state)
{
    (void)state;
    tournament_init(&event);
    return 0;
}

static inline int clear(void **state)
{
    (void)state;
    tournament_free(&event);
    return 0;
}

static inline struct ranking make(unsigned rounds)
{
    struct ranking ranking;
    struct refusal refusal = {"", ""};
    if (!ranking_make(&event, &test_chance, rounds, &ranking, &refusal))
        fail_msg("%s: %s", refusal.code, refusal.message);
    return ranking;
}

static inline unsigned number_of(uint16_t entry)
{
    return event.entrants[entry].number;
}

/* `3:1 1:2= 2:2= 4:-`: numbers with their places in order, `=` for shared ones, `-` for none. */
static inline void write_place(struct text *text, uint16_t entry, unsigned place, unsigned shared)
{
    if (text->length > 0)
        text_add_char(text, ' ');
    text_add_number(text, number_of(entry));
    text_add_char(text, ':');
    if (place == 0)
        text_add_char(text, '-');
    else
        text_add_number(text, place);
    if (shared > 1)
        text_add_char(text, '=');
}

static inline void expect_group(const struct ranking *ranking, size_t group, const char *expected)
{
    char written[TEXT_MAX];
    struct text text = TEXT_OVER(written);
    assert_true(group < ranking->group_count);
    for (size_t i = 0; i < ranking->groups[group].count; i++) {
        const struct ranking_row *row = &ranking->groups[group].rows[i];
        write_place(&text, row->entry, row->place, row->shared);
    }
    assert_string_equal(written, expected);
}

static inline void write_places(const struct ranking *ranking, char written[static TEXT_MAX])
{
    struct text text = {written, 0, TEXT_MAX, false};
    written[0] = '\0';
    for (size_t i = 0; i < ranking->place_count; i++) {
        const struct ranking_place *place = &ranking->places[i];
        write_place(&text, place->entry, place->place, place->shared);
        assert_int_equal(ranking->of_entry[place->entry], i);
    }
}

static inline void expect_places(const struct ranking *ranking, const char *expected)
{
    char written[TEXT_MAX];
    write_places(ranking, written);
    assert_string_equal(written, expected);
}

static inline void expect_placed(unsigned rounds, const char *expected)
{
    struct ranking ranking = make(rounds);
    expect_places(&ranking, expected);
    ranking_free(&ranking);
}

static inline const struct ranking_row *row_of(const struct ranking_group *group, unsigned number)
{
    for (size_t i = 0; i < group->count; i++)
        if (number_of(group->rows[i].entry) == number)
            return &group->rows[i];
    fail_msg("number %u has no row", number);
    return NULL;
}

#define RANKING_TEST(test) cmocka_unit_test_setup_teardown(test, empty, clear)

#endif
