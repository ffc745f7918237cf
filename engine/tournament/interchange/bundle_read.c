/* Reading a bundle, line by line: form and seal, log and draws, names and records. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/sha256.h"
#include "engine/game/component_set.h"
#include "engine/tournament/interchange/bundle.h"
#include "engine/tournament/interchange/bundle_parts.h"

bool bundle_refuse(struct bundle_fault *fault, size_t line, const char *code, const char *message,
                   const char *detail)
{
    struct text text = TEXT_OVER(fault->message);
    fault->line = line;
    fault->code = code;
    text_add(&text, message);
    if (*detail != '\0') {
        text_add_char(&text, ' ');
        text_add(&text, detail);
    }
    return false;
}

bool bundle_out_of_memory(struct bundle_fault *fault, size_t line)
{
    return bundle_refuse(fault, line, BUNDLE_FAULT_MEMORY,
                         "There is not enough memory for the bundle.", "");
}

/* ---- Lines ---- */

struct reading {
    struct bundle *bundle;
    struct bundle_fault *fault;
    struct span rest;
    size_t line;   /* number of the last line read */
    bool astray;   /* a line of the log was refused: accepted as one for people if a `restated`
                      follows */
    bool required; /* at some time the event required officials to sign */
    size_t finished_most, records_most, recordings_most, earlier_most, rounds_most, choices_most;
    struct bundle_officials officials;
    json_t *names; /* id -> line's object, borrowed by it */
};

static bool is_canonical(const json_t *value, struct span line)
{
    size_t length = json_dumpb(value, NULL, 0, JSON_COMPACT | JSON_SORT_KEYS);
    char *again = length == line.length ? malloc(length + 1) : NULL;
    bool same = again != NULL &&
                json_dumpb(value, again, length, JSON_COMPACT | JSON_SORT_KEYS) == length &&
                memcmp(again, line.at, length) == 0;
    free(again);
    return same;
}

/* The next line's object, which the caller owns, or NULL with a fault. */
static json_t *next_line(struct reading *reading)
{
    struct span line;
    reading->line++;
    if (!span_line(&reading->rest, &line)) {
        bundle_refuse(reading->fault, reading->line, BUNDLE_FAULT_CUT,
                      "The bundle ends before its last line.", "");
        return NULL;
    }
    json_t *value = json_loadb(line.at, line.length, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(value) && is_canonical(value, line))
        return value;
    json_decref(value);
    bundle_refuse(reading->fault, reading->line, BUNDLE_FAULT_FORM,
                  "This is not a JSON object in canonical form.", "");
    return NULL;
}

static bool refuse_line(struct reading *reading, const char *message)
{
    return bundle_refuse(reading->fault, reading->line, BUNDLE_FAULT_LINE, message, "");
}

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static bool read_hex(const json_t *object, const char *name, uint8_t *bytes, size_t size)
{
    const char *hex = text_of(object, name);
    return hex != NULL && span_hex(span_of(hex), bytes, size);
}

static bool read_id(const json_t *object, const char *name, const char **id)
{
    *id = text_of(object, name);
    return *id != NULL && record_is_id(span_of(*id));
}

/* ---- First and last line ---- */

static bool read_header(struct reading *reading, const json_t *header)
{
    struct bundle *bundle = reading->bundle;
    const json_t *secret = json_object_get(header, "secret");
    const json_t *records = json_object_get(header, "records");
    json_int_t version = json_integer_value(json_object_get(header, "bundle"));
    const char *event;
    if (json_object_size(header) != 5 || version < 1 || version > BUNDLE_VERSION ||
        !read_id(header, "event", &event) || !json_is_boolean(records) ||
        !read_hex(header, "commitment", bundle->commitment, 32) ||
        !(json_is_null(secret) || read_hex(header, "secret", bundle->secret, 32)))
        return refuse_line(reading,
                           "The first line is not the header of a bundle of version 1 to 5.");
    bundle->version = (unsigned)version;
    memcpy(bundle->event, event, sizeof bundle->event);
    bundle->revealed = !json_is_null(secret);
    bundle->with_records = json_is_true(records);
    return true;
}

