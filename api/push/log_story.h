/* The transparency log told to those who follow it: what happened in all events, in one order that
 * everybody sees the same.
 *
 * Numbers that transactions take for themselves do not make one: who took the lower one may commit
 * later, and somebody who has read past it never sees it. The log has the order already. What
 * happens is queued in the transaction that makes it so; one service at a time, by the log's lock,
 * takes what it can see into the tree, and what was committed too late to be seen comes after it
 * (api/push/sequencer.h). So leaves are committed in the order of their numbers, without gaps, the
 * same at every service, and message n is leaf n - 1 for ever: it holds nothing that can change.
 */
#ifndef TILLROLL_API_PUSH_LOG_STORY_H
#define TILLROLL_API_PUSH_LOG_STORY_H

#include "api/push/stream_message.h"
#include "db/link/db.h"
#include "db/store/log/tlog.h"

struct log_story {
    struct tlog_entry *entries; /* in order of their numbers */
    size_t count;
    struct tlog_game *games; /* that they are about, in order of their ids */
    size_t game_count;
    struct tlog_dispute *disputes;
    size_t dispute_count;
};

/* Reads `limit` leaves from `first` on, or as many as there are. What the story holds is in the
 * arena. */
enum db_status log_story_read(struct db *db, struct arena *arena, uint64_t first, size_t limit,
                              struct log_story *story);

/* Adds the message of its entry `at`. False if that is no leaf: the database is damaged. */
bool log_story_tell(const struct log_story *story, size_t at, struct stream_piece *piece);

#endif
