#include "engine/tournament/number/matching.h"

#include <assert.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/tournament/number/limbs.h"

enum label { LABEL_FREE, LABEL_OUTER, LABEL_INNER };

/* ---- Memory ---- */

static size_t blossoms_of(size_t count)
{
    return count / 2;
}

static void carve_all(struct matching *matching, struct carver *carver, size_t count, size_t limbs)
{
    size_t nodes = count + blossoms_of(count);
    uint16_t **of_node[] = {&matching->parent,    &matching->base,    &matching->first,
                            &matching->next,      &matching->link_to, &matching->link_from,
                            &matching->tree_from, &matching->tree_to, &matching->unused,
                            &matching->list,      &matching->ring};
    uint16_t **of_vertex[] = {&matching->mate, &matching->top, &matching->near};
    matching->dual = carve(carver, nodes * limbs, sizeof *matching->dual);
    matching->near_key = carve(carver, count * limbs, sizeof *matching->near_key);
    matching->when = carve(carver, count * limbs, sizeof *matching->when);
    for (size_t i = 0; i < sizeof of_node / sizeof *of_node; i++)
        *of_node[i] = carve(carver, nodes, sizeof **of_node[i]);
    for (size_t i = 0; i < sizeof of_vertex / sizeof *of_vertex; i++)
        *of_vertex[i] = carve(carver, count, sizeof **of_vertex[i]);
    matching->best = carve(carver, blossoms_of(count) * count, sizeof *matching->best);
    matching->gone = carve(carver, count, sizeof *matching->gone);
    matching->label = carve(carver, nodes, sizeof *matching->label);
    matching->mark = carve(carver, nodes, sizeof *matching->mark);
}

size_t matching_size(size_t count, size_t limbs)
{
    struct matching matching;
    struct carver carver = {NULL, 0};
    carve_all(&matching, &carver, count, limbs);
    return carver.used;
}

void matching_init(struct matching *matching, void *memory, size_t count, size_t limbs)
{
    struct carver carver = {memory, 0};
    assert(count <= MATCHING_VERTICES_MAX && limbs >= 1 && limbs <= MATCHING_LIMBS_MAX);
    *matching = (struct matching){.count = count, .nodes = count + blossoms_of(count)};
    carve_all(matching, &carver, count, limbs);
    for (size_t v = 0; v < count; v++) {
        matching->mate[v] = MATCHING_NONE;
        matching->gone[v] = false;
    }
}

/* ---- Nodes ---- */

static uint64_t *dual_of(const struct matching *matching, uint16_t node)
{
    return matching->dual + node * matching->limbs;
}

static bool is_blossom(const struct matching *matching, uint16_t node)
{
    return node >= matching->count;
}

/* The vertex of the node whose edge to `v` is the first to become tight, or MATCHING_NONE. */
static uint16_t best_towards(const struct matching *matching, uint16_t node, uint16_t v)
{
    return is_blossom(matching, node)
               ? matching->best[(node - matching->count) * matching->count + v]
               : node;
}

/* Appends the vertices of a node to `list`; returns the new length. */
static size_t collect(const struct matching *matching, uint16_t node, uint16_t *list, size_t length)
{
    if (!is_blossom(matching, node)) {
        list[length] = node;
        return length + 1;
    }
    uint16_t child = matching->first[node];
    do {
        length = collect(matching, child, list, length);
        child = matching->next[child];
    } while (child != matching->first[node]);
    return length;
}

static void set_top(struct matching *matching, uint16_t node)
{
    size_t length = collect(matching, node, matching->list, 0);
    matching->parent[node] = MATCHING_NONE;
    for (size_t i = 0; i < length; i++)
        matching->top[matching->list[i]] = node;
}

static uint16_t child_with(const struct matching *matching, uint16_t blossom, uint16_t v)
{
    uint16_t node = v;
    while (matching->parent[node] != blossom)
        node = matching->parent[node];
    return node;
}

