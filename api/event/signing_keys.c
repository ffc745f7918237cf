/* A player's keys change in steps, each of which is stored forever and added to the transparency
 * log. The caller of a step must hold the player's lock. */
#include "api/event/signing_keys.h"

#include <string.h>

#include "api/event/handlers.h"
#include "api/event/tlog_leaves.h"
#include "api/request/documents.h"
#include "db/store/people/credentials.h"

/* ---- Loading ---- */

static bool refuse_damaged(struct call *call)
{
    return call_problem(call, "internal-error",
                        "The stored history of a player's keys is damaged.");
}

/* Folds the steps of one player, which begin at `steps`. Returns their number; 0 also if they do
 * not follow each other. */
static size_t fold(const struct signing_key_step *steps, size_t count, struct keyring *ring)
{
    struct refusal refusal;
    size_t used = 0;
    keyring_init(ring, steps[0].player.text);
    for (; used < count && id_equal(&steps[used].player, &steps[0].player); used++)
        if (!keyring_apply(ring, &steps[used].step, &refusal))
            return 0;
    return used;
}

static bool load_steps(struct call *call, const struct id *player, struct keyring *ring,
                       struct signing_key_step **steps, size_t *count)
{
    if (!call_found(call, signing_key_list(call->db, call->arena, player, 1, steps, count)))
        return false;
    keyring_init(ring, player->text);
    return *count == 0 || fold(*steps, *count, ring) == *count || refuse_damaged(call);
}

bool signing_keys_load(struct call *call, const struct id *player, struct keyring *ring)
{
    struct signing_key_step *steps;
    size_t count;
    return load_steps(call, player, ring, &steps, &count);
}

static void give_key(struct record_seat *const *seats, size_t count, const struct keyring *ring)
{
    const struct keyring_key *in_use = keyring_in_use(ring);
    for (size_t seat = 0; in_use != NULL && seat < count; seat++) {
        if (strcmp(seats[seat]->player, ring->player) != 0)
            continue;
        seats[seat]->has_key = true;
        memcpy(seats[seat]->key, in_use->key, sizeof seats[seat]->key);
    }
}

bool signing_keys_give(struct call *call, struct record_seat *const *seats, size_t count)
{
    struct id *players = arena_array(call->arena, count, sizeof *players);
    struct signing_key_step *steps;
    size_t step_count;
    for (size_t seat = 0; seat < count; seat++)
        memcpy(players[seat].text, seats[seat]->player, sizeof players[seat].text);
    if (!call_found(call,
                    signing_key_list(call->db, call->arena, players, count, &steps, &step_count)))
        return false;
    for (size_t at = 0; at < step_count;) {
        struct keyring *ring = arena_take(call->arena, sizeof *ring);
        size_t used = fold(steps + at, step_count - at, ring);
        if (used == 0)
            return refuse_damaged(call);
        give_key(seats, count, ring);
        at += used;
    }
    return true;
}

/* ---- Steps ---- */

/* Takes the next step, with its kind, key and signatures. False with a problem: the fold's refusal,
 * such as another key in use, comes before invalid signatures, since it is more helpful. */
static bool take_step(struct call *call, struct keyring *ring, struct keyring_step *step)
{
    struct keyring before = *ring;
    struct signing_key_step added;
    struct refusal refusal;
    memcpy(added.player.text, ring->player, sizeof added.player.text);
    step->number = ring->steps + 1;
    step->at_ms = call->now_ms > ring->last_ms ? call->now_ms : ring->last_ms;
    if (!keyring_apply(ring, step, &refusal))
        return call_problem(call, refusal.code, refusal.message);
    if (!keyring_is_signed(&before, step))
        return call_problem(
            call, "bad-signature",
            "A signature is not valid. `proof` has to be made with the new key, and `endorsement` "
            "with the key in use, over the text that openapi.json describes.");
    added.step = *step;
    return call_db(call, signing_key_add(call->db, &added), KEYRING_REFUSAL_KNOWN,
                   "This key has been registered before; make a new one.") &&
           tlog_add_key_step(call, &added.player, step);
}

static bool revoke_all(struct call *call, const struct id *player)
{
    struct keyring *ring = arena_take(call->arena, sizeof *ring);
    if (!call_found(call, player_lock(call->db, player)) || !signing_keys_load(call, player, ring))
        return false;
    for (unsigned i = 0; i < ring->keys; i++) {
        struct keyring_step step = {.kind = KEYRING_REVOKED};
        memcpy(step.key, ring->key[i].key, sizeof step.key);
        if (ring->key[i].revoked_ms == 0 && !take_step(call, ring, &step))
            return false;
    }
    return true;
}

bool signing_keys_end(struct call *call, const struct id *player)
{
    enum { BOTS_AT_A_TIME = 100 }; /* more than a player can have */
    const struct id first = {""};
    struct player *bots;
    size_t count;
    if (!call_found(call, player_list_bots(call->db, call->arena, player, &first, BOTS_AT_A_TIME,
                                           &bots, &count)) ||
        !revoke_all(call, player))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!revoke_all(call, &bots[i].id))
            return false;
    return true;
}

/* ---- Documents ---- */

static json_t *bytes_or_null(bool there, const uint8_t *bytes, size_t size)
{
    return there ? hex_json(bytes, size) : json_null();
}

