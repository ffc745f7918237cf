/* Prints a seeded Swiss event (dutch_event.h) as a report file, up to the round that is to be
 * paired, for pairing programs by others:
 *
 *      write_dutch EVENT < PAIRINGS        the file
 *      write_dutch -e EVENT < PAIRINGS     the next line of PAIRINGS, from what the program
 * answered
 *
 * PAIRINGS has a line per paired round as in vectors/dutch/pairings.txt; for -e then a line `pairs`
 * and the answer: "white black" per line, "player 0" for the bye. Exit code 3: all rounds are
 * paired.
 */
#include <stdio.h>

#include "tests/engine/tournament/formats/dutch/dutch_event.h"

static struct event event;
static char input[1 << 20], output[1 << 17];

static bool replay(struct span *rest)
{
    struct span line;
    struct dutch_pair pairs[EVENT_PLAYERS_MAX];
    size_t count;
    event_open(&event);
    while (span_line(rest, &line) && !span_is(line, "pairs")) {
        if (!event_read_pairs(&event, line, pairs, &count))
            return false;
        event_play(&event, pairs, count);
        if (event.played < event.rounds)
            event_open(&event);
    }
    return true;
}

static bool encode(struct span rest, struct text *text)
{
    struct span line;
    struct dutch_pair pairs[EVENT_PLAYERS_MAX];
    size_t count = 0;
    while (span_line(&rest, &line)) {
        uint64_t white, black;
        struct span first = span_word(&line);
        if (count == EVENT_PLAYERS_MAX || !span_number(first, event.count, &white) ||
            !span_number(line, event.count, &black) || white == 0)
            return false;
        pairs[count++] = (struct dutch_pair){.white = (uint16_t)(white - 1),
                                             .black = black == 0 ? (uint16_t)DUTCH_NOBODY
                                                                 : (uint16_t)(black - 1)};
    }
    event_write_pairs(&event, pairs, count, text);
    text_add_char(text, '\n');
    return true;
}

int main(int argc, char **argv)
{
    struct text text = TEXT_OVER(output);
    struct trf_error error;
    struct span rest = {input, fread(input, 1, sizeof input, stdin)};
    bool encoding = argc == 3 && strcmp(argv[1], "-e") == 0;
    if (argc != 2 && !encoding) {
        fputs("usage: write_dutch [-e] EVENT\n", stderr);
        return 1;
    }
    event_start(&event, strtoull(argv[argc - 1], NULL, 10));
    if (!replay(&rest))
        return 1;
    if (event.played == event.rounds)
        return 3;
    if (encoding ? !encode(rest, &text) : !event_write_trf(&event, true, TRF_26, &text, &error))
        return 1;
    fputs(output, stdout);
    return 0;
}
