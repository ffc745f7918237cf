#include "api/docs/api_page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "api/docs/api_schema.h"
#include "api/docs/render.h"

static const char address[] = "/docs/api";
static const char title[] = "The API";

static const struct section {
    const char *anchor, *text;
} sections[] = {{"begin", "How to begin"},
                {"walkthrough", "An evening, request by request"},
                {"general", "In general"},
                {"requests", "Requests"},
                {"documents", "Documents"}};

enum { BEGIN, WALKTHROUGH, GENERAL, REQUESTS, DOCUMENTS, SECTIONS };

/* ---- Reading ---- */

json_t *api_page_load(const char *path)
{
    json_error_t error;
    json_t *api = json_load_file(path, 0, &error);
    if (api == NULL)
        document_fail(path, "line %d: %s", error.line, error.text);
    return api;
}

/* Resolves `$ref`, or returns the part itself. */
static json_t *resolve(json_t *api, json_t *part)
{
    char name[256];
    const char *reference = schema_string(part, "$ref");
    if (reference[0] == '\0')
        return part;
    json_t *found = api;
    for (const char *at = strchr(reference, '/'); at != NULL && found != NULL;
         at = strchr(at + 1, '/')) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 1, "/"), at + 1);
        found = json_object_get(found, name);
    }
    if (found == NULL)
        document_fail("openapi.json", "%s leads nowhere", reference);
    return found;
}

static json_t *json_content(const json_t *of)
{
    json_t *content = json_object_get(of, "content");
    json_t *plain = json_object_get(content, "application/json");
    return plain != NULL ? plain : json_object_get(content, "application/problem+json");
}

/* ---- Texts ---- */

static void begin_shell(FILE *html)
{
    fputs("<pre tabindex=\"0\"><code>", html);
}

static void end_shell(FILE *html)
{
    fputs("</code></pre>\n", html);
}

static void write_heading(FILE *html, int section)
{
    fprintf(html, "<h2 id=\"%s\">%s</h2>\n", sections[section].anchor, sections[section].text);
}

/* ---- Documents ---- */

static void write_documents(FILE *html, json_t *api)
{
    const char *name;
    json_t *schema;
    write_heading(html, DOCUMENTS);
    fputs("<p class=\"about\">The objects in requests and responses. Members are always present "
          "unless they are marked as optional.</p>\n",
          html);
    json_object_foreach(json_object_get(json_object_get(api, "components"), "schemas"), name,
                        schema)
    {
        fprintf(html,
                "<details id=\"schema-%s\" class=\"operation\"><summary><code>%s</code>"
                "</summary>\n",
                name, name);
        schema_write(html, schema);
        fputs("</details>\n", html);
    }
}

/* ---- Requests ---- */

static bool is_method(const char *name)
{
    static const char *const methods[] = {"get", "post", "put", "patch", "delete"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(name, methods[i]) == 0)
            return true;
    return false;
}

static void write_upper(FILE *html, const char *word)
{
    for (; *word != '\0'; word++)
        fputc(toupper((unsigned char)*word), html);
}

/* Writes a body in single quotes for the shell. */
static void write_quoted(FILE *html, const json_t *body)
{
    char *text = json_dumps(body, JSON_COMPACT);
    if (text == NULL)
        abort();
    fputc('\'', html);
    for (const char *at = text; *at != '\0'; at++) {
        char one[2] = {*at, '\0'};
        render_escaped(html, *at == '\'' ? "'\\''" : one);
    }
    fputc('\'', html);
    free(text);
}

/* Writes `/v1/events/{id}` as `/v1/events/$id`, for the shell. */
static void write_path(FILE *html, const char *path)
{
    for (; *path != '\0'; path++)
        if (*path == '{')
            fputc('$', html);
        else if (*path != '}')
            fputc(*path, html);
}

static bool is_open(const json_t *operation)
{
    size_t i;
    json_t *each;
    const json_t *security = json_object_get(operation, "security");
    json_array_foreach(security, i, each)
    {
        if (json_object_size(each) == 0)
            return true;
    }
    return json_array_size(security) == 0;
}

