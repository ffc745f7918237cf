#include "engine/tournament/interchange/bundle_results.h"

#include <stdlib.h>
#include <string.h>

#include "engine/log/tlog.h"

/* ---- Counts ---- */

static void count_tables(const struct tournament *tournament, struct bundle_results *results)
{
    for (size_t i = 0; i < tournament->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[i];
        results->reported += table->reported;
        results->recorded += tournament_is_recorded(tournament, table);
        results->rated_reported += tournament_rated_seats(tournament, table) != 0;
        results->ruled += table->ruled;
    }
    for (size_t i = 0; i < tournament->rounds_started; i++)
        results->changed += tournament->rounds[i].changes > 0;
}

static size_t count_set_aside(const struct bundle *bundle)
{
    size_t counting = 0;
    for (size_t i = 0; i < bundle->tournament.table_count; i++)
        counting += bundle->tournament.tables[i].played;
    return bundle->record_count - (bundle->record_count > 0 ? counting : 0);
}

/* ---- Standings and ratings ---- */

static void take_places(struct bundle_results *results)
{
    for (size_t i = 0; i < results->ranking.place_count; i++) {
        const struct ranking_place *place = &results->ranking.places[i];
        results->places[results->count++] = (struct bundle_place){
            place->entry, place->place, place->shared, 0, place->points, POINTS_PER_POINT};
    }
}

static void take_boards(const struct tournament *tournament, struct bundle_results *results)
{
    const struct duplicate_standings *standings = &results->boards.standings;
    for (size_t i = 0; i < standings->count; i++) {
        const struct duplicate_standing *row = &standings->rows[i];
        uint16_t shared = 0;
        for (size_t j = 0; j < standings->count; j++)
            shared = (uint16_t)(shared + (standings->rows[j].rank == row->rank));
        results->places[results->count++] =
            (struct bundle_place){tournament_entry_numbered(tournament, (uint16_t)(row->entry + 1)),
                                  row->rank,
                                  shared,
                                  0,
                                  row->value[0].numerator,
                                  row->value[0].denominator};
    }
}

static void make_places(const struct bundle *bundle, struct bundle_results *results)
{
    const struct tournament *tournament = &bundle->tournament;
    unsigned rounds = tournament->rounds_started;
    bool of_boards = tournament->settings.stage[0].format == FORMAT_DUPLICATE;
    if (of_boards ? !duplicate_ranking_make(tournament, &bundle->chance, rounds, &results->boards,
                                            &results->refusal)
                  : !ranking_make(tournament, &bundle->chance, rounds, &results->ranking,
                                  &results->refusal))
        return;
    if (of_boards)
        take_boards(tournament, results);
    else
        take_places(results);
}

bool bundle_results_make(const struct bundle *bundle, struct bundle_results *results)
{
    const struct tournament *tournament = &bundle->tournament;
    size_t room = tournament->entrant_count + 1;
    *results = (struct bundle_results){.refusal = {"", ""}};
    results->closed = tournament->phase == PHASE_CLOSED && bundle->revealed &&
                      (bundle->with_records || bundle->finished_count == 0);
    results->ratings = calloc(room, sizeof *results->ratings);
    results->house_ratings = calloc(room, sizeof *results->house_ratings);
    results->places = calloc(room, sizeof *results->places);
    if (results->ratings == NULL || results->house_ratings == NULL || results->places == NULL)
        return false;
    results->rated = bundle_rate(bundle, false, results->ratings);
    results->rated_apart = bundle_rate(bundle, true, results->house_ratings);
    make_places(bundle, results);
    count_tables(tournament, results);
    results->set_aside = count_set_aside(bundle);
    return true;
}

void bundle_results_free(struct bundle_results *results)
{
    ranking_free(&results->ranking);
    duplicate_ranking_free(&results->boards);
    free(results->ratings);
    free(results->house_ratings);
    free(results->places);
}

/* ---- The transparency log ---- */

void bundle_log_leaf(const struct bundle *bundle, uint8_t hash[static MERKLE_HASH])
{
    struct tlog_leaf leaf = {.subject = TLOG_EVENT_STEP};
    char bytes[TOURNAMENT_ID_BYTES + 24];
    struct text name = TEXT_OVER(bytes);
    text_add(&name, bundle->event);
    text_add(&name, "/line/");
    text_add_number(&name, (int64_t)bundle->lines);
    leaf.name = text_span(&name);
    memcpy(leaf.hash, bundle->head, sizeof leaf.hash);
    tlog_leaf_hash(&leaf, hash);
}

void bundle_commitment_leaf(const struct bundle *bundle, uint8_t hash[static MERKLE_HASH])
{
    struct tlog_leaf leaf = {.subject = TLOG_COMMITMENT, .name = span_of(bundle->event)};
    memcpy(leaf.hash, bundle->commitment, sizeof leaf.hash);
    tlog_leaf_hash(&leaf, hash);
}

/* ---- The document ---- */

static json_t *value_document(const struct tie_break_value *value)
{
    return json_pack("[I,I]", (json_int_t)value->numerator, (json_int_t)value->denominator);
}

static json_t *values_of(const struct ranking_group *group, const struct ranking_row *row)
{
    json_t *values = json_array();
    for (size_t i = 0; group->kind == RANKING_POINTS && i < group->chain_count; i++)
        json_array_append_new(values,
                              value_document(&group->standings.rows[row->standing].value[i]));
    return values;
}

