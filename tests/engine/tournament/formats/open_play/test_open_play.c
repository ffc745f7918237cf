/* Open play: whom a call takes, and which games count. */
#include <sodium.h>
#include <string.h>

#include "engine/tournament/formats/open_play/open_play.h"
#include "engine/tournament/result/scoring.h"
#include "tests/test.h"

static const struct chance chance = {.seed = {8, 8}};

struct room {
    struct open_play_waiting waiting[OPEN_PLAY_WAITING_MAX + 1];
    struct open_play_table tables[OPEN_PLAY_WAITING_MAX / 2];
    struct open_play_call call;
    size_t table_count;
};

static struct room room;

static uint32_t roll(uint32_t *luck, uint32_t sides)
{
    *luck = *luck * 1664525U + 1013904223U;
    return (*luck >> 8) % sides;
}

/* Entries 10, 11, 12 .., who came one after the other, from time 100 on. It is 200. */
static void open_room(size_t count, struct table_rule rule)
{
    memset(&room, 0, sizeof room);
    for (size_t i = 0; i < count; i++) {
        room.waiting[i].entry = (uint16_t)(10 + i);
        room.waiting[i].since = 100 + i;
    }
    room.call = (struct open_play_call){.waiting = room.waiting,
                                        .count = count,
                                        .rule = rule,
                                        .now = 200 + count,
                                        .patience = UINT64_MAX,
                                        .number = 1,
                                        .chance = &chance};
}

static void call(void)
{
    struct refusal refusal = {"", ""};
    if (!open_play_tables(&room.call, room.tables, &room.table_count, &refusal))
        fail_msg("%s", refusal.code);
}

static void expect_table(size_t index, unsigned seats, const uint16_t *entries)
{
    assert_true(index < room.table_count);
    assert_int_equal(room.tables[index].seats, seats);
    assert_memory_equal(room.tables[index].entry, entries, seats * sizeof *entries);
}

