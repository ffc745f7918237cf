/* `tillroll odds`: the chances of winning a running event, from its bundle. */
#include <stdio.h>
#include <stdlib.h>

#include "api/cli/cli.h"
#include "api/cli/table.h"
#include "engine/tournament/interchange/bundle.h"
#include "engine/tournament/odds/odds_view.h"

struct odds_wish {
    const char *path;
    unsigned long samples;
    bool json;
};

static const char *word_of(uint8_t certain, const char *sure)
{
    return certain == ODDS_SURE ? sure : certain == ODDS_OUT ? "out" : "";
}

/* Prints percent with one decimal, rounded to the nearest. */
static void print_percent(uint64_t count, uint64_t of)
{
    uint64_t tenths = (count * 1000 + of / 2) / of;
    printf("%5u.%u %%", (unsigned)(tenths / 10), (unsigned)(tenths % 10));
}

static void print_table(const struct bundle *bundle, const struct odds *odds)
{
    table_say(stdout, "%s, after the start of round %u, by %u samples\n",
              bundle->tournament.settings.name, (unsigned)bundle->tournament.rounds_started,
              (unsigned)odds->samples);
    printf("    win          %s  player\n", odds->advancing ? "go on         " : "");
    for (size_t i = 0; i < odds->count; i++) {
        const struct odds_entry *entry = &odds->entries[i];
        print_percent(entry->first, (uint64_t)odds->samples * ODDS_PART);
        printf("  %-4s", word_of(entry->win, "sure"));
        if (odds->advancing) {
            print_percent(entry->advanced, odds->samples);
            printf("  %-4s", word_of(entry->advance, "sure"));
        }
        printf("  %s\n", bundle->names[entry->entry]);
    }
}

static void print_json(const struct bundle *bundle, const struct odds *odds)
{
    json_t *document = odds_view(odds);
    json_object_set_new(document, "event", json_string(bundle->event));
    for (size_t i = 0; i < odds->count; i++) {
        uint16_t entry = odds->entries[i].entry;
        json_object_set_new(json_array_get(json_object_get(document, "rows"), i), "player",
                            json_pack("{s:s, s:s}", "id", bundle->tournament.entrants[entry].player,
                                      "name", bundle->names[entry]));
    }
    cli_print_json(document, JSON_SORT_KEYS);
}

static int print_odds(const struct odds_wish *wish, const struct bundle *bundle)
{
    struct odds odds;
    struct refusal refusal;
    if (!odds_make(&bundle->tournament, (unsigned)wish->samples, NULL, &odds, &refusal)) {
        fprintf(stderr, "%s: no odds: %s\n", wish->path, refusal.message);
        return EXIT_UNKNOWN;
    }
    if (wish->json)
        print_json(bundle, &odds);
    else
        print_table(bundle, &odds);
    odds_free(&odds);
    return EXIT_YES;
}

int cli_odds(const struct cli_given *given)
{
    struct odds_wish wish = {.path = given->word[0], .json = cli_value(given, "json") != NULL};
    struct bundle bundle;
    struct bundle_fault fault;
    size_t length;
    if (!cli_value_number(given, "samples", 1, ODDS_SAMPLES_MAX, ODDS_SAMPLES, &wish.samples))
        return cli_wrong_usage(given, NULL);
    char *bytes = cli_read_file(wish.path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    int status = EXIT_NO;
    if (bundle_read((struct span){bytes, length}, &bundle, &fault)) {
        status = print_odds(&wish, &bundle);
        bundle_free(&bundle);
    } else {
        table_say(stderr, "%s: invalid: line %zu: %s: %s\n", wish.path, fault.line, fault.code,
                  fault.message);
        cli_tell_kind(wish.path, bytes, true);
    }
    free(bytes);
    return status;
}
