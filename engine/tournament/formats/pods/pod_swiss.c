#include "engine/tournament/formats/pods/pod_swiss.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/tournament/formats/pods/pod_ahead.h"
#include "engine/tournament/formats/pods/pod_cost.h"
#include "engine/tournament/formats/pods/pod_later.h"
#include "engine/tournament/formats/pods/pod_search.h"
#include "engine/tournament/formats/pods/pod_seats.h"

static const struct pod_criterion_text texts[POD_CRITERIA] = {
    {"P1", "forbidden pairs", "Pairs at one table who must not meet; none in a valid round."},
    {"P2", "completion",
     "1 if this round and the planned rounds after it can no longer all be free of repeats, "
     "although every player has enough opponents left; checked for up to 16 players. For 17 to "
     "24, from version 2 on: the repeats in this round and the next one found by a short search, "
     "beyond the fewest possible for so many pairs."},
    {"P3", "repeats", "How often the players of a table have met before, summed over its pairs."},
    {"P4", "odd tables",
     "Players at tables that do not have the preferred size; each further time costs more."},
    {"P5", "score spread",
     "How far the scores at a table lie apart: sixty times the squared "
     "distances from the table's mean, in 60ths of a point."},
    {"P6", "repeated floats",
     "Players again above (or again below) the mean score of their table: 2 if so in the round "
     "before, 1 if two rounds before."},
    {"P7", "seats", "The cost of the best seat order of a table, given earlier seats."},
    {"P8", "avoided pairs", "The weights of pairs at one table who should preferably not meet."},
    {"P9", "draw", "A draw from the event's seed, which decides among equals."},
};

const struct pod_criterion_text *pod_criterion_describe(enum pod_criterion criterion)
{
    assert(criterion < POD_CRITERIA);
    return &texts[criterion];
}

static bool player_valid(const struct pod_player *player)
{
    bool valid = player->tpn >= 1 && player->score >= -POD_SCORE_MAX &&
                 player->score <= POD_SCORE_MAX && player->byes <= POD_COUNT_MAX &&
                 player->unplayed <= POD_COUNT_MAX && player->full_without_play <= POD_COUNT_MAX &&
                 player->short_sittings <= POD_COUNT_MAX;
    for (unsigned i = 0; i < 2; i++)
        valid = valid && player->floats[i] >= -1 && player->floats[i] <= 1;
    for (unsigned seat = 0; seat < TOURNAMENT_SEATS_MAX; seat++)
        valid = valid && player->seat_count[seat] <= POD_COUNT_MAX;
    return valid;
}

static bool check_players(const struct pod_request *request, struct refusal *refusal)
{
    uint8_t taken[(UINT16_MAX + 1) / 8] = {0};
    for (size_t i = 0; i < request->player_count; i++) {
        const struct pod_player *player = &request->players[i];
        if (!player_valid(player))
            return refuse(refusal, POD_REFUSAL_PLAYER, "A player's numbers are out of range.");
        uint8_t bit = (uint8_t)(1U << player->tpn % 8);
        if ((taken[player->tpn / 8] & bit) != 0)
            return refuse(refusal, POD_REFUSAL_PLAYER, "Two players have one pairing number.");
        taken[player->tpn / 8] |= bit;
    }
    return true;
}

static bool check_pairs(const struct pod_request *request, struct refusal *refusal)
{
    for (size_t i = 0; i < request->pair_count; i++) {
        const struct pod_pair *pair = &request->pairs[i];
        bool weight =
            pair->weight == POD_FORBIDDEN || (pair->weight >= 1 && pair->weight <= POD_WEIGHT_MAX);
        if (!weight || pair->a == pair->b || pair->a >= request->player_count ||
            pair->b >= request->player_count)
            return refuse(refusal, POD_REFUSAL_PAIR, "A pair to keep apart is not valid.");
    }
    return true;
}

static bool check_request(const struct pod_request *request, struct table_sizes *sizes,
                          struct refusal *refusal)
{
    if (!table_rule_valid(request->rule))
        return refuse(refusal, POD_REFUSAL_RULE, "The allowed table sizes are not valid.");
    if (request->profile >= POD_PROFILES || request->round == 0 || request->attempt == 0 ||
        request->repeat_price > POD_REPEAT_PRICE_MAX || request->version > POD_VERSION)
        return refuse(refusal, POD_REFUSAL_REQUEST, "The pairing request is out of range.");
    if (request->player_count > TOURNAMENT_ENTRIES_MAX)
        return refuse(refusal, POD_REFUSAL_TOO_MANY,
                      "There are more players than an event can have.");
    if (!table_sizes_choose(request->rule, (unsigned)request->player_count, sizes))
        return refuse(refusal, POD_REFUSAL_TOO_FEW, "There are too few players for a table.");
    return check_players(request, refusal) && check_pairs(request, refusal);
}

