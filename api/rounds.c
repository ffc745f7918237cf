/* Rounds: drawing tables and seats, starting their games, and showing why they were drawn so. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "api/documents.h"
#include "api/duplicate.h"
#include "api/event_steps.h"
#include "api/game_start.h"
#include "api/handlers.h"
#include "api/sight.h"
#include "api/tournament.h"
#include "engine/catalog.h"
#include "engine/tournament/pod_history.h"

/* ---- Drawing ---- */

static enum pod_profile profile_of(const struct event *event)
{
    if (strcmp(event->profile, "balanced") == 0)
        return POD_BALANCED;
    return strcmp(event->profile, "power") == 0 ? POD_POWER : POD_STRICT;
}

/* What the draw needs beyond the tournament itself; arrays are in the arena. */
struct draw {
    uint16_t *present; /* indices of entries */
    size_t count;
    struct pod_player *players;
    uint8_t *met, *before;
    uint16_t *groups;
};

static void list_present(struct call *call, const struct tournament *tournament, struct draw *draw)
{
    draw->present = arena_array(call->arena, tournament->entry_count, sizeof *draw->present);
    for (size_t i = 0; i < tournament->entry_count; i++)
        if (!tournament->entries[i].dropped)
            draw->present[draw->count++] = (uint16_t)i;
}

static bool prepare_draw(struct call *call, const struct tournament *tournament, struct draw *draw)
{
    unsigned rounds = tournament->event.rounds_started;
    struct standings standings;
    list_present(call, tournament, draw);
    draw->players = arena_array(call->arena, draw->count, sizeof *draw->players);
    draw->met = arena_array(call->arena, draw->count * draw->count, 1);
    draw->before = arena_array(call->arena, draw->count * draw->count, 1);
    draw->groups = arena_array(call->arena, rounds, sizeof *draw->groups);
    int32_t *work = arena_array(call->arena, tournament->entry_count, sizeof *work);
    const struct pod_history history = {.entries = tournament->numbers,
                                        .entry_count = tournament->entry_count,
                                        .results = tournament->results,
                                        .result_count = tournament->result_count,
                                        .scoring = &scoring_default,
                                        .present = draw->present,
                                        .present_count = draw->count,
                                        .rounds = (uint16_t)rounds,
                                        .preferred = (uint8_t)tournament->event.seats_preferred};
    pod_history_count(&history, draw->players, draw->met, draw->before, draw->groups, work);
    if (!event_standings(call, tournament, rounds, &standings))
        return false;
    for (size_t i = 0; i < draw->count; i++)
        for (size_t row = 0; row < standings.count; row++)
            if (standings.rows[row].entry == draw->present[i])
                draw->players[i].place = standings.rows[row].rank;
    standings_free(&standings);
    return true;
}

static bool draw_pairing(struct call *call, const struct tournament *tournament,
                         const struct draw *draw, unsigned round, struct pod_pairing *pairing)
{
    const struct event *event = &tournament->event;
    struct refusal refusal;
    const struct pod_request request = {.players = draw->players,
                                        .player_count = draw->count,
                                        .met = draw->met,
                                        .before = draw->before,
                                        .earlier_groups = draw->groups,
                                        .earlier_rounds = event->rounds_started,
                                        .rule = table_rule_range((uint8_t)event->seats_min,
                                                                 (uint8_t)event->seats_max,
                                                                 (uint8_t)event->seats_preferred),
                                        .profile = profile_of(event),
                                        .round = (uint16_t)round,
                                        .attempt = 1,
                                        .chance = &tournament->chance};
    if (pod_swiss_pair(&request, pairing, &refusal))
        return true;
    bool too_few = strcmp(refusal.code, POD_REFUSAL_TOO_FEW) == 0;
    return call_problem(call, too_few ? "too-few-players" : "internal-error", refusal.message);
}

/* ---- The draw explained ---- */

static json_t *criteria_document(const struct pod_criteria *criteria)
{
    json_t *list = json_array();
    for (int i = 0; i < POD_CRITERIA; i++) {
        const struct pod_criterion_text *text = pod_criterion_describe((enum pod_criterion)i);
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:I}", "code", text->code, "name",
                                              text->name, "meaning", text->meaning, "value",
                                              (json_int_t)criteria->value[i]));
    }
    return list;
}

