#include "api/records/bundle_making.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/event/event_load.h"
#include "api/play/move_request.h"
#include "db/store/events/event_signatures.h"
#include "db/store/events/imports.h"
#include "db/store/events/rounds.h"
#include "db/store/games/recordings.h"
#include "db/store/service/component_sets.h"
#include "engine/tournament/interchange/bundle.h"

enum { LINES_AT_ONCE = 500, BYTES_LEAST = 1 << 16, SEAL_BYTES = 320, SIGNATURES_MOST = 100000 };

/* A growing buffer of bytes. */
struct gathered {
    char *at;
    size_t length, capacity;
};

/* A record to be added. */
struct wanted {
    struct id game;   /* or of a recording */
    unsigned attempt; /* from 1 */
    bool aside;       /* has no result that counts; not in version 1 */
};

struct bundle_making {
    struct arena arena; /* owns everything that lasts */
    struct id event;
    uint8_t commitment[32], secret[KEYS_SECRET_BYTES];
    bool closed, records, other_set;
    struct event_origin origin;
    bool imported;
    struct event_signature *signatures; /* of officials */
    size_t signature_count;
    struct gathered middle; /* lines of the log and of players */
    struct wanted *wanted;  /* games, then recordings */
    size_t games;           /* number of games */
    size_t count;           /* number of games and recordings */
    /* The state of the pass: */
    unsigned version;
    bool compares; /* the pass is only for comparison */
    bool begun;
    size_t done; /* records added so far */
    size_t length;
    crypto_hash_sha256_state hash;
    struct gathered part;
};

/* The state while the log and the players are written. */
struct writing {
    struct call *call;
    struct bundle_making *making;
    json_t *named;  /* ids of players that have a line */
    json_t *actors; /* id -> name, for all actors of lines */
    size_t signed_lines;
};

static bool refuse_too_large(struct call *call)
{
    return call_problem(call, "bundle-too-large",
                        "The bundle would have more than 64 MiB; ask for it with records=no, and "
                        "for each game's record at /v1/games/<id>/record.");
}

static bool make_room(struct call *call, struct gathered *bytes, size_t length)
{
    size_t needed = bytes->length + length;
    size_t capacity = bytes->capacity == 0 ? BYTES_LEAST : bytes->capacity;
    if (needed > BUNDLE_BYTES_MAX - SEAL_BYTES)
        return refuse_too_large(call);
    while (capacity < needed)
        capacity *= 2;
    if (capacity == bytes->capacity)
        return true;
    char *grown = realloc(bytes->at, capacity);
    if (grown == NULL)
        return call_problem(call, "unavailable",
                            "There is not enough memory for the bundle; try again soon.");
    bytes->at = grown;
    bytes->capacity = capacity;
    return true;
}

static bool add_bytes(struct call *call, struct gathered *bytes, struct span added)
{
    bool room = make_room(call, bytes, added.length) && bytes->at != NULL;
    if (room && added.length > 0) {
        memcpy(bytes->at + bytes->length, added.at, added.length);
        bytes->length += added.length;
    }
    return room;
}

/* Adds a line, which is taken over; NULL means that it could not be written. */
static bool add_to(struct call *call, struct gathered *bytes, char *line)
{
    if (line == NULL)
        return call_problem(call, "internal-error", "The bundle could not be written.");
    bool added = add_bytes(call, bytes, span_of(line));
    free(line);
    return added;
}

static bool add_line(struct writing *writing, char *line)
{
    return add_to(writing->call, &writing->making->middle, line);
}

/* ---- The log ---- */

/* Signatures are in the order of lines. */
static bool add_signature(struct writing *writing, unsigned line)
{
    const struct bundle_making *making = writing->making;
    if (writing->signed_lines == making->signature_count ||
        making->signatures[writing->signed_lines].line != line)
        return true;
    const struct event_signature *signature = &making->signatures[writing->signed_lines++];
    return add_line(writing, bundle_signature_line(line, signature->base, signature->key,
                                                   signature->signature));
}

static bool list_signatures(struct bundle_making *making, struct call *call)
{
    return call_found(call, event_signature_list(call->db, &making->arena, &making->event, 0,
                                                 SIGNATURES_MOST, &making->signatures,
                                                 &making->signature_count));
}

