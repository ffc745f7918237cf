/* Till rolls: the lines of games' records, append-only.
 *
 *      seq 0        the header: all lines up to and including `start`, joined by LF
 *      seq 1, 2 ..  one line each: a ply, or a system line
 *
 * The key (game, seq) decides every race. The database recomputes each line's hash from the
 * previous line and refuses a wrong one; the service's role cannot update or delete.
 *
 * If there are line databases (db/lines/line_databases.h), the last lines of a running game may be
 * in one of them; reading finds them there. record_append() writes to the central database, in the
 * caller's transaction, together with all earlier lines:
 *
 *      1  a fence for each of its seq is committed in the line database, unless a move has it
 *      2  lines that are only in the line database are copied
 *      3  its own lines are added; here too the key (game, seq) decides races
 *
 * A fence without a line, left by a failure, does no harm: a later line with its seq is written in
 * the same way. */
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

/* Appends rows; the result is reported later, as by statement_later(). */
enum db_status record_append_later(struct db *db, const struct id *game,
                                   const struct record_row *rows, size_t count);

/* Appends pieces of different records. If there are line databases, each piece must begin with its
 * record's header. */
enum db_status record_append_all(struct db *db, const struct record_piece *pieces, size_t count);

/* Appends pieces of different records in one statement that is a transaction of its own (see
 * statement_commit()). DB_OK: all rows are stored. DB_CONFLICT: some rows existed already, and were
 * left alone; the others are stored if `careful`, otherwise none. `careful` costs a lookup for each
 * row. DB_ERROR: a piece does not continue its record, and nothing was written. */
enum db_status record_append_pieces(struct db *db, const struct record_piece *pieces, size_t count,
                                    bool careful);

/* record_append_pieces(), not careful, in steps for a thread that must not wait
 * (db/link/statement.h). `ready` waits, and prepares the connection for the other steps; false if
 * it cannot be used. If `notifies_later`, no listener is notified of rows written on this
 * connection: the caller notifies (listener_notify() in db/link/listener.h) if `others` is set,
 * because there were listeners with numbers other than `listener_number`. If the connection ends
 * without a call of record_pieces_all_notified(), the other listeners check everything. That call
 * waits, and records that all have been notified; nothing may be sent afterwards. */
bool record_pieces_ready(struct db *db, bool notifies_later);
bool record_pieces_send(struct db *db, unsigned listener_number, const struct record_piece *pieces,
                        size_t count);
bool record_pieces_arrived(struct db *db);
enum db_status record_pieces_receive(struct db *db, bool *others);
int record_pieces_socket(const struct db *db);
void record_pieces_all_notified(struct db *db);

/* Finds out which pieces are stored in their records exactly, up to the last row, by comparing
 * hashes. In an open transaction. */
enum db_status record_find_pieces(struct db *db, const struct record_piece *pieces, size_t count,
                                  bool *found);

/* Copies all lines of a game that are only in its line database to the central one, in an open
 * transaction of the latter. `copied`: how many. */
enum db_status record_settle(struct db *db, const struct id *game, size_t *copied);

/* Reads rows with seq > after (-1 = from the header), in order, in the arena. Those of an archived
 * record come from its file (db/store/games/archive.h): DB_ARCHIVE if it is missing or different.
 * DB_UNAVAILABLE also if there may be rows in a line database that cannot be reached; `db` is then
 * still usable. */
enum db_status record_read(struct db *db, struct arena *arena, const struct id *game, int after,
                           struct record_row **rows, size_t *count);

/* Reads the stored rows of `count` parts, into the arena, without their hashes. An archived record
 * has a gap before its last row. A running game whose line database cannot be reached has no rows.
 */
enum db_status record_read_parts(struct db *db, struct arena *arena, struct record_part *parts,
                                 size_t count);

/* Computes the bytes that the stored lines of these records take in JSON, each line end counted as
 * two; of an archived record only the last line is stored. */
