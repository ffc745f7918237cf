/* One function, apply(), decides whether an entry may follow; reading and writing both go through
 * it. */
#include "engine/replay.h"

#include <sodium.h>
#include <string.h>

static const struct span none = {NULL, 0};

static void settle(struct replay *replay)
{
    if (replay->phase == REPLAY_PLAYING && replay->header.game->deciders(replay->state) == 0)
        replay->phase = REPLAY_OVER;
}

static void begin(struct replay *replay)
{
    const struct record_header *header = &replay->header;
    record_seed(header, replay->secret, replay->chance.seed);
    replay->chance.stacks = NULL;
    memset(replay->state, 0, sizeof replay->state);
    header->game->setup(replay->state, header->seats, &header->options, &replay->chance);
    replay->phase = REPLAY_PLAYING;
    settle(replay);
}

static bool keeps_commitment(const struct record_header *header, const uint8_t secret[static 32])
{
    uint8_t commitment[32];
    char scope[RECORD_SCOPE_MAX];
    struct text text = TEXT_OVER(scope);
    record_scope(header, &text);
    record_commitment(text_span(&text), secret, commitment);
    return sodium_memcmp(commitment, header->commitment, sizeof commitment) == 0;
}

size_t replay_size(const struct replay *replay)
{
    return offsetof(struct replay, state) + replay->header.game->state_size;
}

bool replay_begin(struct replay *replay, struct span *rest, const uint8_t secret[static 32],
                  struct record_fault *fault)
{
    memset(replay, 0, sizeof *replay);
    if (!record_read_header(rest, &replay->header, replay->head, &replay->lines, fault))
        return false;
    if (!keeps_commitment(&replay->header, secret))
        return record_fault(fault, "wrong-commitment",
                            "The secret is not the one that the record committed to.", none);
    memcpy(replay->secret, secret, sizeof replay->secret);
    begin(replay);
    return true;
}

/* ---- What may follow ---- */

static uint32_t deciders(const struct replay *replay)
{
    return replay->phase == REPLAY_PLAYING ? replay->header.game->deciders(replay->state) : 0;
}

static bool is_single(uint32_t seats)
{
    return (seats & (seats - 1)) == 0;
}

/* The lowest of some seats; -1 for none. */
static int lowest_seat(uint32_t seats)
{
    for (int seat = 0; seat < GAME_SEATS_MAX; seat++)
        if ((seats >> seat & 1) != 0)
            return seat;
    return -1;
}

uint32_t replay_simultaneous(const struct replay *replay)
{
    uint32_t seats = deciders(replay);
    return is_single(seats) ? 0 : seats;
}

/* The seat for which a quiet move is due, or -1. Of several that decide at the same time it has to
 * wait for those who are there. */
static int quiet_seat(const struct replay *replay)
{
    uint32_t seats = deciders(replay);
    int lowest = lowest_seat(seats);
    bool waits = !is_single(seats) && !replay->together && (seats & ~replay->fallback) != 0;
    return lowest < 0 || waits || (replay->fallback >> lowest & 1) == 0 ? -1 : lowest;
}

static bool is_quiet_move(const struct replay *replay, const struct record_entry *entry)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text quiet = TEXT_OVER(bytes);
    replay->header.game->fallback(replay->state, entry->seat, &quiet);
    return span_equal(entry->move, text_span(&quiet));
}

/* Several seats that decide at the same time come in their order and at one time. */
static bool keeps_order(const struct replay *replay, const struct record_entry *entry,
                        struct record_fault *fault)
{
    uint32_t seats = deciders(replay);
    if (!is_single(seats) && (int)entry->seat != lowest_seat(seats))
        return record_fault(fault, "wrong-order",
                            "Decisions taken at the same time stand in the order of seats.", none);
    if (replay->together && entry->elapsed_ms != replay->elapsed_ms)
        return record_fault(fault, "wrong-time",
                            "Decisions taken at the same time have the same time.", none);
    return true;
}

