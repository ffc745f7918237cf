/* From report files to pairing and back. */
#include <assert.h>
#include <stdlib.h>

#include "engine/base/arena.h"
#include "engine/tournament/interchange/trf.h"

struct span trf_record_text(const struct trf_event *event, const char *code)
{
    for (size_t i = 0; i < event->record_count; i++)
        if (span_is(event->records[i].code, code))
            return event->records[i].text;
    return (struct span){"", 0};
}

uint16_t trf_result_points(const struct trf_points *points, char code)
{
    switch (code) {
    case '1':
    case 'W':
    case '+':
    case 'F':
        return points->win;
    case '=':
    case 'D':
    case 'H':
        return points->draw;
    case '0':
    case 'L':
        return points->loss;
    case 'U':
        return points->pairing_bye;
    default:
        return points->absence;
    }
}

static const char code_of_kind[ROUND_KINDS] = {
    [ROUND_FORFEIT_WIN] = '+', [ROUND_FORFEIT_LOSS] = '-', [ROUND_PAIRING_BYE] = 'U',
    [ROUND_FULL_BYE] = 'F',    [ROUND_HALF_BYE] = 'H',     [ROUND_ZERO_BYE] = 'Z',
    [ROUND_ABSENT] = 'Z',      [ROUND_VOID] = '-'};

char trf_result_code(const struct trf_points *points, uint8_t kind, uint16_t result_points)
{
    static const char played[] = "1=0";
    assert(kind < ROUND_KINDS);
    if (!round_kind_is_played(kind))
        return trf_result_points(points, code_of_kind[kind]) == result_points ? code_of_kind[kind]
                                                                              : ' ';
    for (const char *code = played; *code != '\0'; code++)
        if (trf_result_points(points, *code) == result_points)
            return *code;
    return ' ';
}

static uint8_t kind_of_code(char code, bool opponent)
{
    for (uint8_t kind = ROUND_FORFEIT_WIN; kind < ROUND_ABSENT; kind++)
        if (code_of_kind[kind] == code)
            return kind;
    return opponent ? ROUND_PLAYED : ROUND_ABSENT;
}

/* [starting rank]: index of the player. */
struct numbers {
    uint16_t index[TRF_NUMBER_MAX + 1];
};

static const struct trf_result *result_in(const struct trf_event *event, size_t player,
                                          unsigned round)
{
    return &event->results[player * event->columns + round - 1];
}

static struct dutch_result convert(const struct trf_event *event, const struct numbers *numbers,
                                   const struct trf_result *result)
{
    bool opponent = result->opponent != 0;
    return (struct dutch_result){.opponent =
                                     opponent ? numbers->index[result->opponent] : DUTCH_NOBODY,
                                 .points = trf_result_points(&event->points, result->code),
                                 .kind = kind_of_code(result->code, opponent),
                                 .colour = result->colour == 'w'   ? DUTCH_WHITE
                                           : result->colour == 'b' ? DUTCH_BLACK
                                                                   : DUTCH_NO_COLOUR};
}

static bool is_present(const struct trf_event *event, size_t player, unsigned round)
{
    if (round <= event->columns) {
        const struct trf_result *result = result_in(event, player, round);
        if (result->code != ' ' || round <= event->rounds_played)
            return result->opponent != 0 || result->code == 'U';
    }
    for (size_t i = 0; i < event->bye_count; i++)
        if (event->byes[i].round == round && event->byes[i].number == event->players[player].number)
            return false;
    return true;
}

void trf_request(const struct trf_event *event, uint16_t round, struct dutch_player *players,
                 struct dutch_result *results, struct dutch_forbidden *forbidden,
                 struct dutch_request *request)
{
    struct numbers numbers;
    size_t pairs = 0;
    assert(round >= 1 && round <= event->rounds_played + 1);
    for (size_t i = 0; i < event->player_count; i++)
        numbers.index[event->players[i].number] = (uint16_t)i;
    for (size_t i = 0; i < event->player_count; i++) {
        players[i] = (struct dutch_player){.tpn = event->players[i].number,
                                           .present = is_present(event, i, round)};
        for (unsigned earlier = 1; earlier < round; earlier++)
            results[i * (round - 1U) + earlier - 1] =
                convert(event, &numbers, result_in(event, i, earlier));
    }
    for (size_t i = 0; i < event->forbidden_count; i++) {
        const struct trf_forbidden *pair = &event->forbidden[i];
        if (pair->first_round <= round && round <= pair->last_round)
            forbidden[pairs++] =
                (struct dutch_forbidden){numbers.index[pair->a], numbers.index[pair->b]};
    }
    uint16_t planned =
        event->rounds_planned > event->rounds_played ? event->rounds_planned : event->rounds_played;
    *request = (struct dutch_request){.players = players,
                                      .player_count = event->player_count,
                                      .results = results,
                                      .rounds_played = (uint16_t)(round - 1),
                                      .rounds_planned = planned >= round ? planned : round,
                                      .points_for_win = event->points.win,
                                      .points_for_loss = event->points.loss,
                                      .initial = event->initial,
                                      .forbidden = forbidden,
                                      .forbidden_count = pairs};
}

