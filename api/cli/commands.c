#include "api/cli/commands.h"

#include "api/cli/cli.h"

/* ---- Shared options ---- */

#define SERVER                                                                                     \
    {                                                                                              \
        "server", "URL",                                                                           \
            "the service; by default $TILLROLL_SERVER, or the one you signed in to last"           \
    }
#define AS                                                                                         \
    {                                                                                              \
        "as", "NAME", "use this account; by default the one that signed in last"                   \
    }
#define JSON                                                                                       \
    {                                                                                              \
        "json", NULL, "print the response of the service, as JSON"                                 \
    }
#define LIMIT                                                                                      \
    {                                                                                              \
        "limit", "N", "at most this many (20)"                                                     \
    }
#define PASSWORD                                                                                   \
    {                                                                                              \
        "password-file", "FILE", "read the password from its first line (- is standard input)"     \
    }
#define DATABASE                                                                                   \
    {                                                                                              \
        "database", "URL", "the database; by default $TILLROLL_DATABASE, or else $DATABASE_URL"    \
    }
#define SET                                                                                        \
    {                                                                                              \
        "set", "NAME=VALUE",                                                                       \
            "any setting of the API, with its value as JSON or else as text; may be repeated"      \
    }
#define COMPONENTS                                                                                 \
    {                                                                                              \
        "components", "FILE",                                                                      \
            "the component set that was played with, if it is not the built-in "                   \
            "one; may be repeated"                                                                 \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, NULL, NULL                                                                           \
    }

/* The ends of lists. */
#define OF_SESSION AS, SERVER, END
#define OF_CLIENT  AS, SERVER, JSON, END

static const struct cli_option of_client[] = {OF_CLIENT};
#define SIGN                                                                                       \
    {                                                                                              \
        "sign", "FILE",                                                                            \
            "sign as an official with this key (`tillroll key`), if the event accepts signatures"  \
    }
static const struct cli_option of_official[] = {SIGN, OF_CLIENT};
static const struct cli_option of_import[] = {
    {"key", "HEX", "the key, which you trust, of the service that must have signed it"}, OF_CLIENT};
static const struct cli_option of_list[] = {LIMIT, OF_CLIENT};
static const struct cli_option of_account[] = {PASSWORD, SERVER, END};
static const struct cli_option of_nothing[] = {END};

static const struct cli_option of_games[] = {
    {"running", NULL, "only games that are still running"}, LIMIT, OF_CLIENT};
static const struct cli_option of_create[] = {
    {"ruleset", "SLUG", "the game to play (GET /v1/rulesets)"},
    {"rounds", "N", "number of rounds planned"},
    {"seats-min", "N", "fewest seats at a table"},
    {"seats-max", "N", "most seats at a table"},
    {"format", "FORMAT", "pod_swiss, dutch, duplicate, league and so on (pod_swiss)"},
    SET,
    OF_CLIENT};
static const struct cli_option of_change[] = {SET, SIGN, OF_CLIENT};
static const struct cli_option of_standings[] = {
    {"after-round", "N", "as they were after this round"}, OF_CLIENT};
static const struct cli_option of_view[] = {{"seq", "N", "as it was after line N of the record"},
                                            OF_SESSION};
static const struct cli_option of_sample[] = {
    {"count", "N", "how many, 1 to 64; without it, one"},
    {"first", "N", "the number of the first, for those who want more; without it, 0"},
    OF_CLIENT};
static const struct cli_option of_move[] = {
    {"seq", "N", "the line on which you based your decision; by default the newest"}, OF_CLIENT};
static const struct cli_option of_record[] = {{"output", "FILE", "write it to this file"},
                                              OF_SESSION};
static const struct cli_option of_leaderboard[] = {
    {"scope", "SCOPE", "overall, a ruleset, or glicko., house. or solo. and a ruleset (overall)"},
    LIMIT,
    OF_CLIENT};
static const struct cli_option of_watch[] = {{"after", "N", "continue after message N"}, OF_CLIENT};
static const struct cli_option of_api[] = {SIGN, OF_SESSION};
static const struct cli_option of_session[] = {OF_SESSION};

