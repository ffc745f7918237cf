#include "api/config.h"

#include <assert.h>
#include <ctype.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/http/http.h"
#include "api/work/jobs.h"
#include "db/link/db.h"

struct setting {
    enum { SETTING_WORD, SETTING_CHOICE, SETTING_NUMBER, SETTING_FLAG } kind;
    const char *option;
    const char *argument; /* of a choice: both words, `first|second`, of which the second is true */
    const char *initial;
    const char *says;
    size_t offset; /* in struct configuration */
    unsigned least, most;
};

#define SETTING(of_kind, named, takes, at_first, member, text)                                     \
    .kind = (of_kind), .option = (named), .argument = (takes), .initial = (at_first),              \
    .offset = offsetof(struct configuration, member), .says = (text)
#define WORD(named, takes, at_first, member, text)                                                 \
    {                                                                                              \
        SETTING(SETTING_WORD, named, takes, at_first, member, text)                                \
    }
#define CHOICE(named, takes, at_first, member, text)                                               \
    {                                                                                              \
        SETTING(SETTING_CHOICE, named, takes, at_first, member, text)                              \
    }
#define NUMBER(named, from, to, at_first, member, text)                                            \
    {                                                                                              \
        SETTING(SETTING_NUMBER, named, "N", at_first, member, text), .least = (from), .most = (to) \
    }
#define FLAG(named, member, text)                                                                  \
    {                                                                                              \
        SETTING(SETTING_FLAG, named, NULL, NULL, member, text)                                     \
    }

