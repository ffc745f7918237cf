#include "engine/tournament/result/tie_break.h"

#include <assert.h>

struct meaning {
    struct tie_break_text text;
    unsigned modifiers;
};

enum {
    CUTS = TIE_BREAK_CUT | TIE_BREAK_MEDIAN,
    OPPONENTS = CUTS | TIE_BREAK_FORE | TIE_BREAK_FORFEITS,
};

static const struct meaning meanings[TIE_BREAKS] = {
    [TIE_BREAK_PTS] = {{"PTS", "points", "The points of all rounds, byes included."}, 0},
    [TIE_BREAK_DE] =
        {{"DE", "direct encounter",
          "Among those still tied, what each made of the tables it shared with the "
          "others: for each of them the mean over these tables of a point for finishing "
          "ahead and half a point for level (or what the scheme gives); used only as "
          "far as games that were not played could not change it, and then again among "
          "those it leaves tied."},
         TIE_BREAK_FORFEITS},
    [TIE_BREAK_WIN] = {{"WIN", "first places",
                        "Tables won, with or without opposition; a first place shared by t players "
                        "counts 1/t for each, a draw of two counts nothing, a bye counts if it is "
                        "worth a win."},
                       0},
    [TIE_BREAK_WON] = {{"WON", "first places over the board",
                        "As WIN, but only tables that were played."},
                       0},
    [TIE_BREAK_BPG] = {{"BPG", "games in the last seat",
                        "Games played in the last seat: with black, at tables of two."},
                       0},
    [TIE_BREAK_BWG] = {{"BWG", "wins in the last seat",
                        "First places over the board in the last seat: wins with black, at tables "
                        "of two."},
                       0},
    [TIE_BREAK_REP] = {{"REP", "rounds elected to play",
                        "Rounds without those the player gave up: half and zero byes, absence and "
                        "forfeit losses."},
                       0},
    [TIE_BREAK_STD] = {{"STD", "standard points",
                        "1 for each round that gave more than the scheme's neutral points (a draw, "
                        "in schemes for two), half for as many."},
                       0},
    [TIE_BREAK_PS] = {{"PS", "progressive score",
                       "The sum of the points that the player had after each round; cuts leave out "
                       "the first rounds."},
                      TIE_BREAK_CUT},
    [TIE_BREAK_BH] = {{"BH", "Buchholz", "The sum of the adjusted points of opponents."},
                      OPPONENTS},
    [TIE_BREAK_FB] = {{"FB", "fore Buchholz",
                       "Buchholz as if all games of the last round were drawn."},
                      CUTS | TIE_BREAK_FORFEITS},
    [TIE_BREAK_AOB] = {{"AOB", "average Buchholz of opponents",
                        "The mean, over all opponents met, of their Buchholz; 0 without any."},
                       TIE_BREAK_FORE | TIE_BREAK_FORFEITS},
    [TIE_BREAK_SB] = {{"SB", "Sonneborn-Berger",
                       "The sum, over opponents, of their adjusted points times the result against "
                       "them: 1 for finishing ahead, a half for level (or what the scheme gives)."},
                      CUTS | TIE_BREAK_FORFEITS},
    [TIE_BREAK_KS] = {{"KS", "Koya",
                       "Results against opponents with half the points that can be had, or more; "
                       "forfeits included."},
                      TIE_BREAK_LIMIT},
    [TIE_BREAK_ARO] = {{"ARO", "average rating of opponents",
                        "The mean rating of the opponents met, rounded to a whole number."},
                       CUTS},
    [TIE_BREAK_TPR] = {{"TPR", "tournament performance rating",
                        "The average rating of opponents plus the difference that FIDE's table "
                        "gives for the share of results."},
                       0},
    [TIE_BREAK_PTP] = {{"PTP", "perfect tournament performance",
                        "The lowest rating whose expected results, by FIDE's table, come up to the "
                        "actual ones; without any, 800 below the lowest opponent."},
                       0},
    [TIE_BREAK_APRO] = {{"APRO", "average performance of opponents",
                         "The mean TPR of the opponents met, rounded to a whole number."},
                        0},
    [TIE_BREAK_APPO] = {{"APPO", "average perfect performance of opponents",
                         "The mean PTP of the opponents met, rounded to a whole number."},
                        0},
    [TIE_BREAK_RTNG] = {{"RTNG", "rating", "The player's rating when the event began."}, 0},
    [TIE_BREAK_TPN] = {{"TPN", "pairing number", "The player's pairing number, lower first."}, 0},
    [TIE_BREAK_OPA] = {{"OPA", "average points of opponents",
                        "The mean, over all opponents met, of their adjusted points per round."},
                       CUTS | TIE_BREAK_FORFEITS},
    [TIE_BREAK_AOA] = {{"AOA", "average OPA of opponents",
                        "The mean, over all opponents met, of their average points of opponents."},
                       TIE_BREAK_FORFEITS},
    [TIE_BREAK_SBA] = {{"SBA", "Sonneborn-Berger, average per opponent",
                        "The adjusted points of opponents who finished behind, plus half those of "
                        "opponents who finished level, divided by the number of opponents met."},
                       CUTS | TIE_BREAK_FORFEITS},
    [TIE_BREAK_SHR] =
        {{"SHR", "share of the table",
          "The mean, over all tables played, of the player's share of the game scores "
          "of all who played there; scores below zero count as zero."},
         0},
    [TIE_BREAK_MWP] = {{"MWP", "share of wins",
                        "First places over the board (shared ones by parts) per table played, but "
                        "no less than an even share: the mean of 1/k over tables of k."},
                       0},
    [TIE_BREAK_OWP] = {{"OWP", "opponents' share of wins",
                        "The mean, over all opponents met, of their share of wins (MWP)."},
                       0},
    [TIE_BREAK_VPD] =
        {{"VPD", "score behind the winner",
          "The mean, over all tables played, of the player's game score minus that of "
          "the best at the table."},
         0},
    [TIE_BREAK_VPR] = {{"VPR", "share of the winner's score",
                        "The mean, over all tables played, of the player's game score divided by "
                        "that of the best at the table; scores below zero count as zero."},
                       0},
    [TIE_BREAK_SH] =
        {{"SH", "seat handicap",
          "The sum, over all tables played, of an even share of first places less the share that "
          "the player's seat won in all tables of that size; 0 for sizes with fewer than 100 "
          "tables."},
         0},
    [TIE_BREAK_LAST] = {{"LAST", "last round",
                         "The number of the table in the last round, lower first, then the place "
                         "there."},
                        0},
    [TIE_BREAK_RND] = {{"RND", "draw", "A draw from the event's committed seed."}, 0},
};

