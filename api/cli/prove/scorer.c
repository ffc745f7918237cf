/* `tillroll scorer`: records a game that is played with printed components.
 *
 * A step is the set-up, a decision (or a simultaneous decision of several seats), or the end. Its
 * lines are put together in memory, preceded by the components that were asked for, and written to
 * the file together, so the file always ends after a step.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/cli/cli.h"
#include "db/link/id.h"
#include "db/link/now.h"
#include "engine/base/arena.h"
#include "engine/base/calendar.h"
#include "engine/game/component_list.h"

struct scorer {
    struct component_list components; /* given on the command line */
    struct replay replay;
    int64_t start_ms; /* since 1970 */
    int file;
    size_t stored; /* bytes of the record already in the file */
    struct text record;
    uint32_t steps;                   /* number of steps that count */
    uint32_t first[RECORD_LINES_MAX]; /* the first entry of each step */
    char input[RECORD_LINE_MAX];      /* the last line of standard input */
};

static struct scorer scorer; /* too large for the stack: a record has up to 8 MiB */
static struct replay trial;

/* ---- Standard input ---- */

/* Reads the next line, without its end and the spaces around it, and echoes it if input is not from
 * a terminal. False at the end, and for a line that is too long. */
static bool read_line(struct span *line)
{
    fflush(stdout);
    if (fgets(scorer.input, sizeof scorer.input, stdin) == NULL)
        return false;
    *line = span_of(scorer.input);
    if (memchr(line->at, '\n', line->length) == NULL && !feof(stdin)) {
        fprintf(stderr, "tillroll: the line is too long\n");
        return false;
    }
    while (line->length > 0 && strchr(" \t\r\n", line->at[line->length - 1]) != NULL)
        line->length--;
    while (line->length > 0 && strchr(" \t", line->at[0]) != NULL) {
        line->at++;
        line->length--;
    }
    if (isatty(STDIN_FILENO) == 0)
        printf("%.*s\n", (int)line->length, line->at);
    return true;
}

/* ---- The record ---- */

static int64_t elapsed_ms(void)
{
    int64_t elapsed = now_ms(CLOCK_REALTIME) - scorer.start_ms;
    return elapsed < 0 ? 0 : elapsed;
}

static bool add(struct record_entry entry, struct refusal *refusal)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    if (!replay_add(&scorer.replay, text_span(&scorer.record), &entry, &line, refusal))
        return false;
    text_add_span(&scorer.record, text_span(&line));
    text_add_char(&scorer.record, '\n');
    return true;
}

/* Appends the new lines to the file. */
static bool store(const char *path)
{
    while (scorer.stored < scorer.record.length) {
        ssize_t written = write(scorer.file, scorer.record.at + scorer.stored,
                                scorer.record.length - scorer.stored);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            break;
        scorer.stored += (size_t)written;
    }
    if (scorer.stored == scorer.record.length && !scorer.record.overflow && fsync(scorer.file) == 0)
        return true;
    fprintf(stderr, "tillroll: cannot write to %s: %s\n", path,
            scorer.record.overflow ? "a record has at most 8 MiB" : strerror(errno));
    return false;
}

/* The entries of a step, and the state before it. */
struct step {
    struct record_entry entry[GAME_SEATS_MAX];
    unsigned count;
    size_t length; /* of the record before the step */
    struct replay before;
};

/* Tries the step with the components known so far. True with `place` if one is missing. False if
 * none is, or, with `refusal`, if the step is refused. */
static bool needs_component(const struct step *step, char place[static TOLD_WORD_MAX + 1],
                            struct refusal *refusal)
{
    *refusal = (struct refusal){NULL, NULL};
    memcpy(&trial, &scorer.replay, replay_size(&scorer.replay));
    for (unsigned i = 0; i < step->count; i++) {
        char bytes[RECORD_LINE_MAX + 1];
        struct text line = TEXT_OVER(bytes);
        if (replay_asks(&trial, &step->entry[i], place))
            return true;
        if (!replay_add(&trial, (struct span){NULL, 0}, &step->entry[i], &line, refusal))
            return false;
    }
    return false;
}

enum answer { ANSWERED, CALLED_OFF, NO_MORE };

/* Asks for one component and adds its line. */
static enum answer ask_component(const char *place)
{
    struct span word;
    struct refusal refusal;
    printf("%s? ", place);
    if (!read_line(&word) || span_is(word, "quit"))
        return NO_MORE;
    if (span_is(word, "back"))
        return CALLED_OFF;
    struct record_entry bind = {.kind = RECORD_BIND,
                                .elapsed_ms = elapsed_ms(),
                                .place = span_of(place),
                                .component = word};
    if (word.length == 0 || memchr(word.at, ' ', word.length) != NULL || !add(bind, &refusal))
        printf("One word is needed, or `back`.\n");
    return ANSWERED;
}