static bool open_secret(struct bundle *bundle, struct bundle_fault *fault)
{
    uint8_t commitment[32];
    if (!bundle->revealed)
        return true;
    record_commitment(span_of(bundle->event), bundle->secret, commitment);
    if (memcmp(commitment, bundle->commitment, sizeof commitment) != 0)
        return bundle_refuse(fault, 1, BUNDLE_FAULT_SECRET,
                             "The secret does not match the commitment.", "");
    record_event_seed(span_of(bundle->event), bundle->secret, bundle->chance.seed);
    return true;
}

/* Removes the last line. */
static bool cut_seal(struct span *text, struct span *seal, struct bundle_fault *fault)
{
    if (text->length == 0 || text->at[text->length - 1] != '\n')
        return bundle_refuse(fault, 0, BUNDLE_FAULT_CUT, "The bundle does not end with a line.",
                             "");
    (void)span_last_line(text, seal);
    seal->length++; /* with its LF */
    return true;
}

static bool check_seal(struct bundle *bundle, struct span text, const json_t *seal, size_t line,
                       struct bundle_fault *fault)
{
    uint8_t hash[32];
    char message[BUNDLE_MESSAGE_MAX];
    struct text signed_text = TEXT_OVER(message);
    if (json_object_size(seal) != 3 || !read_hex(seal, "sha256", bundle->hash, 32) ||
        !read_hex(seal, "key", bundle->key, 32) ||
        !read_hex(seal, "signature", bundle->signature, 64))
        return bundle_refuse(fault, line, BUNDLE_FAULT_CUT,
                             "The last line is not the seal of a bundle.", "");
    crypto_hash_sha256(hash, (const unsigned char *)text.at, text.length);
    if (memcmp(hash, bundle->hash, sizeof hash) != 0)
        return bundle_refuse(fault, line, BUNDLE_FAULT_HASH,
                             "The bytes before the last line have a different hash.", "");
    bundle_message(bundle->event, hash, &signed_text);
    return crypto_sign_verify_detached(bundle->signature, (const unsigned char *)message,
                                       signed_text.length, bundle->key) == 0 ||
           bundle_refuse(fault, line, BUNDLE_FAULT_SIGNATURE,
                         "The hash is not signed with the key beside it.", "");
}

/* ---- The log ---- */

static bool read_log_line(const json_t *object, struct tournament_line *line)
{
    *line = (struct tournament_line){
        .number = (uint32_t)json_integer_value(json_object_get(object, "line")),
        .at_ms = json_integer_value(json_object_get(object, "at")),
        .actor = text_of(object, "actor"),
        .kind = text_of(object, "kind"),
        .detail = json_object_get(object, "detail")};
    return line->actor != NULL && line->kind != NULL && json_is_object(line->detail) &&
           json_is_integer(json_object_get(object, "at"));
}

static bool grow(void **array, size_t *most, size_t count, size_t size)
{
    if (count < *most)
        return true;
    size_t room = *most == 0 ? 64 : 2 * *most;
    void *grown = realloc(*array, room * size);
    if (grown == NULL)
        return false;
    *array = grown;
    *most = room;
    return true;
}

/* The table that a line is about, or NULL. */
static const struct tournament_table *named_table(const struct tournament *tournament,
                                                  const json_t *detail)
{
    return tournament_table(tournament,
                            (unsigned)json_integer_value(json_object_get(detail, "round")),
                            (unsigned)json_integer_value(json_object_get(detail, "table")));
}

/* Records that the table's game has just got its result. */
static bool note_result(struct reading *reading, const struct tournament *tournament,
                        const json_t *detail)
{
    struct bundle *bundle = reading->bundle;
    const struct tournament_table *table = named_table(tournament, detail);
    if (!grow((void **)&bundle->finished, &reading->finished_most, bundle->finished_count,
              sizeof *bundle->finished))
        return bundle_out_of_memory(reading->fault, 0);
    bundle->finished[bundle->finished_count++] = (uint32_t)(table - tournament->tables);
    return true;
}

