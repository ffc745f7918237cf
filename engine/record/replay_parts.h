/* Private to replay*.c: the pieces that they share. */
#ifndef TILLROLL_ENGINE_RECORD_REPLAY_PARTS_H
#define TILLROLL_ENGINE_RECORD_REPLAY_PARTS_H

#include "engine/record/replay.h"

/* Receives the reason why an entry may not follow: readers need the fault, writers the refusal. */
struct replay_denial {
    struct record_fault *fault;
    struct refusal *refusal;
};

/* Sets both to one code and sentence, and returns false. */
bool replay_deny(const struct replay_denial *denial, const char *code, const char *message);

/* Restores the position after the header, before any entry. The header, chance and everything that
 * a take-back does not affect stay. */
void replay_reset(struct replay *replay);

/* Applies an entry, whatever its number. On a refusal only the denial has changed. */
bool replay_apply(struct replay *replay, struct span past, const struct record_entry *entry,
                  const struct replay_denial *denial);

/* Everything is revealed: results follow, or in a void game nothing. Counts once for all of them.
 */
void replay_count_results(struct replay *replay);

/* Remembers the chain's value behind an entry that was applied, if the decisions after it are new
 * ones. */
void replay_note_head(struct replay *replay, const struct record_entry *entry);

/* The seats that have to decide, bit s for seat s; none when the game is over. */
uint32_t replay_deciders(const struct replay *replay);

/* The seat for which a fallback move is due, or -1. Among simultaneous decisions, fallback moves
 * wait for the seats that are not on fallback. */
int replay_quiet_seat(const struct replay *replay);

/* True if the secret matches the header's commitment. */
bool replay_keeps_commitment(const struct record_header *header, const uint8_t secret[static 32]);

/* Puts the player of a `substitute` entry into its seat, which must be one of the header's. */
void replay_put_in(struct record_header *header, const struct record_entry *entry);

/* Reads `head <hash>`: the hash is the chain's value before this line. */
bool replay_read_head(struct span line, const uint8_t before[static 32],
                      struct record_fault *fault);

/* ---- Recorded games (replay_told.c) ---- */

bool replay_apply_bind(struct replay *replay, const struct record_entry *entry,
                       const struct replay_denial *denial);
bool replay_apply_deal(struct replay *replay, const struct replay_denial *denial);
bool replay_apply_show(struct replay *replay, const struct replay_denial *denial);

/* game->play(game, ) with luck that is told. */
bool replay_play_told(struct replay *replay, const struct record_entry *entry,
                      const struct replay_denial *denial);

/* ---- Clocks (replay_back.c) ---- */

/* Deducts the time up to an entry from the clocks. */
void replay_clock_advance(struct replay *replay, int64_t now_ms);

/* After a ply of the seat: gives it time for the next, and cancels its time-out, if any. */
void replay_clock_press(struct replay *replay, unsigned seat);

/* Sets whose clocks run after an entry. */
void replay_clock_settle(struct replay *replay);

bool replay_apply_timeout(struct replay *replay, const struct record_entry *entry,
                          const struct replay_denial *denial);
bool replay_apply_sealed(struct replay *replay, const struct record_entry *entry,
                         const struct replay_denial *denial);

/* True if the seat has time left for a decision now, or its time-out is in the record. */
bool replay_has_time(const struct replay *replay, unsigned seat,
                     const struct replay_denial *denial);

/* ---- replay_back.c ---- */

/* Notes whether the ply just made can be taken back; `drawn` is the game's drawn() before it, and
 * `alone` means that no other seat decided at the same time. */
void replay_note_ply(struct replay *replay, const struct record_entry *entry, uint32_t drawn,
                     bool alone);

bool replay_apply_back(struct replay *replay, struct span past, const struct record_entry *entry,
                       const struct replay_denial *denial);
bool replay_apply_undo(struct replay *replay, struct span past, const struct record_entry *entry,
                       const struct replay_denial *denial);
bool replay_apply_takeback(struct replay *replay, struct span past,
                           const struct record_entry *entry, const struct replay_denial *denial);

#endif
