/* Receives changes made by other sessions of the database: a thread with its own connection that
 * LISTENs on channel `tillroll`. Triggers in the migrations send the notices (db/store/log/tlog.c
 * sends those of the log):
 *
 *      g <game> <seq>    the game's record has rows up to <seq>
 *      e <event>         something about the event has changed
 *      t <hash>          the token with this SHA-256 is no longer valid
 *      p <player>        the player's name has changed
 *      l                 the transparency log has new leaves
 *      a                 anything may have changed
 *
 * A notice is sent when its transaction is committed, to the sessions that listen at that moment.
 * So when the connection is lost, anything may have changed without notice: the listener reports
 * the loss, and reports again when it is listening again.
 *
 * A service's own moves are not notified as long as no other service listens. To make this known,
 * each listener has a number, a row with it in the table of listeners, and a lock on the number
 * that shows others that it is alive; db/migrations/0028_hearing.sql has the rules.
 *
 * NOTIFY locks the whole cluster until its transaction is on disk. So the moves that the writer
 * commits (db/writer/writer.h) are notified afterwards, by listener_notify(), in transactions that
 * wait for no disk and cover everything collected in the meantime. A service may die in between, so
 * each session whose service notifies afterwards is in a table of tellers, with a lock as above.
 * Listeners look for such sessions that have ended before everything was notified: every 3 s while
 * other listeners exist, otherwise every 15 s. A listener that finds one notifies all listeners
 * that anything may have changed. */
#ifndef TILLROLL_DB_LINK_LISTENER_H
#define TILLROLL_DB_LINK_LISTENER_H

#include "db/link/db.h"

struct listener;

/* Called on the listener's thread, one at a time; must not block for long. */
struct listener_callbacks {
    void *context;
    void (*game)(void *context, const struct id *game, unsigned seq);
    void (*event)(void *context, const struct id *event);
    void (*token)(void *context, const uint8_t hash[static 32]);
    void (*player)(void *context, const struct id *player);
    void (*log)(void *context);
    /* Reports whether the listener is connected. `hears` true: nothing is missed from now on;
     * earlier changes may have been missed. False: notices may have been missed since some moment
     * in the past. The two alternate, beginning with true. */
    void (*connected)(void *context, bool hears);
};

/* Starts the thread, which connects, and reconnects whenever necessary, waiting 0.1 s at first and
 * up to 5 s between attempts. `url` and `service` as for db_open(). `number`: 1 .. 2^31 - 1, unique
 * among listeners. NULL if the system has no threads or descriptors left. */
struct listener *listener_new(const char *url, bool service, unsigned number,
                              const struct listener_callbacks *callbacks);

/* Reconnects and reports it, as after a lost connection: a change may have been committed, or may
 * soon be, without notice. Any thread. */
void listener_renew(struct listener *listener);

/* Notifies all listeners, soon, of rows up to `seq` that other processes can already see. Does not
 * wait. Any thread. */
void listener_notify(struct listener *listener, const struct id *game, unsigned seq);

/* Ends the thread after it has sent its pending notices; no callback is called after that. False if
 * it could not send all. NULL is fine. */
bool listener_free(struct listener *listener);

#endif
