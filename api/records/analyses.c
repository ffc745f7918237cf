/* Analyses of finished public games. Every account can request one; house accounts (`tillroll
 * house`) make them, and deliver them in parts. A delivered analysis is checked
 * (engine/analysis/analysis_check.h) before it is shown. */
#include <stdlib.h>
#include <string.h>

#include "api/base/json_text.h"
#include "api/records/handlers.h"
#include "api/request/documents.h"
#include "api/request/visibility.h"
#include "api/tables/games.h"
#include "db/store/games/analyses.h"
#include "db/store/people/players.h"
#include "engine/analysis/analysis_check.h"
#include "engine/game/catalog.h"

enum { WAITING_OWN = 5, PLIES_MAX = 100000 };

/* ---- Analyzable games ---- */

static bool is_analysed(const struct game_row *game)
{
    return visibility_is_open(game) && !game->voided;
}

/* Finds a public finished game. To every caller, other games do not exist, so nothing hidden is
 * revealed. */
static bool find_game(struct call *call, struct game_row *game)
{
    return visibility_find_any_game(call, &call->id[0], game) &&
           (is_analysed(game) || call_found(call, DB_NONE));
}

static uint32_t budget_of(const struct game_row *game)
{
    const struct game *rules = catalog_find(span_of(game->slug), span_of(game->version));
    return rules == NULL ? 0 : analysis_usual_budget(rules);
}

/* ---- Documents ---- */

static const char *state_of(const struct analysis_row *row)
{
    if (row->document[0] != '\0')
        return "finished";
    if (row->leased)
        return "running";
    return row->attempts < ANALYSIS_ATTEMPTS ? "waiting" : "failed";
}

static json_t *document_of(const struct game_row *game, const struct analysis_row *row)
{
    const bool asked = row->maker != NULL;
    const bool running = asked && strcmp(state_of(row), "running") == 0;
    json_t *analysis = asked ? json_loads(row->document, 0, NULL) : NULL;
    return json_pack("{s:s, s:s, s:s?, s:s, s:i, s:i, s:i, s:o}", "game", game->id.text, "state",
                     asked ? state_of(row) : "none", "maker", row->maker, "newest_maker",
                     ANALYSIS_MAKER, "budget", (int)budget_of(game), "done",
                     running ? (int)row->done : 0, "plies", running ? (int)row->total : 0,
                     "analysis", analysis == NULL ? json_null() : analysis);
}

static bool find_analysis(struct call *call, const struct id *game, struct analysis_row *row)
{
    *row = (struct analysis_row){.maker = NULL};
    enum db_status status = analysis_find(call->db, call->arena, game, row);
    return status == DB_NONE || call_found(call, status);
}

static void answer(struct call *call, const struct game_row *game)
{
    struct analysis_row row;
    if (!find_analysis(call, &game->id, &row))
        return;
    json_t *document = document_of(game, &row);
    if (call->request->method == HTTP_POST)
        call_answer(call, 200, document);
    else
        call_answer_tagged(call, document);
}

void analyses_get(struct call *call)
{
    struct game_row game;
    if (find_game(call, &game))
        answer(call, &game);
}

/* ---- Requests ---- */

static bool may_wait(struct call *call)
{
    unsigned own, all;
    if (!call_found(call, player_lock_person(call->db, &call->player)) ||
        !call_found(
            call, analysis_count_waiting(call->db, &call->player.id, ANALYSES_WAITING, &own, &all)))
        return false;
    if (own >= WAITING_OWN)
        return call_problem(call, "too-many-analyses",
                            "Five analyses that you have asked for are not finished yet; wait for "
                            "one of them, or analyze the game in your browser.");
    return all < ANALYSES_WAITING ||
           call_problem(call, "too-many-analyses",
                        "1,000 analyses are waiting already; try again later, or analyze the game "
                        "in your browser.");
}

void analyses_ask(struct call *call)
{
    struct game_row game;
    struct analysis_row row;
    if (!call_check_keys(call, NULL) || !find_game(call, &game) ||
        !find_analysis(call, &game.id, &row))
        return;
    const bool wanted = row.maker == NULL || strcmp(row.maker, ANALYSIS_MAKER) != 0;
    if (!wanted ||
        (may_wait(call) &&
         call_found(call, analysis_ask(call->db, &game.id, &call->player.id, ANALYSIS_MAKER))))
        answer(call, &game);
}

/* ---- Work by house accounts ---- */

static bool check_house(struct call *call)
{
    return call->player.house != NULL ||
           call_problem(call, "not-a-house-account",
                        "Only house accounts make analyses; `tillroll admin house` makes such "
                        "accounts.");
}

