/* Going back: a seat that takes back its plies, and rulings that take back. Every game, and against
 * positions that were kept on the way. */
#include <sodium.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "tests/engine/support/roll.h"
#include "tests/engine/support/sight.h"
#include "tests/test.h"

enum { PLIES = 250, ENTRIES_MAX = 4 * PLIES, EPOCHS_TRIED = 8 };
#ifdef PLAYOUTS_DEFAULT /* fewer, because the build is slow */
enum { GAMES = 3, PLIES_UNDONE = 80 };
#else
enum { GAMES = 4, PLIES_UNDONE = PLIES };
#endif

#define DISPUTE "0190163d-8694-739b-aea5-966c26f8adb0"
#define BY      " by 0190163d-8694-739b-aea5-966c26f8adc0 why misapplied-rule"

/* A game that is being written, and its states before every entry. */
static struct roll roll;
static struct roll_writer writer;
static unsigned char before[ENTRIES_MAX + 2][2048];
static struct replay proved;

static const struct game *played(void)
{
    return roll.replay.header.game;
}

static void begin(const struct game *game, unsigned seats, uint32_t number,
                  const struct clock_control *clock)
{
    struct record_header header;
    struct game_options options = game_options_initial(game);
    uint8_t secret[32];
    assert_true(game->state_size <= sizeof before[0]);
    roll_header(&header, game, seats, &options, number, secret);
    header.clock = *clock;
    roll_begin(&writer, &roll, &header, secret, number);
}

static void end(void)
{
    roll_end(&writer);
    roll_free(&roll);
}

static void keep(void)
{
    assert_true(roll.replay.seq < ENTRIES_MAX);
    memcpy(before[roll.replay.seq + 1], roll.replay.state, played()->state_size);
}

static const char *say(const char *words)
{
    keep();
    const char *code = roll_say(&writer, words);
    keep();
    return code;
}

/* `<who> <time> <what> <number><rest>`, now. */
static const char *say_number(const char *who, const char *what, uint32_t number, const char *rest)
{
    char bytes[RECORD_LINE_MAX];
    struct text words = TEXT_OVER(bytes);
    text_add(&words, who);
    text_add_char(&words, ' ');
    text_add_number(&words, writer.elapsed_ms);
    text_add_char(&words, ' ');
    text_add(&words, what);
    text_add_char(&words, ' ');
    text_add_number(&words, number);
    text_add(&words, rest);
    return say(bytes);
}

static const char *say_undo(unsigned seat, uint32_t target)
{
    static const char *const seats[] = {"0", "1", "2", "3", "4"};
    return say_number(seats[seat], "undo", target, "");
}

static const char *say_takeback(uint32_t target, bool rekey)
{
    return say_number("-", "ruling " DISPUTE " takeback", target, rekey ? " rekey" BY : BY);
}

static const char *say_now(const char *what)
{
    char bytes[RECORD_LINE_MAX];
    struct text words = TEXT_OVER(bytes);
    text_add(&words, "- ");
    text_add_number(&words, writer.elapsed_ms);
    text_add_char(&words, ' ');
    text_add(&words, what);
    return say(bytes);
}

static void assert_said(const char *code)
{
    if (code != NULL)
        fail_msg("refused: %s", code);
}

static void assert_position(uint32_t seq)
{
    assert_memory_equal(roll.replay.state, before[seq], played()->state_size);
}

/* Plays on to the end; then the record must be valid, and a reader come to the same. */
static void assert_ends_well(void)
{
    struct record_fault fault = {0};
    while (roll.replay.phase != REPLAY_FINISHED) {
        writer.elapsed_ms += roll.replay.together ? 0 : 10;
        if (!roll_due(&writer))
            roll_ply(&writer);
    }
    if (replay_verify(roll_span(&roll), NULL, &proved, &fault) != REPLAY_VALID)
        fail_msg("line %u: %s: %s", (unsigned)fault.line, fault.code, fault.message);
    assert_memory_equal(proved.state, roll.replay.state, played()->state_size);
    assert_memory_equal(&proved.clock, &roll.replay.clock, sizeof proved.clock);
    assert_int_equal(proved.takebacks, roll.replay.takebacks);
    assert_int_equal(proved.epochs, roll.replay.epochs);
}

/* ---- Undo ---- */

/* What may be taken back, reckoned here: `from` is the first ply of seat `seat` since the last draw
 * and the last ply of another seat; 0 = none. */
struct span_of_plies {
    uint32_t from;
    unsigned seat;
};

