/* Reproduces what a bundle claims: draws from the secret, results from the records, ratings. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/calendar.h"
#include "engine/log/tlog.h"
#include "engine/record/signature.h"
#include "engine/tournament/interchange/bundle.h"
#include "engine/tournament/interchange/bundle_parts.h"
#include "engine/tournament/pairing/duplicate_board.h"
#include "engine/tournament/pairing/pairing.h"
#include "engine/tournament/pairing/pairing_open.h"

static json_t *hex_of(const uint8_t *bytes, size_t size)
{
    char hex[2 * SIGNATURE_BYTES + 1];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, bytes, size);
    return json_string(hex);
}

/* Takes ownership of the value. */
static char *write_line(json_t *value)
{
    size_t length = json_dumpb(value, NULL, 0, JSON_COMPACT | JSON_SORT_KEYS);
    char *line = length == 0 ? NULL : malloc(length + 2);
    if (line != NULL) {
        json_dumpb(value, line, length, JSON_COMPACT | JSON_SORT_KEYS);
        line[length] = '\n';
        line[length + 1] = '\0';
    }
    json_decref(value);
    return line;
}

char *bundle_header_line(unsigned version, const char *event, const uint8_t commitment[static 32],
                         const uint8_t *secret, bool records)
{
    return write_line(json_pack("{s:i, s:o, s:s, s:b, s:o}", "bundle", (int)version, "commitment",
                                hex_of(commitment, 32), "event", event, "records", (int)records,
                                "secret", secret == NULL ? json_null() : hex_of(secret, 32)));
}

char *bundle_log_line(const struct tournament_line *line)
{
    return write_line(json_pack("{s:s, s:I, s:O, s:s, s:I}", "actor", line->actor, "at",
                                (json_int_t)line->at_ms, "detail", line->detail, "kind", line->kind,
                                "line", (json_int_t)line->number));
}

char *bundle_signature_line(uint32_t line, uint32_t base, const uint8_t key[static 32],
                            const uint8_t signature[static 64])
{
    return write_line(json_pack("{s:I, s:o, s:I, s:o}", "base", (json_int_t)base, "key",
                                hex_of(key, 32), "line", (json_int_t)line, "signature",
                                hex_of(signature, SIGNATURE_BYTES)));
}

char *bundle_player_line(const char *player, const char *name)
{
    return write_line(json_pack("{s:s, s:s}", "name", name, "player", player));
}

char *bundle_components_line(struct span set)
{
    return write_line(json_pack("{s:s%}", "components", set.at, set.length));
}

char *bundle_record_line(unsigned attempt, const char *game, struct span record,
                         struct span signatures)
{
    json_t *line = json_pack("{s:s, s:s%}", "game", game, "record", record.at, record.length);
    if (line != NULL && attempt > 0)
        json_object_set_new(line, "attempt", json_integer(attempt));
    if (line != NULL && signatures.length > 0)
        json_object_set_new(line, "signatures", json_stringn(signatures.at, signatures.length));
    return write_line(line);
}

char *bundle_recording_line(const char *recording, struct span record)
{
    return write_line(
        json_pack("{s:s%, s:s}", "recorded", record.at, record.length, "recording", recording));
}

char *bundle_seal_line(const uint8_t hash[static 32], const uint8_t key[static 32],
                       const uint8_t signature[static 64])
{
    return write_line(json_pack("{s:o, s:o, s:o}", "key", hex_of(key, 32), "sha256",
                                hex_of(hash, 32), "signature", hex_of(signature, SIGNATURE_BYTES)));
}

void bundle_message(const char *event, const uint8_t hash[static 32], struct text *text)
{
    text_add(text, "tillroll bundle\n");
    text_add_line(text, event);
    text_add_hex_line(text, hash, 32);
}

bool bundle_next_entry(struct span *text, struct record_entry *entry)
{
    enum { MARK_BYTES = 10 }; /* ` #` and eight digits at the end of a record's line */
    struct record_fault fault;
    struct span line;
    while (span_line(text, &line)) {
        if (line.length < MARK_BYTES)
            continue;
        line.length -= MARK_BYTES;
        if (record_read_entry(line, entry, &fault))
            return true;
    }
    return false;
}

/* ---- Draws ---- */

static bool refuse_pairing(struct bundle_fault *fault, size_t number, const char *what)
{
    return bundle_refuse(fault, number, BUNDLE_FAULT_DRAW,
                         "The secret and the earlier lines give a different draw:", what);
}

