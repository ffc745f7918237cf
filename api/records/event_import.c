#include "api/records/event_import.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/event/event_load.h"
#include "api/event/event_take.h"
#include "api/event/tlog_leaves.h"
#include "api/ratings/glicko_ratings.h"
#include "api/tables/games.h"
#include "api/tables/reported_ratings.h"
#include "api/tables/tlog_documents.h"
#include "api/work/jobs.h"
#include "db/store/events/event_signatures.h"
#include "db/store/events/imports.h"
#include "db/store/events/rounds.h"
#include "db/store/games/parties.h"
#include "db/store/games/recordings.h"
#include "db/store/games/records.h"
#include "db/store/people/ratings.h"
#include "db/store/service/component_sets.h"
#include "engine/game/component_set.h"

/* An event that is being imported. */
struct import {
    uint8_t whole[32]; /* SHA-256 of the whole bundle */
    struct call *call;
    const struct bundle *bundle;
    const struct proved_game *proved; /* by record of the bundle */
    struct loaded_event *loaded;
    struct span rest;    /* the bundle's text */
    struct span players; /* its lines with players */
    json_t *known;       /* ids of players that are stored */
    json_t *reported;    /* ids of recordings that have appeared in the log */
    struct game_row *games;
    int64_t closed_ms;
};

/* ---- Lines ---- */

/* Members are in byte order, so the first one shows the kind of a line. */
static bool begins(struct span line, const char *with)
{
    size_t length = strlen(with);
    return line.length >= length && memcmp(line.at, with, length) == 0;
}

static bool is_log_line(struct span line)
{
    return begins(line, "{\"actor\":");
}

static bool is_signature_line(struct span line)
{
    return begins(line, "{\"base\":");
}

static bool is_player_line(struct span line)
{
    return begins(line, "{\"name\":");
}

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static bool refuse_bundle(struct import *import, const char *message)
{
    return call_problem(import->call, "bad-bundle", message);
}

/* Calls `take` for each line selected by `is`, until it returns false. */
static bool each_line(struct import *import, bool (*is)(struct span line),
                      bool (*take)(struct import *import, const json_t *object))
{
    struct span rest = import->rest, line;
    bool good = true;
    while (good && span_line(&rest, &line)) {
        if (!is(line))
            continue;
        json_t *object = json_loadb(line.at, line.length, 0, NULL);
        good = object != NULL ? take(import, object) : refuse_bundle(import, "A line is no JSON.");
        json_decref(object);
    }
    return good;
}

/* ---- Players ---- */

/* Accepts a player who was imported before from the same service. */
static bool is_same_origin(struct import *import, const struct id *id)
{
    struct call *call = import->call;
    struct player found;
    if (!call_found(call, player_by_id(call->db, call->arena, id, &found)))
        return false;
    if (found.origin != NULL && memcmp(found.origin, import->bundle->key, 32) == 0)
        return true;
    return call_problem_of(call, "player-exists", "The player ", id->text,
                           found.origin == NULL ? " has an account here."
                                                : " is here as one of another service.");
}

static bool store_player(struct import *import, const char *text, const char *name)
{
    struct call *call = import->call;
    struct player player = {
        .name = name, .created_at_ms = call->now_ms, .origin = import->bundle->key};
    if (!id_parse(span_of(text), &player.id))
        return refuse_bundle(import, "A player's id is none.");
    if (json_object_get(import->known, text) != NULL)
        return true;
    json_object_set_new(import->known, text, json_true());
    enum db_status status = player_create(call->db, &player);
    return status == DB_CONFLICT ? is_same_origin(import, &player.id) : call_found(call, status);
}

static bool take_player(struct import *import, const json_t *object)
{
    enum { CHARACTERS_MOST = 64 };
    const char *name = text_of(object, "name");
    size_t characters = 0;
    for (const char *at = name; *at != '\0'; at++)
        characters += ((unsigned char)*at & 0xC0U) != 0x80;
    return characters <= CHARACTERS_MOST
               ? store_player(import, text_of(object, "player"), name)
               : refuse_bundle(import, "A player's name has more than 64 characters.");
}