/* Keeps the state of a table that is replayed, because it gets a new result later. */
static bool set_aside(struct reading *reading, const struct tournament *tournament,
                      const struct tournament_table *was)
{
    struct bundle *bundle = reading->bundle;
    const struct tournament_table *table = tournament_table(tournament, was->round, was->table);
    size_t kept = 0;
    if (!grow((void **)&bundle->earlier, &reading->earlier_most, bundle->earlier_count,
              sizeof *bundle->earlier))
        return bundle_out_of_memory(reading->fault, 0);
    bundle->earlier[bundle->earlier_count++] =
        (struct bundle_earlier){(size_t)(table - tournament->tables), *was};
    for (size_t i = 0; i < bundle->finished_count; i++)
        if (bundle->finished[i] != (uint32_t)(table - tournament->tables))
            bundle->finished[kept++] = bundle->finished[i];
    bundle->finished_count = kept;
    return true;
}

/* Records the commitment of a round that has just begun. */
static bool note_round(struct reading *reading, const struct tournament *tournament,
                       const json_t *detail)
{
    struct bundle *bundle = reading->bundle;
    struct bundle_round round = {.committed = false};
    if (tournament->settings.stage[0].format != FORMAT_DUPLICATE)
        return true;
    if (!grow((void **)&bundle->rounds, &reading->rounds_most, bundle->round_count,
              sizeof *bundle->rounds))
        return bundle_out_of_memory(reading->fault, 0);
    round.committed = read_hex(detail, "commitment", round.commitment, sizeof round.commitment);
    bundle->rounds[bundle->round_count++] = round;
    return true;
}

static bool apply(struct reading *reading, struct tournament *tournament,
                  const struct tournament_line *line)
{
    struct refusal refusal;
    struct tournament_table was = {.seats = 0};
    const struct tournament_table *table = named_table(tournament, line->detail);
    if (table != NULL)
        was = *table;
    if (!tournament_apply(tournament, line, &refusal))
        return bundle_refuse(
            reading->fault, reading->line, BUNDLE_FAULT_LOG,
            "This line of the log cannot follow the ones before it:", refusal.message);
    if (strcmp(line->kind, "table_replayed") == 0)
        return set_aside(reading, tournament, &was);
    if (strcmp(line->kind, "round_started") == 0)
        return note_round(reading, tournament, line->detail);
    return strcmp(line->kind, "result") != 0 || note_result(reading, tournament, line->detail);
}

/* Lines told anew have no signatures of officials, so no act that an event required to be signed
 * may be among them, nor may such an event be told anew later. */
static bool hides_act(struct reading *reading, const struct tournament *told,
                      const struct tournament_line *line)
{
    bool required = told->settings.official_signatures == OFFICIAL_REQUIRED;
    reading->required = reading->required || required;
    return required && official_is_act(told, line) &&
           !bundle_refuse(reading->fault, reading->line, BUNDLE_FAULT_UNSIGNED,
                          "The line tells an act anew that the event required an official to sign.",
                          "");
}

static bool check_pairing(struct reading *reading, const struct tournament *tournament,
                          const struct tournament_line *line)
{
    struct bundle *bundle = reading->bundle;
    return !bundle->revealed ||
           bundle_check_pairing(bundle, tournament, line, reading->line, reading->fault);
}

/* Restates an event line by line, for its draws and the order of its results; the outcome is
 * applied as one line. */
static bool apply_restated(struct reading *reading, const struct tournament_line *line)
{
    size_t i;
    json_t *each;
    struct tournament told;
    bool good = true;
    if (reading->required)
        return bundle_refuse(reading->fault, reading->line, BUNDLE_FAULT_UNSIGNED,
                             "The line tells an event anew that required officials to sign.", "");
    tournament_init(&told);
    reading->bundle->finished_count = 0;
    reading->bundle->earlier_count = 0;
    reading->bundle->round_count = 0;
    reading->bundle->draws = 0;
    json_array_foreach(json_object_get(line->detail, "lines"), i, each)
    {
        struct tournament_line inner;
        if (good && !read_log_line(each, &inner))
            good = refuse_line(reading, "A restated line is not valid.");
        inner.number = (uint32_t)i + 1;
        good = good && check_pairing(reading, &told, &inner) &&
               !hides_act(reading, &told, &inner) && apply(reading, &told, &inner);
    }
    tournament_free(&told);
    return good && apply(reading, &reading->bundle->tournament, line);
}

/* Events older than these kinds of lines begin with others, until they are restated. */
static bool go_astray(struct reading *reading)
{
    reading->astray = true;
    tournament_free(&reading->bundle->tournament);
    return true;
}

