/* Report files of other programs: pairing their next round, and checking their played rounds by
 * pairing them again. A round of a large file takes seconds, so the next round is paired as a step
 * (api/work/jobs.h), and the check is answered round by round while it is made. */
#include <stdlib.h>

#include "api/records/handlers.h"
#include "api/records/long_answer.h"
#include "api/work/jobs.h"
#include "engine/tournament/interchange/trf.h"

/* ---- Reading ---- */

static bool refuse_file(struct call *call, const struct trf_error *error)
{
    bool line = error->line > 0, column = line && error->column > 0;
    return call_problem_of(call, error->refusal.code, line ? "Line " : "",
                           line ? call_digits(call, (int64_t)error->line) : "",
                           column ? ", column " : "",
                           column ? call_digits(call, (int64_t)error->column) : "",
                           line ? ": " : "", error->refusal.message);
}

/* Reads an event into `arena`; it borrows from the file. */
static bool read_file(struct call *call, struct arena *arena, struct span file,
                      struct trf_event *event)
{
    struct trf_error error;
    size_t size;
    if (!trf_measure(file, &size, &error) ||
        !trf_read(file, arena_take(arena, size), event, &error))
        return refuse_file(call, &error);
    return event->player_count > 0 ||
           call_problem(call, TRF_REFUSAL_SYNTAX, "The file has no players.");
}

/* The time to pair these rounds grows with the square of the number of players: about two
 * microseconds per unit. Clients without an account get seconds; accounts get a minute, which is
 * charged to them. */
static bool may_be_paired(struct call *call, const struct trf_event *event, size_t rounds)
{
    enum { UNKNOWN_MOST = 2000000, KNOWN_MOST = 60000000 };
    size_t players = event->player_count;
    size_t most = call->signed_in ? KNOWN_MOST : UNKNOWN_MOST;
    return players * players * rounds <= most ||
           call_problem_of(
               call, "trf-too-large", "The file has ", call_digits(call, (int64_t)players),
               " players, and ", call_digits(call, (int64_t)rounds),
               rounds == 1 ? " round is" : " rounds are",
               " to be paired: that is more than is done ",
               call->signed_in ? "for one request" : "without an account",
               " (players times players times rounds: ", call_digits(call, (int64_t)most),
               call->signed_in ? "). Send a file with fewer rounds."
                               : "). Send a token of yours along, or a file with fewer rounds.");
}

static struct trf_pair *room_for_pairs(struct arena *arena, const struct trf_event *event)
{
    return arena_array(arena, event->player_count / 2 + 1, sizeof(struct trf_pair));
}

/* ---- Responses ---- */

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
    if (!read_file(call, call->arena, call->request->body, &event) ||
        !may_be_paired(call, &event, 1))
        return;
    struct trf_pair *pairs = room_for_pairs(call->arena, &event);
    uint16_t round = (uint16_t)(event.rounds_played + 1);
    const struct progress progress = jobs_computing(call);
    jobs_progress(call, "computing", 0, 0);
    if (round > TOURNAMENT_ROUNDS_MAX)
        call_problem(call, "no-more-rounds", "A file has 64 rounds at most.");
    else if (!trf_pair_again(&event, round, &progress, pairs, &count, &refusal))
        call_problem(call, DUTCH_REFUSAL_IMPOSSIBLE, refusal.message);
    else
        call_answer(call, 200,
                    json_pack("{s:s, s:i, s:o}", "rules", DUTCH_RULES, "round", round, "pairs",
                              pairs_document(pairs, count)));
}

