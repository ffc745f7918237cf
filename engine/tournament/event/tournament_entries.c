/* Lines about the event itself and its entries. */
#include <stdlib.h>
#include <string.h>

#include "engine/tournament/event/tournament_parts.h"

enum { RATING_MAX = 1 << 24, QUEUE_MOST = 512, ROLES_MOST = 1000, PAIRS_MOST = 65536 };

/* ---- Settings ---- */

static bool bad_settings(struct taking *taking)
{
    return bad_line(taking, "The settings of the line are not valid.");
}

/* The creator of an event is its first organizer. */
static bool add_maker(struct taking *taking)
{
    struct tournament *event = taking->event;
    json_t *actor = json_string(taking->line->actor);
    bool known = is_id(actor);
    json_decref(actor);
    if (!known)
        return true;
    if (!grow(taking, (void **)&event->roles, &event->index->roles_most, 1, sizeof *event->roles))
        return false;
    event->roles[event->role_count++] = (struct tournament_role){.organizer = true};
    memcpy(event->roles[0].player, taking->line->actor, TOURNAMENT_ID_BYTES);
    return true;
}

bool take_created(struct taking *taking)
{
    struct tournament *event = taking->event;
    struct settings_fault fault;
    struct tournament_settings settings;
    if (!settings_read(taking->line->detail, false, &settings, &fault))
        return bad_settings(taking);
    if (!add_maker(taking))
        return false;
    event->settings = settings;
    event->settings_document = json_incref(taking->line->detail);
    return true;
}

bool take_settings_changed(struct taking *taking)
{
    struct tournament *event = taking->event;
    struct settings_fault fault;
    struct tournament_settings settings;
    size_t started = event->phase < PHASE_ENTRIES_CLOSED ? 0 : event->stages;
    if (!settings_change(&event->settings, taking->line->detail, started, event->rounds_started,
                         &settings, &fault) ||
        !settings_read(taking->line->detail, false, &settings, &fault))
        return bad_settings(taking);
    json_decref(event->settings_document);
    event->settings = settings;
    event->settings_document = json_incref(taking->line->detail);
    take_waiting(event);
    return true;
}

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

static bool is_full(const struct tournament *event)
{
    return event->settings.capacity > 0 && count_taken(event) >= event->settings.capacity;
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
    while (!is_full(event) && (next = first_waiting(event)) != NULL)
        next->state = ENTRANT_TAKEN;
}

/* Entrants keep their numbers; entries can be reopened before the first round. */
bool take_entries_opened(struct taking *taking)
{
    static const char *const none[] = {NULL};
    struct tournament *event = taking->event;
    if (!has_only(taking, none))
        return false;
    bool again =
        event->phase == PHASE_ENTRIES_CLOSED && event->stages == 0 && event->round_count == 0;
    if (event->phase != PHASE_DRAFT && !again)
        return not_now(taking, "Entries can be opened until the first round is paired.");
    for (size_t i = 0; i < event->entrant_count; i++) {
        struct entrant *each = &event->entrants[i];
        each->number = 0;
        each->out = 0;
        if (each->state == ENTRANT_NOT_THERE)
            each->state = is_full(event) ? ENTRANT_WAITING : ENTRANT_TAKEN;
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
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_MEMORY,
                      "There is not enough memory for the event.");
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

static bool may_come_late(struct taking *taking)
{
    const struct tournament *event = taking->event;
    const struct tournament_settings *settings = &event->settings;
    if (event->phase != PHASE_ENTRIES_CLOSED && event->phase != PHASE_RUNNING)
        return not_now(taking, "Entries are not open.");
    bool open = !tournament_format_has_rounds(settings->stage[0].format);
    if (event->stages > 1 || (!open && event->rounds_started > settings->late_entries) ||
        (!open && event->phase == PHASE_RUNNING && settings->late_entries == 0))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_LATE,
                      "It is too late to enter this event.");
    if (event->stages == 1 && !takes_late(&settings->stage[0]))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_LATE,
                      "Players cannot join this format once it has begun.");
    return !is_full(event) ||
           refuse(taking->refusal, TOURNAMENT_REFUSAL_FULL, "The event is full.");
}

