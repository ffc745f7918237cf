/* Brackets: what holds for every size, and the cases in which others fail: byes against byes, both
 * forfeit, somebody leaves, a result is corrected when the next match has been played. That
 * structure and flow are the usual ones is compared with another program in brackets.test.mjs. */
#include <string.h>

#include "engine/tournament/formats/knockout/elimination_view.h"
#include "tests/test.h"

enum { FIRST_ENTRY = 300 }; /* entries are not seeds */

struct event {
    struct elimination_input input;
    uint16_t seeding[ELIMINATION_SIZE_MAX];
    uint16_t withdrawn[ELIMINATION_SIZE_MAX];
    struct elimination_result results[2 * ELIMINATION_MATCHES_MAX];
    struct elimination bracket;
};

static uint32_t roll(uint32_t *luck, uint32_t sides)
{
    *luck = *luck * 1664525U + 1013904223U;
    return (*luck >> 8) % sides;
}

static void make(struct event *event)
{
    struct refusal refusal = {"", ""};
    event->input.seeding = event->seeding;
    event->input.results = event->results;
    event->input.withdrawn = event->withdrawn;
    if (!elimination_make(&event->input, &event->bracket, &refusal))
        fail_msg("%s: %s", refusal.code, refusal.message);
}

static void open_event(struct event *event, enum elimination_kind kind, unsigned entries)
{
    memset(event, 0, sizeof *event);
    event->input.rule = elimination_rule_usual(kind, entries);
    event->input.seed_count = entries;
    for (unsigned i = 0; i < entries; i++)
        event->seeding[i] = (uint16_t)(FIRST_ENTRY + i);
    make(event);
}

/* Entry of a seed. */
static uint16_t seed(unsigned number)
{
    return (uint16_t)(FIRST_ENTRY + number - 1);
}

/* Side `winner` of the match wins (2: both forfeit). */
static void decide(struct event *event, uint16_t match, uint8_t winner)
{
    const struct elimination_match *played = &event->bracket.match[match];
    assert_int_equal(played->state, ELIMINATION_READY);
    event->results[event->input.result_count++] =
        (struct elimination_result){.match = match,
                                    .entry = {played->side[0].entry, played->side[1].entry},
                                    .winner = winner,
                                    .forfeits = winner == 2 ? 3 : 0};
    make(event);
}

/* The better seed wins. */
static void decide_by_seed(struct event *event, uint16_t match)
{
    const struct elimination_side *side = event->bracket.match[match].side;
    decide(event, match, side[0].seed < side[1].seed ? 0 : 1);
}

static bool find_ready(const struct event *event, uint16_t *match)
{
    for (*match = 0; *match < event->bracket.match_count; ++*match)
        if (event->bracket.match[*match].state == ELIMINATION_READY)
            return true;
    return false;
}

static void play_by_seed(struct event *event)
{
    uint16_t match;
    while (find_ready(event, &match))
        decide_by_seed(event, match);
    assert_true(event->bracket.over);
}

static void play_at_random(struct event *event, uint32_t *luck, bool forfeits)
{
    uint16_t match;
    while (find_ready(event, &match))
        decide(event, match, forfeits && roll(luck, 6) == 0 ? 2 : (uint8_t)roll(luck, 2));
    assert_true(event->bracket.over);
}

TEST(orders_are_permutations)
{
    static const uint8_t expected[BRACKET_ORDERS][8] = {
        {1, 2, 3, 4, 5, 6, 7, 8}, {8, 7, 6, 5, 4, 3, 2, 1}, {5, 6, 7, 8, 1, 2, 3, 4},
        {4, 3, 2, 1, 8, 7, 6, 5}, {2, 1, 4, 3, 6, 5, 8, 7}, {1, 8, 4, 5, 2, 7, 3, 6}};
    for (int order = 0; order < BRACKET_ORDERS; order++) {
        for (size_t i = 0; i < 8; i++)
            assert_int_equal(bracket_order_source((enum bracket_order)order, 8, i) + 1,
                             expected[order][i]);
        for (size_t count = 2; count <= ELIMINATION_SIZE_MAX; count *= 2) {
            bool seen[ELIMINATION_SIZE_MAX] = {false};
            for (size_t i = 0; i < count; i++)
                seen[bracket_order_source((enum bracket_order)order, count, i)] = true;
            for (size_t i = 0; i < count; i++)
                assert_true(seen[i]);
        }
    }
}

