/* The Dutch system: against the pairings of another program, against all pairings of small fields,
 * and by its properties. */
#include <stdio.h>

#include "source_dir.h"
#include "tests/engine/tournament/formats/dutch/dutch_event.h"
#include "tests/engine/tournament/formats/dutch/dutch_reference.h"
#include "tests/test.h"

static struct event event;
static void *work;
static char *stored;
static size_t stored_length;

FIXTURE(set_up)
{
    const char *path = TILLROLL_SOURCE_DIR "/tests/engine/vectors/dutch/pairings.txt";
    FILE *file = fopen(path, "rb");
    work = malloc(dutch_work_size(EVENT_PLAYERS_MAX));
    stored = malloc(1 << 20);
    if (file == NULL || work == NULL || stored == NULL)
        return -1;
    stored_length = fread(stored, 1, 1 << 20, file);
    return fclose(file);
}

FIXTURE(tear_down)
{
    free(work);
    free(stored);
    return 0;
}

/* ---- Against another program ---- */

static int compare_whites(const void *a, const void *b)
{
    const struct dutch_pair *first = a, *second = b;
    return (int)first->white - (int)second->white;
}

static void sort_by_white(struct dutch_pair *pairs, size_t count)
{
    qsort(pairs, count, sizeof *pairs, compare_whites);
}

static void assert_same_pairs(const struct dutch_pair *pairs, size_t count,
                              struct dutch_pair *expected, size_t expected_count)
{
    struct dutch_pair sorted[EVENT_PLAYERS_MAX];
    memcpy(sorted, pairs, count * sizeof *pairs);
    sort_by_white(sorted, count);
    sort_by_white(expected, expected_count);
    assert_int_equal(count, expected_count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(sorted[i].white, expected[i].white);
        assert_int_equal(sorted[i].black, expected[i].black);
    }
}

/* What a pairing has to keep whatever it is compared with. */
static void assert_lawful(const struct dutch_request *request, const struct dutch_pair *pairs,
                          size_t count)
{
    size_t present = 0, paired = 0;
    for (size_t i = 0; i < request->player_count; i++)
        present += request->players[i].present;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pairs[i].cost[DUTCH_C1], 0);
        assert_int_equal(pairs[i].cost[DUTCH_C2], 0);
        assert_int_equal(pairs[i].cost[DUTCH_C3], 0);
        assert_true(pairs[i].black != DUTCH_NOBODY || i + 1 == count);
        paired += pairs[i].black == DUTCH_NOBODY ? 1 : 2;
    }
    assert_int_equal(paired, present);
}

struct told {
    unsigned times, done, total;
};

static void take_progress(void *context, unsigned done, unsigned total)
{
    struct told *told = context;
    assert_true(done > told->done && done <= total);
    *told = (struct told){told->times + 1, done, total};
}

static void replay_round(struct span line, unsigned *rounds)
{
    struct told told = {0};
    const struct progress progress = {take_progress, &told};
    struct dutch_pair pairs[EVENT_PLAYERS_MAX], expected[EVENT_PLAYERS_MAX];
    struct refusal refusal = {0};
    size_t count, expected_count;
    struct dutch_request request = event_open(&event);
    request.progress = &progress;
    bool paired = dutch_pair_round(&request, work, pairs, &count, &refusal);
    (*rounds)++;
    if (span_is(line, "none")) {
        assert_false(paired);
        assert_string_equal(refusal.code, DUTCH_REFUSAL_IMPOSSIBLE);
        return;
    }
    assert_true(paired);
    assert_true(event_read_pairs(&event, line, expected, &expected_count));
    assert_same_pairs(pairs, count, expected, expected_count);
    assert_lawful(&request, pairs, count);
    assert_int_equal(told.done, told.total);
    assert_true(told.times >= 1 && told.total >= count);
    event_play(&event, pairs, count);
}