static const struct setting settings[] = {
    WORD("listen", "ADDRESS", "127.0.0.1:8080", listen,
         "Address and port; port 0 is any free one."),
    WORD("database", "URL", NULL, database, "libpq connection string; without it, DATABASE_URL."),
    WORD("database-read", "URL", NULL, replica,
         "Connection string of a hot standby from which public data is read."),
    WORD("line-databases", "URLS", NULL, line_databases,
         "Connection strings, separated by spaces, of the databases joined with `tillroll lines "
         "join`, for moves of running games; the order is part of it."),
    WORD("secrets", "DIRECTORY", "var/secrets", secrets, "The server's keys."),
    WORD("new-keys", "ID", NULL, new_keys,
         "The ID of keys that may replace those the database was used with."),
    WORD("pages", "DIRECTORY", "web-static", pages, "The web pages."),
    WORD("log-origin", "NAME", NULL, log_origin,
         "Name of the transparency log, for example club.example/log. Without it the log keeps its "
         "name; a new log is named after the key."),
    NUMBER("log-interval-ms", 10, 3600000, "1000", log_interval_ms,
           "Milliseconds between checkpoints of the log."),
    WORD("witnesses", "FILE", NULL, witnesses,
         "A trust policy (c2sp.org/tlog-policy) with the addresses of witnesses that cosign the "
         "log."),
    WORD("dealers", "FILE", NULL, dealers,
         "The co-dealers that events can name, one per line: `dealer <name> <public key> "
         "<address>`."),
    WORD("site-address", "URL", NULL, site_address,
         "Where people find the service, for example https://club.example: links in mails begin "
         "with it, and pages that others show a link to have pictures then."),
    WORD("smtp-url", "URL", NULL, smtp_url,
         "The mail server, as smtp://host:port (encrypted by STARTTLS, except on this machine) or "
         "smtps://host:port. Without it this service sends no mail."),
    WORD("smtp-from", "ADDRESS", NULL, smtp_from, "The address that mails come from."),
    WORD("smtp-user", "NAME", NULL, smtp_user, "The user to sign in as at the mail server."),
    WORD("smtp-password-file", "FILE", NULL, smtp_password_file,
         "A file with that user's password in its first line."),
    WORD("trusted-proxy", "ADDRESS", NULL, trusted_proxy,
         "The proxy whose X-Forwarded-For names the client."),
    WORD("metrics-listen", "ADDRESS", NULL, metrics_listen,
         "Address and port for GET /metrics alone. Without it, /metrics is on the main address, "
         "for this machine only."),
    WORD("audit-result", "FILE", NULL, audit_result,
         "The file that `tillroll audit --result` writes, included in the metrics."),
    WORD("archive", "DIRECTORY", NULL, archive,
         "The directory to which `tillroll archive` has moved records."),
    CHOICE("log-format", "json|text", "json", log_text,
           "Format of the logs of requests, on standard output, and of errors."),
    CHOICE("notices", "needed|all", "needed", notices_all,
           "Notices of moves: all while services of a release before 0028 serve too."),
    CHOICE("push-targets", "public|all", "public", all_targets,
           "Where web push and webhooks may lead: to https on the public internet, or also to http "
           "and to this machine's own network, which is for tests, and for services whose players "
           "are all trusted."),
    NUMBER("drain-ms", 0, 3600000, "0", drain_ms,
           "Milliseconds to keep serving after SIGTERM, while /readyz answers 503."),
    NUMBER("workers", 1, 64, "8", workers, "Threads that answer requests."),
    NUMBER("connections", 1, 1000000, "10000", connections, "Connections open at once."),
    NUMBER("connections-per-address", 1, 100000, "256", connections_per_address,
           "Connections of one address; four times as many of an IPv4 /24 or IPv6 /48."),
    NUMBER("live-megabytes", 1, 65536, "256", live_megabytes, "Memory for games in play, in MiB."),
    NUMBER("streams", 1, 1000000, "8000", streams,
           "Streams open at once: half for those who are not signed in, 7/8 for these and all "
           "other than "
           "players who follow their own running games."),
    NUMBER("streams-per-address", 1, 1000000, "128", streams_per_address,
           "Streams of one address."),
    NUMBER("streams-per-player", 1, 1000000, "64", streams_per_player, "Streams of one player."),
    NUMBER("stream-heartbeat-ms", 10, 3600000, "15000", stream_heartbeat_ms,
           "Milliseconds of silence after which a comment is sent."),
    NUMBER("stream-stall-ms", 100, 3600000, "30000", stream_stall_ms,
           "Milliseconds after which a client that reads nothing is disconnected."),
    NUMBER("stream-lag-bytes", 1, 1000000000, "1048576", stream_lag_bytes,
           "Bytes that a client may lag behind."),
    NUMBER("answer-cache-bytes", 0, 1U << 31, "67108864", response_cache_bytes,
           "Bytes of memory for cached responses; 0 is no cache."),
    NUMBER("timers-ms", 0, 3600000, "1000", deadlines_ms,
           "Milliseconds between checks for what is due in events; 0 is never."),
    NUMBER("step-wait-ms", 0, JOB_WAIT_MS_MOST, "1000", step_wait_ms,
           "Milliseconds that a request waits for a pairing, an import and the like before it gets "
           "the address of a job."),
    NUMBER("upkeep-seconds", 0, 86400, "3600", retention_seconds,
           "Seconds between removals of expired data; 0 is never."),
    NUMBER("reads-per-minute", 0, 100000000, "12000", reads_per_minute,
           "Reads per client; 0 is no limit."),
    NUMBER("writes-per-minute", 0, 100000000, "6000", writes_per_minute,
           "Writes per client; 0 is no limit."),
    NUMBER("passwords-per-minute", 0, 100000000, "60", passwords_per_minute,
           "Passwords checked per address; 0 is no limit."),
    NUMBER("guests-per-hour", 0, 100000, "30", guests_per_hour,
           "Guests that come from one network, an IPv4 /24 or IPv6 /48; 0 is no limit."),
    NUMBER("mails-per-hour", 0, 100000, "5", mails_per_hour,
           "Mails to one address, and for one account, that people ask for, and ten times as many "
           "from "
           "one network; 0 is no limit."),
    NUMBER("smtp-timeout-ms", 100, 600000, "60000", smtp_timeout_ms,
           "Milliseconds for sending one mail."),
    NUMBER("smtp-retry-ms", 10, 3600000, "30000", smtp_retry_ms,
           "Milliseconds until a mail that could not be sent is tried again; doubled each time, up "
           "to an hour."),
    NUMBER("push-retry-ms", 10, 3600000, "5000", push_retry_ms,
           "The same for a message to a browser or webhook."),
    NUMBER("notices-ms", 0, 60000, "250", notices_ms,
           "How often to look for what players have to be told, in milliseconds; 0 = this service "
           "sends no notices."),
    NUMBER("report-ms-per-minute", 0, 100000000, "6000", report_ms_per_minute,
           "Milliseconds of processor time for checks of report files, bundles, pictures for link "
           "previews, standings of seasons, statistics and past states of events, per client; 0 is "
           "no limit."),
    NUMBER("reports-ms-per-minute", 0, 100000000, "20000", reports_ms_per_minute,
           "The same for all clients together that are not signed in; 0 is no limit."),
    FLAG("check-config", check,
         "Do not serve: check the configuration, including the database, and report what is wrong "
         "with it."),
    FLAG("make-keys", make_keys,
         "Do not serve: create any missing keys, without asking the database, and print the ID of "
         "the pair."),
    FLAG("rotate-key", rotate_key,
         "Do not serve: replace the signing key by a new one, which the old one signs, and print "
         "its "
         "verification key."),
    FLAG("help", help, "Print this."),
    FLAG("version", version, "Print the version."),
};

enum { SETTINGS = sizeof settings / sizeof settings[0], VARIABLE_MAX = 64 };

/* Its environment variable. */
static const char *variable_of(const struct setting *setting, char variable[static VARIABLE_MAX])
{
    int length = snprintf(variable, VARIABLE_MAX, "TILLROLL_%s", setting->option);
    assert(length < VARIABLE_MAX);
    for (int i = 0; i < length; i++)
        variable[i] = (char)(variable[i] == '-' ? '_' : toupper((unsigned char)variable[i]));
    return variable;
}

