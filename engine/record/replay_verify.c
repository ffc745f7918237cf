/* Whole records. With the secret, everything is verified by replay; without it, only form and
 * chain. */
#include <string.h>

#include "engine/record/dealer.h"
#include "engine/record/record_parts.h"
#include "engine/record/replay.h"
#include "engine/record/replay_parts.h"

/* Writing: a line is written by applying it. */

static struct record_entry entry_of(enum record_kind kind, int64_t elapsed_ms)
{
    return (struct record_entry){.elapsed_ms = elapsed_ms, .kind = kind};
}

bool replay_add(struct replay *replay, struct span past, const struct record_entry *wanted,
                struct text *line, struct refusal *refusal)
{
    struct record_fault fault;
    const struct replay_denial denial = {&fault, refusal};
    struct record_entry entry = *wanted;
    entry.seq = replay->seq + 1;
    if (entry.elapsed_ms < replay->elapsed_ms)
        entry.elapsed_ms = replay->elapsed_ms;
    if (!replay_apply(replay, past, &entry, &denial))
        return false;
    record_print_entry(&entry, line);
    record_chain_mark(replay->head, line);
    replay_note_head(replay, &entry);
    replay->lines++;
    return true;
}

static bool add(struct replay *replay, const struct record_entry *entry, struct text *line,
                struct refusal *refusal)
{
    return replay_add(replay, (struct span){NULL, 0}, entry, line, refusal);
}

bool replay_add_ply(struct replay *replay, unsigned seat, struct span move, int64_t elapsed_ms,
                    struct text *line, struct refusal *refusal)
{
    struct record_entry entry = entry_of(RECORD_PLY, elapsed_ms);
    entry.seat = seat;
    entry.move = move;
    if (seat < GAME_SEATS_MAX && (replay->fallback >> seat & 1) != 0 &&
        replay->phase == REPLAY_PLAYING)
        return refuse(refusal, "seat-on-fallback", "Fallback moves are played for this seat.");
    return add(replay, &entry, line, refusal);
}

bool replay_add_fallback(struct replay *replay, unsigned seat, int64_t elapsed_ms,
                         struct text *line, struct refusal *refusal)
{
    struct record_entry entry = entry_of(RECORD_FALLBACK, elapsed_ms);
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

static bool add_fallback_move(struct replay *replay, unsigned seat, int64_t elapsed_ms,
                              struct text *line)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text quiet = TEXT_OVER(bytes);
    struct refusal refusal;
    struct record_entry entry = entry_of(RECORD_PLY, elapsed_ms);
    replay->header.game->fallback(replay->header.game, replay->state, seat, &quiet);
    entry.seat = seat;
    entry.move = text_span(&quiet);
    return add(replay, &entry, line, &refusal);
}

void replay_add_quiet(struct replay *replay, unsigned seat, int64_t elapsed_ms, struct text *line)
{
    add_fallback_move(replay, seat, elapsed_ms, line);
}

