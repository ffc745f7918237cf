/* Records of random games for tests that need files.
 *
 *      write_roll SLUG SEATS NUMBER            prints one in which seats fall silent
 *      write_roll SLUG SEATS NUMBER eventful   prints one in which everything happens that a record
 *                                              can tell
 *      write_roll SLUG SEATS NUMBER recorded   prints one of a game with printed components
 *      write_roll --all COUNT DIRECTORY        writes COUNT eventful ones of all games in turn,
 * some with co-dealers, as <number>.roll; their signatures, as <number>.sig; and what their luck
 * comes from, as <number>.luck
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "tests/engine/record/told_roll.h"

static bool write_file(const char *directory, uint32_t number, const char *ending,
                       struct span bytes)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%u.%s", directory, (unsigned)number, ending);
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    bool good = fwrite(bytes.at, 1, bytes.length, file) == bytes.length;
    return fclose(file) == 0 && good;
}

/* The seed, and the first words of a stream in every epoch of the game. */
static bool write_luck(const char *directory, uint32_t number, const struct replay *replay)
{
    char bytes[4096];
    struct text text = TEXT_OVER(bytes);
    text_add(&text, "seed ");
    text_add_hex(&text, replay->chance.seed, sizeof replay->chance.seed);
    text_add_char(&text, '\n');
    for (unsigned epoch = 0; epoch <= replay->epochs; epoch++) {
        struct chance_stream stream;
        chance_open_epoch(&stream, &replay->chance, "deck", epoch, 0);
        text_add(&text, "deck ");
        text_add_number(&text, epoch);
        for (unsigned i = 0; i < 3; i++) {
            text_add_char(&text, ' ');
            text_add_number(&text, chance_word(&stream));
        }
        text_add_char(&text, '\n');
    }
    return !text.overflow && write_file(directory, number, "luck", text_span(&text));
}

/* Game `number`: the rulesets in turn, each with its seat counts in turn, each of these with all
 * that else depends on a game's number. */
static bool write_numbered(uint32_t number, const char *directory)
{
    uint32_t rulesets = 0;
    while (catalog_at(rulesets) != NULL)
        rulesets++;
    const struct game *game = catalog_at(number % rulesets);
    unsigned counts = game->seats_max - game->seats_min + 1;
    unsigned seats = game->seats_min + number / rulesets % counts;
    uint32_t varied = number + number / rulesets / counts;
    struct game_options options = game_options_initial(game);
    struct roll roll;
    roll_write(&roll, game, seats, &options, varied, number % 8 == 5 ? ROLL_DEALT : ROLL_EVENTFUL);
    struct text signatures = roll_sign(roll_span(&roll), 7);
    bool good = write_file(directory, number, "roll", roll_span(&roll)) &&
                write_file(directory, number, "sig", text_span(&signatures)) &&
                write_luck(directory, number, &roll.replay);
    free(signatures.at);
    roll_free(&roll);
    return good;
}

static int write_all(const char *count_word, const char *directory)
{
    uint64_t count;
    if (!span_number(span_of(count_word), UINT32_MAX, &count)) {
        fprintf(stderr, "usage: write_roll --all COUNT DIRECTORY\n");
        return 2;
    }
    for (uint32_t number = 0; number < count; number++)
        if (!write_numbered(number, directory)) {
            fprintf(stderr, "write_roll: cannot write to %s\n", directory);
            return 1;
        }
    return 0;
}

int main(int argc, char **argv)
{
    if (sodium_init() < 0)
        return 2;
    if (argc == 4 && strcmp(argv[1], "--all") == 0)
        return write_all(argv[2], argv[3]);
    bool eventful = argc == 5 && strcmp(argv[4], "eventful") == 0;
    bool recorded = argc == 5 && strcmp(argv[4], "recorded") == 0;
    const struct game *game =
        argc == 4 || eventful || recorded ? catalog_named(span_of(argv[1])) : NULL;
    uint64_t seats = 0;
    uint64_t number = 0;
    if (game == NULL || !span_number(span_of(argv[2]), game->seats_max, &seats) ||
        seats < game->seats_min || !span_number(span_of(argv[3]), UINT32_MAX, &number)) {
        fprintf(stderr, "usage: write_roll SLUG[@VERSION] SEATS NUMBER [eventful|recorded]\n"
                        "       write_roll --all COUNT DIRECTORY\n");
        return 2;
    }
    struct roll roll;
    struct game_options options = game_options_initial(game);
    if (recorded)
        told_roll_write(&roll, game, (unsigned)seats, &options, (uint32_t)number, 0);
    else
        roll_write(&roll, game, (unsigned)seats, &options, (uint32_t)number,
                   eventful ? ROLL_EVENTFUL : ROLL_ABSENT);
    size_t written = fwrite(roll.bytes, 1, roll.length, stdout);
    bool good = written == roll.length;
    roll_free(&roll);
    return good ? 0 : 1;
}
