/* Lines about entering: until entries are closed and have numbers, and of those who come late. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/json.h"
#include "engine/tournament/event/tournament_parts.h"

enum { RATING_MAX = 1 << 24 };

/* ---- Entering ---- */

/* A player who has dropped out of future rounds leaves a place free. */
static size_t count_taken(const struct tournament *event)
{
    unsigned round = (unsigned)event->round_count + 1;
    round_set next = rounds_from(round) & ~rounds_from(round + 1);
    size_t taken = 0;
    for (size_t i = 0; i < event->entrant_count; i++)
        taken += event->entrants[i].state == ENTRANT_TAKEN && (event->entrants[i].out & next) == 0;
    return taken;
}

bool tournament_is_full(const struct tournament *tournament)
{
    return tournament->settings.capacity > 0 &&
           count_taken(tournament) >= tournament->settings.capacity;
}

/* The longest-waiting entry, or NULL. */
static struct entrant *first_waiting(const struct tournament *event)
{
    struct entrant *first = NULL;
    for (size_t i = 0; i < event->entrant_count; i++) {
        struct entrant *each = &event->entrants[i];
        if (each->state == ENTRANT_WAITING && (first == NULL || each->entered < first->entered))
            first = each;
    }
    return first;
}

void take_waiting(struct tournament *event)
{
    struct entrant *next;
    if (event->numbered > 0)
        return;
    while (!tournament_is_full(event) && (next = first_waiting(event)) != NULL)
        next->state = ENTRANT_TAKEN;
}

/* Entrants keep their numbers; entries can be reopened before the first round. */
bool take_entries_opened(struct taking *taking)
{
    struct tournament *event = taking->event;
    bool again =
        event->phase == PHASE_ENTRIES_CLOSED && event->stages == 0 && event->round_count == 0;
    if (event->phase != PHASE_DRAFT && !again)
        return not_now(taking, "Entries can be opened until the first round is paired.");
    for (size_t i = 0; i < event->entrant_count; i++) {
        struct entrant *each = &event->entrants[i];
        each->number = 0;
        each->out = 0;
        if (each->state == ENTRANT_NOT_THERE)
            each->state = tournament_is_full(event) ? ENTRANT_WAITING : ENTRANT_TAKEN;
    }
    event->numbered = 0;
    event->phase = PHASE_ENTRIES_OPEN;
    return true;
}

static bool read_rating(struct taking *taking, int32_t *rating)
{
    const json_t *value = json_object_get(taking->line->detail, "rating");
    json_int_t number = 0;
    if (value != NULL && !json_is_null(value) &&
        !read_whole(taking, "rating", 1, RATING_MAX, &number))
        return false;
    *rating = (int32_t)number;
    return true;
}

/* Reads the entry's strength, in logs that have strengths: see tournament_has_strengths(). */
static bool read_strength(struct taking *taking, int32_t rating, struct rating *strength)
{
    const struct tournament *event = taking->event;
    const json_t *value = json_object_get(taking->line->detail, "strength");
    int64_t mu = 0, sigma = 0;
    *strength = (struct rating){0};
    if (event->entrant_count > 0 && tournament_has_strengths(event) != (value != NULL))
        return bad_line(
            taking, "The line has a `strength` although earlier ones have none, or the reverse.");
    if (value == NULL)
        return true;
    if (json_array_size(value) != 2 ||
        !json_read_whole(json_array_get(value, 0), -RATING_MU_MAX, RATING_MU_MAX, &mu) ||
        !json_read_whole(json_array_get(value, 1), 1, RATING_SIGMA_MAX, &sigma))
        return bad_line(taking, "The line needs mu and sigma as its `strength`, in millionths.");
    *strength = (struct rating){(int32_t)mu, (int32_t)sigma};
    const struct rating new = rating_initial();
    int64_t least = rating_ordinal(*strength) / 1000;
    bool agree =
        rating == 0 ? mu == new.mu &&sigma == new.sigma : rating == (least < 1 ? 1 : least);
    return agree ||
           bad_line(taking, "The line has a `rating` that does not follow from its `strength`.");
}

bool tournament_has_strengths(const struct tournament *tournament)
{
    return tournament->entrant_count > 0 && tournament->entrants[0].strength.sigma > 0;
}

