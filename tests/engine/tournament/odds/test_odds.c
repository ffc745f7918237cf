/* Odds against what can be counted: exact on small events, calibrated over many, and nothing that
 * is called certain ever turns out otherwise.
 *
 *     test_odds                      the tests
 *     TILLROLL_LONG=1 test_odds      with more events, as tests/run long has it
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/odds/odds.h"
#include "engine/tournament/pairing/pairing.h"
#include "engine/tournament/pairing/ranking.h"
#include "tests/engine/support/told_event.h"
#include "tests/test.h"

enum { PLAYERS_MOST = 16 };

#define EVENT(stages) "{'name': 'T', 'ruleset': 'super-motherload', 'stages': [" stages "]}"
#define SWISS(rounds) "{'format': 'dutch', 'rounds': " rounds ", 'tie_breaks': ['PTS']}"
#define PODS(rounds)  "{'format': 'pod_swiss', 'rounds': " rounds ", 'tie_breaks': ['PTS', 'RND']}"
#define ROBIN         "{'format': 'round_robin', 'tie_breaks': ['PTS']}"

static uint64_t luck;

static unsigned roll(unsigned sides)
{
    luck = luck * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(luck >> 33) % sides;
}

static struct chance chance_of(unsigned number)
{
    struct chance chance = {.stacks = NULL};
    memset(chance.seed, (int)number, sizeof chance.seed);
    return chance;
}

static struct odds make(const struct tournament *event, unsigned samples)
{
    struct odds odds;
    struct refusal refusal = {"", ""};
    if (!odds_make(event, samples, NULL, &odds, &refusal))
        fail_msg("%s: %s", refusal.code, refusal.message);
    return odds;
}

/* NULL: the entry is not in the current stage. */
static const struct odds_entry *find(const struct odds *odds, uint16_t entry)
{
    for (size_t i = 0; i < odds->count; i++)
        if (odds->entries[i].entry == entry)
            return &odds->entries[i];
    return NULL;
}

static struct tournament_table *open_table(struct tournament *event)
{
    const struct tournament_round *round = &event->rounds[event->rounds_started - 1];
    for (size_t i = 0; i < round->table_count; i++)
        if (!event->tables[round->first_table + i].has_result)
            return &event->tables[round->first_table + i];
    return NULL;
}

static void free_copy(struct tournament *copy)
{
    tournament_free(copy);
    free(copy);
}

/* Starts the next round as the service would. False if none is left. */
static bool go_on(struct tournament *event, const struct chance *chance)
{
    struct pairing pairing;
    struct refusal refusal;
    if (!pairing_next(event, chance, event->attempts + 1U, &pairing, &refusal)) {
        assert_string_equal(refusal.code, PAIRING_REFUSAL_NO_ROUNDS);
        return false;
    }
    pairing_free(&pairing);
    tell_draw(event, chance);
    return true;
}

/* ---- Exactness: every way in which the event can end ---- */

/* The weight of an entry at a table of `seats`, by the version of the log. */
static double weight_of(const struct tournament *event, uint16_t entry, unsigned seats)
{
    const struct entrant *entrant = &event->entrants[entry];
    return entrant->strength.sigma == 0
               ? exp2(entrant->rating / 6000.0)
               : exp(entrant->strength.mu / 1e6 / (25 / 6.0 * sqrt(seats)));
}

struct exact {
    const struct chance *chance;
    double first[PLAYERS_MOST], advanced[PLAYERS_MOST], sum;
    size_t stage;
};

static void count_end(struct exact *exact, const struct tournament *event, double probability)
{
    struct ranking ranking;
    struct refusal refusal;
    assert_true(ranking_make(event, exact->chance, event->rounds_started, &ranking, &refusal));
    for (size_t i = 0; i < ranking.place_count; i++)
        if (ranking.places[i].place == 1)
            exact->first[ranking.places[i].entry] += probability / ranking.places[i].shared;
    for (size_t i = 0;
         event->stages > exact->stage + 1 && i < event->stage[exact->stage + 1].entry_count; i++)
        exact->advanced[event->stage[exact->stage + 1].entries[i]] += probability;
    exact->sum += probability;
    ranking_free(&ranking);
}

