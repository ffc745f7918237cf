/* `tillroll event`: verifies an event's bundle offline, and recomputes its results. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/prove/event_logged.h"
#include "api/cli/table.h"
#include "engine/base/arena.h"
#include "engine/game/component_set.h"
#include "engine/log/tlog.h"
#include "engine/tournament/interchange/bundle.h"
#include "engine/tournament/pairing/duplicate_board.h"

struct options {
    const char *path;
    const char *inclusion, *policy; /* files; both or none */
    bool has_key, json;
    uint8_t key[32];
};

struct place {
    uint16_t entry, place; /* 0: unknown or none */
    uint16_t shared;
    uint16_t padding;
    int64_t numerator, denominator; /* of the points */
};

/* The results computed from a bundle. */
struct computed {
    struct rating *ratings;       /* owned; by entry */
    size_t rated;                 /* number of rated games */
    struct rating *house_ratings; /* owned; by entry, of games rated on the list of house players */
    size_t rated_apart;
    struct place *places; /* owned; best first */
    size_t count;
    struct ranking ranking;          /* of rated events of all formats except duplicate, */
    struct duplicate_ranking boards; /* and of duplicate events */
};

/* Reads the arguments. False with a message if they are wrong. */
static bool read_options(const struct cli_given *given, struct options *options)
{
    const char *key = cli_value(given, "key");
    *options = (struct options){.path = given->word[0],
                                .inclusion = cli_value(given, "inclusion"),
                                .policy = cli_value(given, "policy"),
                                .has_key = key != NULL,
                                .json = cli_value(given, "json") != NULL};
    return key == NULL || span_hex(span_of(key), options->key, sizeof options->key);
}

static void print_fault(const char *path, const struct bundle_fault *fault)
{
    if (fault->line == 0)
        table_say(stdout, "%s: invalid: %s: %s\n", path, fault->code, fault->message);
    else
        table_say(stdout, "%s: invalid: line %zu: %s: %s\n", path, fault->line, fault->code,
                  fault->message);
}

/* The number of records of games that do not count. */
static size_t count_set_aside(const struct bundle *bundle)
{
    size_t counting = 0;
    for (size_t i = 0; i < bundle->tournament.table_count; i++)
        counting += bundle->tournament.tables[i].played;
    return bundle->record_count - (bundle->record_count > 0 ? counting : 0);
}

/* Counts the tables with a result reported by people, and those with a game recorded by a
 * scorer. */
static void count_reported(const struct bundle *bundle, size_t *reported, size_t *recorded)
{
    const struct tournament *tournament = &bundle->tournament;
    *reported = *recorded = 0;
    for (size_t i = 0; i < tournament->table_count; i++) {
        *reported += tournament->tables[i].reported;
        *recorded += tournament_is_recorded(tournament, &tournament->tables[i]);
    }
}

/* The number of tables whose reported result is rated. */
static size_t count_rated(const struct tournament *tournament)
{
    size_t rated = 0;
    for (size_t i = 0; i < tournament->table_count; i++)
        rated += tournament_rated_seats(tournament, &tournament->tables[i]) != 0;
    return rated;
}

static void print_reported(const struct bundle *bundle)
{
    size_t reported, recorded, there = bundle->recording_count;
    count_reported(bundle, &reported, &recorded);
    if (reported > there)
        printf(
            "%zu result%s reported: people played with their own copy, and no record proves %s\n",
            reported - there, reported - there == 1 ? " is" : "s are",
            reported - there == 1 ? "it" : "them");
    if (there > 0)
        printf("%zu result%s recorded by scorers; legal play from the printed components, luck as "
               "told by the scorer\n",
               there, there == 1 ? " is" : "s are");
    if (recorded > there)
        printf("%zu of the reported results are from records of scorers that the bundle does not "
               "have\n",
               recorded - there);
    if (count_rated(&bundle->tournament) > 0)
        printf("%zu of the reported results are rated, as the event's settings say\n",
               count_rated(&bundle->tournament));
}

/* Counts the tables with a ruling, and the pairings changed by hand: decisions of officials, which
 * are in the log and cannot be recomputed. */
static void count_decided(const struct tournament *tournament, size_t *ruled, size_t *changed)
{
    *ruled = *changed = 0;
    for (size_t i = 0; i < tournament->table_count; i++)
        *ruled += tournament->tables[i].ruled;
    for (size_t i = 0; i < tournament->rounds_started; i++)
        *changed += tournament->rounds[i].changes > 0;
}

static void print_decided(const struct bundle *bundle)
{
    size_t ruled, changed;
    count_decided(&bundle->tournament, &ruled, &changed);
    if (changed > 0)
        printf("%zu of the pairings were then changed by officials\n", changed);
    if (ruled > 0)
        printf("%zu results are rulings of officials\n", ruled);
}

