/* Whether collusion is found, and how often honest players are flagged.
 *
 *      bench_collusion gains SLUG SEATS GAMES BUDGET LEVEL OFTEN
 *              plays games of this level and analyses them (engine/analysis/analysis.h). Seat 0
 *              colludes for seat 1: in OFTEN % of its plies it makes the move, of eight, that is
 * best for seat 1 by playouts. Prints a line for each game: costs, and what each seat gave each
 * other bench_collusion field HONEST COLLUDING FIELDS fields of 400 players in clubs of 20, who
 * play 200 games each with others of their club; ten pairs of them collude, one in every second
 * club, whenever they meet. Gains are drawn from the games in these two files. Prints how many were
 * found, and how many honest pairs were flagged
 */
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/analysis/collusion.h"
#include "engine/game/catalog.h"
#include "engine/search/level.h"
#include "engine/search/value.h"
#include "tests/engine/support/roll.h"
#include "tests/engine/support/table.h"

/* ---- Gains of real games ---- */

enum { TRIED = 8, SAMPLES = 16 };

struct bench {
    const struct game *game;
    struct level_player *player;
    struct search *search;
    struct move_list list;
    unsigned often, seats;
};

static void luck_of(const struct replay *replay, uint32_t number, struct chance *chance)
{
    *chance = (struct chance){.stacks = NULL};
    memcpy(chance->seed, replay->head, sizeof chance->seed);
    for (unsigned i = 0; i < 4; i++)
        chance->seed[i] ^= (uint8_t)(number >> 8 * i);
}

/* How many rivals seat 1 has behind it after the move, over the samples. */
static int64_t worth_to_friend(struct bench *bench, const struct replay *replay, struct span move)
{
    static _Alignas(8) unsigned char copy[GAME_STATE_MAX];
    int64_t halves = 0;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        struct chance chance;
        struct refusal refusal;
        struct outcome outcome;
        luck_of(replay, i, &chance);
        memcpy(copy, replay->state, bench->game->state_size);
        bench->game->imagine(bench->game, copy, (struct viewer){VIEWER_AUDITOR, 0}, &chance);
        if (!bench->game->play(bench->game, copy, 0, move, &chance, &refusal))
            abort();
        search_play_out(bench->search, copy, &chance);
        bench->game->outcome(bench->game, copy, &outcome);
        halves += value_halves(&outcome, 1);
    }
    return halves;
}

static size_t choose_for_friend(struct bench *bench, const struct replay *replay,
                                struct chance_stream *stream)
{
    size_t best = 0;
    int64_t most = -1;
    for (unsigned i = 0; i < TRIED; i++) {
        size_t move = chance_uniform(stream, (uint32_t)bench->list.count);
        int64_t worth = worth_to_friend(bench, replay, move_list_get(&bench->list, move));
        if (worth > most) {
            most = worth;
            best = move;
        }
    }
    return best;
}

static void play(struct bench *bench, struct roll_writer *writer)
{
    const struct replay *replay = &writer->roll->replay;
    char words[GAME_MOVE_MAX + 32];
    struct text text = TEXT_OVER(words);
    struct chance luck;
    struct chance_stream stream;
    unsigned seat = 0;
    while (!game_decides(bench->game, replay->state, seat))
        seat++;
    table_legal(bench->game, replay->state, seat, &bench->list);
    level_luck(&luck, replay->head, seat);
    chance_open(&stream, &luck, "collusion", 0);
    bool colludes =
        seat == 0 && bench->list.count > 1 && chance_uniform(&stream, 100) < bench->often;
    size_t move = colludes ? choose_for_friend(bench, replay, &stream)
                           : level_choose(bench->player, replay->state, seat, &luck, &bench->list);
    text_add_number(&text, seat);
    text_add_char(&text, ' ');
    text_add_number(&text, (int64_t)replay->seq * 10);
    text_add_char(&text, ' ');
    text_add_span(&text, move_list_get(&bench->list, move));
    if (roll_say(writer, words) != NULL)
        abort();
}

/* Prints each ply: number of the game, seat, and what it gave each seat. */
static void print_plies(const struct analysis *analysis, uint32_t number)
{
    for (size_t i = 0; i < analysis_done(analysis); i++) {
        const struct analysis_ply *ply = analysis_ply(analysis, i);
        printf("%u %u", number, ply->seat);
        for (unsigned seat = 0; seat < analysis_header(analysis)->seats; seat++)
            printf(" %" PRId64, ply->skill[seat]);
        printf("\n");
    }
    (void)fflush(stdout);
}

