#include "api/cli/house/house_account.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/cli/cli.h"
#include "api/cli/table.h"
#include "db/link/now.h"

enum { REST_FIRST_MS = 1000, REST_MOST_MS = 60000 };

static json_int_t own_version(void)
{
    return strtoll(LEVEL_VERSION, NULL, 10);
}

static enum house_identity read_account(struct house_account *account, const json_t *me)
{
    const char *name = json_string_value(json_object_get(me, "name"));
    const char *level = json_string_value(json_object_get(json_object_get(me, "house"), "level"));
    if (name == NULL || strlen(name) >= sizeof account->name)
        return HOUSE_UNREACHABLE;
    memcpy(account->name, name, strlen(name) + 1);
    if (level == NULL) {
        table_say(stderr,
                  "tillroll: %s is not a house account; `tillroll admin house` makes them\n", name);
        return HOUSE_UNSUITABLE;
    }
    account->level = level_named(span_of(level));
    if (account->level == NULL)
        table_say(stderr, "tillroll: %s: this program does not have the level %s\n", name, level);
    return account->level == NULL ? HOUSE_UNSUITABLE : HOUSE_IDENTIFIED;
}

enum house_identity house_account_identify(struct house_account *account)
{
    enum { UNAUTHORIZED = 401 };
    long status;
    json_t *me = client_call(account->client, "GET", "/v1/me", NULL, &status);
    enum house_identity met = HOUSE_UNREACHABLE;
    if (status == 200)
        met = read_account(account, me);
    else if (status == UNAUTHORIZED)
        met = HOUSE_UNSUITABLE;
    if (status == UNAUTHORIZED)
        fprintf(stderr, "tillroll: a token of a house account is unknown, expired or revoked\n");
    json_decref(me);
    return met;
}

json_t *house_account_games(struct house_account *account, bool due, bool *failed)
{
    json_t *turns = due ? client_need(account->client, "GET", "/v1/me/turns", NULL) : NULL;
    bool asked = !due || turns != NULL;
    bool wanted = !due || json_integer_value(json_object_get(turns, "tables")) > 0;
    json_decref(turns);
    *failed = !asked;
    if (!asked || !wanted)
        return NULL;
    json_t *games =
        client_need(account->client, "GET", "/v1/me/games?state=running&limit=100", NULL);
    *failed = games == NULL;
    return games;
}

/* ---- Turns ---- */

static bool is_declared(const struct house_account *account, const json_t *legal)
{
    const json_t *house = json_object_get(legal, "house");
    const char *level = json_string_value(json_object_get(house, "level"));
    return level != NULL && strcmp(level, account->level->name) == 0 &&
           json_integer_value(json_object_get(house, "version")) == own_version();
}

/* Declares in the record which program decides from here on. If a newer program has been declared,
 * the game is left to it. */
static enum turn declare(struct house_account *account, const char *game,
                         struct house_figures *figures)
{
    enum { CREATED = 200, SAID = 204, CONFLICT = 409 };
    long status;
    json_t *answer = client_call(account->client, "POST",
                                 client_path(account->client, "/v1/games/", game, "/house"),
                                 json_pack("{s:I}", "version", own_version()), &status);
    const char *code = json_string_value(json_object_get(answer, "code"));
    enum turn turn = TURN_FAILED;
    if (status == CREATED || status == SAID)
        turn = TURN_PLAYED;
    else if (status == CONFLICT)
        turn = TURN_WAITING;
    if (code != NULL && strcmp(code, "house-outdated") == 0)
        fprintf(stderr,
                "tillroll: %s: a newer version of this program has decided here; this one leaves "
                "the game alone\n",
                game);
    else if (turn == TURN_FAILED)
        table_say(stderr, "tillroll: %s: the house player could not be declared: %ld %s\n", game,
                  status, code == NULL ? "" : code);
    counter_add(&figures->declared, turn == TURN_PLAYED);
    json_decref(answer);
    return turn;
}

static enum turn take_turn(struct house_account *account, const char *game,
                           struct house_figures *figures)
{
    const struct policy policy = {account->level};
    json_t *legal =
        client_need(account->client, "GET",
                    client_path(account->client, "/v1/games/", game, "/legal-moves"), NULL);
    enum turn turn = TURN_WAITING;
    if (legal == NULL)
        return TURN_FAILED;
    if (json_array_size(json_object_get(legal, "moves")) > 0 && !is_declared(account, legal)) {
        turn = declare(account, game, figures);
    } else if (json_array_size(json_object_get(legal, "moves")) > 0) {
        int64_t begun_us = now_us(CLOCK_MONOTONIC);
        turn = player_decide(account->client, game, legal, policy, NULL, NULL);
        counter_add(&figures->moves, turn == TURN_PLAYED);
        counter_add(&figures->deciding_us, (uint64_t)(now_us(CLOCK_MONOTONIC) - begun_us));
    }
    json_decref(legal);
    return turn;
}

enum turn house_account_play(struct house_account *account, const char *game,
                             struct house_figures *figures)
{
    enum turn turn = TURN_PLAYED;
    while (turn == TURN_PLAYED && !cli_is_stopping())
        turn = take_turn(account, game, figures);
    return turn;
}

bool house_account_give_entropy(struct house_account *account)
{
    size_t waiting;
    return player_give_entropy(account->client, NULL, &waiting);
}

void house_account_suspend(struct house_account *account, int64_t at_ms)
{
    account->pause_ms = account->pause_ms == 0 ? REST_FIRST_MS : 2 * account->pause_ms;
    if (account->pause_ms > REST_MOST_MS)
        account->pause_ms = REST_MOST_MS;
    account->rest_until_ms = at_ms + account->pause_ms;
}
