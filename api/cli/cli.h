/* The command line program `tillroll`: the arguments of its subcommands, one function per
 * subcommand, and what they share. api/cli/commands.c describes their arguments.
 *
 * Each function returns the exit status: 0 yes, 1 no, 2 undecided or wrong usage. */
#ifndef TILLROLL_API_CLI_H
#define TILLROLL_API_CLI_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "engine/game/game.h"
#include "engine/record/replay.h"

enum {
    EXIT_YES = 0,
    EXIT_NO = 1,
    EXIT_UNKNOWN = 2,
    EXIT_OTHER_VERSION = 3 /* only another version of this program can decide */
};

/* ---- Arguments ---- */

struct cli_option {
    const char *name;  /* without `--`; NULL ends a list */
    const char *value; /* its value: `FILE`, `sensible|random`; NULL = none */
    const char *help;
};

struct cli_given;

struct cli_command {
    const char *name;  /* one word, or two: `event show` */
    const char *words; /* its arguments: `EVENT [ROUND]`; "" for none */
    int words_min, words_max;
    const char *summary; /* a sentence without initial capital and full stop */
    const char *text;    /* more, or NULL */
    const struct cli_option *options;
    const char *needs; /* options that must be given, separated by spaces; or NULL */
    int (*run)(const struct cli_given *given); /* either this function, */
    int (*main)(int argc, char **argv); /* or this one, with its own parsing; argv[0] is the name */
};

enum { CLI_WORDS_MANY = 10000 };

/* The parsed arguments of a command. */
enum { CLI_GIVEN_MAX = 64 };
struct cli_given {
    const struct cli_command *command;
    struct {
        const struct cli_option *option;
        const char *value; /* "" for an option without value */
    } given[CLI_GIVEN_MAX];
    size_t count;
    char **word;
    int words;
};

/* The i-th value of an option, or NULL. */
const char *cli_value_at(const struct cli_given *given, const char *name, size_t i);

/* The last value, or NULL. */
const char *cli_value(const struct cli_given *given, const char *name);

/* The number given to an option, `initial` if it was not given. False with a message unless it is
 * from min to max. */
bool cli_value_number(const struct cli_given *given, const char *name, unsigned long min,
                      unsigned long max, unsigned long initial, unsigned long *value);

/* Reports wrong arguments on standard error (`why`: the end of a sentence without full stop; NULL
 * if it has been printed already), and the usage. Returns the exit status for wrong usage. */
int cli_wrong_usage(const struct cli_given *given, const char *why);

/* Reads the arguments of a command; argv[0] is its name. Returns 0, or the exit status for wrong
 * usage with a message. */
int cli_read_given(const struct cli_command *command, int argc, char **argv,
                   struct cli_given *given);

enum { CLI_LINE = 79 /* the width of help */ };

/* True if the command needs the option. */
bool cli_is_needed(const struct cli_command *command, const char *option);

/* `usage: tillroll move [--seq N] ... GAME MOVE...`, on as many lines as it takes. */
void cli_print_usage(FILE *file, const struct cli_command *command);

/* ---- Commands ---- */

int cli_adjudicate(const struct cli_given *given);
int cli_admin(const struct cli_given *given);
int cli_analyse(const struct cli_given *given);
int cli_archive(const struct cli_given *given);
int cli_audit(const struct cli_given *given);
int cli_case(const struct cli_given *given);
int cli_collusion(const struct cli_given *given);
int cli_components_check(const struct cli_given *given);
int cli_components_hash(const struct cli_given *given);
int cli_components_schema(const struct cli_given *given);
int cli_dealer(const struct cli_given *given);
int cli_dealer_compare(const struct cli_given *given);
int cli_deposit(const struct cli_given *given);
int cli_demo(const struct cli_given *given);
int cli_event(const struct cli_given *given);
int cli_key(const struct cli_given *given);
int cli_load(const struct cli_given *given);
int cli_match(const struct cli_given *given);
int cli_lines(const struct cli_given *given);
int cli_migrate(const struct cli_given *given);
int cli_monitor(const struct cli_given *given);
int cli_odds(const struct cli_given *given);
int cli_puzzles(const struct cli_given *given);
int cli_replay(const struct cli_given *given);
int cli_scorer(const struct cli_given *given);
int cli_top(const struct cli_given *given);
int cli_trace(const struct cli_given *given);
int cli_train(const struct cli_given *given);
int cli_witness(const struct cli_given *given);

/* Parses its arguments itself; argv[0] is the subcommand. */
int cli_verify(int argc, char **argv);

/* `tillroll man`: the manual page; `tillroll completion`: a script for bash. */
int cli_manual(const struct cli_given *given);
int cli_completion(const struct cli_given *given);

/* Commands that talk to a service, by file. */

/* account.c */
int cli_register(const struct cli_given *given);
int cli_login(const struct cli_given *given);
int cli_logout(const struct cli_given *given);
int cli_whoami(const struct cli_given *given);

/* browse.c */
int cli_events(const struct cli_given *given);
int cli_event_show(const struct cli_given *given);
int cli_event_entries(const struct cli_given *given);
int cli_event_log(const struct cli_given *given);
int cli_pairings(const struct cli_given *given);
int cli_standings(const struct cli_given *given);
int cli_leaderboard(const struct cli_given *given);
int cli_games(const struct cli_given *given);

