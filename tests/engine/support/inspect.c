/* The playout: who moves is drawn among the deciders, what is drawn among the legal moves; in some
 * games the sensible player moves now and then, since it reaches positions that luck does not. */
#include "tests/engine/support/inspect.h"
#include "engine/search/policy.h"

#include <assert.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

void inspector_init(struct inspector *inspector, const struct game *game)
{
    memset(inspector, 0, sizeof *inspector);
    inspector->game = game;
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++)
        table_list_init(&inspector->legal[seat], game);
    table_list_init(&inspector->other, game);
    inspector->log = must(calloc(game->plies_max + 1, sizeof *inspector->log));
    inspector->trail = must(calloc(game->plies_max + 1, sizeof *inspector->trail));
    inspector->left = must(malloc(game->state_size));
    inspector->right = must(malloc(game->state_size));
}

void inspector_free(struct inspector *inspector)
{
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++)
        move_list_free(&inspector->legal[seat]);
    move_list_free(&inspector->other);
    free(inspector->log);
    free(inspector->trail);
    free(inspector->left);
    free(inspector->right);
}

bool inspect_fail(struct inspector *inspector, const char *check, const char *format, ...)
{
    char what[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    inspector->failure.check = check;
    (void)snprintf(inspector->failure.detail, sizeof inspector->failure.detail,
                   "%s %s, %u seats, game %u, ply %zu: %s: %s", inspector->game->slug,
                   inspector->game->version, inspector->table.seats, inspector->number,
                   inspector->plies, check, what);
    return false;
}

uint64_t inspect_digest(const struct game *game, const void *state)
{
    static const uint8_t key[crypto_shorthash_KEYBYTES];
    uint64_t digest;
    static_assert(crypto_shorthash_BYTES == sizeof digest, "it fits");
    crypto_shorthash((uint8_t *)&digest, state, game->state_size, key);
    return digest;
}

bool inspect_untouched(struct inspector *inspector, uint64_t digest, const char *function)
{
    if (inspect_digest(inspector->game, inspector->table.state) == digest)
        return true;
    return inspect_fail(inspector, "state-untouched", "%s changed the state", function);
}

void inspect_refresh(struct inspector *inspector)
{
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++)
        table_legal(inspector->game, inspector->table.state, seat, &inspector->legal[seat]);
}

/* ---- The ruleset ---- */

static bool is_kebab(const char *word)
{
    return word != NULL && *word != '\0' &&
           strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(word);
}

/* `1.0.0` */
static bool is_version(const char *version)
{
    unsigned dots = 0;
    for (const char *c = version; *c != '\0'; c++) {
        bool digit = *c >= '0' && *c <= '9';
        bool dot = *c == '.' && c > version && c[-1] != '.' && c[1] != '\0';
        if (!digit && !dot)
            return false;
        dots += dot;
    }
    return dots == 2;
}

static bool inspect_options(struct inspector *inspector)
{
    const struct game *game = inspector->game;
    if (game->option_count > GAME_OPTIONS_MAX)
        return inspect_fail(inspector, "options", "too many");
    for (size_t i = 0; i < game->option_count; i++) {
        const struct game_option *option = &game->options[i];
        if (i > 0 && strcmp(game->options[i - 1].name, option->name) >= 0)
            return inspect_fail(inspector, "options", "%s is out of order", option->name);
        size_t values = 0;
        while (option->values[values] != NULL)
            if (!is_kebab(option->values[values++]))
                return inspect_fail(inspector, "options", "a value of %s", option->name);
        if (!is_kebab(option->name) || option->initial >= values || option->meaning == NULL)
            return inspect_fail(inspector, "options", "%s", option->name);
    }
    return true;
}