/* What the settings before the line say. */
static void note_act(struct reading *reading, const struct tournament_line *line)
{
    struct bundle *bundle = reading->bundle;
    enum official_choice choice = bundle->tournament.settings.official_signatures;
    reading->officials.act = choice != OFFICIAL_OFF && official_is_act(&bundle->tournament, line);
    reading->officials.required = choice == OFFICIAL_REQUIRED;
    bundle->acts += reading->officials.act;
}

static bool same_choice(const struct bundle_choice *a, const struct bundle_choice *b)
{
    return a->choice == b->choice && clock_same_control(&a->clock, &b->clock);
}

/* What the settings say from the line on. */
static bool note_choice(struct reading *reading, const struct tournament_line *line)
{
    struct bundle *bundle = reading->bundle;
    const struct tournament_settings *settings = &bundle->tournament.settings;
    const struct bundle_choice choice = {line->at_ms, settings->official_signatures,
                                         settings->clock};
    reading->required = reading->required || choice.choice == OFFICIAL_REQUIRED;
    if (bundle->choice_count > 0 &&
        same_choice(&bundle->choices[bundle->choice_count - 1], &choice))
        return true;
    if (!grow((void **)&bundle->choices, &reading->choices_most, bundle->choice_count,
              sizeof *bundle->choices))
        return bundle_out_of_memory(reading->fault, 0);
    bundle->choices[bundle->choice_count++] = choice;
    return true;
}

static bool take_log_line(struct reading *reading, const json_t *object)
{
    struct bundle *bundle = reading->bundle;
    struct tournament_line line;
    if (json_object_size(object) != 5 || !read_log_line(object, &line) ||
        line.number != bundle->lines + 1)
        return refuse_line(reading, "This is not the next line of the log.");
    if (!bundle_officials_pass(&reading->officials, reading->fault, reading->line) ||
        !bundle_officials_line(&reading->officials, &line, reading->fault, reading->line))
        return false;
    bundle->lines++;
    if (strcmp(line.kind, "restated") == 0) {
        reading->astray = false;
        bundle->restated_line = line.number;
        return apply_restated(reading, &line) && note_choice(reading, &line);
    }
    if (reading->astray)
        return true;
    if (!check_pairing(reading, &bundle->tournament, &line))
        return false;
    note_act(reading, &line);
    if (!apply(reading, &bundle->tournament, &line))
        return go_astray(reading);
    return (!bundle->revealed ||
            bundle_check_change(bundle, &line, reading->line, reading->fault)) &&
           note_choice(reading, &line);
}

/* ---- Names and records ---- */

static bool take_player(struct reading *reading, json_t *object)
{
    const char *player;
    if (json_object_size(object) != 2 || !read_id(object, "player", &player) ||
        text_of(object, "name") == NULL || !record_is_name(span_of(text_of(object, "name"))) ||
        json_object_get(reading->names, player) != NULL)
        return refuse_line(reading, "A player's line must have a name and an id that occurs once.");
    return json_object_set(reading->names, player, object) == 0 ||
           bundle_out_of_memory(reading->fault, 0);
}

/* Version 1 has none. */
static bool read_attempt(const struct bundle *bundle, const json_t *object, unsigned *attempt)
{
    enum { ATTEMPTS_MOST = 100 };
    json_int_t number = json_integer_value(json_object_get(object, "attempt"));
    bool numbered = bundle->version > 1;
    *attempt = numbered ? (unsigned)number : 0;
    bool is_signed = json_object_get(object, "signatures") != NULL;
    return json_object_size(object) == 2U + (numbered ? 1 : 0) + (is_signed ? 1 : 0) &&
           (!numbered || (number >= 1 && number <= ATTEMPTS_MOST));
}