/* act.c */
int cli_event_create(const struct cli_given *given);
int cli_event_change(const struct cli_given *given);
int cli_event_open(const struct cli_given *given);
int cli_event_close_entries(const struct cli_given *given);
int cli_event_pairing(const struct cli_given *given);
int cli_event_close(const struct cli_given *given);
int cli_event_cancel(const struct cli_given *given);
int cli_event_hold(const struct cli_given *given);
int cli_event_import(const struct cli_given *given);
int cli_enter(const struct cli_given *given);
int cli_leave(const struct cli_given *given);
int cli_api(const struct cli_given *given);

/* play.c */
int cli_view(const struct cli_given *given);
int cli_moves(const struct cli_given *given);
int cli_sample(const struct cli_given *given);
int cli_move(const struct cli_given *given);
int cli_record(const struct cli_given *given);

/* bot.c */
int cli_bot(const struct cli_given *given);

/* house.c */
int cli_house(const struct cli_given *given);

/* watch.c */
int cli_watch(const struct cli_given *given);

/* ---- Messages, files and options ---- */

/* Prints on standard error what is wrong with a file, an argument or a service. Returns false. */
bool cli_fail(const char *what, const char *why);

/* Prints a sentence on standard error. Returns false. */
bool cli_refuse(const char *sentence);

/* After this call, SIGTERM and SIGINT only make cli_is_stopping() true. */
void cli_hear_signals(void);
bool cli_is_stopping(void);

/* Writes all bytes. False with errno. */
bool cli_write(int file, struct span bytes);

/* Reads a whole file, or standard input for NULL or "-", NUL-terminated. NULL with a message on
 * standard error if it cannot be read or exceeds 64 MiB. The caller frees the result. */
char *cli_read_file(const char *path, size_t *length);

/* The kind of a file that is not text, to follow "is": "empty", "a program". NULL for text. `bytes`
 * end with a NUL. */
const char *cli_binary_kind(const char *bytes);

/* Explains on standard error why a file could not be verified, if it is of another kind: not text,
 * or the bundle of an event instead of a game, or a game instead of an event; and names the command
 * for it. `bytes` end with a NUL. */
void cli_tell_kind(const char *path, const char *bytes, bool wants_event);

/* The ruleset of this name, `slug` or `slug@version`, or NULL with a message that lists them. */
const struct game *cli_ruleset(const char *slug);

/* The level of this name, or NULL with a message that lists them. */
const struct level *cli_level(const char *name);

struct db;

/* Opens a database (db_open()). NULL with a message. */
struct db *cli_database(const char *url, bool service);

/* Reads `name=value` into `options`. False with a message if the game has no such option or
 * value. */
bool cli_option(const struct game *game, const char *assignment, struct game_options *options);

/* Reads every --option given into `options`, which begin with the game's initial values. False with
 * a message. */
bool cli_options(const struct cli_given *given, const struct game *game,
                 struct game_options *options);

/* Reads a decimal number min .. max. False with a message that names `what`. */
bool cli_number(const char *word, const char *what, unsigned long min, unsigned long max,
                unsigned long *value);

/* Prints each line of `said` after `path`. */
void cli_print_lines(FILE *file, const char *path, const struct text *said);

/* Prints the error in the record in the file `path`, with its position, as one line. */
void cli_print_fault(FILE *file, const char *path, enum replay_verdict verdict,
                     const struct record_fault *fault);

/* Prints a document, which is consumed, as one line; `flags` are added to JSON_COMPACT. Aborts when
 * out of memory. */
void cli_print_json(json_t *document, size_t flags);

struct component_list;

/* Adds the component set in a file to the sets for replaying records. False with a message. */
bool cli_add_components(const char *path, struct component_list *list);

/* Adds the set of every --components given. False with a message. */
bool cli_components(const struct cli_given *given, struct component_list *list);

/* The ruleset named by --ruleset; with --components, combined with the last of these sets that
 * belongs to it. `list` receives the sets. NULL with a message. */
const struct game *cli_game(const struct cli_given *given, struct component_list *list);

/* The ruleset of `rules` combined with the set in a file, which is added to `list`. NULL with a
 * message. */
const struct game *cli_game_of_set(const struct game *rules, const char *path,
                                   struct component_list *list);

struct bundle;

/* Finds the record in a file, which may be a game's bundle: then its component set is added to
 * `list`. False with a message. */
bool cli_split_bundle(const char *path, struct span file, struct component_list *list,
                      struct bundle *bundle);

/* Runs `tillroll verify --receipt FILE --key HEX [RECORD]`, with the arguments from --receipt
 * on. */
int cli_verify_receipt(int argc, char **argv);

struct trust_policy;

/* Runs `tillroll verify --deposit FILE --policy FILE RECORD`, with the deposit in the file `path`.
 * `list` has the component sets given; that of a bundle is added. */
int cli_verify_deposit(const char *path, const struct trust_policy *policy, const char *record_path,
                       struct component_list *list);

/* Recomputes the decisions of house players in a valid record, and prints its findings after
 * `path`. EXIT_YES if all agree with the record (or there are none), EXIT_NO if one does not,
 * EXIT_OTHER_VERSION if some were made by a version or level that this program does not have. */
int cli_verify_house(const char *path, struct span record, const struct component_sets *sets);

/* Reads 64 hex digits. False with a message. */
bool cli_seed(const char *word, uint8_t seed[static CHANCE_SEED_BYTES]);

#endif
