/* The till rolls: lines of games' records, only ever appended.
 *
 *      seq 0        the header: all lines up to and including `start`, joined by LF
 *      seq 1, 2 ..  one line each: a ply, or a system line
 *
 * The key (game, seq) decides every race. The database recomputes each line's hash from the line
 * before and refuses a wrong one; the service's role cannot update or delete.
 *
 * Where there are line databases (db/lines/line_databases.h), the last lines of a running game may
 * be in one of them: reading finds them there. What is appended by record_append() goes to the
 * central database, in the transaction of the caller, and takes along all that came before:
 *
 *      1  a fence for each of its seq is committed in the line database, unless a move has it
 *      2  the lines that are only there are copied
 *      3  its own are added; the key (game, seq) of the central database decides, as ever
 *
 * A fence without a line, after a failure, does no harm: what comes there comes this way.
 */
#ifndef TILLROLL_DB_STORE_GAMES_RECORDS_H
#define TILLROLL_DB_STORE_GAMES_RECORDS_H

#include "db/lines/record_rows.h"
#include "db/link/db.h"
#include "engine/record/signature.h"

/* Appends `count` rows (at least 1) with consecutive seq. DB_CONFLICT if any seq exists, DB_ERROR
 * if a row does not continue the chain; with both the transaction has failed. DB_UNAVAILABLE also
 * if the game's line database cannot be reached. */
enum db_status record_append(struct db *db, const struct id *game, const struct record_row *rows,
                             size_t count);

/* The same, told of later, as statement_later() does. */
enum db_status record_append_later(struct db *db, const struct id *game,
                                   const struct record_row *rows, size_t count);

/* The same for pieces of different records, which begin with their headers where there are line
 * databases. */
enum db_status record_append_all(struct db *db, const struct record_piece *pieces, size_t count);

/* Appends pieces of different records in one statement that is a transaction of its own (see
 * statement_commit()). DB_OK: all rows are there. DB_CONFLICT: some rows existed already, and were
 * left alone; the others are there if `careful`, and otherwise none. To be careful costs a lookup
 * for each row. DB_ERROR: some piece does not continue its record, and nothing was written. */
enum db_status record_append_pieces(struct db *db, const struct record_piece *pieces, size_t count,
                                    bool careful);

/* The same, not carefully, in steps for a thread that must not wait (db/link/statement.h). `ready`
 * waits, and readies the connection for the others; false if it is no good. If `tells`, what is
 * written on it is notified to nobody: the caller tells (listener_tell() in db/link/listener.h) if
 * `others`, listeners with numbers other than `hearer`, were there. If the connection ends, and
 * `told` was not called, the other listeners are to look for everything. `told`, which waits: all
 * was told; nothing may be sent from then on. */
bool record_pieces_ready(struct db *db, bool tells);
bool record_pieces_send(struct db *db, unsigned hearer, const struct record_piece *pieces,
                        size_t count);
bool record_pieces_arrived(struct db *db);
enum db_status record_pieces_receive(struct db *db, bool *others);
int record_pieces_socket(const struct db *db);
void record_pieces_told(struct db *db);

/* Looks which pieces stand in their records as they are, to the last row: their hashes say it. In
 * an open transaction. */
enum db_status record_find_pieces(struct db *db, const struct record_piece *pieces, size_t count,
                                  bool *found);

/* Copies all of a game's lines that are only in its line database to the central one, in a
 * transaction that is open there. `copied`: how many. */
enum db_status record_settle(struct db *db, const struct id *game, size_t *copied);

/* Rows with seq > after (-1 = from the header), in order, in the arena. Those of an archived record
 * come from its file (db/store/games/archive.h): DB_ARCHIVE if that cannot be had. DB_UNAVAILABLE
 * also if there may be rows in a line database that cannot be reached; `db` is then still good. */
enum db_status record_read(struct db *db, struct arena *arena, const struct id *game, int after,
                           struct record_row **rows, size_t *count);

/* Reads the stored rows of `count` parts at once, into the arena, without their hashes. Where a
 * record is archived there is a gap before its last row. Of a running game whose line database
 * cannot be reached there are no rows. */