static bool check_numbers(struct bundle *bundle, const struct tournament *tournament,
                          const json_t *numbers, size_t line, struct bundle_fault *fault)
{
    uint16_t *order = calloc(tournament->entrant_count + 1, sizeof *order);
    if (order == NULL)
        return bundle_out_of_memory(fault, 0);
    size_t count = pairing_seeding(tournament, &bundle->chance, order);
    bool same = json_array_size(numbers) == count;
    for (size_t i = 0; same && i < count; i++) {
        const char *id = json_string_value(json_array_get(numbers, i));
        same = id != NULL && strcmp(id, tournament->entrants[order[i]].player) == 0;
    }
    free(order);
    return same || refuse_pairing(fault, line, "other numbers.");
}

/* A list that may be left out when it is empty. */
static bool same_lists(const json_t *a, const json_t *b)
{
    if (json_array_size(a) == 0 && json_array_size(b) == 0)
        return true;
    return json_equal(a, b) != 0;
}

/* The same members in any order: lines told anew have byes in the order of numbers. */
static bool same_members(const json_t *a, const json_t *b)
{
    size_t i, j;
    json_t *each;
    if (json_array_size(a) != json_array_size(b))
        return false;
    json_array_foreach(a, i, each)
    {
        for (j = 0; j < json_array_size(b) && json_equal(each, json_array_get(b, j)) == 0; j++)
            ;
        if (j == json_array_size(b))
            return false;
    }
    return true;
}

/* True for members that are sentences for people, whose wording differs between versions. */
static bool is_wording(const char *key)
{
    return strcmp(key, "name") == 0 || strcmp(key, "meaning") == 0;
}

static bool same_reasons(const json_t *ours, const json_t *told);

/* Criteria are found by their codes, other items by their places. */
static const json_t *counterpart(const json_t *ours, const json_t *told, size_t i)
{
    const char *code = json_string_value(json_object_get(json_array_get(told, i), "code"));
    if (code == NULL)
        return json_array_size(ours) == json_array_size(told) ? json_array_get(ours, i) : NULL;
    for (size_t j = 0; j < json_array_size(ours); j++) {
        const json_t *own = json_object_get(json_array_get(ours, j), "code");
        if (own != NULL && strcmp(json_string_value(own), code) == 0)
            return json_array_get(ours, j);
    }
    return NULL;
}

static bool same_items(const json_t *ours, const json_t *told)
{
    for (size_t i = 0; i < json_array_size(told); i++)
        if (!same_reasons(counterpart(ours, told, i), json_array_get(told, i)))
            return false;
    return json_array_size(told) > 0 || json_array_size(ours) == 0;
}

/* A line need not give all the reasons (older programs wrote no `version` and no `schedule`), but
 * those it gives must be right. Later rounds follow the schedules in the first round's draw, so
 * these must come from the secret. The depth is that of the reasons made here. */
static bool same_reasons(const json_t *ours, const json_t *told)
{
    const char *key;
    json_t *value;
    if (ours == NULL || json_typeof(ours) != json_typeof(told))
        return false;
    if (json_is_array(told))
        return same_items(ours, told);
    if (!json_is_object(told))
        return json_equal(ours, told) != 0;
    json_object_foreach((json_t *)told, key, value)
    {
        if (!is_wording(key) && !same_reasons(json_object_get(ours, key), value))
            return false;
    }
    return true;
}

static bool same_quality(const json_t *drawn, const json_t *told)
{
    const json_t *theirs = json_object_get(told, "quality");
    return theirs == NULL || same_reasons(json_object_get(drawn, "quality"), theirs);
}

static bool same_pairing(const json_t *drawn, const json_t *told, bool anew)
{
    static const char *const lists[] = {"tables", "matches", "entries"};
    static const char *const sets[] = {"byes", "absent"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!same_lists(json_object_get(drawn, lists[i]), json_object_get(told, lists[i])))
            return false;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (!(anew ? same_members : same_lists)(json_object_get(drawn, sets[i]),
                                                json_object_get(told, sets[i])))
            return false;
    return same_quality(drawn, told);
}

