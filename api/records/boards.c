/* Boards of duplicate events: travellers (one board, all results), score cards (one player, all
 * boards), and the point at which the games of two tables part. A hidden board shows that it is
 * being played, and nothing else. */
#include <string.h>

#include "api/records/handlers.h"
#include "api/request/documents.h"
#include "api/request/visibility.h"
#include "api/tables/duplicate_standings.h"
#include "db/store/events/rounds.h"
#include "db/store/games/records.h"
#include "engine/record/difference.h"

/* ---- Common parts ---- */

/* The percentile of a result in its field: the share of worse results, plus half of the equal ones.
 * 50 if there is no other result. */
static json_t *percentile_document(const struct duplicate_mark *mark)
{
    if (mark->field == 1)
        return rational_document(50, 1);
    return rational_document(100 * (int64_t)mark->matchpoints, 2 * (mark->field - 1));
}

/* Adds the marks of a result: its field and its value. */
static void add_mark(json_t *document, const struct duplicate_mark *mark)
{
    json_object_set_new(document, "field", json_integer(mark->field));
    json_object_set_new(document, "matchpoints", json_integer(mark->matchpoints));
    json_object_set_new(document, "place", json_integer(mark->place));
    json_object_set_new(document, "percentage", duplicate_percent(mark->share));
    json_object_set_new(document, "percentile", percentile_document(mark));
}

/* Opens a duplicate event; other events have no boards. */
static bool open_event(struct call *call, struct loaded_event *loaded)
{
    if (!event_takes_as_of_only(call) || !event_load_as_of(call, loaded))
        return false;
    if (!duplicate_is(&loaded->event))
        return call_problem(call, "not-found", "This is not a duplicate event; it has no boards.");
    if (loaded->tournament->phase < PHASE_ENTRIES_CLOSED)
        return call_problem(call, "wrong-state", "There are no boards before entries are closed.");
    return true;
}

/* ---- Travellers ---- */

struct traveller {
    struct duplicate_event duplicate;
    unsigned round, board;
    unsigned tables;
    bool open;
};

static bool is_on_board(const struct traveller *traveller, const struct tournament_table *table)
{
    return table->round == traveller->round && table->board == traveller->board;
}

static const struct tournament *tournament_of(const struct duplicate_event *duplicate)
{
    return duplicate->loaded->tournament;
}

static void count_tables(struct traveller *traveller)
{
    const struct tournament *tournament = tournament_of(&traveller->duplicate);
    for (size_t i = 0; i < tournament->table_count; i++) {
        if (!is_on_board(traveller, &tournament->tables[i]))
            continue;
        traveller->tables++;
        traveller->open = tournament->tables[i].played;
    }
}

static json_t *result_document(const struct duplicate_event *duplicate, size_t i)
{
    const struct duplicate_result *result = &duplicate->ranking.results[i];
    const struct tournament_table *table = duplicate->ranking.tables[i];
    json_t *document =
        json_pack("{s:i, s:i, s:s, s:o, s:i, s:i}", "seat", (int)result->seat, "table",
                  (int)table->table, "game", table->game, "player",
                  event_person(&duplicate->people, duplicate_entry(duplicate, result->entry)),
                  "score", (int)result->score, "rank", (int)table->result.seat[result->seat].rank);
    add_mark(document, &duplicate->ranking.standings.marks[i]);
    return document;
}

/* By seat, then from the best result; among equal ones by table, which is their order already. */
static json_t *results_document(const struct traveller *traveller)
{
    const struct duplicate_event *duplicate = &traveller->duplicate;
    json_t *list = json_array();
    for (unsigned seat = 0; seat < TOURNAMENT_SEATS_MAX; seat++)
        for (unsigned place = 1; place <= traveller->tables; place++)
            for (size_t i = 0; i < duplicate->ranking.count; i++)
                if (is_on_board(traveller, duplicate->ranking.tables[i]) &&
                    duplicate->ranking.results[i].seat == seat &&
                    duplicate->ranking.standings.marks[i].place == place)
                    json_array_append_new(list, result_document(duplicate, i));
    return list;
}

static bool sat_at(const struct traveller *traveller, uint16_t entry)
{
    const struct tournament *tournament = tournament_of(&traveller->duplicate);
    for (size_t i = 0; i < tournament->table_count; i++)
        if (is_on_board(traveller, &tournament->tables[i]) &&
            tournament_seat_of(&tournament->tables[i], entry) >= 0)
            return true;
    return false;
}

