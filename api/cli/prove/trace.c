/* `tillroll trace`: output for comparing two implementations of a game. One line before the first
 * and after each ply: the deciding seats, with the number and the hash of the legal moves of
 * each. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/cli/cli.h"
#include "engine/game/component_list.h"

static void print_legal(const struct game *game, const void *state, unsigned seat,
                        struct move_list *list)
{
    move_list_clear(list);
    game->legal(game, state, seat, list);
    crypto_hash_sha256_state hash;
    crypto_hash_sha256_init(&hash);
    for (size_t i = 0; i < list->count; i++) {
        struct span move = move_list_get(list, i);
        if (i > 0)
            crypto_hash_sha256_update(&hash, (const unsigned char *)"\n", 1);
        crypto_hash_sha256_update(&hash, (const unsigned char *)move.at, move.length);
    }
    uint8_t digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256_final(&hash, digest);
    char hex[2 * sizeof digest + 1];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, digest, sizeof digest);
    printf(" %u:%zu:%s", seat, list->count, hex);
}

static void print_deciders(const struct game *game, const void *state, unsigned long plies,
                           struct move_list *list)
{
    uint32_t deciders = game->deciders(state);
    printf("%lu deciders ", plies);
    const char *comma = "";
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++) {
        if ((deciders >> seat & 1) == 0)
            continue;
        printf("%s%u", comma, seat);
        comma = ",";
    }
    if (deciders == 0)
        printf("-");
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++)
        if ((deciders >> seat & 1) != 0)
            print_legal(game, state, seat, list);
    printf("\n");
}

static void print_outcome(const struct game *game, const void *state)
{
    struct outcome outcome;
    game->outcome(game, state, &outcome);
    for (unsigned seat = 0; seat < outcome.seats; seat++)
        printf("outcome %u score %d rank %u\n", seat, (int)outcome.score[seat],
               (unsigned)outcome.rank[seat]);
}

static int trace(const struct game *game, unsigned seats, const struct game_options *options,
                 const struct chance *chance, struct span plies)
{
    _Alignas(max_align_t) unsigned char state[GAME_STATE_MAX] = {0};
    struct move_list list;
    if (!move_list_init(&list, game))
        abort();
    game->setup(game, state, seats, options, chance);
    unsigned long played = 0;
    int status = EXIT_YES;
    print_deciders(game, state, played, &list);
    struct span line;
    while (status == EXIT_YES && span_line(&plies, &line)) {
        uint64_t seat;
        struct refusal refusal = {REFUSAL_BAD_SYNTAX, ""};
        bool accepted = line.length > 3 && line.at[1] == '>' && line.at[2] == ' ' &&
                        span_number((struct span){line.at, 1}, 9, &seat) &&
                        game->play(game, state, (unsigned)seat,
                                   (struct span){line.at + 3, line.length - 3}, chance, &refusal);
        if (!accepted) {
            printf("refused %lu %s\n", played + 1, refusal.code);
            status = EXIT_NO;
            break;
        }
        print_deciders(game, state, ++played, &list);
    }
    if (status == EXIT_YES && game->deciders(state) == 0)
        print_outcome(game, state);
    move_list_free(&list);
    return status;
}

static int trace_file(const struct cli_given *given, const struct game *game)
{
    const char *seed = cli_value(given, "seed");
    struct chance chance = {.stacks = NULL};
    struct game_options options;
    unsigned long seats;
    if (!cli_seed(seed, chance.seed) || !cli_options(given, game, &options) ||
        !cli_value_number(given, "seats", game->seats_min, game->seats_max, 0, &seats))
        return cli_wrong_usage(given, NULL);
    size_t length;
    char *bytes = cli_read_file(given->words > 0 ? given->word[0] : NULL, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    int status = trace(game, (unsigned)seats, &options, &chance, (struct span){bytes, length});
    free(bytes);
    return status;
}

int cli_trace(const struct cli_given *given)
{
    struct component_list list = {.count = 0};
    const struct game *game = cli_game(given, &list);
    int status = game == NULL ? cli_wrong_usage(given, NULL) : trace_file(given, game);
    component_list_free(&list);
    return status;
}
