/* Positions for authors of bots: what is possible from a seat's point of view (`imagine` in
 * engine/game/game.h). Their luck is derived from public data, so that position k of a seat at a
 * moment is always the same, and tells nothing that the seat's view does not. */
#include <sodium.h>
#include <string.h>

#include "api/play/handlers.h"
#include "api/play/sealed.h"
#include "api/play/views.h"
#include "api/request/documents.h"
#include "api/request/visibility.h"

enum {
    SAMPLE_FORMAT = 1, /* the version of `states` in the document */
    SAMPLE_MANY = 64,
    SAMPLE_LAST = INT32_MAX
};

/* The range of positions requested: first .. first + count - 1. */
struct sample {
    uint32_t first, count;
};

/* Reads ?n=<1 .. 64>&first=<number>. */
static bool read_sample(struct call *call, struct sample *sample)
{
    *sample = (struct sample){.count = 1};
    for (size_t i = 0; i < call->request->parameters; i++) {
        struct http_parameter parameter = call->request->parameter[i];
        bool many = span_is(parameter.name, "n");
        uint64_t number;
        if ((!many && !span_is(parameter.name, "first")) ||
            !span_number(parameter.value, many ? SAMPLE_MANY : SAMPLE_LAST - SAMPLE_MANY,
                         &number) ||
            (many && number == 0))
            return call_problem(call, "bad-parameter",
                                "Positions are asked for with n=<how many, 1 to 64> and "
                                "first=<the number of the first, 0 without it>.");
        *(many ? &sample->count : &sample->first) = (uint32_t)number;
    }
    return true;
}

/* The luck of position `number` of a seat at the record's head. */
static struct chance chance_of(const struct replay *replay, unsigned seat, uint32_t number)
{
    static const uint8_t label[] = "tillroll/sample/1";
    struct chance chance = {.stacks = NULL};
    uint8_t where[5] = {(uint8_t)seat};
    crypto_generichash_state hash;
    for (unsigned i = 0; i < 4; i++)
        where[1 + i] = (uint8_t)(number >> 8 * i);
    crypto_generichash_init(&hash, NULL, 0, sizeof chance.seed);
    crypto_generichash_update(&hash, label, sizeof label - 1);
    crypto_generichash_update(&hash, replay->head, sizeof replay->head);
    crypto_generichash_update(&hash, where, sizeof where);
    crypto_generichash_final(&hash, chance.seed, sizeof chance.seed);
    return chance;
}

static json_t *state_json(const struct replay *replay, unsigned seat, uint32_t number)
{
    const struct game *game = replay->header.game;
    const struct chance chance = chance_of(replay, seat, number);
    _Alignas(8) unsigned char state[GAME_STATE_MAX];
    char text[sodium_base64_ENCODED_LEN(GAME_STATE_MAX, sodium_base64_VARIANT_ORIGINAL)];
    memcpy(state, replay->state, game->state_size);
    game->imagine(game, state, (struct viewer){VIEWER_SEAT, seat}, &chance);
    sodium_bin2base64(text, sizeof text, state, game->state_size, sodium_base64_VARIANT_ORIGINAL);
    return json_string(text);
}

static void answer_sample(struct call *call, const struct replay *replay, unsigned seat,
                          bool decided, struct sample sample)
{
    const struct game *game = replay->header.game;
    json_t *states = json_array();
    for (uint32_t i = 0; i < sample.count; i++)
        json_array_append_new(states, state_json(replay, seat, sample.first + i));
    call_answer(call, 200,
                json_pack("{s:i, s:o, s:s, s:i, s:i, s:b, s:i, s:o}", "format", SAMPLE_FORMAT,
                          "ruleset", ruleset_reference(game->slug, game->version),
                          "components_sha256", game->components_sha256, "seq", (int)replay->seq,
                          "seat", (int)seat, "decided", (int)decided, "first", (int)sample.first,
                          "states", states));
}

void games_sample(struct call *call)
{
    struct game_row game;
    struct replay *replay;
    struct sample sample;
    bool decided;
    if (!views_load_game(call, &game, &replay))
        return;
    struct viewer viewer = visibility_viewer(call, &game);
    if (viewer.kind != VIEWER_SEAT)
        call_problem(call, "not-a-seat",
                     "Only the players of this game may have positions supposed from their seat.");
    else if (read_sample(call, &sample) &&
             sealed_has_decided(call, &game.id, replay, viewer.seat, &decided))
        answer_sample(call, replay, viewer.seat, decided, sample);
}