static bool check_round(struct bundle *bundle, const struct tournament *tournament,
                        const struct tournament_line *line, size_t number,
                        struct bundle_fault *fault)
{
    bool begins = strcmp(line->kind, "stage_started") == 0;
    json_int_t attempt = begins ? 1 : json_integer_value(json_object_get(line->detail, "attempt"));
    struct pairing draw;
    struct refusal refusal;
    if (!pairing_next(tournament, &bundle->chance, (unsigned)attempt, &draw, &refusal))
        return refuse_pairing(fault, number, refusal.message);
    json_t *again =
        begins ? pairing_stage_line(tournament, &draw) : pairing_round_line(tournament, &draw);
    pairing_free(&draw);
    bool anew = tournament != &bundle->tournament;
    bool same = json_is_object(again) && same_pairing(again, line->detail, anew);
    json_decref(again);
    bundle->draws += same && !begins;
    return same || refuse_pairing(fault, number, begins ? "other entries." : "other tables.");
}

bool bundle_check_change(struct bundle *bundle, const struct tournament_line *line, size_t number,
                         struct bundle_fault *fault)
{
    const json_t *told = json_object_get(line->detail, "quality");
    struct pairing by_hand, changed;
    struct refusal refusal;
    if (strcmp(line->kind, "round_changed") != 0 || json_object_size(told) == 0)
        return true;
    if (!pairing_of_draft(&bundle->tournament, &by_hand))
        return bundle_out_of_memory(fault, 0);
    bool made = pairing_change(&bundle->tournament, &bundle->chance, by_hand.attempt, &by_hand,
                               NULL, &changed, &refusal);
    pairing_free(&by_hand);
    if (!made)
        return refuse_pairing(fault, number, refusal.message);
    bool same = same_reasons(changed.quality, told);
    pairing_free(&changed);
    return same || refuse_pairing(fault, number, "other reasons for a pairing by hand.");
}

static bool check_board(struct bundle *bundle, const struct tournament *tournament,
                        const struct tournament_line *line, size_t number,
                        struct bundle_fault *fault)
{
    struct duplicate_board board;
    struct refusal refusal;
    if (!duplicate_board_pairing(tournament, &bundle->chance, &board, &refusal))
        return refuse_pairing(fault, number, refusal.message);
    json_t *again = duplicate_board_line(&board);
    duplicate_board_free(&board);
    const json_t *byes = json_object_get(line->detail, "byes");
    if (tournament != &bundle->tournament && json_is_array(byes) && json_array_size(byes) == 0)
        json_object_set_new(again, "byes", json_array()); /* they follow from the tables */
    bool same = json_is_object(again) && json_equal(again, line->detail);
    json_decref(again);
    bundle->draws += same;
    return same || refuse_pairing(fault, number, "other tables of the board.");
}

/* ---- Tables outside of rounds ---- */

static json_t *numbers_of(const struct tournament *tournament, const uint16_t *entries,
                          unsigned seats)
{
    json_t *numbers = json_array();
    for (unsigned seat = 0; seat < seats; seat++)
        json_array_append_new(numbers, json_integer(tournament->entrants[entries[seat]].number));
    return numbers;
}

/* Whether nobody has answered a challenge in time: then the service itself starts its table. */
static bool is_unanswered(const struct tournament *tournament,
                          const struct tournament_challenge *challenge,
                          const struct tournament_line *line)
{
    int64_t until = tournament_answer_ms(tournament, challenge);
    return line->actor[0] == '\0' && until != 0 && until <= line->at_ms;
}

/* The seats of a challenge are drawn when it is accepted. */
static bool check_challenge(struct bundle *bundle, const struct tournament_line *line,
                            size_t number, struct bundle_fault *fault)
{
    const struct tournament *tournament = &bundle->tournament;
    const json_t *told = json_object_get(line->detail, "numbers");
    bool same = false;
    for (size_t i = 0; !same && i < tournament->challenge_count; i++) {
        const struct tournament_challenge *each = &tournament->challenges[i];
        uint16_t entries[2] = {each->challenger, each->challenged};
        if (each->over || each->table != 0)
            continue;
        if (!is_unanswered(tournament, each, line))
            pairing_ladder_seats(tournament, &bundle->chance, each, entries);
        json_t *numbers = numbers_of(tournament, entries, 2);
        same = json_equal(numbers, told) != 0;
        json_decref(numbers);
    }
    bundle->draws += same;
    return same || refuse_pairing(fault, number, "other seats of a challenge.");
}

