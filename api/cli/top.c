/* `tillroll top`: the activity of a running service, on a screen that is redrawn every few
 * seconds. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "api/cli/cli.h"
#include "api/cli/client.h"
#include "api/cli/figures.h"
#include "api/cli/session.h"
#include "db/link/now.h"
#include "engine/base/arena.h"

static const char requests[] = "tillroll_http_requests_total";
static const char durations[] = "tillroll_http_request_duration_seconds";
static const char commits[] = "tillroll_commit_duration_seconds";

struct top {
    struct client *client;
    const char *server;
    unsigned long interval_s;
    bool once;
};

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

static bool look(const struct top *top, struct figures *figures)
{
    char *text = client_text(top->client, "/metrics");
    if (text == NULL)
        return false;
    if (figures_read(figures, text))
        return true;
    fprintf(stderr, "tillroll: the response of %s/metrics cannot be parsed\n", top->server);
    return false;
}

/* ---- Lines ---- */

/* Prints milliseconds, or `-` for a negative number. */
static void print_ms(double seconds)
{
    if (seconds < 0)
        printf("%9s", "-");
    else
        printf("%6.*f ms", seconds < 0.01 ? 2 : 0, seconds * 1000);
}

static void print_head(const struct top *top, const struct figures_change *change)
{
    const struct figures *now = change->after;
    struct span version = {"?", 1};
    for (size_t i = 0; i < now->count; i++)
        if (span_is(now->sample[i].name, "tillroll_build_info"))
            version = figures_label(now->sample[i].labels, "version");
    double up_s = (double)time(NULL) - figures_sum(now, "process_start_time_seconds", "");
    unsigned long minutes = up_s > 0 ? (unsigned long)up_s / 60 : 0;
    printf("tillroll %.*s at %s, up %lu d %02lu:%02lu, in %.1f s%s\n\n", (int)version.length,
           version.at, top->server, minutes / 1440, minutes / 60 % 24, minutes % 60,
           change->seconds, figures_sum(now, "tillroll_stopping", "") > 0 ? ", STOPPING" : "");
}

static void print_requests(const struct figures_change *change)
{
    const struct figures *now = change->after;
    printf("requests  %9.1f/s   server errors %.1f/s   over a limit %.1f/s\n",
           figures_rate(change, requests, ""), figures_rate(change, requests, "status=\"5"),
           figures_rate(change, "tillroll_limit_refused_total", ""));
    printf("process   %9.0f %% of a core, its loop %.0f %%   %.1f MiB   %.0f connections\n",
           100 * figures_rate(change, "process_cpu_seconds_total", ""),
           100 * figures_rate(change, "tillroll_loop_cpu_seconds_total", ""),
           figures_sum(now, "process_resident_memory_bytes", "") / (1 << 20),
           figures_sum(now, "tillroll_http_connections", ""));
    printf("streams   %9.0f open   %.1f/s begun   %.1f/s cut off\n",
           figures_sum(now, "tillroll_streams", ""),
           figures_rate(change, "tillroll_streams_total", ""),
           figures_rate(change, "tillroll_streams_cut_total", ""));
}

static void print_database(const struct figures_change *change)
{
    const struct figures *now = change->after;
    double count = figures_growth(change, "tillroll_commit_writes_count", "");
    double writes = figures_growth(change, "tillroll_commit_writes_sum", "");
    printf("commits   %9.1f/s   %.1f requests each   ",
           figures_rate(change, "tillroll_commit_duration_seconds_count", ""),
           count > 0 ? writes / count : 0);
    print_ms(figures_quantile(change, commits, "", 0.5));
    printf(" (p99");
    print_ms(figures_quantile(change, commits, "", 0.99));
    printf(")   %.0f waiting\n", figures_sum(now, "tillroll_commit_waiting", ""));
    printf(
        "database  %9.0f of %.0f connections in use   %.0f waiting   workers have %.0f requests\n",
        figures_sum(now, "tillroll_db_connections_in_use", ""),
        figures_sum(now, "tillroll_db_connections_most", ""),
        figures_sum(now, "tillroll_db_waiting", ""),
        figures_sum(now, "tillroll_workers_requests", ""));
}

static void print_cache(const struct figures_change *change, const char *name, const char *label)
{
    double hits = figures_growth(change, "tillroll_cache_hits_total", label);
    double all = hits + figures_growth(change, "tillroll_cache_misses_total", label);
    if (all > 0)
        printf("   %s %.1f %%", name, 100 * hits / all);
    else
        printf("   %s -", name);
}

static void print_caches(const struct figures_change *change)
{
    printf("from memory");
    print_cache(change, "games", "cache=\"games\"");
    print_cache(change, "views", "cache=\"answers-of-games\"");
    print_cache(change, "events and standings", "cache=\"answers-of-events\"");
    print_cache(change, "lists", "cache=\"answers-of-lists\"");
    print_cache(change, "folds", "cache=\"folds\"");
    print_cache(change, "tokens", "cache=\"tokens\"");
    printf("\n");
}

