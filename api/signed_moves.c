/* A seat's key is the one that its record names. What a player has done about his keys since the
 * game began is looked up for seats with a key only, so all others go on as fast as without. */
#include "api/signed_moves.h"

#include <string.h>

#include "api/handlers.h"
#include "api/sight.h"
#include "api/signing_keys.h"
#include "api/views.h"
#include "db/move_signatures.h"

bool signed_moves_read(struct call *call, struct move_signed *given)
{
    const char *hex;
    given->given = json_object_get(call->body, "signature") != NULL;
    if (!given->given)
        return true;
    if (!call_text(call, "signature", 0, 2 * SIGNATURE_BYTES, NULL, &hex))
        return false;
    return span_hex(span_of(hex), given->bytes, SIGNATURE_BYTES) ||
           call_bad_field(call, "signature",
                          "must be an Ed25519 signature: 128 lower-case hexadecimal digits.");
}

/* What is to be known of the key that the seat has in its record. */
struct seat_key {
    bool there, revoked, required;
};

static bool load(struct call *call, const struct replay *replay, unsigned seat,
                 struct seat_key *found)
{
    const struct record_seat *sitting = &replay->header.seat[seat];
    struct keyring *ring = arena_take(call->arena, sizeof *ring);
    struct id player;
    *found = (struct seat_key){.there = sitting->has_key};
    if (!found->there)
        return true;
    memcpy(player.text, sitting->player, sizeof player.text);
    if (!signing_keys_load(call, &player, ring))
        return false;
    const struct keyring_key *key = keyring_find(ring, sitting->key);
    found->revoked = key == NULL || key->revoked_ms != 0;
    found->required = ring->required && !found->revoked;
    return true;
}

static bool refuse_unsigned(struct call *call)
{
    return call_problem(call, "signature-required",
                        "You have asked that your moves be taken only with your signature, each by "
                        "itself. Sign this one, or switch that off at "
                        "/v1/players/<you>/signing-keys.");
}

static bool check_key(struct call *call, const struct seat_key *key)
{
    if (!key->there)
        return call_problem(call, "no-signing-key",
                            "The record names no key for your seat: it is the one that you had in "
                            "use when you took the seat. Send the move without a signature.");
    return !key->revoked ||
           call_problem(call, KEYRING_REFUSAL_REVOKED,
                        "The key that the record names for your seat is revoked. Send the move "
                        "without a signature.");
}

bool signed_moves_check(struct call *call, const struct replay *replay, unsigned seat,
                        struct span move, const uint8_t head[static 32],
                        const struct move_signed *given)
{
    const struct record_header *header = &replay->header;
    struct seat_key key;
    if (!load(call, replay, seat, &key))
        return false;
    if (!given->given)
        return !key.required || refuse_unsigned(call);
    return check_key(call, &key) &&
           (signature_holds(header->game_id, head, seat, move, given->bytes,
                            header->seat[seat].key) ||
            call_problem(call, "bad-signature",
                         "The signature does not hold. It is made with the key that `legal-moves` "
                         "shows, of `tillroll move`, the game, the `head` that belongs to `seq`, "
                         "the seat and the move, each on a line of its own."));
}

bool signed_moves_check_several(struct call *call, const struct replay *replay, unsigned seat,
                                const struct move_signed *given)
{
    struct seat_key key;
    if (given->given)
        return call_bad_field(call, "signature", "is of one move: send each by itself.");
    return load(call, replay, seat, &key) && (!key.required || refuse_unsigned(call));
}

/* ---- What is kept of a game ---- */

static bool is_within(const struct move_signature *signature, unsigned entries)
{
    return signature->of_entropy || signature->seq <= entries;
}

enum db_status signed_moves_print(struct db *db, struct arena *arena, const struct id *game,
                                  unsigned entries, struct span *text, size_t *count)
{
    enum { FIRST_LINES = 80, LINE = 2 * SIGNATURE_BYTES + 16 };
    struct move_signature *signatures;
    enum db_status status = move_signature_list(db, arena, game, &signatures, count);
    if (status != DB_OK)
        return status;
    size_t capacity = FIRST_LINES + *count * LINE;
    struct text printed = {arena_take(arena, capacity), 0, capacity, false};
    signature_print_first(game->text, &printed);
    for (size_t i = 0; i < *count; i++)
        if (is_within(&signatures[i], entries))
            move_signature_print(&signatures[i], &printed);
    *text = text_span(&printed);
    return DB_OK;
}

void games_signatures(struct call *call)
{
    struct game_row game;
    struct replay *replay;
    struct span text;
    size_t count;
    if (!views_load_game(call, &game, &replay) ||
        !call_found(
            call, signed_moves_print(call->db, call->arena, &game.id, replay->seq, &text, &count)))
        return;
    call->response->content_type = "text/plain; charset=utf-8";
    call->response->body = text;
    call_tag(call, NULL);
}
