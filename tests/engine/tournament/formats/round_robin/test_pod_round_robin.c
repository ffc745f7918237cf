/* Schedules of pods: everybody sits once in every round, seats are even, and who meets whom how
 * often, counted here anew. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/formats/round_robin/pod_design.h"
#include "engine/tournament/formats/round_robin/pod_round_robin.h"
#include "tests/test.h"

#ifdef PLAYOUTS_DEFAULT /* searches take long with checks built in */
enum { PERFECT_MAX = 40 };
#else
enum { PERFECT_MAX = 80 };
#endif
enum { PLAYERS_MAX = POD_ROUND_ROBIN_PLAYERS_MAX };

static const struct chance chance = {.seed = {3, 1, 4}};

/* What takes long: every day there is less of it. */
static bool is_long(void)
{
    return getenv("TILLROLL_LONG") != NULL;
}

static struct pod_round_robin_request request_for(unsigned players, unsigned rounds,
                                                  struct table_rule rule)
{
    return (struct pod_round_robin_request){.players = (uint16_t)players,
                                            .rounds = (uint16_t)rounds,
                                            .rule = rule,
                                            .attempt = 1,
                                            .chance = &chance};
}

static struct table_rule only(uint8_t seats)
{
    return table_rule_range(seats, seats, seats);
}

/* Tables are in order and as table_sizes.h says, and in every round everybody has one seat or one
 * bye. */
static void check_rounds(const struct pod_round_robin_request *request,
                         const struct pod_schedule *schedule)
{
    struct table_sizes sizes;
    size_t next = 0;
    assert_true(table_sizes_choose(request->rule, request->players, &sizes));
    for (unsigned round = 1; round <= request->rounds; round++) {
        bool seated[PLAYERS_MAX] = {false};
        unsigned count[TOURNAMENT_SEATS_MAX + 1] = {0}, byes = 0;
        for (unsigned table = 1; next < schedule->table_count; next++) {
            const struct pod_schedule_table *each = &schedule->tables[next];
            if (each->round != round)
                break;
            bool bye = each->table == 0;
            if (bye)
                assert_int_equal(each->seats, 1);
            else
                assert_true(byes == 0 && each->table == table++ && each->seats >= 2);
            byes += bye;
            count[each->seats] += !bye;
            for (unsigned seat = 0; seat < each->seats; seat++) {
                assert_true(each->player[seat] < request->players && !seated[each->player[seat]]);
                seated[each->player[seat]] = true;
            }
        }
        for (unsigned player = 0; player < request->players; player++)
            assert_true(seated[player]);
        for (unsigned size = 2; size <= TOURNAMENT_SEATS_MAX; size++)
            assert_int_equal(count[size], sizes.tables[size]);
        assert_int_equal(byes, sizes.byes);
    }
    assert_int_equal(next, schedule->table_count);
}

/* How often each pair meets, counted in another way than the engine does: at how many tables of the
 * one the other sits as well. */
static void check_meetings(const struct pod_round_robin_request *request,
                           const struct pod_schedule *schedule)
{
    enum { WORD = 64, WORDS = PLAYERS_MAX * TOURNAMENT_ROUNDS_MAX / WORD };
    static uint64_t tables_of[PLAYERS_MAX][WORDS];
    uint32_t meetings[POD_MEETINGS_MAX + 1] = {0}, repeats = 0, all = 0;
    memset(tables_of, 0, sizeof tables_of);
    assert_true(schedule->table_count <= (size_t)WORDS * WORD);
    for (size_t i = 0; i < schedule->table_count; i++)
        for (unsigned seat = 0; seat < schedule->tables[i].seats; seat++)
            tables_of[schedule->tables[i].player[seat]][i / WORD] |= UINT64_C(1) << i % WORD;
    for (unsigned a = 0; a < request->players; a++)
        for (unsigned b = a + 1; b < request->players; b++) {
            unsigned met = 0;
            for (size_t word = 0; word * WORD < schedule->table_count; word++)
                met += (unsigned)__builtin_popcountll(tables_of[a][word] & tables_of[b][word]);
            meetings[met < POD_MEETINGS_MAX ? met : POD_MEETINGS_MAX]++;
            repeats += met > 1 ? met - 1 : 0;
            all += met;
        }
    uint32_t pairs = request->players * (request->players - 1U) / 2;
    assert_memory_equal(meetings, schedule->quality.meetings, sizeof meetings);
    assert_int_equal(repeats, schedule->quality.repeats);
    assert_int_equal(schedule->quality.repeats_bound, all > pairs ? all - pairs : 0);
    assert_true(repeats >= schedule->quality.repeats_bound);
}