static void enumerate(struct exact *exact, const struct tournament *event, double probability);

/* All orders of a table that begin with the seats in `order`. */
static void enumerate_table(struct exact *exact, const struct tournament *event, unsigned ranks[],
                            unsigned place, double probability)
{
    struct tournament *copy = tournament_copy(event);
    struct tournament_table *table = open_table(copy);
    double sum = 0;
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (ranks[seat] == 0)
            sum += weight_of(event, table->entry[seat], table->seats);
    if (place > table->seats) {
        char text[64] = "";
        for (unsigned seat = 0; seat < table->seats; seat++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%u ", ranks[seat]);
        tell_result(copy, table->round, table->table, text);
        enumerate(exact, copy, probability);
    }
    for (unsigned seat = 0; place <= table->seats && seat < table->seats; seat++)
        if (ranks[seat] == 0) {
            ranks[seat] = place;
            enumerate_table(exact, event, ranks, place + 1,
                            probability * weight_of(event, table->entry[seat], table->seats) / sum);
            ranks[seat] = 0;
        }
    free_copy(copy);
}

static void enumerate(struct exact *exact, const struct tournament *event, double probability)
{
    unsigned ranks[TOURNAMENT_SEATS_MAX] = {0};
    struct tournament *copy = tournament_copy(event);
    if (open_table(copy) != NULL)
        enumerate_table(exact, copy, ranks, 1, probability);
    else if (go_on(copy, exact->chance))
        enumerate(exact, copy, probability);
    else
        count_end(exact, copy, probability);
    free_copy(copy);
}

/* Ratings far apart, so that weights matter. */
static void rate(struct tournament *event)
{
    for (size_t i = 0; i < event->entrant_count; i++)
        event->entrants[i].rating = 10000 + (int32_t)(i * 5000 % 17000);
}

/* The same of ratings that are known almost for certain: no result changes them by much. */
static void rate_surely(struct tournament *event)
{
    for (size_t i = 0; i < event->entrant_count; i++)
        event->entrants[i].strength =
            (struct rating){.mu = 20000000 + (int32_t)(i * 3000000 % 11000000), .sigma = 1000};
}

/* Five standard errors, and what rounding of weights can do. */
static void expect_near(double frequency, double probability, unsigned samples)
{
    double error = 5 * sqrt(probability * (1 - probability) / samples) + 0.001;
    if (fabs(frequency - probability) > error)
        fail_msg("%f instead of %f", frequency, probability);
}

static void expect_exact(const struct tournament *event)
{
    enum { SAMPLES = 4000 };
    struct chance chance = chance_of(7);
    struct odds odds = make(event, SAMPLES);
    struct exact exact = {.chance = &chance, .stage = odds.stage};
    enumerate(&exact, event, 1);
    assert_true(fabs(exact.sum - 1) < 1e-9);
    assert_int_equal(odds.samples, SAMPLES);
    for (size_t i = 0; i < odds.count; i++) {
        const struct odds_entry *entry = &odds.entries[i];
        expect_near((double)entry->first / SAMPLES / ODDS_PART, exact.first[entry->entry], SAMPLES);
        expect_near((double)entry->advanced / SAMPLES, exact.advanced[entry->entry], SAMPLES);
        assert_true(entry->win != ODDS_SURE || exact.first[entry->entry] > 1 - 1e-9);
        assert_true(entry->win != ODDS_OUT || exact.first[entry->entry] < 1e-9);
    }
    odds_free(&odds);
}

TEST(test_last_swiss_round)
{
    struct tournament event;
    tell_entries(&event, EVENT(SWISS("2")), 6);
    rate(&event);
    tell_stage(&event, "");
    tell_round(&event, "1 2 / 3 4 / 5 6", "", "");
    tell_results(&event, 1, "1 2 / 1 2 / 1 1");
    tell_round(&event, "1 3 / 5 2 / 6 4", "", "");
    tell_result(&event, 2, 3, "1 2");
    expect_exact(&event);
    rate_surely(&event);
    expect_exact(&event);
    tournament_free(&event);
}

TEST(test_round_robin)
{
    struct tournament event;
    struct chance chance = chance_of(1);
    tell_entries(&event, EVENT(ROBIN), 4);
    rate(&event);
    tell_stage(&event, "");
    tell_draw(&event, &chance);
    tell_results(&event, 1, "1 2 / 2 1");
    expect_exact(&event);
    tell_draw(&event, &chance);
    tell_result(&event, 2, 1, "1 2");
    expect_exact(&event);
    tournament_free(&event);
}

TEST(test_brackets)
{
    static const char *const formats[] = {"single_elimination', 'consolation': true",
                                          "double_elimination'"};
    struct chance chance = chance_of(1);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct tournament event;
        char settings[256];
        snprintf(settings, sizeof settings, EVENT("{'format': '%s}"), formats[i]);
        tell_entries(&event, settings, 4);
        rate(&event);
        tell_stage(&event, "");
        tell_draw(&event, &chance);
        expect_exact(&event);
        tell_result(&event, 1, 1, "2 1");
        expect_exact(&event);
        tournament_free(&event);
    }
}

