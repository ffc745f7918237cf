/* Plays a script: legal moves in order, plus repeated and outdated requests. */
#include <stdlib.h>
#include <string.h>

#include "api/cli/load/load_modes.h"
#include "engine/base/arena.h"

enum { PROOF_LENGTH = 64, WRONG_KEPT = 400 };

enum kind { KIND_MOVE, KIND_REPEATED, KIND_STALE };

struct table {
    struct load_game game;
    bool playing;
    bool has_ply, has_last;
    struct load_ply ply;      /* the next to play */
    struct load_ply last;     /* the previous one, which has been answered */
    char proof[PROOF_LENGTH]; /* the hash or signature in the receipt of `last` */
    unsigned owed;            /* percentage accumulated towards an additional request */
    bool stale_next;
    enum kind asked;
};

struct load_moves {
    const struct load_script *script;
    const char *host;
    size_t next_game, first_game;
    unsigned stale_percent;
    struct table *table; /* one per connection */
    uint64_t moves, repeated, stale, wrong;
    char first_wrong[WRONG_KEPT];
};

struct load_moves *load_moves_new(const struct load_script *script, const char *host,
                                  unsigned connections, size_t first, unsigned stale_percent)
{
    struct load_moves *moves = must(calloc(1, sizeof *moves));
    *moves = (struct load_moves){.script = script,
                                 .host = host,
                                 .next_game = first,
                                 .first_game = first,
                                 .stale_percent = stale_percent,
                                 .table = must(calloc(connections, sizeof *moves->table))};
    return moves;
}

void load_moves_free(struct load_moves *moves)
{
    if (moves == NULL)
        return;
    free(moves->table);
    free(moves);
}

/* ---- Asking ---- */

static bool next_game(struct load_moves *moves, struct table *table)
{
    if (moves->next_game >= moves->script->games)
        return false;
    *table = (struct table){.playing = true, .stale_next = table->stale_next, .owed = table->owed};
    return load_script_game(moves->script, moves->next_game++, &table->game);
}

/* Reads the next ply, beginning a game if necessary. False if there is none. */
static bool prepare(struct load_moves *moves, struct table *table)
{
    while (!table->has_ply) {
        table->has_ply = table->playing && load_game_next(&table->game, &table->ply);
        if (!table->has_ply && !next_game(moves, table))
            return false;
    }
    return true;
}

/* True if the next move can be sent with the previous number: it must differ from the last one (or
 * it would be a repeated request), and must not be one that waits for other seats. */
static bool can_be_stale(const struct table *table)
{
    return table->last.seq < table->ply.seq &&
           (table->last.seat != table->ply.seat || !span_equal(table->last.move, table->ply.move));
}

static enum kind choose(const struct load_moves *moves, struct table *table)
{
    if (!table->has_last || moves->stale_percent == 0)
        return KIND_MOVE;
    table->owed += moves->stale_percent;
    if (table->owed < 100)
        return KIND_MOVE;
    table->owed -= 100;
    bool stale = table->stale_next && can_be_stale(table);
    table->stale_next = !table->stale_next;
    return stale ? KIND_STALE : KIND_REPEATED;
}

static void write_body(struct text *body, const struct load_ply *ply, uint32_t seq)
{
    text_add(body, "{\"moves\":[\"");
    text_add_span(body, ply->move);
    text_add(body, "\"],\"seq\":");
    text_add_number(body, seq);
    text_add_char(body, '}');
}

static void write_request(const struct load_moves *moves, const struct table *table,
                          struct text *request)
{
    char bytes[GAME_MOVE_MAX + 64];
    struct text body = TEXT_OVER(bytes);
    const struct load_ply *ply = table->asked == KIND_REPEATED ? &table->last : &table->ply;
    write_body(&body, ply, table->asked == KIND_STALE ? ply->seq - 1 : ply->seq);
    text_add(request, "POST /v1/games/");
    text_add_span(request, table->game.id);
    text_add_all(request, "/moves HTTP/1.1\r\nHost: ", moves->host, "\r\nAuthorization: Bearer ");
    text_add_span(request, table->game.token[ply->seat]);
    text_add(request, "\r\nContent-Type: application/json\r\nContent-Length: ");
    text_add_number(request, (int64_t)body.length);
    text_add(request, "\r\n\r\n");
    text_add_span(request, text_span(&body));
}

static bool ask(void *context, unsigned connection, struct text *request)
{
    struct load_moves *moves = context;
    struct table *table = &moves->table[connection];
    if (!prepare(moves, table))
        return false;
    table->asked = choose(moves, table);
    write_request(moves, table, request);
    return true;
}

/* ---- Judging ---- */

/* Returns the text after the first `"key":`, without a blank. */
static struct span after_key(struct span body, const char *key)
{
    size_t length = strlen(key);
    const char *found = body.length == 0 ? NULL : memmem(body.at, body.length, key, length);
    if (found == NULL)
        return (struct span){body.at, 0};
    const char *at = found + length;
    const char *end = body.at + body.length;
    while (at < end && *at == ' ')
        at++;
    return (struct span){at, (size_t)(end - at)};
}

