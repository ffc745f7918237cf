/* What the seats of a ruleset have been worth, from the newest finished games. */
#include <string.h>

#include "api/documents.h"
#include "api/handlers.h"
#include "db/seat_results.h"
#include "engine/catalog.h"
#include "engine/tournament/seat_advantage.h"

/* A few hundred tables tell an advantage from luck; more than these make no page better. */
enum { TABLES_MOST = 20000 };

/* Who was put on the quiet move has not played the game to its end. */
static struct table_result table_of(const struct seat_results *results)
{
    struct table_result table = {.round = 1, .table = 1, .seats = (uint8_t)results->seats};
    for (unsigned seat = 0; seat < results->seats; seat++)
        table.seat[seat] = (struct seat_result){
            .entry = (uint16_t)seat,
            .kind = results->seat[seat].fallback ? ROUND_FORFEIT_LOSS : ROUND_PLAYED,
            .rank = (uint8_t)results->seat[seat].rank,
            .score = results->seat[seat].score};
    return table;
}

static json_t *interval_document(struct seat_interval interval)
{
    return json_pack("{s:I, s:I, s:I}", "value_millionths", (json_int_t)interval.value,
                     "low_millionths", (json_int_t)interval.low, "high_millionths",
                     (json_int_t)interval.high);
}

static json_t *seat_document(const struct seat_tallies *tallies, unsigned seats, unsigned seat)
{
    struct seat_advantage advantage = seat_advantage(tallies, seats, seat);
    return json_pack("{s:i, s:o, s:o, s:o, s:b}", "seat", (int)seat, "wins",
                     interval_document(advantage.wins), "share", interval_document(advantage.share),
                     "score", interval_document(advantage.score), "significant",
                     (int)advantage.significant);
}

static json_t *size_document(const struct seat_tallies *tallies, unsigned seats)
{
    json_t *list = json_array();
    for (unsigned seat = 0; seat < seats; seat++)
        json_array_append_new(list, seat_document(tallies, seats, seat));
    return json_pack("{s:i, s:I, s:o, s:o}", "seats", (int)seats, "tables",
                     (json_int_t)tallies->tables[seats], "even", rational_document(1, seats),
                     "by_seat", list);
}

/* Sizes of which there is a table. */
static json_t *sizes_document(const struct seat_results *results, size_t count, const char *version)
{
    struct seat_tallies tallies = {.tables = {0}};
    json_t *sizes = json_array();
    for (size_t i = 0; i < count; i++) {
        struct table_result table = table_of(&results[i]);
        if (strcmp(results[i].version, version) == 0)
            (void)seat_count(&tallies, &table);
    }
    for (unsigned seats = 2; seats <= TOURNAMENT_SEATS_MAX; seats++)
        if (tallies.tables[seats] > 0)
            json_array_append_new(sizes, size_document(&tallies, seats));
    return sizes;
}

void rulesets_seat_advantage(struct call *call)
{
    const struct game *newest = catalog_newest(call->word[0]);
    struct seat_results *results;
    size_t count;
    if (newest == NULL) {
        call_problem(call, "not-found", "There is no ruleset with this slug.");
        return;
    }
    if (!call_found(call, seat_results_list(call->db, call->arena, newest->slug, TABLES_MOST,
                                            &results, &count)))
        return;
    json_t *versions = json_array();
    for (size_t i = 0; catalog_at(i) != NULL; i++)
        if (strcmp(catalog_at(i)->slug, newest->slug) == 0)
            json_array_append_new(
                versions,
                json_pack("{s:o, s:o}", "ruleset",
                          ruleset_reference(newest->slug, catalog_at(i)->version), "sizes",
                          sizes_document(results, count, catalog_at(i)->version)));
    call_answer_tagged(
        call, json_pack("{s:i, s:o}", "games_most", (int)TABLES_MOST, "versions", versions));
}
