/* replay_apply() alone decides whether an entry may follow; reading and writing both go through
 * it. */
#include <sodium.h>
#include <string.h>

#include "engine/record/record_parts.h"
#include "engine/record/replay_parts.h"

static const struct span none = {NULL, 0};

bool replay_deny(const struct replay_denial *denial, const char *code, const char *message)
{
    refuse(denial->refusal, code, message);
    return record_fault(denial->fault, code, message, none);
}

static void settle(struct replay *replay)
{
    if (replay->phase == REPLAY_PLAYING && replay->header.game->deciders(replay->state) == 0)
        replay->phase = REPLAY_OVER;
    replay_clock_settle(replay);
}

void replay_reset(struct replay *replay)
{
    const struct record_header *header = &replay->header;
    replay->fallback = 0;
    replay->phase = REPLAY_PLAYING;
    replay->results = 0;
    replay->together = false;
    replay->stop = REPLAY_RUNS;
    replay->stopped_ms = 0;
    replay->sealed = 0;
    replay->timed_out = 0;
    replay->undo_from = 0;
    replay->drawn_seq = 0;
    replay->forfeits = 0;
    replay->dealt = !header->recorded;
    if (header->recorded)
        memset(&replay->told, 0, sizeof replay->told);
    memset(replay->state, 0, header->game->state_size);
    header->game->setup(header->game, replay->state, header->seats, &header->options,
                        &replay->chance);
    clock_begin(&replay->clock, &header->clock);
    settle(replay);
}

bool replay_keeps_commitment(const struct record_header *header, const uint8_t secret[static 32])
{
    uint8_t commitment[32];
    char scope[RECORD_SCOPE_MAX];
    struct text text = TEXT_OVER(scope);
    record_scope(header, &text);
    record_commitment(text_span(&text), secret, commitment);
    return sodium_memcmp(commitment, header->commitment, sizeof commitment) == 0;
}

size_t replay_size(const struct replay *replay)
{
    return replay->header.recorded
               ? sizeof *replay
               : offsetof(struct replay, state) + replay->header.game->state_size;
}

/* The parts of a replay in use: up to the seats, those that play, from there to the co-dealers,
 * those of the game, and the rest. Each part says where the next one ends. */
enum { PARTS = 5 };

static void find_part(const struct replay *replay, unsigned part, size_t *from, size_t *to)
{
    const size_t seats = offsetof(struct replay, header.seat);
    const size_t dealers = offsetof(struct replay, header.dealer);
    const struct record_header *header = &replay->header;
    switch (part) {
    case 0:
        *from = 0;
        *to = seats;
        return;
    case 1:
        *from = seats;
        *to = seats + header->seats * sizeof *header->seat;
        return;
    case 2:
        *from = seats + sizeof header->seat;
        *to = dealers;
        return;
    case 3:
        *from = dealers;
        *to = dealers + header->dealers * sizeof *header->dealer;
        return;
    default:
        *from = dealers + sizeof header->dealer;
        *to = replay_size(replay);
    }
}

/* The same without zeros at the end of the last part, eight at a time. */
static void find_content(const struct replay *replay, unsigned part, size_t *from, size_t *to)
{
    uint64_t eight = 0;
    find_part(replay, part, from, to);
    while (part == PARTS - 1 && *to - *from >= sizeof eight) {
        memcpy(&eight, (const unsigned char *)replay + *to - sizeof eight, sizeof eight);
        if (eight != 0)
            return;
        *to -= sizeof eight;
    }
}

size_t replay_packed_size(const struct replay *replay)
{
    size_t size = 0, from, to;
    for (unsigned part = 0; part < PARTS; part++) {
        find_content(replay, part, &from, &to);
        size += to - from;
    }
    return size;
}

void replay_pack(const struct replay *replay, unsigned char *bytes)
{
    size_t from, to;
    for (unsigned part = 0; part < PARTS; part++, bytes += to - from) {
        find_content(replay, part, &from, &to);
        memcpy(bytes, (const unsigned char *)replay + from, to - from);
    }
}

