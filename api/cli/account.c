/* `tillroll register`, `login`, `logout`, `whoami`. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "api/cli/cli.h"
#include "api/cli/session.h"
#include "api/cli/table.h"

enum { PASSWORD_BYTES = 200 };

/* ---- Passwords ---- */

static bool cut_line(char *bytes)
{
    bytes[strcspn(bytes, "\r\n")] = '\0';
    return bytes[0] != '\0';
}

/* Reads the first line of a file. */
static bool read_password(const char *path, char password[static PASSWORD_BYTES])
{
    size_t size;
    char *bytes = cli_read_file(path, &size);
    if (bytes == NULL)
        return false;
    bool good = cut_line(bytes) && strlen(bytes) < PASSWORD_BYTES;
    if (good)
        memcpy(password, bytes, strlen(bytes) + 1);
    else
        fprintf(stderr, "tillroll: %s contains no password\n", path);
    sodium_memzero(bytes, size);
    free(bytes);
    return good;
}

/* Reads one line of typed input. */
static bool ask(FILE *terminal, const char *prompt, char password[static PASSWORD_BYTES])
{
    dprintf(fileno(terminal), "%s", prompt);
    bool good = fgets(password, PASSWORD_BYTES, terminal) != NULL && cut_line(password);
    dprintf(fileno(terminal), "\n");
    return good;
}

static bool ask_twice(FILE *terminal, char password[static PASSWORD_BYTES])
{
    char again[PASSWORD_BYTES] = "";
    bool good = ask(terminal, "Password: ", password);
    if (good && (!ask(terminal, "Repeat password: ", again) || strcmp(again, password) != 0)) {
        fprintf(stderr, "tillroll: the passwords differ; nothing was registered\n");
        good = false;
    }
    sodium_memzero(again, sizeof again);
    return good;
}

/* Reads a password from the terminal without echo; twice for new passwords, to catch typing
 * errors. */
static bool ask_password(bool twice, char password[static PASSWORD_BYTES])
{
    struct termios before;
    FILE *terminal = fopen("/dev/tty", "r+e");
    if (terminal == NULL || tcgetattr(fileno(terminal), &before) != 0) {
        fprintf(stderr, "tillroll: no terminal to ask for a password; use --password-file\n");
        if (terminal != NULL)
            fclose(terminal);
        return false;
    }
    struct termios silent = before;
    silent.c_lflag &= ~(tcflag_t)ECHO;
    tcsetattr(fileno(terminal), TCSAFLUSH, &silent);
    bool good = twice ? ask_twice(terminal, password) : ask(terminal, "Password: ", password);
    tcsetattr(fileno(terminal), TCSAFLUSH, &before);
    fclose(terminal);
    return good;
}

/* ---- Signing in and out ---- */

static bool begin(const struct cli_given *given, const char *path, const char *password)
{
    struct session session;
    if (!session_find(given, &session))
        return false;
    struct client *client = client_new(session.server, NULL);
    if (client == NULL)
        return false;
    json_t *answer =
        client_need(client, "POST", path,
                    json_pack("{s:s, s:s}", "name", given->word[0], "password", password));
    bool kept = answer != NULL && session_keep(session.server, answer);
    if (kept)
        table_say(stdout, "Signed in at %s as %s.\n", session.server,
                  json_string_value(table_find(answer, "player.name")));
    json_decref(answer);
    client_free(client);
    return kept;
}

static int sign_in(const struct cli_given *given, const char *path, bool is_new)
{
    char password[PASSWORD_BYTES];
    const char *file = cli_value(given, "password-file");
    if (!(file == NULL ? ask_password(is_new, password) : read_password(file, password)))
        return EXIT_UNKNOWN;
    bool good = begin(given, path, password);
    sodium_memzero(password, sizeof password);
    return good ? EXIT_YES : EXIT_NO;
}

int cli_register(const struct cli_given *given)
{
    return sign_in(given, "/v1/players", true);
}

int cli_login(const struct cli_given *given)
{
    return sign_in(given, "/v1/tokens", false);
}

/* A token that is no longer valid is removed too. */
int cli_logout(const struct cli_given *given)
{
    struct session session;
    long status = 0;
    if (!session_find(given, &session))
        return EXIT_UNKNOWN;
    struct client *client = session_client(given, true);
    if (client == NULL)
        return EXIT_UNKNOWN;
    json_decref(client_call(client, "DELETE", "/v1/tokens/current", NULL, &status));
    if (status == 0)
        client_print_away(client);
    client_free(client);
    if (status == 0)
        return EXIT_NO;
    if (status != 204 && status != 401) {
        fprintf(stderr, "tillroll: the session could not be ended: the service answered %ld\n",
                status);
        return EXIT_NO;
    }
    return session_forget(&session) ? EXIT_YES : EXIT_NO;
}

static void print_account(const json_t *me)
{
    static const struct column members[] = {
        {"name", "name", false}, {"id", "id", false}, {"since", "created_at", false}};
    table_print_members(me, members, 3);
}

int cli_whoami(const struct cli_given *given)
{
    struct client *client = session_client(given, true);
    json_t *me = client == NULL ? NULL : client_need(client, "GET", "/v1/me", NULL);
    return session_end(given, client, me, print_account);
}
