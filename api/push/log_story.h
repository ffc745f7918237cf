/* The transparency log as messages: the changes of all events, in one order that is the same for
 * every reader.
 *
 * Sequence numbers taken inside transactions cannot give that order: a transaction with a lower
 * number may commit later, and a reader who is already past it would miss it. The log's order
 * has no such gaps. Leaves are queued in the transaction that causes them; one service at a
 * time, holding the log's lock, adds the visible ones to the tree; those committed later come
 * after them (api/push/sequencer.h). So leaves are committed in the order of their numbers,
 * without gaps, and message n is always leaf n - 1: it contains nothing that can change. */
#ifndef TILLROLL_API_PUSH_LOG_STORY_H
#define TILLROLL_API_PUSH_LOG_STORY_H

#include "api/push/stream_message.h"
#include "db/link/db.h"
#include "db/store/log/tlog.h"

struct log_story {
    struct tlog_entry *entries; /* in order of their numbers */
    size_t count;
    struct tlog_game *games; /* the games of the entries, sorted by id */
    size_t game_count;
    struct tlog_dispute *disputes;
    size_t dispute_count;
};

/* Reads `limit` leaves starting at `first`, or as many as exist. The result is in the arena. */
enum db_status log_story_read(struct db *db, struct arena *arena, uint64_t first, size_t limit,
                              struct log_story *story);

/* Adds the message of entry `at`. False if it is not a valid leaf: the database is damaged. */
bool log_story_add(const struct log_story *story, size_t at, struct growing *piece);

#endif
