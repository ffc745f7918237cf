#include "db/store/people/notices.h"

#include <stdlib.h>
#include <string.h>

#include "db/lines/line_databases.h"
#include "db/lines/line_games.h"
#include "db/link/statement.h"
#include "db/store/games/parties.h"
#include "db/store/people/roles.h"

const char *const notice_kinds[] = {NOTICE_YOUR_TURN,    NOTICE_CLOCK_LOW, NOTICE_ROUND_PAIRED,
                                    NOTICE_GAME_OVER,    NOTICE_DISPUTE,   NOTICE_INVITATION,
                                    NOTICE_EVENT_OPENED, NOTICE_CHALLENGE, NULL};
const char *const notice_channels[] = {"mail", "push", "webhook", NULL};
const char *const notice_timings[] = {"off", "at_once", "digest", NULL};

/* Returns the index of a word in a list, or -1. */
static int place_of(const char *const *list, struct span word)
{
    for (int i = 0; list[i] != NULL; i++)
        if (span_is(word, list[i]))
            return i;
    return -1;
}

/* ---- Settings ---- */

static const struct statement get_settings = {
    "notice_settings_get",
    "SELECT own.language, coalesce(own.time_zone, 'UTC'), coalesce(own.quiet_from, -1),"
    " coalesce(own.quiet_to, -1), coalesce(own.digest_at, 480)"
    " FROM (SELECT $1::uuid AS player_id) AS asked"
    " LEFT JOIN tillroll.notice_settings AS own ON own.player_id = asked.player_id"};

static void read_settings(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct notice_settings *settings = element;
    settings->language = row_text_or_null(rows, row, 0, arena);
    settings->time_zone = row_text(rows, row, 1, arena);
    settings->quiet_from = (int)row_integer(rows, row, 2);
    settings->quiet_to = (int)row_integer(rows, row, 3);
    settings->digest_at = row_unsigned(rows, row, 4);
}

static const struct statement get_choices = {
    "notice_choices_get",
    "SELECT other.kind, other.channel, coalesce(choice.timing, other.timing),"
    " EXISTS (SELECT FROM tillroll.notice_way AS way WHERE way.player_id = $1"
    "  AND way.channel = other.channel)"
    " FROM tillroll.notice_default AS other LEFT JOIN tillroll.notice_choice AS choice"
    "  ON choice.player_id = $1 AND choice.kind = other.kind AND choice.channel = other.channel"};

enum db_status notice_settings_get(struct db *db, struct arena *arena, const struct id *player,
                                   struct notice_settings *settings)
{
    struct rows rows;
    *settings = (struct notice_settings){.language = NULL};
    enum db_status status =
        statement_one(db, arena, &get_settings, WITH(ID(player)), read_settings, settings);
    if (status == DB_OK)
        status = statement_rows(db, &get_choices, WITH(ID(player)), &rows);
    if (status != DB_OK)
        return status;
    for (int row = 0; row < rows.count; row++) {
        int kind = place_of(notice_kinds, span_of(row_text(&rows, row, 0, arena)));
        int channel = place_of(notice_channels, span_of(row_text(&rows, row, 1, arena)));
        int timing = place_of(notice_timings, span_of(row_text(&rows, row, 2, arena)));
        if (kind >= 0 && channel >= 0 && timing >= 0)
            settings->timing[kind][channel] = notice_timings[timing];
        if (channel >= 0)
            settings->reaches[channel] = row_boolean(&rows, row, 3);
    }
    rows_free(&rows);
    return DB_OK;
}

/* PostgreSQL reads the files of all time zones to list them, which takes longer than everything
 * else here. The player's current zone and the default need no such check. */
static const struct statement knows_zone = {
    "notice_zone",
    "SELECT WHERE CASE WHEN $2 = 'UTC' OR EXISTS (SELECT FROM tillroll.notice_settings"
    "  WHERE player_id = $1 AND time_zone = $2) THEN true"
    " ELSE EXISTS (SELECT FROM pg_timezone_names"
    "  WHERE name = $2 AND name !~ '^(posix|right)/') END"};

static const struct statement set_settings = {
    "notice_settings_set",
    "INSERT INTO tillroll.notice_settings (player_id, language, time_zone, quiet_from, quiet_to,"
    "  digest_at) VALUES ($1, $2, $3, nullif($4::integer, -1), nullif($5::integer, -1), $6)"
    " ON CONFLICT (player_id) DO UPDATE SET language = excluded.language,"
    "  time_zone = excluded.time_zone, quiet_from = excluded.quiet_from,"
    "  quiet_to = excluded.quiet_to, digest_at = excluded.digest_at"};

/* Timings equal to the default are stored as well, so that they stay when the defaults change. */
static const struct statement set_choices = {
    "notice_choices_set",
    "INSERT INTO tillroll.notice_choice (player_id, kind, channel, timing)"
    " SELECT $1, chosen.* FROM unnest($2::text[], $3::text[], $4::text[]) AS chosen"
    " ON CONFLICT (player_id, kind, channel) DO UPDATE SET timing = excluded.timing"};

static const struct statement look_again = {
    "notice_look_again", "UPDATE tillroll.outbox SET due_at = clock_timestamp()"
                         " WHERE player_id = $1 AND notice IS NOT NULL AND state = 'waiting'"
                         " AND attempts = 0 AND kind <> '" NOTICE_CLOCK_LOW "'"};

