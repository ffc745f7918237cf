/* Files that engines for browsers do not need are left out; component sets are among those that
 * they read. */
#ifndef TILLROLL_ENGINE_BASE_EMBED_H
#define TILLROLL_ENGINE_BASE_EMBED_H

#include "source_dir.h"

#define EMBED(name, path)                                                                          \
    static const unsigned char name[1];                                                            \
    static const unsigned char name##_end[1]

/* A section of its own, whose two symbols have sizes: the linker wants that. */
#define EMBED_EVERYWHERE(name, path)                                                               \
    __asm__(".section .rodata." #name ",\"\",@\n"                                                  \
            ".globl " #name "\n"                                                                   \
            ".globl " #name "_end\n"                                                               \
            ".type " #name ",@object\n"                                                            \
            ".type " #name "_end,@object\n" #name ":\n"                                            \
            ".incbin \"" TILLROLL_SOURCE_DIR "/" path "\"\n"                                       \
            ".size " #name ", . - " #name "\n" #name "_end:\n"                                     \
            ".int8 0\n"                                                                            \
            ".size " #name "_end, 1\n");                                                           \
    extern const unsigned char name[];                                                             \
    extern const unsigned char name##_end[]

#endif