/* Stores officials without a line of their own, with their ids as names. */
static bool take_official(struct import *import, const json_t *object)
{
    const char *actor = text_of(object, "actor");
    const char *named = strcmp(text_of(object, "kind"), "role_given") == 0
                            ? text_of(json_object_get(object, "detail"), "player")
                            : NULL;
    return (actor[0] == '\0' || store_player(import, actor, actor)) &&
           (named == NULL || store_player(import, named, named));
}

static void find_players(struct import *import)
{
    struct span rest = import->rest, line;
    while (span_line(&rest, &line)) {
        if (!is_player_line(line))
            continue;
        if (import->players.length == 0)
            import->players.at = line.at;
        import->players.length = (size_t)(line.at + line.length + 1 - import->players.at);
    }
}

/* ---- The secrets of duplicate rounds ---- */

static bool record_secret(struct span record, uint8_t secret[static 32])
{
    enum { MARK_BYTES = 10 };
    struct span line;
    struct record_entry entry;
    struct record_fault fault;
    while (span_line(&record, &line)) {
        line.length -= line.length < MARK_BYTES ? line.length : MARK_BYTES;
        if (record_read_entry(line, &entry, &fault) && entry.kind == RECORD_REVEAL) {
            memcpy(secret, entry.secret, 32);
            return true;
        }
    }
    return false;
}

/* Finds a round's secret in the record of one of its games, which all have the same. */
static bool find_round_secret(const struct bundle *bundle, unsigned round,
                              uint8_t secret[static 32])
{
    for (size_t i = 0; i < bundle->record_count; i++) {
        struct record_header header;
        struct record_fault fault;
        struct span rest = bundle->records[i].text;
        uint8_t hash[32];
        uint32_t lines = 0;
        if (record_read_header(&rest, &header, hash, &lines, &fault) && header.round == round)
            return record_secret(rest, secret);
    }
    return false;
}

/* Stores the round before the line that starts it, as when a round is started here. */
static bool store_duplicate_round(struct import *import, const struct tournament_line *line)
{
    struct call *call = import->call;
    uint8_t secret[32], commitment[32];
    uint8_t sealed[KEYS_SEALED_BYTES];
    char bytes[RECORD_SCOPE_MAX];
    struct text scope = TEXT_OVER(bytes);
    struct round round = {.number =
                              (unsigned)json_integer_value(json_object_get(line->detail, "round")),
                          .attempt = 1,
                          .quality = "{}",
                          .started_at_ms = line->at_ms,
                          .has_commitment = true};
    const char *hex = text_of(line->detail, "commitment");
    record_round_scope(import->bundle->event, round.number, &scope);
    if (hex == NULL || !span_hex(span_of(hex), round.commitment, sizeof round.commitment) ||
        !find_round_secret(import->bundle, round.number, secret))
        return refuse_bundle(import,
                             "A round's secret does not stand in the records of its games.");
    record_commitment(text_span(&scope), secret, commitment);
    if (memcmp(commitment, round.commitment, sizeof commitment) != 0)
        return refuse_bundle(import, "A round's secret is not the one that its line commits to.");
    keys_seal(&call->service->keys, secret, sizeof secret, sealed);
    return call_found(call, round_create(call->db, &import->loaded->event.id, &round, sealed,
                                         sizeof sealed)) &&
           tlog_add_commitment(call, text_span(&scope), round.commitment);
}

/* Takes the steps that come before a round's start, as when a round is started here. */
static bool begin_round(struct import *import, const struct tournament_line *line)
{
    unsigned number = (unsigned)json_integer_value(json_object_get(line->detail, "round"));
    bool duplicate = json_object_get(line->detail, "commitment") != NULL;
    return (number <= 1 ||
            tlog_add_round_standings(import->call, &import->loaded->event.id, number - 1)) &&
           (!duplicate || store_duplicate_round(import, line));
}

/* ---- The log ---- */

static bool make_event(struct import *import, const struct tournament_line *line)
{
    struct event event = {.created_at_ms = line->at_ms, .organizer_name = ""};
    if (!id_parse(span_of(import->bundle->event), &event.id) ||
        !id_parse(span_of(line->actor), &event.organizer))
        return refuse_bundle(import, "The event, or who made it, has no id.");
    return event_make_imported(import->call, &event, import->bundle->secret, line, import->loaded);
}

