#include "engine/analysis/analysis.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/search/level.h"
#include "engine/search/value.h"

/* An eighth of the budget is for samples, each of which may be played out twice at a ply. Another
 * eighth is for further pairs of playouts, which tell a move from the one that a playout makes: few
 * plies need them, and the errors of all these differences add up. The third eighth finds a rival
 * to the move, and the rest compares the two. DOUBT: quarters of a standard error. */
enum { SAMPLES = 8, PAIRS = 4, RIVALS = 8, REACH = 6, DOUBT = 9 };

/* The value of every seat: a sum over the samples, in halves. */
struct worth {
    int64_t halves[GAME_SEATS_MAX];
};

struct analysis {
    struct span record, rest;
    struct record_header header;
    struct replay replay; /* up to the ply analysed last */
    const struct game *game;
    unsigned seats;
    struct move_list legal;
    struct search *search;
    struct chance luck; /* of the analysis: from the record's head */
    uint32_t budget;
    uint32_t samples;              /* kept as long as nothing new is known of them */
    uint32_t pairs;                /* the samples among them */
    bool failed;                   /* the next ply cannot be analysed */
    struct chance *chance;         /* of each pair */
    unsigned char *sampled;        /* the position of each sample, state_size bytes each */
    struct worth start;            /* sum over as many samples as there are pairs */
    struct worth dealt;            /* sum over the samples */
    struct worth now;              /* of the samples as they are kept */
    int64_t value[GAME_SEATS_MAX]; /* after the ply analysed last */
    struct analysis_ply *ply;
    size_t count, done;
    _Alignas(8) unsigned char before[GAME_STATE_MAX]; /* the ply analysed last */
    struct chance chance_before;
    _Alignas(8) unsigned char copy[GAME_STATE_MAX];
    _Alignas(8) unsigned char imagined[GAME_STATE_MAX];
};

static const struct viewer everyone = {VIEWER_AUDITOR, 0};

/* ---- Which plies count ---- */

static struct span without_mark(struct span line)
{
    return (struct span){line.at, line.length - sizeof " #01234567" + 1};
}

static bool takes_back(const struct record_entry *entry)
{
    return entry->kind == RECORD_UNDO ||
           (entry->kind == RECORD_RULING && entry->ruling == RECORD_RULING_TAKEBACK);
}

static size_t count_lines(struct span record)
{
    struct span line;
    size_t count = 0;
    while (span_line(&record, &line))
        count++;
    return count;
}

size_t analysis_list_plies(struct span record, struct analysis_ply **plies)
{
    struct span rest = record, line;
    struct record_header header;
    struct record_entry entry;
    struct record_fault fault;
    uint8_t hash[32];
    uint32_t lines;
    size_t count = 0;
    struct analysis_ply *ply = calloc(count_lines(record) + 1, sizeof *ply);
    *plies = ply;
    if (ply == NULL || !record_read_header(&rest, &header, hash, &lines, &fault))
        return 0;
    while (span_line(&rest, &line)) {
        if (!record_read_entry(without_mark(line), &entry, &fault))
            continue; /* the head */
        if (entry.kind == RECORD_PLY) {
            ply[count] = (struct analysis_ply){.seq = entry.seq, .seat = entry.seat};
            memcpy(ply[count++].move, entry.move.at, entry.move.length);
        }
        while (takes_back(&entry) && count > 0 && ply[count - 1].seq >= entry.target)
            count--;
    }
    return count;
}

/* ---- Samples ---- */

static void *sampled(const struct analysis *analysis, uint32_t i)
{
    return analysis->sampled + i * analysis->game->state_size;
}

static void draw_seeds(struct analysis *analysis)
{
    struct chance_stream stream;
    chance_open(&stream, &analysis->luck, "samples", 0);
    for (uint32_t i = 0; i < analysis->pairs; i++)
        analysis->chance[i] = chance_draw(&stream);
}

static void add_result(const struct analysis *analysis, const void *state, int64_t times,
                       struct worth *worth)
{
    struct outcome outcome;
    analysis->game->outcome(analysis->game, state, &outcome);
    for (unsigned seat = 0; seat < analysis->seats; seat++)
        worth->halves[seat] += times * value_halves(&outcome, seat);
}

/* Plays sample i on from `copy`. */
static void add_playout(struct analysis *analysis, uint32_t i, int64_t times, struct worth *worth)
{
    search_play_out(analysis->search, analysis->copy, &analysis->chance[i]);
    add_result(analysis, analysis->copy, times, worth);
}

/* Makes a move in a position of sample i. The samples agree with the game in everything that
 * anybody knows, so that its moves are legal in them; if one is not, the analysis has failed. */
static void play_sample(struct analysis *analysis, uint32_t i, void *state, unsigned seat,
                        struct span move)
{
    struct refusal refusal;
    if (!analysis->game->play(analysis->game, state, seat, move, &analysis->chance[i], &refusal))
        analysis->failed = true;
}

