/* `tillroll event`: an event from its bundle, proved and made again, offline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "engine/tournament/bundle.h"

static const char usage[] =
    "usage: tillroll event [--key HEX] [--json] FILE\n"
    "Verifies the bundle of an event: hash and signature, log, every draw from the secret, every\n"
    "record by replay, every result by its record; and makes standings and ratings from it, as if\n"
    "nobody had been rated before. --key names the service that has to have signed it (GET\n"
    "/v1/keys). Exit 0 if everything holds, 1 if something does not, 2 if it cannot be judged: "
    "the\n"
    "event is not closed, or its records are not in the bundle.\n";

struct wish {
    const char *path;
    bool has_key, json;
    uint8_t key[32];
};

static bool read_key(char **argv, struct wish *wish)
{
    wish->has_key =
        strcmp(argv[0], "--key") == 0 && span_hex(span_of(argv[1]), wish->key, sizeof wish->key);
    return wish->has_key;
}

static bool read_wish(int argc, char **argv, struct wish *wish)
{
    *wish = (struct wish){.path = NULL};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            wish->json = true;
        else if (!wish->has_key && i + 1 < argc && read_key(&argv[i], wish))
            i++;
        else if (wish->path == NULL && argv[i][0] != '-')
            wish->path = argv[i];
        else
            return false;
    }
    return wish->path != NULL;
}

static void print_fault(const char *path, const struct bundle_fault *fault)
{
    if (fault->line == 0)
        printf("%s: invalid: %s: %s\n", path, fault->code, fault->message);
    else
        printf("%s: invalid: line %zu: %s: %s\n", path, fault->line, fault->code, fault->message);
}

/* ---- As a table ---- */

static void print_summary(const struct wish *wish, const struct bundle *bundle, bool closed)
{
    const struct tournament_settings *settings = &bundle->tournament.settings;
    char hex[65];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, bundle->key, sizeof bundle->key);
    printf("%s: %s: %s, %s %s\n", wish->path, closed ? "valid" : "unfinished", settings->name,
           settings->game->slug, settings->game->version);
    printf("%zu lines, %zu players, %u rounds of which %zu were drawn again, %zu records\n",
           bundle->lines, bundle->tournament.entrant_count,
           (unsigned)bundle->tournament.rounds_started, bundle->draws, bundle->record_count);
    printf("signed by %s%s\n", hex, wish->has_key ? "" : " (as the bundle says; see --key)");
}

/* 60ths as a decimal with two places, rounded down. */
static void print_points(int32_t points)
{
    printf("%4d.%02d", points / POINTS_PER_POINT,
           points % POINTS_PER_POINT * 100 / POINTS_PER_POINT);
}

static void print_places(const struct bundle *bundle, const struct placing *placing,
                         const struct rating *ratings)
{
    printf("place  number   points  rating (mu, sigma)     player\n");
    for (size_t i = 0; i < placing->place_count; i++) {
        const struct placing_place *place = &placing->places[i];
        const struct rating *rating = &ratings[place->entry];
        if (place->place == 0)
            printf("    -");
        else
            printf("%5u", (unsigned)place->place);
        printf("%c  %6u  ", place->shared > 1 ? '=' : ' ',
               (unsigned)bundle->tournament.entrants[place->entry].number);
        print_points(place->points);
        printf("  %10.6f %10.6f  %s\n", (double)rating->mu / RATING_UNIT,
               (double)rating->sigma / RATING_UNIT, bundle->names[place->entry]);
    }
}

/* ---- As JSON ---- */

static json_t *values_of(const struct placing_group *group, const struct placing_row *row)
{
    json_t *values = json_array();
    for (size_t i = 0; group->kind == PLACING_POINTS && i < group->chain_count; i++) {
        const struct tie_break_value *value = &group->standings.rows[row->standing].value[i];
        json_array_append_new(values, json_pack("[II]", (json_int_t)value->numerator,
                                                (json_int_t)value->denominator));
    }
    return values;
}

