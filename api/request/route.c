#include "api/request/route.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

const struct route *route_at(size_t i)
{
    return i < route_count ? &route_table[i] : NULL;
}

unsigned route_number(const struct route *route)
{
    return (unsigned)(route - route_table) + 1;
}

const struct route *route_of_step(const char *kind)
{
    for (size_t i = 0; route_at(i) != NULL; i++)
        if (route_table[i].step != NULL && strcmp(route_table[i].step, kind) == 0)
            return &route_table[i];
    return NULL;
}

/* ---- Patterns ---- */

/* An outline is compared first: one byte with the first letter of each segment, and the number of
 * segments in the last byte. Few addresses match a pattern's outline but not its segments. */
enum { OUTLINE_SEGMENTS = 7, OUTLINE_BYTE = 8 };

struct outline {
    uint64_t bits, mask; /* 0 for placeholders */
};

/* Routes with the same number of segments are together, in the order of the table: `from[n]` is the
 * position of the first route with n segments. */
static struct outline outlines[ROUTES_MAX];
static const struct route *outlined_routes[ROUTES_MAX];
static size_t from[HTTP_SEGMENTS_MAX + 2];

/* In the order of route_table. */
static struct pattern {
    size_t segments;
    struct span segment[HTTP_SEGMENTS_MAX];
} patterns[ROUTES_MAX];

static bool is_placeholder(struct span segment)
{
    return segment.at[0] == '{';
}

static void cut_pattern(struct pattern *pattern, const char *path)
{
    struct span rest = span_of(path);
    while (rest.length > 1) {
        struct span segment = {rest.at + 1, 0};
        while (segment.length + 1 < rest.length && segment.at[segment.length] != '/')
            segment.length++;
        assert(pattern->segments < HTTP_SEGMENTS_MAX);
        pattern->segment[pattern->segments++] = segment;
        rest = (struct span){segment.at + segment.length, rest.length - segment.length - 1};
    }
}

static uint64_t outline_of(const struct span *segment, size_t segments)
{
    uint64_t bits = (uint64_t)segments << OUTLINE_BYTE * OUTLINE_SEGMENTS;
    for (size_t i = 0; i < segments && i < OUTLINE_SEGMENTS; i++)
        bits |= (uint64_t)(unsigned char)segment[i].at[0] << OUTLINE_BYTE * i;
    return bits;
}

static struct outline outline_of_pattern(const struct pattern *pattern)
{
    struct outline outline = {outline_of(pattern->segment, pattern->segments), UINT64_MAX};
    for (size_t i = 0; i < pattern->segments && i < OUTLINE_SEGMENTS; i++)
        if (is_placeholder(pattern->segment[i]))
            outline.mask &= ~((uint64_t)UINT8_MAX << OUTLINE_BYTE * i);
    outline.bits &= outline.mask;
    return outline;
}

static void make_patterns(void)
{
    size_t next[HTTP_SEGMENTS_MAX + 1];
    for (size_t i = 0; i < route_count; i++) {
        cut_pattern(&patterns[i], route_table[i].path);
        from[patterns[i].segments + 1]++;
    }
    for (size_t segments = 0; segments <= HTTP_SEGMENTS_MAX; segments++) {
        next[segments] = from[segments];
        from[segments + 1] += from[segments];
    }
    for (size_t i = 0; i < route_count; i++) {
        size_t at = next[patterns[i].segments]++;
        outlines[at] = outline_of_pattern(&patterns[i]);
        outlined_routes[at] = &route_table[i];
    }
}

static void prepare(void)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    (void)pthread_once(&made, make_patterns);
}

static const struct pattern *pattern_of(const struct route *route)
{
    return &patterns[route - route_table];
}

/* ---- Placeholders ---- */

static bool is_word(struct span word)
{
    return word.length > 0 && word.length <= 64;
}

static bool read_id(struct call *call, size_t *ids, struct span found)
{
    return *ids < CALL_IDS_MAX && id_parse(found, &call->id[(*ids)++]);
}

static bool read_number(struct call *call, size_t *numbers, struct span found)
{
    return *numbers < CALL_IDS_MAX && span_number(found, 1000000, &call->number[(*numbers)++]);
}

static bool read_word(struct call *call, struct span found)
{
    if (call->words == CALL_WORDS_MAX || !is_word(found))
        return false;
    call->word[call->words++] = found;
    return true;
}

/* True if the address, which has as many segments, matches the pattern; the values of its
 * placeholders are then in `call`. */
static bool read_address(struct call *call, const struct pattern *pattern)
{
    size_t ids = 0;
    size_t numbers = 0;
    bool good = true;
    call->words = 0;
    for (size_t i = 0; good && i < pattern->segments; i++) {
        struct span wanted = pattern->segment[i];
        struct span found = call->request->segment[i];
        if (!is_placeholder(wanted))
            good = span_equal(wanted, found);
        else if (wanted.at[1] == 'i')
            good = read_id(call, &ids, found);
        else if (wanted.at[1] == 'n')
            good = read_number(call, &numbers, found);
        else
            good = read_word(call, found);
    }
    return good;
}

/* ---- Segments that should be ids ---- */

