/* Players in games with other component sets than those that come with the program (set_changes.h):
 * levels of play choose, and use nothing hidden; games are recorded, proved, analysed, and judged
 * half-way. `TILLROLL_SETS` sets how many sets of each ruleset are played, `TILLROLL_FIRST_SET`
 * which is the first, and `TILLROLL_RULESET` names the only ruleset to play. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/analysis/adjudication.h"
#include "engine/analysis/analysis_check.h"
#include "engine/analysis/analysis_document.h"
#include "engine/game/catalog.h"
#include "tests/engine/game/set_changes.h"
#include "tests/engine/search/choices.h"
#include "tests/engine/support/roll.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

enum {
    CHANGES = 120, /* that are tried on a set */
    SETS = 2,
    SETS_LONG = 25,
    ANALYSED = 8, /* plies of a game for several players, every day */
    SAMPLES = 4
};

static struct {
    unsigned long digests, others, plies, analysed, judged;
} counted;

static bool is_long(void)
{
    return getenv("TILLROLL_LONG") != NULL;
}

/* ---- Levels ---- */

/* All levels choose, and the same in a position that was imagined for their seat. */
static void try_levels(const struct game *rules, const struct game *game)
{
    for (size_t i = 0; level_at(i) != NULL; i++) {
        char usual[CHOICES_HEX + 1], seen[CHOICES_HEX + 1], imagined[CHOICES_HEX + 1];
        choices_digest(rules, level_at(i), false, usual);
        choices_digest(game, level_at(i), false, seen);
        choices_digest(game, level_at(i), true, imagined);
        if (strcmp(seen, imagined) != 0)
            fail_msg("%s, set %s: %s uses what is hidden", game->slug, game->components_sha256,
                     level_at(i)->name);
        counted.digests++;
        counted.others += strcmp(seen, usual) != 0;
    }
}

/* A game from its first decision to its end, each seat at a level that chooses by weight. */
static void play_game(const struct game *game, unsigned seats, uint32_t number)
{
    const struct game_options options = game_options_initial(game);
    struct level_player *player[GAME_SEATS_MAX] = {NULL};
    struct table table;
    struct move_list list;
    size_t plies = 0;
    table_list_init(&list, game);
    table_set(&table, game, seats, &options, number);
    for (unsigned seat = 0; seat < seats; seat++) {
        player[seat] = level_player_new(game, level_at((number + seat) % 3));
        assert_non_null(player[seat]);
    }
    for (uint32_t deciders; (deciders = game->deciders(table.state)) != 0; plies++) {
        const uint8_t head[32] = {(uint8_t)plies, (uint8_t)(plies >> 8), (uint8_t)number};
        const unsigned seat = (unsigned)__builtin_ctz(deciders);
        struct refusal refusal;
        struct chance luck;
        assert_true(plies < game->plies_max);
        table_legal(game, table.state, seat, &list);
        assert_true(list.count > 0);
        level_luck(&luck, head, seat);
        const size_t chosen = level_choose(player[seat], table.state, seat, &luck, &list);
        assert_true(chosen < list.count);
        if (!game->play(game, table.state, seat, move_list_get(&list, chosen), &table.chance,
                        &refusal))
            fail_msg("%s, set %s: %s", game->slug, game->components_sha256, refusal.message);
    }
    assert_true(table_fence_stands(&table));
    counted.plies += plies;
    for (unsigned seat = 0; seat < seats; seat++)
        level_player_free(player[seat]);
    move_list_free(&list);
}

/* ---- Records ---- */

static void check_sums(const struct analysis *analysis)
{
    for (unsigned seat = 0; seat < analysis_header(analysis)->seats; seat++) {
        const struct analysis_total total = analysis_total(analysis, seat);
        assert_int_equal(total.start + total.luck + total.own + total.others, total.result);
    }
}

/* At least `most` plies, if there are so many. */
static void analyse(const struct game *game, struct span record, size_t most)
{
    const struct component_sets sets = roll_sets(game);
    enum replay_verdict verdict;
    struct record_fault fault;
    json_t *plies = json_array();
    assert_null(analysis_new(record, NULL, ANALYSIS_BUDGET_MIN, &verdict, &fault));
    assert_string_equal(fault.code, "wrong-components");
    struct analysis *analysis = analysis_new(record, &sets, ANALYSIS_BUDGET_MIN, &verdict, &fault);
    if (analysis == NULL)
        fail_msg("%s, set %s: %s", game->slug, game->components_sha256, fault.message);
    while (analysis_done(analysis) < most && analysis_step(analysis))
        json_array_append_new(plies, analysis_document_ply(analysis));
    assert_false(analysis_failed(analysis));
    check_sums(analysis);
    counted.analysed += analysis_done(analysis);
    if (analysis_done(analysis) == analysis_count(analysis)) {
        json_t *document = analysis_document(analysis);
        json_object_set(document, "plies", plies);
        const char *wrong = analysis_check(document, record, ANALYSIS_BUDGET_MIN);
        if (wrong != NULL)
            fail_msg("%s, set %s: %s", game->slug, game->components_sha256, wrong);
        json_decref(document);
    }
    json_decref(plies);
    analysis_free(analysis);
}

