#include "engine/tournament/formats/dutch/dutch.h"

#include <stdlib.h>

#include "engine/tournament/formats/dutch/dutch_field.h"

size_t dutch_work_size(size_t player_count)
{
    return dutch_field_size(player_count) + dutch_brackets_size(player_count);
}

static void *brackets_memory(const struct dutch_request *request, void *work)
{
    return (unsigned char *)work + dutch_field_size(request->player_count);
}

/* ---- Costs of a pair ---- */

static uint32_t flag(bool value)
{
    return value ? 1 : 0;
}

static void explain_float(struct dutch_pair *pair, const struct dutch_entrant *entrant,
                          unsigned brackets)
{
    pair->cost[DUTCH_C6] = brackets;
    pair->cost[DUTCH_C7] = brackets * entrant->score;
    pair->cost[DUTCH_C14] = flag(brackets > 0 && entrant->floats[0] == FLOAT_DOWN);
    pair->cost[DUTCH_C16] = flag(brackets > 0 && entrant->floats[1] == FLOAT_DOWN);
}

static void explain_bye(const struct dutch_field *field, const struct dutch_entrant *entrant,
                        struct dutch_pair *pair)
{
    unsigned groups = field->entrants[field->count - 1].group + 1U;
    *pair = (struct dutch_pair){.white = entrant->player, .black = DUTCH_NOBODY};
    explain_float(pair, entrant, groups - entrant->group);
    pair->cost[DUTCH_C2] = flag(!entrant->bye_allowed);
    pair->cost[DUTCH_C5] = entrant->score;
    pair->cost[DUTCH_C9] = entrant->unplayed;
}

static void explain_pair(const struct dutch_field *field, uint16_t a, uint16_t b,
                         struct dutch_pair *pair)
{
    const struct dutch_entrant *higher = &field->entrants[a], *lower = &field->entrants[b];
    uint32_t difference = higher->score - lower->score;
    uint8_t code = dutch_field_code(field, a, b);
    pair->bracket = lower->score;
    explain_float(pair, higher, (unsigned)(lower->group - higher->group));
    pair->cost[DUTCH_C1] = flag((code & PAIR_BREAKS_C1) != 0);
    pair->cost[DUTCH_C3] = flag((code & PAIR_BREAKS_C3) != 0);
    pair->cost[DUTCH_C10] = flag((code & PAIR_C10) != 0);
    pair->cost[DUTCH_C11] = flag((code & PAIR_C11) != 0);
    pair->cost[DUTCH_C12] = flag((code & PAIR_C12) != 0);
    pair->cost[DUTCH_C13] = flag((code & PAIR_C13) != 0);
    pair->cost[DUTCH_C15] = flag(difference > 0 && lower->floats[0] == FLOAT_UP);
    pair->cost[DUTCH_C17] = flag(difference > 0 && lower->floats[1] == FLOAT_UP);
    pair->cost[DUTCH_C18] = higher->floats[0] == FLOAT_DOWN ? difference : 0;
    pair->cost[DUTCH_C19] = lower->floats[0] == FLOAT_UP ? difference : 0;
    pair->cost[DUTCH_C20] = higher->floats[1] == FLOAT_DOWN ? difference : 0;
    pair->cost[DUTCH_C21] = lower->floats[1] == FLOAT_UP ? difference : 0;
}

/* ---- Pairing ---- */

/* Order of boards. For sorting, the pairs are given as ranks, the higher one in `white`. */
static int compare_boards(const void *a, const void *b)
{
    const struct dutch_pair *first = a, *second = b;
    bool first_bye = first->black == DUTCH_NOBODY, second_bye = second->black == DUTCH_NOBODY;
    if (first_bye != second_bye)
        return first_bye ? 1 : -1;
    if (first->cost[0] != second->cost[0])
        return first->cost[0] > second->cost[0] ? -1 : 1;
    if (first->bracket != second->bracket)
        return first->bracket > second->bracket ? -1 : 1;
    return (int)first->white - (int)second->white;
}

static size_t list_ranks(const struct dutch_field *field, const uint16_t *mate,
                         struct dutch_pair *pairs)
{
    size_t count = 0;
    for (uint16_t rank = 0; rank < field->count; rank++) {
        bool bye = mate[rank] == field->count;
        if (mate[rank] < rank)
            continue;
        pairs[count++] = (struct dutch_pair){.white = rank,
                                             .black = bye ? DUTCH_NOBODY : mate[rank],
                                             .bracket = bye ? 0 : field->entrants[mate[rank]].score,
                                             .cost = {field->entrants[rank].score}};
    }
    return count;
}

static void finish_pair(const struct dutch_field *field, struct dutch_pair *pair)
{
    uint16_t a = pair->white, b = pair->black;
    const struct dutch_entrant *higher = &field->entrants[a];
    if (b == DUTCH_NOBODY) {
        explain_bye(field, higher, pair);
        return;
    }
    const struct dutch_entrant *lower = &field->entrants[b];
    bool white = dutch_higher_gets_white(field->request, higher, lower);
    pair->white = white ? higher->player : lower->player;
    pair->black = white ? lower->player : higher->player;
    explain_pair(field, a, b, pair);
}

