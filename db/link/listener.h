/* Receives changes made by other sessions of the database: a thread with its own connection that
 * LISTENs on channel `tillroll`. The triggers that send the notices are in the migrations (those of
 * the log are sent by db/store/log/tlog.c):
 *
 *      g <game> <seq>    the game's record has rows up to <seq>
 *      e <event>         something of the event has changed
 *      t <hash>          the token with this SHA-256 is no longer valid
 *      p <player>        the player's name has changed
 *      l                 the transparency log has new leaves
 *      a                 anything may have changed
 *
 * A notice is sent when its transaction is committed, to the sessions that listen at that moment.
 * So when the connection is lost, anything may have changed without notice: the listener reports
 * that, and reports again when it is listening again.
 *
 * A service's own moves are not notified as long as no other service listens. For that each
 * listener has a number, a row with it in the table of listeners, and a lock on it, by which others
 * see that it is alive; db/migrations/0028_hearing.sql has the rules.
 *
 * NOTIFY locks the whole cluster until its transaction is on disk. So the moves that the writer
 * commits (db/writer/writer.h) are notified afterwards, by listener_tell(), in transactions that
 * wait for no disk and take all that gathers in the meantime. A service may die between the two, so
 * each session that leaves the notice to its service is in a table of tellers, with a lock as
 * above. Listeners look for sessions that have gone without having told everything: every 3 s while
 * others hear, or else every 15 s. Whoever finds one tells everyone to look for everything.
 */
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
    /* `hears`: from now on nothing is missed; earlier changes may have been. Otherwise: since some
     * moment in the past, notices may have been missed. The two alternate, beginning with true. */
    void (*connected)(void *context, bool hears);
};

/* Starts the thread, which connects when it can and again whenever it must, waiting 0.1 s at first
 * and up to 5 s between attempts. `url` and `service` as for db_open(). `number`: one that no other
 * listener has, 1 .. 2^31 - 1. NULL if the system has no threads or descriptors left. */
struct listener *listener_new(const char *url, bool service, unsigned number,
                              const struct listener_callbacks *callbacks);

/* Listens again, as after a lost connection: something may have been committed, or be about to be,
 * without notice. From any thread. */
void listener_renew(struct listener *listener);

/* Notifies everyone, soon, of rows up to `seq`, which others than this process can see already.
 * From any thread; does not wait. */
void listener_tell(struct listener *listener, const struct id *game, unsigned seq);

/* Ends the thread, after it has told what it was to tell; nothing is called from then on. False if
 * it could not tell everything. NULL is fine. */
bool listener_free(struct listener *listener);

#endif
