/* `tillroll match`: plays policies, levels and programs against each other, without a server, and
 * compares them. Every deal is played once from each seating, so that all players get the same. */
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/bots/match_run.h"
#include "api/cli/cli.h"
#include "engine/game/component_list.h"

/* ---- The result ---- */

enum { NAME_WIDTH = 10 };

/* Returns the width of the column of names. */
static int name_width(const struct match *match)
{
    int width = NAME_WIDTH;
    for (unsigned i = 0; i < match->players; i++)
        if ((int)strlen(match_player_name(&match->player[i])) > width)
            width = (int)strlen(match_player_name(&match->player[i]));
    return width;
}

/* Prints the number and name of a player, or a seat. */
static void print_name(const struct match *match, bool of_seat, unsigned i, int width)
{
    char seat[16];
    snprintf(seat, sizeof seat, "seat %u", i + 1);
    if (of_seat)
        printf("%-4s %-*s", "", width, seat);
    else
        printf("%-4u %-*s", i + 1, width, match_player_name(&match->player[i]));
}

/* Returns the heading of the rows. */
static const char *row_heading(const struct match *match)
{
    return match->alike ? "seat" : "player";
}

/* Prints a score; with its sign if it is a difference. */
static void print_score(const struct shares *score, bool sign)
{
    double margin = shares_margin_of_numbers(score);
    char around[32] = "";
    if (margin > 0)
        snprintf(around, sizeof around, "±%.2f", margin);
    printf(sign ? " %+10.2f %s" : " %10.2f %s", score->mean, around);
    for (size_t printed = margin > 0 ? strlen(around) - 1 : 0; printed < 8; printed++)
        putchar(' ');
}

static void print_share(const struct shares *shares)
{
    double low, high;
    shares_interval(shares, &low, &high);
    printf("  %5.1f (%5.1f to %5.1f)", 100 * shares->mean, 100 * low, 100 * high);
}

/* Prints a difference in points of Elo and the ends of its interval. */
static void print_elo(const struct shares *shares)
{
    double low, high;
    shares_interval(shares, &low, &high);
    printf("  %+6.0f (%+.0f to %+.0f)", elo_of_share(shares->mean), elo_of_share(low),
           elo_of_share(high));
}

static void print_total(const struct match *match, const struct match_total *total,
                        unsigned long games)
{
    printf(" %10.2f", total->first.mean * (double)games);
    print_score(&total->score, false);
    printf(" %7.3f", total->rank.mean);
    if (match->players > 1) {
        print_share(&total->first);
        print_share(&total->beaten);
        print_elo(&total->beaten);
    }
    printf("\n");
}

/* True if seats are listed below the players: not if the rows are seats already, nor after a single
 * deal, which says nothing about seats. */
static bool has_seats(const struct match *match, const struct match_totals *totals)
{
    return match->seats > 1 && !match->alike && totals->deals > 1;
}

static void print_totals(const struct match *match, const struct match_totals *totals)
{
    int width = name_width(match);
    printf("%-4s %-*s %10s %10s %-8s %7s", "", width, row_heading(match), "wins", "score",
           totals->deals > 1 ? "(95 %)" : "", "rank");
    printf(match->players > 1 ? "  %-22s  %-22s  %s\n" : "\n", "first % (95 %)", "beaten % (95 %)",
           "Elo (95 %)");
    for (unsigned i = 0; i < match->players; i++) {
        print_name(match, false, i, width);
        print_total(match, &totals->player[i], totals->games);
    }
    for (unsigned i = 0; has_seats(match, totals) && i < match->seats; i++) {
        print_name(match, true, i, width);
        print_total(match, &totals->seat[i], totals->games);
    }
}

/* ---- Differences between two sets ---- */

static void print_share_difference(const struct shares *shares)
{
    double low, high;
    shares_interval_of_differences(shares, &low, &high);
    printf("  %+5.1f (%+5.1f to %+5.1f)", 100 * shares->mean, 100 * low, 100 * high);
}

static void print_difference(const struct match *match, const struct match_total *total)
{
    print_score(&total->score, true);
    if (match->players > 1) {
        print_share_difference(&total->first);
        print_share_difference(&total->beaten);
    }
    printf("\n");
}

static void print_differences(const struct match *match, const struct match_totals *totals)
{
    int width = name_width(match);
    printf("\ndifference of the second set from the first\n");
    printf("%-4s %-*s %10s %-8s", "", width, row_heading(match), "score", "(95 %)");
    printf(match->players > 1 ? "  %-22s  %s\n" : "\n", "first % (95 %)", "beaten % (95 %)");
    for (unsigned i = 0; i < match->players; i++) {
        print_name(match, false, i, width);
        print_difference(match, &totals->player[i]);
    }
    for (unsigned i = 0; has_seats(match, totals) && i < match->seats; i++) {
        print_name(match, true, i, width);
        print_difference(match, &totals->seat[i]);
    }
}

