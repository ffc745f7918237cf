/* System lines of running games: time-outs, absences, substitutes, stops, freezes, rulings.
 * Everything in a record except the players' own moves is written like this:
 *
 *      struct game_writer writer;
 *      const struct record_entry entry = {.kind = RECORD_FREEZE, .dispute = "..."};
 *      if (!system_lines_begin(call, &game, &writer) ||
 *          !system_lines_add(&writer, &entry) || !system_lines_store(&writer))
 *          return;                                     a problem has been answered
 *
 * within the one transaction of a call that writes (WORK_WRITE). engine/record/RECORD.md and
 * engine/record/record.h say what an entry of each kind needs, and where it may stand;
 * engine/record/replay.h checks it. The rest is done here:
 *
 *      fallback moves     of seats that are now absent are written after the line, and so are all
 *                         sealed moves if no seat is still to decide
 *      taking back        a ruling `takeback` reads the record so far; game, clocks and absences
 *                         become those of that time. The caller must give `rekey` if something has
 *                         been drawn since (replay.drawn_seq >= target)
 *      the game's row     players, absences and forfeits of its seats (db/store/games/games.h)
 *                         become those after the record's last line
 *      the game's end     the last lines are written, the record is proved, the result goes into
 *                         the event's log and is rated, further tables and boards start
 *      a void game        ends without results: nothing is rated, and the event's table waits for
 *                         an official's ruling on the table (PUT .../tables/{number}/ruling)
 *      caches, streams    are notified when the transaction is committed (api/dispatch.c)
 *
 * Two writers at once: system_lines_begin() locks the game against other writers of system lines.
 * Moves do not wait for the lock: the record's primary key decides which line gets the next number.
 * If a move was faster, system_lines_store() has the whole call repeated on the game as it is then
 * (call->retry), so a line that was accepted the first time may be refused the second time.
 *
 * Functions return false when a problem has been answered; then the transaction is rolled back.
 */
#ifndef TILLROLL_API_PLAY_SYSTEM_LINES_H
#define TILLROLL_API_PLAY_SYSTEM_LINES_H

#include "api/tables/game_writer.h"

/* Locks the game, loads it and prepares `writer`, whose `replay` is the current game with the lines
 * of decisions that are held back (api/play/sealed.h); these, if any, are its first rows. `game`
 * comes from visibility_find_any_game(), and remains the caller's. Problem `game-over` for a game
 * that has ended, even if it has a board whose round is not over. */
bool system_lines_begin(struct call *call, const struct game_row *game, struct game_writer *writer);

/* The same for a line that no clock depends on. During a simultaneous decision with clocks, it gets
 * the time of the line before it, so that no line held back has to be written first. */
bool system_lines_begin_untimed(struct call *call, const struct game_row *game,
                                struct game_writer *writer);

/* Adds a line at the time of the call, or of the previous line if that is later. Refusals of the
 * replay become problems with its code, status 409. A game with a board cannot be made void,
 * because it is compared with others: an official rules on its table instead. */
bool system_lines_add(struct game_writer *writer, const struct record_entry *entry);

/* Writes the lines that were added, and does everything that follows from them. */
bool system_lines_store(struct game_writer *writer);

/* Answers with a receipt for the first line written, or with 204 if the caller may not (yet) see
 * that line (api/request/visibility.h). */
void system_lines_answer(struct game_writer *writer);

/* An entry about a seat, for the kinds that need nothing else: sealed, timeout, fallback, return,
 * forfeit. */
struct record_entry system_line(enum record_kind kind, unsigned seat);

#endif