static void write_curl(FILE *html, const char *path, const char *method, const json_t *operation)
{
    const json_t *body =
        json_object_get(json_content(json_object_get(operation, "requestBody")), "example");
    begin_shell(html);
    fputs("curl -s", html);
    if (strcmp(method, "get") != 0 && !(body != NULL && strcmp(method, "post") == 0)) {
        fputs(" -X ", html);
        write_upper(html, method);
    }
    fputs(" $origin", html);
    write_path(html, path);
    if (!is_open(operation))
        fputs(" -H &quot;Authorization: Bearer $token&quot;", html);
    if (body != NULL) {
        fputs(" -H 'Content-Type: application/json' \\\n    -d ", html);
        write_quoted(html, body);
    }
    end_shell(html);
}

static void write_parameters(FILE *html, json_t *api, const json_t *operation)
{
    size_t i;
    json_t *each;
    const json_t *parameters = json_object_get(operation, "parameters");
    if (json_array_size(parameters) == 0)
        return;
    fputs("<h4>Parameters</h4>\n<dl class=\"terms\">\n", html);
    json_array_foreach(parameters, i, each)
    {
        const json_t *found = resolve(api, each);
        bool required = json_is_true(json_object_get(found, "required"));
        fputs("<dt>", html);
        schema_write_code(html, schema_string(found, "name"));
        fprintf(html, " (%s%s)</dt>\n<dd>", schema_string(found, "in"),
                required ? "" : ", optional");
        schema_write_type(html, json_object_get(found, "schema"));
        fputs(". ", html);
        schema_write_prose(html, schema_string(found, "description"));
        fputs("</dd>\n", html);
    }
    fputs("</dl>\n", html);
}

static void write_body(FILE *html, const json_t *operation)
{
    const json_t *content = json_content(json_object_get(operation, "requestBody"));
    if (content == NULL)
        return;
    fputs("<h4>Body</h4>\n<p>", html);
    schema_write_type(html, json_object_get(content, "schema"));
    fputs("</p>\n", html);
}

/* Writes the schema of each line or message of a text. */
static void write_pieces(FILE *html, const json_t *schema)
{
    size_t i, messages = 0;
    json_t *each;
    const json_t *one = json_object_get(schema, "contentSchema");
    if (one == NULL)
        return;
    json_array_foreach(json_object_get(one, "oneOf"), i, each)
    {
        const json_t *members = json_object_get(each, "properties");
        if (members == NULL)
            continue;
        fputs(messages++ == 0 ? "\n<dl class=\"terms\">\n<dt>" : "<dt>", html);
        schema_write_code(html, schema_string(json_object_get(members, "event"), "const"));
        fputs("</dt>\n<dd>", html);
        schema_write_type(html, json_object_get(members, "data"));
        fputs("</dd>\n", html);
    }
    if (messages > 0) {
        fputs("</dl>\n", html);
    } else {
        fputs(": each line is one of ", html);
        schema_write_type(html, one);
    }
}

static void write_response(FILE *html, json_t *api, const char *status, json_t *written)
{
    const char *type;
    json_t *each;
    const json_t *found = resolve(api, written);
    const json_t *content = json_content(found);
    fprintf(html, "<dt>%s</dt>\n<dd>", status);
    schema_write_prose(html, schema_string(found, "description"));
    if (content != NULL) {
        fputc(' ', html);
        schema_write_type(html, json_object_get(content, "schema"));
    }
    json_object_foreach(json_object_get(found, "content"), type, each)
    {
        if (each == content)
            continue;
        fprintf(html, " %s", type);
        write_pieces(html, json_object_get(each, "schema"));
    }
    if (json_object_get(content, "example") != NULL) {
        begin_shell(html);
        schema_write_json(html, json_object_get(content, "example"), JSON_INDENT(2));
        end_shell(html);
    }
    fputs("</dd>\n", html);
}

static bool gives(const json_t *operation, const char *reference)
{
    const char *status;
    json_t *response;
    json_object_foreach(json_object_get(operation, "responses"), status, response)
    {
        if (strcmp(schema_string(response, "$ref"), reference) == 0)
            return true;
    }
    return false;
}