static bool enter_late(struct taking *taking, const char *player, uint16_t known, int32_t rating)
{
    struct tournament *event = taking->event;
    if (!may_come_late(taking))
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
    bool full = is_full(taking->event);
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
    bool dropped = entrant->out >> (TOURNAMENT_ROUNDS_MAX - 1) != 0;
    return (entrant->state == ENTRANT_TAKEN || entrant->state == ENTRANT_WAITING) && !dropped;
}

/* Refuses a second entry of one person if some stage cannot keep the two apart. */
static bool is_parted(struct taking *taking, const char *player, const char *owner)
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
    static const char *const names[] = {"player", "rating", "late", "owner", "house", NULL};
    struct tournament *event = taking->event;
    bool late = json_is_true(json_object_get(taking->line->detail, "late"));
    const char *player, *owner;
    int32_t rating;
    uint8_t house;
    if (!has_only(taking, names) || !read_id(taking, "player", &player) ||
        !read_rating(taking, &rating) || !read_owner(taking, &owner) ||
        !read_house(taking, owner, &house))
        return false;
    uint16_t known = tournament_entry(event, span_of(player));
    if (known != TOURNAMENT_NOBODY && is_entered(&event->entrants[known], late))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TWICE,
                      "This player has entered already.");
    if (!late && event->phase != PHASE_ENTRIES_OPEN)
        return not_now(taking, "Entries are not open.");
    if (!is_parted(taking, player, owner) || !takes_program(taking, owner, house))
        return false;
    bool taken =
        late ? enter_late(taking, player, known, rating) : enter(taking, player, known, rating);
    if (taken) {
        struct entrant *entrant = &event->entrants[tournament_entry(event, span_of(player))];
        memcpy(entrant->owner, owner, strlen(owner) + 1);
        entrant->house = house;
    }
    return taken;
}

bool take_withdrawn(struct taking *taking)
{
    static const char *const names[] = {"player", NULL};
    struct tournament *event = taking->event;
    uint16_t entry;
    if (!has_only(taking, names) || !read_entry(taking, "player", &entry))
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
    static const char *const names[] = {"player", "present", NULL};
    struct tournament *event = taking->event;
    const json_t *present = json_object_get(taking->line->detail, "present");
    uint16_t entry;
    if (!has_only(taking, names) || !read_entry(taking, "player", &entry))
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
    static const char *const names[] = {"numbers", NULL};
    struct tournament *event = taking->event;
    const json_t *numbers = json_object_get(taking->line->detail, "numbers");
    size_t there = 0;
    if (!has_only(taking, names))
        return false;
    if (event->phase != PHASE_ENTRIES_OPEN)
        return not_now(taking, "Entries are not open.");
    for (size_t i = 0; i < event->entrant_count; i++)
        there += is_there(event, &event->entrants[i]);
    if (!json_is_array(numbers) || json_array_size(numbers) != there)
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

/* ---- Coming and going ---- */

static bool read_numbered(struct taking *taking, uint16_t *entry)
{
    if (!read_entry(taking, "player", entry))
        return false;
    if (taking->event->phase == PHASE_CLOSED)
        return not_now(taking, "The event is closed.");
    return taking->event->entrants[*entry].number != 0 ||
           refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER,
                  "This player has no number in the event.");
}

/* Also removes the entry from the queue and cancels its open challenges. */
static void leave_open_play(struct tournament *event, uint16_t entry)
{
    size_t kept = 0;
    for (size_t i = 0; i < event->queue_count; i++)
        if (event->queue[i].entry != entry)
            event->queue[kept++] = event->queue[i];
    event->queue_count = kept;
    for (size_t i = 0; i < event->challenge_count; i++) {
        struct tournament_challenge *each = &event->challenges[i];
        if (each->table == 0 && (each->challenger == entry || each->challenged == entry))
            each->over = true;
    }
}