static bool add_step(struct writing *writing, const struct event_step *step)
{
    json_t *detail = json_loads(step->detail, 0, NULL);
    if (detail == NULL)
        return call_problem(writing->call, "log-damaged", "A line of the event's log is no JSON.");
    const struct tournament_line line = {.number = step->seq,
                                         .at_ms = step->at_ms,
                                         .actor = step->actor.text,
                                         .kind = step->kind,
                                         .detail = detail};
    bool added = add_line(writing, bundle_log_line(&line)) && add_signature(writing, step->seq);
    json_decref(detail);
    if (step->actor.text[0] != '\0')
        json_object_set_new(writing->actors, step->actor.text, json_string(step->actor_name));
    return added;
}

static bool add_log(struct writing *writing, const struct id *event,
                    const struct tournament *tournament)
{
    struct call *call = writing->call;
    const struct event_moment moment = {.line = tournament->lines};
    size_t count = LINES_AT_ONCE;
    bool good = true;
    for (unsigned after = 0; good && count == LINES_AT_ONCE;) {
        struct arena arena = {NULL};
        struct event_step *steps;
        good = call_found(call, event_log_list(call->db, &arena, event, after, &moment,
                                               LINES_AT_ONCE, &steps, &count));
        for (size_t i = 0; good && i < count; i++)
            good = add_step(writing, &steps[i]);
        if (good && count > 0)
            after = steps[count - 1].seq;
        arena_free(&arena);
    }
    return good;
}

/* ---- Players ---- */

static bool add_player(struct writing *writing, const struct id *player, const char *name)
{
    if (player->text[0] == '\0' || json_object_get(writing->named, player->text) != NULL)
        return true;
    json_object_set_new(writing->named, player->text, json_true());
    return add_line(writing, bundle_player_line(player->text, name));
}

/* Adds the lines of players as they were imported. */
static bool add_imported_players(struct writing *writing)
{
    struct span rest = writing->making->origin.players, line;
    bool good = true;
    while (good && span_line(&rest, &line)) {
        json_t *object = json_loadb(line.at, line.length, 0, NULL);
        struct id player;
        good = (id_parse(span_of(json_string_value(json_object_get(object, "player"))), &player) &&
                add_player(writing, &player, json_string_value(json_object_get(object, "name")))) ||
               call_problem(writing->call, "internal-error", "A stored line names no player.");
        json_decref(object);
    }
    return good;
}