TEST(test_stored_pairings)
{
    struct span rest = {stored, stored_length}, line;
    unsigned rounds = 0, events = 0;
    while (span_line(&rest, &line)) {
        struct span number = line;
        if (span_is(span_word(&number), "event")) {
            uint64_t value;
            assert_true(span_number(number, UINT32_MAX, &value));
            event_start(&event, value);
            events++;
        } else {
            replay_round(line, &rounds);
        }
    }
    assert_true(events >= 300);
    assert_true(rounds >= 2000);
}

/* ---- Against all pairings of small fields ---- */

static void assert_is_best(const struct dutch_request *request, const struct dutch_pair *pairs,
                           size_t count, struct reference *reference)
{
    uint16_t rank_of[EVENT_PLAYERS_MAX];
    for (uint16_t rank = 0; rank < reference->count; rank++)
        rank_of[reference->order[rank]] = rank;
    for (size_t i = 0; i < count; i++) {
        int mate = reference->best_mate[rank_of[pairs[i].white]];
        if (pairs[i].black == DUTCH_NOBODY)
            assert_int_equal(mate, -1);
        else
            assert_int_equal(mate, rank_of[pairs[i].black]);
    }
    assert_lawful(request, pairs, count);
}

TEST(test_brute_force)
{
    static struct reference reference;
    unsigned rounds = 0;
    for (uint64_t number = 5001; number <= 5600; number++) {
        struct dutch_pair pairs[EVENT_PLAYERS_MAX];
        struct refusal refusal;
        size_t count;
        bool paired = true;
        event_start(&event, number);
        while (event.count <= REFERENCE_PLAYERS && paired && event.played < event.rounds) {
            struct dutch_request request = event_open(&event);
            reference_pair(&reference, &request, work);
            paired = dutch_pair_round(&request, work, pairs, &count, &refusal);
            assert_int_equal(paired, reference.found);
            if (!paired)
                break;
            assert_is_best(&request, pairs, count, &reference);
            event_play(&event, pairs, count);
            rounds++;
        }
    }
    assert_true(rounds >= 500);
}

/* One field of up to three scores in which many pairs are forbidden, so that players have to be
 * exchanged and to float in every way. */
static void pairing_field(uint64_t number, struct dutch_request *request)
{
    static struct dutch_player players[REFERENCE_PLAYERS];
    static struct dutch_result results[REFERENCE_PLAYERS];
    static struct dutch_forbidden forbidden[REFERENCE_PLAYERS * REFERENCE_PLAYERS];
    event.number = number;
    *request = (struct dutch_request){.players = players,
                                      .player_count = 7 + number % 3,
                                      .results = results,
                                      .rounds_played = 1,
                                      .rounds_planned = 5,
                                      .points_for_win = 60,
                                      .initial = DUTCH_WHITE,
                                      .forbidden = forbidden};
    for (uint16_t i = 0; i < request->player_count; i++) {
        uint16_t points =
            (uint16_t)(10 * draw(&event, PAIRING_RESULT, i, 0, (uint32_t)(1 + number / 3 % 3)));
        players[i] = (struct dutch_player){(uint16_t)(i + 1), true};
        results[i] = (struct dutch_result){DUTCH_NOBODY, points, ROUND_HALF_BYE, DUTCH_NO_COLOUR};
        for (uint16_t other = 0; other < i; other++)
            if (draw(&event, PAIRING_FORBIDDEN, i, other, 100) < 20 + number % 6 * 10)
                forbidden[request->forbidden_count++] = (struct dutch_forbidden){i, other};
    }
}

/* True if the field could be paired. */
static bool check_field(uint64_t number)
{
    static struct reference reference;
    struct dutch_pair pairs[REFERENCE_PLAYERS];
    struct dutch_request request;
    struct refusal refusal;
    size_t count;
    pairing_field(number, &request);
    reference_pair(&reference, &request, work);
    bool paired = dutch_pair_round(&request, work, pairs, &count, &refusal);
    assert_int_equal(paired, reference.found);
    if (paired)
        assert_is_best(&request, pairs, count, &reference);
    return paired;
}

