/* Bundles: what is written is read, and what does not hold is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/log/tlog.h"
#include "engine/tournament/interchange/bundle.h"
#include "engine/tournament/pairing/duplicate_board.h"
#include "tests/engine/record/told_roll.h"
#include "tests/engine/support/told_event.h"

enum { FILE_MOST = 1 << 20 };

static const char event_id[] = "0190163d-0000-7000-8000-00000000e0e0";
static const uint8_t secret[32] = {7, 7, 7};

/* The lines of a bundle but for the last, as objects that can be changed. */
static json_t *lines;
static struct tournament event;
static char file[FILE_MOST];
static size_t file_length;
static struct replay replay;

static struct chance event_chance(void)
{
    struct chance chance = {.stacks = NULL};
    record_event_seed(span_of(event_id), secret, chance.seed);
    return chance;
}

static void add_line(char *line)
{
    assert_non_null(line);
    json_t *value = json_loads(line, 0, NULL);
    assert_non_null(value);
    json_array_append_new(lines, value);
    free(line);
}

static void add_header(bool revealed, bool records)
{
    uint8_t commitment[32];
    record_commitment(span_of(event_id), secret, commitment);
    add_line(bundle_header_line(BUNDLE_VERSION, event_id, commitment, revealed ? secret : NULL,
                                records));
}

static void add_log(json_t *told)
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

static void add_players(void)
{
    for (size_t i = 0; i < event.entrant_count; i++) {
        char name[] = "Player A";
        name[sizeof name - 2] = (char)('A' + i % 26);
        add_line(bundle_player_line(event.entrants[i].player, name));
    }
}

static void append(const char *line)
{
    size_t length = strlen(line);
    assert_true(file_length + length < FILE_MOST);
    memcpy(file + file_length, line, length + 1);
    file_length += length;
}

static void seal_with(const uint8_t seed[static 32])
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
static void write_file(void)
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

static struct bundle read_good(void)
{
    struct bundle bundle;
    struct bundle_fault fault;
    if (!bundle_read((struct span){file, file_length}, &bundle, &fault))
        fail_msg("line %zu: %s: %s", fault.line, fault.code, fault.message);
    return bundle;
}

static void expect_refused(const char *code, size_t line)
{
    struct bundle bundle;
    struct bundle_fault fault;
    assert_false(bundle_read((struct span){file, file_length}, &bundle, &fault));
    assert_string_equal(fault.code, code);
    assert_int_equal(fault.line, line);
}

/* ---- An event with one table and its record ---- */

/* Of the event with the first three dealers of roll_deal(), of whom the last is missing. */
static bool has_dealers;

/* Of game `number` of table 1 of round 1 of the event. */
static void make_header(unsigned number, struct record_header *header, uint8_t game_secret[32])
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
    /* The player of seat 1 has a key that tests can sign with. */
    header->seat[1].has_key = true;
    roll_key(0, header->seat[1].key, secret_key);
    record_scope(header, &text);
    record_commitment(text_span(&text), game_secret, header->commitment);
    if (has_dealers)
        roll_deal(header, 3);
}

/* Of the event with a house player among its entries, and another as a substitute. */
static bool has_house;
static unsigned house_seat;

static void tell_entries_of_dealt_table(void)
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

static void tell_entries_of_table(void)
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
static void say_house(struct roll_writer *writer)
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
static void write_record(unsigned number, bool is_void, struct roll *roll)
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
static void tell_proved(struct span record)
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

static int play_table(unsigned games)
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

static int play_event(void **state)
{
    (void)state;
    return play_table(1);
}

static int play_house_event(void **state)
{
    (void)state;
    has_house = true;
    play_table(1);
    has_house = false;
    return 0;
}

static int play_dealt_event(void **state)
{
    (void)state;
    has_dealers = true;
    play_table(1);
    has_dealers = false;
    return 0;
}

/* The first game is void, the second one was played to its end, and the third counts. */
static int play_anew(void **state)
{
    (void)state;
    return play_table(GAMES_MOST);
}

static int forget_event(void **state)
{
    (void)state;
    json_decref(lines);
    tournament_free(&event);
    return 0;
}

static void an_event_is_made_again_from_its_bundle(void **state)
{
    (void)state;
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    struct ranking ours, theirs;
    struct refusal refusal;
    const struct chance chance = event_chance();
    assert_true(bundle.revealed);
    assert_string_equal(bundle.event, event_id);
    assert_int_equal(bundle.draws, 1);
    assert_int_equal(bundle.lines, event.lines);
    assert_int_equal(bundle.record_count, 1);
    assert_true(bundle.records[0].signatures.length > 1000);
    assert_string_equal(bundle.names[1], "Player B");
    assert_true(bundle_check_records(&bundle, &replay, &fault));
    assert_true(ranking_make(&event, &chance, 1, &theirs, &refusal));
    assert_true(ranking_make(&bundle.tournament, &bundle.chance, 1, &ours, &refusal));
    assert_int_equal(ours.place_count, theirs.place_count);
    assert_memory_equal(ours.places, theirs.places, ours.place_count * sizeof *ours.places);
    ranking_free(&ours);
    ranking_free(&theirs);
    bundle_free(&bundle);
}