static const struct cli_option of_admin[] = {PASSWORD, DATABASE, END};
#define LINE_DATABASES                                                                             \
    {                                                                                              \
        "line-databases", "URLS",                                                                  \
            "connection strings, separated by spaces; by default $TILLROLL_LINE_DATABASES"         \
    }
static const struct cli_option of_lines[] = {DATABASE, LINE_DATABASES, END};
static const struct cli_option of_archive[] = {
    DATABASE,
    {"days", "N", "only games that have been over for this long (30)"},
    {"games", "N", "at most this many (all)"},
    END};
static const struct cli_option of_audit[] = {
    DATABASE,
    {"since", "TIME", "only games begun at this time or later: 2026-11-20 or 2026-11-20T15:04:05Z"},
    {"workers", "N", "number of threads (one less than there are cores)"},
    {"checkpoint", "FILE", "compare the log with a checkpoint that you have kept"},
    {"leaves", "FILE", "the copy of the log kept by deploy/backup, to name what is lost"},
    {"log-key", "VKEY", "the key that must have signed the log, as in /v1/keys"},
    {"archive", "DIR", "where records were moved to; by default $TILLROLL_ARCHIVE"},
    LINE_DATABASES,
    {"result", "FILE", "write the outcome to this file, for tillrolld --audit-result"},
    {"strict", NULL, "also fail if an official acted on a game as a party to it"},
    END};
#define POLICIES "random|beginner|casual|regular|strong|master"
static const struct cli_option of_bot[] = {
    {"game", "ID", "only this game"},
    {"exec", "PROGRAM",
     "let this program decide, one process per game (/docs/reference/bot-protocol)"},
    {"move-ms", "N", "how long the program may think about a move (10000)"},
    {"tries", "N", "how often it may fail at one move before giving up (3)"},
    {"policy", POLICIES, "how to play without a program, or if the program fails too often"},
    {"seed", "HEX", "the seed of random play"},
    {"key", "FILE", "sign moves with this key (`tillroll key`), in games that name it"},
    {"witness", "URL",
     "leave with this witness signed moves that the service does not accept; may be repeated"},
    {"no-entropy", NULL,
     "do not give 32 random bytes to games that wait for their players' entropy"},
    {"stay", NULL, "wait for new games when all are over"},
    OF_SESSION};
static const struct cli_option of_case[] = {{"ruleset", "SLUG", "the ruleset"}, END};
static const struct cli_option of_demo[] = {SERVER,
                                            {"ruleset", "SLUG", "the game to play (shinjuku)"},
                                            {"rounds", "N", "number of rounds (3)"},
                                            {"policy", POLICIES, "how the bots play (regular)"},
                                            {"club", NULL, "create a club with events instead"},
                                            END};
static const struct cli_option of_event[] = {
    {"key", "HEX", "the key of the service that must have signed it (GET /v1/keys)"},
    {"json", NULL, "print standings and ratings as JSON"},
    {"inclusion", "FILE",
     "with --policy: check that the event's log is in a transparency log; FILE is the answer of "
     "GET /v1/log/inclusion?leaf=HASH for the leaf that this command names"},
    {"policy", "FILE",
     "the logs that are trusted, and the witnesses that must have cosigned them "
     "(c2sp.org/tlog-policy)"},
    END};
static const struct cli_option of_house[] = {
    {"tokens", "FILE", "the tokens of house accounts, one per line, readable only by you"},
    {"level", "NAME", "play only for accounts of this level; may be repeated"},
    {"games", "N", "play at most this many games at once (20)"},
    {"metrics-listen", "ADDRESS",
     "serve figures for Prometheus at this address, such as 127.0.0.1:9102"},
    {"once", NULL, "exit when no game and no analysis is left"},
    {"games-only", NULL, "make no analyses of finished games"},
    OF_SESSION};
static const struct cli_option of_key[] = {
    {"bot", "ID", "for this bot of yours"},
    {"replaces", "FILE", "the key in use so far"},
    {"game", "ID", "the game in which the move is made"},
    {"head", "HEX", "the record's head, as in GET /v1/games/<id>/legal-moves"},
    {"seat", "N", "the seat that makes the move"},
    OF_SESSION};