/* True if player `a` gets a bye before `b`: step B. */
static bool gets_bye_before(const struct pod_player *a, const struct pod_player *b)
{
    if (a->byes != b->byes)
        return a->byes < b->byes;
    if ((a->full_without_play > 0) != (b->full_without_play > 0))
        return a->full_without_play == 0;
    if (a->score != b->score)
        return a->score < b->score;
    if (a->unplayed != b->unplayed)
        return a->unplayed < b->unplayed;
    if (a->place != b->place)
        return a->place > b->place;
    return a->tpn > b->tpn;
}

static void give_byes(const struct pod_request *request, struct pod_pairing *pairing, bool *seated)
{
    for (size_t i = 0; i < request->player_count; i++)
        seated[i] = true;
    for (size_t bye = 0; bye < pairing->bye_count; bye++) {
        size_t chosen = request->player_count;
        for (size_t i = 0; i < request->player_count; i++)
            if (seated[i] && (chosen == request->player_count ||
                              gets_bye_before(&request->players[i], &request->players[chosen])))
                chosen = i;
        seated[chosen] = false;
        pairing->byes[bye] = (uint16_t)chosen;
    }
}

static struct chance_stream open_stream(const struct pod_request *request)
{
    char bytes[CHANCE_NAME_MAX];
    struct text name = TEXT_OVER(bytes);
    text_add(&name, "pair/");
    text_add_number(&name, request->round);
    text_add_char(&name, '/');
    text_add_number(&name, request->attempt);
    struct chance_stream stream;
    chance_open(&stream, request->chance, bytes, 0);
    return stream;
}

static uint64_t pairing_key(struct chance_stream *stream)
{
    uint64_t key = chance_word(stream);
    return key | (uint64_t)chance_word(stream) << 32;
}

/* A table before output: players by their numbers, ascending. */
struct draft {
    uint16_t player[TOURNAMENT_SEATS_MAX];
    uint8_t size;
    int64_t score_sum;
};

static int compare_numbers(const void *left, const void *right)
{
    uint16_t a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return (a > b) - (a < b);
}

/* Highest mean score first, then the best player. */
static int compare_drafts(const void *left, const void *right)
{
    const struct draft *a = left, *b = right;
    int64_t mean_a = a->score_sum * b->size, mean_b = b->score_sum * a->size;
    if (mean_a != mean_b)
        return mean_a > mean_b ? -1 : 1;
    return (a->player[0] > b->player[0]) - (a->player[0] < b->player[0]);
}

static void draft_tables(const struct pod_problem *problem, const uint16_t *players,
                         const uint8_t *table_size, struct draft *drafts, size_t count)
{
    for (size_t table = 0; table < count; table++) {
        struct draft *draft = &drafts[table];
        *draft = (struct draft){.size = table_size[table]};
        memcpy(draft->player, players, draft->size * sizeof *players);
        players += draft->size;
        qsort(draft->player, draft->size, sizeof draft->player[0], compare_numbers);
        for (unsigned i = 0; i < draft->size; i++)
            draft->score_sum += pod_problem_player(problem, draft->player[i])->score;
    }
    qsort(drafts, count, sizeof *drafts, compare_drafts);
}

static void seat_table(const struct pod_problem *problem, const struct draft *draft,
                       struct chance_stream *stream, struct pod_table *table)
{
    struct pod_seating seating;
    uint8_t order[TOURNAMENT_SEATS_MAX] = {0};
    pod_cost_seating(problem, draft->player, draft->size, &seating);
    pod_seats_pairing(&seating, stream, order);
    *table = (struct pod_table){.seats = draft->size};
    for (unsigned seat = 0; seat < draft->size; seat++) {
        table->player[seat] = problem->input[draft->player[order[seat]]];
        table->floats[seat] = pod_cost_float(problem, draft->player, draft->size, order[seat]);
    }
    pod_cost_criteria(problem, draft->player, draft->size, &table->criteria);
}

static void sum_criteria(struct pod_pairing *pairing)
{
    pairing->criteria = (struct pod_criteria){0};
    for (size_t table = 0; table < pairing->table_count; table++)
        for (unsigned i = 0; i < POD_CRITERIA; i++)
            pairing->criteria.value[i] += pairing->tables[table].criteria.value[i];
}

