#include "engine/tournament/formats/open_play/open_play.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/tournament/result/scoring.h"

/* A waiting player, in the order of being called. */
struct queued {
    const struct open_play_waiting *waiting;
    uint32_t drawn;
};

struct queue {
    struct queued place[OPEN_PLAY_WAITING_MAX];
    size_t count;
};

static int compare_entries(const void *left, const void *right)
{
    const struct queued *a = left, *b = right;
    return (a->waiting->entry > b->waiting->entry) - (a->waiting->entry < b->waiting->entry);
}

static int compare_queued(const void *left, const void *right)
{
    const struct queued *a = left, *b = right;
    if (a->waiting->since != b->waiting->since)
        return a->waiting->since < b->waiting->since ? -1 : 1;
    if (a->drawn != b->drawn)
        return a->drawn < b->drawn ? -1 : 1;
    return compare_entries(left, right);
}

static bool fill_queue(const struct open_play_call *call, struct queue *queue)
{
    queue->count = call->count;
    for (size_t i = 0; i < call->count; i++) {
        queue->place[i] = (struct queued){.waiting = &call->waiting[i]};
        if (call->waiting[i].since > call->now ||
            call->waiting[i].recent_count > OPEN_PLAY_RECENT_MAX)
            return false;
    }
    qsort(queue->place, queue->count, sizeof queue->place[0], compare_entries);
    for (size_t i = 1; i < queue->count; i++)
        if (compare_entries(&queue->place[i - 1], &queue->place[i]) == 0)
            return false;
    return true;
}

static void sort_queue(const struct open_play_call *call, struct queue *queue)
{
    char name[CHANCE_NAME_MAX + 1];
    struct text text = TEXT_OVER(name);
    struct chance_stream stream;
    text_add(&text, "open/");
    text_add_number(&text, call->number);
    chance_open(&stream, call->chance, name, 0);
    for (size_t i = 0; i < queue->count; i++)
        queue->place[i].drawn = chance_word(&stream);
    qsort(queue->place, queue->count, sizeof queue->place[0], compare_queued);
}

/* The number of players at the front of the queue who have waited longer than the patience. */
static size_t count_impatient(const struct open_play_call *call, const struct queue *queue)
{
    size_t count = 0;
    while (count < queue->count && call->now - queue->place[count].waiting->since >= call->patience)
        count++;
    return count;
}

static void choose_sizes(const struct open_play_call *call, const struct queue *queue,
                         struct table_sizes *sizes)
{
    size_t seated = queue->count - queue->count % call->rule.preferred;
    if (count_impatient(call, queue) > seated) {
        table_sizes_choose(call->rule, (unsigned)queue->count, sizes);
        return;
    }
    *sizes = (struct table_sizes){.table_count = (uint16_t)(seated / call->rule.preferred)};
    sizes->tables[call->rule.preferred] = sizes->table_count;
}

static unsigned times_remembered(const struct open_play_waiting *waiting, uint16_t entry)
{
    unsigned count = 0;
    for (unsigned i = 0; i < waiting->recent_count; i++)
        count += waiting->recent[i] == entry;
    return count;
}

/* Both may remember a meeting; it counts once. */
static unsigned recent_meetings(const struct open_play_waiting *one,
                                const struct open_play_waiting *other)
{
    unsigned a = times_remembered(one, other->entry), b = times_remembered(other, one->entry);
    return a > b ? a : b;
}

static bool are_parted(const struct open_play_waiting *one, const struct open_play_waiting *other)
{
    return one->person != 0 && one->person == other->person;
}

/* The places in the queue of a table's players. */
struct choice {
    size_t place[TOURNAMENT_SEATS_MAX];
    unsigned recent;
};

/* Tries all companions after the last one chosen; keeps the first choice with the fewest recent
 * meetings. */
static void choose(const struct queue *queue, unsigned seats, unsigned chosen,
                   struct choice *current, struct choice *best)
{
    if (current->recent >= best->recent)
        return;
    if (chosen == seats || chosen == TOURNAMENT_SEATS_MAX) {
        *best = *current;
        return;
    }
    size_t end = queue->count < OPEN_PLAY_WINDOW + 1 ? queue->count : OPEN_PLAY_WINDOW + 1;
    unsigned before = current->recent;
    for (size_t next = current->place[chosen - 1] + 1; next < end; next++) {
        bool parted = false;
        current->recent = before;
        for (unsigned i = 0; i < chosen; i++) {
            const struct open_play_waiting *other = queue->place[current->place[i]].waiting;
            parted = parted || are_parted(other, queue->place[next].waiting);
            current->recent += recent_meetings(other, queue->place[next].waiting);
        }
        if (parted)
            continue;
        current->place[chosen] = next;
        choose(queue, seats, chosen + 1, current, best);
    }
    current->recent = before;
}

static void leave_queue(struct queue *queue, size_t place)
{
    memmove(&queue->place[place], &queue->place[place + 1],
            (queue->count - place - 1) * sizeof queue->place[0]);
    queue->count--;
}

/* Calls the first of the queue and its companions to a table. False if there are no companions: it
 * has then left the queue. */
