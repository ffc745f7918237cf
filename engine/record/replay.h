/* Replays a record to a verified state and result, or to the first wrong line and the reason.
 *
 * The same code reads finished records, rebuilds running games and writes new lines: a line is
 * written by applying it, so nothing can be appended that a reader would refuse.
 *
 *      replay_begin ──> replay_line ... ──> finished        reading
 *                   └─> replay_add, replay_add_due          writing
 *
 * Decisions that several seats take at the same time stand together in the record, in the order of
 * seats and with one time, so the record does not show who was first. The writer must keep the
 * moves sealed until the last one has arrived.
 *
 * Undo lines and take-backs by ruling lead back to an earlier position. That position is reached by
 * replaying the entries that still count. Only this needs the record so far: `past`, all lines
 * before the one that takes back.
 *
 *      replay.c           which entry may follow, and what it does
 *      replay_told.c      recorded games: luck that is told
 *      replay_back.c      undo and take-backs; time-outs, and whose clock runs
 *      replay_verify.c    new lines, whole records, scores and ranks
 *
 * A `struct replay` is flat apart from pointers to games, which are static or stay as long as they
 * are needed (component_list.h): copy it to try something and
 * drop the copy. Not thread-safe: one user at a time.
 */
#ifndef TILLROLL_ENGINE_RECORD_REPLAY_H
#define TILLROLL_ENGINE_RECORD_REPLAY_H

#include "engine/game/told.h"
#include "engine/record/record.h"

enum { REPLAY_TAKEBACKS_MAX = 999 }; /* per game: each may cost a replay of it */

enum replay_phase {
    REPLAY_PLAYING, /* a seat has to decide */
    REPLAY_OVER,    /* the game is over; the secret is to be revealed now, or, if other tables still
                       play with it, when the last of them has ended; in a recorded game, what was
                       hidden is to be shown */
    REPLAY_REVEALED, /* results follow, one per seat */
    REPLAY_CLOSING,  /* only `head` is missing */
    REPLAY_FINISHED
};

enum replay_stop {
    REPLAY_RUNS,
    REPLAY_STOPPED, /* no play and no running clock until a `resume` */
    REPLAY_FROZEN   /* the same, and rulings on `dispute` may follow */
};

struct replay {
    struct record_header header; /* its seats hold the current players: see substitute */
    struct chance chance;
    uint8_t secret[32];
    uint8_t head[32];       /* the chain's current value */
    uint8_t decided_at[32]; /* the chain's value when the present decisions began: after the last
                             * ply, undo or take-back; simultaneous plies count as one */
    struct record_house house[GAME_SEATS_MAX]; /* who decides, if a house player does */
    uint32_t lines;                            /* lines of the record so far */
    uint32_t seq;                              /* of the last entry, 0 before the first */
    int64_t elapsed_ms;                        /* of the last entry */
    uint32_t plies;                   /* lines of plies so far, including those taken back */
    uint32_t epochs;                  /* number of times that everything hidden was redrawn */
    uint32_t takebacks;               /* undo lines and rulings that took back */
    int32_t adjusted[GAME_SEATS_MAX]; /* points given or taken by rulings */
    char dispute[RECORD_ID_LENGTH + 1];
    bool voided;

    /* State that a take-back restores together with the position. */
    uint32_t fallback; /* bit s: the fallback move is played for seat s */
    enum replay_phase phase;
    unsigned results;                  /* result lines so far */
    int32_t due_score[GAME_SEATS_MAX]; /* when everything is revealed, unless the game is void: */
    uint8_t due_rank[GAME_SEATS_MAX];  /* what the result lines have to say, by seat */
    bool together; /* the last ply was one of several taken at the same time, and more follow */
    enum replay_stop stop;
    int64_t stopped_ms; /* elapsed time of the record when it stopped; valid unless `stop` is
                           REPLAY_RUNS */
    struct clock clock; /* used if the header has a time control */
    uint32_t sealed;    /* bit s: seat s has decided in secret */
    uint32_t timed_out; /* bit s: seat s has a time-out in the record, and no ply since */
    uint32_t undo_from; /* the earliest ply that seat `undo_seat` may take back; 0 = none */
    unsigned undo_seat;
    uint32_t drawn_seq;                /* the last entry that drew or redrew something; 0 = none */
    unsigned forfeits;                 /* number of seats that are out */
    uint8_t forfeited[GAME_SEATS_MAX]; /* those seats, in the order of leaving */
    bool dealt;                        /* recorded games: the set-up has been told */
    _Alignas(8) unsigned char state[GAME_STATE_MAX];
    struct told told; /* recorded games: what comes in the next step */
};

/* The bytes of `replay` in use: the rest of its space for the state need not be copied or
 * stored. */
size_t replay_size(const struct replay *replay);

/* The same without the space for seats and co-dealers that the game does not have, and without the
 * zeros at the end of the state, where games keep the notes of a ply: about half. replay_pack()
 * writes replay_packed_size() bytes; replay_unpack() takes these `size` bytes and restores all
 * bytes in use, where unused space of the header is zero as ever. */
size_t replay_packed_size(const struct replay *replay);
void replay_pack(const struct replay *replay, unsigned char *bytes);
void replay_unpack(struct replay *replay, const unsigned char *bytes, size_t size);

/* Starts from a header, which is removed from the front of `rest`. The secret must match the
 * header's commitment; a recorded game has none and ignores it. `sets`: component sets that do not
 * come with the program; NULL = none. After a fault `replay` is unusable. */
