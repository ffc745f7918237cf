/* The checks of `tillrolld --check-config` that need no service: addresses, further databases,
 * directories and files that the configuration names. */
#ifndef TILLROLL_API_CONFIGURATION_CHECK_H
#define TILLROLL_API_CONFIGURATION_CHECK_H

#include "api/config.h"

/* Runs all checks, so that all errors are reported at once, on stderr. False if there are any. */
bool configuration_check(const struct configuration *configuration);

#endif
