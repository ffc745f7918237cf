/* Groups without points and rounds: brackets, ladders, open play. */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/formats/knockout/elimination.h"
#include "engine/tournament/formats/knockout/pod_elimination.h"
#include "engine/tournament/pairing/pairing.h"
#include "engine/tournament/pairing/ranking_group.h"

/* ---- Brackets ---- */

/* By place, entries without one yet last; then by seed. */
static int compare_rows(const void *left, const void *right)
{
    const struct ranking_row *a = left, *b = right;
    unsigned place_a = a->place - 1U, place_b = b->place - 1U;
    if (place_a != place_b)
        return place_a < place_b ? -1 : 1;
    return (a->standing > b->standing) - (a->standing < b->standing);
}

/* `place` [seed - 1] is for the first `seeds` members. */
static void fill_bracket_rows(struct ranking_group *group, const uint16_t *place, size_t seeds)
{
    for (size_t i = 0; i < group->count; i++)
        group->rows[i] = (struct ranking_row){
            .entry = group->members[i], .place = i < seeds ? place[i] : 0, .standing = (uint32_t)i};
    qsort(group->rows, group->count, sizeof *group->rows, compare_rows);
}

static bool make_matches(const struct ranking_stage *stage, struct ranking_group *group,
                         struct refusal *refusal)
{
    struct elimination bracket;
    uint16_t place[ELIMINATION_SIZE_MAX];
    if (!pairing_bracket(stage->tournament, stage->number, stage->rounds, &bracket, refusal))
        return false;
    elimination_places(&bracket, place);
    fill_bracket_rows(group, place, stage->tournament->stage[stage->number].entry_count);
    return true;
}

static bool make_pods(const struct ranking_stage *stage, struct ranking_group *group,
                      struct refusal *refusal)
{
    struct pod_elimination bracket;
    if (!pairing_pod_bracket(stage->tournament, stage->number, stage->rounds, &bracket, refusal))
        return false;
    fill_bracket_rows(group, bracket.place, stage->tournament->stage[stage->number].entry_count);
    pod_elimination_free(&bracket);
    return true;
}

bool ranking_make_bracket(const struct ranking_stage *stage, struct ranking_group *group,
                          struct refusal *refusal)
{
    if (stage->number >= stage->tournament->stages) {
        fill_bracket_rows(group, NULL, 0);
        return true;
    }
    if (stage->settings->format == FORMAT_POD_ELIMINATION)
        return make_pods(stage, group, refusal);
    return make_matches(stage, group, refusal);
}

/* ---- Ladders ---- */

static bool is_played(const struct tournament_table *table, size_t stage)
{
    return table->round == 0 && table->stage == stage && table->has_result;
}

static bool join_all(const struct tournament *tournament, size_t stage, struct ladder *ladder,
                     struct refusal *refusal)
{
    bool joined = true;
    uint16_t *entries = calloc(tournament->entrant_count + 1, sizeof *entries);
    if (entries == NULL)
        return ranking_refuse_memory(refusal);
    size_t count = ranking_entries(tournament, stage, entries);
    for (size_t i = 0; joined && i < count; i++)
        joined = ladder_join(ladder, entries[i], refusal);
    free(entries);
    return joined;
}

/* Applies a challenge and its end in one step. It was allowed when it was made; since then a
 * corrected result may have changed the ladder. If the challenger now stands above, there is
 * nothing left to win. */
static void play_challenge(struct ladder *ladder, const struct ladder_rule *rule,
                           const struct tournament_challenge *challenge,
                           const struct table_result *result)
{
    struct refusal refusal;
    unsigned first = result->seat[0].entry == challenge->challenger ? 0 : 1;
    bool won = result->seat[first].rank < result->seat[1 - first].rank;
    if (ladder_challenge(ladder, rule, challenge->challenger, challenge->challenged, &refusal))
        (void)ladder_end(ladder, rule, challenge->challenger, challenge->challenged, won, &refusal);
}

/* Games of different entries give the same ladder in either order, so the order of the challenges
 * is good enough. */
static void play_all(const struct tournament *tournament, size_t stage, struct ladder *ladder,
                     const struct ladder_rule *rule)
{
    for (size_t i = 0; i < tournament->challenge_count; i++) {
        const struct tournament_challenge *challenge = &tournament->challenges[i];
        const struct tournament_table *table = tournament_table(tournament, 0, challenge->table);
        if (table != NULL && is_played(table, stage))
            play_challenge(ladder, rule, challenge, &table->result);
    }
}

static void take_off(const struct tournament *tournament, struct ladder *ladder)
{
    size_t kept = 0;
    for (size_t i = 0; i < ladder->count; i++)
        if (!ranking_is_out(&tournament->entrants[ladder->rung[i].entry], TOURNAMENT_ROUNDS_MAX))
            ladder->rung[kept++] = ladder->rung[i];
    ladder->count = kept;
}

