/* What a ply did, told from the notes that it left in the state: one event for each, in order, with
 * data for a program and a sentence for a person. Cards drawn and artifacts found are named to
 * their owner and to the auditor only; everything else happens in the open. */
#include "engine/games/super-motherload/rules.h"

struct teller {
    const struct motherload_state *state;
    struct viewer viewer;
    unsigned seat; /* whose turn it is */
    unsigned next; /* note to be told */
    json_t *list;
    json_t *event; /* being put together */
    struct text text;
    char bytes[512];
};

static void set(const struct teller *teller, const char *key, json_t *value)
{
    json_object_set_new(teller->event, key, value);
}

static void set_name(const struct teller *teller, const char *key, struct span name)
{
    set(teller, key, json_stringn(name.at, name.length));
}

static void set_number(const struct teller *teller, const char *key, unsigned number)
{
    set(teller, key, json_integer(number));
}

static void say(struct teller *teller, const char *words)
{
    text_add(&teller->text, words);
}

static void say_name(struct teller *teller, struct span name)
{
    text_add_span(&teller->text, name);
}

static void say_number(struct teller *teller, unsigned number)
{
    text_add_number(&teller->text, number);
}

static void say_seat(struct teller *teller, unsigned seat)
{
    say(teller, "{seat ");
    say_number(teller, seat);
    say(teller, "}");
}

/* `2 cards`. */
static void say_count(struct teller *teller, unsigned count, const char *one, const char *many)
{
    say_number(teller, count);
    say(teller, " ");
    say(teller, count == 1 ? one : many);
}

static void begin(struct teller *teller, const char *kind)
{
    teller->event = json_object();
    teller->text = TEXT_OVER(teller->bytes);
    set(teller, "kind", json_string(kind));
}

/* An event that begins with a seat. */
static void begin_with_seat(struct teller *teller, const char *kind, unsigned seat)
{
    begin(teller, kind);
    set_number(teller, "seat", seat);
    say_seat(teller, seat);
}

static void finish(struct teller *teller)
{
    say(teller, ".");
    assert(!teller->text.overflow);
    set(teller, "text", json_string(teller->bytes));
    json_array_append_new(teller->list, teller->event);
}

static void tell_plain(struct teller *teller, const char *kind, const char *sentence)
{
    begin(teller, kind);
    say(teller, sentence);
    finish(teller);
}

/* The next note, if it is of `kind`; NULL when there are no more. */
static const struct note *following(struct teller *teller, enum note_kind kind)
{
    if (teller->next >= teller->state->notes || teller->state->note[teller->next].kind != kind)
        return NULL;
    return &teller->state->note[teller->next++];
}

static bool may_see(const struct teller *teller, unsigned seat)
{
    return teller->viewer.kind == VIEWER_AUDITOR ||
           (teller->viewer.kind == VIEWER_SEAT && teller->viewer.seat == seat);
}

static void tell_board(struct teller *teller, struct note note)
{
    begin(teller, "board_placed");
    set_name(teller, "board", motherload_boards[note.a].name);
    say(teller, "Game board ");
    say_name(teller, motherload_boards[note.a].name);
    say(teller, " is placed");
    finish(teller);
}

static void tell_board_gone(struct teller *teller, struct note note)
{
    begin(teller, "board_removed");
    set_name(teller, "board", motherload_boards[note.a].name);
    say(teller, "Game board ");
    say_name(teller, motherload_boards[note.a].name);
    say(teller, " leaves the table with its tunnels");
    finish(teller);
}

static void tell_deck(struct teller *teller, struct note note)
{
    begin_with_seat(teller, "deck_taken", note.a);
    set_name(teller, "deck", motherload_decks[note.b].name);
    say(teller, " plays the ");
    say_name(teller, motherload_decks[note.b].name);
    say(teller, " deck");
    finish(teller);
}

/* The cards played, as a list in the event and in words. */
static void tell_played(struct teller *teller)
{
    json_t *cards = json_array();
    const char *comma = "";
    const struct note *note;
    while ((note = following(teller, NOTE_PLAYED)) != NULL) {
        struct span card = motherload_cards[note->a].name;
        for (unsigned i = 0; i < note->b; i++) {
            json_array_append_new(cards, json_stringn(card.at, card.length));
            say(teller, comma);
            say_name(teller, card);
            comma = ", ";
        }
    }
    set(teller, "cards", cards);
}

static void tell_drill(struct teller *teller, struct note note)
{
    begin_with_seat(teller, "drill", teller->seat);
    set_name(teller, "color", motherload_colors[note.a]);
    set_number(teller, "length", note.b);
    say(teller, " drills ");
    say_count(teller, note.b, "space", "spaces");
    say(teller, " as ");
    say_name(teller, motherload_colors[note.a]);
    say(teller, " with ");
    tell_played(teller);
    finish(teller);
}

static void tell_bomb(struct teller *teller, struct note note)
{
    begin_with_seat(teller, "bomb", teller->seat);
    set_name(teller, "pattern", motherload_patterns[note.a].name);
    say(teller, " spends a bomb token for the pattern ");
    say_name(teller, motherload_patterns[note.a].name);
    say(teller, " of ");
    tell_played(teller);
    finish(teller);
}

