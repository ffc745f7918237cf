/* The writer of records: bytes choose game, clock (or that luck is told) and entries of every kind.
 * What it refuses changes nothing, and what it writes a reader takes and is then in the same
 * position. */
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "support.h"
#include "tests/engine/support/roll.h"

enum {
    ENTRIES_MOST = 120,
    TOLD_MOST = 600,      /* lines of steps that are told whole */
    TOLD_OF_A_STEP = 120, /* at most */
    RECORD_ROOM = RECORD_HEADER_MAX + (2 * ENTRIES_MOST + TOLD_MOST) * RECORD_LINE_MAX
};

#define DISPUTE "0190163d-8694-739b-aea5-966c26f8adb0"
#define PLAYER  "0190163d-8694-739b-aea5-966c26f8adb1"

struct writing {
    struct fuzz_input input;
    struct replay replay, before, reader;
    struct move_list legal;
    uint8_t secret[32];
    int64_t elapsed_ms;
    unsigned told; /* lines */
    size_t length;
    char record[RECORD_ROOM];
};

static struct span past(const struct writing *writing)
{
    return (struct span){writing->record, writing->length};
}

static bool is_same(const struct replay *a, const struct replay *b)
{
    return memcmp(a->head, b->head, sizeof a->head) == 0 && a->seq == b->seq &&
           a->lines == b->lines && a->phase == b->phase && a->stop == b->stop &&
           a->fallback == b->fallback && a->elapsed_ms == b->elapsed_ms && a->dealt == b->dealt &&
           a->told.used == b->told.used &&
           memcmp(a->state, b->state, a->header.game->state_size) == 0;
}

/* The line was written: the reader must take it too. */
static void add_line(struct writing *writing, struct span line)
{
    struct record_fault fault = {0};
    FUZZ_MUST(writing->length + line.length + 1 < sizeof writing->record);
    FUZZ_MUST(replay_line_after(&writing->reader, past(writing), line, &fault));
    FUZZ_MUST(is_same(&writing->replay, &writing->reader));
    memcpy(writing->record + writing->length, line.at, line.length);
    writing->length += line.length;
    writing->record[writing->length++] = '\n';
}

static void begin(struct writing *writing)
{
    static const struct clock_control controls[] = {
        {.kind = CLOCK_NONE},
        {.kind = CLOCK_BANK, .bank_ms = 60000, .increment_ms = 1500, .cap_ms = 70000},
        {.kind = CLOCK_MOVE, .move_ms = 12000},
    };
    struct record_header header;
    struct record_fault fault = {0};
    uint8_t hash[32];
    size_t games = 0;
    while (catalog_at(games) != NULL)
        games++;
    const struct game *game = catalog_at(fuzz_below(&writing->input, (unsigned)games));
    struct game_options options = game_options_initial(game);
    unsigned seats =
        game->seats_min + fuzz_below(&writing->input, game->seats_max - game->seats_min + 1);
    roll_header(&header, game, seats, &options, fuzz_byte(&writing->input), writing->secret);
    unsigned control = fuzz_below(&writing->input, 4);
    header.recorded = control == 3;
    header.clock = controls[control % 3];
    for (unsigned seat = 0; header.recorded && seat < GAME_SEATS_MAX; seat++)
        header.seat[seat].entropy_size = 0;
    if (header.recorded) {
        header.board = 0;
        memset(header.commitment, 0, sizeof header.commitment);
    }
    struct text text = TEXT_OVER(writing->record);
    record_print_header(&header, &text, hash);
    text_add_char(&text, '\n');
    writing->length = text.length;
    struct span rest = text_span(&text);
    FUZZ_MUST(replay_begin(&writing->replay, NULL, &rest, writing->secret, &fault));
    rest = text_span(&text);
    FUZZ_MUST(replay_begin(&writing->reader, NULL, &rest, writing->secret, &fault));
    FUZZ_MUST(move_list_init(&writing->legal, game));
}