static json_t *quality_document(const struct pod_pairing *pairing)
{
    return json_pack("{s:o, s:I, s:b}", "criteria", criteria_document(&pairing->criteria),
                     "repeats_bound", (json_int_t)pairing->repeats_bound, "proved_best",
                     (int)pairing->exhaustive);
}

/* ---- Starting a round ---- */

static bool start_tables(struct call *call, const struct tournament *tournament,
                         const struct draw *draw, const struct pod_pairing *pairing, unsigned round)
{
    for (size_t t = 0; t < pairing->table_count; t++) {
        const struct pod_table *table = &pairing->tables[t];
        struct game_row game = {.id = id_new(call->now_ms),
                                .event = tournament->event.id,
                                .round = round,
                                .table = (unsigned)t + 1,
                                .slug = tournament->event.slug,
                                .version = tournament->event.version,
                                .options = tournament->event.options,
                                .started_at_ms = call->now_ms,
                                .seats = table->seats};
        for (unsigned s = 0; s < table->seats; s++) {
            const struct event_entry *entry = &tournament->entries[draw->present[table->player[s]]];
            game.seat[s] =
                (struct game_row_seat){.player = entry->player, .player_name = entry->player_name};
        }
        if (!game_start(call, &game))
            return false;
    }
    return true;
}

static bool store_byes(struct call *call, const struct tournament *tournament,
                       const struct draw *draw, const struct pod_pairing *pairing, unsigned round)
{
    for (size_t i = 0; i < pairing->bye_count; i++) {
        const struct bye bye = {.round = round,
                                .player =
                                    tournament->entries[draw->present[pairing->byes[i]]].player,
                                .kind = "pairing_bye"};
        if (!call_found(call, bye_create(call->db, &tournament->event.id, &bye, 1)))
            return false;
    }
    return true;
}

static bool store_round(struct call *call, const struct tournament *tournament,
                        const struct draw *draw, const struct pod_pairing *pairing, unsigned round)
{
    json_t *quality = quality_document(pairing);
    char *text = json_dumps(quality, JSON_COMPACT);
    if (text == NULL)
        abort();
    struct round row = {.number = round,
                        .attempt = 1,
                        .quality = arena_copy(call->arena, span_of(text)),
                        .started_at_ms = call->now_ms};
    free(text);
    bool stored = call_db(call, round_create(call->db, &tournament->event.id, &row, NULL, 0),
                          "wrong-state", "Somebody else has just started this round.") &&
                  start_tables(call, tournament, draw, pairing, round) &&
                  store_byes(call, tournament, draw, pairing, round) &&
                  event_step(call, &tournament->event.id, "round_started",
                             json_pack("{s:i, s:i, s:O}", "round", (int)round, "attempt", 1,
                                       "quality", quality));
    json_decref(quality);
    return stored;
}

static bool may_start(struct call *call, struct event *event)
{
    static const char *const no_keys[] = {NULL};
    bool running;
    if (!call_check_keys(call, no_keys) || !event_open(call, &call->id[0], true, event))
        return false;
    if (event->state != EVENT_RUNNING && !event_is_in(call, event, EVENT_ENTRIES_CLOSED))
        return false;
    if (!event_round_is_running(call, event, &running))
        return false;
    if (running)
        return call_problem(call, "round-running",
                            "A table of the present round is still playing; wait for it.");
    if (event->rounds_started == event->rounds)
        return call_problem(call, "no-more-rounds",
                            "All planned rounds have been played; close the event.");
    return true;
}

static bool answer_round(struct call *call, const struct event *event, unsigned number, int status);

static bool start_pod_swiss(struct call *call, const struct event *event, unsigned round)
{
    struct tournament tournament;
    struct draw draw = {.count = 0};
    struct pod_pairing pairing;
    if (!tournament_load(call, event, &tournament) || !prepare_draw(call, &tournament, &draw) ||
        !draw_pairing(call, &tournament, &draw, round, &pairing))
        return false;
    bool stored = store_round(call, &tournament, &draw, &pairing, round);
    pod_pairing_free(&pairing);
    return stored;
}

