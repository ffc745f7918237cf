#include "engine/tournament/standings/seat_advantage.h"

#include <assert.h>

#include "engine/base/wide.h"

#define BILLION  UINT64_C(1000000000)
#define TRILLION UINT64_C(1000000000000)

/* z = 1.96 and z^2, the latter in billionths. */
#define Z_HUNDREDTHS UINT64_C(196)
#define Z_SQUARED    UINT64_C(3841600000)

/* ---- counting ---- */

static bool is_countable(const struct seat_tallies *tallies, const struct table_result *table)
{
    if (table->seats < 2 || table->seats > TOURNAMENT_SEATS_MAX ||
        tallies->tables[table->seats] == SEAT_TABLES_MAX)
        return false;
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (!round_kind_is_played(table->seat[seat].kind) ||
            table->seat[seat].score < -SEAT_SCORE_MAX || table->seat[seat].score > SEAT_SCORE_MAX)
            return false;
    return true;
}

static uint64_t positive(int32_t score)
{
    return score > 0 ? (uint64_t)score : 0;
}

static void count_seat(struct seat_tally *tally, const struct seat_result *result, uint64_t firsts,
                       uint64_t total)
{
    int64_t score = result->score;
    uint64_t share = total > 0 ? positive(result->score) * SEAT_UNIT / total : 0;
    tally->won += result->rank == 1 ? POINTS_PER_POINT / firsts : 0;
    tally->shares += share;
    tally->share_squares += share * share;
    tally->scores += score;
    tally->score_squares += (uint64_t)(score * score);
}

bool seat_count(struct seat_tallies *tallies, const struct table_result *table)
{
    uint64_t firsts = 0, total = 0;
    if (!is_countable(tallies, table))
        return false;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        firsts += table->seat[seat].rank == 1;
        total += positive(table->seat[seat].score);
    }
    if (firsts == 0)
        return false;
    for (unsigned seat = 0; seat < table->seats; seat++)
        count_seat(&tallies->seat[table->seats][seat], &table->seat[seat], firsts, total);
    tallies->tables[table->seats]++;
    return true;
}

/* ---- intervals ---- */

/* Wilson: (2 w + z^2 -+ z sqrt(z^2 + 4 w (n - w) / n)) / (2 (n + z^2)) for w wins in n tables. The
 * root has 12 digits after the point, numerator and denominator have 9: 2 w = won * 10^9 / 30. */
struct seat_interval seat_win_rate(uint64_t won, uint32_t tables)
{
    uint64_t n = tables, all = n * POINTS_PER_POINT;
    assert(tables >= 1 && tables <= SEAT_TABLES_MAX && won <= all);
    uint64_t radicand = Z_SQUARED * 1000 + wide_scale(won * (all - won), BILLION * 10, 9 * n);
    uint64_t root = wide_root(wide_product(radicand, TRILLION));
    uint64_t half = wide_scale(root, Z_HUNDREDTHS, 100 * 1000) + 1;
    uint64_t centre = won * (BILLION / 30) + won / 3 + Z_SQUARED;
    uint64_t whole = 2 * (n * BILLION + Z_SQUARED);
    uint64_t low = centre > half ? wide_scale(centre - half, SEAT_UNIT, whole) : 0;
    uint64_t high = wide_scale(centre + half, SEAT_UNIT, whole) + 1;
    return (struct seat_interval){.value = (int64_t)((2 * won * SEAT_UNIT + all) / (2 * all)),
                                  .low = (int64_t)low,
                                  .high = (int64_t)(high > SEAT_UNIT ? SEAT_UNIT : high)};
}

/* sum / n to the nearest, halves away from zero. */
static int64_t mean_of(int64_t sum, int64_t n)
{
    return sum >= 0 ? (2 * sum + n) / (2 * n) : -((-2 * sum + n) / (2 * n));
}

/* 1.96 standard errors of a mean in thousandths of the unit of the numbers, rounded up: with the
 * sums S of n numbers and Q of their squares, the error is sqrt((n Q - S^2) / (n - 1)) / n. */
