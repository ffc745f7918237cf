#include "engine/wasm/practice/practice.h"

#include <assert.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/game/component_set.h"
#include "engine/search/level.h"
#include "engine/wasm/json.h"

enum { ANSWER_BYTES = 1024 * 1024 };

static char room[PRACTICE_ROOM];
static char set_room[PRACTICE_SET_ROOM];
static struct game *checked; /* the game with the last set that was good; NULL: none */
static char answer_bytes[ANSWER_BYTES];

static struct {
    const struct game *game; /* NULL: no game has been started */
    unsigned seats;
    struct chance chance;
    struct move_list legal;
    _Alignas(16) uint8_t state[GAME_STATE_MAX];
    _Alignas(16) uint8_t before[GAME_STATE_MAX]; /* state before the last ply */
    unsigned seat;                               /* seat that made it */
    size_t move_length;
    char move[GAME_MOVE_MAX];
} play;

char *practice_room(void)
{
    return room;
}

static const char *answer(const json_t *value)
{
    return json_answer(value, TEXT_OVER(answer_bytes));
}

static struct viewer seat_of(unsigned seat)
{
    assert(play.game != NULL && seat < play.seats);
    return (struct viewer){VIEWER_SEAT, seat};
}

/* ---- Beginning ---- */

const char *practice_about(size_t size)
{
    assert(size <= sizeof room);
    const struct game *game = catalog_newest((struct span){room, size});
    if (game == NULL)
        return answer(json_null());
    json_t *about = json_object();
    json_object_set_new(about, "version", json_string(game->version));
    json_object_set_new(about, "title", json_string(game->title));
    json_object_set_new(about, "seats_min", json_integer(game->seats_min));
    json_object_set_new(about, "seats_max", json_integer(game->seats_max));
    json_t *levels = json_array();
    for (size_t i = 0; level_at(i) != NULL; i++)
        json_array_append_new(levels, json_string(level_at(i)->name));
    json_object_set_new(about, "levels", levels);
    return answer(about);
}

char *practice_set_room(void)
{
    return set_room;
}

/* The game in progress may be played with the set that was checked before. */
static void forget_checked(void)
{
    if (play.game != NULL && play.game == checked) {
        move_list_free(&play.legal);
        play.game = NULL;
    }
    component_set_free(checked);
    checked = NULL;
}

const char *practice_check(size_t size, size_t set_size)
{
    struct component_fault fault = {0};
    assert(size <= sizeof room && set_size <= sizeof set_room);
    const struct game *rules = catalog_newest((struct span){room, size});
    if (rules == NULL)
        return answer(json_null());
    forget_checked();
    checked = component_set_game(rules, (struct span){set_room, set_size}, &fault);
    json_t *document = json_object();
    if (checked != NULL) {
        json_object_set_new(document, "components", json_string(checked->components_sha256));
        return answer(document);
    }
    json_object_set_new(document, "line", json_integer(fault.line));
    json_object_set_new(document, "path", json_string(fault.path));
    json_object_set_new(document, "message", json_string(fault.message));
    return answer(document);
}

static int start(const struct game *game, unsigned seats)
{
    if (game == NULL || seats < game->seats_min || seats > game->seats_max)
        return 0;
    const struct game_options options = game_options_initial(game);
    if (play.game != NULL)
        move_list_free(&play.legal);
    memset(&play, 0, sizeof play);
    if (!move_list_init(&play.legal, game))
        return 0;
    play.game = game;
    play.seats = seats;
    memcpy(play.chance.seed, room, CHANCE_SEED_BYTES);
    game->setup(game, play.state, seats, &options, &play.chance);
    return 1;
}

int practice_start_checked(unsigned seats)
{
    return start(checked, seats);
}

int practice_start(size_t size, unsigned seats)
{
    assert(size <= sizeof room - CHANCE_SEED_BYTES);
    return start(catalog_newest((struct span){room + CHANCE_SEED_BYTES, size}), seats);
}

/* ---- Playing ---- */

uint32_t practice_deciders(void)
{
    return play.game->deciders(play.state);
}

static void find_legal(unsigned seat)
{
    assert(play.game != NULL && seat < play.seats);
    move_list_clear(&play.legal);
    play.game->legal(play.game, play.state, seat, &play.legal);
}

const char *practice_legal(unsigned seat)
{
    find_legal(seat);
    struct text text = TEXT_OVER(answer_bytes);
    text_add_char(&text, '[');
    for (size_t i = 0; i < play.legal.count; i++) {
        text_add(&text, i > 0 ? "," : "");
        json_write_string(move_list_get(&play.legal, i), &text);
    }
    text_add_char(&text, ']');
    assert(!text.overflow);
    return answer_bytes;
}

const char *practice_view(unsigned seat)
{
    return answer(play.game->view(play.game, play.state, seat_of(seat)));
}

const char *practice_choose(unsigned seat, size_t size)
{
    struct chance luck;
    assert(size <= sizeof room - CHANCE_SEED_BYTES);
    const struct level *level = level_named((struct span){room + CHANCE_SEED_BYTES, size});
    if (level == NULL)
        return answer(json_null());
    find_legal(seat);
    assert(play.legal.count > 0);
    struct level_player *player = level_player_new(play.game, level);
    assert(player != NULL);
    level_luck(&luck, (const uint8_t *)room, seat);
    const struct span move =
        move_list_get(&play.legal, level_choose(player, play.state, seat, &luck, &play.legal));
    level_player_free(player);
    return answer(json_stringn(move.at, move.length));
}

const char *practice_play(unsigned seat, size_t size)
{
    static uint8_t before[GAME_STATE_MAX];
    struct refusal refusal;
    assert(play.game != NULL && seat < play.seats && size <= sizeof room);
    memcpy(before, play.state, sizeof before);
    if (!play.game->play(play.game, play.state, seat, (struct span){room, size}, &play.chance,
                         &refusal)) {
        json_t *refused = json_object();
        json_object_set_new(refused, "code", json_string(refusal.code));
        json_object_set_new(refused, "message", json_string(refusal.message));
        return answer(refused);
    }
    assert(size <= sizeof play.move);
    memcpy(play.before, before, sizeof before);
    memcpy(play.move, room, size);
    play.move_length = size;
    play.seat = seat;
    return answer(json_null());
}

const char *practice_events(unsigned seat)
{
    const struct ply ply = {play.seat, {play.move, play.move_length}};
    assert(play.move_length > 0);
    return answer(play.game->events(play.game, play.before, play.state, &ply, seat_of(seat)));
}

const char *practice_outcome(void)
{
    struct outcome outcome;
    assert(play.game != NULL);
    play.game->outcome(play.game, play.state, &outcome);
    json_t *list = json_array();
    for (unsigned seat = 0; seat < outcome.seats; seat++) {
        json_t *result = json_object();
        json_object_set_new(result, "score", json_integer(outcome.score[seat]));
        json_object_set_new(result, "rank", json_integer(outcome.rank[seat]));
        json_array_append_new(list, result);
    }
    return answer(list);
}