bool take_dropped(struct taking *taking)
{
    static const char *const names[] = {"player", "after", NULL};
    struct tournament *event = taking->event;
    uint16_t entry;
    json_int_t after;
    if (!has_only(taking, names) || !read_numbered(taking, &entry) ||
        !read_whole(taking, "after", event->rounds_started, TOURNAMENT_ROUNDS_MAX, &after))
        return false;
    struct entrant *entrant = &event->entrants[entry];
    round_set out = rounds_from((unsigned)after + 1);
    if ((entrant->out & out) == out && out != 0)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TWICE,
                      "This player has dropped out before.");
    entrant->out |= out;
    leave_open_play(event, entry);
    return true;
}

static bool is_bracket(const struct stage_settings *stage)
{
    return stage != NULL &&
           (stage->format == FORMAT_SINGLE_ELIMINATION ||
            stage->format == FORMAT_DOUBLE_ELIMINATION || stage->format == FORMAT_POD_ELIMINATION);
}

bool take_returned(struct taking *taking)
{
    static const char *const names[] = {"player", "from", NULL};
    struct tournament *event = taking->event;
    uint16_t entry;
    json_int_t from;
    if (!has_only(taking, names) || !read_numbered(taking, &entry) ||
        !read_whole(taking, "from", (json_int_t)event->round_count + 1, TOURNAMENT_ROUNDS_MAX,
                    &from))
        return false;
    struct entrant *entrant = &event->entrants[entry];
    if ((entrant->out & round_bit((unsigned)from)) == 0)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER,
                      "This player already takes part in that round.");
    if (is_bracket(tournament_stage(event)))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_LATE,
                      "A player who has left a bracket cannot return to it.");
    if (!is_parted(taking, entrant->player, entrant->owner))
        return false;
    entrant->out &= ~rounds_from((unsigned)from);
    return true;
}

static bool read_bye_round(struct taking *taking, uint16_t *entry, round_set *bit)
{
    json_int_t round;
    struct tournament *event = taking->event;
    if (!read_numbered(taking, entry) ||
        !read_whole(taking, "round", 1, TOURNAMENT_ROUNDS_MAX, &round))
        return false;
    *bit = round_bit((unsigned)round);
    return (size_t)round > event->round_count ||
           refuse(taking->refusal, TOURNAMENT_REFUSAL_LATE, "That round has been paired already.");
}

bool take_bye_granted(struct taking *taking)
{
    static const char *const names[] = {"player", "round", "kind", NULL};
    const char *kind = json_string_value(json_object_get(taking->line->detail, "kind"));
    uint16_t entry;
    round_set bit;
    if (!has_only(taking, names) || !read_bye_round(taking, &entry, &bit))
        return false;
    struct entrant *entrant = &taking->event->entrants[entry];
    if (((entrant->full_bye | entrant->half_bye | entrant->zero_bye) & bit) != 0)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TWICE,
                      "This player has a bye in that round already.");
    if (kind != NULL && strcmp(kind, "full") == 0)
        entrant->full_bye |= bit;
    else if (kind != NULL && strcmp(kind, "half") == 0)
        entrant->half_bye |= bit;
    else if (kind != NULL && strcmp(kind, "zero") == 0)
        entrant->zero_bye |= bit;
    else
        return bad_line(taking, "A bye must be full, half or zero.");
    return true;
}

bool take_bye_revoked(struct taking *taking)
{
    static const char *const names[] = {"player", "round", NULL};
    uint16_t entry;
    round_set bit;
    if (!has_only(taking, names) || !read_bye_round(taking, &entry, &bit))
        return false;
    struct entrant *entrant = &taking->event->entrants[entry];
    if (((entrant->full_bye | entrant->half_bye | entrant->zero_bye) & bit) == 0)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER,
                      "This player has no bye in that round.");
    entrant->full_bye &= ~bit;
    entrant->half_bye &= ~bit;
    entrant->zero_bye &= ~bit;
    return true;
}

/* ---- Pairs that are kept apart ---- */