/* If the better seed always wins, seeds 1 .. 2^k are the last 2^k, and two of them meet only in the
 * round in which they have to. */
TEST(better_seeds_meet_late)
{
    for (unsigned entries = 2; entries <= ELIMINATION_SIZE_MAX; entries++) {
        static struct event event;
        open_event(&event, ELIMINATION_SINGLE, entries);
        play_by_seed(&event);
        unsigned left = event.input.rule.size;
        for (unsigned i = 0; i < event.bracket.match_count; i++) {
            const struct elimination_match *match = &event.bracket.match[i];
            left = (unsigned)event.input.rule.size >> (match->round - 1U);
            if (match->state == ELIMINATION_DECIDED)
                assert_int_equal(match->side[0].seed + match->side[1].seed, left + 1);
        }
        assert_int_equal(left, 2);
    }
}

/* Byes go to the top seeds, one each. */
TEST(byes_go_to_top_seeds)
{
    for (unsigned entries = 2; entries <= ELIMINATION_SIZE_MAX; entries++) {
        static struct event event;
        open_event(&event, ELIMINATION_SINGLE, entries);
        unsigned size = event.input.rule.size;
        assert_int_equal(event.bracket.entry_count, entries);
        for (unsigned i = 0; i < size / 2; i++) {
            const struct elimination_match *match = &event.bracket.match[i];
            unsigned best = match->side[0].seed;
            assert_true(best >= 1 && best <= size / 2);
            assert_int_equal(match->state,
                             best <= size - entries ? ELIMINATION_PASSED : ELIMINATION_READY);
        }
    }
}

/* Every entry but the winner loses once, or twice in double elimination (the second may lose once
 * only, the winner once), nobody plays twice in a round, and links lead where sides say. */
static void check_bracket(const struct event *event)
{
    unsigned losses[ELIMINATION_SIZE_MAX] = {0}, total = 0, games = 0;
    for (uint16_t i = 0; i < event->bracket.match_count; i++) {
        const struct elimination_match *match = &event->bracket.match[i];
        for (unsigned j = 0; j < 2; j++) {
            const struct elimination_side *side = &match->side[j];
            const struct elimination_match *from = &event->bracket.match[side->from];
            if (side->origin == ORIGIN_WINNER)
                assert_int_equal(from->winner_to, i);
            else if (side->origin == ORIGIN_LOSER)
                assert_int_equal(from->loser_to, i);
            if (side->origin != ORIGIN_SEED)
                assert_true(side->from < i);
        }
        if (match->state != ELIMINATION_DECIDED)
            continue;
        assert_int_not_equal(match->side[0].entry, match->side[1].entry);
        games++;
        total++;
        losses[match->side[1 - match->winner].seed - 1]++;
        for (uint16_t k = 0; k < i; k++) {
            const struct elimination_match *other = &event->bracket.match[k];
            if (other->bracket != match->bracket || other->round != match->round ||
                other->state != ELIMINATION_DECIDED)
                continue;
            for (unsigned j = 0; j < 4; j++)
                assert_int_not_equal(match->side[j % 2].entry, other->side[j / 2].entry);
        }
    }
    unsigned entries = event->bracket.entry_count;
    bool two = event->bracket.rule.kind == ELIMINATION_DOUBLE && entries > 2;
    unsigned unbeaten = 0;
    for (unsigned i = 0; i < event->bracket.rule.size; i++) {
        assert_true(losses[i] <= (two ? 2 : 1));
        unbeaten += losses[i] == 0 && event->input.seeding[i] != ELIMINATION_NONE &&
                    i < event->input.seed_count;
    }
    assert_true(unbeaten <= 1);
    if (!two)
        assert_int_equal(games, entries - 1);
    else
        assert_in_range(total, 2 * entries - 3, 2 * entries - 1);
}