enum db_status record_read_parts(struct db *db, struct arena *arena, struct record_part *parts,
                                 size_t count);

/* The bytes that the stored lines of these records take in JSON, their ends counted as two; of what
 * is archived, only the last line is stored. */
enum db_status record_bytes(struct db *db, const struct id *games, size_t count, uint64_t *bytes);

/* The rows as the record's text, each line ended by LF, in the arena. */
struct span record_join(struct arena *arena, const struct record_row *rows, size_t count);

/* ---- Signatures ---- */

/* Signatures of moves, of entropy and of officials' acts (those are added with the acts,
 * parties.h), beside the lines of records (engine/record/signature.h). They only grow. */

/* Stores the signature of a seat's entropy, of a game that has its record. */
enum db_status entropy_signature_add(struct db *db, const struct id *game, unsigned seat,
                                     const uint8_t signature[static SIGNATURE_BYTES]);

/* Stores signatures of plies of one game, in the transaction that stores the entries or a later
 * one. DB_ERROR if there is no such entry. */
enum db_status move_signature_add(struct db *db, const struct id *game,
                                  const struct signature *signatures, size_t count);

/* All of a game, in the arena: those of entropy in the order of seats, then the others in that of
 * entries. */
enum db_status signature_list(struct db *db, struct arena *arena, const struct id *game,
                              struct signature **signatures, size_t *count);

/* Which of these games have any: `has[i]` is set for games[i]. */
enum db_status signature_games(struct db *db, const struct id *games, size_t count, bool *has);

/* A signature with its game. */
struct game_signature {
    struct id game;
    struct signature signature;
};

/* The same of games with after < id <= until ("" = before the first, and to the last), by game. */
enum db_status signature_range(struct db *db, struct arena *arena, const struct id *after,
                               const struct id *until, struct game_signature **signatures,
                               size_t *count);

/* ---- Sealed moves ---- */

/* Moves that wait, sealed, for the others that are decided at the same time. They are stored
 * durably apart from the record and enter it together when the last is in.
 */

struct sealed_move {
    unsigned seat;
    const uint8_t *sealed; /* sealed by the caller */
    size_t size;
    const uint8_t *signature; /* of the player, sealed likewise; NULL for none */
    size_t signature_size;
    int64_t decided_at_ms; /* where the seat's clock stands */
};

/* Stores the move of one seat for the decisions of number `decision` (replay_decision_number()).
 * The caller holds the game's lock (game_lock). DB_CONFLICT if the seat has decided already. */
enum db_status sealed_move_add(struct db *db, const struct id *game, unsigned decision,
                               const struct sealed_move *move);

/* The moves stored for these decisions so far, by time and, at one time, by seat. */
enum db_status sealed_move_list(struct db *db, struct arena *arena, const struct id *game,
                                unsigned decision, struct sealed_move **moves, size_t *count);

/* Whether there is one of `seat`, with the time at which it was decided. DB_NONE if not. */
enum db_status sealed_move_time(struct db *db, const struct id *game, unsigned decision,
                                unsigned seat, int64_t *decided_at_ms);

/* ---- Refused moves ---- */

/* Moves that the rules refused, of seats that had to decide: for these seats' own eyes, and for who
 * has to decide a dispute. Rows are only added, REFUSED_MOVES_MAX for each seat of a game; what
 * comes after them is not kept.
 */

enum { REFUSED_MOVES_MAX = 64 };

struct refused_move {
    unsigned seat;
    unsigned seq;          /* of the last entry that the record had */
    const uint8_t *sealed; /* what was tried and why it was refused; sealed by the caller */
    size_t size;
    int64_t received_at_ms;
};

/* DB_CONFLICT if there are enough already, or another is being added at the same moment. */
enum db_status refused_move_add(struct db *db, const struct id *game,
                                const struct refused_move *move);

/* By seat, in the order in which they came. */
enum db_status refused_move_list(struct db *db, struct arena *arena, const struct id *game,
                                 struct refused_move **moves, size_t *count);

#endif
