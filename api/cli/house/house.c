/* `tillroll house`: plays for house accounts. It is a plain client of the REST interface: its
 * decisions depend only on the seat's own position (GET .../sample), a level
 * (engine/search/level.h) and luck derived from the record, so that anybody can repeat them
 * (`tillroll verify --house`). While no move is due, it analyses finished games for the service. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "api/cli/cli.h"
#include "api/cli/house/house_account.h"
#include "api/cli/house/house_analysis.h"
#include "api/cli/session.h"
#include "api/cli/table.h"
#include "api/watch/exposition.h"
#include "api/watch/metrics_listener.h"
#include "db/link/now.h"
#include "engine/base/arena.h"

enum { ACCOUNTS_MAX = 64, GAMES_MAX = 1000, LEVELS_MAX = 16 };

struct taken_game {
    char id[RECORD_ID_LENGTH + 1];
    bool running; /* seen in the last list of games */
};

struct house {
    struct house_account account[ACCOUNTS_MAX];
    size_t accounts;
    const char *level[LEVELS_MAX]; /* plays only for these; none = all */
    size_t levels;
    struct taken_game game[GAMES_MAX]; /* games in which it plays */
    size_t games;
    unsigned long games_most;
    bool once;
    bool games_only; /* no analyses */
    struct house_analysis analysis;
    struct house_figures figures;
    int64_t started_ms;
};

/* ---- Games ---- */

static struct taken_game *find_game(struct house *house, const char *id)
{
    for (size_t i = 0; i < house->games; i++)
        if (strcmp(house->game[i].id, id) == 0)
            return &house->game[i];
    return NULL;
}

/* True if the game is already taken, or there is room to take it. */
static bool take_game(struct house *house, const char *id)
{
    if (id == NULL || !record_is_id(span_of(id)))
        return false;
    if (find_game(house, id) != NULL)
        return true;
    if (house->games >= house->games_most)
        return false;
    struct taken_game *game = &house->game[house->games++];
    memcpy(game->id, id, sizeof game->id);
    game->running = true;
    counter_add(&house->figures.games_taken, 1);
    counter_set(&house->figures.games, house->games);
    return true;
}

/* Drops games that are over, to make room. False if the service did not answer. */
static bool drop_finished(struct house *house)
{
    for (size_t i = 0; i < house->games; i++)
        house->game[i].running = false;
    for (size_t i = 0; i < house->accounts; i++) {
        bool failed;
        size_t at;
        json_t *each;
        json_t *games = house_account_games(&house->account[i], false, &failed);
        if (failed)
            return false;
        json_array_foreach(json_object_get(games, "items"), at, each)
        {
            const char *id = json_string_value(json_object_get(each, "id"));
            struct taken_game *game = id == NULL ? NULL : find_game(house, id);
            if (game != NULL)
                game->running = true;
        }
        json_decref(games);
    }
    size_t kept = 0;
    for (size_t i = 0; i < house->games; i++)
        if (house->game[i].running)
            house->game[kept++] = house->game[i];
    house->games = kept;
    counter_set(&house->figures.games, kept);
    return true;
}

/* ---- Accounts ---- */

static bool is_wanted(const struct house *house, const struct level *level)
{
    for (size_t i = 0; i < house->levels; i++)
        if (strcmp(house->level[i], level->name) == 0)
            return true;
    return house->levels == 0;
}

static void drop(struct house *house, size_t index)
{
    client_free(house->account[index].client);
    memmove(&house->account[index], &house->account[index + 1],
            (house->accounts - index - 1) * sizeof house->account[0]);
    house->accounts--;
}

/* Waits until the service has identified all accounts. False if none is left. */
static bool identify_all(struct house *house)
{
    long pause_ms = 500;
    for (size_t i = 0; i < house->accounts && !cli_is_stopping();) {
        enum house_identity met = house_account_identify(&house->account[i]);
        if (met == HOUSE_UNREACHABLE) {
            client_print_away(house->account[i].client);
            if (!cli_is_stopping())
                rest_ms(pause_ms);
            pause_ms = pause_ms >= 30000 ? 60000 : 2 * pause_ms;
        } else if (met == HOUSE_UNSUITABLE || !is_wanted(house, house->account[i].level)) {
            drop(house, i);
        } else {
            i++;
        }
    }
    if (house->accounts == 0)
        fprintf(stderr, "tillroll: there is no house account to play for\n");
    return house->accounts > 0;
}