static bool take_log_line(struct import *import, const json_t *object)
{
    const struct tournament_line line = {
        .number = (uint32_t)json_integer_value(json_object_get(object, "line")),
        .at_ms = json_integer_value(json_object_get(object, "at")),
        .actor = text_of(object, "actor"),
        .kind = text_of(object, "kind"),
        .detail = json_object_get(object, "detail")};
    if (line.number == 1)
        return make_event(import, &line);
    if (strcmp(line.kind, "closed") == 0 || strcmp(line.kind, "cancelled") == 0)
        import->closed_ms = line.at_ms;
    return (strcmp(line.kind, "round_started") != 0 || begin_round(import, &line)) &&
           event_take_imported(import->call, import->loaded, &line);
}

/* Stores an official's signature, which was checked with the bundle. */
static bool take_signature(struct import *import, const json_t *object)
{
    struct call *call = import->call;
    struct event_signature signature = {
        .line = (unsigned)json_integer_value(json_object_get(object, "line")),
        .base = (unsigned)json_integer_value(json_object_get(object, "base"))};
    return (span_hex(span_of(text_of(object, "key")), signature.key, sizeof signature.key) &&
            span_hex(span_of(text_of(object, "signature")), signature.signature,
                     sizeof signature.signature))
               ? call_found(call,
                            event_signature_add(call->db, &import->loaded->event.id, &signature))
               : refuse_bundle(import, "An official's signature is none.");
}

/* ---- Games ---- */

/* A game, taken from its replayed record. */
struct proved_game {
    struct record_header header; /* with the players at the end */
    uint8_t secret[32];
    int64_t elapsed_ms; /* of the last entry */
    uint32_t fallback;  /* bit s: a fallback move was played for seat s */
    unsigned forfeits;
    uint8_t forfeited[GAME_SEATS_MAX];
    bool voided;
    struct game_row outcome; /* forfeits, scores and ranks of its seats */
};

static void take_proved(const struct replay *replay, struct proved_game *proved)
{
    *proved = (struct proved_game){.header = replay->header,
                                   .elapsed_ms = replay->elapsed_ms,
                                   .fallback = replay->fallback,
                                   .forfeits = replay->forfeits,
                                   .voided = replay->voided,
                                   .outcome = {.seats = replay->header.seats}};
    memcpy(proved->secret, replay->secret, sizeof proved->secret);
    memcpy(proved->forfeited, replay->forfeited, sizeof proved->forfeited);
    game_take_outcome(&proved->outcome, replay);
}

bool event_import_prove(struct call *call, struct bundle *bundle, struct proved_game **games)
{
    const struct component_sets *sets = component_list_sets(&bundle->sets);
    struct record_fault fault;
    size_t count = bundle->record_count;
    struct replay *replay = arena_take(call->arena, sizeof *replay);
    *games = arena_array(call->arena, count, sizeof **games);
    for (size_t i = 0; i < count; i++) {
        jobs_progress(call, "computing", (unsigned)i, (unsigned)count);
        if (replay_verify(bundle->records[i].text, sets, replay, &fault) != REPLAY_VALID ||
            replay->header.recorded)
            return call_problem(call, "bad-bundle", "A record does not hold.");
        take_proved(replay, &(*games)[i]);
    }
    return true;
}

/* The game's row with the players at its start, who are also in the log. */
static struct game_row game_of(const struct import *import, const struct proved_game *proved,
                               const struct tournament_table *table, unsigned attempt)
{
    const struct record_header *header = &proved->header;
    struct game_row game = {.event = import->loaded->event.id,
                            .round = header->round,
                            .table = header->table,
                            .board = header->board,
                            .attempt = attempt,
                            .slug = import->loaded->event.slug,
                            .version = import->loaded->event.version,
                            .options = import->loaded->event.options,
                            .finished = true,
                            .voided = proved->voided,
                            .scored = !proved->voided,
                            .started_at_ms = time_read(header->start),
                            .seats = header->seats};
    memcpy(game.id.text, header->game_id, sizeof game.id.text);
    for (unsigned seat = 0; seat < game.seats; seat++) {
        game.seat[seat] = proved->outcome.seat[seat];
        game.seat[seat].player = event_person_id(import->loaded->tournament, table->entry[seat]);
        game.seat[seat].player_name = "";
    }
    return game;
}

/* Splits a record into rows: the header, and one per line after it. `played_ms` is the time of the
 * last entry before the reveal. */