/* Players who took part in the round but sat out on this board. */
static json_t *missing_document(const struct traveller *traveller)
{
    const struct tournament *tournament = tournament_of(&traveller->duplicate);
    json_t *list = json_array();
    for (uint16_t number = 1; number <= tournament->numbered; number++) {
        uint16_t entry = tournament_entry_numbered(tournament, number);
        bool took_part = tournament_presence(tournament, entry, traveller->round) == ROUND_PLAYED;
        if (took_part && !sat_at(traveller, entry))
            json_array_append_new(list, event_person(&traveller->duplicate.people, entry));
    }
    return list;
}

void boards_get(struct call *call)
{
    struct loaded_event loaded;
    struct traveller traveller = {.round = (unsigned)call->number[0],
                                  .board = (unsigned)call->number[1]};
    if (!open_event(call, &loaded) ||
        !duplicate_load(call, &loaded, loaded.tournament->rounds_started, &traveller.duplicate))
        return;
    count_tables(&traveller);
    if (traveller.tables == 0)
        call_problem(call, "not-found", "This board has not been started.");
    else
        call_answer_tagged(
            call, json_pack("{s:s, s:i, s:i, s:s, s:i, s:i, s:o, s:o}", "event",
                            loaded.event.id.text, "round", (int)traveller.round, "board",
                            (int)traveller.board, "state", traveller.open ? "open" : "hidden",
                            "tables", (int)traveller.tables, "field_most",
                            (int)traveller.duplicate.ranking.standings.field_most, "results",
                            results_document(&traveller), "missing", missing_document(&traveller)));
    duplicate_free(&traveller.duplicate);
}

/* ---- Score cards ---- */

struct card {
    struct duplicate_event duplicate;
    struct game_row *games; /* of the event; hidden games show only their id */
    size_t game_count;
    uint16_t entry;
};

static bool find_entry(struct call *call, struct card *card)
{
    const struct tournament *tournament = tournament_of(&card->duplicate);
    card->entry = tournament_entry(tournament, span_of(call->id[1].text));
    return (card->entry != TOURNAMENT_NOBODY && tournament->entrants[card->entry].number > 0) ||
           call_problem(call, "not-found", "This player has not entered the event.");
}

/* The seat of the card's player at a table, or -1. */
static int seat_at(const struct card *card, const struct game_row *game)
{
    const char *player = tournament_of(&card->duplicate)->entrants[card->entry].player;
    for (unsigned seat = 0; seat < game->seats; seat++)
        if (strcmp(game->seat[seat].player.text, player) == 0)
            return (int)seat;
    return -1;
}

/* The mark of a seat at a game's table, and its result; NULL while it is hidden. */
static const struct duplicate_mark *mark_of(const struct card *card, const struct game_row *game,
                                            unsigned seat, const struct seat_result **result)
{
    const struct duplicate_event *duplicate = &card->duplicate;
    for (size_t i = 0; i < duplicate->ranking.count; i++)
        if (duplicate->ranking.tables[i]->round == game->round &&
            duplicate->ranking.tables[i]->table == game->table &&
            duplicate->ranking.results[i].seat == seat) {
            *result = &duplicate->ranking.tables[i]->result.seat[seat];
            return &duplicate->ranking.standings.marks[i];
        }
    return NULL;
}

static json_t *line_document(const struct card *card, const struct game_row *game, unsigned seat)
{
    const struct seat_result *result;
    const struct duplicate_mark *mark = mark_of(card, game, seat, &result);
    json_t *document =
        json_pack("{s:i, s:i, s:s, s:s, s:i, s:i}", "round", (int)game->round, "board",
                  (int)game->board, "state", mark == NULL ? "hidden" : "open", "game",
                  game->id.text, "table", (int)game->table, "seat", (int)seat);
    if (mark == NULL)
        return document;
    json_object_set_new(document, "score", json_integer(result->score));
    json_object_set_new(document, "rank", json_integer(result->rank));
    add_mark(document, mark);
    return document;
}

/* True if the game had begun at the requested moment; the database has later ones, too. */
static bool has_begun(const struct card *card, const struct game_row *game)
{
    return tournament_table(tournament_of(&card->duplicate), game->round, game->table) != NULL;
}

static json_t *lines_document(const struct card *card)
{
    json_t *lines = json_array();
    for (size_t i = 0; i < card->game_count; i++) {
        int seat = seat_at(card, &card->games[i]);
        if (seat >= 0 && has_begun(card, &card->games[i]))
            json_array_append_new(lines, line_document(card, &card->games[i], (unsigned)seat));
    }
    return lines;
}