/* True for a response shared by all operations, which is listed once. */
static bool is_common(const json_t *api, const char *reference)
{
    const char *path, *method;
    json_t *operations, *operation;
    json_object_foreach(json_object_get(api, "paths"), path, operations)
    {
        json_object_foreach(operations, method, operation)
        {
            if (is_method(method) && !gives(operation, reference))
                return false;
        }
    }
    return true;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Writes responses in the order of their status. */
static void write_responses(FILE *html, json_t *api, const json_t *operation, const json_t *common,
                            bool shared)
{
    enum { MOST = 32 };
    const char *status, *statuses[MOST] = {NULL};
    size_t count = 0;
    json_t *response, *responses = json_object_get(operation, "responses");
    json_object_foreach(responses, status, response)
    {
        if (count < MOST &&
            (json_object_get(common, schema_string(response, "$ref")) != NULL) == shared)
            statuses[count++] = status;
    }
    if (count == MOST)
        document_fail("openapi.json", "there are more responses than can be sorted");
    qsort(statuses, count, sizeof statuses[0], compare_words);
    fputs("<dl class=\"terms\">\n", html);
    for (size_t i = 0; i < count; i++)
        write_response(html, api, statuses[i], json_object_get(responses, statuses[i]));
    fputs("</dl>\n", html);
}

static void write_operation(FILE *html, json_t *api, const json_t *common, const char *path,
                            const char *method, const json_t *operation)
{
    fprintf(html, "<details id=\"%s\" class=\"operation\"><summary><code>",
            schema_string(operation, "operationId"));
    write_upper(html, method);
    fprintf(html, " %s</code> ", path);
    render_escaped(html, schema_string(operation, "summary"));
    fputs("</summary>\n<p>", html);
    schema_write_prose(html, schema_string(operation, "description"));
    fprintf(html, " %s</p>\n", is_open(operation) ? "Public." : "Needs a token.");
    write_curl(html, path, method, operation);
    write_parameters(html, api, operation);
    write_body(html, operation);
    fputs("<h4>Responses</h4>\n", html);
    write_responses(html, api, operation, common, false);
    fputs("</details>\n", html);
}

static bool has_tag(const json_t *operation, const char *tag)
{
    size_t i;
    json_t *each;
    json_array_foreach(json_object_get(operation, "tags"), i, each)
    {
        if (strcmp(json_string_value(each), tag) == 0)
            return true;
    }
    return false;
}

/* The first operation of all. */
static const json_t *some_operation(const json_t *api)
{
    const char *path, *method;
    json_t *operations, *operation;
    json_object_foreach(json_object_get(api, "paths"), path, operations)
    {
        json_object_foreach(operations, method, operation)
        {
            if (is_method(method))
                return operation;
        }
    }
    return NULL;
}

static void write_tag(FILE *html, json_t *api, const json_t *common, const json_t *tag)
{
    const char *path, *method, *name = schema_string(tag, "name");
    json_t *operations, *operation;
    fprintf(html, "<h3 id=\"tag-%s\">%c%s</h3>\n<p class=\"about\">", name,
            toupper((unsigned char)name[0]), name + 1);
    schema_write_prose(html, schema_string(tag, "description"));
    fputs("</p>\n", html);
    json_object_foreach(json_object_get(api, "paths"), path, operations)
    {
        json_object_foreach(operations, method, operation)
        {
            if (is_method(method) && has_tag(operation, name))
                write_operation(html, api, common, path, method, operation);
        }
    }
}

static void write_requests(FILE *html, json_t *api)
{
    size_t i;
    const char *status;
    json_t *tag, *response, *common = json_object();
    const json_t *some = some_operation(api);
    json_object_foreach(json_object_get(some, "responses"), status, response)
    {
        const char *reference = schema_string(response, "$ref");
        if (reference[0] != '\0' && is_common(api, reference))
            json_object_set_new(common, reference, json_true());
    }
    write_heading(html, REQUESTS);
    fputs("<p class=\"about\">Every error is a problem document (RFC 9457), whose <code>code</code>"
          " is explained under <a href=\"/docs#problem-codes\">problem codes</a>.</p>\n",
          html);
    json_array_foreach(json_object_get(api, "tags"), i, tag)
    {
        write_tag(html, api, common, tag);
    }
    fputs("<h3 id=\"responses-to-any\">Responses to any request</h3>\n", html);
    write_responses(html, api, some, common, true);
    json_decref(common);
}

/* ---- The beginning ---- */

static void write_begin(FILE *html)
{
    static const struct {
        const char *say, *shell;
    } steps[] = {
        {"Create an account. The response contains a token, which is shown only once.",
         "curl -s $origin/v1/players -H 'Content-Type: application/json' \\\n"
         "    -d '{\"name\":\"Ada\",\"password\":\"correct horse battery\"}'\ntoken=tr_..."},
        {"Find an event that is open for entries, and enter.",
         "curl -s $origin/v1/events\nevent=...\n"
         "curl -s -X POST $origin/v1/events/$event/entries -H \"Authorization: Bearer $token\""},
        {"When a round has started, find your game, look at its view and its legal moves, and "
         "make a move. A move names the seq that it was based on.",
         "curl -s \"$origin/v1/me/games?state=running\" -H \"Authorization: Bearer $token\"\n"
         "game=...\n"
         "curl -s $origin/v1/games/$game/view -H \"Authorization: Bearer $token\"\n"
         "curl -s $origin/v1/games/$game/legal-moves -H \"Authorization: Bearer $token\"\n"
         "curl -s $origin/v1/games/$game/moves -H \"Authorization: Bearer $token\" \\\n"
         "    -H 'Content-Type: application/json' -d '{\"moves\":[\"...\"],\"seq\":0}'"},
        {"Check a finished game without trusting this server.",
         "curl -s $origin/v1/games/$game/record > game.roll\ntillroll verify game.roll"}};
    write_heading(html, BEGIN);
    fputs("<p class=\"about\">The commands on this page take the service's address from a "
          "variable.</p>\n<pre tabindex=\"0\"><code>origin=http://127.0.0.1:8080</code></pre>\n"
          "<ol class=\"steps\">\n",
          html);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        fprintf(html, "<li>%s", steps[i].say);
        begin_shell(html);
        render_escaped(html, steps[i].shell);
        end_shell(html);
        fputs("</li>\n", html);
    }
    fputs("</ol>\n", html);
}

