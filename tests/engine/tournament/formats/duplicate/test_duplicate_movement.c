/* Movements: whole tables, nobody twice on a board, seats and opponents spread evenly. */
#include <sodium.h>
#include <string.h>

#include "engine/tournament/formats/duplicate/duplicate_movement.h"
#include "tests/test.h"

enum { PLAYERS_MAX = 40, BOARDS_MAX = 12 };

struct event {
    struct entry entries[PLAYERS_MAX];
    uint16_t present[PLAYERS_MAX];
    size_t players;
    struct duplicate_table tables[PLAYERS_MAX * BOARDS_MAX];
    size_t table_count;
    struct chance chance;
};

static void open_event(struct event *event, size_t players, uint8_t seed)
{
    *event = (struct event){.players = players, .chance = {.seed = {seed}}};
    for (size_t i = 0; i < players; i++) {
        event->entries[i].tpn = (uint16_t)(i + 1);
        event->present[i] = (uint16_t)i;
    }
}

static bool draw(struct event *event, uint16_t sitting, uint16_t seats, size_t *count,
                 struct refusal *refusal)
{
    const struct duplicate_movement movement = {.entries = event->entries,
                                                .entry_count = event->players,
                                                .past = event->tables,
                                                .past_count = event->table_count,
                                                .present = event->present,
                                                .present_count = event->players,
                                                .sitting = sitting,
                                                .seats = seats,
                                                .chance = &event->chance};
    return duplicate_pairing(&movement, event->tables + event->table_count, count, refusal);
}

/* Draws `boards` boards, one after the other; checks that each seats as many as it can, once. */
static void pairing_boards(struct event *event, uint16_t boards, uint16_t seats)
{
    for (uint16_t sitting = 1; sitting <= boards; sitting++) {
        struct refusal refusal = {"", ""};
        unsigned seated[PLAYERS_MAX] = {0};
        size_t count;
        if (!draw(event, sitting, seats, &count, &refusal))
            fail_msg("%s", refusal.code);
        assert_int_equal(count, event->players / seats);
        for (size_t t = 0; t < count; t++) {
            const struct duplicate_table *table = &event->tables[event->table_count + t];
            assert_int_equal(table->sitting, sitting);
            assert_int_equal(table->seats, seats);
            for (unsigned seat = 0; seat < seats; seat++)
                assert_int_equal(seated[table->entry[seat]]++, 0);
        }
        event->table_count += count;
    }
}

struct spread {
    unsigned seat_least, seat_most;     /* times that anybody sat in any one seat */
    unsigned met_most;                  /* times that any two met */
    unsigned played_least, played_most; /* boards of anybody */
};

static struct spread measure(const struct event *event, uint16_t seats)
{
    unsigned sat[PLAYERS_MAX][TOURNAMENT_SEATS_MAX] = {{0}};
    unsigned met[PLAYERS_MAX][PLAYERS_MAX] = {{0}};
    struct spread spread = {.seat_least = UINT16_MAX, .played_least = UINT16_MAX};
    for (size_t t = 0; t < event->table_count; t++)
        for (unsigned a = 0; a < seats; a++) {
            const struct duplicate_table *table = &event->tables[t];
            sat[table->entry[a]][a]++;
            for (unsigned b = 0; b < seats; b++)
                met[table->entry[a]][table->entry[b]]++;
        }
    for (size_t p = 0; p < event->players; p++) {
        unsigned played = met[p][p];
        spread.played_least = played < spread.played_least ? played : spread.played_least;
        spread.played_most = played > spread.played_most ? played : spread.played_most;
        for (unsigned s = 0; s < seats; s++) {
            spread.seat_least = sat[p][s] < spread.seat_least ? sat[p][s] : spread.seat_least;
            spread.seat_most = sat[p][s] > spread.seat_most ? sat[p][s] : spread.seat_most;
        }
        for (size_t q = 0; q < p; q++)
            spread.met_most = met[p][q] > spread.met_most ? met[p][q] : spread.met_most;
    }
    return spread;
}

