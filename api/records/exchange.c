/* An event's public data in the formats of other programs
 * (engine/tournament/interchange/exchange.h). */
#include <stdlib.h>
#include <string.h>

#include "api/event/event_load.h"
#include "api/records/handlers.h"
#include "api/tables/duplicate_standings.h"
#include "engine/tournament/interchange/exchange.h"
#include "engine/tournament/pairing/ranking.h"

enum { TEXT_LEAST = 1 << 16, TEXT_MOST = 64 << 20, BROADCAST_ITEMS = 50, LINES_AT_ONCE = 500 };

static const char csv[] = "text/csv; charset=utf-8";
static const char trf[] = "text/plain; charset=utf-8";

/* ---- Loading ---- */

static bool load(struct call *call, struct loaded_event *loaded, struct exchange *exchange)
{
    struct event_people people;
    if (!event_load_as_of(call, loaded) || !event_people_load(call, loaded, &people))
        return false;
    *exchange = (struct exchange){.id = loaded->event.id.text,
                                  .tournament = loaded->tournament,
                                  .names = people.name,
                                  .site = call->service->site_address};
    return true;
}

static bool make_ranking(struct call *call, const struct loaded_event *loaded, unsigned rounds,
                         struct ranking *ranking)
{
    struct refusal refusal;
    return ranking_make(loaded->tournament, &loaded->chance, rounds, ranking, &refusal) ||
           call_problem(call, refusal.code, refusal.message);
}

/* ---- Text responses ---- */

static void answer_text(struct call *call, const char *type, const char *file, struct span body)
{
    call_name_file(call, "attachment", file, "");
    call_answer_body(call, type, body);
}

/* Writes text, with more room after each overflow; `write` may refuse. */
static bool write_text(struct call *call, bool (*write)(void *context, struct text *text),
                       void *context, struct span *body)
{
    size_t capacity = TEXT_LEAST;
    struct text text;
    do {
        text = (struct text){arena_room(call->arena, capacity), 0, capacity, false};
        text_clear(&text);
        if (!write(context, &text))
            return false;
        capacity *= 4;
    } while (text.overflow && capacity <= TEXT_MOST);
    *body = text_span(&text);
    return !text.overflow ||
           call_problem(call, "internal-error", "The event is too large for this form.");
}

/* ---- Parameters ---- */

/* Reads a whole number up to `most`; `initial` without the parameter. */
static bool read_number(struct call *call, const char *name, uint64_t most, unsigned initial,
                        unsigned *number)
{
    struct span value = http_parameter(call->request, name);
    uint64_t read = initial;
    if (value.at != NULL && !span_number(value, most, &read))
        return call_problem(call, "bad-parameter",
                            "A round or stage is named by its number, and must have begun.");
    *number = (unsigned)read;
    return true;
}

/* Refuses parameters other than as_of and these two (NULL = none). */
static bool check_parameters(struct call *call, const char *one, const char *other)
{
    for (size_t i = 0; i < call->request->parameters; i++) {
        struct span name = call->request->parameter[i].name;
        if (!event_is_as_of(name) && !(one != NULL && span_is(name, one)) &&
            !(other != NULL && span_is(name, other)))
            return call_problem(call, "bad-parameter",
                                "This address does not take one of these parameters.");
    }
    return true;
}

/* ---- Tables ---- */

struct table_wish {
    struct call *call;
    const struct exchange *exchange;
    const struct ranking *ranking;                  /* of other events */
    const struct duplicate_standings *of_duplicate; /* of duplicate events */
    unsigned stage, round;
};

static bool write_standings(void *context, struct text *text)
{
    const struct table_wish *wish = context;
    bool written =
        wish->of_duplicate != NULL
            ? exchange_duplicate_csv(wish->exchange, wish->of_duplicate, wish->round, text)
            : exchange_standings_csv(wish->exchange, wish->ranking, wish->stage - 1, wish->round,
                                     text);
    return written || call_problem(wish->call, "unavailable",
                                   "There is not enough memory for the table; try again soon.");
}

static bool write_pairings(void *context, struct text *text)
{
    const struct table_wish *wish = context;
    exchange_pairings_csv(wish->exchange, wish->round, text);
    return true;
}

static bool write_results(void *context, struct text *text)
{
    const struct table_wish *wish = context;
    exchange_results_csv(wish->exchange, text);
    return true;
}

static bool write_calendar(void *context, struct text *text)
{
    const struct table_wish *wish = context;
    exchange_calendar(wish->exchange, text);
    return true;
}

static unsigned last_stage(const struct ranking *ranking)
{
    return ranking->group_count == 0 ? 1U : ranking->groups[ranking->group_count - 1].stage + 1U;
}

static void answer_standings(struct call *call, const struct exchange *exchange,
                             const struct ranking *ranking, unsigned rounds)
{
    struct table_wish wish = {
        .call = call, .exchange = exchange, .ranking = ranking, .round = rounds};
    unsigned last = last_stage(ranking);
    struct span body = {NULL, 0};
    if (!read_number(call, "stage", last, last, &wish.stage))
        return;
    if (wish.stage == 0) {
        call_problem(call, "bad-parameter", "Stages are numbered from 1.");
        return;
    }
    if (write_text(call, write_standings, &wish, &body))
        answer_text(call, csv, "standings.csv", body);
}

static void answer_duplicate(struct call *call, const struct loaded_event *loaded,
                             const struct exchange *exchange, unsigned rounds)
{
    struct duplicate_event duplicate;
    struct span body = {NULL, 0};
    struct table_wish wish = {.call = call, .exchange = exchange, .round = rounds};
    if (!read_number(call, "stage", 1, 1, &wish.stage) ||
        !duplicate_load(call, loaded, rounds, &duplicate))
        return;
    wish.of_duplicate = &duplicate.ranking.standings;
    if (write_text(call, write_standings, &wish, &body))
        answer_text(call, csv, "standings.csv", body);
    duplicate_free(&duplicate);
}

