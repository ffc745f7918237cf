/* Events that are drawn and played to the end by the log alone, for the tests of draws: every draw
 * is checked, written down as lines and applied, every table gets a result by lot. */
#ifndef TILLROLL_TESTS_ENGINE_TOURNAMENT_PAIRING_PAIRING_EVENT_H
#define TILLROLL_TESTS_ENGINE_TOURNAMENT_PAIRING_PAIRING_EVENT_H

#include <stdlib.h>
#include <string.h>

#include "engine/tournament/formats/knockout/elimination.h"
#include "engine/tournament/formats/knockout/pod_elimination.h"
#include "engine/tournament/pairing/pairing.h"
#include "tests/engine/support/told_event.h"
#include "tests/test.h"

static struct tournament event;
static struct chance chance;
static uint64_t luck;

/* splitmix64. */
static inline uint32_t roll(uint32_t sides)
{
    luck += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t x = luck;
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((x ^ x >> 31) >> 32) % sides;
}

static inline void set_luck(uint8_t number)
{
    luck = number;
    chance = (struct chance){.stacks = NULL};
    memset(chance.seed, number, sizeof chance.seed);
}

static inline int clear(void **state)
{
    (void)state;
    tournament_free(&event);
    return 0;
}

/* The event anew, with these settings (' for ") and players, drawn by this luck. */
static inline void begin(const char *settings, unsigned players, uint8_t number)
{
    tournament_free(&event);
    set_luck(number);
    tell_entries(&event, settings, players);
}

static inline bool line(struct tournament *to, const char *kind, json_t *detail,
                        struct refusal *refusal)
{
    const struct tournament_line each = {.number = to->lines + 1,
                                         .at_ms = 1000 * ((int64_t)to->lines + 1),
                                         .actor = "",
                                         .kind = kind,
                                         .detail = detail};
    bool taken = tournament_apply(to, &each, refusal);
    json_decref(detail);
    return taken;
}

static inline void take(const char *kind, json_t *detail)
{
    struct refusal refusal = {"", ""};
    if (!line(&event, kind, detail, &refusal))
        fail_msg("%s: %s: %s", kind, refusal.code, refusal.message);
}

/* ---- What every draw has to keep ---- */

static inline bool is_fixed(enum tournament_format format)
{
    return format != FORMAT_POD_SWISS && format != FORMAT_DUTCH;
}

/* Nobody twice; who is there and in the stage once, but in brackets and leagues, where some have no
 * part in a round. */
static inline void expect_everybody_once(const struct pairing *pairing)
{
    const struct stage_settings *stage = &event.settings.stage[pairing->stage];
    static uint8_t seen[TOURNAMENT_ENTRIES_MAX];
    memset(seen, 0, sizeof seen);
    for (size_t t = 0; t < pairing->table_count; t++)
        for (unsigned seat = 0; seat < pairing->tables[t].seats; seat++) {
            uint16_t entry = pairing->tables[t].entry[seat];
            assert_int_equal(seen[entry]++, 0);
            if (!is_fixed(stage->format))
                assert_int_equal(tournament_presence(&event, entry, pairing->round), ROUND_PLAYED);
        }
    for (size_t i = 0; i < pairing->bye_count; i++) {
        enum round_kind kind = tournament_presence(&event, pairing->byes[i].entry, pairing->round);
        assert_int_equal(seen[pairing->byes[i].entry]++, 0);
        assert_int_equal(pairing->byes[i].kind, kind == ROUND_PLAYED ? ROUND_PAIRING_BYE : kind);
    }
    const uint16_t *entries =
        pairing->begins_stage ? pairing->entries : event.stage[pairing->stage].entries;
    size_t count =
        pairing->begins_stage ? pairing->entry_count : event.stage[pairing->stage].entry_count;
    bool all = !is_fixed(stage->format) || stage->format == FORMAT_ROUND_ROBIN ||
               stage->format == FORMAT_POD_ROUND_ROBIN;
    for (size_t i = 0; all && i < count; i++)
        assert_int_equal(seen[entries[i]], 1);
}

static inline bool sit_together(const struct pairing_table *table, uint16_t a, uint16_t b)
{
    unsigned found = 0;
    for (unsigned seat = 0; seat < table->seats; seat++)
        found += table->entry[seat] == a || table->entry[seat] == b;
    return found == 2;
}

static inline void expect_kept_apart(const struct pairing *pairing)
{
    if (is_fixed(event.settings.stage[pairing->stage].format))
        return;
    for (size_t i = 0; i < event.pair_count; i++)
        for (size_t t = 0; event.pairs[i].weight == POD_FORBIDDEN && t < pairing->table_count; t++)
            assert_false(sit_together(&pairing->tables[t], event.pairs[i].a, event.pairs[i].b));
}

static inline bool same_pairing(const struct pairing *a, const struct pairing *b)
{
    bool same = a->round == b->round && a->stage == b->stage && a->attempt == b->attempt &&
                a->table_count == b->table_count && a->bye_count == b->bye_count &&
                a->begins_stage == b->begins_stage && a->entry_count == b->entry_count &&
                json_equal(a->quality, b->quality);
    for (size_t t = 0; same && t < a->table_count; t++)
        same = a->tables[t].seats == b->tables[t].seats &&
               a->tables[t].match == b->tables[t].match &&
               memcmp(a->tables[t].entry, b->tables[t].entry, sizeof a->tables[t].entry) == 0;
    for (size_t i = 0; same && i < a->bye_count; i++)
        same = a->byes[i].entry == b->byes[i].entry && a->byes[i].kind == b->byes[i].kind;
    return same;
}

