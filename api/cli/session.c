#include "api/cli/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/id.h"

enum { PATH_BYTES = 4096 };

static bool fail(const char *what, const char *why)
{
    fprintf(stderr, "tillroll: %s: %s\n", what, why);
    return false;
}

static bool is_set(const char *value)
{
    return value != NULL && value[0] != '\0';
}

/* ---- The file ---- */

static bool has_place(void)
{
    return is_set(getenv("XDG_CONFIG_HOME")) || is_set(getenv("HOME"));
}

/* Its directory, or with `name` the file in it. */
static bool print_path(struct text *path, const char *name)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    if (!has_place())
        return fail("accounts.json", "neither XDG_CONFIG_HOME nor HOME says where it belongs");
    text_add(path, is_set(config) ? config : home);
    text_add(path, is_set(config) ? "/tillroll" : "/.config/tillroll");
    text_add(path, name);
    return !path->overflow || fail(path->at, "the name is too long");
}

/* True if nobody else may read or write it. */
static bool is_private(int file, const char *path)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return fail(path, strerrordesc_np(errno));
    return (status.st_mode & 077) == 0 ||
           fail(path, "others may read or write it; it holds tokens: chmod 600");
}

/* What the file holds, {} if there is none. NULL with a message. */
static json_t *read_accounts(void)
{
    char bytes[PATH_BYTES];
    struct text path = TEXT_OVER(bytes);
    if (!has_place())
        return json_object();
    if (!print_path(&path, "/accounts.json"))
        return NULL;
    int file = open(bytes, O_RDONLY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT)
        return json_object();
    if (file < 0) {
        fail(bytes, strerrordesc_np(errno));
        return NULL;
    }
    bool private = is_private(file, bytes);
    json_t *accounts = private ? json_loadfd(file, 0, NULL) : NULL;
    if (private && accounts == NULL)
        fail(bytes, "cannot be read as JSON");
    close(file);
    return accounts;
}

static bool make_directory(void)
{
    char bytes[PATH_BYTES];
    struct text path = TEXT_OVER(bytes);
    if (!print_path(&path, ""))
        return false;
    for (char *at = strchr(bytes + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
        *at = '\0';
        (void)mkdir(bytes, 0700);
        *at = '/';
    }
    return mkdir(bytes, 0700) == 0 || errno == EEXIST || fail(bytes, strerrordesc_np(errno));
}

static bool write_whole(int file, const json_t *accounts)
{
    return json_dumpfd(accounts, file, JSON_INDENT(2)) == 0 && fsync(file) == 0;
}

/* Others find the old file or the new one. */
static bool write_accounts(const json_t *accounts)
{
    char bytes[PATH_BYTES];
    char new_bytes[PATH_BYTES];
    struct text path = TEXT_OVER(bytes);
    struct text new_path = TEXT_OVER(new_bytes);
    if (!make_directory() || !print_path(&path, "/accounts.json") ||
        !print_path(&new_path, "/accounts.json.new"))
        return false;
    (void)unlink(new_bytes);
    int file = open(new_bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool good = file >= 0 && write_whole(file, accounts);
    if (file >= 0)
        close(file);
    return (good && rename(new_bytes, bytes) == 0) || fail(bytes, strerrordesc_np(errno));
}

/* ---- Who is signed in where ---- */

static const char *account_value(const json_t *accounts, const char *server, const char *member)
{
    const json_t *account = json_object_get(json_object_get(accounts, "accounts"), server);
    return json_string_value(json_object_get(account, member));
}

static bool choose(const char *server, const json_t *accounts, struct session *session)
{
    struct text address = TEXT_OVER(session->server);
    struct text token = TEXT_OVER(session->token);
    const char *last = json_string_value(json_object_get(accounts, "server"));
    if (!is_set(server))
        server = getenv("TILLROLL_SERVER");
    if (!is_set(server))
        server = is_set(last) ? last : "http://127.0.0.1:8080";
    size_t length = strlen(server);
    while (length > 0 && server[length - 1] == '/')
        length--;
    text_add_span(&address, (struct span){server, length});
    const char *given = getenv("TILLROLL_TOKEN");
    const char *kept = account_value(accounts, session->server, "token");
    text_add(&token, is_set(given) ? given : is_set(kept) ? kept : "");
    return (!address.overflow && !token.overflow) || fail(server, "is too long");
}

bool session_find_at(const char *server, struct session *session)
{
    json_t *accounts = read_accounts();
    bool found = accounts != NULL && choose(server, accounts, session);
    json_decref(accounts);
    return found;
}

bool session_find(const struct cli_given *given, struct session *session)
{
    return session_find_at(cli_value(given, "server"), session);
}

bool session_keep(const char *server, const json_t *answer)
{
    const json_t *player = json_object_get(answer, "player");
    json_t *account =
        json_pack("{s:O, s:O, s:O}", "name", json_object_get(player, "name"), "player",
                  json_object_get(player, "id"), "token", json_object_get(answer, "token"));
    json_t *accounts = read_accounts();
    if (account == NULL || accounts == NULL) {
        json_decref(account);
        json_decref(accounts);
        return account != NULL || fail(server, "its answer is none that is known here");
    }
    if (!json_is_object(json_object_get(accounts, "accounts")))
        json_object_set_new(accounts, "accounts", json_object());
    json_object_set_new(json_object_get(accounts, "accounts"), server, account);
    json_object_set_new(accounts, "server", json_string(server));
    bool kept = write_accounts(accounts);
    json_decref(accounts);
    return kept;
}

bool session_forget(const char *server)
{
    json_t *accounts = read_accounts();
    if (accounts == NULL)
        return false;
    json_object_del(json_object_get(accounts, "accounts"), server);
    bool kept = write_accounts(accounts);
    json_decref(accounts);
    return kept;
}

struct client *session_client(const struct cli_given *given, bool needed)
{
    struct session session;
    if (!session_find(given, &session))
        return NULL;
    if (needed && session.token[0] == '\0') {
        fail(session.server, "nobody is signed in; tillroll login NAME");
        return NULL;
    }
    return client_new(session.server, session.token[0] == '\0' ? NULL : session.token);
}

const char *session_id(const char *word, char id[static 37])
{
    struct id read;
    const char *slash = strrchr(word, '/');
    if (!id_parse(span_of(slash == NULL ? word : slash + 1), &read)) {
        fail(word, "is no id, as lists show them, and no address that ends in one");
        return NULL;
    }
    memcpy(id, read.text, sizeof read.text);
    return id;
}
