#include "api/base/late.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *library)
{
    const char *why = dlerror();
    fprintf(stderr, "tillroll: %s cannot be used, and is needed now: %s\n", library,
            why == NULL ? "a function is not there" : why);
    abort();
}

void late_load(const char *library, const struct late_function *functions, size_t count)
{
    void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (loaded == NULL)
        give_up(library);
    for (size_t i = 0; i < count; i++) {
        void *found = dlsym(loaded, functions[i].name);
        if (found == NULL)
            give_up(library);
        memcpy(functions[i].place, &found, sizeof found);
    }
}