void replay_unpack(struct replay *replay, const unsigned char *bytes, size_t size)
{
    unsigned char *to_fill = (unsigned char *)replay;
    size_t from, to, end = 0;
    for (unsigned part = 0; part < PARTS; part++, end = to) {
        find_part(replay, part, &from, &to);
        size_t given = to - from < size ? to - from : size;
        memset(to_fill + end, 0, from - end);
        memcpy(to_fill + from, bytes, given);
        memset(to_fill + from + given, 0, to - from - given);
        bytes += given;
        size -= given;
    }
}

bool replay_begin(struct replay *replay, const struct component_sets *sets, struct span *rest,
                  const uint8_t secret[static 32], struct record_fault *fault)
{
    memset(replay, 0, sizeof *replay);
    if (!record_read_header(rest, &replay->header, replay->head, &replay->lines, fault) ||
        !record_find_set(&replay->header, sets, fault))
        return false;
    if (!replay->header.recorded && !replay_keeps_commitment(&replay->header, secret))
        return record_fault(fault, "wrong-commitment",
                            "The secret does not match the record's commitment.", none);
    memcpy(replay->decided_at, replay->head, sizeof replay->decided_at);
    if (!replay->header.recorded) {
        memcpy(replay->secret, secret, sizeof replay->secret);
        record_seed(&replay->header, replay->secret, replay->chance.seed);
    }
    replay_reset(replay);
    return true;
}

/* ---- What may follow ---- */

uint32_t replay_deciders(const struct replay *replay)
{
    return replay->phase == REPLAY_PLAYING && replay->dealt
               ? replay->header.game->deciders(replay->state)
               : 0;
}

uint32_t replay_awaits(const struct replay *replay)
{
    return replay->stop == REPLAY_RUNS
               ? replay_deciders(replay) & ~replay->sealed & ~replay->fallback
               : 0;
}

static bool is_single(uint32_t seats)
{
    return (seats & (seats - 1)) == 0;
}

/* The lowest of these seats; -1 for none. */
static int lowest_seat(uint32_t seats)
{
    for (int seat = 0; seat < GAME_SEATS_MAX; seat++)
        if ((seats >> seat & 1) != 0)
            return seat;
    return -1;
}

uint32_t replay_simultaneous(const struct replay *replay)
{
    uint32_t seats = replay_deciders(replay);
    return is_single(seats) ? 0 : seats;
}

unsigned replay_decision_number(const struct replay *replay)
{
    return replay->plies + replay->takebacks;
}

/* The same while these seats have to decide. */
static int quiet_among(const struct replay *replay, uint32_t seats)
{
    if ((seats & replay->fallback) == 0 || replay->stop != REPLAY_RUNS)
        return -1;
    int lowest = lowest_seat(seats);
    bool waits = !is_single(seats) && !replay->together && (seats & ~replay->fallback) != 0;
    return waits || (replay->fallback >> lowest & 1) == 0 ? -1 : lowest;
}

int replay_quiet_seat(const struct replay *replay)
{
    return quiet_among(replay, replay_deciders(replay));
}

/* The phases in which lines of a kind may stand. Kinds without phases check for themselves. */
enum { PLAYING = 1 << REPLAY_PLAYING, OVER = 1 << REPLAY_OVER };
enum { RUNS = 1 << REPLAY_RUNS, STOPPED = 1 << REPLAY_STOPPED, FROZEN = 1 << REPLAY_FROZEN };

