/* What a record leads to, line by line, for those who write a verifier
 * (tests/engine/vectors/records): `write_states FILE`. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/record/replay.h"

enum { RECORD_MOST = 1 << 20 };

static const char *phase_name(enum replay_phase phase)
{
    static const char *const name[] = {[REPLAY_PLAYING] = "playing",
                                       [REPLAY_OVER] = "over",
                                       [REPLAY_REVEALED] = "revealed",
                                       [REPLAY_CLOSING] = "closing",
                                       [REPLAY_FINISHED] = "finished"};
    return name[phase];
}

/* ` word 0,2`; nothing for no seat. */
static void print_set(const char *word, uint32_t seats)
{
    const char *before = " ";
    if (seats != 0)
        printf(" %s", word);
    for (unsigned seat = 0; seat < GAME_SEATS_MAX; seat++) {
        if ((seats >> seat & 1) == 0)
            continue;
        printf("%s%u", before, seat);
        before = ",";
    }
}

static void print_clocks(const struct replay *replay)
{
    if (replay->header.clock.kind == CLOCK_NONE)
        return;
    for (unsigned seat = 0; seat < replay->header.seats; seat++)
        printf("%s%lld", seat == 0 ? " left " : ",",
               (long long)clock_left_ms(&replay->clock, seat, replay->elapsed_ms));
}

/* In the order in which they went. */
static void print_out(const struct replay *replay)
{
    for (unsigned i = 0; i < replay->forfeits; i++)
        printf("%s%u", i == 0 ? " out " : ",", (unsigned)replay->forfeited[i]);
}

static void print_points(const struct replay *replay)
{
    bool any = false;
    for (unsigned seat = 0; seat < replay->header.seats; seat++)
        any = any || replay->adjusted[seat] != 0;
    for (unsigned seat = 0; any && seat < replay->header.seats; seat++)
        printf("%s%d", seat == 0 ? " points " : ",", (int)replay->adjusted[seat]);
}

static bool print_state(void *context, const uint8_t head[static 32], struct record_fault *fault)
{
    const struct replay *replay = context;
    (void)head;
    (void)fault;
    printf("%u %s", (unsigned)replay->lines, phase_name(replay->phase));
    if (replay->phase == REPLAY_PLAYING)
        print_set("decides", replay->header.game->deciders(replay->state));
    print_clocks(replay);
    print_set("quiet", replay->fallback);
    print_set("sealed", replay->sealed);
    print_set("late", replay->timed_out);
    print_out(replay);
    print_points(replay);
    if (replay->stop != REPLAY_RUNS)
        printf(replay->stop == REPLAY_FROZEN ? " frozen" : " stopped");
    if (replay->epochs > 0)
        printf(" epoch %u", (unsigned)replay->epochs);
    printf("\n");
    return true;
}

int main(int argc, char **argv)
{
    static char bytes[RECORD_MOST];
    static struct replay replay;
    const struct replay_listener listener = {print_state, &replay};
    struct record_fault fault;
    FILE *file = argc == 2 && sodium_init() >= 0 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: write_states FILE\n");
        return 2;
    }
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    enum replay_verdict verdict =
        replay_verify_listening((struct span){bytes, length}, NULL, &listener, &replay, &fault);
    return verdict == REPLAY_VALID ? 0 : 1;
}
