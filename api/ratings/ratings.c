/* Players' ratings and their changes. Values are whole millionths, as stored and computed. */
#include "api/ratings/ratings.h"

#include <string.h>

#include "api/ratings/glicko_ratings.h"
#include "api/ratings/handlers.h"
#include "api/request/documents.h"
#include "db/store/people/rating_reports.h"
#include "db/store/people/ratings.h"
#include "engine/game/catalog.h"
#include "engine/tournament/result/rating.h"
#include "engine/tournament/standings/seat_advantage.h"

/* ---- Documents ---- */

enum { MILLION = 1000000 };

/* Lichess's threshold: above this deviation, a Glicko-2 rating says little yet. */
enum { GLICKO_PROVISIONAL_DEVIATION = 110000000 };

/* ---- Scopes ---- */

static bool cut_prefix(struct span *name, const char *prefix)
{
    size_t length = strlen(prefix);
    if (name->length < length || memcmp(name->at, prefix, length) != 0)
        return false;
    *name = (struct span){name->at + length, name->length - length};
    return true;
}

bool rating_scope_read(struct call *call, bool solo, struct rating_scope *scope)
{
    struct span wanted = http_parameter(call->request, "scope");
    *scope = (struct rating_scope){.name = "overall"};
    if (wanted.at == NULL || span_is(wanted, "overall"))
        return true;
    bool glicko = cut_prefix(&wanted, "glicko.");
    bool house = !glicko && cut_prefix(&wanted, "house.");
    scope->solo = solo && !glicko && !house && cut_prefix(&wanted, "solo.");
    const struct game *game = catalog_newest(wanted);
    if (game == NULL || (scope->solo && game->seats_min > 1))
        return call_problem(
            call, "bad-parameter",
            solo ? "scope must be `overall`, the slug of a ruleset, `glicko.` or `house.` and a "
                   "slug, or `solo.` and the slug of a one-player ruleset."
                 : "scope must be `overall`, the slug of a ruleset, or `glicko.` or `house.` and "
                   "a slug.");
    scope->slug = game->slug;
    scope->name = glicko  ? glicko_scope(call->arena, game->slug)
                  : house ? rating_house_scope(call->arena, game->slug)
                          : game->slug;
    return true;
}

/* Counts the Glicko-2 periods in a scope; 0 in other scopes. False with a problem. */
static bool rating_count_periods(struct call *call, const char *scope, unsigned *periods)
{
    struct span slug = span_of(scope);
    *periods = 0;
    return !cut_prefix(&slug, "glicko.") ||
           call_found(call, rating_period_count(call->db, slug.at, periods));
}

/* ---- Documents ---- */

/* Plackett-Luce ratings have no volatility. */
static int64_t value_of(int64_t mu, int64_t sigma, int64_t volatility)
{
    const struct rating_row row = {.mu = mu, .sigma = sigma, .volatility = volatility};
    return rating_value(&row);
}

/* Rounds to whole points, halves up; exact for every integer. */
static json_int_t points_of(int64_t millionths)
{
    int64_t raised = millionths + MILLION / 2;
    return raised / MILLION - (raised % MILLION < 0);
}

/* Ratings on the familiar scale, on which a new player has 1500 with a deviation of 350. Glicko-2
 * uses this scale; Plackett-Luce values (25 and 25/3) are multiplied by 42, plus 450. */
static json_t *display_document(int64_t mu, int64_t sigma, int64_t ranked_by, bool glicko)
{
    enum { FACTOR = 42, BASE = 450 };
    int64_t factor = glicko ? 1 : FACTOR;
    int64_t base = glicko ? 0 : (int64_t)BASE * MILLION;
    return json_pack("{s:I, s:I, s:I}", "rating", points_of(mu * factor + base), "deviation",
                     points_of(sigma * factor), "ranked_by", points_of(ranked_by * factor + base));
}