static void open_challenges(const struct tournament *tournament, struct ladder *ladder)
{
    for (size_t i = 0; i < tournament->challenge_count; i++) {
        const struct tournament_challenge *challenge = &tournament->challenges[i];
        size_t below = ladder_find(ladder, challenge->challenger);
        size_t above = ladder_find(ladder, challenge->challenged);
        if (challenge->over || below == ladder->count || above == ladder->count)
            continue;
        ladder->rung[below].open = challenge->challenged;
        ladder->rung[below].challenger = true;
        ladder->rung[above].open = challenge->challenger;
    }
}

bool ranking_ladder(const struct tournament *tournament, size_t stage, struct ladder *ladder,
                    struct refusal *refusal)
{
    const struct stage_settings *settings = &tournament->settings.stage[stage];
    const struct ladder_rule rule = {.reach = LADDER_ENTRIES_MAX, .effect = settings->effect};
    memset(ladder, 0, sizeof *ladder);
    if (!join_all(tournament, stage, ladder, refusal))
        return false;
    play_all(tournament, stage, ladder, &rule);
    take_off(tournament, ladder);
    open_challenges(tournament, ladder);
    return true;
}

bool ranking_make_ladder(const struct ranking_stage *stage, struct ranking_group *group,
                         struct refusal *refusal)
{
    struct ladder ladder;
    if (!ranking_ladder(stage->tournament, stage->number, &ladder, refusal))
        return false;
    size_t off = ladder.count;
    for (size_t i = 0; i < ladder.count; i++)
        group->rows[i] = (struct ranking_row){
            .entry = ladder.rung[i].entry, .place = (uint16_t)(i + 1), .standing = (uint32_t)i};
    for (size_t i = 0; i < group->count; i++)
        if (ladder_find(&ladder, group->members[i]) == ladder.count)
            group->rows[off++] =
                (struct ranking_row){.entry = group->members[i], .standing = RANKING_NONE};
    return true;
}

/* ---- Open play ---- */

static size_t count_seats(const struct tournament *tournament, size_t stage)
{
    size_t seats = 0;
    for (size_t i = 0; i < tournament->table_count; i++)
        if (is_played(&tournament->tables[i], stage))
            seats += tournament->tables[i].result.seats;
    return seats;
}

/* `played` [entry] counts the games of each entry. */
static size_t collect_games(const struct ranking_stage *stage, struct ranking_group *group,
                            uint16_t *played)
{
    const struct tournament *tournament = stage->tournament;
    size_t count = 0;
    for (size_t i = 0; i < tournament->table_count; i++) {
        const struct table_result *result = &tournament->tables[i].result;
        if (!is_played(&tournament->tables[i], stage->number))
            continue;
        for (unsigned seat = 0; seat < result->seats; seat++)
            group->open_games[count++] =
                (struct open_play_game){.entry = result->seat[seat].entry,
                                        .number = ++played[result->seat[seat].entry],
                                        .points = scoring_points(group->scoring, result, seat)};
    }
    return count;
}

static void fill_open_rows(struct ranking_group *group, const uint16_t *played)
{
    size_t count = group->open_count;
    for (size_t i = 0; i < count; i++)
        group->rows[i] = (struct ranking_row){.entry = group->open_rows[i].entry,
                                              .place = group->open_rows[i].rank,
                                              .standing = (uint32_t)i,
                                              .points = (int32_t)group->open_rows[i].sum};
    for (size_t i = 0; i < group->count; i++)
        if (played[group->members[i]] == 0)
            group->rows[count++] = (struct ranking_row){.entry = group->members[i],
                                                        .place = (uint16_t)(group->open_count + 1),
                                                        .standing = RANKING_NONE};
}

bool ranking_make_open_play(const struct ranking_stage *stage, struct ranking_group *group,
                            struct refusal *refusal)
{
    size_t seats = count_seats(stage->tournament, stage->number);
    uint16_t *played = calloc(stage->tournament->entrant_count + 1, sizeof *played);
    group->scoring = &stage->settings->scoring;
    group->open_games = calloc(seats + 1, sizeof *group->open_games);
    group->open_rows = calloc(seats + 1, sizeof *group->open_rows);
    bool made = played != NULL && group->open_games != NULL && group->open_rows != NULL;
    if (!made)
        ranking_refuse_memory(refusal);
    else
        made = open_play_rank(group->open_games, collect_games(stage, group, played),
                              stage->settings->best, group->open_rows, &group->open_count, refusal);
    if (made)
        fill_open_rows(group, played);
    free(played);
    return made;
}
