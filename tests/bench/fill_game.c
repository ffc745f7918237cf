#include "fill_game.h"

#include <stdlib.h>
#include <string.h>

enum { MARK_LENGTH = 10, ELAPSED_MOST_MS = 4000 };

static void require(bool good)
{
    if (!good)
        abort();
}

static struct fill_row *next_row(struct fill_game *game)
{
    if (game->count == game->row_capacity) {
        game->row_capacity = game->row_capacity == 0 ? 512 : 2 * game->row_capacity;
        game->row = realloc(game->row, game->row_capacity * sizeof *game->row);
        require(game->row != NULL);
    }
    struct fill_row *row = &game->row[game->count++];
    *row = (struct fill_row){.start = game->length};
    return row;
}

/* Takes the line over as the next row, with the hash that the replay has come to. */
static struct fill_row *take(struct fill_game *game, struct span line)
{
    struct fill_row *row = next_row(game);
    if (game->length + line.length > game->capacity) {
        game->capacity = 2 * (game->length + line.length) + RECORD_HEADER_MAX;
        game->bytes = realloc(game->bytes, game->capacity);
        require(game->bytes != NULL);
    }
    memcpy(game->bytes + game->length, line.at, line.length);
    game->length += line.length;
    row->length = line.length;
    row->seq_after = game->replay.seq;
    memcpy(row->hash, game->replay.head, sizeof row->hash);
    return row;
}

static void begin(struct fill_game *game, const struct record_header *header,
                  const uint8_t secret[static 32])
{
    char bytes[RECORD_HEADER_MAX];
    struct text text = TEXT_OVER(bytes);
    struct record_fault fault;
    uint8_t hash[32];
    record_print_header(header, &text, hash);
    require(!text.overflow);
    struct span rest = text_span(&text);
    require(replay_begin(&game->replay, NULL, &rest, secret, &fault) && rest.length == 0);
    game->length = 0;
    game->count = 0;
    take(game, text_span(&text));
}

/* The lowest seat of those that decide, as the record wants it. */
static void play_ply(struct fill_game *game, struct move_list *legal, struct dice *dice,
                     int64_t elapsed_ms)
{
    struct replay *replay = &game->replay;
    const struct game *ruleset = replay->header.game;
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    struct refusal refusal;
    unsigned seat = 0;
    bool together = replay->together;
    while (!game_decides(ruleset, replay->state, seat))
        seat++;
    move_list_clear(legal);
    ruleset->legal(ruleset, replay->state, seat, legal);
    struct span move = move_list_get(legal, dice_below(dice, legal->count));
    require(replay_add_ply(replay, seat, move, elapsed_ms, &line, &refusal));
    struct fill_row *row = take(game, text_span(&line));
    row->is_ply = true;
    row->together = together;
    row->seat = seat;
    row->move_length = move.length;
}

void fill_game_play(struct fill_game *game, const struct record_header *header,
                    const uint8_t secret[static 32], struct move_list *legal, struct dice *dice)
{
    int64_t elapsed_ms = 0;
    begin(game, header, secret);
    while (game->replay.phase != REPLAY_FINISHED) {
        char bytes[RECORD_LINE_MAX + 1];
        struct text line = TEXT_OVER(bytes);
        if (!game->replay.together)
            elapsed_ms += dice_below(dice, ELAPSED_MOST_MS);
        if (replay_add_due(&game->replay, elapsed_ms, true, &line))
            take(game, text_span(&line));
        else
            play_ply(game, legal, dice, elapsed_ms);
    }
}

void fill_game_free(struct fill_game *game)
{
    free(game->bytes);
    free(game->row);
    *game = (struct fill_game){.bytes = NULL};
}

struct span fill_game_line(const struct fill_game *game, size_t row)
{
    return (struct span){game->bytes + game->row[row].start, game->row[row].length};
}

size_t fill_game_rows_after(const struct fill_game *game, size_t plies)
{
    size_t row = 1 + plies;
    if (plies >= game->replay.plies)
        row = game->replay.plies;
    while (row > 1 && game->row[row].together)
        row--;
    return row;
}

/* The answer to a sealed move that others still wait for names the number at which they began. */
static uint32_t seq_answered(const struct fill_game *game, size_t row, uint32_t seq)
{
    bool waits = row + 1 < game->count && game->row[row + 1].is_ply && game->row[row + 1].together;
    if (waits)
        return seq;
    uint32_t after = game->row[row].seq_after;
    /* What follows the last ply by itself is in the same answer. */
    bool last = row + 1 < game->count && !game->row[row + 1].is_ply;
    return last ? game->replay.seq : after;
}

void fill_game_write_script(const struct fill_game *game, size_t from, size_t most,
                            const char *const *token, FILE *file)
{
    uint32_t seq = game->row[from - 1].seq_after;
    (void)fprintf(file, "game %s", game->replay.header.game_id);
    for (unsigned seat = 0; seat < game->replay.header.seats; seat++)
        (void)fprintf(file, " %s", token[seat]);
    (void)fputc('\n', file);
    for (size_t i = from; i < game->count && i - from < most && game->row[i].is_ply; i++) {
        const struct fill_row *row = &game->row[i];
        const char *move = game->bytes + row->start + row->length - MARK_LENGTH - row->move_length;
        if (!row->together)
            seq = game->row[i - 1].seq_after;
        (void)fprintf(file, "%u %u %u %.*s\n", row->seat, (unsigned)seq,
                      (unsigned)seq_answered(game, i, seq), (int)row->move_length, move);
    }
}
