/* Cuts the file into cases, collects a case's set-up lines, loads the position at the first ply or
 * expectation, and checks line by line. If set-up continues after an expectation, the position is
 * loaded again from all set-up lines. */
#include "engine/game/worked_case.h"

#include <stdlib.h>
#include <string.h>

#include "engine/game/case_fields.h"

enum { LINES_MAX = 128, DIFFERENCE_MAX = 70000, PRINTED_MAX = 32768 };

struct run {
    const struct game *game;
    struct span id;
    struct case_line set_up[LINES_MAX];
    size_t set_up_count;
    bool loaded; /* the set-up lines so far are loaded */
    bool played; /* a ply has been made, legal or refused */
    struct chance_stacks stacks;
    struct chance chance;
    struct case_reader reader;
    struct text error;
    struct move_list legal;
    struct text difference; /* empty while the case passes */
    unsigned char state[GAME_STATE_MAX];
    unsigned char before[GAME_STATE_MAX];
    char printed[PRINTED_MAX];
    char difference_bytes[DIFFERENCE_MAX];
};

static void differ(struct run *run, const char *what, struct span detail)
{
    text_add(&run->difference, what);
    text_add_span(&run->difference, detail);
}

static void load(struct run *run)
{
    if (run->loaded)
        return;
    run->loaded = true;
    run->stacks.count = 0;
    run->chance = (struct chance){.stacks = &run->stacks};
    memset(run->state, 0, sizeof run->state);
    run->error = TEXT_OVER(run->printed);
    run->reader = (struct case_reader){.game = run->game,
                                       .state = run->state,
                                       .stacks = &run->stacks,
                                       .chance = &run->chance,
                                       .lines = run->set_up,
                                       .count = run->set_up_count,
                                       .error = &run->error};
    if (!run->game->cases->load(&run->reader))
        differ(run, "the position cannot be set up: ", text_span(&run->error));
}

static void add_deciders(const struct run *run, struct text *out)
{
    uint32_t deciders = run->game->deciders(run->state);
    if (deciders == 0)
        text_add(out, "-");
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++) {
        if ((deciders >> seat & 1) == 0)
            continue;
        if (out->length > 0)
            text_add_char(out, ' ');
        text_add_number(out, seat);
    }
}

static void add_moves(const struct run *run, struct text *out)
{
    if (run->legal.count == 0)
        text_add(out, "-");
    for (size_t i = 0; i < run->legal.count; i++) {
        if (i > 0)
            text_add(out, " | ");
        text_add_span(out, move_list_get(&run->legal, i));
    }
}

/* Answers keys about one seat that all games share. False for any other key. */
static bool read_seat_key(struct run *run, struct span key, struct span rest, struct text *out)
{
    struct span seat_word = span_word(&rest);
    uint64_t seat;
    if (!span_number(seat_word, GAME_SEATS_MAX - 1, &seat))
        return false;
    text_add_number(out, (int64_t)seat);
    text_add_char(out, ' ');
    struct outcome outcome;
    if (span_is(key, "score") || span_is(key, "rank")) {
        run->game->outcome(run->game, run->state, &outcome);
        text_add_number(out, span_is(key, "score") ? outcome.score[seat] : outcome.rank[seat]);
        return seat < outcome.seats;
    }
    if (span_is(key, "fallback")) {
        if (game_decides(run->game, run->state, (unsigned)seat))
            run->game->fallback(run->game, run->state, (unsigned)seat, out);
        return true;
    }
    move_list_clear(&run->legal);
    run->game->legal(run->game, run->state, (unsigned)seat, &run->legal);
    if (span_is(key, "legal")) {
        text_add_number(out, (int64_t)run->legal.count);
        return true;
    }
    if (span_is(key, "can") && move_list_find(&run->legal, rest) >= 0) {
        text_add_span(out, rest);
        return true;
    }
    if (span_is(key, "moves") || span_is(key, "can")) {
        add_moves(run, out);
        return true;
    }
    return false;
}

