#include "engine/tournament/formats/knockout/pod_elimination.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"

/* One entry in the current round. */
struct runner {
    uint16_t seed; /* from 1 */
    bool waited;   /* had a bye */
    bool direct;   /* advances by its place at the table */
    bool stays;    /* neither forfeited nor withdrew: may advance */
    uint8_t rank;
    int32_t share, of; /* share of the best score at the table, >= 0 and >= 1 */
    uint32_t table;    /* index into the tables */
    uint8_t seat;
};

struct making {
    const struct pod_elimination_input *input;
    struct pod_elimination *made;
    size_t capacity;       /* of made->tables */
    size_t round_first;    /* the first table of the round */
    size_t count;          /* entries in the round */
    uint16_t *field;       /* owned: their seeds, best first */
    uint16_t *leaves;      /* owned: [seed - 1]: the round from which on it is out, or UINT16_MAX */
    struct runner *runner; /* owned: one per entry of the round */
    uint8_t *sent;         /* owned: per table of the round, how many advance by place */
    struct arena_batch batch;
};

bool pod_elimination_rule_valid(struct pod_elimination_rule rule)
{
    return table_rule_valid(rule.tables) && rule.advance >= 1 &&
           rule.advance < table_rule_smallest(rule.tables);
}

static bool is_final(const struct table_sizes *sizes)
{
    return sizes->table_count == 1 && sizes->byes == 0;
}

/* How many advance from a round; enough for a table. */
static unsigned number_going_on(struct pod_elimination_rule rule, const struct table_sizes *sizes)
{
    unsigned on = sizes->byes + (unsigned)rule.advance * sizes->table_count;
    unsigned least = table_rule_smallest(rule.tables);
    return on < least ? least : on;
}

size_t pod_elimination_plan(struct pod_elimination_rule rule, unsigned entries,
                            struct pod_elimination_round *rounds)
{
    struct table_sizes sizes;
    size_t count = 0;
    assert(pod_elimination_rule_valid(rule) && entries <= TOURNAMENT_ENTRIES_MAX);
    while (count < TOURNAMENT_ROUNDS_MAX && table_sizes_choose(rule.tables, entries, &sizes)) {
        bool final = is_final(&sizes);
        rounds[count++] = (struct pod_elimination_round){
            .entries = (uint16_t)entries,
            .byes = sizes.byes,
            .tables = sizes.table_count,
            .on = final ? 0 : (uint16_t)number_going_on(rule, &sizes)};
        if (final)
            break;
        entries = rounds[count - 1].on;
    }
    return count;
}

/* Tables of a round. */

static bool grow(struct making *making, size_t more)
{
    struct pod_elimination *made = making->made;
    if (made->table_count + more <= making->capacity)
        return true;
    size_t capacity = 2 * (made->table_count + more);
    struct pod_elimination_table *tables = realloc(made->tables, capacity * sizeof *made->tables);
    if (tables == NULL)
        return false;
    made->tables = tables;
    making->capacity = capacity;
    return true;
}

static uint16_t entry_of(const struct making *making, uint16_t seed)
{
    return making->input->seeding[seed - 1];
}

static void add_table(struct making *making, uint16_t table)
{
    struct pod_elimination *made = making->made;
    made->tables[made->table_count++] = (struct pod_elimination_table){
        .round = made->rounds, .table = table, .decided = table == 0};
}

static void take_seat(struct making *making, size_t index, size_t number)
{
    struct pod_elimination_table *table = &making->made->tables[index];
    uint16_t seed = making->field[number];
    making->runner[number] =
        (struct runner){.seed = seed,
                        .waited = table->table == 0,
                        .direct = table->table == 0,
                        .stays = making->leaves[seed - 1] > making->made->rounds + 1U,
                        .of = 1,
                        .table = (uint32_t)index,
                        .seat = table->seats};
    table->entry[table->seats] = entry_of(making, seed);
    table->seed[table->seats] = seed;
    table->seats++;
}

static void add_byes(struct making *making, size_t byes)
{
    for (size_t number = 0; number < byes; number++) {
        add_table(making, 0);
        take_seat(making, making->made->table_count - 1, number);
    }
}

