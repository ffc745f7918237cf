/* Two-seat Swiss events through the fold: the pairings of another program (vectors/dutch), and
 * those of the Dutch system asked without an event. */
#include <stdio.h>

#include "engine/tournament/pairing/pairing.h"
#include "source_dir.h"
#include "tests/engine/support/told_event.h"
#include "tests/engine/tournament/formats/dutch/dutch_event.h"
#include "tests/test.h"

static struct event made_up; /* who comes, leaves and wins */
static struct tournament told;
static struct chance chance;
static void *work;
static unsigned seats_without_anybody;

static void set_initial_colour(void)
{
    struct chance_stream stream;
    do {
        chance.seed[0]++;
        chance_open(&stream, &chance, "colour/1", 0);
    } while ((chance_uniform(&stream, 2) == 0) != (made_up.initial == DUTCH_WHITE));
}

static void begin(uint64_t number)
{
    char settings[200];
    event_start(&made_up, number);
    set_initial_colour();
    bool three = made_up.points.win > POINTS_PER_POINT;
    snprintf(settings, sizeof settings,
             "{'name':'Dutch','ruleset':'shinjuku','format':'dutch','rounds':%u,'scoring':%s}",
             made_up.rounds, three ? "{'scheme':'3-1-0','pairing_bye':1}" : "'1-half-0'");
    tell_entries(&told, settings, made_up.count);
    for (size_t i = 0; i < made_up.forbidden_count; i++) {
        const struct dutch_forbidden *pair = &made_up.forbidden[i];
        bool again = false;
        for (size_t j = 0; j < i; j++)
            again = again ||
                    (made_up.forbidden[j].a == pair->a && made_up.forbidden[j].b == pair->b) ||
                    (made_up.forbidden[j].a == pair->b && made_up.forbidden[j].b == pair->a);
        if (!again)
            tell(&told, "kept_apart", "{'players':[<%u>,<%u>],'weight':'forbidden'}", pair->a + 1U,
                 pair->b + 1U);
    }
}

/* Absent players are told to have dropped out, and return later. */
static void tell_presence(unsigned round)
{
    for (unsigned i = 0; i < made_up.count; i++) {
        uint8_t kind = made_up.results[i][round - 1].kind;
        bool out = (told.entrants[i].out >> (round - 1) & 1) != 0;
        if (kind == ROUND_ABSENT && !out)
            tell(&told, "dropped", "{'player':<%u>,'after':%u}", i + 1, round - 1);
        if (kind != ROUND_ABSENT && out)
            tell(&told, "returned", "{'player':<%u>,'from':%u}", i + 1, round);
        if (kind == ROUND_FULL_BYE || kind == ROUND_HALF_BYE || kind == ROUND_ZERO_BYE)
            tell(&told, "bye_granted", "{'player':<%u>,'round':%u,'kind':'%s'}", i + 1, round,
                 kind == ROUND_FULL_BYE   ? "full"
                 : kind == ROUND_HALF_BYE ? "half"
                                          : "zero");
    }
}

static void take_pairing(const struct pairing *pairing)
{
    struct refusal refusal;
    json_t *stage = pairing_stage_line(&told, pairing), *round = pairing_round_line(&told, pairing);
    if (stage != NULL) {
        const struct tournament_line line = {told.lines + 1, told.last_ms, "", "stage_started",
                                             stage};
        assert_true(tournament_apply(&told, &line, &refusal));
    }
    const struct tournament_line line = {told.lines + 1, told.last_ms, "", "round_drawn", round};
    assert_true(tournament_apply(&told, &line, &refusal));
    json_decref(stage);
    json_decref(round);
    tell(&told, "round_started", "{'round':%u,'deadline':null}", told.rounds_started + 1U);
}

/* Where neither has come, the game may just as well be void: at every other of these tables. */
static const char *rank_of(const struct dutch_result *own, const struct dutch_result *other)
{
    if (round_kind_is_played(own->kind))
        return own->points >= other->points ? "1" : "2";
    if (own->kind == ROUND_FORFEIT_WIN)
        return "1+";
    if (other->kind == ROUND_FORFEIT_WIN)
        return "2-";
    return seats_without_anybody++ / 2 % 2 == 0 ? "1v" : "1-";
}

