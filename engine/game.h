/* The contract that every game fulfils.
 *
 * A game is one constant `struct game` of functions over an opaque state. The state is flat: no
 * pointers, padding written out as fields, at most `state_size` bytes. It is copied with memcpy,
 * compared with memcmp and hashed as it lies in memory, and the same moves give the same bytes on
 * every machine.
 *
 *      setup ──> deciders ──> legal ──> play ──> deciders ──> ... ──> deciders = 0 ──> outcome
 *                   │                                                      ▲
 *                   └── view, events: what each viewer may see ────────────┘
 *
 * All functions are pure: the result depends on the arguments alone. They may be called from any
 * thread as long as no two of them use one state at the same time while one of them writes.
 */
#ifndef TILLROLL_ENGINE_GAME_H
#define TILLROLL_ENGINE_GAME_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/chance.h"
#include "engine/move_list.h"
#include "engine/text.h"

enum {
    GAME_SEATS_MAX = 5,      /* seats at one table, of any game */
    GAME_OPTIONS_MAX = 8,    /* options of one game */
    GAME_MOVE_MAX = 120,     /* bytes of a move's notation, without the terminating NUL */
    GAME_TIE_BREAKS_MAX = 4, /* tie-break values of an outcome */
    GAME_STATE_MAX = 8192    /* bytes of a state */
};

/* A choice made before the game, in which every value has a name: `advanced` = `off` or `on`. */
struct game_option {
    const char *name;
    const char *const *values; /* NULL after the last */
    uint8_t initial;           /* index of the default value */
    const char *meaning;       /* one sentence for the person who chooses */
};

/* The chosen values of a game's options: value[i] is an index into options[i].values. */
struct game_options {
    uint8_t value[GAME_OPTIONS_MAX];
};

/* Why a move was refused. Both strings are static. */
struct refusal {
    const char *code;    /* stable, for machines: `cannot-pay` */
    const char *message; /* a sentence for the person who moved */
};

/* Refusals that every game shares. The message of `bad-syntax` names the game. */
#define REFUSAL_GAME_OVER     "game-over"
#define REFUSAL_NOT_YOUR_TURN "not-your-turn"
#define REFUSAL_BAD_SYNTAX    "bad-syntax"

/* Who looks: a seat sees what is public and what is its own; a spectator what is public; an auditor
 * everything that has a place in the game, but never the seed or what lies shuffled in piles. */
struct viewer {
    enum viewer_kind { VIEWER_SPECTATOR, VIEWER_SEAT, VIEWER_AUDITOR } kind;
    unsigned seat; /* used for VIEWER_SEAT only */
};

/* Scores and ranks. Higher scores and higher tie-break values, the first ones first, are better.
 * Seats that are equal in all of them share a rank: rank = 1 + number of better seats. */
struct outcome {
    unsigned seats;
    unsigned tie_breaks;
    int32_t score[GAME_SEATS_MAX];
    int32_t tie_break[GAME_SEATS_MAX][GAME_TIE_BREAKS_MAX];
    uint8_t rank[GAME_SEATS_MAX];
};

/* One applied ply. `move` is borrowed. */
struct ply {
    unsigned seat;
    struct span move;
};

/* For worked cases (engine/worked_case.h), used by no service code. A game reads the set-up lines
 * of a position and answers expectations in its own keys. */
struct case_line {
    struct span key;  /* first word */
    struct span rest; /* what follows the blank, without comment; may be empty */
};

struct game_cases {
    /* Makes a position from `count` set-up lines and runs the automatic steps that follow from it.
     * May fix the result of later shuffles and dice with chance_stack_add(). False with a sentence
     * in `error` where a line has no meaning. */
    bool (*load)(void *state, const struct case_line *lines, size_t count,
                 struct chance_stacks *stacks, const struct chance *chance, struct text *error);
    /* Writes what would have to stand after `= key ` to be true, in the form of `rest`: for
     * `= hand 0 ota kita` this is `0 kita ota` or whatever seat 0 holds. False with a sentence in
     * `actual` if the key is unknown or `rest` has not its form. Keys common to all games
     * (worked_case.h) are answered by the runner before it asks the game. */
    bool (*read)(const void *state, struct span key, struct span rest, struct text *actual);
};

struct game {
    /* Identity. A ruleset is slug, version and the component set; it never changes once games have
     * been played with it: a corrected rule is a new version beside the old one. */
    const char *slug;    /* lower-case words joined by `-` */
    const char *title;   /* for people */
    const char *version; /* `1.0.0` */
    unsigned seats_min, seats_max;
    const struct game_option *options; /* sorted by name */
    size_t option_count;