/* Rematches a node inside so that `v` is its base. */
static void rotate(struct matching *matching, uint16_t node, uint16_t v)
{
    if (!is_blossom(matching, node))
        return;
    uint16_t child = child_with(matching, node, v);
    rotate(matching, child, v);
    for (uint16_t a = matching->next[child]; a != child;) {
        uint16_t b = matching->next[a];
        uint16_t from = matching->link_from[a], to = matching->link_to[a];
        matching->mate[from] = to;
        matching->mate[to] = from;
        rotate(matching, a, from);
        rotate(matching, b, to);
        a = matching->next[b];
    }
    matching->first[node] = child;
    matching->base[node] = v;
}

static uint16_t take_blossom(struct matching *matching)
{
    assert(matching->unused_count > 0);
    return matching->unused[--matching->unused_count];
}

static void give_back_blossom(struct matching *matching, uint16_t blossom)
{
    matching->first[blossom] = MATCHING_NONE;
    matching->label[blossom] = LABEL_FREE;
    matching->unused[matching->unused_count++] = blossom;
}

static bool in_use(const struct matching *matching, uint16_t blossom)
{
    return matching->first[blossom] != MATCHING_NONE;
}

/* ---- Costs ---- */

static struct matching_cost price(const struct matching *matching, uint16_t a, uint16_t b)
{
    return a < b ? matching->price(matching->context, a, b)
                 : matching->price(matching->context, b, a);
}

/* key = cost - dual */
static void cost_less(uint64_t *key, struct matching_cost cost, const uint64_t *dual, size_t limbs)
{
    uint64_t borrow = (uint64_t)(cost.low < dual[0]);
    key[0] = cost.low - dual[0];
    for (size_t i = 1; i < limbs; i++) {
        uint64_t first = cost.high[i - 1] - dual[i];
        uint64_t second = first - borrow;
        borrow = (uint64_t)(first > cost.high[i - 1]) | (uint64_t)(second > first);
        key[i] = second;
    }
}

static bool costs_nothing(struct matching_cost cost, size_t limbs)
{
    return cost.high != NULL && cost.low == 0 && limbs_is_zero(cost.high, limbs - 1);
}

/* Finds among `count` candidates (vertices) the one with the least cost - dual towards `v`. */
static uint16_t choose_best(const struct matching *matching, const uint16_t *candidates,
                            size_t count, uint16_t v)
{
    uint64_t least[MATCHING_LIMBS_MAX], key[MATCHING_LIMBS_MAX];
    uint16_t best = MATCHING_NONE;
    assert(matching->limbs >= 1 && matching->limbs <= MATCHING_LIMBS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (candidates[i] == MATCHING_NONE || candidates[i] == v)
            continue;
        struct matching_cost cost = price(matching, candidates[i], v);
        if (cost.high == NULL)
            continue;
        cost_less(key, cost, dual_of(matching, candidates[i]), matching->limbs);
        if (best == MATCHING_NONE || limbs_compare(key, least, matching->limbs) < 0) {
            best = candidates[i];
            limbs_copy(least, key, matching->limbs);
        }
    }
    return best;
}

/* ---- Duals against time ---- */

static void add_time(const struct matching *matching, uint64_t *number)
{
    limbs_add(number, number, matching->time, matching->limbs);
}

static void take_time(const struct matching *matching, uint64_t *number)
{
    limbs_subtract(number, number, matching->time, matching->limbs);
}

/* The stored number of an outer node is smaller than the true one by the time, that of an inner one
 * greater; y moves twice as fast in the other direction, so the same holds for it. */
static void shift_vertices(struct matching *matching, uint16_t node, int times)
{
    size_t length = collect(matching, node, matching->list, 0);
    for (size_t i = 0; i < length; i++) {
        uint64_t *dual = dual_of(matching, matching->list[i]);
        for (int t = times; t > 0; t--)
            add_time(matching, dual);
        for (int t = times; t < 0; t++)
            take_time(matching, dual);
    }
}