static struct tournament_pair *find_pair(const struct tournament *event,
                                         const uint16_t entry[static 2])
{
    for (size_t i = 0; i < event->pair_count; i++) {
        struct tournament_pair *each = &event->pairs[i];
        if ((each->a == entry[0] && each->b == entry[1]) ||
            (each->a == entry[1] && each->b == entry[0]))
            return each;
    }
    return NULL;
}

static bool read_weight(struct taking *taking, json_int_t *weight)
{
    const char *text = json_string_value(json_object_get(taking->line->detail, "weight"));
    *weight = POD_FORBIDDEN;
    if (text != NULL && strcmp(text, "forbidden") == 0)
        return true;
    return read_whole(taking, "weight", 1, POD_WEIGHT_MAX, weight);
}

bool take_kept_apart(struct taking *taking)
{
    static const char *const names[] = {"players", "weight", NULL};
    struct tournament *event = taking->event;
    uint16_t entry[2];
    json_int_t weight;
    if (!has_only(taking, names) || !read_two(taking, entry) || !read_weight(taking, &weight))
        return false;
    if (event->phase == PHASE_CLOSED)
        return not_now(taking, "The event is closed.");
    struct tournament_pair *pair = find_pair(event, entry);
    if (pair != NULL && pair->weight == weight)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TWICE,
                      "These two are kept apart already.");
    if (pair == NULL) {
        if (event->pair_count == PAIRS_MOST)
            return refuse(taking->refusal, TOURNAMENT_REFUSAL_FULL,
                          "An event can keep at most 65536 pairs apart.");
        if (!grow(taking, (void **)&event->pairs, &event->index->pairs_most, event->pair_count + 1,
                  sizeof *event->pairs))
            return false;
        pair = &event->pairs[event->pair_count++];
    }
    *pair = (struct tournament_pair){entry[0], entry[1], (uint16_t)weight};
    return true;
}

bool take_not_kept_apart(struct taking *taking)
{
    static const char *const names[] = {"players", NULL};
    struct tournament *event = taking->event;
    uint16_t entry[2];
    if (!has_only(taking, names) || !read_two(taking, entry))
        return false;
    struct tournament_pair *pair = find_pair(event, entry);
    if (pair == NULL || event->phase == PHASE_CLOSED)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER, "These two are not kept apart.");
    *pair = event->pairs[--event->pair_count];
    return true;
}

/* ---- Ladder and open play ---- */

/* Free to play outside of rounds: the event has such a format, and the entry is not playing. */
static bool is_free(const struct tournament *event, uint16_t entry)
{
    for (size_t i = 0; i < event->table_count; i++) {
        const struct tournament_table *table = &event->tables[i];
        for (unsigned seat = 0; !table->has_result && seat < table->seats; seat++)
            if (table->entry[seat] == entry)
                return false;
    }
    return true;
}

static bool plays_openly(struct taking *taking, enum tournament_format format, uint16_t entry)
{
    const struct tournament *event = taking->event;
    if ((event->phase != PHASE_ENTRIES_CLOSED && event->phase != PHASE_RUNNING) ||
        event->settings.stage[event->stages == 0 ? 0 : event->stages - 1].format != format)
        return not_now(taking, "The event's current format does not have this.");
    const struct entrant *entrant = &event->entrants[entry];
    return (entrant->number != 0 && (entrant->out >> (TOURNAMENT_ROUNDS_MAX - 1)) == 0) ||
           refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER,
                  "This player does not take part now.");
}

static size_t find_waiting(const struct tournament *event, uint16_t entry)
{
    size_t i = 0;
    while (i < event->queue_count && event->queue[i].entry != entry)
        i++;
    return i;
}

bool take_queued(struct taking *taking)
{
    static const char *const names[] = {"player", NULL};
    struct tournament *event = taking->event;
    uint16_t entry;
    if (!has_only(taking, names) || !read_entry(taking, "player", &entry) ||
        !plays_openly(taking, FORMAT_OPEN_PLAY, entry))
        return false;
    if (find_waiting(event, entry) < event->queue_count || !is_free(event, entry))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TWICE,
                      "This player is already waiting or playing.");
    if (event->queue_count == QUEUE_MOST)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_FULL, "At most 512 players can wait.");
    if (!begin_open_stage(taking) ||
        !grow(taking, (void **)&event->queue, &event->index->queue_most, event->queue_count + 1,
              sizeof *event->queue))
        return false;
    event->queue[event->queue_count++] = (struct tournament_wait){entry, taking->line->at_ms};
    return true;
}

