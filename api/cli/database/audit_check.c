#include "api/cli/database/audit_check.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "db/store/games/audit.h"

/* About 100 microseconds: replay verifies about a million lines per second. */
enum { LINES_BETWEEN_YIELDS = 96 };

static const struct span none = {NULL, 0};

static void damage(struct record_fault *fault, uint32_t line, const char *code, const char *message)
{
    fault->line = line;
    record_fault(fault, code, message, none);
}

/* ---- The record alone ---- */

struct hash_check {
    const struct audit_record *record;
    size_t row;
};

/* Compares the hash stored with a row; the next row and receipts are computed from it. */
static bool check_hash(void *context, const uint8_t head[static 32], struct record_fault *fault)
{
    struct hash_check *check = context;
    size_t row = check->row++;
    if (row % LINES_BETWEEN_YIELDS == LINES_BETWEEN_YIELDS - 1)
        sched_yield();
    if (row < check->record->count && memcmp(check->record->hashes.at + 32 * row, head, 32) == 0)
        return true;
    return record_fault(fault, "wrong-hash", "The hash stored with the line is not the chain's.",
                        none);
}

/* Replays the record. A missing row breaks the chain, but is reported as such, which is more
 * helpful. */
static enum replay_verdict verify(struct audit_checker *checker, const struct audit_record *record,
                                  struct record_fault *fault)
{
    struct hash_check check = {record, 0};
    const struct replay_listener listener = {check_hash, &check};
    struct component_lookup lookup;
    const struct component_sets *sets =
        component_cache_sets(checker->components, checker->db, &lookup);
    enum replay_verdict verdict =
        replay_verify_listening(record->text, sets, &listener, &checker->replay, fault);
    if (record->gap == 0 || (verdict == REPLAY_INVALID && fault->line < record->gap))
        return verdict;
    damage(fault, record->gap, "missing-row", "A row of the record is missing before this line.");
    return REPLAY_INVALID;
}

/* ---- The record and its game ---- */

static bool is_of_game(const struct record_header *header, const struct audit_game *game)
{
    return strcmp(header->game_id, game->id.text) == 0 &&
           strcmp(header->event_id, game->event.text) == 0 && header->round == game->round &&
           header->table == game->table && header->board == game->board &&
           span_is(game->slug, header->game->slug) && span_is(game->version, header->game->version);
}

static bool has_seats(const struct record_header *header, const struct audit_game *game)
{
    bool same = header->seats == game->seats;
    for (unsigned seat = 0; same && seat < game->seats; seat++)
        same = strcmp(header->seat[seat].player, game->seat[seat].player.text) == 0;
    return same;
}

/* True if the stored results are those of the record. A void game has none. */
static bool has_results(const struct replay *replay, const struct audit_game *game)
{
    struct outcome outcome;
    if (replay->voided || game->voided)
        return replay->voided && game->voided && game->results == 0;
    replay_outcome(replay, &outcome);
    bool same = game->results == game->seats;
    for (unsigned seat = 0; same && seat < game->seats; seat++)
        same = game->seat[seat].score == outcome.score[seat] &&
               game->seat[seat].rank == outcome.rank[seat];
    return same;
}

static enum audit_verdict compare(const struct replay *replay, const struct audit_game *game,
                                  enum replay_verdict verdict, struct record_fault *fault)
{
    bool whole = verdict == REPLAY_VALID;
    if (!is_of_game(&replay->header, game))
        damage(fault, 2, "wrong-game", "The record belongs to another game.");
    else if (!has_seats(&replay->header, game))
        damage(fault, 0, "wrong-seats", "The record names other players than the game.");
    else if (whole && !game->finished)
        damage(fault, 0, "not-finished", "The record is finished, the game is not.");
    else if (whole && !has_results(replay, game))
        damage(fault, 0, "wrong-result", "The stored results differ from the record's.");
    else if (!whole && game->finished && game->board == 0)
        damage(fault, 0, "cut-short", "The game is finished, but its record ends before its head.");
    else
        return !whole && game->finished ? AUDIT_PENDING : AUDIT_GOOD;
    return AUDIT_DAMAGED;
}

/* ---- The record and its signatures ---- */

static struct span print_signatures(const struct audit_record *record, struct text *text)
{
    signature_print_first(record->id.text, text);
    for (size_t i = 0; i < record->signature_count; i++)
        signature_print(&record->signatures[i], text);
    return text_span(text);
}