TEST(everybody_loses_as_often_as_it_takes)
{
    uint32_t luck = 5;
    for (unsigned entries = 2; entries <= ELIMINATION_SIZE_MAX; entries++)
        for (unsigned variant = 0; variant < 4; variant++) {
            static struct event event;
            open_event(&event, variant == 0 ? ELIMINATION_SINGLE : ELIMINATION_DOUBLE, entries);
            if (variant > 0)
                event.input.rule.grand_final = (uint8_t)(variant - 1);
            make(&event);
            play_at_random(&event, &luck, false);
            check_bracket(&event);
        }
}

/* Places 1 .. n are taken by n entries, those who share one take as many. */
static void check_places(const struct event *event, const uint16_t *place)
{
    unsigned count[ELIMINATION_SIZE_MAX + 2] = {0};
    for (unsigned i = 0; i < event->bracket.rule.size; i++)
        count[place[i]]++;
    assert_int_equal(count[0], event->bracket.rule.size - event->bracket.entry_count);
    for (unsigned next = 1; next <= event->bracket.entry_count; next += count[next])
        assert_true(count[next] > 0);
}

TEST(everybody_gets_a_place)
{
    uint32_t luck = 6;
    for (unsigned entries = 2; entries <= ELIMINATION_SIZE_MAX; entries++)
        for (unsigned variant = 0; variant < 8; variant++) {
            static struct event event;
            uint16_t place[ELIMINATION_SIZE_MAX];
            open_event(&event, variant < 2 ? ELIMINATION_SINGLE : ELIMINATION_DOUBLE, entries);
            event.input.rule.grand_final = (uint8_t)(variant / 2 % 3);
            event.input.rule.consolation = variant % 2 == 1 && entries > 2;
            make(&event);
            play_at_random(&event, &luck, entries % 3 == 0);
            elimination_places(&event.bracket, place);
            check_places(&event, place);
        }
}

/* A place that is final does not change any more. */
TEST(places_stay)
{
    uint32_t luck = 7;
    for (unsigned entries = 2; entries <= 40; entries++)
        for (unsigned variant = 0; variant < 4; variant++) {
            static struct event event;
            uint16_t before[ELIMINATION_SIZE_MAX] = {0}, place[ELIMINATION_SIZE_MAX], match;
            open_event(&event, variant == 0 ? ELIMINATION_SINGLE : ELIMINATION_DOUBLE, entries);
            event.input.rule.grand_final = (uint8_t)(variant == 0 ? 0 : variant - 1);
            make(&event);
            while (find_ready(&event, &match)) {
                decide(&event, match, (uint8_t)roll(&luck, 2));
                elimination_places(&event.bracket, place);
                for (unsigned i = 0; i < event.bracket.rule.size; i++)
                    assert_true(before[i] == 0 || place[i] == before[i]);
                memcpy(before, place, sizeof place);
            }
        }
}

struct places {
    uint16_t of_seed[8];
};

static void expect_places(const struct event *event, struct places expected)
{
    uint16_t place[ELIMINATION_SIZE_MAX];
    elimination_places(&event->bracket, place);
    assert_true(event->bracket.rule.size <= 8);
    for (unsigned i = 0; i < event->bracket.rule.size; i++)
        assert_int_equal(place[i], expected.of_seed[i]);
}

