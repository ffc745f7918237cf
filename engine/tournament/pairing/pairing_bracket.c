/* Single and double elimination in an event: builds the bracket of elimination.h from the log's
 * tables, which name their matches, and draws a round of every match that is ready. */
#include <stdlib.h>

#include "engine/tournament/formats/knockout/elimination.h"
#include "engine/tournament/formats/knockout/elimination_view.h"
#include "engine/tournament/pairing/pairing_parts.h"

enum { GAMES_MOST = 3 /* games in one match; after that the better seed advances */ };

/* ---- Results ---- */

static bool is_same_pair(const uint16_t a[static 2], const uint16_t b[static 2])
{
    return (a[0] == b[0] && a[1] == b[1]) || (a[0] == b[1] && a[1] == b[0]);
}

static bool same_two(const struct tournament_table *a, const struct tournament_table *b)
{
    return a->match == b->match && is_same_pair(a->entry, b->entry);
}

static bool is_level(const struct table_result *result)
{
    return !round_kind_is_lost(result->seat[0].kind) && !round_kind_is_lost(result->seat[1].kind) &&
           result->seat[0].rank == result->seat[1].rank;
}

static bool counts(const struct tournament_table *table, size_t stage, unsigned rounds)
{
    return table->stage == stage && table->match != TOURNAMENT_NOBODY && table->seats == 2 &&
           table->has_result && table->round >= 1 && table->round <= rounds;
}

/* How many earlier games of the same match between the same two ended level. Sets `decided` if one
 * of them did not: then this table does not count. */
static unsigned count_level_before(const struct tournament *tournament,
                                   const struct tournament_table *table, unsigned rounds,
                                   bool *decided)
{
    unsigned level = 0;
    *decided = false;
    for (const struct tournament_table *each = tournament->tables; each < table; each++) {
        if (!counts(each, table->stage, rounds) || !same_two(each, table))
            continue;
        level += is_level(&each->result);
        *decided = *decided || !is_level(&each->result);
    }
    return level;
}

/* The seat of the entry that comes first in the stage's entries. */
static uint8_t better_seed(const struct tournament_stage *stage, const uint16_t entry[2])
{
    for (size_t i = 0; i < stage->entry_count; i++)
        for (uint8_t seat = 0; seat < 2; seat++)
            if (stage->entries[i] == entry[seat])
                return seat;
    return 0;
}

/* The winning seat of a result that is not level, or 2 if both forfeited. */
static uint8_t winner_of(const struct table_result *result, uint8_t forfeits)
{
    if (forfeits == 3)
        return 2;
    if (forfeits != 0)
        return forfeits == 1;
    return result->seat[1].rank < result->seat[0].rank;
}

static struct elimination_result read_result(const struct tournament *tournament,
                                             const struct tournament_table *table)
{
    const struct tournament_stage *stage = &tournament->stage[table->stage];
    const struct table_result *from = &table->result;
    struct elimination_result result = {.match = table->match, .scored = true};
    for (unsigned seat = 0; seat < 2; seat++) {
        result.entry[seat] = from->seat[seat].entry;
        result.score[seat] = from->seat[seat].score;
        if (round_kind_is_lost(from->seat[seat].kind))
            result.forfeits = (uint8_t)(result.forfeits | 1U << seat);
        result.voided = from->seat[seat].kind == ROUND_VOID;
        result.scored = result.scored && round_kind_is_played(from->seat[seat].kind) &&
                        tournament_has_score(tournament, table, seat);
    }
    result.winner =
        is_level(from) ? better_seed(stage, result.entry) : winner_of(from, result.forfeits);
    return result;
}

/* ---- Results and walkovers, round by round ---- */

/* The input of a bracket. An entry that leaves loses only the matches ready at that moment: one
 * that advances by walkover and leaves later has still advanced. So walkovers are found round by
 * round and recorded like results. */
struct gathering {
    const struct tournament *tournament;
    size_t stage;
    unsigned rounds;
    struct elimination_result *results; /* owned */
    struct elimination_input input;
    uint16_t withdrawn[ELIMINATION_SIZE_MAX];
};