static void shift_blossom(struct matching *matching, uint16_t node, int times)
{
    if (!is_blossom(matching, node))
        return;
    for (int t = 2 * times; t > 0; t--)
        add_time(matching, dual_of(matching, node));
    for (int t = 2 * times; t < 0; t++)
        take_time(matching, dual_of(matching, node));
}

/* ---- Search: labels ---- */

/* The time at which the nearest edge of `v` becomes tight. Meaningless for an inner vertex. */
static void set_when(struct matching *matching, uint16_t v)
{
    uint64_t *when = matching->when + v * matching->limbs;
    if (matching->near[v] == MATCHING_NONE)
        return;
    limbs_subtract(when, matching->near_key + v * matching->limbs, dual_of(matching, v),
                   matching->limbs);
    if (matching->label[matching->top[v]] == LABEL_OUTER)
        limbs_halve(when, when, matching->limbs);
}

static void set_when_of_node(struct matching *matching, uint16_t node)
{
    size_t length = collect(matching, node, matching->list, 0);
    for (size_t i = 0; i < length; i++)
        set_when(matching, matching->list[i]);
}

static void offer(struct matching *matching, uint16_t from, uint16_t v)
{
    uint64_t key[MATCHING_LIMBS_MAX];
    uint64_t *near_key = matching->near_key + v * matching->limbs;
    struct matching_cost cost = price(matching, from, v);
    if (cost.high == NULL)
        return;
    cost_less(key, cost, dual_of(matching, from), matching->limbs);
    if (matching->near[v] != MATCHING_NONE && limbs_compare(key, near_key, matching->limbs) >= 0)
        return;
    limbs_copy(near_key, key, matching->limbs);
    matching->near[v] = from;
    if (matching->label[matching->top[v]] != LABEL_INNER)
        set_when(matching, v);
}

/* Updates all other vertices for a new outer node. */
static void scan(struct matching *matching, uint16_t node)
{
    for (uint16_t v = 0; v < matching->count; v++) {
        if (matching->gone[v] || matching->top[v] == node)
            continue;
        uint16_t from = best_towards(matching, node, v);
        if (from != MATCHING_NONE)
            offer(matching, from, v);
    }
}

static void make_outer(struct matching *matching, uint16_t node)
{
    matching->label[node] = LABEL_OUTER;
    shift_vertices(matching, node, -1);
    shift_blossom(matching, node, -1);
    set_when_of_node(matching, node);
    scan(matching, node);
}

static void make_inner(struct matching *matching, uint16_t node, uint16_t from, uint16_t to)
{
    matching->label[node] = LABEL_INNER;
    shift_vertices(matching, node, 1);
    shift_blossom(matching, node, 1);
    matching->tree_from[node] = from;
    matching->tree_to[node] = to;
}

/* The outer node above an outer node in the tree, or MATCHING_NONE at the root. */
static uint16_t outer_above(const struct matching *matching, uint16_t node)
{
    uint16_t mate = matching->mate[matching->base[node]];
    return mate == MATCHING_NONE ? MATCHING_NONE
                                 : matching->top[matching->tree_from[matching->top[mate]]];
}

/* ---- Search: blossoms ---- */

static uint16_t common_ancestor(struct matching *matching, uint16_t a, uint16_t b)
{
    uint16_t found = b;
    for (uint16_t node = a; node != MATCHING_NONE; node = outer_above(matching, node))
        matching->mark[node] = 1;
    while (matching->mark[found] == 0)
        found = outer_above(matching, found);
    for (uint16_t node = a; node != MATCHING_NONE; node = outer_above(matching, node))
        matching->mark[node] = 0;
    return found;
}

static void link_next(struct matching *matching, uint16_t child, uint16_t following, uint16_t from,
                      uint16_t to)
{
    matching->next[child] = following;
    matching->link_from[child] = from;
    matching->link_to[child] = to;
}