TEST(places_of_eight)
{
    static struct event event;
    open_event(&event, ELIMINATION_SINGLE, 8);
    play_by_seed(&event);
    expect_places(&event, (struct places){{1, 2, 3, 3, 5, 5, 5, 5}});
    event.input.rule.consolation = true;
    make(&event);
    play_by_seed(&event);
    expect_places(&event, (struct places){{1, 2, 3, 4, 5, 5, 5, 5}});

    open_event(&event, ELIMINATION_DOUBLE, 8);
    play_by_seed(&event);
    expect_places(&event, (struct places){{1, 2, 3, 4, 5, 5, 7, 7}});
    event.input.rule.grand_final = GRAND_FINAL_NONE;
    event.input.result_count = 0;
    make(&event);
    play_by_seed(&event);
    expect_places(&event, (struct places){{1, 2, 3, 4, 5, 5, 7, 7}});
}

/* The loser of the upper final comes back and wins the first match of the grand final. */
TEST(second_match_of_the_grand_final)
{
    static struct event event;
    for (unsigned comes_back = 0; comes_back < 2; comes_back++) {
        open_event(&event, ELIMINATION_DOUBLE, 4);
        event.input.rule.grand_final = GRAND_FINAL_DOUBLE;
        make(&event);
        uint16_t match, second = (uint16_t)(event.bracket.match_count - 1);
        while (find_ready(&event, &match) && match < second - 1)
            decide_by_seed(&event, match);
        assert_int_equal(event.bracket.match[second].state, ELIMINATION_OPEN);
        decide(&event, (uint16_t)(second - 1), (uint8_t)comes_back);
        assert_int_equal(event.bracket.over, comes_back == 0);
        assert_int_equal(event.bracket.match[second].state,
                         comes_back == 0 ? ELIMINATION_UNNEEDED : ELIMINATION_READY);
        if (comes_back == 0) {
            expect_places(&event, (struct places){{1, 2, 3, 4}});
            continue;
        }
        expect_places(&event, (struct places){{0, 0, 3, 4}});
        assert_int_equal(event.bracket.match[second].side[0].entry, seed(1));
        assert_int_equal(event.bracket.match[second].side[1].entry, seed(2));
        decide(&event, second, 1);
        expect_places(&event, (struct places){{2, 1, 3, 4}});
    }
}

/* Seeds 1 and 4 of four are byes: a bye meets a bye in no match, but losers are missing. With seeds
 * 1 and 2 only in a bracket of eight, byes meet byes. */
TEST(byes_against_byes)
{
    static struct event event;
    for (unsigned kind = 0; kind < 2; kind++)
        for (unsigned size = 2; size <= ELIMINATION_SIZE_MAX; size *= 2) {
            open_event(&event, (enum elimination_kind)kind, size);
            for (unsigned i = 0; i < size; i++)
                event.seeding[i] = i == 0 || i == size - 1 ? (uint16_t)i : ELIMINATION_NONE;
            make(&event);
            assert_int_equal(event.bracket.entry_count, 2);
            play_by_seed(&event);
            uint16_t place[ELIMINATION_SIZE_MAX];
            elimination_places(&event.bracket, place);
            assert_int_equal(place[0], 1);
            assert_int_equal(place[size - 1], 2);
        }
}

TEST(both_forfeit)
{
    static struct event event;
    open_event(&event, ELIMINATION_SINGLE, 4);
    decide(&event, 0, 2); /* seeds 1 and 4 */
    assert_int_equal(event.bracket.match[2].state, ELIMINATION_PASSED);
    assert_int_equal(event.bracket.match[2].side[0].occupant, OCCUPANT_BYE);
    decide_by_seed(&event, 1);
    assert_true(event.bracket.over);
    expect_places(&event, (struct places){{2, 1, 2, 2}});

    open_event(&event, ELIMINATION_SINGLE, 2);
    decide(&event, 0, 2);
    expect_places(&event, (struct places){{1, 1}});

    open_event(&event, ELIMINATION_DOUBLE, 4);
    decide(&event, 0, 2);
    decide_by_seed(&event, 1);
    assert_true(find_ready(&event, &(uint16_t){0}));
    play_by_seed(&event);
    expect_places(&event, (struct places){{3, 1, 2, 3}});
}