static json_t *group_document(const struct bundle *bundle, const struct placing_group *group)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < group->count; i++) {
        const struct placing_row *row = &group->rows[i];
        json_array_append_new(rows, json_pack("{s:i, s:s, s:i, s:o}", "place", row->place, "player",
                                              bundle->tournament.entrants[row->entry].player,
                                              "points_60ths", (int)row->points, "values",
                                              values_of(group, row)));
    }
    return json_pack("{s:i, s:i, s:o}", "stage", group->stage + 1, "division", group->division,
                     "rows", rows);
}

static json_t *places_document(const struct bundle *bundle, const struct placing *placing,
                               const struct rating *ratings)
{
    json_t *places = json_array();
    for (size_t i = 0; i < placing->place_count; i++) {
        uint16_t entry = placing->places[i].entry;
        json_array_append_new(
            places,
            json_pack("{s:i, s:s, s:s, s:i, s:i, s:i}", "place", placing->places[i].place, "player",
                      bundle->tournament.entrants[entry].player, "name", bundle->names[entry],
                      "points_60ths", (int)placing->places[i].points, "mu_millionths",
                      (int)ratings[entry].mu, "sigma_millionths", (int)ratings[entry].sigma));
    }
    return places;
}

static void print_json(const struct bundle *bundle, const struct placing *placing,
                       const struct rating *ratings, size_t games)
{
    json_t *groups = json_array();
    for (size_t i = 0; i < placing->group_count; i++)
        json_array_append_new(groups, group_document(bundle, &placing->groups[i]));
    json_t *document = json_pack(
        "{s:s, s:i, s:i, s:i, s:i, s:o, s:o}", "event", bundle->event, "lines", (int)bundle->lines,
        "draws", (int)bundle->draws, "records", (int)bundle->record_count, "rated_games",
        (int)games, "places", places_document(bundle, placing, ratings), "groups", groups);
    char *text = json_dumps(document, JSON_COMPACT | JSON_SORT_KEYS);
    if (text != NULL)
        printf("%s\n", text);
    free(text);
    json_decref(document);
}

/* ---- The whole ---- */

static void print_results(const struct wish *wish, const struct bundle *bundle, bool closed,
                          const struct placing *placing)
{
    struct rating *ratings = calloc(bundle->tournament.entrant_count + 1, sizeof *ratings);
    if (ratings == NULL)
        abort();
    size_t games = bundle_rate(bundle, ratings);
    if (wish->json) {
        print_json(bundle, placing, ratings, games);
    } else {
        print_summary(wish, bundle, closed);
        print_places(bundle, placing, ratings);
    }
    free(ratings);
}

/* Without the secret the draw that ends a chain of tie-breaks is not known. */
static int print_event(const struct wish *wish, const struct bundle *bundle)
{
    struct placing placing = {.group_count = 0};
    struct refusal refusal = {"", ""};
    const struct tournament *tournament = &bundle->tournament;
    bool closed = tournament->phase == PHASE_CLOSED && bundle->revealed &&
                  (bundle->with_records || bundle->finished_count == 0);
    bool placed =
        placing_make(tournament, &bundle->chance, tournament->rounds_started, &placing, &refusal);
    print_results(wish, bundle, closed, &placing);
    if (!placed)
        fprintf(stderr, "tillroll: no standings: %s\n", refusal.message);
    placing_free(&placing);
    return closed ? EXIT_YES : EXIT_UNKNOWN;
}

static int check(const struct wish *wish, struct span text)
{
    static struct replay replay; /* large */
    struct bundle bundle;
    struct bundle_fault fault;
    int status = EXIT_NO;
    if (!bundle_read(text, &bundle, &fault)) {
        print_fault(wish->path, &fault);
        return EXIT_NO;
    }
    if (wish->has_key && memcmp(wish->key, bundle.key, sizeof bundle.key) != 0)
        printf("%s: invalid: not signed with this key\n", wish->path);
    else if (bundle.with_records && !bundle_check_records(&bundle, &replay, &fault))
        print_fault(wish->path, &fault);
    else
        status = print_event(wish, &bundle);
    bundle_free(&bundle);
    return status;
}

int cli_event(int argc, char **argv)
{
    struct wish wish;
    size_t length;
    if (!read_wish(argc, argv, &wish)) {
        fputs(usage, stderr);
        return EXIT_UNKNOWN;
    }
    char *bytes = cli_read_file(wish.path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    int status = check(&wish, (struct span){bytes, length});
    free(bytes);
    return status;
}
