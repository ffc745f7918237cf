#include "api/request/problem.h"

#include <stdlib.h>
#include <string.h>

#include "engine/game/game.h"

static const struct problem problems[] = {
    {"bad-json", 400, "The body is not valid JSON"},
    {"bad-field", 400, "A field has an invalid value"},
    {"unknown-field", 400, "The body has an unknown field"},
    {"missing-field", 400, "A field is missing"},
    {"bad-parameter", 400, "A query parameter has an invalid value"},
    {"bad-idempotency-key", 400, "The Idempotency-Key is invalid"},
    {"not-signed-in", 401, "A token is required"},
    {"bad-token", 401, "The token is not valid"},
    {"wrong-password", 401, "The name or the password is wrong"},
    {"not-allowed", 403, "You may not do this"},
    {"foreign-origin", 403, "The session cookie is valid only on pages of this service"},
    {"missing-scope", 403, "The token lacks the scope for this"},
    {"not-a-seat", 403, "You have no seat in this game"},
    {"guest-not-allowed", 403, "Guests cannot do this"},
    {"bot-not-allowed", 403, "Bots cannot do this"},
    {"not-a-house-account", 403, "Only house players can do this"},
    {"house-not-allowed", 403, "House players cannot do this"},
    {"house-undeclared", 403, "The record does not name the house player yet"},
    {"party-to-dispute", 403, "You are a party to this game and cannot decide"},
    {"party-to-the-game", 403, "You are a party to this game and cannot act as an official"},
    {"not-your-dispute", 403, "Another person has to take this step of the dispute"},
    {"not-your-seat", 403, "This is another player's seat"},
    {"not-found", 404, "There is nothing here"},
    {"not-an-id", 404, "This is not a valid id"},
    {"not-logged", 404, "This is not in the transparency log yet"},
    {"method-not-allowed", 405, "The method is not allowed here"},
    {"name-taken", 409, "The name is taken"},
    {"too-many-tokens", 409, "The limit on tokens is reached"},
    {"too-many-bots", 409, "The limit on bots is reached"},
    {"too-many-targets", 409, "The limit on browsers or webhooks is reached"},
    {"delivery-waiting", 409, "A delivery is still waiting"},
    {"too-many-followed", 409, "The limit on followed games is reached"},
    {"too-many-analyses", 409, "The limit on waiting analyses is reached"},
    {"lease-lost", 409, "Somebody else is making this analysis"},
    {"bad-analysis", 422, "The analysis is not valid"},
    {"too-many-component-sets", 409, "The limit on component sets is reached"},
    {"bad-components", 422, "The ruleset cannot be played with this component set"},
    {"no-mail", 409, "This service sends no mail"},
    {"not-a-guest", 409, "The account has a password"},
    {"table-full", 409, "The table has no seat left"},
    {"table-started", 409, "The table's game has started"},
    {"house-unavailable", 409, "The house cannot take these seats"},
    {"lobby-full", 409, "The limit on open tables is reached"},
    {"follows-too-many", 409, "The limit on followed organizers is reached"},
    {"too-many-places", 409, "The limit on held places is reached"},
    {"not-casual", 409, "The game was not created in the lobby"},
    {"wrong-state", 409, "The event is not in the right state for this"},
    {"already-entered", 409, "The player has entered already"},
    {"not-entered", 409, "The player is not entered"},
    {"last-organizer", 409, "The event would have no organizer"},
    {"still-needed", 409, "The account is still needed"},
    {"too-late", 409, "It is too late for this"},
    {"event-full", 409, "The event is full"},
    {"draw-is-stale", 409, "A player in the pairing has left in the meantime"},
    {"not-two-seats", 409, "FIDE's report format cannot represent the event"},
    {"trf-unwritable", 409, "A value does not fit into FIDE's report format"},
    {"bundle-too-large", 409, "The event is too large for one bundle"},
    {"bundle-not-whole", 409, "Parts of the bundle are missing"},
    {"import-too-large", 409, "Too many uploaded bundles have not been imported"},
    {"event-exists", 409, "The event already exists here"},
    {"player-exists", 409, "A player of the bundle has an account here"},
    {"no-such-table", 409, "The round has no such table"},
    {"not-at-table", 409, "The table's game is played on the service"},
    {"no-report", 409, "Nothing has been reported from this table"},
    {"own-report", 409, "Another player has to confirm the report or object to it"},
    {"already-reported", 409, "A result of this table has been reported"},
    {"arbiter-called", 409, "The arbiter decides about this table"},
    {"too-many-recordings", 409, "The limit on recordings is reached"},
    {"recording-differs", 409, "The recording was continued elsewhere"},
    {"entries-missing", 409, "Entries before these are missing"},
    {"bad-entry", 422, "An entry of the recording is not valid"},
    {"bad-results", 422, "Some of the results cannot be taken"},
    {"bad-mail-link", 422, "The link is not valid"},
    {"bad-bundle", 422, "The bundle is not valid"},
    {"bundle-unfinished", 422, "The bundle does not prove a complete event"},
    {"bundle-told-anew", 422, "The bundle's log begins in another form"},
    {"bad-dispute-step", 422, "The dispute does not allow this step"},
    {"bad-order", 422, "The ruling cannot be carried out"},
    {"bad-event-line", 422, "The event does not allow this step"},
    {"trf-too-large", 422, "The report file is too large"},
    {"trf-encoding", 422, "The report file is not UTF-8 text"},
    {"trf-syntax", 422, "A field of the report file cannot be read"},
    {"trf-unsupported", 422, "The report file has a record that is not supported"},
    {"trf-contradicts", 422, "The report file contradicts itself"},
    {"no-legal-pairing", 422, "The round cannot be paired by the rules"},
    {"too-few-players", 409, "There are too few players"},
    {"too-many-players", 409, "There are too many players for this format"},
    {"no-league", 409, "The event is not a league"},
    {"no-rounds", 409, "This format has no such rounds"},
    {"bad-tables", 409, "The round cannot be seated this way"},
    {"same-owner", 409, "A player and their bots are kept apart"},
    {"pairs-not-parted", 409, "This event cannot keep such pairs apart"},
    {"forbidden-pairs", 409, "Not all pairs that must not meet can be kept apart"},
    {"not-on-ladder", 409, "One of the two players is not on the ladder"},
    {"not-above", 409, "You can challenge only players above you"},
    {"too-far-above", 409, "The challenged player is too far above"},
    {"challenge-open", 409, "One of the two players has another open challenge"},
    {"met-last", 409, "The two players met in their last games"},
    {"round-running", 409, "The round is still running"},
    {"no-more-rounds", 409, "All planned rounds have been played"},
    {"too-many-tables", 409, "The round would have too many tables"},
    {"not-finished", 409, "The game's record is not finished"},
    {"stale-sequence", 409, "The game has moved on"},
    {"already-decided", 409, "The seat has decided already"},
    {"has-sat-here", 409, "The player cannot be a substitute in this game"},
    {"bad-signature", 422, "The signature is not valid"},
    {"key-in-use", 409, "Another key is in use"},
    {"key-known", 409, "The key has been registered before"},
    {"key-revoked", 422, "The key has been revoked"},
    {"no-key-in-use", 409, "No key is in use"},
    {"no-signing-key", 422, "The seat has no key in this game"},
    {"entropy-given", 409, "Other entropy has already been given"},
    {"wait-over", 409, "The game is no longer waiting"},
    {"other-commitment", 409, "The game has committed to another secret"},
    {"official-signature-required", 403, "The official has to sign this"},
    {"signature-required", 403, "The move has to be signed"},
    {"too-many-keys", 409, "The limit on keys is reached"},
    {"no-take-back", 409, "The move cannot be taken back"},
    {"house-outdated", 409, "A newer version of the program plays here"},
    {"sealed-alone", 409, "A sealed move must be submitted alone"},
    {"already-added", 409, "The event has already been requested"},
    {"too-many-events", 409, "The limit on events in the season is reached"},
    {"wrong-dispute-state", 409, "The dispute is not in the right state for this"},
    {"same-arbiter", 409, "An appeal must be decided by another official"},
    {"appeal-possible", 409, "An appeal is still possible"},
    {"too-many-disputes", 409, "The limit on disputes is reached"},
    {"too-many-looks", 409, "The limit on full views of the game is reached"},
    {"not-frozen", 409, "The game is not frozen for this dispute"},
    {"game-stopped", 409, "The game is stopped"},
    {"game-finished", 409, "The game is over"},
    {"board-shared", 409, "The board is played at other tables, too"},
    {"step-running", 409, "Another such step is in progress"},
    {"key-reused", 409, "The Idempotency-Key was used for another request"},
    {"body-too-large", 413, "The body is too large"},
    {"unsupported-media-type", 415, "The body has an unsupported type"},
    {"too-many-requests", 429, "Too many requests"},
    {"too-many-streams", 429, "Too many streams at once"},
    {"log-damaged", 500, "The event's log is damaged"},
    {"record-damaged", 500, "The stored record is damaged"},
    {"internal-error", 500, "An unexpected error occurred"},
    {"server-busy", 503, "The service is too busy"},
    {"unavailable", 503, "The service is temporarily unavailable"},
    {"archived-record-missing", 503, "The record's file is missing"},
    {"outcome-unknown", 503, "It is not known whether the request took effect"},
};