static void ratings_are_made_from_the_first_game_on(void **state)
{
    (void)state;
    struct bundle bundle = read_good();
    struct rating ratings[4], expected[4];
    int32_t ranks[4];
    const struct table_result *result = &bundle.tournament.tables[0].result;
    assert_int_equal(bundle_rate(&bundle, false, ratings), 1);
    for (unsigned seat = 0; seat < 4; seat++) {
        expected[seat] = rating_initial();
        ranks[seat] = result->seat[seat].rank;
    }
    assert_true(rating_update(expected, ranks, 4));
    for (unsigned seat = 0; seat < 4; seat++)
        assert_memory_equal(&ratings[result->seat[seat].entry], &expected[seat], sizeof *ratings);
    bundle_free(&bundle);
}

/* As in the service: such a game is no measure of anybody's strength. */
static void a_game_with_a_forfeit_is_not_rated(void **state)
{
    (void)state;
    struct bundle bundle = read_good();
    struct rating ratings[4];
    const struct rating initial = rating_initial();
    struct table_result *result = &bundle.tournament.tables[0].result;
    for (unsigned seat = 0; seat < 4; seat++)
        result->seat[seat].kind = seat == 2 ? ROUND_FORFEIT_LOSS : ROUND_ADJUDICATED;
    assert_int_equal(bundle_rate(&bundle, false, ratings), 0);
    for (unsigned entry = 0; entry < 4; entry++)
        assert_memory_equal(&ratings[entry], &initial, sizeof initial);
    bundle_free(&bundle);
}

static void who_was_replaced_is_not_rated(void **state)
{
    (void)state;
    struct bundle bundle = read_good();
    struct rating ratings[4];
    const struct rating initial = rating_initial();
    struct tournament_table *table = &bundle.tournament.tables[0];
    table->substituted = 1U << 2;
    assert_int_equal(bundle_rate(&bundle, false, ratings), 1);
    for (unsigned seat = 0; seat < 4; seat++)
        assert_int_equal(memcmp(&ratings[table->entry[seat]], &initial, sizeof initial) == 0,
                         seat == 2);
    bundle_free(&bundle);
}

/* ---- An evening at tables: reports, and no record ---- */

static int report_event(void **state)
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

static void reports_are_folded_and_not_rated(void **state)
{
    (void)state;
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    struct ranking ours, theirs;
    struct refusal refusal;
    struct rating ratings[6];
    const struct chance chance = event_chance();
    assert_true(bundle_check_records(&bundle, &replay, &fault));
    assert_int_equal(bundle.finished_count, 0);
    assert_true(bundle.tournament.tables[0].reported);
    assert_true(tournament_report(&bundle.tournament, &bundle.tournament.tables[1])->corrected);
    assert_int_equal(bundle_rate(&bundle, false, ratings), 0);
    assert_true(ranking_make(&event, &chance, 1, &theirs, &refusal));
    assert_true(ranking_make(&bundle.tournament, &bundle.chance, 1, &ours, &refusal));
    assert_int_equal(ours.place_count, 6);
    assert_memory_equal(ours.places, theirs.places, ours.place_count * sizeof *ours.places);
    assert_int_equal(ours.places[0].points, 5 * POINTS_PER_POINT);
    ranking_free(&ours);
    ranking_free(&theirs);
    bundle_free(&bundle);
}

/* ---- A scorer's record ---- */

enum { RECORDED_SEATS = 3 };

static const char recording_id[RECORD_ID_LENGTH + 1] = "0190163d-0000-7000-8000-0000000000f1";

/* The record of game `number` at a real table: table 1 of round 1. The caller frees `at`. */
static struct text record_table(uint32_t number)
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
static void report_record(struct span record, int lie)
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

static int make_recorded_event(uint32_t reported, uint32_t given, int lie)
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

static int record_event(void **state)
{
    (void)state;
    return make_recorded_event(1, 1, 0);
}

static json_t *last_line(void)
{
    return json_array_get(lines, json_array_size(lines) - 1);
}

static void a_scorers_record_is_replayed(void **state)
{
    (void)state;
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    if (!bundle_check_records(&bundle, &replay, &fault))
        fail_msg("line %zu: %s: %s", fault.line, fault.code, fault.message);
    assert_int_equal(bundle.version, BUNDLE_VERSION);
    assert_int_equal(bundle.recording_count, 1);
    assert_string_equal(bundle.recordings[0].id, recording_id);
    assert_true(tournament_is_recorded(&bundle.tournament, &bundle.tournament.tables[0]));
    bundle_free(&bundle);
}

/* ---- What is found ---- */

static json_t *find_kind(const char *kind)
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

static size_t line_of(const char *kind)
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

/* Nobody confirms a report of their own. */
static void a_forged_confirmation_is_found(void **state)
{
    (void)state;
    size_t at = line_of("report_confirmed");
    json_t *reported = json_array_get(lines, at - 2), *confirmed = json_array_get(lines, at - 1);
    json_object_set(confirmed, "actor", json_object_get(reported, "actor"));
    write_file();
    expect_refused(BUNDLE_FAULT_LOG, at);
}