static const struct place {
    uint8_t phases, stops;
    const char *code; /* fault code in any other phase */
} places[RECORD_KINDS] = {
    [RECORD_PLY] = {0, RUNS, "illegal-ply"},
    [RECORD_UNDO] = {PLAYING, RUNS, "bad-undo"},
    [RECORD_SEALED] = {PLAYING, RUNS, "bad-sealed"},
    [RECORD_TIMEOUT] = {PLAYING, RUNS, "bad-timeout"},
    [RECORD_FALLBACK] = {0, RUNS, "bad-fallback"},
    [RECORD_RETURN] = {PLAYING, RUNS, "bad-return"},
    [RECORD_FORFEIT] = {PLAYING, RUNS, "bad-forfeit"},
    [RECORD_SUBSTITUTE] = {PLAYING, RUNS | STOPPED | FROZEN, "bad-substitute"},
    [RECORD_HOUSE] = {PLAYING, RUNS | STOPPED | FROZEN, "bad-house"},
    [RECORD_STOP] = {PLAYING, RUNS, "bad-stop"},
    [RECORD_FREEZE] = {PLAYING | OVER, RUNS | STOPPED, "bad-freeze"},
    [RECORD_RULING] = {PLAYING | OVER, FROZEN, "bad-ruling"},
    [RECORD_RESUME] = {PLAYING | OVER, STOPPED | FROZEN, "bad-resume"},
    [RECORD_REVEAL] = {0, RUNS, "early-reveal"},
    [RECORD_RESULT] = {0, RUNS, "wrong-result"},
    [RECORD_BIND] = {PLAYING | OVER, RUNS, "bad-bind"},
    [RECORD_DEAL] = {PLAYING, RUNS, "bad-deal"},
    [RECORD_SHOW] = {OVER, RUNS, "bad-show"},
    [RECORD_BACK] = {0, RUNS, "bad-back"},
};

/* A scorer writes what the seats do themselves, and clocks stand beside the board. */
static const uint32_t only_computed =
    1u << RECORD_UNDO | 1u << RECORD_SEALED | 1u << RECORD_TIMEOUT | 1u << RECORD_FALLBACK |
    1u << RECORD_RETURN | 1u << RECORD_FORFEIT | 1u << RECORD_HOUSE | 1u << RECORD_REVEAL;
static const uint32_t only_recorded =
    1u << RECORD_BIND | 1u << RECORD_DEAL | 1u << RECORD_SHOW | 1u << RECORD_BACK;

static bool has_place(const struct replay *replay, enum record_kind kind,
                      const struct replay_denial *denial)
{
    const struct place *place = &places[kind];
    bool recorded = replay->header.recorded;
    if (recorded ? (only_computed >> kind & 1) != 0 : (only_recorded >> kind & 1) != 0)
        return replay_deny(denial, place->code,
                           recorded ? "There are no such lines in a recorded game."
                                    : "Only a recorded game has such lines.");
    if ((place->stops >> replay->stop & 1) == 0) {
        refuse(denial->refusal, "stopped", "The game is stopped.");
        return record_fault(denial->fault, place->code,
                            replay->stop == REPLAY_RUNS
                                ? "This line is allowed only while the game is stopped."
                                : "The game is stopped here.",
                            none);
    }
    if (place->phases == 0)
        return true;
    if ((place->phases >> replay->phase & 1) == 0) {
        refuse(denial->refusal, REFUSAL_GAME_OVER, "The game is over.");
        return record_fault(denial->fault, place->code, "The game is over.", none);
    }
    if (replay->together || replay_quiet_seat(replay) >= 0)
        return replay_deny(denial, place->code, "A ply must come first.");
    return true;
}

/* ---- Plies ---- */

static bool is_fallback_move(const struct replay *replay, const struct record_entry *entry)
{
    char bytes[GAME_MOVE_MAX + 1];
    struct text quiet = TEXT_OVER(bytes);
    replay->header.game->fallback(replay->header.game, replay->state, entry->seat, &quiet);
    return span_equal(entry->move, text_span(&quiet));
}