static void analyse_game(struct bench *bench, uint32_t number, uint32_t budget)
{
    const struct game_options options = game_options_initial(bench->game);
    struct record_header header;
    uint8_t secret[32];
    struct roll roll;
    struct roll_writer writer;
    enum replay_verdict verdict;
    struct record_fault fault;
    roll_header(&header, bench->game, bench->seats, &options, number, secret);
    roll_begin(&writer, &roll, &header, secret, number);
    while (bench->game->deciders(roll.replay.state) != 0)
        play(bench, &writer);
    while (roll_due(&writer))
        ;
    struct analysis *analysis = analysis_new(roll_span(&roll), NULL, budget, &verdict, &fault);
    if (analysis == NULL)
        abort();
    while (analysis_step(analysis))
        ;
    print_plies(analysis, number);
    analysis_free(analysis);
    roll_end(&writer);
    roll_free(&roll);
}

static int gains(char **word)
{
    const struct search_settings settings = {.candidates = 2, .playouts = 2, .margin = 1};
    struct bench bench = {.game = catalog_newest(span_of(word[0]))};
    const struct level *level = level_named(span_of(word[4]));
    unsigned long games = strtoul(word[2], NULL, 10), budget = strtoul(word[3], NULL, 10);
    if (bench.game == NULL || level == NULL || budget < ANALYSIS_BUDGET_MIN ||
        budget > ANALYSIS_BUDGET_MAX)
        return 2;
    bench.seats = (unsigned)strtoul(word[1], NULL, 10);
    bench.often = (unsigned)strtoul(word[5], NULL, 10);
    bench.player = level_player_new(bench.game, level);
    bench.search = search_new(bench.game, &settings);
    if (bench.player == NULL || bench.search == NULL || bench.seats < bench.game->seats_min ||
        bench.seats > bench.game->seats_max || bench.seats < 2)
        return 2;
    table_list_init(&bench.list, bench.game);
    for (uint32_t i = 0; i < games; i++)
        analyse_game(&bench, 1000 * bench.often + i, (uint32_t)budget);
    move_list_free(&bench.list);
    search_free(bench.search);
    level_player_free(bench.player);
    return 0;
}

/* ---- Fields ---- */

enum { PLAYERS = 400, CLUB = 20, GAMES_EACH = 200, GAINS_MAX = 4096 };

struct store {
    struct collusion_game game[GAINS_MAX];
    size_t count;
};

/* A line as print_plies() writes it. False at the end. */
static bool read_ply(FILE *file, int64_t number[static 2 + GAME_SEATS_MAX], unsigned *seats)
{
    char line[512];
    unsigned count = 0;
    if (fgets(line, sizeof line, file) == NULL)
        return false;
    for (char *at = line, *end; count < 2 + GAME_SEATS_MAX; at = end, count++) {
        number[count] = strtoll(at, &end, 10);
        if (end == at)
            break;
    }
    *seats = count - 2;
    return count >= 4;
}

static bool read_store(const char *path, struct store *store)
{
    int64_t number[2 + GAME_SEATS_MAX], last = -1;
    unsigned seats;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    while (read_ply(file, number, &seats) && (number[0] == last || store->count < GAINS_MAX)) {
        if (number[0] != last)
            store->game[store->count++] = (struct collusion_game){.seats = seats};
        last = number[0];
        collusion_read_move(&store->game[store->count - 1], (unsigned)number[1], number + 2);
    }
    (void)fclose(file);
    return store->count > 1;
}

/* Players 0 and 1 of every second club: 0 gives, 1 takes. */
static bool colludes(uint32_t from, uint32_t to)
{
    return from % CLUB == 0 && to == from + 1 && from / CLUB % 2 == 0;
}

/* The game `drawn` with its seats changed by lot; of a colluding one the first two stay. */
static struct collusion_game seated(const struct collusion_game *drawn, const uint32_t *player,
                                    unsigned fixed, struct chance_stream *stream)
{
    struct collusion_game game = {.seats = drawn->seats};
    unsigned order[GAME_SEATS_MAX];
    for (unsigned i = 0; i < drawn->seats; i++)
        order[i] = i;
    for (unsigned i = drawn->seats - 1; i > fixed; i--) {
        unsigned at = fixed + chance_uniform(stream, i - fixed + 1), kept = order[i];
        order[i] = order[at];
        order[at] = kept;
    }
    for (unsigned a = 0; a < drawn->seats; a++) {
        game.player[a] = player[a];
        game.cost[a] = drawn->cost[order[a]];
        for (unsigned b = 0; b < drawn->seats; b++)
            game.gift[a][b] = drawn->gift[order[a]][order[b]];
    }
    return game;
}

