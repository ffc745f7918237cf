/* Recorded games: a scorer says what comes into the open, and the game is replayed with it.
 *
 *      bind supply ticket-counter          lines wait here until the step that they are about:
 *      bind side b                         the set-up (`deal`), a ply, or the end (`show`). It
 * takes deal                                all of them, or the record is refused.
 */
#include <string.h>

#include "engine/record/record_parts.h"
#include "engine/record/replay_parts.h"

static const struct span none = {NULL, 0};

bool replay_apply_bind(struct replay *replay, const struct record_entry *entry,
                       const struct replay_denial *denial)
{
    if (told_add(&replay->told, entry->place, entry->component))
        return true;
    return replay_deny(denial, "bad-bind",
                       "A place and a component are one word each, and one step has room for 4096 "
                       "bytes of them.");
}

/* Names the place, and the component if there is one. */
static bool deny_told(const struct told *told, const struct replay_denial *denial)
{
    bool missing = told->fault == TOLD_MISSING;
    char bytes[2 * TOLD_WORD_MAX + 8];
    struct text what = TEXT_OVER(bytes);
    text_add(&what, told->place);
    if (!missing) {
        text_add_char(&what, ' ');
        text_add(&what, told->component);
    }
    if (missing) {
        refuse(denial->refusal, "untold", "What comes next from this place has not been told.");
        return record_fault(denial->fault, "untold",
                            "A component comes from a place that was not told: ", text_span(&what));
    }
    refuse(denial->refusal, "impossible-component",
           "This component cannot come from this place: it is not in it.");
    return record_fault(denial->fault, "impossible-component",
                        "This component cannot come from this place: ", text_span(&what));
}

static bool is_used(const struct told *told, const struct replay_denial *denial)
{
    if (told->used == 0)
        return true;
    struct span rest = {told->lines, told->used};
    struct span line = none;
    span_line(&rest, &line);
    refuse(denial->refusal, "left-over", "Nothing comes from a place that was told.");
    return record_fault(denial->fault, "left-over",
                        "This was told, but nothing comes from there: ", line);
}

bool replay_apply_deal(struct replay *replay, const struct replay_denial *denial)
{
    const struct record_header *header = &replay->header;
    struct told told = replay->told;
    struct chance chance = replay->chance;
    _Alignas(8) unsigned char state[GAME_STATE_MAX] = {0};
    if (replay->dealt)
        return replay_deny(denial, "bad-deal", "The set-up is in the record already.");
    chance.told = &told;
    header->game->setup(state, header->seats, &header->options, &chance);
    if (told.fault != TOLD_GOOD)
        return deny_told(&told, denial);
    if (!is_used(&told, denial))
        return false;
    memcpy(replay->state, state, header->game->state_size);
    replay->told = told;
    replay->dealt = true;
    return true;
}

bool replay_play_told(struct replay *replay, const struct record_entry *entry,
                      const struct replay_denial *denial)
{
    const struct game *game = replay->header.game;
    struct told told = replay->told;
    struct chance chance = replay->chance;
    _Alignas(8) unsigned char state[GAME_STATE_MAX];
    if (!replay->dealt)
        return replay_deny(denial, "illegal-ply", "The set-up must be told first: `deal`.");
    uint32_t left = game->deciders(replay->state) & ~(UINT32_C(1) << entry->seat);
    memcpy(state, replay->state, game->state_size);
    chance.told = &told;
    if (game->fit != NULL)
        game->fit(state, entry->seat, entry->move, &chance);
    bool played = game->play(state, entry->seat, entry->move, &chance, denial->refusal);
    if (told.fault != TOLD_GOOD)
        return deny_told(&told, denial);
    if (!played)
        return record_fault(denial->fault, "illegal-ply", denial->refusal->message, none);
    bool together = left != 0 && game->deciders(state) == left;
    if (!together && !is_used(&told, denial))
        return false;
    memcpy(replay->state, state, game->state_size);
    replay->told = told;
    return true;
}

bool replay_apply_show(struct replay *replay, const struct replay_denial *denial)
{
    const struct game *game = replay->header.game;
    struct told told = replay->told;
    struct chance chance = replay->chance;
    _Alignas(8) unsigned char state[GAME_STATE_MAX];
    memcpy(state, replay->state, game->state_size);
    chance.told = &told;
    if (game->show != NULL && !replay->voided)
        game->show(state, &chance);
    if (told.fault != TOLD_GOOD)
        return deny_told(&told, denial);
    if (!is_used(&told, denial))
        return false;
    memcpy(replay->state, state, game->state_size);
    replay->told = told;
    replay->phase = replay->voided ? REPLAY_CLOSING : REPLAY_REVEALED;
    return true;
}
