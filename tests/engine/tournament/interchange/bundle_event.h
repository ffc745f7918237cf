/* Events whose bundles are written line by line, for the tests of bundles: the lines can be changed
 * before they are sealed. Included by those tests only; `event` is the event, `lines` are its
 * bundle's, and `file` is the bundle. */
#ifndef TILLROLL_TESTS_ENGINE_TOURNAMENT_INTERCHANGE_BUNDLE_EVENT_H
#define TILLROLL_TESTS_ENGINE_TOURNAMENT_INTERCHANGE_BUNDLE_EVENT_H

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/log/tlog.h"
#include "engine/tournament/interchange/bundle.h"
#include "engine/tournament/pairing/duplicate_board.h"
#include "tests/engine/record/told_roll.h"
#include "tests/engine/support/told_event.h"
#include "tests/test.h"

enum { FILE_MOST = 1 << 20 };

static const char event_id[] = "0190163d-0000-7000-8000-00000000e0e0";
static const uint8_t secret[32] = {7, 7, 7};

/* The lines of a bundle but for the last, as objects that can be changed. */
static json_t *lines;
static struct tournament event;
static char file[FILE_MOST];
static size_t file_length;
static struct replay replay;

static inline struct chance event_chance(void)
{
    struct chance chance = {.stacks = NULL};
    record_event_seed(span_of(event_id), secret, chance.seed);
    return chance;
}

static inline void add_line(char *line)
{
    assert_non_null(line);
    json_t *value = json_loads(line, 0, NULL);
    assert_non_null(value);
    json_array_append_new(lines, value);
    free(line);
}

static inline void add_header(bool revealed, bool records)
{
    uint8_t commitment[32];
    record_commitment(span_of(event_id), secret, commitment);
    add_line(bundle_header_line(BUNDLE_VERSION, event_id, commitment, revealed ? secret : NULL,
                                records));
}

static inline void add_log(json_t *told)
{
    size_t i;
    json_t *each;
    json_array_foreach(told, i, each)
    {
        const struct tournament_line line = {
            .number = (uint32_t)i + 1,
            .at_ms = json_integer_value(json_object_get(each, "at")),
            .actor = json_string_value(json_object_get(each, "actor")),
            .kind = json_string_value(json_object_get(each, "kind")),
            .detail = json_object_get(each, "detail")};
        add_line(bundle_log_line(&line));
    }
}

static inline void add_players(void)
{
    for (size_t i = 0; i < event.entrant_count; i++) {
        char name[] = "Player A";
        name[sizeof name - 2] = (char)('A' + i % 26);
        add_line(bundle_player_line(event.entrants[i].player, name));
    }
}

static inline void append(const char *line)
{
    size_t length = strlen(line);
    assert_true(file_length + length < FILE_MOST);
    memcpy(file + file_length, line, length + 1);
    file_length += length;
}

static inline void seal_with(const uint8_t seed[static 32])
{
    uint8_t public[32], key[64], hash[32], signature[64];
    char message[BUNDLE_MESSAGE_MAX];
    struct text text = TEXT_OVER(message);
    crypto_sign_seed_keypair(public, key, seed);
    crypto_hash_sha256(hash, (const unsigned char *)file, file_length);
    bundle_message(event_id, hash, &text);
    crypto_sign_detached(signature, NULL, (const unsigned char *)message, text.length, key);
    char *seal = bundle_seal_line(hash, public, signature);
    append(seal);
    free(seal);
}

/* Writes the lines as a file with a seal that fits. */
static inline void write_file(void)
{
    static const uint8_t seed[32] = {1};
    size_t i;
    json_t *each;
    file_length = 0;
    json_array_foreach(lines, i, each)
    {
        char *line = json_dumps(each, JSON_COMPACT | JSON_SORT_KEYS);
        append(line);
        append("\n");
        free(line);
    }
    seal_with(seed);
}

static inline struct bundle read_good(void)
{
    struct bundle bundle;
    struct bundle_fault fault;
    if (!bundle_read((struct span){file, file_length}, &bundle, &fault))
        fail_msg("line %zu: %s: %s", fault.line, fault.code, fault.message);
    return bundle;
}

static inline void expect_refused(const char *code, size_t line)
{
    struct bundle bundle;
    struct bundle_fault fault;
    assert_false(bundle_read((struct span){file, file_length}, &bundle, &fault));
    assert_string_equal(fault.code, code);
    assert_int_equal(fault.line, line);
}

static inline void expect_records_refused(const char *code)
{
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    assert_false(bundle_check_records(&bundle, &replay, &fault));
    if (strcmp(fault.code, code) != 0)
        fail_msg("line %zu: %s: %s", fault.line, fault.code, fault.message);
    bundle_free(&bundle);
}

