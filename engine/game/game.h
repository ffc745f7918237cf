/* The contract that every game fulfils.
 *
 * A game is one constant `struct game` of functions over an opaque state: rules, with the component
 * set that they are played with. The state is flat: no pointers, explicit padding fields, at most
 * `state_size` bytes. It is copied with memcpy, compared with memcmp and hashed as it is in memory,
 * and the same moves give the same bytes on every machine.
 *
 *      setup ──> deciders ──> legal ──> play ──> deciders ──> ... ──> deciders = 0 ──> outcome
 *                   │                                                      ▲
 *                   └── view, events: what each viewer may see ────────────┘
 *
 * Functions that look at the components get the game itself, whose set they read: a state belongs
 * to the game that set it up, and says nothing of its set.
 *
 * All functions are pure: the result depends on the arguments alone. They may be called from any
 * thread as long as no two of them use one state at the same time while one of them writes.
 */
#ifndef TILLROLL_ENGINE_GAME_GAME_H
#define TILLROLL_ENGINE_GAME_GAME_H

#include <assert.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/text.h"
#include "engine/game/chance.h"

/* A list of moves in canonical notation, in one buffer that is allocated once and reused.
 *
 *      bytes  "end\0income\0move ueno\0"
 *      start    0    4       11            one entry a move, in the order of the list
 */

struct game;
struct component_reader;

struct move_list {
    char *bytes;
    size_t used, capacity; /* bytes */
    uint32_t *start;       /* where move i begins in bytes */
    uint32_t *length;      /* bytes of move i, without the NUL */
    size_t count, count_max;
};

/* Allocates room for every legal move that `game` can have at once. False when out of memory. The
 * caller frees with move_list_free(). */
bool move_list_init(struct move_list *list, const struct game *game);
void move_list_free(struct move_list *list);

void move_list_clear(struct move_list *list);

/* Appends a copy of `move`. Exceeding the game's bounds on moves or bytes is a programming error
 * and aborts the program. */
void move_list_add(struct move_list *list, struct span move);

/* The same with a move of two parts, `head` and what follows it. */
void move_list_add_parts(struct move_list *list, struct span head, struct span tail);

/* A part of a move of at most MOVE_PART_MAX bytes; the rest of `bytes` is NUL. */
enum { MOVE_PART_MAX = 8 };

struct move_part {
    char bytes[MOVE_PART_MAX];
    unsigned length;
};

/* The same with short parts, and faster. The longest move of the game has at least
 * 2 * MOVE_PART_MAX bytes, so that there is room for both in whole. */
static inline void move_list_add_short(struct move_list *list, const struct move_part *head,
                                       const struct move_part *tail)
{
    char *move = list->bytes + list->used;
    const unsigned length = head->length + tail->length;
    assert(list->count < list->count_max);
    assert(2 * MOVE_PART_MAX + 1 <= list->capacity - list->used);
    list->start[list->count] = (uint32_t)list->used;
    list->length[list->count] = length;
    memcpy(move, head->bytes, MOVE_PART_MAX);
    memcpy(move + head->length, tail->bytes, MOVE_PART_MAX);
    move[length] = '\0';
    list->used += length + 1;
    list->count++;
}

/* Sorts the moves by bytes. Games that generate moves out of order call this last. */
void move_list_sort(struct move_list *list);

/* Move i, borrowed from the list, NUL-terminated. */
struct span move_list_get(const struct move_list *list, size_t i);

/* The index of `move` in a sorted list, or -1. */
ptrdiff_t move_list_find(const struct move_list *list, struct span move);

enum {
    GAME_SEATS_MAX = 5,      /* seats at one table, in any game */
    GAME_OPTIONS_MAX = 8,    /* options per game */
    GAME_MOVE_MAX = 120,     /* bytes of a move's notation, without the terminating NUL */
    GAME_TIE_BREAKS_MAX = 4, /* tie-break values per outcome */
    GAME_STATE_MAX = 8192,   /* bytes of a state */
    GAME_WEIGHT_MAX = 1000000,
    GAME_FEATURES_MAX = 64,
    GAME_FEATURE_MAX = 4096,
    GAME_PHASE_END = 256
};