static bool call_table(struct queue *queue, unsigned seats, struct open_play_table *table)
{
    struct choice current = {.place = {0}}, best = {.recent = UINT32_MAX};
    choose(queue, seats, 1, &current, &best);
    if (best.recent == UINT32_MAX) {
        leave_queue(queue, 0);
        return false;
    }
    *table = (struct open_play_table){.seats = (uint16_t)seats, .recent = (uint16_t)best.recent};
    for (unsigned seat = 0; seat < seats; seat++)
        table->entry[seat] = queue->place[best.place[seat]].waiting->entry;
    for (unsigned seat = seats; seat-- > 0;)
        leave_queue(queue, best.place[seat]);
    return true;
}

bool open_play_tables(const struct open_play_call *call, struct open_play_table *tables,
                      size_t *table_count, struct refusal *refusal)
{
    struct queue queue;
    struct table_sizes sizes;
    *table_count = 0;
    if (!table_rule_valid(call->rule) || call->count > OPEN_PLAY_WAITING_MAX ||
        !fill_queue(call, &queue))
        return refuse(refusal, OPEN_PLAY_REFUSAL_CALL,
                      "A call needs a rule for tables, and each waiting entry once.");
    sort_queue(call, &queue);
    choose_sizes(call, &queue, &sizes);
    for (unsigned size = TOURNAMENT_SEATS_MAX; size >= TABLE_SIZE_MIN; size--)
        for (unsigned n = 0; n < sizes.tables[size]; n++) {
            bool called = false;
            while (!called && queue.count >= size)
                called = call_table(&queue, size, &tables[*table_count]);
            *table_count += called;
        }
    return true;
}

/* Best n of m. */

static int compare_games(const void *left, const void *right)
{
    const struct open_play_game *a = left, *b = right;
    if (a->entry != b->entry)
        return a->entry < b->entry ? -1 : 1;
    if (a->points != b->points)
        return a->points > b->points ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* A row and its games: qsort() passes no context. */
struct ranked {
    struct open_play_row row;
    const struct open_play_game *counted;
};

/* 0 for equal rows. A missing game is worth nothing. */
static int compare_sums(const struct ranked *a, const struct ranked *b)
{
    if (a->row.sum != b->row.sum)
        return a->row.sum > b->row.sum ? -1 : 1;
    for (unsigned i = 0; i < a->row.counted || i < b->row.counted; i++) {
        int32_t one = i < a->row.counted ? a->counted[i].points : 0;
        int32_t other = i < b->row.counted ? b->counted[i].points : 0;
        if (one != other)
            return one > other ? -1 : 1;
    }
    return 0;
}

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    int order = compare_sums(a, b);
    return order != 0 ? order : (a->row.entry > b->row.entry) - (a->row.entry < b->row.entry);
}

static struct ranked rank_entry(const struct open_play_game *games, size_t first, size_t end,
                                unsigned best)
{
    struct ranked ranked = {
        .row = {.entry = games[first].entry, .games = (uint16_t)(end - first), .first = first},
        .counted = games + first};
    while (ranked.row.counted < best && first + ranked.row.counted < end)
        ranked.row.sum += games[first + ranked.row.counted++].points;
    return ranked;
}

static size_t collect(const struct open_play_game *games, size_t game_count, unsigned best,
                      struct ranked *ranked)
{
    size_t count = 0;
    for (size_t first = 0, end = 0; first < game_count; first = end) {
        while (end < game_count && games[end].entry == games[first].entry)
            end++;
        ranked[count++] = rank_entry(games, first, end, best);
    }
    return count;
}

static void write_rows(struct ranked *ranked, size_t count, struct open_play_row *rows)
{
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < count; i++) {
        bool shared = i > 0 && compare_sums(&ranked[i - 1], &ranked[i]) == 0;
        rows[i] = ranked[i].row;
        rows[i].rank = shared ? rows[i - 1].rank : (uint16_t)(i + 1);
    }
}

static bool games_valid(const struct open_play_game *games, size_t count, unsigned best)
{
    if (count >= OPEN_PLAY_GAMES_MAX || best < 1 || best > OPEN_PLAY_BEST_MAX)
        return false;
    for (size_t i = 0; i < count; i++)
        if (games[i].points > SCORING_POINTS_MAX || games[i].points < 0)
            return false;
    return true;
}

bool open_play_rank(struct open_play_game *games, size_t game_count, unsigned best,
                    struct open_play_row *rows, size_t *row_count, struct refusal *refusal)
{
    *row_count = 0;
    if (!games_valid(games, game_count, best))
        return refuse(refusal, OPEN_PLAY_REFUSAL_GAME,
                      "There are too many games, or a number of points is out of range.");
    if (game_count == 0)
        return true;
    struct ranked *ranked = calloc(game_count, sizeof *ranked);
    if (ranked == NULL)
        return refuse(refusal, OPEN_PLAY_REFUSAL_MEMORY,
                      "There is not enough memory for the ranking.");
    qsort(games, game_count, sizeof *games, compare_games);
    *row_count = collect(games, game_count, best, ranked);
    write_rows(ranked, *row_count, rows);
    free(ranked);
    return true;
}