/* The results and the records differ, as this sentence says. */
static inline void expect_result_refused(const char *sentence)
{
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    assert_false(bundle_check_records(&bundle, &replay, &fault));
    assert_string_equal(fault.code, BUNDLE_FAULT_RESULT);
    if (strstr(fault.message, sentence) != fault.message)
        fail_msg("line %zu: %s", fault.line, fault.message);
    bundle_free(&bundle);
}

/* ---- Its lines ---- */

static inline json_t *find_kind(const char *kind)
{
    size_t i;
    json_t *each;
    json_array_foreach(lines, i, each)
    {
        const char *found = json_string_value(json_object_get(each, "kind"));
        if (found != NULL && strcmp(found, kind) == 0)
            return json_object_get(each, "detail");
    }
    fail_msg("no line %s", kind);
    return NULL;
}

static inline size_t line_of(const char *kind)
{
    const json_t *detail = find_kind(kind);
    size_t i;
    json_t *each;
    json_array_foreach(lines, i, each)
    {
        if (json_object_get(each, "detail") == detail)
            return i + 1;
    }
    return 0;
}

static inline json_t *last_line(void)
{
    return json_array_get(lines, json_array_size(lines) - 1);
}

/* ---- An event with one table and its record ---- */

/* The event has the first three dealers of roll_deal(), of whom the last is missing. */
static bool has_dealers;

/* What the header of the first game says that is not so. */
static enum header_lie { HEADER_HONEST, HEADER_EVENT, HEADER_ROUND, HEADER_SEATS } header_lie;

static inline void tell_lie(struct record_header *header)
{
    char player[sizeof header->seat[0].player];
    if (header_lie == HEADER_EVENT)
        header->event_id[RECORD_ID_LENGTH - 1] = '1';
    if (header_lie == HEADER_ROUND)
        header->round = 2;
    if (header_lie != HEADER_SEATS)
        return;
    memcpy(player, header->seat[2].player, sizeof player);
    memcpy(header->seat[2].player, header->seat[3].player, sizeof player);
    memcpy(header->seat[3].player, player, sizeof player);
}

/* Makes the header of game `number` at table 1 in round 1 of the event. */
static inline void make_header(unsigned number, struct record_header *header,
                               uint8_t game_secret[32])
{
    char scope[RECORD_SCOPE_MAX];
    uint8_t secret_key[64];
    struct text text = TEXT_OVER(scope);
    const struct game *game = catalog_newest(span_of("shinjuku"));
    const struct game_options options = game_options_initial(game);
    roll_header(header, game, 4, &options, 1, game_secret);
    header->game_id[RECORD_ID_LENGTH - 1] = (char)('0' + number);
    memcpy(header->event_id, event_id, sizeof header->event_id);
    header->round = 1;
    header->table = 1;
    for (unsigned seat = 0; seat < 4; seat++)
        memcpy(header->seat[seat].player, event.entrants[event.tables[0].entry[seat]].player,
               sizeof header->seat[seat].player);
    if (number == 1)
        tell_lie(header);
    /* The player of seat 1 has a key that tests can sign with. */
    header->seat[1].has_key = true;
    roll_key(0, header->seat[1].key, secret_key);
    record_scope(header, &text);
    record_commitment(text_span(&text), game_secret, header->commitment);
    if (has_dealers)
        roll_deal(header, 3);
}

/* The event has a house player among its entries, and another as a substitute. */
static bool has_house;
static unsigned house_seat;

static inline void tell_entries_of_dealt_table(void)
{
    static const char *const names[] = {"0.example", "ada.example", "ben-1"};
    char settings[1024];
    struct text text = TEXT_OVER(settings);
    text_add(&text, "{'name':'One','ruleset':'shinjuku','format':'pod_swiss','rounds':1,"
                    "'seats_min':4,'seats_max':4,'dealers_seconds':60,'dealers':[");
    for (unsigned i = 0; i < 3; i++) {
        uint8_t own[ECVRF_SECRET];
        uint8_t key[ECVRF_KEY];
        roll_dealer_secret(i, own);
        ecvrf_public_key(own, key);
        text_add(&text, i == 0 ? "{'name':'" : ",{'name':'");
        text_add(&text, names[i]);
        text_add(&text, "','key':'");
        text_add_hex(&text, key, sizeof key);
        text_add(&text, "'}");
    }
    text_add(&text, "]}");
    tell_entries(&event, settings, 4);
}