/* Plays wherever it is the account's turn. False if a request failed. */
static bool play_account(struct house *house, struct house_account *account, size_t *refused)
{
    bool failed;
    size_t i;
    json_t *game;
    json_t *games = house_account_games(account, true, &failed);
    int64_t seen_us = now_us(CLOCK_MONOTONIC);
    json_array_foreach(json_object_get(games, "items"), i, game)
    {
        const char *id = json_string_value(json_object_get(game, "id"));
        if (cli_is_stopping())
            break;
        if (!take_game(house, id)) {
            ++*refused;
            continue;
        }
        uint64_t before = counter_read(&house->figures.moves);
        if (house_account_play(account, id, &house->figures) == TURN_FAILED)
            failed = true;
        if (counter_read(&house->figures.moves) != before)
            counter_add(&house->figures.waiting_us, (uint64_t)(now_us(CLOCK_MONOTONIC) - seen_us));
    }
    json_decref(games);
    return !failed;
}

/* ---- The loop ---- */

enum { ENTROPY_EVERY_MS = 2000, SWEEP_EVERY_MS = 2000 };

struct schedule {
    int64_t entropy_ms, sweep_ms;
};

/* Polls all accounts once. False if one of them failed. */
static bool poll_accounts(struct house *house, struct schedule *next)
{
    int64_t now = now_ms(CLOCK_MONOTONIC);
    bool entropy = now >= next->entropy_ms;
    bool all = true;
    size_t refused = 0;
    if (entropy)
        next->entropy_ms = now + ENTROPY_EVERY_MS;
    for (size_t i = 0; i < house->accounts && !cli_is_stopping(); i++) {
        struct house_account *account = &house->account[i];
        if (account->rest_until_ms > now) {
            all = false;
            continue;
        }
        bool good = (!entropy || house_account_give_entropy(account)) &&
                    play_account(house, account, &refused);
        if (good)
            account->pause_ms = 0;
        else
            house_account_suspend(account, now);
        counter_add(&house->figures.failures, !good);
        all = all && good;
    }
    if ((refused > 0 || house->once) && now >= next->sweep_ms) {
        next->sweep_ms = now + SWEEP_EVERY_MS;
        all = drop_finished(house) && all;
    }
    counter_add(&house->figures.passes, 1);
    return all;
}

static bool has_running(struct house *house)
{
    for (size_t i = 0; i < house->accounts; i++) {
        bool failed;
        json_t *games = house_account_games(&house->account[i], false, &failed);
        bool some = failed || json_array_size(json_object_get(games, "items")) > 0;
        json_decref(games);
        if (some)
            return true;
    }
    return false;
}

/* Works on analyses until the next poll, or rests. False if there was nothing to do. */
static bool work_or_rest(struct house *house, long ms, bool moved)
{
    if (!house->games_only &&
        house_analysis_work(&house->analysis, house->account[0].client, ms, house->once && !moved))
        return true;
    if (!cli_is_stopping())
        rest_ms(ms);
    return false;
}

/* Polls soon after a move, because other players may be quick, then less and less often. */
static void run(struct house *house)
{
    enum { FIRST_MS = 50, MOST_MS = 1000 };
    struct schedule next = {0, 0};
    long pause_ms = FIRST_MS;
    while (!cli_is_stopping()) {
        uint64_t before = counter_read(&house->figures.moves);
        bool good = poll_accounts(house, &next);
        bool moved = counter_read(&house->figures.moves) != before;
        pause_ms = moved ? FIRST_MS : 2 * pause_ms < MOST_MS ? 2 * pause_ms : MOST_MS;
        if (!work_or_rest(house, pause_ms, moved) && house->once && good && !moved &&
            !has_running(house))
            return;
    }
}

/* ---- Figures ---- */

