#include "engine/tournament/trf_again.h"

#include <stdlib.h>

struct memory {
    struct dutch_player *players;
    struct dutch_result *results;
    struct dutch_forbidden *forbidden;
    struct dutch_pair *pairs;
    void *work;
};

static bool take_memory(struct memory *memory, const struct trf_event *event)
{
    size_t players = event->player_count;
    *memory = (struct memory){
        .players = calloc(players + 1, sizeof *memory->players),
        .results = calloc(players * (event->rounds_played + 1U) + 1, sizeof *memory->results),
        .forbidden = calloc(event->forbidden_count + 1, sizeof *memory->forbidden),
        .pairs = calloc(players / 2 + 1, sizeof *memory->pairs),
        .work = malloc(dutch_work_size(players))};
    return memory->players != NULL && memory->results != NULL && memory->forbidden != NULL &&
           memory->pairs != NULL && memory->work != NULL;
}

static void free_memory(struct memory *memory)
{
    free(memory->players);
    free(memory->results);
    free(memory->forbidden);
    free(memory->pairs);
    free(memory->work);
}

static bool pair(struct memory *memory, const struct trf_event *event, uint16_t round,
                 struct trf_pair *pairs, size_t *count, struct refusal *refusal)
{
    struct dutch_request request;
    trf_request(event, round, memory->players, memory->results, memory->forbidden, &request);
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

bool trf_pair_again(const struct trf_event *event, uint16_t round, struct trf_pair *pairs,
                    size_t *count, struct refusal *refusal)
{
    struct memory memory;
    *count = 0;
    bool good = take_memory(&memory, event)
                    ? pair(&memory, event, round, pairs, count, refusal)
                    : refuse(refusal, TRF_AGAIN_REFUSAL_MEMORY, "There is no memory to pair.");
    free_memory(&memory);
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

/* The half of a game that white's line tells; of a game without colours, the line of the lower
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