/* The number, or the bound of features that it exceeds. */
static inline int32_t game_feature_clamp(int32_t number)
{
    if (number > GAME_FEATURE_MAX)
        return GAME_FEATURE_MAX;
    return number < -GAME_FEATURE_MAX ? -GAME_FEATURE_MAX : number;
}

/* A choice made before the game among named values: `advanced` = `off` or `on`. */
struct game_option {
    const char *name;
    const char *const *values; /* NULL after the last */
    uint8_t initial;           /* index of the default value */
    const char *meaning;       /* one sentence for the person choosing */
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

/* The viewer. A seat sees what is public and what is its own; a spectator sees what is public; an
 * auditor sees everything in the game except the seed and the order of shuffled piles. */
struct viewer {
    enum viewer_kind { VIEWER_SPECTATOR, VIEWER_SEAT, VIEWER_AUDITOR } kind;
    unsigned seat; /* used for VIEWER_SEAT only */
};

/* Scores and ranks. Higher scores are better; ties are broken by higher tie-break values, the first
 * one first. Seats equal in all of them share a rank: rank = 1 + number of better seats. */
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

/* For worked cases only (engine/game/worked_case.h): the set-up lines of a position, and the fields
 * of the state that cases set and query (case_fields.h). No service code uses them. */
struct case_line {
    struct span key;  /* first word */
    struct span rest; /* what follows the space, without the comment; may be empty */
};

struct case_field;
struct case_reader;

struct game_cases {
    const struct case_field *fields; /* in the order in which they are set */
    size_t count;
    const char *none; /* the word for an empty list or place */

    /* Builds a position from the reader's lines and runs the automatic steps that follow from it.
     * May fix the result of later shuffles and dice with chance_stack_add(). The state is zeroed
     * before the call. False, with a sentence in the reader's `error`, for a line that makes no
     * sense. */
    bool (*load)(struct case_reader *reader);
};

struct game {
    /* Identity. A ruleset is a slug, a version and a component set. It never changes once games
     * have been played with it: a corrected rule becomes a new version beside the old one. */
    const char *slug;    /* lower-case words joined by `-` */
    const char *title;   /* for people */
    const char *version; /* `1.0.0` */
    unsigned seats_min, seats_max;
    const struct game_option *options; /* sorted by name */
    size_t option_count;

    /* The component data: the bytes of the JSON file components.json beside the game's code, from
     * `components` up to but not including `components_end`. Its SHA-256 in lower-case hex is part
     * of the ruleset's identity; a test compares it with the value stated here. The data is where
     * the rules read their tables from, see `set`. */
    const unsigned char *components;
    const unsigned char *components_end;
    const char *components_sha256;

    /* The tables that the functions read: a struct of the game's own type, `set_size` bytes, that
     * read() made of the component data (component_set.h) and that nothing changes afterwards. For
     * the games of the catalogue it is ready when the catalogue returns them. read() refuses what
     * the rules, the state or the bounds below have no room for. NULL: the game has no tables. */
    const void *set;
    size_t set_size;
    void (*read)(struct component_reader *reader, void *set);

    /* Bounds that hold in every reachable state. */
    size_t state_size; /* bytes, <= GAME_STATE_MAX */
    size_t plies_max;  /* plies of one game */
    size_t legal_max;  /* legal moves of one seat at one moment */
    size_t move_max;   /* bytes of one move's notation, <= GAME_MOVE_MAX */

    /* Writes the initial position and runs the automatic steps up to the first decision. `seats` is
     * within the game's range, `options` holds valid indices: both are the caller's duty. */
    void (*setup)(const struct game *game, void *state, unsigned seats,
                  const struct game_options *options, const struct chance *chance);