static const struct cli_option of_load[] = {
    {"server", "URL", "http://HOST:PORT"},
    {"script", "FILE", "play the games of a script, one after the other on each connection"},
    {"first", "N", "begin with game N of the script (0)"},
    {"stale", "PERCENT",
     "percentage of additional requests: the last move again, or a stale one (0)"},
    {"get", "PATH", "request one page repeatedly; $TILLROLL_TOKEN is sent if it is set"},
    {"etag", "ETAG", "send this with If-None-Match"},
    {"watch", "PATH,PATH", "watch event streams"},
    {"connections", "N", "number of connections (1)"},
    {"seconds", "N", "how long (5)"},
    {"warm-up", "N", "seconds that do not count (0)"},
    {"think", "MS", "average time between a response and the next request (0)"},
    {"lock-step", NULL, "send the requests of all connections at the same moment"},
    END};
static const struct cli_option of_match[] = {
    {"ruleset", "SLUG", "the game to play"},
    {"seats", "N", "number of seats (as many as there are policies, or 2)"},
    {"option", "NAME=VALUE", "an option of the game; may be repeated"},
    {"components", "FILE", "the component set that is played with, if it is not the built-in one"},
    {"compare", "FILE",
     "also play the same deals with this component set, and print what it changes; its journal is "
     "named like that of --journal, with .compare at the end"},
    {"policy", "NAME,NAME",
     "how they play: random, beginner, casual, regular, strong or master, one for all players or "
     "one for each (regular)"},
    {"exec", "[N=]PROGRAM", "let this program play as player N (1); may be repeated"},
    {"move-ms", "N", "how long a program may think about a move (10000)"},
    {"tries", "N", "how often it may fail at one move before giving up (3)"},
    {"games", "N", "number of games, rounded up to whole deals (1)"},
    {"seed", "HEX", "the seed of all luck; by default one is drawn"},
    {"workers", "N", "number of games played at once (1)"},
    {"journal", "FILE", "keep results here, and continue where an earlier run of this match ended"},
    {"sprt", "ELO,ELO",
     "end as soon as a sequential test shows that the first player is stronger than the smaller "
     "difference, or weaker than the greater one"},
    {"error", "P", "how often that test may err (0.05)"},
    END};
static const struct cli_option of_train[] = {
    {"ruleset", "SLUG", "the game to learn"},
    {"games", "N", "number of games played (20000)"},
    {"seed", "HEX", "the seed of all luck (64 zeros)"},
    {"out", "FILE", "where the weights go (standard output)"},
    END};
static const struct cli_option of_migrate[] = {
    DATABASE, {"directory", "DIR", "where the migrations are"}, END};
static const struct cli_option of_replay[] = {{"to", "SEQ", "stop after this line"},
                                              {"json", NULL, "print one JSON object per line"},
                                              COMPONENTS,
                                              END};
static const struct cli_option of_analyse[] = {
    {"budget", "N",
     "at most this many playouts per ply (depends on the game); more are slower, and more precise"},
    {"json", NULL, "print the analysis as JSON"},
    COMPONENTS,
    END};
static const struct cli_option of_adjudicate[] = {
    {"to", "SEQ", "the position after this line (the last one)"},
    {"secret", "HEX", "the secret of a game that is not finished"},
    {"view", "NAME", "full keeps every hand (the default); public deals hands again"},
    {"samples", "N", "how often the game is played to its end (400)"},
    {"json", NULL, "print the proposal as JSON"},
    COMPONENTS,
    END};
static const struct cli_option of_collusion[] = {
    {"budget", "N", "at most this many playouts per ply of a record (as for analyse)"},
    {"all", NULL, "print all pairs that met, not only those that are flagged"},
    {"json", NULL, "print the pairs as JSON"},
    COMPONENTS,
    END};
static const struct cli_option of_puzzles[] = {{"most", "N", "at most this many per game"}, END};
static const struct cli_option of_odds[] = {
    {"samples", "N", "how often the rest of the event is played (10000, as the service does)"},
    {"json", NULL, "print the odds as JSON, as GET /v1/events/<id>/odds does"},
    END};
static const struct cli_option of_scorer[] = {
    {"ruleset", "SLUG", "for a new record: the game that is played"},
    {"player", "NAME", "for a new record: who has the next seat; once for each seat"},
    {"option", "NAME=VALUE", "for a new record: an option of the game; may be repeated"},
    {"components", "FILE", "the component set of the printed game, if it is not the built-in one"},
    END};
