#include "api/state/stored_record.h"

#include <sodium.h>
#include <string.h>

#include "db/store/games/games.h"
#include "db/store/service/secrets.h"

static struct record_result good(void)
{
    return (struct record_result){.status = STORED_RECORD_OK, .database = DB_OK};
}

struct record_result stored_record_status(enum db_status status)
{
    if (status == DB_OK)
        return good();
    return (struct record_result){.status = status == DB_NONE ? STORED_RECORD_NONE
                                                              : STORED_RECORD_DATABASE,
                                  .database = status};
}

struct record_result stored_record_begin(const struct stored_record *record, struct span header,
                                         struct replay *replay)
{
    const uint8_t *sealed = (const uint8_t *)record->sealed.at;
    size_t size = record->sealed.length;
    uint8_t secret[KEYS_SECRET_BYTES];
    struct record_result damaged = {.status = STORED_RECORD_DAMAGED};
    enum db_status status =
        sealed == NULL ? game_secret(record->db, record->arena, record->game, &sealed, &size)
                       : DB_OK;
    if (status != DB_OK)
        return stored_record_status(status);
    if (!keys_open(record->keys, sealed, size, secret, KEYS_SECRET_BYTES)) {
        record_fault(&damaged.fault, "sealed", "The game's secret was sealed with another key.",
                     (struct span){NULL, 0});
        return damaged;
    }
    struct component_lookup lookup;
    const struct component_sets *sets =
        component_cache_sets(record->components, record->db, &lookup);
    bool begun = replay_begin(replay, sets, &header, secret, &damaged.fault);
    sodium_memzero(secret, sizeof secret);
    if (begun)
        return good();
    return lookup.status == DB_NONE ? damaged : stored_record_status(lookup.status);
}

/* ---- The record so far ---- */

/* Reads the text, unless it already has the rows before `seq`. */
static struct record_result read_text(struct stored_record *record, unsigned seq)
{
    struct record_row *rows;
    if (record->rows >= seq)
        return good();
    enum db_status status =
        record_read(record->db, record->arena, record->game, -1, &rows, &record->rows);
    if (status == DB_OK)
        record->text = record_join(record->arena, rows, record->rows);
    return stored_record_status(status);
}

/* The first `rows` rows of the text: the header, which ends with `start`, and the lines after
 * it. */
static struct span first_rows(const struct stored_record *record, size_t rows)
{
    struct span rest = record->text;
    struct span line;
    bool header = true;
    for (size_t row = 0; row < rows && span_line(&rest, &line);) {
        header = header && !(line.length > 6 && memcmp(line.at, "start ", 6) == 0);
        row += header ? 0 : 1;
    }
    return (struct span){record->text.at, record->text.length - rest.length};
}

struct record_result stored_record_past(struct stored_record *record, unsigned seq,
                                        const struct record_row *rows, size_t count,
                                        struct span *past)
{
    struct record_result read = read_text(record, count == 0 ? seq : rows[0].seq);
    if (read.status != STORED_RECORD_OK)
        return read;
    *past = first_rows(record, count == 0 ? seq : rows[0].seq);
    if (count == 0)
        return read;
    struct span added = record_join(record->arena, rows, count);
    struct text text = {arena_take(record->arena, past->length + added.length + 1), 0,
                        past->length + added.length + 1, false};
    text_add_span(&text, *past);
    text_add_span(&text, added);
    *past = text_span(&text);
    return read;
}

struct record_result stored_record_continue(struct stored_record *record,
                                            const struct record_row *row, struct replay *replay)
{
    struct record_result result = good();
    struct span past = {NULL, 0};
    if (replay_takes_back(row->line))
        result = stored_record_past(record, row->seq, NULL, 0, &past);
    if (result.status == STORED_RECORD_OK &&
        !replay_line_after(replay, past, row->line, &result.fault))
        result.status = STORED_RECORD_DAMAGED;
    return result;
}
