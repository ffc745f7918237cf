/* `tillroll verify --house`: recomputes the decisions of house players from the record alone. A
 * house line says which level and version decides for a seat (engine/record/RECORD.md). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "engine/base/arena.h"
#include "engine/game/component_list.h"
#include "engine/search/level.h"

struct house_check {
    const char *path;
    struct replay replay;
    /* The position before the current decisions, without those of a simultaneous decision already
     * replayed. */
    _Alignas(8) unsigned char began[GAME_STATE_MAX];
    uint32_t version; /* of the house players in this program */
    struct level_player *player[GAME_SEATS_MAX];
    const struct level *level[GAME_SEATS_MAX];
    struct move_list legal;
    unsigned long made;  /* decisions that agree */
    unsigned long other; /* decisions that this program cannot recompute */
    uint32_t seats;      /* bit s: seat s was played by the house */
};

static bool differs(const struct house_check *check, uint32_t seq, unsigned seat, const char *why)
{
    printf("%s: house: entry %" PRIu32 ", seat %u (%s): %s\n", check->path, seq, seat,
           check->replay.header.seat[seat].name, why);
    return false;
}

static bool differs_from(const struct house_check *check, const struct record_entry *entry,
                         struct span made)
{
    const struct record_house *house = &check->replay.house[entry->seat];
    char bytes[2 * GAME_MOVE_MAX + 160];
    struct text why = TEXT_OVER(bytes);
    text_add_char(&why, '`');
    text_add_span(&why, entry->move);
    text_add_all(&why, "` was played, but ", house->level, " of version ");
    text_add_number(&why, house->version);
    text_add(&why, " plays `");
    text_add_span(&why, made);
    text_add_char(&why, '`');
    return differs(check, entry->seq, entry->seat, bytes);
}

/* The player that decides for the seat now; NULL if this program does not have the level and
 * version. */
static struct level_player *player_of(struct house_check *check, unsigned seat)
{
    const struct record_house *house = &check->replay.house[seat];
    const struct level *level =
        house->version == check->version ? level_named(span_of(house->level)) : NULL;
    if (level != check->level[seat]) {
        level_player_free(check->player[seat]);
        check->player[seat] =
            level == NULL ? NULL : must(level_player_new(check->replay.header.game, level));
        check->level[seat] = level;
    }
    return check->player[seat];
}

static struct span decide(struct house_check *check, struct level_player *player, unsigned seat)
{
    struct chance luck;
    level_luck(&luck, check->replay.decided_at, seat);
    move_list_clear(&check->legal);
    check->replay.header.game->legal(check->replay.header.game, check->began, seat, &check->legal);
    if (check->legal.count == 0)
        return (struct span){NULL, 0};
    return move_list_get(&check->legal,
                         level_choose(player, check->began, seat, &luck, &check->legal));
}

/* True for a fallback move. After a time-out, the event may have it played once. */
static bool is_fallback(const struct house_check *check, const struct record_entry *entry)
{
    const struct replay *replay = &check->replay;
    char bytes[GAME_MOVE_MAX + 1];
    struct text quiet = TEXT_OVER(bytes);
    if ((replay->fallback >> entry->seat & 1) != 0)
        return true;
    if ((replay->timed_out >> entry->seat & 1) == 0)
        return false;
    replay->header.game->fallback(replay->header.game, replay->state, entry->seat, &quiet);
    return span_equal(entry->move, text_span(&quiet));
}

/* Checks a ply before it is replayed. */
static bool check_ply(struct house_check *check, const struct record_entry *entry)
{
    const struct record_house *house = &check->replay.house[entry->seat];
    if (is_fallback(check, entry))
        return true;
    if (house->version == 0)
        return !record_is_house_name(check->replay.header.seat[entry->seat].name) ||
               differs(check, entry->seq, entry->seat,
                       "a house player's name, but no line says how it plays");
    check->seats |= UINT32_C(1) << entry->seat;
    struct level_player *player = player_of(check, entry->seat);
    if (player == NULL) {
        if (check->other++ == 0)
            printf("%s: house: from entry %" PRIu32 " on, seat %u is played by level %s of version "
                   "%" PRIu32 ", which this program (version %" PRIu32 ") does not have\n",
                   check->path, entry->seq, entry->seat, house->level, house->version,
                   check->version);
        return true;
    }
    struct span made = decide(check, player, entry->seat);
    if (!span_equal(made, entry->move))
        return differs_from(check, entry, made);
    check->made++;
    return true;
}

/* Checks an entry before it is replayed. */
static bool check_entry(struct house_check *check, const struct record_entry *entry)
{
    if (!check->replay.together)
        memcpy(check->began, check->replay.state, check->replay.header.game->state_size);
    if (entry->kind == RECORD_PLY)
        return check_ply(check, entry);
    return entry->kind != RECORD_UNDO || check->replay.house[entry->seat].version == 0 ||
           differs(check, entry->seq, entry->seat, "a house player does not take back");
}

/* The record has been verified, so nothing in it can be refused. */
static bool check_lines(struct house_check *check, struct span record,
                        const struct component_sets *sets, const uint8_t secret[static 32])
{
    enum { MARK_BYTES = 10 };
    struct record_fault fault;
    struct span rest = record;
    struct span line;
    if (!replay_begin(&check->replay, sets, &rest, secret, &fault) ||
        !move_list_init(&check->legal, check->replay.header.game))
        abort();
    while (span_line(&rest, &line)) {
        struct record_entry entry;
        struct span bare = {line.at, line.length - MARK_BYTES};
        if (record_read_entry(bare, &entry, &fault) && !check_entry(check, &entry))
            return false;
        struct span past = {record.at, (size_t)(line.at - record.at)};
        if (!replay_line_after(&check->replay, past, line, &fault))
            abort();
    }
    return true;
}

static unsigned count_bits(uint32_t set)
{
    unsigned count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

static int say(const struct house_check *check)
{
    if (check->seats == 0)
        printf("%s: house: no decision was made by a house player\n", check->path);
    else if (check->made > 0)
        printf("%s: house: %lu decisions of %u seats made again (version %" PRIu32 ")\n",
               check->path, check->made, count_bits(check->seats), check->version);
    if (check->other > 0)
        printf("%s: house: %lu decisions can only be made again by another version\n", check->path,
               check->other);
    return check->other > 0 ? EXIT_OTHER_VERSION : EXIT_YES;
}

int cli_verify_house(const char *path, struct span record, const struct component_sets *sets)
{
    static struct house_check check; /* too large for the stack */
    struct record_fault fault;
    uint8_t secret[32];
    uint64_t version;
    check = (struct house_check){.path = path};
    if (!span_number(span_of(LEVEL_VERSION), UINT32_MAX, &version) ||
        replay_verify(record, sets, &check.replay, &fault) != REPLAY_VALID)
        abort();
    check.version = (uint32_t)version;
    memcpy(secret, check.replay.secret, sizeof secret);
    int status = check_lines(&check, record, sets, secret) ? say(&check) : EXIT_NO;
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++)
        level_player_free(check.player[seat]);
    move_list_free(&check.legal);
    return status;
}