static bool is_absent(const struct replay *replay, unsigned seat)
{
    return (replay->fallback >> seat & 1) != 0;
}

static bool apply_ply(struct replay *replay, const struct record_entry *entry,
                      struct record_fault *fault, struct refusal *refusal)
{
    uint32_t before = deciders(replay);
    int quiet = quiet_seat(replay);
    if (replay->phase != REPLAY_PLAYING) {
        refuse(refusal, REFUSAL_GAME_OVER, "The game is over.");
        return record_fault(fault, "illegal-ply", "A ply after the end of the game.", none);
    }
    if (entry->seat >= replay->header.seats) {
        refuse(refusal, REFUSAL_NOT_YOUR_TURN, "There is no such seat in this game.");
        return record_fault(fault, "illegal-ply", "There is no such seat in this game.", none);
    }
    if ((quiet >= 0 && (unsigned)quiet != entry->seat) ||
        (is_absent(replay, entry->seat) &&
         ((before >> entry->seat & 1) == 0 || !is_quiet_move(replay, entry)))) {
        refuse(refusal, "seat-on-fallback", "The quiet move plays for this seat.");
        return record_fault(fault, "not-the-quiet-move",
                            "The quiet move of an absent seat was due, found: ", entry->move);
    }
    if (!keeps_order(replay, entry, fault)) {
        refuse(refusal, REFUSAL_NOT_YOUR_TURN, "Another seat comes first.");
        return false;
    }
    if (!replay->header.game->play(replay->state, entry->seat, entry->move, &replay->chance,
                                   refusal))
        return record_fault(fault, "illegal-ply", refusal->message, none);
    uint32_t left = before & ~(UINT32_C(1) << entry->seat);
    replay->together = left != 0 && replay->header.game->deciders(replay->state) == left;
    replay->plies++;
    return true;
}

static bool apply_fallback(struct replay *replay, const struct record_entry *entry,
                           struct record_fault *fault, struct refusal *refusal)
{
    bool known = entry->subject < replay->header.seats;
    if (replay->phase == REPLAY_PLAYING && known && quiet_seat(replay) < 0 &&
        (replay->fallback >> entry->subject & 1) == 0) {
        replay->fallback |= UINT32_C(1) << entry->subject;
        return true;
    }
    if (replay->phase != REPLAY_PLAYING)
        refuse(refusal, REFUSAL_GAME_OVER, "The game is over.");
    else if (!known)
        refuse(refusal, "unknown-seat", "There is no such seat in this game.");
    else
        refuse(refusal, "seat-on-fallback", "The quiet move plays for this seat already.");
    return record_fault(fault, "bad-fallback", refusal->message, none);
}

static bool apply_reveal(struct replay *replay, const struct record_entry *entry,
                         struct record_fault *fault)
{
    if (replay->phase != REPLAY_OVER)
        return record_fault(fault, "early-reveal",
                            "The secret is revealed once, when the game is over.", none);
    if (sodium_memcmp(entry->secret, replay->secret, sizeof replay->secret) != 0)
        return record_fault(fault, "wrong-commitment",
                            "The secret is not the one that the record committed to.", none);
    replay->phase = REPLAY_REVEALED;
    return true;
}

static bool apply_result(struct replay *replay, const struct record_entry *entry,
                         struct record_fault *fault)
{
    struct outcome outcome;
    if (replay->phase != REPLAY_REVEALED || entry->subject != replay->results)
        return record_fault(fault, "wrong-result",
                            "Results follow the reveal, one for each seat in order.", none);
    replay->header.game->outcome(replay->state, &outcome);
    if (entry->score != outcome.score[entry->subject] ||
        entry->rank != outcome.rank[entry->subject])
        return record_fault(fault, "wrong-result",
                            "The replayed game has another score or rank for this seat.", none);
    if (++replay->results == replay->header.seats)
        replay->phase = REPLAY_CLOSING;
    return true;
}

