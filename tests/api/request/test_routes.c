/* The table of routes, the table of problems and api/openapi/ say the same: whoever adds to one
 * of them has to add to the others. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "api/people/handlers.h"
#include "api/request/access.h"
#include "api/request/documents.h"
#include "api/request/problem.h"
#include "api/request/route.h"
#include "tests/test.h"

enum { OPERATION_TEXT = 128 };

static json_t *document;

FIXTURE(load)
{
    json_error_t error;
    document = json_load_file(TILLROLL_OPENAPI, JSON_REJECT_DUPLICATES, &error);
    if (document == NULL)
        print_error("openapi.json, line %d: %s\n", error.line, error.text);
    return document == NULL ? -1 : 0;
}

FIXTURE(unload)
{
    json_decref(document);
    return 0;
}

/* `get /v1/events/{}/rounds/{}`: what stands in braces has another name in each of the two. */
static void print_operation(const char *method, const char *path, char text[static OPERATION_TEXT])
{
    struct text operation = {text, 0, OPERATION_TEXT, false};
    for (const char *c = method; *c != '\0'; c++)
        text_add_char(&operation, *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c);
    text_add_char(&operation, ' ');
    for (const char *c = path; *c != '\0'; c++) {
        text_add_char(&operation, *c);
        if (*c == '{')
            while (c[1] != '\0' && c[1] != '}')
                c++;
    }
    assert_false(operation.overflow);
}

static void print_route(const struct route *route, char text[static OPERATION_TEXT])
{
    print_operation(http_method_name(route->method), route->path, text);
}

/* The document's operation for a route, or NULL. */
static const json_t *find_operation(const struct route *route)
{
    char wanted[OPERATION_TEXT];
    const char *path;
    json_t *item;
    print_route(route, wanted);
    json_object_foreach(json_object_get(document, "paths"), path, item)
    {
        const char *method;
        json_t *operation;
        json_object_foreach(item, method, operation)
        {
            char found[OPERATION_TEXT];
            print_operation(method, path, found);
            if (strcmp(found, wanted) == 0)
                return operation;
        }
    }
    return NULL;
}

static bool is_route(const char *operation)
{
    for (size_t i = 0; route_at(i) != NULL; i++) {
        char text[OPERATION_TEXT];
        print_route(route_at(i), text);
        if (!route_at(i)->page && strcmp(text, operation) == 0)
            return true;
    }
    return false;
}

TEST(test_every_route_is_described)
{
    size_t routes = 0;
    for (size_t i = 0; route_at(i) != NULL; i++) {
        const json_t *operation = find_operation(route_at(i));
        if (!route_at(i)->page && operation == NULL)
            fail_msg("%s %s is not in openapi.json", http_method_name(route_at(i)->method),
                     route_at(i)->path);
        routes += !route_at(i)->page;
    }
    assert_true(routes > 0);
}

TEST(test_every_description_has_a_route)
{
    const char *path;
    json_t *item;
    json_object_foreach(json_object_get(document, "paths"), path, item)
    {
        const char *method;
        json_t *operation;
        json_object_foreach(item, method, operation)
        {
            char text[OPERATION_TEXT];
            print_operation(method, path, text);
            if (!is_route(text))
                fail_msg("openapi.json has %s %s, routes.c has not", method, path);
        }
    }
}

static bool needs_token(enum route_access access)
{
    return access != ACCESS_PUBLIC && access != ACCESS_OWN_PAGE && access != ACCESS_MACHINE;
}

/* Public routes can do without a token, all others cannot. */
TEST(test_access_is_described)
{
    for (size_t i = 0; route_at(i) != NULL; i++) {
        const json_t *operation = find_operation(route_at(i));
        if (route_at(i)->page || operation == NULL)
            continue;
        const json_t *security = json_object_get(operation, "security");
        bool open = json_array_size(security) == 0;
        size_t at;
        json_t *way;
        json_array_foreach(security, at, way) open |= json_object_size(way) == 0;
        if (!json_is_array(security) || open == needs_token(route_at(i)->access))
            fail_msg("%s %s: `security` in openapi.json is missing, or says otherwise who may "
                     "come in",
                     http_method_name(route_at(i)->method), route_at(i)->path);
    }
}

