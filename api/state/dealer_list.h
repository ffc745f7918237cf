/* The co-dealers that a service can ask (engine/record/dealer.h), with their addresses. */
#ifndef TILLROLL_API_STATE_DEALER_LIST_H
#define TILLROLL_API_STATE_DEALER_LIST_H

#include <jansson.h>

#include "engine/record/record.h"

/* The file of --dealers: lines `dealer <name> <public key> <address>`; empty lines and lines that
 * begin with `#` are ignored. Events name dealers; the operator says at which addresses they are,
 * since the service connects to them. */
enum { DEALER_LIST_MAX = 32, DEALER_URL_MAX = 480 };

struct listed_dealer {
    char name[RECORD_DEALER_NAME_MAX + 1];
    uint8_t key[ECVRF_KEY];
    char url[DEALER_URL_MAX + 1];
};

struct dealer_list {
    struct listed_dealer dealer[DEALER_LIST_MAX];
    size_t count;
};

/* NULL with a sentence in `error`. */
struct dealer_list *dealer_list_read(const char *path, struct text *error);
void dealer_list_free(struct dealer_list *list);

/* True if the list, which may be NULL, has a dealer with this name and key. Any thread. */
bool dealer_list_has(const struct dealer_list *list, const char *name,
                     const uint8_t key[static ECVRF_KEY]);

/* {"name", "key", "url"} of each, as a new array. */
json_t *dealer_list_document(const struct dealer_list *list);

#endif
