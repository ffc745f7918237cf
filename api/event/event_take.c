/* Taking steps: stores the line, and then the columns and rows beside the log that lists read
 * instead of it. These are found by comparison with the fold before the step, so a line that moves
 * an entry up from the waiting list needs no code of its own here. */
#include "api/event/event_take.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/base/json_text.h"
#include "api/event/event_load.h"
#include "api/event/official_signatures.h"
#include "api/event/tlog_leaves.h"
#include "db/store/events/events.h"
#include "db/store/events/rounds.h"
#include "db/store/people/players.h"
#include "db/store/people/ratings.h"
#include "engine/record/record.h"
#include "engine/tournament/event/official.h"
#include "engine/tournament/result/rating.h"

/* ---- Applying ---- */

/* Lines that follow from games have no actor. */
static bool has_actor(const char *kind)
{
    return strcmp(kind, "result") != 0 && strcmp(kind, "board_started") != 0;
}

/* The clocks of two processes may differ; an event's time never decreases. */
static int64_t time_of_step(const struct call *call, const struct tournament *tournament)
{
    return call->now_ms > tournament->last_ms ? call->now_ms : tournament->last_ms;
}

static struct tournament_line next_line(const struct call *call,
                                        const struct tournament *tournament, const char *kind,
                                        json_t *detail)
{
    return (struct tournament_line){.number = tournament->lines + 1,
                                    .at_ms = time_of_step(call, tournament),
                                    .actor = has_actor(kind) ? call->player.id.text : "",
                                    .kind = kind,
                                    .detail = detail};
}

static bool is_ruling(const char *kind)
{
    return strcmp(kind, "ruled") == 0 || strcmp(kind, "ruling_revoked") == 0 ||
           strcmp(kind, "table_replayed") == 0;
}

static bool apply_line(struct call *call, struct loaded_event *loaded,
                       const struct tournament_line *line)
{
    struct refusal refusal;
    return tournament_apply(loaded->tournament, line, &refusal) || event_refuse(call, &refusal);
}

/* Applies the caller's next line without storing it; `detail` is borrowed. */
static bool apply_next(struct call *call, struct loaded_event *loaded, const char *kind,
                       json_t *detail)
{
    const struct tournament_line line = next_line(call, loaded->tournament, kind, detail);
    return apply_line(call, loaded, &line);
}

bool event_try(struct call *call, const struct loaded_event *loaded, const char *kind,
               json_t *detail, struct loaded_event *tried)
{
    *tried = *loaded;
    bool good = event_copy_tournament(call, loaded->tournament, &tried->tournament) &&
                apply_next(call, tried, kind, detail);
    json_decref(detail);
    if (good)
        event_describe(call->arena, tried);
    return good;
}

static struct id actor_of(const struct tournament_line *line)
{
    struct id actor;
    return id_parse(span_of(line->actor), &actor) ? actor : (struct id){""};
}

static bool store_line(struct call *call, const struct loaded_event *loaded,
                       const struct tournament_line *line)
{
    const struct id actor = actor_of(line);
    char *text = json_dumps(line->detail, JSON_COMPACT | JSON_SORT_KEYS);
    if (text == NULL)
        return call_problem(call, "internal-error", "The step could not be written.");
    enum db_status status =
        event_log_add(call->db, &loaded->event.id, &actor, line->at_ms, line->kind, text);
    free(text);
    call->event_changed = loaded->event.id;
    call->log_written = true;
    return call_found(call, status) &&
           (!is_ruling(line->kind) ||
            tlog_add_ruling(call, &loaded->event.id, loaded->tournament->lines));
}

/* ---- Before and after ---- */

/* The parts of the fold before the step that are also stored beside the log. */
struct before {
    struct entrant *entrants;
    size_t entrant_count;
    enum tournament_phase phase;
    json_t *settings; /* a counted reference */
    unsigned rounds_started;
};

static struct before take_before(struct arena *arena, const struct tournament *tournament)
{
    struct before before = {.entrant_count = tournament->entrant_count,
                            .phase = tournament->phase,
                            .settings = json_incref(tournament->settings_document),
                            .rounds_started = tournament->rounds_started};
    before.entrants = arena_array(arena, before.entrant_count, sizeof *before.entrants);
    if (before.entrant_count > 0)
        memcpy(before.entrants, tournament->entrants,
               before.entrant_count * sizeof *before.entrants);
    return before;
}

