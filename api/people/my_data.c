#include "api/people/my_data.h"

#include "api/event/signing_keys.h"
#include "api/people/email.h"
#include "api/people/followed_games.h"
#include "api/people/handlers.h"
#include "api/people/my_channels.h"
#include "api/people/wishes.h"
#include "api/ratings/ratings.h"
#include "api/request/documents.h"
#include "api/request/visibility.h"
#include "api/state/game_cache.h"
#include "db/store/events/rounds.h"
#include "db/store/games/followed_games.h"
#include "db/store/games/recordings.h"
#include "db/store/games/records.h"
#include "db/store/games/waiting_games.h"
#include "db/store/log/disputes.h"
#include "db/store/people/ratings.h"
#include "db/store/people/ties.h"

/* ---- Whose turn it is ---- */

/* Counts for the badge at the top of pages. */
enum { TURNS_MOST = 100 };

/* Counts the game if it is the player's turn. False with a problem. A game whose record cannot be
 * read counts for no player. `room` is scratch memory for a copy of the game. */
static bool count_turn(struct call *call, const struct id *game, struct replay *room,
                       json_int_t *turns)
{
    struct replay *replay = room;
    int64_t decided;
    unsigned seat;
    if (!game_cache_look(call->service->game_cache, game, room)) {
        const struct record_result result = game_cache_load(
            call->service->game_cache, &call->service->keys, call->db, call->arena, game, &replay);
        if (result.status == STORED_RECORD_DATABASE)
            return call_found(call, result.database);
        if (result.status != STORED_RECORD_OK)
            return true;
    }
    if (!visibility_own_seat(call, replay, &seat) || (replay_awaits(replay) >> seat & 1) == 0)
        return true;
    enum db_status sealed = DB_NONE;
    if (replay_simultaneous(replay) != 0)
        sealed = sealed_move_time(call->db, game, replay_decision_number(replay), seat, &decided);
    *turns += sealed == DB_NONE;
    return sealed == DB_OK || sealed == DB_NONE || call_found(call, sealed);
}

/* Counts disputes that the caller may decide, up to TURNS_MOST. False with a problem. */
static bool count_disputes(struct call *call, size_t *count)
{
    const struct dispute_query query = {.own = true,
                                        .official = true,
                                        .everywhere = (call->player.roles & DISPUTE_ROLES) != 0,
                                        .viewer = call->player.id};
    const struct id newest = {.text = ""};
    struct dispute_row *disputes;
    return call_found(
        call, dispute_list(call->db, call->arena, &query, &newest, TURNS_MOST, &disputes, count));
}

void me_turns(struct call *call)
{
    struct replay *room = arena_take(call->arena, sizeof *room);
    struct contested_table *contested;
    struct id *games;
    size_t count, results;
    json_int_t turns = 0;
    if (!call_found(call,
                    tie_games(call->db, call->arena, &call->player.id, TURNS_MOST, &games, &count)))
        return;
    game_cache_fetch(call->service->game_cache, &call->service->keys, call->db, games, count);
    for (size_t i = 0; i < count; i++)
        if (!count_turn(call, &games[i], room, &turns))
            return;
    if (count_disputes(call, &count) &&
        call_found(call, contested_to_decide(call->db, call->arena, &call->player.id, TURNS_MOST,
                                             &contested, &results)))
        call_answer_tagged(call, json_pack("{s:I, s:I, s:I}", "tables", turns, "disputes",
                                           (json_int_t)count, "results", (json_int_t)results));
}

/* ---- Obligations of an account ---- */

enum { NAMED_MOST = 3 /* number of items named in a refusal */, BOTS_MOST = 10 };

static bool refuse_for(struct call *call, const char *code, const char *what,
                       const struct tie *ties, size_t count)
{
    char detail[3000]; /* enough for the longest names */
    struct text text = TEXT_OVER(detail);
    text_add(&text, what);
    for (size_t i = 0; i < count; i++) {
        text_add(&text, i == 0 ? ": " : ", ");
        text_add(&text, ties[i].event_name);
    }
    text_add(&text, ".");
    return call_problem(call, code, detail);
}

static bool has_no_game(struct call *call, const struct id *player)
{
    struct id *games;
    struct waiting_game *waiting;
    size_t running, waits;
    if (!call_found(call, tie_games(call->db, call->arena, player, 1, &games, &running)) ||
        !call_found(call, waiting_of_player(call->db, call->arena, player, &waiting, &waits)))
        return false;
    return running + waits == 0 ||
           call_problem(call, "still-needed",
                        "The account or one of its bots has a seat in a game that is not over. "
                        "Finish the game, leave it if it is casual, or ask an organizer for a "
                        "substitute or a forfeit.");
}

