/* `write_roll SLUG SEATS NUMBER [eventful]`: prints the record of a random game in which seats fall
 * silent, or of one in which everything happens that a record can tell, for tests that need a file.
 */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "engine/catalog.h"
#include "support/roll.h"

int main(int argc, char **argv)
{
    bool eventful = argc == 5 && strcmp(argv[4], "eventful") == 0;
    const struct game *game = argc == 4 || eventful ? catalog_newest(span_of(argv[1])) : NULL;
    uint64_t seats = 0;
    uint64_t number = 0;
    if (sodium_init() < 0 || game == NULL ||
        !span_number(span_of(argv[2]), game->seats_max, &seats) || seats < game->seats_min ||
        !span_number(span_of(argv[3]), UINT32_MAX, &number)) {
        fprintf(stderr, "usage: write_roll SLUG SEATS NUMBER [eventful]\n");
        return 2;
    }
    struct roll roll;
    struct game_options options = game_options_initial(game);
    roll_write(&roll, game, (unsigned)seats, &options, (uint32_t)number,
               eventful ? ROLL_EVENTFUL : ROLL_ABSENT);
    size_t written = fwrite(roll.bytes, 1, roll.length, stdout);
    bool good = written == roll.length;
    roll_free(&roll);
    return good ? 0 : 1;
}