/* The number of seats of table `table` (from 0): smaller tables first. */
static unsigned seats_of(const struct table_sizes *sizes, unsigned table)
{
    unsigned size = TABLE_SIZE_MIN;
    while (size < TOURNAMENT_SEATS_MAX && table >= sizes->tables[size])
        table -= sizes->tables[size++];
    return size;
}

/* Back and forth over the tables, skipping full ones. */
static void add_tables(struct making *making, const struct table_sizes *sizes)
{
    size_t first = making->made->table_count, number = sizes->byes;
    for (uint16_t table = 1; table <= sizes->table_count; table++)
        add_table(making, table);
    for (unsigned pass = 0; number < making->count; pass++) {
        for (unsigned i = 0; i < sizes->table_count && number < making->count; i++) {
            unsigned table = pass % 2 == 0 ? i : sizes->table_count - 1 - i;
            if (making->made->tables[first + table].seats < seats_of(sizes, table))
                take_seat(making, first + table, number++);
        }
    }
}

/* Results. */

static int seat_of(const struct table_result *result, uint16_t entry)
{
    for (int i = 0; i < result->seats; i++)
        if (result->seat[i].entry == entry)
            return i;
    return -1;
}

static bool is_result_of(const struct table_result *result,
                         const struct pod_elimination_table *table)
{
    if (result->round != table->round || result->table != table->table ||
        result->seats != table->seats)
        return false;
    for (unsigned i = 0; i < table->seats; i++)
        if (seat_of(result, table->entry[i]) < 0)
            return false;
    return true;
}

static const struct table_result *find_result(const struct making *making,
                                              const struct pod_elimination_table *table)
{
    for (size_t i = 0; i < making->input->result_count; i++)
        if (is_result_of(&making->input->results[i], table))
            return &making->input->results[i];
    return NULL;
}

static int32_t best_score(const struct table_result *result)
{
    int32_t best = 1;
    for (unsigned i = 0; i < result->seats; i++)
        if (result->seat[i].score > best)
            best = result->seat[i].score;
    return best;
}

static void take_result(struct runner *runner, const struct table_result *result, int32_t best,
                        uint16_t entry)
{
    const struct seat_result *own = &result->seat[seat_of(result, entry)];
    runner->rank = own->rank;
    runner->share = own->score < 0 ? 0 : own->score;
    runner->of = best;
    if (round_kind_is_lost(own->kind)) {
        runner->rank = UINT8_MAX;
        runner->share = 0;
        runner->stays = false;
    }
}

/* Reads the results of the round. True if every table has one. */
static bool read_results(struct making *making)
{
    bool all = true;
    for (size_t i = making->round_first; i < making->made->table_count; i++) {
        struct pod_elimination_table *table = &making->made->tables[i];
        const struct table_result *result = table->table == 0 ? NULL : find_result(making, table);
        if (result == NULL) {
            all = all && table->table == 0;
            continue;
        }
        table->decided = true;
        making->made->unused_results--;
        for (size_t number = 0; number < making->count; number++)
            if (making->runner[number].table == i)
                take_result(&making->runner[number], result, best_score(result),
                            entry_of(making, making->runner[number].seed));
    }
    return all;
}

/* Byes come first, then place, share, seed. */
static int compare_runners(const void *left, const void *right)
{
    const struct runner *a = left, *b = right;
    int64_t share_a = (int64_t)a->share * b->of, share_b = (int64_t)b->share * a->of;
    if (a->waited != b->waited)
        return a->waited ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (share_a != share_b)
        return share_a > share_b ? -1 : 1;
    return (a->seed > b->seed) - (a->seed < b->seed);
}

/* Marks the first ones of each table. The runners are in order, also within each table. */
static void mark_direct(struct making *making)
{
    size_t tables = making->made->table_count - making->round_first;
    memset(making->sent, 0, tables * sizeof *making->sent);
    for (size_t i = 0; i < making->count; i++) {
        struct runner *runner = &making->runner[i];
        if (!runner->stays || runner->waited)
            continue;
        uint8_t *of_table = &making->sent[runner->table - making->round_first];
        runner->direct = *of_table < making->input->rule.advance;
        *of_table = (uint8_t)(*of_table + 1);
    }
}