/* ---- Routes ---- */

struct row {
    char label[160]; /* labels of its samples: `method="GET",route="/v1/events/{id}"` */
    double rate;
};

static int by_rate(const void *a, const void *b)
{
    double first = ((const struct row *)a)->rate;
    double second = ((const struct row *)b)->rate;
    return (first < second) - (first > second);
}

static struct row *find_row(struct row *rows, size_t *count, struct span label)
{
    for (size_t i = 0; i < *count; i++)
        if (span_is(label, rows[i].label))
            return &rows[i];
    struct text text = TEXT_OVER(rows[*count].label);
    text_add_span(&text, label);
    return &rows[(*count)++];
}

/* Makes a row for each set of labels before the status. The caller frees the rows. */
static struct row *make_rows(const struct figures_change *change, size_t *count)
{
    const struct figures *now = change->after;
    struct row *rows = must(calloc(now->count + 1, sizeof *rows));
    *count = 0;
    for (size_t i = 0; i < now->count; i++) {
        struct span labels = now->sample[i].labels;
        const char *status = memmem(labels.at, labels.length, ",status=", 8);
        if (!span_is(now->sample[i].name, requests) || status == NULL)
            continue;
        struct row *row =
            find_row(rows, count, (struct span){labels.at, (size_t)(status - labels.at)});
        row->rate = figures_rate(change, requests, row->label);
    }
    qsort(rows, *count, sizeof *rows, by_rate);
    return rows;
}

static void print_routes(const struct figures_change *change, size_t most)
{
    size_t count;
    struct row *rows = make_rows(change, &count);
    printf("\n%-52s %10s %9s %9s\n", "", "requests/s", "p50", "p99");
    for (size_t i = 0; i < count && i < most && rows[i].rate > 0; i++) {
        struct span labels = span_of(rows[i].label);
        struct span method = figures_label(labels, "method");
        struct span route = figures_label(labels, "route");
        printf("%-6.*s %-45.*s %10.1f ", (int)method.length, method.at, (int)route.length, route.at,
               rows[i].rate);
        print_ms(figures_quantile(change, durations, rows[i].label, 0.5));
        printf(" ");
        print_ms(figures_quantile(change, durations, rows[i].label, 0.99));
        printf("\n");
    }
    free(rows);
}

/* ---- The screen ---- */

enum { LINES_ABOVE = 11, ROUTES_USUAL = 15 };

/* The number of routes that fit on the terminal. */
static size_t room_for_routes(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
        return ROUTES_USUAL;
    return size.ws_row > LINES_ABOVE ? size.ws_row - LINES_ABOVE : 1;
}

static void draw(const struct top *top, const struct figures_change *change)
{
    static const char home_and_clear[] = "\033[H\033[2J";
    if (!top->once)
        fputs(home_and_clear, stdout);
    print_head(top, change);
    print_requests(change);
    print_database(change);
    print_caches(change);
    print_routes(change, top->once ? SIZE_MAX : room_for_routes());
    (void)fflush(stdout);
}

/* Runs until interrupted, on the alternate screen, which leaves the terminal as it was. */
static int run(const struct top *top)
{
    struct figures before;
    struct figures after;
    if (!look(top, &before))
        return EXIT_NO;
    bool good = true;
    rest_ms(1000 * (int64_t)top->interval_s);
    while (good && interrupted == 0) {
        good = look(top, &after);
        if (!good)
            break;
        const struct figures_change change = {&before, &after, after.at_s - before.at_s};
        draw(top, &change);
        figures_free(&before);
        before = after;
        if (top->once)
            break;
        rest_ms(1000 * (int64_t)top->interval_s);
    }
    figures_free(&before);
    return good ? EXIT_YES : EXIT_NO;
}

static int run_on_screen(const struct top *top)
{
    static const char enter[] = "\033[?1049h\033[?25l";
    static const char leave[] = "\033[?25h\033[?1049l";
    const struct sigaction action = {.sa_handler = interrupt};
    if (top->once)
        return run(top);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    fputs(enter, stdout);
    int status = run(top);
    fputs(leave, stdout);
    (void)fflush(stdout);
    return status;
}

int cli_top(const struct cli_given *given)
{
    char server[SESSION_SERVER_BYTES];
    struct top top = {.server = server, .once = cli_value(given, "once") != NULL};
    if (!cli_value_number(given, "interval", 1, 3600, 2, &top.interval_s))
        return cli_wrong_usage(given, NULL);
    if (!session_find_server(given, server))
        return EXIT_UNKNOWN;
    top.client = client_new(top.server, NULL);
    if (top.client == NULL)
        return EXIT_UNKNOWN;
    int status = run_on_screen(&top);
    client_free(top.client);
    return status;
}