static bool check_signatures(const struct audit_record *record, struct record_fault *fault)
{
    enum { FIRST_LINES = 128 };
    size_t capacity = FIRST_LINES + record->signature_count * SIGNATURE_LINE_MAX;
    struct signature_count count;
    if (record->signature_count == 0)
        return true;
    struct text text = {must(malloc(capacity)), 0, capacity, false};
    bool good = signature_check(record->text, print_signatures(record, &text), &count, fault);
    free(text.at);
    fault->line = 0; /* the fault is in the signatures, not in a line of the record */
    return good;
}

enum audit_verdict audit_check(struct audit_checker *checker, const struct audit_record *record,
                               struct record_fault *fault)
{
    if (record->count == 0) {
        damage(fault, 0, "no-record", "The game has no record.");
        return AUDIT_DAMAGED;
    }
    if (record->archive_missing) {
        damage(fault, 0, "archived-record-missing",
               "The record was moved to a file that is missing or was changed.");
        return AUDIT_DAMAGED;
    }
    enum replay_verdict verdict = verify(checker, record, fault);
    if (verdict == REPLAY_INVALID)
        return AUDIT_DAMAGED;
    if (!check_signatures(record, fault))
        return AUDIT_DAMAGED;
    if (record->game == NULL) {
        damage(fault, 0, "no-game", "There is no game that this record belongs to.");
        return AUDIT_DAMAGED;
    }
    return compare(&checker->replay, record->game, verdict, fault);
}

/* ---- Officials ---- */

enum { PAGE = 1024 };

struct officials_audit {
    struct db *db;
    uint64_t acts; /* number checked, with a known official */
    uint64_t were, may_have_been;
};

typedef enum db_status act_list(struct db *db, struct arena *arena, const struct audit_act *after,
                                size_t limit, struct audit_act **acts, size_t *count);

static void report_ruling(struct officials_audit *audit, const struct audit_act *act)
{
    audit->acts++;
    if (!act->party)
        return;
    audit->were++;
    printf("notice: event %s: official-was-party: line %u of its log is a ruling on table %u of "
           "round %u by %s, who was a party to it\n",
           act->event.text, act->line, act->table, act->round, act->official.text);
}

static void report_line(struct officials_audit *audit, const struct audit_act *act)
{
    audit->acts++;
    if (!act->party)
        return;
    audit->were++;
    printf("notice: game %s: official-was-party: entry %u was written by %s, who was a party to "
           "it\n",
           act->game.text, act->line, act->official.text);
}

static void report_unknown_official(struct officials_audit *audit, const struct audit_act *act)
{
    if (!act->party)
        return;
    audit->may_have_been++;
    printf("notice: game %s: official-may-have-been-party: a seat was put on fallback, forfeited "
           "or given to a substitute, it is not stored by whom, and %s, an official of event %s, "
           "was a party to it\n",
           act->game.text, act->official.text, act->event.text);
}

/* Reads a list to its end, page by page. False if the database failed. */
static bool read_all(struct officials_audit *audit, act_list *list,
                     void (*report)(struct officials_audit *audit, const struct audit_act *act))
{
    struct audit_act after = {.line = 0};
    size_t count = PAGE;
    bool good = true;
    while (good && count == PAGE) {
        struct arena arena = {NULL};
        struct audit_act *acts;
        good = list(audit->db, &arena, &after, PAGE, &acts, &count) == DB_OK;
        for (size_t i = 0; good && i < count; i++)
            report(audit, &acts[i]);
        if (good && count > 0)
            after = acts[count - 1];
        arena_free(&arena);
    }
    return good;
}

int audit_officials(struct db *db, bool strict)
{
    struct officials_audit audit = {.db = db};
    bool read = db_begin(db, true) == DB_OK && read_all(&audit, audit_ruled, report_ruling) &&
                read_all(&audit, audit_acts, report_line) &&
                read_all(&audit, audit_unsaid_acts, report_unknown_official);
    db_rollback(db);
    if (!read) {
        fprintf(stderr, "tillroll: the acts of officials could not be read completely\n");
        return EXIT_UNKNOWN;
    }
    printf("officials: of %llu acts, %llu by a party to the game, and perhaps in %llu more games\n",
           (unsigned long long)audit.acts, (unsigned long long)audit.were,
           (unsigned long long)audit.may_have_been);
    return strict && audit.were + audit.may_have_been > 0 ? EXIT_NO : EXIT_YES;
}
