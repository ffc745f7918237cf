/* The games and sessions at hand: what is kept, what is thrown away, and what is not believed. */
#include <string.h>

#include "api/state/game_cache.h"
#include "api/state/sessions.h"
#include "engine/game/catalog.h"
#include "tests/engine/support/roll.h"
#include "tests/test.h"

enum { NOW_MS = 1000000 };

static struct replay replay;
static struct replay copy;
static struct game_cache_tail tail;

static struct id game_number(unsigned number)
{
    struct id id = {"00000000-0000-7000-8000-000000000000"};
    struct text text = {id.text + 28, 0, 9, false};
    text_add_number(&text, 10000000 + (int64_t)number);
    return id;
}

/* Something to keep: what it holds does not matter here. */
FIXTURE(begin_game)
{
    const struct game *game = catalog_newest(span_of("shinjuku"));
    struct game_options options = {{0}};
    struct roll roll;
    assert_non_null(game);
    roll_write(&roll, game, 2, &options, 5, ROLL_RANDOM);
    replay = roll.replay;
    replay.seq = 0;
    replay.phase = REPLAY_PLAYING;
    roll_free(&roll);
    return 0;
}

static void put(struct game_cache *game_cache, unsigned number, uint32_t seq)
{
    struct id id = game_number(number);
    replay.seq = seq;
    game_cache_put(game_cache, &id, &replay, NULL, 0);
}

static enum game_cache_taken take(struct game_cache *game_cache, unsigned number)
{
    struct id id = game_number(number);
    memset(&copy, 0xee, sizeof copy);
    return game_cache_take(game_cache, &id, &copy, &tail);
}

static void release(struct game_cache *game_cache, unsigned number)
{
    struct id id = game_number(number);
    game_cache_release(game_cache, &id);
}

static void note(struct game_cache *game_cache, unsigned number, int row)
{
    struct id id = game_number(number);
    game_cache_note(game_cache, &id, row);
}

TEST(test_take_and_put)
{
    struct game_cache *game_cache = game_cache_new(1 << 20, NULL);
    assert_int_equal(take(game_cache, 1), GAME_CACHE_MISSING);
    put(game_cache, 1, 4);
    assert_int_equal(take(game_cache, 2), GAME_CACHE_MISSING);
    assert_int_equal(take(game_cache, 1), GAME_CACHE_TAKEN);
    assert_memory_equal(&copy, &replay, replay_size(&replay));
    assert_int_equal(take(game_cache, 1), GAME_CACHE_HELD);
    put(game_cache, 1, 5);
    release(game_cache, 1);
    assert_int_equal(take(game_cache, 1), GAME_CACHE_TAKEN);
    assert_int_equal(copy.seq, 5);
    release(game_cache, 1);
    /* One that is behind what is there does not replace it. */
    put(game_cache, 1, 3);
    assert_int_equal(take(game_cache, 1), GAME_CACHE_TAKEN);
    assert_int_equal(copy.seq, 5);
    game_cache_free(game_cache);
}

/* A state takes the more room the later its last byte is that is not zero. */
TEST(test_sizes)
{
    struct game_cache *game_cache = game_cache_new(1 << 20, NULL);
    const struct replay kept = replay;
    const size_t size = replay.header.game->state_size;
    size_t bytes = 0;
    for (uint32_t seq = 1; seq <= 4; seq++) {
        memset(replay.state, 0, size);
        memset(replay.state, (int)seq, seq == 4 ? 1 : size * seq / 3);
        put(game_cache, 1, seq);
        assert_int_equal(take(game_cache, 1), GAME_CACHE_TAKEN);
        assert_memory_equal(&copy, &replay, replay_size(&replay));
        release(game_cache, 1);
        size_t now = game_cache_figures(game_cache).bytes;
        assert_true(seq == 4 ? now == bytes : now >= bytes + size / 4);
        bytes = now;
    }
    replay = kept;
    game_cache_free(game_cache);
}

TEST(test_holds_add_up)
{
    struct game_cache *game_cache = game_cache_new(1 << 20, NULL);
    struct id id = game_number(1);
    game_cache_hold(game_cache, &id); /* of nothing */
    put(game_cache, 1, 1);
    game_cache_hold(game_cache, &id);
    game_cache_hold(game_cache, &id);
    release(game_cache, 1);
    assert_int_equal(take(game_cache, 1), GAME_CACHE_HELD);
    release(game_cache, 1);
    assert_int_equal(take(game_cache, 1), GAME_CACHE_TAKEN);
    game_cache_free(game_cache);
}

