#include "api/routes.h"

#include <pthread.h>
#include <string.h>

#include "api/handlers.h"
#include "api/quick_moves.h"
#include "api/views.h"

/* Who decides disputes beside the officials of an event. */
#define DISPUTE_ROLES (ROLE_AUDITOR | ROLE_ARBITER)

/* The columns after the path say who may: by relation, or else by role; with which scope. What is
 * asked for most stands first. */
static const struct route routes[] = {
    {HTTP_POST, "/v1/games/{id}/moves", ACCESS_SEAT, SCOPE_PLAY, NO_ROLE, WORK_WRITE,
     .handle = moves_create, .quick = moves_quick, .fetch = moves_fetch},

    {HTTP_GET, "/healthz", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC, .handle = health_get},
    {HTTP_GET, "/readyz", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ, .handle = ready_get},
    {HTTP_GET, "/metrics", ACCESS_MACHINE, NO_SCOPE, NO_ROLE, WORK_BESIDE, .handle = metrics_get},
    {HTTP_GET, "/openapi.json", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC,
     .handle = openapi_get, .share = SHARE_ALWAYS},
    {HTTP_GET, "/v1/problems", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC,
     .handle = problems_list, .share = SHARE_ALWAYS},

    {HTTP_GET, "/v1/stream", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ, .handle = log_stream},
    {HTTP_GET, "/v1/rulesets", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC,
     .handle = rulesets_list, .share = SHARE_ALWAYS},
    {HTTP_GET, "/v1/rulesets/{word}", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC,
     .handle = rulesets_get, .share = SHARE_ALWAYS},
    {HTTP_GET, "/v1/rulesets/{word}/components", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC,
     .handle = rulesets_components, .share = SHARE_ALWAYS},
    {HTTP_GET, "/v1/rulesets/{word}/seat-advantage", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = rulesets_seat_advantage, .share = SHARE_EVENTS},

    {HTTP_POST, "/v1/players", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_OWN,
     .handle = players_create},
    {HTTP_GET, "/v1/players", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = players_list},
    {HTTP_GET, "/v1/players/{id}", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = players_get},
    {HTTP_GET, "/v1/players/{id}/ratings", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = players_ratings, .share = SHARE_EVENTS},
    {HTTP_GET, "/v1/players/{id}/ratings/history", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = players_rating_history},
    {HTTP_GET, "/v1/players/{id}/games", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = players_games, .share = SHARE_EVENTS, .query = true},
    {HTTP_GET, "/v1/players/{id}/signing-keys", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = signing_keys_get},
    {HTTP_POST, "/v1/players/{id}/signing-keys", ACCESS_ACCOUNT, SCOPE_ACCOUNT, NO_ROLE, WORK_WRITE,
     .handle = signing_keys_register},
    {HTTP_PATCH, "/v1/players/{id}/signing-keys", ACCESS_ACCOUNT, SCOPE_ACCOUNT, NO_ROLE,
     WORK_WRITE, .handle = signing_keys_change},
    {HTTP_DELETE, "/v1/players/{id}/signing-keys/{word}", ACCESS_ACCOUNT, SCOPE_ACCOUNT, NO_ROLE,
     WORK_WRITE, .handle = signing_keys_revoke},
    {HTTP_GET, "/v1/players/{id}/opponents", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = players_opponents, .share = SHARE_EVENTS},
    {HTTP_POST, "/v1/search", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = search_names},
    {HTTP_POST, "/v1/tokens", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_OWN, .handle = tokens_create},
    {HTTP_POST, "/v1/sessions", ACCESS_OWN_PAGE, NO_SCOPE, NO_ROLE, WORK_OWN,
     .handle = sessions_create},
    {HTTP_DELETE, "/v1/tokens/current", ACCESS_PLAYER, NO_SCOPE, NO_ROLE, WORK_WRITE,
     .handle = tokens_revoke},
    {HTTP_GET, "/v1/me", ACCESS_PLAYER, SCOPE_READ, NO_ROLE, WORK_READ, .handle = me_get},
    {HTTP_PATCH, "/v1/me", ACCESS_PLAYER, SCOPE_ACCOUNT, NO_ROLE, WORK_WRITE, .handle = me_rename},
    {HTTP_POST, "/v1/me/password", ACCESS_PLAYER, SCOPE_ACCOUNT, NO_ROLE, WORK_OWN,
     .handle = me_change_password},
    {HTTP_POST, "/v1/me/delete", ACCESS_PLAYER, SCOPE_ACCOUNT, NO_ROLE, WORK_OWN,
     .handle = me_delete},
    {HTTP_GET, "/v1/me/tokens", ACCESS_PLAYER, SCOPE_ACCOUNT, NO_ROLE, WORK_READ,
     .handle = tokens_list},
    {HTTP_POST, "/v1/me/tokens", ACCESS_PLAYER, SCOPE_ACCOUNT, NO_ROLE, WORK_WRITE,
     .handle = tokens_issue, .secret = true},
    {HTTP_DELETE, "/v1/me/tokens/{id}", ACCESS_PLAYER, SCOPE_ACCOUNT, NO_ROLE, WORK_WRITE,
     .handle = tokens_end},
    {HTTP_GET, "/v1/me/bots", ACCESS_PLAYER, SCOPE_ACCOUNT, NO_ROLE, WORK_READ,
     .handle = bots_list},
    {HTTP_POST, "/v1/me/bots", ACCESS_PLAYER, SCOPE_ACCOUNT, NO_ROLE, WORK_WRITE,
     .handle = bots_create},
    {HTTP_DELETE, "/v1/me/bots/{id}", ACCESS_OWNER, SCOPE_ACCOUNT, NO_ROLE, WORK_WRITE,
     .handle = bots_delete},
    {HTTP_POST, "/v1/me/bots/{id}/tokens", ACCESS_OWNER, SCOPE_ACCOUNT, NO_ROLE, WORK_WRITE,
     .handle = bots_issue_token, .secret = true},
    {HTTP_GET, "/v1/me/waiting", ACCESS_PLAYER, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = me_waiting},
    {HTTP_GET, "/v1/me/games", ACCESS_PLAYER, SCOPE_READ, NO_ROLE, WORK_READ, .handle = me_games},
    {HTTP_GET, "/v1/keys", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC, .handle = keys_get},

    {HTTP_POST, "/v1/events", ACCESS_PLAYER, SCOPE_ORGANIZE, NO_ROLE, WORK_WRITE,
     .handle = events_create},
    {HTTP_GET, "/v1/events", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ, .handle = events_list,
     .share = SHARE_EVENTS, .query = true},
    {HTTP_GET, "/v1/events/{id}", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = events_get, .share = SHARE_EVENT, .query = true},
    {HTTP_PATCH, "/v1/events/{id}", ACCESS_ORGANIZER, SCOPE_ORGANIZE, ROLE_ADMIN, WORK_WRITE,
     .handle = events_change},
    {HTTP_POST, "/v1/events/{id}/clone", ACCESS_PLAYER, SCOPE_ORGANIZE, NO_ROLE, WORK_WRITE,
     .handle = events_clone},
    {HTTP_POST, "/v1/events/{id}/open-entries", ACCESS_ORGANIZER, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = events_open_entries},
    {HTTP_POST, "/v1/events/{id}/close-entries", ACCESS_ORGANIZER, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = events_close_entries},
    {HTTP_POST, "/v1/events/{id}/close", ACCESS_ORGANIZER, SCOPE_ORGANIZE, ROLE_ADMIN, WORK_WRITE,
     .handle = events_close},
    {HTTP_POST, "/v1/events/{id}/next-season", ACCESS_ORGANIZER, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = next_seasons_create},
    {HTTP_GET, "/v1/events/{id}/log", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = events_log, .share = SHARE_EVENT, .query = true},
    {HTTP_GET, "/v1/events/{id}/roles", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = roles_list, .share = SHARE_EVENT},
    {HTTP_POST, "/v1/events/{id}/roles", ACCESS_ORGANIZER, SCOPE_ORGANIZE, ROLE_ADMIN, WORK_WRITE,
     .handle = roles_give},
    {HTTP_DELETE, "/v1/events/{id}/roles", ACCESS_ORGANIZER, SCOPE_ORGANIZE, ROLE_ADMIN, WORK_WRITE,
     .handle = roles_take},
    {HTTP_GET, "/v1/events/{id}/kept-apart", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = kept_apart_list, .share = SHARE_EVENT, .query = true},
    {HTTP_POST, "/v1/events/{id}/kept-apart", ACCESS_ORGANIZER, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = kept_apart_add},
    {HTTP_DELETE, "/v1/events/{id}/kept-apart", ACCESS_ORGANIZER, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = kept_apart_remove},
    {HTTP_GET, "/v1/events/{id}/stream", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = events_stream},
    {HTTP_POST, "/v1/events/{id}/entries", ACCESS_PLAYER, SCOPE_PLAY, NO_ROLE, WORK_WRITE,
     .handle = entries_create},
    {HTTP_GET, "/v1/events/{id}/entries", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = entries_list, .share = SHARE_EVENT, .query = true},
    {HTTP_DELETE, "/v1/events/{id}/entries/{id}", ACCESS_ENTRY, SCOPE_PLAY, ROLE_ADMIN, WORK_WRITE,
     .handle = entries_delete},
    {HTTP_POST, "/v1/events/{id}/entries/{id}/return", ACCESS_ARBITER, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = entries_return},
    {HTTP_POST, "/v1/events/{id}/entries/{id}/check-in", ACCESS_ENTRY, SCOPE_PLAY, ROLE_ADMIN,
     WORK_WRITE, .handle = entries_check_in},
    {HTTP_POST, "/v1/events/{id}/entries/{id}/byes", ACCESS_ENTRY, SCOPE_PLAY, ROLE_ADMIN,
     WORK_WRITE, .handle = entries_grant_bye},
    {HTTP_DELETE, "/v1/events/{id}/entries/{id}/byes/{number}", ACCESS_ENTRY, SCOPE_PLAY,
     ROLE_ADMIN, WORK_WRITE, .handle = entries_revoke_bye},
    {HTTP_POST, "/v1/events/{id}/rounds", ACCESS_ORGANIZER, SCOPE_ORGANIZE, ROLE_ADMIN, WORK_WRITE,
     .handle = rounds_start},
    {HTTP_GET, "/v1/events/{id}/rounds", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = rounds_list, .share = SHARE_EVENT},
    {HTTP_GET, "/v1/events/{id}/rounds/next", ACCESS_ARBITER, SCOPE_ORGANIZE, ROLE_ADMIN, WORK_READ,
     .handle = next_rounds_get},
    {HTTP_PUT, "/v1/events/{id}/rounds/next", ACCESS_ARBITER, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = next_rounds_change},
    {HTTP_DELETE, "/v1/events/{id}/rounds/next", ACCESS_ARBITER, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = next_rounds_withdraw},
    {HTTP_POST, "/v1/events/{id}/rounds/next/redraw", ACCESS_ARBITER, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = next_rounds_redraw},
    {HTTP_POST, "/v1/events/{id}/rounds/next/start", ACCESS_ARBITER, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = next_rounds_start},
    {HTTP_PUT, "/v1/events/{id}/rounds/{number}/tables/{number}/ruling", ACCESS_ARBITER,
     SCOPE_ORGANIZE, ROLE_ADMIN, WORK_WRITE, .handle = rulings_put},
    {HTTP_DELETE, "/v1/events/{id}/rounds/{number}/tables/{number}/ruling", ACCESS_ARBITER,
     SCOPE_ORGANIZE, ROLE_ADMIN, WORK_WRITE, .handle = rulings_revoke},
    {HTTP_GET, "/v1/events/{id}/rounds/{number}", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = rounds_get, .share = SHARE_EVENT},
    {HTTP_GET, "/v1/events/{id}/rounds/{number}/boards/{number}", ACCESS_PUBLIC, SCOPE_READ,
     NO_ROLE, WORK_READ, .handle = boards_get, .share = SHARE_EVENT},
    {HTTP_GET, "/v1/events/{id}/entries/{id}/score-card", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE,
     WORK_READ, .handle = score_cards_get, .share = SHARE_EVENT},
    {HTTP_GET, "/v1/events/{id}/standings", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = standings_get, .share = SHARE_EVENT, .query = true},
    {HTTP_GET, "/v1/events/{id}/crosstable", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = crosstables_get, .share = SHARE_EVENT, .query = true},
    {HTTP_GET, "/v1/events/{id}/bracket", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = brackets_get, .share = SHARE_EVENT, .query = true},
    {HTTP_GET, "/v1/events/{id}/challenges", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = challenges_get, .share = SHARE_EVENT, .query = true},
    {HTTP_POST, "/v1/events/{id}/challenges", ACCESS_PLAYER, SCOPE_PLAY, NO_ROLE, WORK_WRITE,
     .handle = challenges_create},
    {HTTP_DELETE, "/v1/events/{id}/challenges/{id}", ACCESS_PLAYER, SCOPE_PLAY, NO_ROLE, WORK_WRITE,
     .handle = challenges_cancel},
    {HTTP_POST, "/v1/events/{id}/challenges/{id}/accept", ACCESS_PLAYER, SCOPE_PLAY, NO_ROLE,
     WORK_WRITE, .handle = challenges_accept},
    {HTTP_GET, "/v1/events/{id}/queue", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = queues_get, .share = SHARE_EVENT, .query = true},
    {HTTP_POST, "/v1/events/{id}/queue", ACCESS_PLAYER, SCOPE_PLAY, NO_ROLE, WORK_WRITE,
     .handle = queues_join},
    {HTTP_DELETE, "/v1/events/{id}/queue", ACCESS_PLAYER, SCOPE_PLAY, NO_ROLE, WORK_WRITE,
     .handle = queues_leave},

    {HTTP_GET, "/v1/events/{id}/standings.csv", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = standings_csv_get, .share = SHARE_EVENT, .query = true},
    {HTTP_GET, "/v1/events/{id}/pairings.csv", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = pairings_csv_get, .share = SHARE_EVENT, .query = true},
    {HTTP_GET, "/v1/events/{id}/results.csv", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = results_csv_get, .share = SHARE_EVENT, .query = true},
    {HTTP_GET, "/v1/events/{id}/rounds.ics", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = rounds_calendar_get, .share = SHARE_EVENT, .query = true},
    {HTTP_GET, "/v1/events/{id}/feed.json", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = feed_get, .share = SHARE_EVENT, .query = true},
    {HTTP_GET, "/v1/events/{id}/export.trf16", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = trf16_get, .share = SHARE_EVENT, .query = true},
    {HTTP_GET, "/v1/events/{id}/export.trf26", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = trf26_get, .share = SHARE_EVENT, .query = true},
    {HTTP_GET, "/v1/events/{id}/bundle", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = bundles_get, .share = SHARE_EVENT, .query = true, .signs = true},
    {HTTP_POST, "/v1/exchange/trf/pairings", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_OWN,
     .handle = trf_pairings, .text = true},
    {HTTP_POST, "/v1/exchange/trf/check", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_OWN,
     .handle = trf_check, .text = true},

    {HTTP_PUT, "/v1/imports/{word}/parts/{number}", ACCESS_ROLE, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = import_parts_put, .text = true},
    {HTTP_POST, "/v1/imports/{word}", ACCESS_ROLE, SCOPE_ORGANIZE, ROLE_ADMIN, WORK_OWN,
     .handle = imports_create},

    {HTTP_GET, "/v1/games", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ, .handle = games_list,
     .share = SHARE_EVENTS, .query = true},
    {HTTP_GET, "/v1/games/{id}", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ, .handle = games_get,
     .share = SHARE_GAME},
    {HTTP_GET, "/v1/games/{id}/view", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = games_view, .quick = views_quick, .share = SHARE_GAME, .query = true},
    {HTTP_GET, "/v1/games/{id}/events", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = games_events, .share = SHARE_GAME, .query = true},
    {HTTP_GET, "/v1/games/{id}/stream", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = games_stream},
    {HTTP_GET, "/v1/games/{id}/legal-moves", ACCESS_SEAT, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = games_legal_moves, .quick = legal_moves_quick},
    {HTTP_POST, "/v1/games/{id}/takeback", ACCESS_SEAT, SCOPE_PLAY, NO_ROLE, WORK_WRITE,
     .handle = takebacks_create},
    {HTTP_POST, "/v1/games/{id}/return", ACCESS_SEAT, SCOPE_PLAY, NO_ROLE, WORK_WRITE,
     .handle = return_create},
    {HTTP_POST, "/v1/games/{id}/fallback", ACCESS_GAME_OFFICIAL, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = fallback_create},
    {HTTP_POST, "/v1/games/{id}/recall", ACCESS_GAME_OFFICIAL, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = recall_create},
    {HTTP_POST, "/v1/games/{id}/forfeit", ACCESS_GAME_OFFICIAL, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = forfeit_create},
    {HTTP_POST, "/v1/games/{id}/substitute", ACCESS_GAME_OFFICIAL, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = substitute_create},
    {HTTP_GET, "/v1/games/{id}/entropy", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = games_entropy},
    {HTTP_PUT, "/v1/games/{id}/entropy", ACCESS_WAITING_SEAT, SCOPE_PLAY, NO_ROLE, WORK_WRITE,
     .handle = games_give_entropy},
    {HTTP_GET, "/v1/games/{id}/record", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = games_record, .share = SHARE_GAME},
    {HTTP_GET, "/v1/games/{id}/signatures", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = games_signatures, .share = SHARE_GAME},
    {HTTP_GET, "/v1/games/{id}/verification", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = games_verification, .share = SHARE_GAME},
    {HTTP_GET, "/v1/games/{id}/record.note", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = games_record_note, .share = SHARE_GAME},
    {HTTP_GET, "/v1/games/{id}/record.bundle", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = games_record_bundle, .signs = true},
    {HTTP_GET, "/v1/games/{id}/inclusion", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = games_inclusion},
    {HTTP_GET, "/v1/games/{id}/refused-moves", ACCESS_SEAT, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = games_refused_moves},
    {HTTP_POST, "/v1/games/{id}/look", ACCESS_ROLE, SCOPE_ORGANIZE, ROLE_AUDITOR, WORK_WRITE,
     .handle = looks_create, .secret = true},

    {HTTP_GET, "/v1/games/{id}/disputes", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = games_disputes},
    {HTTP_POST, "/v1/games/{id}/disputes", ACCESS_GAME_PARTY, SCOPE_PLAY, DISPUTE_ROLES, WORK_WRITE,
     .handle = disputes_create},
    {HTTP_GET, "/v1/events/{id}/disputes", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = events_disputes},
    {HTTP_GET, "/v1/disputes", ACCESS_ROLE, SCOPE_READ, DISPUTE_ROLES, WORK_READ,
     .handle = disputes_queue},
    {HTTP_GET, "/v1/disputes/{id}", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = disputes_get},
    {HTTP_GET, "/v1/disputes/{id}/log", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = disputes_log},
    {HTTP_GET, "/v1/disputes/{id}/position", ACCESS_DISPUTE_OFFICIAL, SCOPE_ORGANIZE, DISPUTE_ROLES,
     WORK_READ, .handle = disputes_position},
    {HTTP_POST, "/v1/disputes/{id}/freeze", ACCESS_DISPUTE_OFFICIAL, SCOPE_ORGANIZE, DISPUTE_ROLES,
     WORK_WRITE, .handle = disputes_freeze},
    {HTTP_POST, "/v1/disputes/{id}/resume", ACCESS_DISPUTE_OFFICIAL, SCOPE_ORGANIZE, DISPUTE_ROLES,
     WORK_WRITE, .handle = disputes_resume},
    {HTTP_POST, "/v1/disputes/{id}/ruling", ACCESS_DISPUTE_OFFICIAL, SCOPE_ORGANIZE, DISPUTE_ROLES,
     WORK_WRITE, .handle = disputes_rule, .secret = true},
    {HTTP_POST, "/v1/disputes/{id}/close", ACCESS_DISPUTE_OFFICIAL, SCOPE_ORGANIZE, DISPUTE_ROLES,
     WORK_WRITE, .handle = disputes_close},
    {HTTP_POST, "/v1/disputes/{id}/withdraw", ACCESS_DISPUTE_PARTY, SCOPE_PLAY, NO_ROLE, WORK_WRITE,
     .handle = disputes_withdraw},
    {HTTP_POST, "/v1/disputes/{id}/appeal", ACCESS_DISPUTE_PARTY, SCOPE_PLAY, NO_ROLE, WORK_WRITE,
     .handle = disputes_appeal},

    {HTTP_GET, "/v1/leaderboard", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = leaderboard_get, .share = SHARE_EVENTS, .query = true},
    {HTTP_GET, "/v1/ratings/revisions", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = rating_revisions_list, .share = SHARE_EVENTS, .query = true},
    {HTTP_GET, "/v1/ratings/revisions/{number}", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = rating_revisions_get, .share = SHARE_EVENTS, .query = true},

    {HTTP_POST, "/v1/seasons", ACCESS_PLAYER, SCOPE_ORGANIZE, NO_ROLE, WORK_WRITE,
     .handle = seasons_create},
    {HTTP_GET, "/v1/seasons", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ, .handle = seasons_list,
     .share = SHARE_EVENTS, .query = true},
    {HTTP_GET, "/v1/seasons/{id}", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = seasons_get, .share = SHARE_EVENTS},
    {HTTP_GET, "/v1/seasons/{id}/log", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = seasons_log, .share = SHARE_EVENTS},
    {HTTP_POST, "/v1/seasons/{id}/events", ACCESS_PLAYER, SCOPE_ORGANIZE, NO_ROLE, WORK_WRITE,
     .handle = seasons_add_event},
    {HTTP_POST, "/v1/seasons/{id}/close", ACCESS_SEASON_ORGANIZER, SCOPE_ORGANIZE, ROLE_ADMIN,
     WORK_WRITE, .handle = seasons_close},
    {HTTP_GET, "/v1/seasons/{id}/standings", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = season_standings_get, .share = SHARE_EVENTS, .query = true},

    {HTTP_GET, "/v1/log/checkpoint", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = log_checkpoint, .signs = true},
    {HTTP_GET, "/v1/log/tile/{word}/{word}", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = log_tile, .share = SHARE_ALWAYS, .signs = true},
    {HTTP_GET, "/v1/log/tile/{word}/{word}/{word}", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = log_tile, .share = SHARE_ALWAYS, .signs = true},
    {HTTP_GET, "/v1/log/tile/{word}/{word}/{word}/{word}", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE,
     WORK_READ, .handle = log_tile, .share = SHARE_ALWAYS, .signs = true},
    {HTTP_GET, "/v1/log/tile/{word}/{word}/{word}/{word}/{word}", ACCESS_PUBLIC, SCOPE_READ,
     NO_ROLE, WORK_READ, .handle = log_tile, .share = SHARE_ALWAYS, .signs = true},
    {HTTP_GET, "/v1/log/inclusion", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = log_inclusion, .signs = true},
    {HTTP_GET, "/v1/log/consistency", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = log_consistency, .signs = true},
    {HTTP_GET, "/v1/log/documents/{word}", ACCESS_PUBLIC, SCOPE_READ, NO_ROLE, WORK_READ,
     .handle = log_document, .share = SHARE_ALWAYS, .signs = true},

    {HTTP_GET, "/", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_READ, .handle = page_home,
     .page = "index.html", .share = SHARE_EVENTS, .parameter = {"events", "games"}},
    {HTTP_GET, "/events/{id}", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_READ, .handle = page_event,
     .page = "event.html", .share = SHARE_EVENT, .parameter = {"stage", "after_round"}},
    {HTTP_GET, "/events/new", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC, .handle = page_shell,
     .page = "new-event.html"},
    {HTTP_GET, "/events/{id}/manage", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC,
     .handle = page_shell, .page = "manage.html"},
    {HTTP_GET, "/events/{id}/embed", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_READ,
     .handle = page_embed, .page = "embed.html", .share = SHARE_EVENT},
    {HTTP_GET, "/events/{id}/hall", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC,
     .handle = page_shell, .page = "hall.html"},
    {HTTP_GET, "/events/{id}/statistics", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC,
     .handle = page_shell, .page = "statistics.html"},
    {HTTP_GET, "/events/{id}/rounds/{number}", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_READ,
     .handle = page_round, .page = "round.html", .share = SHARE_EVENT},
    {HTTP_GET, "/events/{id}/rounds/{number}/boards/{number}", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE,
     WORK_STATIC, .handle = page_shell, .page = "board.html"},
    {HTTP_GET, "/events/{id}/entries/{id}/score-card", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE,
     WORK_STATIC, .handle = page_shell, .page = "score-card.html"},
    {HTTP_GET, "/disputes", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC, .handle = page_shell,
     .page = "disputes.html"},
    {HTTP_GET, "/disputes/{id}", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC,
     .handle = page_shell, .page = "dispute.html"},
    {HTTP_GET, "/games/{id}", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_READ, .handle = page_game,
     .page = "game.html", .share = SHARE_GAME},
    {HTTP_GET, "/games/{id}/verify", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC,
     .handle = page_shell, .page = "verify.html"},
    {HTTP_GET, "/verify", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC, .handle = page_shell,
     .page = "verify.html"},
    {HTTP_GET, "/players/{id}", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_READ, .handle = page_player,
     .page = "player.html", .share = SHARE_EVENTS, .parameter = {"games"}},
    {HTTP_GET, "/seasons/{id}", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC, .handle = page_shell,
     .page = "season.html"},
    {HTTP_GET, "/leaderboard", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_READ,
     .handle = page_leaderboard, .page = "leaderboard.html", .share = SHARE_EVENTS,
     .parameter = {"scope", "after"}},
    {HTTP_GET, "/ratings/revisions", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC,
     .handle = page_shell, .page = "revisions.html"},
    {HTTP_GET, "/docs", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC, .handle = page_shell,
     .page = "docs.html"},
    {HTTP_GET, "/login", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_STATIC, .handle = page_shell,
     .page = "login.html"},
    {HTTP_GET, "/static/{word}", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_BESIDE, .handle = page_file,
     .quick = page_file_quick, .page = ""},
    {HTTP_GET, "/static/{word}/{word}", ACCESS_PUBLIC, NO_SCOPE, NO_ROLE, WORK_BESIDE,
     .handle = page_file, .quick = page_file_quick, .page = ""},
};

