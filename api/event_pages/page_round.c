/* The page of a round: seats and results. */
#include <string.h>

#include "api/event_pages/handlers.h"
#include "api/event_pages/page_round.h"
#include "api/event_pages/page_standings.h"
#include "api/pages/page.h"
#include "api/pages/page_read.h"

/* ---- Tables ---- */

/* A seat of the round, with its table and player. */
struct place_of_seat {
    long long table, board; /* board: 0 = none */
    const char *game;       /* "" = none, or not visible */
    const json_t *seat, *seats;
    const char *state; /* of the table, "" if unknown */
};

static void write_seat(struct growing *html, const struct place_of_seat *place, bool boards)
{
    const char *kind = page_kind_words(part_text(place->seat, "kind"));
    html_write(html, "<tr class=\"row\"><td class=\"number\">");
    if (place->game[0] != '\0')
        html_write(html, "<a href=\"/games/%s\">%lld</a>", place->game, place->table);
    else
        html_write(html, "%lld", place->table);
    if (boards)
        html_write(html, "</td><td class=\"number\">%lld", place->board);
    html_write(html, "</td><th scope=\"row\">");
    part_player(html, json_object_get(place->seat, "player"));
    if (kind[0] != '\0')
        html_write(html, " (%s)", kind);
    html_write(html, "</th><td class=\"number\">");
    part_seat_place(html, place->seats, place->seat);
    html_write(html, "</td><td class=\"number\">");
    part_seat_score(html, place->seats, place->seat);
    html_write(html, "</td><td>%s</td></tr>\n", place->state);
}

static void write_seats(struct growing *html, struct place_of_seat place, bool boards)
{
    size_t i;
    json_t *seat;
    json_array_foreach(place.seats, i, seat)
    {
        place.seat = seat;
        write_seat(html, &place, boards);
    }
}

static bool has_boards(const json_t *round)
{
    const json_t *first = json_array_get(json_object_get(round, "seating"), 0);
    return !part_is_null(first, "board");
}

/* True if a table, or a game on a board, has no result yet. */
static bool is_open(const json_t *each, bool boards)
{
    return boards ? strcmp(part_text(each, "state"), "running") == 0
                  : part_is_null(json_array_get(json_object_get(each, "seats"), 0), "kind");
}

static const char *state_of_table(const json_t *table, bool waits)
{
    const json_t *report = json_object_get(table, "report");
    bool told = json_is_object(report), called = told && !part_is_null(report, "against");
    bool open = is_open(table, false);
    return part_is(table, "ruled")      ? "ruling"
           : called                     ? "arbiter called"
           : part_is(table, "recorded") ? "recorded"
           : part_is(table, "reported") ? "reported"
           : told                       ? "reported, not confirmed"
           : waits                      ? "waiting"
           : open                       ? "playing"
                                        : "";
}

/* Writes the result that counts, even if the game's own result differs. */
static void write_table(struct growing *html, const json_t *table)
{
    const char *waiting = part_text(json_object_get(table, "waiting"), "game");
    bool waits = waiting[0] != '\0';
    write_seats(html,
                (struct place_of_seat){.table = part_number(table, "table"),
                                       .game = waits ? waiting : part_text(table, "game"),
                                       .seats = json_object_get(table, "seats"),
                                       .state = state_of_table(table, waits)},
                false);
}

/* Boards that are still to be played at other tables are hidden; each game's document decides what
 * is visible. */
static void write_game(struct growing *html, const json_t *game)
{
    const json_t *event = json_object_get(game, "event");
    bool hidden = part_is(game, "hidden");
    bool running = strcmp(part_text(game, "state"), "running") == 0;
    write_seats(html,
                (struct place_of_seat){.table = part_number(event, "table"),
                                       .board = part_number(event, "board"),
                                       .game = hidden ? "" : part_text(game, "id"),
                                       .seats = json_object_get(game, "seats"),
                                       .state = running  ? "playing"
                                                : hidden ? "finished"
                                                         : ""},
                true);
}

