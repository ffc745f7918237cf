/* Minimum-cost perfect matching of a general graph, with costs of many limbs, that can be re-solved
 * cheaply after the costs at one vertex changed.
 *
 * Edmonds' blossom algorithm in its primal-dual form (J. Edmonds, "Maximum matching and a
 * polyhedron with 0,1-vertices", J. Res. NBS 69B, 1965), one search tree at a time: every search
 * joins two exposed vertices and keeps the solution optimal. Duals are per vertex u and per blossom
 * y >= 0:
 *
 *      slack(a, b) = cost(a, b) - u(a) - u(b) + sum of y over the blossoms that hold both  >=  0
 *
 * with equality on matched edges and on the edges that hold a blossom together. So an edge with
 * slack belongs to no optimal matching; callers use this to skip solves (matching_tight()).
 *
 * Inside a search time runs from 0: duals of outer vertices (S) grow by it, those of inner ones (T)
 * shrink. Stored numbers are those at time 0, so nothing has to be updated as time advances, and an
 * event's time follows from the stored numbers. A search costs at most O(n^2) steps of O(limbs)
 * plus the upkeep of blossoms, and usually far less.
 *
 * No allocation: the caller supplies memory of matching_size(). Deterministic: of several events at
 * the same time the one at the least vertex comes first, and an exposed vertex before all others.
 */
#ifndef TILLROLL_ENGINE_TOURNAMENT_NUMBER_MATCHING_H
#define TILLROLL_ENGINE_TOURNAMENT_NUMBER_MATCHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MATCHING_VERTICES_MAX = 4098,
    MATCHING_LIMBS_MAX = 32, /* LIMBS_HEADROOM bits of the last one stay free (limbs.h) */
    MATCHING_NONE = UINT16_MAX
};

/* The cost of an edge: `low`, an even number, plus 2^64 times the number of `limbs - 1` limbs at
 * `high`. Not negative. `high` NULL: the edge does not exist. Borrowed until the next change. */
struct matching_cost {
    const uint64_t *high;
    uint64_t low;
};

/* The cost of the edge between two different vertices, a < b. Must return the same until the caller
 * announces a change with matching_reset() or matching_reprice(). */
typedef struct matching_cost matching_price(const void *context, uint16_t a, uint16_t b);

/* A partial solution. Internal except `mate`: the partner of a vertex, MATCHING_NONE while it is
 * exposed. */
struct matching {
    uint16_t *mate;

    size_t count, limbs;
    matching_price *price;
    const void *context;

    /* Nodes: vertices 0 .. count - 1, blossoms count .. nodes - 1. */
    size_t nodes;
    uint16_t *top;                 /* [vertex] the outermost node that contains it */
    uint16_t *parent;              /* [node] the blossom it is a child of */
    uint16_t *base;                /* [node] the vertex that is not matched inside the node */
    uint16_t *first;               /* [node] the child of a blossom that contains the base */
    uint16_t *next;                /* [node] the next child in the parent's ring */
    uint16_t *link_from, *link_to; /* [node] vertices of the edge to the next child */
    uint16_t *unused;              /* unused blossoms */
    size_t unused_count;
    bool *gone;     /* [vertex] removed by matching_lock() */
    uint16_t *best; /* [(blossom - count) * count + vertex]: the blossom's vertex with the least
                       cost - u towards that vertex */

    uint64_t *dual; /* [node * limbs]: u of a vertex, y of a blossom */

    /* The search. */
    uint8_t *label;                /* [node] of outermost nodes */
    uint16_t *tree_from, *tree_to; /* [node] the edge by which an inner node was reached */
    uint16_t *near;        /* [vertex] the outer vertex with the least cost - u towards it */
    uint64_t *near_key;    /* [vertex * limbs] that cost - u */
    uint64_t *when;        /* [vertex * limbs] time at which near becomes tight */
    uint16_t *list, *ring; /* scratch: vertices or nodes */
    uint8_t *mark;         /* [node] scratch */
    uint64_t time[MATCHING_LIMBS_MAX];
};

/* Bytes of memory for `count` vertices and up to `limbs` limbs; about count^2 + 28 * count * limbs.
 * count <= MATCHING_VERTICES_MAX, limbs 1 .. MATCHING_LIMBS_MAX. */
size_t matching_size(size_t count, size_t limbs);

/* Sets up in `memory`, aligned for uint64_t, of matching_size() bytes, which stays borrowed. All
 * vertices are exposed. */
void matching_init(struct matching *matching, void *memory, size_t count, size_t limbs);

/* Restarts with other costs of `limbs` limbs, at most as many as in matching_init(). Pairs stay
 * matched if their edge costs nothing; locked vertices stay locked. */
void matching_reset(struct matching *matching, size_t limbs, matching_price *price,
                    const void *context);

/* Removes vertex `v` from all blossoms and exposes it and its partner. The costs of its edges may
 * change now; call matching_reprice() next. */
void matching_release(struct matching *matching, uint16_t v);

/* Applies the new costs at the released vertex `v`. */
void matching_reprice(struct matching *matching, uint16_t v);

/* The same as matching_reprice(), for a caller that knows a good change of the vertex's dual: plus
 * `up` minus `down`. No edge may then cost less than the sum of the duals at its ends, and the
 * costs of a vertex's edges to unreleased vertices may change only by one common amount. */
void matching_shift(struct matching *matching, uint16_t v, uint64_t up, uint64_t down);

/* Removes two vertices from the graph as a decided pair. The next matching_solve() matches the
 * vertices that this exposes. */
void matching_lock(struct matching *matching, uint16_t a, uint16_t b);

/* Matches all exposed vertices. False if there is no perfect matching; the matching is then
 * unusable until matching_reset(). */
bool matching_solve(struct matching *matching);

/* False: no perfect matching of least cost has this edge (after matching_solve()). May also be true
 * for edges that no optimal matching has. */
bool matching_tight(const struct matching *matching, uint16_t a, uint16_t b);

#endif
