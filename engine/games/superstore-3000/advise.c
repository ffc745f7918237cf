/* A sensible player. It rebuilds the table from its view, tries each legal move on it, lets
 * customers settle, and takes the move with the most valuable position: final points count fully;
 * prospects (waiting customers, growing clusters, conditions nearly met, money) count in part, and
 * less towards the end. */
#include "engine/games/superstore-3000/advise.h"

#include <string.h>

#include "engine/game/view_parts.h"
#include "engine/games/superstore-3000/rules.h"
#include "engine/games/superstore-3000/score.h"

/* Rebuilds a table from a view. The view comes from the service itself, so anything missing or
 * unknown stays zero without an error; indices still stay within their bounds. */

/* A number 0 .. max; anything else is 0. */
static uint8_t number_of(const json_t *object, const char *key, unsigned max)
{
    uint8_t number = view_read_number(json_object_get(object, key));
    return number > max ? 0 : number;
}

static bool truth_of(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

static uint8_t customers_of(const json_t *object, uint8_t piece)
{
    if (superstore_is_store(piece))
        return truth_of(object, "occupied");
    const json_t *standing = json_object_get(object, "standing");
    uint8_t customers = 0;
    for (size_t i = 0; i < json_array_size(standing); i++) {
        struct span wish = view_read_text(json_array_get(standing, i));
        for (unsigned slot = 0; slot < superstore_pieces[piece].wish_count; slot++)
            if (span_equal(superstore_wishes[superstore_pieces[piece].wish[slot]], wish))
                customers = (uint8_t)(customers | 1u << slot);
    }
    return customers;
}

static void recall_mall(const json_t *player, struct superstore_mall *mall)
{
    const json_t *tiles = json_object_get(player, "mall");
    for (size_t i = 0; i < json_array_size(tiles) && mall->tiles + 1 < TILES_MAX; i++) {
        const json_t *object = json_array_get(tiles, i);
        struct superstore_tile tile = {
            .piece =
                superstore_piece_named(view_read_text(json_object_get(object, "tile")), 0, PIECES),
            .column = superstore_column_named(view_read_text(json_object_get(object, "column"))),
            .floor = number_of(object, "floor", FLOOR_MAX),
            .face = span_is(view_read_text(json_object_get(object, "face")), "back") ? BACK : FRONT,
        };
        if (tile.piece == NONE || tile.column == NONE)
            continue;
        tile.customers = customers_of(object, tile.piece);
        mall->tile[mall->tiles++] = tile;
    }
    mall->bank_notes = number_of(player, "bank_notes", UINT8_MAX);
    const json_t *card = json_object_get(player, "individual_card");
    uint8_t known = superstore_card_named(view_read_text(json_object_get(card, "card")));
    mall->card = known == NONE ? 0 : known;
}

static void recall_column(const json_t *tiles, struct superstore_state *state, unsigned column)
{
    for (size_t i = 0; i < json_array_size(tiles) && i < DISPENSER_ROWS; i++) {
        struct span tile = view_read_text(json_array_get(tiles, i));
        uint8_t piece = superstore_piece_named(tile, 0, ELEMENTS);
        if (piece != NONE)
            state->dispenser[column][state->height[column]++] = piece;
    }
}

static void recall_attractions(const json_t *list, struct superstore_state *state)
{
    for (size_t i = 0; i < json_array_size(list) && state->common_count < COMMON_MAX; i++) {
        const json_t *object = json_array_get(list, i);
        uint8_t piece = superstore_piece_named(
            view_read_text(json_object_get(object, "attraction")), FIRST_ATTRACTION + 1, PIECES);
        if (piece == NONE)
            continue;
        state->common[state->common_count++] = (struct superstore_common){
            (uint8_t)(piece - FIRST_ATTRACTION),
            span_is(view_read_text(json_object_get(object, "side")), "b"),
            truth_of(object, "built")};
    }
}

/* Bays that are not in the list of free ones belong to another seat; which one does not matter. */
static void recall_docks(const json_t *left, struct superstore_state *state)
{
    for (unsigned dock = 0; dock < DOCKS; dock++)
        state->dock_owner[dock] = 0;
    for (size_t i = 0; i < json_array_size(left); i++) {
        struct span bay = view_read_text(json_array_get(left, i));
        uint8_t piece = superstore_piece_named(bay, FIRST_DOCK, FIRST_ATTRACTION);
        if (piece != NONE)
            state->dock_owner[piece - FIRST_DOCK] = NONE;
    }
}

void superstore_read_view(const json_t *view, struct superstore_state *state)
{
    uint8_t seats = number_of(view, "seats", SEATS_MAX);
    superstore_clear(state, seats < SEATS_MIN ? SEATS_MIN : seats);
    state->first = number_of(view, "first_player", state->seats - 1);
    state->active = number_of(view, "active", state->seats - 1);
    state->point =
        span_is(view_read_text(json_object_get(view, "decision")), "serve") ? AT_SERVE : AT_ACT;
    state->last_round = truth_of(view, "last_round");
    state->bank = number_of(view, "bank", UINT8_MAX);
    state->supply_end = number_of(view, "supply", SUPPLY_MAX);
    const json_t *dispenser = json_object_get(view, "dispenser");
    recall_column(json_object_get(dispenser, "a"), state, 0);
    recall_column(json_object_get(dispenser, "b"), state, 1);
    recall_attractions(json_object_get(view, "common_attractions"), state);
    recall_docks(json_object_get(view, "docking_bays"), state);
    const json_t *players = json_object_get(view, "players");
    for (size_t seat = 0; seat < json_array_size(players) && seat < state->seats; seat++)
        recall_mall(json_array_get(players, seat), &state->mall[seat]);
}

/* All in hundredths of a point. */
enum {
    POINT = 100,
    CUSTOMER = 130,        /* a satisfied customer, for the rainbow and most conditions */
    CLUSTER_STORE = 90,    /* a store of a best cluster */
    CLUSTER_CUSTOMER = 25, /* a customer in one */
    LEAD_MAX = 4,          /* a larger lead than this is worth little more */
    PAST_LEAD = 4,         /* ... one part in this many */
    WAITING = 45,          /* a waiting customer, with many turns left */
    FREE_STORE = 15,       /* a store for a future customer, with many turns left */
    NOTE = 30,             /* a bank note */
    NOTES_USEFUL = 6,
    MET = 80, /* percent of an attraction's points for a met condition */
    NEARLY = 45,
    MANY_TURNS = 8
};

/* Turns that each seat has left, roughly. */
static int32_t turns_left(const struct superstore_state *state)
{
    int32_t turns = (state->supply_end - state->supply_next) / state->seats;
    return state->last_round ? 0 : turns + 1;
}

/* `value` in full with many turns left, nothing at the end. */
static int32_t fading(int32_t value, int32_t turns)
{
    return turns >= MANY_TURNS ? value : value * turns / MANY_TURNS;
}

/* The best merit of another seat for a balloon. */
static int32_t best_rival(const struct superstore_state *state, unsigned seat, unsigned balloon)
{
    int32_t best = 0;
    for (unsigned other = 0; other < state->seats; other++) {
        struct superstore_plan plan;
        struct superstore_merit merit;
        if (other == seat)
            continue;
        superstore_draw_plan(&state->mall[other], &plan);
        superstore_find_merit(&state->mall[other], &plan, balloon, &merit);
        best = merit.size > best ? merit.size : best;
    }
    return best;
}

/* `each` for every one of `size`, less for those beyond a safe lead. */
static int32_t worth_of_size(int32_t size, int32_t rival, int32_t each)
{
    int32_t safe = rival + LEAD_MAX;
    return size <= safe ? size * each : safe * each + (size - safe) * each / PAST_LEAD;
}

static int32_t worth_of_balloons(const struct superstore_state *state, unsigned seat)
{
    const struct superstore_mall *mall = &state->mall[seat];
    struct superstore_plan plan;
    superstore_draw_plan(mall, &plan);
    int32_t worth = 0;
    for (unsigned balloon = 0; balloon < BALLOONS; balloon++) {
        struct superstore_merit merit;
        superstore_find_merit(mall, &plan, balloon, &merit);
        int32_t each = balloon == RAINBOW ? CUSTOMER : CLUSTER_STORE;
        worth += worth_of_size(merit.size, best_rival(state, seat, balloon), each);
        worth += balloon == RAINBOW ? 0 : merit.customers * CLUSTER_CUSTOMER;
    }
    return worth;
}

static int32_t worth_of_waiting(const struct superstore_mall *mall, int32_t turns)
{
    int32_t worth = 0;
    for (unsigned i = 0; i < mall->tiles; i++) {
        const struct superstore_tile *tile = &mall->tile[i];
        if (superstore_is_store(tile->piece))
            worth += tile->customers == 0 ? FREE_STORE : 0;
        else
            for (unsigned customers = tile->customers; customers != 0; customers &= customers - 1)
                worth += WAITING;
    }
    return fading(worth, turns);
}

/* The progress of a condition, in percent: the greatest part of the number, or of the height, for
 * which it holds. */
static int32_t progress(const struct superstore_mall *mall,
                        const struct superstore_condition *condition)
{
    struct superstore_condition part = *condition;
    for (; part.count > 0; part.count--)
        if (superstore_holds(mall, &part))
            return 100 * part.count / condition->count;
    part.count = 1;
    for (; part.min_floor > 1; part.min_floor--)
        if (superstore_holds(mall, &part))
            return 100 * part.min_floor / condition->min_floor / condition->count;
    return 0;
}

static int32_t worth_of_condition(const struct superstore_mall *mall,
                                  const struct superstore_condition *condition, int32_t points,
                                  int32_t turns)
{
    int32_t part = progress(mall, condition);
    if (turns == 0)
        return 0;
    if (part == 100)
        return points * MET;
    return fading(points * NEARLY * part / 100 * part / 100, turns);
}

static int32_t worth_of_conditions(const struct superstore_state *state, unsigned seat,
                                   int32_t turns)
{
    const struct superstore_mall *mall = &state->mall[seat];
    int32_t worth = 0;
    for (unsigned i = 0; i < state->common_count; i++) {
        const struct superstore_common *common = &state->common[i];
        const struct superstore_attraction *attraction =
            &superstore_attractions[common->attraction];
        if (!common->built)
            worth += worth_of_condition(mall, &attraction->side[common->side], attraction->points,
                                        turns);
    }
    if (!superstore_has_night_club(mall))
        worth += worth_of_condition(mall, &superstore_cards[mall->card].condition,
                                    superstore_attractions[0].points, turns);
    return worth;
}

int32_t superstore_worth(const struct superstore_state *state, unsigned seat)
{
    const struct superstore_mall *mall = &state->mall[seat];
    int32_t turns = turns_left(state);
    int32_t notes = mall->bank_notes < NOTES_USEFUL ? mall->bank_notes : NOTES_USEFUL;
    return POINT * (superstore_attraction_points(mall) + superstore_dock_points(mall)) +
           worth_of_balloons(state, seat) + worth_of_waiting(mall, turns) +
           worth_of_conditions(state, seat, turns) + fading(notes * NOTE, turns);
}

/* Makes the move, and the fallback choices that may follow. False if the rebuilt table does not
 * accept the move. */
static bool try_move(struct superstore_state *state, unsigned seat, struct span move)
{
    static const struct chance none;
    struct refusal refusal;
    if (!superstore_play(state, seat, move, &none, &refusal))
        return false;
    while (state->point == AT_SERVE) {
        char bytes[GAME_MOVE_MAX + 1];
        struct text quiet = TEXT_OVER(bytes);
        superstore_fallback(state, state->active, &quiet);
        if (!superstore_play(state, state->active, text_span(&quiet), &none, &refusal))
            return false;
    }
    return true;
}

size_t superstore_advise(const json_t *view, const struct move_list *legal)
{
    struct superstore_state table;
    superstore_read_view(view, &table);
    unsigned seat = table.active;
    size_t best = 0;
    int32_t best_worth = INT32_MIN;
    for (size_t i = 0; i < legal->count; i++) {
        struct superstore_state state = table;
        if (!try_move(&state, seat, move_list_get(legal, i)))
            continue;
        int32_t worth = superstore_worth(&state, seat);
        if (worth > best_worth) {
            best_worth = worth;
            best = i;
        }
    }
    return best;
}
