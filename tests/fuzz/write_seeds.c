/* Writes the corpora that can be made: records of all games, short and whole, as lines without
 * marks; choices for games.
 *
 *      write_seeds DIRECTORY     a directory for each target is there already
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "tests/engine/record/told_roll.h"

#define DISPUTE "0190163d-8694-739b-aea5-966c26f8adb0"
#define BY      " by 0190163d-8694-739b-aea5-966c26f8adb1 why seed"

enum { PLIES = 7, CHOICES = 160 };

static void require(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "write_seeds: %s\n", what);
    exit(1);
}

static FILE *open_seed(const char *directory, const char *target, const char *name)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s/%s", directory, target, name);
    require(length > 0 && (size_t)length < sizeof path, "the path is too long");
    FILE *file = fopen(path, "wb");
    require(file != NULL, path);
    return file;
}

/* Without marks, and with a head that is to be filled in. */
static void write_lines(FILE *file, struct span record)
{
    struct roll_lines lines;
    roll_lines_of(&lines, record);
    for (size_t i = 0; i < lines.count; i++)
        fprintf(file, "%s\n",
                strcmp(lines.line[i].bytes, "head ") == 0 ? "head" : lines.line[i].bytes);
    roll_lines_free(&lines);
}

static void say(struct roll_writer *writer, const char *words)
{
    require(roll_say(writer, words) == NULL, words);
}

/* Some plies, a dispute, and a ruling that ends the game, so that a short record is a whole one. */
static void write_record(const char *directory, const struct game *game, uint32_t number)
{
    struct record_header header;
    struct roll roll;
    struct roll_writer writer;
    struct game_options options = game_options_initial(game);
    uint8_t secret[32];
    char name[64];
    roll_header(&header, game, game->seats_max, &options, number, secret);
    if (number % 2 == 1)
        header.clock = (struct clock_control){.kind = CLOCK_MOVE, .move_ms = 12000};
    roll_begin(&writer, &roll, &header, secret, number);
    for (unsigned i = 0; (i < PLIES || roll.replay.together) && roll.replay.phase == REPLAY_PLAYING;
         i++)
        roll_ply(&writer);
    if (number % 2 == 1 && roll.replay.phase == REPLAY_PLAYING)
        say(&writer, "- 1000 stop pause");
    say(&writer, "- 1000 freeze " DISPUTE);
    say(&writer, "- 1000 ruling " DISPUTE " adjust 0 5" BY);
    say(&writer, "- 2000 ruling " DISPUTE " void" BY);
    while (roll_due(&writer))
        ;
    require(roll.replay.phase == REPLAY_FINISHED, "a record is not finished");
    snprintf(name, sizeof name, "%s-%u", game->slug, (unsigned)number);
    FILE *file = open_seed(directory, "record", name);
    write_lines(file, roll_span(&roll));
    require(fclose(file) == 0, name);
    roll_end(&writer);
    roll_free(&roll);
}

/* The set-up and some plies of a game that is told. */
static void write_recorded(const char *directory, const struct game *game)
{
    enum { LINES_BEHIND_THE_DEAL = 24 };
    struct roll roll;
    struct game_options options = game_options_initial(game);
    char name[64];
    told_roll_write(&roll, game, game->seats_max, &options, 0, 0);
    const char *deal = strstr(roll.bytes, " deal #");
    require(deal != NULL, "no deal");
    struct span rest = roll_span(&roll);
    struct span line;
    for (unsigned behind = 0; behind < LINES_BEHIND_THE_DEAL && span_line(&rest, &line);)
        behind += line.at > deal;
    snprintf(name, sizeof name, "%s-%s-recorded", game->slug, game->version);
    FILE *file = open_seed(directory, "record", name);
    write_lines(file, (struct span){roll.bytes, (size_t)(rest.at - roll.bytes)});
    require(fclose(file) == 0, name);
    roll_free(&roll);
}

static void write_choices(const char *directory, const char *target, uint32_t number)
{
    struct dice dice;
    char name[64];
    dice_open(&dice, target, number);
    snprintf(name, sizeof name, "choices-%u", (unsigned)number);
    FILE *file = open_seed(directory, target, name);
    for (unsigned i = 0; i < CHOICES * (1 + number % 4 * 2); i++)
        fputc((int)dice_below(&dice, 256), file);
    require(fclose(file) == 0, name);
}

int main(int argc, char **argv)
{
    if (argc != 2 || sodium_init() < 0) {
        fprintf(stderr, "usage: write_seeds DIRECTORY\n");
        return 2;
    }
    for (size_t i = 0; catalog_at(i) != NULL; i++) {
        const struct game *game = catalog_at(i);
        char target[64];
        snprintf(target, sizeof target, "play-%s", game->slug);
        for (uint32_t number = 0; number < 4; number++) {
            write_choices(argv[1], target, number);
            write_choices(argv[1], "replay", (uint32_t)(4 * i) + number);
        }
        write_record(argv[1], game, (uint32_t)(2 * i));
        write_record(argv[1], game, (uint32_t)(2 * i) + 1);
        write_recorded(argv[1], game);
    }
    return 0;
}
