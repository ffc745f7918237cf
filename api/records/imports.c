/* Imports events of other services from their bundles. A bundle is longer than the limit for
 * requests, so it is sent in parts, under the SHA-256 of the whole. It is then proved outside of
 * any transaction, and stored in one transaction. Only admins may import, since the names and
 * ratings of players without an account here then appear beside those of local players. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/records/event_import.h"
#include "api/records/handlers.h"
#include "api/request/documents.h"
#include "api/work/jobs.h"
#include "api/work/transaction.h"
#include "db/link/db.h"
#include "db/store/events/imports.h"

enum { KEY_HEX = 64, BYTES_AT_A_TIME = 2 * BUNDLE_BYTES_MAX };

static bool read_hash(struct call *call, uint8_t hash[static 32])
{
    return span_hex(call->word[0], hash, 32) ||
           call_problem(call, "not-found",
                        "A bundle goes by its SHA-256, 64 lower-case hexadecimal digits.");
}

/* ---- Parts ---- */

void import_parts_put(struct call *call)
{
    uint8_t hash[32];
    struct span body = call->request->body;
    uint64_t number = call->number[0];
    if (!read_hash(call, hash))
        return;
    if (number == 0 || number > IMPORT_PARTS_MAX) {
        call_problem(call, "not-found", "Parts have the numbers 1 to 4096.");
        return;
    }
    if (body.length == 0) {
        call_problem(call, "bundle-not-whole", "A part has at least one byte.");
        return;
    }
    if (call_db(call,
                import_part_put(call->db, &call->player.id, hash, (unsigned)number, body,
                                call->now_ms, BYTES_AT_A_TIME),
                "import-too-large",
                "Parts that you have sent and not imported would have more than 128 MiB together; "
                "import them, or wait until they are deleted, after a week."))
        call->response->status = 204;
}

/* ---- Proving ---- */

struct proof {
    struct bundle bundle;
    struct proved_game *games;
    struct span text;
};

static bool refuse_bundle(struct call *call, const struct bundle_fault *fault)
{
    bool in_line = fault->line > 0;
    if (strcmp(fault->code, BUNDLE_FAULT_MEMORY) == 0)
        return call_problem(call, "unavailable",
                            "There is not enough memory for the bundle; try again soon.");
    return call_problem_of(call, "bad-bundle", in_line ? "Line " : "",
                           in_line ? call_digits(call, (int64_t)fault->line) : "",
                           in_line ? ": " : "", fault->code, ": ", fault->message);
}

/* True with a problem if the log begins with a summary of lines in an older format: those lines are
 * no longer supported, so nothing proves that the summary is right. */
static bool has_summary(struct call *call, const struct bundle *bundle)
{
    return bundle->restated_line != 0 &&
           !call_problem_of(
               call, "bundle-told-anew", "Line ", call_digits(call, (int64_t)bundle->restated_line),
               " of the event's log summarizes lines that an older version of the service had "
               "written in another form. Those are not understood any more, and only logs that are "
               "understood completely are imported. `tillroll event` proves what the line tells.");
}

static bool is_whole_event(struct call *call, const struct bundle *bundle)
{
    if (has_summary(call, bundle))
        return false;
    if (bundle->tournament.phase != PHASE_CLOSED || !bundle->revealed)
        return call_problem(call, "bundle-unfinished",
                            "Only an event that is closed can be imported: its secret proves the "
                            "pairings.");
    return bundle->with_records || bundle->finished_count == 0 ||
           call_problem(call, "bundle-unfinished",
                        "The bundle has no records; take one without records=no.");
}

static bool is_signed_by(struct call *call, const uint8_t signed_by[static 32], const char *key_hex)
{
    uint8_t key[32];
    if (!span_hex(span_of(key_hex), key, sizeof key))
        return call_bad_field(call, "key",
                              "must be the signing key of the service that the event was played "
                              "on (`signing` of its GET /v1/keys): 64 hexadecimal digits.");
    return memcmp(key, signed_by, sizeof key) == 0 ||
           call_problem(call, "bad-bundle", "The bundle is not signed with this key.");
}

static void free_bundle(void *object)
{
    bundle_free(object);
}

static bool prove(struct call *call, const char *key, struct proof *proof)
{
    struct bundle_fault fault;
    struct replay *replay = arena_take(call->arena, sizeof *replay);
    jobs_progress(call, "computing", 0, 0);
    if (!bundle_read(proof->text, &proof->bundle, &fault))
        return refuse_bundle(call, &fault);
    arena_own(call->arena, &proof->bundle, free_bundle);
    if (!is_signed_by(call, proof->bundle.key, key) || !is_whole_event(call, &proof->bundle))
        return false;
    if (proof->bundle.with_records && !bundle_check_records(&proof->bundle, replay, &fault))
        return refuse_bundle(call, &fault);
    return event_import_prove(call, &proof->bundle, &proof->games);
}

