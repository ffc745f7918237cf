/* Ratings and the leaderboard. Values are whole millionths, as they are stored and computed. */
#include "db/ratings.h"

#include <string.h>

#include "api/documents.h"
#include "api/handlers.h"
#include "engine/catalog.h"
#include "engine/tournament/rating.h"

static json_t *rating_document(const struct rating_row *row)
{
    const struct rating rating = {(int32_t)row->mu, (int32_t)row->sigma};
    return json_pack("{s:o, s:s, s:I, s:I, s:I, s:i, s:b}", "player",
                     player_reference(&row->player, row->player_name), "scope", row->scope,
                     "mu_millionths", (json_int_t)row->mu, "sigma_millionths",
                     (json_int_t)row->sigma, "rating_millionths",
                     (json_int_t)rating_ordinal(rating), "games", (int)row->games, "provisional",
                     (int)rating_is_provisional(rating));
}

static bool read_scope(struct call *call, const char **scope)
{
    struct span wanted = http_parameter(call->request, "scope");
    *scope = "overall";
    if (wanted.at == NULL || span_is(wanted, "overall"))
        return true;
    const struct game *game = catalog_newest(wanted);
    if (game == NULL)
        return call_problem(call, "bad-parameter", "scope is `overall` or the slug of a ruleset.");
    *scope = game->slug;
    return true;
}

/* The last row of the page before, which is where this one goes on. */
static bool find_cursor(struct call *call, const struct page *page, const char *scope,
                        struct rating_row *row, const struct rating_row **cursor)
{
    *cursor = NULL;
    if (page->after.text[0] == '\0')
        return true;
    enum db_status status = rating_find(call->db, &page->after, scope, row);
    if (status == DB_NONE)
        return call_problem(call, "bad-parameter", "after is not the `next` of a page.");
    *cursor = row;
    return call_found(call, status);
}

void leaderboard_get(struct call *call)
{
    static const char *const further[] = {"scope", NULL};
    struct page page;
    struct rating_row last;
    const struct rating_row *cursor;
    struct rating_row *rows;
    size_t count;
    const char *scope;
    if (!call_page(call, further, &page) || !read_scope(call, &scope) ||
        !find_cursor(call, &page, scope, &last, &cursor) ||
        !call_found(call, rating_leaderboard(call->db, call->arena, scope, cursor, page.limit,
                                             &rows, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, rating_document(&rows[i]));
    call_answer_tagged(
        call, page_document(items, count == page.limit ? rows[count - 1].player.text : NULL));
}

static json_t *value_document(int64_t mu, int64_t sigma)
{
    const struct rating rating = {(int32_t)mu, (int32_t)sigma};
    return json_pack("{s:I, s:I, s:I}", "mu_millionths", (json_int_t)mu, "sigma_millionths",
                     (json_int_t)sigma, "rating_millionths", (json_int_t)rating_ordinal(rating));
}

static json_t *change_document(const struct rating_change *change)
{
    return json_pack("{s:s, s:s, s:o, s:o, s:o}", "game", change->game.text, "scope", change->scope,
                     "at", time_json(change->at_ms), "before",
                     value_document(change->mu_before, change->sigma_before), "after",
                     value_document(change->mu_after, change->sigma_after));
}

/* A page goes on behind the change that its `after`, a game, made to this player. */
static bool find_change(struct call *call, const struct page *page, const struct id *player,
                        const char *scope, const struct rating_change **cursor)
{
    struct rating_change *changes;
    size_t count;
    *cursor = NULL;
    if (page->after.text[0] == '\0')
        return true;
    if (!call_found(call,
                    rating_changes_of_game(call->db, call->arena, &page->after, &changes, &count)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (id_equal(&changes[i].player, player) && strcmp(changes[i].scope, scope) == 0)
            *cursor = &changes[i];
    return *cursor != NULL ||
           call_problem(call, "bad-parameter", "after is not the `next` of a page.");
}

void players_rating_history(struct call *call)
{
    static const char *const further[] = {"scope", NULL};
    struct page page;
    struct player player;
    const struct rating_change *cursor;
    struct rating_change *changes;
    size_t count;
    const char *scope;
    if (!call_page(call, further, &page) || !read_scope(call, &scope) ||
        !call_found(call, player_by_id(call->db, call->arena, &call->id[0], &player)) ||
        !find_change(call, &page, &player.id, scope, &cursor) ||
        !call_found(call, rating_history(call->db, call->arena, &player.id, scope, cursor,
                                         page.limit, &changes, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, change_document(&changes[i]));
    call_answer(call, 200,
                page_document(items, count == page.limit ? changes[count - 1].game.text : NULL));
}

void players_ratings(struct call *call)
{
    struct player player;
    struct rating_row *rows;
    size_t count;
    if (!call_found(call, player_by_id(call->db, call->arena, &call->id[0], &player)) ||
        !call_found(call, rating_of_player(call->db, call->arena, &player.id, &rows, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, rating_document(&rows[i]));
    call_answer_tagged(call, page_document(items, NULL));
}
