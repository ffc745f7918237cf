/* Describes what a ply did, from its notes in the state: one event for each note, in order, with
 * data for a program and a sentence for a person. Cards drawn and artifacts found are named only to
 * their owner and to the auditor; everything else happens in the open. */
#include "engine/game/view_parts.h"
#include "engine/games/super-motherload/rules.h"

/* The state after the ply. */
static const struct motherload_state *state_of(const struct telling *telling)
{
    return telling->state;
}

/* The next note, if it is of `kind`; NULL when there are no more. */
static const struct note *following(struct telling *telling, enum note_kind kind)
{
    const struct motherload_state *state = state_of(telling);
    if (telling->next >= state->notes || state->note[telling->next].kind != kind)
        return NULL;
    return &state->note[telling->next++];
}

static void tell_board(const struct motherload_components *set, struct telling *telling,
                       struct note note)
{
    telling_begin(telling, "board_placed");
    telling_set_name(telling, "board", set->boards[note.a].name);
    telling_say(telling, "Game board ");
    telling_say_span(telling, set->boards[note.a].name);
    telling_say(telling, " is placed");
    telling_finish(telling);
}

static void tell_board_gone(const struct motherload_components *set, struct telling *telling,
                            struct note note)
{
    telling_begin(telling, "board_removed");
    telling_set_name(telling, "board", set->boards[note.a].name);
    telling_say(telling, "Game board ");
    telling_say_span(telling, set->boards[note.a].name);
    telling_say(telling, " leaves the table with its tunnels");
    telling_finish(telling);
}

static void tell_deck(const struct motherload_components *set, struct telling *telling,
                      struct note note)
{
    telling_begin_with_seat(telling, "deck_taken", note.a);
    telling_set_name(telling, "deck", set->decks[note.b].name);
    telling_say(telling, " plays the ");
    telling_say_span(telling, set->decks[note.b].name);
    telling_say(telling, " deck");
    telling_finish(telling);
}

/* The cards played, as a list in the event and in words. */
static void tell_played(const struct motherload_components *set, struct telling *telling)
{
    json_t *cards = json_array();
    const char *comma = "";
    const struct note *note;
    while ((note = following(telling, NOTE_PLAYED)) != NULL) {
        struct span card = set->cards[note->a].name;
        for (unsigned i = 0; i < note->b; i++) {
            json_array_append_new(cards, json_stringn(card.at, card.length));
            telling_say(telling, comma);
            telling_say_span(telling, card);
            comma = ", ";
        }
    }
    telling_set(telling, "cards", cards);
}

static void tell_drill(const struct motherload_components *set, struct telling *telling,
                       struct note note)
{
    telling_begin_with_seat(telling, "drill", telling->seat);
    telling_set_name(telling, "color", set->colors[note.a]);
    telling_set_number(telling, "length", note.b);
    telling_say(telling, " drills ");
    telling_say_count(telling, note.b, "space", "spaces");
    telling_say(telling, " as ");
    telling_say_span(telling, set->colors[note.a]);
    telling_say(telling, " with ");
    tell_played(set, telling);
    telling_finish(telling);
}

static void tell_bomb(const struct motherload_components *set, struct telling *telling,
                      struct note note)
{
    telling_begin_with_seat(telling, "bomb", telling->seat);
    telling_set_name(telling, "pattern", set->patterns[note.a].name);
    telling_say(telling, " spends a bomb token for the pattern ");
    telling_say_span(telling, set->patterns[note.a].name);
    telling_say(telling, " of ");
    tell_played(set, telling);
    telling_finish(telling);
}

static void tell_token(struct telling *telling)
{
    telling_begin_with_seat(telling, "bomb_token_taken", telling->seat);
    telling_say(telling, " takes a bomb token");
    telling_finish(telling);
}

/* All cards that one seat draws in a row. */
static void tell_drawn(const struct motherload_components *set, struct telling *telling,
                       struct note first)
{
    const struct motherload_state *state = state_of(telling);
    bool seen = view_is_open_to(telling->viewer, first.a);
    unsigned count = 0;
    json_t *cards = json_array();
    char bytes[256];
    struct text names = TEXT_OVER(bytes);
    telling->next--;
    while (telling->next < state->notes && state->note[telling->next].a == first.a) {
        const struct note *note = following(telling, NOTE_DRAWN);
        if (note == NULL)
            break;
        struct span card = set->cards[note->b].name;
        json_array_append_new(cards, json_stringn(card.at, card.length));
        text_add(&names, count == 0 ? ": " : ", ");
        text_add_span(&names, card);
        count++;
    }
    telling_begin_with_seat(telling, "cards_drawn", first.a);
    telling_set_number(telling, "count", count);
    telling_say(telling, " draws ");
    telling_say_count(telling, count, "card", "cards");
    if (seen) {
        json_object_set(telling->event, "cards", cards);
        telling_say(telling, bytes);
    }
    json_decref(cards);
    telling_finish(telling);
}