bool replay_add_due(struct replay *replay, int64_t elapsed_ms, bool reveal, struct text *line)
{
    struct refusal refusal;
    struct record_entry entry;
    int quiet = replay_quiet_seat(replay);
    if (quiet >= 0)
        return add_fallback_move(replay, (unsigned)quiet, elapsed_ms, line);
    if (replay->stop != REPLAY_RUNS)
        return false;
    switch (replay->phase) {
    case REPLAY_OVER:
        if (!reveal)
            return false;
        entry = entry_of(replay->header.recorded ? RECORD_SHOW : RECORD_REVEAL, elapsed_ms);
        memcpy(entry.secret, replay->secret, sizeof entry.secret);
        return add(replay, &entry, line, &refusal);
    case REPLAY_REVEALED:
        entry = entry_of(RECORD_RESULT, elapsed_ms);
        entry.subject = replay->results;
        entry.score = replay->due_score[replay->results];
        entry.rank = replay->due_rank[replay->results];
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

static const struct span none = {NULL, 0};

/* Searches backwards for the secret, which is revealed near the end. The result has not been
 * checked. */
static bool find_secret(struct span record, uint8_t secret[static 32])
{
    struct span line;
    struct record_entry entry;
    struct record_fault fault;
    while (span_last_line(&record, &line)) {
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

/* Checks only form and chain, line by line. */
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
    if (!replay_keeps_commitment(&check->header, entry->secret))
        return record_fault(fault, "wrong-commitment",
                            "The secret does not match the record's commitment.", none);
    check->revealed = true;
    return true;
}

/* Follows only the players at the seats. */
static bool check_substitute(struct chain_check *check, const struct record_entry *entry,
                             struct record_fault *fault)
{
    if (entry->kind != RECORD_SUBSTITUTE)
        return true;
    if (entry->subject >= check->header.seats)
        return record_fault(fault, "bad-substitute", "The record has no such seat.", none);
    replay_put_in(&check->header, entry);
    return true;
}

static bool check_line(struct chain_check *check, struct span line, struct record_fault *fault)
{
    struct record_entry entry;
    uint8_t before[32];
    memcpy(before, check->hash, sizeof before);
    fault->line = ++check->lines;
    if (check->closed)
        return record_fault(fault, "bad-line", "Nothing may follow the head.", none);
    if (!record_chain_check(check->hash, &line, fault))
        return false;
    if (!record_is_head(line)) {
        bool read = record_read_entry(line, &entry, fault);
        check->plies += read && entry.kind == RECORD_PLY;
        return read && check_secret(check, &entry, fault) && check_substitute(check, &entry, fault);
    }
    if (!check->revealed)
        return record_fault(fault, "bad-line", "The head comes before the secret.", none);
    check->closed = true;
    return replay_read_head(line, before, fault);
}

static bool tell(const struct replay_listener *listener, uint32_t line,
                 const uint8_t head[static 32], struct record_fault *fault)
{
    if (listener == NULL)
        return true;
    fault->line = line;
    return listener->line(listener->context, head, fault);
}

/* Without a matching secret: finds the first line that is damaged or reveals a wrong secret. If
 * there is none, the record is valid so far. */
static enum replay_verdict verify_without_secret(struct span record,
                                                 const struct component_sets *sets,
                                                 const struct replay_listener *listener,
                                                 struct replay *replay, struct record_fault *fault)
{
    struct chain_check check = {.revealed = false};
    struct span line;
    if (!record_read_header(&record, &check.header, check.hash, &check.lines, fault) ||
        !record_find_set(&check.header, sets, fault) || !dealer_check(&check.header, fault) ||
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
    const bool ends = record.length > 0 && record.at[record.length - 1] == '\n';
    uint32_t lines = 0;
    if (ends && record.length <= RECORD_LINES_MAX)
        return true;
    for (size_t at = 0; at < record.length; lines++, at++) {
        const char *end = memchr(record.at + at, '\n', record.length - at);
        if (end == NULL)
            break;
        at = (size_t)(end - record.at);
    }
    if (record.length > RECORD_BYTES_MAX || lines > RECORD_LINES_MAX)
        return record_fault(fault, "too-long", "The record is longer than 8 MiB or 65,535 lines.",
                            none);
    if (ends)
        return true;
    fault->line = lines + 1;
    return record_fault(fault, "bad-line", "The last line does not end with a line feed.", none);
}

/* True if the first line says that the game was recorded: it needs no secret. */
static bool is_recorded(struct span record)
{
    struct span line;
    return span_line(&record, &line) && line.length > MARK_LENGTH &&
           span_is((struct span){line.at, line.length - MARK_LENGTH}, "tillroll 2");
}

/* The part of a record that has been read when `rest` is left. */
static struct span first_of(struct span record, const struct span *rest)
{
    return (struct span){record.at, record.length - rest->length};
}

enum replay_verdict replay_verify_listening(struct span record, const struct component_sets *sets,
                                            const struct replay_listener *listener,
                                            struct replay *replay, struct record_fault *fault)
{
    uint8_t secret[32] = {0};
    struct span rest = record;
    struct span line;
    *fault = (struct record_fault){.line = 0};
    if (!is_whole(record, fault))
        return REPLAY_INVALID;
    if (is_recorded(record)) {
        if (!replay_begin(replay, sets, &rest, secret, fault))
            return REPLAY_INVALID;
    } else if (!find_secret(record, secret) || !replay_begin(replay, sets, &rest, secret, fault)) {
        return verify_without_secret(record, sets, listener, replay, fault);
    }
    if (!dealer_check(&replay->header, fault) ||
        !tell(listener, replay->lines, replay->head, fault))
        return REPLAY_INVALID;
    for (struct span past = first_of(record, &rest); span_line(&rest, &line);
         past = first_of(record, &rest))
        if (!replay_line_after(replay, past, line, fault) ||
            !tell(listener, replay->lines, replay->head, fault))
            return REPLAY_INVALID;
    if (replay->phase == REPLAY_FINISHED)
        return REPLAY_VALID;
    fault->line = 0;
    record_fault(fault, "unfinished", "The record ends before its head.", none);
    return REPLAY_UNFINISHED;
}

enum replay_verdict replay_verify(struct span record, const struct component_sets *sets,
                                  struct replay *replay, struct record_fault *fault)
{
    return replay_verify_listening(record, sets, NULL, replay, fault);
}

static uint32_t out_of_game(const struct replay *replay)
{
    uint32_t seats = 0;
    for (unsigned i = 0; i < replay->forfeits; i++)
        seats |= UINT32_C(1) << replay->forfeited[i];
    return seats;
}

/* Ranks the seats that played on among themselves. */
static unsigned rank_players(struct outcome *outcome, uint32_t out)
{
    struct outcome playing = {.tie_breaks = outcome->tie_breaks};
    unsigned seat_of[GAME_SEATS_MAX] = {0};
    for (unsigned seat = 0; seat < outcome->seats; seat++) {
        if ((out >> seat & 1) != 0)
            continue;
        seat_of[playing.seats] = seat;
        playing.score[playing.seats] = outcome->score[seat];
        memcpy(playing.tie_break[playing.seats], outcome->tie_break[seat],
               sizeof outcome->tie_break[seat]);
        playing.seats++;
    }
    outcome_rank(&playing);
    for (unsigned i = 0; i < playing.seats; i++)
        outcome->rank[seat_of[i]] = playing.rank[i];
    return playing.seats;
}

void replay_outcome(const struct replay *replay, struct outcome *outcome)
{
    replay->header.game->outcome(replay->header.game, replay->state, outcome);
    for (unsigned seat = 0; seat < outcome->seats; seat++)
        outcome->score[seat] += replay->adjusted[seat];
    unsigned players = rank_players(outcome, out_of_game(replay));
    for (unsigned i = 0; i < replay->forfeits; i++)
        outcome->rank[replay->forfeited[i]] = (uint8_t)(players + replay->forfeits - i);
}

void replay_count_results(struct replay *replay)
{
    struct outcome outcome;
    replay->phase = replay->voided ? REPLAY_CLOSING : REPLAY_REVEALED;
    if (replay->voided)
        return;
    replay_outcome(replay, &outcome);
    memcpy(replay->due_score, outcome.score, sizeof replay->due_score);
    memcpy(replay->due_rank, outcome.rank, sizeof replay->due_rank);
}
