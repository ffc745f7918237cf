/* The record ("till roll") of one game: its text form. engine/record/RECORD.md is the public
 * grammar; this is the code that reads and writes it.
 *
 *      tillroll 1 #8b3f...                   header: players, game, event, commitment
 *      game <id> shinjuku 1.0.0 <hash> #...
 *      ...
 *      start 2026-11-20T15:04:05.123Z #...
 *      1 0 1532 open shinjuku food #...      entries: sequence, seat or "-", elapsed ms, what
 *      2 0 1711 pay shinjuku #...
 *      3 - 90500 timeout 2 #...
 *      ...
 *      90 - 130000 reveal <secret> #...
 *      91 - 130000 result 0 59 1 #...        seat, score, rank; one line a seat
 *      head <hash> #...
 *
 * A game with printed components, which a scorer recorded, has version 2: its luck is told by lines
 * (`bind`) instead of being committed to (engine/game/told.h).
 *
 * Each line is chained to the one before: h(0) = SHA-256("tillroll 1\n") and h(i) =
 * SHA-256(hex(h(i-1)) " " line-without-mark "\n"). A line ends with its mark, ` #` and the first 8
 * hex digits of h(i). Every game has exactly one byte sequence: this module prints what it has read
 * byte for byte, and refuses everything else.
 */
#ifndef TILLROLL_ENGINE_RECORD_RECORD_H
#define TILLROLL_ENGINE_RECORD_RECORD_H

#include "engine/base/ecvrf.h"
#include "engine/record/clock.h"

/* The names of house accounts begin so; the service gives such names to nobody else
 * (record_is_house_name()). */
#define RECORD_HOUSE_NAME "House \xc2\xb7 "

enum {
    RECORD_LINE_MAX = 512,         /* bytes of a line, including the mark but not the LF */
    RECORD_ID_LENGTH = 36,         /* a UUID */
    RECORD_NAME_MAX = 200,         /* bytes of a player's name */
    RECORD_NAME_ENCODED_MAX = 384, /* the same, percent-encoded */
    RECORD_HEADER_MAX = 24 * 1024, /* bytes of a header */
    RECORD_ENTROPY_MAX = 32,       /* bytes of a player's entropy */
    RECORD_SCOPE_MAX = 64,         /* bytes of a secret's scope */
    RECORD_DEALERS_MAX = 5,        /* co-dealers of a game */
    RECORD_DEALER_NAME_MAX = 32,   /* bytes of a co-dealer's name */
    RECORD_LINES_MAX = 65535,      /* lines in a record */
    RECORD_CODE_MAX = 40,          /* bytes of a ruling's reason code */
    RECORD_LEVEL_MAX = 16,         /* bytes of the name of a house player's level */
    RECORD_POINTS_MAX = 1000000,   /* total points that rulings may give to or take from a seat */
    RECORD_BYTES_MAX = 8 * 1024 * 1024
};

struct component_sets; /* engine/game/component_list.h */

struct record_seat {
    char player[RECORD_ID_LENGTH + 1];
    char name[RECORD_NAME_MAX + 1]; /* UTF-8, decoded */
    bool has_key;
    uint8_t key[32];      /* Ed25519 public key */
    uint8_t entropy_size; /* 0 = none given */
    uint8_t entropy[RECORD_ENTROPY_MAX];
};

/* A co-dealer, whose random output is mixed into the luck (engine/record/dealer.h). */
struct record_dealer {
    char name[RECORD_DEALER_NAME_MAX + 1];
    bool missing; /* it has not answered in time: it has no proof, and mixes in nothing */
    uint8_t key[ECVRF_KEY];
    uint8_t proof[ECVRF_PROOF];
};

struct record_header {
    char game_id[RECORD_ID_LENGTH + 1];
    const struct game *game;
    bool other_set;  /* the record was played with another component set than `game`: */
    uint8_t set[32]; /* its SHA-256. replay_begin() puts that game in place */
    struct game_options options;
    bool in_event;
    char event_id[RECORD_ID_LENGTH + 1];
    uint32_t round, table; /* from 1; round 0 for games of ladders and open play */
    uint32_t
        board; /* from 1 for a duplicate game, which takes its luck from its round; 0 otherwise */
    struct clock_control clock;
    unsigned seats;
    struct record_seat seat[GAME_SEATS_MAX];
    bool recorded; /* at a real table: luck is told, and there is no commitment */
    uint8_t commitment[32];
    unsigned dealers;
    struct record_dealer dealer[RECORD_DEALERS_MAX]; /* in byte order of their names */
    char start[25];                                  /* `2026-11-20T15:04:05.123Z` */
};