bool inspect_ruleset(struct inspector *inspector)
{
    const struct game *game = inspector->game;
    if (!is_kebab(game->slug) || game->title == NULL || !is_version(game->version))
        return inspect_fail(inspector, "identity", "slug, title or version");
    if (game->seats_min < 1 || game->seats_min > game->seats_max ||
        game->seats_max > GAME_SEATS_MAX)
        return inspect_fail(inspector, "identity", "seats");
    if (game->state_size == 0 || game->state_size > GAME_STATE_MAX || game->move_max == 0 ||
        game->move_max > GAME_MOVE_MAX || game->legal_max == 0 || game->plies_max == 0)
        return inspect_fail(inspector, "identity", "bounds");
    struct span text = game_components(game);
    json_error_t error;
    json_t *components = json_loadb(text.at, text.length, JSON_REJECT_DUPLICATES, &error);
    bool good = json_is_object(components);
    json_decref(components);
    if (!good)
        return inspect_fail(inspector, "components", "%s, line %d", error.text, error.line);
    uint8_t stated[crypto_hash_sha256_BYTES];
    uint8_t actual[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(actual, (const unsigned char *)text.at, text.length);
    if (game->components_sha256 == NULL ||
        !span_hex(span_of(game->components_sha256), stated, sizeof stated) ||
        memcmp(stated, actual, sizeof stated) != 0)
        return inspect_fail(inspector, "components", "components_sha256 is not their hash");
    return inspect_options(inspector);
}

/* ---- A position ---- */

static bool inspect_deciders(struct inspector *inspector)
{
    uint32_t deciders = inspector->game->deciders(inspector->table.state);
    if (deciders >> inspector->table.seats != 0)
        return inspect_fail(inspector, "deciders", "there is no such seat: bits %x", deciders);
    return true;
}

static int compare_by_score(const struct outcome *o, unsigned a, unsigned b)
{
    if (o->score[a] != o->score[b])
        return o->score[a] > o->score[b] ? 1 : -1;
    for (unsigned i = 0; i < o->tie_breaks; i++)
        if (o->tie_break[a][i] != o->tie_break[b][i])
            return o->tie_break[a][i] > o->tie_break[b][i] ? 1 : -1;
    return 0;
}

bool inspect_outcome(struct inspector *inspector)
{
    struct outcome outcome;
    memset(&outcome, 0xee, sizeof outcome);
    inspector->game->outcome(inspector->game, inspector->table.state, &outcome);
    if (outcome.seats != inspector->table.seats || outcome.tie_breaks > GAME_TIE_BREAKS_MAX)
        return inspect_fail(inspector, "outcome", "seats or tie-breaks");
    for (unsigned seat = 0; seat < outcome.seats; seat++) {
        unsigned rank = 1;
        for (unsigned other = 0; other < outcome.seats; other++)
            rank += compare_by_score(&outcome, other, seat) > 0;
        if (outcome.rank[seat] != rank)
            return inspect_fail(inspector, "outcome", "seat %u has rank %u, not %u", seat,
                                outcome.rank[seat], rank);
    }
    return true;
}

/* What is asked of every position. */
static bool inspect_position(struct inspector *inspector)
{
    uint64_t digest = inspect_digest(inspector->game, inspector->table.state);
    inspector->trail[inspector->plies] = digest;
    inspect_refresh(inspector);
    return inspect_deciders(inspector) && inspect_lists(inspector) && inspect_outcome(inspector) &&
           inspect_quiet_moves(inspector) &&
           inspect_untouched(inspector, digest, "deciders, legal, outcome or fallback");
}

/* What is asked of some positions. */
static bool inspect_closely(struct inspector *inspector)
{
    uint64_t digest = inspect_digest(inspector->game, inspector->table.state);
    if (!table_fence_stands(&inspector->table))
        return inspect_fail(inspector, "state-size", "bytes behind the state were written");
    return inspect_accepted(inspector) && inspect_refused(inspector, 60) &&
           inspect_wrong_seats(inspector) && inspect_views(inspector) &&
           inspect_advice(inspector) &&
           inspect_untouched(inspector, digest, "play on a copy, view or weigh");
}

/* ---- The playout ---- */

static unsigned pick_seat(struct inspector *inspector)
{
    uint32_t deciders = inspector->game->deciders(inspector->table.state);
    unsigned seats[GAME_SEATS_MAX] = {0};
    size_t count = 0;
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++)
        if ((deciders >> seat & 1) != 0)
            seats[count++] = seat;
    assert(count > 0);
    return seats[dice_below(&inspector->dice, count)];
}