/* Links the ring: from the ancestor down to the node of `a`, over the edge a - b, and up again. */
static void link_ring(struct matching *matching, uint16_t ancestor, uint16_t a, uint16_t b)
{
    uint16_t below = matching->top[b], from = a, to = b;
    for (uint16_t node = matching->top[a]; node != ancestor;) {
        uint16_t base = matching->base[node], mate = matching->mate[base];
        uint16_t inner = matching->top[mate];
        link_next(matching, node, below, from, to);
        link_next(matching, inner, node, mate, base);
        below = inner;
        from = matching->tree_from[inner];
        to = matching->tree_to[inner];
        node = matching->top[from];
    }
    link_next(matching, ancestor, below, from, to);
    for (uint16_t node = matching->top[b]; node != ancestor;) {
        uint16_t base = matching->base[node], mate = matching->mate[base];
        uint16_t inner = matching->top[mate];
        uint16_t above = matching->tree_from[inner];
        link_next(matching, node, inner, base, mate);
        link_next(matching, inner, matching->top[above], matching->tree_to[inner], above);
        node = matching->top[above];
    }
}

/* Children get their true y back, and the vertices of inner children the stored u of outer ones. */
static void absorb_children(struct matching *matching, uint16_t blossom)
{
    uint16_t child = matching->first[blossom];
    do {
        if (matching->label[child] == LABEL_INNER) {
            shift_vertices(matching, child, -2);
            shift_blossom(matching, child, -1);
        } else {
            shift_blossom(matching, child, 1);
        }
        matching->label[child] = LABEL_FREE;
        matching->parent[child] = blossom;
        child = matching->next[child];
    } while (child != matching->first[blossom]);
}

static void find_best(struct matching *matching, uint16_t blossom)
{
    uint16_t *best = matching->best + (blossom - matching->count) * matching->count;
    for (uint16_t v = 0; v < matching->count; v++) {
        size_t length = 0;
        if (matching->gone[v] || matching->top[v] == blossom)
            continue;
        uint16_t child = matching->first[blossom];
        do {
            matching->list[length++] = best_towards(matching, child, v);
            child = matching->next[child];
        } while (child != matching->first[blossom]);
        best[v] = choose_best(matching, matching->list, length, v);
    }
}

/* Vertices whose nearest outer vertex is now in their own node drop it. They need no other: of two
 * outer nodes, the one scanned later updated all vertices of the other, and the new node is about
 * to be scanned. */
static void forget_inside(struct matching *matching, uint16_t blossom)
{
    size_t length = collect(matching, blossom, matching->list, 0);
    for (size_t i = 0; i < length; i++) {
        uint16_t v = matching->list[i];
        if (matching->near[v] != MATCHING_NONE && matching->top[matching->near[v]] == blossom)
            matching->near[v] = MATCHING_NONE;
        set_when(matching, v);
    }
}

/* The edge a - b between two outer nodes is tight: an odd ring becomes one outer node. */
static void shrink(struct matching *matching, uint16_t a, uint16_t b)
{
    uint16_t ancestor = common_ancestor(matching, matching->top[a], matching->top[b]);
    uint16_t blossom = take_blossom(matching);
    link_ring(matching, ancestor, a, b);
    matching->first[blossom] = ancestor;
    matching->base[blossom] = matching->base[ancestor];
    limbs_zero(dual_of(matching, blossom), matching->limbs);
    absorb_children(matching, blossom);
    set_top(matching, blossom);
    shift_blossom(matching, blossom, -1);
    matching->label[blossom] = LABEL_OUTER;
    find_best(matching, blossom);
    forget_inside(matching, blossom);
    scan(matching, blossom);
}

/* Releases one child of an inner blossom that is expanded. */
static void release_child(struct matching *matching, uint16_t child, enum label label)
{
    set_top(matching, child);
    matching->label[child] = (uint8_t)label;
    if (label == LABEL_INNER) {
        shift_blossom(matching, child, 1);
    } else {
        shift_vertices(matching, child, -1);
        set_when_of_node(matching, child);
    }
}