static bool has_no_entry(struct call *call, const struct id *player)
{
    struct tie *ties;
    size_t count;
    if (!call_found(call,
                    tie_entries(call->db, call->arena, player, true, NAMED_MOST, &ties, &count)))
        return false;
    return count == 0 ||
           refuse_for(call, "still-needed",
                      "The account or one of its bots is entered in an event that is not "
                      "over; withdraw or drop out first",
                      ties, count);
}

/* Checks that no event would lose its only organizer. Owners can act for their bots, but a bot may
 * be an event's only organizer. */
static bool has_no_office(struct call *call, const struct id *player)
{
    struct tie *ties;
    size_t count;
    if (!call_found(call,
                    tie_offices(call->db, call->arena, player, true, NAMED_MOST, &ties, &count)))
        return false;
    return count == 0 ||
           refuse_for(call, "last-organizer",
                      "The account is the only organizer of an event that is not over; "
                      "first appoint another organizer, or close the event",
                      ties, count);
}

static bool is_free(struct call *call, const struct id *player)
{
    return has_no_game(call, player) && has_no_entry(call, player) && has_no_office(call, player);
}

bool my_data_is_free(struct call *call)
{
    static const struct id first = {""};
    struct player *bots;
    size_t count;
    if (!is_free(call, &call->player.id) ||
        !call_found(call, player_list_bots(call->db, call->arena, &call->player.id, &first,
                                           BOTS_MOST, &bots, &count)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!is_free(call, &bots[i].id))
            return false;
    return true;
}

/* ---- Export ---- */

enum { COPIED_MOST = 2000 /* per list */ };

struct copy {
    json_t *document;
    bool complete; /* no list is longer than COPIED_MOST */
};

/* Consumes `value`. False if it is NULL: then there is a problem. */
static bool add(const struct copy *copy, const char *name, json_t *value)
{
    return json_object_set_new(copy->document, name, value) == 0;
}

static bool add_list(struct copy *copy, const char *name, json_t *list, size_t count)
{
    copy->complete = copy->complete && count < COPIED_MOST;
    return add(copy, name, list);
}

static json_t *tie_document(const struct tie *tie, const char *as)
{
    return json_pack("{s:{s:s, s:s}, s:s, s:s, s:o}", "event", "id", tie->event.text, "name",
                     tie->event_name, "event_state", tie->event_state, as, tie->as, "entered_at",
                     time_json(tie->at_ms));
}

static bool add_entries(struct call *call, struct copy *copy)
{
    struct tie *ties;
    size_t count;
    if (!call_found(call, tie_entries(call->db, call->arena, &call->player.id, false, COPIED_MOST,
                                      &ties, &count)))
        return false;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, tie_document(&ties[i], "state"));
    return add_list(copy, "entries", list, count);
}

static bool add_offices(struct call *call, struct copy *copy)
{
    struct tie *ties;
    size_t count;
    if (!call_found(call, tie_offices(call->db, call->arena, &call->player.id, false, COPIED_MOST,
                                      &ties, &count)))
        return false;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *office = tie_document(&ties[i], "role");
        json_object_del(office, "entered_at");
        json_array_append_new(list, office);
    }
    return add_list(copy, "offices", list, count);
}

static bool add_games(struct call *call, struct copy *copy)
{
    static const struct id newest = {""};
    struct game_row *games;
    size_t count;
    if (!call_found(call, game_list(call->db, call->arena, &call->player.id, false, &newest,
                                    COPIED_MOST, &games, &count)))
        return false;
    return add_list(copy, "games", visibility_game_documents(call, games, count), count);
}

/* Games at real tables that the player has recorded. */
static bool add_recordings(struct call *call, struct copy *copy)
{
    struct recording *recordings;
    size_t count;
    if (!call_found(call, recording_list_of_scorer(call->db, call->arena, &call->player.id,
                                                   COPIED_MOST, &recordings, &count)))
        return false;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:i, s:i, s:o, s:o, s:i}", "id", recordings[i].id.text, "event",
                      recordings[i].event.text, "round", (int)recordings[i].round, "table",
                      (int)recordings[i].table, "started_at",
                      time_json(recordings[i].started_at_ms), "finished_at",
                      time_json(recordings[i].finished_at_ms), "rows", (int)recordings[i].lines));
    return add_list(copy, "recordings", list, count);
}