TEST(test_cut_to_a_final)
{
    struct tournament event;
    struct chance chance = chance_of(1);
    tell_entries(&event, EVENT(ROBIN ", {'format': 'single_elimination', 'entrants': 2}"), 4);
    rate(&event);
    tell_stage(&event, "");
    tell_draw(&event, &chance);
    tell_results(&event, 1, "1 2 / 1 2");
    tell_draw(&event, &chance);
    tell_results(&event, 2, "2 1 / 1 2");
    tell_draw(&event, &chance);
    tell_result(&event, 3, 1, "1 2");
    expect_exact(&event);
    tournament_free(&event);
}

TEST(test_larger_tables)
{
    struct tournament event;
    tell_entries(&event, EVENT(PODS("2")), 7);
    rate(&event);
    tell_stage(&event, "");
    tell_round(&event, "1 2 3 4 / 5 6 7", "", "");
    tell_results(&event, 1, "1 2 3 4 / 2 1 3");
    tell_round(&event, "1 6 2 3 / 5 4 7", "", "");
    for (unsigned version = ODDS_VERSION_RANKED; version <= ODDS_VERSION; version++) {
        if (version == ODDS_VERSION)
            rate_surely(&event);
        struct odds odds = make(&event, 10000);
        struct chance chance = chance_of(7);
        struct exact exact = {.chance = &chance};
        struct tournament *by_points = tournament_copy(&event);
        /* RND is one fixed lot in the enumeration: compare by points alone. */
        by_points->settings.stage[0].chain_count = 1;
        enumerate(&exact, by_points, 1);
        assert_int_equal(odds.version, version);
        for (size_t i = 0; i < odds.count; i++)
            expect_near((double)odds.entries[i].first / 10000 / ODDS_PART,
                        exact.first[odds.entries[i].entry], 10000);
        odds_free(&odds);
        free_copy(by_points);
    }
    tournament_free(&event);
}

/* ---- Uncertain strengths ---- */

/* The mean of `of` the chance that the first beats the second at a table of two, over all strengths
 * that they may have. */
static double mean_over(struct rating first, struct rating second, double (*of)(double chance))
{
    double sigma = sqrt(pow(first.sigma / 1e6, 2) + pow(second.sigma / 1e6, 2));
    double sum = 0, all = 0;
    for (double z = -6; z <= 6; z += 0.001) {
        double gap = (first.mu - second.mu) / 1e6 + z * sigma;
        sum += exp(-z * z / 2) * of(1 / (1 + exp(-gap / (25 / 6.0 * sqrt(2)))));
        all += exp(-z * z / 2);
    }
    return sum / all;
}

