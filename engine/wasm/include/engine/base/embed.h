/* A replay compares the hash of a component set, which is in the code (engine/game/game.h); the
 * file itself is left out. */
#ifndef TILLROLL_ENGINE_BASE_EMBED_H
#define TILLROLL_ENGINE_BASE_EMBED_H

#define EMBED(name, path)                                                                          \
    static const unsigned char name[1];                                                            \
    static const unsigned char name##_end[1]

#endif
