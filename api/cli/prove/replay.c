/* `tillroll replay`: describes a finished game ply by ply, as an auditor would see it, or, if it
 * was recorded at a real table, as a spectator did. A record without its secret cannot be replayed,
 * because the luck is unknown. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "api/cli/table.h"
#include "engine/game/component_list.h"
#include "engine/log/bundle.h"

struct printer {
    struct replay replay;
    unsigned long to;
    bool json;
    _Alignas(8) unsigned char before[GAME_STATE_MAX];
};

/* Prints a sentence, replacing `{seat N}` by players' names. */
static void print_sentence(const struct record_header *header, const char *text)
{
    static const char mark[] = "{seat ";
    printf("    ");
    for (const char *at; (at = strstr(text, mark)) != NULL;) {
        const char *digit = at + sizeof mark - 1;
        bool named = *digit >= '0' && (unsigned)(*digit - '0') < header->seats && digit[1] == '}';
        int before = (int)((named ? at : digit) - text);
        table_say(stdout, "%.*s%s", before, text, named ? header->seat[*digit - '0'].name : "");
        text = named ? digit + 2 : digit;
    }
    table_say(stdout, "%s\n", text);
}

static json_t *ply_events(const struct printer *printer, const struct record_entry *entry)
{
    const struct ply ply = {entry->seat, entry->move};
    const struct record_header *header = &printer->replay.header;
    const struct viewer viewer = {header->recorded ? VIEWER_SPECTATOR : VIEWER_AUDITOR, 0};
    /* events() keeps no pointer to the ply, which cppcheck cannot see. */
    /* cppcheck-suppress returnDanglingLifetime */
    return header->game->events(header->game, printer->before, printer->replay.state, &ply, viewer);
}

static void print_ply_as_json(const struct printer *printer, const struct record_entry *entry)
{
    json_t *object = json_object();
    json_object_set_new(object, "seq", json_integer(entry->seq));
    json_object_set_new(object, "seat", json_integer(entry->seat));
    json_object_set_new(object, "elapsed_ms", json_integer(entry->elapsed_ms));
    json_object_set_new(object, "move", json_stringn(entry->move.at, entry->move.length));
    json_object_set_new(object, "events", ply_events(printer, entry));
    cli_print_json(object, 0);
}

static void print_ply(const struct printer *printer, const struct record_entry *entry)
{
    const struct record_header *header = &printer->replay.header;
    if (printer->json) {
        print_ply_as_json(printer, entry);
        return;
    }
    json_t *events = ply_events(printer, entry);
    json_t *event;
    size_t i;
    printf("%u. %s: %.*s\n", (unsigned)entry->seq, header->seat[entry->seat].name,
           (int)entry->move.length, entry->move.at);
    json_array_foreach(events, i, event)
    {
        print_sentence(header, json_string_value(json_object_get(event, "text")));
    }
    json_decref(events);
}

static void print_scores(const struct printer *printer)
{
    const struct replay *replay = &printer->replay;
    const char *when = replay->header.game->deciders(replay->state) == 0 ? "final" : "so far";
    struct outcome outcome;
    if (replay->voided && !printer->json) {
        printf("void: the game has no result\n");
        return;
    }
    replay_outcome(replay, &outcome);
    for (unsigned seat = 0; seat < outcome.seats; seat++) {
        if (!printer->json) {
            printf("%s: seat %u, %s: score %" PRId32 ", rank %u\n", when, seat,
                   replay->header.seat[seat].name, outcome.score[seat],
                   (unsigned)outcome.rank[seat]);
            continue;
        }
        json_t *object = json_object();
        json_object_set_new(object, "seat", json_integer(seat));
        json_object_set_new(object, "name", json_string(replay->header.seat[seat].name));
        json_object_set_new(object, "score", json_integer(outcome.score[seat]));
        json_object_set_new(object, "rank", json_integer(outcome.rank[seat]));
        cli_print_json(object, 0);
    }
}

/* The record has been verified, so nothing in it can be refused. */
static void print_replay(struct printer *printer, struct span record,
                         const struct component_sets *sets, const uint8_t secret[static 32])
{
    struct record_fault fault;
    struct span rest = record;
    struct span line;
    if (!replay_begin(&printer->replay, sets, &rest, secret, &fault))
        abort();
    while (printer->replay.seq < printer->to && span_line(&rest, &line)) {
        struct record_entry entry;
        struct span bare = {line.at, line.length - sizeof " #01234567" + 1};
        bool ply = record_read_entry(bare, &entry, &fault) && entry.kind == RECORD_PLY;
        memcpy(printer->before, printer->replay.state, sizeof printer->before);
        struct span past = {record.at, (size_t)(line.at - record.at)};
        if (!replay_line_after(&printer->replay, past, line, &fault))
            abort();
        if (ply)
            print_ply(printer, &entry);
    }
    print_scores(printer);
}

static int replay_file(struct printer *printer, const char *path, struct component_list *list)
{
    struct bundle bundle;
    struct record_fault fault;
    uint8_t secret[32];
    size_t length;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    enum replay_verdict verdict = REPLAY_INVALID;
    const bool split = cli_split_bundle(path, (struct span){bytes, length}, list, &bundle);
    const struct component_sets *sets = component_list_sets(list);
    if (split)
        verdict = replay_verify(bundle.record, sets, &printer->replay, &fault);
    if (verdict == REPLAY_VALID) {
        memcpy(secret, printer->replay.secret, sizeof secret);
        print_replay(printer, bundle.record, sets, secret);
    } else if (split) {
        cli_print_fault(stderr, path, verdict, &fault);
        cli_tell_kind(path, bytes, false);
    }
    free(bytes);
    if (verdict == REPLAY_VALID)
        return EXIT_YES;
    return verdict == REPLAY_INVALID ? EXIT_NO : EXIT_UNKNOWN;
}

int cli_replay(const struct cli_given *given)
{
    static struct printer printer; /* too large for the stack */
    struct component_list list = {.count = 0};
    printer.json = cli_value(given, "json") != NULL;
    if (!cli_value_number(given, "to", 0, RECORD_LINES_MAX, RECORD_LINES_MAX, &printer.to))
        return cli_wrong_usage(given, NULL);
    int status =
        cli_components(given, &list) ? replay_file(&printer, given->word[0], &list) : EXIT_UNKNOWN;
    component_list_free(&list);
    return status;
}