static const struct {
    const char *spelling;
    struct tie_break_rule rule;
} older_spellings[] = {
    {"MB", {.code = TIE_BREAK_BH, .cut_low = 1, .cut_high = 1}},
    {"MED2", {.code = TIE_BREAK_BH, .cut_low = 2, .cut_high = 2}},
    {"GE", {.code = TIE_BREAK_REP}},
    {"EDE", {.code = TIE_BREAK_DE}},
};

const struct tie_break_rule tie_break_pods[] = {
    {.code = TIE_BREAK_PTS},  {.code = TIE_BREAK_DE},
    {.code = TIE_BREAK_WIN},  {.code = TIE_BREAK_OPA, .cut_low = 1},
    {.code = TIE_BREAK_SBA},  {.code = TIE_BREAK_SHR},
    {.code = TIE_BREAK_LAST}, {.code = TIE_BREAK_RND},
};
const size_t tie_break_pods_count = sizeof tie_break_pods / sizeof tie_break_pods[0];

static const struct tie_break_rule swiss[] = {
    {.code = TIE_BREAK_PTS}, {.code = TIE_BREAK_DE},  {.code = TIE_BREAK_BH, .cut_low = 1},
    {.code = TIE_BREAK_BH},  {.code = TIE_BREAK_SB},  {.code = TIE_BREAK_WIN},
    {.code = TIE_BREAK_BWG}, {.code = TIE_BREAK_RND},
};

static const struct tie_break_rule round_robin[] = {
    {.code = TIE_BREAK_PTS}, {.code = TIE_BREAK_DE}, {.code = TIE_BREAK_WIN},
    {.code = TIE_BREAK_SB},  {.code = TIE_BREAK_KS}, {.code = TIE_BREAK_RND},
};

/* Points are rounds survived; entries that went out in the same round are in the order of the
 * seeding. */
static const struct tie_break_rule elimination[] = {
    {.code = TIE_BREAK_PTS},
    {.code = TIE_BREAK_WIN},
    {.code = TIE_BREAK_SHR},
    {.code = TIE_BREAK_TPN},
};

#define CHAIN(array) (array), sizeof(array) / sizeof(array)[0]

const struct tie_break_chain tie_break_chains[] = {
    {"pods", UNPLAYED_PODS_1, CHAIN(tie_break_pods)},
    {"swiss", UNPLAYED_FIDE_2026, CHAIN(swiss)},
    {"round-robin", UNPLAYED_ROUND_ROBIN, CHAIN(round_robin)},
    {"elimination", UNPLAYED_PODS_1, CHAIN(elimination)},
};
const size_t tie_break_chain_count = sizeof tie_break_chains / sizeof tie_break_chains[0];

static const char *const rules_names[UNPLAYED_RULES] = {
    [UNPLAYED_PODS_1] = "pods-1",
    [UNPLAYED_FIDE_2023] = "fide-2023",
    [UNPLAYED_FIDE_2026] = "fide-2026",
    [UNPLAYED_ROUND_ROBIN] = "round-robin",
};