static bool has_result(const struct gathering *gathering, const struct elimination_result *of)
{
    for (size_t i = 0; i < gathering->input.result_count; i++) {
        const struct elimination_result *each = &gathering->results[i];
        if (each->match == of->match && is_same_pair(each->entry, of->entry))
            return true;
    }
    return false;
}

static void add_result(struct gathering *gathering, struct elimination_result result)
{
    if (!has_result(gathering, &result))
        gathering->results[gathering->input.result_count++] = result;
}

/* Adds the results of a round that decide a match: the first that is not level, or the last of
 * three level ones. */
static void add_results(struct gathering *gathering, unsigned round)
{
    const struct tournament *tournament = gathering->tournament;
    for (size_t i = 0; i < tournament->table_count; i++) {
        const struct tournament_table *table = &tournament->tables[i];
        bool decided;
        if (table->round != round || !counts(table, gathering->stage, gathering->rounds))
            continue;
        unsigned level = count_level_before(tournament, table, gathering->rounds, &decided);
        bool last = is_level(&table->result) && level + 1 == GAMES_MOST;
        if (!decided && level < GAMES_MOST && (!is_level(&table->result) || last))
            add_result(gathering, read_result(tournament, table));
    }
}

static void list_withdrawn(struct gathering *gathering, unsigned round)
{
    const struct tournament_stage *stage = &gathering->tournament->stage[gathering->stage];
    gathering->input.withdrawn_count = 0;
    for (size_t i = 0; i < stage->entry_count; i++)
        if ((gathering->tournament->entrants[stage->entries[i]].out >> (round - 1) & 1) != 0)
            gathering->withdrawn[gathering->input.withdrawn_count++] = stage->entries[i];
}

static void add_walkovers(struct gathering *gathering, const struct elimination *bracket)
{
    for (uint16_t i = 0; i < bracket->match_count; i++) {
        const struct elimination_match *match = &bracket->match[i];
        if (match->state == ELIMINATION_DECIDED && match->result == ELIMINATION_NONE)
            add_result(gathering, (struct elimination_result){
                                      .match = i,
                                      .entry = {match->side[0].entry, match->side[1].entry},
                                      .winner = match->winner,
                                      .forfeits = match->forfeits});
    }
}

static bool make_bracket(struct gathering *gathering, struct elimination *bracket,
                         struct refusal *refusal)
{
    unsigned last =
        gathering->rounds < TOURNAMENT_ROUNDS_MAX ? gathering->rounds + 1 : gathering->rounds;
    for (unsigned round = gathering->tournament->stage[gathering->stage].first_round; round <= last;
         round++) {
        add_results(gathering, round);
        list_withdrawn(gathering, round);
        if (!elimination_make(&gathering->input, bracket, refusal))
            return false;
        add_walkovers(gathering, bracket);
    }
    return elimination_make(&gathering->input, bracket, refusal);
}

/* ---- The bracket ---- */

static struct elimination_rule rule_of(const struct stage_settings *settings, size_t entries)
{
    bool twice = settings->format == FORMAT_DOUBLE_ELIMINATION;
    struct elimination_rule rule =
        elimination_rule_usual(twice ? ELIMINATION_DOUBLE : ELIMINATION_SINGLE, (unsigned)entries);
    if (twice)
        rule.grand_final = settings->grand_final;
    rule.consolation = settings->consolation && rule.size > ELIMINATION_SIZE_MIN;
    return rule;
}

static bool is_bracket(const struct tournament *tournament, size_t stage)
{
    enum tournament_format format = tournament->settings.stage[stage].format;
    return stage < tournament->stages &&
           (format == FORMAT_SINGLE_ELIMINATION || format == FORMAT_DOUBLE_ELIMINATION);
}

