/* Seeded Swiss events for the tests of the Dutch system: who enters late, asks for byes, withdraws,
 * forfeits, wins. All of it is a function of the event's number and of who meets whom, so an event
 * can be played again from its pairings alone.
 *
 *      draw(event, what, a, b)   splitmix64 of the four numbers: the only source of chance
 *
 * Players are 0 .. count - 1; the TPN is the index + 1. Points are 1, half, 0, but in every tenth
 * event 3, 1, 0 with 1 for the pairing bye. */
#ifndef TILLROLL_TESTS_ENGINE_TOURNAMENT_FORMATS_DUTCH_DUTCH_EVENT_H
#define TILLROLL_TESTS_ENGINE_TOURNAMENT_FORMATS_DUTCH_DUTCH_EVENT_H

#include <stdlib.h>
#include <string.h>

#include "engine/tournament/formats/dutch/dutch.h"
#include "engine/tournament/interchange/trf.h"

enum {
    EVENT_PLAYERS_MAX = 120,
    EVENT_ROUNDS_MAX = 11,
    EVENT_FORBIDDEN_MAX = 64,
    EVENT_SMALL = 1001 /* from this number on 3 .. 16 players instead of 16 .. 120 */
};

struct event {
    uint64_t number;
    uint16_t count, rounds, played;
    enum dutch_colour initial;
    struct trf_points points;
    struct dutch_player players[EVENT_PLAYERS_MAX];
    struct dutch_result results[EVENT_PLAYERS_MAX][EVENT_ROUNDS_MAX];
    struct dutch_forbidden forbidden[EVENT_FORBIDDEN_MAX];
    size_t forbidden_count;
    struct dutch_result packed[EVENT_PLAYERS_MAX * EVENT_ROUNDS_MAX]; /* for the request */
};

enum pairing_what {
    PAIRING_COUNT,
    PAIRING_ROUNDS,
    PAIRING_COLOUR,
    PAIRING_ARRIVAL,
    PAIRING_LEAVING,
    PAIRING_BYE,
    PAIRING_FORBIDDEN,
    PAIRING_FORFEIT,
    PAIRING_RESULT
};

static inline uint32_t draw(const struct event *event, enum pairing_what what, uint64_t a,
                            uint64_t b, uint32_t sides)
{
    uint64_t x = event->number << 40 ^ (uint64_t)what << 32 ^ a << 16 ^ b;
    for (unsigned i = 0; i < 2; i++) {
        x += UINT64_C(0x9E3779B97F4A7C15);
        x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
        x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
        x ^= x >> 31;
    }
    return (uint32_t)(x >> 32) % sides;
}

/* How wild the event is: 0 .. 3. */
static inline uint32_t wildness(const struct event *event)
{
    return (uint32_t)(event->number % 4);
}

static inline void event_start(struct event *event, uint64_t number)
{
    *event = (struct event){.number = number, .points = trf_points_default};
    event->count = (uint16_t)(number < EVENT_SMALL
                                  ? 16 + draw(event, PAIRING_COUNT, 0, 0, EVENT_PLAYERS_MAX - 15)
                                  : 3 + draw(event, PAIRING_COUNT, 0, 0, 14));
    event->rounds = (uint16_t)(5 + draw(event, PAIRING_ROUNDS, 0, 0, EVENT_ROUNDS_MAX - 4));
    event->initial = draw(event, PAIRING_COLOUR, 0, 0, 2) == 0 ? DUTCH_WHITE : DUTCH_BLACK;
    if (number % 10 == 0)
        event->points = (struct trf_points){.win = 180, .draw = 60, .pairing_bye = 60};
    for (uint16_t i = 0; i < event->count; i++)
        event->players[i].tpn = (uint16_t)(i + 1);
    uint32_t pairs = wildness(event) == 3 ? event->count / 2U : 0;
    for (uint32_t i = 0; i < pairs && i < EVENT_FORBIDDEN_MAX; i++) {
        uint16_t a = (uint16_t)draw(event, PAIRING_FORBIDDEN, i, 0, event->count);
        uint16_t b = (uint16_t)draw(event, PAIRING_FORBIDDEN, i, 1, event->count);
        if (a != b)
            event->forbidden[event->forbidden_count++] = (struct dutch_forbidden){a, b};
    }
}

