/* `tillroll key`: a player's signing key. It is created, stored and used on the player's machine;
 * the service only gets its public half. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/session.h"
#include "api/cli/signer.h"

static void print_public(const struct signer *signer)
{
    char hex[2 * KEYRING_KEY + 1];
    printf("%s\n", sodium_bin2hex(hex, sizeof hex, signer->public_key, sizeof signer->public_key));
}

/* Prints the public half of a key that `get` creates or reads. */
static int show(const char *file, bool (*get)(const char *path, struct signer *signer))
{
    struct signer signer;
    if (!get(file, &signer))
        return EXIT_NO;
    print_public(&signer);
    signer_forget(&signer);
    return EXIT_YES;
}

/* ---- Registering and revoking ---- */

/* Returns the path `/v1/players/<id>/signing-keys` of the player concerned, in a buffer of the
 * client. NULL with a message. `player` is set to the id. */
static const char *find_keys(struct client *client, const struct cli_given *given,
                             char player[static RECORD_ID_LENGTH + 1])
{
    const char *bot = cli_value(given, "bot");
    json_t *me = bot != NULL ? NULL : client_need(client, "GET", "/v1/me", NULL);
    const char *id = bot != NULL ? bot : json_string_value(json_object_get(me, "id"));
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

static json_t *registration(const struct cli_given *given, const struct signer *signer,
                            const char *player)
{
    char bytes[KEYRING_MESSAGE_MAX];
    char hex[SIGNER_HEX];
    char key[2 * KEYRING_KEY + 1];
    struct text message = TEXT_OVER(bytes);
    struct signer before;
    const char *replaces = cli_value(given, "replaces");
    if (replaces != NULL && !signer_read(replaces, &before))
        return NULL;
    keyring_message(player, signer->public_key, replaces != NULL ? before.public_key : NULL,
                    &message);
    signer_sign(signer, text_span(&message), hex);
    json_t *body =
        json_pack("{s:s, s:s}", "key",
                  sodium_bin2hex(key, sizeof key, signer->public_key, sizeof signer->public_key),
                  "proof", hex);
    if (replaces != NULL) {
        signer_sign(&before, text_span(&message), hex);
        json_object_set_new(body, "endorsement", json_string(hex));
        signer_forget(&before);
    }
    return body;
}

static int register_key(const struct cli_given *given, struct client *client)
{
    struct signer signer;
    char player[RECORD_ID_LENGTH + 1];
    if (!signer_read(given->word[1], &signer))
        return EXIT_NO;
    const char *path = find_keys(client, given, player);
    json_t *body = path == NULL ? NULL : registration(given, &signer, player);
    json_t *keys = body == NULL ? NULL : client_need(client, "POST", path, body);
    if (keys != NULL)
        print_public(&signer);
    signer_forget(&signer);
    json_decref(keys);
    return keys == NULL ? EXIT_NO : EXIT_YES;
}

/* Reads the public half of a key, from a key file or as hexadecimal digits: a key to be revoked may
 * be lost. */
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

static int revoke_key(const struct cli_given *given, struct client *client)
{
    char hex[2 * KEYRING_KEY + 1];
    char rest[2 * KEYRING_KEY + 20];
    char player[RECORD_ID_LENGTH + 1];
    struct text text = TEXT_OVER(rest);
    if (!read_public(given->word[1], hex) || find_keys(client, given, player) == NULL)
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

static int with_client(const struct cli_given *given,
                       int (*act)(const struct cli_given *, struct client *))
{
    struct client *client = session_client(given, true);
    if (client == NULL)
        return EXIT_UNKNOWN;
    int status = act(given, client);
    client_free(client);
    return status;
}

/* ---- Signing ---- */

static int sign(const struct cli_given *given)
{
    const char *game = cli_value(given, "game"), *head_hex = cli_value(given, "head");
    struct signer signer;
    uint8_t head[32];
    unsigned long seat;
    char hex[SIGNER_HEX];
    if (game == NULL || !record_is_id(span_of(game)) || head_hex == NULL ||
        !span_hex(span_of(head_hex), head, sizeof head) || cli_value(given, "seat") == NULL ||
        given->words < 3)
        return cli_wrong_usage(given, "sign takes FILE and MOVE, --game, --head and --seat");
    if (!cli_value_number(given, "seat", 0, GAME_SEATS_MAX - 1, 0, &seat) ||
        !signer_read(given->word[1], &signer))
        return EXIT_UNKNOWN;
    signer_sign_move(&signer, game, head, (unsigned)seat, span_of(given->word[2]), hex);
    signer_forget(&signer);
    printf("%s\n", hex);
    return EXIT_YES;
}

/* ---- The command line ---- */

int cli_key(const struct cli_given *given)
{
    const char *word = given->word[0];
    bool alone = given->words == 2;
    if (strcmp(word, "sign") == 0)
        return sign(given);
    if (alone && strcmp(word, "new") == 0)
        return show(given->word[1], signer_make);
    if (alone && strcmp(word, "public") == 0)
        return show(given->word[1], signer_read);
    if (alone && strcmp(word, "register") == 0)
        return with_client(given, register_key);
    if (alone && strcmp(word, "revoke") == 0)
        return with_client(given, revoke_key);
    return cli_wrong_usage(given, "takes new, public, register or revoke and FILE, or sign, FILE "
                                  "and MOVE");
}
