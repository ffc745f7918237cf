/* `tillroll adjudicate`: a proposal for the result of an unfinished game, or of a position of a
 * finished one. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cli.h"
#include "engine/analysis/adjudication.h"
#include "engine/game/component_list.h"
#include "engine/log/bundle.h"

struct adjudicator {
    struct replay replay;
    const char *path;
    unsigned long to, samples;
    enum adjudication_view view;
    bool json, has_secret;
    uint8_t secret[32];
    struct component_list components; /* given on the command line */
};

static void print_table(const struct adjudicator *adjudicator, const struct adjudication *made)
{
    printf("A proposal, not a verdict: from %u games played on from line %u by level regular.\n"
           "+- is two standard errors of the mean; scores of single games differ far more.\n",
           (unsigned)made->samples, (unsigned)adjudicator->replay.seq);
    for (unsigned i = 0; i < made->seats; i++) {
        const struct adjudication_seat *seat = &made->seat[i];
        printf("place %u: seat %u, %s: mean score %.1f +- %.1f; places", seat->place, i,
               adjudicator->replay.header.seat[i].name, (double)seat->score / 100,
               2 * (double)seat->score_error / 100);
        for (unsigned place = 0; place < made->seats; place++)
            printf(" %u %%",
                   (unsigned)((seat->ended[place] * 100 + made->samples / 2) / made->samples));
        printf("\n");
    }
}

static void print_json(const struct adjudicator *adjudicator, const struct adjudication *made)
{
    json_t *document = adjudication_document(made, adjudicator->view);
    json_object_set_new(document, "seq", json_integer(adjudicator->replay.seq));
    cli_print_json(document, JSON_SORT_KEYS);
}

/* Replays the record up to the last line wanted. False with a message. */
static bool replay_to_line(struct adjudicator *adjudicator, struct span record)
{
    struct replay *replay = &adjudicator->replay;
    struct record_fault fault;
    struct span rest = record, line;
    if (!replay_begin(replay, component_list_sets(&adjudicator->components), &rest,
                      adjudicator->secret, &fault)) {
        cli_print_fault(stderr, adjudicator->path, REPLAY_INVALID, &fault);
        return false;
    }
    while (replay->seq < adjudicator->to && replay->phase == REPLAY_PLAYING &&
           span_line(&rest, &line)) {
        struct span past = {record.at, (size_t)(line.at - record.at)};
        if (!replay_line_after(replay, past, line, &fault)) {
            cli_print_fault(stderr, adjudicator->path, REPLAY_INVALID, &fault);
            return false;
        }
    }
    return true;
}

static int propose(struct adjudicator *adjudicator)
{
    struct adjudication made;
    if (adjudicator->replay.phase != REPLAY_PLAYING) {
        fprintf(stderr, "%s: the game is over there, and needs no proposal: see --to\n",
                adjudicator->path);
        return EXIT_UNKNOWN;
    }
    if (!adjudication_make(&adjudicator->replay, adjudicator->view, (uint32_t)adjudicator->samples,
                           &made))
        abort();
    if (adjudicator->json)
        print_json(adjudicator, &made);
    else
        print_table(adjudicator, &made);
    return EXIT_YES;
}

/* The secret of a finished record is in the record; that of an unfinished one must be given. */
static int adjudicate(struct adjudicator *adjudicator, struct span record)
{
    struct record_fault fault;
    enum replay_verdict verdict = replay_verify(
        record, component_list_sets(&adjudicator->components), &adjudicator->replay, &fault);
    if (verdict == REPLAY_VALID)
        memcpy(adjudicator->secret, adjudicator->replay.secret, sizeof adjudicator->secret);
    if (verdict == REPLAY_INVALID || (verdict == REPLAY_UNFINISHED && !adjudicator->has_secret)) {
        cli_print_fault(stderr, adjudicator->path, verdict, &fault);
        return verdict == REPLAY_INVALID ? EXIT_NO : EXIT_UNKNOWN;
    }
    return replay_to_line(adjudicator, record) ? propose(adjudicator) : EXIT_NO;
}

static bool read_options(const struct cli_given *given, struct adjudicator *adjudicator)
{
    const char *secret = cli_value(given, "secret"), *view = cli_value(given, "view");
    adjudicator->path = given->word[0];
    adjudicator->json = cli_value(given, "json") != NULL;
    adjudicator->has_secret = secret != NULL;
    adjudicator->view =
        view != NULL && strcmp(view, "public") == 0 ? ADJUDICATION_PUBLIC : ADJUDICATION_FULL;
    if (view != NULL && strcmp(view, "public") != 0 && strcmp(view, "full") != 0) {
        fprintf(stderr, "tillroll: --view takes full or public\n");
        return false;
    }
    if (secret != NULL && !span_hex(span_of(secret), adjudicator->secret, 32)) {
        fprintf(stderr, "tillroll: --secret takes 64 lower-case hex digits\n");
        return false;
    }
    return cli_value_number(given, "to", 0, RECORD_LINES_MAX, RECORD_LINES_MAX, &adjudicator->to) &&
           cli_value_number(given, "samples", ADJUDICATION_SAMPLES_MIN, ADJUDICATION_SAMPLES_MAX,
                            ADJUDICATION_SAMPLES, &adjudicator->samples);
}

int cli_adjudicate(const struct cli_given *given)
{
    static struct adjudicator adjudicator; /* too large for the stack */
    struct bundle bundle;
    size_t length;
    if (!read_options(given, &adjudicator))
        return cli_wrong_usage(given, NULL);
    char *bytes = cli_read_file(adjudicator.path, &length);
    if (bytes == NULL)
        return EXIT_UNKNOWN;
    int status = EXIT_UNKNOWN;
    if (cli_components(given, &adjudicator.components))
        status = cli_split_bundle(adjudicator.path, (struct span){bytes, length},
                                  &adjudicator.components, &bundle)
                     ? adjudicate(&adjudicator, bundle.record)
                     : EXIT_NO;
    if (status == EXIT_NO)
        cli_tell_kind(adjudicator.path, bytes, false);
    component_list_free(&adjudicator.components);
    sodium_memzero(&adjudicator, sizeof adjudicator);
    free(bytes);
    return status;
}
