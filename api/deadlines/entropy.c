#include "api/deadlines/entropy.h"

#include <string.h>

#include "api/deadlines/handlers.h"
#include "api/event/event_load.h"
#include "api/event/signing_keys.h"
#include "api/play/move_request.h"
#include "api/request/documents.h"
#include "api/tables/dealing.h"
#include "api/tables/games.h"
#include "engine/log/tlog.h"
#include "engine/record/receipt.h"

/* ---- Documents ---- */

static const char *state_name(enum waiting_state state)
{
    static const char *const names[] = {
        [WAITING_OPEN] = "waiting", [WAITING_STARTED] = "started", [WAITING_DROPPED] = "dropped"};
    return names[state];
}

static json_t *seats_document(const struct waiting_game *waiting)
{
    json_t *seats = json_array();
    for (unsigned i = 0; i < waiting->seats; i++) {
        const struct waiting_seat *seat = &waiting->seat[i];
        json_array_append_new(seats, json_pack("{s:i, s:o, s:b}", "seat", (int)i, "player",
                                               player_reference(&seat->player, seat->player_name),
                                               "given", (int)(seat->given.size > 0)));
    }
    return seats;
}

/* The hash of the commitment's leaf, by which the transparency log finds it. */
static json_t *leaf_document(const struct waiting_game *waiting)
{
    uint8_t hash[MERKLE_HASH];
    struct tlog_leaf leaf = {.subject = TLOG_COMMITMENT, .name = span_of(waiting->id.text)};
    memcpy(leaf.hash, waiting->commitment, sizeof leaf.hash);
    tlog_leaf_hash(&leaf, hash);
    return hex_json(hash, sizeof hash);
}

/* The dealers of the event, if they are being asked. */
static json_t *waiting_dealers(struct call *call, const struct waiting_game *waiting)
{
    struct record_dealer dealers[RECORD_DEALERS_MAX];
    unsigned count = 0;
    if (waiting->asked &&
        dealing_dealers(call->db, call->arena, waiting->id.text, dealers, &count) != DB_OK)
        count = 0;
    return dealing_document(dealers, count);
}

static json_t *waiting_document(struct call *call, const struct waiting_game *waiting)
{
    json_t *event = json_pack("{s:s, s:i, s:i}", "id", waiting->event.text, "round",
                              (int)waiting->round, "table", (int)waiting->table);
    return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "game", waiting->id.text,
                     "event", event, "state", state_name(waiting->state), "commitment",
                     hex_json(waiting->commitment, sizeof waiting->commitment), "leaf",
                     leaf_document(waiting), "since", time_json(waiting->since_ms), "until",
                     time_json(waiting->due_ms), "seats", seats_document(waiting), "dealers",
                     waiting_dealers(call, waiting));
}

json_t *entropy_table_document(const struct waiting_game *waiting, size_t count, unsigned round,
                               unsigned table)
{
    for (size_t i = 0; i < count; i++)
        if (waiting[i].round == round && waiting[i].table == table)
            return json_pack("{s:s, s:o}", "game", waiting[i].id.text, "until",
                             time_json(waiting[i].due_ms));
    return json_null();
}

static bool find(struct call *call, struct waiting_game *waiting)
{
    return call_found(call, waiting_find(call->db, call->arena, &call->id[0], waiting));
}

void games_entropy(struct call *call)
{
    struct waiting_game waiting;
    if (find(call, &waiting))
        call_answer_tagged(call, waiting_document(call, &waiting));
}

