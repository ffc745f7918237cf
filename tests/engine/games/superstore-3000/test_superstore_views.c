/* Views and events of Superstore 3000 hold nothing hidden: positions that differ only in what a
 * viewer may not know look the same to that viewer. And they hold enough: a seat can set the table
 * up again from its view and finds the moves that it has. */
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/superstore-3000/rules.h"
#include "tests/engine/support/position.h"
#include "tests/engine/support/sight.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct superstore_components *set;

static const char table[] = "seats 3\n"
                            "notes 3 5 7\n"
                            "common escape-room:a aquarium:b\n"
                            "card 0 high-element\n"
                            "card 1 customer-floor\n"
                            "card 2 element-column\n"
                            "mall 1 main-1 -\n"
                            "el 1 m1 2 gym *\n"
                            "el 1 m2 2 apparel *\n"
                            "dk 1 gray-plain l1\n"
                            "el 1 l1 2 grocery *\n"
                            "supply gym apparel grocery theater";

static bool same_view(const struct superstore_state *a, const struct superstore_state *b,
                      enum viewer_kind kind, unsigned seat)
{
    return is_same_view(game, a, b, (struct viewer){kind, seat});
}

static void play(struct superstore_state *state, unsigned seat, const char *move)
{
    struct chance chance = {.stacks = NULL};
    struct refusal refusal = {"", ""};
    if (!superstore_play(game, state, seat, span_of(move), &chance, &refusal))
        fail_msg("%s was refused: %s", move, refusal.code);
}

TEST(test_nobody_sees_the_supply)
{
    struct superstore_state a;
    LOAD_POSITION(game, &a, table);
    struct superstore_state b = a;
    b.supply[0] = a.supply[3];
    b.supply[3] = a.supply[0];
    assert_true(same_view(&a, &b, VIEWER_SPECTATOR, 0));
    assert_true(same_view(&a, &b, VIEWER_AUDITOR, 0));
    for (unsigned seat = 0; seat < 3; seat++)
        assert_true(same_view(&a, &b, VIEWER_SEAT, seat));
}

TEST(test_a_card_is_seen_by_its_seat)
{
    struct superstore_state a;
    LOAD_POSITION(game, &a, table);
    struct superstore_state b = a;
    b.mall[1].card = superstore_card_named(set, span_of("high-customer"));
    assert_true(same_view(&a, &b, VIEWER_SPECTATOR, 0));
    assert_true(same_view(&a, &b, VIEWER_SEAT, 0));
    assert_true(same_view(&a, &b, VIEWER_SEAT, 2));
    assert_false(same_view(&a, &b, VIEWER_SEAT, 1));
    assert_false(same_view(&a, &b, VIEWER_AUDITOR, 0));
}

TEST(test_a_night_club_reveals_its_card_only)
{
    struct superstore_state a;
    LOAD_POSITION(game, &a, table);
    play(&a, 0, "money a");
    play(&a, 1, "attract night-club front m2 3");
    struct superstore_state b = a;
    b.mall[1].card = superstore_card_named(set, span_of("high-customer"));
    assert_false(same_view(&a, &b, VIEWER_SPECTATOR, 0));
    b = a;
    b.mall[2].card = superstore_card_named(set, span_of("high-customer"));
    assert_true(same_view(&a, &b, VIEWER_SPECTATOR, 0));
    assert_true(same_view(&a, &b, VIEWER_SEAT, 1));
}

TEST(test_all_cards_are_public_at_the_end)
{
    struct superstore_state a;
    LOAD_POSITION(game, &a, table);
    a.last_round = 1;
    play(&a, 0, "money a");
    play(&a, 1, "money a");
    struct superstore_state b = a;
    b.mall[2].card = superstore_card_named(set, span_of("high-customer"));
    assert_true(same_view(&a, &b, VIEWER_SPECTATOR, 0));
    play(&a, 2, "money a");
    play(&b, 2, "money a");
    assert_false(same_view(&a, &b, VIEWER_SPECTATOR, 0));
    json_t *view = superstore_view(game, &a, (struct viewer){VIEWER_SPECTATOR, 0});
    assert_int_equal(json_array_size(json_object_get(view, "cards_not_dealt")), 3);
    const json_t *players = json_object_get(view, "players");
    for (unsigned seat = 0; seat < 3; seat++)
        assert_true(
            json_is_object(json_object_get(json_array_get(players, seat), "individual_card")));
    assert_int_equal(json_array_size(json_object_get(view, "outcome")), 3);
    json_decref(view);
}

static json_t *events_of(struct superstore_state *state, unsigned seat, const char *move,
                         enum viewer_kind kind, unsigned viewer)
{
    struct superstore_state before = *state;
    play(state, seat, move);
    struct ply ply = {seat, span_of(move)};
    return superstore_events(game, &before, state, &ply, (struct viewer){kind, viewer});
}

static void assert_event(const json_t *events, size_t i, const char *kind, const char *text)
{
    const json_t *event = json_array_get(events, i);
    assert_non_null(event);
    assert_string_equal(json_string_value(json_object_get(event, "kind")), kind);
    assert_string_equal(json_string_value(json_object_get(event, "text")), text);
}

