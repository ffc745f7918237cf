/* `tillroll analyse`: what each move of a finished game was worth, and what was luck. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "engine/analysis/analysis.h"
#include "engine/log/bundle.h"

enum { COSTLIEST = 3, SENTENCE_MAX = 1024 };

struct analyst {
    struct analysis *analysis;
    const struct record_header *header;
    unsigned long budget;
    json_t *sentences; /* of each ply: what the better move would have done, or null */
};

/* ---- Words ---- */

/* A sentence in which `{seat N}` is replaced by players' names. */
static json_t *named(const struct record_header *header, const char *text)
{
    char bytes[SENTENCE_MAX];
    struct text made = TEXT_OVER(bytes);
    while (*text != '\0') {
        const char *digit = text + sizeof "{seat " - 1;
        if (strncmp(text, "{seat ", sizeof "{seat " - 1) == 0 && *digit >= '0' &&
            (unsigned)(*digit - '0') < header->seats && digit[1] == '}') {
            text_add(&made, header->seat[*digit - '0'].name);
            text = digit + 2;
        } else {
            text_add_char(&made, *text++);
        }
    }
    return made.overflow ? json_null() : json_stringn(made.at, made.length);
}

/* The first sentence of the log that tells what the player does. What is drawn would be no news: it
 * could not be known. */
static const char *deed_in(const json_t *events, unsigned seat)
{
    char begin[] = "{seat 0}";
    begin[sizeof "{seat " - 1] = (char)('0' + seat);
    for (size_t i = 0; i < json_array_size(events); i++) {
        const char *text = json_string_value(json_object_get(json_array_get(events, i), "text"));
        if (text != NULL && strncmp(text, begin, sizeof begin - 1) == 0)
            return text;
    }
    return NULL;
}

static json_t *sentence_of(const struct analyst *analyst, const struct analysis_ply *ply)
{
    json_t *events =
        ply->better[0] == '\0' ? NULL : analysis_events(analyst->analysis, span_of(ply->better));
    const char *text = deed_in(events, ply->seat);
    json_t *sentence = text == NULL ? json_null() : named(analyst->header, text);
    json_decref(events);
    return sentence;
}

/* A value in decimals, rounded to hundredths. `sign`: with a plus sign, as gains have. */
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

/* ---- For a person ---- */

/* The bytes that a name needs to take 20 columns. */
static int width_of(const char *name)
{
    int width = 20;
    for (; *name != '\0'; name++)
        width += ((unsigned char)*name & 0xc0) == 0x80; /* continues a character of UTF-8 */
    return width;
}

static void print_totals(const struct analyst *analyst)
{
    const unsigned seats = analyst->header->seats;
    printf("%-4s %-20s %8s %8s %8s %8s %8s\n", "seat", "player", "start", "luck", "own",
           seats == 1 ? "" : "others", "result");
    for (unsigned seat = 0; seat < seats; seat++) {
        const struct analysis_total total = analysis_total(analyst->analysis, seat);
        const int64_t worst = (int64_t)seats * ANALYSIS_ONE; /* a place behind the last */
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

/* The plies of a seat that cost most, costliest first. Returns how many. */
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
        const char *sentence = json_string_value(json_array_get(analyst->sentences, found[i]));
        char loss[32];
        printf("  %" PRIu32 ". %s cost %s %s; better: %s\n", ply->seq, ply->move,
               decimals(ply->loss, false, loss, sizeof loss),
               analyst->header->seats == 1 ? "points" : "places", ply->better);
        if (sentence != NULL)
            printf("     %s\n", sentence);
    }
}

static void print_text(const struct analyst *analyst)
{
    const struct record_header *header = analyst->header;
    printf("%s, %u seat%s, %zu plies, at most %lu playouts a ply\n", header->game->title,
           header->seats, header->seats == 1 ? "" : "s", analysis_count(analyst->analysis),
           analyst->budget);
    printf(header->seats == 1 ? "In points; result = start + luck + own moves.\n\n"
                              : "In places; a gain of 1.00 is one place better. Gains from luck, "
                                "own moves and others' moves.\n\n");
    print_totals(analyst);
    for (unsigned seat = 0; seat < header->seats; seat++)
        print_costliest(analyst, seat);
}

/* ---- JSON ---- */

static json_t *by_seat(const struct analyst *analyst, const int64_t *value)
{
    json_t *list = json_array();
    for (unsigned seat = 0; seat < analyst->header->seats; seat++)
        json_array_append_new(list, json_integer(value[seat]));
    return list;
}

