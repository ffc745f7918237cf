#include "api/base/version.h"

const char *version_text(void)
{
    return TILLROLL_VERSION;
}