static bool split_record(struct call *call, struct span record, struct record_row **rows,
                         size_t *count, int64_t *played_ms)
{
    struct record_header header;
    struct record_fault fault;
    struct span rest = record, line;
    uint8_t hash[32];
    uint32_t lines = 0;
    size_t most = 1;
    if (!record_read_header(&rest, &header, hash, &lines, &fault))
        return call_problem(call, "bad-bundle", "A record has no header.");
    for (size_t i = 0; i < rest.length; i++)
        most += rest.at[i] == '\n';
    *rows = arena_array(call->arena, most, sizeof **rows);
    (*rows)[0] = (struct record_row){.line = {record.at, (size_t)(rest.at - record.at) - 1}};
    memcpy((*rows)[0].hash, hash, sizeof hash);
    *count = 1;
    while (span_line(&rest, &line)) {
        struct record_entry entry;
        struct record_row *row = &(*rows)[*count];
        *row = (struct record_row){.seq = (unsigned)(*count)++, .line = line};
        if (!record_chain_check(hash, &line, &fault))
            return call_problem(call, "bad-bundle", "A record's chain is broken.");
        memcpy(row->hash, hash, sizeof hash);
        if (record_read_entry(line, &entry, &fault) && entry.kind < RECORD_REVEAL)
            *played_ms = entry.elapsed_ms;
    }
    return true;
}

/* The state of a seat at the end of the record. */
static struct game_row_seat last_seat(const struct proved_game *proved, unsigned number)
{
    struct game_row_seat seat = {.fallback = (proved->fallback >> number & 1) != 0};
    memcpy(seat.player.text, proved->header.seat[number].player, sizeof seat.player.text);
    for (unsigned i = 0; i < proved->forfeits; i++)
        seat.forfeited = seat.forfeited || proved->forfeited[i] == number;
    return seat;
}

/* Stores the seats on fallback, forfeited or with a substitute at the end. */
static bool store_seats(struct import *import, const struct game_row *game,
                        const struct proved_game *proved)
{
    struct call *call = import->call;
    for (unsigned number = 0; number < game->seats; number++) {
        const struct game_row_seat seat = last_seat(proved, number);
        bool same = id_equal(&seat.player, &game->seat[number].player);
        if (same && !seat.fallback && !seat.forfeited)
            continue;
        if (!store_player(import, seat.player.text, proved->header.seat[number].name) ||
            !call_found(call, game_set_seat(call->db, &game->id, number, &seat)))
            return false;
    }
    return true;
}

static bool store_signatures(struct import *import, const struct id *game, struct span text)
{
    struct call *call = import->call;
    size_t most = text.length / (2 * SIGNATURE_BYTES);
    struct signature *signatures = arena_array(call->arena, most + 1, sizeof *signatures);
    size_t count = 0;
    struct signature next;
    bool good = true;
    while (good && signature_next(&text, &next)) {
        if (next.kind == SIGNATURE_OF_MOVE)
            signatures[count++] = next;
        else if (next.kind == SIGNATURE_OF_ENTROPY)
            good = call_found(call, entropy_signature_add(call->db, game, next.number, next.bytes));
        else
            good = store_player(import, next.official, next.official) &&
                   call_found(call, party_add_act(call->db, game, &next));
    }
    if (!good)
        return false;
    return count == 0 || call_found(call, move_signature_add(call->db, game, signatures, count));
}

static bool store_game(struct import *import, struct game_row *game,
                       const struct proved_game *proved, struct span record)
{
    struct call *call = import->call;
    uint8_t sealed[KEYS_SEALED_BYTES];
    struct record_row *rows = NULL;
    size_t count = 0;
    int64_t played_ms = 0;
    bool own_secret = game->board == 0;
    keys_seal(&call->service->keys, proved->secret, sizeof proved->secret, sealed);
    if (!split_record(call, record, &rows, &count, &played_ms))
        return false;
    game->finished_at_ms = game->started_at_ms + proved->elapsed_ms;
    return call_db(call, game_create(call->db, game, own_secret ? sealed : NULL, KEYS_SEALED_BYTES),
                   "event-exists", "There is a game with the id of one of the bundle.") &&
           call_found(call, record_append(call->db, &game->id, rows, count)) &&
           store_seats(import, game, proved) &&
           call_found(call, game_end(call->db, &game->id, game->started_at_ms + played_ms,
                                     proved->voided)) &&
           (proved->voided || call_found(call, game_score(call->db, game))) &&
           (!own_secret ||
            tlog_add_commitment(call, span_of(game->id.text), proved->header.commitment)) &&
           tlog_add_record(call, record);
}