bool replay_begin(struct replay *replay, const struct component_sets *sets, struct span *rest,
                  const uint8_t secret[static 32], struct record_fault *fault);

/* Reads one line with its mark. After a fault `replay` is unusable. A line that takes back is
 * refused with `needs-past`; use replay_line_after() for it. */
bool replay_line(struct replay *replay, struct span line, struct record_fault *fault);

/* The same. `past` is the record from its first line up to this one, or empty. */
bool replay_line_after(struct replay *replay, struct span past, struct span line,
                       struct record_fault *fault);

/* True for a line, with its mark, that takes back: reading it needs `past`. False for anything that
 * is not an entry. */
bool replay_takes_back(struct span line);

/* Appends an entry of any kind to `line`. `entry` has everything but its number; if its time is
 * earlier than that of the last entry, it is raised to that time. `past` as in replay_line_after().
 * False with a refusal, and `replay` is unchanged. */
bool replay_add(struct replay *replay, struct span past, const struct record_entry *entry,
                struct text *line, struct refusal *refusal);

/* In a recorded game: true if something would come into the open with this entry (a deal, ply or
 * show) that has not been told. `place`: where from, for a `bind`; the first one, if there are
 * several. */
bool replay_asks(const struct replay *replay, const struct record_entry *entry,
                 char place[static TOLD_WORD_MAX + 1]);

/* Plays a ply `elapsed_ms` after the start (or at the time of the last entry, if that is later) and
 * appends its line to `line`. False with a refusal, and `replay` is unchanged. Refuses a seat on
 * fallback. */
bool replay_add_ply(struct replay *replay, unsigned seat, struct span move, int64_t elapsed_ms,
                    struct text *line, struct refusal *refusal);

/* Plays the fallback move of a seat on fallback whose turn it is in the order of seats, while
 * replay_simultaneous(); in all other cases replay_add_due() plays it. */
void replay_add_quiet(struct replay *replay, unsigned seat, int64_t elapsed_ms, struct text *line);

/* The seats whose clocks have run out at `now_ms` without a time-out in the record, bit s for seat
 * s. They cannot play before the time-out is recorded. */
uint32_t replay_timed_out(const struct replay *replay, int64_t now_ms);

/* The next clock to run out, and when; false if none will. */
bool replay_next_timeout(const struct replay *replay, unsigned *seat, int64_t *at_ms);

/* Scores and ranks as if the game ended now. Scores include points given or taken by rulings. Seats
 * that played on rank among themselves; below them come the seats that are out, later ones above
 * earlier ones. */
void replay_outcome(const struct replay *replay, struct outcome *outcome);

/* The seats that have to decide now, and can: bit s for seat s. Not those that have decided in
 * secret as far as the record says it, are on fallback, or have to wait because the game is stopped
 * or over. */
uint32_t replay_awaits(const struct replay *replay);

/* The seats that decide now, if there are several; otherwise 0. */
uint32_t replay_simultaneous(const struct replay *replay);

/* The number of the decisions at hand: plies and take-backs so far. No others of the game, before
 * or after a take-back, have the same. */
unsigned replay_decision_number(const struct replay *replay);

/* From now on the fallback move is played for `seat`. False with a refusal if the game is over or
 * the seat is on fallback already. */
bool replay_add_fallback(struct replay *replay, unsigned seat, int64_t elapsed_ms,
                         struct text *line, struct refusal *refusal);

/* Appends to `line` the next line that follows automatically: a fallback move (for simultaneous
 * decisions only when all deciding seats are on fallback) or, if the secret may be shown
 * (`reveal`), its reveal, a result or the head. False if there is none: a seat has to decide, the
 * secret must stay hidden, or the record is finished. */
bool replay_add_due(struct replay *replay, int64_t elapsed_ms, bool reveal, struct text *line);

/* A recorded game (header.recorded) is legal play from the printed components, with luck as told by
 * the scorer: valid, but its luck is not proved. */
enum replay_verdict {
    REPLAY_VALID,     /* finished, and every check passes */
    REPLAY_INVALID,   /* `fault` names the first bad line */
    REPLAY_UNFINISHED /* form and chain are valid so far; the rest needs the secret
                       */
};

/* Verifies a whole record: canonical form, chain and marks, ruleset and components, commitment
 * against reveal (or, in a recorded game, that one box of components explains what was told),
 * proofs of co-dealers, every ply by replay, clocks, take-backs and rulings, results and ranks,
 * head. `sets` as in replay_begin(). Leaves the verified state in `replay` when it is valid, and
 * header (with the players at the end), head of the chain and number of plies when it is
 * unfinished. */
enum replay_verdict replay_verify(struct span record, const struct component_sets *sets,
                                  struct replay *replay, struct record_fault *fault);

/* Receives the chain's value after the header, and then after each further line that is valid so
 * far. False, with `fault` filled in except for its line, makes the record invalid there. */
struct replay_listener {
    bool (*line)(void *context, const uint8_t head[static 32], struct record_fault *fault);
    void *context;
};

/* The same, with a listener: for data that is stored beside the lines, and for long work that must
 * yield. */
enum replay_verdict replay_verify_listening(struct span record, const struct component_sets *sets,
                                            const struct replay_listener *listener,
                                            struct replay *replay, struct record_fault *fault);

#endif
