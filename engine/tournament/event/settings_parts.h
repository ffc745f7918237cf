/* Shared by settings*.c only: the table of formats and fields, and reading an object with it. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_EVENT_SETTINGS_PARTS_H
#define TILLROLL_ENGINE_TOURNAMENT_EVENT_SETTINGS_PARTS_H

#include "engine/tournament/event/settings.h"

enum { SETTINGS_ROUNDS_MOST = 20 /* that can be planned in a stage */ };

/* ---- Fields of a stage (settings_fields.c) ---- */

enum settings_field_kind {
    FIELD_WHOLE,
    FIELD_YES_NO,
    FIELD_WORD, /* least .. most of `words` */
    FIELD_SCORING,
    FIELD_CHAIN,
    FIELD_UNPLAYED,
    FIELD_APART /* read before all others: format, entrants, seats */
};

/* Special defaults. SETTINGS_NEWEST: the newest version, or the first one in logs that do not state
 * it. SETTINGS_FREE_ROUNDS: worth nothing at tables of two; as byes at larger tables and in logs
 * that do not state it. */
enum {
    SETTINGS_NEEDED = -1,
    SETTINGS_HALF_DIVISION = -2,
    SETTINGS_NEWEST = -3,
    SETTINGS_FREE_ROUNDS = -4
};

struct settings_field {
    const char *name;
    unsigned formats;
    enum settings_field_kind kind;
    bool fixed; /* cannot change once the stage has begun */
    uint8_t size;
    uint16_t offset;
    int least, most, initial;
    const char *const *words;
};

enum { SETTINGS_FIELDS = 33 };

/* In byte order of the names, which is also that of written settings. */
extern const struct settings_field settings_fields[SETTINGS_FIELDS];

bool settings_has_field(enum tournament_format format, const struct settings_field *field);

/* The field of this name, of any format or of one; or NULL. */
const struct settings_field *settings_find_field(const char *name);
const struct settings_field *settings_find_field_of(enum tournament_format format,
                                                    const char *name);

/* True for a field that is written only if it differs from its default, and may be missing in
 * logs. */
bool settings_is_seldom(const struct settings_field *field);

/* The value of a field that is a number, a boolean or a word, of a stage or the event's settings.
 */
int settings_number(const void *settings, const struct settings_field *field);

/* ---- Reading a field (settings_reading.c) ---- */

/* An object, its place, and what is wrong with it. */
struct settings_reading {
    json_t *object;
    const char *prefix; /* `stages[1].`, or empty */
    bool newest;
    const struct game *game;
    struct settings_fault *fault;
};

/* Set the fault: the field and what is wrong with its value; of a given kind; that the field is
 * missing; that it is no whole number of a range. All return false. */
bool settings_fail(const struct settings_reading *reading, const char *field, const char *message);
bool settings_fail_as(const struct settings_reading *reading, enum settings_fault_kind kind,
                      const char *field, const char *message);
bool settings_fail_needed(const struct settings_reading *reading, const char *field);
bool settings_fail_range(const struct settings_reading *reading, const char *field, int least,
                         int most);

/* The value of a field, borrowed. NULL if it is missing; `good` then tells whether that is
 * allowed, and there is a fault if not. */
json_t *settings_look_up(const struct settings_reading *reading, const char *field, bool needed,
                         bool *good);

/* Read a whole number, a boolean, one of words[0 .. count - 1], any of these into its member of a
 * stage or the event's settings, a text borrowed from the object. A missing field has the value
 * `initial`, unless that is SETTINGS_NEEDED; false; or NULL. False with the fault. */
bool settings_read_whole(const struct settings_reading *reading, const char *field, int least,
                         int most, int initial, int *number);
bool settings_read_yes_no(const struct settings_reading *reading, const char *field, bool *yes);
bool settings_read_word(const struct settings_reading *reading, const char *field,
                        const char *const *words, int count, int initial, int *index);
bool settings_read_number(const struct settings_reading *reading,
                          const struct settings_field *field, int initial, void *settings);
bool settings_read_string(const struct settings_reading *reading, const char *field, bool needed,
                          const char **string);

/* ---- The event's own fields (settings.c) ---- */

/* True for fields of the event itself, not of its stages. */
bool settings_is_event_field(const char *name);

/* Refuses all other fields. */
bool settings_check_event_names(const struct settings_reading *reading);

/* The field of this name, if it is a number, a boolean or a word of the event; or NULL. */
const struct settings_field *settings_find_own(const char *name);

/* Starts at SAME_OWNER_ALLOWED. */
extern const char *const settings_same_owner[SAME_OWNER_CHOICES];

/* ---- Stages (settings_stages.c) ---- */

/* Reads `stages`, or the one stage whose fields stand beside the event's; the reading has its
 * game. */
bool settings_read_stages(const struct settings_reading *reading,
                          struct tournament_settings *settings);

/* Writes `stages[1].` for stage 1 and returns the text's bytes. */
const char *settings_stage_prefix(struct text *text, size_t stage);

unsigned settings_smallest_table(const struct stage_settings *stage);
unsigned settings_largest_table(const struct stage_settings *stage);

/* ---- Scoring (settings_scoring.c) ---- */

/* Reads the value of the field: a code or an object. The stage already has a scheme to start
 * from. */
bool settings_read_scoring(const struct settings_reading *reading, const char *field, json_t *value,
                           struct stage_settings *stage);

/* The scoring as a new value that the caller owns. */
json_t *settings_write_scoring(const struct stage_settings *stage);

/* ---- Details (settings_details.c) ---- */

bool settings_is_detail(const char *name);

/* Reads the details; those missing or null become NULL. */
bool settings_read_details(const struct settings_reading *reading,
                           struct tournament_settings *settings);

/* Adds the details that are given. */
void settings_write_details(const struct tournament_settings *settings, json_t *document);

/* ---- Co-dealers (settings_dealers.c) ---- */

/* Reads `dealers` and `dealers_seconds`, both of which may be missing. */
bool settings_read_dealers(const struct settings_reading *reading,
                           struct tournament_settings *settings);

/* Adds them if they are not none and 0. */
void settings_write_dealers(const struct tournament_settings *settings, json_t *document);

/* Whether they may change so in an event that has begun. False with the fault. */
bool settings_keep_dealers(const struct settings_reading *reading,
                           const struct tournament_settings *now,
                           const struct tournament_settings *then);

#endif