/* The words of a list, in its order. */
static void print_list(const json_t *list, char text[static OPERATION_TEXT])
{
    struct text words = {text, 0, OPERATION_TEXT, false};
    size_t i;
    json_t *word;
    words.at[0] = '\0';
    json_array_foreach(list, i, word)
    {
        text_add_char(&words, ' ');
        text_add(&words, json_string_value(word));
    }
}

static void assert_same_word(const struct route *route, const char *member, const char *described,
                             const char *ours)
{
    if (described == NULL || strcmp(described, ours) != 0)
        fail_msg("%s %s: `%s` is `%s` in openapi.json, `%s` in the table",
                 http_method_name(route->method), route->path, member,
                 described == NULL ? "missing" : described, ours);
}

static void assert_same_words(const struct route *route, const json_t *described, json_t *ours)
{
    char wanted[OPERATION_TEXT];
    char found[OPERATION_TEXT];
    print_list(ours, wanted);
    print_list(described, found);
    json_decref(ours);
    if (!json_is_array(described) || strcmp(wanted, found) != 0)
        fail_msg("%s %s: openapi.json has the words:%s, and the table:%s",
                 http_method_name(route->method), route->path, found, wanted);
}

/* The first way to come in with a token. */
static const json_t *described_scopes(const json_t *operation)
{
    size_t i;
    json_t *way;
    json_array_foreach(json_object_get(operation, "security"), i, way)
    {
        if (json_object_get(way, "token") != NULL)
            return json_object_get(way, "token");
    }
    return NULL;
}

/* What a token needs, and who may come in, by relation or by role. */
TEST(test_columns_are_described)
{
    for (size_t i = 0; route_at(i) != NULL; i++) {
        const struct route *route = route_at(i);
        assert_int_not_equal(route->access, ACCESS_NOBODY);
        const json_t *operation = find_operation(route);
        if (route->page || operation == NULL)
            continue;
        const json_t *access = json_object_get(operation, "x-access");
        assert_same_word(route, "relation", json_string_value(json_object_get(access, "relation")),
                         access_name(route->access));
        assert_same_words(route, json_object_get(access, "roles"), roles_document(route->roles));
        const char *office = json_string_value(json_object_get(access, "not_party"));
        assert_same_word(route, "not_party", office == NULL ? "" : office,
                         office_name(route->office));
        const json_t *scopes = described_scopes(operation);
        if (scopes != NULL || route->scope != NO_SCOPE)
            assert_same_words(route, scopes, scopes_document(route->scope));
    }
}

/* True for routes of a single game, table or dispute. */
static bool is_of_one(const struct route *route)
{
    return strncmp(route->path, "/v1/games/{id}/", 15) == 0 ||
           strncmp(route->path, "/v1/disputes/{id}/", 18) == 0 ||
           strstr(route->path, "/tables/{number}") != NULL;
}

/* By which only officials come in, whether of the event or of the site. What players may do too
 * they do as players: open, withdraw and appeal a dispute. */
static bool is_for_officials(const struct route *route)
{
    switch (route->access) {
    case ACCESS_ORGANIZER:
    case ACCESS_ARBITER:
    case ACCESS_GAME_OFFICIAL:
    case ACCESS_DISPUTE_OFFICIAL:
    case ACCESS_ROLE:
        return true;
    default:
        return false;
    }
}

/* A new route by which officials act on a game cannot forget that they must not play there. */
TEST(test_officials_act_where_they_are_no_party)
{
    size_t count = 0;
    for (size_t i = 0; route_at(i) != NULL; i++) {
        const struct route *route = route_at(i);
        bool needed = is_of_one(route) && is_for_officials(route);
        if (needed != (route->office != OFFICE_NONE))
            fail_msg("%s: office or not?", route->path);
        count += needed;
    }
    assert_int_equal(count, 14);
}