/* True if the ply does not commute with drawing anew what is hidden. */
static bool draws(const unsigned char *state, unsigned seat, struct span move,
                  const unsigned char *after)
{
    _Alignas(8) unsigned char one[GAME_STATE_MAX];
    _Alignas(8) unsigned char two[GAME_STATE_MAX];
    struct refusal refusal;
    for (unsigned epoch = 1; epoch <= EPOCHS_TRIED; epoch++) {
        memcpy(one, state, played()->state_size);
        memcpy(two, after, played()->state_size);
        played()->rekey(played(), one, 100 + epoch, &roll.replay.chance);
        played()->rekey(played(), two, 100 + epoch, &roll.replay.chance);
        assert_true(played()->play(played(), one, seat, move, &roll.replay.chance, &refusal));
        if (memcmp(one, two, played()->state_size) != 0)
            return true;
    }
    return false;
}

/* The move of the last entry. */
static struct record_entry last_entry(void)
{
    struct record_entry entry;
    struct record_fault fault;
    size_t start = roll.length - 1;
    while (roll.bytes[start - 1] != '\n')
        start--;
    struct span line = {roll.bytes + start, roll.length - 1 - start - 10};
    assert_true(record_read_entry(line, &entry, &fault));
    return entry;
}

static void reckon(struct span_of_plies *span, uint32_t deciders, unsigned *silent)
{
    struct record_entry entry = last_entry();
    const unsigned char *state = before[entry.seq];
    bool drew = draws(state, entry.seat, entry.move, roll.replay.state);
    bool said = played()->drawn(played(), state) != played()->drawn(played(), roll.replay.state);
    assert_true(said || !drew);
    *silent += said && !drew;
    if (said || (deciders & (deciders - 1)) != 0)
        span->from = 0;
    else if (span->from == 0 || span->seat != entry.seat)
        *span = (struct span_of_plies){entry.seq, entry.seat};
}

/* Every seat tries to take back every one of the last entries: only what was reckoned may go. */
static unsigned try_all(const struct span_of_plies *span)
{
    static struct replay kept;
    size_t length = roll.length;
    unsigned allowed = 0;
    uint32_t last = roll.replay.seq;
    bool alone = played()->deciders(roll.replay.state) == 1u << span->seat;
    memcpy(&kept, &roll.replay, sizeof kept);
    for (unsigned seat = 0; seat < roll.replay.header.seats; seat++)
        for (uint32_t target = last > 6 ? last - 6 : 1; target <= last + 1; target++) {
            bool good = alone && span->from != 0 && seat == span->seat && target >= span->from &&
                        target <= last;
            const char *code = say_undo(seat, target);
            if (good != (code == NULL))
                fail_msg("%s: undo %u by %u after %u: %s", played()->slug, (unsigned)target, seat,
                         (unsigned)last, code == NULL ? "accepted" : code);
            if (good)
                assert_position(target);
            allowed += good;
            memcpy(&roll.replay, &kept, sizeof kept);
            roll.length = length;
            roll.bytes[length] = '\0';
        }
    return allowed;
}

static void check_undo(const struct game *game, unsigned seats, uint32_t number, unsigned *allowed,
                       unsigned *silent)
{
    const struct clock_control none = {CLOCK_NONE, 0, 0, 0, 0};
    struct span_of_plies span = {0, 0};
    begin(game, seats, number, &none);
    for (unsigned i = 0; i < PLIES_UNDONE && roll.replay.phase == REPLAY_PLAYING; i++) {
        uint32_t deciders = roll.replay.together ? UINT32_MAX : game->deciders(roll.replay.state);
        keep();
        roll_ply(&writer);
        reckon(&span, deciders, silent);
        if (roll.replay.phase == REPLAY_PLAYING && !roll.replay.together)
            *allowed += try_all(&span);
    }
    end();
}

/* One without tables, as a game that is just begun: each ply may end a turn, and nothing be drawn.
 */
static bool is_small(const struct game *game)
{
    return game->read == NULL;
}

TEST(test_a_seat_takes_back_its_own_plies)
{
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        const struct game *game = catalog_at(i);
        unsigned allowed = 0;
        unsigned silent = 0;
        for (unsigned seats = game->seats_min; seats <= game->seats_max; seats++)
            check_undo(game, seats, 2 * seats, &allowed, &silent);
        print_message("%s: %u undos, %u draws without surprise\n", game->slug, allowed, silent);
        assert_true(allowed > 0 || is_small(game));
    }
}

