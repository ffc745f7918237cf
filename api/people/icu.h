/* ICU, loaded when it is first needed: with its data and the C++ library it adds 4 ms to the start
 * and 2 MiB, which a service that creates no accounts does without. */
#ifndef TILLROLL_API_PEOPLE_ICU_H
#define TILLROLL_API_PEOPLE_ICU_H

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

#define ICU_FUNCTIONS(X)                                                                           \
    X(u_charType)                                                                                  \
    X(u_hasBinaryProperty)                                                                         \
    X(u_strFoldCase)                                                                               \
    X(u_strFromUTF8)                                                                               \
    X(u_strToUTF8)                                                                                 \
    X(u_strToUpper)                                                                                \
    X(unorm2_getNFKCInstance)                                                                      \
    X(unorm2_normalize)                                                                            \
    X(uscript_getName)                                                                             \
    X(uscript_getScript)                                                                           \
    X(uspoof_check)                                                                                \
    X(uspoof_getSkeleton)                                                                          \
    X(uspoof_open)                                                                                 \
    X(uspoof_setChecks)                                                                            \
    X(uspoof_setRestrictionLevel)

#define ICU_DECLARE(name) __typeof__(name) *name;
struct icu {
    ICU_FUNCTIONS(ICU_DECLARE)
};

/* ICU's functions. Aborts the program if they cannot be loaded. Any thread; the first call takes
 * long. */
const struct icu *icu_get(void);

#endif
