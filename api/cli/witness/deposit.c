/* `tillroll deposit`: leaves a move that a service does not take with witnesses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/bots/drop_box.h"
#include "engine/game/component_list.h"

/* Signs a move at the end of the record so far. False with a message. */
static bool sign_move(const struct cli_given *given, const char *key, const char *origin,
                      struct deposit *deposit)
{
    struct signer signer;
    struct text log = TEXT_OVER(deposit->origin);
    struct component_list list = {.count = 0};
    size_t length;
    if (!signer_read(key, &signer))
        return false;
    char *record = cli_read_file(given->word[0], &length);
    text_add(&log, origin);
    bool good = record != NULL && cli_components(given, &list) &&
                drop_box_read_record(given->word[0], (struct span){record, length},
                                     component_list_sets(&list), signer.public_key, deposit,
                                     deposit->head) &&
                drop_box_sign(&signer, given->word[1], deposit);
    component_list_free(&list);
    free(record);
    signer_forget(&signer);
    return good;
}

/* Reads a move that a page has signed and saved. False with a message. */
static bool read_move(const char *path, struct deposit *deposit)
{
    size_t length;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return false;
    bool good = deposit_read((struct span){bytes, length}, deposit) && deposit_is_signed(deposit);
    free(bytes);
    if (!good)
        fprintf(stderr,
                "tillroll: %s: this is no signed move; give a move, --key and --log with a "
                "record\n",
                path);
    return good;
}

int cli_deposit(const struct cli_given *given)
{
    static struct deposit deposit;
    const char *key = cli_value(given, "key");
    const char *origin = cli_value(given, "log");
    bool has_move = given->words == 2;
    if (has_move != (key != NULL) || has_move != (origin != NULL))
        return cli_wrong_usage(given, "takes a record and a move with --key and --log, or a file "
                                      "with a signed move");
    if (!(has_move ? sign_move(given, key, origin, &deposit) : read_move(given->word[0], &deposit)))
        return EXIT_UNKNOWN;
    return drop_box_deposit(given, &deposit, stdout) ? EXIT_YES : EXIT_NO;
}