const struct problem *problem_at(size_t i)
{
    return i < sizeof problems / sizeof problems[0] ? &problems[i] : NULL;
}

const struct problem *problem_find(const char *code)
{
    for (size_t i = 0; problem_at(i) != NULL; i++)
        if (strcmp(problems[i].code, code) == 0)
            return &problems[i];
    return problem_find("internal-error");
}

static void write_document(struct http_response *response, struct arena *arena, int status,
                           const char *code, const char *title, const char *detail, json_t *members)
{
    char type[120];
    struct text text = TEXT_OVER(type);
    text_add(&text, "/docs#");
    text_add(&text, code);
    json_t *document = json_pack("{s:s, s:s, s:i, s:s, s:s}", "type", type, "title", title,
                                 "status", status, "detail", detail, "code", code);
    if (members != NULL) {
        json_object_update_missing(document, members);
        json_decref(members);
    }
    char *body = json_dumps(document, JSON_COMPACT);
    json_decref(document);
    response->status = status;
    response->content_type = "application/problem+json";
    response->body = span_of(body == NULL ? "{}" : arena_copy(arena, span_of(body)));
    response->etag = NULL;
    response->location = NULL;
    response->disposition = NULL;
    response->cache_control = NULL;
    response->retry_after_s = status == 503;
    free(body);
}