bool take_unqueued(struct taking *taking)
{
    static const char *const names[] = {"player", NULL};
    struct tournament *event = taking->event;
    uint16_t entry;
    if (!has_only(taking, names) || !read_entry(taking, "player", &entry))
        return false;
    size_t i = find_waiting(event, entry);
    if (i == event->queue_count)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER, "This player is not waiting.");
    event->queue_count--;
    memmove(&event->queue[i], &event->queue[i + 1],
            (event->queue_count - i) * sizeof *event->queue);
    return true;
}

static bool has_challenge(const struct tournament *event, uint16_t entry)
{
    for (size_t i = 0; i < event->challenge_count; i++) {
        const struct tournament_challenge *each = &event->challenges[i];
        if (!each->over && (each->challenger == entry || each->challenged == entry))
            return true;
    }
    return false;
}

/* Before writing the line, the caller asks ladder.h whether the rungs allow the challenge. */
bool take_challenged(struct taking *taking)
{
    static const char *const names[] = {"players", NULL};
    struct tournament *event = taking->event;
    uint16_t entry[2];
    if (!has_only(taking, names) || !read_two(taking, entry) ||
        !plays_openly(taking, FORMAT_LADDER, entry[0]) ||
        !plays_openly(taking, FORMAT_LADDER, entry[1]))
        return false;
    if (tournament_parts(event, entry[0], entry[1]))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_OWNER,
                      "A player and a bot of theirs, or two bots of one owner, are kept apart in "
                      "this event (`same_owner`).");
    if (has_challenge(event, entry[0]) || has_challenge(event, entry[1]))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TWICE,
                      "One of the two has an open challenge.");
    if (event->challenge_count == TOURNAMENT_TABLES_MAX)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_FULL,
                      "An event can have at most 65535 challenges.");
    if (!begin_open_stage(taking) ||
        !grow(taking, (void **)&event->challenges, &event->index->challenges_most,
              event->challenge_count + 1, sizeof *event->challenges))
        return false;
    event->challenges[event->challenge_count++] =
        (struct tournament_challenge){.challenger = entry[0],
                                      .challenged = entry[1],
                                      .line = taking->line->number,
                                      .at_ms = taking->line->at_ms};
    return true;
}

bool take_challenge_cancelled(struct taking *taking)
{
    static const char *const names[] = {"players", NULL};
    struct tournament *event = taking->event;
    uint16_t entry[2];
    if (!has_only(taking, names) || !read_two(taking, entry))
        return false;
    for (size_t i = 0; i < event->challenge_count; i++) {
        struct tournament_challenge *each = &event->challenges[i];
        if (each->over || each->challenger != entry[0] || each->challenged != entry[1])
            continue;
        if (each->table != 0)
            return not_now(taking, "The game of this challenge is being played.");
        each->over = true;
        return true;
    }
    return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER, "There is no such challenge.");
}

/* ---- Roles and the end ---- */

static struct tournament_role *find_role(const struct tournament *event, const char *player)
{
    for (size_t i = 0; i < event->role_count; i++)
        if (strcmp(event->roles[i].player, player) == 0)
            return &event->roles[i];
    return NULL;
}

static bool read_role(struct taking *taking, const char **player, bool *organizer)
{
    static const char *const names[] = {"player", "role", NULL};
    const char *role = json_string_value(json_object_get(taking->line->detail, "role"));
    if (!has_only(taking, names) || !read_id(taking, "player", player))
        return false;
    *organizer = role != NULL && strcmp(role, "organizer") == 0;
    return *organizer || (role != NULL && strcmp(role, "arbiter") == 0) ||
           bad_line(taking, "The role must be organizer or arbiter.");
}