static void make(const struct pod_round_robin_request *request, struct pod_schedule *schedule)
{
    struct refusal refusal = {"", ""};
    if (!pod_round_robin_make(request, schedule, &refusal))
        fail_msg("%u players, %u rounds: %s", request->players, request->rounds, refusal.code);
    check_rounds(request, schedule);
    check_meetings(request, schedule);
}

static void expect_repeats(unsigned players, unsigned rounds, struct table_rule rule, uint32_t most)
{
    struct pod_round_robin_request request = request_for(players, rounds, rule);
    struct pod_schedule schedule;
    make(&request, &schedule);
    if (schedule.quality.repeats > most)
        fail_msg("%u players, %u rounds: %u repeats", players, rounds, schedule.quality.repeats);
    assert_true(schedule.quality.seat_spread <= 1);
    pod_schedule_free(&schedule);
}

/* Where a construction exists nobody meets twice, and all tables and seats are even. */
TEST(perfect_sizes)
{
    for (uint8_t seats = 2; seats <= TOURNAMENT_SEATS_MAX; seats++)
        for (unsigned players = seats; players <= PERFECT_MAX; players++) {
            unsigned built = pod_design_rounds(players, seats);
            unsigned kept = pod_design_kept_rounds(players, seats);
            unsigned rounds = kept > built ? kept : built;
            if (rounds == 0)
                continue;
            expect_repeats(players, rounds < TOURNAMENT_ROUNDS_MAX ? rounds : TOURNAMENT_ROUNDS_MAX,
                           only(seats), 0);
        }
}

/* Each pair exactly once. */
TEST(complete_sizes)
{
    static const uint16_t complete[][3] = {{16, 4, 5}, {9, 3, 4},   {15, 3, 7}, {28, 4, 9},
                                           {25, 5, 6}, {40, 4, 13}, {64, 4, 21}};
    for (size_t i = 0; i < sizeof complete / sizeof complete[0]; i++) {
        struct pod_round_robin_request request =
            request_for(complete[i][0], complete[i][2], only((uint8_t)complete[i][1]));
        struct pod_schedule schedule;
        make(&request, &schedule);
        assert_int_equal(schedule.method, POD_SCHEDULE_CONSTRUCTED);
        assert_int_equal(schedule.quality.meetings[1],
                         request.players * (request.players - 1U) / 2);
        pod_schedule_free(&schedule);
    }
}

/* Twice around and one round more: no schedule has fewer repeats. */
TEST(complete_sizes_played_on)
{
    struct pod_round_robin_request request = request_for(16, 11, only(4));
    struct pod_schedule schedule;
    make(&request, &schedule);
    assert_int_equal(schedule.quality.repeats, schedule.quality.repeats_bound);
    assert_int_equal(schedule.quality.meetings[2], 96);
    assert_int_equal(schedule.quality.meetings[3], 24);
    pod_schedule_free(&schedule);
}

/* Static seatings of tables of four, against published ones for mahjong clubs (ApplySci/aim, Zenodo
 * 10.5281/zenodo.13971404): the repeats here are not to be more than there. */