/* Makes the index twice as large as the entrants, before one more is added. */
static bool make_room(struct taking *taking)
{
    struct tournament *event = taking->event;
    struct tournament_index *index = event->index;
    size_t count = event->entrant_count + 1;
    if (!grow(taking, (void **)&event->entrants, &index->entrants_most, count,
              sizeof *event->entrants))
        return false;
    if (index->slot_count >= 2 * count)
        return true;
    size_t slots = index->slot_count == 0 ? 32 : 2 * index->slot_count;
    uint16_t *grown = calloc(slots, sizeof *grown);
    if (grown == NULL)
        return no_memory(taking);
    free(index->slots);
    index->slots = grown;
    index->slot_count = slots;
    for (size_t i = 0; i < event->entrant_count; i++)
        index_entrant(event, (uint16_t)i);
    return true;
}

/* The player's entrant, complete except for its state. */
static struct entrant *add_entrant(struct taking *taking, const char *player, uint16_t known)
{
    struct tournament *event = taking->event;
    if (known == TOURNAMENT_NOBODY) {
        if (event->entrant_count == SETTINGS_ENTRIES_MAX) {
            refuse(taking->refusal, TOURNAMENT_REFUSAL_FULL,
                   "An event can have at most 4096 entries.");
            return NULL;
        }
        if (!make_room(taking))
            return NULL;
        known = (uint16_t)event->entrant_count++;
        event->entrants[known] = (struct entrant){.state = ENTRANT_TAKEN};
        memcpy(event->entrants[known].player, player, TOURNAMENT_ID_BYTES);
        index_entrant(event, known);
    }
    struct entrant *entrant = &event->entrants[known];
    entrant->entered = taking->line->number;
    entrant->from = 1;
    entrant->checked_in = false;
    return entrant;
}

/* Formats that players can join after the stage has begun. */
static bool takes_late(const struct stage_settings *stage)
{
    return stage->format == FORMAT_POD_SWISS || stage->format == FORMAT_DUTCH ||
           stage->format == FORMAT_LADDER || stage->format == FORMAT_OPEN_PLAY ||
           stage->format == FORMAT_DUPLICATE;
}

bool tournament_may_come_late(const struct tournament *event, struct refusal *refusal)
{
    const struct tournament_settings *settings = &event->settings;
    if (event->phase != PHASE_ENTRIES_CLOSED && event->phase != PHASE_RUNNING)
        return refuse(refusal, TOURNAMENT_REFUSAL_PHASE, "Entries are not open.");
    bool open = !tournament_format_has_rounds(settings->stage[0].format);
    if (event->stages > 1)
        return refuse(refusal, TOURNAMENT_REFUSAL_LATE, "It is too late to enter this event.");
    if (!open && (event->rounds_started > settings->late_entries ||
                  (event->phase == PHASE_RUNNING && settings->late_entries == 0)))
        return refuse(refusal, TOURNAMENT_REFUSAL_LATE,
                      "It is too late to enter this event: more rounds have begun than its setting "
                      "`late_entries` allows.");
    if (event->stages == 1 && !takes_late(&settings->stage[0]))
        return refuse(refusal, TOURNAMENT_REFUSAL_LATE,
                      "Players cannot join this format once it has begun.");
    return !tournament_is_full(event) ||
           refuse(refusal, TOURNAMENT_REFUSAL_FULL, "The event is full.");
}

static bool enter_late(struct taking *taking, const char *player, uint16_t known, int32_t rating)
{
    struct tournament *event = taking->event;
    if (!tournament_may_come_late(event, taking->refusal))
        return false;
    struct entrant *entrant = add_entrant(taking, player, known);
    if (entrant == NULL)
        return false;
    uint16_t entry = (uint16_t)(entrant - event->entrants);
    if (!give_number(taking, entry))
        return false;
    entrant->state = ENTRANT_TAKEN;
    entrant->checked_in = true;
    entrant->rating = rating;
    entrant->from = tournament_format_has_rounds(event->settings.stage[0].format)
                        ? (uint16_t)(event->round_count + 1)
                        : 1;
    if (event->stages == 1)
        event->stage[0].entries[event->stage[0].entry_count++] = entry;
    return true;
}

static bool enter(struct taking *taking, const char *player, uint16_t known, int32_t rating)
{
    bool full = tournament_is_full(taking->event);
    struct entrant *entrant = add_entrant(taking, player, known);
    if (entrant == NULL)
        return false;
    entrant->rating = rating;
    entrant->state = full ? ENTRANT_WAITING : ENTRANT_TAKEN;
    return true;
}

/* Entries still waiting when numbers are given can enter late, like anyone else. */
static bool is_entered(const struct entrant *entrant, bool late)
{
    return entrant->state == ENTRANT_TAKEN || (entrant->state == ENTRANT_WAITING && !late);
}

