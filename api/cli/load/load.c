/* `tillroll load`: measures the load that a server can handle. Plays the moves of a script,
 * requests one page repeatedly, or watches event streams, on many persistent connections. */
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/load/load_modes.h"

struct load {
    const char *server, *script, *get, *etag;
    char *watch;
    unsigned long first, stale, connections, seconds, warm_up, think;
    bool lock_step;
};

static const int64_t second_ns = INT64_C(1000000000);

static int fail(const char *message)
{
    cli_refuse(message);
    return EXIT_UNKNOWN;
}

static void print(json_t *object)
{
    cli_print_json(object, JSON_REAL_PRECISION(7));
}

/* ---- Requests and responses ---- */

static json_t *status_document(const struct load_result *result)
{
    json_t *document = json_object();
    for (int status = 0; status < LOAD_STATUS_END; status++) {
        char key[4] = {(char)('0' + status / 100), (char)('0' + status / 10 % 10),
                       (char)('0' + status % 10), '\0'};
        if (result->status[status] > 0)
            json_object_set_new(document, key, json_integer((json_int_t)result->status[status]));
    }
    return document;
}

static void report_run(const struct load *load, const struct load_result *result, json_t *object)
{
    double rate = (double)result->answers / result->seconds;
    json_object_set_new(object, "connections", json_integer((json_int_t)load->connections));
    json_object_set_new(object, "seconds", json_real(result->seconds));
    json_object_set_new(object, "answers", json_integer((json_int_t)result->answers));
    json_object_set_new(object, "answers_per_s", json_real(rate));
    json_object_set_new(object, "status", status_document(result));
    json_object_set_new(object, "broken", json_integer((json_int_t)result->broken));
    json_object_set_new(object, "unanswered", json_integer((json_int_t)result->unanswered));
    json_object_set_new(object, "ran_out", json_boolean(result->ran_out));
    json_object_set_new(object, "client_us", json_real(result->client_us));
    samples_report(&result->times, object);
    fprintf(stderr,
            "%lu connections: %.0f answers a second; p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, "
            "slowest %.2f ms; %.1f us of the client's time each\n",
            load->connections, rate, samples_at(&result->times, 500) / 1e3,
            samples_at(&result->times, 990) / 1e3, samples_at(&result->times, 999) / 1e3,
            samples_at(&result->times, 1000) / 1e3, result->client_us);
    if (result->ran_out)
        fprintf(stderr, "the script ended before the time was over\n");
}

static bool run(const struct load *load, const struct load_server *server, struct load_mode mode,
                struct load_result *result)
{
    char message[256];
    struct text error = TEXT_OVER(message);
    const struct load_plan plan = {.server = *server,
                                   .mode = mode,
                                   .connections = (unsigned)load->connections,
                                   .warm_up_ns = (int64_t)load->warm_up * second_ns,
                                   .duration_ns = (int64_t)load->seconds * second_ns,
                                   .think_ns = (int64_t)load->think * 1000000,
                                   .lock_step = load->lock_step};
    return load_run(&plan, result, &error) || cli_refuse(message);
}

static int finish(json_t *object, struct load_result *result, uint64_t wrong)
{
    bool good = wrong + result->broken + result->unanswered == 0;
    print(object);
    samples_free(&result->times);
    return good ? EXIT_YES : EXIT_NO;
}

/* ---- Modes ---- */

static int play(const struct load *load, const struct load_server *server)
{
    char message[256];
    struct text error = TEXT_OVER(message);
    struct load_script script;
    struct load_result result;
    if (!load_script_open(&script, load->script, &error))
        return fail(message);
    struct load_moves *moves = load_moves_new(&script, server->host, (unsigned)load->connections,
                                              load->first, (unsigned)load->stale);
    bool ran = run(load, server, load_moves_mode(moves), &result);
    int status = EXIT_UNKNOWN;
    if (ran) {
        json_t *object = json_object();
        load_moves_report(moves, result.seconds, object);
        report_run(load, &result, object);
        const char *wrong = json_string_value(json_object_get(object, "first_wrong"));
        if (wrong != NULL)
            fprintf(stderr, "the first wrong response: %s\n", wrong);
        status = finish(object, &result, load_moves_wrong(moves));
    }
    load_moves_free(moves);
    load_script_close(&script);
    return status;
}