/* The value before anything is dealt. */
static struct worth value_of_start(struct analysis *analysis)
{
    const struct record_header *header = &analysis->header;
    struct worth worth = {{0}};
    for (uint32_t i = 0; i < analysis->pairs; i++) {
        memset(analysis->copy, 0, sizeof analysis->copy);
        analysis->game->setup(analysis->game, analysis->copy, header->seats, &header->options,
                              &analysis->chance[i]);
        add_playout(analysis, i, 1, &worth);
    }
    return worth;
}

/* Imagines every sample anew from the position in `replay`, and returns its value. */
static struct worth value_of_position(struct analysis *analysis)
{
    const size_t size = analysis->game->state_size;
    struct worth worth = {{0}};
    for (uint32_t i = 0; i < analysis->samples; i++) {
        memcpy(sampled(analysis, i), analysis->replay.state, size);
        analysis->game->imagine(analysis->game, sampled(analysis, i), everyone,
                                &analysis->chance[i]);
        memcpy(analysis->copy, sampled(analysis, i), size);
        add_playout(analysis, i, 1, &worth);
    }
    return worth;
}

/* The value of a move in the samples. */
static struct worth value_of_move(struct analysis *analysis, unsigned seat, struct span move)
{
    struct worth worth = {{0}};
    for (uint32_t i = 0; i < analysis->samples && !analysis->failed; i++) {
        memcpy(analysis->copy, sampled(analysis, i), analysis->game->state_size);
        play_sample(analysis, i, analysis->copy, seat, move);
        add_playout(analysis, i, 1, &worth);
    }
    return worth;
}

/* By how much a move is better than the one that a playout makes, in the pairs that are no samples:
 * the sum over them. */
static struct worth compare_more(struct analysis *analysis, unsigned seat, struct span move)
{
    const size_t size = analysis->game->state_size;
    struct worth worth = {{0}};
    for (uint32_t i = analysis->samples; i < analysis->pairs && !analysis->failed; i++) {
        memcpy(analysis->imagined, analysis->before, size);
        analysis->game->imagine(analysis->game, analysis->imagined, everyone, &analysis->chance[i]);
        memcpy(analysis->copy, analysis->imagined, size);
        add_playout(analysis, i, -1, &worth);
        memcpy(analysis->copy, analysis->imagined, size);
        play_sample(analysis, i, analysis->copy, seat, move);
        add_playout(analysis, i, 1, &worth);
    }
    return worth;
}

/* ---- Fixed-point values ---- */

static int64_t fixed(const struct worth *worth, uint32_t samples, unsigned seat)
{
    return worth->halves[seat] * (ANALYSIS_ONE / 2) / (int64_t)samples;
}

/* ---- A ply ---- */

static void find_better(struct analysis *analysis, struct analysis_ply *ply, size_t played)
{
    struct chance_stream stream;
    struct search_finding finding;
    chance_open(&stream, &analysis->luck, "reviews", ply->seq * (CHANCE_SEED_BYTES / 4));
    const struct chance luck = chance_draw(&stream);
    if (!search_review(analysis->search, analysis->before, ply->seat, &luck, &analysis->legal,
                       played, analysis_review_samples(analysis->budget), &finding))
        return;
    struct span better = move_list_get(&analysis->legal, finding.move);
    memcpy(ply->better, better.at, better.length);
    ply->loss = finding.halves * (ANALYSIS_ONE / 2) / finding.samples;
}

/* The value of the move in the samples, before what it draws is known, and its skill. */
static struct worth judge_move(struct analysis *analysis, struct analysis_ply *ply)
{
    const struct game *game = analysis->game;
    const struct span move = span_of(ply->move);
    move_list_clear(&analysis->legal);
    game->legal(game, analysis->before, ply->seat, &analysis->legal);
    const ptrdiff_t played = move_list_find(&analysis->legal, move);
    if (played < 0)
        analysis->failed = true;
    if (played < 0 || analysis->legal.count == 1)
        return analysis->now;
    find_better(analysis, ply, (size_t)played);
    if (search_choose_quickly(analysis->search, analysis->before, ply->seat, &analysis->legal) ==
        (size_t)played)
        return analysis->now; /* the samples went on with this move */
    const struct worth worth = value_of_move(analysis, ply->seat, move);
    const struct worth more = compare_more(analysis, ply->seat, move);
    for (unsigned seat = 0; seat < analysis->seats; seat++)
        ply->skill[seat] = (worth.halves[seat] - analysis->now.halves[seat] + more.halves[seat]) *
                           (ANALYSIS_ONE / 2) / (int64_t)analysis->pairs;
    return worth;
}

/* Makes the move in the samples; or, if that reveals something, imagines them anew. True if so:
 * then the position is valued anew too. */