static enum db_status store_choices(struct db *db, const struct id *player,
                                    const struct notice_settings *settings)
{
    enum { CHOICES = NOTICE_KINDS * NOTICE_CHANNELS };
    struct span kinds[CHOICES], channels[CHOICES], timings[CHOICES];
    size_t count = 0;
    for (size_t kind = 0; kind < NOTICE_KINDS; kind++) {
        for (size_t channel = 0; channel < NOTICE_CHANNELS; channel++) {
            kinds[count] = span_of(notice_kinds[kind]);
            channels[count] = span_of(notice_channels[channel]);
            timings[count++] = span_of(settings->timing[kind][channel]);
        }
    }
    return statement_change(
        db, &set_choices,
        WITH(ID(player), TEXTS(kinds, count), TEXTS(channels, count), TEXTS(timings, count)),
        DB_OK);
}

enum db_status notice_settings_set(struct db *db, const struct id *player,
                                   const struct notice_settings *settings)
{
    enum db_status status =
        statement_change(db, &knows_zone, WITH(ID(player), TEXT(settings->time_zone)), DB_CONFLICT);
    if (status == DB_OK)
        status = statement_change(db, &set_settings,
                                  WITH(ID(player), TEXT(settings->language),
                                       TEXT(settings->time_zone), NUMBER(settings->quiet_from),
                                       NUMBER(settings->quiet_to), NUMBER(settings->digest_at)),
                                  DB_ERROR);
    if (status == DB_OK)
        status = store_choices(db, player, settings);
    if (status == DB_OK)
        status = statement_change(db, &look_again, WITH(ID(player)), DB_OK);
    return status == DB_OK ? notice_watch_player(db, player) : status;
}

static const struct statement turn_off = {
    "notice_turn_off", "INSERT INTO tillroll.notice_choice (player_id, kind, channel, timing)"
                       " SELECT player.id, other.kind, other.channel, 'off'"
                       " FROM tillroll.player CROSS JOIN tillroll.notice_default AS other"
                       " WHERE player.id = $1 AND player.deleted_at IS NULL AND other.channel = $3"
                       "  AND ($2::text IS NULL OR other.kind = $2)"
                       " ON CONFLICT (player_id, kind, channel) DO UPDATE SET timing = 'off'"};

enum db_status notice_turn_off(struct db *db, const struct id *player, const char *kind,
                               const char *channel)
{
    return statement_change(db, &turn_off, WITH(ID(player), TEXT(kind), TEXT(channel)), DB_NONE);
}

static const struct statement forget_settings = {
    "notice_forget_settings", "DELETE FROM tillroll.notice_settings WHERE player_id = $1"};
static const struct statement forget_choices = {
    "notice_forget_choices", "DELETE FROM tillroll.notice_choice WHERE player_id = $1"};
static const struct statement forget_followed = {
    "notice_forget_followed",
    "DELETE FROM tillroll.followed_organizer WHERE player_id = $1 OR organizer_id = $1"};

enum db_status notice_forget(struct db *db, const struct id *player)
{
    static const struct statement *const statements[] = {&forget_settings, &forget_choices,
                                                         &forget_followed};
    enum db_status status = DB_OK;
    for (size_t i = 0; i < sizeof statements / sizeof statements[0] && status == DB_OK; i++)
        status = statement_change(db, statements[i], WITH(ID(player)), DB_OK);
    return status;
}

/* True if the player with the id `player` wants notices of turns or clocks. OFFSET makes the plan
 * check one player after another, instead of joining the routes of all. */
#define WANTS_TURNS(player)                                                                        \
    "EXISTS (SELECT FROM tillroll.notice_route AS route WHERE route.player_id = " player           \
    " AND route.kind IN ('" NOTICE_YOUR_TURN "', '" NOTICE_CLOCK_LOW "') OFFSET 0)"

static const struct statement watch_player = {
    "notice_watch_player",
    "INSERT INTO tillroll.notice_watch (game_id)"
    " SELECT seat.game_id FROM tillroll.game_seat AS seat CROSS JOIN LATERAL"
    "  (SELECT FROM tillroll.game WHERE game.id = seat.game_id"
    "   AND game.finished_at IS NULL OFFSET 0) AS running"
    " WHERE seat.player_id = $1 AND " WANTS_TURNS("$1") " ON CONFLICT DO NOTHING"};

enum db_status notice_watch_player(struct db *db, const struct id *player)
{
    return statement_change(db, &watch_player, WITH(ID(player)), DB_OK);
}

/* ---- Followed organizers ---- */

/* Returns a row if the player exists. */
static const struct statement add_follow = {
    "follow_add",
    "WITH found AS (SELECT id FROM tillroll.player WHERE id = $2 AND deleted_at IS NULL), added AS "
    "("
    " INSERT INTO tillroll.followed_organizer (player_id, organizer_id) SELECT $1, id FROM found"
    " ON CONFLICT DO NOTHING) SELECT id FROM found"};

static const struct statement count_followed = {
    "follow_count", "SELECT count(*) FROM tillroll.followed_organizer WHERE player_id = $1"
                    " AND organizer_id <> $2"};

enum db_status follow_add(struct db *db, const struct id *player, const struct id *organizer)
{
    int64_t count;
    const struct value *p = WITH(ID(player), ID(organizer));
    enum db_status status = statement_value(db, &count_followed, p, &count);
    if (status != DB_OK)
        return status;
    return count < FOLLOWED_MAX ? statement_change(db, &add_follow, p, DB_NONE) : DB_CONFLICT;
}

