#include "engine/record/dispute.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static const char *const states[DISPUTE_STATES] = {"open", "frozen", "ruled", "appealed", "closed"};
static const char *const kinds[DISPUTE_KINDS] = {"opened",   "frozen",    "resumed", "ruled",
                                                 "appealed", "withdrawn", "closed"};
static const char *const orders_by_name[DISPUTE_ORDER_KINDS] = {
    "adjust", "forfeit", "replay", "stands", "takeback", "upheld", "void"};
static const char *const claims[] = {"illegal-move", "rules",      "clock",
                                     "misclick",     "connection", "conduct",
                                     "collusion",    "result",     "other"};

const char *dispute_state_name(enum dispute_state state)
{
    return states[state];
}

const char *dispute_order_name(enum dispute_order_kind kind)
{
    return orders_by_name[kind];
}

const char *dispute_claim(size_t i)
{
    return i < sizeof claims / sizeof claims[0] ? claims[i] : NULL;
}

bool dispute_is_logged(enum dispute_state before, enum dispute_state after)
{
    return before != after && (after == DISPUTE_RULED || after == DISPUTE_CLOSED);
}

/* The index of a word, or -1. */
static int find(const char *const *words, int count, const char *word)
{
    for (int i = 0; word != NULL && i < count; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

/* ---- Fields of a step ---- */

static bool bad_step(struct refusal *refusal, const char *message)
{
    return refuse(refusal, DISPUTE_REFUSAL_STEP, message);
}

static bool has_members(const json_t *detail, size_t count)
{
    return json_is_object(detail) && json_object_size(detail) == count;
}

static const char *text_of(const json_t *detail, const char *name)
{
    return json_string_value(json_object_get(detail, name));
}

static bool is_written(const json_t *detail, const char *name)
{
    const json_t *text = json_object_get(detail, name);
    return json_is_string(text) && json_string_length(text) > 0 &&
           json_string_length(text) <= DISPUTE_TEXT_MAX;
}

static bool copy_id(const char *id, char to[static RECORD_ID_LENGTH + 1])
{
    if (id == NULL || !record_is_id(span_of(id)))
        return false;
    memcpy(to, id, RECORD_ID_LENGTH + 1);
    return true;
}

static bool is_whole(const json_t *value, json_int_t least, json_int_t most)
{
    return json_is_integer(value) && json_integer_value(value) >= least &&
           json_integer_value(value) <= most;
}

/* ---- Orders ---- */

static bool stands_alone(enum dispute_order_kind kind)
{
    return kind == DISPUTE_REPLAY || kind == DISPUTE_STANDS || kind == DISPUTE_UPHELD ||
           kind == DISPUTE_VOID;
}

static bool read_order(const json_t *object, unsigned seats, struct dispute_order *order)
{
    int kind = find(orders_by_name, DISPUTE_ORDER_KINDS, text_of(object, "order"));
    const json_t *seat = json_object_get(object, "seat");
    const json_t *points = json_object_get(object, "points");
    const json_t *entry = json_object_get(object, "entry");
    *order = (struct dispute_order){.kind = (enum dispute_order_kind)kind,
                                    .seat = (unsigned)json_integer_value(seat),
                                    .points = (int32_t)json_integer_value(points),
                                    .entry = (uint32_t)json_integer_value(entry)};
    switch (kind) {
    case DISPUTE_ADJUST:
        return has_members(object, 3) && is_whole(seat, 0, (json_int_t)seats - 1) &&
               is_whole(points, -RECORD_POINTS_MAX, RECORD_POINTS_MAX) && order->points != 0;
    case DISPUTE_FORFEIT:
        return has_members(object, 2) && is_whole(seat, 0, (json_int_t)seats - 1);
    case DISPUTE_TAKEBACK:
        return has_members(object, 2) && is_whole(entry, 1, RECORD_LINES_MAX);
    case -1:
        return false;
    default:
        return has_members(object, 1);
    }
}

bool dispute_read_orders(const json_t *list, unsigned seats, bool appeal,
                         struct dispute_order orders[static DISPUTE_ORDERS_MAX], size_t *count,
                         const char **message)
{
    *count = json_array_size(list);
    *message = "must be a list of 1 to 6 orders.";
    if (*count < 1 || *count > DISPUTE_ORDERS_MAX)
        return false;
    for (size_t i = 0; i < *count; i++) {
        *message = "has an unknown order; use {order: stands}, {order: takeback, entry}, "
                   "{order: adjust, seat, points}, {order: forfeit, seat}, {order: replay}, "
                   "{order: void}; and on an appeal {order: upheld}.";
        if (!read_order(json_array_get(list, i), seats, &orders[i]) ||
            (orders[i].kind == DISPUTE_UPHELD && !appeal))
            return false;
        *message = "combines an order that must stand alone, or has a take-back that is not "
                   "the first.";
        if ((*count > 1 && stands_alone(orders[i].kind)) ||
            (i > 0 && orders[i].kind == DISPUTE_TAKEBACK))
            return false;
    }
    return true;
}

json_t *dispute_write_orders(const struct dispute_order *orders, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct dispute_order *order = &orders[i];
        json_t *object = json_pack("{s:s}", "order", dispute_order_name(order->kind));
        if (order->kind == DISPUTE_ADJUST || order->kind == DISPUTE_FORFEIT)
            json_object_set_new(object, "seat", json_integer(order->seat));
        if (order->kind == DISPUTE_ADJUST)
            json_object_set_new(object, "points", json_integer(order->points));
        if (order->kind == DISPUTE_TAKEBACK)
            json_object_set_new(object, "entry", json_integer(order->entry));
        json_array_append_new(list, object);
    }
    return list;
}

/* ---- Steps ---- */

/* A step being applied to a copy of the dispute. */
struct taking {
    struct dispute *dispute;
    const struct dispute_step *step;
    struct refusal *refusal;
};

static bool not_now(struct taking *taking, const char *message)
{
    return refuse(taking->refusal, DISPUTE_REFUSAL_STATE, message);
}

static bool is_actor(const struct taking *taking, const char *id)
{
    return strcmp(taking->step->actor, id) == 0;
}

bool dispute_is_player(const struct dispute *dispute, const char *player)
{
    for (unsigned i = 0; i < dispute->players; i++)
        if (strcmp(dispute->player[i], player) == 0)
            return true;
    return false;
}

static bool is_official(struct taking *taking)
{
    return !dispute_is_player(taking->dispute, taking->step->actor) ||
           refuse(taking->refusal, DISPUTE_REFUSAL_PARTY,
                  "Players of this game may not decide a dispute about it.");
}

static bool read_players(struct dispute *dispute, const json_t *list)
{
    size_t count = json_array_size(list);
    if (count < 1 || count > GAME_SEATS_MAX)
        return false;
    dispute->players = (unsigned)count;
    for (size_t i = 0; i < count; i++)
        if (!copy_id(json_string_value(json_array_get(list, i)), dispute->player[i]))
            return false;
    return true;
}

static bool take_opened(struct taking *taking)
{
    struct dispute *dispute = taking->dispute;
    const json_t *detail = taking->step->detail;
    const json_t *event = json_object_get(detail, "event");
    const json_t *entry = json_object_get(detail, "entry");
    int claim = find(claims, sizeof claims / sizeof claims[0], text_of(detail, "claim"));
    if (taking->step->number != 1)
        return not_now(taking, "The dispute is open already.");
    if (!has_members(detail, 6) || claim < 0 || !is_written(detail, "text") ||
        !is_whole(entry, 0, RECORD_LINES_MAX) || !copy_id(text_of(detail, "game"), dispute->game) ||
        !(json_is_null(event) || copy_id(json_string_value(event), dispute->event)) ||
        !read_players(dispute, json_object_get(detail, "players")))
        return bad_step(taking->refusal, "The step that opens a dispute is incomplete.");
    struct text name = TEXT_OVER(dispute->claim);
    text_add(&name, claims[claim]);
    dispute->entry = (uint32_t)json_integer_value(entry);
    memcpy(dispute->opener, taking->step->actor, sizeof dispute->opener);
    dispute->state = DISPUTE_OPEN;
    return true;
}

static bool take_frozen(struct taking *taking)
{
    struct dispute *dispute = taking->dispute;
    if (dispute->frozen || (dispute->state != DISPUTE_OPEN && dispute->state != DISPUTE_APPEALED))
        return not_now(taking, "A game can only be frozen for a dispute that is open or appealed.");
    if (!is_official(taking))
        return false;
    dispute->frozen = true;
    if (dispute->state == DISPUTE_OPEN)
        dispute->state = DISPUTE_FROZEN;
    return true;
}

/* The game continues; a dispute without a ruling is open again. */
static void thaw(struct dispute *dispute)
{
    dispute->frozen = false;
    if (dispute->state == DISPUTE_FROZEN)
        dispute->state = DISPUTE_OPEN;
}

static bool take_resumed(struct taking *taking)
{
    if (!taking->dispute->frozen)
        return not_now(taking, "The game is not frozen for this dispute.");
    if (!is_official(taking))
        return false;
    thaw(taking->dispute);
    return true;
}

static bool may_rule(struct taking *taking)
{
    const struct dispute *dispute = taking->dispute;
    if (dispute->state == DISPUTE_RULED || dispute->state == DISPUTE_CLOSED)
        return not_now(taking, "The dispute already has a ruling, or it is closed.");
    if (!is_official(taking))
        return false;
    if (dispute->state != DISPUTE_APPEALED)
        return true;
    if (is_actor(taking, dispute->arbiter))
        return refuse(taking->refusal, DISPUTE_REFUSAL_ARBITER,
                      "An appeal must be decided by another arbiter than the first ruling.");
    return !(is_actor(taking, dispute->opener) || is_actor(taking, dispute->appellant)) ||
           refuse(taking->refusal, DISPUTE_REFUSAL_PARTY,
                  "Neither the opener of the dispute nor the appellant may decide the appeal.");
}

/* `replayed_as` names the replacement game, if there is one. */
static bool is_ruling(const struct taking *taking, bool appeal)
{
    struct dispute_order orders[DISPUTE_ORDERS_MAX];
    size_t count;
    const char *message;
    const json_t *detail = taking->step->detail;
    const char *code = text_of(detail, "code");
    const json_t *other = json_object_get(detail, "replayed_as");
    char id[RECORD_ID_LENGTH + 1];
    return has_members(detail, other == NULL ? 5 : 6) && code != NULL &&
           record_is_code(span_of(code)) && is_written(detail, "reason") &&
           json_is_boolean(json_object_get(detail, "resumed")) &&
           is_whole(json_object_get(detail, "appeal_until"), 0, INT64_C(1) << 52) &&
           (other == NULL || copy_id(json_string_value(other), id)) &&
           dispute_read_orders(json_object_get(detail, "orders"), GAME_SEATS_MAX, appeal, orders,
                               &count, &message);
}

static bool take_ruled(struct taking *taking)
{
    struct dispute *dispute = taking->dispute;
    bool appeal = dispute->state == DISPUTE_APPEALED;
    bool resumed = json_is_true(json_object_get(taking->step->detail, "resumed"));
    if (!may_rule(taking))
        return false;
    if (!is_ruling(taking, appeal))
        return bad_step(taking->refusal, "The step with the ruling is incomplete.");
    if (appeal && !resumed && dispute->frozen)
        return bad_step(taking->refusal, "After the ruling on an appeal, the game must resume.");
    if (resumed)
        dispute->frozen = false;
    if (appeal) {
        dispute->state = DISPUTE_CLOSED;
        return true;
    }
    dispute->state = DISPUTE_RULED;
    memcpy(dispute->arbiter, taking->step->actor, sizeof dispute->arbiter);
    dispute->appeal_until_ms =
        json_integer_value(json_object_get(taking->step->detail, "appeal_until"));
    return true;
}

static bool take_appealed(struct taking *taking)
{
    struct dispute *dispute = taking->dispute;
    if (dispute->state != DISPUTE_RULED)
        return not_now(taking, "Only a first ruling can be appealed, and only once.");
    if (!is_written(taking->step->detail, "text") || !has_members(taking->step->detail, 1))
        return bad_step(taking->refusal, "The step with the appeal is incomplete.");
    if (!is_actor(taking, dispute->opener) && !dispute_is_player(dispute, taking->step->actor))
        return refuse(taking->refusal, DISPUTE_REFUSAL_STRANGER,
                      "Only the players and the opener of the dispute may appeal.");
    if (taking->step->at_ms > dispute->appeal_until_ms)
        return refuse(taking->refusal, DISPUTE_REFUSAL_LATE, "The time to appeal is over.");
    memcpy(dispute->appellant, taking->step->actor, sizeof dispute->appellant);
    dispute->state = DISPUTE_APPEALED;
    return true;
}

static bool take_withdrawn(struct taking *taking)
{
    struct dispute *dispute = taking->dispute;
    bool appeal = dispute->state == DISPUTE_APPEALED;
    if (dispute->state == DISPUTE_RULED || dispute->state == DISPUTE_CLOSED)
        return not_now(taking, "A dispute with a ruling cannot be withdrawn.");
    if (!is_actor(taking, appeal ? dispute->appellant : dispute->opener))
        return refuse(taking->refusal, DISPUTE_REFUSAL_STRANGER,
                      "Only the person who opened the dispute, or appealed, may withdraw it.");
    dispute->frozen = false;
    dispute->state = DISPUTE_CLOSED;
    return true;
}

static bool take_closed(struct taking *taking)
{
    struct dispute *dispute = taking->dispute;
    if (dispute->state != DISPUTE_RULED || dispute->frozen)
        return not_now(taking,
                       "A dispute can be closed only after a ruling, when the game has resumed.");
    if (!is_official(taking))
        return false;
    if (taking->step->at_ms <= dispute->appeal_until_ms)
        return refuse(taking->refusal, DISPUTE_REFUSAL_EARLY,
                      "The players may still appeal until `appeal_until`.");
    dispute->state = DISPUTE_CLOSED;
    return true;
}

static bool take(struct taking *taking, enum dispute_kind kind)
{
    bool plain = kind == DISPUTE_STEP_FROZEN || kind == DISPUTE_STEP_RESUMED ||
                 kind == DISPUTE_STEP_WITHDRAWN || kind == DISPUTE_STEP_CLOSED;
    if (kind != DISPUTE_STEP_OPENED && taking->step->number == 1)
        return bad_step(taking->refusal, "The first step of a dispute must open it.");
    if (plain && !has_members(taking->step->detail, 0))
        return bad_step(taking->refusal, "This step has no details; leave them out.");
    switch (kind) {
    case DISPUTE_STEP_OPENED:
        return take_opened(taking);
    case DISPUTE_STEP_FROZEN:
        return take_frozen(taking);
    case DISPUTE_STEP_RESUMED:
        return take_resumed(taking);
    case DISPUTE_STEP_RULED:
        return take_ruled(taking);
    case DISPUTE_STEP_APPEALED:
        return take_appealed(taking);
    case DISPUTE_STEP_WITHDRAWN:
        return take_withdrawn(taking);
    case DISPUTE_STEP_CLOSED:
        return take_closed(taking);
    case DISPUTE_KINDS:
        break;
    }
    return false;
}

/* ---- Taking a step ---- */

void dispute_print_first(const char *id, struct text *line)
{
    text_add(line, "tillroll dispute 1 ");
    text_add(line, id);
}

void dispute_init(struct dispute *dispute, const char *id)
{
    char bytes[64];
    struct text first = TEXT_OVER(bytes);
    memset(dispute, 0, sizeof *dispute);
    struct text copy = TEXT_OVER(dispute->id);
    text_add(&copy, id);
    dispute_print_first(id, &first);
    text_add_char(&first, '\n');
    crypto_hash_sha256(dispute->head, (const unsigned char *)bytes, first.length);
}

/* The line of a step in new memory, for free(); NULL if it is too long, or out of memory. */
static char *line_of(const struct dispute_step *step)
{
    struct text line = {malloc(DISPUTE_LINE_MAX), 0, DISPUTE_LINE_MAX, false};
    if (line.at != NULL && dispute_print(step, &line))
        return line.at;
    free(line.at);
    return NULL;
}

/* Advances the dispute's chain over the step. */
static bool chain(struct taking *taking)
{
    char *line = line_of(taking->step);
    if (line == NULL)
        return bad_step(taking->refusal, "The step is too long.");
    record_chain_add(taking->dispute->head, span_of(line));
    free(line);
    return true;
}

bool dispute_apply(struct dispute *dispute, const struct dispute_step *step,
                   struct refusal *refusal)
{
    struct dispute after = *dispute;
    struct taking taking = {&after, step, refusal};
    int kind = find(kinds, DISPUTE_KINDS, step->kind);
    if (kind < 0 || step->number != dispute->steps + 1 || step->number > DISPUTE_STEPS_MAX ||
        step->at_ms < dispute->last_ms || !record_is_id(span_of(step->actor)))
        return bad_step(refusal, step->number > DISPUTE_STEPS_MAX
                                     ? "The dispute has the maximum number of steps."
                                     : "This is not the next step of the dispute.");
    if (!take(&taking, (enum dispute_kind)kind) || !chain(&taking))
        return false;
    after.steps = step->number;
    after.last_ms = step->at_ms;
    *dispute = after;
    return true;
}

/* The lines of a dispute's log. */

bool dispute_print(const struct dispute_step *step, struct text *line)
{
    char *detail = json_dumps(step->detail, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENSURE_ASCII);
    if (detail == NULL)
        return false;
    text_add_number(line, step->number);
    text_add_char(line, ' ');
    text_add_number(line, step->at_ms);
    text_add_char(line, ' ');
    text_add(line, step->actor);
    text_add_char(line, ' ');
    text_add(line, step->kind);
    text_add_char(line, ' ');
    text_add(line, detail);
    free(detail);
    return !line->overflow;
}

/* True if printing the step gives the line. */
static bool is_as_written(const struct dispute_step *step, struct span line)
{
    char *again = line_of(step);
    bool same = again != NULL && span_is(line, again);
    free(again);
    return same;
}

bool dispute_read(struct span line, struct dispute_step *step, json_t **detail,
                  char actor[static RECORD_ID_LENGTH + 1], char kind[static DISPUTE_CLAIM_MAX])
{
    struct span rest = line;
    uint64_t number;
    uint64_t at_ms;
    *detail = NULL;
    if (!span_number(span_word(&rest), DISPUTE_STEPS_MAX, &number) ||
        !span_number(span_word(&rest), INT64_C(1) << 52, &at_ms))
        return false;
    struct span by = span_word(&rest);
    struct span word = span_word(&rest);
    if (!record_is_id(by) || word.length >= DISPUTE_CLAIM_MAX)
        return false;
    memcpy(actor, by.at, by.length);
    actor[by.length] = '\0';
    memcpy(kind, word.at, word.length);
    kind[word.length] = '\0';
    *detail = json_loadb(rest.at, rest.length, JSON_REJECT_DUPLICATES, NULL);
    *step = (struct dispute_step){.number = (uint32_t)number,
                                  .at_ms = (int64_t)at_ms,
                                  .actor = actor,
                                  .kind = kind,
                                  .detail = *detail};
    if (*detail != NULL && is_as_written(step, line))
        return true;
    json_decref(*detail);
    *detail = NULL;
    return false;
}

bool dispute_apply_line(struct dispute *dispute, struct span line, struct refusal *refusal)
{
    char actor[RECORD_ID_LENGTH + 1];
    char kind[DISPUTE_CLAIM_MAX];
    struct dispute_step step;
    json_t *detail;
    if (!dispute_read(line, &step, &detail, actor, kind))
        return refuse(refusal, DISPUTE_REFUSAL_STEP, "This is not a line of a dispute's log.");
    bool good = dispute_apply(dispute, &step, refusal);
    json_decref(detail);
    return good;
}
