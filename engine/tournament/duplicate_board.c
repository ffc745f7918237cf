#include "engine/tournament/duplicate_board.h"

#include <stdlib.h>

/* ---- The event as a movement sees it ---- */

struct entry *duplicate_board_entries(const struct tournament *tournament)
{
    struct entry *entries = calloc(tournament->numbered + 1, sizeof *entries);
    for (size_t i = 0; entries != NULL && i < tournament->numbered; i++)
        entries[i].tpn = (uint16_t)(i + 1);
    return entries;
}

/* What a draw needs; all owned. */
struct drawing {
    struct entry *entries;
    struct duplicate_table *past;
    uint16_t *present;
    size_t present_count;
};

static void free_drawing(struct drawing *drawing)
{
    free(drawing->entries);
    free(drawing->past);
    free(drawing->present);
}

static uint16_t sitting_of(const struct tournament *tournament, unsigned round, unsigned board)
{
    return (uint16_t)((round - 1) * tournament->settings.stage[0].boards + board);
}

static struct duplicate_table past_table(const struct tournament *tournament,
                                         const struct tournament_table *past)
{
    struct duplicate_table table = {.sitting = sitting_of(tournament, past->round, past->board),
                                    .seats = past->seats};
    for (unsigned seat = 0; seat < past->seats; seat++)
        table.entry[seat] = (uint16_t)(tournament->entrants[past->entry[seat]].number - 1);
    return table;
}

static void list_present(const struct tournament *tournament, struct drawing *drawing)
{
    for (uint16_t number = 1; number <= tournament->numbered; number++) {
        uint16_t entry = tournament_entry_numbered(tournament, number);
        if (tournament_presence(tournament, entry, tournament->rounds_started) == ROUND_PLAYED)
            drawing->present[drawing->present_count++] = (uint16_t)(number - 1);
    }
}

static bool open_drawing(const struct tournament *tournament, struct drawing *drawing)
{
    *drawing =
        (struct drawing){.entries = duplicate_board_entries(tournament),
                         .past = calloc(tournament->table_count + 1, sizeof *drawing->past),
                         .present = calloc(tournament->numbered + 1, sizeof *drawing->present)};
    if (drawing->entries == NULL || drawing->past == NULL || drawing->present == NULL)
        return false;
    list_present(tournament, drawing);
    for (size_t i = 0; i < tournament->table_count; i++)
        drawing->past[i] = past_table(tournament, &tournament->tables[i]);
    return true;
}

/* ---- Drawing ---- */

static bool has_seat(const struct duplicate_board *board, uint16_t entry)
{
    for (size_t i = 0; i < board->count; i++)
        for (unsigned seat = 0; seat < board->tables[i].seats; seat++)
            if (board->tables[i].entry[seat] == entry)
                return true;
    return false;
}

static void list_byes(const struct drawing *drawing, struct duplicate_board *board)
{
    for (size_t i = 0; i < drawing->present_count; i++)
        if (!has_seat(board, drawing->present[i]))
            board->byes[board->bye_count++] = drawing->present[i];
}

/* Tables are numbered through the round. */
static struct duplicate_board next_board(const struct tournament *tournament, size_t players)
{
    const struct tournament_round *round = &tournament->rounds[tournament->rounds_started - 1];
    return (struct duplicate_board){.round = round->number,
                                    .board = (uint16_t)(round->boards_started + 1),
                                    .first_table = round->table_count + 1,
                                    .tables = calloc(players + 1, sizeof(struct duplicate_table)),
                                    .byes = calloc(players + 1, sizeof(uint16_t))};
}

static bool draw(const struct tournament *tournament, const struct chance *chance,
                 const struct drawing *drawing, struct duplicate_board *board,
                 struct refusal *refusal)
{
    const struct duplicate_movement movement = {
        .entries = drawing->entries,
        .entry_count = tournament->numbered,
        .past = drawing->past,
        .past_count = tournament->table_count,
        .present = drawing->present,
        .present_count = drawing->present_count,
        .sitting = sitting_of(tournament, board->round, board->board),
        .seats = tournament->settings.stage[0].table.preferred,
        .chance = chance};
    if (board->tables == NULL || board->byes == NULL)
        return refuse(refusal, POD_REFUSAL_MEMORY, "There is no memory for the draw.");
    if (!duplicate_draw(&movement, board->tables, &board->count, refusal))
        return false;
    list_byes(drawing, board);
    return true;
}

/* A log that a stranger wrote may begin rounds of more boards than its settings have. */
static bool has_next_board(const struct tournament *tournament)
{
    if (tournament->settings.stage[0].format != FORMAT_DUPLICATE || tournament->rounds_started == 0)
        return false;
    const struct tournament_round *round = &tournament->rounds[tournament->rounds_started - 1];
    return round->boards_started < round->boards &&
           sitting_of(tournament, round->number, round->boards_started + 1U) <=
               DUPLICATE_SITTINGS_MAX;
}

bool duplicate_board_draw(const struct tournament *tournament, const struct chance *chance,
                          struct duplicate_board *board, struct refusal *refusal)
{
    struct drawing drawing;
    bool drawn = false;
    *board = (struct duplicate_board){.count = 0};
    if (!has_next_board(tournament))
        return refuse(refusal, DUPLICATE_REFUSAL_INPUT, "No board is to be drawn now.");
    if (!open_drawing(tournament, &drawing)) {
        refuse(refusal, POD_REFUSAL_MEMORY, "There is no memory for the draw.");
    } else {
        *board = next_board(tournament, drawing.present_count);
        drawn = draw(tournament, chance, &drawing, board, refusal);
    }
    free_drawing(&drawing);
    if (!drawn)
        duplicate_board_free(board);
    return drawn;
}

void duplicate_board_free(struct duplicate_board *board)
{
    free(board->tables);
    free(board->byes);
    *board = (struct duplicate_board){.count = 0};
}

/* ---- Its line ---- */

static json_t *tables_json(const struct duplicate_board *board)
{
    json_t *list = json_array();
    for (size_t i = 0; i < board->count; i++) {
        json_t *numbers = json_array();
        for (unsigned seat = 0; seat < board->tables[i].seats; seat++)
            json_array_append_new(numbers, json_integer(board->tables[i].entry[seat] + 1));
        json_array_append_new(list, numbers);
    }
    return list;
}

json_t *duplicate_board_line(const struct duplicate_board *board)
{
    json_t *byes = json_array();
    for (size_t i = 0; i < board->bye_count; i++)
        json_array_append_new(byes, json_integer(board->byes[i] + 1));
    return json_pack("{s:i, s:i, s:i, s:o, s:o}", "round", (int)board->round, "board",
                     (int)board->board, "first_table", (int)board->first_table, "tables",
                     tables_json(board), "byes", byes);
}
