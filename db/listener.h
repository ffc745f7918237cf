/* Hears what other sessions of the database have changed: a thread with a connection of its own
 * that LISTENs on channel `tillroll`. The triggers that send the notices stand in the migrations
 * (of the log, db/tlog.c sends them):
 *
 *      g <game> <seq>    the game's record has rows up to <seq>
 *      e <event>         something of the event has changed
 *      t <hash>          the token with this SHA-256 is no longer good
 *      p <player>        the player has another name
 *      l                 the transparency log has new leaves
 *
 * A notice is sent when the transaction that it speaks of is committed, to those who listen at that
 * moment. So when the connection is lost, everything may have changed unheard: the listener says
 * so, and says again when it hears anew.
 *
 * Of a service's own moves nobody is told as long as nobody else hears. For that each listener has
 * a number, stands with it in the table of those who hear, and holds a lock on it, by which others
 * see that it is there; db/migrations/0028_hearing.sql has the rules.
 */
#ifndef TILLROLL_DB_LISTENER_H
#define TILLROLL_DB_LISTENER_H

#include "db/db.h"

struct listener;

/* Called on the listener's thread, one at a time; must not block for long. */
struct listener_ears {
    void *context;
    void (*game)(void *context, const struct id *game, unsigned seq);
    void (*event)(void *context, const struct id *event);
    void (*token)(void *context, const uint8_t hash[static 32]);
    void (*player)(void *context, const struct id *player);
    void (*log)(void *context);
    /* `hears`: from now on nothing is missed; what changed before may have been. Otherwise: from
     * some moment in the past on, nothing was heard. Neither comes twice running; the first is that
     * it hears. */
    void (*connected)(void *context, bool hears);
};

/* Starts the thread, which connects when it can and again whenever it must, waiting 0.1 s at first
 * and up to 5 s between attempts. `url` and `service` as for db_open(). `number`: one that no other
 * listener has, 1 .. 2^31 - 1. NULL if the system has no threads or descriptors left. */
struct listener *listener_new(const char *url, bool service, unsigned number,
                              const struct listener_ears *ears);

/* Hears anew, as after a lost connection: something may have been committed, or be about to be, of
 * which nobody was told. From any thread. */
void listener_renew(struct listener *listener);

/* Ends the thread; nothing is called from then on. NULL is fine. */
void listener_free(struct listener *listener);

#endif