/* The hash of the transparency log's leaf about the last line of the event's log. */
static void hash_leaf(const struct bundle *bundle, uint8_t hash[static MERKLE_HASH])
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

/* The hash of the transparency log's leaf about the commitment to the event's secret. */
static void hash_commitment_leaf(const struct bundle *bundle, uint8_t hash[static MERKLE_HASH])
{
    struct tlog_leaf leaf = {.subject = TLOG_COMMITMENT, .name = span_of(bundle->event)};
    memcpy(leaf.hash, bundle->commitment, sizeof leaf.hash);
    tlog_leaf_hash(&leaf, hash);
}

/* Both hashes, in hex. */
struct leaves {
    char log[2 * MERKLE_HASH + 1], commitment[2 * MERKLE_HASH + 1];
};

static struct leaves leaves_of(const struct bundle *bundle)
{
    struct leaves leaves;
    uint8_t hash[MERKLE_HASH];
    hash_leaf(bundle, hash);
    sodium_bin2hex(leaves.log, sizeof leaves.log, hash, sizeof hash);
    hash_commitment_leaf(bundle, hash);
    sodium_bin2hex(leaves.commitment, sizeof leaves.commitment, hash, sizeof hash);
    return leaves;
}

/* ---- Output as a table ---- */

static bool has_role(const struct tournament *tournament, const char *official)
{
    for (size_t i = 0; i < tournament->role_count; i++)
        if (strcmp(tournament->roles[i].player, official) == 0)
            return tournament->roles[i].organizer || tournament->roles[i].arbiter;
    return false;
}

/* Prints the officials who signed, and their keys. Arbiters and admins of the service need no role
 * in the event. */
static void print_officials(const struct bundle *bundle)
{
    const char *official;
    json_t *keys, *key;
    size_t i;
    if (bundle->acts == 0)
        return;
    printf("%zu of %zu acts of officials are signed by them\n", bundle->signed_acts, bundle->acts);
    json_object_foreach(bundle->official_keys, official, keys)
    {
        json_array_foreach(keys, i, key)
        {
            table_say(stdout, "official %s signed with %s%s\n", official, json_string_value(key),
                      has_role(&bundle->tournament, official)
                          ? ""
                          : ", and has no role in the event at its end");
        }
    }
}

/* Prints the component set in the bundle, if the event chose one. */
static void print_components(const struct bundle *bundle)
{
    char hex[65];
    char name[COMPONENT_TITLE_MAX + 1];
    if (!bundle->tournament.settings.other_set)
        return;
    component_set_hash(bundle->components, hex);
    component_set_name(bundle->components, name);
    printf("played with the component set %s", hex);
    if (name[0] != '\0')
        table_say(stdout, " (%s)", name);
    printf("\n");
}

static void print_summary(const struct options *options, const struct bundle *bundle, bool closed)
{
    const struct tournament_settings *settings = &bundle->tournament.settings;
    char hex[65];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, bundle->key, sizeof bundle->key);
    table_say(stdout, "%s: %s: %s, %s %s\n", options->path, closed ? "valid" : "unfinished",
              settings->name, settings->game->slug, settings->game->version);
    printf("%zu lines, %zu players, %u rounds, %zu pairings made again, %zu records", bundle->lines,
           bundle->tournament.entrant_count, (unsigned)bundle->tournament.rounds_started,
           bundle->draws, bundle->record_count);
    if (count_set_aside(bundle) > 0)
        printf(", %zu of games that are void or were replayed", count_set_aside(bundle));
    printf("\n");
    if (bundle->restated_line > 0)
        printf(
            "line %zu of its log restates everything before it: only what it states is checked\n",
            bundle->restated_line);
    print_decided(bundle);
    print_components(bundle);
    print_reported(bundle);
    print_officials(bundle);
    const struct leaves leaves = leaves_of(bundle);
    printf("its log up to line %zu: look for leaf %s in the transparency log\n", bundle->lines,
           leaves.log);
    printf("the commitment to its secret: look for leaf %s\n", leaves.commitment);
    printf("signed by %s%s\n", hex, options->has_key ? "" : " (as the bundle says; see --key)");
}

/* Prints points with two decimals, rounded down. */
static void print_points(const struct place *place)
{
    int64_t hundredths = place->numerator * 100 / place->denominator;
    printf("%4d.%02d", (int)(hundredths / 100), (int)(hundredths % 100));
}

/* Prints a rating. One-player games are not rated. */
static void print_rating(const struct rating *rating)
{
    printf("%10.6f %10.6f  ", (double)rating->mu / RATING_UNIT,
           (double)rating->sigma / RATING_UNIT);
}