/* Asks until no component is missing. False if the step is refused or cancelled: then nothing of it
 * remains. Sets `more` to false at the end of standard input. */
static bool complete(struct step *step, bool *more)
{
    char place[TOLD_WORD_MAX + 1];
    struct refusal refusal;
    static struct replay last; /* before the last answer */
    size_t last_length = scorer.record.length;
    bool answered = false;
    for (;;) {
        bool missing = needs_component(step, place, &refusal);
        if (!missing && refusal.code == NULL)
            return true;
        if (!missing && answered && strcmp(refusal.code, "impossible-component") == 0) {
            printf("%s\n", refusal.message);
            memcpy(&scorer.replay, &last, replay_size(&last));
            scorer.record.length = last_length;
            answered = false;
            continue;
        }
        if (!missing) {
            printf("%s\n", refusal.message);
            break;
        }
        memcpy(&last, &scorer.replay, replay_size(&scorer.replay));
        last_length = scorer.record.length;
        answered = true;
        enum answer answer = ask_component(place);
        *more = answer != NO_MORE;
        if (answer != ANSWERED)
            break;
    }
    memcpy(&scorer.replay, &step->before, replay_size(&step->before));
    scorer.record.length = step->length;
    return false;
}

/* Carries out a step and stores it. False if the file cannot be written. */
static bool take_step(struct step *step, const char *path, bool *more, bool *taken)
{
    struct refusal refusal;
    uint32_t first = scorer.replay.seq + 1;
    int64_t now = elapsed_ms();
    for (unsigned i = 0; i < step->count; i++)
        step->entry[i].elapsed_ms = now;
    memcpy(&step->before, &scorer.replay, replay_size(&scorer.replay));
    step->length = scorer.record.length;
    *taken = complete(step, more);
    if (!*taken)
        return true;
    for (unsigned i = 0; i < step->count; i++)
        if (!add(step->entry[i], &refusal))
            abort(); /* needs_component() has tried this step */
    scorer.first[scorer.steps++] = first;
    return store(path);
}

/* ---- Input of players ---- */

static const char *name_of(unsigned seat)
{
    return scorer.replay.header.seat[seat].name;
}

static void print_result(void)
{
    struct outcome outcome;
    replay_outcome(&scorer.replay, &outcome);
    for (unsigned seat = 0; seat < outcome.seats; seat++)
        printf("seat %u, %s: score %d, rank %u\n", seat, name_of(seat), (int)outcome.score[seat],
               (unsigned)outcome.rank[seat]);
}

/* Lists the legal moves; for a hand that nobody has seen, all moves that are possible. */
static void list_moves(unsigned seat)
{
    struct move_list legal;
    if (!move_list_init(&legal, scorer.replay.header.game))
        abort();
    scorer.replay.header.game->legal(scorer.replay.header.game, scorer.replay.state, seat, &legal);
    for (size_t i = 0; i < legal.count; i++)
        printf("%s\n", move_list_get(&legal, i).at);
    move_list_free(&legal);
}

/* Forgets the steps that no longer count after going back to before an entry. */
static void forget_steps(uint32_t target)
{
    while (scorer.steps > 0 && scorer.first[scorer.steps - 1] >= target)
        scorer.steps--;
}

/* Carries out `back` or `back N`. False if the file cannot be written. */
static bool go_back(struct span number, const char *path)
{
    uint64_t target = scorer.steps > 0 ? scorer.first[scorer.steps - 1] : 0;
    struct refusal refusal;
    if (number.length > 0 && !span_number(number, RECORD_LINES_MAX, &target))
        target = 0;
    struct record_entry back = {
        .kind = RECORD_BACK, .elapsed_ms = elapsed_ms(), .target = (uint32_t)target};
    if (!add(back, &refusal)) {
        printf("%s\n", refusal.message);
        return true;
    }
    forget_steps((uint32_t)target);
    return store(path);
}

/* Asks for the move of a seat. True if the line was a move; otherwise it was a command, or the end
 * of the input (`more` is false). */
