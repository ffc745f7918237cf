#include "engine/log/deposit.h"

#include <string.h>

#include "engine/base/calendar.h"
#include "engine/base/sha256.h"
#include "engine/record/signature.h"

static const char first_line[] = "tillroll deposit 1";
static const struct span none = {NULL, 0};

/* ---- The text ---- */

/* What a deposit and its receipt begin with. */
static void print_game(const struct deposit *deposit, struct text *text)
{
    text_add_line(text, first_line);
    text_add_line(text, deposit->origin);
    text_add_line(text, deposit->game);
}

void deposit_print(const struct deposit *deposit, struct text *text)
{
    print_game(deposit, text);
    text_add_line(text, deposit->scope);
    text_add_hex_line(text, deposit->commitment, sizeof deposit->commitment);
    text_add_hex_line(text, deposit->head, sizeof deposit->head);
    text_add_number_line(text, deposit->seat);
    text_add_hex_line(text, deposit->key, sizeof deposit->key);
    text_add_line(text, deposit->move);
    text_add_hex_line(text, deposit->signature, sizeof deposit->signature);
}

/* Takes a line of printable ASCII, which fits. */
static bool take_word(struct span *text, char *word, size_t size)
{
    struct span line;
    if (!span_line(text, &line) || line.length == 0 || line.length >= size)
        return false;
    for (size_t i = 0; i < line.length; i++)
        if (line.at[i] < ' ' || line.at[i] > '~')
            return false;
    memcpy(word, line.at, line.length);
    word[line.length] = '\0';
    return true;
}

static bool take_hex(struct span *text, uint8_t *bytes, size_t size)
{
    struct span line;
    return span_line(text, &line) && span_hex(line, bytes, size);
}

static bool take_seat(struct span *text, unsigned *seat)
{
    struct span line;
    uint64_t number;
    if (!span_line(text, &line) || !span_number(line, GAME_SEATS_MAX - 1, &number))
        return false;
    *seat = (unsigned)number;
    return true;
}

bool deposit_read(struct span text, struct deposit *deposit)
{
    struct span line;
    struct note_key key;
    const uint8_t any[32] = {0};
    if (text.length == 0 || text.at[text.length - 1] != '\n' || !span_line(&text, &line) ||
        !span_is(line, first_line))
        return false;
    return take_word(&text, deposit->origin, sizeof deposit->origin) &&
           note_key_make(&key, span_of(deposit->origin), any) &&
           take_word(&text, deposit->game, sizeof deposit->game) &&
           record_is_id(span_of(deposit->game)) &&
           take_word(&text, deposit->scope, sizeof deposit->scope) &&
           take_hex(&text, deposit->commitment, sizeof deposit->commitment) &&
           take_hex(&text, deposit->head, sizeof deposit->head) &&
           take_seat(&text, &deposit->seat) && take_hex(&text, deposit->key, sizeof deposit->key) &&
           take_word(&text, deposit->move, sizeof deposit->move) &&
           take_hex(&text, deposit->signature, sizeof deposit->signature) && text.length == 0;
}

bool deposit_is_signed(const struct deposit *deposit)
{
    return signature_holds(deposit->game, deposit->head, deposit->seat, span_of(deposit->move),
                           deposit->signature, deposit->key);
}

void deposit_hash(const struct deposit *deposit, uint8_t hash[static DEPOSIT_HASH])
{
    char bytes[DEPOSIT_MAX];
    struct text text = TEXT_OVER(bytes);
    deposit_print(deposit, &text);
    sha256(hash, text_span(&text), none);
}

void deposit_print_receipt(const struct deposit *deposit, struct text *text)
{
    uint8_t hash[DEPOSIT_HASH];
    deposit_hash(deposit, hash);
    print_game(deposit, text);
    text_add_hex_line(text, hash, sizeof hash);
}

bool deposit_is_opened(const struct deposit *deposit, const uint8_t secret[static 32])
{
    uint8_t commitment[32];
    record_commitment(span_of(deposit->scope), secret, commitment);
    return memcmp(commitment, deposit->commitment, sizeof commitment) == 0;
}

bool deposit_read_file(struct span file, struct deposit *deposit, struct note *note)
{
    char bytes[DEPOSIT_RECEIPT_MAX];
    struct text receipt = TEXT_OVER(bytes);
    size_t end = 1;
    while (end < file.length && !(file.at[end - 1] == '\n' && file.at[end] == '\n'))
        end++;
    if (end >= file.length || !deposit_read((struct span){file.at, end}, deposit) ||
        !note_read((struct span){file.at + end + 1, file.length - end - 1}, note))
        return false;
    deposit_print_receipt(deposit, &receipt);
    return span_equal(note->text, text_span(&receipt));
}

/* ---- Judging ---- */

struct court {
    const struct deposit *deposit;
    int64_t left_ms; /* when it was left, since the start: at the latest */
    bool open;       /* its head has come, and the seat has not decided since */
    struct deposit_room *room;
    struct record_fault *fault;
};

/* The fault is one of the last line that was followed, or of the one after it. */
static bool blame(const struct court *court, unsigned after, const char *code, const char *message,
                  struct span detail)
{
    court->fault->line = court->room->replay.lines + after;
    return record_fault(court->fault, code, message, detail);
}