/* Applies an entry; on a refusal or fault nothing but `fault` and `refusal` has changed. */
static bool apply(struct replay *replay, const struct record_entry *entry,
                  struct record_fault *fault, struct refusal *refusal)
{
    if (entry->seq != replay->seq + 1)
        return record_fault(fault, "wrong-sequence",
                            "The sequence number is not one more than that of the line before.",
                            none);
    if (entry->elapsed_ms < replay->elapsed_ms)
        return record_fault(fault, "wrong-time", "The clock runs backwards.", none);
    bool good = false;
    switch (entry->kind) {
    case RECORD_PLY:
        good = apply_ply(replay, entry, fault, refusal);
        break;
    case RECORD_FALLBACK:
        good = apply_fallback(replay, entry, fault, refusal);
        break;
    case RECORD_REVEAL:
        good = apply_reveal(replay, entry, fault);
        break;
    case RECORD_RESULT:
        good = apply_result(replay, entry, fault);
        break;
    }
    if (!good)
        return false;
    replay->seq = entry->seq;
    replay->elapsed_ms = entry->elapsed_ms;
    settle(replay);
    return true;
}

/* ---- Reading ---- */

/* Reads `head <hash>`: the hash is the chain's value before this line. */
static bool read_head(struct span line, const uint8_t before[static 32], struct record_fault *fault)
{
    uint8_t named[32];
    struct span rest = line;
    span_word(&rest);
    if (!span_hex(rest, named, sizeof named) || memcmp(named, before, sizeof named) != 0)
        return record_fault(fault, "wrong-head", "The head is not the hash of the line before it.",
                            none);
    return true;
}

static bool is_head(struct span line)
{
    return line.length > 5 && memcmp(line.at, "head ", 5) == 0;
}

bool replay_line(struct replay *replay, struct span line, struct record_fault *fault)
{
    uint8_t before[32];
    struct record_entry entry;
    struct refusal refusal = {"", ""};
    memcpy(before, replay->head, sizeof before);
    fault->line = ++replay->lines;
    if (replay->phase == REPLAY_FINISHED)
        return record_fault(fault, "bad-line", "Nothing follows the head.", none);
    if (!record_chain_check(replay->head, &line, fault))
        return false;
    if (!is_head(line))
        return record_read_entry(line, &entry, fault) && apply(replay, &entry, fault, &refusal);
    if (replay->phase != REPLAY_CLOSING)
        return record_fault(fault, "bad-line", "The head comes before the last result.", none);
    replay->phase = REPLAY_FINISHED;
    return read_head(line, before, fault);
}

/* ---- Writing ---- */

static struct record_entry next_entry(const struct replay *replay, enum record_kind kind,
                                      int64_t elapsed_ms)
{
    if (elapsed_ms < replay->elapsed_ms)
        elapsed_ms = replay->elapsed_ms;
    return (struct record_entry){.seq = replay->seq + 1, .elapsed_ms = elapsed_ms, .kind = kind};
}

static bool add(struct replay *replay, const struct record_entry *entry, struct text *line,
                struct refusal *refusal)
{
    struct record_fault fault;
    if (!apply(replay, entry, &fault, refusal))
        return false;
    record_print_entry(entry, line);
    record_chain_mark(replay->head, line);
    replay->lines++;
    return true;
}

bool replay_add_ply(struct replay *replay, unsigned seat, struct span move, int64_t elapsed_ms,
                    struct text *line, struct refusal *refusal)
{
    struct record_entry entry = next_entry(replay, RECORD_PLY, elapsed_ms);
    entry.seat = seat;
    entry.move = move;
    if (seat < GAME_SEATS_MAX && (replay->fallback >> seat & 1) != 0 &&
        replay->phase == REPLAY_PLAYING)
        return refuse(refusal, "seat-on-fallback", "The quiet move plays for this seat.");
    return add(replay, &entry, line, refusal);
}