/* Expands an inner blossom whose y is used up: the tree continues along the even one of the two
 * ways from its entry to its base; the other children leave the tree. */
static void expand(struct matching *matching, uint16_t blossom)
{
    uint16_t entry = child_with(matching, blossom, matching->tree_to[blossom]);
    uint16_t from = matching->tree_from[blossom], to = matching->tree_to[blossom];
    size_t length = 0, at = 0, outer_count = 0;
    uint16_t child = matching->first[blossom];
    do {
        if (child == entry)
            at = length;
        matching->ring[length++] = child;
        child = matching->next[child];
    } while (child != matching->first[blossom]);
    give_back_blossom(matching, blossom);
    for (size_t i = 0; i < length; i++) {
        bool on_path = at % 2 == 0 ? i <= at : i == 0 || i >= at;
        bool inner = (i + at) % 2 == 0 || i == 0;
        release_child(matching, matching->ring[i], on_path && inner ? LABEL_INNER : LABEL_FREE);
    }
    for (size_t i = at;
         i != 0;) { /* from the entry to the base, an inner and an outer node at a time */
        size_t step = at % 2 == 0 ? i - 1 : i + 1;
        size_t next = at % 2 == 0 ? i - 2 : (i + 2) % length;
        uint16_t inner = matching->ring[i], outer = matching->ring[step];
        matching->tree_from[inner] = from;
        matching->tree_to[inner] = to;
        uint16_t lower = at % 2 == 0 ? matching->ring[next] : outer;
        from = at % 2 == 0 ? matching->link_to[lower] : matching->link_from[lower];
        to = at % 2 == 0 ? matching->link_from[lower] : matching->link_to[lower];
        matching->list[outer_count++] = outer;
        i = next;
    }
    matching->tree_from[matching->ring[0]] = from;
    matching->tree_to[matching->ring[0]] = to;
    memcpy(matching->ring, matching->list, outer_count * sizeof *matching->ring);
    for (size_t i = 0; i < outer_count; i++)
        make_outer(matching, matching->ring[i]);
}

/* ---- Search: the loop ---- */

enum event_kind { EVENT_NONE, EVENT_EDGE, EVENT_EXPAND };

struct event {
    enum event_kind kind;
    uint16_t at; /* vertex or blossom */
};

static bool is_exposed(const struct matching *matching, uint16_t node)
{
    return matching->mate[matching->base[node]] == MATCHING_NONE;
}

/* The next event; advances the time to it. */
static struct event next_event(struct matching *matching)
{
    struct event event = {EVENT_NONE, 0};
    const uint64_t *least = NULL;
    uint64_t half[MATCHING_LIMBS_MAX];
    bool joins = false;
    for (uint16_t v = 0; v < matching->count; v++) {
        uint16_t node = matching->top[v];
        if (matching->gone[v] || matching->near[v] == MATCHING_NONE ||
            matching->label[node] == LABEL_INNER)
            continue;
        const uint64_t *when = matching->when + v * matching->limbs;
        int order = least == NULL ? -1 : limbs_compare(when, least, matching->limbs);
        bool exposed = matching->label[node] == LABEL_FREE && is_exposed(matching, node);
        if (order < 0 || (order == 0 && exposed && !joins)) {
            least = when;
            joins = exposed;
            event = (struct event){EVENT_EDGE, v};
        }
    }
    for (uint16_t b = (uint16_t)matching->count; b < matching->nodes; b++) {
        if (matching->label[b] != LABEL_INNER)
            continue;
        uint64_t when[MATCHING_LIMBS_MAX];
        limbs_halve(when, dual_of(matching, b), matching->limbs);
        if (least == NULL || limbs_compare(when, least, matching->limbs) < 0) {
            limbs_copy(half, when, matching->limbs);
            least = half;
            event = (struct event){EVENT_EXPAND, b};
        }
    }
    if (least != NULL)
        limbs_copy(matching->time, least, matching->limbs);
    return event;
}