static double one_game(double chance)
{
    return chance;
}

static double both(double chance)
{
    return chance * chance;
}

static double two_of_three(double chance)
{
    return chance * chance * (3 - 2 * chance);
}

static double chance_of_first_entry(const struct tournament *event)
{
    struct odds odds = make(event, 10000);
    double chance = (double)find(&odds, 0)->first / 10000 / ODDS_PART;
    odds_free(&odds);
    return chance;
}

/* Two players, of whom the first is probably the better: between a coin and what is known of mu. A
 * strength that is drawn once for a sample has another best of three than three chances. */
TEST(test_strengths_are_drawn_for_the_event)
{
    const struct rating strong = {30000000, 8000000}, weak = {24000000, 4000000};
    struct tournament event;
    for (unsigned games = 1; games <= 3; games += 2) {
        tell_entries(&event, games == 1 ? EVENT(SWISS("1")) : EVENT(SWISS("3")), 2);
        event.entrants[0].strength = strong;
        event.entrants[1].strength = weak;
        tell_stage(&event, "");
        tell_round(&event, "1 2", "", "");
        double expected = mean_over(strong, weak, games == 1 ? one_game : two_of_three);
        if (games == 3) {
            double apart = two_of_three(mean_over(strong, weak, one_game));
            assert_true(fabs(apart - expected) > 0.03);
        }
        expect_near(chance_of_first_entry(&event), expected, 10000);
        tournament_free(&event);
    }
}

/* What the event has shown counts as it does for ratings; a forfeit shows nothing, and who was
 * replaced has not shown it. */
TEST(test_results_change_strengths)
{
    const int32_t ranks[] = {1, 2};
    struct tournament event;
    for (unsigned i = 0; i < 3; i++) {
        struct rating ratings[] = {rating_initial(), rating_initial()};
        tell_entries(&event, EVENT(SWISS("3")), 2);
        event.entrants[0].strength = event.entrants[1].strength = rating_initial();
        tell_stage(&event, "");
        tell_round(&event, "1 2", "", "");
        if (i == 1)
            tell_ruling(&event, 1, 1, "1+ 2-");
        else
            tell_result(&event, 1, 1, "1 2");
        if (i == 2)
            event.tables[0].substituted = 1;
        tell_round(&event, "2 1", "", "");
        if (i == 0)
            assert_true(rating_update(ratings, ranks, 2));
        if (i == 2) {
            assert_true(rating_update(ratings, ranks, 2));
            ratings[0] = rating_initial();
        }
        /* The second needs both games that are left. */
        expect_near(1 - chance_of_first_entry(&event), mean_over(ratings[1], ratings[0], both),
                    10000);
        tournament_free(&event);
    }
}

/* ---- What is certain ---- */

/* Counts of claims, so that the property below is not empty. */
static struct claims {
    unsigned sure, out, through, gone, leaves;
} claims;

/* How many share the first place with the entry, in the last stage or its division of it; 0: it has
 * not won. */
static unsigned shares_first(const struct tournament *event, const struct ranking *ranking,
                             uint16_t entry)
{
    for (size_t i = 0; i < ranking->group_count; i++)
        for (size_t j = 0; j < ranking->groups[i].count; j++) {
            const struct ranking_row *row = &ranking->groups[i].rows[j];
            if (ranking->groups[i].stage + 1U == event->stages && row->entry == entry)
                return row->place == 1 ? row->shared : 0;
        }
    return 0;
}