bool replay_add_fallback(struct replay *replay, unsigned seat, int64_t elapsed_ms,
                         struct text *line, struct refusal *refusal)
{
    struct record_entry entry = next_entry(replay, RECORD_FALLBACK, elapsed_ms);
    entry.subject = seat;
    return add(replay, &entry, line, refusal);
}

static void add_head(struct replay *replay, struct text *line)
{
    text_add(line, "head ");
    text_add_hex(line, replay->head, sizeof replay->head);
    record_chain_mark(replay->head, line);
    replay->lines++;
    replay->phase = REPLAY_FINISHED;
}

static bool add_quiet_move(struct replay *replay, unsigned seat, int64_t elapsed_ms,
                           struct text *line)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text quiet = TEXT_OVER(bytes);
    struct refusal refusal;
    struct record_entry entry = next_entry(replay, RECORD_PLY, elapsed_ms);
    replay->header.game->fallback(replay->state, seat, &quiet);
    entry.seat = seat;
    entry.move = text_span(&quiet);
    return add(replay, &entry, line, &refusal);
}

void replay_add_quiet(struct replay *replay, unsigned seat, int64_t elapsed_ms, struct text *line)
{
    add_quiet_move(replay, seat, elapsed_ms, line);
}

bool replay_add_due(struct replay *replay, int64_t elapsed_ms, bool reveal, struct text *line)
{
    struct refusal refusal;
    struct record_entry entry;
    struct outcome outcome;
    int quiet = quiet_seat(replay);
    if (quiet >= 0)
        return add_quiet_move(replay, (unsigned)quiet, elapsed_ms, line);
    switch (replay->phase) {
    case REPLAY_OVER:
        if (!reveal)
            return false;
        entry = next_entry(replay, RECORD_REVEAL, elapsed_ms);
        memcpy(entry.secret, replay->secret, sizeof entry.secret);
        return add(replay, &entry, line, &refusal);
    case REPLAY_REVEALED:
        replay->header.game->outcome(replay->state, &outcome);
        entry = next_entry(replay, RECORD_RESULT, elapsed_ms);
        entry.subject = replay->results;
        entry.score = outcome.score[replay->results];
        entry.rank = outcome.rank[replay->results];
        return add(replay, &entry, line, &refusal);
    case REPLAY_CLOSING:
        add_head(replay, line);
        return true;
    case REPLAY_PLAYING:
    case REPLAY_FINISHED:
        break;
    }
    return false;
}

/* ---- Verifying ---- */

/* Cuts the last line off `rest`. False at the beginning. */
static bool last_line(struct span *rest, struct span *line)
{
    if (rest->length == 0)
        return false;
    size_t end = rest->at[rest->length - 1] == '\n' ? rest->length - 1 : rest->length;
    size_t start = end;
    while (start > 0 && rest->at[start - 1] != '\n')
        start--;
    *line = (struct span){rest->at + start, end - start};
    rest->length = start;
    return true;
}

/* Looks for the secret from the end, where it is revealed. What is found has yet to be checked. */
static bool find_secret(struct span record, uint8_t secret[static 32])
{
    enum { MARK_LENGTH = 10 };
    struct span line;
    struct record_entry entry;
    struct record_fault fault;
    while (last_line(&record, &line)) {
        if (line.length <= MARK_LENGTH)
            continue;
        line.length -= MARK_LENGTH;
        if (record_read_entry(line, &entry, &fault) && entry.kind == RECORD_REVEAL) {
            memcpy(secret, entry.secret, sizeof entry.secret);
            return true;
        }
    }
    return false;
}

/* Checking form and chain alone, line by line. */
struct chain_check {
    struct record_header header;
    uint8_t hash[32];
    uint32_t lines, plies;
    bool revealed, closed;
};

static bool check_secret(struct chain_check *check, const struct record_entry *entry,
                         struct record_fault *fault)
{
    if (entry->kind != RECORD_REVEAL)
        return true;
    if (!keeps_commitment(&check->header, entry->secret))
        return record_fault(fault, "wrong-commitment",
                            "The secret is not the one that the record committed to.", none);
    check->revealed = true;
    return true;
}

