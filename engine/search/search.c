#include "engine/search/search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search/policy.h"
#include "engine/search/value.h"

enum {
    EDGES_MAX = 32,  /* of a node: the moves with the greatest shares */
    PATH_MAX = 64,   /* decisions of the seat on one way */
    EDGES_EACH = 16, /* room for so many edges for each iteration, on average */
    SHARE = 1 << 16  /* the sum of a node's shares */
};

/* A move that the seat may make at a node. */
struct edge {
    uint32_t move;  /* index in the list of legal moves */
    uint32_t share; /* how likely it is by its weight, of SHARE */
    uint32_t visits;
    int64_t sum; /* of values */
};

struct node {
    uint64_t key;          /* of the way here and of the legal moves */
    uint32_t first, count; /* its edges */
    uint32_t visits;
    int64_t sum;
    uint32_t next; /* node in the same bucket, 0 = none */
};

struct search {
    const struct game *game;
    struct search_settings settings;
    struct value_weights weights;
    struct move_list list;
    int32_t *weight; /* room for the weights of a list */
    uint32_t *share;
    struct node *nodes; /* nodes[0] is none */
    struct edge *edges;
    uint32_t *buckets;
    uint32_t node_count, edge_count, node_max, edge_max, bucket_count;
    /* of the search that runs: */
    unsigned seat, seats;
    struct chance_stream luck;
    int32_t least, most; /* values seen */
    struct edge *path[PATH_MAX];
    struct node *passed[PATH_MAX];
    unsigned depth;
    _Alignas(8) unsigned char state[GAME_STATE_MAX];
};

struct search *search_new(const struct game *game, const struct search_settings *settings)
{
    struct search *search = calloc(1, sizeof *search);
    if (search == NULL)
        return NULL;
    assert(settings->iterations >= 1 && settings->iterations <= SEARCH_ITERATIONS_MAX);
    search->game = game;
    search->settings = *settings;
    search->node_max = settings->iterations + 2;
    search->edge_max = search->node_max * EDGES_EACH + (uint32_t)game->legal_max;
    for (search->bucket_count = 256; search->bucket_count < search->node_max;)
        search->bucket_count *= 2;
    search->weight = calloc(game->legal_max, sizeof *search->weight);
    search->share = calloc(game->legal_max, sizeof *search->share);
    search->nodes = calloc(search->node_max, sizeof *search->nodes);
    search->edges = calloc(search->edge_max, sizeof *search->edges);
    search->buckets = calloc(search->bucket_count, sizeof *search->buckets);
    bool good = move_list_init(&search->list, game) && search->weight != NULL &&
                search->share != NULL && search->nodes != NULL && search->edges != NULL &&
                search->buckets != NULL;
    if (!good) {
        search_free(search);
        return NULL;
    }
    value_of_game(&search->weights, game);
    return search;
}

void search_free(struct search *search)
{
    if (search == NULL)
        return;
    move_list_free(&search->list);
    free(search->weight);
    free(search->share);
    free(search->nodes);
    free(search->edges);
    free(search->buckets);
    free(search);
}

/* ---- Nodes ---- */

/* FNV-1a, 64 bits. */
static uint64_t mix(uint64_t key, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        key = (key ^ at[i]) * UINT64_C(0x100000001b3);
    return key;
}

static uint64_t key_of(uint64_t way, const struct move_list *legal)
{
    return mix(way, legal->bytes, legal->used);
}

static struct node *find(struct search *search, uint64_t key)
{
    uint32_t at = search->buckets[key % search->bucket_count];
    while (at != 0 && search->nodes[at].key != key)
        at = search->nodes[at].next;
    return at == 0 ? NULL : &search->nodes[at];
}

/* Keeps the edges with the greatest shares, sorted; the first among equals. */
static uint32_t keep_edges(struct edge *edges, const uint32_t *share, size_t count, size_t most)
{
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == most && share[i] <= edges[kept - 1].share)
            continue;
        uint32_t at = kept < most ? kept++ : kept - 1;
        for (; at > 0 && edges[at - 1].share < share[i]; at--)
            edges[at] = edges[at - 1];
        edges[at] = (struct edge){.move = (uint32_t)i, .share = share[i]};
    }
    return kept;
}