static void print_verdict(const struct match *match, const struct sprt *sprt,
                          const struct match_totals *totals)
{
    static const char *const verdicts[] = {"undecided", "weaker than", "stronger than"};
    double limit = totals->verdict == SPRT_LOWER ? sprt->upper : sprt->lower;
    printf("sprt: log-likelihood ratio %.2f of +-%.2f after %lu deals: %s is %s",
           sprt_ratio(sprt, &totals->player[0].beaten), sprt_limit(sprt), totals->deals,
           match_player_name(&match->player[0]), verdicts[totals->verdict]);
    if (totals->verdict != SPRT_OPEN)
        printf(" Elo %+.0f (error %g)", elo_of_share(limit), sprt->error);
    printf("\n");
}

static void print_seed(const struct match *match)
{
    char hex[2 * CHANCE_SEED_BYTES + 1];
    struct text text = TEXT_OVER(hex);
    text_add_hex(&text, match->chance.seed, CHANCE_SEED_BYTES);
    printf("seed %s\n", hex);
}

/* ---- The command line ---- */

/* Reads the policies of --policy. A single name applies to all players. */
static bool read_policies(struct match *match, const char *list)
{
    bool more = true;
    match->players = 0;
    while (more && match->players < GAME_SEATS_MAX) {
        char name[24];
        size_t length = strcspn(list, ",");
        struct text text = TEXT_OVER(name);
        text_add_span(&text, (struct span){list, length});
        if (!policy_read(name, &match->player[match->players++].policy))
            return false;
        more = list[length] != '\0';
        list += length + more;
    }
    if (more) {
        fprintf(stderr, "tillroll: --policy names at most %d policies\n", GAME_SEATS_MAX);
        return false;
    }
    for (unsigned i = match->players; match->players == 1 && i < GAME_SEATS_MAX; i++)
        match->player[i].policy = match->player[0].policy;
    return true;
}

/* Reads `[N=]PROGRAM` of every --exec. False with a message. */
static bool read_programs(const struct cli_given *given, struct match *match, unsigned *most)
{
    const char *word;
    for (size_t i = 0; (word = cli_value_at(given, "exec", i)) != NULL; i++) {
        unsigned number = 1;
        if (word[0] >= '0' && word[0] <= '9' && word[1] == '=') {
            number = (unsigned)(word[0] - '0');
            word += 2;
        }
        if (number < 1 || number > GAME_SEATS_MAX || word[0] == '\0') {
            fprintf(stderr,
                    "tillroll: --exec takes a program, or N=PROGRAM for player N, from 1\n");
            return false;
        }
        struct bot_program_settings *settings = &match->player[number - 1].settings;
        settings->command = word;
        if (!cli_value_number(given, "move-ms", 1, 86400000, 10000, &settings->move_ms) ||
            !cli_value_number(given, "tries", 1, 1000, 3, &settings->tries))
            return false;
        if (number > *most)
            *most = number;
    }
    return true;
}

/* Sets the number of seats: as given, or as many as players were named, but at least two if
 * possible. False with a message. */
static bool read_seats(const struct cli_given *given, struct match *match, unsigned named)
{
    const struct game *game = match->game;
    unsigned long seats = game->seats_max < 2 ? game->seats_max : 2;
    seats = named > seats ? named : seats;
    seats = seats < game->seats_min ? game->seats_min : seats;
    seats = seats > game->seats_max ? game->seats_max : seats;
    return cli_value_number(given, "seats", game->seats_min, game->seats_max, seats, &match->seats);
}

static const char too_many[] = "name one policy for all players or one for each seat, and only "
                               "programs of existing seats";

/* Removes a number and the following character `end` from `word`. False if there is none within the
 * bounds. */
static bool take_number(const char **word, char end, double least, double most, double *number)
{
    char *rest;
    *number = strtod(*word, &rest);
    bool good = rest != *word && *rest == end && *number >= least && *number <= most;
    *word = good && end != '\0' ? rest + 1 : rest;
    return good;
}

/* Reads `LOWER,UPPER` of --sprt, in points of Elo. False with a message. */
static bool read_sprt(const struct cli_given *given, struct match_plan *plan, struct sprt *sprt)
{
    const char *word = cli_value(given, "sprt");
    const char *error = cli_value(given, "error");
    double lower, upper;
    *sprt = (struct sprt){.error = 0.05};
    plan->sprt = word == NULL ? NULL : sprt;
    if (word == NULL)
        return true;
    if (!take_number(&word, ',', -2000, 2000, &lower) ||
        !take_number(&word, '\0', -2000, 2000, &upper) || lower >= upper) {
        fprintf(stderr,
                "tillroll: --sprt takes two differences in points of Elo, the smaller first: "
                "0,20\n");
        return false;
    }
    sprt->lower = share_of_elo(lower);
    sprt->upper = share_of_elo(upper);
    if (error != NULL && !take_number(&error, '\0', 0.001, 0.4, &sprt->error)) {
        fprintf(stderr, "tillroll: --error takes a probability from 0.001 to 0.4: 0.05\n");
        return false;
    }
    return true;
}