static void expect_claims(const struct tournament *event, const struct chance *chance,
                          const struct odds *odds)
{
    struct ranking ranking;
    struct refusal refusal;
    assert_true(ranking_make(event, chance, event->rounds_started, &ranking, &refusal));
    for (uint16_t i = 0; i < event->entrant_count; i++) {
        const struct odds_entry *entry = find(odds, i);
        unsigned shared = shares_first(event, &ranking, i);
        if (entry == NULL || entry->win == ODDS_OUT)
            assert_int_equal(shared, 0);
        else if (entry->win == ODDS_SURE)
            assert_int_equal(shared, 1);
    }
    for (size_t i = 0; i < odds->count && event->stages > odds->stage + 1U; i++) {
        const struct tournament_stage *next = &event->stage[odds->stage + 1];
        bool on = false;
        for (size_t j = 0; j < next->entry_count; j++)
            on = on || next->entries[j] == odds->entries[i].entry;
        assert_false(odds->entries[i].advance == ODDS_SURE && !on);
        assert_false(odds->entries[i].advance == ODDS_OUT && on);
    }
    claims.leaves++;
    ranking_free(&ranking);
}

static const char *const ends_of_two[] = {"1 2", "2 1", "1 1", "1+ 2-", "2- 1+", "1- 1-", "1a 1a"};
static const char *const ends_of_three[] = {"1 2 3", "3 2 1",    "1 1 1",    "2 1 3", "2 3 1",
                                            "1 1 3", "1a 2- 2-", "1+ 2- 2-", "3 1 1"};
static const char *const ends_of_four[] = {"1 2 3 4",     "4 3 2 1",     "1 1 1 1",
                                           "2 1 4 3",     "3 4 1 2",     "1 1 3 3",
                                           "1a 2a 3- 3-", "1+ 2- 2- 2-", "2 3 4 1"};

static const char *end_of(const struct tournament_table *table, unsigned i)
{
    enum { TWO = sizeof ends_of_two / sizeof *ends_of_two, MORE = 9 };
    return table->seats == 2   ? (i < TWO ? ends_of_two[i] : NULL)
           : table->seats == 3 ? (i < MORE ? ends_of_three[i] : NULL)
                               : (i < MORE ? ends_of_four[i] : NULL);
}

static void decide(struct tournament *event, const struct tournament_table *table, const char *end)
{
    if (strpbrk(end, "+-a") != NULL)
        tell_ruling(event, table->round, table->table, end);
    else
        tell_result(event, table->round, table->table, end);
}

/* All ways, or `branches` by lot at each table. */
static void try_all(const struct tournament *event, const struct chance *chance,
                    const struct odds *odds, unsigned branches)
{
    struct tournament *copy = tournament_copy(event);
    struct tournament_table *table = open_table(copy);
    if (table != NULL) {
        unsigned ends = 0;
        while (end_of(table, ends) != NULL)
            ends++;
        for (unsigned i = 0; i < (branches == 0 ? ends : branches); i++) {
            struct tournament *next = tournament_copy(event);
            decide(next, open_table(next), end_of(table, branches == 0 ? i : roll(ends)));
            try_all(next, chance, odds, branches);
            free_copy(next);
        }
    } else if (go_on(copy, chance)) {
        try_all(copy, chance, odds, branches);
    } else {
        expect_claims(copy, chance, odds);
    }
    free_copy(copy);
}

static void count_claims(const struct odds *odds)
{
    for (size_t i = 0; i < odds->count; i++) {
        claims.sure += odds->entries[i].win == ODDS_SURE;
        claims.out += odds->entries[i].win == ODDS_OUT;
        claims.through += odds->entries[i].advance == ODDS_SURE;
        claims.gone += odds->entries[i].advance == ODDS_OUT;
    }
}

/* Plays by lot, and looks at what is certain whenever a round has ended and `left` of the tables of
 * the next one have no result. */
static void play_and_look(const char *settings, unsigned players, unsigned number, unsigned left,
                          unsigned branches)
{
    struct tournament event;
    struct chance chance = chance_of(number);
    luck = number;
    tell_entries(&event, settings, players);
    do {
        struct tournament_table *table;
        if (event.rounds_started == 0)
            tell_draw(&event, &chance);
        size_t open = event.rounds[event.rounds_started - 1].table_count;
        while ((table = open_table(&event)) != NULL) {
            if (open-- <= left && (branches > 0 || event.rounds_started > 1)) {
                struct odds odds = make(&event, 1);
                count_claims(&odds);
                try_all(&event, &chance, &odds, branches);
                odds_free(&odds);
            }
            /* The better seed mostly wins, so that something becomes certain. */
            decide(&event, table,
                   table->entry[0] < table->entry[1] || roll(4) == 0 ? end_of(table, 0)
                                                                     : end_of(table, 1));
        }
    } while (go_on(&event, &chance));
    tournament_free(&event);
}

