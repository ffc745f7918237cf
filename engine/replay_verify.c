/* Whole records: first what the secret proves by replay; without it, form and chain alone. */
#include <string.h>

#include "engine/record_parts.h"
#include "engine/replay_parts.h"

static const struct span none = {NULL, 0};

bool replay_last_line(struct span *rest, struct span *line)
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
    struct span line;
    struct record_entry entry;
    struct record_fault fault;
    while (replay_last_line(&record, &line)) {
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
    if (!replay_keeps_commitment(&check->header, entry->secret))
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
    if (!replay_is_head(line)) {
        bool read = record_read_entry(line, &entry, fault);
        check->plies += read && entry.kind == RECORD_PLY;
        return read && check_secret(check, &entry, fault);
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

/* What was read of a record when `rest` is left. */
static struct span first_of(struct span record, const struct span *rest)
{
    return (struct span){record.at, record.length - rest->length};
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

enum replay_verdict replay_verify(struct span record, struct replay *replay,
                                  struct record_fault *fault)
{
    return replay_verify_listening(record, NULL, replay, fault);
}
