/* Games are processed in batches. The differences of a batch are stored before the next one
 * starts from them, so memory use does not grow with the history. */
#include "api/ratings/ratings_again.h"

#include <assert.h>
#include <string.h>

#include "api/ratings/glicko_ratings.h"
#include "api/ratings/handlers.h"
#include "api/ratings/id_list.h"
#include "api/ratings/ratings.h"
#include "api/request/documents.h"
#include "db/link/db.h"
#include "db/store/people/rating_revisions.h"
#include "engine/game/catalog.h"
#include "engine/tournament/standings/rating_history.h"

enum { PART_GAMES = 500 };

static_assert((int)GAME_ROW_SEATS <= (int)RATING_PLAYERS_MAX, "tables can be rated");

struct again {
    struct call *call;
    unsigned revision;
    unsigned places; /* number of changes added so far */
};

/* One batch of the history, in one scope. */
struct part {
    struct arena *arena;
    const char *scope;
    const struct rated_row *games;
    size_t game_count;
    const struct rating_change *old; /* stored changes of all scopes */
    size_t old_count;
    struct id_list players;
    struct rating_step *was, *is;
    size_t was_count, is_count;
};

/* ---- Differences ---- */

static struct rating_step step_of(const struct part *part, const struct rating_change *change)
{
    return (struct rating_step){
        .key = (uint64_t)change->number,
        .player = (uint32_t)id_list_find(&part->players, &change->player),
        .before = {change->mu_before, change->sigma_before, change->volatility_before},
        .after = {change->mu_after, change->sigma_after, change->volatility_after}};
}

/* Finds the stored steps of the scope. */
static void find_old_steps(struct part *part)
{
    part->was = arena_array(part->arena, part->old_count, sizeof *part->was);
    for (size_t i = 0; i < part->old_count; i++)
        if (strcmp(part->old[i].scope, part->scope) == 0)
            part->was[part->was_count++] = step_of(part, &part->old[i]);
}

static struct rating_change change_of(const struct part *part, const struct rated_row *game,
                                      const struct rating_difference *difference)
{
    const struct rating_step *step = difference->is == NULL ? difference->was : difference->is;
    struct rating_change change = {.game = game->game,
                                   .table = game->table,
                                   .number = game->number,
                                   .player = part->players.ids[step->player],
                                   .scope = part->scope,
                                   .at_ms = game->at_ms,
                                   .games = 1,
                                   .none = difference->is == NULL};
    if (change.none)
        return change;
    change.mu_before = step->before[0];
    change.sigma_before = step->before[1];
    change.mu_after = step->after[0];
    change.sigma_after = step->after[1];
    return change;
}

static bool compare(struct again *again, const struct part *part,
                    struct rating_difference **differences, size_t *count)
{
    *differences = arena_array(part->arena, part->was_count + part->is_count, sizeof **differences);
    return rating_history_compare(part->was, part->was_count, part->is, part->is_count,
                                  *differences, count) ||
           call_problem(again->call, "unavailable",
                        "The service is out of memory; try again soon.");
}

static bool add_changes(struct again *again, struct rating_change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        changes[i].revision = again->revision;
    if (!call_found(again->call,
                    rating_changes_add(again->call->db, changes, count, again->places + 1)))
        return false;
    again->places += (unsigned)count;
    return true;
}

static bool store_differences(struct again *again, const struct part *part)
{
    struct rating_difference *differences;
    size_t count;
    if (!compare(again, part, &differences, &count))
        return false;
    struct rating_change *changes = arena_array(part->arena, count, sizeof *changes);
    const struct rated_row *game = part->games;
    for (size_t i = 0; i < count; i++) {
        const struct rating_step *step =
            differences[i].is == NULL ? differences[i].was : differences[i].is;
        while ((uint64_t)game->number != step->key)
            game++;
        changes[i] = change_of(part, game, &differences[i]);
    }
    return add_changes(again, changes, count);
}

/* ---- Plackett-Luce ---- */