static void tell_shuffled(struct telling *telling, struct note note)
{
    telling_begin_with_seat(telling, "shuffled", note.a);
    telling_say(telling, " shuffles the discard pile into a new draw pile");
    telling_finish(telling);
}

static void tell_achievement(const struct motherload_components *set, struct telling *telling,
                             const char *kind, const char *words, struct note note)
{
    const struct motherload_achievement *achievement = &set->achievements[note.a];
    telling_begin_with_seat(telling, kind, telling->seat);
    telling_set_name(telling, "achievement", achievement->name);
    telling_set_number(telling, "points", achievement->points);
    telling_say(telling, words);
    telling_say_span(telling, achievement->name);
    telling_finish(telling);
}

static void tell_revealed(const struct motherload_components *set, struct telling *telling,
                          struct note note)
{
    const struct motherload_achievement *achievement = &set->achievements[note.a];
    telling_begin(telling, "achievement_revealed");
    telling_set_name(telling, "achievement", achievement->name);
    telling_set_number(telling, "points", achievement->points);
    telling_say(telling, "New minor achievement: ");
    telling_say_span(telling, achievement->name);
    telling_say(telling, " (");
    telling_say(telling, achievement->text);
    telling_say(telling, ")");
    telling_finish(telling);
}

static void tell_tunnel(struct telling *telling)
{
    const struct motherload_state *state = state_of(telling);
    json_t *spaces = json_array();
    telling_begin_with_seat(telling, "tunnel", telling->seat);
    telling_say(telling, " covers");
    for (unsigned i = 0; i < state->last_count; i++) {
        char bytes[8];
        struct text space = TEXT_OVER(bytes);
        motherload_add_space(&space, state->last[i]);
        json_array_append_new(spaces, json_string(bytes));
        telling_say(telling, " ");
        telling_say(telling, bytes);
    }
    telling_set(telling, "spaces", spaces);
    telling_finish(telling);
}

static void tell_found(const struct motherload_components *set, struct telling *telling,
                       struct note note)
{
    telling_begin_with_seat(telling, "artifact_found", telling->seat);
    telling_say(telling, " takes an artifact");
    if (view_is_open_to(telling->viewer, telling->seat)) {
        telling_set_name(telling, "artifact", set->artifacts[note.a].name);
        telling_say(telling, ": ");
        telling_say_span(telling, set->artifacts[note.a].name);
    }
    telling_finish(telling);
}

/* The minerals that belong to the event, `2 gold, 1 iron`. */
static void tell_minerals(const struct motherload_components *set, struct telling *telling)
{
    json_t *minerals = json_object();
    const char *comma = "";
    const struct note *note;
    while ((note = following(telling, NOTE_MINERAL)) != NULL) {
        struct span name = set->minerals[note->a].name;
        json_object_set_new(minerals, name.at, json_integer(note->b));
        telling_say(telling, comma);
        telling_say_number(telling, note->b);
        telling_say(telling, " ");
        telling_say_span(telling, name);
        comma = ", ";
    }
    telling_set(telling, "minerals", minerals);
}

static void tell_put(const struct motherload_components *set, struct telling *telling,
                     struct note note)
{
    telling_begin_with_seat(telling, "minerals_put", telling->seat);
    telling_set_name(telling, "stack", set->colors[note.a]);
    telling_say(telling, " puts on the ");
    telling_say_span(telling, set->colors[note.a]);
    telling_say(telling, " stack: ");
    tell_minerals(set, telling);
    telling_finish(telling);
}

static void tell_lost(const struct motherload_components *set, struct telling *telling)
{
    telling_begin_with_seat(telling, "minerals_lost", telling->seat);
    telling_say(telling, " has no stack left for ");
    tell_minerals(set, telling);
    telling_finish(telling);
}

static void tell_bought(const struct motherload_components *set, struct telling *telling,
                        struct note note)
{
    const struct motherload_card *card = &set->cards[note.a];
    telling_begin_with_seat(telling, "card_bought", telling->seat);
    telling_set_name(telling, "card", card->name);
    telling_set_number(telling, "points", card->points);
    telling_set(telling, "to_hand", json_boolean(note.b > 0));
    telling_set(telling, "recruit", json_boolean(note.b == 2));
    telling_say(telling, " buys ");
    telling_say_span(telling, card->name);
    telling_say(telling, note.b == 2   ? " with Recruit and takes it into hand"
                         : note.b == 1 ? " and takes it into hand"
                                       : "");
    telling_finish(telling);
}

static void tell_extra_action(struct telling *telling)
{
    telling_begin_with_seat(telling, "extra_action", telling->seat);
    telling_say(telling, " may take one more action");
    telling_finish(telling);
}