/* A node for the legal moves, or NULL if there is no room. The root has all moves. */
static struct node *add(struct search *search, uint64_t key, const void *state,
                        const struct move_list *legal, bool root)
{
    size_t most = root || legal->count < EDGES_MAX ? legal->count : EDGES_MAX;
    if (search->node_count == search->node_max || search->edge_count + most > search->edge_max)
        return NULL;
    struct node *node = &search->nodes[search->node_count];
    uint32_t *bucket = &search->buckets[key % search->bucket_count];
    *node = (struct node){.key = key, .first = search->edge_count, .next = *bucket};
    *bucket = search->node_count++;
    search->game->weigh(state, search->seat, legal, search->weight);
    policy_shares(search->weight, legal->count, search->game->weight_unit, search->share);
    struct edge *edges = &search->edges[node->first];
    node->count = keep_edges(edges, search->share, legal->count, most);
    search->edge_count += node->count;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < node->count; i++)
        sum += edges[i].share;
    for (uint32_t i = 0; i < node->count; i++)
        edges[i].share = (uint32_t)((uint64_t)edges[i].share * SHARE / sum);
    return node;
}

static uint32_t root_of(uint64_t number)
{
    uint64_t root = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit > 0; bit >>= 1)
        if ((root | bit) * (root | bit) <= number)
            root |= bit;
    return (uint32_t)root;
}

/* A value between the least and the most that were seen, of VALUE_ONE. */
static int64_t scaled(const struct search *search, int64_t value)
{
    int64_t span = search->most - search->least;
    return span <= 0 ? VALUE_ONE / 2 : (value - search->least) * VALUE_ONE / span;
}

/* PUCT: the value so far, and more for likely moves that were seldom tried. */
static struct edge *select_edge(const struct search *search, const struct node *node)
{
    struct edge *edges = &search->edges[node->first];
    struct edge *best = NULL;
    int64_t best_score = INT64_MIN;
    int64_t root = root_of((uint64_t)node->visits * 256); /* in sixteenths */
    int64_t fresh = node->visits == 0 ? VALUE_ONE / 2 : scaled(search, node->sum / node->visits);
    for (uint32_t i = 0; i < node->count; i++) {
        struct edge *edge = &edges[i];
        int64_t score = edge->visits == 0 ? fresh : scaled(search, edge->sum / edge->visits);
        score += (int64_t)search->settings.explore * edge->share * root /
                 ((int64_t)16 * 256 * (1 + edge->visits));
        if (score > best_score) {
            best_score = score;
            best = edge;
        }
    }
    return best;
}

/* ---- One iteration ---- */

static void play(struct search *search, unsigned seat, size_t move, const struct chance *chance)
{
    struct refusal refusal;
    bool played = search->game->play(search->state, seat, move_list_get(&search->list, move),
                                     chance, &refusal);
    assert(played);
    (void)played;
}

/* A move by weight, drawn. */
static size_t draw(struct search *search, unsigned seat)
{
    size_t count = search->list.count;
    if (count == 1)
        return 0;
    search->game->weigh(search->state, seat, &search->list, search->weight);
    policy_shares(search->weight, count, search->game->weight_unit, search->share);
    return policy_draw(search->share, count, &search->luck);
}

static void list_moves(struct search *search, unsigned seat)
{
    move_list_clear(&search->list);
    search->game->legal(search->state, seat, &search->list);
}

/* The seat that plays next: of several that decide at once the searching one last, as it knows no
 * more then. */
static unsigned next_seat(const struct search *search, uint32_t deciders)
{
    uint32_t others = deciders & ~(UINT32_C(1) << search->seat);
    uint32_t among = others != 0 ? others : deciders;
    unsigned seat = 0;
    while ((among >> seat & 1) == 0)
        seat++;
    return seat;
}