static struct event event;

/* 24 players, 4 boards of four: room enough for everybody to sit in each seat once and to meet
 * nobody twice. */
TEST(test_four_boards_of_four)
{
    open_event(&event, 24, 1);
    pairing_boards(&event, 4, 4);
    struct spread spread = measure(&event, 4);
    assert_int_equal(spread.played_least, 4);
    assert_int_equal(spread.met_most, 1);
    assert_true(spread.seat_most <= 2);
}

/* Where players can't sit everywhere equally often, nobody is more than one above an equal
 * share. */
TEST(test_seats_and_opponents_are_spread)
{
    static const struct {
        size_t players;
        uint16_t seats, boards;
        unsigned seat_most, met_most;
    } cases[] = {{8, 4, 8, 3, 4}, {16, 4, 8, 3, 3}, {20, 5, 10, 3, 4},
                 {9, 3, 6, 3, 2}, {12, 2, 8, 5, 1}, {40, 4, 4, 2, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        open_event(&event, cases[i].players, (uint8_t)i);
        pairing_boards(&event, cases[i].boards, cases[i].seats);
        struct spread spread = measure(&event, cases[i].seats);
        assert_int_equal(spread.played_least, cases[i].boards);
        if (spread.seat_most > cases[i].seat_most || spread.met_most > cases[i].met_most)
            fail_msg("case %zu: %u times in one seat, %u times the same opponent", i,
                     spread.seat_most, spread.met_most);
    }
}

/* Players who do not fill a table sit out in turn. */
TEST(test_sitting_out_in_turn)
{
    for (size_t players = 4; players <= 11; players++) {
        open_event(&event, players, 7);
        pairing_boards(&event, BOARDS_MAX, 4);
        struct spread spread = measure(&event, 4);
        assert_true(spread.played_most - spread.played_least <= 1);
    }
}

TEST(test_same_draw_again)
{
    static struct event again;
    open_event(&event, 22, 3);
    open_event(&again, 22, 3);
    pairing_boards(&event, 6, 4);
    pairing_boards(&again, 6, 4);
    assert_memory_equal(&event, &again, sizeof event);
    open_event(&again, 22, 4);
    pairing_boards(&again, 6, 4);
    assert_memory_not_equal(event.tables, again.tables, sizeof event.tables);
}

/* Somebody who left plays no more; those who stay still meet new opponents. */
TEST(test_after_a_drop)
{
    struct refusal refusal;
    size_t count;
    open_event(&event, 13, 5);
    pairing_boards(&event, 3, 3);
    const uint16_t stay[] = {0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12};
    const struct duplicate_movement movement = {.entries = event.entries,
                                                .entry_count = 13,
                                                .past = event.tables,
                                                .past_count = event.table_count,
                                                .present = stay,
                                                .present_count = 12,
                                                .sitting = 4,
                                                .seats = 3,
                                                .chance = &event.chance};
    assert_true(duplicate_pairing(&movement, event.tables + event.table_count, &count, &refusal));
    assert_int_equal(count, 4);
    for (size_t t = 0; t < count; t++)
        for (unsigned seat = 0; seat < 3; seat++)
            assert_int_not_equal(event.tables[event.table_count + t].entry[seat], 4);
}

TEST(test_one_seat)
{
    open_event(&event, 5, 1);
    pairing_boards(&event, 6, 1);
    assert_int_equal(event.table_count, 30);
    for (size_t t = 0; t < event.table_count; t++)
        assert_int_equal(event.tables[t].entry[0], t % 5);
}

TEST(test_too_few)
{
    struct refusal refusal;
    size_t count;
    open_event(&event, 3, 1);
    assert_false(draw(&event, 1, 4, &count, &refusal));
    assert_string_equal(refusal.code, POD_REFUSAL_TOO_FEW);
    open_event(&event, 0, 1);
    assert_false(draw(&event, 1, 1, &count, &refusal));
    assert_string_equal(refusal.code, POD_REFUSAL_TOO_FEW);
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