struct memory {
    struct arena_batch batch;
    struct dutch_player *players;
    struct dutch_result *results;
    struct dutch_forbidden *forbidden;
    struct dutch_pair *pairs;
    void *work;
};

static bool take_memory(struct memory *memory, const struct trf_event *event)
{
    struct arena_batch *batch = &memory->batch;
    size_t players = event->player_count;
    size_t results = players * (event->rounds_played + 1U) + 1;
    memory->players = arena_batch_take(batch, players + 1, sizeof *memory->players);
    memory->results = arena_batch_take(batch, results, sizeof *memory->results);
    memory->forbidden =
        arena_batch_take(batch, event->forbidden_count + 1, sizeof *memory->forbidden);
    memory->pairs = arena_batch_take(batch, players / 2 + 1, sizeof *memory->pairs);
    memory->work = malloc(dutch_work_size(players));
    return !batch->failed && memory->work != NULL;
}

static bool pair(struct memory *memory, const struct trf_event *event, uint16_t round,
                 const struct progress *progress, struct trf_pair *pairs, size_t *count,
                 struct refusal *refusal)
{
    struct dutch_request request;
    trf_request(event, round, memory->players, memory->results, memory->forbidden, &request);
    request.progress = progress;
    if (!dutch_pair_round(&request, memory->work, memory->pairs, count, refusal))
        return false;
    for (size_t i = 0; i < *count; i++) {
        const struct dutch_pair *found = &memory->pairs[i];
        pairs[i] = (struct trf_pair){
            .white = event->players[found->white].number,
            .black = found->black == DUTCH_NOBODY ? 0 : event->players[found->black].number};
    }
    return true;
}

bool trf_pair_again(const struct trf_event *event, uint16_t round, const struct progress *progress,
                    struct trf_pair *pairs, size_t *count, struct refusal *refusal)
{
    struct memory memory = {.work = NULL};
    *count = 0;
    bool good = take_memory(&memory, event)
                    ? pair(&memory, event, round, progress, pairs, count, refusal)
                    : refuse(refusal, TRF_AGAIN_REFUSAL_MEMORY,
                             "There is not enough memory for the pairing.");
    arena_batch_free(&memory.batch);
    free(memory.work);
    return good;
}

/* By white, the bye last. */
static int compare_pairs(const void *left, const void *right)
{
    const struct trf_pair *a = left, *b = right;
    if ((a->black == 0) != (b->black == 0))
        return a->black == 0 ? 1 : -1;
    return (a->white > b->white) - (a->white < b->white);
}

/* The line of a game that counts for the pair: White's, or without colours the line of the lower
 * number. */
static bool tells_pair(const struct trf_player *player, const struct trf_result *result)
{
    if (result->opponent == 0)
        return result->code == 'U';
    return result->colour == 'w' || (result->colour == '-' && player->number < result->opponent);
}

size_t trf_pairs_given(const struct trf_event *event, uint16_t round, struct trf_pair *pairs)
{
    size_t count = 0;
    for (size_t i = 0; i < event->player_count; i++) {
        const struct trf_result *result = &event->results[i * event->columns + round - 1U];
        if (tells_pair(&event->players[i], result) && count < (event->player_count + 1) / 2)
            pairs[count++] = (struct trf_pair){event->players[i].number, result->opponent};
    }
    if (count > 0)
        qsort(pairs, count, sizeof *pairs, compare_pairs);
    return count;
}

static bool has_pair(const struct trf_pair *pairs, size_t count, struct trf_pair wanted)
{
    for (size_t i = 0; i < count; i++)
        if (pairs[i].white == wanted.white && pairs[i].black == wanted.black)
            return true;
    return false;
}

bool trf_pairs_same(const struct trf_pair *a, size_t a_count, const struct trf_pair *b,
                    size_t b_count)
{
    for (size_t i = 0; a_count == b_count && i < a_count; i++)
        if (!has_pair(b, b_count, a[i]))
            return false;
    return a_count == b_count;
}