TEST(test_brute_force_forbidden)
{
    unsigned paired = 0;
    for (uint64_t number = 1; number <= 900; number++)
        paired += check_field(number);
    assert_true(paired >= 400);
    /* Two exchanges for which the sum of numbers leaves a choice in S2: one field in a million. */
    assert_true(check_field(378389));
}

/* ---- FIDE's exercise ---- */

/* The five rounds of FIDE TEC's exercise (vectors/dutch/exercise.trf) are paired by the Dutch
 * system. At two boards, which were forfeited, the file has the colours the other way round; the
 * other program says so too. */
TEST(test_exercise)
{
    const char *path = TILLROLL_SOURCE_DIR "/tests/engine/vectors/dutch/exercise.trf";
    static char text[8192];
    struct dutch_player players[16];
    struct dutch_result results[16 * 5];
    struct trf_event file;
    struct trf_error error;
    unsigned turned = 0;
    size_t size;
    FILE *source = fopen(path, "rb");
    assert_non_null(source);
    struct span whole = {text, fread(text, 1, sizeof text, source)};
    assert_int_equal(fclose(source), 0);
    assert_true(trf_measure(whole, &size, &error));
    void *memory = malloc(size);
    assert_true(trf_read(whole, memory, &file, &error));
    for (uint16_t round = 1; round <= 5; round++) {
        struct dutch_request request;
        struct dutch_pair pairs[8];
        struct refusal refusal;
        size_t count;
        trf_request(&file, round, players, results, NULL, &request);
        assert_true(dutch_pair_round(&request, work, pairs, &count, &refusal));
        for (size_t i = 0; i < count; i++) {
            const struct trf_result *white = &file.results[pairs[i].white * 5 + round - 1];
            bool bye = pairs[i].black == DUTCH_NOBODY;
            assert_int_equal(white->opponent, bye ? 0 : pairs[i].black + 1);
            turned += white->colour == 'b';
        }
    }
    assert_int_equal(turned, 2);
    free(memory);
}

/* ---- Properties ---- */

static struct dutch_request event_at(uint64_t number, uint16_t rounds)
{
    struct dutch_pair pairs[EVENT_PLAYERS_MAX];
    struct refusal refusal;
    size_t count;
    event_start(&event, number);
    while (event.played < rounds) {
        struct dutch_request request = event_open(&event);
        assert_true(dutch_pair_round(&request, work, pairs, &count, &refusal));
        event_play(&event, pairs, count);
    }
    return event_open(&event);
}

/* The same players in another order are paired the same, whatever the work memory held. */
TEST(test_order_of_players)
{
    static struct dutch_player players[EVENT_PLAYERS_MAX];
    static struct dutch_result results[EVENT_PLAYERS_MAX * EVENT_ROUNDS_MAX];
    static struct dutch_forbidden forbidden[EVENT_FORBIDDEN_MAX];
    for (uint64_t number = 1; number <= 40; number++) {
        struct dutch_pair pairs[EVENT_PLAYERS_MAX], others[EVENT_PLAYERS_MAX];
        struct refusal refusal;
        size_t count, other_count;
        struct dutch_request request = event_at(number, 4), other = request;
        uint16_t last = (uint16_t)(event.count - 1); /* player i stands at last - i */
        assert_true(dutch_pair_round(&request, work, pairs, &count, &refusal));
        for (uint16_t i = 0; i < event.count; i++) {
            players[last - i] = request.players[i];
            for (uint16_t round = 0; round < 4; round++) {
                struct dutch_result *result = &results[(last - i) * 4 + round];
                *result = request.results[i * 4 + round];
                if (result->opponent != DUTCH_NOBODY)
                    result->opponent = (uint16_t)(last - result->opponent);
            }
        }
        for (size_t i = 0; i < request.forbidden_count; i++)
            forbidden[i] = (struct dutch_forbidden){(uint16_t)(last - request.forbidden[i].b),
                                                    (uint16_t)(last - request.forbidden[i].a)};
        other.players = players;
        other.results = results;
        other.forbidden = forbidden;
        memset(work, 0xA5, dutch_work_size(EVENT_PLAYERS_MAX));
        assert_true(dutch_pair_round(&other, work, others, &other_count, &refusal));
        assert_int_equal(count, other_count);
        for (size_t i = 0; i < count; i++) {
            bool bye = pairs[i].black == DUTCH_NOBODY;
            others[i].white = (uint16_t)(last - others[i].white);
            others[i].black = bye ? (uint16_t)DUTCH_NOBODY : (uint16_t)(last - others[i].black);
            assert_memory_equal(&pairs[i], &others[i], sizeof pairs[i]);
        }
    }
}

