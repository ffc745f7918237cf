/* Pairing against a second implementation of its criteria and against brute force. */
#include <stdlib.h>
#include <string.h>

#include "tests/engine/tournament/formats/pods/pod_field.h"
#include "tests/engine/tournament/formats/pods/pod_reference.h"
#include "tests/test.h"

static void assert_refused(const struct field *field, const char *code)
{
    struct pod_pairing pairing;
    struct refusal refusal = {0};
    assert_false(pod_swiss_pair(&field->request, &pairing, &refusal));
    assert_string_equal(refusal.code, code);
    assert_null(pairing.tables);
}

static struct vector judge_table(const struct field *field, const uint16_t *players, unsigned size)
{
    return reference_table(&field->request, reference_draw_key(&test_chance), players, size);
}

static struct vector vector_of(const struct field *field, const struct pod_pairing *pairing)
{
    struct vector sum = {{0}};
    for (size_t t = 0; t < pairing->table_count; t++) {
        struct vector vector =
            judge_table(field, pairing->tables[t].player, pairing->tables[t].seats);
        assert_memory_equal(&vector, &pairing->tables[t].criteria, sizeof vector);
        reference_add(&sum, &vector);
    }
    assert_memory_equal(&sum, &pairing->criteria, sizeof sum);
    return sum;
}

/* The order of seats is one of the cheapest. */
static void assert_seats_cheapest(const struct field *field, const struct pod_table *table)
{
    uint16_t order[SEATS];
    memcpy(order, table->player, sizeof order);
    int64_t cost =
        reference_seats(&field->request, table->player, table->seats, order, table->seats);
    assert_int_equal(cost, table->criteria.value[POD_P7_SEATS]);
}

enum { BRUTE_MAX = 16, PROFILES = 3 };
#ifdef PLAYOUTS_DEFAULT /* searches take long with checks built in */
enum { PINNED = 2 };
#else
enum { PINNED = 8 };
#endif

/* What takes long: every day there is less of it. */
static bool is_long(void)
{
    return getenv("TILLROLL_LONG") != NULL;
}

/* Brute force: the first player without a table is joined by every set of others in turn. Each set
 * is judged once: there are few, but millions of ways to put them together. And those without a
 * table are seated once in every way, however the others sit: sums are compared, so the best of the
 * rest is the same. */
struct brute_rest {
    bool known;
    unsigned char left[SEATS + 1]; /* tables by size; another mixture of them is tried anew */
    struct vector best;
};

struct brute {
    const struct field *field;
    struct vector *of_set; /* by the bits of its players */
    bool *judged;
    struct brute_rest *rest; /* by the bits of those who are seated */
    unsigned seated;
    unsigned char left[SEATS + 1];
};

static const struct vector *judge_set(struct brute *brute, const uint16_t *table, unsigned size)
{
    unsigned set = 0;
    for (unsigned i = 0; i < size; i++)
        set |= 1U << table[i];
    if (!brute->judged[set])
        brute->of_set[set] = judge_table(brute->field, table, size);
    brute->judged[set] = true;
    return &brute->of_set[set];
}

static const struct vector *brute_round(struct brute *brute);

/* The best way to fill a table that `count` sit at, and all others, into `best`. */
static void brute_table(struct brute *brute, struct vector *best, bool *found, uint16_t *table,
                        unsigned count, unsigned size)
{
    if (count == size) {
        struct vector vector = *judge_set(brute, table, size);
        reference_add(&vector, brute_round(brute));
        if (!*found || reference_compare(&brute->field->request, &vector, best, false) < 0)
            *best = vector;
        *found = true;
        return;
    }
    for (uint16_t i = (uint16_t)(table[count - 1] + 1); i < brute->field->request.player_count;
         i++) {
        if ((brute->seated >> i & 1) != 0)
            continue;
        table[count] = i;
        brute->seated |= 1U << i;
        brute_table(brute, best, found, table, count + 1, size);
        brute->seated &= ~(1U << i);
    }
}