/* A game of the club; `together`: of its first two players and others. */
static void add_game(struct collusion *collusion, const struct store *honest,
                     const struct store *colluding, uint32_t club, bool together,
                     struct chance_stream *stream)
{
    unsigned seats = honest->game[0].seats, fixed = 0;
    uint32_t player[CLUB];
    for (uint32_t i = 0; i < CLUB; i++)
        player[i] = club * CLUB + i;
    for (uint32_t i = together ? 2 : 0; i < seats; i++) {
        uint32_t at = i + chance_uniform(stream, CLUB - i), kept = player[i];
        player[i] = player[at];
        player[at] = kept;
    }
    for (unsigned a = 0; a < seats; a++)
        for (unsigned b = 0; b < seats && fixed == 0; b++)
            if (a != b && colludes(player[a], player[b])) {
                uint32_t from = player[a], to = player[b];
                player[b] = player[1], player[1] = to;
                for (unsigned c = 0; c < seats; c++)
                    if (player[c] == from)
                        player[c] = player[0];
                player[0] = from;
                fixed = 2;
            }
    const struct store *store = fixed > 0 ? colluding : honest;
    struct collusion_game game =
        seated(&store->game[chance_uniform(stream, (uint32_t)store->count)], player, fixed, stream);
    if (!collusion_add(collusion, &game))
        abort();
}

static int field(char **word)
{
    static struct store honest, colluding;
    unsigned long fields = strtoul(word[2], NULL, 10), together = strtoul(word[3], NULL, 10);
    unsigned wanted = 0, found = 0, pairs_seen = 0, flagged = 0, games = 0;
    if (!read_store(word[0], &honest) || !read_store(word[1], &colluding) ||
        honest.game[0].seats != colluding.game[0].seats)
        return 2;
    for (unsigned long n = 0; n < fields; n++) {
        struct chance chance = {.stacks = NULL};
        struct chance_stream stream;
        struct collusion *collusion = collusion_new();
        size_t count;
        memcpy(chance.seed, &n, sizeof n);
        chance_open(&stream, &chance, "field", 0);
        for (uint32_t club = 0; club < PLAYERS / CLUB; club++)
            for (unsigned i = 0; i < GAMES_EACH * CLUB / honest.game[0].seats; i++)
                add_game(collusion, &honest, &colluding, club, false, &stream);
        for (uint32_t club = 0; club < PLAYERS / CLUB; club += 2)
            for (unsigned i = 0; i < together; i++)
                add_game(collusion, &honest, &colluding, club, true, &stream);
        struct collusion_pair *pairs = collusion_find(collusion, &count);
        for (size_t i = 0; i < count; i++) {
            bool guilty = colludes(pairs[i].from, pairs[i].to);
            wanted += guilty;
            found += guilty && pairs[i].flagged;
            games += guilty ? pairs[i].games : 0;
            pairs_seen += !guilty;
            flagged += !guilty && pairs[i].flagged;
        }
        free(pairs);
        collusion_free(collusion);
    }
    printf("%lu fields of %d players; gains from %zu honest and %zu colluding games\n", fields,
           PLAYERS, honest.count, colluding.count);
    printf("colluding pairs: %u, which met %.1f times each; found %u (%.1f %%)\n", wanted,
           (double)games / wanted, found, 100.0 * found / wanted);
    printf("honest ordered pairs: %u; flagged %u (%.2f in %d)\n", pairs_seen, flagged,
           (double)flagged * COLLUSION_LEVEL / pairs_seen, COLLUSION_LEVEL);
    return 0;
}

int main(int argc, char **argv)
{
    if (sodium_init() < 0)
        return 2;
    if (argc == 8 && strcmp(argv[1], "gains") == 0)
        return gains(argv + 2);
    if (argc == 6 && strcmp(argv[1], "field") == 0)
        return field(argv + 2);
    fprintf(stderr, "bench_collusion gains SLUG SEATS GAMES BUDGET LEVEL OFTEN\n"
                    "bench_collusion field HONEST COLLUDING FIELDS TOGETHER\n");
    return 2;
}
