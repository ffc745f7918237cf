#include "api/cli/session.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/cli/cli.h"
#include "api/cli/signer.h"
#include "api/cli/table.h"
#include "db/link/id.h"
#include "engine/base/arena.h"

enum { PATH_BYTES = 4096 };

static bool is_set(const char *value)
{
    return value != NULL && value[0] != '\0';
}

/* ---- The file ---- */

static bool has_home(void)
{
    return is_set(getenv("XDG_CONFIG_HOME")) || is_set(getenv("HOME"));
}

/* The path of the directory, or with `name` of the file in it. */
static bool print_path(struct text *path, const char *name)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    const char *place = is_set(config) ? config : home;
    if (place == NULL || place[0] == '\0')
        return cli_fail("accounts.json", "neither XDG_CONFIG_HOME nor HOME is set");
    text_add_all(path, place, place == config ? "/tillroll" : "/.config/tillroll", name);
    return !path->overflow || cli_fail(path->at, "the name is too long");
}

/* True if only the file's owner may read or write it. */
static bool is_private(int file, const char *path)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return cli_fail(path, strerrordesc_np(errno));
    return (status.st_mode & 077) == 0 ||
           cli_fail(
               path,
               "other users may read or write it, and it contains tokens; run chmod 600 on it");
}

/* The parsed file, {} if there is none. NULL with a message. */
static json_t *read_accounts(void)
{
    char bytes[PATH_BYTES];
    struct text path = TEXT_OVER(bytes);
    if (!has_home())
        return json_object();
    if (!print_path(&path, "/accounts.json"))
        return NULL;
    int file = open(bytes, O_RDONLY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT)
        return json_object();
    if (file < 0) {
        cli_fail(bytes, strerrordesc_np(errno));
        return NULL;
    }
    bool private = is_private(file, bytes);
    json_t *accounts = private ? json_loadfd(file, 0, NULL) : NULL;
    if (private && accounts == NULL)
        cli_fail(bytes, "cannot be read as JSON");
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
    return mkdir(bytes, 0700) == 0 || errno == EEXIST || cli_fail(bytes, strerrordesc_np(errno));
}

static bool write_whole(int file, const json_t *accounts)
{
    return json_dumpfd(accounts, file, JSON_INDENT(2)) == 0 && fsync(file) == 0;
}

/* Readers find either the old file or the new one. */
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
    return (good && rename(new_bytes, bytes) == 0) || cli_fail(bytes, strerrordesc_np(errno));
}

/* ---- The service ---- */

static bool refuse_address(const char *word, const char *why)
{
    fprintf(stderr,
            "tillroll: %s: %s; --server takes the address of a service, such as "
            "http://127.0.0.1:8080\n",
            word, why);
    return false;
}

/* Appends a part of an address; "" if missing. */
static void add_part(CURLU *url, CURLUPart part, const char *before, struct text *to)
{
    char *value = NULL;
    if (curl_url_get(url, part, &value, 0) == CURLUE_OK) {
        text_add(to, before);
        text_add(to, value);
    }
    curl_free(value);
}

static bool has_part(CURLU *url, CURLUPart part, const char *but)
{
    char *value = NULL;
    bool has = curl_url_get(url, part, &value, 0) == CURLUE_OK && strcmp(value, but) != 0;
    curl_free(value);
    return has;
}

