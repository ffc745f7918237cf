/* An event as a bundle (engine/tournament/bundle.h): all that a stranger needs to make it again.
 * One that was imported is written with the lines that it came with, and if it is still the same to
 * the last byte, with the seal of the service that it was played on. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/event_people.h"
#include "api/handlers.h"
#include "api/signed_moves.h"
#include "db/imports.h"
#include "db/records.h"
#include "db/rounds.h"
#include "engine/tournament/bundle.h"

enum { LINES_AT_ONCE = 500, BYTES_LEAST = 1 << 16, SEAL_BYTES = 320 };

/* A bundle while it is written. */
struct writing {
    struct call *call;
    unsigned version;
    bool records;
    char *at;
    size_t length, capacity;
    json_t *named;  /* ids of players that have a line */
    json_t *actors; /* id -> name, of whoever took a step */
    struct event_origin origin;
    bool imported;
};

static bool too_large(struct call *call)
{
    return call_problem(call, "bundle-too-large",
                        "The bundle would have more than 64 MiB; ask for it with records=no, and "
                        "for each game's record at /v1/games/<id>/record.");
}

static bool make_room(struct writing *writing, size_t length)
{
    size_t needed = writing->length + length;
    size_t capacity = writing->capacity == 0 ? BYTES_LEAST : writing->capacity;
    if (needed > BUNDLE_BYTES_MAX - SEAL_BYTES)
        return too_large(writing->call);
    while (capacity < needed)
        capacity *= 2;
    if (capacity == writing->capacity)
        return true;
    char *grown = realloc(writing->at, capacity);
    if (grown == NULL)
        return call_problem(writing->call, "unavailable", "There is no memory for the bundle now.");
    writing->at = grown;
    writing->capacity = capacity;
    return true;
}

/* Takes the line over; NULL stands for one that could not be written. */
static bool add_line(struct writing *writing, char *line)
{
    if (line == NULL)
        return call_problem(writing->call, "internal-error", "The bundle could not be written.");
    size_t length = strlen(line);
    bool room = make_room(writing, length) && writing->at != NULL;
    if (room) {
        memcpy(writing->at + writing->length, line, length);
        writing->length += length;
    }
    free(line);
    return room;
}

/* ---- First and last line ---- */

static bool add_header(struct writing *writing, const struct loaded_event *loaded)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    const struct event *event = &loaded->event;
    bool closed = loaded->tournament->phase == PHASE_CLOSED;
    if (closed && !event_secret_read(writing->call, &event->id, secret))
        return false;
    bool added =
        add_line(writing, bundle_header_line(writing->version, event->id.text, event->commitment,
                                             closed ? secret : NULL, writing->records));
    sodium_memzero(secret, sizeof secret);
    return added;
}

static bool add_seal(struct writing *writing, const struct id *event)
{
    const struct keys *keys = &writing->call->service->keys;
    const struct event_origin *origin = &writing->origin;
    uint8_t hash[32];
    uint8_t signature[64];
    char message[BUNDLE_MESSAGE_MAX];
    struct text text = TEXT_OVER(message);
    crypto_hash_sha256(hash, (const unsigned char *)writing->at, writing->length);
    if (writing->imported && memcmp(hash, origin->sha256, sizeof hash) == 0)
        return add_line(writing, bundle_seal_line(hash, origin->key, origin->signature));
    bundle_message(event->text, hash, &text);
    keys_sign(keys, text_span(&text), signature);
    return add_line(writing, bundle_seal_line(hash, keys->signing_public, signature));
}

/* ---- The log ---- */

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
    bool added = add_line(writing, bundle_log_line(&line));
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

/* As they came. */
static bool add_imported_players(struct writing *writing)
{
    struct span rest = writing->origin.players, line;
    bool good = true;
    while (good && span_line(&rest, &line)) {
        json_t *object = json_loadb(line.at, line.length, 0, NULL);
        struct id player;
        good = (id_parse(span_of(json_string_value(json_object_get(object, "player"))), &player) &&
                add_player(writing, &player, json_string_value(json_object_get(object, "name")))) ||
               call_problem(writing->call, "internal-error", "A stored line names nobody.");
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
    /* Who has no entry any more is told by his id. */
    for (size_t i = 0; i < tournament->entrant_count; i++) {
        struct id player = event_person_id(tournament, (uint16_t)i);
        if (!add_player(writing, &player, player.text))
            return false;
    }
    return true;
}

/* Who made it, who has a role in it, and whoever else took a step. */
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
    return (!writing->imported || add_imported_players(writing)) &&
           add_entrants(writing, event, tournament) && add_officials(writing, event);
}

/* ---- Records ---- */