/* What is called from the queue at the time of the line, as numbers. NULL when out of memory. */
static json_t *call_tables(const struct bundle *bundle, const struct tournament_line *line)
{
    const struct tournament *tournament = &bundle->tournament;
    struct open_play_table *tables = calloc(tournament->queue_count + 1, sizeof *tables);
    json_t *called = tables == NULL ? NULL : json_array();
    size_t count = 0;
    struct refusal refusal;
    if (called != NULL && line->at_ms >= tournament->last_ms &&
        pairing_open_tables(tournament, &bundle->chance, line->at_ms, tables, &count, &refusal))
        for (size_t i = 0; i < count; i++)
            json_array_append_new(called, numbers_of(tournament, tables[i].entry, tables[i].seats));
    free(tables);
    return called;
}

/* All tables of a call start in lines one after the other. */
static bool check_called(struct bundle *bundle, const struct tournament_line *line, size_t number,
                         struct bundle_fault *fault)
{
    bool starts = strcmp(line->kind, "table_started") == 0;
    bool all_started = bundle->called_next == json_array_size(bundle->called);
    if (starts && all_started) {
        json_decref(bundle->called);
        bundle->called = call_tables(bundle, line);
        bundle->called_next = 0;
        if (bundle->called == NULL)
            return bundle_out_of_memory(fault, 0);
    }
    bool same = !starts ? all_started
                        : json_equal(json_array_get(bundle->called, bundle->called_next),
                                     json_object_get(line->detail, "numbers")) != 0;
    bundle->called_next += starts && same;
    bundle->draws += starts && same;
    return same || refuse_pairing(fault, number, "other tables called from the queue.");
}

bool bundle_check_pairing(struct bundle *bundle, const struct tournament *tournament,
                          const struct tournament_line *line, size_t number,
                          struct bundle_fault *fault)
{
    if (tournament->lines == 0)
        return true;
    if (strcmp(line->kind, "entries_closed") == 0)
        return check_numbers(bundle, tournament, json_object_get(line->detail, "numbers"), number,
                             fault);
    if (tournament->settings.stage[0].format == FORMAT_LADDER)
        return tournament != &bundle->tournament || strcmp(line->kind, "table_started") != 0 ||
               check_challenge(bundle, line, number, fault);
    if (tournament->settings.stage[0].format == FORMAT_OPEN_PLAY)
        return tournament != &bundle->tournament || check_called(bundle, line, number, fault);
    if (tournament->settings.stage[0].format == FORMAT_DUPLICATE)
        return strcmp(line->kind, "board_started") != 0 ||
               check_board(bundle, tournament, line, number, fault);
    if (strcmp(line->kind, "stage_started") == 0 || strcmp(line->kind, "round_drawn") == 0)
        return check_round(bundle, tournament, line, number, fault);
    return true;
}

/* ---- Records ---- */

static bool refuse_result(const struct bundle_record *record, struct bundle_fault *fault,
                          const char *message)
{
    return bundle_refuse(fault, record->line, BUNDLE_FAULT_RESULT, message, record->game);
}

static bool same_players(const struct bundle *bundle, const struct record_header *header,
                         const struct tournament_table *table)
{
    if (header->seats != table->seats)
        return false;
    for (unsigned seat = 0; seat < table->seats; seat++)
        if (strcmp(header->seat[seat].player,
                   bundle->tournament.entrants[table->entry[seat]].player) != 0)
            return false;
    return true;
}

/* Whether these are the result lines of a verified record. */
static bool same_results(struct span text, const struct table_result *result)
{
    struct record_entry entry;
    unsigned found = 0;
    while (bundle_next_entry(&text, &entry)) {
        if (entry.kind != RECORD_RESULT)
            continue;
        if (entry.subject >= result->seats || entry.score != result->seat[entry.subject].score ||
            entry.rank != result->seat[entry.subject].rank)
            return false;
        found++;
    }
    return found == result->seats;
}

/* Whether the log's marks of seats that went out or were replaced are right. `header` has the
 * players at the start, the replay those at the end. */
static bool same_marks(const struct record_header *header, const struct replay *replay,
                       const struct tournament_table *table)
{
    unsigned forfeited = 0, substituted = 0;
    for (unsigned i = 0; i < replay->forfeits; i++)
        forfeited |= 1U << replay->forfeited[i];
    for (unsigned seat = 0; seat < header->seats; seat++)
        if (strcmp(header->seat[seat].player, replay->header.seat[seat].player) != 0)
            substituted |= 1U << seat;
    return forfeited == table->forfeited && substituted == table->substituted;
}