/* The best that can be had of those who are not seated yet. */
static const struct vector *brute_round(struct brute *brute)
{
    struct brute_rest *rest = &brute->rest[brute->seated];
    struct vector best = {{0}};
    bool found = false;
    if (rest->known && memcmp(rest->left, brute->left, sizeof rest->left) == 0)
        return &rest->best;
    uint16_t first = 0;
    while (first < brute->field->request.player_count && (brute->seated >> first & 1) != 0)
        first++;
    for (unsigned size = 2; first < brute->field->request.player_count && size <= SEATS; size++) {
        uint16_t table[SEATS] = {first};
        if (brute->left[size] == 0)
            continue;
        brute->left[size]--;
        brute->seated |= 1U << first;
        brute_table(brute, &best, &found, table, 1, size);
        brute->seated &= ~(1U << first);
        brute->left[size]++;
    }
    assert_true(found || first == brute->field->request.player_count);
    *rest = (struct brute_rest){.known = true, .best = best};
    memcpy(rest->left, brute->left, sizeof rest->left);
    return &rest->best;
}

static void assert_optimal(const struct field *field)
{
    struct pod_pairing pairing;
    struct refusal refusal;
    bool paired = pod_swiss_pair(&field->request, &pairing, &refusal);
    struct brute brute = {.field = field,
                          .of_set = calloc(1U << BRUTE_MAX, sizeof(struct vector)),
                          .judged = calloc(1U << BRUTE_MAX, sizeof(bool)),
                          .rest = calloc(1U << BRUTE_MAX, sizeof(struct brute_rest))};
    struct table_sizes sizes;
    assert_true(brute.of_set != NULL && brute.judged != NULL && brute.rest != NULL);
    assert_true(field->request.player_count <= BRUTE_MAX);
    table_sizes_choose(field->request.rule, (unsigned)field->request.player_count, &sizes);
    for (unsigned size = 0; size <= SEATS; size++)
        brute.left[size] = (unsigned char)sizes.tables[size];
    for (size_t i = 0; paired && i < pairing.bye_count; i++)
        brute.seated |= 1U << pairing.byes[i];
    const struct vector best = *brute_round(&brute);
    free(brute.of_set);
    free(brute.judged);
    free(brute.rest);
    assert_int_equal(paired, best.value[POD_P1_FORBIDDEN] == 0);
    if (!paired)
        return;
    assert_true(pairing.exhaustive);
    assert_complete(field, &pairing);
    struct vector vector = vector_of(field, &pairing);
    assert_memory_equal(&vector, &best, sizeof vector);
    assert_true(pairing.repeats_bound <= vector.value[POD_P3_REPEATS]);
    for (size_t t = 0; t < pairing.table_count; t++)
        assert_seats_cheapest(field, &pairing.tables[t]);
    pod_pairing_free(&pairing);
}

TEST(optimal_for_few_players)
{
    for (uint32_t seed = 0; seed < 45; seed++) {
        struct field field;
        fill(&field, 3 + seed % 8, seed);
        if (seed % 8 == 2)
            field.request.rule = table_rule_range(3, 5, 4);
        assert_optimal(&field);
    }
    for (uint32_t seed = 0; seed < 3; seed++) {
        struct field field;
        fill(&field, 12, seed);
        assert_optimal(&field);
        fill(&field, 11, seed);
        assert_optimal(&field);
    }
}

/* Up to 2,627,625 ways to seat them, by each profile; every day each number by one of the profiles.
 */
TEST(optimal_for_sixteen_players)
{
    for (uint32_t seed = 0; seed < PROFILES; seed++)
        for (size_t players = 13; players <= 16; players++) {
            struct field field;
            if (!is_long() && players % PROFILES != seed)
                continue;
            fill(&field, players, seed);
            assert_optimal(&field);
        }
}