/* The draw itself, taken as a change by hand, is not worse in anything, and seats the same. What is
 * compared is drawn anew for that, so this asks too whether a draw comes out the same twice. */
static inline void expect_no_worse(const struct pairing *pairing)
{
    struct pairing changed;
    struct refusal refusal = {"", ""};
    if (!pairing_change(&event, &chance, pairing->attempt, pairing, NULL, &changed, &refusal))
        fail_msg("draw_change: %s: %s", refusal.code, refusal.message);
    const json_t *worse = json_object_get(changed.quality, "worse");
    assert_true(json_is_array(worse));
    assert_int_equal(json_array_size(worse), 0);
    assert_true(json_equal(json_object_get(changed.quality, "drawn"),
                           json_object_get(changed.quality, "changed")));
    json_decref(changed.quality);
    changed.quality = json_incref(pairing->quality);
    assert_true(same_pairing(pairing, &changed));
    pairing_free(&changed);
}

static inline void expect_lawful(const struct pairing *pairing)
{
    expect_everybody_once(pairing);
    expect_kept_apart(pairing);
    expect_no_worse(pairing);
}

/* ---- A round ---- */

/* Draws the next round; false with the code of the refusal. Free the draw. */
static inline bool try_draw(struct pairing *pairing, const char **code)
{
    struct refusal refusal = {"", ""};
    bool drawn = pairing_next(&event, &chance, event.attempts + 1U, pairing, &refusal);
    *code = refusal.code;
    if (drawn)
        expect_lawful(pairing);
    return drawn;
}

static inline void write_draw(const struct pairing *pairing)
{
    json_t *stage = pairing_stage_line(&event, pairing);
    assert_int_equal(stage != NULL, pairing->begins_stage);
    if (stage != NULL)
        take("stage_started", stage);
    take("round_drawn", pairing_round_line(&event, pairing));
}

static inline void start_round(void)
{
    take("round_started", json_pack("{sisn}", "round", event.rounds_started + 1, "deadline"));
}

/* Ranks by lot; with `level` percent everybody shares the first place. */
static inline void roll_ranks(unsigned seats, unsigned level, int *rank)
{
    bool shared = roll(100) < level;
    for (unsigned i = 0; i < seats; i++)
        rank[i] = shared ? 1 : (int)i + 1;
    for (unsigned i = seats; i-- > 1;) {
        unsigned j = roll(i + 1);
        int kept = rank[i];
        rank[i] = rank[j];
        rank[j] = kept;
    }
}

/* Rules that entries that are out have forfeited, and that the others share the first place. */
static inline bool rule_forfeits(const struct tournament_table *table)
{
    json_t *seats = json_array();
    int there = 0;
    for (unsigned i = 0; i < table->seats; i++)
        there += tournament_presence(&event, table->entry[i], table->round) == ROUND_PLAYED;
    for (unsigned i = 0; i < table->seats; i++) {
        bool present = tournament_presence(&event, table->entry[i], table->round) == ROUND_PLAYED;
        json_array_append_new(seats, json_pack("[iiis]", event.entrants[table->entry[i]].number,
                                               present ? 1 : there + 1, 0,
                                               present ? "forfeit_win" : "forfeit_loss"));
    }
    if (there == table->seats) {
        json_decref(seats);
        return false;
    }
    take("ruled", json_pack("{sisisoss}", "round", table->round, "table", table->table, "seats",
                            seats, "reason", "out of the event"));
    return true;
}

static inline void play_table(const struct tournament_table *table, unsigned level)
{
    int rank[TOURNAMENT_SEATS_MAX];
    json_t *seats = json_array();
    roll_ranks(table->seats, level, rank);
    for (unsigned i = 0; i < table->seats; i++)
        json_array_append_new(seats, json_pack("[iii]", event.entrants[table->entry[i]].number,
                                               rank[i], 10 * (table->seats - rank[i])));
    take("result", json_pack("{sisissso}", "round", table->round, "table", table->table, "game",
                             told_id(9000U + table->table % 900U), "seats", seats));
}

/* Gives every table of the running round a result. */
static inline void play_round(unsigned level)
{
    for (unsigned n = 1; n <= event.rounds[event.rounds_started - 1].table_count; n++) {
        const struct tournament_table *table = tournament_table(&event, event.rounds_started, n);
        if (!rule_forfeits(table))
            play_table(table, level);
    }
}

/* Draws, starts and plays a round. */
static inline bool whole_round(unsigned level, const char **code)
{
    struct pairing pairing;
    if (!try_draw(&pairing, code))
        return false;
    write_draw(&pairing);
    pairing_free(&pairing);
    start_round();
    play_round(level);
    return true;
}

/* JSON with single quotes. */
static inline json_t *parse(const char *text)
{
    char bytes[400];
    size_t length = strlen(text);
    assert_true(length < sizeof bytes);
    for (size_t i = 0; i <= length; i++)
        bytes[i] = (char)(text[i] == '\'' ? '"' : text[i]);
    json_t *value = json_loads(bytes, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    return value;
}

/* An event of Shinjuku with these settings, open for entries. */
static inline void open_entries(const char *fields)
{
    struct tournament_settings settings;
    struct settings_fault fault = {.field = ""};
    json_t *document = parse(fields);
    json_object_set_new(document, "name", json_string("Entries"));
    json_object_set_new(document, "ruleset", json_string("shinjuku"));
    if (!settings_read(document, true, &settings, &fault))
        fail_msg("%s %s", fault.field, fault.message);
    json_t *written = settings_write(&settings);
    json_decref(document);
    tournament_free(&event);
    tournament_init(&event);
    take("created", written);
    tell(&event, "entries_opened", "{}");
}

#endif