static bool judge_draw(struct analysis *analysis, const struct analysis_ply *ply)
{
    const struct game *game = analysis->game;
    const void *state = analysis->replay.state;
    if (game->deciders(state) == 0) {
        analysis->now = (struct worth){{0}};
        add_result(analysis, state, analysis->samples, &analysis->now);
        return true;
    }
    if (game->drawn(game, state) != game->drawn(game, analysis->before)) {
        analysis->now = value_of_position(analysis);
        return true;
    }
    for (uint32_t i = 0; i < analysis->samples; i++)
        play_sample(analysis, i, sampled(analysis, i), ply->seat, span_of(ply->move));
    return false;
}

static void judge(struct analysis *analysis, struct analysis_ply *ply)
{
    analysis->now = judge_move(analysis, ply);
    const bool revealed = !analysis->failed && judge_draw(analysis, ply);
    for (unsigned seat = 0; seat < analysis->seats; seat++) {
        const int64_t of_move = analysis->value[seat] + ply->skill[seat];
        analysis->value[seat] = revealed ? fixed(&analysis->now, analysis->samples, seat) : of_move;
        ply->value[seat] = analysis->value[seat];
        ply->luck[seat] = ply->value[seat] - of_move;
    }
}

bool analysis_step(struct analysis *analysis)
{
    struct record_fault fault;
    struct span line;
    if (analysis->failed || analysis->done == analysis->count)
        return false;
    struct analysis_ply *ply = &analysis->ply[analysis->done];
    while (analysis->replay.seq < ply->seq && span_line(&analysis->rest, &line)) {
        const struct span past = {analysis->record.at, (size_t)(line.at - analysis->record.at)};
        memcpy(analysis->before, analysis->replay.state, sizeof analysis->before);
        analysis->chance_before = analysis->replay.chance;
        if (!replay_line_after(&analysis->replay, past, line, &fault))
            abort(); /* the record has been verified */
    }
    judge(analysis, ply);
    if (analysis->failed)
        return false;
    analysis->done++;
    return true;
}

/* ---- Beginning ---- */

uint32_t analysis_usual_budget(const struct game *game)
{
    static const struct {
        const char *slug;
        uint32_t budget;
    } usual[] = {{"mall-world", 640},
                 {"super-motherload", 160},
                 {"supermarche", 1024},
                 {"superstore-3000", 320}};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strcmp(usual[i].slug, game->slug) == 0)
            return usual[i].budget;
    return 320;
}

uint32_t analysis_review_samples(uint32_t budget)
{
    return (budget / 2 - budget / RIVALS) / 2;
}

struct search_settings analysis_review_settings(const struct game *game, uint32_t budget)
{
    const struct level_play *play = level_play(level_named(span_of("master")), game);
    const uint32_t playouts = budget / RIVALS;
    /* So few that one sample of each in every round stays within the playouts. */
    const uint32_t candidates = playouts < 8 ? 2 : playouts < 24 ? 3 : 5;
    return (struct search_settings){.candidates = candidates,
                                    .playouts = playouts,
                                    .reach = REACH,
                                    .doubt = DOUBT,
                                    .margin = play->search.margin,
                                    .plies = 0};
}

static void seed_luck(struct analysis *analysis, const uint8_t head[static 32])
{
    static const uint8_t label[] = "tillroll/analysis/" ANALYSIS_VERSION;
    crypto_generichash_state hash;
    analysis->luck = (struct chance){.stacks = NULL};
    crypto_generichash_init(&hash, NULL, 0, sizeof analysis->luck.seed);
    crypto_generichash_update(&hash, label, sizeof label - 1);
    crypto_generichash_update(&hash, head, 32);
    crypto_generichash_final(&hash, analysis->luck.seed, sizeof analysis->luck.seed);
}

/* False when out of memory. `replay` has the verified record at its end. */
static bool prepare(struct analysis *analysis, uint32_t budget)
{
    const struct search_settings settings = analysis_review_settings(analysis->game, budget);
    assert(budget >= ANALYSIS_BUDGET_MIN);
    analysis->budget = budget;
    analysis->samples = budget / SAMPLES;
    analysis->pairs = budget / PAIRS;
    analysis->chance = calloc(analysis->pairs, sizeof *analysis->chance);
    analysis->sampled = calloc(analysis->samples, analysis->game->state_size);
    analysis->count = analysis_list_plies(analysis->record, &analysis->ply);
    analysis->search = search_new(analysis->game, &settings);
    if (analysis->chance == NULL || analysis->sampled == NULL || analysis->ply == NULL ||
        analysis->search == NULL || !move_list_init(&analysis->legal, analysis->game))
        return false;
    seed_luck(analysis, analysis->replay.head);
    draw_seeds(analysis);
    return true;
}