static const struct statement remove_follow = {
    "follow_remove",
    "DELETE FROM tillroll.followed_organizer WHERE player_id = $1 AND organizer_id = $2"};

enum db_status follow_remove(struct db *db, const struct id *player, const struct id *organizer)
{
    return statement_change(db, &remove_follow, WITH(ID(player), ID(organizer)), DB_NONE);
}

static const struct statement list_followed = {
    "follow_list", "SELECT followed.organizer_id, player.name, tillroll.to_ms(followed.since)"
                   " FROM tillroll.followed_organizer AS followed"
                   " JOIN tillroll.player ON player.id = followed.organizer_id"
                   " WHERE followed.player_id = $1 ORDER BY player.name, player.id"};

static void read_followed(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct followed *followed = element;
    *followed = (struct followed){.organizer = row_id(rows, row, 0),
                                  .name = row_text(rows, row, 1, arena),
                                  .since_ms = row_integer(rows, row, 2)};
}

enum db_status follow_list(struct db *db, struct arena *arena, const struct id *player,
                           struct followed **followed, size_t *count)
{
    return statement_list(db, arena, &list_followed, WITH(ID(player)), sizeof **followed,
                          read_followed, followed, count);
}

/* ---- Causes ---- */

static const struct statement take_causes = {"notice_causes_take",
                                             "SELECT id FROM tillroll.notice_cause WHERE tries < $1"
                                             " ORDER BY tries, id LIMIT $2 FOR UPDATE SKIP LOCKED"};

enum db_status notice_causes_take(struct db *db, struct arena *arena, size_t limit,
                                  int64_t **causes, size_t *count)
{
    return statement_list(db, arena, &take_causes, WITH(NUMBER(NOTICE_CAUSE_TRIES), NUMBER(limit)),
                          sizeof **causes, row_read_integer, causes, count);
}

/* Adds notices; `whom` is a query of their recipients: player_id, subject_id, notice, at. $1: the
 * causes, $2: the channels. The log of an imported event notifies no player, since it tells of
 * games elsewhere. */
#define TELL(kind, whom)                                                                           \
    "INSERT INTO tillroll.outbox (id, kind, player_id, channel, target_id, language, notice,"      \
    "  subject_id, digest, created_at, until, due_at)"                                             \
    " SELECT tillroll.new_id(), '" kind                                                            \
    "', told.player_id, route.channel, route.target_id," NOTICE_LANGUAGE(                          \
        "told.player_id") ", told.notice, told.subject_id, route.timing = 'digest',"               \
                          "  told.at, clock_timestamp() + interval '3 days',"                      \
                          "  CASE WHEN route.timing = 'digest'"                                    \
                          "   THEN tillroll.notice_moment(told.player_id, told.at, true) ELSE "    \
                          "clock_timestamp() END"                                                  \
                          " FROM (" whom ") AS told CROSS JOIN LATERAL"                            \
                          "  (SELECT * FROM tillroll.notice_route AS wanted WHERE "                \
                          "wanted.player_id = told.player_id"                                      \
                          "   AND wanted.kind = '" kind                                            \
                          "' AND wanted.channel = ANY ($2) OFFSET 0) AS route"

#define NOTICE_LANGUAGE(player)                                                                    \
    " coalesce((SELECT language FROM tillroll.notice_settings AS own"                              \
    "   WHERE own.player_id = " player "), (SELECT language FROM tillroll.email"                   \
    "   WHERE email.player_id = " player "), 'en')"

#define CAUSES(kind)                                                                               \
    "(SELECT * FROM tillroll.notice_cause WHERE id = ANY ($1) AND kind = '" kind "'"               \
    "  AND NOT EXISTS (SELECT FROM tillroll.event_origin AS origin"                                \
    "   WHERE origin.event_id = notice_cause.event_id)) AS cause"

#define NOT_IMPORTED                                                                               \
    "NOT EXISTS (SELECT FROM tillroll.event_origin AS origin"                                      \
    " WHERE origin.event_id = game.event_id)"

/* A game in a notice's JSON. A game outside events has neither round nor table. */
#define ABOUT_GAME                                                                                 \
    "CASE WHEN game.event_id IS NULL THEN json_build_object('seat', seat.seat, 'game', game.id)"   \
    " ELSE json_strip_nulls(json_build_object('event', game.event_id, 'round', game.round,"        \
    "  'table', game.table_number, 'seat', seat.seat, 'game', game.id)) END"

static const struct statement notify_opened = {
    "notice_tell_opened",
    TELL(NOTICE_EVENT_OPENED,
         "SELECT DISTINCT ON (followed.player_id, cause.event_id) followed.player_id,"
         " cause.event_id AS subject_id, json_build_object('event', cause.event_id, 'by',"
         " role.player_id) AS notice, cause.at"
         " FROM " CAUSES(
             "opened") " JOIN tillroll.event_role AS role ON role.event_id = cause.event_id"
                       "  AND role.role = 'organizer'"
                       " JOIN tillroll.followed_organizer AS followed ON followed.organizer_id = "
                       "role.player_id"
                       " WHERE NOT EXISTS (SELECT FROM tillroll.event_step AS earlier"
                       "  WHERE earlier.event_id = cause.event_id AND earlier.seq < cause.step"
                       "  AND earlier.kind = 'entries_opened')"
                       " AND NOT EXISTS (SELECT FROM tillroll.event_role AS own WHERE own.event_id "
                       "= "
                       "  cause.event_id AND own.player_id = followed.player_id)")};