/* Simultaneous decisions stand in the order of seats and have one time. */
static bool keeps_order(const struct replay *replay, uint32_t seats,
                        const struct record_entry *entry, struct record_fault *fault)
{
    if (!is_single(seats) && (int)entry->seat != lowest_seat(seats))
        return record_fault(fault, "wrong-order",
                            "Simultaneous decisions must be in the order of seats.", none);
    if (replay->together && entry->elapsed_ms != replay->elapsed_ms)
        return record_fault(fault, "wrong-time", "Simultaneous decisions must have the same time.",
                            none);
    return true;
}

static bool is_absent(const struct replay *replay, unsigned seat)
{
    return (replay->fallback >> seat & 1) != 0;
}

/* True if it is this seat's turn in the record and the seat may choose the move; `seats` have to
 * decide. */
static bool is_due(const struct replay *replay, uint32_t seats, const struct record_entry *entry,
                   const struct replay_denial *denial)
{
    int quiet = quiet_among(replay, seats);
    if (replay->phase != REPLAY_PLAYING) {
        refuse(denial->refusal, REFUSAL_GAME_OVER, "The game is over.");
        return record_fault(denial->fault, "illegal-ply", "A ply after the end of the game.", none);
    }
    if (entry->seat >= replay->header.seats) {
        refuse(denial->refusal, REFUSAL_NOT_YOUR_TURN, "There is no such seat in this game.");
        return record_fault(denial->fault, "illegal-ply", "There is no such seat in this game.",
                            none);
    }
    if ((quiet >= 0 && (unsigned)quiet != entry->seat) ||
        (is_absent(replay, entry->seat) &&
         ((seats >> entry->seat & 1) == 0 || !is_fallback_move(replay, entry)))) {
        refuse(denial->refusal, "seat-on-fallback", "Fallback moves are played for this seat.");
        return record_fault(denial->fault, "not-the-quiet-move",
                            "The fallback move of an absent seat was due, found: ", entry->move);
    }
    if (keeps_order(replay, seats, entry, denial->fault))
        return replay_has_time(replay, entry->seat, denial);
    refuse(denial->refusal, REFUSAL_NOT_YOUR_TURN, "It is another seat's turn first.");
    return false;
}

static bool apply_ply(struct replay *replay, const struct record_entry *entry,
                      const struct replay_denial *denial)
{
    const struct game *game = replay->header.game;
    uint32_t before = replay_deciders(replay);
    uint32_t drawn = game->drawn(game, replay->state);
    if (!is_due(replay, before, entry, denial))
        return false;
    if (replay->header.recorded) {
        if (!replay_play_told(replay, entry, denial))
            return false;
    } else if (!game->play(game, replay->state, entry->seat, entry->move, &replay->chance,
                           denial->refusal)) {
        return record_fault(denial->fault, "illegal-ply", denial->refusal->message, none);
    }
    uint32_t left = before & ~(UINT32_C(1) << entry->seat);
    replay_note_ply(replay, entry, drawn, left == 0 && !replay->together);
    replay_clock_press(replay, entry->seat);
    replay->together = left != 0 && game->deciders(replay->state) == left;
    replay->plies++;
    return true;
}

/* ---- Presence ---- */

static bool apply_fallback(struct replay *replay, const struct record_entry *entry,
                           const struct replay_denial *denial)
{
    struct refusal *refusal = denial->refusal;
    bool known = entry->subject < replay->header.seats;
    if (replay->phase == REPLAY_PLAYING && known && replay_quiet_seat(replay) < 0 &&
        !is_absent(replay, entry->subject)) {
        replay->fallback |= UINT32_C(1) << entry->subject;
        return true;
    }
    if (replay->phase != REPLAY_PLAYING)
        refuse(refusal, REFUSAL_GAME_OVER, "The game is over.");
    else if (!known)
        refuse(refusal, "unknown-seat", "There is no such seat in this game.");
    else
        refuse(refusal, "seat-on-fallback", "Fallback moves are already played for this seat.");
    return record_fault(denial->fault, "bad-fallback", refusal->message, none);
}

