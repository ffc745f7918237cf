/* Boards of duplicate events: travellers (one board, all results) and score cards (one player, all
 * boards). A board that is still hidden shows that it is played, and nothing else. */
#include <string.h>

#include "api/documents.h"
#include "api/duplicate.h"
#include "api/event_steps.h"
#include "api/handlers.h"

/* ---- What both show ---- */

/* Where a result stands among the others of its field, in percent: those below, and half of those
 * level. One half where there is nobody else. */
static json_t *percentile_document(const struct duplicate_mark *mark)
{
    if (mark->field == 1)
        return rational_document(50, 1);
    return rational_document(100 * (int64_t)mark->matchpoints, 2 * (mark->field - 1));
}

/* Marks of one result: what it was compared with, and what it is worth. */
static void add_mark(json_t *document, const struct duplicate_mark *mark)
{
    json_object_set_new(document, "field", json_integer(mark->field));
    json_object_set_new(document, "matchpoints", json_integer(mark->matchpoints));
    json_object_set_new(document, "place", json_integer(mark->place));
    json_object_set_new(document, "percentage", duplicate_percent(mark->share));
    json_object_set_new(document, "percentile", percentile_document(mark));
}

/* Opens a duplicate event; to others there are no boards. */
static bool open_event(struct call *call, struct event *event)
{
    if (!event_open(call, &call->id[0], false, event))
        return false;
    if (!duplicate_is(event))
        return call_problem(call, "not-found", "This is not a duplicate event; it has no boards.");
    if (event->state == EVENT_DRAFT || event->state == EVENT_ENTRIES_OPEN)
        return call_problem(call, "wrong-state", "There are boards once entries are closed.");
    return true;
}

/* ---- Travellers ---- */

struct traveller {
    struct duplicate_event duplicate;
    unsigned round, board;
    unsigned tables;
    bool open;
};

static bool is_of(const struct traveller *traveller, const struct game_row *game)
{
    return game->round == traveller->round && game->board == traveller->board;
}

static void look_at_tables(struct traveller *traveller)
{
    const struct tournament *tournament = &traveller->duplicate.tournament;
    for (size_t i = 0; i < tournament->game_count; i++) {
        if (!is_of(traveller, &tournament->games[i]))
            continue;
        traveller->tables++;
        traveller->open = tournament->games[i].scored;
    }
}

static json_t *result_document(const struct duplicate_event *duplicate, size_t i)
{
    const struct duplicate_result *result = &duplicate->results[i];
    const struct event_entry *entry = &duplicate->tournament.entries[result->entry];
    json_t *document = json_pack(
        "{s:i, s:i, s:s, s:o, s:i, s:i}", "seat", (int)result->seat, "table",
        (int)duplicate_game(duplicate, i)->table, "game", duplicate_game(duplicate, i)->id.text,
        "player", player_reference(&entry->player, entry->player_name), "score", (int)result->score,
        "rank", (int)duplicate_game(duplicate, i)->seat[result->seat].rank);
    add_mark(document, &duplicate->standings.marks[i]);
    return document;
}

/* By seat, then from the best; tables break ties, which are in order already. */
static json_t *results_document(const struct traveller *traveller)
{
    const struct duplicate_event *duplicate = &traveller->duplicate;
    json_t *list = json_array();
    for (unsigned seat = 0; seat < GAME_ROW_SEATS; seat++)
        for (unsigned place = 1; place <= traveller->tables; place++)
            for (size_t i = 0; i < duplicate->count; i++)
                if (is_of(traveller, duplicate_game(duplicate, i)) &&
                    duplicate->results[i].seat == seat &&
                    duplicate->standings.marks[i].place == place)
                    json_array_append_new(list, result_document(duplicate, i));
    return list;
}

static bool sat_at(const struct traveller *traveller, const struct event_entry *entry)
{
    const struct tournament *tournament = &traveller->duplicate.tournament;
    for (size_t i = 0; i < tournament->game_count; i++)
        for (unsigned seat = 0; seat < tournament->games[i].seats; seat++)
            if (is_of(traveller, &tournament->games[i]) &&
                id_equal(&tournament->games[i].seat[seat].player, &entry->player))
                return true;
    return false;
}

/* Those who took part in the round and were left over on this board. */
static json_t *missing_document(const struct traveller *traveller)
{
    const struct tournament *tournament = &traveller->duplicate.tournament;
    json_t *list = json_array();
    for (size_t i = 0; i < tournament->entry_count; i++) {
        const struct event_entry *entry = &tournament->entries[i];
        bool took_part = !entry->dropped || entry->dropped_after >= traveller->round;
        if (took_part && !sat_at(traveller, entry))
            json_array_append_new(list, player_reference(&entry->player, entry->player_name));
    }
    return list;
}