/* Goes back to the beginning of the record. */
static void rewind_record(struct analysis *analysis, const struct component_sets *sets)
{
    struct record_fault fault;
    uint8_t secret[32];
    memcpy(secret, analysis->replay.secret, sizeof secret);
    analysis->rest = analysis->record;
    if (!replay_begin(&analysis->replay, sets, &analysis->rest, secret, &fault))
        abort(); /* the record has been verified */
    analysis->start = value_of_start(analysis);
    analysis->dealt = value_of_position(analysis);
    analysis->now = analysis->dealt;
    for (unsigned seat = 0; seat < analysis->seats; seat++)
        analysis->value[seat] = analysis_dealt(analysis, seat);
}

struct analysis *analysis_new(struct span record, const struct component_sets *sets,
                              uint32_t budget, enum replay_verdict *verdict,
                              struct record_fault *fault)
{
    struct analysis *analysis = calloc(1, sizeof *analysis);
    assert(budget == 0 || (budget >= ANALYSIS_BUDGET_MIN && budget <= ANALYSIS_BUDGET_MAX));
    *verdict = REPLAY_UNFINISHED;
    *fault = (struct record_fault){.line = 0};
    if (analysis != NULL) {
        analysis->record = record;
        *verdict = replay_verify(record, sets, &analysis->replay, fault);
        if (*verdict != REPLAY_VALID)
            goto failed;
        analysis->header = analysis->replay.header;
        if (analysis->header.recorded) {
            record_fault(fault, "recorded",
                         "Nobody knows what the seats of a recorded game held in their hands.",
                         (struct span){NULL, 0});
            goto failed;
        }
        analysis->game = analysis->header.game;
        analysis->seats = analysis->header.seats;
        if (analysis->replay.voided || analysis->game->deciders(analysis->replay.state) != 0) {
            record_fault(fault, "void",
                         "The game was ended by a ruling before it was over, or is void.",
                         (struct span){NULL, 0});
            goto failed;
        }
        if (prepare(analysis, budget == 0 ? analysis_usual_budget(analysis->game) : budget)) {
            rewind_record(analysis, sets);
            return analysis;
        }
    }
    record_fault(fault, "out-of-memory", "There is not enough memory for the analysis.",
                 (struct span){NULL, 0});
failed:
    analysis_free(analysis);
    return NULL;
}

void analysis_free(struct analysis *analysis)
{
    if (analysis == NULL)
        return;
    if (analysis->legal.bytes != NULL)
        move_list_free(&analysis->legal);
    search_free(analysis->search);
    free(analysis->chance);
    free(analysis->sampled);
    free(analysis->ply);
    sodium_memzero(analysis->replay.secret, sizeof analysis->replay.secret);
    free(analysis);
}

/* ---- Results ---- */

size_t analysis_count(const struct analysis *analysis)
{
    return analysis->count;
}

size_t analysis_done(const struct analysis *analysis)
{
    return analysis->done;
}

const struct analysis_ply *analysis_ply(const struct analysis *analysis, size_t i)
{
    assert(i < analysis->done);
    return &analysis->ply[i];
}

struct analysis_total analysis_total(const struct analysis *analysis, unsigned seat)
{
    const int64_t start = fixed(&analysis->start, analysis->pairs, seat);
    const int64_t deal = analysis_dealt(analysis, seat) - start;
    struct analysis_total total = {
        .start = start, .deal = deal, .luck = deal, .result = analysis->value[seat]};
    for (size_t i = 0; i < analysis->done; i++) {
        const struct analysis_ply *ply = &analysis->ply[i];
        total.luck += ply->luck[seat];
        *(ply->seat == seat ? &total.own : &total.others) += ply->skill[seat];
    }
    return total;
}

int64_t analysis_dealt(const struct analysis *analysis, unsigned seat)
{
    return fixed(&analysis->dealt, analysis->samples, seat);
}

const struct record_header *analysis_header(const struct analysis *analysis)
{
    return &analysis->header;
}

bool analysis_failed(const struct analysis *analysis)
{
    return analysis->failed;
}

uint32_t analysis_budget(const struct analysis *analysis)
{
    return analysis->budget;
}

json_t *analysis_events(const struct analysis *analysis, struct span move)
{
    _Alignas(8) unsigned char after[GAME_STATE_MAX];
    struct refusal refusal;
    assert(analysis->done > 0);
    const struct ply ply = {analysis->ply[analysis->done - 1].seat, move};
    memcpy(after, analysis->before, sizeof after);
    if (!analysis->game->play(analysis->game, after, ply.seat, move, &analysis->chance_before,
                              &refusal))
        return NULL;
    /* cppcheck-suppress returnDanglingLifetime ; events() keeps nothing of a ply */
    return analysis->game->events(analysis->game, analysis->before, after, &ply, everyone);
}