#define ENTRIES(...)                                                                               \
    sizeof((uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t), (const uint16_t[])                       \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static void met(size_t one, size_t other)
{
    struct open_play_waiting *waiting = &room.waiting[one];
    waiting->recent[waiting->recent_count++] = room.waiting[other].entry;
}

TEST(longest_waiting_first)
{
    open_room(9, table_rule_range(4, 4, 4));
    call();
    assert_int_equal(room.table_count, 2);
    expect_table(0, ENTRIES(10, 11, 12, 13));
    expect_table(1, ENTRIES(14, 15, 16, 17));
    open_room(3, table_rule_range(4, 4, 4));
    call();
    assert_int_equal(room.table_count, 0);
    open_room(0, table_rule_range(4, 4, 4));
    call();
    assert_int_equal(room.table_count, 0);
}

TEST(recent_opponents_part)
{
    open_room(8, table_rule_range(4, 4, 4));
    met(0, 1);
    met(2, 0); /* one of the two remembers: that is enough */
    call();
    expect_table(0, ENTRIES(10, 13, 14, 15));
    expect_table(1, ENTRIES(11, 12, 16, 17));
    assert_int_equal(room.tables[0].recent, 0);

    /* All four met: somebody has to meet again; the fewest meetings. */
    open_room(4, table_rule_range(4, 4, 4));
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            if (i != j)
                met(i, j);
    met(0, 1); /* twice */
    call();
    expect_table(0, ENTRIES(10, 11, 12, 13));
    assert_int_equal(room.tables[0].recent, 7);

    open_room(5, table_rule_range(4, 4, 4));
    met(0, 1);
    met(0, 2);
    met(1, 2);
    met(0, 1);
    call(); /* 10 with 12 repeats one meeting, with 11 two */
    expect_table(0, ENTRIES(10, 12, 13, 14));
    assert_int_equal(room.tables[0].recent, 1);
}

/* Entries far behind in the queue are not considered, so nobody waits for ever. */
TEST(the_first_is_always_called)
{
    open_room(40, table_rule_range(2, 2, 2));
    for (size_t i = 1; i <= OPEN_PLAY_WINDOW; i++)
        met(i, 0);
    call();
    expect_table(0, ENTRIES(10, 11));
    assert_int_equal(room.tables[0].recent, 1);
    room.waiting[OPEN_PLAY_WINDOW].recent_count = 0;
    call();
    expect_table(0, ENTRIES(10, 10 + OPEN_PLAY_WINDOW));
}

/* One person's: to different tables, and if there is none for the first, they wait on. */
TEST(one_person_is_parted)
{
    open_room(6, table_rule_range(3, 3, 3));
    room.waiting[0].person = room.waiting[1].person = 1;
    call();
    assert_int_equal(room.table_count, 2);
    expect_table(0, ENTRIES(10, 12, 13));
    expect_table(1, ENTRIES(11, 14, 15));
    open_room(4, table_rule_range(3, 3, 3));
    room.waiting[0].person = room.waiting[1].person = room.waiting[3].person = 7;
    call();
    assert_int_equal(room.table_count, 0);
    open_room(5, table_rule_range(2, 2, 2));
    for (size_t i = 0; i < 3; i++)
        room.waiting[i].person = 2;
    call();
    assert_int_equal(room.table_count, 2);
    expect_table(0, ENTRIES(10, 13));
    expect_table(1, ENTRIES(11, 14));
    /* The first finds nobody, the others do. */
    open_room(OPEN_PLAY_WINDOW + 3, table_rule_range(2, 2, 2));
    for (size_t i = 0; i <= OPEN_PLAY_WINDOW; i++)
        room.waiting[i].person = 3;
    call();
    assert_true(room.table_count >= 1);
    for (size_t t = 0; t < room.table_count; t++) {
        const uint16_t *entry = room.tables[t].entry;
        assert_true(entry[0] > 10 + OPEN_PLAY_WINDOW || entry[1] > 10 + OPEN_PLAY_WINDOW);
    }
}

TEST(patience)
{
    open_room(6, table_rule_range(3, 4, 4));
    call();
    assert_int_equal(room.table_count, 1);
    assert_int_equal(room.tables[0].seats, 4);
    room.call.patience = room.call.now - 103; /* four have waited that long: they are seated */
    call();
    assert_int_equal(room.table_count, 1);
    room.call.patience = room.call.now - 104; /* the fifth, too */
    call();
    assert_int_equal(room.table_count, 2);
    expect_table(0, ENTRIES(10, 11, 12));
    expect_table(1, ENTRIES(13, 14, 15));
    open_room(2, table_rule_range(3, 4, 4));
    room.call.patience = 0;
    call();
    assert_int_equal(room.table_count, 0);
}

/* Ties by a draw: the same for any order of the input, another one for another call. */
TEST(ties_are_drawn)
{
    uint32_t luck = 4;
    struct open_play_table first[16] = {{0}};
    unsigned different = 0;
    open_room(32, table_rule_range(4, 4, 4));
    for (size_t i = 0; i < 32; i++)
        room.waiting[i].since = 100;
    for (uint32_t number = 1; number <= 20; number++) {
        room.call.number = number;
        call();
        assert_int_equal(room.table_count, 8);
        different += number > 1 && memcmp(first, room.tables, 8 * sizeof *first) != 0;
        memcpy(first, room.tables, 8 * sizeof *first);
        for (uint32_t i = 32; i-- > 1;) {
            uint32_t j = roll(&luck, i + 1);
            struct open_play_waiting waiting = room.waiting[i];
            room.waiting[i] = room.waiting[j];
            room.waiting[j] = waiting;
        }
        call();
        assert_memory_equal(first, room.tables, 8 * sizeof *first);
    }
    assert_int_equal(different, 19);
}

/* The players of the table wait from now on, and remember only the others at that table. */
static void return_to_queue(struct open_play_waiting *waiting, const struct open_play_table *table)
{
    unsigned seat = 0;
    while (seat < table->seats && table->entry[seat] != waiting->entry)
        seat++;
    if (seat == table->seats)
        return;
    waiting->since = room.call.now;
    waiting->recent_count = 0;
    for (unsigned other = 0; other < table->seats; other++)
        if (other != seat)
            waiting->recent[waiting->recent_count++] = table->entry[other];
}

/* A week of it: nobody sits twice in a call, and hardly anybody meets the last opponents again. */
TEST(many_calls)
{
    uint32_t luck = 5;
    unsigned repeats = 0, tables = 0;
    open_room(40, table_rule_range(3, 4, 4));
    for (uint32_t number = 1; number <= 200; number++) {
        room.call.number = number;
        room.call.now = 1000 + 10 * number;
        room.call.count = 10 + roll(&luck, 31);
        room.call.patience = 50;
        call();
        bool seen[64] = {false};
        for (size_t t = 0; t < room.table_count; t++) {
            const struct open_play_table *table = &room.tables[t];
            repeats += table->recent;
            tables++;
            for (unsigned seat = 0; seat < table->seats; seat++) {
                assert_false(seen[table->entry[seat]]);
                seen[table->entry[seat]] = true;
            }
        }
        for (size_t i = 0; i < room.call.count; i++)
            for (size_t t = 0; t < room.table_count; t++)
                return_to_queue(&room.waiting[i], &room.tables[t]);
    }
    assert_true(tables > 1000);
    assert_true(repeats < tables / 5);
}

static void expect_refusal(void)
{
    struct refusal refusal = {"", ""};
    assert_false(open_play_tables(&room.call, room.tables, &room.table_count, &refusal));
    assert_string_equal(refusal.code, OPEN_PLAY_REFUSAL_CALL);
    assert_int_equal(room.table_count, 0);
}

TEST(bad_calls)
{
    const struct table_rule rule = table_rule_range(3, 4, 4);
    open_room(8, (struct table_rule){.allowed = 0, .preferred = 4});
    expect_refusal();
    open_room(OPEN_PLAY_WAITING_MAX + 1, rule);
    expect_refusal();
    open_room(8, rule);
    room.waiting[7].entry = 10;
    expect_refusal();
    open_room(8, rule);
    room.waiting[7].since = room.call.now + 1;
    expect_refusal();
    open_room(8, rule);
    room.waiting[7].recent_count = OPEN_PLAY_RECENT_MAX + 1;
    expect_refusal();
    open_room(OPEN_PLAY_WAITING_MAX, rule);
    call();
    assert_int_equal(room.table_count, OPEN_PLAY_WAITING_MAX / 4);
}

/* Best n of m. */

TEST(best_of_games)
{
    struct open_play_game games[] = {
        {1, 1, 300}, {1, 2, 60},  {1, 3, 180}, {1, 4, 180}, /* best three: 660 */
        {2, 1, 300}, {2, 2, 300}, {2, 3, 60},               /* 660, with a better second game */
        {3, 1, 300}, {3, 2, 360},                           /* 660 in two, the best game */
        {4, 1, 180}, {4, 2, 300}, {4, 3, 180},              /* 660, as entry 1 */
        {5, 1, 0},
    };
    struct open_play_row rows[16];
    struct refusal refusal;
    size_t count, all = sizeof games / sizeof games[0];
    assert_true(open_play_rank(games, all, 3, rows, &count, &refusal));
    static const uint16_t order[] = {3, 2, 1, 4, 5}, ranks[] = {1, 2, 3, 3, 5};
    assert_int_equal(count, 5);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].entry, order[i]);
        assert_int_equal(rows[i].rank, ranks[i]);
        int64_t sum = 0;
        for (size_t g = rows[i].first; g < rows[i].first + rows[i].counted; g++) {
            assert_int_equal(games[g].entry, order[i]);
            sum += games[g].points;
        }
        assert_int_equal(sum, rows[i].sum);
    }
    assert_int_equal(rows[2].games, 4);
    assert_int_equal(rows[2].counted, 3);
    assert_int_equal(games[rows[2].first + 1].number, 3); /* of equal games the earlier first */
    assert_int_equal(rows[0].counted, 2);
    assert_int_equal(rows[0].sum, 660);
}