/* The results that the made-up event has for the round. */
static void tell_made_up(unsigned round)
{
    for (unsigned n = 1; n <= told.rounds[round - 1].table_count; n++) {
        const struct tournament_table *table = tournament_table(&told, round, n);
        const struct dutch_result *white = &made_up.results[table->entry[0]][round - 1];
        const struct dutch_result *black = &made_up.results[table->entry[1]][round - 1];
        char ranks[8];
        snprintf(ranks, sizeof ranks, "%s %s", rank_of(white, black), rank_of(black, white));
        if (round_kind_is_played(white->kind))
            tell_result(&told, round, n, ranks);
        else
            tell_ruling(&told, round, n, ranks);
    }
}

/* The same pairs at the same tables, and the same bye. */
static void expect_pairs(const struct pairing *pairing, const struct dutch_pair *pairs,
                         size_t count)
{
    size_t byes = 0;
    for (size_t i = 0; i < pairing->bye_count; i++) {
        if (pairing->byes[i].kind != ROUND_PAIRING_BYE)
            continue;
        byes++;
        assert_int_equal(pairs[count - 1].white, pairing->byes[i].entry);
        assert_int_equal(pairs[count - 1].black, DUTCH_NOBODY);
    }
    assert_int_equal(pairing->table_count + byes, count);
    for (size_t t = 0; t < pairing->table_count; t++) {
        assert_int_equal(pairing->tables[t].entry[0], pairs[t].white);
        assert_int_equal(pairing->tables[t].entry[1], pairs[t].black);
    }
}

static bool has_pair(const struct pairing *pairing, const struct dutch_pair *pair)
{
    for (size_t t = 0; t < pairing->table_count; t++)
        if (pairing->tables[t].entry[0] == pair->white &&
            pairing->tables[t].entry[1] == pair->black)
            return true;
    for (size_t i = 0; i < pairing->bye_count; i++)
        if (pairing->byes[i].entry == pair->white && pair->black == DUTCH_NOBODY)
            return pairing->byes[i].kind == ROUND_PAIRING_BYE;
    return false;
}

static unsigned count_present(void)
{
    unsigned present = 0;
    for (unsigned i = 0; i < made_up.count; i++)
        present += made_up.players[i].present;
    return present;
}

/* False if there was no pairing: the event ends. */
static bool replay_round(struct span line)
{
    struct dutch_pair pairs[EVENT_PLAYERS_MAX];
    struct dutch_request request = event_open(&made_up);
    struct refusal refusal = {"", ""};
    struct pairing pairing;
    unsigned round = made_up.played + 1U;
    size_t count;
    tell_presence(round);
    bool drawn = pairing_next(&told, &chance, 1, &pairing, &refusal);
    if (count_present() < 2) {
        assert_false(drawn);
        assert_string_equal(refusal.code, PAIRING_REFUSAL_TOO_FEW);
        return false;
    }
    bool none = span_is(line, "none");
    assert_int_equal(drawn, !none);
    if (none) {
        assert_string_equal(refusal.code, DUTCH_REFUSAL_IMPOSSIBLE);
        return false;
    }
    assert_true(event_read_pairs(&made_up, line, pairs, &count));
    for (size_t i = 0; i < count; i++)
        assert_true(has_pair(&pairing, &pairs[i]));
    assert_true(dutch_pair_round(&request, work, pairs, &count, &refusal));
    expect_pairs(&pairing, pairs, count);
    event_play(&made_up, pairs, count);
    take_pairing(&pairing);
    tell_made_up(round);
    pairing_free(&pairing);
    return true;
}

/* Every day one of four events is played. */
TEST(test_vectors)
{
    const unsigned every = getenv("TILLROLL_LONG") == NULL ? 4 : 1;
    const char *path = TILLROLL_SOURCE_DIR "/tests/engine/vectors/dutch/pairings.txt";
    FILE *file = fopen(path, "rb");
    char *text = malloc(1 << 20);
    unsigned rounds = 0, events = 0;
    bool playing = false;
    assert_non_null(file);
    assert_non_null(text);
    struct span rest = {text, fread(text, 1, 1 << 20, file)}, line;
    assert_int_equal(fclose(file), 0);
    work = malloc(dutch_work_size(EVENT_PLAYERS_MAX));
    while (span_line(&rest, &line)) {
        struct span number = line;
        uint64_t value;
        if (span_is(span_word(&number), "event")) {
            assert_true(span_number(number, UINT32_MAX, &value));
            playing = events++ % every == 0;
            if (!playing)
                continue;
            tournament_free(&told);
            begin(value);
        } else if (playing) {
            playing = replay_round(line);
            rounds++;
        }
    }
    tournament_free(&told);
    free(work);
    free(text);
    assert_true(seats_without_anybody >= 4);
    assert_true(events >= 700);
    assert_true(rounds >= 4000 / every);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
