/* How many planted mistakes an analysis finds (engine/analysis/analysis.h):
 *
 *      bench_blunders SLUG SEATS GAMES LEVEL BUDGET LEAST
 *
 * Games of one level, in which at one decision of eight on average a random legal move is
 * considered: if a comparison with PLAYOUTS playouts shows it to be worse than the best move found,
 * by more than two standard errors and at least LEAST hundredths of a place (alone, of a point), it
 * is played. A budget of 0 is the game's usual one. Prints one line of JSON: how many were planted,
 * and how many of them the analysis of the game reports. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/analysis/analysis.h"
#include "engine/game/catalog.h"
#include "engine/search/level.h"
#include "engine/search/search.h"
#include "tests/engine/support/roll.h"
#include "tests/engine/support/table.h"

/* Of a confirmation: half of them find the best move, and as many compare it with the one that is
 * considered. An analysis with a budget of 128 has 32. */
enum { PLAYOUTS = 640, PLANTED_MAX = 256 };

struct bench {
    const struct game *game;
    unsigned seats;
    int64_t least; /* hundredths */
    struct level_player *player;
    struct search *search;
    struct move_list list;
    struct dice dice;
    uint32_t planted[PLANTED_MAX]; /* numbers of lines of the record */
    unsigned in_game;
    unsigned long all, found;
};

/* Whether the move is a mistake for certain. */
static bool is_bad(struct bench *bench, const void *state, unsigned seat, size_t move,
                   const struct chance *luck)
{
    struct search_finding finding;
    return search_review(bench->search, state, seat, luck, &bench->list, move, &finding) &&
           finding.halves * 50 >= bench->least * (int64_t)finding.samples;
}

static void play(struct bench *bench, struct roll_writer *writer)
{
    const struct replay *replay = &writer->roll->replay;
    char words[GAME_MOVE_MAX + 32];
    struct text text = TEXT_OVER(words);
    struct chance luck;
    unsigned seat = 0;
    while (!game_decides(bench->game, replay->state, seat))
        seat++;
    table_legal(bench->game, replay->state, seat, &bench->list);
    level_luck(&luck, replay->head, seat);
    size_t move = level_choose(bench->player, replay->state, seat, &luck, &bench->list);
    if (bench->in_game < PLANTED_MAX && dice_one_in(&bench->dice, 8)) {
        const size_t other = dice_below(&bench->dice, bench->list.count);
        if (other != move && is_bad(bench, replay->state, seat, other, &luck)) {
            move = other;
            bench->planted[bench->in_game++] = replay->seq + 1;
        }
    }
    text_add_number(&text, seat);
    text_add_char(&text, ' ');
    /* Decisions that are taken together have the same time. */
    text_add_number(&text, replay->together ? replay->elapsed_ms : (int64_t)replay->seq * 10);
    text_add_char(&text, ' ');
    text_add_span(&text, move_list_get(&bench->list, move));
    if (roll_say(writer, words) != NULL)
        abort();
}

static void count_found(struct bench *bench, struct analysis *analysis)
{
    unsigned at = 0;
    while (analysis_step(analysis)) {
        const struct analysis_ply *ply = analysis_ply(analysis, analysis_done(analysis) - 1);
        if (at == bench->in_game || ply->seq != bench->planted[at])
            continue;
        bench->found += ply->loss > 0;
        at++;
    }
    bench->all += at;
}

static void bench_game(struct bench *bench, uint32_t number, uint32_t budget)
{
    const struct game_options options = game_options_initial(bench->game);
    struct record_header header;
    uint8_t secret[32];
    struct roll roll;
    struct roll_writer writer;
    enum replay_verdict verdict;
    struct record_fault fault;
    bench->in_game = 0;
    roll_header(&header, bench->game, bench->seats, &options, number, secret);
    roll_begin(&writer, &roll, &header, secret, number);
    while (bench->game->deciders(roll.replay.state) != 0)
        play(bench, &writer);
    while (roll_due(&writer))
        ;
    struct analysis *analysis = analysis_new(roll_span(&roll), budget, &verdict, &fault);
    if (analysis == NULL)
        abort();
    count_found(bench, analysis);
    analysis_free(analysis);
    roll_end(&writer);
    roll_free(&roll);
}

int main(int argc, char **argv)
{
    struct bench bench = {.game = argc == 7 ? catalog_newest(span_of(argv[1])) : NULL};
    const struct level *level = argc == 7 ? level_named(span_of(argv[4])) : NULL;
    if (bench.game == NULL || level == NULL || sodium_init() < 0)
        return 2;
    bench.seats = (unsigned)strtoul(argv[2], NULL, 10);
    const unsigned long games = strtoul(argv[3], NULL, 10);
    const uint32_t budget = (uint32_t)strtoul(argv[5], NULL, 10);
    bench.least = strtol(argv[6], NULL, 10);
    const struct search_settings settings = {
        .candidates = 5,
        .playouts = PLAYOUTS,
        .reach = 6,
        .doubt = 8,
        .margin = level_play(level_named(span_of("master")), bench.game)->search.margin};
    bench.player = level_player_new(bench.game, level);
    bench.search = search_new(bench.game, &settings);
    if (bench.player == NULL || bench.search == NULL || bench.seats < bench.game->seats_min ||
        bench.seats > bench.game->seats_max ||
        (budget != 0 && (budget < ANALYSIS_BUDGET_MIN || budget > ANALYSIS_BUDGET_MAX)))
        return 2;
    table_list_init(&bench.list, bench.game);
    for (uint32_t i = 0; i < games; i++) {
        dice_open(&bench.dice, "blunders", i);
        bench_game(&bench, i, budget);
    }
    printf("{\"slug\":\"%s\",\"level\":\"%s\",\"budget\":%u,\"games\":%lu,\"least\":%lld,"
           "\"planted\":%lu,\"found\":%lu}\n",
           bench.game->slug, level->name,
           (unsigned)(budget == 0 ? analysis_usual_budget(bench.game) : budget), games,
           (long long)bench.least, bench.all, bench.found);
    search_free(bench.search);
    level_player_free(bench.player);
    move_list_free(&bench.list);
    return 0;
}