enum record_kind {
    RECORD_PLY,        /* `move` by `seat` */
    RECORD_UNDO,       /* `seat` takes back its own plies from entry `target` on */
    RECORD_SEALED,     /* `subject` has decided, in secret: its clock stops */
    RECORD_TIMEOUT,    /* the clock of `subject` has run out */
    RECORD_FALLBACK,   /* from here on the fallback move is played for `subject` */
    RECORD_RETURN,     /* `subject` plays for itself again */
    RECORD_FORFEIT,    /* `subject` is out: fallback moves, and a rank below all who played on */
    RECORD_SUBSTITUTE, /* `player` takes the place of `subject` */
    RECORD_HOUSE,      /* from here on a house player decides for `subject`: `house` */
    RECORD_STOP,       /* for `reason`: no clock runs and no seat plays */
    RECORD_FREEZE,     /* the same, because of `dispute` */
    RECORD_RULING,     /* `ruling` on the dispute for which the game is frozen */
    RECORD_RESUME,     /* the game goes on */
    RECORD_REVEAL,     /* `secret`: the secret behind the commitment */
    RECORD_RESULT,     /* `score` and `rank` of `subject` */
    /* Only in recorded games: */
    RECORD_BIND, /* in the next step `component` comes from `place` */
    RECORD_DEAL, /* the set-up has been told: the game begins */
    RECORD_SHOW, /* what was hidden to the end has been told: the results follow */
    RECORD_BACK, /* the scorer goes back to before entry `target` */
    RECORD_KINDS
};

enum record_reason { RECORD_REASON_PAUSE, RECORD_REASON_SERVER, RECORD_REASONS };

enum record_ruling {
    RECORD_RULING_ADJUST,   /* `subject` gets `score` points, or loses them */
    RECORD_RULING_FORFEIT,  /* `subject` is out */
    RECORD_RULING_STANDS,   /* the game stands as it is */
    RECORD_RULING_TAKEBACK, /* the game goes back to before entry `target` */
    RECORD_RULING_VOID,     /* the game is over and void */
    RECORD_RULINGS
};

/* How a seat is played by the service itself: anybody can make its decisions again
 * (engine/search/level.h). */
struct record_house {
    char level[RECORD_LEVEL_MAX + 1]; /* lower-case letters; "" = not by a house player */
    uint32_t version;                 /* of the program, from 1 */
};

/* An entry: a line after the header and before `head`. */
struct record_entry {
    uint32_t seq;       /* from 1, without gaps */
    int64_t elapsed_ms; /* since the start; never less than in the entry before */
    enum record_kind kind;
    unsigned seat;                /* for a ply or an undo */
    unsigned subject;             /* the seat that a system line is about */
    struct span move;             /* borrowed from the line that was read */
    struct span place, component; /* of a bind: words, borrowed likewise */
    uint8_t secret[32];
    int32_t score;
    unsigned rank;
    uint32_t target; /* the first entry to take back */
    enum record_reason reason;
    enum record_ruling ruling;
    bool rekey; /* for a take-back: everything still hidden is redrawn */
    char dispute[RECORD_ID_LENGTH + 1];
    char by[RECORD_ID_LENGTH + 1];  /* the player who ruled */
    char code[RECORD_CODE_MAX + 1]; /* reason code: lower-case letters, digits and `-` */
    struct record_seat player;      /* without entropy */
    struct record_house house;
};

/* The word for a kind of entry, as it stands in its line: `timeout`; `ply` for a ply. Static. */
const char *record_kind_name(enum record_kind kind);

/* The words for reasons and rulings, as they stand in their lines. Static. */
const char *record_reason_name(enum record_reason reason);
const char *record_ruling_name(enum record_ruling ruling);

/* What is wrong with a record, and where. `code` is static and stable. */
struct record_fault {
    uint32_t line; /* from 1; 0 = the record as a whole */
    const char *code;
    char message[240];
};

/* Sets a fault and returns false. `detail` may be empty; it is truncated if it is too long. */
bool record_fault(struct record_fault *fault, const char *code, const char *message,
                  struct span detail);