static bool is_out(const struct replay *replay, unsigned seat)
{
    for (unsigned i = 0; i < replay->forfeits; i++)
        if (replay->forfeited[i] == seat)
            return true;
    return false;
}

/* False if there is no such seat, or it has forfeited. */
static bool is_in(const struct replay *replay, unsigned seat, const char *code,
                  const struct replay_denial *denial)
{
    if (seat >= replay->header.seats)
        return replay_deny(denial, code, "There is no such seat in this game.");
    if (is_out(replay, seat))
        return replay_deny(denial, code, "This seat has forfeited the game.");
    return true;
}

static bool apply_return(struct replay *replay, const struct record_entry *entry,
                         const struct replay_denial *denial)
{
    if (!is_in(replay, entry->subject, "bad-return", denial))
        return false;
    if (!is_absent(replay, entry->subject))
        return replay_deny(denial, "bad-return", "No fallback moves are played for this seat.");
    replay->fallback &= ~(UINT32_C(1) << entry->subject);
    return true;
}

static bool apply_forfeit(struct replay *replay, const struct record_entry *entry, const char *code,
                          const struct replay_denial *denial)
{
    if (!is_in(replay, entry->subject, code, denial))
        return false;
    replay->forfeited[replay->forfeits++] = (uint8_t)entry->subject;
    replay->fallback |= UINT32_C(1) << entry->subject;
    return true;
}

/* A long name in a line with a large number might not fit. */
static bool fits_line(const struct record_entry *entry)
{
    char bytes[RECORD_LINE_MAX - MARK_LENGTH + 1];
    struct text line = TEXT_OVER(bytes);
    record_print_entry(entry, &line);
    return !line.overflow;
}

void replay_put_in(struct record_header *header, const struct record_entry *entry)
{
    struct record_seat *seat = &header->seat[entry->subject];
    memcpy(seat->player, entry->player.player, sizeof seat->player);
    memcpy(seat->name, entry->player.name, sizeof seat->name);
    memcpy(seat->key, entry->player.key, sizeof seat->key);
    seat->has_key = entry->player.has_key;
}

static bool apply_substitute(struct replay *replay, const struct record_entry *entry,
                             const struct replay_denial *denial)
{
    static const char code[] = "bad-substitute";
    if (!is_in(replay, entry->subject, code, denial))
        return false;
    for (unsigned seat = 0; seat < replay->header.seats; seat++)
        if (strcmp(replay->header.seat[seat].player, entry->player.player) == 0)
            return replay_deny(denial, code, "This player already has a seat at the table.");
    if (!fits_line(entry))
        return replay_deny(denial, code, "The name is too long for a line.");
    replay_put_in(&replay->header, entry);
    replay->house[entry->subject] = (struct record_house){.version = 0};
    return true;
}

static bool apply_house(struct replay *replay, const struct record_entry *entry,
                        const struct replay_denial *denial)
{
    static const char code[] = "bad-house";
    if (!is_in(replay, entry->subject, code, denial))
        return false;
    struct record_house *house = &replay->house[entry->subject];
    if (house->version == entry->house.version && strcmp(house->level, entry->house.level) == 0)
        return replay_deny(denial, code, "This is what the record already says of the seat.");
    *house = entry->house;
    return true;
}

/* ---- Disputes ---- */

static bool apply_freeze(struct replay *replay, const struct record_entry *entry)
{
    memcpy(replay->dispute, entry->dispute, sizeof replay->dispute);
    replay->stop = REPLAY_FROZEN;
    replay->stopped_ms = entry->elapsed_ms;
    return true;
}