void boards_get(struct call *call)
{
    struct event event;
    struct traveller traveller = {.round = (unsigned)call->number[0],
                                  .board = (unsigned)call->number[1]};
    if (!open_event(call, &event) ||
        !duplicate_load(call, &event, event.rounds_started, &traveller.duplicate))
        return;
    look_at_tables(&traveller);
    if (traveller.tables == 0)
        call_problem(call, "not-found", "This board has not been started.");
    else
        call_answer_tagged(
            call, json_pack("{s:s, s:i, s:i, s:s, s:i, s:i, s:o, s:o}", "event", event.id.text,
                            "round", (int)traveller.round, "board", (int)traveller.board, "state",
                            traveller.open ? "open" : "hidden", "tables", (int)traveller.tables,
                            "field_most", (int)traveller.duplicate.standings.field_most, "results",
                            results_document(&traveller), "missing", missing_document(&traveller)));
    duplicate_free(&traveller.duplicate);
}

/* ---- Score cards ---- */

struct card {
    struct duplicate_event duplicate;
    uint16_t entry;
};

static bool find_entry(struct call *call, struct card *card)
{
    const struct tournament *tournament = &card->duplicate.tournament;
    for (size_t i = 0; i < tournament->entry_count; i++)
        if (id_equal(&tournament->entries[i].player, &call->id[1])) {
            card->entry = (uint16_t)i;
            return true;
        }
    return call_problem(call, "not-found", "This player has not entered the event.");
}

/* The seat of the card's player at a table, or -1. */
static int seat_at(const struct card *card, const struct game_row *game)
{
    const struct id *player = &card->duplicate.tournament.entries[card->entry].player;
    for (unsigned seat = 0; seat < game->seats; seat++)
        if (id_equal(&game->seat[seat].player, player))
            return (int)seat;
    return -1;
}

static const struct duplicate_mark *mark_of(const struct card *card, const struct game_row *game,
                                            unsigned seat)
{
    for (size_t i = 0; i < card->duplicate.count; i++)
        if (duplicate_game(&card->duplicate, i) == game && card->duplicate.results[i].seat == seat)
            return &card->duplicate.standings.marks[i];
    return NULL;
}

static json_t *line_document(const struct card *card, const struct game_row *game, unsigned seat)
{
    const struct duplicate_mark *mark = mark_of(card, game, seat);
    json_t *document =
        json_pack("{s:i, s:i, s:s, s:s, s:i, s:i}", "round", (int)game->round, "board",
                  (int)game->board, "state", mark == NULL ? "hidden" : "open", "game",
                  game->id.text, "table", (int)game->table, "seat", (int)seat);
    if (mark == NULL)
        return document;
    json_object_set_new(document, "score", json_integer(game->seat[seat].score));
    json_object_set_new(document, "rank", json_integer(game->seat[seat].rank));
    add_mark(document, mark);
    return document;
}

static json_t *lines_document(const struct card *card)
{
    const struct tournament *tournament = &card->duplicate.tournament;
    json_t *lines = json_array();
    for (size_t i = 0; i < tournament->game_count; i++) {
        int seat = seat_at(card, &tournament->games[i]);
        if (seat >= 0)
            json_array_append_new(lines,
                                  line_document(card, &tournament->games[i], (unsigned)seat));
    }
    return lines;
}

static void answer_card(struct call *call, const struct card *card)
{
    const struct event_entry *entry = &card->duplicate.tournament.entries[card->entry];
    const struct duplicate_standing *row = card->duplicate.standings.rows;
    while (row->entry != card->entry)
        row++;
    call_answer_tagged(
        call,
        json_pack("{s:s, s:o, s:i, s:i, s:i, s:o, s:o}", "event",
                  card->duplicate.tournament.event.id.text, "player",
                  player_reference(&entry->player, entry->player_name), "number",
                  (int)entry->number, "rank", (int)row->rank, "played", (int)row->played, "points",
                  rational_document(row->value[0].numerator, row->value[0].denominator), "boards",
                  lines_document(card)));
}

void score_cards_get(struct call *call)
{
    struct event event;
    struct card card;
    if (!open_event(call, &event) ||
        !duplicate_load(call, &event, event.rounds_started, &card.duplicate))
        return;
    if (find_entry(call, &card))
        answer_card(call, &card);
    duplicate_free(&card.duplicate);
}