/* The name of an id, as in openapi.json, and where to find one, by the word before it. */
static const struct id_place {
    const char *word, *name, *source;
} id_places[] = {
    {"events", "event", "GET /v1/events lists events, with their ids"},
    {"games", "game", "GET /v1/games lists games, with their ids"},
    {"followed-games", "game", "GET /v1/games lists games, with their ids"},
    {"players", "player",
     "GET /v1/players lists players, and POST /v1/search finds them by name, with their ids"},
    {"entries", "player",
     "GET /v1/events/{event}/entries lists the entries, with the ids of the players"},
    {"challenges", "player",
     "GET /v1/events/{event}/challenges lists the challenges, with the ids of the players"},
    {"places", "player",
     "GET /v1/events/{event}/places lists the held places, with the ids of the players"},
    {"disputes", "dispute",
     "GET /v1/games/{game}/disputes lists a game's disputes, with their ids"},
    {"seasons", "season", "GET /v1/seasons lists seasons, with their ids"},
    {"tokens", "token", "GET /v1/me/tokens lists your tokens, with their ids"},
    {"bots", "bot", "GET /v1/me/bots lists your bots, with their ids"},
    {"following", "player",
     "GET /v1/me/following lists those whom you follow, and POST /v1/search finds players by name"},
    {"lobby", "table", "GET /v1/lobby lists open tables, with their ids"},
    {"browsers", "browser",
     "GET /v1/me/browsers lists the browsers that you are told in, with their ids"},
    {"webhooks", "webhook", "GET /v1/me/webhooks lists your webhooks, with their ids"},
    {"deliveries", "delivery",
     "GET /v1/me/webhooks/{webhook}/deliveries lists what was sent, with ids"},
    {"recordings", "recording",
     "GET /v1/events/{event}/rounds/{number}/tables/{table}/recordings lists them, with their ids"},
    {"jobs", "job", "the Location of an answer with status 202 holds it"},
};

static const struct id_place *find_place(struct span word)
{
    for (size_t i = 0; i < sizeof id_places / sizeof id_places[0]; i++)
        if (span_is(word, id_places[i].word))
            return &id_places[i];
    return NULL;
}

/* The place of the first segment of the address that should be an id but is not, if the pattern
 * matches except for placeholders; else NULL. */
static const struct id_place *find_bad_id(const struct http_request *request,
                                          const struct pattern *pattern)
{
    const struct id_place *place = NULL;
    struct id id;
    if (pattern->segments != request->segments)
        return NULL;
    for (size_t i = 0; i < pattern->segments; i++) {
        struct span wanted = pattern->segment[i];
        struct span found = request->segment[i];
        if (!is_placeholder(wanted) && !span_equal(wanted, found))
            return NULL;
        if (place == NULL && i > 0 && span_is(wanted, "{id}") && !id_parse(found, &id))
            place = find_place(pattern->segment[i - 1]);
    }
    return place;
}

/* Refuses an address without a route: with `not-an-id` if a segment should be an id, else
 * `not-found`. */
static void refuse_address(struct call *call)
{
    const struct id_place *place = NULL;
    for (size_t i = 0; place == NULL && route_at(i) != NULL; i++)
        place = find_bad_id(call->request, pattern_of(route_at(i)));
    if (place == NULL)
        call_problem(call, "not-found",
                     "There is nothing at this address; GET /openapi.json lists what there is.");
    else
        call_problem_of(call, "not-an-id", "`", place->name, "`, after /", place->word,
                        "/ in this address, is not an id. An id is a UUID in lower case, such as ",
                        "019a3f5c-7d21-7c44-9b0e-5a1f2c3d4e5f; ", place->source, ".");
}

static bool same_method(enum http_method wanted, enum http_method found)
{
    return wanted == found || (wanted == HTTP_GET && found == HTTP_HEAD);
}

static void add_method(struct text *allow, enum http_method method)
{
    if (allow->length > 0)
        text_add(allow, ", ");
    text_add(allow, http_method_name(method));
    if (method == HTTP_GET)
        text_add(allow, ", HEAD");
}

static void refuse_method(struct call *call, const char *allow)
{
    call_problem_of(call, "method-not-allowed", "This address takes only ", allow, ".");
    call->response->allow = allow;
}

/* Among routes that are not a GET, only those with a preview take a parameter, `preview`, and read
 * it themselves. The handler of a GET checks its own parameters, but `as_of` is refused here by
 * routes whose response does not depend on the query: they only know the present. */
static bool takes_parameters(struct call *call, const struct route *route)
{
    const struct http_request *request = call->request;
    if (request->parameters == 0 || route->preview)
        return true;
    if (route->method != HTTP_GET)
        return call_problem(call, "bad-parameter",
                            "This request takes no parameters in the query.");
    return route->page != NULL || route->query || http_parameter(request, "as_of").at == NULL ||
           call_problem(call, "bad-parameter",
                        "This address shows only what is now; leave out as_of.");
}

const struct route *route_find(struct call *call)
{
    char methods[64];
    struct text allow = TEXT_OVER(methods);
    const struct http_request *request = call->request;
    prepare();
    const uint64_t bits = outline_of(request->segment, request->segments);
    for (size_t at = from[request->segments]; at < from[request->segments + 1]; at++) {
        const struct route *route = outlined_routes[at];
        if ((bits & outlines[at].mask) != outlines[at].bits ||
            !read_address(call, pattern_of(route)))
            continue;
        if (same_method(route->method, request->method))
            return takes_parameters(call, route) ? route : NULL;
        add_method(&allow, route->method);
    }
    if (allow.length == 0) {
        refuse_address(call);
        return NULL;
    }
    refuse_method(call, arena_copy(call->arena, text_span(&allow)));
    return NULL;
}

const struct route *route_of(struct call *call)
{
    if (call->request->route == 0)
        return route_find(call);
    prepare();
    const struct route *route = route_at(call->request->route - 1);
    (void)read_address(call, pattern_of(route));
    return route;
}
