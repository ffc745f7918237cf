/* The Dutch system in an event: dutch.h with input from the stage's log. White has the first seat.
 * Player i is the i-th entry of the stage, with the number i + 1.
 *
 * The colour of the first player in the first round comes from the stream `colour/<n>`, n the
 * number of that round in the event: a word of uniform(2), 0 = White.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/tournament/formats/dutch/dutch.h"
#include "engine/tournament/pairing/pairing_parts.h"

/* A request and the arrays it borrows. */
struct swiss {
    struct dutch_request request;
    struct arena_batch batch;
    uint16_t *position; /* [entry]: player, or TOURNAMENT_NOBODY */
    struct dutch_player *players;
    struct dutch_result *results;
    struct dutch_forbidden *forbidden;
    struct dutch_pair *pairs;
    size_t pair_count;
    void *work;
    size_t present;
};

static bool is_over(const struct pairing_run *run, bool *over)
{
    *over = run->stage_round > run->settings->rounds;
    return true;
}

static void free_swiss(struct swiss *swiss)
{
    arena_batch_free(&swiss->batch);
    free(swiss->position);
    free(swiss->work);
}

static bool take_memory(const struct pairing_run *run, struct swiss *swiss)
{
    struct arena_batch *batch = &swiss->batch;
    size_t count = run->entry_count;
    swiss->position = pairing_positions(run);
    swiss->players = arena_batch_take(batch, count + 1, sizeof *swiss->players);
    swiss->results = arena_batch_take(batch, count * run->stage_round, sizeof *swiss->results);
    swiss->forbidden =
        arena_batch_take(batch, pairing_pairs_most(run) + 1, sizeof *swiss->forbidden);
    swiss->pairs = arena_batch_take(batch, count + 1, sizeof *swiss->pairs);
    swiss->work = malloc(dutch_work_size(count));
    return swiss->position != NULL && !batch->failed && swiss->work != NULL;
}

static struct dutch_result *result_of(const struct swiss *swiss, uint16_t player, unsigned round)
{
    return &swiss->results[(size_t)player * swiss->request.rounds_played + round - 1];
}

/* A game that a player did not finish, against one who did, counts as unplayed for both. */
static uint8_t kind_of(const struct table_result *table, unsigned seat)
{
    uint8_t own = table->seat[seat].kind;
    uint8_t other = table->seats == 2 ? table->seat[1 - seat].kind : own;
    return round_kind_is_played(own) && !round_kind_is_played(other) ? ROUND_FORFEIT_WIN : own;
}

static void read_result(const struct pairing_run *run, const struct swiss *swiss,
                        const struct table_result *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        uint16_t player = swiss->position[table->seat[seat].entry];
        if (player == TOURNAMENT_NOBODY)
            continue;
        struct dutch_result *result = result_of(swiss, player, table->round);
        result->points = (uint16_t)scoring_points(&run->settings->scoring, table, seat);
        result->kind = kind_of(table, seat);
        if (table->seats != 2)
            continue;
        result->opponent = swiss->position[table->seat[1 - seat].entry];
        result->colour = seat == 0 ? DUTCH_WHITE : DUTCH_BLACK;
    }
}

static bool read_results(const struct pairing_run *run, struct swiss *swiss)
{
    const struct scoring *scoring = &run->settings->scoring;
    size_t count;
    struct table_result *results = pairing_stage_results(run, &count);
    if (results == NULL)
        return pairing_no_memory(run);
    for (size_t i = 0; i < run->entry_count * swiss->request.rounds_played; i++)
        swiss->results[i] =
            (struct dutch_result){.opponent = DUTCH_NOBODY,
                                  .points = (uint16_t)scoring->unplayed[ROUND_ABSENT],
                                  .kind = ROUND_ABSENT};
    for (size_t i = 0; i < count; i++)
        read_result(run, swiss, &results[i]);
    free(results);
    return true;
}

static bool read_pairs(const struct pairing_run *run, struct swiss *swiss)
{
    struct tournament_pair *pairs = calloc(pairing_pairs_most(run) + 1, sizeof *pairs);
    if (pairs == NULL)
        return pairing_no_memory(run);
    size_t count = pairing_pairs(run, swiss->position, pairs);
    for (size_t i = 0; i < count; i++)
        if (pairs[i].weight == POD_FORBIDDEN)
            swiss->forbidden[swiss->request.forbidden_count++] =
                (struct dutch_forbidden){pairs[i].a, pairs[i].b};
    free(pairs);
    return true;
}

static enum dutch_colour initial_colour(const struct pairing_run *run)
{
    char bytes[CHANCE_NAME_MAX];
    struct text name = TEXT_OVER(bytes);
    struct chance_stream stream;
    text_add(&name, "colour/");
    text_add_number(&name, run->first_round);
    chance_open(&stream, run->chance, bytes, 0);
    return chance_uniform(&stream, 2) == 0 ? DUTCH_WHITE : DUTCH_BLACK;
}