/* What the lines of a verified record say of house players, for each seat. */
struct house_lines {
    unsigned substitutes; /* bit s: by its name, some substitute was a house player */
    unsigned decided;     /* bit s: some substitute said that it was one */
    bool agrees;          /* entrants are the house players that the log says, at its levels */
};

static struct house_lines read_house_lines(const struct bundle *bundle, struct span text,
                                           const struct tournament_table *table)
{
    struct house_lines found = {.agrees = true};
    unsigned replaced = 0;
    struct record_entry entry;
    while (bundle_next_entry(&text, &entry)) {
        if (entry.subject >= table->seats)
            continue;
        unsigned seat = 1U << entry.subject;
        if (entry.kind == RECORD_SUBSTITUTE) {
            replaced |= seat;
            found.substitutes |= record_is_house_name(entry.player.name) ? seat : 0;
        } else if (entry.kind == RECORD_HOUSE && (replaced & seat) != 0) {
            found.decided |= seat;
        } else if (entry.kind == RECORD_HOUSE) {
            const struct entrant *entrant =
                &bundle->tournament.entrants[table->entry[entry.subject]];
            found.agrees = found.agrees && entrant->house != HOUSE_NONE &&
                           strcmp(entry.house.level,
                                  house_choice_name((enum house_choice)entrant->house)) == 0;
        }
    }
    return found;
}

/* Whether log and record agree about house players. Names alone mark nobody: before house players
 * existed, anybody could be named like one. */
static bool same_house(const struct bundle *bundle, struct span text,
                       const struct tournament_table *table)
{
    struct house_lines found = read_house_lines(bundle, text, table);
    return found.agrees && (found.decided & ~(unsigned)table->house) == 0 &&
           (table->house & ~found.substitutes) == 0;
}

/* Faults of officials' signatures keep their codes. */
static const char *record_fault_code(const struct record_fault *wrong)
{
    return strcmp(wrong->code, BUNDLE_FAULT_OFFICIAL) == 0 ? BUNDLE_FAULT_OFFICIAL
           : strcmp(wrong->code, BUNDLE_FAULT_STALE) == 0  ? BUNDLE_FAULT_STALE
                                                           : BUNDLE_FAULT_RECORD;
}

/* What every game of the event is played with. */
static bool same_set(const struct bundle *bundle, const struct replay *replay)
{
    const struct tournament_settings *settings = &bundle->tournament.settings;
    return !settings->other_set ||
           memcmp(replay->header.set, settings->set, sizeof settings->set) == 0;
}

/* `recorded` is the kind of luck that it should have. */
static bool verify_record(struct bundle *bundle, const struct bundle_record *record, bool recorded,
                          struct replay *replay, struct bundle_fault *fault)
{
    struct record_fault wrong = {.line = 0};
    struct signature_count count;
    char message[sizeof wrong.message + 64];
    struct text text = TEXT_OVER(message);
    bool valid = replay_verify(record->text, component_list_sets(&bundle->sets), replay, &wrong) ==
                 REPLAY_VALID;
    if (valid && !same_set(bundle, replay))
        return bundle_refuse(
            fault, record->line, BUNDLE_FAULT_SET,
            "The game was played with another component set than the event chose:", record->game);
    if (valid && replay->header.recorded != recorded) {
        wrong.line = 1;
        valid = record_fault(&wrong, "recorded",
                             recorded ? "The game was not recorded at a real table."
                                      : "The luck of a recorded game is not proved.",
                             (struct span){NULL, 0});
    }
    if (valid && (record->signatures.length == 0 ||
                  signature_check(record->text, record->signatures, &count, &wrong)))
        return true;
    text_add(&text, valid ? "signatures, line " : "line ");
    text_add_number(&text, wrong.line);
    text_add(&text, ": ");
    text_add(&text, wrong.message);
    return bundle_refuse(fault, record->line, record_fault_code(&wrong), record->game, message);
}

unsigned bundle_count_earlier(const struct bundle *bundle, size_t index)
{
    unsigned count = 0;
    for (size_t i = 0; i < bundle->earlier_count; i++)
        count += bundle->earlier[i].table == index;
    return count;
}

/* A table as it was after an attempt (from 1); NULL if there was no such attempt. */
static const struct tournament_table *table_after(const struct bundle *bundle, size_t index,
                                                  unsigned attempt)
{
    for (size_t i = 0; i < bundle->earlier_count; i++)
        if (bundle->earlier[i].table == index && --attempt == 0)
            return &bundle->earlier[i].was;
    return attempt == 1 ? &bundle->tournament.tables[index] : NULL;
}