static bool apply_adjust(struct replay *replay, const struct record_entry *entry,
                         const struct replay_denial *denial)
{
    if (entry->subject >= replay->header.seats)
        return replay_deny(denial, "bad-ruling", "There is no such seat in this game.");
    if (entry->score == 0 || entry->score < -RECORD_POINTS_MAX || entry->score > RECORD_POINTS_MAX)
        return replay_deny(denial, "bad-ruling", "A ruling cannot give or take this many points.");
    int32_t sum = replay->adjusted[entry->subject] + entry->score;
    if (sum < -RECORD_POINTS_MAX || sum > RECORD_POINTS_MAX)
        return replay_deny(denial, "bad-ruling",
                           "The points given or taken at this seat exceed the limit.");
    replay->adjusted[entry->subject] = sum;
    return true;
}

static bool apply_void(struct replay *replay)
{
    replay->voided = true;
    replay->phase = REPLAY_OVER;
    replay->stop = REPLAY_RUNS;
    return true;
}

static bool apply_ruling(struct replay *replay, struct span past, const struct record_entry *entry,
                         const struct replay_denial *denial)
{
    if (strcmp(entry->dispute, replay->dispute) != 0)
        return replay_deny(denial, "bad-ruling", "The game is frozen for another dispute.");
    switch (entry->ruling) {
    case RECORD_RULING_ADJUST:
        return apply_adjust(replay, entry, denial);
    case RECORD_RULING_FORFEIT:
        if (replay->header.recorded)
            break;
        return apply_forfeit(replay, entry, "bad-ruling", denial);
    case RECORD_RULING_TAKEBACK:
        if (replay->header.recorded)
            break;
        return replay_apply_takeback(replay, past, entry, denial);
    case RECORD_RULING_VOID:
        return apply_void(replay);
    case RECORD_RULING_STANDS:
        return true;
    case RECORD_RULINGS:
        break;
    }
    return replay_deny(denial, "bad-ruling", "A recorded game has no such rulings.");
}

/* ---- The end ---- */

static bool apply_reveal(struct replay *replay, const struct record_entry *entry,
                         const struct replay_denial *denial)
{
    if (replay->phase != REPLAY_OVER)
        return replay_deny(denial, "early-reveal",
                           "The secret can be revealed only once, when the game is over.");
    if (sodium_memcmp(entry->secret, replay->secret, sizeof replay->secret) != 0)
        return replay_deny(denial, "wrong-commitment",
                           "The secret does not match the record's commitment.");
    replay_count_results(replay);
    return true;
}

static bool apply_result(struct replay *replay, const struct record_entry *entry,
                         const struct replay_denial *denial)
{
    if (replay->phase != REPLAY_REVEALED || entry->subject != replay->results)
        return replay_deny(denial, "wrong-result",
                           "Results must follow the reveal (in a recorded game, `show`), one for "
                           "each seat in order.");
    if (entry->score != replay->due_score[entry->subject] ||
        entry->rank != replay->due_rank[entry->subject])
        return replay_deny(denial, "wrong-result",
                           "The score or rank of this seat differs from the replayed game.");
    if (++replay->results == replay->header.seats)
        replay->phase = REPLAY_CLOSING;
    return true;
}

/* ---- All of them ---- */

static bool apply_kind(struct replay *replay, struct span past, const struct record_entry *entry,
                       const struct replay_denial *denial)
{
    switch (entry->kind) {
    case RECORD_PLY:
        return apply_ply(replay, entry, denial);
    case RECORD_UNDO:
        return replay_apply_undo(replay, past, entry, denial);
    case RECORD_SEALED:
        return replay_apply_sealed(replay, entry, denial);
    case RECORD_TIMEOUT:
        return replay_apply_timeout(replay, entry, denial);
    case RECORD_FALLBACK:
        return apply_fallback(replay, entry, denial);
    case RECORD_RETURN:
        return apply_return(replay, entry, denial);
    case RECORD_FORFEIT:
        return apply_forfeit(replay, entry, "bad-forfeit", denial);
    case RECORD_SUBSTITUTE:
        return apply_substitute(replay, entry, denial);
    case RECORD_HOUSE:
        return apply_house(replay, entry, denial);
    case RECORD_STOP:
        replay->stop = REPLAY_STOPPED;
        replay->stopped_ms = entry->elapsed_ms;
        return true;
    case RECORD_FREEZE:
        return apply_freeze(replay, entry);
    case RECORD_RULING:
        return apply_ruling(replay, past, entry, denial);
    case RECORD_RESUME:
        replay->stop = REPLAY_RUNS;
        return true;
    case RECORD_REVEAL:
        return apply_reveal(replay, entry, denial);
    case RECORD_RESULT:
        return apply_result(replay, entry, denial);
    case RECORD_BIND:
        return replay_apply_bind(replay, entry, denial);
    case RECORD_DEAL:
        return replay_apply_deal(replay, denial);
    case RECORD_SHOW:
        return replay_apply_show(replay, denial);
    case RECORD_BACK:
        return replay_apply_back(replay, past, entry, denial);
    case RECORD_KINDS:
        break;
    }
    return false;
}