static void tell_token(struct teller *teller)
{
    begin_with_seat(teller, "bomb_token_taken", teller->seat);
    say(teller, " takes a bomb token");
    finish(teller);
}

/* All cards that one seat draws in a row. */
static void tell_drawn(struct teller *teller, struct note first)
{
    bool seen = may_see(teller, first.a);
    unsigned count = 0;
    json_t *cards = json_array();
    char bytes[256];
    struct text names = TEXT_OVER(bytes);
    teller->next--;
    while (teller->next < teller->state->notes && teller->state->note[teller->next].a == first.a) {
        const struct note *note = following(teller, NOTE_DRAWN);
        if (note == NULL)
            break;
        struct span card = motherload_cards[note->b].name;
        json_array_append_new(cards, json_stringn(card.at, card.length));
        text_add(&names, count == 0 ? ": " : ", ");
        text_add_span(&names, card);
        count++;
    }
    begin_with_seat(teller, "cards_drawn", first.a);
    set_number(teller, "count", count);
    say(teller, " draws ");
    say_count(teller, count, "card", "cards");
    if (seen) {
        json_object_set(teller->event, "cards", cards);
        say(teller, bytes);
    }
    json_decref(cards);
    finish(teller);
}

static void tell_shuffled(struct teller *teller, struct note note)
{
    begin_with_seat(teller, "shuffled", note.a);
    say(teller, " shuffles the discard pile into a new draw pile");
    finish(teller);
}

static void tell_achievement(struct teller *teller, const char *kind, const char *words,
                             struct note note)
{
    const struct motherload_achievement *achievement = &motherload_achievements[note.a];
    begin_with_seat(teller, kind, teller->seat);
    set_name(teller, "achievement", achievement->name);
    set_number(teller, "points", achievement->points);
    say(teller, words);
    say_name(teller, achievement->name);
    finish(teller);
}

static void tell_revealed(struct teller *teller, struct note note)
{
    const struct motherload_achievement *achievement = &motherload_achievements[note.a];
    begin(teller, "achievement_revealed");
    set_name(teller, "achievement", achievement->name);
    set_number(teller, "points", achievement->points);
    say(teller, "New minor achievement: ");
    say_name(teller, achievement->name);
    say(teller, " (");
    say(teller, achievement->text);
    say(teller, ")");
    finish(teller);
}

static void tell_tunnel(struct teller *teller)
{
    json_t *spaces = json_array();
    begin_with_seat(teller, "tunnel", teller->seat);
    say(teller, " covers");
    for (unsigned i = 0; i < teller->state->last_count; i++) {
        char bytes[8];
        struct text space = TEXT_OVER(bytes);
        motherload_add_space(&space, teller->state->last[i]);
        json_array_append_new(spaces, json_string(bytes));
        say(teller, " ");
        say(teller, bytes);
    }
    set(teller, "spaces", spaces);
    finish(teller);
}

static void tell_found(struct teller *teller, struct note note)
{
    begin_with_seat(teller, "artifact_found", teller->seat);
    say(teller, " takes an artifact");
    if (may_see(teller, teller->seat)) {
        set_name(teller, "artifact", motherload_artifacts[note.a].name);
        say(teller, ": ");
        say_name(teller, motherload_artifacts[note.a].name);
    }
    finish(teller);
}

/* The minerals that belong to the event, `2 gold, 1 iron`. */
static void tell_minerals(struct teller *teller)
{
    json_t *minerals = json_object();
    const char *comma = "";
    const struct note *note;
    while ((note = following(teller, NOTE_MINERAL)) != NULL) {
        struct span name = motherload_minerals[note->a].name;
        json_object_set_new(minerals, name.at, json_integer(note->b));
        say(teller, comma);
        say_number(teller, note->b);
        say(teller, " ");
        say_name(teller, name);
        comma = ", ";
    }
    set(teller, "minerals", minerals);
}

static void tell_put(struct teller *teller, struct note note)
{
    begin_with_seat(teller, "minerals_put", teller->seat);
    set_name(teller, "stack", motherload_colors[note.a]);
    say(teller, " puts on the ");
    say_name(teller, motherload_colors[note.a]);
    say(teller, " stack: ");
    tell_minerals(teller);
    finish(teller);
}

static void tell_lost(struct teller *teller)
{
    begin_with_seat(teller, "minerals_lost", teller->seat);
    say(teller, " has no stack left for ");
    tell_minerals(teller);
    finish(teller);
}

static void tell_bought(struct teller *teller, struct note note)
{
    const struct motherload_card *card = &motherload_cards[note.a];
    begin_with_seat(teller, "card_bought", teller->seat);
    set_name(teller, "card", card->name);
    set_number(teller, "points", card->points);
    set(teller, "to_hand", json_boolean(note.b > 0));
    set(teller, "recruit", json_boolean(note.b == 2));
    say(teller, " buys ");
    say_name(teller, card->name);
    say(teller, note.b == 2 ? ", by recruit into the hand" : note.b == 1 ? " into the hand" : "");
    finish(teller);
}