static bool check_line(struct chain_check *check, struct span line, struct record_fault *fault)
{
    struct record_entry entry;
    uint8_t before[32];
    memcpy(before, check->hash, sizeof before);
    fault->line = ++check->lines;
    if (check->closed)
        return record_fault(fault, "bad-line", "Nothing follows the head.", none);
    if (!record_chain_check(check->hash, &line, fault))
        return false;
    if (!is_head(line)) {
        bool read = record_read_entry(line, &entry, fault);
        check->plies += read && entry.kind == RECORD_PLY;
        return read && check_secret(check, &entry, fault);
    }
    if (!check->revealed)
        return record_fault(fault, "bad-line", "The head comes before the secret.", none);
    check->closed = true;
    return read_head(line, before, fault);
}

static bool tell(const struct replay_listener *listener, uint32_t line,
                 const uint8_t head[static 32], struct record_fault *fault)
{
    if (listener == NULL)
        return true;
    fault->line = line;
    return listener->line(listener->context, head, fault);
}

/* Without a secret that fits: the first line that is damaged or reveals a wrong one, or else
 * nothing is wrong as far as the record goes. */
static enum replay_verdict verify_without_secret(struct span record,
                                                 const struct replay_listener *listener,
                                                 struct replay *replay, struct record_fault *fault)
{
    struct chain_check check = {.revealed = false};
    struct span line;
    if (!record_read_header(&record, &check.header, check.hash, &check.lines, fault) ||
        !tell(listener, check.lines, check.hash, fault))
        return REPLAY_INVALID;
    while (span_line(&record, &line))
        if (!check_line(&check, line, fault) || !tell(listener, check.lines, check.hash, fault))
            return REPLAY_INVALID;
    replay->header = check.header;
    replay->plies = check.plies;
    memcpy(replay->head, check.hash, sizeof replay->head);
    fault->line = 0;
    record_fault(fault, "unfinished", "The record ends before its head.", none);
    return REPLAY_UNFINISHED;
}

static bool is_whole(struct span record, struct record_fault *fault)
{
    uint32_t lines = 0;
    for (size_t i = 0; i < record.length; i++)
        lines += record.at[i] == '\n';
    if (record.length > RECORD_BYTES_MAX || lines > RECORD_LINES_MAX)
        return record_fault(fault, "too-long", "The record is longer than 8 MiB or 65,535 lines.",
                            none);
    if (record.length > 0 && record.at[record.length - 1] == '\n')
        return true;
    fault->line = lines + 1;
    return record_fault(fault, "bad-line", "The last line does not end with a line feed.", none);
}

enum replay_verdict replay_verify_listening(struct span record,
                                            const struct replay_listener *listener,
                                            struct replay *replay, struct record_fault *fault)
{
    uint8_t secret[32];
    struct span rest = record;
    struct span line;
    *fault = (struct record_fault){.line = 0};
    if (!is_whole(record, fault))
        return REPLAY_INVALID;
    if (!find_secret(record, secret) || !replay_begin(replay, &rest, secret, fault))
        return verify_without_secret(record, listener, replay, fault);
    if (!tell(listener, replay->lines, replay->head, fault))
        return REPLAY_INVALID;
    while (span_line(&rest, &line))
        if (!replay_line(replay, line, fault) ||
            !tell(listener, replay->lines, replay->head, fault))
            return REPLAY_INVALID;
    if (replay->phase == REPLAY_FINISHED)
        return REPLAY_VALID;
    fault->line = 0;
    record_fault(fault, "unfinished", "The record ends before its head.", none);
    return REPLAY_UNFINISHED;
}

enum replay_verdict replay_verify(struct span record, struct replay *replay,
                                  struct record_fault *fault)
{
    return replay_verify_listening(record, NULL, replay, fault);
}