    /* The seats that have to decide now, bit s for seat s; 0 = the game is over. More than one bit
     * means decisions taken at the same time, each without knowledge of the others. */
    uint32_t (*deciders)(const void *state);

    /* Appends every legal move of `seat` in canonical notation, in byte order and without
     * repetition; nothing if the seat has nothing to decide. `list` has been cleared and was made
     * for this game. */
    void (*legal)(const struct game *game, const void *state, unsigned seat,
                  struct move_list *list);

    /* Applies one ply and then every automatic step. Accepts exactly the moves that legal() lists.
     * False: refused; `refusal` has the reason, and the state is unchanged in every bit. `move` is
     * any string of bytes: it is untrusted and has not been checked. */
    bool (*play)(const struct game *game, void *state, unsigned seat, struct span move,
                 const struct chance *chance, struct refusal *refusal);

    /* Writes the fallback move that an absent seat makes. It is legal and depends only on the
     * state. Call only for a seat among the deciders. */
    void (*fallback)(const struct game *game, const void *state, unsigned seat, struct text *move);

    /* After a take-back across a draw: redraws everything that nobody has seen yet (draw piles,
     * bags, future dice) from the streams `<name>/e<epoch>`. Hands and everything that anyone has
     * seen stay. `epoch` is >= 1 and higher than in any earlier call. */
    void (*rekey)(const struct game *game, void *state, unsigned epoch,
                  const struct chance *chance);

    /* A number that rises with every ply that reveals something nobody, or only other seats, knew:
     * a card or tile drawn or turned up, a die rolled, a card that leaves another seat's hand. A
     * ply that does not change it commutes with rekey() in every bit and involves no luck: the seat
     * that made it may take it back. */
    uint32_t (*drawn)(const struct game *game, const void *state);

    /* Redeals everything that `viewer` cannot know, uniformly among the states consistent with all
     * that the viewer has seen since the game began. Hidden things go to hidden places, and what
     * may be in which place follows from what happened in the open. Whatever a viewer remembers is
     * part of the state: a card that everyone saw go into a hand stays there.
     *
     *  - view(), legal() and the deciders known to `viewer` stay the same.
     *  - Two states that differ only in what `viewer` cannot know become the same bytes, so code
     *    that imagines first and computes afterwards uses no secret.
     *  - What others have already decided in secret becomes undecided again.
     *  - What the last ply did, for events(), is left out.
     *
     * All luck comes from the stream `imagine` of `chance`; fixed orders are ignored. Play can
     * continue from the state, with any `chance`.
     */
    void (*imagine)(const struct game *game, void *state, struct viewer viewer,
                    const struct chance *chance);

    /* Games whose luck is told (engine/game/told.h). setup() and play() say there what they turn
     * up, and do not say what goes into a hand unseen: that remains an arrangement that is
     * possible.
     *
     * fit() comes before play() and rearranges what nobody has seen, so that `seat` has what `move`
     * shows of a hidden hand, and what it says by being made, if that agrees with all that has
     * happened in the open. Where a move turns a hidden component up without naming it, fit() asks
     * for it. It changes nothing for a spectator, and nothing at all if the seat can make the move
     * already, or cannot make it. NULL: nothing is hidden in hands. */
    void (*fit)(const struct game *game, void *state, unsigned seat, struct span move,
                const struct chance *chance);

    /* When the game is over: turns up all that was hidden and counts. NULL: there is none. */
    void (*show)(const struct game *game, void *state, const struct chance *chance);

    /* Scores, tie-breaks and ranks as if the game ended now. */
    void (*outcome)(const struct game *game, const void *state, struct outcome *outcome);

    /* A new JSON object with everything that `viewer` may know, and nothing else. It is built up
     * from what is allowed, never filtered down. The caller owns the result. */
    json_t *(*view)(const struct game *game, const void *state, struct viewer viewer);