/* Routes that change something or concern the account need a scope of their own; routes that read
 * no token need none. */
TEST(test_scopes_fit_the_routes)
{
    for (size_t i = 0; route_at(i) != NULL; i++) {
        const struct route *route = route_at(i);
        bool looks = !route->page && (route->work == WORK_READ || route->work == WORK_WRITE);
        bool leaves = route->handle == tokens_revoke;
        if (looks && !leaves)
            assert_int_not_equal(route->scope, NO_SCOPE);
        if (route->work == WORK_WRITE && !leaves)
            assert_int_not_equal(route->scope, SCOPE_READ);
        if (route->work == WORK_WRITE && !route->form) /* a form's address says who may */
            assert_int_not_equal(route->access, ACCESS_PUBLIC);
        if (route->page || route->work == WORK_STATIC)
            assert_int_equal(route->scope, NO_SCOPE);
    }
}

TEST(test_operations_have_names_of_their_own)
{
    json_t *seen = json_object();
    for (size_t i = 0; route_at(i) != NULL; i++) {
        if (route_at(i)->page)
            continue;
        const json_t *operation = find_operation(route_at(i));
        const char *name = json_string_value(json_object_get(operation, "operationId"));
        assert_non_null(name);
        assert_null(json_object_get(seen, name));
        json_object_set_new(seen, name, json_true());
        assert_non_null(json_object_get(operation, "summary"));
        assert_non_null(json_object_get(operation, "description"));
    }
    json_decref(seen);
}

/* Codes of api/http/gate.c and api/dispatch.c, and of the server where it has no answer of the
 * service to send. */
static const char *const gate_codes[] = {"bad-content-length", "bad-expectation",
                                         "bad-header-field",   "bad-host",
                                         "bad-line-end",       "bad-query",
                                         "bad-request-line",   "bad-request-target",
                                         "header-too-large",   "repeated-header-field",
                                         "server-busy",        "server-stopping",
                                         "target-too-long",    "transfer-encoding",
                                         "unexpected-body",    "unknown-host",
                                         "unknown-method",     "unsupported-version"};

enum { GATE_CODES = sizeof gate_codes / sizeof gate_codes[0] };

static json_t *described_codes(void)
{
    json_t *schemas = json_object_get(json_object_get(document, "components"), "schemas");
    json_t *codes = json_object_get(json_object_get(schemas, "ProblemCode"), "enum");
    assert_true(json_is_array(codes));
    return codes;
}

static bool is_described(const char *code)
{
    size_t i;
    json_t *each;
    json_array_foreach(described_codes(), i,
                       each) if (strcmp(json_string_value(each), code) == 0) return true;
    return false;
}

static bool is_issued(const char *code)
{
    for (size_t i = 0; problem_at(i) != NULL; i++)
        if (strcmp(problem_at(i)->code, code) == 0)
            return true;
    for (size_t i = 0; i < GATE_CODES; i++)
        if (strcmp(gate_codes[i], code) == 0)
            return true;
    return false;
}

TEST(test_every_problem_is_described)
{
    for (size_t i = 0; problem_at(i) != NULL; i++)
        if (!is_described(problem_at(i)->code))
            fail_msg("%s is not in openapi.json", problem_at(i)->code);
    for (size_t i = 0; i < GATE_CODES; i++)
        if (!is_described(gate_codes[i]))
            fail_msg("%s is not in openapi.json", gate_codes[i]);
}

TEST(test_every_described_problem_exists)
{
    size_t i;
    json_t *each;
    json_array_foreach(described_codes(), i, each) if (!is_issued(json_string_value(each)))
        fail_msg("openapi.json has %s, the service has not", json_string_value(each));
}

int main(void)
{
    return run_all_tests(load, unload);
}