/* Reads the plan; --games is rounded to whole deals. False with a message. */
static bool read_plan(const struct cli_given *given, const struct match *match,
                      struct match_plan *plan, struct sprt *sprt)
{
    unsigned long games, seatings = match_seatings(match);
    plan->journal = cli_value(given, "journal");
    if (!cli_value_number(given, "games", 1, 1000000, 1, &games) ||
        !cli_value_number(given, "workers", 1, MATCH_WORKERS_MAX, 1, &plan->workers) ||
        !read_sprt(given, plan, sprt))
        return false;
    plan->seatings = (unsigned)(games < seatings ? games : seatings);
    plan->deals = (games + plan->seatings - 1) / plan->seatings;
    return true;
}

/* Reads the match. Returns NULL, or a sentence about the error, which is "" if it has been printed.
 * `list` receives the sets of --components. */
static const char *read_match(const struct cli_given *given, struct component_list *list,
                              struct match *match)
{
    const char *seed = cli_value(given, "seed");
    const char *policies = cli_value(given, "policy");
    unsigned programs = 0;
    *match = (struct match){.game = cli_game(given, list)};
    randombytes_buf(match->chance.seed, sizeof match->chance.seed);
    if (match->game == NULL || (seed != NULL && !cli_seed(seed, match->chance.seed)) ||
        !read_policies(match, policies == NULL ? "regular" : policies) ||
        !read_programs(given, match, &programs))
        return "";
    if (cli_value_at(given, "components", 1) != NULL)
        return "--components takes one set; --compare plays the same deals with another one, too";
    if (list->count > 0)
        match->components = match->game->components_sha256;
    unsigned named = match->players > programs ? match->players : programs;
    if (!cli_options(given, match->game, &match->options) || !read_seats(given, match, named))
        return "";
    bool alone = match->seats == 1;
    if ((!alone && named > match->seats) ||
        (match->players > 1 && !alone && match->players != match->seats))
        return too_many;
    match->alike =
        !alone && match->players == 1 && programs == 0 && cli_value(given, "sprt") == NULL;
    match->players = alone ? named : (unsigned)match->seats;
    if (cli_value(given, "sprt") != NULL && match->players < 2)
        return "--sprt compares the first player with the others: name at least two";
    if (cli_value(given, "journal") != NULL && seed == NULL)
        return "--journal needs --seed, so that the match can go on with the same games";
    return NULL;
}

/* Sets the match with the set of --compare. Returns as read_match(). */
static const char *read_other(const struct cli_given *given, const struct match *match,
                              struct component_list *list, struct match *other)
{
    *other = *match;
    if (cli_value(given, "sprt") != NULL)
        return "--sprt looks at one set; leave out --compare";
    other->game = cli_game_of_set(match->game, cli_value(given, "compare"), list);
    if (other->game == NULL)
        return "";
    other->components = other->game->components_sha256;
    if (strcmp(other->components, match->game->components_sha256) == 0)
        return "--compare takes another set than the one that is played with";
    return NULL;
}

/* Plays with both sets, and prints the differences. */
static int compare(const struct match *match, const struct match_plan *plan,
                   const struct match *other)
{
    char journal[4096];
    struct match_plan second = *plan;
    struct match_totals before, after = {.deals = 0}, difference;
    if (plan->journal != NULL) {
        snprintf(journal, sizeof journal, "%s.compare", plan->journal);
        second.journal = journal;
    }
    bool good = match_run(match, plan, &before) && match_run(other, &second, &after);
    if (good) {
        printf("first set %s\n", match->game->components_sha256);
        print_totals(match, &before);
        printf("\nsecond set %s\n", other->components);
        print_totals(match, &after);
        match_compare(match, plan, &before, &after, &difference);
        print_differences(match, &difference);
    }
    match_totals_free(&before);
    match_totals_free(&after);
    return good ? EXIT_YES : EXIT_NO;
}

static int play(const struct match *match, const struct match_plan *plan)
{
    struct match_totals totals;
    bool good = match_run(match, plan, &totals);
    if (good) {
        print_totals(match, &totals);
        if (plan->sprt != NULL)
            print_verdict(match, plan->sprt, &totals);
    }
    match_totals_free(&totals);
    return good ? EXIT_YES : EXIT_NO;
}

static int play_match(const struct cli_given *given, struct component_list *list,
                      struct component_list *others)
{
    struct match match, other;
    struct match_plan plan;
    struct sprt sprt;
    const bool compares = cli_value(given, "compare") != NULL;
    const char *wrong = read_match(given, list, &match);
    if (wrong == NULL && !read_plan(given, &match, &plan, &sprt))
        wrong = "";
    if (wrong == NULL && compares)
        wrong = read_other(given, &match, others, &other);
    if (wrong != NULL)
        return cli_wrong_usage(given, wrong[0] == '\0' ? NULL : wrong);
    if (cli_value(given, "seed") == NULL)
        print_seed(&match);
    return compares ? compare(&match, &plan, &other) : play(&match, &plan);
}

int cli_match(const struct cli_given *given)
{
    struct component_list list = {.count = 0}, others = {.count = 0};
    int status = play_match(given, &list, &others);
    component_list_free(&list);
    component_list_free(&others);
    return status;
}