static inline void tell_entries_of_table(void)
{
    if (has_dealers) {
        tell_entries_of_dealt_table();
        return;
    }
    if (!has_house) {
        tell_entries(&event,
                     "{'name':'One','ruleset':'shinjuku','format':'pod_swiss','rounds':1,"
                     "'seats_min':4,'seats_max':4}",
                     4);
        return;
    }
    tell_entries(&event,
                 "{'name':'One','ruleset':'shinjuku','format':'pod_swiss','rounds':1,"
                 "'late_entries':1,'seats_min':4,'seats_max':4,'house':'regular'}",
                 3);
    tell(&event, "entered", "{'player':<4>,'rating':null,'late':true,'house':'casual'}");
}

/* The seat after the house player's gets a substitute, who is one as well. */
static inline void say_house(struct roll_writer *writer)
{
    char words[120];
    house_seat = 0;
    while (event.entrants[event.tables[0].entry[house_seat]].house == HOUSE_NONE)
        house_seat++;
    (void)snprintf(words, sizeof words, "- 0 house %u casual 2", house_seat);
    assert_null(roll_say(writer, words));
    (void)snprintf(words, sizeof words, "- 0 substitute %u %s House%%20%%C2%%B7%%20strong -",
                   (house_seat + 1) % 4, told_id(9));
    assert_null(roll_say(writer, words));
    (void)snprintf(words, sizeof words, "- 0 house %u strong 2", (house_seat + 1) % 4);
    assert_null(roll_say(writer, words));
}

/* It is played to its end, or void after some plies. */
static inline void write_record(unsigned number, bool is_void, struct roll *roll)
{
    enum { PLIES = 6 };
    static const char *const end[] = {
        "- 900000 freeze 0190163d-0000-7000-8000-00000000d000",
        "- 900000 ruling 0190163d-0000-7000-8000-00000000d000 void by "
        "0190163d-0000-7000-8000-00000000a000 why wrong-setup"};
    struct record_header header;
    struct roll_writer writer;
    uint8_t game_secret[32];
    make_header(number, &header, game_secret);
    roll_begin(&writer, roll, &header, game_secret, number);
    if (has_house)
        say_house(&writer);
    for (unsigned ply = 0; roll->replay.phase == REPLAY_PLAYING && !(is_void && ply == PLIES);
         ply++)
        if (!roll_due(&writer))
            roll_ply(&writer);
    for (size_t i = 0; is_void && i < 2; i++)
        assert_null(roll_say(&writer, end[i]));
    while (roll_due(&writer))
        ;
    assert_int_equal(roll->replay.voided, is_void);
    roll_end(&writer);
}

/* Tells the result that the record proves. */
static inline void tell_proved(struct span record)
{
    struct record_fault fault;
    struct outcome outcome;
    json_t *seats = json_array();
    assert_int_equal(replay_verify(record, NULL, &replay, &fault), REPLAY_VALID);
    replay.header.game->outcome(replay.header.game, replay.state, &outcome);
    for (unsigned seat = 0; seat < 4; seat++)
        json_array_append_new(seats,
                              json_pack("[iii]", event.entrants[event.tables[0].entry[seat]].number,
                                        (int)outcome.rank[seat], (int)outcome.score[seat]));
    char *written = json_dumps(seats, JSON_COMPACT);
    char marks[80] = "";
    unsigned substitute = event.entrants[event.tables[0].entry[(house_seat + 1) % 4]].number;
    if (has_house)
        (void)snprintf(marks, sizeof marks, ",'substituted':[%u],'house':[%u]", substitute,
                       substitute);
    tell(&event, "result", "{'round':1,'table':1,'game':'%s','seats':%s%s}", replay.header.game_id,
         written, marks);
    free(written);
    json_decref(seats);
}

enum { GAMES_MOST = 3 };

static inline int play_table(unsigned games)
{
    struct roll rolls[GAMES_MOST];
    json_t *told = json_array();
    const struct chance chance = event_chance();
    lines = json_array();
    tell_into(told);
    tell_entries_of_table();
    tell_draw(&event, &chance);
    for (unsigned i = 0; i < games; i++) {
        if (i > 0)
            tell(&event, "table_replayed", "{'round':1,'table':1,'reason':'Wrong setup.'}");
        write_record(i + 1, i == 0 && games > 1, &rolls[i]);
        if (!rolls[i].replay.voided)
            tell_proved(roll_span(&rolls[i]));
    }
    tell(&event, "closed", "{}");
    tell_into(NULL);
    add_header(true, true);
    add_log(told);
    add_players();
    for (unsigned i = 0; i < games; i++) {
        struct text signatures = roll_sign(roll_span(&rolls[i]), 0);
        add_line(bundle_record_line(i + 1, rolls[i].replay.header.game_id, roll_span(&rolls[i]),
                                    text_span(&signatures)));
        free(signatures.at);
        roll_free(&rolls[i]);
    }
    json_decref(told);
    write_file();
    return 0;
}