TEST(test_nothing_certain_is_wrong)
{
    const unsigned most = getenv("TILLROLL_LONG") == NULL ? 2 : 30;
    claims = (struct claims){0};
    for (unsigned n = 1; n <= most; n++) {
        play_and_look(EVENT(SWISS("4")), 8, n, 1, 2);
        play_and_look(EVENT(PODS("4")), 7, n, 1, 2);
        play_and_look(EVENT(ROBIN), 5, n, 1, 2);
        play_and_look(EVENT("{'format': 'pod_round_robin', 'rounds': 4}"), 6, n, 1, 2);
        play_and_look(EVENT("{'format': 'league', 'division': 4, 'seats_min': 2, 'seats_max': 2, "
                            "'seats_preferred': 2}"),
                      8, n, 1, 2);
        play_and_look(EVENT("{'format': 'single_elimination', 'consolation': true}"), 6, n, 1, 2);
        play_and_look(EVENT("{'format': 'double_elimination', 'grand_final': 'double'}"), 5, n, 1,
                      2);
        play_and_look(EVENT("{'format': 'pod_elimination', 'advance': 1}"), 9, n, 1, 2);
        play_and_look(EVENT(ROBIN ", {'format': 'single_elimination', 'entrants': 2}"), 5, n, 1, 2);
        play_and_look(EVENT(PODS("3") ", {'format': 'pod_elimination', 'entrants': 4}"), 8, n, 1,
                      2);
        play_and_look(EVENT(SWISS("2") ", {'format': 'dutch', 'rounds': 2, 'entrants': 4}"), 6, n,
                      1, 2);
    }
    printf("certain: %u have won, %u cannot win, %u are through, %u are out; %u ends\n",
           claims.sure, claims.out, claims.through, claims.gone, claims.leaves);
    assert_true(claims.sure > 3 && claims.out > 80 && claims.through > 3 && claims.gone > 3);
}

TEST(test_every_end_of_the_last_round)
{
    claims = (struct claims){0};
    for (unsigned n = 10; n < 14; n++) {
        play_and_look(EVENT(ROBIN), 4, n, 1, 0);
        play_and_look(EVENT(SWISS("3")), 4, n, 1, 0);
        play_and_look(EVENT("{'format': 'single_elimination'}"), 4, n, 1, 0);
    }
    printf("certain: %u have won, %u cannot win; %u ends\n", claims.sure, claims.out,
           claims.leaves);
    assert_true(claims.sure > 0 && claims.out > 10);
}

/* One who leaves a round robin before half of the games takes back what others won from it. */
TEST(test_who_leaves_takes_points_along)
{
    struct tournament event;
    tell_entries(&event, EVENT(ROBIN), 4);
    tell_stage(&event, "");
    tell_round(&event, "1 4 / 2 3", "", "");
    tell_results(&event, 1, "1 2 / 1 1");
    tell_round(&event, "1 3 / 2 4", "", "");
    tell_ruling(&event, 2, 2, "1+ 2-");
    tell_result(&event, 2, 1, "1 2");
    /* 1 has 2 points, 2 has 1 1/2, 3 has 1/2, 4 has none, and has completed one game of three. */
    struct odds odds = make(&event, 1);
    assert_int_equal(find(&odds, 3)->win, ODDS_OPEN);
    odds_free(&odds);
    tournament_free(&event);
}