static bool ask_move(unsigned seat, const char *path, char move[static GAME_MOVE_MAX + 1],
                     bool *more)
{
    struct span line;
    printf("%u %s> ", seat, name_of(seat));
    *more = read_line(&line) && !span_is(line, "quit");
    if (!*more)
        return false;
    struct span rest = line;
    struct span word = span_word(&rest);
    if (span_is(word, "back"))
        *more = go_back(rest, path);
    else if (span_is(line, "moves"))
        list_moves(seat);
    else if (line.length > GAME_MOVE_MAX)
        printf("This is no move.\n");
    else if (line.length > 0) {
        memcpy(move, line.at, line.length);
        move[line.length] = '\0';
        return true;
    }
    return false;
}

/* Asks for the decisions of all seats that decide now. */
static bool ask_decisions(const char *path, bool *more)
{
    char move[GAME_SEATS_MAX][GAME_MOVE_MAX + 1];
    static struct step step; /* too large for the stack */
    uint32_t seats = scorer.replay.header.game->deciders(scorer.replay.state);
    bool taken;
    step.count = 0;
    for (unsigned seat = 0; seat < scorer.replay.header.seats; seat++) {
        if ((seats >> seat & 1) == 0)
            continue;
        if (!ask_move(seat, path, move[step.count], more))
            return true;
        step.entry[step.count] = (struct record_entry){
            .kind = RECORD_PLY, .seat = seat, .move = span_of(move[step.count])};
        step.count++;
    }
    return take_step(&step, path, more, &taken);
}

/* Takes a step with one line without words: `deal`, or `show` followed by the results. */
static bool take_word(enum record_kind kind, const char *path, bool *more, bool *taken)
{
    static struct step step; /* too large for the stack */
    step.entry[0] = (struct record_entry){.kind = kind};
    step.count = 1;
    return take_step(&step, path, more, taken);
}

static bool finish(const char *path, bool *more)
{
    bool taken;
    if (!take_word(RECORD_SHOW, path, more, &taken) || !taken)
        return *more;
    for (;;) {
        char bytes[RECORD_LINE_MAX + 1];
        struct text line = TEXT_OVER(bytes);
        if (!replay_add_due(&scorer.replay, elapsed_ms(), true, &line))
            break;
        text_add_span(&scorer.record, text_span(&line));
        text_add_char(&scorer.record, '\n');
    }
    return store(path);
}

/* Asks for `end` or `back` after the game's last decision. */
static bool ask_end(const char *path, bool *more)
{
    struct span line;
    print_result();
    printf("The game is over. `end` writes the results, `back` goes back.\n> ");
    *more = read_line(&line) && !span_is(line, "quit");
    if (!*more)
        return true;
    struct span rest = line;
    if (span_is(line, "end"))
        return finish(path, more);
    if (span_is(span_word(&rest), "back"))
        return go_back(rest, path);
    return true;
}

static int follow(const char *path)
{
    bool more = true;
    bool good = true;
    while (good && more && scorer.replay.phase != REPLAY_FINISHED) {
        bool taken;
        if (!scorer.replay.dealt) {
            printf("The set-up. `back` begins it again.\n");
            good = take_word(RECORD_DEAL, path, &more, &taken);
        } else if (scorer.replay.stop != REPLAY_RUNS) {
            printf("The game is stopped.\n");
            more = false;
        } else if (scorer.replay.phase == REPLAY_PLAYING) {
            good = ask_decisions(path, &more);
        } else if (scorer.replay.phase == REPLAY_OVER) {
            good = ask_end(path, &more);
        } else {
            good = finish(path, &more);
        }
    }
    if (!good)
        return EXIT_UNKNOWN;
    if (scorer.replay.phase == REPLAY_FINISHED) {
        print_result();
        return EXIT_YES;
    }
    printf("\n%s is not finished: the same command continues it.\n", path);
    return EXIT_YES;
}

/* ---- Beginning and continuing ---- */

static void write_time(int64_t ms, char time[static 25])
{
    struct text text = {.at = time, .capacity = 25};
    calendar_print_ms(ms, &text);
}

static bool new_header(const struct cli_given *given, struct record_header *header)
{
    const struct game *game = cli_game(given, &scorer.components);
    unsigned seats = 0;
    *header = (struct record_header){.game = game, .recorded = true};
    if (game == NULL || !cli_options(given, game, &header->options))
        return false;
    for (const char *name; (name = cli_value_at(given, "player", seats)) != NULL; seats++) {
        if (seats == game->seats_max || !record_is_name(span_of(name)))
            break;
        struct record_seat *seat = &header->seat[seats];
        struct id id = id_new(now_ms(CLOCK_REALTIME));
        memcpy(seat->player, id.text, sizeof seat->player);
        memcpy(seat->name, name, strlen(name) + 1);
    }
    header->seats = seats;
    if (seats < game->seats_min || cli_value_at(given, "player", seats) != NULL) {
        fprintf(stderr, "tillroll: %s has %u to %u seats: --player NAME once for each\n",
                game->slug, game->seats_min, game->seats_max);
        return false;
    }
    struct id id = id_new(now_ms(CLOCK_REALTIME));
    memcpy(header->game_id, id.text, sizeof header->game_id);
    write_time(now_ms(CLOCK_REALTIME), header->start);
    return true;
}