/* An entry that left loses its matches without a result, in both brackets; earlier results stay. */
TEST(walkovers)
{
    static struct event event;
    open_event(&event, ELIMINATION_DOUBLE, 8);
    decide_by_seed(&event, 0); /* 1 beats 8 */
    event.withdrawn[event.input.withdrawn_count++] = seed(1);
    make(&event);
    assert_int_equal(event.bracket.match[0].winner, 0);
    assert_int_equal(event.bracket.match[0].forfeits, 0);
    play_by_seed(&event);
    unsigned walkovers = 0;
    for (unsigned i = 0; i < event.bracket.match_count; i++) {
        const struct elimination_match *match = &event.bracket.match[i];
        if (match->state != ELIMINATION_DECIDED || match->forfeits == 0)
            continue;
        walkovers++;
        assert_int_equal(match->result, ELIMINATION_NONE);
        assert_int_equal(match->side[match->winner ^ 1].entry, seed(1));
    }
    assert_int_equal(walkovers, 2);
    check_bracket(&event);

    open_event(&event, ELIMINATION_SINGLE, 8);
    for (unsigned i = 1; i <= 8; i++)
        event.withdrawn[event.input.withdrawn_count++] = seed(i);
    make(&event);
    assert_true(event.bracket.over);
    expect_places(&event, (struct places){{1, 1, 1, 1, 1, 1, 1, 1}});
}

/* A corrected result takes the opponents of later ones away: those are not used, and come back when
 * the correction is taken back. */
TEST(corrections)
{
    static struct event event;
    static struct elimination as_it_was;
    open_event(&event, ELIMINATION_SINGLE, 8);
    play_by_seed(&event);
    as_it_was = event.bracket;
    assert_int_equal(event.bracket.unused_results, 0);
    event.results[0].winner ^= 1; /* 8 beats 1 */
    make(&event);
    assert_int_equal(event.bracket.unused_results, 2); /* the semi-final and final of 1 */
    assert_int_equal(event.bracket.match[4].state, ELIMINATION_READY);
    assert_int_equal(event.bracket.match[4].side[0].entry, seed(8));
    decide(&event, 4, 0); /* beside the old result of that match */
    assert_int_equal(event.bracket.match[6].state, ELIMINATION_READY);
    assert_int_equal(event.bracket.match[6].side[0].entry, seed(8));
    event.results[0].winner ^= 1;
    make(&event);
    assert_int_equal(event.bracket.unused_results, 1);
    as_it_was.unused_results = 1;
    assert_memory_equal(&event.bracket, &as_it_was, sizeof as_it_was);
}

static void shuffle(struct event *event, uint32_t *luck)
{
    for (uint32_t i = (uint32_t)event->input.result_count; i-- > 1;) {
        uint32_t j = roll(luck, i + 1);
        struct elimination_result result = event->results[i];
        event->results[i] = event->results[j];
        event->results[j] = result;
        if (roll(luck, 2) == 0)
            continue;
        struct elimination_result *turned = &event->results[i];
        uint16_t entry = turned->entry[0];
        turned->entry[0] = turned->entry[1];
        turned->entry[1] = entry;
        turned->winner = turned->winner == 2 ? 2 : (uint8_t)(1 - turned->winner);
    }
}

TEST(order_of_results_does_not_matter)
{
    uint32_t luck = 8;
    for (unsigned entries = 2; entries <= ELIMINATION_SIZE_MAX; entries += 9) {
        static struct event event;
        static struct elimination first;
        open_event(&event, ELIMINATION_DOUBLE, entries);
        play_at_random(&event, &luck, true);
        first = event.bracket;
        shuffle(&event, &luck);
        make(&event);
        for (unsigned i = 0; i < first.match_count; i++)
            event.bracket.match[i].result = first.match[i].result;
        assert_memory_equal(&first, &event.bracket, sizeof first);
    }
}

