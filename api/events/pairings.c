/* Drafts of rounds: the next round before it is played. It is drawn by the rules, and its line in
 * the log has the number of the attempt. An official may change the seating by hand, with a reason
 * and with the loss in quality shown, or draw it again, and then starts it. */
#include "api/events/handlers.h"

#include <sodium.h>
#include <string.h>

#include "api/event/event_load.h"
#include "api/event/event_take.h"
#include "api/events/round_documents.h"
#include "api/request/documents.h"
#include "api/tables/duplicate.h"
#include "api/tables/duplicate_standings.h"
#include "api/tables/tables.h"
#include "api/work/jobs.h"
#include "engine/tournament/pairing/pairing.h"

enum { REASON_MOST = 500 };

/* ---- Documents ---- */

static json_t *tables_document(const struct event_people *people, const struct pairing *pairing)
{
    json_t *tables = json_array();
    for (size_t t = 0; t < pairing->table_count; t++) {
        const struct pairing_table *table = &pairing->tables[t];
        json_t *players = json_array();
        for (unsigned seat = 0; seat < table->seats; seat++)
            json_array_append_new(players, event_numbered_person(people, table->entry[seat]));
        json_t *match =
            table->match == TOURNAMENT_NOBODY ? json_null() : json_integer(table->match);
        json_array_append_new(tables, json_pack("{s:i, s:o, s:o}", "table", (int)t + 1, "match",
                                                match, "players", players));
    }
    return tables;
}

static json_t *byes_document(const struct event_people *people, const struct pairing *pairing)
{
    json_t *byes = json_array();
    for (size_t i = 0; i < pairing->bye_count; i++)
        json_array_append_new(byes, json_pack("{s:o, s:s}", "player",
                                              event_numbered_person(people, pairing->byes[i].entry),
                                              "kind", round_kind_name(pairing->byes[i].kind)));
    return byes;
}

static bool answer_pairing(struct call *call, const struct loaded_event *loaded,
                           const struct pairing *pairing, const char *state, int status)
{
    struct event_people people;
    const struct tournament_round *draft = tournament_draft(loaded->tournament);
    if (!event_people_load(call, loaded, &people))
        return false;
    call_answer(call, status,
                json_pack("{s:s, s:i, s:i, s:b, s:s, s:i, s:i, s:o, s:o, s:O}", "event",
                          loaded->event.id.text, "number", (int)pairing->round, "stage",
                          pairing->stage + 1, "begins_stage", (int)pairing->begins_stage, "state",
                          state, "attempt", (int)pairing->attempt, "changes",
                          draft == NULL ? 0 : (int)draft->changes, "tables",
                          tables_document(&people, pairing), "byes",
                          byes_document(&people, pairing), "quality", pairing->quality));
    if (status == 201)
        call->response->location = round_address(call, &loaded->event.id, 0);
    return true;
}

/* ---- The draft ---- */

/* Reads the draw's explanation from the line with the draw that counts. */
static bool read_quality(struct call *call, const struct loaded_event *loaded,
                         const struct tournament_round *draft, json_t **quality)
{
    struct event_step step;
    if (!call_found(call,
                    event_log_find(call->db, call->arena, &loaded->event.id, draft->drawn, &step)))
        return false;
    json_t *detail = json_loads(step.detail, 0, NULL);
    *quality = json_incref(json_object_get(detail, "quality"));
    json_decref(detail);
    return *quality != NULL ||
           call_problem(call, "log-damaged", "The pairings have no explanation.");
}

/* Reads the draft as a pairing, which the caller frees with pairing_free() if the result is true.
 */
static bool read_draft(struct call *call, const struct loaded_event *loaded,
                       struct pairing *pairing)
{
    const struct tournament *tournament = loaded->tournament;
    const struct tournament_round *draft = tournament_draft(tournament);
    if (draft == NULL)
        return call_problem(call, "wrong-state",
                            "No paired round is waiting to be started; POST .../rounds with "
                            "{\"publish\": false} pairs one.");
    if (!pairing_of_draft(tournament, pairing))
        end_without_memory();
    if (read_quality(call, loaded, draft, &pairing->quality))
        return true;
    pairing_free(pairing);
    return false;
}

static bool answer_draft(struct call *call, const struct loaded_event *loaded, int status)
{
    struct pairing pairing = {.quality = NULL};
    if (!read_draft(call, loaded, &pairing))
        return false;
    bool answered = answer_pairing(call, loaded, &pairing, "draft", status);
    pairing_free(&pairing);
    return answered;
}