TEST(optimal_for_other_sizes)
{
    for (uint32_t seed = 0; seed < 6; seed++) {
        struct field field;
        fill(&field, 8 + seed % 3, seed);
        field.request.rule = table_rule_range(2, 3, 3);
        assert_optimal(&field);
        fill(&field, 8, seed);
        field.request.rule = table_rule_range(2, 2, 2);
        assert_optimal(&field);
        fill(&field, 9, seed);
        field.request.rule = table_rule_range(4, 5, 5);
        assert_optimal(&field);
    }
}

/* A swap that would be better in itself leaves more repeats to the next round. */
static void assert_loses_completion(const struct field *field, const struct pod_pairing *pairing,
                                    size_t one, size_t other, unsigned swap)
{
    struct pod_table tables[COUNT_MAX];
    struct pod_pairing swapped = *pairing;
    struct refusal refusal;
    swapped.tables = tables;
    memcpy(tables, pairing->tables, pairing->table_count * sizeof *tables);
    tables[one].player[swap / SEATS] = pairing->tables[other].player[swap % SEATS];
    tables[other].player[swap % SEATS] = pairing->tables[one].player[swap / SEATS];
    assert_true(pod_swiss_judge(&field->request, &swapped, &refusal));
    assert_true(swapped.criteria.value[POD_P2_COMPLETION] >
                pairing->criteria.value[POD_P2_COMPLETION]);
}

/* No swap of two players makes the vector better, which anybody can check. */
static void assert_no_swap_improves(const struct field *field, const struct pod_pairing *pairing)
{
    struct vector total = vector_of(field, pairing);
    for (size_t one = 0; one < pairing->table_count; one++) {
        for (size_t other = 0; other < one; other++) {
            for (unsigned i = 0; i < SEATS * SEATS; i++) {
                struct pod_table a = pairing->tables[one], b = pairing->tables[other];
                unsigned x = i / SEATS, y = i % SEATS;
                if (x >= a.seats || y >= b.seats)
                    continue;
                uint16_t moved = a.player[x];
                a.player[x] = b.player[y];
                b.player[y] = moved;
                struct vector swapped = judge_table(field, a.player, a.seats);
                struct vector second = judge_table(field, b.player, b.seats);
                reference_add(&swapped, &second);
                for (unsigned c = 0; c < POD_CRITERIA; c++)
                    swapped.value[c] += total.value[c] - a.criteria.value[c] - b.criteria.value[c];
                if (reference_compare(&field->request, &swapped, &total, true) < 0)
                    assert_loses_completion(field, pairing, one, other, i);
            }
        }
    }
}

TEST(no_swap_improves_larger_rounds)
{
    static const size_t counts[] = {17, 18, 23, 40, 63, 64};
    for (uint32_t seed = 0; seed < (is_long() ? 6 : 4); seed++) {
        struct field field;
        fill(&field, counts[seed], seed);
        field.request.later_rounds = 1;
        struct pod_pairing pairing = pair_field(&field);
        assert_false(pairing.exhaustive);
        assert_complete(&field, &pairing);
        assert_no_swap_improves(&field, &pairing);
        assert_true(pairing.repeats_bound <= pairing.criteria.value[POD_P3_REPEATS]);
        for (size_t t = 0; t < pairing.table_count; t++)
            assert_seats_cheapest(&field, &pairing.tables[t]);
        pod_pairing_free(&pairing);
    }
}