TEST(order_of_games_does_not_matter)
{
    enum { GAMES = 500 };
    static struct open_play_game games[GAMES], shuffled[GAMES];
    static struct open_play_row rows[GAMES], again[GAMES];
    uint32_t luck = 6;
    struct refusal refusal;
    size_t count, count_again;
    for (uint16_t i = 0; i < GAMES; i++)
        games[i] =
            (struct open_play_game){(uint16_t)roll(&luck, 40), i, (int32_t)(60 * roll(&luck, 6))};
    memcpy(shuffled, games, sizeof games);
    for (uint32_t i = GAMES; i-- > 1;) {
        uint32_t j = roll(&luck, i + 1);
        struct open_play_game game = shuffled[i];
        shuffled[i] = shuffled[j];
        shuffled[j] = game;
    }
    assert_true(open_play_rank(games, GAMES, 5, rows, &count, &refusal));
    assert_true(open_play_rank(shuffled, GAMES, 5, again, &count_again, &refusal));
    assert_int_equal(count, count_again);
    assert_memory_equal(games, shuffled, sizeof games);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].entry, again[i].entry);
        assert_int_equal(rows[i].rank, again[i].rank);
        assert_true(i == 0 || rows[i].sum <= rows[i - 1].sum);
    }
}

TEST(bad_games)
{
    struct open_play_game game = {1, 1, 60};
    struct open_play_row row;
    struct refusal refusal = {"", ""};
    size_t count = 1;
    assert_true(open_play_rank(&game, 0, 1, &row, &count, &refusal));
    assert_int_equal(count, 0);
    static const struct {
        int32_t points;
        unsigned best;
        size_t games;
    } bad[] = {{60, 0, 1},
               {60, OPEN_PLAY_BEST_MAX + 1, 1},
               {-1, 1, 1},
               {SCORING_POINTS_MAX + 1, 1, 1},
               {60, 1, OPEN_PLAY_GAMES_MAX}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        game.points = bad[i].points;
        assert_false(open_play_rank(&game, bad[i].games, bad[i].best, &row, &count, &refusal));
        assert_string_equal(refusal.code, OPEN_PLAY_REFUSAL_GAME);
    }
}

int main(void)
{
    if (sodium_init() < 0)
        return 1;
    return run_all_tests(NULL, NULL);
}