/* ---- Computing draws ---- */

/* Draws are computed outside of any transaction (call_compute()). They depend on an event's log up
 * to a line, and are valid as long as that is the last one. */

/* The input and output of a computation. */
struct pairing_work {
    const struct tournament *tournament; /* owned by the call's arena */
    struct chance chance;
    unsigned attempt;
    const struct pairing *by_hand; /* NULL = draw by the rules */
    bool made;
    struct pairing pairing;
    struct refusal refusal;
};

static void free_pairing(void *object)
{
    pairing_free(object);
}

static void run(struct call *call, void *context)
{
    struct pairing_work *work = context;
    const struct progress progress = jobs_computing(call);
    jobs_progress(call, "computing", 0, 0);
    work->made = work->by_hand == NULL
                     ? pairing_next_telling(work->tournament, &work->chance, work->attempt,
                                            &progress, &work->pairing, &work->refusal)
                     : pairing_change(work->tournament, &work->chance, work->attempt, work->by_hand,
                                      &progress, &work->pairing, &work->refusal);
    if (work->made)
        arena_own(call->arena, &work->pairing, free_pairing);
    jobs_progress(call, "storing", 0, 0);
}

/* Lines that the call itself has added to the log are the same at each attempt, so their number
 * suffices. */
static void make_key(const struct loaded_event *loaded, unsigned attempt, uint8_t key[static 32])
{
    const uint64_t numbers[] = {loaded->tournament->lines, attempt};
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, 32);
    crypto_generichash_update(&state, loaded->mark.hash, sizeof loaded->mark.hash);
    crypto_generichash_update(&state, (const unsigned char *)numbers, sizeof numbers);
    crypto_generichash_final(&state, key, 32);
}

static bool compute(struct call *call, const struct loaded_event *loaded, unsigned attempt,
                    const struct pairing *by_hand, struct pairing *pairing)
{
    uint8_t key[32];
    struct pairing_work *work = arena_take(call->arena, sizeof *work);
    void *done = work;
    *work = (struct pairing_work){.tournament = loaded->tournament,
                                  .chance = loaded->chance,
                                  .attempt = attempt,
                                  .by_hand = by_hand};
    make_key(loaded, attempt, key);
    if (!call_compute(call, key, run, &done))
        return false;
    work = done;
    *pairing = work->pairing;
    return work->made || event_refuse(call, &work->refusal);
}

/* Draws the next round of an event (pairing_next()), in its next attempt. False with a problem: the
 * handler returns, and is called again when the draw has been computed. The call's arena owns the
 * contents of the pairing. */
static bool pairing_work_next(struct call *call, const struct loaded_event *loaded,
                              struct pairing *pairing)
{
    return compute(call, loaded, loaded->tournament->attempts + 1U, NULL, pairing);
}

/* As pairing_work_next(), with the tables and byes of `by_hand`, which the arena owns
 * (pairing_change()); `attempt` is that of the replaced draw. */
static bool pairing_work_change(struct call *call, const struct loaded_event *loaded,
                                unsigned attempt, const struct pairing *by_hand,
                                struct pairing *changed)
{
    struct pairing *kept = arena_take(call->arena, sizeof *kept);
    *kept = *by_hand;
    return compute(call, loaded, attempt, kept, changed);
}

/* ---- Drawing ---- */

static bool check_not_duplicate(struct call *call, const struct loaded_event *loaded)
{
    return !duplicate_is(&loaded->event) ||
           call_problem(call, "no-rounds",
                        "Duplicate rounds are seated board by board as they start; there is no "
                        "draft.");
}

/* Draws the next round and stores its lines. */
static bool draw_round(struct call *call, struct loaded_event *loaded)
{
    struct pairing pairing;
    if (!pairing_work_next(call, loaded, &pairing))
        return false;
    json_t *stage = pairing_stage_line(loaded->tournament, &pairing);
    json_t *round = pairing_round_line(loaded->tournament, &pairing);
    if (stage != NULL && !event_take(call, loaded, "stage_started", stage)) {
        json_decref(round);
        return false;
    }
    return event_take(call, loaded, "round_drawn", round);
}

static bool read_publish(struct call *call, bool *publish)
{
    static const char *const keys[] = {"publish", "deadline", "play", NULL};
    *publish = true;
    return call_check_keys(call, keys) && call_boolean(call, "publish", publish);
}

static bool start_draft(struct call *call, struct loaded_event *loaded)
{
    struct round_start start;
    return round_read_start(call, loaded, &start) && round_start_draft(call, loaded, &start) &&
           round_answer(call, loaded, loaded->tournament->rounds_started, 201);
}