static bool begin(const struct cli_given *given)
{
    struct record_header header;
    struct record_fault fault;
    uint8_t hash[32];
    if (!new_header(given, &header))
        return false;
    record_print_header(&header, &scorer.record, hash);
    text_add_char(&scorer.record, '\n');
    struct span rest = text_span(&scorer.record);
    if (!replay_begin(&scorer.replay, component_list_sets(&scorer.components), &rest, hash, &fault))
        abort();
    return true;
}

/* Notes from a line of the record where a step begins. */
static void note_line(struct span line, uint32_t *first)
{
    enum { MARK_BYTES = 10 };
    struct record_entry entry;
    struct record_fault fault;
    line.length -= MARK_BYTES;
    if (!record_read_entry(line, &entry, &fault))
        return;
    if (*first == 0)
        *first = entry.seq;
    if (entry.kind == RECORD_BIND || scorer.replay.together)
        return;
    if (entry.kind == RECORD_BACK)
        forget_steps(entry.target);
    else if (entry.kind == RECORD_PLY || entry.kind == RECORD_DEAL || entry.kind == RECORD_SHOW)
        scorer.first[scorer.steps++] = *first;
    *first = 0;
}

static bool read_record(const char *path)
{
    struct record_fault fault;
    const uint8_t secret[32] = {0};
    struct span record = text_span(&scorer.record);
    struct span rest = record;
    struct span line;
    uint32_t first = 0;
    const struct component_sets *sets = component_list_sets(&scorer.components);
    enum replay_verdict verdict = replay_verify(record, sets, &scorer.replay, &fault);
    if (verdict == REPLAY_INVALID || !scorer.replay.header.recorded) {
        if (verdict == REPLAY_INVALID)
            cli_print_fault(stderr, path, verdict, &fault);
        else
            fprintf(stderr, "tillroll: %s is no record of a game at a real table\n", path);
        return false;
    }
    if (!replay_begin(&scorer.replay, sets, &rest, secret, &fault))
        abort();
    while (span_line(&rest, &line)) {
        struct span past = {record.at, (size_t)(line.at - record.at)};
        if (!replay_line_after(&scorer.replay, past, line, &fault))
            abort(); /* the record has been verified */
        note_line(line, &first);
    }
    return true;
}

static bool resume(const char *path)
{
    size_t length;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return false;
    text_add_span(&scorer.record, (struct span){bytes, length});
    free(bytes);
    scorer.stored = scorer.record.length;
    return read_record(path);
}

/* Reads the start from the header, where record_read_header() has checked that it is a valid
 * time. */
static void take_start(void)
{
    enum { SECONDS = sizeof "2026-11-20T15:04:05" - 1, MILLISECONDS = 3 };
    struct tm time = {0};
    const char *start = scorer.replay.header.start;
    int64_t ms = 0;
    (void)strptime(start, "%Y-%m-%dT%H:%M:%S", &time);
    for (const char *digit = start + SECONDS + 1; digit <= start + SECONDS + MILLISECONDS; digit++)
        ms = 10 * ms + *digit - '0';
    scorer.start_ms = (int64_t)timegm(&time) * 1000 + ms;
}

int cli_scorer(const struct cli_given *given)
{
    const char *path = given->word[0];
    bool is_new = cli_value(given, "ruleset") != NULL;
    scorer.record =
        (struct text){must(malloc(RECORD_BYTES_MAX + 1)), 0, RECORD_BYTES_MAX + 1, false};
    text_clear(&scorer.record);
    int status = EXIT_UNKNOWN;
    if (is_new ? begin(given) : cli_components(given, &scorer.components) && resume(path)) {
        take_start();
        scorer.file =
            open(path, O_WRONLY | O_APPEND | O_CLOEXEC | (is_new ? O_CREAT | O_EXCL : 0), 0666);
        if (scorer.file < 0)
            fprintf(stderr, "tillroll: cannot open %s: %s\n", path, strerror(errno));
        else if (store(path))
            status = follow(path);
        if (scorer.file >= 0 && close(scorer.file) != 0)
            status = EXIT_UNKNOWN;
    }
    free(scorer.record.at);
    component_list_free(&scorer.components);
    return status;
}