const struct tie_break_text *tie_break_describe(enum tie_break tie_break)
{
    assert(tie_break < TIE_BREAKS);
    return &meanings[tie_break].text;
}

/* `-` separates in FIDE's older spelling, but not in `L-1`. */
static bool is_separator(struct span written, size_t i)
{
    return written.at[i] == '/' || (written.at[i] == '-' && i > 0 && written.at[i - 1] != 'L');
}

static struct span cut_word(struct span *rest)
{
    size_t length = 0;
    while (length < rest->length && !is_separator(*rest, length))
        length++;
    struct span word = {rest->at, length};
    size_t used = length + (length < rest->length);
    *rest = (struct span){rest->at + used, rest->length - used};
    return word;
}

static bool parse_code(struct span code, struct tie_break_rule *rule)
{
    for (size_t i = 0; i < sizeof older_spellings / sizeof older_spellings[0]; i++)
        if (span_is(code, older_spellings[i].spelling)) {
            *rule = older_spellings[i].rule;
            return true;
        }
    for (uint8_t i = 0; i < TIE_BREAKS; i++)
        if (span_is(code, meanings[i].text.code)) {
            *rule = (struct tie_break_rule){.code = i};
            return true;
        }
    return false;
}

static bool parse_cuts(struct span number, bool both, struct tie_break_rule *rule)
{
    uint64_t cuts;
    if (rule->cut_low != 0 || !span_number(number, TIE_BREAK_CUTS_MAX, &cuts) || cuts == 0)
        return false;
    rule->cut_low = (uint8_t)cuts;
    rule->cut_high = both ? rule->cut_low : 0;
    return true;
}

static bool parse_flag(struct span rest, uint8_t flag, struct tie_break_rule *rule)
{
    if (rest.length > 0 || (rule->flags & flag) != 0)
        return false;
    rule->flags |= flag;
    return true;
}

static bool parse_limit(struct span number, struct tie_break_rule *rule)
{
    uint64_t value;
    bool shifts = number.length > 0 && (number.at[0] == '+' || number.at[0] == '-');
    if (rule->limit != 0 || rule->limit_halves != 0)
        return false;
    if (!shifts) {
        if (!span_number(number, 100, &value) || value == 0)
            return false;
        rule->limit = (uint8_t)value;
        return true;
    }
    if (!span_number((struct span){number.at + 1, number.length - 1}, TIE_BREAK_LIMIT_HALVES_MAX,
                     &value) ||
        value == 0)
        return false;
    rule->limit_halves = (int16_t)(number.at[0] == '-' ? -(int)value : (int)value);
    return true;
}

static bool parse_modifier(struct span modifier, struct tie_break_rule *rule)
{
    if (modifier.length == 0)
        return false;
    struct span rest = {modifier.at + 1, modifier.length - 1};
    switch (modifier.at[0]) {
    case 'C':
        return parse_cuts(rest, false, rule);
    case 'M':
        return parse_cuts(rest, true, rule);
    case 'F':
        return parse_flag(rest, TIE_BREAK_FORE, rule);
    case 'P':
        return parse_flag(rest, TIE_BREAK_FORFEITS, rule);
    case 'L':
        return parse_limit(rest, rule);
    default:
        return false;
    }
}

bool tie_break_parse(struct span written, struct tie_break_rule *rule)
{
    struct tie_break_rule read;
    if (written.length == 0 || is_separator(written, written.length - 1) ||
        !parse_code(cut_word(&written), &read))
        return false;
    while (written.length > 0)
        if (!parse_modifier(cut_word(&written), &read))
            return false;
    if (!tie_break_valid(&read))
        return false;
    *rule = read;
    return true;
}

bool tie_break_is_for_teams(struct span written)
{
    static const char *const codes[] = {"BC",    "TBR",   "BBE",   "EDEC",  "EDET",
                                        "EDEB",  "EDEBT", "EDEBB", "EMMSB", "EMGSB",
                                        "EGMSB", "EGGSB", "ESB",   "SSSC",  "MPVGP"};
    struct span code = cut_word(&written);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (span_is(code, codes[i]))
            return true;
    return false;
}

static unsigned modifiers_used(const struct tie_break_rule *rule)
{
    unsigned used = rule->flags;
    if (rule->cut_high > 0)
        used |= TIE_BREAK_MEDIAN;
    else if (rule->cut_low > 0)
        used |= TIE_BREAK_CUT;
    if (rule->limit != 0 || rule->limit_halves != 0)
        used |= TIE_BREAK_LIMIT;
    return used;
}

