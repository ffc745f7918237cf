/* What `tillrolld --check` tries that needs no service: addresses, further databases, directories
 * and files that the configuration names. */
#ifndef TILLROLL_API_CONFIGURATION_CHECK_H
#define TILLROLL_API_CONFIGURATION_CHECK_H

#include "api/config.h"

/* Tries everything, so that all that is wrong is said at once, on stderr. False if anything is. */
bool configuration_check(const struct configuration *configuration);

#endif