/* The number of the game at its table. Version 1 has only the last game of each table. */
static unsigned attempt_of(const struct import *import, const struct bundle_record *record,
                           size_t table)
{
    return record->attempt > 0 ? record->attempt : bundle_count_earlier(import->bundle, table) + 1;
}

static bool store_record(struct import *import, const struct bundle_record *record,
                         const struct proved_game *proved)
{
    const struct tournament *tournament = import->loaded->tournament;
    const struct tournament_table *table =
        tournament_table(tournament, proved->header.round, proved->header.table);
    if (table == NULL)
        return refuse_bundle(import, "A record is of no table of the event.");
    size_t index = (size_t)(table - tournament->tables);
    struct game_row game = game_of(import, proved, table, attempt_of(import, record, index));
    if (!store_game(import, &game, proved, record->text) ||
        !store_signatures(import, &game.id, record->signatures))
        return false;
    for (unsigned seat = 0; seat < game.seats; seat++)
        game.seat[seat].player = last_seat(proved, seat).player; /* for ratings */
    import->games[index] = game;
    return true;
}

/* Sets game [i] to the last game of table [i]; later games follow earlier ones in the bundle. */
static bool store_games(struct import *import)
{
    struct call *call = import->call;
    size_t count = import->bundle->record_count;
    bool good = true;
    import->games =
        arena_array(call->arena, import->loaded->tournament->table_count, sizeof *import->games);
    for (size_t i = 0; good && i < count; i++) {
        jobs_progress(call, "storing", (unsigned)i, (unsigned)count);
        good = store_record(import, &import->bundle->records[i], &import->proved[i]);
    }
    return good;
}

/* ---- Records of scorers ---- */

static const struct bundle_recording *find_recording(const struct bundle *bundle, const char *id)
{
    for (size_t i = 0; i < bundle->recording_count; i++)
        if (strcmp(bundle->recordings[i].id, id) == 0)
            return &bundle->recordings[i];
    return NULL;
}

static bool store_recording(struct import *import, const struct bundle_recording *found,
                            const json_t *line)
{
    struct call *call = import->call;
    struct record_header header;
    struct record_fault fault;
    struct record_row *rows = NULL;
    struct span rest = found->text;
    uint8_t hash[32];
    uint32_t lines = 0;
    size_t count = 0;
    int64_t played_ms = 0, at_ms = json_integer_value(json_object_get(line, "at"));
    if (!record_read_header(&rest, &header, hash, &lines, &fault) ||
        !split_record(call, found->text, &rows, &count, &played_ms))
        return refuse_bundle(import, "A scorer's record has no header.");
    const struct tournament_table *table =
        tournament_table(import->loaded->tournament, header.round, header.table);
    struct recording recording = {.event = import->loaded->event.id,
                                  .round = header.round,
                                  .table = header.table,
                                  .started_at_ms = time_read(header.start),
                                  .created_at_ms = time_read(header.start)};
    if (table == NULL || !id_parse(span_of(found->id), &recording.id) ||
        !id_parse(span_of(text_of(line, "actor")), &recording.scorer))
        return refuse_bundle(import, "A scorer's record is of no table of the event.");
    recording.since = table->since;
    if (recording.created_at_ms > at_ms) /* a scorer's clock may be fast */
        recording.created_at_ms = at_ms;
    return call_db(call, recording_add(call->db, &recording, &rows[0]), "event-exists",
                   "There is a recording with the id of one of the bundle.") &&
           call_found(call, recording_append(call->db, &recording.id, &rows[1], count - 1)) &&
           call_found(call, recording_finish(call->db, &recording.id, at_ms));
}

/* Stores a recording at its first report; the reporting player is its scorer. */
static bool take_report(struct import *import, const json_t *object)
{
    const json_t *record = json_object_get(json_object_get(object, "detail"), "record");
    const char *id = text_of(record, "id");
    if (strcmp(text_of(object, "kind"), "reported") != 0 || id == NULL ||
        json_object_get(import->reported, id) != NULL)
        return true;
    const struct bundle_recording *found = find_recording(import->bundle, id);
    json_object_set_new(import->reported, id, json_true());
    return found == NULL || store_recording(import, found, object);
}

