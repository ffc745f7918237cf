/* The command line program `tillroll`: one function per subcommand.
 *
 * Each gets its parsed arguments (api/cli/commands.h) and returns the exit status: 0 yes, 1 no, 2
 * cannot judge or wrong usage. */
#ifndef TILLROLL_API_CLI_H
#define TILLROLL_API_CLI_H

#include <jansson.h>
#include <stdio.h>

#include "api/cli/commands.h"
#include "engine/game/game.h"
#include "engine/record/replay.h"

enum {
    EXIT_YES = 0,
    EXIT_NO = 1,
    EXIT_UNKNOWN = 2,
    EXIT_OTHER_VERSION = 3 /* only another version of this program can judge */
};

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
/* Reads its arguments itself; argv[0] is the subcommand. */
int cli_verify(int argc, char **argv);

/* Says on standard error what is wrong with a file, an argument or a service; false. */
bool cli_fail(const char *what, const char *why);

/* The same as one sentence; false. */
bool cli_refuse(const char *sentence);

/* From now on, SIGTERM and SIGINT only make cli_is_stopping() true. */
void cli_hear_signals(void);
bool cli_is_stopping(void);

/* Writes all of it. False with errno. */
bool cli_write(int file, struct span bytes);

/* A whole file, or standard input for NULL or "-", NUL-terminated. NULL with a message on standard
 * error if it cannot be read or exceeds 64 MiB. The caller frees. */
char *cli_read_file(const char *path, size_t *length);

/* What a file is that is no text, to follow "is": "empty", "a program". NULL for text. `bytes` end
 * with a NUL. */
const char *cli_binary_kind(const char *bytes);

/* Says on standard error what a file is that could not be judged, if it is of another kind: no
 * text, or the bundle of an event where a game was wanted, or a game where an event was; and which
 * command is for it. `bytes` end with a NUL. */
void cli_tell_kind(const char *path, const char *bytes, bool wants_event);

/* The ruleset of this name, `slug` or `slug@version`, or NULL with a message that lists them. */
const struct game *cli_ruleset(const char *slug);

/* The level of this name, or NULL with a message that lists them. */
const struct level *cli_level(const char *name);

struct db;

/* Opens a database (db_open()). NULL with a message. */
struct db *cli_database(const char *url, bool service);

/* Reads `name=value` into `options`. False with a message if the game has no such option or value.
 */
bool cli_option(const struct game *game, const char *assignment, struct game_options *options);

/* The same for every --option given; the initial options without. */
bool cli_options(const struct cli_given *given, const struct game *game,
                 struct game_options *options);

/* Reads a decimal number min .. max. False with a message that names `what`. */
bool cli_number(const char *word, const char *what, unsigned long min, unsigned long max,
                unsigned long *value);

/* Prints the error in the record in the file `path`, with its position, as one line. */
void cli_print_fault(FILE *file, const char *path, enum replay_verdict verdict,
                     const struct record_fault *fault);

/* Prints a document, which is taken over, as a line; `flags` beside JSON_COMPACT. Aborts when out
 * of memory. */
void cli_print_json(json_t *document, size_t flags);

struct component_list;

/* Adds the component set in a file to those that records are replayed with. False with a message.
 */
bool cli_add_components(const char *path, struct component_list *list);

/* The same for every --components given. */
bool cli_components(const struct cli_given *given, struct component_list *list);

/* The ruleset that --ruleset names; with --components, as it is played with the last of these sets
 * that is one of it, which `list` then has. NULL with a message. */
const struct game *cli_game(const struct cli_given *given, struct component_list *list);

/* The ruleset of `rules` as it is played with the set in a file, which `list` then has. NULL with a
 * message. */
const struct game *cli_game_of_set(const struct game *rules, const char *path,
                                   struct component_list *list);

struct bundle;

/* The record in a file, which may be a game's bundle: its component set joins `list`. False with a
 * message. */
bool cli_split_bundle(const char *path, struct span file, struct component_list *list,
                      struct bundle *bundle);

/* `tillroll verify --receipt FILE --key HEX [RECORD]`, with the arguments from --receipt on. */
int cli_verify_receipt(int argc, char **argv);

struct trust_policy;

/* `tillroll verify --deposit FILE --policy FILE RECORD`: the file `path`, by this policy. `list`
 * are component sets that were given; that of a bundle is added. */
int cli_verify_deposit(const char *path, const struct trust_policy *policy, const char *record_path,
                       struct component_list *list);

/* Makes the decisions of house players in a valid record again. Prints what it finds after `path`.
 * EXIT_YES if all are as the record has them (or there are none), EXIT_NO if one is not,
 * EXIT_OTHER_VERSION if some were made by a version or level that this program does not have. */
int cli_verify_house(const char *path, struct span record, const struct component_sets *sets);

/* Reads 64 hex digits. False with a message. */
bool cli_seed(const char *word, uint8_t seed[static CHANCE_SEED_BYTES]);

#endif