static int ask(const struct load *load, const struct load_server *server)
{
    struct load_get get;
    struct load_result result;
    if (!load_get_init(&get, server->host, load->get, load->etag, getenv("TILLROLL_TOKEN")))
        return fail("path, etag and token are too long together");
    if (!run(load, server, load_get_mode(&get), &result))
        return EXIT_UNKNOWN;
    json_t *object = json_object();
    report_run(load, &result, object);
    json_object_set_new(object, "body_bytes", json_integer((json_int_t)result.body_bytes));
    json_object_set_new(object, "wrong", json_integer((json_int_t)get.wrong));
    return finish(object, &result, get.wrong);
}

/* Splits the list at its commas. */
static size_t split_paths(char *list, const char **paths, size_t max)
{
    size_t count = 0;
    char *rest = NULL;
    for (char *path = strtok_r(list, ",", &rest); path != NULL && count < max;
         path = strtok_r(NULL, ",", &rest))
        paths[count++] = path;
    return count;
}

static int watch(const struct load *load, const struct load_server *server)
{
    enum { PATHS_MAX = 64 };
    const char *paths[PATHS_MAX];
    char message[256];
    struct text error = TEXT_OVER(message);
    size_t count = split_paths(load->watch, paths, PATHS_MAX);
    json_t *object = json_object();
    if (count == 0 || !load_watch(server, paths, count, (unsigned)load->connections,
                                  (unsigned)load->seconds, object, &error)) {
        json_decref(object);
        return fail(count == 0 ? "--watch takes paths" : message);
    }
    bool whole = json_integer_value(json_object_get(object, "events")) ==
                     json_integer_value(json_object_get(object, "complete")) &&
                 json_integer_value(json_object_get(object, "ended")) == 0;
    fprintf(stderr,
            "%lu viewers: %lld events; from the first viewer to the last p50 %.2f ms, "
            "slowest %.2f ms\n",
            load->connections, json_integer_value(json_object_get(object, "events")),
            (double)json_integer_value(json_object_get(object, "p50_us")) / 1e3,
            (double)json_integer_value(json_object_get(object, "max_us")) / 1e3);
    print(object);
    return whole ? EXIT_YES : EXIT_NO;
}

/* ---- The command line ---- */

static bool read_numbers(const struct cli_given *given, struct load *load)
{
    return cli_value_number(given, "first", 0, 100000000, 0, &load->first) &&
           cli_value_number(given, "stale", 0, 100, 0, &load->stale) &&
           cli_value_number(given, "connections", 1, LOAD_CONNECTIONS_MAX, 1, &load->connections) &&
           cli_value_number(given, "seconds", 1, 3600, 5, &load->seconds) &&
           cli_value_number(given, "warm-up", 0, 600, 0, &load->warm_up) &&
           cli_value_number(given, "think", 0, 600000, 0, &load->think);
}

int cli_load(const struct cli_given *given)
{
    const char *paths = cli_value(given, "watch");
    struct load load = {.server = cli_value(given, "server"),
                        .script = cli_value(given, "script"),
                        .get = cli_value(given, "get"),
                        .etag = cli_value(given, "etag"),
                        .watch = paths == NULL ? NULL : strdup(paths),
                        .lock_step = cli_value(given, "lock-step") != NULL};
    struct load_server server;
    char message[320];
    struct text error = TEXT_OVER(message);
    int modes = (load.script != NULL) + (load.get != NULL) + (paths != NULL);
    int status;
    if (!read_numbers(given, &load) || modes != 1)
        status =
            cli_wrong_usage(given, modes != 1 ? "takes one of --script, --get and --watch" : NULL);
    else if (!load_server_find(load.server, &server, &error))
        status = fail(message);
    else if (load.script != NULL)
        status = play(&load, &server);
    else
        status = load.get != NULL ? ask(&load, &server) : watch(&load, &server);
    free(load.watch);
    return status;
}