static inline int play_event(void **state)
{
    (void)state;
    return play_table(1);
}

static inline int play_house_event(void **state)
{
    (void)state;
    has_house = true;
    play_table(1);
    has_house = false;
    return 0;
}

static inline int play_dealt_event(void **state)
{
    (void)state;
    has_dealers = true;
    play_table(1);
    has_dealers = false;
    return 0;
}

/* The first game is void, the second one was played to its end, and the third counts. */
static inline int play_anew(void **state)
{
    (void)state;
    return play_table(GAMES_MOST);
}

static inline json_t *record_line(size_t attempt)
{
    return json_array_get(lines, json_array_size(lines) - GAMES_MOST + attempt - 1);
}

/* ---- An evening at tables: reports, and no record ---- */

static inline int report_event(void **state)
{
    (void)state;
    json_t *told = json_array();
    const struct chance chance = event_chance();
    lines = json_array();
    tell_into(told);
    tell_entries(&event,
                 "{'name':'Evening','ruleset':'shinjuku','format':'pod_swiss','rounds':1,"
                 "'seats_min':3,'seats_max':3,'play':'table'}",
                 6);
    tell_draw(&event, &chance);
    for (unsigned table = 1; table <= 2; table++) {
        const uint16_t *entry = event.tables[table - 1].entry;
        tell_as(entry[1] + 1U);
        tell(&event, "reported", "{'round':1,'table':%u,'seats':[[%u,1,31],[%u,2,20],[%u,3,9]]}",
             table, entry[0] + 1U, entry[1] + 1U, entry[2] + 1U);
        tell_as(entry[2] + 1U);
        tell(&event, table == 1 ? "report_confirmed" : "report_objected", "{'round':1,'table':%u}",
             table);
    }
    tell_as(9);
    tell(&event, "report_corrected",
         "{'round':1,'table':2,'seats':[[%u,1],[%u,1],[%u,3]],'reason':'Counted again.'}",
         event.tables[1].entry[0] + 1U, event.tables[1].entry[1] + 1U,
         event.tables[1].entry[2] + 1U);
    tell(&event, "closed", "{}");
    tell_as(0);
    tell_into(NULL);
    add_header(true, true);
    add_log(told);
    add_players();
    json_decref(told);
    write_file();
    return 0;
}

/* ---- A scorer's record ---- */

enum { RECORDED_SEATS = 3 };

static const char recording_id[RECORD_ID_LENGTH + 1] = "0190163d-0000-7000-8000-0000000000f1";

/* The record of game `number` at a real table: table 1 of round 1. The caller frees `at`. */
static inline struct text record_table(uint32_t number)
{
    struct roll roll;
    struct roll_lines of_roll;
    const struct game *game = catalog_newest(span_of("shinjuku"));
    const struct game_options options = game_options_initial(game);
    told_roll_write(&roll, game, RECORDED_SEATS, &options, number, 0);
    roll_lines_of(&of_roll, roll_span(&roll));
    size_t at = roll_find(&of_roll, 0, "event ");
    roll_set_word(&of_roll, roll_find(&of_roll, 0, "game "), 1, recording_id);
    roll_set_word(&of_roll, at, 1, event_id);
    roll_set_word(&of_roll, at, 3, "1");
    roll_set_word(&of_roll, at, 5, "1");
    for (unsigned seat = 0; seat < RECORDED_SEATS; seat++)
        roll_set_word(&of_roll, roll_find(&of_roll, 0, "seat 0 ") + seat, 2,
                      event.entrants[event.tables[0].entry[seat]].player);
    struct text record = roll_chain(&of_roll);
    roll_lines_free(&of_roll);
    roll_free(&roll);
    return record;
}

/* The report of a record's result, by its scorer; scores are off by `lie`. */
static inline void report_record(struct span record, int lie)
{
    struct record_fault fault;
    struct outcome outcome;
    struct tlog_leaf leaf;
    char head[65];
    struct text hex = TEXT_OVER(head);
    const uint16_t *entry = event.tables[0].entry;
    assert_int_equal(replay_verify(record, NULL, &replay, &fault), REPLAY_VALID);
    replay_outcome(&replay, &outcome);
    assert_true(tlog_leaf_of_record(record, &leaf));
    text_add_hex(&hex, leaf.hash, sizeof leaf.hash);
    tell(&event, "reported",
         "{'round':1,'table':1,'seats':[[%u,%d,%d],[%u,%d,%d],[%u,%d,%d]],"
         "'record':{'id':'%s','head':'%s'}}",
         entry[0] + 1U, (int)outcome.rank[0], (int)outcome.score[0] + lie, entry[1] + 1U,
         (int)outcome.rank[1], (int)outcome.score[1] + lie, entry[2] + 1U, (int)outcome.rank[2],
         (int)outcome.score[2] + lie, recording_id, head);
}

