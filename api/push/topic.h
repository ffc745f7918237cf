/* The subjects of streams: a game or a recording, with a broadcast for each kind of viewer; an
 * event; or all events (the transparency log), with one broadcast for all readers. Their messages
 * are made here, once each, from committed data:
 *
 *      game       number n: row n of the record. `entry`, and for the last row `end`
 *      event      number n: change n of the event. `log`, `game`, `standings`, `dispute` or
 *                 `recording`; after the closing change `end`, which has no number to resume from
 *      recording  number n: row n of the record can now be read. `rows`
 *      log        number n: leaf n - 1 (api/push/log_story.h); it never ends
 *
 * So a message is always the same, whichever process makes it and whenever, and a reader can resume
 * from any number at any process. At most one thread works on a topic at a time.
 */
#ifndef TILLROLL_API_PUSH_TOPIC_H
#define TILLROLL_API_PUSH_TOPIC_H

#include "api/http/broadcast.h"
#include "api/state/game_cache.h"
#include "db/link/db.h"

enum topic_kind { TOPIC_GAME, TOPIC_EVENT, TOPIC_RECORDING, TOPIC_LOG };

enum { TOPIC_FEEDS = 1 + GAME_SEATS_MAX }; /* the public view; that of each seat, or the table */

struct topic {
    enum topic_kind kind;
    struct id id;
    struct broadcast *broadcast[TOPIC_FEEDS];
    bool known;            /* the topic's position is loaded: */
    unsigned published;    /* the number of the last message */
    bool closed;           /* an event, after its closing change */
    bool over;             /* there will be no further messages */
    struct replay *replay; /* of a game, up to message `published` */
    struct game_row *late; /* a game shown with a delay to all but its players; otherwise NULL */
    unsigned shown;        /* of a game or a recording: the number of the last public message */
};

/* The data from which a topic's messages are made. */
struct topic_source {
    struct db *db; /* with an open transaction */
    struct arena *arena;
    const struct keys *keys;
    struct game_cache *game_cache;
};

void topic_init(struct topic *topic, enum topic_kind kind, const struct id *id,
                struct broadcasts *broadcasts);
void topic_free(struct topic *topic);

/* The broadcast for this viewer of a game (of a recording: seat 0 for all at its table), or for any
 * follower of an event. */
struct broadcast *topic_feed(const struct topic *topic, struct viewer viewer);

/* Makes messages of new rows or changes; the first time, finds the topic's position. Sets `more` if
 * there is more than one batch. If the database fails, nothing has been sent. If data is damaged,
 * all streams of the topic are ended. */
enum db_status topic_publish(struct topic *topic, const struct topic_source *source, bool *more);

/* Gives readers that are behind the next batch. Sets `more` if some are still behind. */
enum db_status topic_give(struct topic *topic, const struct topic_source *source, bool *more);

#endif