static bool check_bracket(const struct tournament *tournament, size_t stage,
                          struct refusal *refusal)
{
    if (!is_bracket(tournament, stage))
        return refuse(refusal, PAIRING_REFUSAL_FORMAT, "This stage has no bracket, or none yet.");
    if (tournament->stage[stage].entry_count < ELIMINATION_SIZE_MIN)
        return refuse(refusal, PAIRING_REFUSAL_TOO_FEW, "A bracket needs at least two entries.");
    if (tournament->stage[stage].entry_count > ELIMINATION_SIZE_MAX)
        return refuse(refusal, PAIRING_REFUSAL_TOO_MANY,
                      "A bracket takes 128 entries at most; play Swiss rounds first and let the "
                      "best players advance.");
    return true;
}

/* The caller frees the gathering's results, whether or not a bracket is made. */
static bool gather(struct gathering *gathering, struct elimination *bracket,
                   struct refusal *refusal)
{
    const struct tournament *tournament = gathering->tournament;
    const struct tournament_stage *begun = &tournament->stage[gathering->stage];
    if (!check_bracket(tournament, gathering->stage, refusal))
        return false;
    gathering->results =
        calloc(tournament->table_count + ELIMINATION_MATCHES_MAX, sizeof *gathering->results);
    if (gathering->results == NULL)
        return refuse(refusal, TOURNAMENT_REFUSAL_MEMORY,
                      "There is not enough memory for the bracket.");
    gathering->input = (struct elimination_input){
        .rule = rule_of(&tournament->settings.stage[gathering->stage], begun->entry_count),
        .seeding = begun->entries,
        .seed_count = begun->entry_count,
        .results = gathering->results,
        .withdrawn = gathering->withdrawn};
    return make_bracket(gathering, bracket, refusal);
}

bool pairing_bracket(const struct tournament *tournament, size_t stage, unsigned rounds,
                     struct elimination *bracket, struct refusal *refusal)
{
    struct gathering gathering = {.tournament = tournament, .stage = stage, .rounds = rounds};
    bool made = gather(&gathering, bracket, refusal);
    free(gathering.results);
    return made;
}

bool pairing_bracket_view(const struct tournament *tournament, size_t stage, unsigned rounds,
                          const char *const *names, json_t **view, struct refusal *refusal)
{
    struct gathering gathering = {.tournament = tournament, .stage = stage, .rounds = rounds};
    struct elimination bracket;
    bool made = gather(&gathering, &bracket, refusal);
    if (made) {
        const struct elimination_labels labels = {
            .title = tournament->settings.name, .names = names, .results = gathering.results};
        *view = elimination_view(&bracket, &labels);
        made = *view != NULL || refuse(refusal, TOURNAMENT_REFUSAL_MEMORY,
                                       "There is not enough memory for the bracket.");
    }
    free(gathering.results);
    return made;
}

static bool is_over(const struct pairing_run *run, bool *over)
{
    struct elimination bracket = {.match_count = 0};
    if (!pairing_bracket(run->tournament, run->stage, run->tournament->rounds_started, &bracket,
                         run->refusal))
        return false;
    *over = bracket.over;
    return true;
}

/* ---- Names of matches ---- */

static unsigned rounds_of(const struct elimination *bracket, unsigned part)
{
    unsigned rounds = 0;
    for (unsigned i = 0; i < bracket->match_count; i++)
        if (bracket->match[i].bracket == part && bracket->match[i].round > rounds)
            rounds = bracket->match[i].round;
    return rounds;
}

static unsigned matches_of(const struct elimination *bracket, const struct elimination_match *of)
{
    unsigned count = 0;
    for (unsigned i = 0; i < bracket->match_count; i++)
        count += bracket->match[i].bracket == of->bracket && bracket->match[i].round == of->round;
    return count;
}

static void name_by_size(struct text *name, unsigned matches)
{
    if (matches == 1) {
        text_add(name, "final");
    } else if (matches == 2) {
        text_add(name, "semi-final");
    } else if (matches == 4) {
        text_add(name, "quarter-final");
    } else {
        text_add(name, "round of ");
        text_add_number(name, 2 * (int64_t)matches);
    }
}

static void name_lower(struct text *name, const struct elimination *bracket,
                       const struct elimination_match *match)
{
    if (match->round == rounds_of(bracket, ELIMINATION_LOWER)) {
        text_add(name, "lower final");
        return;
    }
    text_add(name, "lower round ");
    text_add_number(name, match->round);
}