/* Returns the index of the end of the string that starts at `at`; most of a response is strings. */
static size_t end_of_string(struct span body, size_t at)
{
    for (size_t from = at + 1; from < body.length;) {
        const char *quote = memchr(body.at + from, '"', body.length - from);
        if (quote == NULL)
            break;
        size_t end = (size_t)(quote - body.at);
        size_t escapes = 0;
        while (body.at[end - 1 - escapes] == '\\')
            escapes++;
        if (escapes % 2 == 0)
            return end;
        from = end + 1;
    }
    return body.length;
}

/* Reads the member `seq` of the outermost object; a receipt inside it has one too. */
static bool read_seq(struct span body, uint64_t *seq)
{
    int depth = 0;
    for (size_t i = 0; i < body.length; i++) {
        char c = body.at[i];
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        if (c != '"')
            continue;
        size_t end = end_of_string(body, i);
        if (depth == 1 && end - i == 4 && memcmp(body.at + i, "\"seq\"", 5) == 0) {
            struct span rest = after_key((struct span){body.at + end, body.length - end}, ":");
            struct span number = {rest.at, 0};
            while (number.length < rest.length && rest.at[number.length] >= '0' &&
                   rest.at[number.length] <= '9')
                number.length++;
            return span_number(number, UINT32_MAX, seq);
        }
        i = end;
    }
    return false;
}

/* Finds the hash in a receipt or, for a sealed move, its signature. */
static struct span find_proof(struct span body)
{
    struct span text = after_key(body, "\"head\":");
    if (text.length <= PROOF_LENGTH)
        text = after_key(body, "\"signature\":");
    if (text.length <= PROOF_LENGTH)
        return (struct span){body.at, 0};
    return (struct span){text.at + 1, PROOF_LENGTH};
}

static bool accepts_move(struct table *table, const struct load_answer *answer)
{
    uint64_t seq;
    struct span proof = find_proof(answer->body);
    if (answer->status != 200 || !read_seq(answer->body, &seq) || seq != table->ply.seq_after ||
        proof.length == 0)
        return false;
    memcpy(table->proof, proof.at, PROOF_LENGTH);
    table->last = table->ply;
    table->has_last = true;
    table->has_ply = false;
    return true;
}

static bool accepts_repeated(const struct table *table, const struct load_answer *answer)
{
    struct span proof = find_proof(answer->body);
    return answer->status == 200 && proof.length == PROOF_LENGTH &&
           memcmp(proof.at, table->proof, PROOF_LENGTH) == 0;
}

static bool accepts_stale(const struct load_answer *answer)
{
    return answer->status == 409 && after_key(answer->body, "\"stale-sequence\"").length > 0;
}

/* Abandons the game: its script no longer applies. */
static void give_up(struct load_moves *moves, struct table *table, const struct load_answer *answer)
{
    struct span body = answer->body;
    table->playing = false;
    table->has_ply = false;
    table->has_last = false;
    if (moves->wrong++ > 0)
        return;
    struct text text = TEXT_OVER(moves->first_wrong);
    if (body.length > WRONG_KEPT - 10)
        body.length = WRONG_KEPT - 10;
    text_add_number(&text, answer->status);
    text_add_char(&text, ' ');
    text_add_span(&text, body);
}

/* 503 is a valid response of an overloaded server: the request is repeated. */
static void answered(void *context, unsigned connection, const struct load_answer *answer)
{
    struct load_moves *moves = context;
    struct table *table = &moves->table[connection];
    bool good = false;
    if (answer->status == 503)
        return;
    switch (table->asked) {
    case KIND_MOVE:
        good = accepts_move(table, answer);
        moves->moves += good && answer->counts;
        break;
    case KIND_REPEATED:
        good = accepts_repeated(table, answer);
        moves->repeated += answer->counts;
        break;
    case KIND_STALE:
        good = accepts_stale(answer);
        moves->stale += answer->counts;
        break;
    }
    if (!good)
        give_up(moves, table, answer);
}

struct load_mode load_moves_mode(struct load_moves *moves)
{
    return (struct load_mode){moves, ask, answered};
}

uint64_t load_moves_wrong(const struct load_moves *moves)
{
    return moves->wrong;
}

static void set_count(json_t *object, const char *key, uint64_t count)
{
    json_object_set_new(object, key, json_integer((json_int_t)count));
}

void load_moves_report(const struct load_moves *moves, double seconds, json_t *object)
{
    set_count(object, "moves", moves->moves);
    json_object_set_new(object, "moves_per_s", json_real((double)moves->moves / seconds));
    set_count(object, "games", moves->next_game - moves->first_game);
    set_count(object, "repeated", moves->repeated);
    set_count(object, "stale", moves->stale);
    set_count(object, "wrong", moves->wrong);
    if (moves->wrong > 0)
        json_object_set_new(object, "first_wrong", json_string(moves->first_wrong));
}
