/* Prints, for fixed seeds and for every ruleset, seat count and combination of options, hashes
 * over everything that the engine says during random games: states, legal lists, fallback moves,
 * outcomes, views, events and weights of moves; one each over ratings, schedules and pairings; and
 * what levels of play choose.
 * Two builds agree when they print the same (tests/engine/compare_builds).
 *
 *     state_hashes           everything
 *     state_hashes few       of the games' hashes only those over the first of the games
 *     state_hashes events    what is not about games
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/search/policy.h"
#include "engine/tournament/formats/round_robin/pod_round_robin.h"
#include "engine/tournament/result/rating.h"
#include "tests/engine/pod_draws.h"
#include "tests/engine/search/choices.h"
#include "tests/engine/support/dice.h"
#include "tests/engine/support/table.h"
#include "tests/engine/tournament/formats/dutch/dutch_event.h"

enum { GAMES_FEW = 2, GAMES = 6, VIEW_EVERY = 9, RATED_PLAYERS = 40, RATED_GAMES = 3000 };

struct digest {
    crypto_hash_sha256_state hash;
};

static void add_bytes(struct digest *digest, const void *bytes, size_t size)
{
    crypto_hash_sha256_update(&digest->hash, bytes, size);
}

static void add_number(struct digest *digest, uint64_t number)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
    add_bytes(digest, bytes, sizeof bytes);
}

static void add_json(struct digest *digest, json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT);
    if (text == NULL)
        abort();
    struct span span = span_of(text);
    add_bytes(digest, span.at, span.length + 1);
    free(text);
    json_decref(value);
}

static void add_outcome(struct digest *digest, const struct table *table)
{
    struct outcome outcome;
    table->game->outcome(table->game, table->state, &outcome);
    for (unsigned seat = 0; seat < outcome.seats; seat++) {
        add_number(digest, (uint32_t)outcome.score[seat]);
        add_number(digest, outcome.rank[seat]);
        for (unsigned i = 0; i < outcome.tie_breaks; i++)
            add_number(digest, (uint32_t)outcome.tie_break[seat][i]);
    }
}

static void add_lists(struct digest *digest, const struct table *table, struct move_list *list)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        char bytes[GAME_MOVE_MAX + 1];
        struct text quiet = TEXT_OVER(bytes);
        table_legal(table->game, table->state, seat, list);
        add_number(digest, list->count);
        add_bytes(digest, list->bytes, list->used);
        if (list->count == 0)
            continue;
        table->game->fallback(table->game, table->state, seat, &quiet);
        add_bytes(digest, bytes, quiet.length + 1);
    }
}

static void add_weights(struct digest *digest, const struct table *table, unsigned seat,
                        const struct move_list *list)
{
    static int32_t weight[POLICY_MOVES_MAX];
    if (list->count == 0)
        return;
    table->game->weigh(table->game, table->state, seat, list, weight);
    for (size_t i = 0; i < list->count; i++)
        add_number(digest, (uint64_t)(weight[i] + GAME_WEIGHT_MAX));
}

static void add_sight(struct digest *digest, const struct table *table, struct move_list *list)
{
    add_json(digest,
             table->game->view(table->game, table->state, (struct viewer){VIEWER_SPECTATOR, 0}));
    add_json(digest,
             table->game->view(table->game, table->state, (struct viewer){VIEWER_AUDITOR, 0}));
    for (unsigned seat = 0; seat < table->seats; seat++) {
        table_legal(table->game, table->state, seat, list);
        add_weights(digest, table, seat, list);
        add_json(digest,
                 table->game->view(table->game, table->state, (struct viewer){VIEWER_SEAT, seat}));
    }
}

static void play_ply(struct digest *digest, struct table *table, struct dice *dice,
                     struct move_list *list)
{
    static struct table before;
    unsigned seat = dice_below(dice, table->seats);
    while (!game_decides(table->game, table->state, seat))
        seat = (seat + 1) % table->seats;
    table_legal(table->game, table->state, seat, list);
    const struct ply ply = {seat, move_list_get(list, dice_below(dice, list->count))};
    struct refusal refusal;
    before = *table;
    if (!table->game->play(table->game, table->state, seat, ply.move, &table->chance, &refusal))
        abort();
    add_json(digest, table->game->events(table->game, before.state, table->state, &ply,
                                         (struct viewer){VIEWER_SEAT, seat}));
}

static void play_game(struct digest *digest, struct table *table, uint32_t number,
                      struct move_list *list)
{
    struct dice dice;
    dice_open(&dice, "state hashes", number);
    for (size_t ply = 0;; ply++) {
        add_bytes(digest, table->state, table->game->state_size);
        add_lists(digest, table, list);
        add_outcome(digest, table);
        if (ply % VIEW_EVERY == 0)
            add_sight(digest, table, list);
        if (table->game->deciders(table->state) == 0)
            return;
        play_ply(digest, table, &dice, list);
    }
}

/* Takes the sum and prints it as the end of a line. */
static void print_sum(struct digest *digest)
{
    uint8_t sum[crypto_hash_sha256_BYTES];
    char hex[2 * sizeof sum + 1];
    crypto_hash_sha256_final(&digest->hash, sum);
    printf(" %s\n", sodium_bin2hex(hex, sizeof hex, sum, sizeof sum));
}

static void print_games(struct digest digest, const struct game *game, unsigned seats,
                        const struct game_options *options, uint32_t games)
{
    printf("%s %s seats %u", game->slug, game->version, seats);
    for (size_t i = 0; i < game->option_count; i++)
        printf(" %s=%s", game->options[i].name, game->options[i].values[options->value[i]]);
    printf(" games %u", (unsigned)games);
    print_sum(&digest);
}