static void tell_extra_action(struct teller *teller)
{
    begin_with_seat(teller, "extra_action", teller->seat);
    say(teller, " may take one more action");
    finish(teller);
}

static void tell_copied(struct teller *teller, struct note note)
{
    begin_with_seat(teller, "mineral_copied", teller->seat);
    set_name(teller, "mineral", motherload_minerals[note.a].name);
    set_name(teller, "stack", motherload_colors[note.b]);
    say(teller, " copies ");
    say_name(teller, motherload_minerals[note.a].name);
    say(teller, " to the ");
    say_name(teller, motherload_colors[note.b]);
    say(teller, " stack");
    finish(teller);
}

static void tell_used(struct teller *teller, struct note note)
{
    begin_with_seat(teller, "artifact_used", teller->seat);
    set_name(teller, "artifact", motherload_artifacts[note.a].name);
    say(teller, " uses the artifact ");
    say_name(teller, motherload_artifacts[note.a].name);
    finish(teller);
}

static void tell_discarded(struct teller *teller, struct note note)
{
    begin_with_seat(teller, "card_discarded", teller->seat);
    set_name(teller, "card", motherload_cards[note.a].name);
    say(teller, " discards ");
    say_name(teller, motherload_cards[note.a].name);
    finish(teller);
}

static void tell_draw_action(struct teller *teller)
{
    begin_with_seat(teller, "draw", teller->seat);
    say(teller, " takes the Draw action");
    finish(teller);
}

static void tell_turn(struct teller *teller, struct note note)
{
    teller->seat = note.a;
    begin(teller, "turn_begins");
    set_number(teller, "seat", note.a);
    say(teller, "The turn of ");
    say_seat(teller, note.a);
    say(teller, " begins");
    finish(teller);
}

static void tell_turn_end(struct teller *teller, struct note note)
{
    begin_with_seat(teller, "turn_ends", note.a);
    say(teller, " ends the turn");
    finish(teller);
}

static void tell(struct teller *teller, struct note note)
{
    switch ((enum note_kind)note.kind) {
    case NOTE_BOARD:
        tell_board(teller, note);
        break;
    case NOTE_BOARD_GONE:
        tell_board_gone(teller, note);
        break;
    case NOTE_ACHIEVEMENTS:
        tell_plain(teller, "achievements_dealt",
                   "Three major and three minor achievements are dealt");
        break;
    case NOTE_DECK:
        tell_deck(teller, note);
        break;
    case NOTE_ACTION_DRAW:
        tell_draw_action(teller);
        break;
    case NOTE_ACTION_DRILL:
        tell_drill(teller, note);
        break;
    case NOTE_ACTION_BOMB:
        tell_bomb(teller, note);
        break;
    case NOTE_TOKEN:
        tell_token(teller);
        break;
    case NOTE_DRAWN:
        tell_drawn(teller, note);
        break;
    case NOTE_SHUFFLED:
        tell_shuffled(teller, note);
        break;
    case NOTE_SWAPPED:
        tell_achievement(teller, "achievement_swapped",
                         " puts under the minor achievements: ", note);
        break;
    case NOTE_REVEALED:
        tell_revealed(teller, note);
        break;
    case NOTE_TUNNEL:
        tell_tunnel(teller);
        break;
    case NOTE_FOUND:
        tell_found(teller, note);
        break;
    case NOTE_PUT:
        tell_put(teller, note);
        break;
    case NOTE_LOST:
        tell_lost(teller);
        break;
    case NOTE_ENDING:
        tell_plain(teller, "ending",
                   "The last artifact of the deepest board is found: this turn is the last");
        break;
    case NOTE_BOUGHT:
        tell_bought(teller, note);
        break;
    case NOTE_EXTRA_ACTION:
        tell_extra_action(teller);
        break;
    case NOTE_COPIED:
        tell_copied(teller, note);
        break;
    case NOTE_USED:
        tell_used(teller, note);
        break;
    case NOTE_CLAIMED:
        tell_achievement(teller, "achievement_claimed", " claims ", note);
        break;
    case NOTE_DISCARDED:
        tell_discarded(teller, note);
        break;
    case NOTE_TURN_END:
        tell_turn_end(teller, note);
        break;
    case NOTE_TURN:
        tell_turn(teller, note);
        break;
    case NOTE_OVER:
        tell_plain(teller, "game_over", "The game is over");
        break;
    case NOTE_NOTHING:
    case NOTE_PLAYED:
    case NOTE_MINERAL:
        break;
    }
}

json_t *motherload_events(const void *before, const void *after, const struct ply *ply,
                          struct viewer viewer)
{
    (void)before;
    struct teller teller = {
        .state = after, .viewer = viewer, .seat = ply->seat, .list = json_array()};
    while (teller.next < teller.state->notes) {
        struct note note = teller.state->note[teller.next++];
        tell(&teller, note);
    }
    return teller.list;
}