void analyses_lease(struct call *call)
{
    static const char *const keys[] = {"maker", NULL};
    const char *maker;
    struct analysis_row row;
    struct game_row game;
    if (!call_check_keys(call, keys) || !call_text(call, "maker", 1, 20, NULL, &maker) ||
        !check_house(call))
        return;
    if (strcmp(maker, ANALYSIS_MAKER) != 0) {
        call_problem(call, "house-outdated",
                     "This service takes analyses of version " ANALYSIS_MAKER
                     " only; install the same release of tillroll as the service's.");
        return;
    }
    enum db_status status =
        analysis_lease(call->db, call->arena, &call->player.id, ANALYSIS_MAKER, &row);
    call->response->status = 204;
    if (status == DB_NONE || !call_found(call, status) ||
        !visibility_find_any_game(call, &row.game, &game))
        return;
    if (!is_analysed(&game)) { /* a corrected result has hidden the game again */
        (void)call_found(call, analysis_drop(call->db, &row.game));
        return;
    }
    call_answer(call, 200,
                json_pack("{s:s, s:i, s:i, s:i}", "game", row.game.text, "attempt",
                          (int)row.attempts, "budget", (int)budget_of(&game), "seconds",
                          ANALYSIS_LEASE_S));
}

/* A delivery; borrowed from the body. */
struct part {
    unsigned attempt, done, total;
    const json_t *plies, *summary; /* `summary` is NULL if more parts follow */
    bool impossible;
};

static bool read_part(struct call *call, struct part *part)
{
    static const char *const keys[] = {"attempt", "done",       "total", "plies",
                                       "summary", "impossible", NULL};
    const json_t *impossible = json_object_get(call->body, "impossible");
    part->plies = json_object_get(call->body, "plies");
    part->summary = json_object_get(call->body, "summary");
    part->impossible = json_is_true(impossible);
    if (!call_check_keys(call, keys) ||
        !call_whole(call, "attempt", 1, ANALYSIS_ATTEMPTS, -1, &part->attempt) ||
        !call_whole(call, "done", 0, PLIES_MAX, 0, &part->done) ||
        !call_whole(call, "total", 0, PLIES_MAX, 0, &part->total))
        return false;
    if (impossible != NULL && !part->impossible)
        return call_bad_field(call, "impossible", "must be true, or missing.");
    if (!part->impossible && !json_is_array(part->plies))
        return call_bad_field(call, "plies", "must be a list of analyzed plies.");
    return part->summary == NULL || json_is_object(part->summary) ||
           call_bad_field(call, "summary", "must be an object, or missing.");
}

/* Checks that the caller still has the lease. */
static bool check_lease(struct call *call, enum db_status status)
{
    if (status == DB_NONE)
        return call_problem(call, "lease-lost",
                            "This analysis is finished, or somebody else is making it, or these "
                            "are not the plies that come next; take another one.");
    return call_found(call, status);
}

/* The members of an array, without its brackets. */
static const char *members_of(struct call *call, const json_t *array)
{
    char *text = json_text_of(call->arena, array, JSON_COMPACT);
    text[strlen(text) - 1] = '\0';
    return text + 1;
}

static bool store_plies(struct call *call, const struct analysis_lease *lease,
                        const struct part *part)
{
    return check_lease(call, analysis_deliver(call->db, lease, part->done, part->total,
                                              members_of(call, part->plies),
                                              (unsigned)json_array_size(part->plies)));
}

/* Stores the summary with all plies. */
static bool finish(struct call *call, const struct game_row *game,
                   const struct analysis_lease *lease, const struct part *part)
{
    const char *plies;
    struct span record;
    if (!check_lease(call, analysis_plies(call->db, call->arena, lease, &plies)) ||
        !game_read_record(call, &game->id, &record))
        return false;
    json_t *document = json_deep_copy(part->summary);
    json_object_set_new(document, "plies", json_loads(plies, 0, NULL));
    const char *wrong = analysis_check(document, record, budget_of(game));
    const char *text = json_text_of(call->arena, document, JSON_COMPACT);
    json_decref(document);
    return wrong == NULL ? check_lease(call, analysis_finish(call->db, lease, text))
                         : call_problem(call, "bad-analysis", wrong);
}

void analyses_deliver(struct call *call)
{
    struct game_row game;
    struct part part;
    if (!find_game(call, &game) || !read_part(call, &part) || !check_house(call))
        return;
    const struct analysis_lease lease = {game.id, call->player.id, part.attempt};
    const bool good = part.impossible
                          ? check_lease(call, analysis_give_up(call->db, &lease))
                          : store_plies(call, &lease, &part) &&
                                (part.summary == NULL || finish(call, &game, &lease, &part));
    if (good)
        call->response->status = 204;
}
