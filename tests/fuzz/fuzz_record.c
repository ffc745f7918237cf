/* Records: lines without marks are chained as a forger would chain them, so that what is changed
 * reaches the reader behind the chain. */
#include <stdlib.h>
#include <string.h>

#include "engine/record/replay.h"
#include "support.h"

enum { INPUT_MOST = 1 << 16, LINE_ROOM = 1 << 11, RECORD_ROOM = 1 << 20 };

struct checker {
    struct replay first, second;
    char record[RECORD_ROOM];
    char changed[RECORD_ROOM];
    char header[RECORD_HEADER_MAX];
};

/* Lines with marks; `head` alone gets its hash. False if a line is too long for anything. */
static bool chain(struct span lines, struct text *record)
{
    struct span line;
    uint8_t hash[32];
    record_chain_start(hash);
    while (span_line(&lines, &line)) {
        char bytes[LINE_ROOM];
        struct text text = TEXT_OVER(bytes);
        if (line.length > RECORD_LINE_MAX + 1)
            return false;
        text_add_span(&text, line);
        if (span_is(line, "head")) {
            text_add_char(&text, ' ');
            text_add_hex(&text, hash, sizeof hash);
        }
        record_chain_mark(hash, &text);
        text_add_span(record, text_span(&text));
        text_add_char(record, '\n');
    }
    return !record->overflow;
}

static void check_fault(const struct record_fault *fault)
{
    FUZZ_MUST(fault->code != NULL && fault->code[0] != '\0');
    FUZZ_MUST(memchr(fault->message, '\0', sizeof fault->message) != NULL);
    FUZZ_MUST(fault->message[0] != '\0');
}

/* What the reader takes it prints again byte for byte. */
static void check_entry(struct span line)
{
    struct record_entry entry;
    struct record_fault fault = {0};
    char bytes[2 * RECORD_LINE_MAX];
    struct text text = TEXT_OVER(bytes);
    if (!record_read_entry(line, &entry, &fault)) {
        check_fault(&fault);
        return;
    }
    record_print_entry(&entry, &text);
    FUZZ_MUST(!text.overflow && span_equal(text_span(&text), line));
}

static void check_lines(struct checker *checker, struct span record)
{
    struct record_header header;
    struct record_fault fault = {0};
    uint8_t hash[32];
    uint8_t printed_hash[32];
    uint32_t lines = 0;
    struct text text = TEXT_OVER(checker->header);
    struct span rest = record;
    struct span line;
    FUZZ_MUST(record_read_header(&rest, &header, hash, &lines, &fault));
    record_print_header(&header, &text, printed_hash);
    struct span read = {record.at, record.length - rest.length - 1};
    FUZZ_MUST(span_equal(text_span(&text), read));
    FUZZ_MUST(memcmp(hash, printed_hash, sizeof hash) == 0);
    while (span_line(&rest, &line)) {
        FUZZ_MUST(record_chain_check(hash, &line, &fault));
        if (line.length < 5 || memcmp(line.at, "head ", 5) != 0)
            check_entry(line);
    }
}

/* A finished record is not one any more without its last line, or with another byte. */
static void check_proof(struct checker *checker, struct span record)
{
    const uint8_t *chosen = checker->first.head;
    size_t at = ((size_t)chosen[0] << 16 | (size_t)chosen[1] << 8 | chosen[2]) % record.length;
    struct record_fault fault = {0};
    struct span cut = {record.at, record.length - 1};
    while (cut.at[cut.length - 1] != '\n')
        cut.length--;
    FUZZ_MUST(replay_verify(cut, NULL, &checker->second, &fault) == REPLAY_UNFINISHED);
    memcpy(checker->changed, record.at, record.length);
    checker->changed[at] = (char)(record.at[at] ^ (chosen[3] | 1));
    FUZZ_MUST(replay_verify((struct span){checker->changed, record.length}, NULL, &checker->second,
                            &fault) == REPLAY_INVALID);
}

static void check_record(struct checker *checker, struct span record)
{
    struct record_fault fault = {0};
    struct record_fault again = {0};
    enum replay_verdict verdict = replay_verify(record, NULL, &checker->first, &fault);
    FUZZ_MUST(replay_verify(record, NULL, &checker->second, &again) == verdict);
    if (verdict == REPLAY_INVALID) {
        check_fault(&fault);
        FUZZ_MUST(fault.line == again.line && strcmp(fault.code, again.code) == 0);
        return;
    }
    FUZZ_MUST(memcmp(checker->first.head, checker->second.head, 32) == 0);
    check_lines(checker, record);
    if (verdict == REPLAY_VALID) {
        FUZZ_MUST(checker->first.phase == REPLAY_FINISHED);
        FUZZ_MUST(memcmp(checker->first.state, checker->second.state,
                         checker->first.header.game->state_size) == 0);
        check_proof(checker, record);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_input input = fuzz_begin(bytes, size);
    if (size > INPUT_MOST)
        return 0;
    struct span lines = fuzz_rest(&input);
    struct span rest = lines;
    struct span line;
    struct checker *checker = malloc(sizeof *checker);
    if (checker == NULL)
        return 0;
    struct text record = TEXT_OVER(checker->record);
    check_record(checker, lines);
    while (span_line(&rest, &line))
        check_entry(line);
    if (chain(lines, &record))
        check_record(checker, text_span(&record));
    free(checker);
    return 0;
}