static bool add_record(struct writing *writing, const struct id *game, unsigned attempt)
{
    struct call *call = writing->call;
    struct arena arena = {NULL};
    struct record_row *rows;
    const struct span none = {NULL, 0};
    struct span signatures;
    size_t count, signature_count;
    bool good = call_found(call, record_read(call->db, &arena, game, -1, &rows, &count)) &&
                call_found(call, signed_moves_print(call->db, &arena, game, UINT32_MAX, &signatures,
                                                    &signature_count)) &&
                add_line(writing, bundle_record_line(writing->version > 1 ? attempt : 0, game->text,
                                                     record_join(&arena, rows, count),
                                                     signature_count > 0 ? signatures : none));
    arena_free(&arena);
    return good;
}

/* Those of a table that count for nothing, then the one that the log has a result of. */
static bool add_table_records(struct writing *writing, const struct tournament_table *table,
                              const struct game_row *aside, size_t aside_count)
{
    unsigned attempt = 1;
    struct id game;
    for (size_t i = 0; i < aside_count; i++)
        if (aside[i].round == table->round && aside[i].table == table->table &&
            !add_record(writing, &aside[i].id, attempt++))
            return false;
    if (!table->played)
        return true;
    if (!id_parse(span_of(table->game), &game))
        return call_problem(writing->call, "log-damaged", "A game of the log has no id.");
    return add_record(writing, &game, attempt);
}

/* In the order of the log's tables. */
static bool add_records(struct writing *writing, const struct id *event,
                        const struct tournament *tournament)
{
    struct call *call = writing->call;
    struct game_row *aside = NULL;
    size_t count = 0;
    bool good =
        writing->version == 1 ||
        call_found(call, round_games_set_aside(call->db, call->arena, event, &aside, &count));
    for (size_t i = 0; good && i < tournament->table_count; i++)
        good = add_table_records(writing, &tournament->tables[i], aside, count);
    return good;
}

/* ---- The whole ---- */

/* Records of an event that runs are not all finished, and one that is not proves nothing yet. */
static bool read_records(struct call *call, const struct tournament *tournament, bool *records)
{
    struct span wanted = http_parameter(call->request, "records");
    for (size_t i = 0; i < call->request->parameters; i++)
        if (!span_is(call->request->parameter[i].name, "records"))
            return call_problem(call, "bad-parameter", "Bundles take records=<yes or no>.");
    if (wanted.at != NULL && !span_is(wanted, "yes") && !span_is(wanted, "no"))
        return call_problem(call, "bad-parameter", "Bundles take records=<yes or no>.");
    *records = tournament->phase == PHASE_CLOSED && !(wanted.at != NULL && span_is(wanted, "no"));
    return true;
}

static bool find_origin(struct writing *writing, const struct id *event)
{
    struct call *call = writing->call;
    enum db_status status = event_origin_find(call->db, call->arena, event, &writing->origin);
    writing->imported = status == DB_OK;
    return status == DB_NONE || call_found(call, status);
}

static void empty(struct writing *writing)
{
    free(writing->at);
    writing->at = NULL;
    writing->length = writing->capacity = 0;
    json_object_clear(writing->named);
}

/* All but the seal. */
static bool write_body(struct writing *writing, const struct loaded_event *loaded, unsigned version)
{
    const struct id *event = &loaded->event.id;
    writing->version = version;
    return add_header(writing, loaded) && add_log(writing, event, loaded->tournament) &&
           add_players(writing, &loaded->event, loaded->tournament) &&
           (!writing->records || add_records(writing, event, loaded->tournament));
}

static bool is_as_it_came(const struct writing *writing)
{
    uint8_t hash[32];
    crypto_hash_sha256(hash, (const unsigned char *)writing->at, writing->length);
    return memcmp(hash, writing->origin.sha256, sizeof hash) == 0;
}

/* One that came in an older form, and is still the same, is given in that one. */
static bool write_as_it_came(struct writing *writing, const struct loaded_event *loaded)
{
    for (unsigned version = BUNDLE_VERSION; version >= 1; version--) {
        empty(writing);
        if (!write_body(writing, loaded, version))
            return false;
        if (is_as_it_came(writing))
            return true;
    }
    empty(writing);
    return write_body(writing, loaded, BUNDLE_VERSION);
}

static bool write_bundle(struct writing *writing, const struct loaded_event *loaded)
{
    const struct id *event = &loaded->event.id;
    if (!read_records(writing->call, loaded->tournament, &writing->records) ||
        !find_origin(writing, event))
        return false;
    bool whole = writing->imported && writing->records;
    return (whole ? write_as_it_came(writing, loaded)
                  : write_body(writing, loaded, BUNDLE_VERSION)) &&
           add_seal(writing, event);
}

void bundles_get(struct call *call)
{
    struct loaded_event loaded;
    struct writing writing = {.call = call, .named = json_object(), .actors = json_object()};
    if (event_load(call, &call->id[0], false, &loaded) && write_bundle(&writing, &loaded)) {
        call->response->content_type = "application/x-ndjson";
        call->response->disposition = "attachment; filename=\"event.ndjson\"";
        call->response->body = (struct span){writing.at, writing.length};
        call_tag(call, NULL);
    }
    if (writing.at != NULL)
        arena_own(call->arena, writing.at, free);
    json_decref(writing.named);
    json_decref(writing.actors);
}
