#include "api/notices/making.h"

#include <stdlib.h>
#include <string.h>

#include "api/notices/notice.h"
#include "api/notices/turns.h"
#include "db/link/now.h"

enum { LEASE_MARGIN_MS = 5000 /* for the transactions before and after the delivery */ };

/* ---- Making notices from rows ---- */

/* A notice that is true and wanted, still without names. */
struct draft {
    struct taken_delivery *taken;
    const struct outbox_message *message;
    struct notice notice;
    int64_t left_ms; /* on the clock */
};

/* Sets `stands` if a notice of a turn or a clock is still true, and `left_ms` to the time left on
 * the clock. If the clock is not low yet, because it has stood still in the meantime, sets
 * `wait_ms` to the time until it is. */
static enum db_status check_turn(const struct making *making, const struct outbox_notice *row,
                                 const struct notice *notice, bool *stands, int64_t *left_ms,
                                 int64_t *wait_ms)
{
    struct record_result result;
    int64_t decided_at_ms;
    struct arena *arena = &making->batch->arena;
    const struct notices_config *config = making->config;
    if (*making->copy == NULL)
        *making->copy = turns_replay_new();
    const struct replay *replay = turns_replay(config->game_cache, config->keys, making->db, arena,
                                               &notice->game, *making->copy, &result);
    *stands = false;
    if (replay == NULL)
        return result.status == STORED_RECORD_DATABASE ? result.database : DB_OK;
    unsigned seat = (unsigned)notice->seat;
    if (seat >= replay->header.seats || (replay_awaits(replay) >> seat & 1) == 0 ||
        strcmp(replay->header.seat[seat].player, row->message.player.text) != 0)
        return DB_OK;
    *stands = true;
    if (replay_simultaneous(replay) != 0) {
        enum db_status status = sealed_move_time(
            making->db, &notice->game, replay_decision_number(replay), seat, &decided_at_ms);
        *stands = status == DB_NONE;
        if (status != DB_OK && status != DB_NONE)
            return status;
    }
    *left_ms = turns_left_ms(replay, seat, now_ms(CLOCK_REALTIME));
    if (strcmp(notice->kind, NOTICE_CLOCK_LOW) != 0)
        return DB_OK;
    int64_t low_ms = turns_low_ms(replay);
    *wait_ms = *left_ms > low_ms ? *left_ms - low_ms : 0;
    *stands = *stands && *left_ms >= 0 && low_ms > 0;
    return DB_OK;
}

/* Sets `stands` if the notice is still true. `left_ms` and `wait_ms`: see check_turn(). */
static enum db_status check(const struct making *making, const struct outbox_notice *row,
                            const struct notice *notice, bool *stands, int64_t *left_ms,
                            int64_t *wait_ms)
{
    const struct id *player = &row->message.player;
    if (strcmp(notice->kind, NOTICE_YOUR_TURN) == 0 || strcmp(notice->kind, NOTICE_CLOCK_LOW) == 0)
        return check_turn(making, row, notice, stands, left_ms, wait_ms);
    if (strcmp(notice->kind, NOTICE_CHALLENGE) == 0)
        return notice_challenge_holds(making->db, &notice->event, &notice->by, player, stands);
    return notice->office ? notice_office_holds(making->db, &notice->dispute, player, stands)
                          : DB_OK;
}

/* Makes a draft of a row, or ends, postpones or drops the row. */
static enum db_status draft_row(struct making *making, struct taken_delivery *taken,
                                const struct outbox_notice *row)
{
    struct arena *arena = &making->batch->arena;
    struct draft *draft = &making->drafts[making->draft_count];
    int64_t wait_ms = 0;
    if (row->message.late) {
        making->failed++;
        return outbox_end(making->db, &row->message, outbox_give_up_reason(arena, &row->message));
    }
    *draft = (struct draft){.taken = taken, .message = &row->message};
    bool good = row->wanted && notice_read(arena, row, &draft->notice);
    enum db_status status = DB_OK;
    if (good)
        status = check(making, row, &draft->notice, &good, &draft->left_ms, &wait_ms);
    if (status != DB_OK)
        return status;
    if (!good)
        making->over[making->over_count++] = &row->message;
    else if (wait_ms > 0)
        return outbox_postpone(making->db, &row->message, wait_ms);
    else
        making->draft_count++;
    return DB_OK;
}

/* Reads the names for all drafts, and writes their texts. */
static enum db_status write_drafts(struct making *making)
{
    struct arena *arena = &making->batch->arena;
    struct notice_names *names = NULL;
    struct notice_subject *subjects = arena_array(arena, making->draft_count, sizeof *subjects);
    for (size_t i = 0; i < making->draft_count; i++) {
        const struct notice *notice = &making->drafts[i].notice;
        subjects[i] = (struct notice_subject){making->drafts[i].message->player, notice->event,
                                              notice->game, notice->lobby_table, notice->by};
    }
    enum db_status status = DB_OK;
    if (making->draft_count > 0)
        status = notice_names_get(making->db, arena, subjects, making->draft_count, &names);
    for (size_t i = 0; i < making->draft_count && status == DB_OK; i++) {
        struct draft *draft = &making->drafts[i];
        struct notice_delivery *delivery = &draft->taken->delivery;
        if (names[i].player == NULL ||
            !notice_write(arena, &names[i], draft->message->language, making->config->site,
                          draft->left_ms, &draft->notice)) {
            making->over[making->over_count++] = draft->message;
            continue;
        }
        delivery->player_name = names[i].player;
        draft->taken->notices[delivery->count] = draft->notice;
        draft->taken->rows[delivery->count++] = draft->message;
    }
    return status;
}