TEST(test_late_entries_keep_it_open)
{
    static const char late[] = "{'name': 'T', 'ruleset': 'super-motherload', 'late_entries': 2, "
                               "'stages': [" SWISS("3") "]}";
    struct tournament event;
    for (unsigned i = 0; i < 2; i++) {
        tell_entries(&event, i == 0 ? EVENT(SWISS("3")) : late, 2);
        tell_stage(&event, "");
        tell_round(&event, "1 2", "", "");
        tell_results(&event, 1, "1 2");
        tell_round(&event, "2 1", "", "");
        tell_results(&event, 2, "2 1");
        struct odds odds = make(&event, 1);
        assert_int_equal(find(&odds, 0)->win, i == 0 ? ODDS_SURE : ODDS_OPEN);
        assert_int_equal(find(&odds, 1)->win, ODDS_OUT);
        odds_free(&odds);
        tournament_free(&event);
    }
}

/* ---- Calibration ---- */

/* A result as the model has it, with the test's own luck. */
static void play_by_weight(struct tournament *event, struct tournament_table *table)
{
    unsigned ranks[TOURNAMENT_SEATS_MAX] = {0};
    char text[64] = "";
    for (unsigned place = 1; place <= table->seats; place++) {
        double sum = 0;
        for (unsigned seat = 0; seat < table->seats; seat++)
            sum += ranks[seat] == 0 ? exp2(event->entrants[table->entry[seat]].rating / 6000.0) : 0;
        double drawn = sum * roll(1 << 20) / (1 << 20);
        for (unsigned seat = 0; seat < table->seats; seat++) {
            double weight =
                ranks[seat] == 0 ? exp2(event->entrants[table->entry[seat]].rating / 6000.0) : 0;
            if (weight > 0 && (drawn < weight || drawn - weight < 0)) {
                ranks[seat] = place;
                break;
            }
            drawn -= weight;
        }
    }
    for (unsigned seat = 0; seat < table->seats; seat++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%u ", ranks[seat]);
    tell_result(event, table->round, table->table, text);
}

/* Over many events, with the real pairings: of those who are given a chance of about a third, a
 * third wins. */
TEST(test_calibration)
{
    enum { SAMPLES = 200, PLAYERS = 8, BINS = 5 };
    double expected[BINS] = {0}, variance[BINS] = {0}, won[BINS] = {0};
    const unsigned events = getenv("TILLROLL_LONG") == NULL ? 80 : 250;
    luck = 42;
    for (unsigned n = 0; n < events; n++) {
        struct tournament event;
        struct chance chance = chance_of(n);
        chance.seed[1] = (uint8_t)(n >> 8);
        double predicted[PLAYERS] = {0};
        tell_entries(&event, EVENT(PODS("4")), PLAYERS);
        for (unsigned i = 0; i < PLAYERS; i++)
            event.entrants[i].rating = 20000 + (int32_t)roll(12000);
        tell_draw(&event, &chance);
        do {
            struct tournament_table *table;
            if (event.rounds_started == 2 + n % 2) {
                struct odds odds = make(&event, SAMPLES);
                for (size_t i = 0; i < odds.count; i++)
                    predicted[odds.entries[i].entry] =
                        (double)odds.entries[i].first / SAMPLES / ODDS_PART;
                odds_free(&odds);
            }
            while ((table = open_table(&event)) != NULL)
                play_by_weight(&event, table);
        } while (go_on(&event, &chance));
        struct ranking ranking;
        struct refusal refusal;
        assert_true(ranking_make(&event, &chance, event.rounds_started, &ranking, &refusal));
        for (size_t i = 0; i < ranking.place_count; i++) {
            double p = predicted[ranking.places[i].entry];
            int bin = (int)fmin(p * BINS, BINS - 1);
            expected[bin] += p;
            variance[bin] += p * (1 - p) + 0.25 / SAMPLES;
            won[bin] += ranking.places[i].place == 1;
        }
        ranking_free(&ranking);
        tournament_free(&event);
    }
    for (unsigned bin = 0; bin < BINS; bin++) {
        printf("chances of %u %% and more: %.1f expected, %.0f won\n", 100 * bin / BINS,
               expected[bin], won[bin]);
        assert_true(fabs(expected[bin] - won[bin]) <= 4 * sqrt(variance[bin]));
    }
}

/* ---- One log, one answer ---- */

static void expect_same(const struct odds *a, const struct odds *b)
{
    assert_memory_equal(a->seed, b->seed, sizeof a->seed);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->entries, b->entries, a->count * sizeof *a->entries);
}

