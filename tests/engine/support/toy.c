#include "tests/engine/support/toy.h"

#include <stdlib.h>
#include <string.h>

#include "engine/game/case_fields.h"
#include "engine/game/game.h"

enum { SEATS = 3, PILE = 12, HEAP = 20, TURNS = 12, BIDS = 3 };

struct toy {
    uint8_t bug, seats, turns, heap;
    uint8_t pile_next, bidding, noise, last; /* `last`: token drawn by the last ply, 0 = none */
    uint8_t bid[SEATS];
    uint8_t score[SEATS];
    uint8_t pile[PILE];
    uint8_t padding[6];
    uint64_t address;
};

#define TOY_BUG_NAME(symbol, name, check) name,
static const char *const bug_names[] = {TOY_BUGS(TOY_BUG_NAME) NULL};
#define TOY_BUG_CHECK(symbol, name, check) check,
static const char *const bug_checks[] = {TOY_BUGS(TOY_BUG_CHECK)};

static const struct game_option options[] = {{"bug", bug_names, 0, "What is wrong with the game."}};
static const unsigned char components[] = "{\"tokens\": 12}";

/* What an impure function changes. */
static unsigned impurity;

const char *toy_expected(enum toy_bug bug)
{
    return bug_checks[bug];
}

static void shuffle_pile(struct toy *toy, const struct chance *chance, unsigned epoch)
{
    struct chance_stream stream;
    chance_open_epoch(&stream, chance, "pile", epoch, 0);
    chance_shuffle(&stream, toy->pile + toy->pile_next, (size_t)(PILE - toy->pile_next));
}

static void toy_setup(const struct game *game, void *opaque, unsigned seats,
                      const struct game_options *chosen, const struct chance *chance)
{
    (void)game;
    struct toy *toy = opaque;
    uint8_t noise = toy->noise;
    memset(toy, 0, sizeof *toy);
    toy->bug = chosen->value[0];
    toy->seats = (uint8_t)seats;
    toy->bidding = (uint8_t)((1u << seats) - 1);
    toy->heap = HEAP;
    for (uint8_t i = 0; i < PILE; i++)
        toy->pile[i] = (uint8_t)(i + 1);
    shuffle_pile(toy, chance, 0);
    if (toy->bug == TOY_SETUP_PARTIAL)
        toy->noise = noise;
    if (toy->bug == TOY_SETUP_OVERRUN)
        ((unsigned char *)opaque)[sizeof *toy] = 0;
}

static bool is_over(const struct toy *toy)
{
    return toy->bidding == 0 && toy->turns == TURNS;
}

static uint32_t toy_deciders(const void *opaque)
{
    const struct toy *toy = opaque;
    uint32_t extra =
        toy->bug == TOY_DECIDERS_STRANGER && toy->turns == 1 ? UINT32_C(1) << toy->seats : 0;
    if (toy->bidding != 0)
        return toy->bidding;
    return is_over(toy) ? 0 : UINT32_C(1) << toy->turns % toy->seats | extra;
}

/* ---- Moves ---- */

static void add(struct move_list *list, const char *move)
{
    move_list_add(list, span_of(move));
}

static void list_bids(const struct toy *toy, unsigned seat, struct move_list *list)
{
    bool told = toy->bug == TOY_LEGAL_TELLS_BID && toy->bid[(seat + 1) % toy->seats] == 3;
    add(list, "bid 1");
    add(list, "bid 2");
    if (!told)
        add(list, "bid 3");
}

static void list_takes(const struct toy *toy, struct move_list *list)
{
    static const char *const takes[] = {"take 1", "take 2", "take 3"};
    for (unsigned i = 0; i < 3; i++)
        if (i < toy->heap && !(toy->bug == TOY_LEGAL_LEAKS && i == 2 && toy->pile_next < PILE &&
                               toy->pile[toy->pile_next] % 2 == 0))
            add(list, takes[i]);
}