static size_t pick_move(struct inspector *inspector, unsigned seat, bool sensible)
{
    const struct move_list *legal = &inspector->legal[seat];
    if (!sensible || dice_one_in(&inspector->dice, 3))
        return dice_below(&inspector->dice, legal->count);
    size_t choice = policy_advise(inspector->game, inspector->table.state, seat, legal);
    return choice;
}

static bool play_on(struct inspector *inspector, unsigned seat, size_t choice)
{
    struct span move = move_list_get(&inspector->legal[seat], choice);
    struct played *played = &inspector->log[inspector->plies];
    played->seat = seat;
    played->length = (unsigned)move.length;
    memcpy(played->move, move.at, move.length);
    struct refusal refusal = {NULL, NULL};
    if (!inspector->game->play(inspector->game, inspector->table.state, seat, move,
                               &inspector->table.chance, &refusal))
        return inspect_fail(inspector, "listed-accepted", "%s was refused: %s", move.at,
                            refusal.code == NULL ? "no code" : refusal.code);
    inspector->plies++;
    return true;
}

static bool one_ply(struct inspector *inspector, bool closely, bool sensible)
{
    unsigned seat = pick_seat(inspector);
    size_t choice = pick_move(inspector, seat, sensible);
    struct span move = move_list_get(&inspector->legal[seat], choice);
    if (closely && !(inspect_closely(inspector) && inspect_copies(inspector, seat, move) &&
                     inspect_twin(inspector, seat, move) && inspect_secret(inspector, seat) &&
                     inspect_arrivals(inspector, seat, move) && inspect_best(inspector, seat)))
        return false;
    memcpy(inspector->left, inspector->table.state, inspector->game->state_size);
    if (!play_on(inspector, seat, choice))
        return false;
    const struct ply ply = {seat, played_move(&inspector->log[inspector->plies - 1])};
    return !closely || inspect_events(inspector, &ply);
}

static bool begin(struct inspector *inspector, unsigned seats, const struct game_options *options,
                  uint32_t number)
{
    inspector->number = number;
    inspector->plies = 0;
    inspector->failure.check = NULL;
    dice_open(&inspector->dice, "inspect", number);
    table_set(&inspector->table, inspector->game, seats, options, number);
    return inspect_position(inspector);
}

bool inspect_game(struct inspector *inspector, unsigned seats, const struct game_options *options,
                  uint32_t number)
{
    if (!begin(inspector, seats, options, number))
        return false;
    bool sensible = dice_one_in(&inspector->dice, 16);
    bool everywhere = dice_one_in(&inspector->dice, INSPECT_EVERY) || inspector->thorough;
    uint32_t spacing = everywhere ? 1 : 10 + dice_below(&inspector->dice, 200);
    while (inspector->game->deciders(inspector->table.state) != 0) {
        if (inspector->plies == inspector->game->plies_max)
            return inspect_fail(inspector, "plies-max", "the game goes on");
        bool closely = dice_one_in(&inspector->dice, spacing);
        if (closely && dice_one_in(&inspector->dice, 8) && !inspect_quiet_end(inspector))
            return false;
        if (!one_ply(inspector, closely, sensible) || !inspect_position(inspector))
            return false;
    }
    return inspect_closely(inspector) && inspect_replay(inspector);
}

bool inspect_quiet_game(struct inspector *inspector, unsigned seats,
                        const struct game_options *options, uint32_t number)
{
    return begin(inspector, seats, options, number) && inspect_quiet_end(inspector);
}