TEST(test_drafts_and_roles_change_nothing)
{
    struct tournament event;
    tell_entries(&event, EVENT(SWISS("3")), 4);
    tell_stage(&event, "");
    tell_round(&event, "1 2 / 3 4", "", "");
    tell_results(&event, 1, "1 2 / 1 2");
    struct odds before = make(&event, 500);
    tell(&event, "role_given", "{'player':<9>,'role':'arbiter'}");
    tell(&event, "round_drawn",
         "{'round':2,'stage':1,'attempt':1,'tables':[[1,4],[3,2]],'byes':[],'absent':[],"
         "'quality':{}}");
    struct odds after = make(&event, 500);
    expect_same(&before, &after);
    odds_free(&after);
    tell(&event, "round_started", "{'round':2,'deadline':null}");
    after = make(&event, 500);
    assert_memory_not_equal(before.seed, after.seed, sizeof before.seed);
    odds_free(&after);
    odds_free(&before);
    tournament_free(&event);
}

/* Change these numbers together with ODDS_VERSION, and never without it. */
TEST(test_same_numbers_everywhere)
{
    static const uint32_t first[] = {36240, 9240, 8940, 1800, 1440, 1380, 960};
    static const uint32_t by_strength[] = {24240, 20100, 5760, 4080, 3240, 1920, 660};
    struct tournament event;
    struct chance chance = chance_of(3);
    tell_entries(&event,
                 EVENT("{'format': 'pod_swiss', 'rounds': 3, 'tie_breaks': ['PTS', 'RND'], "
                       "'pairing_version': 3}"),
                 7);
    rate(&event);
    tell_draw(&event, &chance);
    tell_results(&event, 1, "1 2 3 / 2 1 3 4");
    struct odds odds = make(&event, 1000);
    assert_int_equal(odds.seed[0] << 8 | odds.seed[1], 13187);
    assert_int_equal(odds.count, sizeof first / sizeof *first);
    for (size_t i = 0; i < odds.count; i++)
        assert_int_equal(odds.entries[i].first, first[i]);
    odds_free(&odds);
    for (int32_t i = 0; i < 7; i++)
        event.entrants[i].strength = (struct rating){22000000 + 1234567 * i, 8333333 - 999999 * i};
    odds = make(&event, 1000);
    assert_int_equal(odds.version, ODDS_VERSION);
    assert_int_equal(odds.seed[0] << 8 | odds.seed[1], 11630);
    for (size_t i = 0; i < odds.count; i++)
        assert_int_equal(odds.entries[i].first, by_strength[i]);
    odds_free(&odds);
    tournament_free(&event);
}

TEST(test_refusals)
{
    struct tournament event;
    struct odds odds;
    struct refusal refusal;
    tell_entries(&event, EVENT(SWISS("3")), 4);
    assert_false(odds_make(&event, 10, NULL, &odds, &refusal));
    assert_string_equal(refusal.code, ODDS_REFUSAL_NOT_YET);
    tournament_free(&event);
    tell_entries(&event, EVENT("{'format': 'ladder'}"), 4);
    assert_false(odds_possible(&event, &refusal));
    assert_string_equal(refusal.code, ODDS_REFUSAL_FORMAT);
    tournament_free(&event);
    struct chance chance = chance_of(1);
    tell_entries(&event, EVENT(SWISS("9")), 512);
    tell_draw(&event, &chance);
    assert_false(odds_make(&event, 10, NULL, &odds, &refusal));
    assert_string_equal(refusal.code, ODDS_REFUSAL_LARGE);
    tournament_free(&event);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