static void toy_legal(const struct game *game, const void *opaque, unsigned seat,
                      struct move_list *list)
{
    (void)game;
    const struct toy *toy = opaque;
    bool stranger = toy->bug == TOY_LEGAL_STRANGER && toy->turns == 2;
    if (toy->bug == TOY_LEGAL_WRITES && toy->turns == 2)
        ((struct toy *)opaque)->noise++;
    if (!game_decides(&game_toy, toy, seat) && !stranger)
        return;
    if (toy->bidding != 0) {
        list_bids(toy, seat, list);
        return;
    }
    if (toy->bug == TOY_LEGAL_NONE && toy->turns == 2)
        return;
    if (toy->pile_next < PILE)
        add(list, "draw");
    if (toy->bug == TOY_LEGAL_UNSORTED)
        list_takes(toy, list);
    if (toy->bug == TOY_LEGAL_LONG)
        add(list, "passing");
    add(list, toy->bug == TOY_LEGAL_BLANK ? "pass " : "pass");
    if (toy->bug == TOY_LEGAL_TWICE)
        add(list, "pass");
    if (toy->bug != TOY_LEGAL_UNSORTED)
        list_takes(toy, list);
    if (toy->bug == TOY_LEGAL_MANY) {
        add(list, "take 4");
        add(list, "take 5");
    }
    if (toy->bug == TOY_LEGAL_UNDO)
        add(list, "undo 1");
}

static bool is_legal(const struct toy *toy, unsigned seat, struct span move)
{
    char bytes[64];
    uint32_t start[8];
    uint32_t length[8];
    struct move_list list = {bytes, 0, sizeof bytes, start, length, 0, 8};
    toy_legal(&game_toy, toy, seat, &list);
    for (size_t i = 0; i < list.count; i++)
        if (span_equal(move_list_get(&list, i), move))
            return true;
    return false;
}

static bool refuse_move(struct toy *toy, struct span move, struct refusal *refusal)
{
    if (toy->bug == TOY_REFUSAL_WRITES && move.length == 0)
        toy->noise++;
    if (toy->bug == TOY_REFUSAL_SILENT)
        return false;
    if (toy->bug == TOY_REFUSAL_SHOUTS)
        return refuse(refusal, "Not_Legal", "This is not legal.");
    if (is_over(toy) && toy->bug != TOY_REFUSAL_OVER)
        return refuse(refusal, REFUSAL_GAME_OVER, "The game is over.");
    return refuse(refusal, "not-legal", "This is not legal.");
}

/* The move that a sloppy parser takes `move` for. */
static struct span misread(const struct toy *toy, struct span move)
{
    if (toy->bug == TOY_PLAY_UPPER_CASE && span_is(move, "PASS"))
        return span_of("pass");
    if (toy->bug == TOY_PLAY_PREFIX && move.length > 4 && memcmp(move.at, "pass", 4) == 0)
        return span_of("pass");
    if (toy->bug == TOY_PLAY_PAST && toy->bidding == 0 && span_is(move, "bid 1"))
        return span_of("pass");
    return move;
}

static bool accepts(const struct toy *toy, unsigned seat, struct span move)
{
    if (toy->bug == TOY_PLAY_AFTER_END && is_over(toy) && seat < toy->seats)
        return span_is(move, "pass");
    if (toy->bug == TOY_PLAY_ANY_SEAT && toy->bidding == 0 && !is_over(toy))
        seat = toy->turns % toy->seats;
    return is_legal(toy, seat, move) && !(toy->bug == TOY_PLAY_REFUSES && span_is(move, "take 3"));
}

static void bid(struct toy *toy, unsigned seat, struct span move)
{
    toy->bid[seat] = (uint8_t)(move.at[4] - '0');
    toy->bidding &= (uint8_t) ~(1u << seat);
    if (toy->bug == TOY_PLAY_LAST_BIDDER)
        toy->noise = (uint8_t)(seat + 1);
}

static void take_turn(struct toy *toy, struct span move)
{
    unsigned seat = toy->turns % toy->seats;
    bool passes = span_is(move, "pass");
    if (span_is(move, "draw")) {
        toy->last = toy->pile[toy->pile_next++];
        toy->score[seat] = (uint8_t)(toy->score[seat] + toy->last);
    } else if (!passes) {
        toy->heap = (uint8_t)(toy->heap - (move.at[5] - '0'));
        toy->score[seat] = (uint8_t)(toy->score[seat] + (move.at[5] - '0'));
    }
    bool stays = (toy->bug == TOY_QUIET_ENDLESS && passes) ||
                 (toy->bug == TOY_PLAY_TOO_LONG && !passes && toy->turns == TURNS - 1);
    if (!stays && !is_over(toy))
        toy->turns++;
}

static bool toy_play(const struct game *game, void *opaque, unsigned seat, struct span move,
                     const struct chance *chance, struct refusal *refusal)
{
    (void)game;
    struct toy *toy = opaque;
    (void)chance;
    move = misread(toy, move);
    if (!accepts(toy, seat, move))
        return refuse_move(toy, move, refusal);
    toy->last = 0;
    if (toy->bidding != 0)
        bid(toy, seat, move);
    else
        take_turn(toy, move);
    if (toy->bug == TOY_PLAY_IMPURE)
        toy->noise = (uint8_t)++impurity;
    if (toy->bug == TOY_PLAY_ADDRESS)
        toy->address = (uintptr_t)opaque;
    return true;
}