static int compare_age(const void *a, const void *b)
{
    const struct outbox_message *one = &((const struct outbox_notice *)a)->message;
    const struct outbox_message *other = &((const struct outbox_notice *)b)->message;
    if (one->created_at_ms != other->created_at_ms)
        return one->created_at_ms < other->created_at_ms ? -1 : 1;
    return strcmp(one->id.text, other->id.text);
}

/* ---- Taking ---- */

unsigned making_lease_ms(const struct notice_channel *channel)
{
    return channel->timeout_ms + MAKING_STALE_MS + LEASE_MARGIN_MS;
}

/* Makes a delivery of a row that was taken; for a digest, also takes the other rows that belong to
 * it. */
static enum db_status add_hand(struct making *making, struct outbox_notice *row)
{
    struct arena *arena = &making->batch->arena;
    const struct outbox_message *message = &row->message;
    enum db_status status = DB_OK;
    if (!message->late && row->wanted && row->later_by_ms > 0)
        return outbox_postpone(making->db, message, row->later_by_ms);
    struct taken_delivery *taken = arena_take(arena, sizeof *taken);
    *taken = (struct taken_delivery){
        .batch = making->batch,
        .first = row,
        .first_count = 1,
        .delivery = {.id = row->bundle.text[0] == '\0' ? message->id : row->bundle,
                     .player = message->player,
                     .target = row->target,
                     .language = message->language,
                     .digest = row->digest,
                     .attempts = message->attempts}};
    if (row->digest)
        status = outbox_take_bundle(making->db, arena, row, making_lease_ms(making->channel),
                                    NOTICE_BUNDLE_MAX, &taken->first, &taken->first_count);
    if (status != DB_OK)
        return status;
    qsort(taken->first, taken->first_count, sizeof *taken->first, compare_age);
    taken->notices = arena_array(arena, taken->first_count, sizeof *taken->notices);
    taken->rows = arena_array(arena, taken->first_count, sizeof(struct outbox_message *));
    taken->delivery.notices = taken->notices;
    making->taken[making->count++] = taken;
    return DB_OK;
}

/* Drops deliveries without notices, and those whose targets are gone. */
static enum db_status find_targets(struct making *making)
{
    const struct notice_channel *channel = making->channel;
    struct arena *arena = &making->batch->arena;
    const struct notice_delivery **deliveries =
        arena_array(arena, making->count, sizeof(struct notice_delivery *));
    void **targets = arena_array(arena, making->count, sizeof(void *));
    size_t count = 0;
    enum db_status status = DB_OK;
    for (size_t i = 0; i < making->count; i++)
        if (making->taken[i]->delivery.count > 0)
            making->taken[count++] = making->taken[i];
    making->count = count;
    for (size_t i = 0; i < count; i++)
        deliveries[i] = &making->taken[i]->delivery;
    if (count > 0 && channel->find != NULL)
        status = channel->find(channel->context, making->db, arena, deliveries, count, targets);
    making->count = 0;
    for (size_t i = 0; i < count && status == DB_OK; i++) {
        struct taken_delivery *taken = making->taken[i];
        taken->target = targets[i];
        if (taken->target != NULL || channel->find == NULL) {
            making->taken[making->count++] = taken;
            continue;
        }
        making->dropped += taken->delivery.count;
        status = outbox_drop_target(making->db, channel->name, &taken->delivery.player,
                                    &taken->delivery.target);
    }
    return status;
}

enum db_status making_add(struct making *making, struct outbox_notice *rows, size_t count)
{
    struct arena *arena = &making->batch->arena;
    size_t total = 0;
    enum db_status status = DB_OK;
    making->taken = arena_array(arena, count, sizeof(struct taken_delivery *));
    for (size_t i = 0; i < count && status == DB_OK; i++)
        status = add_hand(making, &rows[i]);
    for (size_t i = 0; i < making->count; i++)
        total += making->taken[i]->first_count;
    making->drafts = arena_array(arena, total + 1, sizeof *making->drafts);
    making->over = arena_array(arena, total, sizeof(struct outbox_message *));
    for (size_t i = 0; i < making->count; i++)
        for (size_t k = 0; k < making->taken[i]->first_count && status == DB_OK; k++)
            status = draft_row(making, making->taken[i], &making->taken[i]->first[k]);
    if (status == DB_OK)
        status = write_drafts(making);
    if (status == DB_OK)
        status = outbox_drop(making->db, making->over, making->over_count);
    if (status == DB_OK)
        status = find_targets(making);
    return status;
}

enum db_status making_take(struct making *making, size_t limit, size_t *found)
{
    struct outbox_notice *rows = NULL;
    enum db_status status =
        outbox_take_notices(making->db, &making->batch->arena, making->channel->name,
                            making_lease_ms(making->channel), limit, &rows, found);
    return status == DB_OK ? making_add(making, rows, *found) : status;
}

/* ---- Batches ---- */

struct batch *batch_new(void)
{
    return must(calloc(1, sizeof(struct batch)));
}

void batch_free(struct batch *batch)
{
    arena_free(&batch->arena);
    free(batch);
}