/* The kind of bye that a player has asked for in a round, or ROUND_PLAYED. */
static inline uint8_t event_bye(const struct event *event, uint16_t player, uint16_t round)
{
    uint32_t wild = wildness(event), chance = draw(event, PAIRING_BYE, player, round, 1000);
    if (wild > 0 && draw(event, PAIRING_ARRIVAL, player, 0, 100) < 4 * wild &&
        round <= 1 + draw(event, PAIRING_ARRIVAL, player, 1, 3))
        return ROUND_ABSENT;
    for (uint16_t earlier = 1; earlier <= round; earlier++)
        if (draw(event, PAIRING_LEAVING, player, earlier, 1000) < 12 * wild)
            return ROUND_ABSENT;
    if (chance < 5 * wild)
        return ROUND_FULL_BYE;
    if (chance < 25 * wild)
        return ROUND_HALF_BYE;
    return chance < 35 * wild ? ROUND_ZERO_BYE : ROUND_PLAYED;
}

static inline uint16_t event_points(const struct event *event, uint8_t kind)
{
    switch (kind) {
    case ROUND_FORFEIT_WIN:
    case ROUND_FULL_BYE:
        return event->points.win;
    case ROUND_HALF_BYE:
        return event->points.draw;
    case ROUND_PAIRING_BYE:
        return event->points.pairing_bye;
    default:
        return event->points.absence;
    }
}

/* Opens round played + 1: writes down the byes, and fills in the request. */
static inline struct dutch_request event_open(struct event *event)
{
    uint16_t round = (uint16_t)(event->played + 1);
    for (uint16_t i = 0; i < event->count; i++) {
        uint8_t bye = event_bye(event, i, round);
        event->players[i].present = bye == ROUND_PLAYED;
        event->results[i][round - 1] = (struct dutch_result){
            .opponent = DUTCH_NOBODY, .points = event_points(event, bye), .kind = bye};
        for (uint16_t earlier = 0; earlier < event->played; earlier++)
            event->packed[i * event->played + earlier] = event->results[i][earlier];
    }
    return (struct dutch_request){.players = event->players,
                                  .player_count = event->count,
                                  .results = event->packed,
                                  .rounds_played = event->played,
                                  .rounds_planned = event->rounds,
                                  .points_for_win = event->points.win,
                                  .points_for_loss = event->points.loss,
                                  .initial = event->initial,
                                  .forbidden = event->forbidden,
                                  .forbidden_count = event->forbidden_count};
}

/* White's result in twelfths of a point: 12, 6 or 0. Lower numbers are stronger. */
static inline unsigned event_result(const struct event *event, uint16_t white, uint16_t black,
                                    uint16_t round)
{
    uint32_t luck = draw(event, PAIRING_RESULT, (uint64_t)white << 8 | black, round, 100);
    uint32_t better = 35 + (black > white ? 30U * (black - white) / event->count : 0);
    return luck < better ? 12 : luck < better + 30 - 3 * wildness(event) ? 6 : 0;
}

static inline void event_score(struct event *event, uint16_t white, uint16_t black)
{
    uint16_t round = (uint16_t)(event->played + 1);
    uint32_t forfeit = draw(event, PAIRING_FORFEIT, (uint64_t)white << 8 | black, round, 1000);
    struct dutch_result *of_white = &event->results[white][event->played];
    struct dutch_result *of_black = &event->results[black][event->played];
    *of_white = (struct dutch_result){.opponent = black, .colour = DUTCH_WHITE};
    *of_black = (struct dutch_result){.opponent = white, .colour = DUTCH_BLACK};
    if (forfeit < 30 * wildness(event)) { /* white, black or both do not come */
        bool white_came = forfeit % 5 < 2, black_came = forfeit % 5 == 2 || forfeit % 5 == 3;
        of_white->kind = white_came ? ROUND_FORFEIT_WIN : ROUND_FORFEIT_LOSS;
        of_black->kind = black_came ? ROUND_FORFEIT_WIN : ROUND_FORFEIT_LOSS;
        of_white->points = event_points(event, of_white->kind);
        of_black->points = event_points(event, of_black->kind);
        return;
    }
    const uint16_t points[] = {event->points.loss, event->points.draw, event->points.win};
    unsigned result = event_result(event, white, black, round) / 6;
    of_white->points = points[result];
    of_black->points = points[2 - result];
}

/* Plays the pairs and closes the round. */
static inline void event_play(struct event *event, const struct dutch_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].black != DUTCH_NOBODY) {
            event_score(event, pairs[i].white, pairs[i].black);
            continue;
        }
        event->results[pairs[i].white][event->played] =
            (struct dutch_result){.opponent = DUTCH_NOBODY,
                                  .points = event_points(event, ROUND_PAIRING_BYE),
                                  .kind = ROUND_PAIRING_BYE};
    }
    event->played++;
}

/* ---- Stored pairings: one line of hexadecimal digits per round, see vectors/dutch/README.md ----
 */

