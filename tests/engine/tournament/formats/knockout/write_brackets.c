/* `write_brackets`: reads brackets from standard input, one JSON object a line, and prints each in
 * the model of brackets-viewer, with the places besides, for the test that compares them with
 * another program.
 *
 *      {"kind": 0, "size": 8, "grandFinal": 1, "consolation": false, "orders": ["inner_outer"],
 *       "seeding": [0, 1, 2, null], "withdrawn": [],
 *       "results": [[match, entry, entry, winner, forfeits, score, score]]}
 *
 * A refused one gives {"refused": code}. Without orders the usual ones are taken.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/formats/knockout/elimination_view.h"

enum { LINE_MAX_BYTES = 1 << 20, ENTRIES_MAX = 1024, NAME_MAX_BYTES = 16 };

struct bracket_request {
    struct elimination_input input;
    uint16_t seeding[ELIMINATION_SIZE_MAX];
    uint16_t withdrawn[ELIMINATION_SIZE_MAX];
    struct elimination_result results[ELIMINATION_RESULTS_MAX];
};

/* The order of this name, or -1. */
static int find_order(const char *name)
{
    for (int order = 0; order < BRACKET_ORDERS; order++)
        if (strcmp(name, bracket_order_name((enum bracket_order)order)) == 0)
            return order;
    return -1;
}

static bool read_orders(const json_t *orders, struct elimination_rule *rule)
{
    size_t i;
    json_t *name;
    json_array_foreach(orders, i, name)
    {
        int order = json_is_string(name) ? find_order(json_string_value(name)) : -1;
        if (order < 0 || i >= ELIMINATION_ROUNDS_MAX)
            return false;
        rule->order[i] = (uint8_t)order;
    }
    return true;
}

static bool read_entries(const json_t *list, uint16_t *entries, size_t *count)
{
    size_t i;
    json_t *entry;
    if (json_array_size(list) > ELIMINATION_SIZE_MAX)
        return false;
    json_array_foreach(list, i, entry)
    {
        json_int_t number = json_is_null(entry) ? ELIMINATION_NONE : json_integer_value(entry);
        if (number < 0 || (number >= ENTRIES_MAX && number != ELIMINATION_NONE))
            return false;
        entries[i] = (uint16_t)number;
    }
    *count = json_array_size(list);
    return true;
}

static bool read_results(const json_t *list, struct elimination_result *results, size_t *count)
{
    size_t i;
    json_t *each;
    if (json_array_size(list) > ELIMINATION_RESULTS_MAX)
        return false;
    json_array_foreach(list, i, each)
    {
        int match, first, second, winner, forfeits, score[2];
        if (json_unpack(each, "[i,i,i,i,i,i,i]", &match, &first, &second, &winner, &forfeits,
                        &score[0], &score[1]) != 0)
            return false;
        results[i] = (struct elimination_result){.match = (uint16_t)match,
                                                 .entry = {(uint16_t)first, (uint16_t)second},
                                                 .winner = (uint8_t)winner,
                                                 .forfeits = (uint8_t)forfeits,
                                                 .scored = true,
                                                 .score = {score[0], score[1]}};
    }
    *count = json_array_size(list);
    return true;
}

static bool read_request(const json_t *line, struct bracket_request *request)
{
    int kind, size, grand_final, consolation;
    json_t *orders, *seeding, *withdrawn, *results;
    struct elimination_input *input = &request->input;
    if (json_unpack((json_t *)line, "{s:i, s:i, s:i, s:b, s:o, s:o, s:o, s:o}", "kind", &kind,
                    "size", &size, "grandFinal", &grand_final, "consolation", &consolation,
                    "orders", &orders, "seeding", &seeding, "withdrawn", &withdrawn, "results",
                    &results) != 0 ||
        size < ELIMINATION_SIZE_MIN || size > ELIMINATION_SIZE_MAX || kind < 0 || kind > 1)
        return false;
    *input = (struct elimination_input){
        .rule = elimination_rule_usual((enum elimination_kind)kind, (unsigned)size),
        .seeding = request->seeding,
        .results = request->results,
        .withdrawn = request->withdrawn};
    input->rule.grand_final = (uint8_t)grand_final;
    input->rule.consolation = consolation != 0;
    return read_orders(orders, &input->rule) &&
           read_entries(seeding, request->seeding, &input->seed_count) &&
           read_entries(withdrawn, request->withdrawn, &input->withdrawn_count) &&
           read_results(results, request->results, &input->result_count);
}

static json_t *answer(const struct bracket_request *request)
{
    static char name[ENTRIES_MAX][NAME_MAX_BYTES];
    static const char *names[ENTRIES_MAX];
    struct elimination bracket;
    struct refusal refusal;
    uint16_t place[ELIMINATION_SIZE_MAX];
    for (unsigned i = 0; i < ENTRIES_MAX; i++) {
        snprintf(name[i], sizeof name[i], "entry %u", i);
        names[i] = name[i];
    }
    if (!elimination_make(&request->input, &bracket, &refusal))
        return json_pack("{s:s}", "refused", refusal.code);
    const struct elimination_labels labels = {"Bracket", names, request->results};
    json_t *view = elimination_view(&bracket, &labels), *places = json_array();
    elimination_places(&bracket, place);
    for (unsigned i = 0; i < bracket.rule.size; i++)
        json_array_append_new(places, json_integer(place[i]));
    json_object_set_new(view, "places", places);
    json_object_set_new(view, "over", json_boolean(bracket.over));
    return view;
}

int main(void)
{
    static struct bracket_request request;
    char *line = malloc(LINE_MAX_BYTES);
    bool good = line != NULL;
    while (good && fgets(line, LINE_MAX_BYTES, stdin) != NULL) {
        json_t *object = json_loads(line, 0, NULL);
        good = object != NULL && read_request(object, &request);
        json_decref(object);
        if (!good)
            break;
        json_t *view = answer(&request);
        json_dumpf(view, stdout, JSON_COMPACT);
        putchar('\n');
        fflush(stdout);
        json_decref(view);
    }
    if (!good)
        fprintf(stderr, "write_brackets: a line that is not a bracket\n");
    free(line);
    return good ? 0 : 2;
}