static void a_changed_byte_is_found(void **state)
{
    (void)state;
    size_t lines_there = json_array_size(lines) + 1;
    char *name = strstr(file, "Player C");
    assert_non_null(name);
    name[7] = 'X';
    expect_refused(BUNDLE_FAULT_HASH, lines_there);
    name[7] = 'C';
    file[file_length - 1] = ' ';
    expect_refused(BUNDLE_FAULT_CUT, 0);
    file[file_length - 1] = '\n';
    char *signature = strstr(file, "\"signature\":\"");
    assert_non_null(signature);
    signature += 13;
    *signature = *signature == '0' ? '1' : '0';
    expect_refused(BUNDLE_FAULT_SIGNATURE, lines_there);
}

static void a_missing_end_is_found(void **state)
{
    (void)state;
    while (file[file_length - 2] != '\n')
        file_length--;
    file_length--;
    expect_refused(BUNDLE_FAULT_CUT, json_array_size(lines));
    file_length = 0;
    expect_refused(BUNDLE_FAULT_CUT, 0);
}

/* The same value written otherwise is not the same bundle. */
static void there_is_one_way_to_write_it(void **state)
{
    (void)state;
    static const uint8_t seed[32] = {1};
    size_t first = (size_t)(strchr(file, '\n') - file);
    memmove(file + 2, file + 1, first);
    file[1] = ' ';
    file_length = first + 2;
    file[first + 1] = '\n';
    seal_with(seed);
    expect_refused(BUNDLE_FAULT_FORM, 1);
}

static void another_secret_is_found(void **state)
{
    (void)state;
    char hex[65];
    const uint8_t other[32] = {8};
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, other, 32);
    json_object_set_new(json_array_get(lines, 0), "secret", json_string(hex));
    write_file();
    expect_refused(BUNDLE_FAULT_SECRET, 1);
}

static void another_draw_is_found(void **state)
{
    (void)state;
    json_t *table = json_array_get(json_object_get(find_kind("round_drawn"), "tables"), 0);
    json_t *moved = json_incref(json_array_get(table, 0));
    json_array_remove(table, 0);
    json_array_append_new(table, moved);
    write_file();
    expect_refused(BUNDLE_FAULT_DRAW, line_of("round_drawn"));
}

static void other_numbers_are_found(void **state)
{
    (void)state;
    json_t *numbers = json_object_get(find_kind("entries_closed"), "numbers");
    json_t *moved = json_incref(json_array_get(numbers, 0));
    json_array_remove(numbers, 0);
    json_array_append_new(numbers, moved);
    write_file();
    expect_refused(BUNDLE_FAULT_DRAW, line_of("entries_closed"));
}

static void a_log_that_cannot_be_is_found(void **state)
{
    (void)state;
    json_object_set_new(find_kind("result"), "table", json_integer(2));
    write_file();
    expect_refused(BUNDLE_FAULT_LOG, line_of("result"));
    size_t at = line_of("closed") - 1;
    json_array_remove(lines, at - 1);
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, at);
}

static void expect_records_refused(const char *code)
{
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    assert_false(bundle_check_records(&bundle, &replay, &fault));
    if (strcmp(fault.code, code) != 0)
        fail_msg("line %zu: %s: %s", fault.line, fault.code, fault.message);
    bundle_free(&bundle);
}

/* A record that holds, of the same table by the same scorer, and not the one that was reported. */
static void another_scorers_record_is_found(void **state)
{
    (void)state;
    make_recorded_event(1, 3, 0);
    expect_records_refused(BUNDLE_FAULT_RESULT);
}

/* The log names the very record, and says a different result. */
static void a_result_that_is_not_the_records_is_found(void **state)
{
    (void)state;
    make_recorded_event(1, 1, 1);
    expect_records_refused(BUNDLE_FAULT_RESULT);
}

static void a_missing_scorers_record_is_found(void **state)
{
    (void)state;
    struct bundle_fault fault;
    json_t *line = json_incref(last_line());
    json_array_remove(lines, json_array_size(lines) - 1);
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    /* Before records of scorers were in bundles. */
    json_object_set_new(json_array_get(lines, 0), "bundle",
                        json_integer(BUNDLE_VERSION_UNRECORDED));
    write_file();
    struct bundle bundle = read_good();
    assert_true(bundle_check_records(&bundle, &replay, &fault));
    bundle_free(&bundle);
    json_array_append(lines, line);
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, json_array_size(lines));
    json_object_set_new(json_array_get(lines, 0), "bundle", json_integer(BUNDLE_VERSION));
    json_array_append_new(lines, line);
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT); /* it is there twice */
}

static void a_scorers_record_that_does_not_hold_is_found(void **state)
{
    (void)state;
    json_t *line = last_line();
    char *record = strdup(json_string_value(json_object_get(line, "recorded")));
    char *digit = strstr(record, " bind deck ");
    assert_non_null(digit);
    digit[1] = 'B';
    json_object_set_new(line, "recorded", json_string(record));
    free(record);
    write_file();
    expect_records_refused(BUNDLE_FAULT_RECORD);
}

/* Neither kind of record stands for the other. */
static void a_scorers_record_as_a_proved_one_is_found(void **state)
{
    (void)state;
    json_t *line = last_line();
    json_t *record = json_incref(json_object_get(line, "recorded"));
    json_object_clear(line);
    json_object_set_new(line, "game", json_string(recording_id));
    json_object_set_new(line, "attempt", json_integer(1));
    json_object_set_new(line, "record", record);
    write_file();
    expect_records_refused(BUNDLE_FAULT_RECORD);
    struct bundle_fault fault;
    struct bundle bundle = read_good();
    assert_false(bundle_check_records(&bundle, &replay, &fault));
    assert_non_null(strstr(fault.message, "not proved"));
    bundle_free(&bundle);
}

