#include "engine/games/super-motherload/recall.h"

#include <string.h>

#include "engine/game/unseen.h"

void motherload_recall_taken(struct motherload_state *state, unsigned seat, unsigned card)
{
    state->known[seat][card]++;
}

void motherload_recall_left(struct motherload_state *state, unsigned card, unsigned count)
{
    uint8_t *known = &state->known[state->active][card];
    *known = (uint8_t)(*known > count ? *known - count : 0);
}

void motherload_recall_shuffled(struct motherload_state *state, unsigned seat)
{
    memcpy(state->known[seat], state->hand[seat], CARDS);
}

static bool is_hidden(const struct motherload_state *state, struct viewer viewer, unsigned seat)
{
    return state->point != AT_OVER && viewer.kind != VIEWER_AUDITOR &&
           (viewer.kind != VIEWER_SEAT || viewer.seat != seat);
}

/* The seat's draw pile, and its hand if that is hidden. */
static void imagine_cards(struct motherload_state *state, unsigned seat, bool hidden,
                          struct chance_stream *stream)
{
    struct unseen unseen;
    unsigned held = 0;
    uint8_t *pile = state->pile[seat] + state->pile_next[seat];
    size_t count = motherload_pile_size(state, seat);
    unseen_init(&unseen, stream);
    unseen_add_pile(&unseen, pile, count);
    for (uint8_t card = 0; hidden && card < CARDS; card++) {
        unsigned copies = (unsigned)(state->hand[seat][card] - state->known[seat][card]);
        unseen_add(&unseen, card, copies);
        held += copies;
        state->hand[seat][card] = state->known[seat][card];
    }
    unseen_shuffle(&unseen);
    unseen_deal_counts(&unseen, state->hand[seat], held);
    unseen_deal_pile(&unseen, pile, count);
    memset(state->pile[seat], 0, state->pile_next[seat]);
}

static void imagine_artifacts(struct motherload_state *state, struct viewer viewer,
                              struct chance_stream *stream)
{
    struct unseen unseen;
    unsigned held[SEATS_MAX] = {0};
    uint8_t *pile = state->artifact_pile + state->artifact_next;
    size_t count = (size_t)(ARTIFACT_TILES - state->artifact_next);
    unseen_init(&unseen, stream);
    unseen_add_pile(&unseen, pile, count);
    for (unsigned seat = 0; seat < state->seats; seat++) {
        uint8_t *tiles = state->artifacts[seat];
        if (!is_hidden(state, viewer, seat))
            continue;
        held[seat] = motherload_artifacts_held(state, seat);
        for (uint8_t artifact = 0; artifact < ARTIFACTS; artifact++)
            unseen_add(&unseen, artifact, tiles[artifact]);
        memset(tiles, 0, ARTIFACTS);
    }
    unseen_shuffle(&unseen);
    for (unsigned seat = 0; seat < state->seats; seat++)
        unseen_deal_counts(&unseen, state->artifacts[seat], held[seat]);
    unseen_deal_pile(&unseen, pile, count);
    memset(state->artifact_pile, 0, state->artifact_next);
}

/* Sides of boards that have not been on the table. */
static void imagine_sides(struct motherload_state *state, struct chance_stream *stream)
{
    unsigned seen =
        state->boards == 0 ? 0 : motherload_boards[state->board[state->boards - 1]].depth;
    for (unsigned depth = seen; state->sides_drawn && depth < DEPTHS; depth++)
        state->side[depth] = (uint8_t)chance_uniform(stream, 2);
}

void motherload_imagine(void *opaque, struct viewer viewer, const struct chance *chance)
{
    struct motherload_state *state = opaque;
    struct chance_stream stream;
    unseen_open(&stream, chance);
    imagine_sides(state, &stream);
    for (unsigned seat = 0; seat < state->seats; seat++)
        imagine_cards(state, seat, is_hidden(state, viewer, seat), &stream);
    imagine_artifacts(state, viewer, &stream);
    unseen_shuffle_pile(&stream, state->minor_deck,
                        (size_t)(state->minor_deck_count - state->minor_deck_known));
    memset(state->note, 0, sizeof state->note);
    state->notes = 0;
}