TEST(test_events_of_a_build)
{
    struct superstore_state state;
    LOAD_POSITION(game, &state,
                  "a apparel entrance-12\nsupply theater\nmall 0 main-1 -\nel 0 m1 2 gym");
    json_t *events = events_of(&state, 0, "build a2 m2 2", VIEWER_SPECTATOR, 0);
    assert_int_equal(json_array_size(events), 5);
    assert_event(events, 0, "element_built",
                 "{seat 0} builds Entrance 12 at m2 on floor 2 for 1 bank note.");
    assert_event(events, 1, "customer_satisfied",
                 "{seat 0}: a customer goes from m2 on floor 2 to Gym at m1 on floor 2.");
    assert_event(events, 2, "dispenser_refilled", "Dispenser column a is refilled with Theater.");
    assert_event(events, 3, "last_round", "The supply is empty: the game ends with this round.");
    assert_event(events, 4, "turn_begins", "It is {seat 1}'s turn.");
    json_decref(events);
}

TEST(test_events_of_a_choice)
{
    struct superstore_state state;
    LOAD_POSITION(game, &state,
                  "a entrance-12\nsupply -\nmall 0 main-1 -\nel 0 m1 2 gym\nel 0 m2 2 gym");
    json_t *events = events_of(&state, 0, "build a1 m1 3", VIEWER_SEAT, 1);
    assert_int_equal(json_array_size(events), 2);
    assert_event(events, 1, "choice", "{seat 0} has to choose where a customer goes.");
    json_decref(events);
    json_t *view = superstore_view(game, &state, (struct viewer){VIEWER_SPECTATOR, 0});
    const json_t *choice = json_object_get(view, "choice");
    assert_int_equal(json_array_size(choice), 1);
    assert_int_equal(json_array_size(json_object_get(json_array_get(choice, 0), "stores")), 2);
    json_decref(view);
    events = events_of(&state, 0, "serve m1 3 gym m2 2", VIEWER_SEAT, 1);
    assert_int_equal(json_array_size(events), 2);
    assert_event(events, 0, "customer_satisfied",
                 "{seat 0}: a customer goes from m1 on floor 3 to Gym at m2 on floor 2.");
    json_decref(events);
}

TEST(test_events_of_attractions_and_bays)
{
    struct superstore_state state;
    LOAD_POSITION(game, &state, table);
    play(&state, 0, "money a");
    json_t *events = events_of(&state, 1, "attract night-club front m2 3", VIEWER_SEAT, 0);
    assert_int_equal(json_array_size(events), 3);
    assert_event(events, 0, "attraction_built",
                 "{seat 1} builds the attraction Night Club at m2 on floor 3, worth 6 points.");
    assert_event(events, 1, "card_revealed",
                 "{seat 1} reveals the individual card: 3 satisfied customers on one floor.");
    json_decref(events);
    LOAD_POSITION(game, &state,
                  "el 0 m1 2 book-store\nel 0 m1 3 grocery\nel 0 m1 4 apparel\n"
                  "el 0 m1 5 entrance-03 -");
    events = events_of(&state, 0, "dock gray-food r1", VIEWER_AUDITOR, 0);
    assert_event(events, 0, "docking_bay_built",
                 "{seat 0} builds a docking bay at r1: Gray Docking Bay (Food Court).");
    json_decref(events);
}

TEST(test_events_of_money_and_the_end)
{
    struct superstore_state state;
    LOAD_POSITION(game, &state, "turn 1\nbank 5\na gym theater apparel gym\nsupply -\ntrigger yes");
    json_t *events = events_of(&state, 1, "money a", VIEWER_SPECTATOR, 0);
    assert_int_equal(json_array_size(events), 2);
    assert_event(events, 0, "money_taken", "{seat 1} takes Gym as money: 3 bank notes.");
    assert_event(events, 1, "game_over", "The game is over.");
    assert_int_equal(json_array_size(json_object_get(json_array_get(events, 1), "cards")), 2);
    json_decref(events);
    /* The second reason for the end is not told. */
    LOAD_POSITION(game, &state, "turn 1\nsupply gym\ntrigger yes");
    events = events_of(&state, 1, "money a", VIEWER_SPECTATOR, 0);
    assert_int_equal(json_array_size(events), 3);
    assert_string_equal(json_string_value(json_object_get(json_array_get(events, 1), "kind")),
                        "dispenser_refilled");
    assert_event(events, 2, "game_over", "The game is over.");
    json_decref(events);
}

TEST(test_events_hide_cards)
{
    struct superstore_state a;
    LOAD_POSITION(game, &a, table);
    struct superstore_state b = a;
    b.mall[0].card = superstore_card_named(set, span_of("high-customer"));
    json_t *first = events_of(&a, 0, "money a", VIEWER_SEAT, 1);
    json_t *second = events_of(&b, 0, "money a", VIEWER_SEAT, 1);
    assert_true(json_equal(first, second));
    json_decref(first);
    json_decref(second);
}

int main(void)
{
    game = catalog_newest(span_of("superstore-3000"));
    set = game->set;
    return run_all_tests(NULL, NULL);
}