/* ---- Usage ---- */

/* A sentence, broken into lines. */
static void print_wrapped(const char *text)
{
    enum { INDENT = 6, WIDTH = 80 };
    int column = INDENT;
    printf("%*s", INDENT - 1, "");
    for (size_t length; *text != '\0'; text += length + (text[length] == ' ')) {
        length = strcspn(text, " ");
        if (column + 1 + (int)length > WIDTH) {
            printf("\n%*s", INDENT - 1, "");
            column = INDENT;
        }
        column += printf(" %.*s", (int)length, text);
    }
    putchar('\n');
}

void config_print_usage(void)
{
    char variable[VARIABLE_MAX];
    puts("usage: tillrolld [OPTION]...");
    for (const struct setting *setting = settings; setting < settings + SETTINGS; setting++) {
        if (setting->kind == SETTING_FLAG) {
            printf("  --%s\n", setting->option);
        } else {
            int width = printf("  --%s %s", setting->option, setting->argument);
            printf("%*s %s\n", width < 42 ? 42 - width : 0, "", variable_of(setting, variable));
        }
        print_wrapped(setting->says);
        if (setting->kind == SETTING_NUMBER)
            printf("      From %u to %u; %s by default.\n", setting->least, setting->most,
                   setting->initial);
        else if (setting->initial != NULL)
            printf("      %s by default.\n", setting->initial);
    }
    puts("A URL on the command line can be read by other users; prefer the environment and a "
         "passfile.");
}

/* ---- Reading ---- */

static bool set(struct configuration *configuration, const struct setting *setting,
                const char *word)
{
    void *place = (char *)configuration + setting->offset;
    uint64_t number;
    const char *second;
    switch (setting->kind) {
    case SETTING_WORD:
        *(const char **)place = word;
        return true;
    case SETTING_CHOICE:
        second = strchr(setting->argument, '|') + 1;
        *(bool *)place = strcmp(word, second) == 0;
        if (*(bool *)place ||
            span_is((struct span){setting->argument, (size_t)(second - 1 - setting->argument)},
                    word))
            return true;
        fprintf(stderr, "tillrolld: %s takes %.*s or %s\n", setting->option,
                (int)(second - 1 - setting->argument), setting->argument, second);
        return false;
    case SETTING_NUMBER:
        if (!span_number(span_of(word), setting->most, &number) || number < setting->least) {
            fprintf(stderr, "tillrolld: %s takes a number from %u to %u\n", setting->option,
                    setting->least, setting->most);
            return false;
        }
        *(unsigned *)place = (unsigned)number;
        return true;
    case SETTING_FLAG:
        *(bool *)place = true;
        return true;
    }
    return false;
}

/* An empty variable counts as none. */
static bool read_environment(struct configuration *configuration)
{
    char variable[VARIABLE_MAX];
    for (const struct setting *setting = settings; setting < settings + SETTINGS; setting++) {
        if (setting->kind == SETTING_FLAG)
            continue;
        const char *word = getenv(variable_of(setting, variable));
        if (!set(configuration, setting, word == NULL || word[0] == '\0' ? setting->initial : word))
            return false;
    }
    configuration->database = db_url(NULL);
    return true;
}

static bool read_arguments(struct configuration *configuration, int argc, char **argv)
{
    enum { FIRST = 256 };
    struct option options[SETTINGS + 1] = {{NULL, 0, NULL, 0}};
    for (int i = 0; i < (int)SETTINGS; i++)
        options[i] = (struct option){
            settings[i].option, settings[i].kind == SETTING_FLAG ? no_argument : required_argument,
            NULL, FIRST + i};
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (c == 'h')
            configuration->help = true;
        else if (c < FIRST || !set(configuration, &settings[c - FIRST], optarg))
            return false;
    }
    if (optind < argc)
        fprintf(stderr, "tillrolld: `%s` is no option; everything is set by options\n",
                argv[optind]);
    return optind == argc;
}

bool config_read(struct configuration *configuration, int argc, char **argv)
{
    *configuration = (struct configuration){.listen = NULL};
    if (!read_environment(configuration) || !read_arguments(configuration, argc, argv))
        return false;
    if (configuration->help || configuration->version)
        return true;
    if (configuration->database == NULL && !configuration->make_keys) {
        fprintf(stderr, "tillrolld: " DB_URL_ADVICE "\n");
        return false;
    }
    if (configuration->trusted_proxy == NULL ||
        http_read_address(span_of(configuration->trusted_proxy), configuration->proxy))
        return true;
    fprintf(stderr, "tillrolld: trusted-proxy takes an address without port, such as 127.0.0.1\n");
    return false;
}
