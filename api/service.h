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
struct shared_reads;
struct timekeeper;
struct timers;
struct upkeep;

struct service {
    struct db_pool *pool;
    struct keys keys;
    struct note_key log_key; /* the signing key under the transparency log's name */
    struct writer *writer;
    struct live *live;
    struct sessions *sessions;
    struct limits *limits;
    struct changes *changes;
    struct listener *listener;
    struct streams *streams;
    struct sequencer *sequencer;
    struct files *files;
    struct shared_reads *reads;
    struct event_folds *folds;
    struct request_log *log;
    struct upkeep *upkeep;
    struct timekeeper *timekeeper;
    struct timers *timers;
};

#endif
