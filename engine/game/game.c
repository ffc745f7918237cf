#include "engine/game/game.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int compare_seats(const struct outcome *o, unsigned a, unsigned b)
{
    if (o->score[a] != o->score[b])
        return o->score[a] > o->score[b] ? 1 : -1;
    for (unsigned i = 0; i < o->tie_breaks; i++)
        if (o->tie_break[a][i] != o->tie_break[b][i])
            return o->tie_break[a][i] > o->tie_break[b][i] ? 1 : -1;
    return 0;
}

void outcome_rank(struct outcome *outcome)
{
    for (unsigned seat = 0; seat < outcome->seats; seat++) {
        outcome->rank[seat] = 1;
        for (unsigned other = 0; other < outcome->seats; other++)
            if (compare_seats(outcome, other, seat) > 0)
                outcome->rank[seat]++;
    }
}

int game_option_index(const struct game *game, struct span name)
{
    for (size_t i = 0; i < game->option_count; i++)
        if (span_is(name, game->options[i].name))
            return (int)i;
    return -1;
}

int game_option_value(const struct game *game, size_t option, struct span value)
{
    const char *const *values = game->options[option].values;
    for (size_t i = 0; values[i] != NULL; i++)
        if (span_is(value, values[i]))
            return (int)i;
    return -1;
}

struct game_options game_options_initial(const struct game *game)
{
    struct game_options options = {{0}};
    for (size_t i = 0; i < game->option_count; i++)
        options.value[i] = game->options[i].initial;
    return options;
}

struct span game_components(const struct game *game)
{
    return (struct span){(const char *)game->components,
                         (size_t)(game->components_end - game->components)};
}

void game_components_hash(const struct game *game, uint8_t hash[static 32])
{
    bool read = span_hex(span_of(game->components_sha256), hash, 32);
    assert(read);
    (void)read;
}

bool game_decides(const struct game *game, const void *state, unsigned seat)
{
    return seat < GAME_SEATS_MAX && (game->deciders(state) >> seat & 1) != 0;
}

bool refuse(struct refusal *refusal, const char *code, const char *message)
{
    *refusal = (struct refusal){code, message};
    return false;
}

bool move_list_init(struct move_list *list, const struct game *game)
{
    *list = (struct move_list){.capacity = game->legal_max * (game->move_max + 1),
                               .count_max = game->legal_max};
    list->bytes = malloc(list->capacity);
    list->start = malloc(list->count_max * sizeof *list->start);
    list->length = malloc(list->count_max * sizeof *list->length);
    if (list->bytes == NULL || list->start == NULL || list->length == NULL) {
        move_list_free(list);
        return false;
    }
    return true;
}

void move_list_free(struct move_list *list)
{
    free(list->bytes);
    free(list->start);
    free(list->length);
    *list = (struct move_list){0};
}

void move_list_clear(struct move_list *list)
{
    list->used = 0;
    list->count = 0;
}

void move_list_add_parts(struct move_list *list, struct span head, struct span tail)
{
    size_t length = head.length + tail.length;
    assert(list->count < list->count_max);
    assert(length + 1 <= list->capacity - list->used);
    char *move = list->bytes + list->used;
    list->start[list->count] = (uint32_t)list->used;
    list->length[list->count] = (uint32_t)length;
    memcpy(move, head.at, head.length);
    if (tail.length > 0)
        memcpy(move + head.length, tail.at, tail.length);
    move[length] = '\0';
    list->used += length + 1;
    list->count++;
}

void move_list_add(struct move_list *list, struct span move)
{
    move_list_add_parts(list, move, (struct span){NULL, 0});
}

struct span move_list_get(const struct move_list *list, size_t i)
{
    assert(i < list->count);
    return (struct span){list->bytes + list->start[i], list->length[i]};
}

static void swap(struct move_list *list, size_t a, size_t b)
{
    uint32_t start = list->start[a];
    uint32_t length = list->length[a];
    list->start[a] = list->start[b];
    list->length[a] = list->length[b];
    list->start[b] = start;
    list->length[b] = length;
}

/* Heap sort: no allocation, no recursion, and no slow case for lists that are nearly sorted. */
static void sift_down(struct move_list *list, size_t root, size_t count)
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= count)
            return;
        if (child + 1 < count &&
            span_compare(move_list_get(list, child), move_list_get(list, child + 1)) < 0)
            child++;
        if (span_compare(move_list_get(list, root), move_list_get(list, child)) >= 0)
            return;
        swap(list, root, child);
        root = child;
    }
}

static bool is_sorted(const struct move_list *list)
{
    for (size_t i = 1; i < list->count; i++)
        if (span_compare(move_list_get(list, i - 1), move_list_get(list, i)) >= 0)
            return false;
    return true;
}

void move_list_sort(struct move_list *list)
{
    if (is_sorted(list))
        return;
    for (size_t root = list->count / 2; root-- > 0;)
        sift_down(list, root, list->count);
    for (size_t end = list->count; end-- > 1;) {
        swap(list, 0, end);
        sift_down(list, 0, end);
    }
}

ptrdiff_t move_list_find(const struct move_list *list, struct span move)
{
    size_t low = 0;
    size_t high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = span_compare(move_list_get(list, middle), move);
        if (order == 0)
            return (ptrdiff_t)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

bool notation_split(struct span move, struct words *words)
{
    words->count = 0;
    if (move.length == 0 || move.length > GAME_MOVE_MAX)
        return false;
    const char *const end = move.at + move.length;
    for (const char *at = move.at;; at++) {
        const char *start = at;
        while (at < end && *at >= 0x21 && *at <= 0x7e)
            at++;
        if (at == start || words->count == NOTATION_WORDS_MAX)
            return false;
        words->word[words->count++] = (struct span){start, (size_t)(at - start)};
        if (at == end)
            return true;
        if (*at != ' ')
            return false;
    }
}
