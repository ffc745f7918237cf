#include "engine/tournament/formats/knockout/elimination_view.h"

#include "engine/game/view_parts.h"

/* The status of a match in the model. */
enum { LOCKED = 0, WAITING = 1, READY = 2, COMPLETED = 4, ARCHIVED = 5 };

enum { THE_STAGE = 0 };

/* Whether the match after another one is over in the sense of the model: played, or passed in the
 * upper bracket or the finals. */
static bool is_behind(const struct elimination *bracket, uint16_t index)
{
    if (index == ELIMINATION_NONE)
        return false;
    const struct elimination_match *match = &bracket->match[index];
    bool passed =
        match->state == ELIMINATION_PASSED && match->bracket != ELIMINATION_LOWER &&
        (match->side[0].occupant == OCCUPANT_ENTRY || match->side[1].occupant == OCCUPANT_ENTRY);
    return match->state == ELIMINATION_DECIDED || passed;
}

static int status_of(const struct elimination *bracket, const struct elimination_match *match)
{
    switch (match->state) {
    case ELIMINATION_OPEN:
        return match->side[0].occupant == OCCUPANT_OPEN && match->side[1].occupant == OCCUPANT_OPEN
                   ? LOCKED
                   : WAITING;
    case ELIMINATION_READY:
        return READY;
    case ELIMINATION_DECIDED:
        return is_behind(bracket, match->winner_to) || is_behind(bracket, match->loser_to)
                   ? ARCHIVED
                   : COMPLETED;
    default:
        return LOCKED;
    }
}

/* Losers and seeds show their origin; so does the winner of the lower bracket. The sides of the
 * consolation final of double elimination come from different rounds and are numbered. */
static unsigned position_of(const struct elimination *bracket,
                            const struct elimination_match *match, unsigned i)
{
    const struct elimination_side *side = &match->side[i];
    const struct elimination_match *from = &bracket->match[side->from];
    switch (side->origin) {
    case ORIGIN_SEED:
        return side->from;
    case ORIGIN_LOSER:
        return from->bracket == ELIMINATION_LOWER ? i + 1 : from->number;
    case ORIGIN_WINNER:
        return match->bracket == ELIMINATION_FINALS && i == 1 ? from->number : 0;
    default:
        return 0;
    }
}

static void set_outcome(json_t *opponent, const struct elimination_match *match, unsigned i,
                        const struct elimination_result *results)
{
    if (match->result != ELIMINATION_NONE && results[match->result].scored) {
        const struct elimination_result *result = &results[match->result];
        unsigned turned = result->entry[0] != match->side[0].entry;
        view_set(opponent, "score", json_integer(result->score[i ^ turned]));
    }
    if ((match->forfeits >> i & 1) != 0)
        view_set(opponent, "forfeit", json_true());
    else if (match->winner < 2)
        view_set(opponent, "result", json_string(match->winner == i ? "win" : "loss"));
    if (match->result != ELIMINATION_NONE && results[match->result].voided)
        view_set(opponent, "void", json_true());
}

static json_t *opponent_of(const struct elimination *bracket, const struct elimination_match *match,
                           unsigned i, const struct elimination_result *results)
{
    const struct elimination_side *side = &match->side[i];
    if (side->occupant == OCCUPANT_BYE)
        return json_null();
    json_t *opponent = json_object();
    unsigned position = position_of(bracket, match, i);
    view_set(opponent, "id",
             side->occupant == OCCUPANT_ENTRY ? json_integer(side->entry) : json_null());
    if (position > 0)
        view_set(opponent, "position", json_integer(position));
    if (match->state == ELIMINATION_DECIDED)
        set_outcome(opponent, match, i, results);
    else if (match->state == ELIMINATION_PASSED)
        view_set(opponent, "result", json_string("win"));
    return opponent;
}

static json_t *match_view(const struct elimination *bracket, uint16_t index, json_int_t group,
                          json_int_t round, const struct elimination_result *results)
{
    const struct elimination_match *match = &bracket->match[index];
    json_t *view = json_object();
    view_set(view, "id", json_integer(index));
    view_set(view, "number", json_integer(match->number));
    view_set(view, "stage_id", json_integer(THE_STAGE));
    view_set(view, "group_id", json_integer(group));
    view_set(view, "round_id", json_integer(round));
    view_set(view, "child_count", json_integer(0));
    view_set(view, "status", json_integer(status_of(bracket, match)));
    view_set(view, "opponent1", opponent_of(bracket, match, 0, results));
    view_set(view, "opponent2", opponent_of(bracket, match, 1, results));
    return view;
}