static int64_t excess_of(const struct pod_problem *problem, const struct table_sizes *sizes,
                         const uint16_t *players, const uint8_t *table_size)
{
    uint8_t table[POD_AHEAD_MAX];
    uint64_t steps = 0;
    for (uint8_t at = 0; at < sizes->table_count; at++)
        for (unsigned seat = 0; seat < table_size[at]; seat++)
            table[*players++] = at;
    return pod_ahead_excess(problem, sizes, table, &steps);
}

/* P2 is a property of the round, not of its tables. */
static void judge_completion(const struct pod_problem *problem, const struct table_sizes *sizes,
                             const uint16_t *players, const uint8_t *table_size,
                             struct pod_pairing *pairing)
{
    unsigned later = pod_later_rounds(problem, sizes);
    pairing->criteria.value[POD_P2_COMPLETION] =
        pod_ahead_is_asked(problem, sizes)
            ? excess_of(problem, sizes, players, table_size)
            : later > 0 && !pod_later_fits(problem, sizes, later, players, table_size);
}

static bool search_and_seat(const struct pod_problem *problem, const struct table_sizes *sizes,
                            struct chance_stream *stream, struct pod_pairing *pairing)
{
    struct arena_batch batch = {.count = 0};
    uint16_t *players = arena_batch_take(&batch, problem->count, sizeof *players);
    uint8_t *table_size = arena_batch_take(&batch, sizes->table_count, sizeof *table_size);
    struct draft *drafts = arena_batch_take(&batch, sizes->table_count, sizeof *drafts);
    bool done = !batch.failed;
    struct pod_work work = {0};
    if (done && problem->count <= POD_EXHAUSTIVE_MAX)
        done = pod_search_exhaustive(problem, sizes, pod_later_rounds(problem, sizes), players,
                                     table_size, &work);
    else if (done)
        done = pod_search_local(problem, sizes, stream, players, table_size, &work);
    pairing->exhaustive = work.proved;
    pairing->steps = pod_version(problem->request) >= 3 ? work.steps : 0;
    if (done) {
        draft_tables(problem, players, table_size, drafts, sizes->table_count);
        for (size_t table = 0; table < sizes->table_count; table++)
            seat_table(problem, &drafts[table], stream, &pairing->tables[table]);
        sum_criteria(pairing);
        judge_completion(problem, sizes, players, table_size, pairing);
        pairing->repeats_bound = pod_cost_repeats_bound(problem, sizes);
    }
    arena_batch_free(&batch);
    return done;
}

static bool allocate_pairing(struct pod_pairing *pairing, const struct table_sizes *sizes)
{
    assert(sizes->table_count >= 1);
    pairing->table_count = sizes->table_count;
    pairing->bye_count = sizes->byes;
    pairing->tables = calloc(sizes->table_count, sizeof *pairing->tables);
    pairing->byes = calloc(sizes->byes + 1U, sizeof *pairing->byes);
    return pairing->tables != NULL && pairing->byes != NULL;
}

void pod_pairing_free(struct pod_pairing *pairing)
{
    free(pairing->tables);
    free(pairing->byes);
    *pairing = (struct pod_pairing){0};
}

/* True if the pairing was made; otherwise the caller frees what there is of it. */
static bool pair_players(const struct pod_request *request, const struct table_sizes *sizes,
                         struct pod_pairing *pairing)
{
    bool seated[TOURNAMENT_ENTRIES_MAX];
    if (!allocate_pairing(pairing, sizes))
        return false;
    give_byes(request, pairing, seated);
    struct chance_stream stream = open_stream(request);
    struct pod_problem problem;
    bool done = pod_problem_init(&problem, request, seated, pairing_key(&stream)) &&
                search_and_seat(&problem, sizes, &stream, pairing);
    pod_problem_free(&problem);
    return done;
}

bool pod_swiss_pair(const struct pod_request *request, struct pod_pairing *pairing,
                    struct refusal *refusal)
{
    struct table_sizes sizes = {0};
    *pairing = (struct pod_pairing){0};
    if (!check_request(request, &sizes, refusal))
        return false;
    if (!pair_players(request, &sizes, pairing)) {
        pod_pairing_free(pairing);
        return refuse(refusal, POD_REFUSAL_MEMORY, "There is not enough memory for the pairing.");
    }
    if (pairing->criteria.value[POD_P1_FORBIDDEN] > 0) {
        pod_pairing_free(pairing);
        return refuse(refusal, POD_REFUSAL_FORBIDDEN,
                      "No pairing was found that keeps all "
                      "forbidden pairs apart.");
    }
    return true;
}