static void toy_fallback(const struct game *game, const void *opaque, unsigned seat,
                         struct text *move)
{
    (void)game;
    const struct toy *toy = opaque;
    (void)seat;
    if (toy->bug == TOY_QUIET_ILLEGAL)
        text_add(move, "sleep");
    else if (toy->bidding != 0)
        text_add(move, toy->bug == TOY_QUIET_IMPURE && impurity++ % 2 == 0 ? "bid 2" : "bid 1");
    else
        text_add(move, "pass");
}

static void toy_rekey(const struct game *game, void *opaque, unsigned epoch,
                      const struct chance *chance)
{
    (void)game;
    struct toy *toy = opaque;
    bool present[PILE + 1] = {false};
    uint8_t at = toy->pile_next;
    for (unsigned i = at; i < PILE; i++)
        present[toy->pile[i]] = true;
    for (uint8_t token = 1; token <= PILE; token++)
        if (present[token])
            toy->pile[at++] = token;
    shuffle_pile(toy, chance, epoch);
    if (toy->bug == TOY_REKEY_TOO_MUCH)
        toy->score[0]++;
}

static uint32_t toy_drawn(const struct game *game, const void *opaque)
{
    (void)game;
    const struct toy *toy = opaque;
    return toy->bug == TOY_DRAWN_SILENT ? 0 : toy->pile_next;
}

/* ---- Scores and sight ---- */

static void toy_outcome(const struct game *game, const void *opaque, struct outcome *outcome)
{
    (void)game;
    const struct toy *toy = opaque;
    memset(outcome, 0, sizeof *outcome);
    outcome->seats = toy->bug == TOY_OUTCOME_SEATS ? toy->seats + 1u : toy->seats;
    outcome->tie_breaks = 1;
    for (unsigned seat = 0; seat < toy->seats; seat++) {
        outcome->score[seat] = toy->score[seat];
        outcome->tie_break[seat][0] = toy->bidding == 0 ? toy->bid[seat] : 0;
    }
    if (toy->bug == TOY_OUTCOME_LEAKS && toy->pile_next < PILE)
        outcome->score[0] += toy->pile[toy->pile_next];
    outcome_rank(outcome);
    if (toy->bug == TOY_OUTCOME_RANK && toy->turns == 3)
        outcome->rank[0]++;
}

static json_t *numbers(const uint8_t *values, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer(values[i]));
    return list;
}

static bool sees_bid(const struct toy *toy, struct viewer viewer, unsigned seat)
{
    return toy->bidding == 0 || viewer.kind == VIEWER_AUDITOR ||
           (viewer.kind == VIEWER_SEAT && viewer.seat == seat) || toy->bug == TOY_VIEW_TELLS_BID;
}

static json_t *toy_view(const struct game *game, const void *opaque, struct viewer viewer)
{
    (void)game;
    const struct toy *toy = opaque;
    if (toy->bug == TOY_VIEW_NOTHING)
        return json_null();
    if (toy->bug == TOY_VIEW_WRITES)
        ((struct toy *)opaque)->noise++;
    uint8_t bids[SEATS];
    for (unsigned seat = 0; seat < toy->seats; seat++)
        bids[seat] = sees_bid(toy, viewer, seat) ? toy->bid[seat] : 0;
    json_t *view = json_object();
    json_object_set_new(view, "heap", json_integer(toy->heap));
    json_object_set_new(view, "turns", json_integer(toy->turns));
    json_object_set_new(view, "bids", numbers(bids, toy->seats));
    json_object_set_new(view, "scores", numbers(toy->score, toy->seats));
    json_object_set_new(view, toy->bug == TOY_VIEW_KEY ? "pileSize" : "pile_size",
                        json_integer(PILE - toy->pile_next));
    if (toy->bug == TOY_VIEW_FRACTION)
        json_object_set_new(view, "share", json_real(0.5));
    if (toy->bug == TOY_VIEW_IMPURE)
        json_object_set_new(view, "look", json_integer(impurity++));
    if (toy->bug == TOY_VIEW_LEAKS && viewer.kind == VIEWER_AUDITOR)
        json_object_set_new(view, "pile", numbers(toy->pile, PILE));
    return view;
}