static void a_scorers_record_of_another_id_is_found(void **state)
{
    (void)state;
    json_object_set_new(last_line(), "recording",
                        json_string("0190163d-0000-7000-8000-0000000000f2"));
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
}

static void another_result_is_found(void **state)
{
    (void)state;
    json_t *seat = json_array_get(json_object_get(find_kind("result"), "seats"), 2);
    json_array_set_new(seat, 2, json_integer(json_integer_value(json_array_get(seat, 2)) + 1));
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
}

static void a_mark_that_is_not_in_the_record_is_found(void **state)
{
    static const char *const names[] = {"forfeited", "substituted"};
    for (size_t i = 0; i < 2; i++) {
        int number = event.entrants[event.tables[0].entry[1]].number;
        (void)state;
        json_object_set_new(find_kind("result"), names[i], json_pack("[i]", number));
        write_file();
        expect_records_refused(BUNDLE_FAULT_RESULT);
        json_object_del(find_kind("result"), names[i]);
    }
}

static void a_missing_record_is_found(void **state)
{
    (void)state;
    json_array_remove(lines, json_array_size(lines) - 1);
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
}

static void a_record_twice_is_found(void **state)
{
    (void)state;
    json_array_append(lines, json_array_get(lines, json_array_size(lines) - 1));
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
}

static void a_record_that_does_not_hold_is_found(void **state)
{
    (void)state;
    json_t *line = json_array_get(lines, json_array_size(lines) - 1);
    char *record = strdup(json_string_value(json_object_get(line, "record")));
    assert_non_null(record);
    char *start = strstr(record, "\nstart 2026");
    assert_non_null(start);
    start[10] = '7';
    json_object_set_new(line, "record", json_string(record));
    free(record);
    write_file();
    expect_records_refused(BUNDLE_FAULT_RECORD);
}

static void signatures_that_do_not_hold_are_found(void **state)
{
    (void)state;
    json_t *line = json_array_get(lines, json_array_size(lines) - 1);
    char *signatures = strdup(json_string_value(json_object_get(line, "signatures")));
    assert_non_null(signatures);
    char *last = signatures + strlen(signatures) - 2;
    *last = *last == '0' ? '1' : '0';
    json_object_set_new(line, "signatures", json_string(signatures));
    write_file();
    expect_records_refused(BUNDLE_FAULT_RECORD);
    json_object_set_new(line, "signatures", json_string(""));
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, json_array_size(lines));
    json_object_del(line, "signatures");
    write_file();
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    assert_int_equal(bundle.records[0].signatures.length, 0);
    assert_true(bundle_check_records(&bundle, &replay, &fault));
    bundle_free(&bundle);
    free(signatures);
}

static void dealers_are_those_of_the_event(void **state)
{
    (void)state;
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    json_t *settings = find_kind("created");
    json_t *dealers = json_object_get(settings, "dealers");
    if (!bundle_check_records(&bundle, &replay, &fault))
        fail_msg("line %zu: %s: %s", fault.line, fault.code, fault.message);
    bundle_free(&bundle);

    json_object_del(settings, "dealers_seconds");
    write_file();
    expect_records_refused(BUNDLE_FAULT_WITHHELD);
    json_object_set_new(settings, "dealers_seconds", json_integer(1));

    json_t *last = json_incref(json_array_get(dealers, 2));
    json_array_remove(dealers, 2);
    write_file();
    expect_records_refused(BUNDLE_FAULT_DEALER);
    json_array_append_new(dealers,
                          json_pack("{s:o, s:s}", "key", json_incref(json_object_get(last, "key")),
                                    "name", "ben-0")); /* before the record's */
    write_file();
    expect_records_refused(BUNDLE_FAULT_NO_DEALER);
    json_array_set_new(dealers, 2, last);
    json_t *more = json_pack("{s:s, s:s}", "key",
                             "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
                             "name", "zoe");
    json_array_append_new(dealers, more);
    write_file();
    expect_records_refused(BUNDLE_FAULT_NO_DEALER);
    json_array_remove(dealers, 3);

    json_t *first = json_array_get(dealers, 0);
    json_object_set_new(
        first, "key",
        json_string("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"));
    write_file();
    expect_records_refused(BUNDLE_FAULT_DEALER);
}

/* An event without dealers whose record has some. */
static void dealers_of_no_event_are_found(void **state)
{
    (void)state;
    json_object_del(find_kind("created"), "dealers");
    write_file();
    expect_records_refused(BUNDLE_FAULT_DEALER);
}

static void everybody_has_a_name(void **state)
{
    (void)state;
    size_t at = line_of("closed"); /* the first player's line is the next */
    json_array_remove(lines, at);
    write_file();
    expect_refused(BUNDLE_FAULT_PLAYER, 0);
}

static void lines_have_their_order(void **state)
{
    (void)state;
    json_t *moved = json_incref(json_array_get(lines, json_array_size(lines) - 1));
    json_array_remove(lines, json_array_size(lines) - 1);
    json_array_insert_new(lines, line_of("closed"), moved);
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, line_of("closed") + 2);
}