void me_waiting(struct call *call)
{
    struct waiting_game *waiting;
    size_t count;
    if (!call_found(call,
                    waiting_of_player(call->db, call->arena, &call->player.id, &waiting, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(items, waiting_document(call, &waiting[i]));
    call_answer_tagged(call, list_with_next(items, NULL));
}

/* ---- Starting ---- */

/* Locks the event first, as everywhere a game is started, then rereads the game. */
static bool lock(struct call *call, const struct id *id, struct loaded_event *loaded,
                 struct waiting_game *waiting)
{
    const struct id event = waiting->event;
    return event_load(call, &event, true, loaded) && call_found(call, waiting_lock(call->db, id)) &&
           call_found(call, waiting_find(call->db, call->arena, id, waiting));
}

static bool start(struct call *call, const struct loaded_event *loaded,
                  const struct waiting_game *waiting)
{
    const struct tournament *tournament = loaded->tournament;
    struct game_row game = game_of_table(
        call, loaded, NULL, tournament_table(tournament, waiting->round, waiting->table));
    game.id = waiting->id;
    game.attempt = waiting->attempt;
    for (unsigned seat = 0; seat < waiting->seats; seat++)
        game.seat[seat] = (struct game_row_seat){.player = waiting->seat[seat].player,
                                                 .player_name = waiting->seat[seat].player_name};
    call->event_changed = waiting->event;
    return game_start_after_wait(call, &game, waiting);
}

/* Ends the wait and starts the game, unless the event is closed. */
static bool end_wait(struct call *call, const struct loaded_event *loaded,
                     struct waiting_game *waiting)
{
    bool closed = loaded->tournament->phase == PHASE_CLOSED;
    waiting->state = closed ? WAITING_DROPPED : WAITING_STARTED;
    return (closed || start(call, loaded, waiting)) &&
           call_found(call, waiting_end(call->db, &waiting->id, waiting->state));
}

/* Ends the giving of entropy: asks co-dealers first, if there are any. */
static bool end_giving(struct call *call, const struct loaded_event *loaded,
                       struct waiting_game *waiting)
{
    if (loaded->tournament->settings.dealers == 0 || loaded->tournament->phase == PHASE_CLOSED)
        return end_wait(call, loaded, waiting);
    waiting->asked = true;
    return dealing_begin_game(call, loaded, waiting);
}

bool entropy_start_late_game(struct call *call, const struct waiting_game *waiting)
{
    struct loaded_event loaded;
    struct waiting_game locked = *waiting;
    if (!lock(call, &waiting->id, &loaded, &locked))
        return false;
    return locked.state != WAITING_OPEN || locked.asked || locked.due_ms > call->now_ms ||
           end_giving(call, &loaded, &locked);
}

bool entropy_start_dealt_game(struct call *call, const struct dealing *dealing)
{
    struct loaded_event loaded;
    struct waiting_game waiting = {.event = dealing->event};
    bool can_end;
    if (!lock(call, &dealing->game, &loaded, &waiting) ||
        !dealing_lock_due(call, dealing->scope, &can_end))
        return false;
    return !can_end || waiting.state != WAITING_OPEN ||
           (end_wait(call, &loaded, &waiting) &&
            call_found(call, dealing_end(call->db, dealing->scope)));
}

/* ---- Giving entropy ---- */

struct gift {
    struct entropy entropy;
    uint8_t commitment[32];
};

static bool read_commitment(struct call *call, struct gift *gift)
{
    const char *hex;
    return call_text(call, "commitment", 0, 2 * sizeof gift->commitment, NULL, &hex) &&
           (span_hex(span_of(hex), gift->commitment, sizeof gift->commitment) ||
            call_bad_field(call, "commitment",
                           "must be the game's commitment, as GET of this address shows it: 64 "
                           "lower-case hexadecimal digits."));
}

static bool read_entropy(struct call *call, struct entropy *entropy)
{
    const char *hex;
    if (!call_text(call, "entropy", 0, 2 * ENTROPY_BYTES_MAX, NULL, &hex))
        return false;
    entropy->size = strlen(hex) / 2;
    return (entropy->size > 0 && span_hex(span_of(hex), entropy->bytes, entropy->size)) ||
           call_bad_field(call, "entropy",
                          "must be 1 to 32 unpredictable bytes, as lower-case hexadecimal "
                          "digits.");
}

static bool read_gift(struct call *call, struct gift *gift)
{
    static const char *const keys[] = {"commitment", "entropy", "signature", NULL};
    struct move_signed signature;
    *gift = (struct gift){.entropy = {.size = 0}};
    if (!call_check_keys(call, keys) || !read_commitment(call, gift) ||
        !read_entropy(call, &gift->entropy) || !signed_moves_read(call, &signature))
        return false;
    gift->entropy.is_signed = signature.given;
    memcpy(gift->entropy.signature, signature.bytes, sizeof gift->entropy.signature);
    return true;
}

static unsigned seat_of(const struct waiting_game *waiting, const struct id *player)
{
    unsigned seat = 0;
    while (seat < waiting->seats && !id_equal(&waiting->seat[seat].player, player))
        seat++;
    return seat;
}

/* The signed part of the record's header. */
static struct record_header header_of(const struct waiting_game *waiting, unsigned seat,
                                      const struct entropy *entropy)
{
    struct record_header header = {.seats = waiting->seats};
    memcpy(header.game_id, waiting->id.text, sizeof header.game_id);
    memcpy(header.commitment, waiting->commitment, sizeof header.commitment);
    header.seat[seat].entropy_size = (uint8_t)entropy->size;
    memcpy(header.seat[seat].entropy, entropy->bytes, entropy->size);
    return header;
}

static bool check_signature(struct call *call, const struct waiting_game *waiting, unsigned seat,
                            const struct entropy *entropy)
{
    struct keyring *ring = arena_take(call->arena, sizeof *ring);
    if (!entropy->is_signed)
        return true;
    if (!signing_keys_load(call, &call->player.id, ring))
        return false;
    const struct keyring_key *key = keyring_in_use(ring);
    if (key == NULL)
        return call_problem(call, "no-signing-key",
                            "You have no key in use. Send the entropy without a signature.");
    struct record_header header = header_of(waiting, seat, entropy);
    memcpy(header.seat[seat].key, key->key, sizeof header.seat[seat].key);
    return signature_of_entropy_holds(&header, seat, entropy->signature) ||
           call_problem(
               call, "bad-signature",
               "The signature is not valid. Make it with your key in use, over `tillroll entropy`, "
               "the game, the commitment, the seat and the entropy, each on a line of its own.");
}

static bool is_same(const struct entropy *a, const struct entropy *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* Stores the entropy, which cannot be replaced. Giving the same entropy again gets the same
 * answer. */
static bool store_entropy(struct call *call, struct waiting_game *waiting, unsigned seat,
                          const struct gift *gift)
{
    struct entropy *given = &waiting->seat[seat].given;
    if (given->size > 0)
        return is_same(given, &gift->entropy) ||
               call_problem(
                   call, "entropy-given",
                   "You have already given other entropy to this game; it cannot be replaced.");
    if (waiting->state != WAITING_OPEN || waiting->asked || waiting->due_ms <= call->now_ms)
        return call_problem(
            call, "wait-over",
            "The game is no longer waiting for entropy: it starts with what has arrived.");
    if (memcmp(gift->commitment, waiting->commitment, sizeof gift->commitment) != 0)
        return call_problem(call, "other-commitment",
                            "This is not the server's commitment for this game; read "
                            "GET of this address again.");
    if (!check_signature(call, waiting, seat, &gift->entropy) ||
        !call_db(call, waiting_give(call->db, &waiting->id, seat, &gift->entropy, call->now_ms),
                 "entropy-given",
                 "You have already given entropy to this game; it cannot be replaced."))
        return false;
    *given = gift->entropy;
    return true;
}

static bool all_have_given(const struct waiting_game *waiting)
{
    for (unsigned seat = 0; seat < waiting->seats; seat++)
        if (waiting->seat[seat].given.size == 0)
            return false;
    return true;
}

static json_t *receipt_document(const struct call *call, const struct waiting_game *waiting,
                                unsigned seat)
{
    const struct entropy *given = &waiting->seat[seat].given;
    const struct entropy_receipt receipt = {.game = waiting->id.text,
                                            .commitment = waiting->commitment,
                                            .seat = seat,
                                            .entropy = given->bytes,
                                            .size = given->size};
    char message[RECEIPT_ENTROPY_MAX];
    struct text text = TEXT_OVER(message);
    uint8_t signature[64];
    char key[17];
    receipt_entropy_message(&receipt, &text);
    keys_sign(&call->service->keys, text_span(&text), signature);
    keys_signing_id(&call->service->keys, key);
    return json_pack("{s:s, s:o, s:i, s:o, s:s, s:o}", "game", waiting->id.text, "commitment",
                     hex_json(waiting->commitment, sizeof waiting->commitment), "seat", (int)seat,
                     "entropy", hex_json(given->bytes, given->size), "key", key, "signature",
                     hex_json(signature, sizeof signature));
}

void games_give_entropy(struct call *call)
{
    struct gift gift;
    struct waiting_game waiting;
    struct loaded_event loaded;
    if (!read_gift(call, &gift) || !find(call, &waiting) ||
        !lock(call, &call->id[0], &loaded, &waiting))
        return;
    unsigned seat = seat_of(&waiting, &call->player.id);
    if (seat == waiting.seats) {
        call_problem(call, "not-a-seat", "Only the players of this game may do this.");
        return;
    }
    if (!store_entropy(call, &waiting, seat, &gift))
        return;
    if (waiting.state == WAITING_OPEN && !waiting.asked && all_have_given(&waiting) &&
        !end_giving(call, &loaded, &waiting))
        return;
    call_answer(call, 200,
                json_pack("{s:o, s:s}", "receipt", receipt_document(call, &waiting, seat), "state",
                          state_name(waiting.state)));
}