/* The current rating; `periods` is the number of Glicko-2 periods in its scope. */
static json_t *rating_document(const struct rating_row *row, unsigned periods)
{
    bool glicko = row->volatility > 0;
    int64_t sigma = glicko ? glicko_deviation(row, periods) : row->sigma;
    bool provisional = sigma > (glicko ? (int64_t)GLICKO_PROVISIONAL_DEVIATION
                                       : (int64_t)RATING_PROVISIONAL_SIGMA);
    json_t *document = json_pack(
        "{s:o, s:b, s:s, s:s, s:I, s:I, s:o, s:I, s:o, s:i, s:b}", "player",
        player_reference(&row->player, row->player_name), "imported", (int)row->imported, "scope",
        row->scope, "system", glicko ? "glicko-2" : "plackett-luce", "mu_millionths",
        (json_int_t)row->mu, "sigma_millionths", (json_int_t)sigma, "volatility_billionths",
        number_or_null(row->volatility), "rating_millionths", (json_int_t)rating_value(row),
        "display", display_document(row->mu, sigma, rating_value(row), glicko), "games",
        (int)row->games, "provisional", (int)provisional);
    if (row->reported > 0)
        json_object_set_new(document, "reported", json_integer(row->reported));
    return document;
}

static json_t *value_document(int64_t mu, int64_t sigma, int64_t volatility)
{
    int64_t value = value_of(mu, sigma, volatility);
    return json_pack("{s:I, s:I, s:o, s:I, s:o}", "mu_millionths", (json_int_t)mu,
                     "sigma_millionths", (json_int_t)sigma, "volatility_billionths",
                     number_or_null(volatility), "rating_millionths", (json_int_t)value, "display",
                     display_document(mu, sigma, value, volatility > 0));
}

json_t *rating_before_document(const struct rating_change *change)
{
    return value_document(change->mu_before, change->sigma_before, change->volatility_before);
}

json_t *rating_after_document(const struct rating_change *change)
{
    return value_document(change->mu_after, change->sigma_after, change->volatility_after);
}

/* The game, event or table that changed a rating. Borrowed. */
static const struct id *rating_cause(const struct rating_change *change)
{
    if (change->table.id.text[0] != '\0')
        return &change->table.id;
    return change->event.text[0] != '\0' ? &change->event : &change->game;
}

void rating_add_cause(json_t *document, const struct rating_change *change)
{
    const struct id *event =
        change->table.id.text[0] != '\0' ? &change->table.event : &change->event;
    json_object_set_new(document, "game", text_or_null(change->game.text));
    json_object_set_new(document, "event", text_or_null(event->text));
    rating_add_reported(document, &change->table);
}

void rating_add_reported(json_t *document, const struct rated_table *table)
{
    if (table->id.text[0] != '\0')
        json_object_set_new(document, "reported",
                            json_pack("{s:s, s:i, s:i}", "event", table->event.text, "round",
                                      (int)table->round, "table", (int)table->table));
}

/* ---- Histories ---- */

static json_t *change_document(const struct rating_change *change)
{
    json_t *document =
        json_pack("{s:s, s:I, s:o, s:i, s:o, s:o}", "scope", change->scope, "number",
                  (json_int_t)change->number, "at", time_json(change->at_ms), "revision",
                  (int)change->revision, "before", rating_before_document(change), "after",
                  rating_after_document(change));
    rating_add_cause(document, change);
    return document;
}