/* A proposed result of the position after half of the lines. */
static void judge(const struct game *game, struct span record, const uint8_t secret[static 32],
                  uint32_t lines)
{
    static struct replay replay; /* large */
    const struct component_sets sets = roll_sets(game);
    struct adjudication made;
    struct record_fault fault;
    struct span rest = record, line;
    assert_true(replay_begin(&replay, &sets, &rest, secret, &fault));
    while (replay.seq < lines / 2 && span_line(&rest, &line)) {
        const struct span past = {record.at, (size_t)(line.at - record.at)};
        assert_true(replay_line_after(&replay, past, line, &fault));
    }
    for (int view = ADJUDICATION_FULL; view <= ADJUDICATION_PUBLIC; view++) {
        assert_true(adjudication_make(&replay, (enum adjudication_view)view, SAMPLES, &made));
        for (unsigned seat = 0; seat < made.seats; seat++) {
            uint32_t samples = 0;
            for (unsigned place = 0; place < made.seats; place++)
                samples += made.seat[seat].ended[place];
            assert_int_equal(samples, SAMPLES);
            assert_in_range(made.seat[seat].place, 1, made.seats);
        }
        counted.judged++;
    }
}

static void try_record(const struct game *game, unsigned seats, uint32_t number)
{
    static struct replay replay; /* large */
    const struct game_options options = game_options_initial(game);
    const struct component_sets sets = roll_sets(game);
    struct record_fault fault;
    struct roll roll;
    roll_write(&roll, game, seats, &options, number, ROLL_SENSIBLE);
    assert_int_equal(replay_verify(roll_span(&roll), NULL, &replay, &fault), REPLAY_INVALID);
    assert_string_equal(fault.code, "wrong-components");
    if (replay_verify(roll_span(&roll), &sets, &replay, &fault) != REPLAY_VALID)
        fail_msg("%s, set %s: %s", game->slug, game->components_sha256, fault.message);
    judge(game, roll_span(&roll), replay.secret, replay.seq);
    analyse(game, roll_span(&roll), is_long() || seats == 1 ? SIZE_MAX : ANALYSED);
    roll_free(&roll);
}

/* ---- The test ---- */

static void test_players(void **context)
{
    const struct game *rules = *context;
    const uint32_t first = set_number("TILLROLL_FIRST_SET", 0);
    const uint32_t sets = set_number("TILLROLL_SETS", is_long() ? SETS_LONG : SETS);
    const unsigned counts = rules->seats_max - rules->seats_min + 1;
    memset(&counted, 0, sizeof counted);
    for (uint32_t number = first; number < first + sets; number++) {
        unsigned steps;
        struct game *game = set_changed(rules, number, CHANGES, &steps);
        assert_true(steps > 10);
        try_levels(rules, game);
        for (unsigned seats = rules->seats_min; seats <= rules->seats_max; seats++)
            play_game(game, seats, number);
        try_record(game, rules->seats_min + number % counts, number);
        component_set_free(game);
    }
    print_message("%s: %u sets; %lu of %lu levels choose otherwise than with its own; %lu plies by "
                  "levels, %lu analysed, %lu results proposed\n",
                  rules->slug, (unsigned)sets, counted.others, counted.digests, counted.plies,
                  counted.analysed, counted.judged);
    assert_true(counted.others > 0);
    assert_true(counted.plies >= (unsigned long)sets * counts * 10);
    assert_true(counted.analysed >= (unsigned long)sets * ANALYSED);
    assert_int_equal(counted.judged, 2 * sets);
}

int main(void)
{
    const char *only = getenv("TILLROLL_RULESET");
    int failed = 0;
    if (sodium_init() < 0)
        return 1;
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        const struct game *rules = catalog_at(i);
        if (rules->read == NULL || rules != catalog_newest(span_of(rules->slug)) ||
            (only != NULL && strcmp(only, rules->slug) != 0))
            continue;
        const struct CMUnitTest tests[] = {
            {"players", test_players, NULL, NULL, (void *)(uintptr_t)rules}};
        failed += cmocka_run_group_tests_name(rules->slug, tests, NULL, NULL);
    }
    return failed == 0 ? 0 : 1;
}