bool tie_break_valid(const struct tie_break_rule *rule)
{
    if (rule->code >= TIE_BREAKS || rule->cut_low > TIE_BREAK_CUTS_MAX || rule->limit > 100 ||
        (rule->cut_high != 0 && rule->cut_high != rule->cut_low) ||
        (rule->flags & ~(TIE_BREAK_FORE | TIE_BREAK_FORFEITS)) != 0 ||
        (rule->limit != 0 && rule->limit_halves != 0) ||
        rule->limit_halves < -TIE_BREAK_LIMIT_HALVES_MAX ||
        rule->limit_halves > TIE_BREAK_LIMIT_HALVES_MAX)
        return false;
    return (modifiers_used(rule) & ~meanings[rule->code].modifiers) == 0;
}

void tie_break_write(const struct tie_break_rule *rule, struct text *text)
{
    text_add(text, meanings[rule->code].text.code);
    if (rule->cut_low > 0) {
        text_add(text, rule->cut_high > 0 ? "/M" : "/C");
        text_add_number(text, rule->cut_low);
    }
    if (rule->limit != 0 || rule->limit_halves != 0) {
        text_add(text, rule->limit_halves > 0 ? "/L+" : "/L");
        text_add_number(text, rule->limit != 0 ? rule->limit : rule->limit_halves);
    }
    if ((rule->flags & TIE_BREAK_FORE) != 0)
        text_add(text, "/F");
    if ((rule->flags & TIE_BREAK_FORFEITS) != 0)
        text_add(text, "/P");
}

/* `the 2 lowest`, `the lowest` */
static void add_several(struct text *text, unsigned count, const char *what)
{
    text_add(text, "the ");
    if (count > 1) {
        text_add_number(text, count);
        text_add_char(text, ' ');
    }
    text_add(text, what);
}

static void add_cuts(const struct tie_break_rule *rule, struct text *text)
{
    if (rule->code == TIE_BREAK_PS && rule->cut_low > 1) {
        text_add(text, "the first ");
        text_add_number(text, rule->cut_low);
        text_add(text, " rounds");
        return;
    }
    add_several(text, rule->cut_low, rule->code == TIE_BREAK_PS ? "first round" : "lowest");
    if (rule->cut_high > 0) {
        text_add(text, " and ");
        add_several(text, rule->cut_high, "highest");
    }
}

static void add_limit(const struct tie_break_rule *rule, struct text *text)
{
    int halves = rule->limit_halves;
    text_add_number(text, rule->limit != 0 ? rule->limit : TIE_BREAK_LIMIT_DEFAULT);
    text_add(text, " %");
    if (halves == 0)
        return;
    text_add(text, halves > 0 ? " and " : " less ");
    text_add_number(text, halves > 0 ? halves : -halves);
    text_add(text, halves == 1 || halves == -1 ? " half point" : " half points");
}

void tie_break_name(const struct tie_break_rule *rule, struct text *text)
{
    unsigned used = modifiers_used(rule);
    text_add(text, meanings[rule->code].text.name);
    if (rule->cut_low > 0) {
        text_add(text, " without ");
        add_cuts(rule, text);
    }
    if ((used & TIE_BREAK_LIMIT) != 0) {
        text_add(text, ", limit ");
        add_limit(rule, text);
    }
    if ((used & TIE_BREAK_FORE) != 0)
        text_add(text, ", last round drawn");
    if ((used & TIE_BREAK_FORFEITS) != 0)
        text_add(text, ", forfeits as games");
}

static void define_cuts(const struct tie_break_rule *rule, struct text *text)
{
    text_add(text, " Without ");
    add_cuts(rule, text);
    if (rule->code == TIE_BREAK_PS)
        text_add(text, ".");
    else
        text_add(text, "; rounds that the player gave up go first.");
}

void tie_break_define(const struct tie_break_rule *rule, struct text *text)
{
    unsigned used = modifiers_used(rule);
    text_add(text, meanings[rule->code].text.definition);
    if (rule->cut_low > 0)
        define_cuts(rule, text);
    if ((used & TIE_BREAK_LIMIT) != 0) {
        text_add(text, " The limit is ");
        add_limit(rule, text);
        text_add(text, " of the points that can be had.");
    }
    if ((used & TIE_BREAK_FORE) != 0)
        text_add(text, " As if all games of the last round were drawn.");
    if ((used & TIE_BREAK_FORFEITS) != 0)
        text_add(text, " Forfeits count as games against the scheduled opponent.");
}

const char *unplayed_rules_name(enum unplayed_rules rules)
{
    assert(rules < UNPLAYED_RULES);
    return rules_names[rules];
}

const struct tie_break_chain *tie_break_chain_find(struct span format)
{
    for (size_t i = 0; i < tie_break_chain_count; i++)
        if (span_is(format, tie_break_chains[i].format))
            return &tie_break_chains[i];
    return NULL;
}
