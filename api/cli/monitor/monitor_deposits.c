#include "api/cli/monitor/monitor_deposits.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "api/cli/client.h"
#include "api/cli/table.h"
#include "engine/log/deposit.h"

/* True if the file is a receipt of this witness for a move that is missing from the record. */
static bool is_dropped(const struct trust_party *witness, struct span file, struct span record,
                       const struct component_sets *sets)
{
    static struct deposit_room room; /* too large for the stack */
    struct deposit deposit;
    struct note note;
    struct record_fault fault;
    uint64_t time_s;
    room.sets = sets;
    if (!deposit_read_file(file, &deposit, &note) || !deposit_is_signed(&deposit) ||
        cosignature_verify(&note, &witness->key, &time_s) != NOTE_SIGNED ||
        deposit_judge(&deposit, time_s, record, &room, &fault) != DEPOSIT_DROPPED)
        return false;
    table_say(stderr, "tillroll: %s: game %s, seat %u: line %u: %s\n", witness->key.name,
              deposit.game, deposit.seat, fault.line, fault.message);
    return true;
}

/* Fetches the game's deposits. NULL if the witness does not answer, or has no drop box. */
static json_t *fetch(const struct trust_party *witness, const struct replay *replay)
{
    char server[256];
    char bytes[160];
    struct text text = TEXT_OVER(server);
    struct text path = TEXT_OVER(bytes);
    long status = 0;
    text_add_span(&text, witness->url);
    text_add_all(&path, "/deposits/", replay->header.game_id, "/");
    text_add_hex(&path, replay->secret, sizeof replay->secret);
    struct client *client = text.overflow ? NULL : client_new(server, NULL);
    if (client == NULL)
        return NULL;
    json_t *answer = client_call(client, "GET", bytes, NULL, &status);
    client_free(client);
    if (status == 200 && answer != NULL)
        return answer;
    json_decref(answer);
    return status == 404 ? json_object() : NULL;
}

static bool has_dropped(const struct trust_party *witness, const json_t *answer, struct span record,
                        const struct component_sets *sets)
{
    bool dropped = false;
    size_t i;
    json_t *file;
    json_array_foreach(json_object_get(answer, "deposits"), i, file)
    {
        const char *text = json_string_value(file);
        dropped = (text != NULL && is_dropped(witness, span_of(text), record, sets)) || dropped;
    }
    return dropped;
}

bool monitor_deposits_dropped(const struct trust_policy *policy,
                              bool away[static MONITOR_PARTIES_MAX], struct span record,
                              const struct component_sets *sets, const struct replay *replay)
{
    bool dropped = false;
    for (size_t i = 0; i < policy->parties && !replay->header.recorded; i++) {
        const struct trust_party *witness = &policy->party[i];
        if (witness->needed > 0 || witness->url.length == 0 || away[i])
            continue;
        json_t *answer = fetch(witness, replay);
        away[i] = answer == NULL;
        if (away[i])
            fprintf(stderr,
                    "tillroll: witness %s does not answer; from game %s on, what was left with it "
                    "is not compared\n",
                    witness->key.name, replay->header.game_id);
        dropped = has_dropped(witness, answer, record, sets) || dropped;
        json_decref(answer);
    }
    return dropped;
}