const struct route *route_at(size_t i)
{
    return i < sizeof routes / sizeof routes[0] ? &routes[i] : NULL;
}

unsigned route_number(const struct route *route)
{
    return (unsigned)(route - routes) + 1;
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

/* True if the path has the segments of the pattern, with any in the place of a placeholder. */
static bool has_shape(struct span path, const char *pattern)
{
    size_t at = 0;
    while (*pattern != '\0') {
        if (*pattern == '{') {
            pattern = strchr(pattern, '}') + 1;
            while (at < path.length && path.at[at] != '/')
                at++;
        } else if (at == path.length || *pattern++ != path.at[at++]) {
            return false;
        }
    }
    return at == path.length;
}

/* Fills what the placeholders of a pattern stand for, in a path of its shape. */
static bool read_placeholders(struct call *call, const char *path)
{
    const struct http_request *request = call->request;
    struct span pattern = span_of(path);
    size_t ids = 0;
    size_t numbers = 0;
    call->words = 0;
    for (size_t i = 0; i < request->segments; i++) {
        struct span wanted = next_segment(&pattern);
        struct span found = request->segment[i];
        if (span_is(wanted, "{id}")) {
            if (ids == CALL_IDS_MAX || !id_parse(found, &call->id[ids++]))
                return false;
        } else if (span_is(wanted, "{number}")) {
            if (numbers == CALL_IDS_MAX || !span_number(found, 1000000, &call->number[numbers++]))
                return false;
        } else if (span_is(wanted, "{word}")) {
            if (call->words == CALL_WORDS_MAX || !is_word(found))
                return false;
            call->word[call->words++] = found;
        }
    }
    return true;
}

/* The number of slashes in the last byte, and in the others what follows the first ones, 0 at the
 * end of the path. A path of a pattern's shape has the pattern's outline but where that has a
 * placeholder; few others have. */
enum { OUTLINE_SEGMENTS = 7, OUTLINE_BYTE = 8 };

static uint64_t outline_of(struct span path)
{
    uint64_t outline = 0;
    uint64_t slashes = 0;
    for (size_t i = 0; i < path.length; i++) {
        if (path.at[i] != '/')
            continue;
        if (slashes < OUTLINE_SEGMENTS && i + 1 < path.length)
            outline |= (uint64_t)(unsigned char)path.at[i + 1] << OUTLINE_BYTE * slashes;
        slashes++;
    }
    return outline | (slashes & UINT8_MAX) << OUTLINE_BYTE * OUTLINE_SEGMENTS;
}

static struct {
    uint64_t outline, mask;
} outlines[sizeof routes / sizeof routes[0]];

static void make_outlines(void)
{
    for (size_t i = 0; route_at(i) != NULL; i++) {
        uint64_t outline = outline_of(span_of(routes[i].path));
        uint64_t mask = UINT64_MAX;
        for (size_t k = 0; k < OUTLINE_SEGMENTS; k++)
            if ((outline >> OUTLINE_BYTE * k & UINT8_MAX) == '{')
                mask &= ~((uint64_t)UINT8_MAX << OUTLINE_BYTE * k);
        outlines[i].outline = outline & mask;
        outlines[i].mask = mask;
    }
}

static bool fits(struct call *call, uint64_t outline, size_t i)
{
    return (outline & outlines[i].mask) == outlines[i].outline &&
           has_shape(call->request->path, routes[i].path) &&
           read_placeholders(call, routes[i].path);
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
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    char methods[64];
    struct text allow = TEXT_OVER(methods);
    (void)pthread_once(&made, make_outlines);
    uint64_t outline = outline_of(call->request->path);
    for (size_t i = 0; route_at(i) != NULL; i++) {
        if (!fits(call, outline, i))
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