enum db_status record_bytes(struct db *db, const struct id *games, size_t count, uint64_t *bytes);

/* Joins the rows to the record's text, each line ended by LF, in the arena. */
struct span record_join(struct arena *arena, const struct record_row *rows, size_t count);

/* ---- Signatures ---- */

/* Signatures of moves, of entropy and of officials' acts (party_add_act() in parties.h adds those),
 * stored beside the lines of records (engine/record/signature.h). Rows are only added. */

/* Stores the signature of a seat's entropy, for a game that has its record. */
enum db_status entropy_signature_add(struct db *db, const struct id *game, unsigned seat,
                                     const uint8_t signature[static SIGNATURE_BYTES]);

/* Stores signatures of plies of one game, in the transaction that stores the entries, or a later
 * one. DB_ERROR if there is no such entry. */
enum db_status move_signature_add(struct db *db, const struct id *game,
                                  const struct signature *signatures, size_t count);

/* Lists all signatures of a game, in the arena: those of entropy in the order of seats, then the
 * others in the order of entries. */
enum db_status signature_list(struct db *db, struct arena *arena, const struct id *game,
                              struct signature **signatures, size_t *count);

/* Finds out which of these games have signatures: sets `has[i]` for games[i]. */
enum db_status signature_games(struct db *db, const struct id *games, size_t count, bool *has);

/* A signature with its game. */
struct game_signature {
    struct id game;
    struct signature signature;
};

/* Lists the signatures of games with after < id <= until ("" = before the first, and to the last),
 * by game, in the arena. */
enum db_status signature_range(struct db *db, struct arena *arena, const struct id *after,
                               const struct id *until, struct game_signature **signatures,
                               size_t *count);

/* ---- Sealed moves ---- */

/* Sealed moves waiting for the others that are decided at the same time. They are stored durably
 * apart from the record, and enter it together when the last one has arrived. */

struct sealed_move {
    unsigned seat;
    const uint8_t *sealed; /* sealed by the caller */
    size_t size;
    const uint8_t *signature; /* of the player, sealed as well; NULL for none */
    size_t signature_size;
    int64_t decided_at_ms; /* where the seat's clock stops */
};

/* Stores the move of one seat for the decisions with number `decision` (replay_decision_number()).
 * The caller holds the game's lock (game_lock()). DB_CONFLICT if the seat has decided already. */
enum db_status sealed_move_add(struct db *db, const struct id *game, unsigned decision,
                               const struct sealed_move *move);

/* Lists the moves stored for these decisions so far, by time, then by seat, in the arena. */
enum db_status sealed_move_list(struct db *db, struct arena *arena, const struct id *game,
                                unsigned decision, struct sealed_move **moves, size_t *count);

/* Reads the time of the sealed move of `seat`. DB_NONE if the seat has not decided. */
enum db_status sealed_move_time(struct db *db, const struct id *game, unsigned decision,
                                unsigned seat, int64_t *decided_at_ms);

/* ---- Refused moves ---- */

/* Refused moves of seats that had to decide, shown only to these seats and to those who decide a
 * dispute. Rows are only added, REFUSED_MOVES_MAX for each seat of a game; later ones are not
 * stored. */

enum { REFUSED_MOVES_MAX = 64 };

struct refused_move {
    unsigned seat;
    unsigned seq; /* of the last entry that the record had */
    const uint8_t
        *sealed; /* the attempted move and the reason for refusing it; sealed by the caller */
    size_t size;
    int64_t received_at_ms;
};

/* Stores a refused move. DB_CONFLICT if the limit is reached, or another is being added at the same
 * moment. */
enum db_status refused_move_add(struct db *db, const struct id *game,
                                const struct refused_move *move);

/* Lists a game's refused moves, by seat, in the order of their arrival, in the arena. */
enum db_status refused_move_list(struct db *db, struct arena *arena, const struct id *game,
                                 struct refused_move **moves, size_t *count);

#endif