/* Writes a request body of the walkthrough in double quotes; `"$seq"` becomes a number. */
static void write_walked_body(FILE *html, const json_t *body)
{
    static const char number[] = "\"$seq\"";
    char *text = json_dumps(body, JSON_COMPACT);
    if (text == NULL)
        abort();
    fputs(" -H 'Content-Type: application/json' \\\n    -d &quot;", html);
    for (const char *at = text; *at != '\0'; at++) {
        char one[2] = {*at, '\0'};
        if (strncmp(at, number, strlen(number)) == 0) {
            fputs("$seq", html);
            at += strlen(number) - 1;
        } else {
            render_escaped(html, *at == '"' ? "\\\"" : one);
        }
    }
    fputs("&quot;", html);
    free(text);
}

/* Writes `items.0.id` in jq's syntax: `items[0].id`. */
static void write_place(FILE *html, const char *where)
{
    fputc('.', html);
    for (; *where != '\0'; where++) {
        if (*where == '.' && isdigit((unsigned char)where[1])) {
            size_t digits = strspn(where + 1, "0123456789");
            fprintf(html, "[%.*s]", (int)digits, where + 1);
            where += digits;
        } else {
            fputc(*where, html);
        }
    }
}

/* Writes a request of the walkthrough; with jq, parts of its response are stored in shell
 * variables. */
static void write_walked(FILE *html, const json_t *walked)
{
    const char *name;
    json_t *where;
    const char *request = schema_string(walked, "request");
    size_t method = strcspn(request, " ");
    const json_t *body = json_object_get(walked, "body");
    json_t *keep = json_object_get(walked, "keep");
    bool posts = strncmp(request, "POST ", 5) == 0;
    bool gets = strncmp(request, "GET ", 4) == 0;
    begin_shell(html);
    fputs(json_object_size(keep) > 0 ? "answer=$(curl -s" : "curl -s", html);
    if (!gets && !(posts && body != NULL))
        fprintf(html, " -X %.*s", (int)method, request);
    fputs(" &quot;$origin", html);
    render_escaped(html, request + method + 1);
    fputs("&quot;", html);
    if (json_object_get(walked, "as") != NULL)
        fprintf(html, " -H &quot;Authorization: Bearer $%s&quot;", schema_string(walked, "as"));
    if (body != NULL)
        write_walked_body(html, body);
    fputs(json_object_size(keep) > 0 ? ")" : "", html);
    json_object_foreach(keep, name, where)
    {
        fprintf(html, "\n%s=$(jq -r '", name);
        write_place(html, json_string_value(where));
        fputs("' &lt;&lt;&lt;&quot;$answer&quot;)", html);
    }
    end_shell(html);
}