/* Undo again and again, with everything that came of it, and then to the end. */
TEST(test_undo_and_play_on)
{
    unsigned done = 0;
    const struct clock_control bank = {CLOCK_BANK, 1000000, 5, 1000000, 0};
    begin(catalog_newest(span_of("shinjuku")), 2, 4, &bank);
    while (roll.replay.phase == REPLAY_PLAYING && roll.replay.seq < ENTRIES_MAX - 4) {
        writer.elapsed_ms += 10;
        keep();
        roll_ply(&writer);
        uint32_t from = roll.replay.undo_from;
        if (from == 0 || done == 60 || roll.replay.seq % 3 != 0)
            continue;
        int64_t left = roll.replay.clock.left_ms[roll.replay.undo_seat];
        if (say_undo(roll.replay.undo_seat, from) == NULL) {
            done++;
            assert_position(from);
            assert_int_equal(roll.replay.takebacks, done);
            assert_true(roll.replay.clock.left_ms[roll.replay.undo_seat] <= left);
            assert_non_null(say_undo(roll.replay.undo_seat, from));
        }
    }
    assert_true(done > 20);
    assert_ends_well();
    end();
}

/* ---- Rulings ---- */

/* Nobody can tell that what is hidden was drawn anew. */
static void assert_same_sight(const void *one, const void *two, unsigned seats)
{
    for (unsigned seat = 0; seat < seats; seat++)
        assert_true(is_same_view(played(), one, two, (struct viewer){VIEWER_SEAT, seat}));
    assert_true(is_same_view(played(), one, two, (struct viewer){VIEWER_SPECTATOR, 0}));
    assert_true(is_same_view(played(), one, two, (struct viewer){VIEWER_AUDITOR, 0}));
}

/* Takes back to before `target`, if it leads to no half-taken decision. */
static bool take_back(uint32_t target, unsigned *rekeyed, unsigned *differ)
{
    _Alignas(8) unsigned char expected[GAME_STATE_MAX];
    size_t size = played()->state_size;
    bool drew = roll.replay.drawn_seq >= target;
    assert_said(say_now("freeze " DISPUTE));
    assert_non_null(say_takeback(target, !drew));
    memcpy(expected, before[target], size);
    bool done = say_takeback(target, drew) == NULL;
    if (done && drew) {
        played()->rekey(played(), expected, roll.replay.epochs, &roll.replay.chance);
        assert_same_sight(before[target], expected, roll.replay.header.seats);
        *differ += memcmp(before[target], expected, size) != 0;
    }
    if (done) {
        if (memcmp(roll.replay.state, expected, size) != 0)
            fail_msg("%s: another position after entry %u than before entry %u", played()->slug,
                     (unsigned)roll.replay.seq, (unsigned)target);
        assert_false(roll.replay.together);
    }
    *rekeyed += done && drew;
    assert_said(say_now("resume"));
    return done;
}

static void check_takebacks(const struct game *game, unsigned seats, uint32_t number,
                            unsigned *plain, unsigned *rekeyed, unsigned *differ)
{
    const struct clock_control none = {CLOCK_NONE, 0, 0, 0, 0};
    struct dice dice;
    dice_open(&dice, "takebacks", number);
    begin(game, seats, number, &none);
    for (unsigned i = 0; i < PLIES && roll.replay.phase == REPLAY_PLAYING; i++) {
        writer.elapsed_ms += roll.replay.together ? 0 : 10;
        keep();
        roll_ply(&writer);
        keep();
        if (roll.replay.together || roll.replay.takebacks == 25 || !dice_one_in(&dice, 6) ||
            roll.replay.phase != REPLAY_PLAYING)
            continue;
        unsigned before_this = *rekeyed;
        uint32_t back = dice_below(&dice, dice_one_in(&dice, 5) ? roll.replay.seq : 8);
        uint32_t target = back < roll.replay.seq ? roll.replay.seq - back : 1;
        *plain += take_back(target, rekeyed, differ) && *rekeyed == before_this;
    }
    assert_ends_well();
    end();
}

TEST(test_rulings_take_back)
{
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        const struct game *game = catalog_at(i);
        unsigned plain = 0;
        unsigned rekeyed = 0;
        unsigned differ = 0;
        for (unsigned seats = game->seats_min; seats <= game->seats_max; seats++)
            for (uint32_t number = 0; number < GAMES; number++)
                check_takebacks(game, seats, 10 * number + seats, &plain, &rekeyed, &differ);
        print_message("%s: %u take-backs without draw, %u with, %u of them with something hidden\n",
                      game->slug, plain, rekeyed, differ);
        assert_true((plain > 0 && rekeyed > 0 && differ > 0) || is_small(game));
    }
}

