/* What a viewer sees. Form first: objects, key names, no fractions. Then noninterference, as far as
 * it can be told without knowing the game:
 *
 *   - A twin is made by rekeying a copy: the piles differ in order, everything that anybody has
 * seen is the same. So no view, list, fallback move or outcome may differ between the two. When the
 * next ply commutes with the rekey to the last bit, it drew nothing hidden, and what it did must
 * look the same for every viewer in both.
 *   - Where several seats decide at once, two different decisions of one seat must look the same to
 *     those who still have to decide.
 *
 * Twins that differ in a hand are the business of each game's own tests. */
#include <stdlib.h>
#include <string.h>

#include "engine/search/policy.h"
#include "tests/engine/support/inspect.h"

enum { VIEWERS_MAX = GAME_SEATS_MAX + 2 };

static size_t list_viewers(unsigned seats, struct viewer viewers[static VIEWERS_MAX])
{
    size_t count = 0;
    for (unsigned seat = 0; seat < seats; seat++)
        viewers[count++] = (struct viewer){VIEWER_SEAT, seat};
    viewers[count++] = (struct viewer){VIEWER_SPECTATOR, 0};
    viewers[count++] = (struct viewer){VIEWER_AUDITOR, 0};
    return count;
}

/* ---- Form ---- */

/* Words of lower-case letters and digits joined by `_`; the names of components, joined by `-`, are
 * keys too. */
static bool is_key(const char *key)
{
    bool joint = true;
    for (const char *c = key; *c != '\0'; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9');
        if (!letter && ((*c != '_' && *c != '-') || joint))
            return false;
        joint = !letter;
    }
    return !joint && (strchr(key, '_') == NULL || strchr(key, '-') == NULL);
}

/* The first thing in `value` that a document of ours does not hold, or NULL. */
static const char *find_flaw(json_t *value)
{
    const char *flaw = NULL;
    const char *key;
    json_t *inner;
    size_t i;
    if (json_is_real(value))
        return "a fraction";
    if (json_is_array(value)) {
        json_array_foreach(value, i, inner)
        {
            flaw = flaw == NULL ? find_flaw(inner) : flaw;
        }
        return flaw;
    }
    if (!json_is_object(value))
        return NULL;
    json_object_foreach(value, key, inner)
    {
        flaw = flaw == NULL && !is_key(key) ? key : flaw;
        flaw = flaw == NULL ? find_flaw(inner) : flaw;
    }
    return flaw;
}

/* Fails with the place where two values begin to differ, as text. */
static void tell_difference(struct inspector *inspector, const char *check, const char *what,
                            json_t *one, json_t *two)
{
    const size_t flags = JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY;
    char *left = json_dumps(one, flags);
    char *right = json_dumps(two, flags);
    if (left == NULL || right == NULL)
        abort();
    size_t at = 0;
    while (left[at] != '\0' && left[at] == right[at])
        at++;
    size_t from = at < 40 ? 0 : at - 40;
    inspect_fail(inspector, check, "%s: %.80s | %.80s", what, left + from, right + from);
    free(left);
    free(right);
}

/* Compares and frees both. On a difference the failure shows where it begins. (Printing both to
 * compare the texts took half of the suite's time.) */
static bool same(struct inspector *inspector, const char *check, const char *what, json_t *one,
                 json_t *two)
{
    bool equal = one != NULL && json_equal(one, two);
    if (!equal)
        tell_difference(inspector, check, what, one, two);
    json_decref(one);
    json_decref(two);
    return equal;
}

static bool inspect_view(struct inspector *inspector, struct viewer viewer)
{
    const struct game *game = inspector->game;
    const void *state = inspector->table.state;
    json_t *view = game->view(game, state, viewer);
    bool object = json_is_object(view);
    const char *flaw = object ? find_flaw(view) : NULL;
    if (!object)
        inspect_fail(inspector, "view-form", "no object");
    else if (flaw != NULL)
        inspect_fail(inspector, "view-form", "%s", flaw);
    if (object && flaw == NULL)
        return same(inspector, "view-form", "two looks differ", view,
                    game->view(game, state, viewer));
    json_decref(view);
    return false;
}

bool inspect_views(struct inspector *inspector)
{
    struct viewer viewers[VIEWERS_MAX];
    size_t count = list_viewers(inspector->table.seats, viewers);
    for (size_t i = 0; i < count; i++)
        if (!inspect_view(inspector, viewers[i]))
            return false;
    return true;
}

/* Every brace belongs to a `{seat N}` of this table. */
static bool is_sentence(const char *text, unsigned seats)
{
    if (text == NULL || *text == '\0')
        return false;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '}')
            return false;
        if (*c != '{')
            continue;
        if (strncmp(c, "{seat ", 6) != 0 || c[6] < '0' || (unsigned)(c[6] - '0') >= seats ||
            c[7] != '}')
            return false;
        c += 7;
    }
    return true;
}