/* Writes the tables or games that are still being played (`open`), or the others. */
static void write_some(struct growing *html, const json_t *list, bool boards, bool open)
{
    size_t i;
    json_t *each;
    json_array_foreach(list, i, each)
    {
        if (is_open(each, boards) != open)
            continue;
        if (boards)
            write_game(html, each);
        else
            write_table(html, each);
    }
}

/* Open tables come first: readers look for a seat, or for the rest of the round. */
static void write_tables(struct growing *html, const json_t *round)
{
    static const struct part_column columns[] = {
        {"Table", true}, {"Player", false}, {"Place", true}, {"Score", true}, {"State", false}};
    static const struct part_column with_boards[] = {{"Table", true},   {"Board", true},
                                                     {"Player", false}, {"Place", true},
                                                     {"Score", true},   {"State", false}};
    bool boards = has_boards(round);
    const json_t *list = json_object_get(round, boards ? "games" : "seating");
    if (part_number(round, "tables") == 0) {
        html_write(html, "<p>The round waits for its co-dealers.</p>\n");
        return;
    }
    html_write(html,
               "<div class=\"scroll\"><table class=\"pairings\"><caption>Tables of round "
               "%lld, %lld of %lld finished</caption>",
               part_number(round, "number"), part_number(round, "tables_finished"),
               part_number(round, "tables"));
    if (boards)
        part_columns(html, with_boards, 6);
    else
        part_columns(html, columns, 5);
    write_some(html, list, boards, true);
    write_some(html, list, boards, false);
    part_table_end(html);
}

static void write_byes(struct growing *html, const json_t *round)
{
    size_t i;
    json_t *bye;
    if (json_array_size(json_object_get(round, "byes")) == 0)
        return;
    html_write(html, "<ul class=\"byes\">");
    json_array_foreach(json_object_get(round, "byes"), i, bye)
    {
        html_write(html, "<li>");
        part_player(html, json_object_get(bye, "player"));
        html_write(html, ": %s</li>\n", page_kind_words(part_text(bye, "kind")));
    }
    html_write(html, "</ul>\n");
}

void page_round_write(struct growing *html, const json_t *round)
{
    if (!part_is_null(round, "deadline") && strcmp(part_text(round, "state"), "running") == 0) {
        html_write(html, "<p class=\"deadline\">To be played by ");
        part_time(html, part_text(round, "deadline"));
        html_write(html, ".</p>\n");
    }
    write_tables(html, round);
    write_byes(html, round);
}

/* ---- The page ---- */

static void write_links(struct growing *html, const json_t *event, long long shown)
{
    long long started = part_number(json_object_get(event, "rounds"), "started");
    html_write(html, "<nav class=\"links no-print\" aria-label=\"Rounds\">Round ");
    for (long long number = 1; number <= started; number++) {
        html_write(html, "<a href=\"/events/%s/rounds/%lld\"", part_text(event, "id"), number);
        part_current(html, number == shown);
        html_write(html, ">%lld</a> ", number);
    }
    html_write(html, "</nav>\n");
}

void page_round(struct call *call)
{
    enum { PAGE_BYTES = 32 * 1024 };
    const char *id = call->id[0].text;
    long long number = (long long)call->number[0];
    struct growing html;
    const json_t *event = page_read(call, "/v1/events/%s", id);
    const json_t *round =
        event == NULL ? NULL : page_read(call, "/v1/events/%s/rounds/%lld", id, number);
    if (round == NULL)
        return;
    growing_begin(&html, call->arena, PAGE_BYTES);
    html_write(&html,
               "<h1>Round %lld</h1>\n<p class=\"about\"><a href=\"/events/%s\"><bdi>%s</bdi>"
               "</a></p>\n",
               number, id, part_text(event, "name"));
    write_links(&html, event, number);
    page_round_write(&html, round);
    const char *const before[] = {"Round ", call_digits(call, number), ", ", NULL};
    const struct page_head head = {
        page_title(call, call_strings(call, before), part_text(event, "name")),
        "Seats and results of the round."};
    page_answer(call, &head, &html);
}
