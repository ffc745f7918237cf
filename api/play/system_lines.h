/* System lines of running games: time-outs, absences, substitutes, stops, freezes, rulings.
 * Whatever is written to a record that is no player's own move goes this way:
 *
 *      struct game_writer writer;
 *      const struct record_entry entry = {.kind = RECORD_FREEZE, .dispute = "..."};
 *      if (!system_lines_begin(call, &game, &writer) ||
 *          !system_lines_add(&writer, &entry) || !system_lines_store(&writer))
 *          return;                                     a problem has been answered
 *
 * within the one transaction of a call that writes (WORK_WRITE). What an entry of each kind needs,
 * and where it may stand, is said in engine/record/RECORD.md and engine/record/record.h;
 * engine/record/replay.h decides. Everything else follows:
 *
 *      fallback moves     of seats that are absent now are written behind the line, as is all that
 *                         was sealed, if nobody has to be waited for any more
 *      taking back        a ruling `takeback` reads the record so far, and the game, its clocks and
 *                         absences are those of before; `rekey` has to be said by the caller where
 *                         something was drawn since (replay.drawn_seq >= target)
 *      the game's row     players, absences and forfeits of its seats (db/store/games/games.h) are
 * what the record says after the last line the game's end     the last lines are written, the
 * record is proved, the result goes into the event's log and is rated, further tables and boards
 * start a void game        ends without results: nothing is rated, and the event's table waits for
 *                         an official's ruling on the table (PUT .../tables/{number}/ruling)
 *      caches, streams    hear of it when the transaction is committed (api/dispatch.c)
 *
 * Two writers at once: a game that is begun here is locked against others that come this way, and
 * moves do not wait: whose line has the next number is decided by the record's primary key. If a
 * move was faster, system_lines_store() has the whole call done again on the game as it is then
 * (call->retry), so a line may be refused the second time that was good the first time.
 *
 * Functions return false when a problem has been answered; then the transaction is rolled back.
 */
#ifndef TILLROLL_API_PLAY_SYSTEM_LINES_H
#define TILLROLL_API_PLAY_SYSTEM_LINES_H

#include "api/tables/game_writer.h"

/* Locks the game, loads it and prepares `writer`, whose `replay` is the game as it is now, with the
 * lines of decisions that are held back (api/play/sealed.h): its first rows, if there are any.
 * `game` is as visibility_find_any_game() found it, and stays the caller's. `game-over` for a game
 * that has ended, also one with a board whose round is not over. */
bool system_lines_begin(struct call *call, const struct game_row *game, struct game_writer *writer);

/* The same for a line on which no clock depends: while several seats decide at the same time, with
 * clocks, it gets the time of the line before it, so that nothing that is held back has to be
 * written first. */
bool system_lines_begin_untimed(struct call *call, const struct game_row *game,
                                struct game_writer *writer);

/* Adds a line at the time of the call, or of the line before if that is later. Refusals of the
 * replay become problems with its code, status 409. A game with a board cannot be made void: it is
 * compared with others, and an official rules on its table instead. */
bool system_lines_add(struct game_writer *writer, const struct record_entry *entry);

/* Writes what was added and does all that follows from it. */
bool system_lines_store(struct game_writer *writer);

/* Answers with a receipt for the first line of those that were written; or, where the caller may
 * not see that line (yet; api/request/visibility.h), with 204. */
void system_lines_answer(struct game_writer *writer);

/* An entry about a seat, for the kinds that need nothing else: sealed, timeout, fallback, return,
 * forfeit. */
struct record_entry system_line(enum record_kind kind, unsigned seat);

#endif