void standings_csv_get(struct call *call)
{
    struct loaded_event loaded;
    struct exchange exchange;
    struct ranking ranking;
    unsigned rounds = 0;
    if (!check_parameters(call, "after_round", "stage") || !load(call, &loaded, &exchange))
        return;
    unsigned started = loaded.tournament->rounds_started;
    if (!read_number(call, "after_round", started, started, &rounds))
        return;
    if (duplicate_is(&loaded.event)) {
        answer_duplicate(call, &loaded, &exchange, rounds);
        return;
    }
    if (!make_ranking(call, &loaded, rounds, &ranking))
        return;
    answer_standings(call, &exchange, &ranking, rounds);
    ranking_free(&ranking);
}

void pairings_csv_get(struct call *call)
{
    struct loaded_event loaded;
    struct exchange exchange;
    struct span body = {NULL, 0};
    if (!check_parameters(call, "round", NULL) || !load(call, &loaded, &exchange))
        return;
    unsigned started = loaded.tournament->rounds_started;
    struct table_wish wish = {.exchange = &exchange};
    if (read_number(call, "round", started, started, &wish.round) &&
        write_text(call, write_pairings, &wish, &body))
        answer_text(call, csv, "pairings.csv", body);
}

/* Answers with a form that has no parameters of its own. */
static void answer_whole(struct call *call, bool (*write)(void *context, struct text *text),
                         const char *type, const char *file)
{
    struct loaded_event loaded;
    struct exchange exchange;
    struct span body = {NULL, 0};
    struct table_wish wish = {.exchange = &exchange};
    if (check_parameters(call, NULL, NULL) && load(call, &loaded, &exchange) &&
        write_text(call, write, &wish, &body))
        answer_text(call, type, file, body);
}

void results_csv_get(struct call *call)
{
    answer_whole(call, write_results, csv, "results.csv");
}

void rounds_calendar_get(struct call *call)
{
    answer_whole(call, write_calendar, "text/calendar; charset=utf-8", "rounds.ics");
}

/* ---- FIDE's report files ---- */

struct trf_wish {
    const struct exchange *exchange;
    const struct ranking *ranking;
    enum trf_version version;
    struct refusal refusal;
};

static bool write_trf(void *context, struct text *text)
{
    struct trf_wish *wish = context;
    return exchange_trf(wish->exchange, wish->ranking, wish->version, text, &wish->refusal);
}

static void answer_trf(struct call *call, enum trf_version version, const char *file)
{
    struct loaded_event loaded;
    struct exchange exchange;
    struct ranking ranking;
    struct span body = {NULL, 0};
    if (!check_parameters(call, NULL, NULL) || !load(call, &loaded, &exchange) ||
        !make_ranking(call, &loaded, loaded.tournament->rounds_started, &ranking))
        return;
    struct trf_wish wish = {
        .exchange = &exchange, .ranking = &ranking, .version = version, .refusal = {NULL, ""}};
    if (write_text(call, write_trf, &wish, &body))
        answer_text(call, trf, file, body);
    else if (wish.refusal.code != NULL)
        call_problem(call, wish.refusal.code, wish.refusal.message);
    ranking_free(&ranking);
}

void trf16_get(struct call *call)
{
    answer_trf(call, TRF_16, "event.trf16");
}

void trf26_get(struct call *call)
{
    answer_trf(call, TRF_26, "event.trf26");
}

/* ---- News ---- */

static void add_item(const struct exchange *exchange, const struct event_step *step, json_t *items)
{
    json_t *detail = json_loads(step->detail, 0, NULL);
    const struct tournament_line line = {.number = step->seq,
                                         .at_ms = step->at_ms,
                                         .actor = step->actor.text,
                                         .kind = step->kind,
                                         .detail = detail};
    json_t *item = detail == NULL ? NULL : exchange_feed_item(exchange, &line);
    if (item != NULL)
        json_array_insert_new(items, 0, item);
    if (json_array_size(items) > BROADCAST_ITEMS)
        json_array_remove(items, BROADCAST_ITEMS);
    json_decref(detail);
}

/* Adds the lines from the first readable one up to the loaded moment. */
static bool add_items(struct call *call, const struct exchange *exchange, const struct id *event,
                      json_t *items)
{
    unsigned after = 1;
    size_t count = LINES_AT_ONCE;
    const struct event_moment moment = {.line = exchange->tournament->lines};
    bool good = call_found(call, event_log_begin(call->db, event, &after));
    for (after = good ? after - 1 : 0; good && count == LINES_AT_ONCE;) {
        struct arena arena = {NULL};
        struct event_step *steps;
        good = call_found(call, event_log_list(call->db, &arena, event, after, &moment,
                                               LINES_AT_ONCE, &steps, &count));
        for (size_t i = 0; good && i < count; i++)
            add_item(exchange, &steps[i], items);
        if (good && count > 0)
            after = steps[count - 1].seq;
        arena_free(&arena);
    }
    return good;
}

void broadcast_get(struct call *call)
{
    struct loaded_event loaded;
    struct exchange exchange;
    if (!check_parameters(call, NULL, NULL) || !load(call, &loaded, &exchange))
        return;
    json_t *items = json_array();
    if (!add_items(call, &exchange, &loaded.event.id, items)) {
        json_decref(items);
        return;
    }
    call_answer_tagged(call, exchange_feed(&exchange, items));
    if (call->response->status < 400)
        call->response->content_type = "application/feed+json";
}