/* Loads the ratings before the batch. */
static bool load_ratings(struct again *again, const struct part *part, struct rating **ratings)
{
    size_t count = part->players.count;
    struct rating_row *rows = arena_array(part->arena, count, sizeof *rows);
    *ratings = arena_array(part->arena, count, sizeof **ratings);
    for (size_t i = 0; i < count; i++) {
        rows[i].player = part->players.ids[i];
        rows[i].scope = part->scope;
    }
    if (!call_found(again->call,
                    rating_values_before(again->call->db, part->games[0].number, rows, count)))
        return false;
    for (size_t i = 0; i < count; i++)
        (*ratings)[i] = rows[i].games == 0
                            ? rating_initial()
                            : (struct rating){(int32_t)rows[i].mu, (int32_t)rows[i].sigma};
    return true;
}

static bool is_rated(const struct part *part, const struct rated_row *game)
{
    if (game->seats < 2)
        return false;
    if (game->apart)
        return strncmp(part->scope, RATING_HOUSE_SCOPE, sizeof RATING_HOUSE_SCOPE - 1) == 0 &&
               strcmp(part->scope + sizeof RATING_HOUSE_SCOPE - 1, game->slug) == 0;
    return (strcmp(part->scope, "overall") == 0 || strcmp(part->scope, game->slug) == 0);
}

static struct rated_game rated_game(const struct part *part, const struct rated_row *row)
{
    struct rated_game game = {.key = (uint64_t)row->number, .count = row->seats};
    for (unsigned i = 0; i < row->seats; i++) {
        game.player[i] = (uint32_t)id_list_find(&part->players, &row->player[i]);
        game.rank[i] = row->rank[i];
    }
    return game;
}

static bool make_steps(struct again *again, struct part *part)
{
    struct rated_game *games = arena_array(part->arena, part->game_count, sizeof *games);
    struct rating *ratings;
    size_t count = 0;
    size_t failed;
    if (!load_ratings(again, part, &ratings))
        return false;
    for (size_t i = 0; i < part->game_count; i++)
        if (is_rated(part, &part->games[i]))
            games[count++] = rated_game(part, &part->games[i]);
    part->is = arena_array(part->arena, count * GAME_ROW_SEATS, sizeof *part->is);
    return rating_history_make(games, count, ratings, part->players.count, part->is,
                               &part->is_count, &failed) == RATING_HISTORY_OK ||
           call_problem(again->call, "internal-error", "A stored rating is out of range.");
}

static bool rate_scope(struct again *again, const struct part *whole, const char *scope)
{
    struct part part = *whole;
    part.scope = scope;
    find_old_steps(&part);
    return make_steps(again, &part) && store_differences(again, &part);
}

static void find_players(struct part *part)
{
    id_list_begin(&part->players, part->arena, part->game_count * GAME_ROW_SEATS + part->old_count);
    for (size_t i = 0; i < part->game_count; i++)
        for (unsigned seat = 0; seat < part->games[i].seats; seat++)
            id_list_add(&part->players, &part->games[i].player[seat]);
    for (size_t i = 0; i < part->old_count; i++)
        id_list_add(&part->players, &part->old[i].player);
    id_list_sort(&part->players);
}

static bool has_game_of(const struct part *part, const char *slug, bool apart)
{
    for (size_t i = 0; i < part->game_count; i++)
        if (part->games[i].apart == apart && strcmp(part->games[i].slug, slug) == 0)
            return true;
    return false;
}

static bool rate_part(struct again *again, struct part *part)
{
    struct rating_change *old;
    if (!call_found(again->call,
                    rating_changes_between(again->call->db, part->arena, part->games[0].number,
                                           part->games[part->game_count - 1].number, &old,
                                           &part->old_count)))
        return false;
    part->old = old;
    find_players(part);
    const char *before = "";
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        const char *slug = catalog_at(i)->slug;
        bool is_new = strcmp(slug, before) != 0;
        before = slug;
        if (is_new && has_game_of(part, slug, false) && !rate_scope(again, part, slug))
            return false;
        if (is_new && has_game_of(part, slug, true) &&
            !rate_scope(again, part, rating_house_scope(part->arena, slug)))
            return false;
    }
    return rate_scope(again, part, "overall");
}