/* The same field with its players in another order. */
static void permute(struct field *to, const struct field *from, uint16_t *at)
{
    size_t count = from->request.player_count;
    uint32_t luck = 5;
    *to = *from;
    for (size_t i = 0; i < count; i++)
        at[i] = (uint16_t)i;
    for (size_t i = count; i-- > 1;) {
        size_t j = roll(&luck, (uint32_t)(i + 1));
        uint16_t moved = at[i];
        at[i] = at[j];
        at[j] = moved;
    }
    for (size_t a = 0; a < count; a++) {
        to->players[at[a]] = from->players[a];
        for (size_t b = 0; b < count; b++) {
            to->met[at[a] * count + at[b]] = from->met[a * count + b];
            to->before[at[a] * count + at[b]] = from->before[a * count + b];
        }
    }
    for (size_t i = 0; i < from->request.pair_count; i++) {
        to->pairs[i].a = at[from->pairs[i].b];
        to->pairs[i].b = at[from->pairs[i].a];
    }
    to->request.players = to->players;
    to->request.met = to->met;
    to->request.before = to->before;
    to->request.pairs = to->pairs;
}

TEST(order_of_players_does_not_matter)
{
    static const size_t counts[] = {5, 13, 16, 21, 40};
    for (uint32_t i = 0; i < (is_long() ? 5 : 4); i++) {
        struct field field, moved;
        uint16_t at[COUNT_MAX];
        fill(&field, counts[i], i + 3);
        field.request.later_rounds = 1;
        field.pairs[0].weight = 4;
        permute(&moved, &field, at);
        struct pod_pairing pairing = pair_field(&field), other = pair_field(&moved);
        assert_int_equal(pairing.table_count, other.table_count);
        assert_int_equal(pairing.bye_count, other.bye_count);
        for (size_t bye = 0; bye < pairing.bye_count; bye++)
            assert_int_equal(at[pairing.byes[bye]], other.byes[bye]);
        for (size_t t = 0; t < pairing.table_count; t++)
            for (unsigned seat = 0; seat < pairing.tables[t].seats; seat++)
                assert_int_equal(at[pairing.tables[t].player[seat]], other.tables[t].player[seat]);
        assert_memory_equal(&pairing.criteria, &other.criteria, sizeof pairing.criteria);
        pod_pairing_free(&pairing);
        pod_pairing_free(&other);
    }
}

TEST(the_same_bytes_on_every_run)
{
    for (size_t count = 14; count <= (is_long() ? 30 : 22); count += 8) {
        struct field field;
        fill(&field, count, 1);
        struct pod_pairing pairing = pair_field(&field), again = pair_field(&field);
        assert_memory_equal(pairing.tables, again.tables,
                            pairing.table_count * sizeof *pairing.tables);
        field.request.attempt = 2;
        struct pod_pairing other = pair_field(&field);
        assert_memory_not_equal(pairing.tables, other.tables,
                                pairing.table_count * sizeof *pairing.tables);
        pod_pairing_free(&pairing);
        pod_pairing_free(&again);
        pod_pairing_free(&other);
    }
}

/* Pairings pinned as they came out first: other compilers, optimisations and word sizes have to
 * agree, and a version stays what it is. FNV-1a over the players by table and seat. */
static uint32_t fingerprint(const struct pod_pairing *pairing)
{
    uint32_t hash = 2166136261U;
    for (size_t t = 0; t < pairing->table_count; t++)
        for (unsigned seat = 0; seat < pairing->tables[t].seats; seat++)
            hash = (hash ^ pairing->tables[t].player[seat]) * 16777619U;
    return hash;
}

TEST(pinned_pairings)
{
    static const struct {
        size_t count;
        uint16_t later;
        uint8_t version;
        uint32_t hash;
    } pinned[] = {{16, 0, 1, 0x936fc751}, {20, 0, 2, 0x7f92e431}, {20, 1, 1, 0x7f92e431},
                  {20, 1, 2, 0xd5a27665}, {64, 1, 2, 0x3c3103a5}, {16, 0, 3, 0x936fc751},
                  {20, 1, 3, 0xf7879529}, {64, 1, 3, 0x1d7211cb}};
    for (size_t i = 0; i < PINNED; i++) {
        struct field field;
        fill(&field, pinned[i].count, 9);
        field.request.later_rounds = pinned[i].later;
        field.request.version = pinned[i].version;
        struct pod_pairing pairing = pair_field(&field);
        assert_int_equal(fingerprint(&pairing), pinned[i].hash);
        pod_pairing_free(&pairing);
    }
}