static const struct cli_option of_top[] = {
    {"server", "URL", "the service, or the address of its --metrics-listen"},
    {"interval", "SECONDS", "time between two updates (2)"},
    {"once", NULL, "print one interval and exit"},
    END};
static const struct cli_option of_trace[] = {
    {"ruleset", "SLUG", "the ruleset"},
    {"seats", "N", "number of seats"},
    {"seed", "HEX", "the seed of all luck"},
    {"option", "NAME=VALUE", "an option of the game; may be repeated"},
    {"components", "FILE", "the component set that is played with, if it is not the built-in one"},
    END};
static const struct cli_option of_verify[] = {
    {"log-key", "VKEY", "check that the server has signed them and that they are in its log"},
    {"key", "VKEY", "check that the server has signed them"},
    {"policy", "FILE",
     "check that they are in a log of this policy and that enough of its witnesses have cosigned "
     "the log (c2sp.org/tlog-policy)"},
    {"max-age", "HOURS", "with --policy: ignore older cosignatures"},
    {"key-changes", "FILE",
     "follow the history of the log's key (GET /v1/log/key-changes) from the trusted key"},
    COMPONENTS,
    {"signatures", "FILE", "check the players' signatures of their moves"},
    {"house", NULL, "make the decisions of house players again, and compare them"},
    {"receipt", "FILE",
     "with --key HEX (public_key of GET /v1/keys): check that the server has kept the promise it "
     "made for a move or for entropy"},
    {"deposit", "FILE", "check that the record has a move that was left with witnesses"},
    END};

static const struct cli_option of_monitor[] = {
    {"policy", "FILE", "the log, and the witnesses that must have cosigned it"},
    {"interval", "SECONDS", "time between two looks (60)"},
    {"once", NULL, "look once and exit"},
    {"exec", "COMMAND", "run this with each alarm, which is in $TILLROLL_ALARM"},
    {"webhook", "URL", "call this with each alarm ($TILLROLL_WEBHOOK)"},
    {"webhook-form", "FORM", "in this form: standard, discord, slack or matrix (standard)"},
    {"webhook-secret-file", "FILE",
     "sign what it is sent with this secret, whsec_... ($TILLROLL_WEBHOOK_SECRET)"},
    {"mail-to", "ADDRESS", "mail each alarm to this address"},
    {"smtp-url", "URL", "the mail server, such as smtps://mail.example:465"},
    {"smtp-from", "ADDRESS", "the sender (the address of --mail-to)"},
    {"smtp-user", "NAME", "the user of the mail server"},
    {"smtp-password-file", "FILE", "that user's password ($TILLROLL_SMTP_PASSWORD)"},
    {"metrics-listen", "ADDRESS", "serve figures for Prometheus at this address"},
    END};
static const struct cli_option of_witness[] = {
    {"name", "NAME", "with new: the name of the witness, such as witness.example/w1"},
    {"policy", "FILE", "the logs to witness, and the witnesses to ask after a start"},
    {"listen", "ADDRESS", "where to serve (127.0.0.1:9466)"},
    {"guard", "FILE", "where to keep a second copy of the state's number (DIR/guard)"},
    {"rate", "N", "requests per minute that one client may make (600); 0 = no limit"},
    {"metrics-listen", "ADDRESS", "serve figures for Prometheus at this address"},
    END};
static const struct cli_option of_deposit[] = {
    {"key", "FILE", "with a move: your signing key"},
    {"log", "NAME", "with a move: the name of the service's log, as club.example/log"},
    {"witness", "URL", "where to leave the move; may be repeated"},
    COMPONENTS,
    END};
static const struct cli_option of_dealer[] = {
    {"policy", "FILE", "the logs whose services are answered"},
    {"listen", "ADDRESS", "where to serve (127.0.0.1:9468)"},
    {"rate", "N", "requests per minute that one client may make (6000); 0 = no limit"},
    {"metrics-listen", "ADDRESS", "serve figures for Prometheus at this address"},
    END};

/* ---- The table ---- */