static bool rate_from(struct again *again, int64_t number)
{
    bool good = true;
    size_t count = PART_GAMES;
    while (good && count == PART_GAMES) {
        struct arena arena = {NULL};
        struct part part = {.arena = &arena};
        struct rated_row *games;
        good = call_found(again->call, rated_game_list(again->call->db, &arena, number, PART_GAMES,
                                                       &games, &count));
        if (good && count > 0) {
            part.games = games;
            part.game_count = count;
            number = games[count - 1].number + 1;
            good = rate_part(again, &part);
        }
        arena_free(&arena);
    }
    return good;
}

/* ---- Glicko-2 ---- */

/* Sets the period's stored and recomputed changes, as a batch of its own. */
static bool compare_period(struct again *again, const struct rating_period *period,
                           struct rating_change *is, size_t is_count, struct part *part)
{
    struct call *call = again->call;
    struct rating_change *old;
    if (!call_found(
            call, rating_changes_of(call->db, call->arena, &period->event, &old, &part->old_count)))
        return false;
    part->old = old;
    id_list_begin(&part->players, call->arena, part->old_count + is_count);
    for (size_t i = 0; i < part->old_count; i++)
        id_list_add(&part->players, &old[i].player);
    for (size_t i = 0; i < is_count; i++)
        id_list_add(&part->players, &is[i].player);
    id_list_sort(&part->players);
    find_old_steps(part);
    part->is = arena_array(call->arena, is_count, sizeof *part->is);
    for (size_t i = 0; i < is_count; i++)
        part->is[part->is_count++] = step_of(part, &is[i]);
    return true;
}

/* A player's change in the recomputed period; at most one per player. */
static struct rating_change period_change(const struct part *part,
                                          const struct rating_period *period,
                                          const struct rating_change *is, size_t is_count,
                                          uint32_t player)
{
    const struct id *id = &part->players.ids[player];
    for (size_t i = 0; i < is_count; i++)
        if (id_equal(&is[i].player, id))
            return is[i];
    return (struct rating_change){.event = period->event,
                                  .number = period->number,
                                  .player = *id,
                                  .scope = part->scope,
                                  .at_ms = period->at_ms,
                                  .games = 1,
                                  .none = true};
}

static bool rate_period(struct again *again, const struct rating_period *period)
{
    struct call *call = again->call;
    struct part part = {.arena = call->arena, .scope = glicko_scope(call->arena, period->slug)};
    struct rating_change *is;
    struct rating_difference *differences;
    size_t is_count;
    size_t count;
    if (!glicko_make_period(call, period, &is, &is_count) ||
        !compare_period(again, period, is, is_count, &part) ||
        !compare(again, &part, &differences, &count))
        return false;
    struct rating_change *changes = arena_array(call->arena, count, sizeof *changes);
    for (size_t i = 0; i < count; i++) {
        const struct rating_step *step =
            differences[i].is == NULL ? differences[i].was : differences[i].is;
        changes[i] = period_change(&part, period, is, is_count, step->player);
    }
    return add_changes(again, changes, count);
}

static bool rate_periods(struct again *again, const struct id *event)
{
    struct call *call = again->call;
    struct rating_period period;
    enum db_status status = rating_period_of(call->db, call->arena, event, &period);
    while (status == DB_OK) {
        struct rating_period before = period;
        if (!rate_period(again, &before))
            return false;
        status = rating_period_next(call->db, call->arena, &before, &period);
    }
    return status == DB_NONE || call_found(call, status);
}

/* ---- Whole recomputation ---- */