static void tell_copied(const struct motherload_components *set, struct telling *telling,
                        struct note note)
{
    telling_begin_with_seat(telling, "mineral_copied", telling->seat);
    telling_set_name(telling, "mineral", set->minerals[note.a].name);
    telling_set_name(telling, "stack", set->colors[note.b]);
    telling_say(telling, " copies ");
    telling_say_span(telling, set->minerals[note.a].name);
    telling_say(telling, " to the ");
    telling_say_span(telling, set->colors[note.b]);
    telling_say(telling, " stack");
    telling_finish(telling);
}

static void tell_used(const struct motherload_components *set, struct telling *telling,
                      struct note note)
{
    telling_begin_with_seat(telling, "artifact_used", telling->seat);
    telling_set_name(telling, "artifact", set->artifacts[note.a].name);
    telling_say(telling, " uses the artifact ");
    telling_say_span(telling, set->artifacts[note.a].name);
    telling_finish(telling);
}

static void tell_discarded(const struct motherload_components *set, struct telling *telling,
                           struct note note)
{
    telling_begin_with_seat(telling, "card_discarded", telling->seat);
    telling_set_name(telling, "card", set->cards[note.a].name);
    telling_say(telling, " discards ");
    telling_say_span(telling, set->cards[note.a].name);
    telling_finish(telling);
}

static void tell_draw_action(struct telling *telling)
{
    telling_begin_with_seat(telling, "draw", telling->seat);
    telling_say(telling, " takes the Draw action");
    telling_finish(telling);
}

static void tell_turn(struct telling *telling, struct note note)
{
    telling->seat = note.a;
    telling_begin(telling, "turn_begins");
    telling_seat(telling, note.a);
    telling_say(telling, "'s turn begins");
    telling_finish(telling);
}

static void tell_turn_end(struct telling *telling, struct note note)
{
    telling_begin_with_seat(telling, "turn_ends", note.a);
    telling_say(telling, " ends the turn");
    telling_finish(telling);
}

static void tell(const struct motherload_components *set, struct telling *telling, struct note note)
{
    switch ((enum note_kind)note.kind) {
    case NOTE_BOARD:
        tell_board(set, telling, note);
        break;
    case NOTE_BOARD_GONE:
        tell_board_gone(set, telling, note);
        break;
    case NOTE_ACHIEVEMENTS:
        telling_plain(telling, "achievements_dealt",
                      "Three major and three minor achievements are dealt");
        break;
    case NOTE_DECK:
        tell_deck(set, telling, note);
        break;
    case NOTE_ACTION_DRAW:
        tell_draw_action(telling);
        break;
    case NOTE_ACTION_DRILL:
        tell_drill(set, telling, note);
        break;
    case NOTE_ACTION_BOMB:
        tell_bomb(set, telling, note);
        break;
    case NOTE_TOKEN:
        tell_token(telling);
        break;
    case NOTE_DRAWN:
        tell_drawn(set, telling, note);
        break;
    case NOTE_SHUFFLED:
        tell_shuffled(telling, note);
        break;
    case NOTE_SWAPPED:
        tell_achievement(set, telling, "achievement_swapped",
                         " puts under the minor achievements: ", note);
        break;
    case NOTE_REVEALED:
        tell_revealed(set, telling, note);
        break;
    case NOTE_TUNNEL:
        tell_tunnel(telling);
        break;
    case NOTE_FOUND:
        tell_found(set, telling, note);
        break;
    case NOTE_PUT:
        tell_put(set, telling, note);
        break;
    case NOTE_LOST:
        tell_lost(set, telling);
        break;
    case NOTE_ENDING:
        telling_plain(telling, "ending",
                      "The last artifact of the deepest board is found: this turn is the last");
        break;
    case NOTE_BOUGHT:
        tell_bought(set, telling, note);
        break;
    case NOTE_EXTRA_ACTION:
        tell_extra_action(telling);
        break;
    case NOTE_COPIED:
        tell_copied(set, telling, note);
        break;
    case NOTE_USED:
        tell_used(set, telling, note);
        break;
    case NOTE_CLAIMED:
        tell_achievement(set, telling, "achievement_claimed", " claims ", note);
        break;
    case NOTE_DISCARDED:
        tell_discarded(set, telling, note);
        break;
    case NOTE_TURN_END:
        tell_turn_end(telling, note);
        break;
    case NOTE_TURN:
        tell_turn(telling, note);
        break;
    case NOTE_OVER:
        telling_plain(telling, "game_over", "The game is over");
        break;
    case NOTE_NOTHING:
    case NOTE_PLAYED:
    case NOTE_MINERAL:
        break;
    }
}

json_t *motherload_events(const struct game *game, const void *before, const void *after,
                          const struct ply *ply, struct viewer viewer)
{
    const struct motherload_components *set = game->set;
    (void)before;
    const struct motherload_state *state = after;
    struct telling telling;
    telling_init(&telling, after, ply, viewer);
    while (telling.next < state->notes) {
        struct note note = state->note[telling.next++];
        tell(set, &telling, note);
    }
    return telling.list;
}
