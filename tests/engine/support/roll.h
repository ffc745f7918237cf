/* Records for tests: whole games written by way of replay_add_*, and their lines without marks, to
 * be changed and chained anew as a forger would. */
#ifndef TILLROLL_TESTS_ROLL_H
#define TILLROLL_TESTS_ROLL_H

#include "engine/game/component_list.h"
#include "engine/record/dealer.h"
#include "engine/record/replay.h"
#include "tests/engine/support/dice.h"

struct roll {
    char *bytes;
    size_t length, capacity;
    struct replay replay; /* as the writer left it */
};

enum roll_style {
    ROLL_RANDOM,   /* any legal move */
    ROLL_SENSIBLE, /* what advise() says */
    ROLL_ABSENT,   /* any legal move; seats fall silent on the way, one from the start */
    ROLL_EVENTFUL, /* any legal move; clocks, time-outs, undo, disputes, rulings, substitutes */
    ROLL_DEALT     /* the same, with co-dealers */
};

/* Writes game `number` from header to head. roll_free() frees. Ends the program when the engine
 * refuses what it must accept. */
void roll_write(struct roll *roll, const struct game *game, unsigned seats,
                const struct game_options *options, uint32_t number, enum roll_style style);
void roll_free(struct roll *roll);

struct span roll_span(const struct roll *roll);

/* What readers take for records of `game`: its component set, if it is not the ruleset's own. */
struct component_sets roll_sets(const struct game *game);

/* What writes a game, between the files of this part. */
struct roll_writer {
    struct roll *roll;
    enum roll_style style;
    struct dice dice;
    struct move_list legal;
    int64_t elapsed_ms;
    unsigned takebacks, substitutes; /* so far */
};

/* Begins a record with a header that commits to `secret`; `number` is that of the dice.
 * roll_end() and roll_free() free. */
void roll_begin(struct roll_writer *writer, struct roll *roll, const struct record_header *header,
                const uint8_t secret[static 32], uint32_t number);
void roll_end(struct roll_writer *writer);

/* Appends a random ply of the lowest seat that decides, or its fallback move. */
void roll_ply(struct roll_writer *writer);

/* Appends the next line that follows by itself. False if there is none. */
bool roll_due(struct roll_writer *writer);

/* Appends an entry of any kind. False if the engine refuses it. */
bool roll_add(struct roll_writer *writer, const struct record_entry *entry);

/* Appends the entry of which `words` say everything but the number: `- 500 timeout 1`. NULL, or the
 * code with which the engine refuses it. */
const char *roll_say(struct roll_writer *writer, const char *words);

/* Before a decision: time-outs that are due, and now and then something that players, arbiters or
 * the server do. True if something was written. */
bool roll_event(struct roll_writer *writer);

/* A header for tests, and the secret that it commits to. */
void roll_header(struct record_header *header, const struct game *game, unsigned seats,
                 const struct game_options *options, uint32_t number, uint8_t secret[static 32]);

/* Gives a header co-dealers, of whom the third is missing, with proofs for what it says by then. */
void roll_deal(struct record_header *header, unsigned dealers);

/* The secret of dealer `number`, 0 .. RECORD_DEALERS_MAX - 1. */
void roll_dealer_secret(unsigned number, uint8_t secret[static ECVRF_SECRET]);

/* Key pair `number`, 0 .. ROLL_KEYS - 1: the players of eventful games have some of them. */
enum { ROLL_KEYS = 20 };
void roll_key(unsigned number, uint8_t public_key[static 32], uint8_t secret_key[static 64]);

/* The signatures of entropy, and of all plies and undo lines in a record that were made by seats
 * with such a key, but for every `leave_out`-th; 0 = all. Every other one is made over the earliest
 * head that it may be made over, the rest over that before their line. The caller frees `at`. */
struct text roll_sign(struct span record, unsigned leave_out);

struct roll_line {
    char bytes[RECORD_LINE_MAX + 1]; /* without mark */
};

/* The lines of a record; the head stands without its hash. Room for more is at the end. */
struct roll_lines {
    struct roll_line *line;
    size_t count, capacity;
};

void roll_lines_of(struct roll_lines *lines, struct span record);
void roll_lines_free(struct roll_lines *lines);

/* Makes room for a new line at index `at` and puts `bytes` there. */
void roll_insert(struct roll_lines *lines, size_t at, const char *bytes);
void roll_remove(struct roll_lines *lines, size_t at);

/* The index of the first line, from `from` on, that holds `part`. Ends the program if none does. */
size_t roll_find(const struct roll_lines *lines, size_t from, const char *part);

/* Replaces the word number `word` (from 0) of a line. */
void roll_set_word(struct roll_lines *lines, size_t at, size_t word, const char *value);

/* Numbers the entries 1, 2, 3 ... as they lie. */
void roll_renumber(struct roll_lines *lines);

/* A record of these lines with marks, and with the hash that belongs to a head that stands without.
 * The caller frees `at`. */
struct text roll_chain(const struct roll_lines *lines);

/* Whether the replay is the same after replay_pack() and replay_unpack(). */
bool roll_packs(const struct replay *replay);

#endif
