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
    char bytes[2 * TOLD_WORD_MAX + 8];
    struct text what = TEXT_OVER(bytes);
    text_add(&what, told->place);
    if (told->fault == TOLD_MISSING) {
        refuse(denial->refusal, "untold", "What comes next from this place has not been told.");
        return record_fault(denial->fault, "untold",
                            "A component comes from a place that was not told: ", text_span(&what));
    }
    text_add_char(&what, ' ');
    text_add(&what, told->component);
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
    refuse(denial->refusal, "left-over", "A place was told from which nothing comes.");
    return record_fault(denial->fault, "left-over",
                        "This was told, but nothing comes from there: ", line);
}

/* A step of a recorded game, on a copy. */
struct step {
    struct told told;
    struct chance chance; /* with `told` */
    _Alignas(8) unsigned char state[GAME_STATE_MAX];
};

static void begin_step(const struct replay *replay, struct step *step)
{
    memcpy(step->state, replay->state, replay->header.game->state_size);
    step->told = replay->told;
    step->chance = replay->chance;
    step->chance.told = &step->told;
}

/* False if something that was told is impossible, or, unless more of the step follows, not used. */
static bool end_step(struct replay *replay, const struct step *step, bool more,
                     const struct replay_denial *denial)
{
    if (step->told.fault != TOLD_GOOD)
        return deny_told(&step->told, denial);
    if (!more && !is_used(&step->told, denial))
        return false;
    memcpy(replay->state, step->state, replay->header.game->state_size);
    replay->told = step->told;
    return true;
}

static void set_up(const struct replay *replay, struct step *step)
{
    const struct record_header *header = &replay->header;
    memset(step->state, 0, header->game->state_size);
    header->game->setup(header->game, step->state, header->seats, &header->options, &step->chance);
}

static bool play(const struct replay *replay, const struct record_entry *entry, struct step *step,
                 struct refusal *refusal)
{
    const struct game *game = replay->header.game;
    if (game->fit != NULL)
        game->fit(game, step->state, entry->seat, entry->move, &step->chance);
    return game->play(game, step->state, entry->seat, entry->move, &step->chance, refusal);
}

static void turn_all_up(const struct replay *replay, struct step *step)
{
    if (replay->header.game->show != NULL && !replay->voided)
        replay->header.game->show(replay->header.game, step->state, &step->chance);
}

bool replay_apply_deal(struct replay *replay, const struct replay_denial *denial)
{
    struct step step;
    if (replay->dealt)
        return replay_deny(denial, "bad-deal", "The set-up is in the record already.");
    begin_step(replay, &step);
    set_up(replay, &step);
    replay->dealt = end_step(replay, &step, false, denial);
    return replay->dealt;
}

bool replay_play_told(struct replay *replay, const struct record_entry *entry,
                      const struct replay_denial *denial)
{
    const struct game *game = replay->header.game;
    struct step step;
    if (!replay->dealt)
        return replay_deny(denial, "illegal-ply", "The set-up must be told first: `deal`.");
    uint32_t left = game->deciders(replay->state) & ~(UINT32_C(1) << entry->seat);
    begin_step(replay, &step);
    bool played = play(replay, entry, &step, denial->refusal);
    bool good = step.told.fault == TOLD_GOOD;
    if (good && !played)
        return record_fault(denial->fault, "illegal-ply", denial->refusal->message, none);
    bool together = good && left != 0 && game->deciders(step.state) == left;
    return end_step(replay, &step, together, denial);
}

bool replay_apply_show(struct replay *replay, const struct replay_denial *denial)
{
    struct step step;
    begin_step(replay, &step);
    turn_all_up(replay, &step);
    if (!end_step(replay, &step, false, denial))
        return false;
    replay_count_results(replay);
    return true;
}

bool replay_asks(const struct replay *replay, const struct record_entry *entry,
                 char place[static TOLD_WORD_MAX + 1])
{
    struct step step;
    struct refusal refusal;
    begin_step(replay, &step);
    if (entry->kind == RECORD_DEAL)
        set_up(replay, &step);
    else if (entry->kind == RECORD_SHOW)
        turn_all_up(replay, &step);
    else if (entry->kind == RECORD_PLY && replay->dealt && entry->seat < replay->header.seats)
        (void)play(replay, entry, &step, &refusal);
    memcpy(place, step.told.place, sizeof step.told.place);
    return step.told.fault == TOLD_MISSING;
}