/* The log has been read: the settings are those that the games were played with. */
static bool take_components(struct reading *reading, json_t *object)
{
    struct bundle *bundle = reading->bundle;
    const struct tournament_settings *settings = &bundle->tournament.settings;
    const json_t *set = json_object_get(object, "components");
    struct component_fault wrong;
    uint8_t hash[32];
    bundle->components = (struct span){json_string_value(set), json_string_length(set)};
    if (bundle->version <= BUNDLE_VERSION_BUILT_IN || json_object_size(object) != 1 ||
        !json_is_string(set))
        return refuse_line(reading, "A line with a component set has nothing else, from version 5 "
                                    "on.");
    sha256(hash, bundle->components, (struct span){NULL, 0});
    if (!settings->other_set || memcmp(hash, settings->set, sizeof hash) != 0)
        return bundle_refuse(reading->fault, reading->line, BUNDLE_FAULT_SET,
                             "The component set is not the one that the event chose.", "");
    if (!component_list_add(&bundle->sets, bundle->components, &wrong))
        return bundle_refuse(reading->fault, reading->line, BUNDLE_FAULT_BAD_SET,
                             "The ruleset cannot be played with the component set:", wrong.message);
    return json_array_append(bundle->kept, object) == 0 || bundle_out_of_memory(reading->fault, 0);
}

static bool has_components(struct reading *reading)
{
    char hex[65];
    struct text text = TEXT_OVER(hex);
    const struct tournament_settings *settings = &reading->bundle->tournament.settings;
    text_add_hex(&text, settings->set, sizeof settings->set);
    return reading->astray || !settings->other_set || reading->bundle->components.length > 0 ||
           bundle_refuse(reading->fault, 0, BUNDLE_FAULT_NO_SET,
                         "The bundle lacks the component set that the event chose:", hex);
}

static bool take_record(struct reading *reading, json_t *object)
{
    struct bundle *bundle = reading->bundle;
    const json_t *record = json_object_get(object, "record");
    const json_t *signatures = json_object_get(object, "signatures");
    const char *game;
    unsigned attempt;
    if (!read_attempt(bundle, object, &attempt) || !read_id(object, "game", &game) ||
        !json_is_string(record) || !bundle->with_records ||
        (signatures != NULL && json_string_length(signatures) == 0))
        return refuse_line(reading, "A line with a record has the id of its game, and from version "
                                    "2 on which attempt at its table it is.");
    if (!grow((void **)&bundle->records, &reading->records_most, bundle->record_count,
              sizeof *bundle->records) ||
        json_array_append(bundle->kept, object) != 0)
        return bundle_out_of_memory(reading->fault, 0);
    bundle->records[bundle->record_count++] = (struct bundle_record){
        .game = game,
        .attempt = attempt,
        .text = {json_string_value(record), json_string_length(record)},
        .signatures = {json_string_value(signatures), json_string_length(signatures)},
        .line = reading->line};
    return true;
}

static bool take_recording(struct reading *reading, json_t *object)
{
    struct bundle *bundle = reading->bundle;
    const json_t *record = json_object_get(object, "recorded");
    const char *id;
    if (bundle->version <= BUNDLE_VERSION_UNRECORDED || !bundle->with_records ||
        json_object_size(object) != 2 || !read_id(object, "recording", &id) ||
        !json_is_string(record))
        return refuse_line(reading, "A line with a scorer's record has the id of its recording, "
                                    "from version 4 on.");
    if (!grow((void **)&bundle->recordings, &reading->recordings_most, bundle->recording_count,
              sizeof *bundle->recordings) ||
        json_array_append(bundle->kept, object) != 0)
        return bundle_out_of_memory(reading->fault, 0);
    bundle->recordings[bundle->recording_count++] =
        (struct bundle_recording){.id = id,
                                  .text = {json_string_value(record), json_string_length(record)},
                                  .line = reading->line};
    return true;
}

/* Log, players, component set, records, recordings: in this order. There is one set. */
static bool take_line(struct reading *reading, json_t *object, unsigned *part)
{
    enum { LOG = 1, PLAYERS, COMPONENTS, RECORDS, RECORDINGS };
    unsigned found = json_object_get(object, "line") != NULL         ? LOG
                     : json_object_get(object, "player") != NULL     ? PLAYERS
                     : json_object_get(object, "components") != NULL ? COMPONENTS
                     : json_object_get(object, "recorded") == NULL   ? RECORDS
                                                                     : RECORDINGS;
    if (found < *part || (found == COMPONENTS && *part == COMPONENTS))
        return refuse_line(reading,
                           "Lines must be in this order: log, players, component set, records, "
                           "recordings.");
    *part = found;
    if (found == LOG && json_object_get(object, "signature") != NULL)
        return bundle_officials_signature(&reading->officials, reading->bundle, object,
                                          reading->fault, reading->line);
    if (found == LOG)
        return take_log_line(reading, object);
    if (!bundle_officials_pass(&reading->officials, reading->fault, reading->line))
        return false;
    return found == PLAYERS      ? take_player(reading, object)
           : found == COMPONENTS ? take_components(reading, object)
           : found == RECORDS    ? take_record(reading, object)
                                 : take_recording(reading, object);
}