static void start_duplicate(struct call *call, struct loaded_event *loaded, bool publish)
{
    if (json_object_get(call->body, "play") != NULL) {
        call_bad_field(call, "play", "is not for duplicate rounds, which are dealt here.");
        return;
    }
    if ((publish || check_not_duplicate(call, loaded)) && duplicate_start_round(call, loaded))
        round_answer(call, loaded, loaded->tournament->rounds_started, 201);
}

/* Starts the draft; draws one first if there is none. */
void rounds_start(struct call *call)
{
    struct loaded_event loaded;
    bool publish;
    if (!read_publish(call, &publish) || !event_load(call, &call->id[0], true, &loaded))
        return;
    if (duplicate_is(&loaded.event)) {
        start_duplicate(call, &loaded, publish);
        return;
    }
    bool drawn = tournament_draft(loaded.tournament) != NULL;
    if ((!drawn || !publish) && !draw_round(call, &loaded))
        return;
    if (publish)
        start_draft(call, &loaded);
    else
        answer_draft(call, &loaded, 201);
}

/* ---- Reading ---- */

void next_rounds_get(struct call *call)
{
    struct loaded_event loaded;
    struct pairing pairing;
    if (!event_load(call, &call->id[0], false, &loaded) || !check_not_duplicate(call, &loaded))
        return;
    if (tournament_draft(loaded.tournament) != NULL)
        answer_draft(call, &loaded, 200);
    else if (pairing_work_next(call, &loaded, &pairing))
        answer_pairing(call, &loaded, &pairing, "preview", 200);
}

/* ---- Changing by hand ---- */

static bool read_entry(struct call *call, const struct tournament *tournament, const char *field,
                       json_t *value, uint16_t *entry)
{
    *entry = json_is_string(value) ? tournament_entry(tournament, span_of(json_string_value(value)))
                                   : TOURNAMENT_NOBODY;
    return *entry != TOURNAMENT_NOBODY ||
           call_bad_field(call, field, "must contain ids of players who have entered.");
}

static bool read_table(struct call *call, const struct tournament *tournament, json_t *list,
                       struct pairing_table *table)
{
    size_t seats = json_array_size(list);
    if (seats < 1 || seats > TOURNAMENT_SEATS_MAX)
        return call_bad_field(call, "tables", "must be lists of one to five ids of players.");
    *table = (struct pairing_table){.seats = (uint8_t)seats, .match = TOURNAMENT_NOBODY};
    for (size_t seat = 0; seat < seats; seat++)
        if (!read_entry(call, tournament, "tables", json_array_get(list, seat),
                        &table->entry[seat]))
            return false;
    return true;
}

/* Entries that have no seat and are not named in `byes` keep the bye or absence of the draft. */
static uint8_t bye_kind(const struct pairing *draft, uint16_t entry)
{
    for (size_t i = 0; i < draft->bye_count; i++)
        if (draft->byes[i].entry == entry)
            return draft->byes[i].kind;
    return ROUND_PAIRING_BYE;
}

static bool read_tables(struct call *call, const struct tournament *tournament,
                        const struct pairing *draft, struct pairing *by_hand)
{
    json_t *list = json_object_get(call->body, "tables"), *each;
    size_t i;
    by_hand->table_count = json_array_size(list);
    if (by_hand->table_count == 0 || by_hand->table_count > tournament->entrant_count)
        return call_bad_field(call, "tables", "must be a list of tables, each a list of ids.");
    by_hand->tables = arena_array(call->arena, by_hand->table_count, sizeof *by_hand->tables);
    json_array_foreach(list, i, each)
    {
        if (!read_table(call, tournament, each, &by_hand->tables[i]))
            return false;
        if (i < draft->table_count)
            by_hand->tables[i].match = draft->tables[i].match;
    }
    return true;
}

static void add_bye(struct pairing *by_hand, const struct pairing *draft, uint16_t entry)
{
    by_hand->byes[by_hand->bye_count++] = (struct pairing_bye){entry, bye_kind(draft, entry)};
}

static bool read_named_byes(struct call *call, const struct tournament *tournament,
                            const struct pairing *draft, struct pairing *by_hand)
{
    json_t *list = json_object_get(call->body, "byes"), *each;
    size_t i;
    if (list != NULL && (!json_is_array(list) || json_array_size(list) > tournament->entrant_count))
        return call_bad_field(call, "byes", "must be a list of ids of players.");
    json_array_foreach(list, i, each)
    {
        uint16_t entry;
        if (!read_entry(call, tournament, "byes", each, &entry))
            return false;
        add_bye(by_hand, draft, entry);
    }
    return true;
}

