/* Whether ratings are as far from true strengths as their deviations say.
 *
 *      bench_ratings SEATS SPREAD [GAMES]
 *
 * 2,000 players, whose strengths are normally distributed around that of a new rating with a
 * standard deviation of SPREAD points of the scale of the pages (350 is what ratings assume), play
 * GAMES games each (300), at tables of SEATS that are drawn by lot, by the model that ratings
 * assume. Prints, after some numbers of games: the mean deviation, the root of the mean square of
 * what ratings are off by, and how many of 100 players are within one deviation, within two, and
 * better than what they are ranked by; and how many are still provisional.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/tournament/result/rating.h"
#include "tests/engine/support/dice.h"

enum { PLAYERS = 2000, SCALE = 42 };

#define BETA (25.0 / 6)
#define PI   3.14159265358979323846

static struct {
    struct rating rating;
    double strength;
} player[PLAYERS];
static unsigned order[PLAYERS];
static struct dice dice;

/* Between 0 and 1, and neither. */
static double lot(void)
{
    return (dice_below(&dice, 1 << 30) + 0.5) / (1 << 30);
}

static double normal(void)
{
    return sqrt(-2 * log(lot())) * cos(2 * PI * lot());
}

/* Places by Plackett-Luce: in the order of strengths with Gumbel's noise. */
static void play(const unsigned *table, unsigned seats)
{
    struct rating rating[RATING_PLAYERS_MAX];
    int32_t rank[RATING_PLAYERS_MAX];
    double shown[RATING_PLAYERS_MAX];
    for (unsigned i = 0; i < seats; i++) {
        rating[i] = player[table[i]].rating;
        shown[i] = player[table[i]].strength / (BETA * sqrt(seats)) - log(-log(lot()));
    }
    for (unsigned i = 0; i < seats; i++) {
        rank[i] = 1;
        for (unsigned other = 0; other < seats; other++)
            rank[i] += shown[other] > shown[i];
    }
    if (!rating_update(rating, rank, seats))
        abort();
    for (unsigned i = 0; i < seats; i++)
        player[table[i]].rating = rating[i];
}

static void play_round(unsigned seats)
{
    for (unsigned i = PLAYERS - 1; i > 0; i--) {
        unsigned other = dice_below(&dice, i + 1), moved = order[i];
        order[i] = order[other];
        order[other] = moved;
    }
    for (unsigned i = 0; i + seats <= PLAYERS; i += seats)
        play(&order[i], seats);
}

static void print(unsigned games)
{
    double deviation = 0, squares = 0;
    unsigned one = 0, two = 0, better = 0, provisional = 0;
    for (unsigned i = 0; i < PLAYERS; i++) {
        double sigma = player[i].rating.sigma / (double)RATING_UNIT;
        double off = player[i].rating.mu / (double)RATING_UNIT - player[i].strength;
        deviation += sigma;
        squares += off * off;
        one += fabs(off) <= sigma;
        two += fabs(off) <= 2 * sigma;
        better += off <= 3 * sigma;
        provisional += player[i].rating.sigma > RATING_PROVISIONAL_SIGMA;
    }
    printf("%5u %9.0f %6.0f %8.1f %8.1f %8.1f %12.1f\n", games, SCALE * deviation / PLAYERS,
           SCALE * sqrt(squares / PLAYERS), 100.0 * one / PLAYERS, 100.0 * two / PLAYERS,
           100.0 * better / PLAYERS, 100.0 * provisional / PLAYERS);
}

int main(int argc, char **argv)
{
    static const unsigned marks[] = {3, 10, 20, 30, 50, 100, 300, 1000};
    const unsigned seats = argc < 3 ? 0 : (unsigned)strtoul(argv[1], NULL, 10);
    const double spread = argc < 3 ? 0 : strtod(argv[2], NULL) / SCALE;
    const unsigned most = argc < 4 ? 300 : (unsigned)strtoul(argv[3], NULL, 10);
    if (seats < 2 || seats > RATING_PLAYERS_MAX)
        return 2;
    dice_open(&dice, "ratings", seats);
    for (unsigned i = 0; i < PLAYERS; i++) {
        player[i].rating = rating_initial();
        player[i].strength = player[i].rating.mu / (double)RATING_UNIT + spread * normal();
        order[i] = i;
    }
    printf("games deviation  error  within1  within2   better  provisional\n");
    size_t mark = 0;
    for (unsigned games = 1; games <= most; games++) {
        play_round(seats);
        if (mark < sizeof marks / sizeof marks[0] && games == marks[mark]) {
            print(games);
            mark++;
        }
    }
    return 0;
}
