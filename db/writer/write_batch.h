/* Inside db/ only: queues of writes (db/writer/write.h), and batches of writes for one
 * transaction. */
#ifndef TILLROLL_DB_WRITER_WRITE_BATCH_H
#define TILLROLL_DB_WRITER_WRITE_BATCH_H

#include "db/link/db.h"
#include "db/writer/write.h"

/* A queue of writes, linked by `next`. */
struct write_list {
    struct write *first, *last;
    size_t count;
};

void write_list_add(struct write_list *list, struct write *write);

/* Appends all of `from`, which is empty afterwards. */
void write_list_move(struct write_list *to, struct write_list *from);

/* The writes of one transaction, also as pieces of records. They are in the order of their games'
 * ids: two processes that write the same games then wait for each other instead of deadlocking. */
struct write_batch {
    size_t count;
    struct write *write[WRITER_ROWS_MAX];
    struct record_piece piece[WRITER_ROWS_MAX];
};

/* Takes writes off the front of `list`, as many as fit in one transaction. */
void write_batch_fill(struct write_batch *batch, struct write_list *list);

/* Sets the status of writes first .. first + count - 1. */
void write_batch_set(struct write_batch *batch, size_t first, size_t count, enum db_status status);

/* Appends all writes to `list`; the batch is empty afterwards. */
void write_batch_empty(struct write_batch *batch, struct write_list *list);

#endif
