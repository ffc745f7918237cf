#include "engine/tournament/formats/round_robin/pod_round_robin.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/tournament/formats/round_robin/pod_plan.h"

enum {
    CYCLES = 3,         /* lengths tried, from the number of rounds on */
    TRIES = 3,          /* tries of each */
    SHORTENED_MAX = 4,  /* players left out of a larger schedule */
    LEFT_OUT_FIRST = 16 /* the first of them is one of this many */
};

static_assert((int)POD_ROUND_ROBIN_PLAYERS_MAX == (int)POD_PLAN_PLAYERS_MAX, "one bound");

/* Work in progress: `plan` is on trial, `best` is the best so far. */
struct making {
    const struct pod_round_robin_request *request;
    struct table_sizes sizes;
    struct chance_stream stream;
    struct pod_plan plan; /* owned */
    uint16_t *best;       /* owned: the players of the plan */
    uint8_t *met;         /* owned: players^2 */
    int64_t repeats;      /* of the best; negative: none yet */
    int64_t unfairness;
    enum pod_schedule_method method;
    unsigned group_size;
    bool memory; /* false once out of memory */
};

static bool request_valid(const struct pod_round_robin_request *request)
{
    return request->players <= POD_ROUND_ROBIN_PLAYERS_MAX && request->rounds >= 1 &&
           request->rounds <= TOURNAMENT_ROUNDS_MAX && request->attempt >= 1 &&
           request->version <= POD_SCHEDULE_VERSION && table_rule_valid(request->rule);
}

static unsigned largest_size(const struct table_sizes *sizes)
{
    unsigned size = TOURNAMENT_SEATS_MAX;
    while (sizes->tables[size] == 0)
        size--;
    return size;
}

/* Takes the plan as the best unless one is at least as good. */
static void consider(struct making *making, enum pod_schedule_method method, unsigned group_size)
{
    const struct pod_plan *plan = &making->plan;
    int64_t repeats = pod_plan_repeats(plan, making->met), unfairness = pod_plan_unfairness(plan);
    if (making->repeats >= 0 && (repeats > making->repeats ||
                                 (repeats == making->repeats && unfairness >= making->unfairness)))
        return;
    memcpy(making->best, plan->player, (size_t)plan->players * plan->rounds * sizeof *making->best);
    making->repeats = repeats;
    making->unfairness = unfairness;
    making->method = method;
    making->group_size = group_size;
}

/* Nothing better is possible, or nothing can be done. */
static bool is_settled(const struct making *making)
{
    return !making->memory ||
           (making->repeats >= 0 && POD_PLAN_REPEAT * making->repeats + making->unfairness ==
                                        pod_plan_floor(&making->plan));
}

/* Whether `players` have all met after `rounds` without repeats. */
static bool is_complete(unsigned players, unsigned seats, unsigned rounds)
{
    return rounds * (seats - 1) == players - 1;
}

/* Whether a schedule without repeats is possible. */
static bool is_possible(unsigned players, unsigned seats, unsigned rounds)
{
    return rounds * (seats - 1) <= players - 1;
}

/* Writes the rounds of a construction, starting over after the last. */
static void construct(struct pod_plan *plan, unsigned seats, unsigned rounds)
{
    for (unsigned round = 0; round < plan->rounds; round++)
        pod_design_round(plan->players, seats, round % rounds, pod_plan_round(plan, round));
}

/* True if there is a stored schedule; it has then been written. */
static bool take_kept(const struct pod_round_robin_request *request, struct pod_plan *plan,
                      unsigned seats)
{
    if (request->version == 1 || pod_design_kept_rounds(plan->players, seats) < plan->rounds)
        return false;
    for (unsigned round = 0; round < plan->rounds; round++)
        pod_design_kept_round(plan->players, seats, round, pod_plan_round(plan, round));
    return true;
}

