#include "api/event/official_signatures.h"

#include <stdlib.h>
#include <string.h>

#include "api/event/signing_keys.h"
#include "api/request/documents.h"
#include "api/request/problem.h"
#include "db/store/events/event_signatures.h"
#include "engine/tournament/event/official.h"

/* Signature number `index`, from 0, of the header field; empty if the field has fewer. */
static struct span find_given(const char *field, unsigned index)
{
    while (index-- > 0 && field != NULL) {
        field = strchr(field, ',');
        field += field != NULL;
    }
    while (field != NULL && *field == ' ')
        field++;
    return field == NULL ? (struct span){NULL, 0} : (struct span){field, strcspn(field, ", ")};
}

static bool refuse_no_key(struct call *call)
{
    return call_problem(call, "no-key-in-use",
                        "In this event, officials must sign their decisions, and you have no key "
                        "in use. Create one on your account page, or with `tillroll key new` and "
                        "`tillroll key register`, and try again.");
}

/* Answers with the text to be signed. */
static bool ask_for_signature(struct call *call, const struct keyring_key *key, const char *message)
{
    json_t *members = json_pack("{s:{s:o, s:s}}", "sign", "key", hex_json(key->key, KEYRING_KEY),
                                "text", message);
    problem_answer(
        call->response, call->arena, "official-signature-required",
        "Sign the text in `sign` with the key in use, and send the same request again with the "
        "signature, in hex, in the header field Tillroll-Signature (after any that are there "
        "already, separated by commas). Pages do this by themselves if your key is in this "
        "browser, and `tillroll --sign FILE` does if it is in a file.",
        members);
    return false;
}

static bool refuse_bad_signature(struct call *call)
{
    return call_problem(
        call, "bad-signature",
        "The signature in Tillroll-Signature is not valid. Make it with the key in use, over the "
        "text in the problem `official-signature-required`. If the event or the game has changed "
        "since then, send the request without the signature, and sign the new text.");
}

static bool is_missing(struct span given)
{
    return given.length == 0 || span_is(given, "ask");
}

static bool store(struct call *call, const struct loaded_event *loaded,
                  const struct event_signature *signature)
{
    return call_found(call, event_signature_add(call->db, &loaded->event.id, signature));
}

/* Checks and stores a signature by the key in use. */
static bool take_signature(struct call *call, const struct loaded_event *loaded,
                           const struct tournament_line *line, const struct keyring_key *key)
{
    struct event_signature signature = {.line = line->number, .base = call->official_base};
    struct span given = find_given(call->request->official_signature, call->official_lines++);
    uint8_t head[32];
    memcpy(signature.key, key->key, sizeof signature.key);
    if (signature.line - signature.base >= OFFICIAL_LINES_BACK)
        return call_problem(call, "internal-error",
                            "The request adds too many lines before one that is signed.");
    if (!call_found(call, event_log_hash(call->db, &loaded->event.id, call->official_base, head)))
        return false;
    if (is_missing(given)) {
        char *message = official_message(loaded->event.id.text, head, line);
        bool asked = message != NULL ? ask_for_signature(call, key, message)
                                     : call_problem(call, "unavailable", "Try again soon.");
        free(message);
        return asked;
    }
    if (!span_hex(given, signature.signature, sizeof signature.signature) ||
        !official_signature_holds(loaded->event.id.text, head, line, signature.signature, key->key))
        return refuse_bad_signature(call);
    return store(call, loaded, &signature);
}

/* The caller's key in use; NULL if no signature is needed or requested. False with a problem. */
static bool find_key(struct call *call, bool required, const struct keyring_key **key)
{
    *key = NULL;
    if (call->request->official_signature == NULL && !required)
        return true;
    struct keyring *ring = arena_take(call->arena, sizeof *ring);
    if (!signing_keys_load(call, &call->player.id, ring))
        return false;
    *key = keyring_in_use(ring);
    return *key != NULL || !required || refuse_no_key(call);
}

bool official_signature_take(struct call *call, const struct loaded_event *loaded,
                             const struct tournament_line *line, unsigned before, bool required)
{
    const struct keyring_key *key;
    if (!find_key(call, required, &key))
        return false;
    if (key == NULL)
        return true;
    if (call->official_lines == 0)
        call->official_base = before;
    return take_signature(call, loaded, line, key);
}

/* ---- In running games ---- */

static bool read_choice(struct call *call, const struct id *event, enum official_choice *choice)
{
    const struct tournament_settings *settings;
    if (!event_find_settings(call, event, &settings))
        return false;
    *choice = settings == NULL ? OFFICIAL_OFF : settings->official_signatures;
    return true;
}

/* Checks the signature of an act, and writes it and the key to `act`. */
static bool take_act(struct call *call, const struct id *game, const uint8_t head[static 32],
                     struct span what, const struct keyring_key *key, struct signature *act)
{
    struct span given = find_given(call->request->official_signature, call->official_lines++);
    if (is_missing(given)) {
        char bytes[SIGNATURE_MESSAGE_MAX + RECORD_LINE_MAX];
        struct text message = TEXT_OVER(bytes);
        signature_official_message(game->text, head, act->official, what, &message);
        return ask_for_signature(call, key, bytes);
    }
    memcpy(act->key, key->key, sizeof act->key);
    return (span_hex(given, act->bytes, sizeof act->bytes) &&
            signature_of_official_holds(game->text, head, what, act)) ||
           refuse_bad_signature(call);
}

bool official_signature_of_line(struct call *call, const struct id *event, const struct id *game,
                                const uint8_t head[static 32], unsigned seq, struct span line,
                                struct signature *act)
{
    enum { MARK_BYTES = 10 };
    const struct span what = signature_act((struct span){line.at, line.length - MARK_BYTES});
    const struct keyring_key *key;
    enum official_choice choice;
    *act = (struct signature){.kind = SIGNATURE_OF_OFFICIAL, .number = seq};
    memcpy(act->official, call->player.id.text, sizeof act->official);
    if (!read_choice(call, event, &choice))
        return false;
    if (choice == OFFICIAL_OFF)
        return true;
    return find_key(call, choice == OFFICIAL_REQUIRED, &key) &&
           (key == NULL || take_act(call, game, head, what, key, act));
}