/* Includes the game at the table, if one has been dealt. */
static const struct statement notify_seated = {
    "notice_tell_seated",
    TELL(NOTICE_ROUND_PAIRED,
         "SELECT seated.player_id, cause.event_id AS subject_id,"
         " json_strip_nulls(json_build_object('event', cause.event_id, 'round', seated.round,"
         "  'table', seated.table_number, 'seat', seated.seat, 'game', dealt.id)) AS notice,"
         " cause.at"
         " FROM " CAUSES(
             "seated") " CROSS JOIN LATERAL tillroll.seats_of_step(cause.event_id, cause.step) AS "
                       "seated"
                       " LEFT JOIN LATERAL (SELECT game.id FROM tillroll.game"
                       "  WHERE game.event_id = cause.event_id AND game.round = seated.round"
                       "  AND game.table_number = seated.table_number ORDER BY game.attempt DESC "
                       "LIMIT 1)"
                       "  AS dealt ON true")};

static const struct statement notify_challenged = {
    "notice_tell_challenged",
    TELL(NOTICE_CHALLENGE,
         "SELECT (step.detail -> 'players' ->> 1)::uuid AS player_id,"
         " cause.event_id AS subject_id, json_build_object('event', cause.event_id,"
         "  'by', step.detail -> 'players' ->> 0) AS notice, cause.at"
         " FROM " CAUSES(
             "challenged") " JOIN tillroll.event_step AS step ON step.event_id = cause.event_id"
                           "  AND step.seq = cause.step")};

/* Notifies the players at the table, except the author of the ruling or the objection. */
static const struct statement notify_ruled = {
    "notice_tell_ruled",
    TELL(NOTICE_DISPUTE,
         "SELECT sitting.player_id, cause.event_id AS subject_id,"
         " json_build_object('event', cause.event_id, 'round', (step.detail ->> 'round')::integer,"
         "  'table', (step.detail ->> 'table')::integer) AS notice, cause.at"
         " FROM " CAUSES(
             "ruled") " JOIN tillroll.event_step AS step ON step.event_id = cause.event_id"
                      "  AND step.seq = cause.step"
                      " CROSS JOIN LATERAL unnest(tillroll.players_of_table(cause.event_id,"
                      "  (step.detail ->> 'round')::integer, (step.detail ->> 'table')::integer))"
                      "  AS sitting (player_id)"
                      " WHERE sitting.player_id IS DISTINCT FROM step.actor_id")};

/* Games of rounds are announced with their round. */
static const struct statement notify_started = {
    "notice_tell_started",
    TELL(NOTICE_ROUND_PAIRED,
         "SELECT seat.player_id, game.id AS subject_id, " ABOUT_GAME " AS notice, cause.at"
         " FROM " CAUSES(
             "game_started") " JOIN tillroll.game ON game.id = cause.game_id AND game.event_id IS "
                             "NULL"
                             " JOIN tillroll.game_seat AS seat ON seat.game_id = game.id")};

static const struct statement notify_substituted = {
    "notice_tell_substituted",
    TELL(NOTICE_ROUND_PAIRED,
         "SELECT seat.player_id, game.id AS subject_id, " ABOUT_GAME " AS notice, cause.at"
         " FROM " CAUSES("substituted") " JOIN tillroll.game ON game.id = cause.game_id"
                                        " JOIN tillroll.game_seat AS seat ON seat.game_id = game.id"
                                        "  AND seat.player_id = cause.player_id")};

static const struct statement notify_over = {
    "notice_tell_over",
    TELL(NOTICE_GAME_OVER,
         "SELECT seat.player_id, game.id AS subject_id, " ABOUT_GAME " AS notice, cause.at"
         " FROM " CAUSES(
             "game_over") " JOIN tillroll.game ON game.id = cause.game_id AND " NOT_IMPORTED
                          " JOIN tillroll.game_seat AS seat ON seat.game_id = game.id")};

/* Notifies the players in the game and the player who opened the dispute, except the author of the
 * step. */
static const struct statement notify_dispute = {
    "notice_tell_dispute",
    TELL(NOTICE_DISPUTE,
         "SELECT party.player_id, dispute.id AS subject_id,"
         " json_strip_nulls(json_build_object('event', game.event_id, 'round', game.round,"
         "  'table', game.table_number, 'game', game.id, 'dispute', dispute.id)) AS notice,"
         " cause.at"
         " FROM " CAUSES(
             "dispute") " JOIN tillroll.dispute ON dispute.id = cause.dispute_id"
                        " JOIN tillroll.game ON game.id = dispute.game_id AND " NOT_IMPORTED
                        " CROSS JOIN LATERAL (SELECT seat.player_id FROM tillroll.game_seat AS seat"
                        "  WHERE seat.game_id = game.id UNION SELECT dispute.opened_by) AS party "
                        "(player_id)"
                        " WHERE party.player_id <> cause.player_id")};

/* Notifies the officials who decide about a dispute that was opened, or whose ruling was appealed:
 * those of the event, or of the site if the game is in no event; except parties to the game.
 * notify_dispute notifies the player who opened it. $3: the site's roles. */