static void anneal_from(struct making *making, unsigned kept, enum pod_schedule_method method,
                        unsigned group_size)
{
    if (is_settled(making))
        return;
    making->memory = pod_plan_anneal(&making->plan, kept, &making->stream);
    if (making->memory)
        consider(making, method, group_size);
}

/* Tries circles of a length; true once a round without remaining cost is found. */
static bool try_cycle(struct making *making, struct pod_plan *plan, unsigned length)
{
    bool tried = true;
    int64_t left = -1;
    for (unsigned n = 0; n < TRIES && tried && left != 0 && making->memory; n++)
        making->memory = pod_plan_cycle(plan, length, &making->stream, &tried, &left);
    return making->memory && tried && left == 0;
}

/* Tables of one size. */
static void make_uniform(struct making *making, unsigned seats)
{
    struct pod_plan *plan = &making->plan;
    unsigned players = plan->players, constructed = pod_design_rounds(players, seats);
    unsigned group_size = pod_design_group_size(players, seats);
    if (constructed >= plan->rounds ||
        (constructed > 0 && is_complete(players, seats, constructed))) {
        construct(plan, seats, constructed);
        consider(making, POD_SCHEDULE_CONSTRUCTED, group_size);
        return;
    }
    if (take_kept(making->request, plan, seats)) {
        consider(making, POD_SCHEDULE_CONSTRUCTED, 1);
        return;
    }
    for (unsigned more = 0; more < CYCLES && is_possible(players, seats, plan->rounds) &&
                            making->memory && making->repeats != 0;
         more++) {
        try_cycle(making, plan, plan->rounds + more);
        if (making->memory)
            consider(making, POD_SCHEDULE_CYCLIC, 1);
    }
    if (is_settled(making) || plan->rounds == 1)
        return;
    if (constructed > 0) {
        construct(plan, seats, constructed);
        anneal_from(making, constructed, POD_SCHEDULE_EXTENDED, group_size);
    } else if (is_possible(players, seats, plan->rounds - 1) &&
               try_cycle(making, plan, plan->rounds - 1)) {
        anneal_from(making, plan->rounds - 1, POD_SCHEDULE_EXTENDED, 1);
    }
}

/* Leaving players out: those who never meet, and whose opponents overlap least, since a common
 * opponent sits at a short table once for each of them. */
struct leaving_out {
    unsigned players, wanted;
    const uint8_t *met;
    const uint16_t *common; /* [a * players + b]: number of players who meet both */
    uint16_t chosen[SHORTENED_MAX], best[SHORTENED_MAX];
    int64_t best_cost; /* negative: none found */
};

static void choose_left_out(struct leaving_out *out, unsigned count, int64_t cost)
{
    if (count == out->wanted || count == SHORTENED_MAX) {
        memcpy(out->best, out->chosen, sizeof out->best);
        out->best_cost = cost;
        return;
    }
    unsigned from = count == 0 ? 0 : out->chosen[count - 1] + 1U;
    unsigned to = count == 0 && out->players > LEFT_OUT_FIRST ? LEFT_OUT_FIRST : out->players;
    for (unsigned next = from; next < to; next++) {
        int64_t with = cost;
        bool apart = true;
        for (unsigned i = 0; i < count; i++) {
            size_t pair = (size_t)next * out->players + out->chosen[i];
            apart = apart && out->met[pair] == 0;
            with += out->common[pair];
        }
        if (!apart || (out->best_cost >= 0 && with >= out->best_cost))
            continue;
        out->chosen[count] = (uint16_t)next;
        choose_left_out(out, count + 1, with);
    }
}

static void count_common(const struct pod_plan *plan, const uint8_t *met, uint16_t *common)
{
    size_t players = plan->players;
    for (size_t a = 0; a < players; a++)
        for (size_t b = 0; b < players; b++)
            for (size_t c = 0; c < players; c++)
                common[a * players + b] =
                    (uint16_t)(common[a * players + b] +
                               (met[a * players + c] > 0 && met[b * players + c] > 0));
}