/* May the seat make the move, where the record is now? */
static bool is_possible(const struct court *court)
{
    const struct deposit *deposit = court->deposit;
    const struct replay *replay = &court->room->replay;
    struct replay *trial = &court->room->trial;
    const struct record_seat *seat = &replay->header.seat[deposit->seat];
    struct refusal refusal;
    if (deposit->seat >= replay->header.seats || !seat->has_key ||
        memcmp(seat->key, deposit->key, sizeof seat->key) != 0)
        return blame(court, 0, "wrong-key", "The record names another key for the seat, or none.",
                     none);
    if ((replay_awaits(replay) >> deposit->seat & 1) == 0)
        return blame(court, 0, "not-awaited", "The seat had nothing to decide at that head.", none);
    memcpy(trial, replay, replay_size(replay));
    return replay->header.game->play(replay->header.game, trial->state, deposit->seat,
                                     span_of(deposit->move), &trial->chance, &refusal) ||
           blame(court, 0, "illegal-move",
                 "The move is not legal at that head: ", span_of(refusal.message));
}

/* Does the seat decide with this entry? */
static bool decides(const struct court *court, const struct record_entry *entry)
{
    return (entry->kind == RECORD_PLY || entry->kind == RECORD_UNDO) &&
           entry->seat == court->deposit->seat;
}

/* With this entry the seat's decision is no longer awaited, or its clock is found to have run
 * out. */
static bool ends_it(const struct court *court, const struct record_entry *entry)
{
    bool subject = entry->subject == court->deposit->seat;
    switch (entry->kind) {
    case RECORD_TIMEOUT:
    case RECORD_FALLBACK:
    case RECORD_FORFEIT:
    case RECORD_SUBSTITUTE:
    case RECORD_HOUSE:
        return subject;
    case RECORD_RULING:
        return entry->ruling == RECORD_RULING_TAKEBACK || entry->ruling == RECORD_RULING_VOID ||
               (entry->ruling == RECORD_RULING_FORFEIT && subject);
    case RECORD_UNDO:
    case RECORD_REVEAL:
        return true;
    default:
        return false;
    }
}

/* True if the record goes on with a line that settles it. */
static bool settle(const struct court *court, struct span line, enum deposit_finding *finding)
{
    uint8_t head[32];
    struct record_entry entry;
    struct record_fault ignored;
    memcpy(head, court->room->replay.head, sizeof head);
    if (!record_chain_check(head, &line, &ignored) || !record_read_entry(line, &entry, &ignored))
        return false;
    if (decides(court, &entry)) {
        bool same = entry.kind == RECORD_PLY && span_is(entry.move, court->deposit->move);
        *finding = same ? DEPOSIT_TAKEN : DEPOSIT_UNJUDGED;
        if (!same)
            blame(court, 1, "other-move",
                  "The record has another decision of the seat there. The signatures show whether "
                  "it is the player's: ",
                  line);
        return true;
    }
    if (!ends_it(court, &entry))
        return false;
    bool in_time = court->left_ms <= entry.elapsed_ms;
    *finding = in_time ? DEPOSIT_DROPPED : DEPOSIT_LATE;
    blame(court, 1, in_time ? "dropped-move" : "late-move",
          in_time ? "The move was left in time, and the record goes on without it: "
                  : "The move was left when the record had gone on: ",
          line);
    return true;
}

static bool is_head(const struct court *court)
{
    return memcmp(court->room->replay.head, court->deposit->head, 32) == 0;
}

/* Follows a valid record. */
static enum deposit_finding follow(struct court *court, struct span record,
                                   const uint8_t secret[static 32])
{
    struct replay *replay = &court->room->replay;
    struct span rest = record;
    struct span line;
    enum deposit_finding finding = DEPOSIT_UNJUDGED;
    if (!replay_begin(replay, court->room->sets, &rest, secret, court->fault))
        return DEPOSIT_UNJUDGED;
    court->left_ms -= calendar_read_ms(replay->header.start);
    for (;;) {
        struct span past = {record.at, record.length - rest.length};
        if (!court->open && is_head(court)) {
            if (!is_possible(court))
                return DEPOSIT_UNJUDGED;
            court->open = true;
        }
        if (!span_line(&rest, &line))
            break;
        if (court->open && settle(court, line, &finding))
            return finding;
        if (!replay_line_after(replay, past, line, court->fault))
            return DEPOSIT_UNJUDGED;
    }
    court->fault->line = 0;
    record_fault(court->fault, "unknown-head",
                 "The record has no such head: the move was signed for another course of the game.",
                 none);
    return DEPOSIT_UNJUDGED;
}

enum deposit_finding deposit_judge(const struct deposit *deposit, uint64_t time_s,
                                   struct span record, struct deposit_room *room,
                                   struct record_fault *fault)
{
    static const uint64_t time_max_s = 253402300799; /* the end of the year 9999 */
    struct court court = {.deposit = deposit, .room = room, .fault = fault};
    uint8_t secret[32];
    if (replay_verify(record, room->sets, &room->replay, fault) != REPLAY_VALID)
        return DEPOSIT_UNJUDGED;
    fault->line = 0;
    if (strcmp(room->replay.header.game_id, deposit->game) != 0 || room->replay.header.recorded) {
        record_fault(fault, "other-game",
                     "The record is not of the deposit's game: ", span_of(deposit->game));
        return DEPOSIT_UNJUDGED;
    }
    memcpy(secret, room->replay.secret, sizeof secret);
    court.left_ms = ((int64_t)(time_s < time_max_s ? time_s : time_max_s) + 1) * 1000 - 1;
    return follow(&court, record, secret);
}