static bool entry_is_as_before(const struct entrant *was, const struct entrant *is)
{
    return was->state == is->state && was->number == is->number &&
           was->checked_in == is->checked_in && was->out == is->out && was->entered == is->entered;
}

unsigned event_dropped_after(const struct entrant *entrant)
{
    unsigned round = TOURNAMENT_ROUNDS_MAX;
    while (round > 0 && (entrant->out >> (round - 1) & 1) != 0)
        round--;
    return round;
}

/* The time of entering is known only for the entry of this step; 0 keeps the stored one. */
static struct event_entry entry_of(const struct tournament *tournament,
                                   const struct entrant *entrant)
{
    struct event_entry entry = {
        .number = entrant->number,
        .state = event_entry_state(entrant),
        .checked_in = entrant->checked_in,
        .entered_at_ms = entrant->entered == tournament->lines ? tournament->last_ms : 0};
    memcpy(entry.player.text, entrant->player, sizeof entry.player.text);
    entry.dropped = entry.state == ENTRY_DROPPED;
    entry.dropped_after = entry.dropped ? event_dropped_after(entrant) : 0;
    return entry;
}

static bool store_entries(struct call *call, const struct loaded_event *loaded,
                          const struct before *before)
{
    const struct tournament *tournament = loaded->tournament;
    struct event_entry *entries =
        arena_array(call->arena, tournament->entrant_count, sizeof *entries);
    size_t count = 0;
    for (size_t i = 0; i < tournament->entrant_count; i++)
        if (i >= before->entrant_count ||
            !entry_is_as_before(&before->entrants[i], &tournament->entrants[i]))
            entries[count++] = entry_of(tournament, &tournament->entrants[i]);
    return count == 0 || call_found(call, entry_put(call->db, &loaded->event.id, entries, count));
}

static bool store_event(struct call *call, const struct loaded_event *loaded,
                        const struct before *before)
{
    const struct tournament *tournament = loaded->tournament;
    return (before->phase == tournament->phase &&
            before->settings == tournament->settings_document) ||
           call_found(call, event_update(call->db, &loaded->event));
}

/* ---- Rounds ---- */

/* Reads the draw's explanation from the line with the draw that counts. */
static bool read_quality(struct call *call, const struct loaded_event *loaded,
                         const struct tournament_round *round, const char **quality)
{
    struct event_step step;
    if (!call_found(call,
                    event_log_find(call->db, call->arena, &loaded->event.id, round->drawn, &step)))
        return false;
    json_t *detail = json_loads(step.detail, 0, NULL);
    json_t *found = json_object_get(detail, "quality");
    *quality = json_is_object(found) ? json_text_of(call->arena, found, JSON_COMPACT) : "{}";
    json_decref(detail);
    return true;
}

static bool store_round(struct call *call, const struct loaded_event *loaded,
                        const struct tournament_round *started)
{
    struct round round = {.number = started->number,
                          .attempt = started->attempt,
                          .started_at_ms = started->started_ms};
    return read_quality(call, loaded, started, &round.quality) &&
           call_found(call, round_create(call->db, &loaded->event.id, &round, NULL, 0));
}

static bool store_started(struct call *call, const struct loaded_event *loaded,
                          const struct before *before)
{
    const struct tournament *tournament = loaded->tournament;
    if (tournament->rounds_started == before->rounds_started)
        return true;
    const struct tournament_round *started = &tournament->rounds[tournament->rounds_started - 1];
    bool duplicate = tournament->settings.stage[started->stage].format == FORMAT_DUPLICATE;
    return duplicate || store_round(call, loaded, started);
}

/* ---- Roles ---- */

static bool store_role(struct call *call, const struct loaded_event *loaded,
                       const struct tournament_line *line)
{
    struct id player;
    const json_t *detail = line->detail;
    bool given = strcmp(line->kind, "role_given") == 0;
    if (!given && strcmp(line->kind, "role_taken") != 0)
        return true;
    const char *role = json_string_value(json_object_get(detail, "role"));
    if (!id_parse(span_of(json_string_value(json_object_get(detail, "player"))), &player))
        return call_problem(call, "internal-error", "The step names no player.");
    return call_found(call, (given ? event_role_give : event_role_take)(call->db, &loaded->event.id,
                                                                        &player, role));
}

/* ---- Rulings ---- */

/* The table of a line. */
static const struct tournament_table *table_of(const struct tournament *tournament,
                                               const struct tournament_line *line)
{
    const json_t *round = json_object_get(line->detail, "round");
    const json_t *table = json_object_get(line->detail, "table");
    return tournament_table(tournament, (unsigned)json_integer_value(round),
                            (unsigned)json_integer_value(table));
}