    /* A new JSON array of what `ply` did, in order, including automatic steps: objects with `kind`,
     * data and `text`, a sentence in which `{seat N}` stands for a player's name. Contains only
     * what `viewer` may know. `before` and `after` are the states around the ply. The caller owns
     * the result. */
    json_t *(*events)(const struct game *game, const void *before, const void *after,
                      const struct ply *ply, struct viewer viewer);

    /* Judges the legal moves of `seat` as a sensible player would. weight[i] tells how good move i
     * of `legal` is beside the others: only differences count, and a move that is better by
     * `weight_unit` is chosen twice as often. Every weight is within +-GAME_WEIGHT_MAX.
     *
     * `legal` is what legal() lists for the seat and is not empty. Only what the seat may know is
     * used: two states that differ in nothing else get the same weights. */
    void (*weigh)(const struct game *game, const void *state, unsigned seat,
                  const struct move_list *legal, int32_t *weight);
    int32_t weight_unit; /* >= 1 */

    /* Makes the legal move of `seat` that weigh() gives the greatest weight, the first one among
     * equals, as play() would, and leaves the same state; but without its text, and so faster. Call
     * only for a seat among the deciders. `chance` has no stacks. NULL: by weigh() and play(). */
    void (*play_best)(const struct game *game, void *state, unsigned seat,
                      const struct chance *chance);

    /* Plays the game in `state`, which the caller has imagined, to its end, much faster than by
     * weigh() and play(): every seat makes the moves of sketch(), or if there is none, of weigh().
     * `chance` has no stacks. Afterwards only outcome() may be asked. NULL: nothing is gained. */
    void (*finish)(const struct game *game, void *state, const struct chance *chance);

    /* The index of a sensible move, which is found much faster than by weigh(). What weigh() says
     * of `legal` and of what may be used holds here too. NULL: finish() goes by weigh(). */
    size_t (*sketch)(const struct game *game, const void *state, unsigned seat,
                     const struct move_list *legal);

    /* Numbers that describe how a seat stands, for the learned value of a position: `feature_count`
     * of them, each within +-GAME_FEATURE_MAX. Feature 0 is always 1. All of the state may be read:
     * the caller has imagined it for the one who asks.
     * Returns how far the game has come, from 0 at the start to GAME_PHASE_END. */
    unsigned (*features)(const struct game *game, const void *state, unsigned seat,
                         int32_t *feature);
    unsigned feature_count; /* <= GAME_FEATURES_MAX */

    /* The learned weights of the features: the bytes of a file that `tillroll train` made, from
     * `value` up to but not including `value_end` (engine/search/value.h). NULL: none are used. */
    const unsigned char *value;
    const unsigned char *value_end;

    const struct game_cases *cases;
};

/* Fills rank[] from score[] and tie_break[] for outcome->seats seats. */
void outcome_rank(struct outcome *outcome);

/* The index of the option called `name`, or -1. */
int game_option_index(const struct game *game, struct span name);

/* The index of the value called `value` of options[option], or -1. */
int game_option_value(const struct game *game, size_t option, struct span value);

/* Every option at its default. */
struct game_options game_options_initial(const struct game *game);

/* The component data as text, static. */
struct span game_components(const struct game *game);

/* The SHA-256 of the component data, as in `components_sha256`. */
void game_components_hash(const struct game *game, uint8_t hash[static 32]);

/* True if `seat` is among the deciders. */
bool game_decides(const struct game *game, const void *state, unsigned seat);

/* Sets `refusal` and returns false, for `return refuse(refusal, "code", "Sentence.");`. */
bool refuse(struct refusal *refusal, const char *code, const char *message);

/* The move notation: words of printable ASCII separated by single spaces, at most GAME_MOVE_MAX
 * bytes. Each move has exactly one notation, so equal moves are equal strings. */

enum { NOTATION_WORDS_MAX = 60 };

struct words {
    struct span word[NOTATION_WORDS_MAX];
    size_t count;
};

/* Splits a move into its words, which borrow from it. False if it is empty or too long, or if it
 * has a byte outside 0x21-0x7e other than single spaces between words. */
bool notation_split(struct span move, struct words *words);

#endif