static void show_figures(struct exposition *exposition, const void *context)
{
    const struct house *house = context;
    exposition_counter(exposition, "tillroll_house_moves_total", "Moves played.",
                       counter_read(&house->figures.moves));
    exposition_counter(exposition, "tillroll_house_declarations_total",
                       "Games in whose record this program was declared.",
                       counter_read(&house->figures.declared));
    exposition_counter(exposition, "tillroll_house_failures_total",
                       "Times that an account was left alone after an error.",
                       counter_read(&house->figures.failures));
    exposition_counter(exposition, "tillroll_house_games_total", "Games taken on, ever.",
                       counter_read(&house->figures.games_taken));
    exposition_family(exposition, "tillroll_house_deciding_seconds_total", "counter",
                      "Time from a position to its move.");
    exposition_seconds(exposition, (int64_t)counter_read(&house->figures.deciding_us));
    exposition_family(exposition, "tillroll_house_waiting_seconds_total", "counter",
                      "Time that games waited until their turn was played, once it was seen: other "
                      "games come first.");
    exposition_seconds(exposition, (int64_t)counter_read(&house->figures.waiting_us));
    exposition_counter(exposition, "tillroll_house_passes_total", "Looks at all accounts.",
                       counter_read(&house->figures.passes));
    exposition_counter(exposition, "tillroll_house_analyses_total", "Analyses delivered.",
                       counter_read(&house->analysis.made));
    exposition_gauge(exposition, "tillroll_house_games", "Games taken on.",
                     counter_read(&house->figures.games));
    exposition_gauge(exposition, "tillroll_house_accounts", "Accounts played for.",
                     house->accounts);
    process_figures_show(exposition, house->started_ms);
}

/* ---- The command line ---- */

static bool add_account(struct house *house, const char *server, const char *token)
{
    if (house->accounts == ACCOUNTS_MAX) {
        fprintf(stderr, "tillroll: one process plays for at most %d accounts\n", ACCOUNTS_MAX);
        return false;
    }
    struct client *client = client_new(server, token);
    if (client != NULL)
        house->account[house->accounts++] = (struct house_account){.client = client};
    return client != NULL;
}

/* Reads one token per line; empty lines and lines beginning with # are ignored. */
static bool read_tokens(struct house *house, const char *server, const char *path)
{
    struct stat status;
    size_t length;
    struct span line;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && (status.st_mode & 037) != 0) {
        fprintf(stderr, "tillroll: %s can be read by others; chmod 600 it\n", path);
        return false;
    }
    char *bytes = cli_read_file(path, &length);
    bool good = bytes != NULL;
    struct span rest_of_file = {bytes, good ? length : 0};
    while (good && span_line(&rest_of_file, &line)) {
        char token[SESSION_TOKEN_BYTES];
        struct text text = TEXT_OVER(token);
        if (line.length == 0 || line.at[0] == '#')
            continue;
        text_add_span(&text, line);
        good = !text.overflow && add_account(house, server, token);
    }
    free(bytes);
    return good;
}

static bool read_accounts(struct house *house, const struct cli_given *given)
{
    const char *path = cli_value(given, "tokens");
    struct session session;
    if (path != NULL)
        return session_find_server(given, session.server) &&
               read_tokens(house, session.server, path);
    if (!session_find(given, &session))
        return false;
    if (session.token[0] != '\0')
        return add_account(house, session.server, session.token);
    fprintf(stderr, "tillroll: give --tokens FILE, or set $TILLROLL_TOKEN\n");
    return false;
}

static bool read_levels(struct house *house, const struct cli_given *given)
{
    for (; house->levels < LEVELS_MAX; house->levels++) {
        const char *name = cli_value_at(given, "level", house->levels);
        if (name == NULL)
            return true;
        if (cli_level(name) == NULL)
            return false;
        house->level[house->levels] = name;
    }
    return true;
}

static void print_accounts(const struct house *house)
{
    for (size_t i = 0; i < house->accounts; i++)
        table_say(stdout, "playing for %s\n", house->account[i].name);
    fflush(stdout);
}

int cli_house(const struct cli_given *given)
{
    static struct house house; /* large */
    const struct metrics_source figures = {show_figures, &house};
    struct metrics_listener *listener;
    house = (struct house){.once = cli_value(given, "once") != NULL,
                           .games_only = cli_value(given, "games-only") != NULL,
                           .started_ms = now_ms(CLOCK_REALTIME)};
    if (!read_levels(&house, given) ||
        !cli_value_number(given, "games", 1, GAMES_MAX, 20, &house.games_most))
        return EXIT_UNKNOWN;
    cli_hear_signals();
    (void)signal(SIGPIPE, SIG_IGN);
    (void)setpriority(PRIO_PROCESS, 0, 15);
    int status = EXIT_UNKNOWN;
    if (read_accounts(&house, given) && identify_all(&house) &&
        metrics_listener_open(&figures, cli_value(given, "metrics-listen"), &listener)) {
        print_accounts(&house);
        run(&house);
        metrics_listener_free(listener);
        printf("%llu moves played\n", (unsigned long long)counter_read(&house.figures.moves));
        status = EXIT_YES;
    }
    house_analysis_drop(&house.analysis);
    for (size_t i = 0; i < house.accounts; i++)
        client_free(house.account[i].client);
    return status;
}