/* A page continues after the change to this player that `after`, a game, event or table, made. */
static bool find_change(struct call *call, const struct list_range *range, const struct id *player,
                        const char *scope, const struct rating_change **cursor)
{
    struct rating_change *changes;
    size_t count;
    *cursor = NULL;
    if (range->after.text[0] == '\0')
        return true;
    if (!call_found(call,
                    rating_changes_of(call->db, call->arena, &range->after, &changes, &count)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (id_equal(&changes[i].player, player) && strcmp(changes[i].scope, scope) == 0)
            *cursor = &changes[i];
    return *cursor != NULL ||
           call_problem(call, "bad-parameter", "after must be the `next` of a page.");
}

void players_rating_history(struct call *call)
{
    static const char *const further[] = {"scope", NULL};
    struct list_range range;
    struct player player;
    const struct rating_change *cursor;
    struct rating_change *changes;
    size_t count;
    struct rating_scope scope;
    if (!call_list_range(call, further, &range) || !rating_scope_read(call, false, &scope) ||
        !call_found(call, player_by_id(call->db, call->arena, &call->id[0], &player)) ||
        !find_change(call, &range, &player.id, scope.name, &cursor) ||
        !call_found(call, rating_history(call->db, call->arena, &player.id, scope.name, cursor,
                                         range.limit, &changes, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, change_document(&changes[i]));
    call_answer(call, 200,
                list_with_next(items, count == range.limit ? rating_cause(&changes[count - 1])->text
                                                           : NULL));
}

json_t *rating_list_of(struct call *call, const struct id *player)
{
    struct rating_row *rows;
    size_t count;
    if (!call_found(call, rating_of_player(call->db, call->arena, player, &rows, &count)))
        return NULL;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++) {
        unsigned periods;
        if (!rating_count_periods(call, rows[i].scope, &periods)) {
            json_decref(items);
            return NULL;
        }
        json_array_append_new(items, rating_document(&rows[i], periods));
    }
    return items;
}

void players_ratings(struct call *call)
{
    struct player player;
    if (!call_found(call, player_by_id(call->db, call->arena, &call->id[0], &player)))
        return;
    json_t *items = rating_list_of(call, &player.id);
    if (items != NULL)
        call_answer_tagged(call, list_with_next(items, NULL));
}

/* ---- Leaderboards ---- */

/* Leaderboards: by rating, or by mean percentile in one-player games. */

enum { GAMES_LEAST_MOST = 10000 };

/* A place requires this many games where a few good games could otherwise lead: in Glicko-2, which
 * is ranked by the rating itself, and in games for one. */
enum { GAMES_FOR_PLACE = 10 };

struct board {
    struct list_range range;
    struct rating_scope scope;
    unsigned games_least, games_for_place;
};

static bool read_games_least(struct call *call, unsigned *games_least)
{
    struct span given = http_parameter(call->request, "games_min");
    uint64_t number = 1;
    if (given.at != NULL && !span_number(given, GAMES_LEAST_MOST, &number))
        return call_problem(call, "bad-parameter", "games_min must be a number from 0 to 10000.");
    *games_least = (unsigned)number;
    return true;
}

static bool read_board(struct call *call, struct board *board)
{
    static const char *const further[] = {"scope", "games_min", NULL};
    return call_list_range(call, further, &board->range) &&
           rating_scope_read(call, true, &board->scope) &&
           read_games_least(call, &board->games_least);
}

static void answer_board(struct call *call, const struct board *board, json_t *items,
                         const char *next)
{
    json_t *document = list_with_next(items, next);
    json_object_set_new(document, "games_for_place", json_integer(board->games_for_place));
    call_answer_tagged(call, document);
}

/* The player in `after` must be on the leaderboard; the page continues from there. */
static bool check_cursor(struct call *call, enum db_status status)
{
    if (status == DB_NONE)
        return call_problem(call, "bad-parameter", "after must be the `next` of a page.");
    return call_found(call, status);
}

/* ---- Ratings ---- */

/* Appends players with a place to `items`, then all others, and sets `next`. False with a problem.
 */
static bool add_ratings(struct call *call, const struct board *board, const struct rating_row *last,
                        unsigned periods, json_t *items, const char **next)
{
    *next = NULL;
    for (unsigned part = 0; part < 2; part++) {
        unsigned least = part == 0 ? board->games_for_place : 1;
        unsigned most = part == 0 ? INT32_MAX : board->games_for_place - 1;
        bool begun = last != NULL && last->games >= least && last->games <= most;
        size_t left = board->range.limit - json_array_size(items), count = 0;
        struct rating_row *rows;
        least = least < board->games_least ? board->games_least : least;
        if (left == 0 || least > most ||
            (last != NULL && last->games < board->games_for_place && part == 0))
            continue;
        if (!call_found(call, rating_leaderboard(call->db, call->arena, board->scope.name, least,
                                                 most, begun ? last : NULL, left, &rows, &count)))
            return false;
        for (size_t i = 0; i < count; i++)
            json_array_append_new(items, rating_document(&rows[i], periods));
        *next = count == left ? rows[count - 1].player.text : NULL;
    }
    return true;
}

static void answer_ratings(struct call *call, const struct board *board)
{
    bool first = board->range.after.text[0] == '\0';
    const char *scope = board->scope.name, *next;
    struct rating_row last;
    unsigned periods;
    if ((!first && !check_cursor(call, rating_find(call->db, &board->range.after, scope, &last))) ||
        !rating_count_periods(call, scope, &periods))
        return;
    json_t *items = json_array();
    if (add_ratings(call, board, first ? NULL : &last, periods, items, &next))
        answer_board(call, board, items, next);
    else
        json_decref(items);
}

/* ---- One-player games ---- */

/* A mean in percent; a percentile is rounded down to a millionth. */
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
    const struct list_range *range = &board->range;
    struct percentile_row *rows;
    size_t count;
    if ((range->after.text[0] != '\0' &&
         !check_cursor(call, percentile_of(call->db, board->scope.slug, &range->after))) ||
        !call_found(call, percentile_list(call->db, call->arena, board->scope.slug,
                                          board->games_least, board->games_for_place, &range->after,
                                          range->limit, &rows, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, percentile_document(board, &rows[i]));
    answer_board(call, board, items, count == range->limit ? rows[count - 1].player.text : NULL);
}

void leaderboard_get(struct call *call)
{
    struct board board;
    if (!read_board(call, &board))
        return;
    bool certain = !board.scope.solo && strncmp(board.scope.name, "glicko.", 7) != 0;
    board.games_for_place = certain ? 1 : GAMES_FOR_PLACE;
    if (board.scope.solo)
        answer_percentiles(call, &board);
    else
        answer_ratings(call, &board);
}

/* ---- Opponents ---- */

/* Head-to-head results: a player's opponents, and how often each side finished ahead. */

enum { GAMES_MOST = 1000, OPPONENTS_MOST = 50 };

static json_t *id_or_null(const struct id *id)
{
    return id->text[0] == '\0' ? json_null() : json_string(id->text);
}

/* Tables of which people have reported the results; null if there are none. */
static json_t *met_document(const struct opponent *opponent)
{
    const struct opponent_tally *reported = &opponent->reported;
    return reported->count == 0
               ? json_null()
               : json_pack("{s:i, s:i, s:i, s:i, s:{s:s, s:i, s:i}}", "tables",
                           (int)reported->count, "ahead", (int)reported->ahead, "level",
                           (int)reported->level, "behind", (int)reported->behind, "last_table",
                           "event", opponent->last_event.text, "round", (int)opponent->last_round,
                           "table", (int)opponent->last_table);
}

static json_t *opponent_document(const struct opponent *opponent)
{
    const struct opponent_tally *games = &opponent->games;
    return json_pack("{s:o, s:i, s:i, s:i, s:i, s:o, s:o}", "player",
                     player_reference(&opponent->player, opponent->name), "games",
                     (int)games->count, "ahead", (int)games->ahead, "level", (int)games->level,
                     "behind", (int)games->behind, "last_game", id_or_null(&opponent->last_game),
                     "reported", met_document(opponent));
}

void players_opponents(struct call *call)
{
    struct player player;
    struct opponent *opponents;
    size_t count;
    if (!call_found(call, player_by_id(call->db, call->arena, &call->id[0], &player)) ||
        !call_found(call, opponent_list(call->db, call->arena, &player.id, GAMES_MOST,
                                        OPPONENTS_MOST, &opponents, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, opponent_document(&opponents[i]));
    call_answer_tagged(call,
                       json_pack("{s:i, s:o}", "games_most", (int)GAMES_MOST, "items", items));
}

/* ---- Seats ---- */

/* Seat statistics of a ruleset, from the newest finished games. */

/* A few hundred tables are enough to separate an advantage from luck. */
enum { TABLES_MOST = 20000 };

/* Players on fallback moves have not played the game to its end. */
static struct table_result table_of(const struct seat_results *results)
{
    struct table_result table = {.round = 1, .table = 1, .seats = (uint8_t)results->seats};
    for (unsigned seat = 0; seat < results->seats; seat++)
        table.seat[seat] = (struct seat_result){
            .entry = (uint16_t)seat,
            .kind = results->seat[seat].fallback ? ROUND_FORFEIT_LOSS : ROUND_PLAYED,
            .rank = (uint8_t)results->seat[seat].rank,
            .score = results->seat[seat].score};
    return table;
}

static json_t *interval_document(struct seat_interval interval)
{
    return json_pack("{s:I, s:I, s:I}", "value_millionths", (json_int_t)interval.value,
                     "low_millionths", (json_int_t)interval.low, "high_millionths",
                     (json_int_t)interval.high);
}

static json_t *seat_document(const struct seat_tallies *tallies, unsigned seats, unsigned seat)
{
    struct seat_advantage advantage = seat_advantage(tallies, seats, seat);
    return json_pack("{s:i, s:o, s:o, s:o, s:b}", "seat", (int)seat, "wins",
                     interval_document(advantage.wins), "share", interval_document(advantage.share),
                     "score", interval_document(advantage.score), "significant",
                     (int)advantage.significant);
}

static json_t *size_document(const struct seat_tallies *tallies, unsigned seats)
{
    json_t *list = json_array();
    for (unsigned seat = 0; seat < seats; seat++)
        json_array_append_new(list, seat_document(tallies, seats, seat));
    return json_pack("{s:i, s:I, s:o, s:o}", "seats", (int)seats, "tables",
                     (json_int_t)tallies->tables[seats], "even", rational_document(1, seats),
                     "by_seat", list);
}

/* Table sizes with at least one table. */
static json_t *sizes_document(const struct seat_results *results, size_t count, const char *version)
{
    struct seat_tallies tallies = {.tables = {0}};
    json_t *sizes = json_array();
    for (size_t i = 0; i < count; i++) {
        struct table_result table = table_of(&results[i]);
        if (strcmp(results[i].version, version) == 0)
            (void)seat_count(&tallies, &table);
    }
    for (unsigned seats = 2; seats <= TOURNAMENT_SEATS_MAX; seats++)
        if (tallies.tables[seats] > 0)
            json_array_append_new(sizes, size_document(&tallies, seats));
    return sizes;
}

void rulesets_seat_advantage(struct call *call)
{
    const struct game *newest = catalog_newest(call->word[0]);
    struct seat_results *results;
    size_t count;
    if (newest == NULL) {
        call_problem(call, "not-found", "There is no ruleset with this slug.");
        return;
    }
    if (!call_found(call, seat_results_list(call->db, call->arena, newest->slug, TABLES_MOST,
                                            &results, &count)))
        return;
    json_t *versions = json_array();
    for (size_t i = 0; catalog_at(i) != NULL; i++)
        if (strcmp(catalog_at(i)->slug, newest->slug) == 0)
            json_array_append_new(
                versions,
                json_pack("{s:o, s:o}", "ruleset",
                          ruleset_reference(newest->slug, catalog_at(i)->version), "sizes",
                          sizes_document(results, count, catalog_at(i)->version)));
    call_answer_tagged(
        call, json_pack("{s:i, s:o}", "games_most", (int)TABLES_MOST, "versions", versions));
}