/* ---- Ratings ---- */

/* Takes a ruling's ranks and scores. False if the view counted_result excludes the table. */
static bool take_counted(const struct tournament_table *table, struct game_row *game)
{
    for (unsigned seat = 0; table->ruled && seat < table->seats; seat++) {
        if (table->result.seat[seat].kind != ROUND_ADJUDICATED)
            return false;
        game->seat[seat].rank = table->result.seat[seat].rank;
        game->seat[seat].score = table->result.seat[seat].score;
    }
    return true;
}

/* Rates games in the order and at the times of their ends, and the Glicko-2 period at the event's
 * closing. */
static bool rate(struct import *import)
{
    struct call *call = import->call;
    int64_t now_ms = call->now_ms;
    bool good = call_found(call, rating_lock(call->db));
    for (size_t i = 0; good && i < import->bundle->finished_count; i++) {
        uint32_t table = import->bundle->finished[i];
        struct game_row *game = &import->games[table];
        call->now_ms = game->finished_at_ms;
        const struct tournament *tournament = import->loaded->tournament;
        if (take_counted(&tournament->tables[table], game))
            good = game_rate(call, game,
                             tournament_rates_apart(tournament, &tournament->tables[table]));
    }
    call->now_ms = import->closed_ms;
    good = good && reported_rate_event(call, import->loaded) &&
           glicko_rate_event(call, &import->loaded->event);
    call->now_ms = now_ms;
    return good;
}

/* ---- The seal ---- */

static bool store_origin(struct import *import)
{
    struct call *call = import->call;
    struct event_origin origin = {.event = import->loaded->event.id,
                                  .players = import->players,
                                  .imported_by = call->player.id,
                                  .imported_at_ms = call->now_ms};
    memcpy(origin.bundle, import->whole, sizeof origin.bundle);
    memcpy(origin.sha256, import->bundle->hash, sizeof origin.sha256);
    memcpy(origin.key, import->bundle->key, sizeof origin.key);
    memcpy(origin.signature, import->bundle->signature, sizeof origin.signature);
    return call_db(call, event_origin_add(call->db, &origin), "event-exists",
                   "The event has been imported.");
}

/* Registers the event's component set for the importing admin, unless it is stored already. */
static bool store_components(struct import *import)
{
    struct call *call = import->call;
    const struct tournament_settings *settings = &import->bundle->tournament.settings;
    char name[COMPONENT_TITLE_MAX + 1];
    struct stored_set set = {.id = id_new(call->now_ms),
                             .ruleset = settings->game->slug,
                             .name = name,
                             .registered_at_ms = call->now_ms,
                             .registered_by = call->player.id};
    if (!settings->other_set)
        return true;
    memcpy(set.hash, settings->set, sizeof set.hash);
    component_set_name(import->bundle->components, name);
    enum db_status status = component_set_add(call->db, &set, import->bundle->components);
    return status == DB_CONFLICT || call_found(call, status);
}

/* ---- All of it ---- */

bool event_import(struct call *call, struct span text, const struct bundle *bundle,
                  const struct proved_game *games, struct loaded_event *loaded)
{
    struct import import = {.call = call,
                            .bundle = bundle,
                            .proved = games,
                            .loaded = loaded,
                            .rest = text,
                            .known = json_object(),
                            .reported = json_object()};
    crypto_hash_sha256(import.whole, (const unsigned char *)text.at, text.length);
    find_players(&import);
    bool good = store_components(&import) && each_line(&import, is_player_line, take_player) &&
                each_line(&import, is_log_line, take_official) &&
                each_line(&import, is_log_line, take_log_line) &&
                each_line(&import, is_signature_line, take_signature) && store_games(&import) &&
                each_line(&import, is_log_line, take_report) && rate(&import) &&
                store_origin(&import) &&
                (loaded->tournament->cancelled ? tlog_add_cancelled_event
                                               : tlog_add_closed_event)(call, &loaded->event.id);
    json_decref(import.known);
    json_decref(import.reported);
    return good;
}