static json_t *key_document(const struct keyring_key *key, const struct keyring_step *registered)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "key", hex_json(key->key, sizeof key->key),
                     "registered_at", time_json(key->registered_ms), "replaced_at",
                     time_json(key->replaced_ms), "revoked_at", time_json(key->revoked_ms), "proof",
                     hex_json(registered->proof, sizeof registered->proof), "endorsement",
                     bytes_or_null(registered->endorsed, registered->endorsement,
                                   sizeof registered->endorsement));
}

static json_t *line_of(const struct keyring_step *step)
{
    char bytes[KEYRING_LINE_MAX];
    struct text line = TEXT_OVER(bytes);
    keyring_print(step, &line);
    return json_string(bytes);
}

static json_t *document_of(const struct keyring *ring, const struct signing_key_step *steps,
                           size_t count)
{
    const struct keyring_key *in_use = keyring_in_use(ring);
    json_t *keys = json_array();
    json_t *log = json_array();
    unsigned key = 0;
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(log, line_of(&steps[i].step));
        if (steps[i].step.kind == KEYRING_REGISTERED)
            json_array_append_new(keys, key_document(&ring->key[key++], &steps[i].step));
    }
    return json_pack(
        "{s:s, s:b, s:o, s:o, s:o}", "player", ring->player, "required", (int)ring->required,
        "in_use", bytes_or_null(in_use != NULL, in_use == NULL ? NULL : in_use->key, KEYRING_KEY),
        "keys", keys, "log", log);
}

json_t *signing_keys_document(struct call *call, const struct id *player)
{
    struct keyring *ring = arena_take(call->arena, sizeof *ring);
    struct signing_key_step *steps;
    size_t count;
    return load_steps(call, player, ring, &steps, &count) ? document_of(ring, steps, count) : NULL;
}

/* Answers with the keys as the transaction sees them. */
static void answer_keys(struct call *call, int status)
{
    json_t *document = signing_keys_document(call, &call->id[0]);
    if (document != NULL)
        call_answer(call, status, document);
}

/* ---- Handlers ---- */

void signing_keys_get(struct call *call)
{
    struct player player;
    if (!call_found(call, player_by_id(call->db, call->arena, &call->id[0], &player)))
        return;
    answer_keys(call, 200);
    if (call->response->status == 200)
        call_tag(call, NULL);
}

static bool read_hex(struct call *call, const char *field, uint8_t *bytes, size_t size)
{
    const char *hex;
    if (!call_text(call, field, 0, 2 * KEYRING_SIGNATURE, NULL, &hex))
        return false;
    return span_hex(span_of(hex), bytes, size) ||
           call_bad_field(call, field,
                          size == KEYRING_KEY
                              ? "must be an Ed25519 public key: 64 lower-case hexadecimal digits."
                              : "must be an Ed25519 signature: 128 lower-case hexadecimal digits.");
}

static bool read_registered(struct call *call, struct keyring_step *step)
{
    static const char *const keys[] = {"key", "proof", "endorsement", NULL};
    step->kind = KEYRING_REGISTERED;
    step->endorsed = json_object_get(call->body, "endorsement") != NULL;
    return call_check_keys(call, keys) && read_hex(call, "key", step->key, sizeof step->key) &&
           read_hex(call, "proof", step->proof, sizeof step->proof) &&
           (!step->endorsed ||
            read_hex(call, "endorsement", step->endorsement, sizeof step->endorsement));
}

/* Locks the player in the path, and reads the player's keys. */
static bool lock_keys(struct call *call, struct keyring **ring)
{
    *ring = arena_take(call->arena, sizeof **ring);
    return call_found(call, player_lock(call->db, &call->id[0])) &&
           signing_keys_load(call, &call->id[0], *ring);
}

static bool is_in_use(const struct keyring *ring, const uint8_t key[static KEYRING_KEY])
{
    const struct keyring_key *in_use = keyring_in_use(ring);
    return in_use != NULL && memcmp(in_use->key, key, KEYRING_KEY) == 0;
}

/* Registering the key in use again succeeds: the client has not received the first response. */
void signing_keys_register(struct call *call)
{
    struct keyring_step step = {.number = 0};
    struct keyring *ring;
    if (!read_registered(call, &step) || !lock_keys(call, &ring))
        return;
    if (is_in_use(ring, step.key))
        answer_keys(call, 200);
    else if (take_step(call, ring, &step))
        answer_keys(call, 201);
}

void signing_keys_change(struct call *call)
{
    static const char *const keys[] = {"required", NULL};
    json_t *required = json_object_get(call->body, "required");
    struct keyring *ring;
    if (!call_check_keys(call, keys))
        return;
    if (!json_is_boolean(required)) {
        call_bad_field(call, "required", "must be true or false.");
        return;
    }
    bool wanted = json_is_true(required);
    struct keyring_step step = {.kind = wanted ? KEYRING_REQUIRED : KEYRING_OPTIONAL};
    if (lock_keys(call, &ring) && (ring->required == wanted || take_step(call, ring, &step)))
        answer_keys(call, 200);
}

void signing_keys_revoke(struct call *call)
{
    struct keyring_step step = {.kind = KEYRING_REVOKED};
    struct keyring *ring;
    if (!span_hex(call->word[0], step.key, sizeof step.key)) {
        call_problem(call, "not-found", "A key is named by its 64 lower-case hexadecimal digits.");
        return;
    }
    if (!lock_keys(call, &ring))
        return;
    const struct keyring_key *key = keyring_find(ring, step.key);
    if (key == NULL)
        call_problem(call, "not-found", "The player has never registered this key.");
    else if (key->revoked_ms != 0 || take_step(call, ring, &step))
        answer_keys(call, 200);
}
