#include "api/request/route.h"

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

/* Cuts the first segment off a pattern that begins with `/`. */
static struct span next_segment(struct span *pattern)
{
    struct span segment = {pattern->at + 1, 0};
    while (segment.length + 1 < pattern->length && segment.at[segment.length] != '/')
        segment.length++;
    pattern->at += segment.length + 1;
    pattern->length -= segment.length + 1;
    return segment;
}

static bool is_word(struct span word)
{
    return word.length > 0 && word.length <= 64;
}

/* True if the path has the segments of the pattern, with any in place of a placeholder. */
static bool has_shape(struct span path, const char *pattern)
{
    size_t at = 0;
    while (*pattern != '\0') {
        if (*pattern == '{') {
            pattern = strchr(pattern, '}') + 1;
            while (at < path.length && path.at[at] != '/')
                at++;
        } else if (at == path.length || *pattern++ != path.at[at++]) {
            return false;
        }
    }
    return at == path.length;
}

/* Fills what the placeholders of a pattern stand for, in a path of its shape. */
static bool read_placeholders(struct call *call, const char *path)
{
    const struct http_request *request = call->request;
    struct span pattern = span_of(path);
    size_t ids = 0;
    size_t numbers = 0;
    call->words = 0;
    for (size_t i = 0; i < request->segments; i++) {
        struct span wanted = next_segment(&pattern);
        struct span found = request->segment[i];
        if (span_is(wanted, "{id}")) {
            if (ids == CALL_IDS_MAX || !id_parse(found, &call->id[ids++]))
                return false;
        } else if (span_is(wanted, "{number}")) {
            if (numbers == CALL_IDS_MAX || !span_number(found, 1000000, &call->number[numbers++]))
                return false;
        } else if (span_is(wanted, "{word}")) {
            if (call->words == CALL_WORDS_MAX || !is_word(found))
                return false;
            call->word[call->words++] = found;
        }
    }
    return true;
}

/* The number of slashes in the last byte, and in the others what follows the first ones, 0 at the
 * end of the path. A path of a pattern's shape has the pattern's outline but where that has a
 * placeholder; few others have. */
enum { OUTLINE_SEGMENTS = 7, OUTLINE_BYTE = 8 };

static uint64_t outline_of(struct span path)
{
    uint64_t outline = 0;
    uint64_t slashes = 0;
    for (size_t i = 0; i < path.length; i++) {
        if (path.at[i] != '/')
            continue;
        if (slashes < OUTLINE_SEGMENTS && i + 1 < path.length)
            outline |= (uint64_t)(unsigned char)path.at[i + 1] << OUTLINE_BYTE * slashes;
        slashes++;
    }
    return outline | (slashes & UINT8_MAX) << OUTLINE_BYTE * OUTLINE_SEGMENTS;
}

/* Those of all routes, where routes with equally many slashes stand together, in their order:
 * `from` is the place of the first of them, and of what follows them. */
static struct {
    uint64_t outline, mask;
} outlines[ROUTES_MAX];
static const struct route *outlined[ROUTES_MAX];
static size_t from[UINT8_MAX + 2];

static size_t slashes_in(uint64_t outline)
{
    return outline >> OUTLINE_BYTE * OUTLINE_SEGMENTS;
}

static void add_outline(const struct route *route, uint64_t outline, size_t at)
{
    uint64_t mask = UINT64_MAX;
    for (size_t k = 0; k < OUTLINE_SEGMENTS; k++)
        if ((outline >> OUTLINE_BYTE * k & UINT8_MAX) == '{')
            mask &= ~((uint64_t)UINT8_MAX << OUTLINE_BYTE * k);
    outlines[at].outline = outline & mask;
    outlines[at].mask = mask;
    outlined[at] = route;
}

static void make_outlines(void)
{
    uint64_t outline[ROUTES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < route_count; i++)
        outline[i] = outline_of(span_of(route_table[i].path));
    for (size_t slashes = 0; slashes <= UINT8_MAX; slashes++) {
        from[slashes] = count;
        for (size_t i = 0; count < route_count && i < route_count; i++)
            if (slashes_in(outline[i]) == slashes)
                add_outline(&route_table[i], outline[i], count++);
    }
    from[UINT8_MAX + 1] = count;
}

static bool fits(struct call *call, uint64_t outline, size_t at)
{
    return (outline & outlines[at].mask) == outlines[at].outline &&
           has_shape(call->request->path, outlined[at]->path) &&
           read_placeholders(call, outlined[at]->path);
}

/* ---- What stands where an id should ---- */

/* By the word before an id: what it is the id of, as openapi.json names it, and where to find one.
 */
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

/* The place of the first segment of a path of the pattern's shape that should be an id and is none;
 * NULL if there is no such segment. */
static const struct id_place *find_misplaced(const struct http_request *request, const char *path)
{
    struct span pattern = span_of(path);
    struct span before = {NULL, 0};
    for (size_t i = 0; i < request->segments; i++) {
        struct id id;
        struct span wanted = next_segment(&pattern);
        for (size_t k = 0; span_is(wanted, "{id}") && k < sizeof id_places / sizeof id_places[0];
             k++)
            if (span_is(before, id_places[k].word) && !id_parse(request->segment[i], &id))
                return &id_places[k];
        before = wanted;
    }
    return NULL;
}

/* Of an address that no route takes: one with an id that is none, or nothing. */
static void refuse_address(struct call *call)
{
    char detail[320];
    struct text text = TEXT_OVER(detail);
    const struct id_place *place = NULL;
    for (size_t i = 0; place == NULL && route_at(i) != NULL; i++)
        if (has_shape(call->request->path, route_table[i].path))
            place = find_misplaced(call->request, route_table[i].path);
    if (place == NULL) {
        call_problem(call, "not-found",
                     "There is nothing at this address; GET /openapi.json lists what there is.");
        return;
    }
    text_add(&text, "`");
    text_add(&text, place->name);
    text_add(&text, "`, after /");
    text_add(&text, place->word);
    text_add(&text, "/ in this address, is not an id. An id is a UUID in lower case, such as "
                    "019a3f5c-7d21-7c44-9b0e-5a1f2c3d4e5f; ");
    text_add(&text, place->source);
    text_add(&text, ".");
    call_problem(call, "not-an-id", detail);
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

/* What is no GET and takes parameters takes `preview` only, and reads that itself. Those of a GET
 * are its handler's matter. */
static bool takes_parameters(struct call *call, const struct route *route)
{
    return call->request->parameters == 0 || route->method == HTTP_GET || route->preview ||
           call_problem(call, "bad-parameter", "This request takes no parameters in the query.");
}

const struct route *route_find(struct call *call)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    char methods[64];
    struct text allow = TEXT_OVER(methods);
    (void)pthread_once(&made, make_outlines);
    uint64_t outline = outline_of(call->request->path);
    const size_t end = from[slashes_in(outline) + 1];
    for (size_t at = from[slashes_in(outline)]; at < end; at++) {
        const struct route *route = outlined[at];
        if (!fits(call, outline, at))
            continue;
        if (same_method(route->method, call->request->method))
            return takes_parameters(call, route) ? route : NULL;
        add_method(&allow, route->method);
    }
    if (allow.length == 0) {
        refuse_address(call);
        return NULL;
    }
    call_problem(call, "method-not-allowed", "This address does not take this method.");
    call->response->allow = arena_copy(call->arena, text_span(&allow));
    return NULL;
}

const struct route *route_of(struct call *call)
{
    if (call->request->route == 0)
        return route_find(call);
    const struct route *route = route_at(call->request->route - 1);
    (void)read_placeholders(call, route->path);
    return route;
}