/* Reads a line into pairs of the event's open round. False: not such a line. */
static inline bool event_read_pairs(const struct event *event, struct span line,
                                    struct dutch_pair *pairs, size_t *count)
{
    bool paired[EVENT_PLAYERS_MAX] = {false};
    *count = 0;
    for (uint16_t player = 0; player < event->count; player++) {
        uint8_t byte;
        if (!event->players[player].present || paired[player])
            continue;
        if (line.length < 2 || !span_hex((struct span){line.at, 2}, &byte, 1))
            return false;
        line.at += 2;
        line.length -= 2;
        uint16_t opponent = (uint16_t)(byte / 2 - 1);
        struct dutch_pair *pair = &pairs[(*count)++];
        *pair = (struct dutch_pair){.white = player, .black = DUTCH_NOBODY};
        if (byte == 0)
            continue;
        if (opponent >= event->count || paired[opponent] || opponent <= player)
            return false;
        paired[opponent] = true;
        pair->white = byte % 2 == 0 ? player : opponent;
        pair->black = byte % 2 == 0 ? opponent : player;
    }
    return line.length == 0;
}

static inline void event_write_pairs(const struct event *event, const struct dutch_pair *pairs,
                                     size_t count, struct text *line)
{
    uint8_t code[EVENT_PLAYERS_MAX] = {0};
    bool first[EVENT_PLAYERS_MAX] = {false};
    for (size_t i = 0; i < count; i++) {
        uint16_t white = pairs[i].white, black = pairs[i].black;
        if (black == DUTCH_NOBODY) {
            first[white] = true;
            continue;
        }
        uint16_t lower = white < black ? white : black, higher = white < black ? black : white;
        first[lower] = true;
        code[lower] = (uint8_t)(2 * (higher + 1) + (lower == black));
    }
    for (uint16_t player = 0; player < event->count; player++)
        if (first[player])
            text_add_hex(line, &code[player], 1);
}

/* ---- As a report file ---- */

/* Writes the event; `open` writes also who has a bye in the round that event_open() opened. */
static inline bool event_write_trf(const struct event *event, bool open, enum trf_version version,
                                   struct text *text, struct trf_error *error)
{
    static struct trf_player players[EVENT_PLAYERS_MAX];
    static struct trf_result results[EVENT_PLAYERS_MAX * EVENT_ROUNDS_MAX];
    static struct trf_forbidden forbidden[EVENT_FORBIDDEN_MAX];
    static struct trf_bye byes[EVENT_PLAYERS_MAX];
    struct trf_record name = {SPAN_LITERAL("012"), SPAN_LITERAL("Test event")};
    struct trf_record type = {SPAN_LITERAL("192"), SPAN_LITERAL("FIDE_DUTCH_2025")};
    struct trf_record records[] = {name, type};
    struct trf_event file = {.players = players,
                             .results = results,
                             .byes = byes,
                             .forbidden = forbidden,
                             .records = records,
                             .record_count = 2,
                             .player_count = event->count,
                             .forbidden_count = event->forbidden_count,
                             .columns = event->played,
                             .rounds_played = event->played,
                             .rounds_planned = event->rounds,
                             .initial = event->initial,
                             .points = event->points};
    for (uint16_t i = 0; i < event->count; i++) {
        players[i] = (struct trf_player){.number = (uint16_t)(i + 1),
                                         .rating = (uint16_t)(2500 - 10 * i),
                                         .sex = ' ',
                                         .name = SPAN_LITERAL("Player")};
        for (uint16_t round = 0; round < event->played; round++) {
            const struct dutch_result *result = &event->results[i][round];
            bool opponent = result->opponent != DUTCH_NOBODY;
            results[i * event->played + round] = (struct trf_result){
                .opponent = opponent ? (uint16_t)(result->opponent + 1) : 0,
                .colour = opponent ? (result->colour == DUTCH_WHITE ? 'w' : 'b') : '-',
                .code = trf_result_code(&event->points, result->kind, result->points)};
            players[i].points = (uint16_t)(players[i].points + result->points);
        }
        if (open && !event->players[i].present)
            byes[file.bye_count++] = (struct trf_bye){
                .round = (uint16_t)(event->played + 1), .number = (uint16_t)(i + 1), .code = 'Z'};
    }
    for (size_t i = 0; i < event->forbidden_count; i++)
        forbidden[i] =
            (struct trf_forbidden){1, event->rounds, (uint16_t)(event->forbidden[i].a + 1),
                                   (uint16_t)(event->forbidden[i].b + 1)};
    return trf_write(&file, version, text, error);
}

#endif