static bool read_body(struct reading *reading)
{
    unsigned part = 1;
    bool good = true;
    while (good && reading->rest.length > 0) {
        json_t *object = next_line(reading);
        good = object != NULL && take_line(reading, object, &part);
        json_decref(object);
    }
    return good && bundle_officials_pass(&reading->officials, reading->fault, reading->line);
}

static bool give_names(struct reading *reading)
{
    struct bundle *bundle = reading->bundle;
    size_t count = bundle->tournament.entrant_count;
    bundle->names = calloc(count + 1, sizeof *bundle->names);
    if (bundle->names == NULL || json_array_append(bundle->kept, reading->names) != 0)
        return bundle_out_of_memory(reading->fault, 0);
    for (size_t i = 0; i < count; i++) {
        bundle->names[i] =
            text_of(json_object_get(reading->names, bundle->tournament.entrants[i].player), "name");
        if (bundle->names[i] == NULL)
            return bundle_refuse(reading->fault, 0, BUNDLE_FAULT_PLAYER,
                                 "The bundle has no name for the player",
                                 bundle->tournament.entrants[i].player);
    }
    return true;
}

/* ---- The whole ---- */

static bool read_first_and_last(struct reading *reading, struct span text, struct span seal_line)
{
    struct bundle_fault *fault = reading->fault;
    json_t *header = next_line(reading);
    if (header == NULL)
        return false;
    bool good = read_header(reading, header);
    json_decref(header);
    if (!good)
        return false;
    size_t last = 1;
    for (size_t i = 0; i < text.length; i++)
        last += text.at[i] == '\n';
    struct reading end = {.fault = fault, .rest = seal_line, .line = last - 1};
    json_t *seal = next_line(&end);
    good = seal != NULL && check_seal(reading->bundle, text, seal, last, fault) &&
           open_secret(reading->bundle, fault);
    json_decref(seal);
    return good;
}

bool bundle_read(struct span text, struct bundle *bundle, struct bundle_fault *fault)
{
    struct span seal = {NULL, 0};
    *bundle = (struct bundle){.kept = json_array(), .official_keys = json_object()};
    tournament_init(&bundle->tournament);
    struct reading reading = {.bundle = bundle, .fault = fault, .names = json_object()};
    bool good = text.length <= BUNDLE_BYTES_MAX ? cut_seal(&text, &seal, fault)
                                                : bundle_refuse(fault, 0, BUNDLE_FAULT_LINE,
                                                                "A bundle has 64 MiB at most.", "");
    if (good) {
        reading.rest = text;
        good = read_first_and_last(&reading, text, seal);
        if (good)
            bundle_officials_begin(&reading.officials, bundle->event);
        good = good && read_body(&reading) && !reading.astray && has_components(&reading) &&
               give_names(&reading);
        memcpy(bundle->head, bundle_officials_head(&reading.officials), sizeof bundle->head);
        bundle_officials_end(&reading.officials);
    }
    if (good && bundle->tournament.lines == 0)
        good = bundle_refuse(fault, 0, BUNDLE_FAULT_LOG, "The bundle has no log.", "");
    json_decref(reading.names);
    if (!good)
        bundle_free(bundle);
    return good;
}

void bundle_free(struct bundle *bundle)
{
    tournament_free(&bundle->tournament);
    free(bundle->names);
    free(bundle->records);
    free(bundle->recordings);
    free(bundle->finished);
    free(bundle->earlier);
    free(bundle->rounds);
    free(bundle->choices);
    component_list_free(&bundle->sets);
    json_decref(bundle->kept);
    json_decref(bundle->official_keys);
    json_decref(bundle->called);
    *bundle = (struct bundle){.kept = NULL};
}