bool replay_apply(struct replay *replay, struct span past, const struct record_entry *entry,
                  const struct replay_denial *denial)
{
    struct clock clock = replay->clock;
    if (entry->elapsed_ms < replay->elapsed_ms)
        return record_fault(denial->fault, "wrong-time",
                            "The time is earlier than that of the previous entry.", none);
    replay_clock_advance(replay, entry->elapsed_ms);
    if (!has_place(replay, entry->kind, denial) || !apply_kind(replay, past, entry, denial)) {
        replay->clock = clock;
        return false;
    }
    if (entry->kind != RECORD_PLY && entry->kind != RECORD_UNDO)
        replay->undo_from = 0;
    replay->seq = entry->seq;
    replay->elapsed_ms = entry->elapsed_ms;
    settle(replay);
    return true;
}

void replay_note_head(struct replay *replay, const struct record_entry *entry)
{
    bool back = entry->kind == RECORD_UNDO || record_takes_back(entry);
    if (back || (entry->kind == RECORD_PLY && !replay->together))
        memcpy(replay->decided_at, replay->head, sizeof replay->decided_at);
}

/* ---- Reading ---- */

/* Reads `head <hash>`: the hash is the chain's value before this line. */
bool replay_read_head(struct span line, const uint8_t before[static 32], struct record_fault *fault)
{
    uint8_t named[32];
    struct span rest = line;
    span_word(&rest);
    if (!span_hex(rest, named, sizeof named) || memcmp(named, before, sizeof named) != 0)
        return record_fault(fault, "wrong-head", "The head is not the hash of the line before it.",
                            none);
    return true;
}

static bool follow(struct replay *replay, struct span past, const struct record_entry *entry,
                   struct record_fault *fault)
{
    struct refusal refusal = {"", ""};
    const struct replay_denial denial = {fault, &refusal};
    if (entry->seq != replay->seq + 1)
        return record_fault(fault, "wrong-sequence",
                            "The sequence number is not one more than that of the line before.",
                            none);
    if (!replay_apply(replay, past, entry, &denial))
        return false;
    replay_note_head(replay, entry);
    return true;
}

bool replay_line_after(struct replay *replay, struct span past, struct span line,
                       struct record_fault *fault)
{
    uint8_t before[32];
    struct record_entry entry;
    memcpy(before, replay->head, sizeof before);
    fault->line = ++replay->lines;
    if (replay->phase == REPLAY_FINISHED)
        return record_fault(fault, "bad-line", "Nothing may follow the head.", none);
    if (!record_chain_check(replay->head, &line, fault))
        return false;
    if (!record_is_head(line))
        return record_read_entry(line, &entry, fault) && follow(replay, past, &entry, fault);
    if (replay->phase != REPLAY_CLOSING)
        return record_fault(fault, "bad-line", "The head comes before the last result.", none);
    replay->phase = REPLAY_FINISHED;
    return replay_read_head(line, before, fault);
}

bool replay_line(struct replay *replay, struct span line, struct record_fault *fault)
{
    return replay_line_after(replay, none, line, fault);
}