static bool is_seat_key(struct span key)
{
    static const char *const keys[] = {"score", "rank", "fallback", "legal", "can", "moves"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (span_is(key, keys[i]))
            return true;
    return false;
}

static void expect(struct run *run, struct span line)
{
    struct span rest = line;
    struct span key = span_word(&rest);
    struct text actual = TEXT_OVER(run->printed);
    bool known = true;
    if (span_is(key, "deciders"))
        add_deciders(run, &actual);
    else if (span_is(key, "over"))
        text_add(&actual, run->game->deciders(run->state) == 0 ? "yes" : "no");
    else if (is_seat_key(key))
        known = read_seat_key(run, key, rest, &actual);
    else
        known = case_tell(&run->reader, key, rest, &actual);
    if (!known) {
        differ(run, "cannot be read: ", line);
        if (actual.length > 0)
            differ(run, ": ", text_span(&actual));
    } else if (actual.overflow || !span_equal(text_span(&actual), rest)) {
        differ(run, "expected: ", line);
        differ(run, "; found: ", text_span(&actual));
    }
}

/* Splits ` -> code` off the end of a move. */
static struct span split_code(struct span *move)
{
    for (size_t i = move->length; i-- > 4;) {
        if (memcmp(move->at + i - 4, " -> ", 4) == 0) {
            struct span code = {move->at + i, move->length - i};
            move->length = i - 4;
            return code;
        }
    }
    return (struct span){NULL, 0};
}

static void play(struct run *run, unsigned seat, struct span move)
{
    struct span code = split_code(&move);
    struct refusal refusal = {"", ""};
    run->played = true;
    memcpy(run->before, run->state, sizeof run->state);
    bool accepted = run->game->play(run->game, run->state, seat, move, &run->chance, &refusal);
    if (accepted && code.length == 0)
        return;
    if (accepted) {
        differ(run, "was accepted, expected the refusal ", code);
    } else if (code.length == 0) {
        differ(run, "was refused: ", span_of(refusal.code));
    } else if (!span_is(code, refusal.code)) {
        differ(run, "expected the refusal ", code);
        differ(run, "; found: ", span_of(refusal.code));
    } else if (memcmp(run->before, run->state, sizeof run->state) != 0) {
        differ(run, "was refused but changed the state", (struct span){NULL, 0});
    }
}

/* Reads `0> move`: true, sets the seat and cuts `line` to the move. */
static bool is_ply(struct span *line, unsigned *seat)
{
    if (line->length < 3 || line->at[0] < '0' || line->at[0] >= '0' + GAME_SEATS_MAX ||
        memcmp(line->at + 1, "> ", 2) != 0)
        return false;
    *seat = (unsigned)(line->at[0] - '0');
    line->at += 3;
    line->length -= 3;
    return true;
}

static struct span without_comment(struct span line)
{
    if (line.length > 0 && line.at[0] == '#')
        line.length = 0;
    for (size_t i = 2; i < line.length; i++) {
        if (line.at[i] == '#' && line.at[i - 1] == ' ' && line.at[i - 2] == ' ') {
            line.length = i - 2;
            break;
        }
    }
    while (line.length > 0 && (line.at[line.length - 1] == ' ' || line.at[line.length - 1] == '\r'))
        line.length--;
    return line;
}

static void add_set_up(struct run *run, struct span line)
{
    if (run->played || run->set_up_count == LINES_MAX) {
        differ(run, run->played ? "set-up after the first ply: " : "too many set-up lines: ", line);
        return;
    }
    run->loaded = false;
    struct case_line *entry = &run->set_up[run->set_up_count++];
    entry->key = span_word(&line);
    entry->rest = line;
}

static void run_line(struct run *run, struct span line)
{
    unsigned seat;
    struct span whole = line;
    bool expectation = line.length > 2 && line.at[0] == '=' && line.at[1] == ' ';
    bool ply = is_ply(&line, &seat);
    if (!expectation && !ply) {
        add_set_up(run, line);
        return;
    }
    load(run);
    if (run->difference.length > 0)
        return;
    if (expectation)
        expect(run, (struct span){whole.at + 2, whole.length - 2});
    else
        play(run, seat, line);
}

static void begin(struct run *run, struct span id)
{
    run->id = id;
    run->set_up_count = 0;
    run->loaded = false;
    run->played = false;
    run->difference = TEXT_OVER(run->difference_bytes);
}

struct reader {
    struct run *run;
    bool markdown, in_fence, in_case, reported;
    unsigned number; /* number of the line, from 1 */
    struct worked_case_count count;
    void (*say)(void *context, const char *line);
    void *context;
};

static void report(struct reader *reader)
{
    struct run *run = reader->run;
    if (run->difference.length == 0 || reader->reported)
        return;
    reader->reported = true;
    char *line = malloc(DIFFERENCE_MAX + 200);
    if (line == NULL)
        abort();
    struct text text = {line, 0, DIFFERENCE_MAX + 200, false};
    text_clear(&text);
    text_add(&text, "case ");
    text_add_span(&text, run->id);
    text_add(&text, ", line ");
    text_add_number(&text, reader->number);
    text_add(&text, ": ");
    text_add_span(&text, text_span(&run->difference));
    reader->say(reader->context, line);
    free(line);
}

static void finish(struct reader *reader)
{
    if (!reader->in_case)
        return;
    load(reader->run);
    report(reader);
    if (reader->reported)
        reader->count.failed++;
    else
        reader->count.held++;
    reader->in_case = false;
}

static void read_line(struct reader *reader, struct span line)
{
    bool fence = line.length >= 3 && memcmp(line.at, "```", 3) == 0;
    if (fence) {
        reader->in_fence = !reader->in_fence && span_is(line, "```case");
        return;
    }
    if (reader->markdown && !reader->in_fence)
        return;
    line = without_comment(line);
    struct span rest = line;
    if (line.length == 0)
        return;
    if (span_is(span_word(&rest), "case")) {
        finish(reader);
        begin(reader->run, span_word(&rest));
        reader->in_case = true;
        reader->reported = false;
    } else if (reader->in_case && !reader->reported) {
        run_line(reader->run, line);
        report(reader);
    }
}

static bool is_markdown(struct span file)
{
    struct span line;
    while (span_line(&file, &line))
        if (span_is(line, "```case"))
            return true;
    return false;
}

struct worked_case_count worked_cases_run(const struct game *game, struct span file,
                                          void (*say)(void *context, const char *line),
                                          void *context)
{
    struct run *run = calloc(1, sizeof *run);
    struct reader reader = {
        .run = run, .markdown = is_markdown(file), .say = say, .context = context};
    if (run == NULL || !move_list_init(&run->legal, game))
        abort();
    run->game = game;
    struct span line;
    while (span_line(&file, &line)) {
        reader.number++;
        read_line(&reader, line);
    }
    finish(&reader);
    if (reader.count.held + reader.count.failed == 0) {
        say(context, "There is no case in this file.");
        reader.count.failed = 1;
    }
    move_list_free(&run->legal);
    free(run);
    return reader.count;
}