static bool find_left_out(struct making *making, const struct pod_plan *larger, unsigned wanted,
                          uint16_t *left_out)
{
    size_t pairs = (size_t)larger->players * larger->players;
    uint8_t *met = malloc(pairs);
    uint16_t *common = calloc(pairs, sizeof *common);
    struct leaving_out out = {.players = larger->players,
                              .wanted = wanted,
                              .met = met,
                              .common = common,
                              .best_cost = -1};
    making->memory = met != NULL && common != NULL;
    if (making->memory) {
        pod_plan_count(larger, met);
        count_common(larger, met, common);
        choose_left_out(&out, 0, 0);
        memcpy(left_out, out.best, sizeof out.best);
    }
    free(met);
    free(common);
    return making->memory && out.best_cost >= 0;
}

/* The number of a player after removing those left out; the number of players for one of them. */
static uint16_t renumber(uint16_t player, const uint16_t *left_out, unsigned wanted,
                         unsigned players)
{
    uint16_t number = player;
    for (unsigned i = 0; i < wanted; i++) {
        if (left_out[i] == player)
            return (uint16_t)players;
        number = (uint16_t)(number - (left_out[i] < player));
    }
    return number;
}

/* Copies a round without those left out: whole tables first, then short ones. */
static void copy_shortened(struct pod_plan *plan, const struct pod_plan *larger, unsigned round,
                           const uint16_t *left_out, unsigned wanted)
{
    uint16_t *to = pod_plan_round(plan, round);
    const uint16_t *from = pod_plan_round(larger, round);
    for (unsigned full = 2; full-- > 0;)
        for (unsigned table = 0; table < larger->tables; table++) {
            uint16_t kept[TOURNAMENT_SEATS_MAX];
            unsigned size = (unsigned)(larger->first[table + 1] - larger->first[table]), count = 0;
            for (unsigned i = 0; i < size; i++) {
                kept[count] =
                    renumber(from[larger->first[table] + i], left_out, wanted, plan->players);
                count += kept[count] < plan->players;
            }
            if ((count == size) == (full == 1)) {
                memcpy(to, kept, count * sizeof *to);
                to += count;
            }
        }
}

/* Makes a plan without repeats in which all tables have one size. */
static bool make_perfect(struct making *making, struct pod_plan *plan, unsigned seats)
{
    unsigned constructed = pod_design_rounds(plan->players, seats);
    if (constructed >= plan->rounds)
        construct(plan, seats, constructed);
    return constructed >= plan->rounds || (is_possible(plan->players, seats, plan->rounds) &&
                                           try_cycle(making, plan, plan->rounds));
}

/* Makes a schedule from one with a few players more. */
static void make_shortened(struct making *making, unsigned seats, unsigned wanted)
{
    struct pod_plan *plan = &making->plan, larger;
    struct table_sizes sizes = {0};
    uint16_t left_out[SHORTENED_MAX];
    sizes.tables[seats] = making->sizes.table_count;
    making->memory = pod_plan_init(&larger, plan->players + wanted, plan->rounds, seats, &sizes);
    if (making->memory && make_perfect(making, &larger, seats) &&
        find_left_out(making, &larger, wanted, left_out)) {
        for (unsigned round = 0; round < plan->rounds; round++)
            copy_shortened(plan, &larger, round, left_out, wanted);
        consider(making, POD_SCHEDULE_SHORTENED, 1);
    }
    pod_plan_free(&larger);
}

/* How many more players would make all tables as large as the largest; 0 if short tables are not
 * one short. */
static unsigned shortage(const struct making *making)
{
    const struct table_sizes *sizes = &making->sizes;
    unsigned seats = largest_size(sizes), missing = sizes->tables[seats - 1];
    if (sizes->byes > 0 || sizes->tables[seats] + missing != sizes->table_count ||
        missing > SHORTENED_MAX || making->plan.players + missing > POD_PLAN_PLAYERS_MAX)
        return 0;
    return missing;
}

