/* Report files of other programs: their next round paired, their rounds paired once more. */
#include "api/handlers.h"
#include "engine/tournament/trf_again.h"

/* ---- Reading ---- */

static bool refuse_file(struct call *call, const struct trf_error *error)
{
    char detail[320];
    struct text text = TEXT_OVER(detail);
    if (error->line > 0) {
        text_add(&text, "Line ");
        text_add_number(&text, (int64_t)error->line);
        text_add(&text, ": ");
    }
    text_add(&text, error->refusal.message);
    return call_problem(call, error->refusal.code, detail);
}

static bool read_file(struct call *call, struct trf_event *event)
{
    struct trf_error error;
    size_t size;
    struct span body = call->request->body;
    if (!trf_measure(body, &size, &error) ||
        !trf_read(body, arena_take(call->arena, size), event, &error))
        return refuse_file(call, &error);
    return event->player_count > 0 ||
           call_problem(call, TRF_REFUSAL_SYNTAX, "The file has no players.");
}

static struct trf_pair *room_for_pairs(struct call *call, const struct trf_event *event)
{
    return arena_array(call->arena, event->player_count / 2 + 1, sizeof(struct trf_pair));
}

/* ---- Answers ---- */

static json_t *pairs_document(const struct trf_pair *pairs, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            list, json_pack("{s:i, s:o}", "white", pairs[i].white, "black",
                            pairs[i].black == 0 ? json_null() : json_integer(pairs[i].black)));
    return list;
}

void trf_pairings(struct call *call)
{
    struct trf_event event = {.player_count = 0};
    struct refusal refusal;
    size_t count;
    if (!read_file(call, &event))
        return;
    struct trf_pair *pairs = room_for_pairs(call, &event);
    uint16_t round = (uint16_t)(event.rounds_played + 1);
    if (round > TOURNAMENT_ROUNDS_MAX)
        call_problem(call, "no-more-rounds", "A file has 64 rounds at most.");
    else if (!trf_pair_again(&event, round, pairs, &count, &refusal))
        call_problem(call, DUTCH_REFUSAL_IMPOSSIBLE, refusal.message);
    else
        call_answer(call, 200,
                    json_pack("{s:s, s:i, s:o}", "rules", DUTCH_RULES, "round", round, "pairs",
                              pairs_document(pairs, count)));
}

/* A round that cannot be paired by the rules has no pairs of ours, but a refusal. */
static json_t *check_round(struct call *call, const struct trf_event *event, uint16_t round,
                           bool *same)
{
    struct refusal refusal = {NULL, ""};
    struct trf_pair *ours = room_for_pairs(call, event), *given = room_for_pairs(call, event);
    size_t count = 0;
    size_t given_count = trf_pairs_given(event, round, given);
    bool paired = trf_pair_again(event, round, ours, &count, &refusal);
    *same = paired && trf_pairs_same(ours, count, given, given_count);
    return json_pack("{s:i, s:b, s:o, s:o, s:o}", "round", round, "same", (int)*same, "given",
                     pairs_document(given, given_count), "expected",
                     paired ? pairs_document(ours, count) : json_null(), "refusal",
                     paired ? json_null() : json_string(refusal.message));
}

void trf_check(struct call *call)
{
    struct trf_event event = {.player_count = 0};
    bool all = true;
    if (!read_file(call, &event))
        return;
    json_t *rounds = json_array();
    for (uint16_t round = 1; round <= event.rounds_played; round++) {
        bool same;
        json_array_append_new(rounds, check_round(call, &event, round, &same));
        all = all && same;
    }
    call_answer(
        call, 200,
        json_pack("{s:s, s:b, s:o}", "rules", DUTCH_RULES, "same", (int)all, "rounds", rounds));
}