/* The table and attempt of a record: attempts come in sequence, none twice. */
static const struct tournament_table *find_place(const struct bundle *bundle,
                                                 const struct bundle_record *record,
                                                 const struct record_header *header, unsigned *seen,
                                                 struct bundle_fault *fault)
{
    const struct tournament *tournament = &bundle->tournament;
    const struct tournament_table *now = tournament_table(tournament, header->round, header->table);
    if (now == NULL) {
        refuse_result(record, fault, "The log has no result of the game");
        return NULL;
    }
    size_t index = (size_t)(now - tournament->tables);
    if (bundle->version == 1 && seen[index] == 0)
        seen[index] = bundle_count_earlier(bundle, index);
    const struct tournament_table *then = table_after(bundle, index, ++seen[index]);
    if (then == NULL)
        refuse_result(record, fault, "There are two records of the game");
    else if (record->attempt > 0 && record->attempt != seen[index])
        refuse_result(record, fault, "The table's games before this one are missing:");
    else
        return then;
    return NULL;
}

/* A void game has no result; its table is decided otherwise. */
static bool check_result(const struct bundle *bundle, const struct bundle_record *record,
                         const struct record_header *header, struct span lines,
                         const struct replay *replay, const struct tournament_table *then,
                         struct bundle_fault *fault)
{
    if (replay->voided && bundle->version > 1 && !then->played)
        return same_players(bundle, header, then) ||
               refuse_result(record, fault, "The log has different players for the game");
    if (!then->played || strcmp(then->game, record->game) != 0)
        return refuse_result(record, fault, "The log has no result of the game");
    return (same_players(bundle, header, then) && same_results(lines, &then->game_result) &&
            same_marks(header, replay, then) && same_house(bundle, lines, then)) ||
           refuse_result(record, fault,
                         "The log has different players or a different result for the game");
}

/* Whether the record has the table's board and the commitment of its round. */
static bool same_luck(const struct bundle *bundle, const struct record_header *header,
                      const struct tournament_table *table)
{
    if (header->board != table->board)
        return false;
    if (table->board == 0 || table->round == 0 || table->round > bundle->round_count)
        return table->board == 0;
    const struct bundle_round *round = &bundle->rounds[table->round - 1];
    return !round->committed ||
           memcmp(round->commitment, header->commitment, sizeof round->commitment) == 0;
}

static bool refuse_dealer(const struct bundle_record *record, const char *name, const char *code,
                          const char *message, struct bundle_fault *fault)
{
    char bytes[RECORD_ID_LENGTH + RECORD_DEALER_NAME_MAX + 16];
    struct text text = TEXT_OVER(bytes);
    text_add(&text, name);
    text_add(&text, ", game ");
    text_add(&text, record->game);
    return bundle_refuse(fault, record->line, code, message, bytes);
}

/* Both are in order of names. Neither the event's dealers nor whether it waits for all of them can
 * have changed back since it began (settings.h). */
static bool check_dealers(const struct bundle *bundle, const struct bundle_record *record,
                          const struct record_header *header, struct bundle_fault *fault)
{
    const struct tournament_settings *settings = &bundle->tournament.settings;
    for (unsigned i = 0; i < settings->dealers || i < header->dealers; i++) {
        const struct record_dealer *ours = &header->dealer[i];
        const struct settings_dealer *theirs = &settings->dealer[i];
        int order = i >= header->dealers     ? 1
                    : i >= settings->dealers ? -1
                                             : strcmp(ours->name, theirs->name);
        if (order > 0)
            return refuse_dealer(record, theirs->name, BUNDLE_FAULT_NO_DEALER,
                                 "The event names a dealer that the record does not have:", fault);
        if (order < 0 || memcmp(ours->key, theirs->key, sizeof ours->key) != 0)
            return refuse_dealer(record, ours->name, BUNDLE_FAULT_DEALER,
                                 "The record has a dealer that the event does not name, or with "
                                 "another key:",
                                 fault);
        if (ours->missing && settings->dealers_seconds == 0)
            return refuse_dealer(record, ours->name, BUNDLE_FAULT_WITHHELD,
                                 "A dealer has not answered, although games of the event wait for "
                                 "all:",
                                 fault);
    }
    return true;
}

