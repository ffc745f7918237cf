/* Shared by tournament*.c only: reading lines, and growing the arrays of an event. */
#ifndef TILLROLL_ENGINE_TOURNAMENT_EVENT_TOURNAMENT_PARTS_H
#define TILLROLL_ENGINE_TOURNAMENT_EVENT_TOURNAMENT_PARTS_H

#include "engine/tournament/event/tournament.h"

/* Indices of entrants and tables. */
struct tournament_index {
    uint16_t *slots;     /* entries + 1 by the hash of the player's id, 0 = free */
    size_t slot_count;   /* a power of two, at least twice the entrants */
    uint16_t *by_number; /* [number - 1] = entry */
    size_t numbers_most; /* room in by_number */
    uint32_t *open;      /* [number - 1] = index of the table of round 0 */
    size_t open_most;
    size_t entrants_most, rounds_most, tables_most, byes_most, pairs_most, challenges_most;
    size_t queue_most, roles_most, reports_most;
};

/* A line being applied. */
struct taking {
    struct tournament *event;
    const struct tournament_line *line;
    struct refusal *refusal;
};

typedef bool line_function(struct taking *taking);

/* tournament_course.c */
line_function take_created, take_settings_changed, take_role_given, take_role_taken, take_closed,
    take_cancelled;
/* tournament_entries.c */
line_function take_entries_opened, take_entered, take_withdrawn, take_checked_in,
    take_entries_closed;
/* tournament_players.c */
line_function take_dropped, take_returned, take_bye_granted, take_bye_revoked, take_kept_apart,
    take_not_kept_apart, take_queued, take_unqueued, take_challenged, take_challenge_cancelled;
/* tournament_rounds.c */
line_function take_stage_started, take_round_drawn, take_round_changed, take_round_withdrawn,
    take_round_started, take_board_started, take_table_started;
/* tournament_results.c */
line_function take_result, take_ruled, take_ruling_revoked, take_table_replayed;
/* tournament_reports.c */
line_function take_reported, take_report_confirmed, take_report_objected, take_report_corrected;

/* ---- Reading a line's detail. All of them refuse with TOURNAMENT_REFUSAL_LINE ---- */

/* Refuses a detail with any other field than these; the list ends with NULL. */
bool has_only(struct taking *taking, const char *const *names);

/* A whole number from `least` to `most`. */
bool read_whole(struct taking *taking, const char *name, json_int_t least, json_int_t most,
                json_int_t *number);

/* True if a field is this number, of at least 0. */
bool has_number(struct taking *taking, const char *name, json_int_t number);

/* A text that is an id. Borrowed from the detail. */
bool read_id(struct taking *taking, const char *name, const char **id);
bool is_id(const json_t *value);

/* The entry of the player that a field names; refuses a player who never entered. */
bool read_entry(struct taking *taking, const char *name, uint16_t *entry);

/* The two entries of a list `players`. */
bool read_two(struct taking *taking, uint16_t entry[static 2]);

/* The entry with a number, as a JSON value. False without a refusal. */
bool numbered(const struct tournament *event, const json_t *value, uint16_t *entry);

bool bad_line(struct taking *taking, const char *message);
bool not_now(struct taking *taking, const char *message);
bool no_memory(struct taking *taking);

/* ---- Growing. Room for one more element; false, refused, when out of memory ---- */

bool grow(struct taking *taking, void **array, size_t *most, size_t needed, size_t size);

/* Adds a player to the index, which has room. */
void index_entrant(struct tournament *event, uint16_t entry);
bool give_number(struct taking *taking, uint16_t entry);

/* ---- Shared rules ---- */

static inline round_set round_bit(unsigned round)
{
    return (round_set)1 << (round - 1);
}

/* Rounds from `first` (1 .. TOURNAMENT_ROUNDS_MAX + 1) on. */
static inline round_set rounds_from(unsigned first)
{
    return first > TOURNAMENT_ROUNDS_MAX ? 0 : ~(round_set)0 << (first - 1);
}

/* Begins the first stage with every numbered entry, for formats that begin by themselves. It
 * changes the event, so call it after everything that may refuse the line. */
bool begin_open_stage(struct taking *taking);

/* The challenge that is played at a table outside of rounds, and not over; NULL if there is none.
 */
struct tournament_challenge *find_challenge(const struct tournament *event,
                                            const struct tournament_table *table);

/* ---- The queue of open play (tournament_players.c) ---- */

/* The place of an entry in the queue; `queue_count` if it does not wait. */
size_t find_waiting(const struct tournament *event, uint16_t entry);

void leave_queue(struct tournament *event, uint16_t entry);

/* ---- Tables (tournament_results.c) ---- */

/* The table that a line names, in a round that has started. */
bool find_table(struct taking *taking, struct tournament_table **table);

/* How much a line says of a seat. */
enum seat_fields { SEAT_RANK = 2, SEAT_SCORE = 3, SEAT_KIND = 4 };

/* The line's `seats`: those of the table, in its order, with ranks that fit. */
bool read_seats(struct taking *taking, const struct tournament_table *table,
                enum seat_fields fields, struct table_result *result);

/* Makes the result count. */
void decide(struct taking *taking, struct tournament_table *table,
            const struct table_result *result);

/* ---- Reports (tournament_reports.c) ---- */

/* Drops the objection to the table's report, which no longer needs a decision. */
void drop_objection(struct tournament *event, const struct tournament_table *table);

/* ---- Entries (tournament_entries.c) ---- */

/* Refuses a table with two entries that the event keeps apart. */
bool check_owners(struct taking *taking, const struct tournament_table *table);

/* Refuses a second entry of one person if some stage cannot keep the two apart. `owner` is that of
 * a bot, or empty. */
bool check_parted(struct taking *taking, const char *player, const char *owner);

/* Accepts waiting entries while there is room. */
void take_waiting(struct tournament *event);

#endif