/* Groups are numbered in order of appearance; the finals of double elimination are group 3, those
 * of single elimination group 2. */
static void add_group(json_t *groups)
{
    size_t id = json_array_size(groups);
    json_t *view = json_object();
    view_set(view, "id", json_integer((json_int_t)id));
    view_set(view, "stage_id", json_integer(THE_STAGE));
    view_set(view, "number", json_integer((json_int_t)id + 1));
    json_array_append_new(groups, view);
}

static void add_round(json_t *rounds, json_int_t number, json_int_t group)
{
    json_t *view = json_object();
    view_set(view, "id", json_integer((json_int_t)json_array_size(rounds)));
    view_set(view, "number", json_integer(number));
    view_set(view, "stage_id", json_integer(THE_STAGE));
    view_set(view, "group_id", json_integer(group));
    json_array_append_new(rounds, view);
}

static void add_matches(json_t *view, const struct elimination *bracket,
                        const struct elimination_result *results)
{
    json_t *groups = json_array(), *rounds = json_array(), *matches = json_array();
    const struct elimination_match *last = NULL;
    for (uint16_t i = 0; i < bracket->match_count; i++) {
        const struct elimination_match *match = &bracket->match[i];
        bool new_group = last == NULL || match->bracket != last->bracket;
        if (new_group)
            add_group(groups);
        json_int_t group = (json_int_t)json_array_size(groups) - 1;
        if (new_group || match->round != last->round)
            add_round(rounds, match->round, group);
        json_array_append_new(
            matches,
            match_view(bracket, i, group, (json_int_t)json_array_size(rounds) - 1, results));
        last = match;
    }
    view_set(view, "group", groups);
    view_set(view, "round", rounds);
    view_set(view, "match", matches);
    view_set(view, "match_game", json_array());
}

static json_t *settings_of(const struct elimination_rule *rule)
{
    static const char *const finals[] = {"none", "simple", "double"};
    json_t *settings = json_object(), *orders = json_array();
    for (unsigned i = 0; i < elimination_orders(rule); i++)
        json_array_append_new(orders, json_string(bracket_order_name(rule->order[i])));
    view_set(settings, "size", json_integer(rule->size));
    view_set(settings, "seedOrdering", orders);
    if (rule->kind == ELIMINATION_DOUBLE)
        view_set(settings, "grandFinal", json_string(finals[rule->grand_final]));
    view_set(settings, "consolationFinal", json_boolean(rule->consolation));
    view_set(settings, "matchesChildCount", json_integer(0));
    return settings;
}

static json_t *stages_of(const struct elimination_rule *rule, const char *title)
{
    json_t *stages = json_array(), *stage = json_object();
    view_set(stage, "id", json_integer(THE_STAGE));
    view_set(stage, "tournament_id", json_integer(0));
    view_set(stage, "name", json_string(title));
    view_set(stage, "type",
             json_string(rule->kind == ELIMINATION_DOUBLE ? "double_elimination"
                                                          : "single_elimination"));
    view_set(stage, "number", json_integer(1));
    view_set(stage, "settings", settings_of(rule));
    json_array_append_new(stages, stage);
    return stages;
}

/* In order of seeds, as in the first round. */
static json_t *participants_of(const struct elimination *bracket, const char *const *names)
{
    uint16_t entry[ELIMINATION_SIZE_MAX + 1] = {0};
    bool seeded[ELIMINATION_SIZE_MAX + 1] = {false};
    for (unsigned i = 0; i < bracket->rule.size; i++) {
        const struct elimination_side *side = &bracket->match[i / 2].side[i % 2];
        entry[side->seed] = side->entry;
        seeded[side->seed] = side->seed > 0;
    }
    json_t *participants = json_array();
    for (unsigned seed = 1; seed <= bracket->rule.size; seed++) {
        if (!seeded[seed])
            continue;
        json_t *view = json_object();
        view_set(view, "id", json_integer(entry[seed]));
        view_set(view, "tournament_id", json_integer(0));
        view_set(view, "name", json_string(names[entry[seed]]));
        json_array_append_new(participants, view);
    }
    return participants;
}

json_t *elimination_view(const struct elimination *bracket, const struct elimination_labels *labels)
{
    json_t *view = json_object();
    view_set(view, "stage", stages_of(&bracket->rule, labels->title));
    add_matches(view, bracket, labels->results);
    view_set(view, "participant", participants_of(bracket, labels->names));
    return view;
}