static bool store_ruling(struct call *call, const struct loaded_event *loaded,
                         const struct tournament_line *line)
{
    struct ruled_seat seats[TOURNAMENT_SEATS_MAX];
    if (!is_ruling(line->kind))
        return true;
    const struct tournament_table *table = table_of(loaded->tournament, line);
    size_t count = table->ruled ? table->seats : 0;
    for (size_t i = 0; i < count; i++) {
        const struct seat_result *seat = &table->result.seat[i];
        seats[i] = (struct ruled_seat){seat->score, seat->rank, seat->kind != ROUND_ADJUDICATED};
    }
    return call_found(
        call, ruling_put(call->db, &loaded->event.id, table->round, table->table, seats, count));
}

/* ---- Reported results ---- */

static bool is_report_line(const char *kind)
{
    return strncmp(kind, "report", strlen("report")) == 0;
}

/* Players at a table, and owners of bots there; held places have neither. */
static size_t parties_of(const struct tournament *tournament, const struct tournament_table *table,
                         struct id *parties)
{
    size_t count = 0;
    for (unsigned seat = 0; seat < table->seats; seat++) {
        const struct entrant *entrant = &tournament->entrants[table->entry[seat]];
        const char *const both[] = {entrant->player, entrant->owner};
        for (size_t i = 0; i < 2; i++)
            if (both[i][0] != '\0')
                memcpy(parties[count++].text, both[i], sizeof parties->text);
    }
    return count;
}

static bool store_contested(struct call *call, const struct loaded_event *loaded,
                            const struct tournament_table *table,
                            const struct tournament_report *report, int64_t at_ms)
{
    struct id parties[2 * TOURNAMENT_SEATS_MAX];
    bool contested = report != NULL && report->against != REPORT_NOBODY && !table->ruled;
    size_t count = contested ? parties_of(loaded->tournament, table, parties) : 0;
    return call_found(call, contested_put(call->db, &loaded->event.id, table->round, table->table,
                                          parties, count, at_ms));
}

static bool store_reported(struct call *call, const struct loaded_event *loaded,
                           const struct tournament_line *line)
{
    const struct tournament *tournament = loaded->tournament;
    struct reported_seat seats[TOURNAMENT_SEATS_MAX];
    if (!is_report_line(line->kind) && !is_ruling(line->kind))
        return true;
    const struct tournament_table *table = table_of(tournament, line);
    if (!table->at_table)
        return true;
    const struct tournament_report *report = tournament_report(tournament, table);
    size_t count = table->reported && !table->ruled ? table->seats : 0;
    for (size_t i = 0; i < count; i++) {
        const struct seat_result *seat = &table->result.seat[i];
        seats[i] = (struct reported_seat){.player = event_person_id(tournament, seat->entry),
                                          .seats = table->seats,
                                          .rank = seat->rank,
                                          .scored = report->scored,
                                          .score = seat->score,
                                          .at_ms = report->at_ms};
    }
    return call_found(call, reported_put(call->db, &loaded->event.id, table->round, table->table,
                                         seats, count)) &&
           store_contested(call, loaded, table, report, line->at_ms);
}

/* ---- Deadlines ---- */

/* Officials start rounds, so in events with rounds only reports have deadlines. */
static bool store_timer(struct call *call, const struct loaded_event *loaded)
{
    const struct tournament *tournament = loaded->tournament;
    bool never = tournament_format_has_rounds(tournament->settings.stage[0].format) &&
                 tournament->report_count == 0;
    return never || call_found(call, deadline_set(call->db, &loaded->event.id,
                                                  tournament_due_ms(tournament)));
}

/* ---- Taking ---- */

static bool store(struct call *call, const struct loaded_event *loaded, const struct before *before,
                  const struct tournament_line *line)
{
    return store_line(call, loaded, line) && store_event(call, loaded, before) &&
           store_entries(call, loaded, before) && store_started(call, loaded, before) &&
           store_role(call, loaded, line) && store_ruling(call, loaded, line) &&
           store_reported(call, loaded, line) && store_timer(call, loaded);
}

bool event_take_imported(struct call *call, struct loaded_event *loaded,
                         const struct tournament_line *line)
{
    struct before before = take_before(call->arena, loaded->tournament);
    bool good = apply_line(call, loaded, line);
    if (good) {
        event_describe(call->arena, loaded);
        good = store(call, loaded, &before, line);
    }
    json_decref(before.settings);
    return good;
}