static const char *find_event_flaw(json_t *events, unsigned seats)
{
    json_t *event;
    size_t i;
    if (!json_is_array(events))
        return "no array";
    json_array_foreach(events, i, event)
    {
        if (!json_is_string(json_object_get(event, "kind")))
            return "an event without kind";
        if (!is_sentence(json_string_value(json_object_get(event, "text")), seats))
            return "an event without a proper text";
    }
    return find_flaw(events);
}

bool inspect_events(struct inspector *inspector, const struct ply *ply)
{
    struct viewer viewers[VIEWERS_MAX];
    size_t count = list_viewers(inspector->table.seats, viewers);
    for (size_t i = 0; i < count; i++) {
        json_t *events = inspector->game->events(inspector->game, inspector->left,
                                                 inspector->table.state, ply, viewers[i]);
        const char *flaw = find_event_flaw(events, inspector->table.seats);
        json_decref(events);
        if (flaw != NULL)
            return inspect_fail(inspector, "events-form", "%.*s: %s", (int)ply->move.length,
                                ply->move.at, flaw);
    }
    return true;
}

bool inspect_advice(struct inspector *inspector)
{
    static int32_t first[POLICY_MOVES_MAX], again[POLICY_MOVES_MAX];
    for (unsigned seat = 0; seat < inspector->table.seats; seat++) {
        const struct move_list *legal = &inspector->legal[seat];
        if (legal->count == 0)
            continue;
        if (legal->count > POLICY_MOVES_MAX)
            return inspect_fail(inspector, "legal-bounds", "seat %u: %zu moves", seat,
                                legal->count);
        inspector->game->weigh(inspector->game, inspector->table.state, seat, legal, first);
        inspector->game->weigh(inspector->game, inspector->table.state, seat, legal, again);
        for (size_t i = 0; i < legal->count; i++)
            if (first[i] != again[i] || first[i] > GAME_WEIGHT_MAX || first[i] < -GAME_WEIGHT_MAX)
                return inspect_fail(inspector, "advice", "seat %u: move %zu weighs %d, then %d",
                                    seat, i, first[i], again[i]);
    }
    return true;
}

struct twins {
    _Alignas(8) unsigned char one[GAME_STATE_MAX];
    _Alignas(8) unsigned char two[GAME_STATE_MAX];
};

bool inspect_best(struct inspector *inspector, unsigned seat)
{
    static struct twins twins;
    const struct game *game = inspector->game;
    const struct move_list *legal = &inspector->legal[seat];
    struct chance chance = inspector->table.chance;
    struct refusal refusal;
    chance.stacks = NULL;
    if (game->play_best == NULL)
        return true;
    memcpy(twins.one, inspector->table.state, game->state_size);
    memcpy(twins.two, inspector->table.state, game->state_size);
    const struct span move =
        move_list_get(legal, policy_advise(game, inspector->table.state, seat, legal));
    game->play_best(game, twins.one, seat, &chance);
    return (game->play(game, twins.two, seat, move, &chance, &refusal) &&
            memcmp(twins.one, twins.two, game->state_size) == 0) ||
           inspect_fail(inspector, "play-best", "seat %u: not the same as %s", seat, move.at);
}

/* ---- Noninterference ---- */

static bool same_list(struct inspector *inspector, const char *check, const void *one,
                      const void *two, unsigned seat)
{
    const struct game *game = inspector->game;
    table_legal(game, one, seat, &inspector->legal[seat]);
    table_legal(game, two, seat, &inspector->other);
    bool equal = inspector->legal[seat].count == inspector->other.count;
    for (size_t i = 0; equal && i < inspector->other.count; i++)
        equal = span_equal(move_list_get(&inspector->legal[seat], i),
                           move_list_get(&inspector->other, i));
    table_legal(game, inspector->table.state, seat, &inspector->legal[seat]);
    return equal || inspect_fail(inspector, check, "the moves of seat %u differ", seat);
}

static bool same_for_all(struct inspector *inspector, const struct twins *twins)
{
    const struct game *game = inspector->game;
    struct viewer viewers[VIEWERS_MAX];
    size_t count = list_viewers(inspector->table.seats, viewers);
    if (game->deciders(twins->one) != game->deciders(twins->two))
        return inspect_fail(inspector, "twin-moves", "others decide");
    for (size_t i = 0; i < count; i++)
        if (!same(inspector, "twin-view", "a view differs",
                  game->view(game, twins->one, viewers[i]),
                  game->view(game, twins->two, viewers[i])))
            return false;
    for (unsigned seat = 0; seat < inspector->table.seats; seat++)
        if (!same_list(inspector, "twin-moves", twins->one, twins->two, seat))
            return false;
    struct outcome one;
    struct outcome two;
    memset(&one, 0, sizeof one);
    memset(&two, 0, sizeof two);
    game->outcome(game, twins->one, &one);
    game->outcome(game, twins->two, &two);
    for (unsigned seat = 0; seat < inspector->table.seats; seat++)
        if (one.score[seat] != two.score[seat] || one.rank[seat] != two.rank[seat])
            return inspect_fail(inspector, "twin-outcome", "seat %u", seat);
    return true;
}