/* Results from tables where people play with their own copy. */
static bool add_reported(struct call *call, struct copy *copy)
{
    struct reported_seat *seats;
    size_t count;
    if (!call_found(call, reported_of_player(call->db, call->arena, &call->player.id, COPIED_MOST,
                                             &seats, &count)))
        return false;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, reported_seat_document(&seats[i]));
    return add_list(copy, "reported", list, count);
}

/* The player's lines in events, including reports and confirmations of results. */
static bool add_event_lines(struct call *call, struct copy *copy)
{
    struct event_chained_step *lines;
    size_t count;
    if (!call_found(call, event_log_of_player(call->db, call->arena, &call->player.id, COPIED_MOST,
                                              &lines, &count)))
        return false;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *line = event_step_document(&lines[i].step);
        json_object_set_new(line, "event", json_string(lines[i].event.text));
        json_object_del(line, "by");
        json_array_append_new(list, line);
    }
    return add_list(copy, "event_lines", list, count);
}

/* The player's lines in disputes, as in their logs. */
static bool add_dispute_lines(struct call *call, struct copy *copy)
{
    struct dispute_line *lines;
    size_t count;
    if (!call_found(call, dispute_lines_of_player(call->db, call->arena, &call->player.id,
                                                  COPIED_MOST, &lines, &count)))
        return false;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:s, s:i, s:s%}", "dispute", lines[i].dispute.text,
                                              "number", (int)lines[i].number, "line",
                                              lines[i].line.at, lines[i].line.length));
    return add_list(copy, "dispute_lines", list, count);
}

/* There are at most FOLLOWED_GAMES_MAX. */
static bool add_followed(struct call *call, struct copy *copy)
{
    struct id *games;
    size_t count;
    if (!call_found(call, followed_game_ids(call->db, call->arena, &call->player.id,
                                            FOLLOWED_GAMES_MAX, &games, &count)))
        return false;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_string(games[i].text));
    return add(copy, "followed_games", list);
}

static bool add_tokens(struct call *call, struct copy *copy)
{
    static const struct id first = {""};
    struct token *tokens;
    size_t count;
    if (!call_found(call, token_list(call->db, call->arena, &call->player.id, call->now_ms, &first,
                                     COPIED_MOST, &tokens, &count)))
        return false;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, listed_token_document(&tokens[i]));
    return add_list(copy, "tokens", list, count);
}

static bool add_bots(struct call *call, struct copy *copy)
{
    static const struct id first = {""};
    struct player *bots;
    size_t count;
    if (!call_found(call, player_list_bots(call->db, call->arena, &call->player.id, &first,
                                           BOTS_MOST, &bots, &count)))
        return false;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, player_document(&bots[i]));
    return add(copy, "bots", list);
}

static bool add_email(struct call *call, struct copy *copy)
{
    json_t *email = email_document(call);
    return email != NULL && add(copy, "email", email) &&
           json_object_set_new(email, "mails", email_mails(call, COPIED_MOST, &copy->complete)) ==
               0;
}

/* Limited like passwords: no other document reads as much. */
void me_export(struct call *call)
{
    const struct id *player = &call->player.id;
    if (!call_within_limit(call, LIMIT_PASSWORD))
        return;
    json_t *account = player_document(&call->player);
    json_object_set_new(account, "roles", roles_document(call->player.roles));
    struct copy copy = {
        json_pack("{s:o, s:o}", "made_at", time_json(call->now_ms), "account", account), true};
    if (!add_email(call, &copy) || !add(&copy, "notices", wishes_document(call)) ||
        !add(&copy, "following", wishes_following(call)) ||
        !add(&copy, "browsers", push_subscriptions_document(call)) ||
        !add(&copy, "webhooks", webhooks_document(call)) || !add_tokens(call, &copy) ||
        !add_bots(call, &copy) || !add_entries(call, &copy) || !add_offices(call, &copy) ||
        !add_games(call, &copy) || !add_recordings(call, &copy) || !add_reported(call, &copy) ||
        !add_event_lines(call, &copy) || !add_dispute_lines(call, &copy) ||
        !add_followed(call, &copy) || !add(&copy, "ratings", rating_list_of(call, player)) ||
        !add(&copy, "signing_keys", signing_keys_document(call, player))) {
        json_decref(copy.document);
        return;
    }
    json_object_set_new(copy.document, "complete", json_boolean(copy.complete));
    call->response->disposition = "attachment; filename=\"tillroll-account.json\"";
    call_answer(call, 200, copy.document);
}