/* ---- Importing ---- */

static bool join_parts(struct call *call, const uint8_t hash[static 32], unsigned parts,
                       struct span *text)
{
    uint8_t found[32];
    jobs_progress(call, "reading", 0, 0);
    bool good = transaction_open(call);
    if (good) {
        enum db_status status =
            import_parts_join(call->db, call->arena, &call->player.id, hash, parts, text);
        good = status == DB_NONE
                   ? call_problem(call, "bundle-not-whole",
                                  "Not all of these parts have been sent; send those that are "
                                  "missing. (Parts go when their bundle is imported, and after a "
                                  "week.)")
                   : call_found(call, status);
    }
    transaction_close(call);
    if (!good)
        return false;
    crypto_hash_sha256(found, (const unsigned char *)text->at, text->length);
    return memcmp(found, hash, sizeof found) == 0 ||
           call_problem(call, "bundle-not-whole",
                        "The parts, one after another, have another SHA-256.");
}

static void answer_event(struct call *call, int status, const struct event *event)
{
    call_answer_new(call, status, "/v1/events/", &event->id, event_document(event));
}

/* Finds an event that was imported from this same bundle. Refuses an event that is here for another
 * reason. */
static bool find_event(struct call *call, const struct bundle *bundle, struct event *event,
                       bool *found)
{
    struct id id;
    struct event_origin origin;
    if (!id_parse(span_of(bundle->event), &id))
        return call_problem(call, "bad-bundle", "The event has no id.");
    enum db_status status = event_find(call->db, call->arena, &id, false, event);
    *found = status == DB_OK;
    if (status != DB_OK)
        return status == DB_NONE || call_found(call, status);
    status = event_origin_find(call->db, call->arena, &id, &origin);
    if (status != DB_OK && status != DB_NONE)
        return call_found(call, status);
    return (status == DB_OK && memcmp(origin.sha256, bundle->hash, sizeof origin.sha256) == 0) ||
           call_problem(call, "event-exists",
                        status == DB_OK ? "The event was imported from another bundle."
                                        : "The event was played here.");
}

static bool store_event(struct call *call, const struct proof *proof, struct event *event)
{
    struct loaded_event loaded;
    return event_import(call, proof->text, &proof->bundle, proof->games, &loaded) &&
           call_found(call, event_find(call->db, call->arena, &loaded.event.id, false, event));
}

static void store(struct call *call, const uint8_t hash[static 32], const struct proof *proof)
{
    struct event event;
    bool found = false;
    if (transaction_open(call) && find_event(call, &proof->bundle, &event, &found) &&
        (found || store_event(call, proof, &event)) &&
        call_found(call, import_parts_delete(call->db, &call->player.id, hash)))
        answer_event(call, found ? 200 : 201, &event);
    transaction_close(call);
}

/* Answers a repeated request for a finished import, whose parts have been deleted. */
static bool answer_again(struct call *call, const uint8_t hash[static 32], const char *key,
                         bool *done)
{
    struct id id;
    struct event event;
    uint8_t signed_by[32];
    bool good = transaction_open(call);
    enum db_status status =
        good ? event_origin_find_bundle(call->db, hash, &id, signed_by) : DB_NONE;
    *done = status != DB_NONE;
    if (*done && call_found(call, status) && is_signed_by(call, signed_by, key) &&
        call_found(call, event_find(call->db, call->arena, &id, false, &event)) &&
        call_found(call, import_parts_delete(call->db, &call->player.id, hash)))
        answer_event(call, 200, &event);
    transaction_close(call);
    return good;
}

void imports_create(struct call *call)
{
    static const char *const keys[] = {"key", "parts", NULL};
    uint8_t hash[32];
    const char *key;
    unsigned parts;
    bool done = false;
    struct proof *proof = arena_take(call->arena, sizeof *proof);
    if (read_hash(call, hash) && call_check_keys(call, keys) &&
        call_text(call, "key", KEY_HEX, KEY_HEX, NULL, &key) &&
        call_whole(call, "parts", 1, IMPORT_PARTS_MAX, -1, &parts) &&
        answer_again(call, hash, key, &done) && !done &&
        join_parts(call, hash, parts, &proof->text) && prove(call, key, proof))
        store(call, hash, proof);
}
