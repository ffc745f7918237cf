/* `tillroll event`: verifies an event's bundle offline, and recomputes its results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/prove/event_logged.h"
#include "api/cli/table.h"
#include "engine/base/arena.h"
#include "engine/game/component_set.h"
#include "engine/tournament/interchange/bundle.h"
#include "engine/tournament/interchange/bundle_results.h"

struct options {
    const char *path;
    const char *inclusion, *policy; /* files; both or none */
    bool has_key, json;
    uint8_t key[32];
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

static void print_reported(const struct bundle *bundle, const struct bundle_results *results)
{
    size_t there = bundle->recording_count;
    if (results->reported > there)
        printf(
            "%zu result%s reported: people played with their own copy, and no record proves %s\n",
            results->reported - there, results->reported - there == 1 ? " is" : "s are",
            results->reported - there == 1 ? "it" : "them");
    if (there > 0)
        printf("%zu result%s recorded by scorers; legal play from the printed components, luck as "
               "told by the scorer\n",
               there, there == 1 ? " is" : "s are");
    if (results->recorded > there)
        printf("%zu of the reported results are from records of scorers that the bundle does not "
               "have\n",
               results->recorded - there);
    if (results->rated_reported > 0)
        printf("%zu of the reported results are rated, as the event's settings say\n",
               results->rated_reported);
}

static void print_decided(const struct bundle_results *results)
{
    if (results->changed > 0)
        printf("%zu of the pairings were then changed by officials\n", results->changed);
    if (results->ruled > 0)
        printf("%zu results are rulings of officials\n", results->ruled);
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

static void print_leaf(const struct bundle *bundle, const char *about,
                       void (*hash_leaf)(const struct bundle *bundle,
                                         uint8_t hash[static MERKLE_HASH]),
                       const char *where)
{
    uint8_t hash[MERKLE_HASH];
    char hex[2 * MERKLE_HASH + 1];
    struct text text = TEXT_OVER(hex);
    hash_leaf(bundle, hash);
    text_add_hex(&text, hash, sizeof hash);
    printf("%s: look for leaf %s%s\n", about, hex, where);
}

static void print_summary(const struct options *options, const struct bundle *bundle,
                          const struct bundle_results *results)
{
    const struct tournament_settings *settings = &bundle->tournament.settings;
    char hex[65];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, bundle->key, sizeof bundle->key);
    table_say(stdout, "%s: %s: %s, %s %s\n", options->path,
              results->closed ? "valid" : "unfinished", settings->name, settings->game->slug,
              settings->game->version);
    printf("%zu lines, %zu players, %u rounds, %zu pairings made again, %zu records", bundle->lines,
           bundle->tournament.entrant_count, (unsigned)bundle->tournament.rounds_started,
           bundle->draws, bundle->record_count);
    if (results->set_aside > 0)
        printf(", %zu of games that are void or were replayed", results->set_aside);
    printf("\n");
    if (bundle->restated_line > 0)
        printf(
            "line %zu of its log restates everything before it: only what it states is checked\n",
            bundle->restated_line);
    print_decided(results);
    print_components(bundle);
    print_reported(bundle, results);
    print_officials(bundle);
    char about[48];
    snprintf(about, sizeof about, "its log up to line %zu", bundle->lines);
    print_leaf(bundle, about, bundle_log_leaf, " in the transparency log");
    print_leaf(bundle, "the commitment to its secret", bundle_commitment_leaf, "");
    printf("signed by %s%s\n", hex, options->has_key ? "" : " (as the bundle says; see --key)");
}

/* Prints points with two decimals, rounded down. */
static void print_points(const struct bundle_place *place)
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

static void print_places(const struct bundle *bundle, const struct bundle_results *results)
{
    printf("place  number   points  %splayer\n",
           results->rated > 0 ? "rating (mu, sigma)     " : "");
    for (size_t i = 0; i < results->count; i++) {
        const struct bundle_place *place = &results->places[i];
        if (place->place == 0)
            printf("    -");
        else
            printf("%5u", (unsigned)place->place);
        printf("%c  %6u  ", place->shared > 1 ? '=' : ' ',
               (unsigned)bundle->tournament.entrants[place->entry].number);
        print_points(place);
        printf("  ");
        if (results->rated > 0)
            print_rating(&results->ratings[place->entry]);
        printf("%s\n", bundle->names[place->entry]);
    }
}

/* ---- The command ---- */

static int print_event(const struct options *options, const struct bundle *bundle)
{
    struct bundle_results results;
    if (!bundle_results_make(bundle, &results))
        end_without_memory();
    if (options->json) {
        cli_print_json(bundle_results_document(bundle, &results), JSON_SORT_KEYS);
    } else {
        print_summary(options, bundle, &results);
        print_places(bundle, &results);
    }
    if (results.refusal.code[0] != '\0')
        fprintf(stderr, "tillroll: no standings: %s\n", results.refusal.message);
    bool closed = results.closed;
    bundle_results_free(&results);
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
        bundle_log_leaf(&bundle, leaf);
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