static uint32_t score_of(const struct dutch_request *request, uint16_t player)
{
    uint32_t score = 0;
    for (uint16_t round = 0; round < request->rounds_played; round++)
        score += request->results[player * request->rounds_played + round].points;
    return score;
}

/* Boards stand by the higher score, then the lower one. */
static void assert_boards(const struct dutch_request *request, const struct dutch_pair *pairs,
                          size_t count)
{
    uint32_t high = UINT32_MAX, low = UINT32_MAX;
    for (size_t i = 0; i < count && pairs[i].black != DUTCH_NOBODY; i++) {
        uint32_t white = score_of(request, pairs[i].white);
        uint32_t black = score_of(request, pairs[i].black);
        uint32_t higher = white > black ? white : black;
        uint32_t lower = white > black ? black : white;
        assert_true(higher < high || (higher == high && lower <= low));
        assert_int_equal(pairs[i].bracket, lower);
        high = higher;
        low = lower;
    }
}

/* Nobody gets more than two games of one colour more than of the other, or three in a row. */
static void assert_colours(const struct dutch_result *results, uint16_t rounds)
{
    int difference = 0, run = 0;
    for (uint16_t round = 0; round < rounds; round++) {
        int step = results[round].colour == DUTCH_WHITE ? 1 : -1;
        if (!round_kind_is_played(results[round].kind))
            continue;
        difference += step;
        run = run * step > 0 ? run + step : step;
        assert_in_range(difference + 2, 0, 4);
        assert_in_range(run + 2, 0, 4);
    }
}

/* Before the last round, in which topscorers are exempt. */
TEST(test_boards_and_colours)
{
    for (uint64_t number = 1; number <= 60; number++) {
        event_start(&event, number);
        while (event.played + 1 < event.rounds) {
            struct dutch_pair pairs[EVENT_PLAYERS_MAX];
            struct refusal refusal;
            size_t count;
            struct dutch_request request = event_open(&event);
            assert_true(dutch_pair_round(&request, work, pairs, &count, &refusal));
            assert_boards(&request, pairs, count);
            event_play(&event, pairs, count);
        }
        for (uint16_t player = 0; player < event.count; player++)
            assert_colours(event.results[player], event.played);
    }
}

/* The same costs come out when the pairs are judged, and others when two pairs are mixed. */
TEST(test_judge)
{
    struct dutch_pair pairs[EVENT_PLAYERS_MAX], judged[EVENT_PLAYERS_MAX];
    struct refusal refusal;
    size_t count;
    struct dutch_request request = event_at(3, 4);
    assert_true(dutch_pair_round(&request, work, pairs, &count, &refusal));
    for (size_t i = 0; i < count; i++)
        judged[i] = (struct dutch_pair){.white = pairs[i].white, .black = pairs[i].black};
    assert_true(dutch_judge(&request, work, judged, count, &refusal));
    assert_memory_equal(pairs, judged, count * sizeof *pairs);

    judged[0].black = pairs[count / 2].black;
    judged[count / 2].black = pairs[0].black;
    assert_true(dutch_judge(&request, work, judged, count, &refusal));
    assert_true(judged[0].cost[DUTCH_C6] > 0);

    judged[1].black = judged[0].black;
    assert_false(dutch_judge(&request, work, judged, count, &refusal));
    assert_string_equal(refusal.code, DUTCH_REFUSAL_PAIR);
    assert_false(dutch_judge(&request, work, pairs, count - 1, &refusal));
    assert_string_equal(refusal.code, DUTCH_REFUSAL_PAIR);
}