/* Flips the alternating path from the root to the exposed vertex `b`, whose last edge is a - b. */
static void augment(struct matching *matching, uint16_t a, uint16_t b)
{
    rotate(matching, matching->top[b], b);
    while (true) {
        uint16_t node = matching->top[a];
        uint16_t mate = matching->mate[matching->base[node]];
        rotate(matching, node, a);
        matching->mate[a] = b;
        matching->mate[b] = a;
        if (mate == MATCHING_NONE)
            return;
        uint16_t inner = matching->top[mate];
        a = matching->tree_from[inner];
        b = matching->tree_to[inner];
        rotate(matching, inner, b);
    }
}

static void end_search(struct matching *matching)
{
    for (uint16_t v = 0; v < matching->count; v++) {
        uint8_t label = matching->label[matching->top[v]];
        if (matching->gone[v])
            continue;
        if (label == LABEL_OUTER)
            add_time(matching, dual_of(matching, v));
        else if (label == LABEL_INNER)
            take_time(matching, dual_of(matching, v));
    }
    for (uint16_t b = (uint16_t)matching->count; b < matching->nodes; b++) {
        if (matching->label[b] == LABEL_OUTER)
            shift_blossom(matching, b, 1);
        else if (matching->label[b] == LABEL_INNER)
            shift_blossom(matching, b, -1);
    }
}

static void start_search(struct matching *matching)
{
    memset(matching->label, LABEL_FREE, matching->nodes);
    limbs_zero(matching->time, matching->limbs);
    for (size_t v = 0; v < matching->count; v++)
        matching->near[v] = MATCHING_NONE;
}

/* Grows a tree from the exposed vertex until it finds another exposed one. */
static bool search(struct matching *matching, uint16_t root)
{
    start_search(matching);
    make_outer(matching, matching->top[root]);
    while (true) {
        struct event event = next_event(matching);
        if (event.kind == EVENT_NONE)
            return false;
        if (event.kind == EVENT_EXPAND) {
            expand(matching, event.at);
            continue;
        }
        uint16_t from = matching->near[event.at], node = matching->top[event.at];
        if (matching->label[node] == LABEL_OUTER) {
            shrink(matching, from, event.at);
        } else if (is_exposed(matching, node)) {
            end_search(matching);
            augment(matching, from, event.at);
            return true;
        } else {
            uint16_t mate = matching->mate[matching->base[node]];
            make_inner(matching, node, from, event.at);
            make_outer(matching, matching->top[mate]);
        }
    }
}

/* ---- Public ---- */

bool matching_solve(struct matching *matching)
{
    for (uint16_t v = 0; v < matching->count; v++) {
        if (!matching->gone[v] && matching->mate[v] == MATCHING_NONE && !search(matching, v))
            return false;
    }
    return true;
}

void matching_reset(struct matching *matching, size_t limbs, matching_price *price_of,
                    const void *context)
{
    assert(limbs >= 1 && limbs <= MATCHING_LIMBS_MAX);
    matching->limbs = limbs;
    matching->price = price_of;
    matching->context = context;
    limbs_zero(matching->dual, matching->nodes * limbs);
    memset(matching->mark, 0, matching->nodes);
    memset(matching->label, LABEL_FREE, matching->nodes);
    matching->unused_count = 0;
    for (size_t b = matching->nodes; b-- > matching->count;)
        give_back_blossom(matching, (uint16_t)b);
    for (uint16_t v = 0; v < matching->count; v++) {
        matching->top[v] = matching->base[v] = v;
        matching->parent[v] = MATCHING_NONE;
    }
    for (uint16_t v = 0; v < matching->count; v++) {
        uint16_t mate = matching->mate[v];
        if (matching->gone[v] || mate == MATCHING_NONE || mate < v)
            continue;
        if (!costs_nothing(price(matching, v, mate), limbs))
            matching->mate[v] = matching->mate[mate] = MATCHING_NONE;
    }
}