TEST(tables_stand_in_order_of_score)
{
    struct field field;
    fill(&field, 42, 2);
    struct pod_pairing pairing = pair_field(&field);
    int64_t sums[COUNT_MAX] = {0};
    for (size_t t = 0; t < pairing.table_count; t++) {
        for (unsigned seat = 0; seat < pairing.tables[t].seats; seat++)
            sums[t] += field.players[pairing.tables[t].player[seat]].score;
        if (t > 0)
            assert_true(sums[t - 1] * pairing.tables[t].seats >=
                        sums[t] * pairing.tables[t - 1].seats);
    }
    pod_pairing_free(&pairing);
}

TEST(forbidden_pairs_are_parted_or_refused)
{
    struct field field;
    fill_new(&field, 8);
    field.pairs[0] = (struct pod_pair){0, 1, POD_FORBIDDEN};
    field.pairs[1] = (struct pod_pair){2, 3, POD_FORBIDDEN};
    field.pairs[2] = (struct pod_pair){2, 3, 7};
    field.request.pair_count = 3;
    struct pod_pairing pairing = pair_field(&field);
    assert_int_equal(vector_of(&field, &pairing).value[POD_P1_FORBIDDEN], 0);
    pod_pairing_free(&pairing);
    field.pairs[1] = (struct pod_pair){1, 2, POD_FORBIDDEN};
    field.pairs[2] = (struct pod_pair){2, 0, POD_FORBIDDEN};
    assert_refused(&field, POD_REFUSAL_FORBIDDEN);
    fill_new(&field, 40);
    for (uint16_t i = 0; i < 8; i++)
        field.pairs[i] = (struct pod_pair){i, (uint16_t)(i + 8), POD_FORBIDDEN};
    for (uint16_t i = 8; i < 16; i++)
        field.pairs[i] = (struct pod_pair){i, (uint16_t)(i + 8), 5};
    field.request.pair_count = 16;
    pairing = pair_field(&field);
    assert_int_equal(pairing.criteria.value[POD_P1_FORBIDDEN], 0);
    assert_int_equal(pairing.criteria.value[POD_P8_AVOID], 0);
    pod_pairing_free(&pairing);
}

TEST(few_players)
{
    static const unsigned byes[] = {0, 0, 0, 0, 0, 1, 0, 0, 0};
    for (size_t count = 0; count <= 8; count++) {
        struct field field;
        fill_new(&field, count > 3 ? count : 3);
        field.request.player_count = count;
        if (count < 3) {
            assert_refused(&field, POD_REFUSAL_TOO_FEW);
            continue;
        }
        struct pod_pairing pairing = pair_field(&field);
        assert_complete(&field, &pairing);
        assert_int_equal(pairing.bye_count, byes[count]);
        pod_pairing_free(&pairing);
    }
}