static uint32_t luck = 1;

static uint32_t roll(uint32_t sides)
{
    luck = luck * 1664525U + 1013904223U;
    return (luck >> 8) % sides;
}

static json_t *any_value(void)
{
    static const char *const values[] = {
        "null", "-1",   "0",    "1",          "4",  "65536", "4294967297",  "9007199254740993",
        "1.5",  "true", "\"\"", "\"result\"", "[]", "{}",    "[[1,2,3,4]]", "[1]"};
    return json_loads(values[roll(sizeof values / sizeof *values)], JSON_DECODE_ANY, NULL);
}

/* Changes one value somewhere within an object or list. */
static void change_somewhere(json_t *within)
{
    size_t at = roll(
        (uint32_t)(json_is_object(within) ? json_object_size(within) : json_array_size(within)));
    void *member = json_object_iter(within);
    for (size_t i = 0; i < at && member != NULL; i++)
        member = json_object_iter_next(within, member);
    json_t *value =
        json_is_object(within) ? json_object_iter_value(member) : json_array_get(within, at);
    bool deeper = json_object_size(value) + json_array_size(value) > 0 && roll(4) > 0;
    if (deeper)
        change_somewhere(value);
    else if (json_is_object(within))
        json_object_iter_set_new(within, member, any_value());
    else
        json_array_set_new(within, at, any_value());
}

#ifdef PLAYOUTS_DEFAULT /* fewer, because the build is slow */
#define CHANGES 500
#else
#define CHANGES 1500
#endif

/* Sealed well, and wrong somewhere: it is refused with a reason, or what was changed is of no
 * account (a time, the actor, how a draw explains itself) and everything else still holds. */
static void whatever_is_changed_is_found(void **state)
{
    (void)state;
    json_t *whole = lines;
    unsigned refused = 0;
    for (unsigned i = 0; i < CHANGES; i++) {
        struct bundle bundle;
        struct bundle_fault fault = {.code = ""};
        lines = json_deep_copy(whole);
        change_somewhere(json_array_get(lines, roll((uint32_t)json_array_size(lines))));
        write_file();
        bool good = bundle_read((struct span){file, file_length}, &bundle, &fault);
        if (good) {
            assert_int_equal(bundle.tournament.entrant_count, 4);
            assert_int_equal(bundle.tournament.rounds_started, 1);
            good = bundle_check_records(&bundle, &replay, &fault);
            bundle_free(&bundle);
        }
        if (!good) {
            assert_int_not_equal(strlen(fault.code), 0);
            assert_int_not_equal(strlen(fault.message), 0);
            refused++;
        }
        json_decref(lines);
    }
    assert_in_range(refused, CHANGES * 2 / 3, CHANGES - 1);
    lines = whole;
}

/* ---- Other events ---- */

/* While it runs there is no secret, and what it would prove is not asked. */
static void a_running_event_keeps_its_secret(void **state)
{
    (void)state;
    json_object_set_new(json_array_get(lines, 0), "secret", json_null());
    json_t *table = json_array_get(json_object_get(find_kind("round_drawn"), "tables"), 0);
    json_t *moved = json_incref(json_array_get(table, 0));
    json_array_remove(table, 0);
    json_array_append_new(table, moved);
    json_t *seats = json_object_get(find_kind("result"), "seats");
    moved = json_incref(json_array_get(seats, 0));
    json_array_remove(seats, 0);
    json_array_append_new(seats, moved);
    write_file();
    struct bundle bundle = read_good();
    assert_false(bundle.revealed);
    assert_int_equal(bundle.draws, 0);
    bundle_free(&bundle);
}

/* An event from before these kinds of lines, told anew in one. */
static void what_stands_before_restated_is_for_people(void **state)
{
    (void)state;
    json_t *told = json_array(), *first = json_array();
    size_t i;
    json_t *each;
    json_array_foreach(lines, i, each)
    {
        if (json_object_get(each, "line") != NULL)
            json_array_append_new(told, json_pack("{sssOsOsO}", "actor", "", "at",
                                                  json_object_get(each, "at"), "detail",
                                                  json_object_get(each, "detail"), "kind",
                                                  json_object_get(each, "kind")));
        else if (i == 0) {
            json_array_append(first, each);
            json_array_append_new(first, json_loads("{\"actor\":\"\",\"at\":1,\"detail\":{\"old\":"
                                                    "true},\"kind\":\"created\",\"line\":1}",
                                                    0, NULL));
            json_array_append_new(first,
                                  json_pack("{sssis{so}sssi}", "actor", "", "at", 2, "detail",
                                            "lines", told, "kind", "restated", "line", 2));
        } else {
            json_array_append(first, each);
        }
    }
    json_decref(lines);
    lines = first;
    write_file();
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    assert_int_equal(bundle.lines, 2);
    assert_int_equal(bundle.finished_count, 1);
    assert_int_equal(bundle.tournament.phase, PHASE_CLOSED);
    assert_true(bundle_check_records(&bundle, &replay, &fault));
    bundle_free(&bundle);
    json_t *inner = json_array_get(
        json_object_get(json_object_get(json_array_get(lines, 2), "detail"), "lines"), 3);
    json_object_set_new(inner, "detail", json_null());
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, 3);
    json_array_remove(lines, 2);
    write_file();
    expect_refused(BUNDLE_FAULT_LOG, 2);
}