static void expect_refusal(struct event *event, const char *code)
{
    struct refusal refusal = {"", ""};
    static struct elimination bracket;
    assert_false(elimination_make(&event->input, &bracket, &refusal));
    assert_string_equal(refusal.code, code);
}

TEST(bad_rules_and_seedings)
{
    static struct event event;
    static const uint16_t sizes[] = {0, 1, 3, 6, 129, 256};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        open_event(&event, ELIMINATION_SINGLE, 2);
        event.input.rule.size = sizes[i];
        expect_refusal(&event, ELIMINATION_REFUSAL_RULE);
    }
    open_event(&event, ELIMINATION_SINGLE, 2);
    event.input.rule.consolation = true;
    expect_refusal(&event, ELIMINATION_REFUSAL_RULE);
    open_event(&event, ELIMINATION_DOUBLE, 8);
    event.input.rule.order[2] = BRACKET_ORDERS;
    expect_refusal(&event, ELIMINATION_REFUSAL_RULE);
    open_event(&event, ELIMINATION_DOUBLE, 8);
    event.input.rule.kind = 2;
    expect_refusal(&event, ELIMINATION_REFUSAL_RULE);
    open_event(&event, ELIMINATION_DOUBLE, 8);
    event.input.rule.grand_final = 3;
    expect_refusal(&event, ELIMINATION_REFUSAL_RULE);

    open_event(&event, ELIMINATION_SINGLE, 8);
    event.seeding[3] = event.seeding[5];
    expect_refusal(&event, ELIMINATION_REFUSAL_SEEDING);
    open_event(&event, ELIMINATION_SINGLE, 8);
    event.input.seed_count = 9;
    expect_refusal(&event, ELIMINATION_REFUSAL_SEEDING);
    event.input.seed_count = 1;
    expect_refusal(&event, ELIMINATION_REFUSAL_SEEDING);
    open_event(&event, ELIMINATION_SINGLE, 8);
    event.withdrawn[event.input.withdrawn_count++] = 7;
    expect_refusal(&event, ELIMINATION_REFUSAL_LEFT);
    open_event(&event, ELIMINATION_SINGLE, 8);
    event.seeding[2] = ELIMINATION_NONE;
    event.withdrawn[event.input.withdrawn_count++] = ELIMINATION_NONE;
    expect_refusal(&event, ELIMINATION_REFUSAL_LEFT);
}

TEST(bad_results)
{
    static struct event event;
    static const struct elimination_result bad[] = {
        {.match = 7, .entry = {FIRST_ENTRY, FIRST_ENTRY + 1}},
        {.match = 0, .entry = {FIRST_ENTRY, FIRST_ENTRY}},
        {.match = 0, .entry = {FIRST_ENTRY, FIRST_ENTRY + 1}, .winner = 3},
        {.match = 0, .entry = {FIRST_ENTRY, FIRST_ENTRY + 1}, .winner = 2},
        {.match = 0, .entry = {FIRST_ENTRY, FIRST_ENTRY + 1}, .winner = 1, .forfeits = 2},
        {.match = 0, .entry = {FIRST_ENTRY, FIRST_ENTRY + 1}, .winner = 0, .forfeits = 4},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        open_event(&event, ELIMINATION_SINGLE, 8);
        event.results[event.input.result_count++] = bad[i];
        expect_refusal(&event, ELIMINATION_REFUSAL_RESULT);
    }
    open_event(&event, ELIMINATION_SINGLE, 8);
    event.input.result_count = ELIMINATION_RESULTS_MAX + 1;
    expect_refusal(&event, ELIMINATION_REFUSAL_RESULT);
    open_event(&event, ELIMINATION_SINGLE, 8);
    decide(&event, 0, 0);
    event.results[1] = (struct elimination_result){
        .match = 0, .entry = {event.results[0].entry[1], event.results[0].entry[0]}};
    event.input.result_count = 2;
    expect_refusal(&event, ELIMINATION_REFUSAL_TWICE);
}