/* "" if there is none. */
static bool read_owner(struct taking *taking, const char **owner)
{
    *owner = "";
    return json_object_get(taking->line->detail, "owner") == NULL ||
           read_id(taking, "owner", owner);
}

/* ---- Programs ---- */

/* HOUSE_NONE if the line is of no house player. */
static bool read_house(struct taking *taking, const char *owner, uint8_t *house)
{
    const json_t *value = json_object_get(taking->line->detail, "house");
    int level = json_is_string(value) ? house_choice_find(span_of(json_string_value(value))) : -1;
    *house = HOUSE_NONE;
    if (value == NULL)
        return true;
    if (level <= HOUSE_NONE || owner[0] != '\0')
        return bad_line(taking, "`house` must be the level of a house player, who has no owner.");
    *house = (uint8_t)level;
    return true;
}

static bool takes_program(struct taking *taking, const char *owner, uint8_t house)
{
    const struct tournament_settings *settings = &taking->event->settings;
    if (settings->no_bots && owner[0] != '\0')
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_BOT,
                      "Bots may not enter this event; an organizer can set `bots` to true.");
    if (house > HOUSE_NONE && settings->house == HOUSE_NONE)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_HOUSE,
                      "House players may not enter this event; an organizer can set `house` to the "
                      "highest level that may.");
    return house <= settings->house ||
           refuse(taking->refusal, TOURNAMENT_REFUSAL_HOUSE,
                  "House players of this level may not enter this event; choose a level up to the "
                  "event's `house`.");
}

bool tournament_rates_apart(const struct tournament *tournament,
                            const struct tournament_table *table)
{
    bool any = table->house != 0;
    for (unsigned seat = 0; seat < table->seats; seat++)
        any = any || tournament->entrants[table->entry[seat]].house != HOUSE_NONE;
    return any && !tournament->settings.rate_house;
}

/* ---- One person ---- */

static const char *person_of(const char *player, const char *owner)
{
    return owner[0] == '\0' ? player : owner;
}

bool tournament_parts(const struct tournament *tournament, uint16_t one, uint16_t other)
{
    const struct entrant *a = &tournament->entrants[one], *b = &tournament->entrants[other];
    return tournament->settings.same_owner == SAME_OWNER_APART && one != other &&
           strcmp(person_of(a->player, a->owner), person_of(b->player, b->owner)) == 0;
}

bool check_owners(struct taking *taking, const struct tournament_table *table)
{
    for (unsigned seat = 1; seat < table->seats; seat++)
        for (unsigned other = 0; other < seat; other++)
            if (tournament_parts(taking->event, table->entry[other], table->entry[seat]))
                return refuse(taking->refusal, TOURNAMENT_REFUSAL_OWNER,
                              "A table would have a player and a bot of theirs, or two bots of one "
                              "owner; the event keeps them apart (`same_owner`).");
    return true;
}

static bool is_in(const struct entrant *entrant)
{
    return (entrant->state == ENTRANT_TAKEN || entrant->state == ENTRANT_WAITING) &&
           !tournament_has_dropped(entrant);
}

bool check_parted(struct taking *taking, const char *player, const char *owner)
{
    const struct tournament *event = taking->event;
    const char *person = person_of(player, owner);
    if (event->settings.same_owner != SAME_OWNER_APART ||
        settings_unparted(&event->settings) == NULL)
        return true;
    for (size_t i = 0; i < event->entrant_count; i++) {
        const struct entrant *each = &event->entrants[i];
        if (is_in(each) && strcmp(each->player, player) != 0 &&
            strcmp(person_of(each->player, each->owner), person) == 0)
            return refuse(taking->refusal, TOURNAMENT_REFUSAL_OWNER,
                          "This player's owner, a bot of theirs or another bot of their owner's "
                          "has entered, and the event's format cannot keep them at different "
                          "tables. One of them can enter; an organizer can also set `same_owner` "
                          "to `allowed`.");
    }
    return true;
}

bool take_entered(struct taking *taking)
{
    struct tournament *event = taking->event;
    bool late = json_is_true(json_object_get(taking->line->detail, "late"));
    const char *player, *owner;
    int32_t rating;
    struct rating strength;
    uint8_t house;
    if (!read_id(taking, "player", &player) || !read_rating(taking, &rating) ||
        !read_strength(taking, rating, &strength) || !read_owner(taking, &owner) ||
        !read_house(taking, owner, &house))
        return false;
    uint16_t known = tournament_entry(event, span_of(player));
    if (known != TOURNAMENT_NOBODY && is_entered(&event->entrants[known], late))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TWICE,
                      "This player has already entered.");
    if (!late && event->phase != PHASE_ENTRIES_OPEN)
        return not_now(taking, "Entries are not open.");
    if (!check_parted(taking, player, owner) || !takes_program(taking, owner, house))
        return false;
    bool taken =
        late ? enter_late(taking, player, known, rating) : enter(taking, player, known, rating);
    if (taken) {
        struct entrant *entrant = &event->entrants[tournament_entry(event, span_of(player))];
        memcpy(entrant->owner, owner, strlen(owner) + 1);
        entrant->house = house;
        entrant->strength = strength;
    }
    return taken;
}