static json_t *toy_events(const struct game *game, const void *before, const void *after,
                          const struct ply *ply, struct viewer viewer)
{
    (void)game;
    const struct toy *old = before;
    const struct toy *toy = after;
    if (toy->bug == TOY_EVENTS_NOTHING)
        return json_object();
    char bytes[128];
    struct text text = TEXT_OVER(bytes);
    text_add(&text, toy->bug == TOY_EVENTS_BRACE ? "{seat x}" : "{seat ");
    if (toy->bug != TOY_EVENTS_BRACE) {
        text_add_number(&text, ply->seat);
        text_add_char(&text, '}');
    }
    text_add_char(&text, ' ');
    bool secret = old->bidding != 0 && !(viewer.kind == VIEWER_SEAT && viewer.seat == ply->seat) &&
                  toy->bug != TOY_EVENTS_TELL_BID;
    text_add_span(&text, secret ? span_of("bids") : ply->move);
    json_t *event = json_object();
    if (toy->bug != TOY_EVENTS_KIND)
        json_object_set_new(event, "kind", json_string("ply"));
    json_object_set_new(event, "text", json_string(bytes));
    json_object_set_new(event, "drew", json_integer(toy->last));
    if (toy->bug == TOY_EVENTS_LEAK && toy->pile_next < PILE)
        json_object_set_new(event, "next", json_integer(toy->pile[toy->pile_next]));
    json_t *list = json_array();
    json_array_append_new(list, event);
    return list;
}

static void toy_weigh(const struct game *game, const void *opaque, unsigned seat,
                      const struct move_list *legal, int32_t *weight)
{
    (void)game;
    const struct toy *toy = opaque;
    (void)seat;
    for (size_t i = 0; i < legal->count; i++)
        weight[i] = toy->bug == TOY_ADVICE_OUTSIDE ? GAME_WEIGHT_MAX + 1 : (int32_t)i;
}

static void toy_play_best(const struct game *game, void *opaque, unsigned seat,
                          const struct chance *chance)
{
    const struct toy *toy = opaque;
    struct refusal refusal;
    struct move_list list;
    if (!move_list_init(&list, game))
        abort();
    move_list_clear(&list);
    toy_legal(game, toy, seat, &list);
    const size_t best = toy->bug == TOY_BEST_OTHER ? 0 : list.count - 1;
    (void)toy_play(game, opaque, seat, move_list_get(&list, best), chance, &refusal);
    move_list_free(&list);
}

/* ---- Worked cases ---- */

#define CASE_STATE struct toy

static bool load_turns(struct case_reader *reader, struct span rest)
{
    struct toy *toy = reader->state;
    toy->bidding = 0;
    return case_read_number(reader, rest, TURNS, &toy->turns);
}

static bool load_bug(struct case_reader *reader, struct span rest)
{
    struct toy *toy = reader->state;
    int bug = game_option_value(&game_toy, 0, rest);
    toy->bug = (uint8_t)bug;
    return bug >= 0 || case_complain(reader, "no bug:", rest);
}

static const struct case_field fields[] = {
    {"heap", .kind = CASE_NUMBER, CASE_AT(heap), .most = HEAP},
    {"turns", .load = load_turns},
    {"bug", .load = load_bug},
};

static bool toy_load(struct case_reader *reader)
{
    struct game_options chosen = {{0}};
    reader->seats = 2;
    toy_setup(reader->game, reader->state, 2, &chosen, reader->chance);
    return case_load(reader, CASE_IN_POSITION);
}

static const struct game_cases cases = {fields, sizeof fields / sizeof fields[0], "none", toy_load};

const struct game game_toy = {
    .slug = "toy",
    .title = "Toy",
    .version = "1.0.0",
    .seats_min = 2,
    .seats_max = SEATS,
    .options = options,
    .option_count = 1,
    .components = components,
    .components_end = components + sizeof components - 1,
    .components_sha256 = "d575cd67a551b6b11591dd3c88ca24e0ee8ed3922ff800e535e3e984ebe8dc8d",
    .state_size = sizeof(struct toy),
    .plies_max = SEATS + TURNS,
    .legal_max = 6, /* one more than there can be: room for a planted repetition */
    .move_max = 6,
    .setup = toy_setup,
    .deciders = toy_deciders,
    .legal = toy_legal,
    .play = toy_play,
    .fallback = toy_fallback,
    .rekey = toy_rekey,
    .drawn = toy_drawn,
    .outcome = toy_outcome,
    .view = toy_view,
    .events = toy_events,
    .weigh = toy_weigh,
    .weight_unit = 1,
    .play_best = toy_play_best,
    .cases = &cases,
};
