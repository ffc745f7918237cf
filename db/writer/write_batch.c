#include "db/writer/write_batch.h"

#include <stdlib.h>
#include <string.h>

void write_list_add(struct write_list *list, struct write *write)
{
    write->next = NULL;
    if (list->first == NULL)
        list->first = write;
    else
        list->last->next = write;
    list->last = write;
    list->count++;
}

void write_list_move(struct write_list *to, struct write_list *from)
{
    if (from->first == NULL)
        return;
    if (to->first == NULL)
        to->first = from->first;
    else
        to->last->next = from->first;
    to->last = from->last;
    to->count += from->count;
    *from = (struct write_list){NULL, NULL, 0};
}

static struct write *take_first(struct write_list *list)
{
    struct write *write = list->first;
    list->first = write->next;
    list->count--;
    return write;
}

static int compare_games(const void *a, const void *b)
{
    const struct write *const *left = a;
    const struct write *const *right = b;
    return strcmp((*left)->game->text, (*right)->game->text);
}

void write_batch_fill(struct write_batch *batch, struct write_list *list)
{
    size_t rows = 0;
    batch->count = 0;
    while (list->count > 0 && batch->count < WRITER_ROWS_MAX &&
           (rows == 0 || rows + list->first->count <= WRITER_ROWS_MAX)) {
        batch->write[batch->count] = take_first(list);
        rows += batch->write[batch->count++]->count;
    }
    qsort(batch->write, batch->count, sizeof(struct write *), compare_games);
    for (size_t i = 0; i < batch->count; i++) {
        const struct write *write = batch->write[i];
        batch->piece[i] = (struct record_piece){write->game, write->rows, write->count};
    }
}

void write_batch_set(struct write_batch *batch, size_t first, size_t count, enum db_status status)
{
    for (size_t i = first; i < first + count; i++)
        batch->write[i]->status = status;
}

void write_batch_empty(struct write_batch *batch, struct write_list *list)
{
    for (size_t i = 0; i < batch->count; i++)
        write_list_add(list, batch->write[i]);
    batch->count = 0;
}
