/* Luck that is told: games with printed components, which a scorer follows.
 *
 * At a real table nothing computes what comes from a pile; somebody sees it and says it. A game
 * keeps some arrangement of all that nobody has seen. Before a step (the set-up, a ply, the end)
 * the scorer's lines are collected here, place by place. Whenever a component comes into the open,
 * the game takes the next line of its place and exchanges components that nobody has seen so that
 * it is this one that comes:
 *
 *      lines:  deck ueno           pile in the state:   shibuya  kanda  ueno
 *              bag food-3                        ──>     ueno    kanda  shibuya
 *
 * Such an exchange changes nothing that anybody has seen. So if every step finds its lines
 * possible, the arrangement at the end, taken back through all exchanges, is one box of components
 * that explains the whole game.
 *
 * In a game with computed luck there is none of this (chance->told is NULL). A computed game can
 * also listen: then the lines are written instead of read, as a scorer at its table would say them.
 */
#ifndef TILLROLL_ENGINE_GAME_TOLD_H
#define TILLROLL_ENGINE_GAME_TOLD_H

#include "engine/game/chance.h"

enum {
    TOLD_WORD_MAX = 80,    /* bytes of a place or a component */
    TOLD_BYTES = 4096,     /* of all lines of one step */
    TOLD_NONE = NAMES_NONE /* no component */
};

enum told_fault {
    TOLD_GOOD,
    TOLD_MISSING,   /* something came from `place` that was not told */
    TOLD_IMPOSSIBLE /* `component` cannot come from `place` */
};

struct told {
    bool listens;
    uint8_t fault; /* enum told_fault: the first one */
    uint16_t used; /* bytes of `lines` */
    char place[TOLD_WORD_MAX + 1], component[TOLD_WORD_MAX + 1]; /* taken last, or at fault */
    char lines[TOLD_BYTES];                                      /* `deck ueno` LF ... */
};

/* Adds a line behind the others. False if there is no room, or one of the two is not a word of
 * printable ASCII of at most TOLD_WORD_MAX bytes. */
bool told_add(struct told *told, struct span place, struct span component);

/* The first line, removed, for going through all of them. False if there is none. */
bool told_pop(struct told *told, char place[static TOLD_WORD_MAX + 1],
              char component[static TOLD_WORD_MAX + 1]);

/* True if luck is told: then `component`, borrowed until the next call, comes from `place`, and its
 * line is removed. False if luck is computed (or `chance` is NULL), and at a fault. */
bool told_take(const struct chance *chance, const char *place, struct span *component);

/* True if somebody wants to hear what comes. */
bool told_listens(const struct chance *chance);

/* For those who listen: `component` came from `place`. Does nothing otherwise. */
void told_hear(const struct chance *chance, const char *place, struct span component);

/* What was taken last cannot come from its place. */
void told_refuse(const struct chance *chance);

/* told_draw() where luck is told or heard; mostly it is neither, and then nothing is called. */
uint8_t told_draw_told(const struct chance *chance, const char *place, uint8_t *items, size_t count,
                       struct names names);

/* items[0] comes from `place` into the open; count >= 1. If another component is told, it changes
 * places with one of `items`, which nobody has seen. Returns the component that is told if it is
 * not among them, for the game to look for elsewhere (or told_refuse()), otherwise TOLD_NONE. */
static inline uint8_t told_draw(const struct chance *chance, const char *place, uint8_t *items,
                                size_t count, struct names names)
{
    return chance == NULL || chance->told == NULL
               ? TOLD_NONE
               : told_draw_told(chance, place, items, count, names);
}

/* The same where there is nowhere else to look. */
static inline void told_draw_here(const struct chance *chance, const char *place, uint8_t *items,
                                  size_t count, struct names names)
{
    if (told_draw(chance, place, items, count, names) != TOLD_NONE)
        told_refuse(chance);
}

/* Writes `<word>-<seat>`, the place of what a seat has. */
void told_seat_place(char place[static TOLD_WORD_MAX + 1], const char *word, unsigned seat);

#endif