static const struct statement notify_officials = {
    "notice_tell_officials",
    TELL(
        NOTICE_DISPUTE,
        "SELECT official.player_id, dispute.id AS subject_id,"
        " json_strip_nulls(json_build_object('event', game.event_id, 'round', game.round,"
        "  'table', game.table_number, 'game', game.id, 'dispute', dispute.id, 'office', true))"
        "  AS notice, cause.at"
        " FROM " CAUSES(
            "dispute") " JOIN tillroll.dispute_step AS step ON step.dispute_id = cause.dispute_id"
                       "  AND step.number = cause.step"
                       "  AND split_part(step.line, ' ', 4) IN ('opened', 'appealed')"
                       " JOIN tillroll.dispute ON dispute.id = cause.dispute_id"
                       " JOIN tillroll.game ON game.id = dispute.game_id AND " NOT_IMPORTED
                       " CROSS JOIN LATERAL (SELECT role.player_id FROM tillroll.event_role AS role"
                       "   WHERE role.event_id = game.event_id UNION ALL"
                       "  SELECT holder.id FROM tillroll.player AS holder"
                       "   WHERE game.event_id IS NULL AND holder.roles <> 0"
                       "   AND holder.roles & $3 <> 0) AS official (player_id)"
                       " WHERE official.player_id NOT IN (cause.player_id, dispute.opened_by)"
                       " AND NOT " PARTY_IS(PERSON_OF("official.player_id")))};

static const struct statement notify_invited = {
    "notice_tell_invited",
    TELL(
        NOTICE_INVITATION,
        "SELECT cause.player_id, cause.table_id AS subject_id,"
        " json_build_object('lobby_table', cause.table_id, 'by', open.creator_id) AS notice,"
        " cause.at"
        " FROM " CAUSES("invited") " JOIN tillroll.casual_table AS open ON open.id = cause.table_id"
                                   "  AND open.creator_id <> cause.player_id")};

static const struct statement watch_started = {
    "notice_watch_started",
    "INSERT INTO tillroll.notice_watch (game_id)"
    " SELECT DISTINCT cause.game_id FROM (SELECT * FROM tillroll.notice_cause"
    "  WHERE id = ANY ($1) AND kind IN ('game_started', 'substituted')) AS cause"
    " JOIN tillroll.game ON game.id = cause.game_id AND game.finished_at IS NULL"
    " JOIN tillroll.game_seat AS seat ON seat.game_id = game.id"
    " WHERE " WANTS_TURNS("seat.player_id") " ON CONFLICT DO NOTHING"};

static const struct statement watch_over = {
    "notice_watch_over", "DELETE FROM tillroll.notice_watch WHERE game_id = ANY (ARRAY("
                         "SELECT game_id FROM tillroll.notice_cause WHERE id = ANY ($1)"
                         " AND kind = 'game_over'))"};

static const struct statement delete_causes = {
    "notice_causes_delete", "DELETE FROM tillroll.notice_cause WHERE id = ANY ($1)"};

static size_t count_channels(const char *const *channels, struct span spans[NOTICE_CHANNELS])
{
    size_t count = 0;
    for (; count < NOTICE_CHANNELS && channels[count] != NULL; count++)
        spans[count] = span_of(channels[count]);
    return count;
}

enum db_status notice_causes_notify(struct db *db, const int64_t *causes, size_t count,
                                    const char *const *channels)
{
    static const struct statement *const statements[] = {
        &notify_opened,      &notify_seated, &notify_challenged, &notify_ruled,  &notify_started,
        &notify_substituted, &notify_over,   &notify_dispute,    &notify_invited};
    static const struct statement *const further[] = {&watch_started, &watch_over, &delete_causes};
    struct span spans[NOTICE_CHANNELS];
    size_t channel_count = count_channels(channels, spans);
    enum db_status status = DB_OK;
    for (size_t i = 0; i < sizeof statements / sizeof statements[0] && status == DB_OK; i++)
        status = statement_change(db, statements[i],
                                  WITH(BIGINTS(causes, count), TEXTS(spans, channel_count)), DB_OK);
    if (status == DB_OK)
        status = statement_change(
            db, &notify_officials,
            WITH(BIGINTS(causes, count), TEXTS(spans, channel_count), NUMBER(DISPUTE_ROLES)),
            DB_OK);
    for (size_t i = 0; i < sizeof further / sizeof further[0] && status == DB_OK; i++)
        status = statement_change(db, further[i], WITH(BIGINTS(causes, count)), DB_OK);
    return status;
}

static const struct statement cause_failed = {
    "notice_cause_failed", "UPDATE tillroll.notice_cause SET tries = tries + 1 WHERE id = $1"};

enum db_status notice_cause_failed(struct db *db, int64_t cause)
{
    return statement_change(db, &cause_failed, WITH(NUMBER(cause)), DB_OK);
}

/* ---- Turns and clocks ---- */

static const struct statement get_work = {
    "notice_work_get",
    "SELECT EXISTS (SELECT FROM tillroll.notice_cause WHERE tries < $1 LIMIT 1),"
    " EXISTS (SELECT FROM tillroll.notice_watch LIMIT 1),"
    " EXISTS (SELECT FROM tillroll.notice_watch WHERE unseen),"
    " EXISTS (SELECT FROM unnest($2::text[]) AS own (channel)"
    "  WHERE (SELECT due_at FROM tillroll.outbox WHERE outbox.channel = own.channel"
    "   AND state = 'waiting' AND notice IS NOT NULL ORDER BY due_at LIMIT 1)"
    "  <= clock_timestamp())"};

