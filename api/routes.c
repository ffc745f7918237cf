#include "api/routes.h"

#include <string.h>

#include "api/handlers.h"
#include "api/quick_moves.h"

static const struct route routes[] = {
    {HTTP_GET, "/healthz", ACCESS_PUBLIC, WORK_STATIC, health_get, false, NULL, NULL},
    {HTTP_GET, "/readyz", ACCESS_PUBLIC, WORK_READ, ready_get, false, NULL, NULL},
    {HTTP_GET, "/openapi.json", ACCESS_PUBLIC, WORK_STATIC, openapi_get, false, NULL, NULL},
    {HTTP_GET, "/v1/problems", ACCESS_PUBLIC, WORK_STATIC, problems_list, false, NULL, NULL},

    {HTTP_GET, "/v1/rulesets", ACCESS_PUBLIC, WORK_STATIC, rulesets_list, false, NULL, NULL},
    {HTTP_GET, "/v1/rulesets/{word}", ACCESS_PUBLIC, WORK_STATIC, rulesets_get, false, NULL, NULL},
    {HTTP_GET, "/v1/rulesets/{word}/components", ACCESS_PUBLIC, WORK_STATIC, rulesets_components,
     false, NULL, NULL},

    {HTTP_POST, "/v1/players", ACCESS_PUBLIC, WORK_OWN, players_create, false, NULL, NULL},
    {HTTP_GET, "/v1/players", ACCESS_PUBLIC, WORK_READ, players_list, false, NULL, NULL},
    {HTTP_GET, "/v1/players/{id}", ACCESS_PUBLIC, WORK_READ, players_get, false, NULL, NULL},
    {HTTP_GET, "/v1/players/{id}/ratings", ACCESS_PUBLIC, WORK_READ, players_ratings, false, NULL,
     NULL},
    {HTTP_GET, "/v1/players/{id}/ratings/history", ACCESS_PUBLIC, WORK_READ, players_rating_history,
     false, NULL, NULL},
    {HTTP_GET, "/v1/players/{id}/games", ACCESS_PUBLIC, WORK_READ, players_games, false, NULL,
     NULL},
    {HTTP_POST, "/v1/tokens", ACCESS_PUBLIC, WORK_OWN, tokens_create, false, NULL, NULL},
    {HTTP_DELETE, "/v1/tokens/current", ACCESS_PLAYER, WORK_WRITE, tokens_revoke, false, NULL,
     NULL},
    {HTTP_GET, "/v1/me", ACCESS_PLAYER, WORK_READ, me_get, false, NULL, NULL},
    {HTTP_GET, "/v1/me/games", ACCESS_PLAYER, WORK_READ, me_games, false, NULL, NULL},
    {HTTP_GET, "/v1/keys", ACCESS_PUBLIC, WORK_STATIC, keys_get, false, NULL, NULL},

    {HTTP_POST, "/v1/events", ACCESS_PLAYER, WORK_WRITE, events_create, false, NULL, NULL},
    {HTTP_GET, "/v1/events", ACCESS_PUBLIC, WORK_READ, events_list, false, NULL, NULL},
    {HTTP_GET, "/v1/events/{id}", ACCESS_PUBLIC, WORK_READ, events_get, false, NULL, NULL},
    {HTTP_POST, "/v1/events/{id}/open-entries", ACCESS_ORGANIZER, WORK_WRITE, events_open_entries,
     false, NULL, NULL},
    {HTTP_POST, "/v1/events/{id}/close-entries", ACCESS_ORGANIZER, WORK_WRITE, events_close_entries,
     false, NULL, NULL},
    {HTTP_POST, "/v1/events/{id}/close", ACCESS_ORGANIZER, WORK_WRITE, events_close, false, NULL,
     NULL},
    {HTTP_GET, "/v1/events/{id}/log", ACCESS_PUBLIC, WORK_READ, events_log, false, NULL, NULL},
    {HTTP_POST, "/v1/events/{id}/entries", ACCESS_PLAYER, WORK_WRITE, entries_create, false, NULL,
     NULL},
    {HTTP_GET, "/v1/events/{id}/entries", ACCESS_PUBLIC, WORK_READ, entries_list, false, NULL,
     NULL},
    {HTTP_DELETE, "/v1/events/{id}/entries/{id}", ACCESS_PLAYER, WORK_WRITE, entries_delete, false,
     NULL, NULL},
    {HTTP_POST, "/v1/events/{id}/rounds", ACCESS_ORGANIZER, WORK_WRITE, rounds_start, false, NULL,
     NULL},
    {HTTP_GET, "/v1/events/{id}/rounds", ACCESS_PUBLIC, WORK_READ, rounds_list, false, NULL, NULL},
    {HTTP_GET, "/v1/events/{id}/rounds/{number}", ACCESS_PUBLIC, WORK_READ, rounds_get, false, NULL,
     NULL},
    {HTTP_GET, "/v1/events/{id}/rounds/{number}/boards/{number}", ACCESS_PUBLIC, WORK_READ,
     boards_get, false, NULL, NULL},
    {HTTP_GET, "/v1/events/{id}/entries/{id}/score-card", ACCESS_PUBLIC, WORK_READ, score_cards_get,
     false, NULL, NULL},
    {HTTP_GET, "/v1/events/{id}/standings", ACCESS_PUBLIC, WORK_READ, standings_get, false, NULL,
     NULL},

    {HTTP_GET, "/v1/games", ACCESS_PUBLIC, WORK_READ, games_list, false, NULL, NULL},
    {HTTP_GET, "/v1/games/{id}", ACCESS_PUBLIC, WORK_READ, games_get, false, NULL, NULL},
    {HTTP_GET, "/v1/games/{id}/view", ACCESS_PUBLIC, WORK_READ, games_view, false, NULL, NULL},
    {HTTP_GET, "/v1/games/{id}/events", ACCESS_PUBLIC, WORK_READ, games_events, false, NULL, NULL},
    {HTTP_GET, "/v1/games/{id}/legal-moves", ACCESS_PLAYER, WORK_READ, games_legal_moves, false,
     NULL, NULL},
    {HTTP_POST, "/v1/games/{id}/moves", ACCESS_PLAYER, WORK_WRITE, moves_create, false, moves_quick,
     moves_fetch},
    {HTTP_POST, "/v1/games/{id}/fallback", ACCESS_PLAYER, WORK_WRITE, fallback_create, false, NULL,
     NULL},
    {HTTP_GET, "/v1/games/{id}/record", ACCESS_PUBLIC, WORK_READ, games_record, false, NULL, NULL},
    {HTTP_GET, "/v1/games/{id}/verification", ACCESS_PUBLIC, WORK_READ, games_verification, false,
     NULL, NULL},
    {HTTP_GET, "/v1/leaderboard", ACCESS_PUBLIC, WORK_READ, leaderboard_get, false, NULL, NULL},

    {HTTP_GET, "/", ACCESS_PUBLIC, WORK_STATIC, page_home, true, NULL, NULL},
    {HTTP_GET, "/events/{id}", ACCESS_PUBLIC, WORK_STATIC, page_event, true, NULL, NULL},
    {HTTP_GET, "/events/{id}/rounds/{number}/boards/{number}", ACCESS_PUBLIC, WORK_STATIC,
     page_board, true, NULL, NULL},
    {HTTP_GET, "/events/{id}/entries/{id}/score-card", ACCESS_PUBLIC, WORK_STATIC, page_score_card,
     true, NULL, NULL},
    {HTTP_GET, "/games/{id}", ACCESS_PUBLIC, WORK_STATIC, page_game, true, NULL, NULL},
    {HTTP_GET, "/players/{id}", ACCESS_PUBLIC, WORK_STATIC, page_player, true, NULL, NULL},
    {HTTP_GET, "/leaderboard", ACCESS_PUBLIC, WORK_STATIC, page_leaderboard, true, NULL, NULL},
    {HTTP_GET, "/docs", ACCESS_PUBLIC, WORK_STATIC, page_docs, true, NULL, NULL},
    {HTTP_GET, "/static/{word}", ACCESS_PUBLIC, WORK_STATIC, page_file, true, NULL, NULL},
};