static void expose(struct matching *matching, uint16_t node)
{
    uint16_t base = matching->base[node], mate = matching->mate[base];
    if (mate != MATCHING_NONE)
        matching->mate[mate] = matching->mate[base] = MATCHING_NONE;
}

/* Dissolves an outermost, exposed blossom; edges inside keep their slack, others gain y / 2. */
static void dissolve(struct matching *matching, uint16_t blossom)
{
    uint64_t half[MATCHING_LIMBS_MAX];
    size_t length = collect(matching, blossom, matching->list, 0), children = 0;
    limbs_halve(half, dual_of(matching, blossom), matching->limbs);
    for (size_t i = 0; i < length; i++) {
        uint64_t *dual = dual_of(matching, matching->list[i]);
        limbs_subtract(dual, dual, half, matching->limbs);
    }
    uint16_t child = matching->first[blossom];
    do {
        matching->ring[children++] = child;
        child = matching->next[child];
    } while (child != matching->first[blossom]);
    give_back_blossom(matching, blossom);
    for (size_t i = 0; i < children; i++)
        set_top(matching, matching->ring[i]);
}

void matching_release(struct matching *matching, uint16_t v)
{
    expose(matching, matching->top[v]);
    rotate(matching, matching->top[v], v);
    matching->mate[v] = MATCHING_NONE;
    while (matching->top[v] != v)
        dissolve(matching, matching->top[v]);
}

void matching_reprice(struct matching *matching, uint16_t v)
{
    uint64_t key[MATCHING_LIMBS_MAX];
    uint64_t *dual = dual_of(matching, v);
    bool any = false;
    assert(matching->top[v] == v && matching->mate[v] == MATCHING_NONE);
    for (uint16_t other = 0; other < matching->count; other++) {
        if (other == v || matching->gone[other])
            continue;
        struct matching_cost cost = price(matching, v, other);
        if (cost.high == NULL)
            continue;
        cost_less(key, cost, dual_of(matching, other), matching->limbs);
        if (!any || limbs_compare(key, dual, matching->limbs) < 0)
            limbs_copy(dual, key, matching->limbs);
        any = true;
    }
    for (uint16_t b = (uint16_t)matching->count; b < matching->nodes; b++) {
        if (!in_use(matching, b))
            continue;
        size_t length = collect(matching, b, matching->list, 0);
        matching->best[(b - matching->count) * matching->count + v] =
            choose_best(matching, matching->list, length, v);
    }
}

void matching_shift(struct matching *matching, uint16_t v, uint64_t up, uint64_t down)
{
    uint64_t amount[MATCHING_LIMBS_MAX] = {up};
    uint64_t *dual = dual_of(matching, v);
    assert(matching->top[v] == v && matching->mate[v] == MATCHING_NONE);
    limbs_add(dual, dual, amount, matching->limbs);
    amount[0] = down;
    limbs_subtract(dual, dual, amount, matching->limbs);
}

void matching_lock(struct matching *matching, uint16_t a, uint16_t b)
{
    matching_release(matching, a);
    matching_release(matching, b);
    matching->mate[a] = b;
    matching->mate[b] = a;
    matching->gone[a] = matching->gone[b] = true;
}

bool matching_tight(const struct matching *matching, uint16_t a, uint16_t b)
{
    uint64_t slack[MATCHING_LIMBS_MAX];
    struct matching_cost cost = price(matching, a, b);
    if (cost.high == NULL)
        return false;
    cost_less(slack, cost, dual_of(matching, a), matching->limbs);
    limbs_subtract(slack, slack, dual_of(matching, b), matching->limbs);
    for (uint16_t of_a = matching->parent[a]; of_a != MATCHING_NONE; of_a = matching->parent[of_a])
        for (uint16_t of_b = matching->parent[b]; of_b != MATCHING_NONE;
             of_b = matching->parent[of_b])
            if (of_a == of_b)
                limbs_add(slack, slack, dual_of(matching, of_a), matching->limbs);
    return limbs_is_zero(slack, matching->limbs);
}