static bool is_placed(const struct pairing *by_hand, uint16_t entry)
{
    for (size_t t = 0; t < by_hand->table_count; t++)
        for (unsigned seat = 0; seat < by_hand->tables[t].seats; seat++)
            if (by_hand->tables[t].entry[seat] == entry)
                return true;
    for (size_t i = 0; i < by_hand->bye_count; i++)
        if (by_hand->byes[i].entry == entry)
            return true;
    return false;
}

/* Absences and granted byes of the draft remain without being repeated in the body. */
static void keep_byes(const struct pairing *draft, struct pairing *by_hand)
{
    for (size_t i = 0; i < draft->bye_count; i++)
        if (draft->byes[i].kind != ROUND_PAIRING_BYE && !is_placed(by_hand, draft->byes[i].entry))
            by_hand->byes[by_hand->bye_count++] = draft->byes[i];
}

static bool read_by_hand(struct call *call, const struct tournament *tournament,
                         const struct pairing *draft, struct pairing *by_hand)
{
    *by_hand = (struct pairing){.round = draft->round};
    by_hand->byes = arena_array(call->arena, 2 * tournament->entrant_count, sizeof *by_hand->byes);
    if (!read_tables(call, tournament, draft, by_hand) ||
        !read_named_byes(call, tournament, draft, by_hand))
        return false;
    keep_byes(draft, by_hand);
    return true;
}

static bool change(struct call *call, const struct loaded_event *loaded, struct pairing *changed)
{
    struct pairing draft = {.quality = NULL}, by_hand;
    if (!read_draft(call, loaded, &draft))
        return false;
    bool good = read_by_hand(call, loaded->tournament, &draft, &by_hand) &&
                pairing_work_change(call, loaded, draft.attempt, &by_hand, changed);
    pairing_free(&draft);
    return good;
}

void next_rounds_change(struct call *call)
{
    static const char *const keys[] = {"tables", "byes", "reason", NULL};
    struct loaded_event loaded;
    struct pairing changed;
    const char *reason;
    bool preview;
    if (!preview_read(call, &preview) || !call_check_keys(call, keys) ||
        !call_text(call, "reason", 1, REASON_MOST, preview ? "" : NULL, &reason) ||
        !event_load(call, &call->id[0], !preview, &loaded) || !check_not_duplicate(call, &loaded) ||
        !change(call, &loaded, &changed))
        return;
    if (preview)
        answer_pairing(call, &loaded, &changed, "preview", 200);
    else if (event_take(call, &loaded, "round_changed",
                        pairing_change_line(loaded.tournament, &changed, reason)))
        answer_draft(call, &loaded, 200);
}

/* ---- Withdrawing, drawing again, starting ---- */

static bool withdraw(struct call *call, struct loaded_event *loaded, const char *reason)
{
    const struct tournament_round *draft = tournament_draft(loaded->tournament);
    if (draft == NULL)
        return call_problem(call, "wrong-state", "No paired round is waiting to be started.");
    json_t *detail = json_pack("{s:i}", "round", (int)draft->number);
    if (reason[0] != '\0')
        json_object_set_new(detail, "reason", json_string(reason));
    return event_take(call, loaded, "round_withdrawn", detail);
}

void next_rounds_redraw(struct call *call)
{
    static const char *const keys[] = {"reason", NULL};
    struct loaded_event loaded;
    const char *reason;
    if (call_check_keys(call, keys) && call_text(call, "reason", 1, REASON_MOST, NULL, &reason) &&
        event_load(call, &call->id[0], true, &loaded) && withdraw(call, &loaded, reason) &&
        draw_round(call, &loaded))
        answer_draft(call, &loaded, 200);
}

void next_rounds_withdraw(struct call *call)
{
    static const char *const keys[] = {"reason", NULL};
    struct loaded_event loaded;
    const char *reason;
    if (call_check_keys(call, keys) && call_text(call, "reason", 1, REASON_MOST, "", &reason) &&
        event_load(call, &call->id[0], true, &loaded) && withdraw(call, &loaded, reason))
        call->response->status = 204;
}

void next_rounds_start(struct call *call)
{
    static const char *const keys[] = {"deadline", "play", NULL};
    struct loaded_event loaded;
    if (call_check_keys(call, keys) && event_load(call, &call->id[0], true, &loaded) &&
        check_not_duplicate(call, &loaded))
        start_draft(call, &loaded);
}