    /* The component data: JSON text, byte for byte the file components.json beside the game's code,
     * from `components` up to, not including, `components_end`. Its SHA-256 in lower-case hex is
     * part of the ruleset's identity: it is written down here, and a test compares. */
    const unsigned char *components;
    const unsigned char *components_end;
    const char *components_sha256;

    /* Bounds that hold in every reachable state. */
    size_t state_size; /* bytes, <= GAME_STATE_MAX */
    size_t plies_max;  /* plies of one game */
    size_t legal_max;  /* legal moves of one seat at one moment */
    size_t move_max;   /* bytes of one move's notation, <= GAME_MOVE_MAX */

    /* Writes the initial position and runs the automatic steps up to the first decision. `seats` is
     * within the game's range, `options` holds valid indices: both are the caller's duty. */
    void (*setup)(void *state, unsigned seats, const struct game_options *options,
                  const struct chance *chance);

    /* The seats that have to decide now, bit s for seat s; 0 = the game is over. More than one bit
     * means decisions taken at the same time, each without knowledge of the others. */
    uint32_t (*deciders)(const void *state);

    /* Appends every legal move of `seat` in canonical notation, in byte order and without
     * repetition; nothing if the seat has nothing to decide. `list` has been cleared and was made
     * for this game. */
    void (*legal)(const void *state, unsigned seat, struct move_list *list);

    /* Applies one ply and then every automatic step. Accepts exactly the moves that legal() lists.
     * False: refused, `refusal` says why, the state is untouched to the last bit. `move` is any
     * string of bytes: it comes from outside and has not been checked. */
    bool (*play)(void *state, unsigned seat, struct span move, const struct chance *chance,
                 struct refusal *refusal);

    /* Writes the quiet move that an absent seat makes; it is legal and depends on the state alone.
     * To be called for a seat among the deciders only. */
    void (*fallback)(const void *state, unsigned seat, struct text *move);

    /* After a take-back across a draw: everything that nobody has seen yet (draw piles, bags,
     * coming dice) is drawn anew from the streams `<name>/e<epoch>`; hands and all that anybody has
     * seen stay. `epoch` is >= 1 and higher than at any earlier call. */
    void (*rekey)(void *state, unsigned epoch, const struct chance *chance);

    /* A number that rises with every ply that brings to light what nobody, or none but other seats,
     * knew: a card or tile drawn or turned up, a die thrown, a card that leaves another seat's
     * hand. A ply that leaves it alone commutes with rekey() to the last bit, and is no luck: the
     * seat that made it may take it back. */
    uint32_t (*drawn)(const void *state);

    /* Scores, tie-breaks and ranks as if the game ended now. */
    void (*outcome)(const void *state, struct outcome *outcome);

    /* A new JSON object of all that `viewer` may know, and nothing else. It is built up from what
     * is allowed, never filtered down. The caller owns the result. */
    json_t *(*view)(const void *state, struct viewer viewer);

    /* A new JSON array of what `ply` did, in order, automatic steps included: objects with `kind`,
     * data and `text`, a sentence in which `{seat N}` stands for a player's name. Only what
     * `viewer` may know. `before` and `after` are the states around the ply. The caller owns the
     * result. */
    json_t *(*events)(const void *before, const void *after, const struct ply *ply,
                      struct viewer viewer);

    /* A sensible player: the index of the move it would make. It knows only the seat's own view and
     * its legal moves, as a player over REST does. `legal` is not empty. */
    size_t (*advise)(const json_t *view, const struct move_list *legal);

    const struct game_cases *cases;
};

/* Fills rank[] from score[] and tie_break[], for outcome->seats seats. */
void outcome_rank(struct outcome *outcome);

/* The index of the option called `name`, or -1. */
int game_option_index(const struct game *game, struct span name);

/* The index of the value called `value` of options[option], or -1. */
int game_option_value(const struct game *game, size_t option, struct span value);

/* Every option at its default. */
struct game_options game_options_initial(const struct game *game);

/* The component data as text, static. */
struct span game_components(const struct game *game);

/* The SHA-256 of the component data, as `components_sha256` says. */
void game_components_hash(const struct game *game, uint8_t hash[static 32]);

/* True if `seat` is among the deciders. */
bool game_decides(const struct game *game, const void *state, unsigned seat);

/* Refuses: sets `refusal` and returns false, for `return refuse(refusal, "code", "Sentence.");`. */
bool refuse(struct refusal *refusal, const char *code, const char *message);

#endif