void problem_answer(struct http_response *response, struct arena *arena, const char *code,
                    const char *detail, json_t *members)
{
    const struct problem *problem = problem_find(code);
    write_document(response, arena, problem->status, problem->code, problem->title, detail,
                   members);
}

void problem_answer_refusal(struct http_response *response, struct arena *arena, const char *code,
                            const char *detail, json_t *members)
{
    static const char *const conflicts[] = {REFUSAL_GAME_OVER,   REFUSAL_NOT_YOUR_TURN,
                                            "not-your-decision", "seat-on-fallback",
                                            "stopped",           "time-is-up"};
    int status = 422;
    for (size_t i = 0; i < sizeof conflicts / sizeof conflicts[0]; i++)
        if (strcmp(code, conflicts[i]) == 0)
            status = 409;
    write_document(response, arena, status, code, "The move was refused", detail, members);
}

void problem_answer_conflict(struct http_response *response, struct arena *arena, const char *code,
                             const char *detail, json_t *members)
{
    write_document(response, arena, 409, code, "The game does not take this", detail, members);
}

void problem_answer_gate(const struct gate_refusal *refusal, struct arena *arena,
                         struct http_response *response)
{
    if (refusal->elsewhere.length > 0) {
        response->status = 308;
        response->location = arena_copy(arena, refusal->elsewhere);
        return;
    }
    write_document(response, arena, refusal->status, refusal->code, "The request was refused",
                   refusal->message, NULL);
}
