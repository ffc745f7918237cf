/* The configuration: each setting is an option, `--live-megabytes`, and an environment variable,
 * TILLROLL_LIVE_MEGABYTES; the option takes precedence. */
#ifndef TILLROLL_API_CONFIG_H
#define TILLROLL_API_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

/* The settings, as the table in api/config.c describes them. Texts are borrowed from the arguments
 * and the environment; NULL = not set. */
struct configuration {
    const char *listen;
    const char *database;
    const char *replica;
    const char *line_databases;
    const char *secrets;
    const char *new_keys;
    const char *pages;
    const char *log_origin;
    const char *witnesses;
    const char *dealers;
    const char *site_address;
    const char *smtp_url, *smtp_from, *smtp_user, *smtp_password_file;
    const char *trusted_proxy;
    const char *metrics_listen;
    const char *audit_result;
    const char *archive;
    uint8_t proxy[16]; /* trusted_proxy, as http_address() makes it */
    bool log_text, notices_all, all_targets;
    bool check, make_keys, rotate_key, help, version; /* done instead of serving */
    unsigned log_interval_ms;
    unsigned workers;
    unsigned connections, connections_per_address;
    unsigned streams, streams_per_address, streams_per_player;
    unsigned report_ms_per_minute, reports_ms_per_minute;
    unsigned live_megabytes;
    unsigned stream_heartbeat_ms, stream_stall_ms, stream_lag_bytes;
    unsigned response_cache_bytes;
    unsigned retention_seconds;
    unsigned deadlines_ms;
    unsigned puzzles_hour;
    unsigned drain_ms;
    unsigned step_wait_ms;
    unsigned reads_per_minute, writes_per_minute, passwords_per_minute, guests_per_hour;
    unsigned mails_per_hour, smtp_timeout_ms, smtp_retry_ms;
    unsigned push_retry_ms;
    unsigned notices_ms;
};

/* Reads the environment and the arguments. False with a message on stderr if one of them is not
 * valid, or if no database is named although one is needed. */
bool config_read(struct configuration *configuration, int argc, char **argv);

/* Prints the settings, with their environment variables, ranges and defaults, on stdout. */
void config_print_usage(void);

#endif