static bool prepare(const struct pairing_run *run, struct swiss *swiss)
{
    const struct scoring *scoring = &run->settings->scoring;
    *swiss = (struct swiss){.present = 0};
    if (!take_memory(run, swiss))
        return pairing_no_memory(run);
    swiss->request = (struct dutch_request){.players = swiss->players,
                                            .player_count = run->entry_count,
                                            .results = swiss->results,
                                            .rounds_played = (uint16_t)(run->stage_round - 1),
                                            .rounds_planned = run->settings->rounds,
                                            .points_for_win = (uint16_t)scoring->place[2][0],
                                            .points_for_loss = (uint16_t)scoring->place[2][1],
                                            .initial = initial_colour(run),
                                            .forbidden = swiss->forbidden,
                                            .progress = run->progress};
    for (size_t i = 0; i < run->entry_count; i++) {
        bool present = pairing_is_present(run, run->entries[i]);
        swiss->players[i] = (struct dutch_player){(uint16_t)(i + 1), present};
        swiss->present += present;
    }
    if (swiss->present < 2)
        return refuse(run->refusal, PAIRING_REFUSAL_TOO_FEW,
                      "A round needs at least two players who are present.");
    return read_results(run, swiss) && read_pairs(run, swiss);
}

/* ---- Explaining ---- */

static json_t *costs_of(const struct dutch_pair *pair)
{
    json_t *costs = json_object();
    for (int i = 0; i < DUTCH_CRITERIA; i++)
        if (pair->cost[i] != 0)
            json_object_set_new(costs, dutch_criterion_describe((enum dutch_criterion)i)->code,
                                json_integer((json_int_t)pair->cost[i]));
    return costs;
}

static json_t *explain_criteria(const struct swiss *swiss)
{
    json_t *criteria = json_array();
    for (int c = 0; c < DUTCH_CRITERIA; c++) {
        const struct dutch_criterion_text *text = dutch_criterion_describe((enum dutch_criterion)c);
        int64_t sum = 0;
        for (size_t i = 0; i < swiss->pair_count; i++)
            sum += swiss->pairs[i].cost[c];
        pairing_add_criterion(criteria, text->code, text->name, text->meaning, sum);
    }
    int64_t turned = 0;
    for (size_t i = 0; i < swiss->pair_count; i++)
        turned += swiss->pairs[i].turned;
    pairing_add_criterion(criteria, "S1", "colours turned",
                          "pairs in which the colours are not those of article 5", turned);
    return criteria;
}

static json_t *explain(const struct swiss *swiss)
{
    json_t *tables = json_array(), *bye = json_null();
    for (size_t i = 0; i < swiss->pair_count; i++) {
        const struct dutch_pair *pair = &swiss->pairs[i];
        if (pair->black == DUTCH_NOBODY)
            bye = json_pack("{s:o}", "costs", costs_of(pair));
        else
            json_array_append_new(tables,
                                  json_pack("{s:I, s:o}", "bracket", (json_int_t)pair->bracket,
                                            "costs", costs_of(pair)));
    }
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "method", "dutch", "rules", DUTCH_RULES,
                     "initial_colour", swiss->request.initial == DUTCH_WHITE ? "white" : "black",
                     "criteria", explain_criteria(swiss), "tables", tables, "bye", bye);
}

static void fill(const struct pairing_run *run, const struct swiss *swiss)
{
    for (size_t i = 0; i < swiss->pair_count; i++) {
        const struct dutch_pair *pair = &swiss->pairs[i];
        if (pair->black == DUTCH_NOBODY)
            pairing_add_bye(run, run->entries[pair->white], ROUND_PAIRING_BYE);
        else
            pairing_add_table(run, 2,
                              (uint16_t[]){run->entries[pair->white], run->entries[pair->black]},
                              TOURNAMENT_NOBODY);
    }
    pairing_add_absent(run);
    run->pairing->quality = explain(swiss);
}

static bool make(const struct pairing_run *run)
{
    struct swiss swiss;
    bool made = prepare(run, &swiss) && dutch_pair_round(&swiss.request, swiss.work, swiss.pairs,
                                                         &swiss.pair_count, run->refusal);
    if (made)
        fill(run, &swiss);
    free_swiss(&swiss);
    return made;
}

/* ---- A change by hand ---- */

static void read_tables(struct swiss *swiss, const struct pairing *by_hand)
{
    for (size_t t = 0; t < by_hand->table_count; t++)
        swiss->pairs[swiss->pair_count++] =
            (struct dutch_pair){.white = swiss->position[by_hand->tables[t].entry[0]],
                                .black = swiss->position[by_hand->tables[t].entry[1]]};
    for (size_t i = 0; i < by_hand->bye_count; i++)
        if (by_hand->byes[i].kind == ROUND_PAIRING_BYE)
            swiss->pairs[swiss->pair_count++] = (struct dutch_pair){
                .white = swiss->position[by_hand->byes[i].entry], .black = DUTCH_NOBODY};
}

static size_t count_byes(const struct pairing *by_hand)
{
    size_t byes = 0;
    for (size_t i = 0; i < by_hand->bye_count; i++)
        byes += by_hand->byes[i].kind == ROUND_PAIRING_BYE;
    return byes;
}

static bool judge(const struct pairing_run *run, const struct pairing *drawn,
                  const struct pairing *by_hand)
{
    struct swiss swiss;
    (void)drawn;
    if (!pairing_check_everybody(run, by_hand))
        return false;
    if (count_byes(by_hand) > 1)
        return refuse(run->refusal, PAIRING_REFUSAL_TABLES,
                      "Only one player can have the bye; pair the others.");
    bool judged = prepare(run, &swiss);
    if (judged) {
        read_tables(&swiss, by_hand);
        judged =
            dutch_judge(&swiss.request, swiss.work, swiss.pairs, swiss.pair_count, run->refusal);
    }
    if (judged)
        fill(run, &swiss);
    free_swiss(&swiss);
    return judged;
}

const struct pairing_format pairing_dutch = {is_over, make, judge};
