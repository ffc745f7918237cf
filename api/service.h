/* The service: what all calls share. Made once in api/main.c and passed down; there is no other
 * state that outlives a request, and all of it can be thrown away but the keys.
 */
#ifndef TILLROLL_API_SERVICE_H
#define TILLROLL_API_SERVICE_H

#include "api/changes.h"
#include "api/files.h"
#include "api/keys.h"
#include "api/limits.h"
#include "api/live.h"
#include "api/request_log.h"
#include "api/sequencer.h"
#include "api/sessions.h"
#include "api/streams.h"
#include "db/db.h"
#include "db/writer.h"

struct event_folds;
struct metrics;
struct replicas;
struct server;
struct shared_reads;
struct timekeeper;
struct timers;
struct upkeep;

struct service {
    struct db_pool *pool;
    struct replicas *replicas; /* NULL = none is configured */
    struct keys keys;
    struct note_key log_key; /* the signing key under the transparency log's name */
    struct writer *writer;
    struct live *live;
    struct sessions *sessions;
    struct limits *limits;
    struct changes *changes;
    struct listener *listener;
    unsigned hearer; /* its number */
    struct streams *streams;
    struct sequencer *sequencer;
    struct files *files;
    struct shared_reads *reads;
    struct event_folds *folds;
    struct request_log *log;
    struct upkeep *upkeep;
    struct timekeeper *timekeeper;
    struct timers *timers;
    struct metrics *metrics;
    bool metrics_apart;     /* they are on an address of their own */
    const char *audit_file; /* with the result of the last audit (api/audit_result.h), or NULL */
    struct server *server;
};

#endif
