/* Proposals for unfinished games: they add up, are the same for the same record, use no secret, and
 * foresee how games of such players end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/analysis/adjudication.h"
#include "engine/game/catalog.h"
#include "engine/search/value.h"
#include "tests/engine/support/roll.h"
#include "tests/engine/support/table.h"
#include "tests/test.h"

enum { SAMPLES = 60 };

static const struct game *newest(size_t i)
{
    const struct game *game = catalog_at(i);
    return game == NULL || game == catalog_newest(span_of(game->slug)) ? game : NULL;
}

/* The record replayed up to the line with `of` / 4 of its plies. */
static void replay_part(const struct roll *roll, struct replay *replay, unsigned of)
{
    struct span record = roll_span(roll), rest = record, line;
    struct record_fault fault;
    assert_true(replay_begin(replay, NULL, &rest, roll->replay.secret, &fault));
    uint32_t to = roll->replay.plies * of / 4;
    while (replay->plies < to && span_line(&rest, &line))
        assert_true(replay_line_after(
            replay, (struct span){record.at, (size_t)(line.at - record.at)}, line, &fault));
}

static void check(const struct adjudication *made)
{
    uint32_t first = 0;
    for (unsigned seat = 0; seat < made->seats; seat++) {
        const struct adjudication_seat *each = &made->seat[seat];
        uint32_t sum = 0, better = 0;
        for (unsigned place = 0; place < made->seats; place++)
            sum += each->ended[place];
        assert_int_equal(sum, made->samples);
        assert_true(each->score_error >= 0);
        for (unsigned other = 0; other < made->seats; other++)
            better += made->seat[other].place < each->place;
        assert_int_equal(each->place, better + 1);
        first += each->ended[0];
    }
    assert_true(first >= made->samples);
}

TEST(test_adds_up_and_repeats)
{
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        const struct game *game = newest(i);
        if (game == NULL)
            continue;
        struct roll *roll = calloc(1, sizeof *roll);
        struct replay *replay = calloc(1, sizeof *replay);
        struct adjudication once, again, open;
        const struct game_options options = game_options_initial(game);
        roll_write(roll, game, game->seats_min, &options, 3, ROLL_SENSIBLE);
        replay_part(roll, replay, 2);
        assert_true(adjudication_make(replay, ADJUDICATION_FULL, SAMPLES, &once));
        check(&once);
        assert_true(adjudication_make(replay, ADJUDICATION_PUBLIC, SAMPLES, &open));
        check(&open);
        /* The secret decides nothing. */
        memset(replay->secret, 0x5a, sizeof replay->secret);
        memset(replay->chance.seed, 0xa5, sizeof replay->chance.seed);
        assert_true(adjudication_make(replay, ADJUDICATION_FULL, SAMPLES, &again));
        assert_memory_equal(&once, &again, sizeof once);
        free(replay);
        roll_free(roll);
        free(roll);
    }
}

/* Points given by a ruling count: enough of them make any seat first. */
TEST(test_rulings_count)
{
    const struct game *game = catalog_newest(span_of("shinjuku"));
    struct roll *roll = calloc(1, sizeof *roll);
    struct replay *replay = calloc(1, sizeof *replay);
    struct adjudication made;
    const struct game_options options = game_options_initial(game);
    roll_write(roll, game, game->seats_min, &options, 5, ROLL_SENSIBLE);
    replay_part(roll, replay, 1);
    replay->adjusted[1] = 500;
    assert_true(adjudication_make(replay, ADJUDICATION_FULL, SAMPLES, &made));
    assert_int_equal(made.seat[1].place, 1);
    assert_int_equal(made.seat[1].ended[0], SAMPLES);
    replay->adjusted[1] = 0;
    replay->forfeits = 1;
    replay->forfeited[0] = 1;
    assert_true(adjudication_make(replay, ADJUDICATION_FULL, SAMPLES, &made));
    assert_int_equal(made.seat[1].place, made.seats);
    assert_int_equal(made.seat[1].ended[made.seats - 1], SAMPLES);
    free(replay);
    roll_free(roll);
    free(roll);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
