/* `tillroll collusion`: players whose own moves cost them in favor of one opponent, over many
 * games. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/table.h"
#include "engine/analysis/collusion.h"
#include "engine/base/arena.h"
#include "engine/game/component_list.h"
#include "engine/log/bundle.h"

struct auditor {
    struct collusion *collusion;
    json_t *players; /* maps names to numbers */
    json_t *games;   /* maps the ids of games read to true */
    const char **names;
    size_t name_count, game_count;
    unsigned long budget;
    bool json, all;
    struct component_list components; /* given on the command line, or from bundles */
};

/* ---- Reading ---- */

/* The number of a player, who may be new. */
static uint32_t number_of(struct auditor *auditor, const char *name)
{
    json_t *known = json_object_get(auditor->players, name);
    if (known != NULL)
        return (uint32_t)json_integer_value(known);
    json_object_set_new(auditor->players, name, json_integer((json_int_t)auditor->name_count));
    auditor->names =
        must(realloc(auditor->names, (auditor->name_count + 1) * sizeof *auditor->names));
    auditor->names[auditor->name_count] = must(strdup(name));
    return (uint32_t)auditor->name_count++;
}

/* False with a message for games that prove nothing: one-player games, games already read, games
 * with one name at two seats. */
static bool is_evidence(struct auditor *auditor, const char *path, const char *id,
                        const struct collusion_game *game)
{
    const char *why = NULL;
    if (game->seats < 2)
        why = "a game for one says nothing";
    else if (json_object_get(auditor->games, id) != NULL)
        why = "the game has been read before";
    for (unsigned a = 0; a < game->seats; a++)
        for (unsigned b = 0; b < a; b++)
            if (game->player[a] == game->player[b])
                why = "one name sits there twice";
    if (auditor->name_count > COLLUSION_PLAYERS_MAX)
        why = "there are too many players";
    if (why != NULL)
        fprintf(stderr, "%s: left out: %s\n", path, why);
    return why == NULL;
}

static void take(struct auditor *auditor, const char *path, const char *id,
                 const struct collusion_game *game)
{
    if (!is_evidence(auditor, path, id, game))
        return;
    json_object_set_new(auditor->games, id, json_true());
    auditor->game_count++;
    if (!collusion_add(auditor->collusion, game))
        abort();
}

/* Reads the output of `tillroll analyse --json`. False for anything else. */
static bool read_analysis(struct auditor *auditor, const char *path, const json_t *document)
{
    const json_t *seats = json_object_get(document, "seats");
    const json_t *plies = json_object_get(document, "plies");
    const char *id = json_string_value(json_object_get(document, "game"));
    const char *version = json_string_value(json_object_get(document, "analysis"));
    struct collusion_game game = {.seats = (unsigned)json_array_size(seats)};
    if (id == NULL || version == NULL || strcmp(version, ANALYSIS_VERSION) != 0 || game.seats < 1 ||
        game.seats > GAME_SEATS_MAX || !json_is_array(plies))
        return false;
    for (unsigned seat = 0; seat < game.seats; seat++) {
        const char *name = json_string_value(json_object_get(json_array_get(seats, seat), "name"));
        if (name == NULL)
            return false;
        game.player[seat] = number_of(auditor, name);
    }
    for (size_t i = 0; i < json_array_size(plies); i++) {
        const json_t *ply = json_array_get(plies, i), *skill = json_object_get(ply, "skill");
        json_int_t seat = json_integer_value(json_object_get(ply, "seat"));
        int64_t gained[GAME_SEATS_MAX] = {0};
        if (seat < 0 || seat >= game.seats || json_array_size(skill) != game.seats)
            return false;
        for (unsigned other = 0; other < game.seats; other++)
            gained[other] = json_integer_value(json_array_get(skill, other));
        collusion_read_move(&game, (unsigned)seat, gained);
    }
    take(auditor, path, id, &game);
    return true;
}

static int read_record(struct auditor *auditor, const char *path, struct span text)
{
    struct record_fault fault;
    enum replay_verdict verdict;
    struct bundle bundle;
    struct collusion_game game;
    if (!cli_split_bundle(path, text, &auditor->components, &bundle))
        return EXIT_NO;
    struct analysis *analysis =
        analysis_new(bundle.record, component_list_sets(&auditor->components),
                     (uint32_t)auditor->budget, &verdict, &fault);
    if (analysis == NULL && verdict == REPLAY_VALID) {
        table_say(stderr, "%s: left out: %s\n", path, fault.message);
        return EXIT_YES;
    }
    if (analysis == NULL) {
        cli_print_fault(stderr, path, verdict, &fault);
        return verdict == REPLAY_INVALID ? EXIT_NO : EXIT_UNKNOWN;
    }
    const struct record_header *header = analysis_header(analysis);
    while (header->seats > 1 && analysis_step(analysis))
        ;
    collusion_read(analysis, &game);
    for (unsigned seat = 0; seat < header->seats; seat++)
        game.player[seat] = number_of(auditor, header->seat[seat].name);
    take(auditor, path, header->game_id, &game);
    analysis_free(analysis);
    return EXIT_YES;
}