/* Marks the players seated in a given pairing; counts tables by size. False if a player is missing
 * or named twice, or a size is not allowed. */
static bool read_seats(const struct pod_request *request, const struct pod_pairing *pairing,
                       bool *seated, struct table_sizes *sizes)
{
    bool named[TOURNAMENT_ENTRIES_MAX] = {0};
    size_t count = pairing->bye_count;
    *sizes = (struct table_sizes){.table_count = (uint16_t)pairing->table_count,
                                  .byes = (uint16_t)pairing->bye_count};
    memset(seated, false, request->player_count * sizeof *seated);
    for (size_t t = 0; t < pairing->table_count; t++) {
        const struct pod_table *table = &pairing->tables[t];
        if (table->seats > TOURNAMENT_SEATS_MAX || (request->rule.allowed >> table->seats & 1) == 0)
            return false;
        sizes->tables[table->seats]++;
        count += table->seats;
        for (unsigned seat = 0; seat < table->seats; seat++) {
            uint16_t player = table->player[seat];
            if (player >= request->player_count || named[player])
                return false;
            named[player] = seated[player] = true;
        }
    }
    for (size_t bye = 0; bye < pairing->bye_count; bye++) {
        if (pairing->byes[bye] >= request->player_count || named[pairing->byes[bye]])
            return false;
        named[pairing->byes[bye]] = true;
    }
    return count == request->player_count;
}

static void judge_table(const struct pod_problem *problem, const uint16_t *number,
                        struct pod_table *table)
{
    static const uint8_t as_given[TOURNAMENT_SEATS_MAX] = {0, 1, 2, 3, 4};
    uint16_t players[TOURNAMENT_SEATS_MAX] = {0};
    struct pod_seating seating;
    for (unsigned seat = 0; seat < table->seats; seat++)
        players[seat] = number[table->player[seat]];
    pod_cost_criteria(problem, players, table->seats, &table->criteria);
    pod_cost_seating(problem, players, table->seats, &seating);
    table->criteria.value[POD_P7_SEATS] = pod_seats_cost(&seating, as_given);
    for (unsigned seat = 0; seat < table->seats; seat++)
        table->floats[seat] = pod_cost_float(problem, players, table->seats, seat);
}

/* P2 of given tables. */
static void judge_seats(const struct pod_problem *problem, const struct table_sizes *sizes,
                        const uint16_t *number, struct pod_pairing *pairing)
{
    uint16_t players[POD_AHEAD_MAX];
    uint8_t table_size[POD_AHEAD_MAX];
    size_t next = 0;
    if (problem->count > POD_AHEAD_MAX)
        return;
    for (size_t t = 0; t < pairing->table_count; t++) {
        table_size[t] = pairing->tables[t].seats;
        for (unsigned seat = 0; seat < table_size[t]; seat++)
            players[next++] = number[pairing->tables[t].player[seat]];
    }
    judge_completion(problem, sizes, players, table_size, pairing);
}

static void judge_tables(const struct pod_problem *problem, const struct table_sizes *sizes,
                         struct pod_pairing *pairing)
{
    uint16_t number[TOURNAMENT_ENTRIES_MAX];
    for (size_t i = 0; i < problem->count; i++)
        number[problem->input[i]] = (uint16_t)i;
    for (size_t table = 0; table < pairing->table_count; table++)
        judge_table(problem, number, &pairing->tables[table]);
    sum_criteria(pairing);
    judge_seats(problem, sizes, number, pairing);
    pairing->repeats_bound = pod_cost_repeats_bound(problem, sizes);
    pairing->exhaustive = false;
}

bool pod_swiss_judge(const struct pod_request *request, struct pod_pairing *pairing,
                     struct refusal *refusal)
{
    bool seated[TOURNAMENT_ENTRIES_MAX];
    struct table_sizes sizes = {0};
    if (!check_request(request, &sizes, refusal))
        return false;
    if (!read_seats(request, pairing, seated, &sizes))
        return refuse(refusal, POD_REFUSAL_REQUEST,
                      "A player does not have exactly one seat or bye.");
    struct chance_stream stream = open_stream(request);
    struct pod_problem problem;
    bool done = pod_problem_init(&problem, request, seated, pairing_key(&stream));
    if (done)
        judge_tables(&problem, &sizes, pairing);
    pod_problem_free(&problem);
    return done ||
           refuse(refusal, POD_REFUSAL_MEMORY, "There is not enough memory to judge the seating.");
}