bool dutch_pair_round(const struct dutch_request *request, void *work, struct dutch_pair *pairs,
                      size_t *pair_count, struct refusal *refusal)
{
    struct dutch_field field;
    const uint16_t *mate;
    if (!dutch_field_init(&field, request, work, refusal) ||
        !dutch_brackets_pair(&field, brackets_memory(request, work), &mate, refusal))
        return false;
    *pair_count = list_ranks(&field, mate, pairs);
    qsort(pairs, *pair_count, sizeof *pairs, compare_boards);
    for (size_t i = 0; i < *pair_count; i++)
        finish_pair(&field, &pairs[i]);
    return true;
}

/* ---- Judging ---- */

/* Removes the rank of a player from the list, so that nobody is named twice. */
static uint16_t take_rank(const struct dutch_request *request, uint16_t *rank_of, uint16_t player)
{
    uint16_t rank = player < request->player_count ? rank_of[player] : DUTCH_NOBODY;
    if (rank != DUTCH_NOBODY)
        rank_of[player] = DUTCH_NOBODY;
    return rank;
}

static bool judge_pair(const struct dutch_field *field, uint16_t *rank_of, struct dutch_pair *pair)
{
    uint16_t white = take_rank(field->request, rank_of, pair->white);
    pair->turned = 0;
    if (white == DUTCH_NOBODY)
        return false;
    if (pair->black == DUTCH_NOBODY) {
        explain_bye(field, &field->entrants[white], pair);
        return true;
    }
    uint16_t black = take_rank(field->request, rank_of, pair->black);
    if (black == DUTCH_NOBODY)
        return false;
    uint16_t higher = white < black ? white : black, lower = white < black ? black : white;
    explain_pair(field, higher, lower, pair);
    pair->turned = flag(dutch_higher_gets_white(field->request, &field->entrants[higher],
                                                &field->entrants[lower]) != (white == higher));
    return true;
}

bool dutch_judge(const struct dutch_request *request, void *work, struct dutch_pair *pairs,
                 size_t pair_count, struct refusal *refusal)
{
    struct dutch_field field;
    if (!dutch_field_init(&field, request, work, refusal))
        return false;
    uint16_t *rank_of = brackets_memory(request, work);
    for (size_t i = 0; i < request->player_count; i++)
        rank_of[i] = DUTCH_NOBODY;
    for (size_t rank = 0; rank < field.count; rank++)
        rank_of[field.entrants[rank].player] = (uint16_t)rank;
    size_t byes = 0;
    for (size_t i = 0; i < pair_count; i++) {
        byes += pairs[i].black == DUTCH_NOBODY;
        if (!judge_pair(&field, rank_of, &pairs[i]))
            return refuse(refusal, DUTCH_REFUSAL_PAIR,
                          "A pair names a player who is absent or paired twice.");
    }
    if (byes > 1 || 2 * pair_count - byes != field.count)
        return refuse(refusal, DUTCH_REFUSAL_PAIR, "A player who is present is not paired.");
    return true;
}

static const struct dutch_criterion_text texts[DUTCH_CRITERIA] = {
    [DUTCH_C1] = {"C1", "rematches", "pairs who have met or may not meet"},
    [DUTCH_C2] = {"C2", "second bye",
                  "the bye goes to a player who had one, or full points unplayed"},
    [DUTCH_C3] = {"C3", "absolute colours", "pairs who both must have the same colour"},
    [DUTCH_C4] = {"C4", "completion", "players whom this leaves without a pair"},
    [DUTCH_C5] = {"C5", "score of the bye", "60ths of points of the player with the bye"},
    [DUTCH_C6] = {"C6", "downfloaters", "brackets left without a pair"},
    [DUTCH_C7] = {"C7", "downfloaters' scores", "60ths of points, once per bracket left"},
    [DUTCH_C8] = {"C8", "next bracket", "counted as C6 and C7 of the next bracket"},
    [DUTCH_C9] = {"C9", "unplayed rounds", "rounds without a game of the player with the bye"},
    [DUTCH_C10] = {"C10", "colour difference", "pairs that bring a difference beyond two"},
    [DUTCH_C11] = {"C11", "third time", "pairs that bring the same colour a third time in a row"},
    [DUTCH_C12] = {"C12", "colours", "pairs in which a colour preference is not granted"},
    [DUTCH_C13] = {"C13", "strong colours", "pairs in which a strong preference is not granted"},
    [DUTCH_C14] = {"C14", "down again", "downfloaters who floated down in the last round"},
    [DUTCH_C15] = {"C15", "up again", "upfloaters who floated up in the last round"},
    [DUTCH_C16] = {"C16", "down after two", "downfloaters who floated down two rounds before"},
    [DUTCH_C17] = {"C17", "up after two", "upfloaters who floated up two rounds before"},
    [DUTCH_C18] = {"C18", "down again, by how much", "score differences of C14's kind, 60ths"},
    [DUTCH_C19] = {"C19", "up again, by how much", "score differences of C15's kind, 60ths"},
    [DUTCH_C20] = {"C20", "down after two, by how much", "score differences of C16's kind, 60ths"},
    [DUTCH_C21] = {"C21", "up after two, by how much", "score differences of C17's kind, 60ths"},
};

const struct dutch_criterion_text *dutch_criterion_describe(enum dutch_criterion criterion)
{
    return &texts[criterion];
}