static void answer_card(struct call *call, const struct card *card)
{
    const struct duplicate_standing *row = card->duplicate.ranking.standings.rows;
    unsigned number = tournament_of(&card->duplicate)->entrants[card->entry].number;
    while (row->entry + 1U != number)
        row++;
    call_answer_tagged(
        call, json_pack("{s:s, s:o, s:i, s:i, s:i, s:o, s:o}", "event",
                        card->duplicate.loaded->event.id.text, "player",
                        event_person(&card->duplicate.people, card->entry), "number", (int)number,
                        "rank", (int)row->rank, "played", (int)row->played, "points",
                        rational_document(row->value[0].numerator, row->value[0].denominator),
                        "boards", lines_document(card)));
}

void score_cards_get(struct call *call)
{
    struct loaded_event loaded;
    struct card card;
    if (!open_event(call, &loaded) ||
        !call_found(call, round_games(call->db, call->arena, &loaded.event.id, 0, &card.games,
                                      &card.game_count)) ||
        !duplicate_load(call, &loaded, loaded.tournament->rounds_started, &card.duplicate))
        return;
    if (find_entry(call, &card))
        answer_card(call, &card);
    duplicate_free(&card.duplicate);
}

/* ---- Two tables ---- */

/* The id in with=<game>. */
static bool read_other(struct call *call, struct id *other)
{
    return (call->request->parameters == 1 &&
            id_parse(http_parameter(call->request, "with"), other)) ||
           call_problem(call, "bad-parameter",
                        "Name the game to compare with, of the same board: with=<its id>.");
}

static bool find_both(struct call *call, struct game_row games[static DIFFERENCE_SIDES])
{
    struct id other;
    if (!visibility_find_game(call, &call->id[0], &games[0]) || !read_other(call, &other) ||
        !visibility_find_game(call, &other, &games[1]))
        return false;
    if (games[0].board == 0 || games[0].board != games[1].board ||
        games[0].round != games[1].round || !id_equal(&games[0].event, &games[1].event))
        return call_problem(call, "not-found",
                            "The two games are not of the same board of a duplicate round.");
    return (visibility_is_open(&games[0]) && visibility_is_open(&games[1])) ||
           call_problem(call, "wrong-state",
                        "The board still has to be played at other tables; its games can be "
                        "compared afterwards.");
}

static bool read_record(struct call *call, const struct id *id, struct span *record)
{
    struct record_row *rows;
    size_t count;
    if (!call_found(call, record_read(call->db, call->arena, id, -1, &rows, &count)))
        return false;
    *record = record_join(call->arena, rows, count);
    return true;
}

/* The first ply of a table that differs; null if its game has ended before. In games played here
 * only plies are compared: the seat and the move. */
static json_t *then_document(const struct game_row *game, const struct difference *difference,
                             size_t side)
{
    struct span move = difference->side[side].entry;
    uint64_t seat;
    if (difference->side[side].seq == 0 || !span_number(span_word(&move), GAME_SEATS_MAX, &seat) ||
        seat >= game->seats)
        return json_null();
    return json_pack("{s:i, s:i, s:o, s:s%}", "seq", (int)difference->side[side].seq, "seat",
                     (int)seat, "player",
                     player_reference(&game->seat[seat].player, game->seat[seat].player_name),
                     "move", move.at, move.length);
}

void games_parting(struct call *call)
{
    struct game_row games[DIFFERENCE_SIDES];
    struct span records[DIFFERENCE_SIDES];
    struct difference difference;
    if (!find_both(call, games) || !read_record(call, &games[0].id, &records[0]) ||
        !read_record(call, &games[1].id, &records[1]))
        return;
    record_difference(call->arena, records, &difference);
    json_t *tables = json_array();
    for (size_t i = 0; i < DIFFERENCE_SIDES; i++)
        json_array_append_new(tables, json_pack("{s:s, s:i, s:o}", "game", games[i].id.text,
                                                "table", (int)games[i].table, "then",
                                                then_document(&games[i], &difference, i)));
    call_answer_tagged(call, json_pack("{s:s, s:i, s:i, s:i, s:o}", "event", games[0].event.text,
                                       "round", (int)games[0].round, "board", (int)games[0].board,
                                       "same", (int)difference.plies, "tables", tables));
}