static bool add_entrants(struct writing *writing, const struct event *event,
                         const struct tournament *tournament)
{
    struct call *call = writing->call;
    struct event_entry *entries;
    size_t count;
    if (!call_found(call, entry_list(call->db, call->arena, &event->id, &entries, &count)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!add_player(writing, &entries[i].player, entries[i].player_name))
            return false;
    /* Players who are no longer in the table of entries appear with their id as name. */
    for (size_t i = 0; i < tournament->entrant_count; i++) {
        struct id player = event_person_id(tournament, (uint16_t)i);
        if (!add_player(writing, &player, player.text))
            return false;
    }
    return true;
}

/* Adds the organizer, the players with roles, and all other actors. */
static bool add_officials(struct writing *writing, const struct event *event)
{
    struct call *call = writing->call;
    struct event_role *roles;
    size_t count;
    const char *actor;
    json_t *name;
    if (!add_player(writing, &event->organizer, event->organizer_name) ||
        !call_found(call, event_role_list(call->db, call->arena, &event->id, &roles, &count)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!add_player(writing, &roles[i].player, roles[i].player_name))
            return false;
    json_object_foreach(writing->actors, actor, name)
    {
        struct id player;
        if (id_parse(span_of(actor), &player) &&
            !add_player(writing, &player, json_string_value(name)))
            return false;
    }
    return true;
}

static bool add_players(struct writing *writing, const struct event *event,
                        const struct tournament *tournament)
{
    return (!writing->making->imported || add_imported_players(writing)) &&
           add_entrants(writing, event, tournament) && add_officials(writing, event);
}

/* ---- The component set ---- */

static bool add_components(struct writing *writing, const struct tournament_settings *settings)
{
    struct call *call = writing->call;
    struct stored_set set;
    struct span body;
    writing->making->other_set = settings->other_set;
    return !settings->other_set ||
           (call_found(call,
                       component_set_find(call->db, call->arena, settings->set, &set, &body)) &&
            add_line(writing, bundle_components_line(body)));
}

/* ---- List of records ---- */

/* Lists a table's games without a result that counts, and then the game with the result in the log.
 */
static bool list_table(struct call *call, struct bundle_making *making,
                       const struct tournament_table *table, const struct game_row *aside,
                       size_t aside_count)
{
    unsigned attempt = 1;
    for (size_t i = 0; i < aside_count; i++)
        if (aside[i].round == table->round && aside[i].table == table->table)
            making->wanted[making->count++] = (struct wanted){aside[i].id, attempt++, true};
    if (!table->played)
        return true;
    struct wanted *wanted = &making->wanted[making->count];
    if (!id_parse(span_of(table->game), &wanted->game))
        return call_problem(call, "log-damaged", "A game of the log has no id.");
    wanted->attempt = attempt;
    making->count++;
    return true;
}

/* Checks the known length before records are read; archived ones count for little. */
static bool check_length(struct call *call, const struct bundle_making *making)
{
    enum { OF_A_RECORD = 60 }; /* the names of the line's members, and the game's id */
    struct id *games = arena_array(call->arena, making->count, sizeof *games);
    uint64_t bytes = 0;
    for (size_t i = 0; i < making->count; i++)
        games[i] = making->wanted[i].game;
    if (!call_found(call, record_bytes(call->db, games, making->count, &bytes)))
        return false;
    bytes += making->middle.length + making->count * OF_A_RECORD;
    return bytes <= BUNDLE_BYTES_MAX - SEAL_BYTES || refuse_too_large(call);
}

/* Lists a scorer's record; events from older bundles may lack it. */
static bool list_recording(struct call *call, struct bundle_making *making, const char *recording)
{
    struct wanted *wanted = &making->wanted[making->count];
    struct recording found;
    if (!id_parse(span_of(recording), &wanted->game))
        return call_problem(call, "log-damaged", "A recording of the log has no id.");
    enum db_status status =
        making->imported ? recording_find(call->db, call->arena, &wanted->game, &found) : DB_OK;
    making->count += status == DB_OK;
    return status == DB_NONE || call_found(call, status);
}

static bool list_recordings(struct call *call, struct bundle_making *making,
                            const struct tournament *tournament)
{
    bool good = true;
    for (size_t i = 0; good && i < tournament->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[i];
        if (tournament_is_recorded(tournament, table))
            good = list_recording(call, making, tournament_report(tournament, table)->recording);
    }
    return good;
}

/* Lists records in the order of the log's tables. */
static bool list_records(struct call *call, struct bundle_making *making,
                         const struct tournament *tournament)
{
    struct game_row *aside = NULL;
    size_t aside_count = 0;
    bool good = call_found(
        call, round_games_set_aside(call->db, call->arena, &making->event, &aside, &aside_count));
    making->wanted = arena_array(&making->arena, tournament->table_count + aside_count + 1,
                                 sizeof *making->wanted);
    for (size_t i = 0; good && i < tournament->table_count; i++)
        good = list_table(call, making, &tournament->tables[i], aside, aside_count);
    making->games = making->count;
    return good && (making->count == 0 || check_length(call, making)) &&
           list_recordings(call, making, tournament);
}

/* ---- Records ---- */

/* Uses the stored rows, if they are complete; otherwise the record is archived, and is read from
 * the archive. */
static bool read_record(struct call *call, struct arena *arena, struct record_part *part)
{
    bool whole = part->count > 0 && part->rows[part->count - 1].seq + 1 == part->count;
    return whole || call_found(call, record_read(call->db, arena, part->game, -1, &part->rows,
                                                 &part->count));
}

static bool add_record(struct bundle_making *making, struct call *call, struct arena *arena,
                       const struct wanted *wanted, struct record_part *part, bool is_signed)
{
    struct span signatures = {NULL, 0};
    size_t count;
    if (!read_record(call, arena, part) ||
        (is_signed && !call_found(call, signed_moves_print(call->db, arena, &wanted->game,
                                                           UINT32_MAX, &signatures, &count))))
        return false;
    return add_to(call, &making->part,
                  bundle_record_line(making->version > 1 ? wanted->attempt : 0, wanted->game.text,
                                     record_join(arena, part->rows, part->count), signatures));
}

static bool add_game_records(struct bundle_making *making, struct call *call, struct arena *arena,
                             const struct wanted *wanted, size_t count)
{
    struct record_part parts[BUNDLE_RECORDS_AT_ONCE];
    struct id games[BUNDLE_RECORDS_AT_ONCE];
    bool has_signatures[BUNDLE_RECORDS_AT_ONCE];
    for (size_t i = 0; i < count; i++) {
        parts[i] = (struct record_part){.game = &wanted[i].game};
        games[i] = wanted[i].game;
    }
    bool good = call_found(call, record_read_parts(call->db, arena, parts, count)) &&
                call_found(call, signature_games(call->db, games, count, has_signatures));
    for (size_t i = 0; good && i < count; i++)
        good = (making->version == 1 && wanted[i].aside) ||
               add_record(making, call, arena, &wanted[i], &parts[i], has_signatures[i]);
    return good;
}

static bool add_recordings(struct bundle_making *making, struct call *call, struct arena *arena,
                           const struct wanted *wanted, size_t count)
{
    bool good = true;
    for (size_t i = 0; good && i < count && making->version > BUNDLE_VERSION_UNRECORDED; i++) {
        struct record_row *rows;
        size_t row_count;
        good =
            call_found(call, recording_read(call->db, arena, &wanted[i].game, &rows, &row_count)) &&
            add_to(call, &making->part,
                   bundle_recording_line(wanted[i].game.text, record_join(arena, rows, row_count)));
    }
    return good;
}

static bool add_records(struct bundle_making *making, struct call *call)
{
    struct arena arena = {NULL};
    bool of_games = making->done < making->games;
    size_t left = (of_games ? making->games : making->count) - making->done;
    size_t some = left < BUNDLE_RECORDS_AT_ONCE ? left : BUNDLE_RECORDS_AT_ONCE;
    bool good = (of_games ? add_game_records : add_recordings)(making, call, &arena,
                                                               &making->wanted[making->done], some);
    arena_free(&arena);
    making->done += some;
    return good;
}

/* ---- A pass ---- */

static unsigned newest_version(const struct bundle_making *making)
{
    if (making->other_set)
        return BUNDLE_VERSION;
    return making->count > making->games || making->signature_count > 0 ? BUNDLE_VERSION_BUILT_IN
                                                                        : BUNDLE_VERSION_UNSIGNED;
}

static void begin_pass(struct bundle_making *making, unsigned version, bool compares)
{
    making->version = version;
    making->compares = compares;
    making->begun = false;
    making->done = 0;
    making->length = 0;
    crypto_hash_sha256_init(&making->hash);
}

static bool add_beginning(struct bundle_making *making, struct call *call)
{
    const struct gathered *middle = &making->middle;
    making->begun = true;
    return add_to(call, &making->part,
                  bundle_header_line(making->version, making->event.text, making->commitment,
                                     making->closed ? making->secret : NULL, making->records)) &&
           add_bytes(call, &making->part, (struct span){middle->at, middle->length});
}

static bool add_seal(struct bundle_making *making, struct call *call, const uint8_t hash[static 32],
                     bool unchanged)
{
    const struct keys *keys = &call->service->keys;
    const struct event_origin *origin = &making->origin;
    uint8_t signature[64];
    char message[BUNDLE_MESSAGE_MAX];
    struct text text = TEXT_OVER(message);
    if (unchanged)
        return add_to(call, &making->part, bundle_seal_line(hash, origin->key, origin->signature));
    bundle_message(making->event.text, hash, &text);
    keys_sign(keys, text_span(&text), signature);
    return add_to(call, &making->part, bundle_seal_line(hash, keys->signing_public, signature));
}

/* Begins the next pass: an unchanged event is written in the version in which it was imported. */
static void choose_pass(struct bundle_making *making, bool unchanged)
{
    if (unchanged)
        begin_pass(making, making->version, false);
    else if (making->version > 1)
        begin_pass(making, making->version - 1, true);
    else
        begin_pass(making, newest_version(making), false);
}

static bool end_pass(struct bundle_making *making, struct call *call, bool *last)
{
    uint8_t hash[32];
    crypto_hash_sha256_final(&making->hash, hash);
    bool unchanged = making->imported && memcmp(hash, making->origin.sha256, sizeof hash) == 0;
    *last = !making->compares;
    if (!making->compares)
        return add_seal(making, call, hash, unchanged);
    choose_pass(making, unchanged);
    return true;
}

static bool count_part(struct bundle_making *making, struct call *call)
{
    struct gathered *part = &making->part;
    crypto_hash_sha256_update(&making->hash, (const unsigned char *)part->at, part->length);
    making->length += part->length;
    if (making->compares)
        part->length = 0;
    return making->length <= BUNDLE_BYTES_MAX - SEAL_BYTES || refuse_too_large(call);
}

bool bundle_next(struct bundle_making *making, struct call *call, struct span *part, bool *last)
{
    making->part.length = 0;
    *last = false;
    bool good = (making->begun ? add_records : add_beginning)(making, call) &&
                count_part(making, call) &&
                (making->done < making->count || end_pass(making, call, last));
    *part = (struct span){making->part.at, making->part.length};
    return good;
}

/* ---- Everything except records ---- */

static bool find_origin(struct bundle_making *making, struct call *call)
{
    enum db_status status =
        event_origin_find(call->db, &making->arena, &making->event, &making->origin);
    making->imported = status == DB_OK;
    return status == DB_NONE || call_found(call, status);
}

static bool read_all(struct bundle_making *making, struct call *call,
                     const struct loaded_event *loaded)
{
    struct writing writing = {call, making, json_object(), json_object(), 0};
    const struct id *event = &making->event;
    bool good = (!making->closed || event_secret_read(call, event, making->secret)) &&
                find_origin(making, call) && list_signatures(making, call) &&
                add_log(&writing, event, loaded->tournament) &&
                add_players(&writing, &loaded->event, loaded->tournament) &&
                add_components(&writing, &loaded->tournament->settings) &&
                (!making->records || list_records(call, making, loaded->tournament));
    json_decref(writing.named);
    json_decref(writing.actors);
    return good;
}

struct bundle_making *bundle_make(struct call *call, const struct loaded_event *loaded,
                                  bool records)
{
    struct bundle_making *making = must(calloc(1, sizeof *making));
    making->event = loaded->event.id;
    making->closed = loaded->tournament->phase == PHASE_CLOSED;
    making->records = records;
    memcpy(making->commitment, loaded->event.commitment, sizeof making->commitment);
    if (read_all(making, call, loaded)) {
        begin_pass(making, newest_version(making), making->imported && records);
        return making;
    }
    bundle_making_free(making);
    return NULL;
}

void bundle_making_free(struct bundle_making *making)
{
    if (making == NULL)
        return;
    arena_free(&making->arena);
    free(making->middle.at);
    free(making->part.at);
    sodium_memzero(making->secret, sizeof making->secret);
    free(making);
}

size_t bundle_records(const struct bundle_making *making)
{
    return making->count;
}

void bundle_identify(const struct bundle_making *making, const struct keys *keys,
                     uint8_t hash[static 32])
{
    const struct gathered *middle = &making->middle;
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, keys->signing_public, sizeof keys->signing_public);
    crypto_hash_sha256_update(&state, (const unsigned char *)making->event.text,
                              sizeof making->event.text);
    crypto_hash_sha256_update(&state, (const unsigned char *)middle->at, middle->length);
    for (size_t i = 0; i < making->count; i++)
        crypto_hash_sha256_update(&state, (const unsigned char *)making->wanted[i].game.text,
                                  sizeof making->wanted[i].game.text);
    crypto_hash_sha256_final(&state, hash);
}