enum db_status notice_work_get(struct db *db, const char *const *channels, struct notice_work *work)
{
    struct rows rows;
    struct span spans[NOTICE_CHANNELS];
    size_t channel_count = count_channels(channels, spans);
    enum db_status status = statement_row(
        db, &get_work, WITH(NUMBER(NOTICE_CAUSE_TRIES), TEXTS(spans, channel_count)), &rows);
    if (status != DB_OK)
        return status;
    *work = (struct notice_work){row_boolean(&rows, 0, 0), row_boolean(&rows, 0, 1),
                                 row_boolean(&rows, 0, 2), row_boolean(&rows, 0, 3)};
    rows_free(&rows);
    return DB_OK;
}

static const struct statement watch_take = {"notice_watch_take",
                                            "SELECT game_id, seq, told FROM tillroll.notice_watch"
                                            " WHERE game_id = ANY ($1) FOR UPDATE SKIP LOCKED"};

static void read_watch(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct notice_watch *watch = element;
    (void)arena;
    *watch = (struct notice_watch){.game = row_id(rows, row, 0),
                                   .seq = (int)row_integer(rows, row, 1),
                                   .told = row_unsigned(rows, row, 2)};
}

enum db_status notice_watch_take(struct db *db, struct arena *arena, const struct id *games,
                                 size_t count, struct notice_watch **watches, size_t *found)
{
    return statement_list(db, arena, &watch_take, WITH(IDS(games, count)), sizeof **watches,
                          read_watch, watches, found);
}

static const struct statement watch_behind = {
    "notice_watch_behind",
    "SELECT watch.game_id FROM tillroll.notice_watch AS watch"
    " WHERE EXISTS (SELECT FROM tillroll.record_line AS line WHERE line.game_id = watch.game_id"
    "  AND line.seq > watch.seq OFFSET 0) LIMIT $1"};

static const struct statement watch_new = {
    "notice_watch_new",
    "SELECT watch.game_id FROM tillroll.notice_watch AS watch WHERE watch.unseen"
    " AND EXISTS (SELECT FROM tillroll.record_line AS line WHERE line.game_id = watch.game_id"
    "  AND line.seq >= 0 OFFSET 0) LIMIT $1"};

static const struct statement watch_marks = {
    "notice_watch_marks", "SELECT game_id, seq FROM tillroll.notice_watch WHERE seq >= 0"};

static void read_mark(const struct rows *rows, int row, struct arena *arena, void *element)
{
    (void)arena;
    *(struct line_mark *)element =
        (struct line_mark){row_id(rows, row, 0), (int)row_integer(rows, row, 1)};
}

/* Adds games whose new lines are in line databases, up to `limit`. */
static enum db_status add_from_line_databases(struct db *db, struct arena *arena, size_t limit,
                                              struct id **games, size_t *count)
{
    struct line_mark *marks;
    struct id *more;
    size_t mark_count, more_count;
    enum db_status status = statement_list(db, arena, &watch_marks, NULL, sizeof *marks, read_mark,
                                           &marks, &mark_count);
    if (status != DB_OK || mark_count == 0)
        return status;
    line_games_behind(arena, marks, mark_count, limit - *count, &more, &more_count);
    struct id *all = arena_array(arena, *count + more_count, sizeof *all);
    if (*count > 0)
        memcpy(all, *games, *count * sizeof *all);
    if (more_count > 0)
        memcpy(all + *count, more, more_count * sizeof *all);
    *games = all;
    *count += more_count;
    return DB_OK;
}

enum db_status notice_watch_behind(struct db *db, struct arena *arena, bool all, size_t limit,
                                   struct id **games, size_t *count)
{
    enum db_status status =
        statement_list(db, arena, all ? &watch_behind : &watch_new, WITH(NUMBER(limit)),
                       sizeof **games, row_read_id, games, count);
    return status == DB_OK && all && line_databases_count() > 0
               ? add_from_line_databases(db, arena, limit, games, count)
               : status;
}

static const struct statement watch_store = {
    "notice_watch_store",
    "UPDATE tillroll.notice_watch AS watch SET seq = found.seq, told = found.told"
    " FROM unnest($1::uuid[], $2::integer[], $3::integer[]) AS found (game_id, seq, told)"
    " WHERE watch.game_id = found.game_id"};

enum db_status notice_watch_store(struct db *db, const struct notice_watch *watches, size_t count)
{
    struct id *games = must(calloc(count + 1, sizeof *games));
    int32_t *numbers = must(calloc(2 * count + 1, sizeof *numbers));
    for (size_t i = 0; i < count; i++) {
        games[i] = watches[i].game;
        numbers[i] = watches[i].seq;
        numbers[count + i] = (int32_t)watches[i].told;
    }
    enum db_status status = statement_change(
        db, &watch_store,
        WITH(IDS(games, count), INTEGERS(numbers, count), INTEGERS(numbers + count, count)), DB_OK);
    free(games);
    free(numbers);
    return status;
}

static const struct statement watch_end = {"notice_watch_end",
                                           "DELETE FROM tillroll.notice_watch WHERE game_id = $1"};

