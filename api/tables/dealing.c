#include "api/tables/dealing.h"

#include <string.h>

#include "api/request/documents.h"
#include "engine/record/dealer.h"

enum { SECOND_MS = 1000 };

static bool begin(struct call *call, const struct loaded_event *loaded,
                  const struct dealing *dealing, const struct dealer_input *input)
{
    const struct tournament_settings *settings = &loaded->tournament->settings;
    struct record_dealer dealers[RECORD_DEALERS_MAX] = {{.missing = true}};
    char bytes[DEALER_INPUT_MAX];
    struct text text = TEXT_OVER(bytes);
    for (unsigned i = 0; i < settings->dealers; i++) {
        memcpy(dealers[i].name, settings->dealer[i].name, sizeof dealers[i].name);
        memcpy(dealers[i].key, settings->dealer[i].key, sizeof dealers[i].key);
    }
    dealer_input_print(input, &text);
    int64_t due_ms = settings->dealers_seconds == 0
                         ? 0
                         : call->now_ms + (int64_t)settings->dealers_seconds * SECOND_MS;
    return call_found(call,
                      dealing_add(call->db, dealing, bytes, dealers, settings->dealers, due_ms));
}

bool dealing_begin_game(struct call *call, const struct loaded_event *loaded,
                        const struct waiting_game *waiting)
{
    struct record_header header = {.seats = waiting->seats};
    struct dealer_input input;
    memcpy(header.game_id, waiting->id.text, sizeof header.game_id);
    memcpy(header.commitment, waiting->commitment, sizeof header.commitment);
    for (unsigned i = 0; i < waiting->seats; i++) {
        const struct entropy *given = &waiting->seat[i].given;
        header.seat[i].entropy_size = (uint8_t)given->size;
        memcpy(header.seat[i].entropy, given->bytes, given->size);
    }
    dealer_input_of(&header, &input);
    const struct dealing dealing = {.scope = input.scope,
                                    .event = waiting->event,
                                    .round = waiting->round,
                                    .game = waiting->id,
                                    .asked_ms = call->now_ms};
    return begin(call, loaded, &dealing, &input);
}

bool dealing_begin_round(struct call *call, const struct loaded_event *loaded, unsigned round,
                         const uint8_t commitment[static 32])
{
    struct dealer_input input = {.has_entropy = false};
    struct text scope = TEXT_OVER(input.scope);
    record_round_scope(loaded->event.id.text, round, &scope);
    memcpy(input.commitment, commitment, sizeof input.commitment);
    const struct dealing dealing = {
        .scope = input.scope, .event = loaded->event.id, .round = round, .asked_ms = call->now_ms};
    return begin(call, loaded, &dealing, &input);
}

bool dealing_add_proofs(struct call *call, struct record_header *header)
{
    struct dealer_input input;
    struct record_fault fault;
    dealer_input_of(header, &input);
    return call_found(call, dealing_dealers(call->db, call->arena, input.scope, header->dealer,
                                            &header->dealers)) &&
           (dealer_check(header, &fault) ||
            call_problem(call, "internal-error", "A dealer's stored proof does not hold."));
}

bool dealing_lock_due(struct call *call, const char *scope, bool *can_end)
{
    *can_end = false;
    enum db_status status = dealing_lock(call->db, scope, call->now_ms, can_end);
    return status == DB_NONE || call_found(call, status);
}

json_t *dealing_document(const struct record_dealer *dealers, unsigned count)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:s, s:b}", "name", dealers[i].name, "answered",
                                              (int)!dealers[i].missing));
    return list;
}