/* What another process has written makes a game out of date, until it is read anew. */
TEST(test_notes)
{
    struct game_cache *game_cache = game_cache_new(1 << 20, NULL);
    note(game_cache, 1, 9); /* of nothing */
    put(game_cache, 1, 4);
    note(game_cache, 1, 4);
    assert_int_equal(take(game_cache, 1), GAME_CACHE_TAKEN);
    release(game_cache, 1);
    note(game_cache, 1, 5);
    assert_int_equal(take(game_cache, 1), GAME_CACHE_MISSING);
    put(game_cache, 1, 4); /* from a snapshot before it */
    assert_int_equal(take(game_cache, 1), GAME_CACHE_MISSING);
    put(game_cache, 1, 5);
    assert_int_equal(take(game_cache, 1), GAME_CACHE_TAKEN);
    /* Nothing is believed any more; what is held goes when it is released. */
    put(game_cache, 2, 1);
    game_cache_note_all(game_cache);
    assert_int_equal(take(game_cache, 2), GAME_CACHE_MISSING);
    assert_int_equal(take(game_cache, 1), GAME_CACHE_MISSING);
    put(game_cache, 1, 6);
    release(game_cache, 1);
    assert_int_equal(take(game_cache, 1), GAME_CACHE_MISSING);
    assert_int_equal(game_cache_figures(game_cache).games, 0);
    assert_int_equal(game_cache_figures(game_cache).bytes, 0);
    game_cache_free(game_cache);
}

TEST(test_bounded)
{
    enum { GAMES = 500, KIBIBYTES = 256 };
    struct game_cache *game_cache = game_cache_new(KIBIBYTES * 1024, NULL);
    struct id held = game_number(0);
    put(game_cache, 0, 1);
    game_cache_hold(game_cache, &held);
    for (unsigned i = 1; i < GAMES; i++) {
        put(game_cache, i, 1);
        assert_int_equal(take(game_cache, 1), GAME_CACHE_TAKEN); /* used again and again */
        release(game_cache, 1);
        assert_true(game_cache_figures(game_cache).bytes <= KIBIBYTES * 1024);
    }
    size_t games = game_cache_figures(game_cache).games;
    assert_in_range(games, KIBIBYTES / 16, GAMES / 2); /* at most 16 KiB a game */
    assert_int_equal(take(game_cache, 0), GAME_CACHE_HELD);
    assert_int_equal(take(game_cache, 1), GAME_CACHE_TAKEN);
    assert_int_equal(take(game_cache, 2), GAME_CACHE_MISSING);
    assert_int_equal(take(game_cache, (unsigned)(GAMES - games) + 1), GAME_CACHE_MISSING);
    for (unsigned i = (unsigned)(GAMES - games) + 2; i < GAMES; i++)
        assert_int_equal(take(game_cache, i), GAME_CACHE_TAKEN);
    game_cache_free(game_cache);
}

/* The rows of a tail are the last ones of the record, without a gap. */
static void assert_tail(struct game_cache *game_cache, unsigned number, unsigned first,
                        unsigned count)
{
    struct record_row rows[GAME_CACHE_TAIL];
    assert_int_equal(take(game_cache, number), GAME_CACHE_TAKEN);
    release(game_cache, number);
    assert_int_equal(game_cache_tail_rows(&tail, rows), count);
    for (unsigned i = 0; i < count; i++) {
        char line[16];
        struct text text = TEXT_OVER(line);
        text_add_number(&text, first + i);
        text_add(&text, " row");
        assert_int_equal(rows[i].seq, first + i);
        assert_true(span_equal(rows[i].line, text_span(&text)));
        assert_int_equal(rows[i].hash[31], (uint8_t)(first + i));
    }
}

enum { MOST = 20 };

/* Puts rows first .. first + count - 1. */
static void put_rows(struct game_cache *game_cache, unsigned number, unsigned first, unsigned count)
{
    static char line[MOST][GAME_CACHE_TAIL_BYTES];
    struct record_row rows[MOST];
    struct id id = game_number(number);
    for (unsigned i = 0; i < count; i++) {
        struct text text = TEXT_OVER(line[i]);
        text_add_number(&text, first + i);
        text_add(&text, " row");
        rows[i].seq = first + i;
        rows[i].line = text_span(&text);
        memset(rows[i].hash, (int)(first + i), sizeof rows[i].hash);
    }
    replay.seq = first + count - 1;
    game_cache_put(game_cache, &id, &replay, rows, count);
}

TEST(test_tails)
{
    struct game_cache *game_cache = game_cache_new(1 << 20, NULL);
    put_rows(game_cache, 1, 1, 2);
    assert_tail(game_cache, 1, 1, 2);
    put_rows(game_cache, 1, 3, 1);
    assert_tail(game_cache, 1, 1, 3);
    put_rows(game_cache, 1, 4, 3);
    assert_tail(game_cache, 1, 3, 4);
    put_rows(game_cache, 1, 7, 20);
    assert_tail(game_cache, 1, 23, 4);
    put_rows(game_cache, 1, 20, 3); /* behind: nothing changes */
    assert_tail(game_cache, 1, 23, 4);
    put_rows(game_cache, 1, 30, 2); /* after rows that are not known */
    assert_tail(game_cache, 1, 30, 2);
    put(game_cache, 1, 40); /* rows not known at all */
    assert_tail(game_cache, 1, 0, 0);
    put_rows(game_cache, 1, 41, 1);
    assert_tail(game_cache, 1, 41, 1);
    game_cache_free(game_cache);
}