bool take_withdrawn(struct taking *taking)
{
    struct tournament *event = taking->event;
    uint16_t entry;
    if (!read_entry(taking, "player", &entry))
        return false;
    struct entrant *entrant = &event->entrants[entry];
    if (entrant->state == ENTRANT_WITHDRAWN)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER, "This player is not entered.");
    if (entrant->number != 0 || event->phase == PHASE_CLOSED)
        return not_now(taking, "A player with a number can only drop out of future rounds.");
    entrant->state = ENTRANT_WITHDRAWN;
    entrant->checked_in = false;
    take_waiting(event);
    return true;
}

bool take_checked_in(struct taking *taking)
{
    struct tournament *event = taking->event;
    const json_t *present = json_object_get(taking->line->detail, "present");
    uint16_t entry;
    if (!read_entry(taking, "player", &entry))
        return false;
    if (!json_is_boolean(present))
        return bad_line(taking, "A check-in must say whether the player is present.");
    struct entrant *entrant = &event->entrants[entry];
    if (event->phase != PHASE_ENTRIES_OPEN || !event->settings.check_in)
        return not_now(
            taking, "Check-in is only possible while entries are open, in events that require it.");
    if (entrant->state != ENTRANT_TAKEN && entrant->state != ENTRANT_WAITING)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER, "This player is not entered.");
    if (entrant->checked_in == json_is_true(present))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TWICE,
                      "This player already has that status.");
    entrant->checked_in = json_is_true(present);
    return true;
}

static bool is_there(const struct tournament *event, const struct entrant *entrant)
{
    return entrant->state == ENTRANT_TAKEN && (entrant->checked_in || !event->settings.check_in);
}

bool tournament_has_field(const struct tournament *event, struct tournament_field *field)
{
    *field = (struct tournament_field){.needed = settings_entries_least(&event->settings.stage[0])};
    for (size_t i = 0; i < event->entrant_count; i++) {
        bool there = is_there(event, &event->entrants[i]);
        field->there += there;
        field->missing += !there && event->entrants[i].state == ENTRANT_TAKEN;
    }
    return field->there >= field->needed;
}

/* Numbers all in the list, or none: then the event is unchanged. */
static bool number_all(struct taking *taking, const json_t *numbers)
{
    struct tournament *event = taking->event;
    for (size_t i = 0; i < json_array_size(numbers); i++) {
        const json_t *id = json_array_get(numbers, i);
        uint16_t entry =
            is_id(id) ? tournament_entry(event, span_of(json_string_value(id))) : TOURNAMENT_NOBODY;
        if (entry == TOURNAMENT_NOBODY || !is_there(event, &event->entrants[entry]) ||
            event->entrants[entry].number != 0)
            return bad_line(taking, "The line gives a number to a player who cannot have one.");
        if (!give_number(taking, entry))
            return false;
    }
    return true;
}

static void forget_numbers(struct tournament *event)
{
    for (size_t i = 0; i < event->entrant_count; i++)
        event->entrants[i].number = 0;
    event->numbered = 0;
}

bool take_entries_closed(struct taking *taking)
{
    struct tournament *event = taking->event;
    const json_t *numbers = json_object_get(taking->line->detail, "numbers");
    struct tournament_field field;
    if (event->phase != PHASE_ENTRIES_OPEN)
        return not_now(taking, "Entries are not open.");
    tournament_has_field(event, &field);
    if (!json_is_array(numbers) || json_array_size(numbers) != field.there)
        return bad_line(taking, "The line leaves out a player who takes part.");
    if (!number_all(taking, numbers)) {
        forget_numbers(event);
        return false;
    }
    for (size_t i = 0; i < event->entrant_count; i++)
        if (event->entrants[i].state == ENTRANT_TAKEN && event->entrants[i].number == 0)
            event->entrants[i].state = ENTRANT_NOT_THERE;
    event->phase = PHASE_ENTRIES_CLOSED;
    return true;
}