static inline int make_recorded_event(uint32_t reported, uint32_t given, int lie)
{
    json_t *told = json_array();
    const struct chance chance = event_chance();
    lines = json_array();
    tell_into(told);
    tell_entries(&event,
                 "{'name':'Evening','ruleset':'shinjuku','format':'pod_swiss','rounds':1,"
                 "'seats_min':3,'seats_max':3,'play':'table'}",
                 RECORDED_SEATS);
    tell_draw(&event, &chance);
    struct text record = record_table(reported);
    tell_as(event.tables[0].entry[1] + 1U);
    report_record(text_span(&record), lie);
    free(record.at);
    record = record_table(given);
    tell_as(event.tables[0].entry[2] + 1U);
    tell(&event, "report_confirmed", "{'round':1,'table':1}");
    tell_as(9);
    tell(&event, "closed", "{}");
    tell_as(0);
    tell_into(NULL);
    add_header(true, true);
    add_log(told);
    add_players();
    add_line(bundle_recording_line(recording_id, text_span(&record)));
    free(record.at);
    json_decref(told);
    write_file();
    return 0;
}

static inline int record_event(void **state)
{
    (void)state;
    return make_recorded_event(1, 1, 0);
}

/* ---- Events whose results are told, of any format ---- */

static inline void play_all(const char *settings, unsigned players, unsigned rounds)
{
    static const char *const ranks[] = {"1 2", "2 1", "1 2 3", "3 1 2", "2 1 4 3", "1 2 3 4"};
    json_t *told = json_array();
    const struct chance chance = event_chance();
    lines = json_array();
    tell_into(told);
    tell_entries(&event, settings, players);
    for (unsigned round = 1; round <= rounds; round++) {
        tell_draw(&event, &chance);
        for (unsigned table = 1; table <= event.rounds[round - 1].table_count; table++) {
            unsigned seats = tournament_table(&event, round, table)->seats;
            if (seats > 1)
                tell_result(&event, round, table, ranks[2 * (seats - 2) + (table + round) % 2]);
        }
    }
    tell_into(NULL);
    add_header(true, false);
    add_log(told);
    add_players();
    json_decref(told);
    write_file();
}

/* Two rounds of two boards for seven at tables of three; player 7 drops out in the first. */
static inline void play_boards(void)
{
    enum { BOARDS = 2, ROUNDS = 2 };
    const struct chance chance = event_chance();
    json_t *told = json_array();
    lines = json_array();
    tell_into(told);
    tell_entries(&event,
                 "{'name':'B','ruleset':'shinjuku','format':'duplicate','boards':2,'rounds':2,"
                 "'seats_preferred':3,'play':'barometer'}",
                 7);
    for (unsigned round = 1; round <= ROUNDS; round++) {
        tell(&event, "round_started", "{'round':%u,'boards':%u,'attempt':1,'commitment':'%064u'}",
             round, (unsigned)BOARDS, round);
        for (unsigned board = 1; board <= BOARDS; board++) {
            struct duplicate_board drawn;
            struct refusal refusal;
            assert_true(duplicate_board_pairing(&event, &chance, &drawn, &refusal));
            assert_int_equal(drawn.count, 2);
            assert_int_equal(drawn.bye_count, round == 1);
            json_t *detail = duplicate_board_line(&drawn);
            char *written = json_dumps(detail, JSON_COMPACT);
            tell(&event, "board_started", "%s", written);
            free(written);
            json_decref(detail);
            duplicate_board_free(&drawn);
            for (unsigned table = 2 * board - 1; table <= 2 * board; table++)
                tell_result(&event, round, table, table % 2 == 0 ? "1 2 3" : "3 1 2");
            if (board == 1 && round == 1)
                tell(&event, "dropped", "{'player':'%s','after':1}", told_id(7));
        }
    }
    tell_into(NULL);
    add_header(true, false);
    add_log(told);
    add_players();
    json_decref(told);
    write_file();
}

static inline int forget_event(void **state)
{
    (void)state;
    json_decref(lines);
    tournament_free(&event);
    return 0;
}

#endif