TEST(refuses_bad_requests)
{
    struct field good, field;
    fill_new(&good, 8);
    field = good;
    field.request.players = field.players;
    field.request.rule.preferred = 5;
    assert_refused(&field, POD_REFUSAL_RULE);
    field.request.rule = good.request.rule;
    field.request.profile = POD_PROFILES;
    assert_refused(&field, POD_REFUSAL_REQUEST);
    field.request.profile = POD_STRICT;
    field.request.attempt = 0;
    assert_refused(&field, POD_REFUSAL_REQUEST);
    field.request.attempt = 1;
    field.request.repeat_price = POD_REPEAT_PRICE_MAX + 1;
    assert_refused(&field, POD_REFUSAL_REQUEST);
    field.request.repeat_price = 0;
    field.players[3].tpn = field.players[5].tpn;
    assert_refused(&field, POD_REFUSAL_PLAYER);
    field.players[3].tpn = 0;
    assert_refused(&field, POD_REFUSAL_PLAYER);
    field.players[3] = good.players[3];
    field.players[3].score = POD_SCORE_MAX + 1;
    assert_refused(&field, POD_REFUSAL_PLAYER);
    field.players[3] = good.players[3];
    field.players[3].floats[1] = 2;
    assert_refused(&field, POD_REFUSAL_PLAYER);
    field.players[3] = good.players[3];
    field.request.pairs = field.pairs;
    field.request.pair_count = 1;
    field.pairs[0] = (struct pod_pair){2, 2, 1};
    assert_refused(&field, POD_REFUSAL_PAIR);
    field.pairs[0] = (struct pod_pair){2, 8, 1};
    assert_refused(&field, POD_REFUSAL_PAIR);
    field.pairs[0] = (struct pod_pair){2, 3, 0};
    assert_refused(&field, POD_REFUSAL_PAIR);
    field.request.player_count = TOURNAMENT_ENTRIES_MAX + 1;
    assert_refused(&field, POD_REFUSAL_TOO_MANY);
}

/* Step B, criterion by criterion: five players at tables of three and four need one bye. */
TEST(byes_in_order)
{
    struct field field;
    fill_new(&field, 5);
    struct pod_player *players = field.players;
    for (size_t i = 0; i < 5; i++)
        players[i] = (struct pod_player){.tpn = (uint16_t)(i + 1), .place = 1, .score = 60};
    struct pod_pairing pairing = pair_field(&field);
    assert_int_equal(pairing.byes[0], 4); /* the highest TPN */
    pod_pairing_free(&pairing);
    players[3].place = 2;
    pairing = pair_field(&field);
    assert_int_equal(pairing.byes[0], 3); /* the last place */
    pod_pairing_free(&pairing);
    for (size_t i = 0; i < 5; i++)
        players[i].unplayed = i != 2;
    pairing = pair_field(&field);
    assert_int_equal(pairing.byes[0], 2); /* the fewest unplayed rounds */
    pod_pairing_free(&pairing);
    players[1].score = 0;
    pairing = pair_field(&field);
    assert_int_equal(pairing.byes[0], 1); /* the lowest score */
    pod_pairing_free(&pairing);
    players[1].full_without_play = 1;
    pairing = pair_field(&field);
    assert_int_equal(pairing.byes[0], 2); /* not who had full points without play */
    pod_pairing_free(&pairing);
    for (size_t i = 0; i < 5; i++)
        players[i].byes = i != 1;
    pairing = pair_field(&field);
    assert_int_equal(pairing.byes[0], 1); /* but rather that than a second bye */
    pod_pairing_free(&pairing);
}

TEST(judges_what_it_paired)
{
    struct field field;
    struct refusal refusal = {0};
    fill(&field, 26, 4);
    field.request.pair_count = 0;
    struct pod_pairing pairing = pair_field(&field);
    struct pod_criteria criteria = pairing.criteria;
    int8_t floats[SEATS];
    memcpy(floats, pairing.tables[2].floats, sizeof floats);
    assert_true(pod_swiss_judge(&field.request, &pairing, &refusal));
    assert_memory_equal(&criteria, &pairing.criteria, sizeof criteria);
    assert_memory_equal(floats, pairing.tables[2].floats, sizeof floats);
    uint16_t moved = pairing.tables[0].player[0];
    pairing.tables[0].player[0] = pairing.tables[5].player[1];
    pairing.tables[5].player[1] = moved;
    assert_true(pod_swiss_judge(&field.request, &pairing, &refusal));
    assert_true(pod_criteria_compare(&field.request, &criteria, &pairing.criteria) < 0);
    pairing.tables[0].player[0] = moved;
    assert_false(pod_swiss_judge(&field.request, &pairing, &refusal));
    assert_string_equal(refusal.code, POD_REFUSAL_REQUEST);
    pod_pairing_free(&pairing);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