static bool same_rules(const struct bundle *bundle, const struct record_header *header)
{
    const struct tournament_settings *settings = &bundle->tournament.settings;
    return strcmp(header->game->slug, settings->game->slug) == 0 &&
           strcmp(header->game->version, settings->game->version) == 0 &&
           memcmp(&header->options, &settings->options, sizeof header->options) == 0;
}

/* Whether the settings gave the clock of a game between the beginning of its table and its own. */
static bool had_clock(const struct bundle *bundle, const struct record_header *header,
                      const struct tournament_table *table)
{
    const int64_t from_ms = table->since_ms - BUNDLE_AT_ONCE_MS;
    const int64_t to_ms = calendar_read_ms(header->start) + BUNDLE_AT_ONCE_MS;
    for (size_t i = 0; i < bundle->choice_count; i++) {
        const struct bundle_choice *now = &bundle->choices[i];
        bool later = i > 0 && now->at_ms > to_ms;
        bool over = i + 1 < bundle->choice_count && now[1].at_ms < from_ms;
        if (!later && !over && clock_same_control(&now->clock, &header->clock))
            return true;
    }
    return false;
}

static bool check_rules(const struct bundle *bundle, const struct bundle_record *record,
                        const struct record_header *header, const struct tournament_table *then,
                        struct bundle_fault *fault)
{
    if (!same_rules(bundle, header))
        return bundle_refuse(
            fault, record->line, BUNDLE_FAULT_RULES,
            "The game has another ruleset or other options than the event:", record->game);
    return had_clock(bundle, header, then) ||
           bundle_refuse(fault, record->line, BUNDLE_FAULT_RULES,
                         "The game has another clock than the event gave it:", record->game);
}

/* Checks a record against its table; `seen` [table] counts its attempts. */
static bool check_record(struct bundle *bundle, const struct bundle_record *record,
                         struct replay *replay, unsigned *seen, struct bundle_fault *fault)
{
    struct record_header header;
    struct record_fault wrong;
    struct span rest = record->text;
    uint8_t head[32];
    uint32_t lines = 0;
    if (!verify_record(bundle, record, false, replay, fault))
        return false;
    if (!record_read_header(&rest, &header, head, &lines, &wrong) ||
        strcmp(header.game_id, record->game) != 0 || !header.in_event ||
        strcmp(header.event_id, bundle->event) != 0)
        return refuse_result(record, fault, "This is the record of another game:");
    if (!check_dealers(bundle, record, &header, fault))
        return false;
    const struct tournament_table *then = find_place(bundle, record, &header, seen, fault);
    if (then != NULL && !same_luck(bundle, &header, then))
        return refuse_result(record, fault,
                             "The game was played on a different board, or with different luck:");
    return then != NULL && check_rules(bundle, record, &header, then, fault) &&
           check_result(bundle, record, &header, rest, replay, then, fault);
}

static bool refuse_missing(const struct tournament_table *table, unsigned attempt,
                           struct bundle_fault *fault)
{
    char bytes[64];
    struct text text = TEXT_OVER(bytes);
    text_add(&text, "of round ");
    text_add_number(&text, table->round);
    text_add(&text, ", table ");
    text_add_number(&text, table->table);
    text_add(&text, ", attempt ");
    text_add_number(&text, attempt);
    return bundle_refuse(fault, 0, BUNDLE_FAULT_RESULT, "There is no record of the game", bytes);
}

/* A void game must be there if its table was replayed, and may be there if the table was decided by
 * a ruling: no line of the log says that it ended. */
static bool check_all_seen(const struct bundle *bundle, const unsigned *seen,
                           struct bundle_fault *fault)
{
    const struct tournament *tournament = &bundle->tournament;
    for (size_t i = 0; i < tournament->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[i];
        unsigned earlier = bundle_count_earlier(bundle, i);
        unsigned needed = earlier + table->played;
        bool enough = bundle->version == 1 ? !table->played || seen[i] > 0 : seen[i] >= needed;
        if (!enough)
            return refuse_missing(table, bundle->version == 1 ? needed : seen[i] + 1, fault);
    }
    return true;
}

/* ---- Records of scorers ---- */

