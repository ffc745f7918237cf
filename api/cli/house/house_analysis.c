#include "api/cli/house/house_analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/cli/cli.h"
#include "api/cli/table.h"
#include "db/link/now.h"
#include "engine/analysis/analysis_check.h"
#include "engine/analysis/analysis_document.h"

/* The service accepts bodies of up to 64 KiB, hence the small number of plies per request. */
enum { PLIES_AT_ONCE = 20, DELIVER_EVERY_MS = 2000, LOOK_EVERY_MS = 3000, OK = 200, NOTHING = 204 };

void house_analysis_drop(struct house_analysis *work)
{
    analysis_free(work->analysis);
    component_list_free(&work->components);
    free(work->record);
    json_decref(work->plies);
    work->analysis = NULL;
    work->record = NULL;
    work->plies = NULL;
}

/* ---- Delivering ---- */

static bool deliver(struct house_analysis *work, struct client *client, json_t *part)
{
    long status;
    json_object_set_new(part, "attempt", json_integer(work->attempt));
    json_t *answer = client_call(client, "POST",
                                 client_path(client, "/v1/games/", work->game, "/analysis/parts"),
                                 part, &status);
    const char *code = json_string_value(json_object_get(answer, "code"));
    if (status != NOTHING)
        table_say(stderr, "tillroll: %s: the analysis was not taken: %ld %s\n", work->game, status,
                  code == NULL ? "" : code);
    json_decref(answer);
    return status == NOTHING;
}

/* Delivers all plies that are ready; `last`: with the summary. */
static bool deliver_plies(struct house_analysis *work, struct client *client, bool last)
{
    const unsigned count = (unsigned)json_array_size(work->plies);
    json_t *part = json_pack("{s:i, s:i, s:O}", "done", (int)work->delivered, "total",
                             (int)analysis_count(work->analysis), "plies", work->plies);
    if (last)
        json_object_set_new(part, "summary", analysis_document(work->analysis));
    bool taken = deliver(work, client, part);
    json_array_clear(work->plies);
    work->delivered += count;
    work->deliver_ms = now_ms(CLOCK_MONOTONIC) + DELIVER_EVERY_MS;
    return taken;
}

static void give_up(struct house_analysis *work, struct client *client)
{
    fprintf(stderr, "tillroll: %s: this game cannot be analyzed\n", work->game);
    (void)deliver(work, client, json_pack("{s:b}", "impossible", 1));
}

/* ---- Leasing ---- */

/* Reads the record, and the component set that it names. */
static bool read_record(struct house_analysis *work, struct client *client, size_t *length)
{
    uint8_t hash[32];
    long status;
    const char *bytes = client_bytes(
        client, client_path(client, "/v1/games/", work->game, "/record"), length, &status);
    work->record = bytes == NULL ? NULL : malloc(*length + 1);
    if (work->record == NULL)
        return false;
    memcpy(work->record, bytes, *length);
    return !record_other_set((struct span){work->record, *length}, hash) ||
           client_add_components(client, hash, &work->components);
}

static bool begin(struct house_analysis *work, struct client *client, uint32_t budget)
{
    enum replay_verdict verdict;
    struct record_fault fault;
    size_t length;
    if (!read_record(work, client, &length))
        return false;
    work->analysis = analysis_new((struct span){work->record, length},
                                  component_list_sets(&work->components), budget, &verdict, &fault);
    if (work->analysis == NULL && strcmp(fault.code, "out-of-memory") != 0)
        give_up(work, client);
    work->plies = json_array();
    work->delivered = 0;
    return work->analysis != NULL && deliver_plies(work, client, false);
}

/* Leases a game. False if the service has none. */
static bool lease_game(struct house_analysis *work, struct client *client)
{
    enum { CONFLICT = 409 };
    long status;
    json_t *lease = client_call(client, "POST", "/v1/analyses/lease",
                                json_pack("{s:s}", "maker", ANALYSIS_MAKER), &status);
    const char *game = json_string_value(json_object_get(lease, "game"));
    const json_int_t budget = json_integer_value(json_object_get(lease, "budget"));
    bool taken = status == OK && game != NULL && record_is_id(span_of(game)) &&
                 budget >= ANALYSIS_BUDGET_MIN && budget <= ANALYSIS_BUDGET_MAX;
    if (taken) {
        memcpy(work->game, game, sizeof work->game);
        work->attempt = (unsigned)json_integer_value(json_object_get(lease, "attempt"));
        taken = begin(work, client, (uint32_t)budget);
    }
    if (status == CONFLICT) {
        work->refused = true;
        fprintf(stderr, "tillroll: this program does not make analyses for the service, which is "
                        "of another version\n");
    }
    json_decref(lease);
    if (!taken)
        house_analysis_drop(work);
    return taken;
}

/* ---- Working ---- */

/* Analyses one more ply; at the end the analysis is delivered and discarded. */
static void step(struct house_analysis *work, struct client *client)
{
    bool good = true;
    if (analysis_step(work->analysis)) {
        json_array_append_new(work->plies, analysis_document_ply(work->analysis));
        if (json_array_size(work->plies) >= PLIES_AT_ONCE ||
            now_ms(CLOCK_MONOTONIC) >= work->deliver_ms)
            good = deliver_plies(work, client, false);
    } else if (analysis_failed(work->analysis)) {
        give_up(work, client);
        good = false;
    } else {
        counter_add(&work->made, deliver_plies(work, client, true));
        good = false;
    }
    if (!good)
        house_analysis_drop(work);
}

bool house_analysis_work(struct house_analysis *work, struct client *client, long ms, bool now)
{
    const int64_t begun_ms = now_ms(CLOCK_MONOTONIC);
    if (work->analysis == NULL && !work->refused && (now || begun_ms >= work->look_ms)) {
        work->look_ms = begun_ms + LOOK_EVERY_MS;
        (void)lease_game(work, client);
    }
    if (work->analysis == NULL)
        return false;
    while (work->analysis != NULL && !cli_is_stopping() && now_ms(CLOCK_MONOTONIC) - begun_ms < ms)
        step(work, client);
    if (work->analysis == NULL)
        work->look_ms = 0; /* another game may be waiting */
    return true;
}