static int read_file(struct auditor *auditor, const char *path)
{
    size_t length;
    int status = EXIT_YES;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    if (bytes[0] != '{') {
        status = read_record(auditor, path, (struct span){bytes, length});
    } else {
        json_t *document = json_loadb(bytes, length, 0, NULL);
        if (!read_analysis(auditor, path, document)) {
            fprintf(stderr, "%s: not an analysis of version %s\n", path, ANALYSIS_VERSION);
            status = EXIT_UNKNOWN;
        }
        json_decref(document);
    }
    free(bytes);
    return status;
}

/* ---- Output ---- */

/* A value as a number of opponents. */
static double places(int64_t value)
{
    return (double)value / ANALYSIS_ONE;
}

static void print_table(const struct auditor *auditor, const struct collusion_pair *pairs,
                        size_t count, size_t flagged)
{
    printf(
        "%zu games, %zu ordered pairs of players who met; %zu flagged. By chance alone %zu.%02zu "
        "would be.\n",
        auditor->game_count, count, flagged, count / COLLUSION_LEVEL,
        count % COLLUSION_LEVEL * 100 / COLLUSION_LEVEL);
    printf("This is evidence to look into, and not a verdict.\n");
    printf("         games     cost    given   excess  deviates  by chance   from -> to\n");
    for (size_t i = 0; i < count; i++) {
        const struct collusion_pair *pair = &pairs[i];
        if (!pair->flagged && !auditor->all)
            continue;
        printf("%-8s %5u %8.2f %8.2f %8.2f %9.2f  ", pair->flagged ? "flagged" : "", pair->games,
               places(pair->cost), places(pair->given), places(pair->excess),
               pair->deviates / 100.0);
        if (pair->permuted)
            printf("%6u in %d", pair->as_much, COLLUSION_PERMUTATIONS);
        else
            printf("             -");
        table_say(stdout, "   %s -> %s\n", auditor->names[pair->from], auditor->names[pair->to]);
    }
}

static void print_json(const struct auditor *auditor, const struct collusion_pair *pairs,
                       size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct collusion_pair *pair = &pairs[i];
        if (!pair->flagged && !auditor->all)
            continue;
        json_t *as_much = pair->permuted ? json_integer(pair->as_much) : json_null();
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:i, s:I, s:I, s:I, s:i, s:o, s:b}", "from",
                            auditor->names[pair->from], "to", auditor->names[pair->to], "games",
                            (int)pair->games, "cost", (json_int_t)pair->cost, "given",
                            (json_int_t)pair->given, "excess", (json_int_t)pair->excess,
                            "deviates_hundredths", (int)pair->deviates, "as_much", as_much,
                            "flagged", (int)pair->flagged));
    }
    json_t *document =
        json_pack("{s:i, s:i, s:i, s:i, s:i, s:o}", "games", (int)auditor->game_count, "pairs_met",
                  (int)count, "level", COLLUSION_LEVEL, "permutations", COLLUSION_PERMUTATIONS,
                  "one", ANALYSIS_ONE, "pairs", list);
    cli_print_json(document, JSON_SORT_KEYS);
}

static void print_result(const struct auditor *auditor)
{
    size_t count, flagged = 0;
    struct collusion_pair *pairs = must(collusion_find(auditor->collusion, &count));
    for (size_t i = 0; i < count; i++)
        flagged += pairs[i].flagged;
    if (auditor->json)
        print_json(auditor, pairs, count);
    else
        print_table(auditor, pairs, count, flagged);
    free(pairs);
}

int cli_collusion(const struct cli_given *given)
{
    struct auditor auditor = {.json = cli_value(given, "json") != NULL,
                              .all = cli_value(given, "all") != NULL};
    int status = EXIT_YES;
    if (!cli_value_number(given, "budget", ANALYSIS_BUDGET_MIN, ANALYSIS_BUDGET_MAX, 0,
                          &auditor.budget))
        return cli_wrong_usage(given, NULL);
    if (!cli_components(given, &auditor.components)) {
        component_list_free(&auditor.components);
        return EXIT_UNKNOWN;
    }
    auditor.collusion = must(collusion_new());
    auditor.players = json_object();
    auditor.games = json_object();
    for (int i = 0; i < given->words; i++) {
        int read = read_file(&auditor, given->word[i]);
        status = read > status ? read : status;
    }
    print_result(&auditor);
    component_list_free(&auditor.components);
    collusion_free(auditor.collusion);
    json_decref(auditor.players);
    json_decref(auditor.games);
    for (size_t i = 0; i < auditor.name_count; i++)
        free((char *)auditor.names[i]);
    free(auditor.names);
    return status;
}
