/* Leaderboards: by rating, or by mean percentile in games for one. */
#include "api/documents.h"
#include "api/handlers.h"
#include "api/rating_documents.h"
#include "db/percentiles.h"
#include "db/ratings.h"

enum { GAMES_LEAST_MOST = 10000 };

struct board {
    struct page page;
    struct rating_scope scope;
    unsigned games_least;
};

static bool read_games_least(struct call *call, unsigned *games_least)
{
    struct span given = http_parameter(call->request, "games_min");
    uint64_t number = 1;
    if (given.at != NULL && !span_number(given, GAMES_LEAST_MOST, &number))
        return call_problem(call, "bad-parameter", "games_min is a number from 0 to 10000.");
    *games_least = (unsigned)number;
    return true;
}

static bool read_board(struct call *call, struct board *board)
{
    static const char *const further[] = {"scope", "games_min", NULL};
    return call_page(call, further, &board->page) && rating_scope_read(call, true, &board->scope) &&
           read_games_least(call, &board->games_least);
}

/* Whoever `after` names has to be on the board; his place is where the page goes on. */
static bool check_cursor(struct call *call, enum db_status status)
{
    if (status == DB_NONE)
        return call_problem(call, "bad-parameter", "after is not the `next` of a page.");
    return call_found(call, status);
}

/* ---- Ratings ---- */

static void answer_ratings(struct call *call, const struct board *board)
{
    bool first = board->page.after.text[0] == '\0';
    const char *scope = board->scope.name;
    struct rating_row last;
    struct rating_row *rows;
    size_t count;
    unsigned periods;
    if ((!first && !check_cursor(call, rating_find(call->db, &board->page.after, scope, &last))) ||
        !rating_count_periods(call, scope, &periods) ||
        !call_found(call,
                    rating_leaderboard(call->db, call->arena, scope, board->games_least,
                                       first ? NULL : &last, board->page.limit, &rows, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, rating_document(&rows[i], periods));
    call_answer_tagged(
        call,
        page_document(items, count == board->page.limit ? rows[count - 1].player.text : NULL));
}

/* ---- Games for one ---- */

/* A mean in percent; a percentile has been rounded down to a millionth. */
static json_t *percentile_document(const struct board *board, const struct percentile_row *row)
{
    enum { MILLIONTHS_OF_A_PERCENT = 10000 };
    char bytes[64];
    struct text scope = TEXT_OVER(bytes);
    text_add(&scope, "solo.");
    text_add(&scope, board->scope.slug);
    return json_pack(
        "{s:o, s:b, s:s, s:s, s:i, s:o}", "player",
        player_reference(&row->player, row->player_name), "imported", (int)row->imported, "scope",
        bytes, "system", "percentile", "games", (int)row->games, "percentile",
        rational_document(row->millionths, (int64_t)row->games * MILLIONTHS_OF_A_PERCENT));
}

static void answer_percentiles(struct call *call, const struct board *board)
{
    const struct page *page = &board->page;
    struct percentile_row *rows;
    size_t count;
    if ((page->after.text[0] != '\0' &&
         !check_cursor(call, percentile_of(call->db, board->scope.slug, &page->after))) ||
        !call_found(call,
                    percentile_list(call->db, call->arena, board->scope.slug, board->games_least,
                                    &page->after, page->limit, &rows, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, percentile_document(board, &rows[i]));
    call_answer_tagged(
        call, page_document(items, count == page->limit ? rows[count - 1].player.text : NULL));
}

void leaderboard_get(struct call *call)
{
    struct board board;
    if (!read_board(call, &board))
        return;
    if (board.scope.solo)
        answer_percentiles(call, &board);
    else
        answer_ratings(call, &board);
}