static void play_all(const char *settings, unsigned players, unsigned rounds)
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

static void every_format_is_drawn_again(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        unsigned players, rounds;
    } events[] = {
        {"{'name':'A','ruleset':'shinjuku','format':'pod_swiss','rounds':4,'seats_min':3,"
         "'seats_max':4}",
         11, 4},
        {"{'name':'B','ruleset':'shinjuku','format':'dutch','rounds':4}", 9, 4},
        {"{'name':'C','ruleset':'shinjuku','format':'round_robin'}", 5, 5},
        {"{'name':'D','ruleset':'shinjuku','stages':[{'format':'pod_swiss','rounds':2,'seats_min':"
         "4,'seats_max':4},{'format':'single_elimination','entrants':4}]}",
         8, 4},
    };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        play_all(events[i].settings, events[i].players, events[i].rounds);
        struct bundle bundle = read_good();
        struct rating *ratings = calloc(events[i].players, sizeof *ratings);
        assert_non_null(ratings);
        assert_int_equal(bundle.draws, events[i].rounds);
        assert_false(bundle.with_records);
        assert_true(bundle_rate(&bundle, false, ratings) > 0);
        free(ratings);
        bundle_free(&bundle);
        json_decref(lines);
        tournament_free(&event);
    }
}

/* Later rounds are read from the schedule that the first one tells: it has to come from the secret,
 * also where nothing else in the bundle contradicts it. */
static void another_schedule_is_found(void **state)
{
    (void)state;
    play_all("{'name':'E','ruleset':'shinjuku','format':'pod_round_robin','rounds':3,'seats_min':3,"
             "'seats_max':4}",
             11, 1);
    struct bundle bundle = read_good();
    bundle_free(&bundle);
    json_t *quality = json_object_get(find_kind("round_drawn"), "quality");
    json_t *division = json_array_get(json_object_get(quality, "divisions"), 0);
    json_t *third = json_array_get(json_object_get(division, "schedule"), 2);
    json_t *moved = json_incref(json_array_get(json_array_get(third, 0), 0));
    json_t *other = json_array_get(json_array_get(third, 1), 0);
    json_array_set(json_array_get(third, 0), 0, other);
    json_array_set_new(json_array_get(third, 1), 0, moved);
    write_file();
    expect_refused(BUNDLE_FAULT_DRAW, line_of("round_drawn"));
    json_decref(lines);
    tournament_free(&event);
}

/* ---- Duplicate events ---- */

/* Two rounds of two boards for seven at tables of three; player 7 drops out in the first. */
static void play_boards(void)
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

static void boards_are_drawn_again(void **state)
{
    (void)state;
    play_boards();
    struct bundle bundle = read_good();
    struct duplicate_ranking ranking;
    struct refusal refusal;
    struct duplicate_board drawn;
    assert_int_equal(bundle.draws, 4);
    assert_int_equal(bundle.round_count, 2);
    assert_int_equal(bundle.rounds[1].commitment[31], 2);
    assert_true(duplicate_ranking_make(&bundle.tournament, &bundle.chance, 2, &ranking, &refusal));
    assert_int_equal(ranking.boards, 4);
    assert_int_equal(ranking.count, 24);
    assert_int_equal(ranking.standings.count, 7);
    duplicate_ranking_free(&ranking);
    /* No board is to come. */
    assert_false(duplicate_board_pairing(&bundle.tournament, &bundle.chance, &drawn, &refusal));
    assert_string_equal(refusal.code, DUPLICATE_REFUSAL_INPUT);
    bundle_free(&bundle);
    json_decref(lines);
    tournament_free(&event);
}

static void another_board_is_found(void **state)
{
    (void)state;
    play_boards();
    json_t *first = json_array_get(json_object_get(find_kind("board_started"), "tables"), 0);
    json_t *moved = json_incref(json_array_get(first, 0));
    json_array_remove(first, 0);
    json_array_append_new(first, moved);
    write_file();
    expect_refused(BUNDLE_FAULT_DRAW, line_of("board_started"));
    json_decref(lines);
    tournament_free(&event);
}

/* Nobody but a forger begins more rounds than are planned: there are no streams to draw them from.
 */
static void boards_beyond_the_last_are_refused(void **state)
{
    (void)state;
    const struct chance chance = event_chance();
    struct duplicate_board drawn;
    struct refusal refusal;
    tell_entries(&event,
                 "{'name':'B','ruleset':'shinjuku','format':'duplicate','boards':32,'rounds':2,"
                 "'seats_preferred':2}",
                 2);
    assert_false(duplicate_board_pairing(&event, &chance, &drawn, &refusal));
    assert_string_equal(refusal.code, DUPLICATE_REFUSAL_INPUT);
    for (unsigned round = 1; round <= 3; round++) {
        tell(&event, "round_started", "{'round':%u,'boards':1,'attempt':1,'commitment':'%064u'}",
             round, round);
        bool is_drawn = duplicate_board_pairing(&event, &chance, &drawn, &refusal);
        assert_int_equal(is_drawn, round <= 2);
        if (is_drawn)
            duplicate_board_free(&drawn);
        else
            assert_string_equal(refusal.code, DUPLICATE_REFUSAL_INPUT);
        tell(&event, "board_started",
             "{'round':%u,'board':1,'first_table':1,'tables':[[1,2]],'byes':[]}", round);
        tell_result(&event, round, 1, "1 2");
    }
    tournament_free(&event);
}

