/* `tillroll dealer compare`: checks that a service has logged every commitment for which it asked a
 * dealer, and has finished the games. */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/cli/cli.h"
#include "api/cli/monitor/monitor_log.h"
#include "api/cli/witness/dealer_state.h"

struct answer {
    struct dealer_input input; /* first, so that search.h can find the answer by its scope */
    bool logged;               /* a log has its commitment */
    bool other;                /* a log has another commitment for the scope */
    bool finished;             /* a log has the record of the game */
};

struct answers {
    struct answer *item; /* owned; in the list's order */
    size_t count;
    void *by_scope; /* the same answers, for search.h */
};

static int by_scope(const void *a, const void *b)
{
    const struct answer *first = a;
    const struct answer *second = b;
    return strcmp(first->input.scope, second->input.scope);
}

static struct answer *find(const struct answers *answers, struct span scope)
{
    struct answer wanted;
    struct text text = TEXT_OVER(wanted.input.scope);
    text_add_span(&text, scope);
    struct answer *const *found =
        text.overflow ? NULL : tfind(&wanted, &answers->by_scope, by_scope);
    return found == NULL ? NULL : *found;
}

/* ---- The list ---- */

/* Reads the answers. A last line without its end was cut off before its answer was sent. */
static bool take_lines(struct span rest, struct answers *answers)
{
    struct span line;
    while (rest.length > 0 && memchr(rest.at, '\n', rest.length) != NULL) {
        struct answer *answer = &answers->item[answers->count];
        *answer = (struct answer){.logged = false};
        (void)span_line(&rest, &line);
        if (!dealer_answer_read(line, &answer->input) ||
            find(answers, span_of(answer->input.scope)) != NULL)
            return false;
        if (tsearch(answer, &answers->by_scope, by_scope) == NULL)
            abort();
        answers->count++;
    }
    return true;
}

static bool read_list(const char *path, struct answers *answers)
{
    size_t length;
    size_t most = 1;
    char *bytes = cli_read_file(path, &length);
    if (bytes == NULL)
        return false;
    for (size_t i = 0; i < length; i++)
        most += bytes[i] == '\n';
    answers->item = calloc(most, sizeof *answers->item);
    if (answers->item == NULL)
        abort();
    bool good = take_lines((struct span){bytes, length}, answers);
    if (!good)
        fprintf(stderr, "tillroll: %s: line %zu is not a dealer's answer, or is there twice\n",
                path, answers->count + 1);
    free(bytes);
    return good;
}

static void forget(struct answers *answers)
{
    for (size_t i = 0; i < answers->count; i++)
        (void)tdelete(&answers->item[i], &answers->by_scope, by_scope);
    free(answers->item);
}

/* ---- The logs ---- */

static void take_leaf(struct answers *answers, const struct tlog_leaf *leaf)
{
    struct answer *answer = leaf->subject == TLOG_COMMITMENT || leaf->subject == TLOG_GAME
                                ? find(answers, leaf->name)
                                : NULL;
    if (answer == NULL)
        return;
    if (leaf->subject == TLOG_GAME)
        answer->finished = true;
    else if (memcmp(leaf->hash, answer->input.commitment, sizeof leaf->hash) == 0)
        answer->logged = true;
    else
        answer->other = true;
}

static bool read_log(const char *directory, struct answers *answers)
{
    struct monitor_log log;
    struct tlog_leaf leaf;
    char path[WITNESS_PATH_MAX];
    struct text text = TEXT_OVER(path);
    size_t at = 0;
    text_add(&text, directory);
    text_add(&text, "/checkpoint");
    if (text.overflow || access(path, R_OK) != 0) {
        fprintf(stderr, "tillroll: %s: no `tillroll monitor` has kept a log here\n", directory);
        return false;
    }
    bool good = monitor_log_open(&log, directory);
    for (uint64_t i = 0; good && i < log.edge.size; i++)
        if (tlog_leaf_read(monitor_log_leaf(&log, &at), &leaf))
            take_leaf(answers, &leaf);
    monitor_log_close(&log);
    return good;
}

/* ---- Output ---- */

static void print_unlogged(const struct answer *answer)
{
    char hex[65];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, answer->input.commitment, sizeof answer->input.commitment);
    printf("%s: %s: the dealer was asked for the commitment %s, which is in no log\n",
           answer->input.scope, answer->other ? "other-commitment" : "unlogged", hex);
}

/* True for a game without a record. The scope of a round does not tell its games. */
static bool is_unfinished(const struct answer *answer)
{
    return answer->logged && !answer->finished && strlen(answer->input.scope) == RECORD_ID_LENGTH;
}

static int judge(const struct answers *answers)
{
    size_t unlogged = 0, unfinished = 0;
    for (size_t i = 0; i < answers->count; i++) {
        const struct answer *answer = &answers->item[i];
        unlogged += !answer->logged;
        unfinished += is_unfinished(answer);
        if (!answer->logged)
            print_unlogged(answer);
        else if (is_unfinished(answer))
            printf("%s: unfinished: no log has a record of the game\n", answer->input.scope);
    }
    printf("%zu answers, %zu with a commitment that is in no log, %zu of games without a record\n",
           answers->count, unlogged, unfinished);
    return unlogged == 0 ? EXIT_YES : EXIT_NO;
}

int cli_dealer_compare(const struct cli_given *given)
{
    struct answers answers = {.count = 0};
    bool good = read_list(given->word[0], &answers);
    for (int i = 1; good && i < given->words; i++)
        good = read_log(given->word[i], &answers);
    int status = good ? judge(&answers) : EXIT_UNKNOWN;
    forget(&answers);
    return status;
}