enum db_status notice_watch_end(struct db *db, const struct id *game)
{
    return statement_change(db, &watch_end, WITH(ID(game)), DB_OK);
}

/* True if the caller may take an added notice at once: it is of a turn that has begun, the player
 * has no quiet hours, and no notice of an earlier turn of the game is waiting to be sent in its
 * place. */
#define TAKEN_AT_ONCE                                                                              \
    "turn.kind = '" NOTICE_YOUR_TURN "' AND turn.in_ms = 0 AND route.timing = 'at_once'"           \
    " AND own.quiet_from IS NULL"                                                                  \
    " AND NOT EXISTS (SELECT FROM tillroll.outbox AS earlier"                                      \
    "  WHERE earlier.player_id = turn.player_id AND earlier.subject_id = turn.game_id"             \
    "  AND earlier.kind = turn.kind AND earlier.channel = route.channel AND " NO_TARGET(           \
        "earlier") "   = " NO_TARGET("route") " AND earlier.state = 'waiting' AND "                \
                                              "earlier.attempts = 0"                               \
                                              "  AND earlier.kind IN ('your_turn', 'clock_low'))"

#define NO_TARGET(of) "coalesce(" of ".target_id, '00000000-0000-0000-0000-000000000000')"

/* $6, $7: the channels, and for how many ms each takes the added notices; 0 = it takes none. */
static const struct statement add_turns = {
    "notice_turns_add",
    "WITH added AS (INSERT INTO tillroll.outbox (id, kind, player_id, channel, target_id, language,"
    "  notice, subject_id, digest, until, due_at, attempts)"
    " SELECT tillroll.new_id(), turn.kind, turn.player_id, route.channel, route.target_id,"
    "  coalesce(own.language, (SELECT language FROM tillroll.email"
    "   WHERE email.player_id = turn.player_id), 'en'),"
    "  turn.notice::json, turn.game_id, route.timing = 'digest',"
    "  clock_timestamp() + turn.in_ms * interval '1 millisecond' + interval '3 days',"
    "  CASE WHEN route.timing = 'digest'"
    "   THEN tillroll.notice_moment(turn.player_id, clock_timestamp(), true)"
    "   ELSE clock_timestamp() + (turn.in_ms + lease.ms) * interval '1 millisecond' END,"
    "  CASE WHEN lease.ms > 0 THEN 1 ELSE 0 END"
    " FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[], $5::bigint[])"
    "  AS turn (kind, game_id, player_id, notice, in_ms)"
    " LEFT JOIN LATERAL (SELECT language, quiet_from FROM tillroll.notice_settings AS settings"
    "  WHERE settings.player_id = turn.player_id OFFSET 0) AS own ON true"
    " CROSS JOIN LATERAL (SELECT * FROM tillroll.notice_route AS wanted"
    "  WHERE wanted.player_id = turn.player_id AND wanted.kind = turn.kind"
    "  AND wanted.channel = ANY ($6) OFFSET 0) AS route"
    " CROSS JOIN LATERAL (SELECT CASE WHEN " TAKEN_AT_ONCE
    "  THEN ($7::integer[])[array_position($6::text[], route.channel)]"
    "  ELSE 0 END AS ms OFFSET 0) AS lease"
    " ON CONFLICT (player_id, subject_id, kind, channel,"
    "  coalesce(target_id, '00000000-0000-0000-0000-000000000000'))"
    "  WHERE state = 'waiting' AND attempts = 0 AND kind IN ('your_turn', 'clock_low')"
    "  DO UPDATE SET due_at = excluded.due_at WHERE excluded.kind = '" NOTICE_CLOCK_LOW "'"
    " RETURNING id, kind, player_id, channel, target_id, language, notice,"
    "  created_at, attempts)"
    " SELECT id, kind, player_id, channel, target_id, language, notice,"
    "  tillroll.to_ms(created_at), attempts FROM added WHERE attempts = 1"};

/* Columns: those that add_turns returns. */
static void read_taken(const struct rows *rows, int row, struct arena *arena, void *element)
{
    struct outbox_notice *notice = element;
    *notice = (struct outbox_notice){.message = {.id = row_id(rows, row, 0),
                                                 .kind = row_text(rows, row, 1, arena),
                                                 .player = row_id(rows, row, 2),
                                                 .channel = row_text(rows, row, 3, arena),
                                                 .language = row_text(rows, row, 5, arena),
                                                 .state = "waiting",
                                                 .created_at_ms = row_integer(rows, row, 7),
                                                 .attempts = row_unsigned(rows, row, 8)},
                                     .target = row_id(rows, row, 4),
                                     .about = row_text(rows, row, 6, arena),
                                     .wanted = true};
}