/* A rematch, a second bye and two equal absolute colours are counted. */
TEST(test_judge_violations)
{
    struct dutch_player players[3] = {{1, true}, {2, true}, {3, true}};
    struct dutch_result results[3][1] = {
        {{1, 60, ROUND_PLAYED, DUTCH_WHITE}},
        {{0, 0, ROUND_PLAYED, DUTCH_BLACK}},
        {{DUTCH_NOBODY, 60, ROUND_PAIRING_BYE, DUTCH_NO_COLOUR}},
    };
    struct dutch_request request = {.players = players,
                                    .player_count = 3,
                                    .results = *results,
                                    .rounds_played = 1,
                                    .rounds_planned = 5,
                                    .points_for_win = 60,
                                    .initial = DUTCH_WHITE};
    struct dutch_pair pairs[2] = {{.white = 0, .black = 1}, {.white = 2, .black = DUTCH_NOBODY}};
    struct refusal refusal;
    assert_true(dutch_judge(&request, work, pairs, 2, &refusal));
    assert_int_equal(pairs[0].cost[DUTCH_C1], 1);
    assert_int_equal(pairs[0].cost[DUTCH_C7], 60);
    assert_int_equal(pairs[1].cost[DUTCH_C2], 1);
    assert_int_equal(pairs[1].cost[DUTCH_C5], 60);
    assert_int_equal(pairs[1].cost[DUTCH_C6], 2);
    assert_int_equal(pairs[1].cost[DUTCH_C9], 1);
    assert_int_equal(pairs[1].cost[DUTCH_C14], 1);
}

TEST(test_texts)
{
    for (unsigned criterion = 0; criterion < DUTCH_CRITERIA; criterion++) {
        const struct dutch_criterion_text *text =
            dutch_criterion_describe((enum dutch_criterion)criterion);
        char code[16];
        struct text expected = TEXT_OVER(code);
        text_add_char(&expected, 'C');
        text_add_number(&expected, criterion + 1);
        assert_string_equal(text->code, code);
        assert_non_null(text->name);
        assert_non_null(text->meaning);
    }
}

/* ---- Refusals ---- */

static void assert_refused(const struct dutch_request *request, const char *code)
{
    struct dutch_pair pairs[EVENT_PLAYERS_MAX];
    struct refusal refusal = {0};
    size_t count;
    assert_false(dutch_pair_round(request, work, pairs, &count, &refusal));
    assert_string_equal(refusal.code, code);
    assert_non_null(refusal.message);
}

TEST(test_refusals)
{
    struct dutch_request good = event_at(4, 2), bad;
    struct dutch_forbidden pair = {0, 0};
    bad = good;
    bad.player_count = TOURNAMENT_ENTRIES_MAX + 1;
    assert_refused(&bad, DUTCH_REFUSAL_TOO_MANY);
    bad = good;
    bad.rounds_planned = bad.rounds_played;
    assert_refused(&bad, DUTCH_REFUSAL_REQUEST);
    bad = good;
    bad.points_for_win = 0;
    assert_refused(&bad, DUTCH_REFUSAL_REQUEST);
    bad = good;
    bad.initial = DUTCH_NO_COLOUR;
    assert_refused(&bad, DUTCH_REFUSAL_REQUEST);
    bad = good;
    bad.forbidden = &pair;
    bad.forbidden_count = 1;
    assert_refused(&bad, DUTCH_REFUSAL_PAIR);
    pair.b = event.count;
    assert_refused(&bad, DUTCH_REFUSAL_PAIR);
    event.players[3].tpn = 1;
    assert_refused(&good, DUTCH_REFUSAL_PLAYER);
    event.players[3].tpn = 0;
    assert_refused(&good, DUTCH_REFUSAL_PLAYER);
    event.players[3].tpn = 4;
    struct dutch_result *result = &event.packed[0], kept = *result;
    result->kind = ROUND_KINDS;
    assert_refused(&good, DUTCH_REFUSAL_RESULT);
    *result = kept;
    result->opponent = result->opponent == 1 ? 2 : 1;
    assert_refused(&good, DUTCH_REFUSAL_RESULT);
    *result = kept;
    result->colour = DUTCH_NO_COLOUR;
    assert_refused(&good, DUTCH_REFUSAL_RESULT);
    *result = kept;
    result->kind = ROUND_HALF_BYE;
    assert_refused(&good, DUTCH_REFUSAL_RESULT);
}

