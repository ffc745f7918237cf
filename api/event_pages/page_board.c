/* Boards of duplicate rounds: the results of all players with the same cards, seat by seat; and the
 * score card of a player, with all boards in order. */
#include <string.h>

#include "api/event_pages/handlers.h"
#include "api/pages/page.h"
#include "api/pages/page_parts.h"
#include "api/pages/page_read.h"
#include "engine/game/game.h"

/* `alone`: the game is for one player. */
static void write_score(struct growing *html, const json_t *result, bool alone)
{
    if (alone && part_number(result, "score") < 0)
        html_write(html, "Defeat");
    else
        html_write(html, "%lld", part_number(result, "score"));
}

/* Writes nothing if there is no other result to compare with. */
static void write_matchpoints(struct growing *html, const json_t *result)
{
    long long field = part_number(result, "field");
    if (field > 1)
        html_write(html, "%lld of %lld", part_number(result, "matchpoints"), 2 * (field - 1));
}

/* ---- A board ---- */

static void write_result(struct growing *html, const json_t *board, const json_t *result,
                         bool alone)
{
    long long place = part_number(result, "place");
    long long sharing = 0;
    size_t i;
    json_t *each;
    json_array_foreach(json_object_get(board, "results"), i, each) sharing +=
        part_number(each, "seat") == part_number(result, "seat") &&
        part_number(each, "place") == place;
    html_write(html, "<tr class=\"row\"><td class=\"number\">");
    part_place(html, place, sharing);
    html_write(html, "</td><th scope=\"row\">");
    part_player(html, json_object_get(result, "player"));
    html_write(html, "</th><td class=\"number\">");
    write_score(html, result, alone);
    html_write(html, "</td><td class=\"number\">");
    write_matchpoints(html, result);
    html_write(html, "</td><td class=\"number points\">%s</td><td><a href=\"/games/%s\">",
               part_text(json_object_get(result, "percentage"), "text"), part_text(result, "game"));
    html_write(html, "%lld</a></td></tr>\n", part_number(result, "table"));
}

static void write_seat(struct growing *html, const json_t *board, long long seat, bool alone)
{
    static const struct part_column columns[] = {{"Place", true}, {"Player", false},
                                                 {"Score", true}, {"Matchpoints", true},
                                                 {"%", true},     {"Table", false}};
    static const char *const captions[GAME_SEATS_MAX] = {"Seat 1", "Seat 2", "Seat 3", "Seat 4",
                                                         "Seat 5"};
    bool open = false;
    size_t i;
    json_t *each;
    json_array_foreach(json_object_get(board, "results"), i, each)
    {
        if (part_number(each, "seat") != seat)
            continue;
        if (!open)
            part_table(html, captions[seat], columns, sizeof columns / sizeof columns[0]);
        open = true;
        write_result(html, board, each, alone);
    }
    if (open)
        part_table_end(html);
}

static void write_missing(struct growing *html, const json_t *board)
{
    size_t i;
    json_t *player;
    json_array_foreach(json_object_get(board, "missing"), i, player)
    {
        html_write(html, i == 0 ? "<p>Sat out: " : ", ");
        part_player(html, player);
    }
    html_write(html, i > 0 ? "</p>\n" : "");
}

void page_board(struct call *call)
{
    enum { PAGE_BYTES = 32 * 1024 };
    const char *id = call->id[0].text;
    long long round = (long long)call->number[0], number = (long long)call->number[1];
    struct growing html;
    const json_t *event = page_read(call, "/v1/events/%s", id);
    const json_t *board =
        event == NULL ? NULL
                      : page_read(call, "/v1/events/%s/rounds/%lld/boards/%lld", id, round, number);
    if (board == NULL)
        return;
    bool alone = part_number(json_object_get(event, "seats"), "max") == 1;
    growing_begin(&html, call->arena, PAGE_BYTES);
    html_write(&html, "<h1>Board %lld of round %lld</h1>\n<p class=\"about\">%s, tables: %lld. ",
               number, round, part_text(json_object_get(event, "ruleset"), "title"),
               part_number(board, "tables"));
    html_write(&html, "<a href=\"/events/%s\"><bdi>%s</bdi></a></p>\n", id,
               part_text(event, "name"));
    if (strcmp(part_text(board, "state"), "hidden") == 0)
        html_write(&html, "<p class=\"notice\">This board still has to be played at other tables. "
                          "Its results are shown afterwards.</p>\n");
    for (long long seat = 0; seat < GAME_SEATS_MAX; seat++)
        write_seat(&html, board, seat, alone);
    write_missing(&html, board);
    const char *const before[] = {
        "Board ", call_digits(call, number), " of round ", call_digits(call, round), ", ", NULL};
    const struct page_head head = {
        page_title(call, call_strings(call, before), part_text(event, "name")),
        "What everyone made of the same board, compared seat by seat."};
    page_answer(call, &head, &html);
}