TEST(league_nights)
{
    static const unsigned published[][3] = {
        {16, 6, 24}, {16, 8, 72}, {20, 6, 22},   {20, 7, 41}, {20, 8, 67},  {24, 6, 0},
        {24, 7, 0},  {24, 8, 33}, {24, 10, 101}, {28, 8, 0},  {28, 10, 42}, {32, 8, 0},
        {32, 10, 0}, {36, 10, 0}, {36, 11, 0},   {40, 10, 0}, {48, 10, 0},  {128, 10, 0}};
    for (size_t i = is_long() ? 0 : 1; i < sizeof published / sizeof published[0];
         i += is_long() ? 1 : 2)
        expect_repeats(published[i][0], published[i][1], only(4), published[i][2]);
}

/* Version 1, which has no schedules that are kept, makes what it made. */
TEST(an_older_version_searches)
{
    struct pod_round_robin_request request = request_for(32, 10, only(4));
    struct pod_schedule schedule;
    make(&request, &schedule);
    assert_int_equal(schedule.method, POD_SCHEDULE_CONSTRUCTED);
    pod_schedule_free(&schedule);
    request.version = 1;
    make(&request, &schedule);
    assert_int_equal(schedule.method, POD_SCHEDULE_EXTENDED);
    assert_in_range(schedule.quality.repeats, 1, 16);
    pod_schedule_free(&schedule);
}

/* In every k rounds everybody sits in each seat once. */
TEST(seats_in_every_block_of_rounds)
{
    static const unsigned sizes[][3] = {
        {16, 4, 5}, {24, 4, 7}, {21, 3, 10}, {25, 5, 6}, {44, 4, 11}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        unsigned seats = sizes[i][1];
        struct pod_round_robin_request request =
            request_for(sizes[i][0], sizes[i][2], only((uint8_t)seats));
        struct pod_schedule schedule;
        make(&request, &schedule);
        unsigned count[PLAYERS_MAX][TOURNAMENT_SEATS_MAX] = {{0}};
        for (size_t t = 0; t < schedule.table_count; t++) {
            const struct pod_schedule_table *table = &schedule.tables[t];
            unsigned block = (table->round - 1U) / seats;
            for (unsigned seat = 0; seat < seats; seat++) {
                unsigned *sat = &count[table->player[seat]][seat];
                assert_int_equal(*sat >> block, 0);
                *sat |= 1U << block;
            }
        }
        pod_schedule_free(&schedule);
    }
}

/* Players of one group do not meet. */
TEST(groups)
{
    struct pod_round_robin_request request = request_for(20, 5, only(4));
    struct pod_schedule schedule;
    make(&request, &schedule);
    assert_int_equal(schedule.group_size, 5);
    for (size_t t = 0; t < schedule.table_count; t++)
        for (unsigned seat = 0; seat < 4; seat++)
            for (unsigned other = 0; other < seat; other++)
                assert_int_not_equal(schedule.tables[t].player[seat] / 5,
                                     schedule.tables[t].player[other] / 5);
    pod_schedule_free(&schedule);
}

