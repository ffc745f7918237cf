/* The service: data that all calls share. Created once in api/service_parts.c and passed down; no
 * other state outlives a request, and all of it except the keys can be discarded. */
#ifndef TILLROLL_API_REQUEST_SERVICE_H
#define TILLROLL_API_REQUEST_SERVICE_H

#include <stdbool.h>

#include "api/state/keys.h"
#include "db/link/db.h"
#include "engine/log/note.h"

struct change_bus;
struct channels;
struct component_cache;
struct db_pool;
struct dealer_list;
struct dealers;
struct event_cache;
struct files;
struct jobs;
struct key_watch;
struct limits;
struct listener;
struct mailer;
struct mail_channel;
struct game_cache;
struct metrics;
struct notices;
struct odds_cache;
struct replicas;
struct request_log;
struct sequencer;
struct server;
struct sessions;
struct shared_responses;
struct streams;
struct game_clocks;
struct deadlines;
struct puzzle_maker;
struct retention;
struct writer;

/* A writer of moves, with what its callback needs. */
struct moves_writer {
    struct service *service;
    struct writer *writer;
    unsigned added; /* moves added; loop thread only */
};

struct service {
    struct db_pool *pool;
    struct replicas *replicas; /* NULL = none is configured */
    struct keys keys;
    struct key_watch *key_watch; /* NULL = the keys were compared with the database at the start */
    size_t old_keys;             /* signing keys that were replaced, the newest first */
    uint8_t old_key[KEYS_OLD_MAX][32];
    struct note_key log_key;    /* the signing key under the transparency log's name */
    int64_t background_from_ms; /* start of delayed threads (db/link/thread.h); 0 = started */
    struct moves_writer writer[DB_PLACES_MAX + 1]; /* of the central, then of the line databases */
    size_t writer_count; /* by place (db/lines/line_databases.h); 1 without line databases */
    struct component_cache *component_cache;
    struct game_cache *game_cache;
    struct odds_cache *odds_cache;
    struct sessions *sessions;
    struct limits *limits;
    struct change_bus *change_bus;
    struct listener *listener;
    unsigned listener_number; /* the number of the service's listener */
    struct streams *streams;
    struct sequencer *sequencer;
    struct witness_policy *witness_policy; /* NULL = the log has no witnesses */
    struct witnesses *witnesses;           /* asks the witnesses; NULL without any */
    struct dealer_list *dealer_list;       /* NULL = no co-dealers are known */
    struct dealers *dealers;               /* asks the co-dealers; NULL without any */
    struct files *files;
    const char *site_address; /* https://club.example; NULL = not configured */
    struct shared_responses *reads;
    struct event_cache *event_cache;
    struct jobs *jobs;
    struct request_log *log;
    struct retention *retention;
    struct mailer *mailer;              /* NULL = this service sends no mail */
    struct mail_channel *mail_channel;  /* likewise */
    struct notices *notices;            /* NULL = this service sends no notices */
    const char *const *notice_channels; /* names of its channels, then NULL; NULL without notices */
    struct channels *channels;          /* web push and webhooks */
    struct game_clocks *game_clocks;
    struct deadlines *deadlines;
    struct puzzle_maker *puzzle_maker;
    struct metrics *metrics;
    bool metrics_apart; /* the metrics are on an address of their own */
    const char
        *audit_file; /* with the result of the last audit (api/watch/exposition.h), or NULL */
    struct server *server;
};

#endif