static void name_round(struct text *name, const struct elimination *bracket,
                       const struct elimination_match *match)
{
    if (elimination_is_consolation(match)) {
        text_add(name, "match for the third place");
    } else if (match->bracket == ELIMINATION_FINALS) {
        text_add(name, match->round == 1 ? "grand final" : "grand final, second match");
    } else if (match->bracket == ELIMINATION_LOWER) {
        name_lower(name, bracket, match);
    } else {
        if (rounds_of(bracket, ELIMINATION_LOWER) > 0)
            text_add(name, "upper ");
        name_by_size(name, matches_of(bracket, match));
    }
}

/* ---- A round ---- */

/* How many games of a match have ended level. The seats in `entry` are those of the next game. */
static unsigned count_level(const struct pairing_run *run, uint16_t match, uint16_t entry[2])
{
    const struct tournament_table as = {.match = match, .entry = {entry[0], entry[1]}};
    unsigned level = 0;
    for (size_t i = 0; i < run->tournament->table_count; i++) {
        const struct tournament_table *table = &run->tournament->tables[i];
        if (!counts(table, run->stage, run->tournament->rounds_started) || !same_two(table, &as))
            continue;
        level++;
        entry[0] = table->entry[1];
        entry[1] = table->entry[0];
    }
    return level;
}

static json_t *explain_match(const struct elimination *bracket, uint16_t index, unsigned game)
{
    static const char *const parts[] = {"upper", "lower", "finals"};
    const struct elimination_match *match = &bracket->match[index];
    char bytes[64];
    struct text name = TEXT_OVER(bytes);
    name_round(&name, bracket, match);
    return json_pack("{s:i, s:s, s:s, s:i, s:i, s:i}", "match", (int)index, "name", bytes,
                     "bracket", parts[match->bracket], "round", (int)match->round, "number",
                     (int)match->number, "game", (int)game);
}

/* An entry that asked for a bye in this round plays the match in the next one. */
static bool can_play(const struct pairing_run *run, const struct elimination_match *match)
{
    return match->state == ELIMINATION_READY && pairing_is_present(run, match->side[0].entry) &&
           pairing_is_present(run, match->side[1].entry);
}

static void pairing_match(const struct pairing_run *run, const struct elimination *bracket,
                          uint16_t index, bool *seated, json_t *explained)
{
    const struct elimination_match *match = &bracket->match[index];
    uint16_t entry[2] = {match->side[0].entry, match->side[1].entry};
    unsigned level = count_level(run, index, entry);
    for (unsigned side = 0; side < 2; side++)
        seated[match->side[side].seed - 1] = true;
    pairing_add_table(run, 2, entry, index);
    json_array_append_new(explained, explain_match(bracket, index, level + 1));
}

/* Adds byes for waiting entries; those out of the bracket have no part in the round. */
static void add_waiting(const struct pairing_run *run, const struct elimination *bracket,
                        const bool *seated)
{
    uint16_t place[ELIMINATION_SIZE_MAX];
    elimination_places(bracket, place);
    for (size_t i = 0; i < run->entry_count; i++)
        if (place[i] == 0 && !seated[i])
            pairing_add_without_seat(run, run->entries[i]);
}

static bool make(const struct pairing_run *run)
{
    struct elimination bracket = {.match_count = 0};
    bool seated[ELIMINATION_SIZE_MAX] = {false};
    if (!pairing_bracket(run->tournament, run->stage, run->tournament->rounds_started, &bracket,
                         run->refusal))
        return false;
    json_t *explained = json_array();
    for (uint16_t i = 0; i < bracket.match_count; i++)
        if (can_play(run, &bracket.match[i]))
            pairing_match(run, &bracket, i, seated, explained);
    add_waiting(run, &bracket, seated);
    run->pairing->quality = json_pack("{s:s, s:o, s:o}", "method", "bracket", "criteria",
                                      pairing_seats_criteria(0), "tables", explained);
    return true;
}

const struct pairing_format pairing_elimination = {is_over, make, pairing_judge_seats};