/* Puts one row, with a line of this length, and says how many are kept and how long the first is.
 */
static void assert_kept(struct game_cache *game_cache, unsigned seq, size_t length, size_t count,
                        size_t first)
{
    static char line[GAME_CACHE_TAIL_BYTES + 1];
    struct record_row rows[GAME_CACHE_TAIL];
    struct record_row row = {.seq = seq, .line = {line, length}};
    struct id id = game_number(1);
    memset(line, (int)('a' + seq), length);
    replay.seq = seq;
    game_cache_put(game_cache, &id, &replay, &row, 1);
    assert_int_equal(take(game_cache, 1), GAME_CACHE_TAKEN);
    release(game_cache, 1);
    assert_int_equal(game_cache_tail_rows(&tail, rows), count);
    if (count == 0)
        return;
    assert_int_equal(rows[0].line.length, first);
    assert_int_equal(rows[0].line.at[0], 'a' + rows[0].seq);
    assert_true(span_equal(rows[count - 1].line, row.line));
}

TEST(test_long_lines)
{
    struct game_cache *game_cache = game_cache_new(1 << 20, NULL);
    assert_kept(game_cache, 1, 100, 1, 100);
    assert_kept(game_cache, 2, 101, 2, 100);
    assert_kept(game_cache, 3, 87, 3, 100); /* all the room there is */
    assert_kept(game_cache, 4, 1, 3, 101);
    assert_kept(game_cache, 5, 2, 4, 101);
    assert_kept(game_cache, 6, 198, 4, 87);
    assert_kept(game_cache, 7, GAME_CACHE_TAIL_BYTES, 1, GAME_CACHE_TAIL_BYTES);
    assert_kept(game_cache, 8, GAME_CACHE_TAIL_BYTES + 1, 0, 0);
    assert_kept(game_cache, 9, 3, 1, 3);
    game_cache_free(game_cache);
}

/* ---- Sessions ---- */

static const struct id player = {"11111111-0000-7000-8000-000000000000"};

static bool is_known(struct sessions *sessions, const uint8_t token[static 32], int64_t now_ms)
{
    struct id found;
    unsigned scopes;
    bool known = sessions_find(sessions, token, now_ms, &found, &scopes);
    assert_true(!known || (id_equal(&found, &player) && scopes == 5));
    return known;
}

TEST(test_sessions)
{
    struct sessions *sessions = sessions_new();
    const uint8_t one[32] = {1, 2, 3};
    const uint8_t two[32] = {1, 2, 4}; /* of the same set */
    uint64_t epoch = sessions_epoch(sessions);
    assert_false(is_known(sessions, one, NOW_MS));
    sessions_keep(sessions, one, &player, 5, NOW_MS + 500, epoch);
    sessions_keep(sessions, two, &player, 5, INT64_MAX, epoch);
    assert_true(is_known(sessions, one, NOW_MS + 499));
    assert_false(is_known(sessions, one, NOW_MS + 500)); /* expired */
    assert_true(is_known(sessions, two, NOW_MS + 500));
    sessions_forget(sessions, two);
    assert_false(is_known(sessions, two, NOW_MS));
    assert_true(is_known(sessions, one, NOW_MS));
    /* The database was asked before it was revoked. */
    sessions_keep(sessions, two, &player, 5, INT64_MAX, epoch);
    assert_false(is_known(sessions, two, NOW_MS));
    sessions_keep(sessions, two, &player, 5, INT64_MAX, sessions_epoch(sessions));
    assert_true(is_known(sessions, two, NOW_MS));
    sessions_forget_all(sessions);
    assert_false(is_known(sessions, one, NOW_MS));
    assert_false(is_known(sessions, two, NOW_MS));
    sessions_free(sessions);
}

/* However many there are, the table stays as large as it is, and the newest are known. */
TEST(test_many_sessions)
{
    struct sessions *sessions = sessions_new();
    uint8_t token[32] = {0};
    for (unsigned i = 0; i < 100; i++) {
        token[5] = (uint8_t)i;
        sessions_keep(sessions, token, &player, 5, NOW_MS + 1000 + i, sessions_epoch(sessions));
    }
    unsigned known = 0;
    for (unsigned i = 0; i < 100; i++) {
        token[5] = (uint8_t)i;
        known += is_known(sessions, token, NOW_MS + 100);
    }
    assert_int_equal(known, 8);
    assert_true(is_known(sessions, token, NOW_MS + 100));
    sessions_free(sessions);
}

int main(void)
{
    return run_all_tests(begin_game, NULL);
}