static bool play_copy(struct inspector *inspector, void *state, unsigned seat, struct span move)
{
    struct refusal refusal = {NULL, NULL};
    return inspector->game->play(inspector->game, state, seat, move, &inspector->table.chance,
                                 &refusal);
}

static bool same_events(struct inspector *inspector, const struct twins *before,
                        const struct twins *after, const struct ply *ply)
{
    const struct game *game = inspector->game;
    struct viewer viewers[VIEWERS_MAX];
    size_t count = list_viewers(inspector->table.seats, viewers);
    for (size_t i = 0; i < count; i++)
        if (!same(inspector, "twin-events", "events differ",
                  game->events(game, before->one, after->one, ply, viewers[i]),
                  game->events(game, before->two, after->two, ply, viewers[i])))
            return false;
    return true;
}

bool inspect_twin(struct inspector *inspector, unsigned seat, struct span move)
{
    const struct game *game = inspector->game;
    const struct chance *chance = &inspector->table.chance;
    unsigned epoch = 1 + dice_below(&inspector->dice, 1000);
    struct twins before;
    memset(&before, 0, sizeof before);
    memcpy(before.one, inspector->table.state, game->state_size);
    memcpy(before.two, inspector->table.state, game->state_size);
    game->rekey(game, before.two, epoch, chance);
    if (!same_for_all(inspector, &before))
        return false;

    struct twins after = before;
    if (!play_copy(inspector, after.one, seat, move) ||
        !play_copy(inspector, after.two, seat, move))
        return inspect_fail(inspector, "twin-moves", "%.*s is refused", (int)move.length, move.at);
    unsigned char rekeyed[GAME_STATE_MAX] __attribute__((aligned(8)));
    memcpy(rekeyed, after.one, sizeof rekeyed);
    game->rekey(game, rekeyed, epoch, chance);
    bool drew_nothing = memcmp(rekeyed, after.two, game->state_size) == 0;
    if (!drew_nothing && game->drawn(game, after.one) == game->drawn(game, before.one))
        return inspect_fail(inspector, "drawn", "%.*s draws, and drawn() says that it does not",
                            (int)move.length, move.at);
    const struct ply ply = {seat, move};
    return !drew_nothing || same_events(inspector, &before, &after, &ply);
}

static bool same_for_deciders(struct inspector *inspector, const struct twins *after,
                              uint32_t others, const struct ply *one, const struct ply *two)
{
    const struct game *game = inspector->game;
    const void *before = inspector->table.state;
    for (unsigned seat = 0; seat < inspector->table.seats; seat++) {
        if ((others >> seat & 1) == 0)
            continue;
        struct viewer viewer = {VIEWER_SEAT, seat};
        if (!same(inspector, "secret-view", "a view differs", game->view(game, after->one, viewer),
                  game->view(game, after->two, viewer)) ||
            !same(inspector, "secret-events", "events differ",
                  game->events(game, before, after->one, one, viewer),
                  game->events(game, before, after->two, two, viewer)) ||
            !same_list(inspector, "secret-moves", after->one, after->two, seat))
            return false;
    }
    return true;
}

bool inspect_secret(struct inspector *inspector, unsigned seat)
{
    const struct game *game = inspector->game;
    const struct move_list *legal = &inspector->legal[seat];
    uint32_t others = game->deciders(inspector->table.state) & ~(UINT32_C(1) << seat);
    if (others == 0 || legal->count < 2)
        return true;
    const struct ply one = {seat, move_list_get(legal, dice_below(&inspector->dice, legal->count))};
    const struct ply two = {seat, move_list_get(legal, dice_below(&inspector->dice, legal->count))};
    struct twins after;
    memcpy(after.one, inspector->table.state, game->state_size);
    memcpy(after.two, inspector->table.state, game->state_size);
    if (!play_copy(inspector, after.one, seat, one.move) ||
        !play_copy(inspector, after.two, seat, two.move))
        return inspect_fail(inspector, "listed-accepted", "%s or %s", one.move.at, two.move.at);
    uint32_t still = game->deciders(after.one);
    if (still != game->deciders(after.two))
        return true;
    return same_for_deciders(inspector, &after, others & still, &one, &two);
}