/* Everybody has another score, and the upper half may meet nobody but the last ones: all of them
 * float through the brackets. */
TEST(test_too_many_downfloaters)
{
    enum { COUNT = 70, PLAYERS = 2 * COUNT, PAIRS = COUNT * (COUNT - 1) / 2 };
    static struct dutch_player players[PLAYERS];
    static struct dutch_result results[PLAYERS];
    static struct dutch_forbidden forbidden[PAIRS];
    size_t pairs = 0;
    for (uint16_t i = 0; i < PLAYERS; i++) {
        players[i] = (struct dutch_player){(uint16_t)(i + 1), true};
        results[i] = (struct dutch_result){DUTCH_NOBODY, (uint16_t)(PLAYERS - i), ROUND_HALF_BYE,
                                           DUTCH_NO_COLOUR};
        for (uint16_t other = (uint16_t)(i + 1); i < COUNT && other < COUNT; other++)
            forbidden[pairs++] = (struct dutch_forbidden){i, other};
    }
    struct dutch_request request = {.players = players,
                                    .player_count = PLAYERS,
                                    .results = results,
                                    .rounds_played = 1,
                                    .rounds_planned = 5,
                                    .points_for_win = 6000,
                                    .initial = DUTCH_WHITE,
                                    .forbidden = forbidden,
                                    .forbidden_count = pairs};
    void *own = work;
    work = malloc(dutch_work_size(PLAYERS));
    assert_refused(&request, DUTCH_REFUSAL_TOO_DEEP);
    free(work);
    work = own;
}

/* Nobody, one, and two who have met. */
TEST(test_tiny)
{
    struct dutch_player players[2] = {{7, true}, {9, true}};
    struct dutch_result results[2] = {{1, 60, ROUND_PLAYED, DUTCH_WHITE},
                                      {0, 0, ROUND_PLAYED, DUTCH_BLACK}};
    struct dutch_request request = {.players = players,
                                    .player_count = 2,
                                    .results = results,
                                    .rounds_planned = 3,
                                    .points_for_win = 60,
                                    .initial = DUTCH_BLACK};
    struct dutch_pair pairs[1];
    struct refusal refusal;
    size_t count;
    assert_true(dutch_pair_round(&request, work, pairs, &count, &refusal));
    assert_int_equal(count, 1);
    assert_int_equal(pairs[0].black, 0); /* number 1 of those who arrived, and Black was drawn */
    request.rounds_played = 1;
    assert_refused(&request, DUTCH_REFUSAL_IMPOSSIBLE);
    request.rounds_played = 0;
    players[0].present = false;
    assert_true(dutch_pair_round(&request, work, pairs, &count, &refusal));
    assert_int_equal(count, 1);
    assert_int_equal(pairs[0].white, 1);
    assert_int_equal(pairs[0].black, DUTCH_NOBODY);
    players[1].present = false;
    assert_true(dutch_pair_round(&request, work, pairs, &count, &refusal));
    assert_int_equal(count, 0);
}

int main(void)
{
    return run_all_tests(set_up, tear_down);
}