/* ---- House players ---- */

/* On their own list, unless the event says otherwise. */
static void games_with_house_players_are_rated_apart(void **state)
{
    (void)state;
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    struct rating ratings[4];
    const struct rating initial = rating_initial();
    if (!bundle_check_records(&bundle, &replay, &fault))
        fail_msg("line %zu: %s: %s", fault.line, fault.code, fault.message);
    assert_int_equal(bundle.tournament.tables[0].house, 1U << (house_seat + 1) % 4);
    assert_int_equal(bundle_rate(&bundle, false, ratings), 0);
    for (unsigned entry = 0; entry < 4; entry++)
        assert_memory_equal(&ratings[entry], &initial, sizeof initial);
    assert_int_equal(bundle_rate(&bundle, true, ratings), 1);
    assert_memory_not_equal(&ratings[3], &initial, sizeof initial);
    bundle.tournament.settings.rate_house = true;
    assert_int_equal(bundle_rate(&bundle, true, ratings), 0);
    assert_int_equal(bundle_rate(&bundle, false, ratings), 1);
    bundle.tournament.settings.rate_house = false;
    bundle.tournament.entrants[3].house = HOUSE_NONE;
    assert_int_equal(bundle_rate(&bundle, true, ratings), 1); /* the substitute is one, too */
    bundle.tournament.tables[0].house = 0;
    assert_int_equal(bundle_rate(&bundle, true, ratings), 0);
    bundle_free(&bundle);
}

/* Who decided at which level is in the records; the log cannot say anything else. */
static void house_players_of_another_log_are_found(void **state)
{
    (void)state;
    json_t *result = find_kind("result");
    json_t *mark = json_incref(json_object_get(result, "house"));
    json_object_del(result, "house");
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    json_object_set_new(result, "house",
                        json_pack("[i]", event.entrants[event.tables[0].entry[house_seat]].number));
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    json_object_set_new(result, "house", mark);
    json_t *entered = NULL, *line;
    size_t i;
    json_array_foreach(lines, i, line)
    {
        json_t *detail = json_object_get(line, "detail");
        if (json_object_get(detail, "player") != NULL && json_object_get(detail, "house") != NULL)
            entered = detail;
    }
    json_object_set_new(entered, "house", json_string("regular"));
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    json_object_del(entered, "house");
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    json_object_set_new(entered, "house", json_string("strong")); /* above the event's level */
    write_file();
    expect_refused(BUNDLE_FAULT_LOG, line_of("entered") + 4);
}

/* ---- Games that count for nothing ---- */

static json_t *record_line(size_t attempt)
{
    return json_array_get(lines, json_array_size(lines) - GAMES_MOST + attempt - 1);
}

static void every_game_of_a_table_is_there(void **state)
{
    (void)state;
    struct bundle bundle = read_good();
    struct bundle_fault fault;
    struct rating ratings[4];
    assert_int_equal(bundle.version, BUNDLE_VERSION);
    assert_int_equal(bundle.record_count, 3);
    assert_int_equal(bundle_count_earlier(&bundle, 0), 2);
    assert_false(bundle.earlier[0].was.played);
    assert_true(bundle.earlier[1].was.played);
    if (!bundle_check_records(&bundle, &replay, &fault))
        fail_msg("line %zu: %s: %s", fault.line, fault.code, fault.message);
    assert_int_equal(bundle_rate(&bundle, false, ratings), 1);
    bundle_free(&bundle);
}

static void no_game_of_a_table_can_be_left_out(void **state)
{
    (void)state;
    json_t *whole = lines;
    for (size_t attempt = 1; attempt <= GAMES_MOST; attempt++) {
        lines = json_copy(whole);
        json_array_remove(lines, json_array_size(lines) - GAMES_MOST + attempt - 1);
        write_file();
        expect_records_refused(BUNDLE_FAULT_RESULT);
        json_decref(lines);
    }
    lines = json_copy(whole);
    json_array_append(lines, json_array_get(lines, json_array_size(lines) - 1));
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    json_decref(lines);
    lines = whole;
}

/* One attempt told for another: a void game for one that was played, and so on. */
static void games_of_a_table_have_their_order(void **state)
{
    (void)state;
    for (size_t i = 1; i <= GAMES_MOST; i++)
        for (size_t j = i + 1; j <= GAMES_MOST; j++) {
            json_t *one = json_incref(json_object_get(record_line(i), "attempt"));
            json_object_set(record_line(i), "attempt", json_object_get(record_line(j), "attempt"));
            json_object_set(record_line(j), "attempt", one);
            write_file();
            expect_records_refused(BUNDLE_FAULT_RESULT);
            json_object_set(record_line(j), "attempt", json_object_get(record_line(i), "attempt"));
            json_object_set_new(record_line(i), "attempt", one);
        }
    json_object_set_new(record_line(1), "attempt", json_integer(0));
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, json_array_size(lines) - 2);
}