static void print_table(const struct game *game, unsigned seats, const struct game_options *options,
                        bool few)
{
    static struct table table;
    struct move_list list;
    struct digest digest;
    table_list_init(&list, game);
    crypto_hash_sha256_init(&digest.hash);
    for (uint32_t number = 0; number < (few ? GAMES_FEW : GAMES); number++) {
        table_set(&table, game, seats, options, number);
        play_game(&digest, &table, number, &list);
        if (number + 1 == GAMES_FEW || number + 1 == GAMES)
            print_games(digest, game, seats, options, number + 1);
    }
    move_list_free(&list);
}

static void print_tables(bool few)
{
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        const struct game *game = catalog_at(i);
        struct game_options options = {{0}};
        do {
            for (unsigned seats = game->seats_min; seats <= game->seats_max; seats++)
                print_table(game, seats, &options, few);
        } while (table_next_options(game, &options));
    }
}

static void rate_game(struct digest *digest, struct rating *players, struct dice *dice)
{
    struct rating table[RATING_PLAYERS_MAX];
    int32_t ranks[RATING_PLAYERS_MAX];
    size_t seats = 2 + dice_below(dice, RATING_PLAYERS_MAX - 1);
    size_t first = dice_below(dice, RATED_PLAYERS - seats);
    for (size_t i = 0; i < seats; i++) {
        table[i] = players[first + i];
        ranks[i] = (int32_t)(1 + dice_below(dice, seats));
    }
    if (!rating_update(table, ranks, seats))
        abort();
    for (size_t i = 0; i < seats; i++) {
        players[first + i] = table[i];
        add_number(digest, (uint32_t)table[i].mu);
        add_number(digest, (uint32_t)table[i].sigma);
    }
}

static void print_ratings(void)
{
    struct rating players[RATED_PLAYERS];
    struct digest digest;
    struct dice dice;
    dice_open(&dice, "rating hashes", 1);
    crypto_hash_sha256_init(&digest.hash);
    for (size_t i = 0; i < RATED_PLAYERS; i++)
        players[i] = rating_initial();
    for (unsigned i = 0; i < RATED_GAMES; i++)
        rate_game(&digest, players, &dice);
    printf("ratings");
    print_sum(&digest);
}

/* One schedule of every way in which they are searched for. */
static void print_schedules(void)
{
    static const struct chance chance = {.seed = {5}};
    static const uint16_t sizes[][2] = {{20, 6}, {20, 7}, {24, 7}, {13, 4}};
    struct digest digest;
    crypto_hash_sha256_init(&digest.hash);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct pod_schedule schedule;
        struct refusal refusal;
        const struct pod_round_robin_request request = {.players = sizes[i][0],
                                                        .rounds = sizes[i][1],
                                                        .rule = table_rule_range(3, 4, 4),
                                                        .attempt = 1,
                                                        .chance = &chance};
        if (!pod_round_robin_make(&request, &schedule, &refusal))
            abort();
        add_number(&digest, schedule.method);
        for (size_t t = 0; t < schedule.table_count; t++)
            for (unsigned seat = 0; seat < schedule.tables[t].seats; seat++)
                add_number(&digest, schedule.tables[t].player[seat]);
        pod_schedule_free(&schedule);
    }
    printf("schedules");
    print_sum(&digest);
}

/* A few events of two seats, paired round by round. */
static void print_pairings(void)
{
    static struct event event;
    struct digest digest;
    void *work = malloc(dutch_work_size(EVENT_PLAYERS_MAX));
    crypto_hash_sha256_init(&digest.hash);
    for (uint64_t number = 1; number <= 12; number++) {
        event_start(&event, number);
        while (event.played < event.rounds) {
            struct dutch_pair pairs[EVENT_PLAYERS_MAX];
            struct refusal refusal;
            size_t count;
            struct dutch_request request = event_open(&event);
            if (work == NULL || !dutch_pair_round(&request, work, pairs, &count, &refusal))
                abort();
            for (size_t i = 0; i < count; i++) {
                add_number(&digest, pairs[i].white);
                add_number(&digest, pairs[i].black);
                for (unsigned criterion = 0; criterion < DUTCH_CRITERIA; criterion++)
                    add_number(&digest, pairs[i].cost[criterion]);
            }
            event_play(&event, pairs, count);
        }
    }
    free(work);
    printf("pairings");
    print_sum(&digest);
}

static void see_number(void *digest, uint64_t number)
{
    add_number(digest, number);
}

static void print_pods(void)
{
    struct digest digest;
    crypto_hash_sha256_init(&digest.hash);
    pod_draws_see(see_number, &digest);
    printf("pods");
    print_sum(&digest);
}

/* A level that chooses by weight, and one that searches. */
static void print_levels(void)
{
    static const char *const names[] = {"beginner", "strong"};
    for (size_t i = 0; catalog_at(i) != NULL; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            char hex[CHOICES_HEX + 1];
            choices_digest(catalog_at(i), level_named(span_of(names[k])), false, hex);
            printf("%s %s %s %s\n", catalog_at(i)->slug, catalog_at(i)->version, names[k], hex);
        }
}

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "";
    if (sodium_init() < 0 || argc > 2)
        return 1;
    if (strcmp(part, "events") != 0)
        print_tables(strcmp(part, "few") == 0);
    if (strcmp(part, "few") == 0)
        return 0;
    print_ratings();
    print_schedules();
    print_pairings();
    print_pods();
    print_levels();
    return 0;
}