static void write_walkthrough(FILE *html, const json_t *api)
{
    size_t i;
    json_t *each;
    write_heading(html, WALKTHROUGH);
    fputs("<p class=\"about\">Send these in this order, from a shell with <code>curl</code> and "
          "<code>jq</code>. The service's tests send them as well, and compare the responses with "
          "this page.</p>\n<pre tabindex=\"0\"><code>n=$RANDOM</code></pre>\n"
          "<ol class=\"steps\">\n",
          html);
    json_array_foreach(json_object_get(api, "x-walkthrough"), i, each)
    {
        fputs("<li>", html);
        schema_write_prose(html, schema_string(each, "say"));
        write_walked(html, each);
        fprintf(html, "<p>Answered with status %d.</p></li>\n",
                (int)json_integer_value(json_object_get(each, "status")));
    }
    fputs("</ol>\n", html);
}

static void write_general(FILE *html, const json_t *api)
{
    const char *text = schema_string(json_object_get(api, "info"), "description");
    write_heading(html, GENERAL);
    while (*text != '\0') {
        const char *end = strstr(text, "\n\n");
        char *paragraph = end == NULL ? strdup(text) : strndup(text, (size_t)(end - text));
        fputs("<p>", html);
        schema_write_prose(html, paragraph);
        fputs("</p>\n", html);
        free(paragraph);
        text = end == NULL ? "" : end + 2;
    }
}

/* ---- The page ---- */

void api_page_document(struct document *document)
{
    *document = (struct document){.file = strdup("openapi.json"), .address = strdup(address)};
    document->heading = calloc(SECTIONS + 1, sizeof *document->heading);
    if (document->heading == NULL)
        abort();
    document->heading[0] = (struct heading){strdup(title), strdup("api"), 1};
    for (size_t i = 0; i < SECTIONS; i++)
        document->heading[i + 1] =
            (struct heading){strdup(sections[i].text), strdup(sections[i].anchor), 2};
    document->headings = SECTIONS + 1;
}

void api_page_write(json_t *api, FILE *html)
{
    fprintf(html,
            "<h1>%s</h1>\n<p class=\"about\">Everything here can be done over HTTP with JSON. For "
            "programs: <a href=\"/openapi.json\"><code>/openapi.json</code></a> (OpenAPI "
            "3.1).</p>\n",
            title);
    write_begin(html);
    write_walkthrough(html, api);
    write_general(html, api);
    write_requests(html, api);
    write_documents(html, api);
}

/* Writes a text without tabs and line ends, which separate the index's columns and lines. */
static void write_indexed(FILE *to, const char *text)
{
    for (; *text != '\0'; text++)
        fputc(*text == '\t' || *text == '\n' ? ' ' : *text, to);
}

void api_page_index(json_t *api, FILE *to)
{
    const char *path, *method, *name;
    json_t *operations, *operation, *schema;
    json_object_foreach(json_object_get(api, "paths"), path, operations)
    {
        json_object_foreach(operations, method, operation)
        {
            if (!is_method(method))
                continue;
            fprintf(to, "%s#%s\t%s\t", address, schema_string(operation, "operationId"), title);
            write_upper(to, method);
            fprintf(to, " %s\t%s. ", path, schema_string(operation, "summary"));
            write_indexed(to, schema_string(operation, "description"));
            fputc('\n', to);
        }
    }
    json_object_foreach(json_object_get(json_object_get(api, "components"), "schemas"), name,
                        schema)
    {
        fprintf(to, "%s#schema-%s\t%s\t%s\t", address, name, title, name);
        write_indexed(to, schema_string(schema, "description"));
        fputc('\n', to);
    }
}