/* The table whose result is from this record, or NULL. */
static const struct tournament_table *recorded_table(const struct bundle *bundle,
                                                     const struct bundle_record *record,
                                                     const struct replay *replay,
                                                     struct bundle_fault *fault)
{
    const struct tournament *tournament = &bundle->tournament;
    const struct record_header *header = &replay->header;
    if (strcmp(header->game_id, record->game) != 0 || !header->in_event ||
        strcmp(header->event_id, bundle->event) != 0) {
        refuse_result(record, fault, "This is the record of another game:");
        return NULL;
    }
    const struct tournament_table *table =
        tournament_table(tournament, header->round, header->table);
    if (table == NULL || !tournament_is_recorded(tournament, table) ||
        strcmp(tournament_report(tournament, table)->recording, record->game) != 0) {
        refuse_result(record, fault, "No result that counts is from the recording");
        return NULL;
    }
    return table;
}

/* The report has the head, so the record is the very one that was reported; that it leads to the
 * result is checked all the same. */
static bool check_recording(struct bundle *bundle, const struct bundle_recording *recording,
                            struct replay *replay, bool *seen, struct bundle_fault *fault)
{
    const struct bundle_record record = {
        .game = recording->id, .text = recording->text, .line = recording->line};
    const struct tournament *tournament = &bundle->tournament;
    struct tlog_leaf leaf; /* has what the record's last line says */
    if (!verify_record(bundle, &record, true, replay, fault))
        return false;
    const struct tournament_table *table = recorded_table(bundle, &record, replay, fault);
    if (table == NULL)
        return false;
    const struct tournament_report *report = tournament_report(tournament, table);
    bool *is_seen = &seen[table - tournament->tables];
    if (*is_seen)
        return refuse_result(&record, fault, "There are two records of the recording");
    *is_seen = true;
    if (!tlog_leaf_of_record(recording->text, &leaf) ||
        memcmp(report->head, leaf.hash, sizeof report->head) != 0)
        return refuse_result(&record, fault,
                             "The log names a record with another head for the recording");
    return (same_rules(bundle, &replay->header) && !replay->voided &&
            same_players(bundle, &replay->header, table) &&
            same_results(record.text, &report->result)) ||
           refuse_result(&record, fault,
                         "The log has other rules, different players or a different result for the "
                         "recording");
}

static bool check_recordings(struct bundle *bundle, struct replay *replay, bool *seen,
                             struct bundle_fault *fault)
{
    const struct tournament *tournament = &bundle->tournament;
    for (size_t i = 0; i < bundle->recording_count; i++)
        if (!check_recording(bundle, &bundle->recordings[i], replay, seen, fault))
            return false;
    for (size_t i = 0; i < tournament->table_count; i++)
        if (bundle->version > BUNDLE_VERSION_UNRECORDED && !seen[i] &&
            tournament_is_recorded(tournament, &tournament->tables[i]))
            return bundle_refuse(fault, 0, BUNDLE_FAULT_RESULT,
                                 "There is no record of the recording",
                                 tournament_report(tournament, &tournament->tables[i])->recording);
    return true;
}

bool bundle_check_records(struct bundle *bundle, struct replay *replay, struct bundle_fault *fault)
{
    bool *recorded = calloc(bundle->tournament.table_count + 1, sizeof *recorded);
    unsigned *seen = calloc(bundle->tournament.table_count + 1, sizeof *seen);
    bool good = true;
    if (seen == NULL || recorded == NULL)
        good = bundle_out_of_memory(fault, 0);
    for (size_t i = 0; good && i < bundle->record_count; i++) {
        good = check_record(bundle, &bundle->records[i], replay, seen, fault) &&
               bundle_officials_game(bundle, &bundle->records[i], fault);
        progress_tell(bundle->progress, (unsigned)i + 1, (unsigned)bundle->record_count);
    }
    good = good && check_all_seen(bundle, seen, fault) &&
           check_recordings(bundle, replay, recorded, fault);
    free(seen);
    free(recorded);
    return good;
}

/* ---- Ratings ---- */

size_t bundle_rate(const struct bundle *bundle, bool house, struct rating *ratings)
{
    const struct tournament *tournament = &bundle->tournament;
    size_t games = 0;
    for (size_t i = 0; i < tournament->entrant_count; i++)
        ratings[i] = rating_initial();
    for (size_t i = 0; i < bundle->finished_count; i++) {
        const struct tournament_table *table = &tournament->tables[bundle->finished[i]];
        if (tournament_rates_apart(tournament, table) == house)
            games += tournament_rate(table, tournament_seats_played(&table->result), ratings);
    }
    for (size_t i = 0; i < tournament->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[i];
        if (tournament_rates_apart(tournament, table) == house)
            games += tournament_rate(table, tournament_rated_seats(tournament, table), ratings);
    }
    return games;
}