/* Uneven numbers: tables of three and four, or byes, shared out. */
TEST(uneven_numbers)
{
    const struct table_rule mixed = table_rule_range(3, 4, 4);
    static const unsigned sizes[][4] = {/* players, rounds, repeats, spread of short tables */
                                        {13, 4, 0, 3},
                                        {17, 5, 0, 2},
                                        {47, 10, 0, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct pod_round_robin_request request = request_for(sizes[i][0], sizes[i][1], mixed);
        struct pod_schedule schedule;
        make(&request, &schedule);
        const struct pod_schedule_quality *quality = &schedule.quality;
        assert_true(quality->repeats <= sizes[i][2]);
        assert_true(quality->short_most - quality->short_least <= (int)sizes[i][3]);
        assert_int_equal(quality->bye_most, 0);
        pod_schedule_free(&schedule);
    }
    struct pod_round_robin_request request = request_for(19, 8, only(4));
    struct pod_schedule schedule;
    make(&request, &schedule); /* 24 byes for 19 */
    assert_int_equal(schedule.quality.bye_least, 1);
    assert_int_equal(schedule.quality.bye_most, 2);
    assert_int_equal(schedule.quality.short_most, 0);
    pod_schedule_free(&schedule);
}

static int64_t cost_of(const struct pod_schedule *schedule, unsigned players)
{
    unsigned met[PLAYERS_MAX][PLAYERS_MAX] = {{0}};
    int64_t cost = 0;
    for (size_t i = 0; i < schedule->table_count; i++)
        for (unsigned seat = 0; seat < schedule->tables[i].seats; seat++)
            for (unsigned other = 0; other < seat; other++) {
                unsigned a = schedule->tables[i].player[seat];
                unsigned b = schedule->tables[i].player[other];
                cost += met[a][b]++;
                met[b][a]++;
            }
    assert_true(players <= PLAYERS_MAX);
    return cost;
}

/* What is claimed of an annealed schedule: no swap of two players of a round makes it better. */
TEST(no_swap_improves)
{
    struct pod_round_robin_request request = request_for(12, 5, only(4));
    struct pod_schedule schedule;
    make(&request, &schedule);
    assert_int_equal(schedule.method, POD_SCHEDULE_ANNEALED);
    int64_t cost = cost_of(&schedule, request.players);
    for (size_t i = 0; i < schedule.table_count; i++)
        for (size_t j = 0; j < i; j++)
            for (unsigned swap = 0;
                 schedule.tables[i].round == schedule.tables[j].round && swap < 16; swap++) {
                uint16_t *one = &schedule.tables[i].player[swap / 4];
                uint16_t *other = &schedule.tables[j].player[swap % 4];
                uint16_t player = *one;
                *one = *other;
                *other = player;
                assert_true(cost_of(&schedule, request.players) >= cost);
                *other = *one;
                *one = player;
            }
    pod_schedule_free(&schedule);
}

/* The same request gives the same bytes; another attempt or seed another schedule, where there is
 * one to be searched for. */
TEST(attempts)
{
    struct pod_round_robin_request request =
        is_long() ? request_for(20, 6, only(4)) : request_for(12, 5, only(4));
    struct pod_schedule one, other;
    make(&request, &one);
    make(&request, &other);
    size_t bytes = one.table_count * sizeof *one.tables;
    assert_int_equal(one.table_count, other.table_count);
    assert_memory_equal(one.tables, other.tables, bytes);
    pod_schedule_free(&other);
    request.attempt = 2;
    make(&request, &other);
    assert_memory_not_equal(one.tables, other.tables, bytes);
    pod_schedule_free(&one);
    pod_schedule_free(&other);
}

TEST(smallest_and_largest)
{
    expect_repeats(2, 1, only(2), 0);
    expect_repeats(4, 1, only(4), 0);
    expect_repeats(4, 3, only(4), 12);
    expect_repeats(5, 1, only(5), 0);
    expect_repeats(5, 1, only(4), 0); /* one bye */
    expect_repeats(256, 64, only(4), 0);
}

TEST(refusals)
{
    const struct pod_round_robin_request bad[] = {
        request_for(3, 1, only(4)),
        request_for(0, 1, only(4)),
        request_for(257, 1, only(4)),
        request_for(16, 0, only(4)),
        request_for(16, TOURNAMENT_ROUNDS_MAX + 1, only(4)),
        request_for(16, 1, (struct table_rule){.allowed = 0, .preferred = 4}),
        {.players = 16, .rounds = 1, .rule = only(4), .attempt = 0, .chance = &chance},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct refusal refusal = {"", ""};
        struct pod_schedule schedule;
        assert_false(pod_round_robin_make(&bad[i], &schedule, &refusal));
        assert_string_equal(refusal.code, POD_SCHEDULE_REFUSAL_REQUEST);
    }
}

int main(void)
{
    if (sodium_init() < 0)
        return 1;
    return run_all_tests(NULL, NULL);
}
