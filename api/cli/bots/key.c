/* `tillroll key`: a player's signing key. It is created, stored and used on the player's machine;
 * the service only gets its public half. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/session.h"
#include "api/cli/signer.h"

struct wish {
    const struct cli_given *given;
    const char *file, *bot, *replaces, *game, *head, *seat, *move;
};

static void print_public(const struct signer *signer)
{
    char hex[2 * KEYRING_KEY + 1];
    printf("%s\n", sodium_bin2hex(hex, sizeof hex, signer->public_key, sizeof signer->public_key));
}

static int make(const struct wish *wish)
{
    struct signer signer;
    if (!signer_make(wish->file, &signer))
        return EXIT_NO;
    print_public(&signer);
    signer_forget(&signer);
    return EXIT_YES;
}

static int show(const struct wish *wish)
{
    struct signer signer;
    if (!signer_read(wish->file, &signer))
        return EXIT_NO;
    print_public(&signer);
    signer_forget(&signer);
    return EXIT_YES;
}

/* ---- On a service ---- */

/* `/v1/players/<id>/signing-keys` of the player concerned, in a buffer of the client. NULL with a
 * message. `player` gets the id. */
static const char *find_keys(struct client *client, const struct wish *wish,
                             char player[static RECORD_ID_LENGTH + 1])
{
    json_t *me = wish->bot != NULL ? NULL : client_need(client, "GET", "/v1/me", NULL);
    const char *id = wish->bot != NULL ? wish->bot : json_string_value(json_object_get(me, "id"));
    const char *path = NULL;
    if (id == NULL || !record_is_id(span_of(id))) {
        fprintf(stderr, "tillroll: the player's id is not known\n");
    } else {
        memcpy(player, id, RECORD_ID_LENGTH + 1);
        path = client_path(client, "/v1/players/", player, "/signing-keys");
    }
    json_decref(me);
    return path;
}

static json_t *registration(const struct wish *wish, const struct signer *signer,
                            const char *player)
{
    char bytes[KEYRING_MESSAGE_MAX];
    char hex[SIGNER_HEX];
    char key[2 * KEYRING_KEY + 1];
    struct text message = TEXT_OVER(bytes);
    struct signer before;
    bool replaces = wish->replaces != NULL;
    if (replaces && !signer_read(wish->replaces, &before))
        return NULL;
    keyring_message(player, signer->public_key, replaces ? before.public_key : NULL, &message);
    signer_sign(signer, text_span(&message), hex);
    json_t *body =
        json_pack("{s:s, s:s}", "key",
                  sodium_bin2hex(key, sizeof key, signer->public_key, sizeof signer->public_key),
                  "proof", hex);
    if (replaces) {
        signer_sign(&before, text_span(&message), hex);
        json_object_set_new(body, "endorsement", json_string(hex));
        signer_forget(&before);
    }
    return body;
}

static int register_key(const struct wish *wish, struct client *client)
{
    struct signer signer;
    char player[RECORD_ID_LENGTH + 1];
    if (!signer_read(wish->file, &signer))
        return EXIT_NO;
    const char *path = find_keys(client, wish, player);
    json_t *body = path == NULL ? NULL : registration(wish, &signer, player);
    json_t *keys = body == NULL ? NULL : client_need(client, "POST", path, body);
    if (keys != NULL)
        print_public(&signer);
    signer_forget(&signer);
    json_decref(keys);
    return keys == NULL ? EXIT_NO : EXIT_YES;
}

/* A key to be revoked may be lost, so its public half is accepted. */
static bool read_public(const char *word, char hex[static 2 * KEYRING_KEY + 1])
{
    uint8_t key[KEYRING_KEY];
    struct signer signer;
    if (span_hex(span_of(word), key, sizeof key)) {
        memcpy(hex, word, 2 * sizeof key + 1);
        return true;
    }
    if (!signer_read(word, &signer))
        return false;
    sodium_bin2hex(hex, 2 * KEYRING_KEY + 1, signer.public_key, sizeof signer.public_key);
    signer_forget(&signer);
    return true;
}

static int revoke_key(const struct wish *wish, struct client *client)
{
    char hex[2 * KEYRING_KEY + 1];
    char rest[2 * KEYRING_KEY + 20];
    char player[RECORD_ID_LENGTH + 1];
    struct text text = TEXT_OVER(rest);
    if (!read_public(wish->file, hex) || find_keys(client, wish, player) == NULL)
        return EXIT_NO;
    text_add(&text, "/signing-keys/");
    text_add(&text, hex);
    json_t *keys =
        client_need(client, "DELETE", client_path(client, "/v1/players/", player, rest), NULL);
    if (keys != NULL)
        printf("%s is revoked\n", hex);
    json_decref(keys);
    return keys == NULL ? EXIT_NO : EXIT_YES;
}

static int with_client(const struct wish *wish, int (*act)(const struct wish *, struct client *))
{
    struct client *client = session_client(wish->given, true);
    if (client == NULL)
        return EXIT_UNKNOWN;
    int status = act(wish, client);
    client_free(client);
    return status;
}

/* ---- Signing ---- */

static int sign(const struct wish *wish)
{
    struct signer signer;
    uint8_t head[32];
    unsigned long seat;
    char hex[SIGNER_HEX];
    if (wish->game == NULL || !record_is_id(span_of(wish->game)) || wish->head == NULL ||
        !span_hex(span_of(wish->head), head, sizeof head) || wish->seat == NULL ||
        wish->move == NULL)
        return cli_wrong_usage(wish->given, "sign takes FILE and MOVE, --game, --head and --seat");
    if (!cli_number(wish->seat, "--seat", 0, GAME_SEATS_MAX - 1, &seat) ||
        !signer_read(wish->file, &signer))
        return EXIT_UNKNOWN;
    signer_sign_move(&signer, wish->game, head, (unsigned)seat, span_of(wish->move), hex);
    signer_forget(&signer);
    printf("%s\n", hex);
    return EXIT_YES;
}

/* ---- The command line ---- */

static int run(const char *word, const struct wish *wish)
{
    if (strcmp(word, "sign") == 0)
        return sign(wish);
    if (wish->move == NULL && strcmp(word, "new") == 0)
        return make(wish);
    if (wish->move == NULL && strcmp(word, "public") == 0)
        return show(wish);
    if (wish->move == NULL && strcmp(word, "register") == 0)
        return with_client(wish, register_key);
    if (wish->move == NULL && strcmp(word, "revoke") == 0)
        return with_client(wish, revoke_key);
    return cli_wrong_usage(wish->given, "takes new, public, register or revoke and FILE, or sign, "
                                        "FILE and MOVE");
}

int cli_key(const struct cli_given *given)
{
    const struct wish wish = {.given = given,
                              .file = given->word[1],
                              .bot = cli_value(given, "bot"),
                              .replaces = cli_value(given, "replaces"),
                              .game = cli_value(given, "game"),
                              .head = cli_value(given, "head"),
                              .seat = cli_value(given, "seat"),
                              .move = given->words == 3 ? given->word[2] : NULL};
    return run(given->word[0], &wish);
}