static int64_t error_of(uint64_t size, uint64_t squares, uint64_t n)
{
    if (n < 2)
        return 0;
    struct wide spread = wide_difference(wide_product(n, squares), wide_product(size, size));
    uint64_t variance = wide_quotient(spread, n - 1);
    uint64_t root = wide_root(wide_product(variance, 1000000)) + 1;
    return (int64_t)(wide_scale(root, Z_HUNDREDTHS, 100 * n) + 1);
}

static struct seat_interval share_interval(const struct seat_tally *tally, uint32_t tables)
{
    int64_t value = mean_of((int64_t)tally->shares, tables);
    int64_t half = (error_of(tally->shares, tally->share_squares, tables) + 999) / 1000;
    return (struct seat_interval){value, value > half ? value - half : 0,
                                  value < SEAT_UNIT - half ? value + half : SEAT_UNIT};
}

static struct seat_interval score_interval(const struct seat_tally *tally, uint32_t tables)
{
    uint64_t size = tally->scores < 0 ? 0 - (uint64_t)tally->scores : (uint64_t)tally->scores;
    int64_t value = mean_of(tally->scores * SEAT_UNIT, tables);
    int64_t half = error_of(size, tally->score_squares, tables) * 1000;
    return (struct seat_interval){value, value - half, value + half};
}

/* ---- significance ---- */

/* X^2, the sum of (w - n / k)^2 / (n / k) over the k seats with w of n wins each, is compared with
 * the value that it exceeds in one of twenty cases if all seats are even. With wins W in 60ths it
 * is the sum of (k W - 60 n)^2, divided by 60^2 k n. */
bool seat_advantage_differs(const struct seat_tallies *tallies, unsigned seats)
{
    /* [k]: of k - 1 degrees of freedom */
    static const uint64_t critical_millionths[TOURNAMENT_SEATS_MAX + 1] = {
        [2] = 3841459, [3] = 5991465, [4] = 7814728, [5] = 9487729};
    assert(seats >= 2 && seats <= TOURNAMENT_SEATS_MAX);
    uint64_t n = tallies->tables[seats], squares = 0;
    if (n < (uint64_t)SEAT_EXPECTED_LEAST * seats)
        return false;
    for (unsigned seat = 0; seat < seats; seat++) {
        uint64_t won = seats * tallies->seat[seats][seat].won, even = n * POINTS_PER_POINT;
        uint64_t off = won > even ? won - even : even - won;
        squares += off * off;
    }
    const uint64_t unit = (uint64_t)POINTS_PER_POINT * POINTS_PER_POINT * seats * n;
    return wide_compare(wide_product(squares, 1000000),
                        wide_product(critical_millionths[seats], unit)) > 0;
}

struct seat_advantage seat_advantage(const struct seat_tallies *tallies, unsigned seats,
                                     unsigned seat)
{
    assert(seats >= 2 && seats <= TOURNAMENT_SEATS_MAX && seat < seats);
    const struct seat_tally *tally = &tallies->seat[seats][seat];
    struct seat_advantage advantage = {.tables = tallies->tables[seats]};
    if (advantage.tables == 0)
        return advantage;
    advantage.wins = seat_win_rate(tally->won, advantage.tables);
    advantage.share = share_interval(tally, advantage.tables);
    advantage.score = score_interval(tally, advantage.tables);
    advantage.significant =
        (advantage.wins.low * seats > SEAT_UNIT || advantage.wins.high * seats < SEAT_UNIT) &&
        seat_advantage_differs(tallies, seats);
    return advantage;
}

void seat_handicaps(const struct seat_tallies *tallies,
                    int32_t handicap[TOURNAMENT_SEATS_MAX + 1][TOURNAMENT_SEATS_MAX])
{
    for (unsigned seats = 0; seats <= TOURNAMENT_SEATS_MAX; seats++)
        for (unsigned seat = 0; seat < TOURNAMENT_SEATS_MAX; seat++) {
            int64_t tables = tallies->tables[seats];
            int64_t won = (int64_t)tallies->seat[seats][seat].won;
            bool known = seats >= 2 && seat < seats && tables >= SEAT_HANDICAP_TABLES;
            int64_t even = known ? tables * POINTS_PER_POINT / seats : 0;
            handicap[seats][seat] =
                known ? (int32_t)mean_of(1000 * (even - won), tables * POINTS_PER_POINT) : 0;
        }
}