static void print_places(const struct bundle *bundle, const struct computed *computed)
{
    printf("place  number   points  %splayer\n",
           computed->rated > 0 ? "rating (mu, sigma)     " : "");
    for (size_t i = 0; i < computed->count; i++) {
        const struct place *place = &computed->places[i];
        if (place->place == 0)
            printf("    -");
        else
            printf("%5u", (unsigned)place->place);
        printf("%c  %6u  ", place->shared > 1 ? '=' : ' ',
               (unsigned)bundle->tournament.entrants[place->entry].number);
        print_points(place);
        printf("  ");
        if (computed->rated > 0)
            print_rating(&computed->ratings[place->entry]);
        printf("%s\n", bundle->names[place->entry]);
    }
}

/* ---- Output as JSON ---- */

static json_t *value_document(const struct tie_break_value *value)
{
    return json_pack("[II]", (json_int_t)value->numerator, (json_int_t)value->denominator);
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

static json_t *groups_document(const struct bundle *bundle, const struct computed *computed)
{
    json_t *groups = json_array();
    for (size_t i = 0; i < computed->ranking.group_count; i++)
        json_array_append_new(groups, group_document(bundle, &computed->ranking.groups[i]));
    if (computed->boards.results != NULL)
        json_array_append_new(groups, boards_document(bundle, &computed->boards));
    return groups;
}

/* The document of a place. Percentages and sums of scores are not 60ths. */
static json_t *place_document(const struct bundle *bundle, const struct computed *computed,
                              const struct place *place)
{
    const struct rating *rating = &computed->ratings[place->entry];
    json_t *document = json_pack("{s:i, s:s, s:s, s:i, s:i}", "place", (int)place->place, "player",
                                 bundle->tournament.entrants[place->entry].player, "name",
                                 bundle->names[place->entry], "mu_millionths", (int)rating->mu,
                                 "sigma_millionths", (int)rating->sigma);
    enum house_choice level = bundle->tournament.entrants[place->entry].house;
    if (level != HOUSE_NONE)
        json_object_set_new(document, "house", json_string(house_choice_name(level)));
    if (computed->rated_apart > 0) {
        rating = &computed->house_ratings[place->entry];
        json_object_set_new(document, "house_mu_millionths", json_integer(rating->mu));
        json_object_set_new(document, "house_sigma_millionths", json_integer(rating->sigma));
    }
    if (computed->boards.results == NULL)
        json_object_set_new(document, "points_60ths", json_integer(place->numerator));
    else
        json_object_set_new(
            document, "points",
            json_pack("[II]", (json_int_t)place->numerator, (json_int_t)place->denominator));
    return document;
}

static void print_json(const struct bundle *bundle, const struct computed *computed)
{
    json_t *places = json_array();
    size_t reported, recorded;
    count_reported(bundle, &reported, &recorded);
    for (size_t i = 0; i < computed->count; i++)
        json_array_append_new(places, place_document(bundle, computed, &computed->places[i]));
    json_t *document = json_pack(
        "{s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:o}", "event", bundle->event, "lines",
        (int)bundle->lines, "draws", (int)bundle->draws, "records", (int)bundle->record_count,
        "records_set_aside", (int)count_set_aside(bundle), "reported", (int)reported, "recorded",
        (int)recorded, "recordings", (int)bundle->recording_count, "rated_games",
        (int)computed->rated, "places", places, "groups", groups_document(bundle, computed));
    size_t ruled, changed;
    count_decided(&bundle->tournament, &ruled, &changed);
    json_object_set_new(document, "ruled", json_integer((json_int_t)ruled));
    json_object_set_new(document, "pairings_changed", json_integer((json_int_t)changed));
    const struct leaves leaves = leaves_of(bundle);
    json_object_set_new(document, "log_leaf", json_string(leaves.log));
    json_object_set_new(document, "commitment_leaf", json_string(leaves.commitment));
    if (bundle->acts > 0)
        json_object_set_new(document, "officials",
                            json_pack("{s:i, s:i, s:O}", "acts", (int)bundle->acts, "signed",
                                      (int)bundle->signed_acts, "keys", bundle->official_keys));
    if (count_rated(&bundle->tournament) > 0)
        json_object_set_new(document, "rated_reported",
                            json_integer((json_int_t)count_rated(&bundle->tournament)));
    if (computed->rated_apart > 0)
        json_object_set_new(document, "house_rated_games",
                            json_integer((json_int_t)computed->rated_apart));
    cli_print_json(document, JSON_SORT_KEYS);
}

/* ---- Standings and ratings ---- */

static void take_places(struct computed *computed)
{
    for (size_t i = 0; i < computed->ranking.place_count; i++) {
        const struct ranking_place *place = &computed->ranking.places[i];
        computed->places[computed->count++] = (struct place){
            place->entry, place->place, place->shared, 0, place->points, POINTS_PER_POINT};
    }
}

static void take_boards(const struct tournament *tournament, struct computed *computed)
{
    const struct duplicate_standings *standings = &computed->boards.standings;
    for (size_t i = 0; i < standings->count; i++) {
        const struct duplicate_standing *row = &standings->rows[i];
        uint16_t shared = 0;
        for (size_t j = 0; j < standings->count; j++)
            shared = (uint16_t)(shared + (standings->rows[j].rank == row->rank));
        computed->places[computed->count++] =
            (struct place){tournament_entry_numbered(tournament, (uint16_t)(row->entry + 1)),
                           row->rank,
                           shared,
                           0,
                           row->value[0].numerator,
                           row->value[0].denominator};
    }
}

/* Computes the standings. Without the secret, the draw that ends a chain of tie-breaks is
 * unknown. */
static bool make_places(const struct bundle *bundle, struct computed *computed,
                        struct refusal *refusal)
{
    const struct tournament *tournament = &bundle->tournament;
    unsigned rounds = tournament->rounds_started;
    bool of_boards = tournament->settings.stage[0].format == FORMAT_DUPLICATE;
    if (of_boards ? !duplicate_ranking_make(tournament, &bundle->chance, rounds, &computed->boards,
                                            refusal)
                  : !ranking_make(tournament, &bundle->chance, rounds, &computed->ranking, refusal))
        return false;
    if (of_boards)
        take_boards(tournament, computed);
    else
        take_places(computed);
    return true;
}

/* ---- The command ---- */

static int print_event(const struct options *options, const struct bundle *bundle)
{
    struct computed computed = {.count = 0};
    struct refusal refusal = {"", ""};
    const struct tournament *tournament = &bundle->tournament;
    bool closed = tournament->phase == PHASE_CLOSED && bundle->revealed &&
                  (bundle->with_records || bundle->finished_count == 0);
    computed.ratings = must(calloc(tournament->entrant_count + 1, sizeof *computed.ratings));
    computed.house_ratings =
        must(calloc(tournament->entrant_count + 1, sizeof *computed.house_ratings));
    computed.places = must(calloc(tournament->entrant_count + 1, sizeof *computed.places));
    computed.rated = bundle_rate(bundle, false, computed.ratings);
    computed.rated_apart = bundle_rate(bundle, true, computed.house_ratings);
    bool placed = make_places(bundle, &computed, &refusal);
    if (options->json) {
        print_json(bundle, &computed);
    } else {
        print_summary(options, bundle, closed);
        print_places(bundle, &computed);
    }
    if (!placed)
        fprintf(stderr, "tillroll: no standings: %s\n", refusal.message);
    ranking_free(&computed.ranking);
    duplicate_ranking_free(&computed.boards);
    free(computed.ratings);
    free(computed.house_ratings);
    free(computed.places);
    return closed ? EXIT_YES : EXIT_UNKNOWN;
}

static int check(const struct options *options, struct span text)
{
    static struct replay replay; /* too large for the stack */
    struct bundle bundle;
    struct bundle_fault fault;
    int status = EXIT_NO;
    if (!bundle_read(text, &bundle, &fault)) {
        print_fault(options->path, &fault);
        return EXIT_NO;
    }
    if (options->has_key && memcmp(options->key, bundle.key, sizeof bundle.key) != 0)
        printf("%s: invalid: not signed with this key\n", options->path);
    else if (bundle.with_records && !bundle_check_records(&bundle, &replay, &fault))
        print_fault(options->path, &fault);
    else
        status = print_event(options, &bundle);
    if (status != EXIT_NO && options->inclusion != NULL) {
        uint8_t leaf[MERKLE_HASH];
        hash_leaf(&bundle, leaf);
        int logged = event_logged_check(options->path, leaf, options->inclusion, options->policy);
        status = logged == EXIT_YES ? status : logged;
    }
    bundle_free(&bundle);
    return status;
}

int cli_event(const struct cli_given *given)
{
    struct options options;
    size_t length;
    if (!read_options(given, &options))
        return cli_wrong_usage(given, NULL);
    if ((options.inclusion == NULL) != (options.policy == NULL) ||
        (options.inclusion != NULL && options.json))
        return cli_wrong_usage(given, "takes --inclusion with --policy, and without --json");
    char *bytes = cli_read_file(options.path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    int status = check(&options, (struct span){bytes, length});
    if (status != EXIT_YES)
        cli_tell_kind(options.path, bytes, true);
    free(bytes);
    return status;
}