/* The chain's initial value, h(0), of version 1 and of the other logs that are chained like it. */
void record_chain_start(uint8_t hash[static 32]);

/* h(i) from h(i-1) and a line without its mark. The line may have any length: other logs are
 * chained in the same way. */
void record_chain_add(uint8_t hash[static 32], struct span line);

/* Appends the mark to the line in `line` and advances the chain over it. */
void record_chain_mark(uint8_t hash[static 32], struct text *line);

/* Reads a marked line: checks length, bytes, chain and mark, advances the chain and removes the
 * mark. */
bool record_chain_check(uint8_t hash[static 32], struct span *line, struct record_fault *fault);

/* Appends the header's lines, each with its mark and separated by LF (none after the last), and
 * leaves the chain's value in `hash`. */
void record_print_header(const struct record_header *header, struct text *text,
                         uint8_t hash[static 32]);

/* Puts the game with the set that the header names in place of one with another set. `sets` may be
 * NULL: there are none but those of the catalogue. Otherwise the fault `wrong-components`, in line
 * 2. */
bool record_find_set(struct record_header *header, const struct component_sets *sets,
                     struct record_fault *fault);

/* True, with its SHA-256, if the header at the front of `record` can be read and names a component
 * set that does not come with the ruleset. */
bool record_other_set(struct span record, uint8_t set[static 32]);

/* Reads a header from the front of `rest`, up to and including `start`, and removes it there.
 * `lines` counts the lines read, even on a fault. */
bool record_read_header(struct span *rest, struct record_header *header, uint8_t hash[static 32],
                        uint32_t *lines, struct record_fault *fault);

/* Appends an entry without mark and LF. */
void record_print_entry(const struct record_entry *entry, struct text *text);

/* Reads an entry from a line without mark. */
bool record_read_entry(struct span line, struct record_entry *entry, struct record_fault *fault);

/* Appends the scope of the secret behind a game's luck: the game's id, or, for a duplicate game,
 * `<event id>/round/<n>`, which all tables of the round share. */
void record_scope(const struct record_header *header, struct text *text);

/* Appends `<event id>/round/<n>`: the scope of a duplicate round's secret. */
void record_round_scope(const char *event_id, uint32_t round, struct text *text);

/* SHA-256("tillroll commit\n" scope "\n" secret): the commitment that a record contains before any
 * luck is drawn. */
void record_commitment(struct span scope, const uint8_t secret[static 32],
                       uint8_t commitment[static 32]);

/* The game's seed: BLAKE2b-256(key = secret, "tillroll/seed/1" || scope || board as it stands in
 * the record, `-` if there is none || the entropy lines in the order of seats, each as it stands in
 * the record, without mark, with LF). With co-dealers it begins with "tillroll/seed/2", and
 * `dealer <name> <key> <output, in hex, or missing>` LF follows for each of them. Tables of a round
 * that play the same board have the same seed. Proofs that are not formed count as outputs of 0;
 * record_read_header() lets none through. */
void record_seed(const struct record_header *header, const uint8_t secret[static 32],
                 uint8_t seed[static CHANCE_SEED_BYTES]);

/* The seed of an event's own draws: BLAKE2b-256(key = secret, "tillroll/event/1" || event id). */
void record_event_seed(struct span event_id, const uint8_t secret[static 32],
                       uint8_t seed[static CHANCE_SEED_BYTES]);

/* True for a ruling's reason code: lower-case letters, digits and `-`, beginning with a letter, at
 * most RECORD_CODE_MAX bytes. */
bool record_is_code(struct span text);

/* True for a co-dealer's name: 1 to RECORD_DEALER_NAME_MAX lower-case letters, digits, `.` and `-`,
 * beginning with a letter or digit. */
bool record_is_dealer_name(struct span text);

/* True for a canonical lower-case UUID. */
bool record_is_id(struct span text);

/* Whether a player's name is that of a house account. Pure; any thread. */
bool record_is_house_name(const char *name);

/* True for UTF-8 in NFC (engine/base/nfc.h) of 1 .. RECORD_NAME_MAX bytes (and at most
 * RECORD_NAME_ENCODED_MAX as it stands in a record, where all but letters, digits and `._~-` take
 * three bytes each) without the characters that engine/record/RECORD.md lists: control,
 * bidirectional and some invisible formatting ones. Account names must meet stricter rules
 * (api/people/names.h). */
bool record_is_name(struct span name);

#endif