bool take_role_given(struct taking *taking)
{
    struct tournament *event = taking->event;
    const char *player;
    bool organizer;
    if (!read_role(taking, &player, &organizer))
        return false;
    struct tournament_role *role = find_role(event, player);
    if (role != NULL && (organizer ? role->organizer : role->arbiter))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_TWICE,
                      "This player already has the role.");
    if (role == NULL) {
        if (event->role_count == ROLES_MOST)
            return refuse(taking->refusal, TOURNAMENT_REFUSAL_FULL,
                          "An event can give roles to at most 1000 players.");
        if (!grow(taking, (void **)&event->roles, &event->index->roles_most, event->role_count + 1,
                  sizeof *event->roles))
            return false;
        role = &event->roles[event->role_count++];
        *role = (struct tournament_role){.organizer = false};
        memcpy(role->player, player, TOURNAMENT_ID_BYTES);
    }
    *(organizer ? &role->organizer : &role->arbiter) = true;
    return true;
}

bool take_role_taken(struct taking *taking)
{
    const char *player;
    bool organizer;
    if (!read_role(taking, &player, &organizer))
        return false;
    struct tournament_role *role = find_role(taking->event, player);
    if (role == NULL || !(organizer ? role->organizer : role->arbiter))
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_PLAYER,
                      "This player does not have the role.");
    *(organizer ? &role->organizer : &role->arbiter) = false;
    return true;
}

/* Players without an account, in the order of their entries. */
static bool check_unrated(struct taking *taking)
{
    const struct tournament *event = taking->event;
    const json_t *ids = json_object_get(taking->line->detail, "unrated"), *id;
    unsigned least = 0;
    size_t i;
    if (ids != NULL && (!event->settings.rate_reported || json_array_size(ids) == 0))
        return bad_line(taking, "`unrated` is a list of players, of an event that rates reported "
                                "results.");
    json_array_foreach(ids, i, id)
    {
        uint16_t entry =
            is_id(id) ? tournament_entry(event, span_of(json_string_value(id))) : TOURNAMENT_NOBODY;
        if (entry == TOURNAMENT_NOBODY || entry < least)
            return bad_line(taking, "`unrated` names players of the event in the order of their "
                                    "entries.");
        least = entry + 1U;
    }
    return true;
}

static void set_unrated(struct taking *taking)
{
    struct tournament *event = taking->event;
    const json_t *id;
    size_t i;
    json_array_foreach(json_object_get(taking->line->detail, "unrated"), i, id)
    {
        event->entrants[tournament_entry(event, span_of(json_string_value(id)))].unrated = true;
    }
}

bool take_closed(struct taking *taking)
{
    static const char *const names[] = {"unrated", NULL};
    struct tournament *event = taking->event;
    if (!has_only(taking, names))
        return false;
    if (event->phase != PHASE_RUNNING)
        return not_now(taking, "Only an event that is running can be closed.");
    if (tournament_is_running(event) || tournament_draft(event) != NULL)
        return refuse(taking->refusal, TOURNAMENT_REFUSAL_ROUND,
                      "A table is still playing, or a round has been paired and not started.");
    if (!check_unrated(taking))
        return false;
    set_unrated(taking);
    event->phase = PHASE_CLOSED;
    return true;
}

bool take_cancelled(struct taking *taking)
{
    static const char *const names[] = {"reason", NULL};
    struct tournament *event = taking->event;
    if (!has_only(taking, names))
        return false;
    if (!json_is_string(json_object_get(taking->line->detail, "reason")))
        return bad_line(taking, "Cancelling an event requires a reason.");
    if (event->phase == PHASE_CLOSED)
        return not_now(taking, "The event is closed.");
    if (event->rounds_started > 0 || event->table_count > 0 || tournament_draft(event) != NULL)
        return refuse(
            taking->refusal, TOURNAMENT_REFUSAL_PHASE,
            tournament_draft(event) != NULL && event->rounds_started == 0
                ? "A round has been paired: withdraw the pairings, then cancel the event."
                : "Games have been played: an event can be cancelled only before its first "
                  "game; close it instead.");
    event->phase = PHASE_CLOSED;
    event->cancelled = true;
    return true;
}
