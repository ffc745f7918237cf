/* `tillroll analyse`: the value of each move of a finished game, and the effect of luck. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/table.h"
#include "engine/analysis/analysis_document.h"
#include "engine/game/component_list.h"
#include "engine/log/bundle.h"

enum { COSTLIEST = 3 };

struct analyst {
    struct analysis *analysis;
    const struct record_header *header;
    json_t *plies; /* an analysis_document_ply() for each */
};

/* ---- Output for people ---- */

/* Prints a value with two decimals, rounded. `sign`: with a plus sign, for gains. */
static const char *decimals(int64_t value, bool sign, char *bytes, size_t size)
{
    int64_t size_of = value < 0 ? -value : value;
    int64_t hundredths = (size_of * 100 + ANALYSIS_ONE / 2) / ANALYSIS_ONE;
    (void)snprintf(bytes, size, "%s%" PRId64 ".%02d",
                   hundredths == 0 ? ""
                   : value < 0     ? "-"
                   : sign          ? "+"
                                   : "",
                   hundredths / 100, (int)(hundredths % 100));
    return bytes;
}

/* The number of bytes with which a name fills 20 columns. */
static int width_of(const char *name)
{
    int width = 20;
    for (; *name != '\0'; name++)
        width += ((unsigned char)*name & 0xc0) == 0x80; /* a continuation byte of UTF-8 */
    return width;
}

static void print_totals(const struct analyst *analyst)
{
    const unsigned seats = analyst->header->seats;
    printf("%-4s %-20s %8s %8s %8s %8s %8s\n", "seat", "player", "start", "luck", "own",
           seats == 1 ? "" : "others", "result");
    for (unsigned seat = 0; seat < seats; seat++) {
        const struct analysis_total total = analysis_total(analyst->analysis, seat);
        const int64_t worst = (int64_t)seats * ANALYSIS_ONE; /* one rank below the last */
        char start[32], luck[32], own[32], others[32], result[32];
        printf("%-4u %-*s %8s %8s %8s %8s %8s\n", seat, width_of(analyst->header->seat[seat].name),
               analyst->header->seat[seat].name,
               decimals(seats == 1 ? total.start : worst - total.start, false, start, sizeof start),
               decimals(total.luck, true, luck, sizeof luck),
               decimals(total.own, true, own, sizeof own),
               seats == 1 ? "" : decimals(total.others, true, others, sizeof others),
               decimals(seats == 1 ? total.result : worst - total.result, false, result,
                        sizeof result));
    }
}

/* Finds the plies of a seat with the largest losses, largest first, and returns their number. */
static size_t find_costliest(const struct analyst *analyst, unsigned seat, size_t found[COSTLIEST])
{
    size_t count = 0;
    for (size_t i = 0; i < analysis_done(analyst->analysis); i++) {
        const struct analysis_ply *ply = analysis_ply(analyst->analysis, i);
        if (ply->seat != seat || ply->loss == 0)
            continue;
        size_t at = count;
        while (at > 0 && analysis_ply(analyst->analysis, found[at - 1])->loss < ply->loss)
            at--;
        if (at == COSTLIEST)
            continue;
        if (count < COSTLIEST)
            count++;
        for (size_t k = count - 1; k > at; k--)
            found[k] = found[k - 1];
        found[at] = i;
    }
    return count;
}

static void print_costliest(const struct analyst *analyst, unsigned seat)
{
    size_t found[COSTLIEST];
    const size_t count = find_costliest(analyst, seat, found);
    printf("\n%s: %s\n", analyst->header->seat[seat].name,
           count == 0 ? "no move for which a clearly better one was found" : "the costliest moves");
    for (size_t i = 0; i < count; i++) {
        const struct analysis_ply *ply = analysis_ply(analyst->analysis, found[i]);
        const char *sentence = json_string_value(
            json_object_get(json_array_get(analyst->plies, found[i]), "better_text"));
        char loss[32];
        printf("  %" PRIu32 ". %s cost %s %s; better: %s\n", ply->seq, ply->move,
               decimals(ply->loss, false, loss, sizeof loss),
               analyst->header->seats == 1 ? "points" : "places", ply->better);
        if (sentence != NULL)
            table_say(stdout, "     %s\n", sentence);
    }
}

static void print_text(const struct analyst *analyst)
{
    const struct record_header *header = analyst->header;
    table_say(stdout, "%s, %u seat%s, %zu plies, at most %u playouts a ply\n", header->game->title,
              header->seats, header->seats == 1 ? "" : "s", analysis_count(analyst->analysis),
              analysis_budget(analyst->analysis));
    printf(header->seats == 1 ? "In points; result = start + luck + own moves.\n\n"
                              : "In places; a gain of 1.00 is one place better. Gains from luck, "
                                "own moves and others' moves.\n\n");
    print_totals(analyst);
    for (unsigned seat = 0; seat < header->seats; seat++)
        print_costliest(analyst, seat);
}

static void print_json(const struct analyst *analyst)
{
    json_t *object = analysis_document(analyst->analysis);
    json_object_set(object, "plies", analyst->plies);
    cli_print_json(object, 0);
}

/* ---- The command ---- */

/* Analyses the game. False if a ply cannot be analysed. */
static bool analyse(struct analyst *analyst, bool json)
{
    analyst->header = analysis_header(analyst->analysis);
    analyst->plies = json_array();
    while (analysis_step(analyst->analysis))
        json_array_append_new(analyst->plies, analysis_document_ply(analyst->analysis));
    const bool whole = !analysis_failed(analyst->analysis);
    if (whole && json)
        print_json(analyst);
    else if (whole)
        print_text(analyst);
    json_decref(analyst->plies);
    return whole;
}

static int analyse_file(const char *path, struct component_list *list, unsigned long budget,
                        bool json)
{
    struct analyst analyst = {.analysis = NULL};
    struct record_fault fault;
    enum replay_verdict verdict = REPLAY_INVALID;
    struct bundle bundle;
    size_t length;
    bool whole = false;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    const bool split = cli_split_bundle(path, (struct span){bytes, length}, list, &bundle);
    if (split)
        analyst.analysis = analysis_new(bundle.record, component_list_sets(list), (uint32_t)budget,
                                        &verdict, &fault);
    if (analyst.analysis != NULL) {
        whole = analyse(&analyst, json);
        if (!whole)
            fprintf(stderr, "%s: Ply %zu is one that this program cannot analyze.\n", path,
                    analysis_done(analyst.analysis) + 1);
    } else if (verdict == REPLAY_VALID) {
        table_say(stderr, "%s: %s\n", path, fault.message);
    } else if (split) {
        cli_print_fault(stderr, path, verdict, &fault);
        cli_tell_kind(path, bytes, false);
    }
    const int status = whole ? EXIT_YES : verdict == REPLAY_INVALID ? EXIT_NO : EXIT_UNKNOWN;
    analysis_free(analyst.analysis);
    free(bytes);
    return status;
}

int cli_analyse(const struct cli_given *given)
{
    unsigned long budget;
    if (!cli_value_number(given, "budget", ANALYSIS_BUDGET_MIN, ANALYSIS_BUDGET_MAX, 0, &budget))
        return cli_wrong_usage(given, NULL);
    struct component_list list = {.count = 0};
    const int status = cli_components(given, &list) ? analyse_file(given->word[0], &list, budget,
                                                                   cli_value(given, "json") != NULL)
                                                    : EXIT_UNKNOWN;
    component_list_free(&list);
    return status;
}