/* A round that cannot be paired by the rules has a refusal instead of expected pairs. */
static json_t *check_round(struct call *call, const struct trf_event *event, uint16_t round,
                           bool *same)
{
    struct refusal refusal = {NULL, ""};
    struct trf_pair *ours = room_for_pairs(call->arena, event);
    struct trf_pair *given = room_for_pairs(call->arena, event);
    size_t count = 0;
    size_t given_count = trf_pairs_given(event, round, given);
    bool paired = trf_pair_again(event, round, NULL, ours, &count, &refusal);
    *same = paired && trf_pairs_same(ours, count, given, given_count);
    return json_pack("{s:i, s:b, s:o, s:o, s:o}", "round", round, "same", (int)*same, "given",
                     pairs_document(given, given_count), "expected",
                     paired ? pairs_document(ours, count) : json_null(), "refusal",
                     paired ? json_null() : json_string(refusal.message));
}

static void check_at_once(struct call *call, const struct trf_event *event)
{
    bool all = true;
    json_t *rounds = json_array();
    for (uint16_t round = 1; round <= event->rounds_played; round++) {
        bool same;
        json_array_append_new(rounds, check_round(call, event, round, &same));
        all = all && same;
    }
    call_answer(
        call, 200,
        json_pack("{s:s, s:b, s:o}", "rules", DUTCH_RULES, "same", (int)all, "rounds", rounds));
}

/* ---- Round by round ---- */

struct checking {
    struct long_answer answer; /* first, so that a pointer to it also points to the struct */
    struct arena arena;        /* owns the file and the event */
    struct trf_event event;
    uint16_t round; /* the last checked round */
    bool all;       /* all checked rounds were the same */
    char *part;     /* malloc'ed, or NULL */
};

static void add_dump(json_t *document, struct text *text)
{
    char *dump = must(json_dumps(document, JSON_COMPACT));
    json_decref(document);
    text_add(text, dump);
    free(dump);
}

/* Makes the next round's part of the document, with the beginning before the first round and the
 * end after the last. */
static bool next_round(struct long_answer *answer, struct call *call, struct span *part, bool *last)
{
    enum { OF_A_PAIR = 64, OF_A_ROUND = 1024 };
    struct checking *checking = (struct checking *)answer;
    const struct trf_event *event = &checking->event;
    size_t capacity = OF_A_ROUND + (size_t)OF_A_PAIR * event->player_count;
    bool same;
    free(checking->part);
    checking->part = malloc(capacity);
    if (checking->part == NULL)
        return false;
    struct text text = {checking->part, 0, capacity, false};
    text_add(&text, checking->round == 0 ? "{\"rules\":\"" DUTCH_RULES "\",\"rounds\":[" : ",");
    checking->round++;
    add_dump(check_round(call, event, checking->round, &same), &text);
    checking->all = checking->all && same;
    *last = checking->round == event->rounds_played;
    if (*last)
        text_add(&text, checking->all ? "],\"same\":true}" : "],\"same\":false}");
    *part = text_span(&text);
    return !text.overflow;
}

static void drop_checking(struct http_pieces *pieces)
{
    struct checking *checking = (struct checking *)pieces;
    free(checking->part);
    arena_free(&checking->arena);
    free(checking);
}

static void check_by_rounds(struct call *call)
{
    struct checking *checking = must(calloc(1, sizeof *checking));
    size_t length = call->request->body.length;
    struct span file = {arena_copy(&checking->arena, call->request->body), length};
    checking->all = true;
    if (!read_file(call, &checking->arena, file, &checking->event)) {
        drop_checking(&checking->answer.pieces);
        return;
    }
    call->response->status = 200;
    call->response->content_type = "application/json";
    long_answer_give(call, &checking->answer, next_round, drop_checking);
}

void trf_check(struct call *call)
{
    enum { AT_ONCE = 500 }; /* rounds times players: some ten milliseconds */
    struct trf_event event = {.player_count = 0};
    if (!read_file(call, call->arena, call->request->body, &event) ||
        !may_be_paired(call, &event, event.rounds_played))
        return;
    if (event.rounds_played * event.player_count <= AT_ONCE)
        check_at_once(call, &event);
    else
        check_by_rounds(call);
}