/* A result of opponents who never met there is no mistake, only of no use. */
TEST(result_of_others)
{
    static struct event event;
    open_event(&event, ELIMINATION_SINGLE, 8);
    event.results[event.input.result_count++] =
        (struct elimination_result){.match = 6, .entry = {seed(1), seed(2)}};
    make(&event);
    assert_int_equal(event.bracket.unused_results, 1);
    assert_int_equal(event.bracket.match[6].state, ELIMINATION_OPEN);
}

TEST(view_of_a_bracket)
{
    static struct event event;
    static const char *names[FIRST_ENTRY + 3];
    names[FIRST_ENTRY] = "Ada";
    names[FIRST_ENTRY + 1] = "Grace";
    names[FIRST_ENTRY + 2] = "Zoë";
    open_event(&event, ELIMINATION_SINGLE, 3);
    event.results[event.input.result_count++] = (struct elimination_result){
        .match = 1, .entry = {seed(3), seed(2)}, .winner = 0, .scored = true, .score = {41, -7}};
    make(&event);
    const struct elimination_labels labels = {"Final day", names, event.results};
    json_t *view = elimination_view(&event.bracket, &labels);
    char *text = json_dumps(json_object_get(view, "match"), JSON_COMPACT);
    assert_string_equal(
        text,
        "[{\"id\":0,\"number\":1,\"stage_id\":0,\"group_id\":0,\"round_id\":0,\"child_count\":0,"
        "\"status\":0,\"opponent1\":{\"id\":300,\"position\":1,\"result\":\"win\"},"
        "\"opponent2\":null},"
        "{\"id\":1,\"number\":2,\"stage_id\":0,\"group_id\":0,\"round_id\":0,\"child_count\":0,"
        "\"status\":4,\"opponent1\":{\"id\":301,\"position\":2,\"score\":-7,\"result\":\"loss\"},"
        "\"opponent2\":{\"id\":302,\"position\":3,\"score\":41,\"result\":\"win\"}},"
        "{\"id\":2,\"number\":1,\"stage_id\":0,\"group_id\":0,\"round_id\":1,\"child_count\":0,"
        "\"status\":2,\"opponent1\":{\"id\":300},\"opponent2\":{\"id\":302}}]");
    free(text);
    text = json_dumps(json_object_get(view, "participant"), JSON_COMPACT);
    assert_string_equal(text, "[{\"id\":300,\"tournament_id\":0,\"name\":\"Ada\"},"
                              "{\"id\":301,\"tournament_id\":0,\"name\":\"Grace\"},"
                              "{\"id\":302,\"tournament_id\":0,\"name\":\"Zoë\"}]");
    free(text);
    json_decref(view);
}

/* Both are out, and pages can say why. */
TEST(view_of_a_void_match)
{
    static struct event event;
    static const char *names[FIRST_ENTRY + 3];
    names[FIRST_ENTRY] = names[FIRST_ENTRY + 1] = names[FIRST_ENTRY + 2] = "Ada";
    open_event(&event, ELIMINATION_SINGLE, 3);
    event.results[event.input.result_count++] = (struct elimination_result){
        .match = 1, .entry = {seed(2), seed(3)}, .winner = 2, .forfeits = 3, .voided = true};
    make(&event);
    const struct elimination_labels labels = {"Final day", names, event.results};
    json_t *view = elimination_view(&event.bracket, &labels);
    json_t *match = json_array_get(json_object_get(view, "match"), 1);
    for (unsigned i = 0; i < 2; i++) {
        json_t *opponent = json_object_get(match, i == 0 ? "opponent1" : "opponent2");
        assert_true(json_is_true(json_object_get(opponent, "forfeit")));
        assert_true(json_is_true(json_object_get(opponent, "void")));
        assert_null(json_object_get(opponent, "result"));
    }
    json_decref(view);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