static bool is_uniform(const struct table_sizes *sizes)
{
    return sizes->byes == 0 && sizes->tables[largest_size(sizes)] == sizes->table_count;
}

static void make_plan(struct making *making)
{
    char name[CHANCE_NAME_MAX + 1];
    struct text text = TEXT_OVER(name);
    struct pod_plan *plan = &making->plan;
    unsigned seats = largest_size(&making->sizes), missing = shortage(making);
    text_add(&text, "schedule/");
    text_add_number(&text, making->request->attempt);
    chance_open(&making->stream, making->request->chance, name, 0);
    if (is_uniform(&making->sizes))
        make_uniform(making, seats);
    else if (missing > 0)
        make_shortened(making, seats, missing);
    anneal_from(making, 0, POD_SCHEDULE_ANNEALED, 1);
    if (!making->memory)
        return;
    memcpy(plan->player, making->best, (size_t)plan->players * plan->rounds * sizeof *plan->player);
    making->memory = pod_plan_seat(plan);
}

static bool take_memory(struct making *making)
{
    size_t players = making->request->players, rounds = making->request->rounds;
    bool memory = pod_plan_init(&making->plan, making->request->players, making->request->rounds,
                                making->request->rule.preferred, &making->sizes);
    making->best = malloc(players * rounds * sizeof *making->best);
    making->met = malloc(players * players);
    return memory && making->best != NULL && making->met != NULL;
}

static void write_tables(const struct pod_plan *plan, struct pod_schedule *schedule)
{
    struct pod_schedule_table *next = schedule->tables;
    for (unsigned round = 0; round < plan->rounds; round++) {
        const uint16_t *row = pod_plan_round(plan, round);
        for (unsigned slot = 0; slot < plan->players; slot++) {
            unsigned table = plan->table[slot];
            bool bye = table == plan->tables;
            if (bye || slot == plan->first[table])
                *next++ = (struct pod_schedule_table){.round = (uint16_t)(round + 1),
                                                      .table = bye ? 0 : (uint16_t)(table + 1)};
            next[-1].player[next[-1].seats++] = row[slot];
        }
    }
    schedule->table_count = (size_t)(next - schedule->tables);
}

static bool write_schedule(const struct making *making, struct pod_schedule *schedule)
{
    const struct pod_plan *plan = &making->plan;
    schedule->method = making->method;
    schedule->group_size = (uint16_t)making->group_size;
    schedule->tables = calloc((size_t)plan->players * plan->rounds, sizeof *schedule->tables);
    if (schedule->tables == NULL)
        return false;
    write_tables(plan, schedule);
    return pod_schedule_measure(schedule->tables, schedule->table_count, plan->players,
                                plan->preferred, &schedule->quality);
}

bool pod_round_robin_make(const struct pod_round_robin_request *request,
                          struct pod_schedule *schedule, struct refusal *refusal)
{
    struct making making = {.request = request, .repeats = -1};
    *schedule = (struct pod_schedule){0};
    if (!request_valid(request) ||
        !table_sizes_choose(request->rule, request->players, &making.sizes))
        return refuse(refusal, POD_SCHEDULE_REFUSAL_REQUEST,
                      "A schedule needs a table's worth of players up to 256, 1 to 64 rounds and "
                      "a rule for tables.");
    making.memory = take_memory(&making);
    if (making.memory)
        make_plan(&making);
    bool made = making.memory && write_schedule(&making, schedule);
    pod_plan_free(&making.plan);
    free(making.best);
    free(making.met);
    if (made)
        return true;
    pod_schedule_free(schedule);
    return refuse(refusal, POD_SCHEDULE_REFUSAL_MEMORY,
                  "There is not enough memory for a schedule.");
}

void pod_schedule_free(struct pod_schedule *schedule)
{
    free(schedule->tables);
    *schedule = (struct pod_schedule){0};
}