/* What a take-back brings back besides the position, and what it leaves alone. */
TEST(test_what_comes_back)
{
    const struct clock_control bank = {CLOCK_BANK, 100000, 1000, 100000, 0};
    begin(catalog_newest(span_of("shinjuku")), 3, 4, &bank);
    writer.elapsed_ms = 4000;
    roll_ply(&writer);
    struct clock clock = roll.replay.clock;
    unsigned out = (unsigned)(played()->deciders(roll.replay.state) == 2 ? 2 : 1);
    writer.elapsed_ms = 9000;
    uint32_t target = roll.replay.seq + 1;
    assert_said(say_number("-", "fallback", out, ""));
    assert_said(say_number("-", "forfeit", out, ""));
    assert_said(say_now("substitute 0 0190163d-8694-739b-aea5-966c26f8adf0 Eve -"));
    assert_said(say_now("freeze " DISPUTE));
    assert_said(say_now("ruling " DISPUTE " adjust 0 7" BY));
    assert_int_equal(roll.replay.forfeits, 1);
    writer.elapsed_ms = 50000;
    assert_said(say_takeback(target, false));
    assert_int_equal(roll.replay.forfeits, 0);
    assert_int_equal(roll.replay.fallback, 0);
    assert_int_equal(roll.replay.adjusted[0], 7);
    assert_string_equal(roll.replay.header.seat[0].name, "Eve");
    assert_int_equal(roll.replay.stop, REPLAY_FROZEN);
    assert_memory_equal(roll.replay.clock.left_ms, clock.left_ms, sizeof clock.left_ms);
    writer.elapsed_ms = 70000;
    assert_said(say_now("resume"));
    assert_memory_equal(roll.replay.clock.left_ms, clock.left_ms, sizeof clock.left_ms);
    assert_int_equal(roll.replay.clock.at_ms, 70000);
    assert_ends_well();
    end();
}

/* A take-back of what came after a take-back, and of the time in which another was ruled. */
TEST(test_back_and_back_again)
{
    const struct clock_control none = {CLOCK_NONE, 0, 0, 0, 0};
    unsigned rekeyed = 0;
    unsigned differ = 0;
    begin(catalog_newest(span_of("shinjuku")), 2, 6, &none);
    for (unsigned i = 0; i < 30; i++) {
        keep();
        roll_ply(&writer);
    }
    assert_true(take_back(11, &rekeyed, &differ));
    uint32_t second = roll.replay.seq + 1;
    for (unsigned i = 0; i < 20; i++) {
        keep();
        roll_ply(&writer);
    }
    assert_said(say_now("freeze " DISPUTE));
    assert_string_equal(say_takeback(15, true), "bad-takeback"); /* was taken back */
    assert_string_equal(say_takeback(31, true), "bad-takeback");
    assert_string_equal(say_takeback(roll.replay.seq + 1, false), "bad-takeback");
    assert_said(say_now("resume"));
    assert_true(take_back(second + 4, &rekeyed, &differ));
    assert_true(take_back(5, &rekeyed, &differ));
    assert_int_equal(rekeyed, 3);
    assert_int_equal(roll.replay.epochs, 3);
    assert_ends_well();
    end();
}

TEST(test_it_takes_the_record_so_far)
{
    const struct clock_control none = {CLOCK_NONE, 0, 0, 0, 0};
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    struct refusal refusal = {NULL, NULL};
    struct record_entry undo = {.kind = RECORD_UNDO};
    begin(catalog_newest(span_of("shinjuku")), 2, 4, &none);
    while (roll.replay.seq < 10 || roll.replay.undo_from == 0 ||
           played()->deciders(roll.replay.state) != 1u << roll.replay.undo_seat)
        roll_ply(&writer);
    undo.seat = roll.replay.undo_seat;
    undo.target = roll.replay.undo_from;
    roll.bytes[roll.length] = '\0';
    const char *second = strstr(roll.bytes, "\n2 ") + 1;
    const struct span wrong[] = {{NULL, 0},
                                 span_of("x"),
                                 {roll.bytes, roll.length / 2},
                                 {second, roll.length - (size_t)(second - roll.bytes)}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct replay copy = roll.replay;
        if (replay_add(&copy, wrong[i], &undo, &line, &refusal))
            fail_msg("%zu is enough", i);
        assert_string_equal(refusal.code, "needs-past");
        assert_memory_equal(&copy, &roll.replay, replay_size(&copy));
    }
    assert_said(say_undo(undo.seat, undo.target));
    end();
}

TEST(test_take_backs_are_counted)
{
    const struct clock_control none = {CLOCK_NONE, 0, 0, 0, 0};
    begin(catalog_newest(span_of("shinjuku")), 2, 4, &none);
    roll_ply(&writer);
    assert_said(say_now("freeze " DISPUTE));
    roll.replay.takebacks = REPLAY_TAKEBACKS_MAX - 1;
    assert_said(say_takeback(1, roll.replay.drawn_seq >= 1));
    assert_string_equal(say_takeback(2, false), "bad-takeback");
    end();
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