void rounds_start(struct call *call)
{
    struct event event;
    if (!may_start(call, &event))
        return;
    unsigned round = event.rounds_started + 1;
    if (!(duplicate_is(&event) ? duplicate_start_round : start_pod_swiss)(call, &event, round))
        return;
    if (event.state == EVENT_ENTRIES_CLOSED &&
        !call_db(call, event_set_state(call->db, &event.id, EVENT_ENTRIES_CLOSED, EVENT_RUNNING),
                 "wrong-state", "Somebody else has just moved the event on."))
        return;
    answer_round(call, &event, round, 201);
}

/* ---- Reading ---- */

/* The pairing's explanation; null where the draw was none of pod Swiss. */
static json_t *stored_quality(const struct round *round)
{
    json_t *quality = round->has_commitment ? NULL : json_loads(round->quality, 0, NULL);
    return quality == NULL ? json_null() : quality;
}

/* The secret that the round's games share is shown when the last of them has ended. */
static bool read_revealed(struct call *call, const struct id *event, const struct round *round,
                          json_t **revealed)
{
    uint8_t secret[KEYS_SECRET_BYTES];
    *revealed = json_null();
    if (!round->has_commitment || round->tables_finished < round->tables)
        return true;
    if (!duplicate_read_secret(call, event, round->number, secret))
        return false;
    *revealed = hex_json(secret, sizeof secret);
    return true;
}

static bool round_document(struct call *call, const struct id *event, const struct round *round,
                           json_t **document)
{
    json_t *revealed;
    if (!read_revealed(call, event, round, &revealed))
        return false;
    *document = json_pack(
        "{s:i, s:i, s:s, s:i, s:i, s:o, s:o, s:o, s:o}", "number", (int)round->number, "attempt",
        (int)round->attempt, "state",
        round->tables_finished < round->tables ? "running" : "finished", "tables",
        (int)round->tables, "tables_finished", (int)round->tables_finished, "started_at",
        time_json(round->started_at_ms), "quality", stored_quality(round), "commitment",
        round->has_commitment ? hex_json(round->commitment, sizeof round->commitment) : json_null(),
        "secret", revealed);
    return true;
}

void rounds_list(struct call *call)
{
    struct event event;
    struct round *rounds;
    size_t count;
    if (!event_open(call, &call->id[0], false, &event) ||
        !call_found(call, round_list(call->db, call->arena, &event.id, &rounds, &count)))
        return;
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *item;
        if (!round_document(call, &event.id, &rounds[i], &item)) {
            json_decref(items);
            return;
        }
        json_array_append_new(items, item);
    }
    call_answer_tagged(call, page_document(items, NULL));
}

static bool answer_round(struct call *call, const struct event *event, unsigned number, int status)
{
    struct round *rounds;
    struct game_row *games;
    struct bye *byes;
    size_t round_count;
    size_t game_count;
    size_t bye_count;
    if (!call_found(call, round_list(call->db, call->arena, &event->id, &rounds, &round_count)))
        return false;
    if (number == 0 || number > round_count)
        return call_problem(call, "not-found", "This round has not been started.");
    if (!call_found(call,
                    round_games(call->db, call->arena, &event->id, number, &games, &game_count)) ||
        !call_found(call, bye_list(call->db, call->arena, &event->id, number, &byes, &bye_count)))
        return false;
    json_t *document;
    if (!round_document(call, &event->id, &rounds[number - 1], &document))
        return false;
    json_t *game_list = json_array();
    for (size_t i = 0; i < game_count; i++)
        json_array_append_new(game_list, sight_game_document(call, &games[i]));
    json_t *bye_list_document = json_array();
    for (size_t i = 0; i < bye_count; i++)
        json_array_append_new(bye_list_document,
                              json_pack("{s:o, s:s}", "player",
                                        player_reference(&byes[i].player, byes[i].player_name),
                                        "kind", byes[i].kind));
    json_object_set_new(document, "games", game_list);
    json_object_set_new(document, "byes", bye_list_document);
    if (status == 200)
        call_answer_tagged(call, document);
    else
        call_answer(call, status, document);
    return true;
}

void rounds_get(struct call *call)
{
    struct event event;
    if (event_open(call, &call->id[0], false, &event))
        answer_round(call, &event, (unsigned)call->number[0], 200);
}