bool ratings_again(struct call *call, const struct id *game, const struct id *event, bool apart,
                   const char *reason)
{
    struct again again = {.call = call};
    int64_t number;
    if (!call_found(call, rating_lock(call->db)))
        return false;
    enum db_status status = rated_game_place(call->db, game, call->now_ms, apart, &number);
    if (status == DB_NONE)
        return true;
    struct rating_revision revision = {.at_ms = call->now_ms,
                                       .actor = call->signed_in ? call->player.id : (struct id){""},
                                       .game = *game,
                                       .reason = reason};
    if (!call_found(call, status) || !call_found(call, rating_revision_create(call->db, &revision)))
        return false;
    again.revision = revision.number;
    return rate_from(&again, number) && (event->text[0] == '\0' || rate_periods(&again, event)) &&
           call_found(call, rating_settle_revision(call->db, revision.number));
}

/* ---- Revisions ---- */

/* Revisions: ratings recomputed after a correction, and their differences. */

/* Reads a page's range, whose `after` is a number here. */
static bool read_page(struct call *call, struct list_range *range, unsigned *after)
{
    static const char *const further[] = {"after", NULL};
    struct span given = http_parameter(call->request, "after");
    uint64_t number = 0;
    *after = 0;
    if (given.at != NULL && !span_number(given, INT32_MAX, &number))
        return call_problem(call, "bad-parameter",
                            "after must be the `next` of the previous page, a number.");
    *after = (unsigned)number;
    return call_list_range(call, further, range);
}

static json_t *numbered_page(json_t *items, bool more, unsigned last)
{
    return json_pack("{s:o, s:o}", "items", items, "next", more ? json_integer(last) : json_null());
}

static json_t *revision_document(const struct rating_revision *revision)
{
    json_t *by = player_or_null(&revision->actor, revision->actor_name);
    json_t *game = text_or_null(revision->game.text);
    json_t *document = json_pack("{s:i, s:o, s:o, s:o, s:s, s:i}", "number", (int)revision->number,
                                 "at", time_json(revision->at_ms), "by", by, "game", game, "reason",
                                 revision->reason, "changes", (int)revision->changes);
    rating_add_reported(document, &revision->table);
    return document;
}

void rating_revisions_list(struct call *call)
{
    struct list_range range = {.limit = 0};
    struct rating_revision *revisions;
    size_t count;
    unsigned after = 0;
    if (!read_page(call, &range, &after) ||
        !call_found(call, rating_revision_list(call->db, call->arena, after, range.limit,
                                               &revisions, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, revision_document(&revisions[i]));
    bool more = count == range.limit;
    call_answer_tagged(call, numbered_page(items, more, more ? revisions[count - 1].number : 0));
}

static json_t *values_document(const struct rating_change *change)
{
    if (change->none)
        return json_null();
    return json_pack("{s:o, s:o}", "before", rating_before_document(change), "after",
                     rating_after_document(change));
}

static json_t *correction_document(const struct rating_correction *correction)
{
    const struct rating_change *is = &correction->is;
    json_t *document = json_pack("{s:o, s:s, s:o, s:o, s:o}", "player",
                                 player_reference(&is->player, is->player_name), "scope", is->scope,
                                 "at", time_json(is->at_ms), "was",
                                 values_document(&correction->was), "is", values_document(is));
    rating_add_cause(document, is);
    return document;
}

void rating_revisions_get(struct call *call)
{
    struct list_range range = {.limit = 0};
    struct rating_revision revision;
    struct rating_correction *corrections;
    size_t count;
    unsigned after = 0;
    unsigned number = (unsigned)call->number[0];
    if (!read_page(call, &range, &after) ||
        !call_found(call, rating_revision_find(call->db, call->arena, number, &revision)) ||
        !call_found(call, rating_correction_list(call->db, call->arena, number, after, range.limit,
                                                 &corrections, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, correction_document(&corrections[i]));
    bool more = count == range.limit;
    json_t *document = revision_document(&revision);
    json_t *list = numbered_page(items, more, more ? corrections[count - 1].place : 0);
    json_object_update_missing(document, list);
    json_decref(list);
    call_answer_tagged(call, document);
}
