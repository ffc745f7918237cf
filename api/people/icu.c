#include "api/people/icu.h"

#include <pthread.h>

#include "api/base/late.h"

static struct icu icu;

/* ICU's headers add the version to the names of its functions. */
#define TEXT_OF(name)   #name
#define NAME_OF(name)   TEXT_OF(name)
#define ICU_PLACE(name) {NAME_OF(name), &icu.name},
static const struct late_function functions[] = {ICU_FUNCTIONS(ICU_PLACE)};

static void load(void)
{
    late_load("libicui18n.so." NAME_OF(U_ICU_VERSION_MAJOR_NUM), functions,
              sizeof functions / sizeof functions[0]);
}

const struct icu *icu_get(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return &icu;
}