const struct route *route_at(size_t i)
{
    return i < sizeof routes / sizeof routes[0] ? &routes[i] : NULL;
}

/* Cuts the first segment off a pattern that begins with `/`. */
static struct span next_segment(struct span *pattern)
{
    struct span segment = {pattern->at + 1, 0};
    while (segment.length + 1 < pattern->length && segment.at[segment.length] != '/')
        segment.length++;
    pattern->at += segment.length + 1;
    pattern->length -= segment.length + 1;
    return segment;
}

static bool is_word(struct span word)
{
    return word.length > 0 && word.length <= 64;
}

/* True if the path begins as the pattern does, up to its first placeholder: most routes fail here.
 */
static bool begins_like(struct span path, const char *pattern)
{
    size_t i = 0;
    while (i < path.length && path.at[i] == pattern[i])
        i++;
    return pattern[i] == '{' || (pattern[i] == '\0' && i == path.length);
}

/* True if the request's path fits the pattern; fills what the placeholders stand for. */
static bool fits(struct call *call, const char *path)
{
    const struct http_request *request = call->request;
    if (!begins_like(request->path, path))
        return false;
    struct span pattern = span_of(path);
    size_t ids = 0;
    size_t words = 0;
    size_t numbers = 0;
    size_t used = 0;
    if (pattern.length == 1)
        return request->segments == 0;
    while (pattern.length > 0) {
        struct span wanted = next_segment(&pattern);
        if (used == request->segments)
            return false;
        struct span found = request->segment[used++];
        if (span_is(wanted, "{id}")) {
            if (ids == CALL_IDS_MAX || !id_parse(found, &call->id[ids++]))
                return false;
        } else if (span_is(wanted, "{number}")) {
            if (numbers == CALL_IDS_MAX || !span_number(found, 1000, &call->number[numbers++]))
                return false;
        } else if (span_is(wanted, "{word}")) {
            if (words == CALL_IDS_MAX || !is_word(found))
                return false;
            call->word[words++] = found;
        } else if (!span_equal(wanted, found)) {
            return false;
        }
    }
    return used == request->segments;
}

static bool same_method(enum http_method wanted, enum http_method found)
{
    return wanted == found || (wanted == HTTP_GET && found == HTTP_HEAD);
}

static void add_method(struct text *allow, enum http_method method)
{
    if (allow->length > 0)
        text_add(allow, ", ");
    text_add(allow, http_method_name(method));
    if (method == HTTP_GET)
        text_add(allow, ", HEAD");
}

const struct route *route_find(struct call *call)
{
    char methods[64];
    struct text allow = TEXT_OVER(methods);
    for (size_t i = 0; route_at(i) != NULL; i++) {
        if (!fits(call, routes[i].path))
            continue;
        if (same_method(routes[i].method, call->request->method))
            return &routes[i];
        add_method(&allow, routes[i].method);
    }
    if (allow.length == 0) {
        call_problem(call, "not-found",
                     "There is nothing at this address; GET /openapi.json lists what there is.");
        return NULL;
    }
    call_problem(call, "method-not-allowed", "This address does not take this method.");
    call->response->allow = arena_copy(call->arena, text_span(&allow));
    return NULL;
}