static json_t *group_document(const struct bundle *bundle, const struct ranking_group *group)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < group->count; i++) {
        const struct ranking_row *row = &group->rows[i];
        json_array_append_new(rows, json_pack("{s:i, s:s, s:i, s:o}", "place", row->place, "player",
                                              bundle->tournament.entrants[row->entry].player,
                                              "points_60ths", (int)row->points, "values",
                                              values_of(group, row)));
    }
    return json_pack("{s:i, s:i, s:o}", "stage", group->stage + 1, "division", group->division,
                     "rows", rows);
}

/* The boards of a duplicate event. */
static json_t *boards_document(const struct bundle *bundle, const struct duplicate_ranking *boards)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < boards->standings.count; i++) {
        const struct duplicate_standing *row = &boards->standings.rows[i];
        json_t *values = json_array();
        for (size_t at = 0; at < DUPLICATE_CHAIN; at++)
            json_array_append_new(values, value_document(&row->value[at]));
        uint16_t entry = tournament_entry_numbered(&bundle->tournament, (uint16_t)(row->entry + 1));
        json_array_append_new(rows, json_pack("{s:i, s:s, s:i, s:o}", "place", (int)row->rank,
                                              "player", bundle->tournament.entrants[entry].player,
                                              "played", (int)row->played, "values", values));
    }
    return json_pack("{s:i, s:i, s:o}", "stage", 1, "division", 0, "rows", rows);
}

static json_t *groups_document(const struct bundle *bundle, const struct bundle_results *results)
{
    json_t *groups = json_array();
    for (size_t i = 0; i < results->ranking.group_count; i++)
        json_array_append_new(groups, group_document(bundle, &results->ranking.groups[i]));
    if (results->boards.results != NULL)
        json_array_append_new(groups, boards_document(bundle, &results->boards));
    return groups;
}

/* The document of a place. Percentages and sums of scores are not 60ths. */
static json_t *place_document(const struct bundle *bundle, const struct bundle_results *results,
                              const struct bundle_place *place)
{
    const struct rating *rating = &results->ratings[place->entry];
    json_t *document = json_pack("{s:i, s:s, s:s, s:i, s:i}", "place", (int)place->place, "player",
                                 bundle->tournament.entrants[place->entry].player, "name",
                                 bundle->names[place->entry], "mu_millionths", (int)rating->mu,
                                 "sigma_millionths", (int)rating->sigma);
    enum house_choice level = bundle->tournament.entrants[place->entry].house;
    if (level != HOUSE_NONE)
        json_object_set_new(document, "house", json_string(house_choice_name(level)));
    if (results->rated_apart > 0) {
        rating = &results->house_ratings[place->entry];
        json_object_set_new(document, "house_mu_millionths", json_integer(rating->mu));
        json_object_set_new(document, "house_sigma_millionths", json_integer(rating->sigma));
    }
    if (results->boards.results == NULL)
        json_object_set_new(document, "points_60ths", json_integer(place->numerator));
    else
        json_object_set_new(
            document, "points",
            json_pack("[I,I]", (json_int_t)place->numerator, (json_int_t)place->denominator));
    return document;
}

static json_t *leaf_document(const struct bundle *bundle,
                             void (*hash_leaf)(const struct bundle *bundle,
                                               uint8_t hash[static MERKLE_HASH]))
{
    uint8_t hash[MERKLE_HASH];
    char hex[2 * MERKLE_HASH + 1];
    struct text text = TEXT_OVER(hex);
    hash_leaf(bundle, hash);
    text_add_hex(&text, hash, sizeof hash);
    return json_string(hex);
}

static void add_number(json_t *document, const char *name, size_t number)
{
    json_object_set_new(document, name, json_integer((json_int_t)number));
}

json_t *bundle_results_document(const struct bundle *bundle, const struct bundle_results *results)
{
    json_t *places = json_array();
    for (size_t i = 0; i < results->count; i++)
        json_array_append_new(places, place_document(bundle, results, &results->places[i]));
    json_t *document = json_pack("{s:s, s:o, s:o}", "event", bundle->event, "places", places,
                                 "groups", groups_document(bundle, results));
    add_number(document, "lines", bundle->lines);
    add_number(document, "draws", bundle->draws);
    add_number(document, "records", bundle->record_count);
    add_number(document, "records_set_aside", results->set_aside);
    add_number(document, "reported", results->reported);
    add_number(document, "recorded", results->recorded);
    add_number(document, "recordings", bundle->recording_count);
    add_number(document, "rated_games", results->rated);
    add_number(document, "ruled", results->ruled);
    add_number(document, "pairings_changed", results->changed);
    json_object_set_new(document, "log_leaf", leaf_document(bundle, bundle_log_leaf));
    json_object_set_new(document, "commitment_leaf", leaf_document(bundle, bundle_commitment_leaf));
    if (bundle->acts > 0)
        json_object_set_new(document, "officials",
                            json_pack("{s:i, s:i, s:O}", "acts", (int)bundle->acts, "signed",
                                      (int)bundle->signed_acts, "keys", bundle->official_keys));
    if (results->rated_reported > 0)
        add_number(document, "rated_reported", results->rated_reported);
    if (results->rated_apart > 0)
        add_number(document, "house_rated_games", results->rated_apart);
    return document;
}