/* The order is: players, organizers and spectators, then auditors, then operators. */
static const struct cli_command commands[] = {
    {"register", "NAME", 1, 1, "create an account, and sign in with it",
     "Asks for the password twice, or reads it from a file. Stores the token in accounts.json (see "
     "FILES). You can be signed in to a service with several accounts; --as chooses one.",
     of_account, .run = cli_register},
    {"login", "NAME", 1, 1, "sign in",
     "Like register, for an existing account. Use it also to replace a lost token.", of_account,
     .run = cli_login},
    {"logout", "", 0, 0, "sign out, and end the session", NULL, of_session, .run = cli_logout},
    {"whoami", "", 0, 0, "show who is signed in", NULL, of_client, .run = cli_whoami},
    {"events", "", 0, 0, "list events, newest first", NULL, of_list, .run = cli_events},
    {"event show", "EVENT", 1, 1, "show an event", NULL, of_client, .run = cli_event_show},
    {"event entries", "EVENT", 1, 1, "list the entries of an event", NULL, of_client,
     .run = cli_event_entries},
    {"event log", "EVENT", 1, 1, "show the log of an event", NULL, of_list, .run = cli_event_log},
    {"event create", "NAME", 1, 1, "create an event", NULL, of_create, .run = cli_event_create},
    {"event change", "EVENT", 1, 1, "change the settings of an event", NULL, of_change,
     .run = cli_event_change},
    {"event open", "EVENT", 1, 1, "open an event for entries", NULL, of_client,
     .run = cli_event_open},
    {"event hold", "EVENT NAME", 2, 2, "hold a place for a person without an account", NULL,
     of_client, .run = cli_event_hold},
    {"event import", "BUNDLE", 1, 1, "import a closed event from another service",
     "Sends the bundle, which the service proves as `tillroll event` does before it accepts it. "
     "For admins of the site.",
     of_import, .run = cli_event_import},
    {"event close-entries", "EVENT", 1, 1, "close the entries of an event", NULL, of_client,
     .run = cli_event_close_entries},
    {"event draw", "EVENT", 1, 1, "pair the next round and start it", NULL, of_official,
     .run = cli_event_pairing},
    {"event close", "EVENT", 1, 1, "close an event, and make its standings final", NULL,
     of_official, .run = cli_event_close},
    {"event cancel", "EVENT REASON", 2, 2, "cancel an event that has not been played", NULL,
     of_official, .run = cli_event_cancel},
    {"enter", "EVENT", 1, 1, "enter an event", NULL, of_client, .run = cli_enter},
    {"leave", "EVENT", 1, 1, "withdraw from an event, or drop out", NULL, of_session,
     .run = cli_leave},
    {"pairings", "EVENT [ROUND]", 1, 2, "show the pairings of a round, by default the newest", NULL,
     of_client, .run = cli_pairings},
    {"standings", "EVENT", 1, 1, "show the standings of an event", NULL, of_standings,
     .run = cli_standings},
    {"leaderboard", "", 0, 0, "show the players with the best ratings", NULL, of_leaderboard,
     .run = cli_leaderboard},
    {"games", "", 0, 0, "list your games, newest first", NULL, of_games, .run = cli_games},
    {"view", "GAME", 1, 1, "show a game as you may see it, as JSON", NULL, of_view,
     .run = cli_view},
    {"moves", "GAME", 1, 1, "list your legal moves, one per line", NULL, of_client,
     .run = cli_moves},
    {"sample", "GAME", 1, 1, "print positions that are possible from what your seat knows",
     "What you cannot know is dealt at random; everything else stays. Each line is an "
     "engine state in base64; --json adds the ruleset and the entry of the record.",
     of_sample, .run = cli_sample},
    {"move", "GAME MOVE...", 2, CLI_WORDS_MANY, "make a move, in words as listed by `moves`", NULL,
     of_move, .run = cli_move},
    {"record", "GAME", 1, 1, "print the record of a game", NULL, of_record, .run = cli_record},
    {"watch", "[GAME | EVENT]", 0, 1,
     "follow a game, an event or everything, and reconnect after breaks", NULL, of_watch,
     .run = cli_watch},
    {"api", "METHOD PATH [JSON]", 2, 3, "send any request of the API (openapi.json)",
     "The body is the JSON given, or read from standard input if that is -. Prints the response.",
     of_api, .run = cli_api},
    {"bot", "", 0, 0, "play your games with a program of yours or a built-in policy",
     "Plays until all games of the account are over. The account is that of $TILLROLL_TOKEN, or "
     "the one signed in. With --exec, a program of yours decides, in any language; it never sees "
     "the token.",
     of_bot, .run = cli_bot},

    {"house", "", 0, 0, "play for house accounts",
     "Decides for accounts made with `tillroll admin house`, at the level of each, until SIGTERM "
     "or SIGINT; the current move is finished first. The accounts are those of --tokens, or else "
     "the one "
     "of "
     "$TILLROLL_TOKEN or signed in. Several processes may play for the same accounts. `verify "
     "--house` makes the decisions again from a game's record. While no move is due, it makes "
     "analyses of finished games that readers have asked for. Runs at low priority.",
     of_house, .run = cli_house},
    {"key", "new|public|register|revoke|sign FILE [MOVE]", 2, 3,
     "create a signing key, register it, and sign moves",
     "new creates a key; public prints its public half; register makes it the key for your moves, "
     "or for those of a bot of yours, from your next game on; revoke ends that, and also accepts "
     "the public half instead of the file; sign prints the signature of a move for POST "
     "/v1/games/<id>/moves.",
     of_key, .run = cli_key},
    {"deposit", "RECORD MOVE | FILE", 1, 2,
     "leave with witnesses a move that the service does not accept",
     "RECORD is the record of the game so far; or FILE is a move that the page of a game has "
     "signed and saved. Signs the move, leaves it in the drop box of each --witness, and prints it "
     "with their receipts: keep that output for `verify --deposit`. Exit status 0 if all have "
     "accepted it, 1 if one has not.",
     of_deposit, .needs = "witness", .run = cli_deposit},

    {"verify", "FILE...", 1, CLI_WORDS_MANY, "prove records, offline",
     "Options go before the files. Exit status 0 if all are valid, 1 if one is not, 2 if one "
     "cannot be judged, 3 if --house finds decisions by a version that this program does not have.",
     of_verify, .main = cli_verify},
    {"event", "FILE", 1, 1, "prove an event from its bundle, offline",
     "Checks the hash and the signature, the log, every draw (from the secret), every record (by "
     "replay) and every result (against its record). Then computes standings and ratings, as if "
     "no player had been rated before.",
     of_event, .run = cli_event},
    {"adjudicate", "FILE", 1, 1, "propose a result for a game that cannot be finished",
     "Plays the game to its end many times from the given position, all seats as level regular. "
     "The result is a proposal for arbiters, with its uncertainty, not a verdict. Works for "
     "unfinished "
     "records, with their secret, and for any position of a finished one.",
     of_adjudicate, .run = cli_adjudicate},
    {"collusion", "FILE...", 1, CLI_WORDS_MANY,
     "look for players who lose in favor of one opponent, over many games",
     "Reads records of finished games, which it analyzes, and what `tillroll analyse --json` has "
     "printed. For each player and each opponent, a permutation test asks whether the player's "
     "moves gave that opponent more than others. One honest pair in 10,000 is flagged by chance. "
     "A flag is evidence for auditors to look into, not a verdict. "
     "/docs/explanation/analysis explains it.",
     of_collusion, .run = cli_collusion},
    {"puzzles", "FILE...", 1, CLI_WORDS_MANY,
     "find positions in which one move is far better than all others",
     "Reads records of finished games and prints a line of JSON for each such position: what its "
     "player sees, and what each move is worth. The best move leads every other one by at least "
     "five standard errors. /docs/explanation/analysis describes the members.",
     of_puzzles, .run = cli_puzzles},
    {"odds", "FILE", 1, 1, "compute who can still win a running event, from its bundle",
     "Plays the rest of the event many times by a model of ratings and results, and proves what is "
     "certain. The same log gives the same numbers on every machine, so this checks the odds that "
     "a service shows. /docs/explanation/odds describes the model. Exit status 2 if the event has "
     "no odds.",
     of_odds, .run = cli_odds},
    {"replay", "FILE", 1, 1, "describe a finished game ply by ply", NULL, of_replay,
     .run = cli_replay},
    {"scorer", "FILE", 1, 1, "record a game that is played with printed components",
     "Reads moves from standard input, one per line, as `moves` lists them, and asks what came "
     "from "
     "where whenever something is turned up. It never asks what goes into a hand unseen. `back` "
     "takes the last move back, `back N` goes back to before entry N of the record, `moves` lists "
     "moves that may be possible, and `quit` stops; the same command continues the file later. "
     "When the game is over, `end` writes the results. `verify` calls such a record recorded: "
     "legal play, with "
     "luck "
     "as you told it (/docs/explanation/trust).",
     of_scorer, .run = cli_scorer},
    {"analyse", "FILE", 1, 1, "separate luck from skill in a game, and find its costliest moves",
     "Only finished games with a valid record are analyzed. The same record and budget give the "
     "same numbers on every machine. /docs/explanation/analysis explains them and describes the "
     "JSON.",
     of_analyse, .run = cli_analyse},
    {"case", "FILE...", 1, CLI_WORDS_MANY, "run worked cases of a game's rules", NULL, of_case,
     .needs = "ruleset", .run = cli_case},
    {"components check", "FILE...", 1, CLI_WORDS_MANY,
     "check component sets: the lists of a printed game, as JSON",
     "A set has the form of engine/games/<game>/components.json; the file names its game. For each "
     "file, prints that the ruleset can be played with it, and its hash; or the first fault, with "
     "its line and its place in the file. /docs/explanation/components explains what "
     "a set may change. Exit status 1 if a file is wrong.",
     of_nothing, .run = cli_components_check},
    {"components hash", "FILE...", 1, CLI_WORDS_MANY,
     "print the SHA-256 by which records name component sets", NULL, of_nothing,
     .run = cli_components_hash},
    {"components schema", "SLUG", 1, 1, "print the JSON Schema of a game's component sets",
     "Editors use it to complete keys and to mark faults. It cannot say everything that "
     "`components check` checks.",
     of_nothing, .run = cli_components_schema},
    {"trace", "[FILE]", 0, 1, "play the given plies, and print the possible decisions after each",
     NULL, of_trace, .needs = "ruleset seats seed", .run = cli_trace},
    {"match", "", 0, 0, "play bots against each other, without a server",
     "Each player is a policy or, with --exec, a program of yours, as for `tillroll bot`. "
     "Each deal is played once from every seating, so that all players get the same luck. Prints "
     "scores, first places, rivals beaten and differences in points of Elo, with intervals of 95 "
     "%, for each player, and for each seat, whoever sits there. With --sprt they exaggerate a "
     "little, since the test ends when a difference looks large. --compare shows what another "
     "component set changes. If all players have one policy, each deal is played once, and the "
     "figures are those of the seats. The same "
     "seed and programs that make the same decisions produce the same games, with any number "
     "of workers. Without --seed, a seed is drawn and printed.",
     of_match, .needs = "ruleset", .run = cli_match},
    {"train", "", 0, 0, "learn what positions are worth, from games that bots play",
     "Writes the weights with which the searching levels value positions "
     "(engine/games/<game>/value.txt), and their SHA-256 on standard error. The same "
     "seed gives the same weights.",
     of_train, .needs = "ruleset", .run = cli_train},
    {"demo", "", 0, 0, "play a whole event with bots",
     "With --club, creates members to experiment with, and events for every game, some finished "
     "and some running. Prints the password. If the club already exists, creates nothing.",
     of_demo, .run = cli_demo},

    {"top", "", 0, 0, "show the metrics of a running service, live", NULL, of_top, .run = cli_top},
    {"audit", "", 0, 0, "verify every record in a database, and its transparency log",
     "Lines that begin with notice: list acts of officials on games to which they were a party. "
     "The service now refuses such acts; they damage nothing. Exit status 0 if all is well, 1 "
     "if something is damaged, 2 if that cannot be determined.",
     of_audit, .run = cli_audit},
    {"admin", "create|password|grant|revoke|list|house|puzzles [NAME [ROLE]]", 1, 3,
     "assign roles, create accounts, reset passwords",
     "create creates an account with the role admin; password sets a new password and ends all "
     "sessions of the account; grant and revoke assign and remove a role: admin, auditor or "
     "arbiter; list shows who has a role; house LEVEL creates an account for a house player "
     "(`tillroll house`), and prints its token, which is valid for 366 days; house all makes four "
     "accounts of each level, unless they exist, and prints new tokens for all of them; earlier "
     "tokens end; puzzles FILE adds what `tillroll puzzles` has printed, each for the next day "
     "without a puzzle of its ruleset.",
     of_admin, .run = cli_admin},
    {"monitor", "URL DIR", 2, 2, "follow the transparency log of a service from outside",
     "Keeps all leaves of the log in DIR, computes the root of each checkpoint from them, checks "
     "its "
     "signatures by the policy (c2sp.org/tlog-policy), and verifies the record of each finished "
     "game "
     "in it. An alarm is printed, and given to --exec, --webhook and --mail-to; for the last two "
     "it waits in DIR until it is accepted. Exit status 0 if all is well, 1 after an alarm, 2 if "
     "the "
     "service did not answer.",
     of_monitor, .needs = "policy", .run = cli_monitor},
    {"witness", "new|public|serve DIR", 2, 2, "cosign the checkpoints of transparency logs",
     "new creates a key and an empty state in DIR; public prints the verification key; serve "
     "answers POST /add-checkpoint (c2sp.org/tlog-witness) for the logs of --policy, and GET "
     "/checkpoint/<SHA-256 of a log's origin>. It also keeps moves that players leave (POST "
     "/add-deposit, see deposit). A policy names logs and other witnesses, with their "
     "addresses (c2sp.org/tlog-policy): after a start, these are asked for a larger tree that this "
     "witness has cosigned, and nothing is signed until each has answered. Put the guard where no "
     "backup restores it along with DIR.",
     of_witness, .run = cli_witness},
    {"dealer", "new|public|serve DIR", 2, 2, "give random outputs for the luck of games",
     "new creates a key in DIR; public prints the public key, which events name; serve answers "
     "POST /deal (ECVRF-EDWARDS25519-SHA512-TAI, RFC 9381) for the services whose logs --policy "
     "names: once for each game or duplicate round. GET /answers/0 lists what was answered. Never "
     "restore DIR from a backup: a dealer that has forgotten an answer could give a second one.",
     of_dealer, .run = cli_dealer},
    {"dealer compare", "LIST DIR...", 2, CLI_WORDS_MANY,
     "compare what a dealer was asked for with transparency logs",
     "LIST is the dealer's list of answers (the file `answers`, or what GET /answers/<n> shows); "
     "each DIR is that of a `tillroll monitor`, one for each log whose service the dealer answers. "
     "Every commitment in the list must be in one of the logs: a service that asks for many games, "
     "and plays the one that suits it, has to log them all. Then it lists the games that have no "
     "record: they are being played, or were given up. Take the list before the monitor's last "
     "look. Exit status 1 if a commitment is in no log.",
     of_nothing, .run = cli_dealer_compare},
    {"archive", "DIR...", 1, CLI_WORDS_MANY, "move records of finished games to files",
     "Proves the records of games that have long been over, in closed events, writes them to each "
     "of the directories, and removes them from the database. Services and `audit` read them from "
     "the directory in $TILLROLL_ARCHIVE. Needs a database user that may change tables, like "
     "migrate. Exit status 0 if all were moved, 1 if not.",
     of_archive, .run = cli_archive},
    {"lines", "join|leave|sweep", 1, 1, "keep moves of running games in databases of their own",
     "join makes the databases of the list line databases of this installation; services must then "
     "name the same list. leave moves all lines to the central database and empties the others. "
     "For both, stop all services first. sweep removes what the line databases still have of games "
     "that have been over for an hour; it can run at any time. Needs a database user that may "
     "change tables, "
     "like migrate.",
     of_lines, .run = cli_lines},
    {"migrate", "", 0, 0, "bring a database up to date", NULL, of_migrate, .run = cli_migrate},
    {"load", "", 0, 0, "measure the load that a server can handle", NULL, of_load,
     .needs = "server", .run = cli_load},

    {"man", "", 0, 0, "print the manual page", NULL, of_nothing, .run = cli_manual},
    {"completion", "bash", 1, 1, "print a completion script for a shell", NULL, of_nothing,
     .run = cli_completion},
    {"help", "[COMMAND]", 0, 2, "list the commands, or describe one", NULL, of_nothing,
     .run = NULL},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

const struct cli_command *cli_command_at(size_t i)
{
    return i < COMMANDS ? &commands[i] : NULL;
}
