/* EMBED(name, "path"): a file of the source tree as constant bytes in the program.
 *
 *      EMBED(shinjuku_components, "engine/games/shinjuku/components.json");
 *      ... from shinjuku_components up to, not including, shinjuku_components_end
 *
 * The path is relative to the repository. CMakeLists.txt rebuilds the code when an embedded file
 * changes.
 */
#ifndef TILLROLL_ENGINE_BASE_EMBED_H
#define TILLROLL_ENGINE_BASE_EMBED_H

#include <stddef.h>

#include "source_dir.h"

#define EMBED(name, path) EMBED_FILE(name, TILLROLL_SOURCE_DIR "/" path)

/* The same for files that the engine for browsers needs as well: its EMBED leaves the file out. */
#define EMBED_EVERYWHERE(name, path) EMBED(name, path)

/* The same with an absolute path, for files that the build generates. */
#define EMBED_FILE(name, path)                                                                     \
    __asm__(".pushsection .rodata\n"                                                               \
            ".globl " #name "\n"                                                                   \
            ".globl " #name "_end\n" #name ":\n"                                                   \
            ".incbin \"" path "\"\n" #name "_end:\n"                                               \
            ".byte 0\n"                                                                            \
            ".popsection\n");                                                                      \
    extern const unsigned char name[];                                                             \
    extern const unsigned char name##_end[]

#endif