static int compare_seeds(const void *left, const void *right)
{
    const uint16_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static void send_on(struct making *making, const struct runner *runner, size_t *next)
{
    struct pod_elimination_table *table = &making->made->tables[runner->table];
    table->on = (uint8_t)(table->on | 1U << runner->seat);
    making->field[(*next)++] = runner->seed;
}

/* The advancing entries become the field; the others get their places. */
static void part(struct making *making, size_t wanted)
{
    size_t next = 0, left = making->count;
    for (unsigned by_right = 2; by_right-- > 0;)
        for (size_t i = 0; i < making->count && next < wanted; i++) {
            struct runner *runner = &making->runner[i];
            if (!runner->stays || runner->direct != (by_right == 1))
                continue;
            send_on(making, runner, &next);
            runner->seed = 0;
        }
    for (size_t i = making->count; i-- > 0;)
        if (making->runner[i].seed != 0)
            making->made->place[making->runner[i].seed - 1] = (uint16_t)left--;
    qsort(making->field, next, sizeof *making->field, compare_seeds);
    making->count = next;
}

static void end_round(struct making *making, const struct table_sizes *sizes)
{
    qsort(making->runner, making->count, sizeof *making->runner, compare_runners);
    mark_direct(making);
    part(making, is_final(sizes) ? 0 : number_going_on(making->input->rule, sizes));
}

/* Too few are left for any table: places them by seed. */
static void place_rest(struct making *making)
{
    for (size_t i = 0; i < making->count; i++)
        making->made->place[making->field[i] - 1] = (uint16_t)(i + 1);
    making->made->over = true;
}

/* Makes rounds as far as results allow. False when out of memory. */
static bool make_rounds(struct making *making)
{
    struct pod_elimination *made = making->made;
    struct table_sizes sizes;
    while (table_sizes_choose(making->input->rule.tables, (unsigned)making->count, &sizes)) {
        if (!grow(making, (size_t)sizes.table_count + sizes.byes))
            return false;
        made->rounds++;
        making->round_first = made->table_count;
        made->final = is_final(&sizes);
        add_byes(making, sizes.byes);
        add_tables(making, &sizes);
        if (!read_results(making))
            return true;
        end_round(making, &sizes);
    }
    place_rest(making);
    return true;
}

/* Checks of the input. */

static bool is_bad_result(const struct table_result *result)
{
    if (result->table == 0 || result->seats < TABLE_SIZE_MIN ||
        result->seats > TOURNAMENT_SEATS_MAX)
        return true;
    for (unsigned i = 0; i < result->seats; i++) {
        const struct seat_result *seat = &result->seat[i];
        if (!round_kind_is_seated(seat->kind) || seat->rank < 1 || seat->rank > result->seats ||
            seat->score > RESULT_SCORE_MAX || seat->score < -RESULT_SCORE_MAX ||
            seat_of(result, seat->entry) != (int)i)
            return true;
    }
    return false;
}

static bool same_table(const struct table_result *a, const struct table_result *b)
{
    if (a->round != b->round || a->table != b->table || a->seats != b->seats)
        return false;
    for (unsigned i = 0; i < a->seats; i++)
        if (seat_of(b, a->seat[i].entry) < 0)
            return false;
    return true;
}

static bool check_results(const struct pod_elimination_input *input, struct refusal *refusal)
{
    if (input->result_count > POD_ELIMINATION_RESULTS_MAX)
        return refuse(refusal, POD_ELIMINATION_REFUSAL_RESULT, "There are too many results.");
    for (size_t i = 0; i < input->result_count; i++) {
        if (is_bad_result(&input->results[i]))
            return refuse(refusal, POD_ELIMINATION_REFUSAL_RESULT,
                          "A result has a seat, kind, rank or score that is out of range.");
        for (size_t j = 0; j < i; j++)
            if (same_table(&input->results[i], &input->results[j]))
                return refuse(refusal, POD_ELIMINATION_REFUSAL_TWICE,
                              "There are two results of one table.");
    }
    return true;
}

/* Reads withdrawals, the earliest one of each entry. */
static bool read_withdrawals(struct making *making, const uint16_t *seed_of)
{
    const struct pod_elimination_input *input = making->input;
    for (size_t i = 0; i < input->withdrawn_count; i++) {
        const struct pod_withdrawal *withdrawal = &input->withdrawn[i];
        uint16_t seed = seed_of[withdrawal->entry];
        if (seed == 0 || withdrawal->round == 0)
            return false;
        if (withdrawal->round < making->leaves[seed - 1])
            making->leaves[seed - 1] = withdrawal->round;
    }
    return true;
}

/* Writes seed_of[entry], 0 for unseeded ones. False if an entry is seeded twice. */
static bool read_seeding(const struct pod_elimination_input *input, uint16_t *seed_of)
{
    for (size_t i = 0; i < input->entry_count; i++) {
        if (seed_of[input->seeding[i]] != 0)
            return false;
        seed_of[input->seeding[i]] = (uint16_t)(i + 1);
    }
    return true;
}

/* Entries that left before the first round have the last places, in order of seeds. */
static void fill_field(struct making *making)
{
    size_t gone = making->input->entry_count;
    for (size_t i = making->input->entry_count; i-- > 0;)
        if (making->leaves[i] <= 1)
            making->made->place[i] = (uint16_t)gone--;
    for (size_t i = 0; i < making->input->entry_count; i++)
        if (making->leaves[i] > 1)
            making->field[making->count++] = (uint16_t)(i + 1);
}

static bool check_entries(struct making *making, uint16_t *seed_of, struct refusal *refusal)
{
    const struct pod_elimination_input *input = making->input;
    if (!read_seeding(input, seed_of) ||
        input->entry_count < table_rule_smallest(input->rule.tables))
        return refuse(refusal, POD_ELIMINATION_REFUSAL_SEEDING,
                      "There are too few entries for a table, or one is seeded twice.");
    if (!read_withdrawals(making, seed_of))
        return refuse(refusal, POD_ELIMINATION_REFUSAL_LEFT, "An entry that left was not seeded.");
    return true;
}

static bool run(struct making *making, uint16_t *seed_of, struct refusal *refusal)
{
    if (!check_entries(making, seed_of, refusal))
        return false;
    making->made->unused_results = making->input->result_count;
    fill_field(making);
    if (!make_rounds(making))
        return refuse(refusal, POD_ELIMINATION_REFUSAL_MEMORY,
                      "There is not enough memory for the rounds.");
    return true;
}

static bool take_memory(struct making *making)
{
    size_t count = making->input->entry_count + 1;
    struct arena_batch *batch = &making->batch;
    making->field = arena_batch_take(batch, count, sizeof *making->field);
    making->runner = arena_batch_take(batch, count, sizeof *making->runner);
    making->sent = arena_batch_take(batch, count, sizeof *making->sent);
    making->leaves = arena_batch_take(batch, count, sizeof *making->leaves);
    making->made->place = calloc(count, sizeof *making->made->place);
    if (batch->failed || making->made->place == NULL)
        return false;
    memset(making->leaves, 0xff, count * sizeof *making->leaves);
    return true;
}

bool pod_elimination_make(const struct pod_elimination_input *input,
                          struct pod_elimination *elimination, struct refusal *refusal)
{
    struct making making = {.input = input, .made = elimination};
    *elimination = (struct pod_elimination){0};
    if (!pod_elimination_rule_valid(input->rule))
        return refuse(refusal, POD_ELIMINATION_REFUSAL_RULE,
                      "At every table at least one entry must advance and at least one must not.");
    if (input->entry_count > TOURNAMENT_ENTRIES_MAX)
        return refuse(refusal, POD_ELIMINATION_REFUSAL_SEEDING, "There are too many entries.");
    if (!check_results(input, refusal))
        return false;
    uint16_t *seed_of = arena_batch_take(&making.batch, UINT16_MAX + 1U, sizeof *seed_of);
    bool made = take_memory(&making);
    if (made)
        made = run(&making, seed_of, refusal);
    else
        refuse(refusal, POD_ELIMINATION_REFUSAL_MEMORY,
               "There is not enough memory for the rounds.");
    arena_batch_free(&making.batch);
    if (!made)
        pod_elimination_free(elimination);
    return made;
}

void pod_elimination_free(struct pod_elimination *elimination)
{
    free(elimination->tables);
    free(elimination->place);
    *elimination = (struct pod_elimination){0};
}
