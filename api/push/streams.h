/* Streams: which clients follow which game, recording or event, and the thread that sends them
 * changes.
 *
 *      changes (api/state/change_bus.h) ──> topic followed? ──> publisher: rows, as messages, once
 *                                           one look-up            │    for all
 *      loop <── eventfd <── broadcasts <───────────────────────────┘
 *
 * The publisher is one thread with a connection of its own. It handles all changes that have come
 * in the meantime together, so it keeps up however fast moves come. A change that nobody follows
 * costs a look-up in a table. New changes come before messages for readers that must catch up.
 */
#ifndef TILLROLL_API_PUSH_STREAMS_H
#define TILLROLL_API_PUSH_STREAMS_H

#include "api/http/broadcast.h"
#include "api/state/change_bus.h"
#include "api/state/game_cache.h"

struct streams_config {
    const char *database; /* as for db_open() */
    const struct keys *keys;
    struct game_cache *game_cache;
    /* The limit of simultaneous streams: at most half of them for clients that are not signed
     * in, and 7 of 8 for all but players following their own running games, so that other
     * clients cannot displace players. */
    unsigned most;
    unsigned per_address_most; /* per address, as grouped by http_peer() */
    unsigned per_player_most;  /* per player, from all addresses */
};

struct streams;

/* Starts the publisher. `config` is copied, but not what it points to. NULL if the system has no
 * threads or descriptors left. */
struct streams *streams_new(const struct streams_config *config);

/* Call it when all streams are closed. NULL is fine. */
void streams_free(struct streams *streams);

/* The broadcasts, for the server, which sends them. */
struct broadcasts *streams_feeds(const struct streams *streams);

/* Receives announced changes. */
struct change_bus_subscriber streams_subscriber(struct streams *streams);

/* The reader. The stream ends when the token is revoked or expires. */
struct stream_client {
    uint8_t peer[16];
    const uint8_t *token_hash; /* of 32 bytes, or NULL: not signed in */
    const struct id *player;   /* the token's owner, or NULL */
    bool plays;                /* in the running game to be followed */
    unsigned seated_at; /* for a seat: the game's last row when the caller was found to hold it; a
                           substitution ends the stream */
};

enum streams_refusal { STREAMS_OK, STREAMS_FULL, STREAMS_ADDRESS_FULL, STREAMS_PLAYER_FULL };

/* Starts a stream of the messages after `after` (api/push/topic.h). The caller has checked that
 * the game, event or recording exists and that the viewer may see it. `at_table`: the viewer is the
 * scorer or sits at the table (api/event/recording_view.h). End the reader with broadcast_close().
 * Any thread. */
enum streams_refusal streams_game(struct streams *streams, const struct id *game,
                                  struct viewer viewer, unsigned after,
                                  const struct stream_client *client,
                                  struct broadcast_reader **reader);
enum streams_refusal streams_event(struct streams *streams, const struct id *event, unsigned after,
                                   const struct stream_client *client,
                                   struct broadcast_reader **reader);
enum streams_refusal streams_recording(struct streams *streams, const struct id *recording,
                                       bool at_table, unsigned after,
                                       const struct stream_client *client,
                                       struct broadcast_reader **reader);
enum streams_refusal streams_log(struct streams *streams, unsigned after,
                                 const struct stream_client *client,
                                 struct broadcast_reader **reader);

/* The number of this process's streams of the game, excluding its players. Any thread. */
unsigned streams_watching(struct streams *streams, const struct id *game);

#endif