enum db_status notice_turns_add(struct db *db, struct arena *arena, const struct notice_turn *turns,
                                size_t count, const char *const *channels, const unsigned *lease_ms,
                                struct outbox_notice **taken, size_t *taken_count)
{
    struct span spans[NOTICE_CHANNELS];
    int32_t leases[NOTICE_CHANNELS];
    size_t channel_count = count_channels(channels, spans);
    struct span *kinds = arena_array(arena, count, sizeof *kinds);
    struct span *abouts = arena_array(arena, count, sizeof *abouts);
    struct id *games = arena_array(arena, count, sizeof *games);
    struct id *players = arena_array(arena, count, sizeof *players);
    int64_t *delays = arena_array(arena, count, sizeof *delays);
    for (size_t i = 0; i < count; i++) {
        kinds[i] = span_of(turns[i].kind);
        abouts[i] = span_of(turns[i].about);
        games[i] = turns[i].game;
        players[i] = turns[i].player;
        delays[i] = turns[i].in_ms;
    }
    for (size_t i = 0; i < channel_count; i++)
        leases[i] = (int32_t)lease_ms[i];
    return statement_list(db, arena, &add_turns,
                          WITH(TEXTS(kinds, count), IDS(games, count), IDS(players, count),
                               TEXTS(abouts, count), BIGINTS(delays, count),
                               TEXTS(spans, channel_count), INTEGERS(leases, channel_count)),
                          sizeof **taken, read_taken, taken, taken_count);
}

/* ---- Notices that may have become untrue ---- */

static const struct statement challenge_holds = {
    "notice_challenge_holds",
    "SELECT coalesce((SELECT step.kind = 'challenged' FROM tillroll.event_step AS step"
    "  WHERE step.event_id = $1 AND CASE WHEN step.kind IN ('challenged', 'challenge_cancelled')"
    "   THEN step.detail -> 'players' ->> 0 = $2::uuid::text"
    "    AND step.detail -> 'players' ->> 1 = $3::uuid::text"
    "   WHEN step.kind = 'table_started'"
    "   THEN 2 = (SELECT count(*) FROM json_array_elements_text(step.detail -> 'numbers')"
    "     AS seated (number) JOIN tillroll.entry ON entry.event_id = $1"
    "     AND entry.number = seated.number::integer WHERE entry.player_id IN ($2, $3)) END"
    "  ORDER BY step.seq DESC LIMIT 1), false)"};

static const struct statement office_holds = {
    "notice_office_holds",
    "SELECT EXISTS (SELECT FROM tillroll.dispute JOIN tillroll.game ON game.id = dispute.game_id"
    "  WHERE dispute.id = $1 AND dispute.state IN ('open', 'frozen', 'appealed')"
    "  AND (EXISTS (SELECT FROM tillroll.event_role AS role"
    "    WHERE role.event_id = game.event_id AND role.player_id = $2)"
    "   OR (game.event_id IS NULL AND EXISTS (SELECT FROM tillroll.player AS holder"
    "    WHERE holder.id = $2 AND holder.roles & $3 <> 0)))"
    "  AND NOT " PARTY_IS(PERSON_OF("$2")) ")"};

enum db_status notice_challenge_holds(struct db *db, const struct id *event,
                                      const struct id *challenger, const struct id *challenged,
                                      bool *holds)
{
    return statement_value(db, &challenge_holds, WITH(ID(event), ID(challenger), ID(challenged)),
                           holds);
}

enum db_status notice_office_holds(struct db *db, const struct id *dispute,
                                   const struct id *official, bool *holds)
{
    return statement_value(db, &office_holds,
                           WITH(ID(dispute), ID(official), NUMBER(DISPUTE_ROLES)), holds);
}

/* ---- Names ---- */

static const struct statement get_names = {
    "notice_names_get",
    "SELECT (SELECT name FROM tillroll.player WHERE id = asked.player_id AND deleted_at IS NULL),"
    " (SELECT name FROM tillroll.event WHERE id = asked.event_id),"
    " (SELECT name FROM tillroll.player WHERE id = asked.by_id AND deleted_at IS NULL),"
    " coalesce((SELECT slug FROM tillroll.game WHERE id = asked.game_id),"
    "  (SELECT slug FROM tillroll.casual_table WHERE id = asked.table_id),"
    "  (SELECT slug FROM tillroll.event WHERE id = asked.event_id)),"
    " (SELECT code FROM tillroll.casual_table AS open JOIN tillroll.casual_seat AS seat"
    "   ON seat.table_id = open.id AND seat.player_id = asked.player_id AND NOT seat.taken"
    "  WHERE open.id = asked.table_id AND open.game_id IS NULL)"
    " FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) WITH ORDINALITY"
    "  AS asked (player_id, event_id, game_id, table_id, by_id, place) ORDER BY place"};

static void read_names(const struct rows *rows, int row, struct arena *arena, void *element)
{
    const char *texts[5];
    for (int i = 0; i < 5; i++)
        texts[i] = row_text_or_null(rows, row, i, arena);
    struct notice_names *names = element;
    *names = (struct notice_names){
        .player = texts[0], .event = texts[1], .by = texts[2], .slug = texts[3], .code = texts[4]};
}

enum db_status notice_names_get(struct db *db, struct arena *arena,
                                const struct notice_subject *subjects, size_t count,
                                struct notice_names **names)
{
    size_t found;
    struct id *ids = arena_array(arena, 5 * count, sizeof *ids);
    for (size_t i = 0; i < count; i++) {
        ids[i] = subjects[i].player;
        ids[count + i] = subjects[i].event;
        ids[2 * count + i] = subjects[i].game;
        ids[3 * count + i] = subjects[i].table;
        ids[4 * count + i] = subjects[i].by;
    }
    return statement_list(db, arena, &get_names,
                          WITH(IDS(ids, count), IDS(ids + count, count),
                               IDS(ids + 2 * count, count), IDS(ids + 3 * count, count),
                               IDS(ids + 4 * count, count)),
                          sizeof **names, read_names, names, &found);
}
