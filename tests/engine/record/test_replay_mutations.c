/* Damage to records in which everything happens: every bit of every byte turned over, every byte
 * left out, every line missing, doubled, or in the place of the next one. None is accepted.
 *
 * What stands before the damage is read as ever, so it is read once: each damaged rest goes on from
 * a copy. Damage to the header and to the secret, from which everything follows, goes through
 * replay_verify() from the start, and so do damaged lines; and so does all damage to the first
 * records, which shows that the two ways agree.
 *
 * TILLROLL_MUTATED sets how many records, of all games in turn and of any length:
 *
 *      TILLROLL_MUTATED=1000 build/release/tests/test_replay_mutations
 */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "tests/engine/support/roll.h"
#include "tests/test.h"

enum { SHORT = 5000 };
#ifdef PLAYOUTS_DEFAULT /* fewer, because the build is slow */
enum { RECORDS = 4, WHOLE = 1 };
#else
enum { RECORDS = 20, WHOLE = 2 };
#endif

static struct replay present, trial;
static struct record_fault fault;
static struct tally {
    uint64_t records, bytes, bits, left_out, lines;
} tally;

/* ---- One damaged record ---- */

static bool is_accepted(struct span record)
{
    return replay_verify(record, NULL, &trial, &fault) == REPLAY_VALID;
}

/* The same for a record that is good up to `start`, where `present` stands. */
static bool rest_is_accepted(struct span record, size_t start)
{
    struct span rest = {record.at + start, record.length - start};
    struct span line;
    if (record.at[record.length - 1] != '\n')
        return false;
    memcpy(&trial, &present, replay_size(&present));
    while (rest.length > 0) {
        struct span past = {record.at, record.length - rest.length};
        if (!span_line(&rest, &line) || !replay_line_after(&trial, past, line, &fault))
            return false;
    }
    return trial.phase == REPLAY_FINISHED;
}

/* `start` is 0 where all has to be read. */
static void assert_refused(struct span record, size_t start, size_t at, const char *damage)
{
    if (start == 0 ? is_accepted(record) : rest_is_accepted(record, start))
        fail_msg("%s at byte %zu is accepted:\n%.400s", damage, at, record.at + start);
}

/* ---- Bytes ---- */

static void turn_bits(struct roll *roll, size_t start, size_t at)
{
    for (unsigned bit = 0; bit < 8; bit++) {
        roll->bytes[at] = (char)(roll->bytes[at] ^ 1 << bit);
        assert_refused(roll_span(roll), start, at, "a bit");
        roll->bytes[at] = (char)(roll->bytes[at] ^ 1 << bit);
        tally.bits++;
    }
}

static void leave_out(struct roll *roll, size_t start, size_t at)
{
    char byte = roll->bytes[at];
    memmove(roll->bytes + at, roll->bytes + at + 1, roll->length - at - 1);
    assert_refused((struct span){roll->bytes, roll->length - 1}, start, at, "a byte left out");
    memmove(roll->bytes + at + 1, roll->bytes + at, roll->length - at - 1);
    roll->bytes[at] = byte;
    tally.left_out++;
}

static void damage_bytes(struct roll *roll, bool whole)
{
    struct span rest = roll_span(roll);
    struct span line;
    assert_true(replay_begin(&present, NULL, &rest, roll->replay.secret, &fault));
    size_t header = roll->length - rest.length;
    for (size_t at = 0; at < header; at++) {
        turn_bits(roll, 0, at);
        leave_out(roll, 0, at);
    }
    while (rest.length > 0) {
        size_t start = roll->length - rest.length;
        struct span past = {roll->bytes, start};
        assert_true(span_line(&rest, &line));
        bool all = whole || present.phase == REPLAY_OVER;
        for (size_t at = start; at < roll->length - rest.length; at++) {
            turn_bits(roll, all ? 0 : start, at);
            leave_out(roll, all ? 0 : start, at);
        }
        assert_true(replay_line_after(&present, past, line, &fault));
    }
}

/* ---- Lines ---- */

/* The record with lines `at` and the next replaced by `lines`, indices counted from `at`. */
static void damage_line(const struct roll *roll, struct span line, struct span next,
                        const struct span *instead, size_t count, char *bytes)
{
    size_t before = (size_t)(line.at - roll->bytes);
    size_t behind = before + line.length + next.length;
    size_t length = before;
    memcpy(bytes, roll->bytes, before);
    for (size_t i = 0; i < count; i++) {
        memcpy(bytes + length, instead[i].at, instead[i].length);
        length += instead[i].length;
    }
    memcpy(bytes + length, roll->bytes + behind, roll->length - behind);
    length += roll->length - behind;
    bytes[length] = '\0';
    assert_refused((struct span){bytes, length}, 0, before, "a line");
    tally.lines++;
}

/* With its LF; empty at the end. */
static struct span next_line(struct span *rest)
{
    struct span line = {rest->at, 0};
    if (span_line(rest, &line))
        line.length++;
    return line;
}

static void damage_lines(const struct roll *roll)
{
    char *bytes = malloc(roll->length + RECORD_LINE_MAX + 2);
    struct span rest = roll_span(roll);
    assert_non_null(bytes);
    struct span line = next_line(&rest);
    while (line.length > 0) {
        struct span next = next_line(&rest);
        damage_line(roll, line, next, &next, 1, bytes);
        damage_line(roll, line, next, (struct span[]){line, line, next}, 3, bytes);
        if (next.length > 0)
            damage_line(roll, line, next, (struct span[]){next, line}, 2, bytes);
        line = next;
    }
    free(bytes);
}

/* ---- Records ---- */

static void damage_number(uint32_t number, size_t longest)
{
    uint32_t rulesets = 0;
    while (catalog_at(rulesets) != NULL)
        rulesets++;
    const struct game *game = catalog_at(number % rulesets);
    unsigned seats = game->seats_min + number / rulesets % (game->seats_max - game->seats_min + 1);
    struct game_options options = game_options_initial(game);
    struct roll roll;
    roll_write(&roll, game, seats, &options, number, ROLL_EVENTFUL);
    if (roll.length <= longest) {
        assert_true(is_accepted(roll_span(&roll)));
        damage_bytes(&roll, tally.records < WHOLE);
        damage_lines(&roll);
        assert_true(is_accepted(roll_span(&roll)));
        tally.records++;
        tally.bytes += roll.length;
    }
    roll_free(&roll);
}

TEST(test_no_damage_is_accepted)
{
    const char *wanted = getenv("TILLROLL_MUTATED");
    uint64_t records = RECORDS;
    size_t longest = wanted == NULL ? SHORT : RECORD_BYTES_MAX;
    if (wanted != NULL && !span_number(span_of(wanted), UINT32_MAX, &records))
        fail_msg("TILLROLL_MUTATED takes a number");
    for (uint32_t number = 0; tally.records < records; number++)
        damage_number(number, longest);
    print_message("%llu records, %llu bytes: %llu bits turned over, %llu bytes left out, %llu "
                  "damaged lines; 0 accepted\n",
                  (unsigned long long)tally.records, (unsigned long long)tally.bytes,
                  (unsigned long long)tally.bits, (unsigned long long)tally.left_out,
                  (unsigned long long)tally.lines);
}

int main(void)
{
    return sodium_init() < 0 ? 1 : run_all_tests(NULL, NULL);
}