/* ---- A score card ---- */

static void write_line(struct growing *html, const char *event, const json_t *board, bool alone)
{
    long long round = part_number(board, "round"), number = part_number(board, "board");
    long long field = part_number(board, "field"), table = part_number(board, "table");
    html_write(html,
               "<tr class=\"row\"><th scope=\"row\"><a href=\"/events/%s/rounds/%lld/boards/%lld\">"
               "Round %lld, board %lld</a></th><td class=\"number\">%lld</td><td class=\"number\">",
               event, round, number, round, number, part_number(board, "seat") + 1);
    if (strcmp(part_text(board, "state"), "hidden") == 0) {
        html_write(html,
                   "</td><td class=\"number\"></td><td class=\"number\"></td>"
                   "<td class=\"number points\"></td><td>%lld (still hidden)</td></tr>\n",
                   table);
        return;
    }
    write_score(html, board, alone);
    html_write(html, "</td><td class=\"number\">");
    if (field > 1)
        html_write(html, "%lld of %lld", part_number(board, "place"), field);
    html_write(html, "</td><td class=\"number\">");
    write_matchpoints(html, board);
    html_write(html, "</td><td class=\"number points\">%s</td><td><a href=\"/games/%s\">%lld</a>",
               part_text(json_object_get(board, "percentage"), "text"), part_text(board, "game"),
               table);
    html_write(html, "</td></tr>\n");
}

static void write_lines(struct growing *html, const char *event, const json_t *boards, bool alone)
{
    static const struct part_column columns[] = {
        {"Board", false},      {"Seat", true}, {"Score", true}, {"Place", true},
        {"Matchpoints", true}, {"%", true},    {"Table", false}};
    size_t i;
    json_t *each;
    if (json_array_size(boards) == 0) {
        html_write(html, "<p>No board has been started for this player.</p>\n");
        return;
    }
    part_table(html, "All boards, in the order of play", columns,
               sizeof columns / sizeof columns[0]);
    json_array_foreach(boards, i, each)
    {
        write_line(html, event, each, alone);
    }
    part_table_end(html);
}

void page_score_card(struct call *call)
{
    enum { PAGE_BYTES = 32 * 1024 };
    const char *id = call->id[0].text;
    struct growing html;
    const json_t *event = page_read(call, "/v1/events/%s", id);
    const json_t *card = event == NULL ? NULL
                                       : page_read(call, "/v1/events/%s/entries/%s/score-card", id,
                                                   call->id[1].text);
    if (card == NULL)
        return;
    const char *player = part_text(json_object_get(card, "player"), "name");
    bool alone = part_number(json_object_get(event, "seats"), "max") == 1;
    growing_begin(&html, call->arena, PAGE_BYTES);
    html_write(&html, "<h1>Score card of <bdi>%s</bdi></h1>\n<p class=\"about\">", player);
    if (part_number(card, "played") > 0)
        html_write(&html, "Place %lld with %s%s. ", part_number(card, "rank"),
                   part_text(json_object_get(card, "points"), "text"),
                   strcmp(part_text(event, "scoring"), "total") == 0 ? "" : " %");
    html_write(&html, "<a href=\"/events/%s\"><bdi>%s</bdi></a>. ", id, part_text(event, "name"));
    part_player(&html, json_object_get(card, "player"));
    html_write(&html, "</p>\n");
    write_lines(&html, id, json_object_get(card, "boards"), alone);
    const struct page_head head = {page_title(call, "Score card of ", player),
                                   "All boards of a player in a duplicate event."};
    page_answer(call, &head, &html);
}
