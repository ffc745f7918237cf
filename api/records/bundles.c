/* An event as a bundle, which contains everything needed to rebuild it. Small bundles are complete
 * responses; larger ones are sent part by part while they are made, so they begin at once, and hold
 * no transaction and little memory, however slow the client is. */
#include <stdlib.h>
#include <string.h>

#include "api/records/bundle_making.h"
#include "api/records/handlers.h"
#include "api/records/long_answer.h"

enum { POOL_WAIT_MS = 2000 };

/* Only closed events have records in their bundle: an unfinished record proves nothing yet. */
static bool read_records(struct call *call, const struct tournament *tournament, bool *records)
{
    struct span wanted = http_parameter(call->request, "records");
    for (size_t i = 0; i < call->request->parameters; i++)
        if (!span_is(call->request->parameter[i].name, "records"))
            return call_problem(call, "bad-parameter", "Bundles take records=<yes or no>.");
    if (wanted.at != NULL && !span_is(wanted, "yes") && !span_is(wanted, "no"))
        return call_problem(call, "bad-parameter", "Bundles take records=<yes or no>.");
    *records = tournament->phase == PHASE_CLOSED && !(wanted.at != NULL && span_is(wanted, "no"));
    return true;
}

/* ---- Complete responses ---- */

struct whole {
    char *at;
    size_t length;
};

static bool add_part(struct whole *whole, struct span part)
{
    char *grown = realloc(whole->at, whole->length + part.length + 1);
    if (grown == NULL)
        return false;
    if (part.length > 0)
        memcpy(grown + whole->length, part.at, part.length);
    whole->at = grown;
    whole->length += part.length;
    return true;
}

static bool make_whole(struct call *call, struct bundle_making *making)
{
    struct whole whole = {NULL, 0};
    struct span part;
    bool last = false;
    bool good = true;
    while (good && !last)
        good = bundle_next(making, call, &part, &last) &&
               (add_part(&whole, part) ||
                call_problem(call, "unavailable",
                             "There is not enough memory for the bundle; try again soon."));
    if (whole.at != NULL)
        arena_own(call->arena, whole.at, free);
    call->response->body = good ? (struct span){whole.at, whole.length} : call->response->body;
    return good;
}

/* ---- Responses in parts ---- */

struct sending {
    struct long_answer answer; /* first, so that a pointer to it also points to the struct */
    struct bundle_making *making;
};

static bool make_part(struct sending *sending, struct call *call, struct span *part, bool *last)
{
    if (!call_found(call, db_begin(call->db, true)))
        return false;
    db_require_durable(call->db);
    bool made = bundle_next(sending->making, call, part, last);
    return call_found(call, db_commit(call->db)) && made;
}

static bool next_part(struct long_answer *answer, struct call *call, struct span *part, bool *last)
{
    struct db_pool *pool = call->service->pool;
    call->db = db_pool_take(pool, POOL_WAIT_MS);
    if (call->db == NULL)
        return false;
    bool made = make_part((struct sending *)answer, call, part, last);
    db_pool_give(pool, call->db);
    return made;
}

static void drop_sending(struct http_pieces *pieces)
{
    struct sending *sending = (struct sending *)pieces;
    bundle_making_free(sending->making);
    free(sending);
}

static void send_parts(struct call *call, struct bundle_making *making)
{
    struct sending *sending = must(calloc(1, sizeof *sending));
    sending->making = making;
    long_answer_give(call, &sending->answer, next_part, drop_sending);
}

static const char *tag_of(struct call *call, const struct bundle_making *making)
{
    enum { TAG_BYTES = 16 };
    uint8_t hash[32];
    bundle_identify(making, &call->service->keys, hash);
    return call_hash_tag(call, hash, TAG_BYTES);
}

void bundles_get(struct call *call)
{
    struct loaded_event loaded;
    struct bundle_making *making;
    bool records = false;
    if (!event_load(call, &call->id[0], false, &loaded) ||
        !read_records(call, loaded.tournament, &records) ||
        (making = bundle_make(call, &loaded, records)) == NULL)
        return;
    call->response->content_type = "application/x-ndjson";
    call->response->disposition = "attachment; filename=\"event.ndjson\"";
    if (bundle_records(making) > BUNDLE_RECORDS_AT_ONCE) {
        call_tag(call, tag_of(call, making));
        send_parts(call, making);
        return;
    }
    if (make_whole(call, making))
        call_tag(call, NULL);
    bundle_making_free(making);
}
