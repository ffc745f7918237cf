/* The rule for everything that officials do to a game, a table or a dispute: they may not do it
 * where they are a party (db/store/games/parties.h). Officials who play there, whose bot or owner's
 * other bot does, who played there before a substitute came, or who may still have to play the
 * board of a duplicate round, decide nothing, whatever their office; another official of the event
 * or of the site does. The column `office` of the table of routes says for which routes this holds,
 * and api/request/access.c calls impartial_check() for each of them.
 *
 * Steps that concern a whole event (drawing, changing and starting rounds, entries, settings) are
 * left to officials who play in it: the event's log names the official.
 */
#ifndef TILLROLL_API_REQUEST_IMPARTIAL_H
#define TILLROLL_API_REQUEST_IMPARTIAL_H

#include "api/request/route.h"

/* Refuses a caller who is a party to the subject of the path, with `party-to-the-game`, or in
 * disputes and views of a whole game with `party-to-dispute`; with `not-found` for a dispute over a
 * board that the caller may still have to play. A game or dispute that is to be changed is locked
 * until the end of the transaction, so that nobody becomes a party in the meantime. True without a
 * problem for routes without an office. */
bool impartial_check(struct call *call, const struct route *route);

/* Sets `impartial` to true if the caller, who is signed in, is no party to the game. False with a
 * problem if the database fails. */
bool impartial_to_game(struct call *call, const struct id *game, bool *impartial);

/* Refuses with `party-to-the-game` and `sentence` if `player` and the caller are the same person
 * (db/store/service/person.h): the caller, one of the caller's bots, or the bot's owner. For what
 * an official grants: a seat as a substitute, a bye with points. */
bool impartial_to_player(struct call *call, const struct id *player, const char *sentence);

#endif