/* The log has a result of what its record says is void, or the other way round. */
static void void_games_have_no_result(void **state)
{
    (void)state;
    json_t *game = json_incref(json_object_get(record_line(1), "game"));
    json_object_set(find_kind("result"), "game", game);
    json_object_set(record_line(2), "game", game);
    json_object_set(record_line(2), "record", json_object_get(record_line(1), "record"));
    json_object_set(record_line(2), "signatures", json_object_get(record_line(1), "signatures"));
    json_decref(game);
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
}

/* The first version of bundles has the records that count and no others. */
static void bundles_of_version_1_are_read(void **state)
{
    (void)state;
    struct bundle_fault fault;
    json_object_set_new(json_array_get(lines, 0), "bundle", json_integer(1));
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, json_array_size(lines) - 2);
    json_array_remove(lines, json_array_size(lines) - 3);
    json_array_remove(lines, json_array_size(lines) - 2);
    json_object_del(json_array_get(lines, json_array_size(lines) - 1), "attempt");
    write_file();
    struct bundle bundle = read_good();
    assert_int_equal(bundle.version, 1);
    assert_true(bundle_check_records(&bundle, &replay, &fault));
    bundle_free(&bundle);
    json_array_append(lines, json_array_get(lines, json_array_size(lines) - 1));
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    json_array_remove(lines, json_array_size(lines) - 1);
    json_array_remove(lines, json_array_size(lines) - 1);
    write_file();
    expect_records_refused(BUNDLE_FAULT_RESULT);
    json_object_set_new(json_array_get(lines, 0), "bundle", json_integer(BUNDLE_VERSION + 1));
    write_file();
    expect_refused(BUNDLE_FAULT_LINE, 1);
}

static int start(void **state)
{
    (void)state;
    return sodium_init() < 0 ? -1 : 0;
}

#define BUNDLE_TEST(test) cmocka_unit_test_setup_teardown(test, play_event, forget_event)
#define ANEW_TEST(test)   cmocka_unit_test_setup_teardown(test, play_anew, forget_event)

#define RECORDED_TEST(test) cmocka_unit_test_setup_teardown(test, record_event, forget_event)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BUNDLE_TEST(an_event_is_made_again_from_its_bundle),
        BUNDLE_TEST(ratings_are_made_from_the_first_game_on),
        BUNDLE_TEST(a_game_with_a_forfeit_is_not_rated),
        BUNDLE_TEST(who_was_replaced_is_not_rated),
        cmocka_unit_test_setup_teardown(games_with_house_players_are_rated_apart, play_house_event,
                                        forget_event),
        cmocka_unit_test_setup_teardown(house_players_of_another_log_are_found, play_house_event,
                                        forget_event),
        BUNDLE_TEST(a_changed_byte_is_found),
        BUNDLE_TEST(a_missing_end_is_found),
        BUNDLE_TEST(there_is_one_way_to_write_it),
        BUNDLE_TEST(another_secret_is_found),
        BUNDLE_TEST(another_draw_is_found),
        BUNDLE_TEST(other_numbers_are_found),
        BUNDLE_TEST(a_log_that_cannot_be_is_found),
        BUNDLE_TEST(another_result_is_found),
        BUNDLE_TEST(a_mark_that_is_not_in_the_record_is_found),
        BUNDLE_TEST(a_missing_record_is_found),
        BUNDLE_TEST(a_record_twice_is_found),
        BUNDLE_TEST(a_record_that_does_not_hold_is_found),
        BUNDLE_TEST(signatures_that_do_not_hold_are_found),
        cmocka_unit_test_setup_teardown(dealers_are_those_of_the_event, play_dealt_event,
                                        forget_event),
        cmocka_unit_test_setup_teardown(dealers_of_no_event_are_found, play_dealt_event,
                                        forget_event),
        BUNDLE_TEST(everybody_has_a_name),
        BUNDLE_TEST(lines_have_their_order),
        BUNDLE_TEST(whatever_is_changed_is_found),
        BUNDLE_TEST(a_running_event_keeps_its_secret),
        BUNDLE_TEST(what_stands_before_restated_is_for_people),
        ANEW_TEST(every_game_of_a_table_is_there),
        ANEW_TEST(no_game_of_a_table_can_be_left_out),
        ANEW_TEST(games_of_a_table_have_their_order),
        ANEW_TEST(void_games_have_no_result),
        ANEW_TEST(bundles_of_version_1_are_read),
        cmocka_unit_test_setup_teardown(reports_are_folded_and_not_rated, report_event,
                                        forget_event),
        cmocka_unit_test_setup_teardown(a_forged_confirmation_is_found, report_event, forget_event),
        RECORDED_TEST(a_scorers_record_is_replayed),
        RECORDED_TEST(a_missing_scorers_record_is_found),
        RECORDED_TEST(a_scorers_record_that_does_not_hold_is_found),
        RECORDED_TEST(a_scorers_record_as_a_proved_one_is_found),
        RECORDED_TEST(a_scorers_record_of_another_id_is_found),
        cmocka_unit_test_teardown(another_scorers_record_is_found, forget_event),
        cmocka_unit_test_teardown(a_result_that_is_not_the_records_is_found, forget_event),
        cmocka_unit_test(every_format_is_drawn_again),
        cmocka_unit_test(another_schedule_is_found),
        cmocka_unit_test(boards_are_drawn_again),
        cmocka_unit_test(another_board_is_found),
        cmocka_unit_test(boards_beyond_the_last_are_refused),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