/* Goes down the tree to a new node or to the end of the game. */
static void descend(struct search *search, const struct chance *chance)
{
    uint64_t way = 0;
    uint32_t deciders;
    search->depth = 0;
    while ((deciders = search->game->deciders(search->state)) != 0) {
        unsigned seat = next_seat(search, deciders);
        list_moves(search, seat);
        if (seat != search->seat) {
            play(search, seat, draw(search, seat), chance);
            continue;
        }
        uint64_t key = key_of(way, &search->list);
        struct node *node = find(search, key);
        bool fresh = node == NULL;
        if (fresh)
            node = add(search, key, search->state, &search->list, search->depth == 0);
        if (node == NULL || search->depth == PATH_MAX)
            return;
        struct edge *edge = select_edge(search, node);
        search->passed[search->depth] = node;
        search->path[search->depth++] = edge;
        play(search, seat, edge->move, chance);
        way = mix(key, &edge->move, sizeof edge->move);
        if (fresh)
            return;
    }
}

/* Plays on by weight, then values the position for the seat. */
static int32_t leaf(struct search *search, const struct chance *chance)
{
    uint32_t deciders;
    int32_t value[GAME_SEATS_MAX];
    bool learned = search->weights.count > 0;
    for (uint32_t plies = 0; (deciders = search->game->deciders(search->state)) != 0; plies++) {
        if (learned && plies >= search->settings.rollout)
            break;
        unsigned seat = next_seat(search, deciders);
        list_moves(search, seat);
        play(search, seat, draw(search, seat), chance);
    }
    value_of_state(&search->weights, search->game, search->state, search->seats, value);
    return value[search->seat];
}

static void add_value(struct search *search, int32_t value)
{
    search->least = value < search->least ? value : search->least;
    search->most = value > search->most ? value : search->most;
    for (unsigned i = 0; i < search->depth; i++) {
        search->passed[i]->visits++;
        search->passed[i]->sum += value;
        search->path[i]->visits++;
        search->path[i]->sum += value;
    }
}

static void iterate(struct search *search, const void *state)
{
    struct chance chance = {.stacks = NULL};
    uint32_t words[CHANCE_SEED_BYTES / 4];
    chance_words(&search->luck, words, CHANCE_SEED_BYTES / 4);
    for (size_t i = 0; i < CHANCE_SEED_BYTES; i++)
        chance.seed[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    memcpy(search->state, state, search->game->state_size);
    search->game->imagine(search->state, (struct viewer){VIEWER_SEAT, search->seat}, &chance);
    descend(search, &chance);
    add_value(search, leaf(search, &chance));
}

/* ---- The choice ---- */

/* Most visits; among equals the greater sum; then the greater share. */
static const struct edge *most_visited(const struct search *search, const struct node *root)
{
    const struct edge *edges = &search->edges[root->first];
    const struct edge *best = edges;
    for (uint32_t i = 1; i < root->count; i++)
        if (edges[i].visits > best->visits ||
            (edges[i].visits == best->visits && edges[i].sum > best->sum))
            best = &edges[i];
    return best;
}

/* Whether no other move can be visited as often as the best one by the iterations that are left. */
static bool is_settled(const struct search *search, const struct node *root, uint32_t left)
{
    const struct edge *edges = &search->edges[root->first];
    const struct edge *best = most_visited(search, root);
    for (uint32_t i = 0; i < root->count; i++)
        if (&edges[i] != best && edges[i].visits + left >= best->visits)
            return false;
    return true;
}

size_t search_choose(struct search *search, const void *state, unsigned seat,
                     const struct chance *luck, const struct move_list *legal)
{
    struct outcome outcome;
    if (legal->count == 1)
        return 0;
    search->game->outcome(state, &outcome);
    search->seat = seat;
    search->seats = outcome.seats;
    search->node_count = 1;
    search->edge_count = 0;
    search->least = INT32_MAX;
    search->most = INT32_MIN;
    memset(search->buckets, 0, search->bucket_count * sizeof *search->buckets);
    chance_open(&search->luck, luck, "search", 0);
    const struct node *root = add(search, key_of(0, legal), state, legal, true);
    assert(root != NULL);
    for (uint32_t i = 0; i < search->settings.iterations; i++) {
        if (is_settled(search, root, search->settings.iterations - i))
            break;
        iterate(search, state);
    }
    return most_visited(search, root)->move;
}
