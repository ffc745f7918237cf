/* The file in which a match stores its results, one line per game, so that a match that was killed
 * can be continued:
 *
 *     tillroll-match 1 shinjuku 1.0.0 seats 3 seed 07.. options .. players casual regular regular
 *     17 52/1 40/3 47/2
 *
 * The second line has the score and rank of each player in game 17 (deal * seatings + seating). If
 * all players have one policy, the first line ends with ` one seating`, and the number is that of
 * the deal. An incomplete last line is dropped: that game is played again, with the same result. */
#ifndef TILLROLL_API_CLI_BOTS_MATCH_JOURNAL_H
#define TILLROLL_API_CLI_BOTS_MATCH_JOURNAL_H

#include "api/cli/bots/match_game.h"

struct match_journal;

/* Opens or creates the file, and reads its results into `results` and `done`, which have room for
 * `games` games. NULL with a message if it cannot be read or written, is no journal, belongs to
 * another match, or is open in another process. */
struct match_journal *match_journal_open(const char *path, const struct match *match,
                                         unsigned long games, struct match_result *results,
                                         bool *done);

/* Closes the journal. NULL is fine. */
void match_journal_close(struct match_journal *journal);

/* Appends a result. False with a message if it cannot be written. */
bool match_journal_add(struct match_journal *journal, unsigned long game,
                       const struct match_result *result);

#endif