bool event_take(struct call *call, struct loaded_event *loaded, const char *kind, json_t *detail)
{
    const struct tournament_line line = next_line(call, loaded->tournament, kind, detail);
    enum official_choice wanted = loaded->tournament->settings.official_signatures;
    unsigned before = loaded->tournament->lines;
    bool is_act = wanted != OFFICIAL_OFF && official_is_act(loaded->tournament, &line);
    bool good = event_take_imported(call, loaded, &line) &&
                (!is_act ||
                 official_signature_take(call, loaded, &line, before, wanted == OFFICIAL_REQUIRED));
    json_decref(detail);
    return good;
}

/* ---- Creating ---- */

/* Commits to the event's secret before any player enters. */
static bool store_new(struct call *call, struct loaded_event *loaded,
                      const uint8_t secret[static KEYS_SECRET_BYTES])
{
    struct event *event = &loaded->event;
    uint8_t sealed[KEYS_SEALED_BYTES];
    record_commitment(span_of(event->id.text), secret, event->commitment);
    record_event_seed(span_of(event->id.text), secret, loaded->chance.seed);
    keys_seal(&call->service->keys, secret, KEYS_SECRET_BYTES, sealed);
    return call_db(call, event_create(call->db, event, sealed, sizeof sealed), "event-exists",
                   "An event with this id exists already.") &&
           tlog_add_commitment(call, span_of(event->id.text), event->commitment);
}

bool event_make_imported(struct call *call, const struct event *event,
                         const uint8_t secret[static KEYS_SECRET_BYTES],
                         const struct tournament_line *line, struct loaded_event *loaded)
{
    *loaded = (struct loaded_event){.event = *event};
    if (!event_new_tournament(call, &loaded->tournament) || !apply_line(call, loaded, line))
        return false;
    event_describe(call->arena, loaded);
    return store_new(call, loaded, secret) && store_line(call, loaded, line);
}

bool event_make(struct call *call, json_t *document, struct loaded_event *loaded)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    const struct event event = {.id = id_new(call->now_ms),
                                .organizer = call->player.id,
                                .organizer_name = call->player.name,
                                .created_at_ms = call->now_ms};
    const struct tournament_line line = {.number = 1,
                                         .at_ms = call->now_ms,
                                         .actor = call->player.id.text,
                                         .kind = "created",
                                         .detail = document};
    randombytes_buf(secret, sizeof secret);
    bool good = event_make_imported(call, &event, secret, &line, loaded);
    sodium_memzero(secret, sizeof secret);
    json_decref(document);
    return good;
}

/* ---- The line of an entry ---- */

/* The rating in the ruleset's leaderboard; without one, `strength` is a new player's and `number`
 * is 0. */
static bool read_rating(struct call *call, const struct loaded_event *loaded,
                        const struct id *player, json_int_t *number, struct rating *strength)
{
    enum { RATING_MOST = 1 << 24 };
    struct rating_row row;
    *number = 0;
    *strength = rating_initial();
    enum db_status status = rating_find(call->db, player, loaded->event.slug, &row);
    if (status == DB_NONE)
        return true;
    if (!call_found(call, status))
        return false;
    *strength = (struct rating){(int32_t)row.mu, (int32_t)row.sigma};
    int64_t thousandths = rating_ordinal(*strength) / 1000;
    *number = thousandths < 1 ? 1 : thousandths > RATING_MOST ? RATING_MOST : thousandths;
    return true;
}

bool entry_line(struct call *call, const struct loaded_event *loaded, const struct id *player,
                json_t **detail)
{
    json_int_t rating;
    struct rating strength;
    struct player found;
    *detail = NULL;
    if (!read_rating(call, loaded, player, &rating, &strength) ||
        !call_found(call, player_by_id(call->db, call->arena, player, &found)))
        return false;
    *detail = json_pack("{s:s, s:o}", "player", player->text, "rating",
                        rating == 0 ? json_null() : json_integer(rating));
    /* Logs whose entries have no strength stay without it. */
    if (loaded->tournament->entrant_count == 0 || tournament_has_strengths(loaded->tournament))
        json_object_set_new(*detail, "strength",
                            json_pack("[i,i]", (int)strength.mu, (int)strength.sigma));
    if (found.owner.text[0] != '\0')
        json_object_set_new(*detail, "owner", json_string(found.owner.text));
    if (found.house != NULL)
        json_object_set_new(*detail, "house", json_string(found.house));
    return true;
}