/* The seat that a choice names: often one that decides. */
static unsigned choose_seat(struct writing *writing)
{
    const struct replay *replay = &writing->replay;
    unsigned seat = fuzz_below(&writing->input, 2 * replay->header.seats);
    for (unsigned i = 0; seat >= replay->header.seats && i < replay->header.seats; i++)
        if (game_decides(replay->header.game, replay->state, i))
            return i;
    return seat % replay->header.seats;
}

/* A line's words behind its time; a move is one that the game would take. */
static void choose_move(struct writing *writing, struct record_entry *entry)
{
    const struct replay *replay = &writing->replay;
    entry->kind = RECORD_PLY;
    move_list_clear(&writing->legal);
    if (game_decides(replay->header.game, replay->state, entry->seat))
        replay->header.game->legal(replay->header.game, replay->state, entry->seat,
                                   &writing->legal);
    size_t choice = fuzz_below(&writing->input, 65536);
    entry->move = writing->legal.count == 0
                      ? span_of("pass")
                      : move_list_get(&writing->legal, choice % writing->legal.count);
}

/* Some words; whole steps are told by tell_step(). */
static const char *const places[] = {"deck",      "bag",         "stack",  "orders", "dice",
                                     "customers", "artifacts-0", "card-1", "supply", "nowhere"};
static const char *const components[] = {"ueno", "3,4", "ryan", "clothing-food", "a", "none"};
enum {
    PLACES = sizeof places / sizeof places[0],
    COMPONENTS = sizeof components / sizeof components[0]
};

static void choose_entry(struct writing *writing, struct record_entry *entry)
{
    struct fuzz_input *input = &writing->input;
    unsigned kind = fuzz_below(input, 2 * RECORD_KINDS);
    memset(entry, 0, sizeof *entry);
    writing->elapsed_ms += fuzz_byte(input) * 97;
    entry->elapsed_ms = writing->elapsed_ms;
    entry->seat = entry->subject = choose_seat(writing);
    if (kind >= RECORD_KINDS) {
        choose_move(writing, entry);
        return;
    }
    entry->kind = (enum record_kind)kind;
    if (entry->kind == RECORD_PLY)
        choose_move(writing, entry);
    entry->target = writing->replay.seq - fuzz_below(input, 16) % (writing->replay.seq + 1);
    entry->score = (int32_t)fuzz_byte(input) - 128;
    entry->rank = 1 + fuzz_below(input, GAME_SEATS_MAX);
    entry->reason = (enum record_reason)fuzz_below(input, RECORD_REASONS);
    entry->ruling = (enum record_ruling)fuzz_below(input, RECORD_RULINGS);
    entry->rekey = fuzz_byte(input) % 2 == 1;
    entry->place = span_of(places[fuzz_below(input, PLACES)]);
    entry->component = span_of(components[fuzz_below(input, COMPONENTS)]);
    memcpy(entry->secret, writing->secret, sizeof entry->secret);
    memcpy(entry->dispute, DISPUTE, sizeof entry->dispute);
    memcpy(entry->by, PLAYER, sizeof entry->by);
    memcpy(entry->code, "seed", sizeof "seed");
    memcpy(entry->player.player, PLAYER, sizeof PLAYER);
    entry->player.player[RECORD_ID_LENGTH - 1] = (char)('0' + fuzz_below(input, 10));
    memcpy(entry->player.name, "Other", sizeof "Other");
    memcpy(entry->house.level, "regular", sizeof "regular");
    entry->house.version = entry->rank;
}

static void add_entry(struct writing *writing)
{
    struct record_entry entry;
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    struct refusal refusal = {NULL, NULL};
    choose_entry(writing, &entry);
    size_t size = replay_size(&writing->replay);
    memcpy(&writing->before, &writing->replay, size);
    if (replay_add(&writing->replay, past(writing), &entry, &line, &refusal)) {
        add_line(writing, text_span(&line));
        return;
    }
    FUZZ_MUST(refusal.code != NULL && refusal.message != NULL && line.length == 0);
    FUZZ_MUST(memcmp(&writing->before, &writing->replay, size) == 0);
}

static bool add_chosen(struct writing *writing, const struct record_entry *entry)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    struct refusal refusal;
    if (!replay_add(&writing->replay, past(writing), entry, &line, &refusal))
        return false;
    add_line(writing, text_span(&line));
    return true;
}