static json_t *json_of_seat(const struct analyst *analyst, unsigned seat)
{
    const struct analysis_total total = analysis_total(analyst->analysis, seat);
    json_t *object = json_object();
    json_object_set_new(object, "seat", json_integer(seat));
    json_object_set_new(object, "name", json_string(analyst->header->seat[seat].name));
    json_object_set_new(object, "start", json_integer(total.start));
    json_object_set_new(object, "deal", json_integer(total.deal));
    json_object_set_new(object, "luck", json_integer(total.luck));
    json_object_set_new(object, "own", json_integer(total.own));
    json_object_set_new(object, "others", json_integer(total.others));
    json_object_set_new(object, "result", json_integer(total.result));
    return object;
}

static json_t *json_of_ply(const struct analyst *analyst, size_t i)
{
    const struct analysis_ply *ply = analysis_ply(analyst->analysis, i);
    json_t *object = json_object();
    json_object_set_new(object, "seq", json_integer(ply->seq));
    json_object_set_new(object, "seat", json_integer(ply->seat));
    json_object_set_new(object, "move", json_string(ply->move));
    json_object_set_new(object, "skill", by_seat(analyst, ply->skill));
    json_object_set_new(object, "luck", by_seat(analyst, ply->luck));
    json_object_set_new(object, "value", by_seat(analyst, ply->value));
    json_object_set_new(object, "loss", json_integer(ply->loss));
    if (ply->better[0] != '\0') {
        json_object_set_new(object, "better", json_string(ply->better));
        json_object_set(object, "better_text", json_array_get(analyst->sentences, i));
    }
    return object;
}

static void print_json(const struct analyst *analyst)
{
    const struct record_header *header = analyst->header;
    json_t *object = json_object();
    json_t *seats = json_array();
    json_t *plies = json_array();
    for (unsigned seat = 0; seat < header->seats; seat++)
        json_array_append_new(seats, json_of_seat(analyst, seat));
    for (size_t i = 0; i < analysis_done(analyst->analysis); i++)
        json_array_append_new(plies, json_of_ply(analyst, i));
    json_object_set_new(object, "analysis", json_string(ANALYSIS_VERSION));
    json_object_set_new(object, "game", json_string(header->game_id));
    json_object_set_new(object, "ruleset", json_string(header->game->slug));
    json_object_set_new(object, "version", json_string(header->game->version));
    json_object_set_new(object, "budget", json_integer((json_int_t)analyst->budget));
    json_object_set_new(object, "one", json_integer(ANALYSIS_ONE));
    json_object_set_new(object, "seats", seats);
    json_object_set_new(object, "plies", plies);
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    if (text == NULL)
        abort();
    printf("%s\n", text);
    free(text);
}

/* ---- The command ---- */

static void analyse(struct analyst *analyst, bool json)
{
    analyst->header = analysis_header(analyst->analysis);
    analyst->sentences = json_array();
    while (analysis_step(analyst->analysis)) {
        const size_t last = analysis_done(analyst->analysis) - 1;
        json_array_append_new(analyst->sentences,
                              sentence_of(analyst, analysis_ply(analyst->analysis, last)));
    }
    if (json)
        print_json(analyst);
    else
        print_text(analyst);
    json_decref(analyst->sentences);
}

static int analyse_file(const char *path, unsigned long budget, bool json)
{
    struct analyst analyst = {.budget = budget};
    struct record_fault fault;
    enum replay_verdict verdict;
    struct bundle bundle;
    size_t length;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    bundle_split((struct span){bytes, length}, &bundle);
    analyst.analysis = analysis_new(bundle.record, (uint32_t)budget, &verdict, &fault);
    if (analyst.analysis != NULL)
        analyse(&analyst, json);
    else if (verdict == REPLAY_VALID)
        fprintf(stderr, "%s: %s\n", path, fault.message);
    else
        cli_print_fault(stderr, path, verdict, &fault);
    const int status = analyst.analysis != NULL    ? EXIT_YES
                       : verdict == REPLAY_INVALID ? EXIT_NO
                                                   : EXIT_UNKNOWN;
    analysis_free(analyst.analysis);
    free(bytes);
    return status;
}

int cli_analyse(const struct cli_given *given)
{
    unsigned long budget;
    if (!cli_value_number(given, "budget", ANALYSIS_BUDGET_MIN, ANALYSIS_BUDGET_MAX,
                          ANALYSIS_BUDGET, &budget))
        return cli_wrong_usage(given, NULL);
    return analyse_file(given->word[0], budget, cli_value(given, "json") != NULL);
}