static bool print_address(const char *word, CURLU *url, struct text *address)
{
    char scheme[16];
    char bytes[2 * SESSION_SERVER_BYTES];
    struct text text = TEXT_OVER(scheme);
    struct text whole = TEXT_OVER(bytes);
    text_add(&whole, strstr(word, "://") == NULL ? "http://" : "");
    text_add(&whole, word);
    if (whole.overflow ||
        curl_url_set(url, CURLUPART_URL, bytes, CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK)
        return refuse_address(word, "is not an address");
    add_part(url, CURLUPART_SCHEME, "", &text);
    if (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0)
        return refuse_address(word, "begins with neither http:// nor https://");
    if (has_part(url, CURLUPART_USER, "") || has_part(url, CURLUPART_QUERY, "") ||
        has_part(url, CURLUPART_FRAGMENT, ""))
        return refuse_address(word, "has more than host and port");
    if (has_part(url, CURLUPART_PATH, "/"))
        return refuse_address(word, "has a path");
    text_add(address, scheme);
    add_part(url, CURLUPART_HOST, "://", address);
    add_part(url, CURLUPART_PORT, ":", address);
    return !address->overflow || refuse_address(word, "is too long");
}

/* Normalizes a given address to `http://host:port`: a final slash is accepted, and `http://` may be
 * omitted. */
static bool normalize_address(const char *word, char server[static SESSION_SERVER_BYTES])
{
    struct text address = {server, 0, SESSION_SERVER_BYTES, false};
    CURLU *url = must(curl_url());
    text_clear(&address);
    bool good = print_address(word, url, &address);
    curl_url_cleanup(url);
    return good;
}

static bool choose_server(const struct cli_given *given, const json_t *accounts,
                          char server[static SESSION_SERVER_BYTES])
{
    const char *const named[] = {cli_value(given, "server"), getenv("TILLROLL_SERVER"),
                                 json_string_value(json_object_get(accounts, "server")),
                                 "http://127.0.0.1:8080"};
    size_t i = 0;
    while (!is_set(named[i]))
        i++;
    return normalize_address(named[i], server);
}

bool session_find_server(const struct cli_given *given, char server[static SESSION_SERVER_BYTES])
{
    json_t *accounts = read_accounts();
    bool found = accounts != NULL && choose_server(given, accounts, server);
    json_decref(accounts);
    return found;
}

/* ---- Stored accounts ---- */

/* The accounts stored for a service, a new list. */
static json_t *accounts_of(const json_t *accounts, const char *server)
{
    json_t *kept = json_object_get(json_object_get(accounts, "accounts"), server);
    json_t *list = json_array();
    if (json_is_array(kept))
        json_array_extend(list, kept);
    else if (json_is_object(kept))
        json_array_append(list, kept);
    return list;
}

/* Writes the file with a new list for a service. Consumes the list. */
static bool put_accounts(json_t *accounts, const char *server, json_t *list)
{
    if (!json_is_object(json_object_get(accounts, "accounts")))
        json_object_set_new(accounts, "accounts", json_object());
    json_t *all = json_object_get(accounts, "accounts");
    if (json_array_size(list) == 0) {
        json_object_del(all, server);
        json_decref(list);
    } else {
        json_object_set_new(all, server, list);
    }
    return write_accounts(accounts);
}

/* The index of the account whose member has this value; the list's size if there is none. */
static size_t find_account(const json_t *list, const char *member, const char *value)
{
    size_t i;
    json_t *account;
    json_array_foreach(list, i, account)
    {
        const char *kept = json_string_value(json_object_get(account, member));
        if (kept != NULL && value != NULL && strcmp(kept, value) == 0)
            return i;
    }
    return json_array_size(list);
}

static bool refuse_name(const json_t *list, const char *server, const char *name)
{
    size_t i;
    json_t *account;
    fprintf(stderr, "tillroll: %s is not signed in at %s; tillroll login %s", name, server, name);
    json_array_foreach(list, i, account)
    {
        const char *kept = json_string_value(json_object_get(account, "name"));
        fputs(i == 0 ? " (signed in: " : ", ", stderr);
        table_print_text(stderr, kept == NULL ? "" : kept);
    }
    fputs(json_array_size(list) == 0 ? "\n" : ")\n", stderr);
    return false;
}

static bool choose_token(const struct cli_given *given, const json_t *list, struct session *session)
{
    const char *as = cli_value(given, "as");
    const char *token = as == NULL ? getenv("TILLROLL_TOKEN") : NULL;
    struct text text = TEXT_OVER(session->token);
    size_t i = as == NULL ? 0 : find_account(list, "name", as);
    if (as != NULL && i == json_array_size(list))
        return refuse_name(list, session->server, as);
    if (!is_set(token))
        token = json_string_value(json_object_get(json_array_get(list, i), "token"));
    text_add(&text, is_set(token) ? token : "");
    return !text.overflow || cli_fail("TILLROLL_TOKEN", "is too long for a token");
}

bool session_find(const struct cli_given *given, struct session *session)
{
    json_t *accounts = read_accounts();
    bool found = accounts != NULL && choose_server(given, accounts, session->server);
    if (found) {
        json_t *list = accounts_of(accounts, session->server);
        found = choose_token(given, list, session);
        json_decref(list);
    }
    json_decref(accounts);
    return found;
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
        return account != NULL || cli_fail(server, "its response is not supported");
    }
    json_t *list = accounts_of(accounts, server);
    const char *id = json_string_value(json_object_get(account, "player"));
    (void)json_array_remove(list, find_account(list, "player", id));
    json_array_insert_new(list, 0, account);
    json_object_set_new(accounts, "server", json_string(server));
    bool kept = put_accounts(accounts, server, list);
    json_decref(accounts);
    return kept;
}

bool session_forget(const struct session *session)
{
    json_t *accounts = read_accounts();
    if (accounts == NULL)
        return false;
    json_t *list = accounts_of(accounts, session->server);
    (void)json_array_remove(list, find_account(list, "token", session->token));
    bool kept = put_accounts(accounts, session->server, list);
    json_decref(accounts);
    return kept;
}

/* Gives the client the official's signer, with --sign. */
static struct client *with_signer(const struct cli_given *given, struct client *client)
{
    static struct signer signer; /* used as long as the client */
    const char *file = cli_value(given, "sign");
    if (client == NULL || file == NULL)
        return client;
    if (!signer_read(file, &signer)) {
        client_free(client);
        return NULL;
    }
    client_sign_with(client, signer_sign_official, &signer);
    return client;
}

struct client *session_client(const struct cli_given *given, bool needed)
{
    struct session session;
    if (!session_find(given, &session))
        return NULL;
    if (needed && session.token[0] == '\0') {
        cli_fail(session.server, "you are not signed in; run tillroll login NAME");
        return NULL;
    }
    return with_signer(given,
                       client_new(session.server, session.token[0] == '\0' ? NULL : session.token));
}

int session_end(const struct cli_given *given, struct client *client, json_t *answer,
                void (*print)(const json_t *answer))
{
    int status = client == NULL ? EXIT_UNKNOWN : answer == NULL ? EXIT_NO : EXIT_YES;
    if (answer != NULL)
        (cli_value(given, "json") != NULL ? table_print_json : print)(answer);
    json_decref(answer);
    client_free(client);
    return status;
}

const char *session_id(const char *word, char id[static 37])
{
    struct id read;
    const char *slash = strrchr(word, '/');
    if (!id_parse(span_of(slash == NULL ? word : slash + 1), &read)) {
        cli_fail(word, "is neither an id, as shown in lists, nor an address that ends in one");
        return NULL;
    }
    memcpy(id, read.text, sizeof read.text);
    return id;
}