/* A recorded game: a step with all that comes in it, as the present arrangement has it. */
static void tell_step(struct writing *writing)
{
    struct replay *replay = &writing->replay;
    const struct record_header *header = &replay->header;
    struct told heard = {.listens = true};
    struct chance chance = replay->chance;
    struct record_entry entry = {.elapsed_ms = writing->elapsed_ms, .kind = RECORD_PLY};
    struct refusal refusal;
    char place[TOLD_WORD_MAX + 1], component[TOLD_WORD_MAX + 1];
    bool quiet = replay->told.used == 0 && replay->stop == REPLAY_RUNS && !replay->together;
    if (!header->recorded || !quiet || writing->told + TOLD_OF_A_STEP > TOLD_MOST)
        return;
    chance.told = &heard;
    memcpy(&writing->before, replay, replay_size(replay));
    if (!replay->dealt && replay->phase == REPLAY_PLAYING) {
        entry.kind = RECORD_DEAL;
        memset(writing->before.state, 0, sizeof writing->before.state);
        header->game->setup(header->game, writing->before.state, header->seats, &header->options,
                            &chance);
    } else if (replay->phase == REPLAY_OVER) {
        entry.kind = RECORD_SHOW;
        if (header->game->show != NULL && !replay->voided)
            header->game->show(header->game, writing->before.state, &chance);
    } else if (replay->phase == REPLAY_PLAYING && replay_simultaneous(replay) == 0) {
        entry.seat = choose_seat(writing);
        if (!game_decides(header->game, replay->state, entry.seat))
            return;
        choose_move(writing, &entry);
        if (header->game->fit != NULL)
            header->game->fit(header->game, writing->before.state, entry.seat, entry.move, &chance);
        FUZZ_MUST(header->game->play(header->game, writing->before.state, entry.seat, entry.move,
                                     &chance, &refusal));
    } else {
        return;
    }
    FUZZ_MUST(heard.fault == TOLD_GOOD);
    for (writing->told++; told_pop(&heard, place, component); writing->told++) {
        const struct record_entry bind = {.elapsed_ms = writing->elapsed_ms,
                                          .kind = RECORD_BIND,
                                          .place = span_of(place),
                                          .component = span_of(component)};
        FUZZ_MUST(add_chosen(writing, &bind));
    }
    FUZZ_MUST(add_chosen(writing, &entry));
}

/* The lines that follow by themselves. */
static bool add_due(struct writing *writing, bool reveal)
{
    char bytes[RECORD_LINE_MAX + 1];
    struct text line = TEXT_OVER(bytes);
    if (!replay_add_due(&writing->replay, writing->elapsed_ms, reveal, &line))
        return false;
    add_line(writing, text_span(&line));
    return true;
}

static void check_whole(struct writing *writing)
{
    struct record_fault fault = {0};
    bool finished = writing->replay.phase == REPLAY_FINISHED;
    enum replay_verdict verdict = replay_verify(past(writing), NULL, &writing->reader, &fault);
    FUZZ_MUST(verdict == (finished ? REPLAY_VALID : REPLAY_UNFINISHED));
    FUZZ_MUST(memcmp(writing->replay.head, writing->reader.head, 32) == 0);
}

static void add_one(struct writing *writing)
{
    if (writing->replay.header.recorded && fuzz_byte(&writing->input) % 4 != 0)
        tell_step(writing);
    else
        add_entry(writing);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct writing *writing = calloc(1, sizeof *writing);
    if (writing == NULL)
        return 0;
    writing->input = fuzz_begin(bytes, size);
    begin(writing);
    for (unsigned i = 0; i < ENTRIES_MOST && writing->input.left > 0; i++)
        if (writing->replay.phase == REPLAY_FINISHED ||
            !(fuzz_byte(&writing->input) % 4 == 0 && add_due(writing, i % 2 == 0)))
            add_one(writing);
    for (unsigned i = 0; i < ENTRIES_MOST && add_due(writing, true); i++)
        ;
    check_whole(writing);
    move_list_free(&writing->legal);
    free(writing);
    return 0;
}
