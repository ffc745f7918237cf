/* Views and events of Supermarché hold nothing hidden: two positions that differ only in cards face
 * down, in the deck or in coming dice look the same, and everything on the table shows. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/supermarche/luck.h"
#include "tests/engine/games/supermarche/supermarche_position.h"
#include "tests/engine/support/sight.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;

static const struct viewer viewers[] = {
    {VIEWER_SEAT, 0}, {VIEWER_SPECTATOR, 0}, {VIEWER_AUDITOR, 0}};

enum { VIEWERS = sizeof viewers / sizeof viewers[0] };

FIXTURE(start_up)
{
    return sodium_init() < 0;
}

static bool same_view(const struct supermarche_state *a, const struct supermarche_state *b,
                      struct viewer viewer)
{
    return is_same_view(game, a, b, viewer);
}

static char *print_events(const struct supermarche_state *before,
                          const struct supermarche_state *after, const char *move,
                          struct viewer viewer)
{
    const struct ply ply = {0, span_of(move)};
    return print_json(supermarche_events(game, before, after, &ply, viewer));
}

static const char table[] = "round 3\n"
                            "money 20\n"
                            "row rory/done lesley/up mo/up donna/down melanie/discarded\n"
                            "store dairy r5:3; dry-goods r6:2\n"
                            "stock frozen never:2\n"
                            "restocked yes\n"
                            "dice lesley 1,1 3,4";

TEST(test_views_hide_cards_and_dice)
{
    struct position position;
    load_position(&position, table);
    struct supermarche_state a = position.state;
    struct supermarche_state b = a;
    b.deck[13] = a.deck[20]; /* donna, face down */
    b.deck[14] = a.deck[13]; /* melanie, discarded */
    b.deck[20] = a.deck[14];
    b.costs[3] = a.costs[5];
    b.costs[5] = a.costs[3];
    b.epoch = 4;
    b.dice_words[7] = 2;
    b.dice_ahead = 2;
    b.ahead[DICE_AHEAD - 2] = 3;
    b.ahead[DICE_AHEAD - 1] = 4;
    assert_memory_not_equal(&a, &b, sizeof a);
    for (size_t i = 0; i < VIEWERS; i++)
        assert_true(same_view(&a, &b, viewers[i]));
}

TEST(test_names_of_hidden_cards_stand_among_the_unseen_only)
{
    struct position position;
    load_position(&position, table);
    for (size_t i = 0; i < VIEWERS; i++) {
        json_t *view = supermarche_view(game, &position.state, viewers[i]);
        const json_t *row = json_object_get(view, "row");
        assert_true(json_is_null(json_object_get(json_array_get(row, 3), "customer")));
        assert_true(json_is_null(json_object_get(json_array_get(row, 4), "customer")));
        assert_string_equal(json_string_value(json_object_get(json_array_get(row, 1), "customer")),
                            "lesley");
        assert_true(json_is_null(json_object_get(view, "customers_discarded")));
        /* 15 in the deck, donna and melanie */
        assert_int_equal(json_array_size(json_object_get(view, "customers_unseen")), 17);
        assert_int_equal(json_array_size(json_object_get(view, "cost_cards_to_come")), 3);
        char *text = print_json(view);
        const char *first = strstr(text, "donna");
        assert_non_null(first);
        assert_null(strstr(first + 1, "donna"));
        free(text);
    }
}

TEST(test_discarded_cards_show_at_the_end)
{
    struct position position;
    load_position(&position, "round 6\nmoney 3\nused dairy bakery frozen\nrestocked yes\n"
                             "row rory/up stu/done mo/done donna/done melanie/discarded\n"
                             "dice rory 6,1");
    assert_int_equal(position.state.point, AT_OVER);
    for (size_t i = 0; i < VIEWERS; i++) {
        json_t *view = supermarche_view(game, &position.state, viewers[i]);
        const json_t *card = json_array_get(json_object_get(view, "row"), 4);
        const json_t *discarded = json_object_get(view, "customers_discarded");
        const json_t *outcome = json_array_get(json_object_get(view, "outcome"), 0);
        assert_true(json_is_true(json_object_get(view, "over")));
        assert_true(json_is_null(json_object_get(view, "decision")));
        assert_int_equal(json_array_size(json_object_get(view, "deciders")), 0);
        assert_string_equal(json_string_value(json_object_get(card, "customer")), "melanie");
        assert_int_equal(json_array_size(discarded), 1);
        assert_int_equal(json_integer_value(json_object_get(outcome, "score")), -1);
        assert_string_equal(json_string_value(json_object_get(outcome, "level")), "defeat");
        assert_string_equal(json_string_value(json_object_get(outcome, "result")), "bankrupt");
        assert_int_equal(json_array_size(json_object_get(view, "customers_unseen")), 0);
        json_decref(view);
    }
}

/* The names in a list of the view, "" if it is null. */
static void assert_list(const struct supermarche_state *state, const char *list,
                        const char *expected)
{
    char bytes[1000];
    struct text names = TEXT_OVER(bytes);
    json_t *view = supermarche_view(game, state, viewers[1]);
    json_t *name;
    size_t i;
    json_array_foreach(json_object_get(view, list), i, name)
    {
        text_add(&names, i > 0 ? " " : "");
        text_add(&names, json_string_value(name));
    }
    json_decref(view);
    assert_string_equal(bytes, expected);
}

/* A card sent away that was no longer among the unseen would be known by what is missing there. */
TEST(test_a_card_sent_away_stays_among_the_unseen)
{
    struct position position;
    load_position(&position, "round 6\nmoney 20\nused dairy bakery frozen\n"
                             "store dry-goods r6:1\nstock dairy r6:1\n"
                             "row rory/up stu/up lesley/up mo/done melanie/down\n"
                             "dice rory 1,1\ndice stu 1,1\ndice lesley 6,6");
    assert_list(&position.state, "customers_unseen", "melanie");
    play_moves(&position, "serve rory | restock");
    assert_list(&position.state, "customers_unseen", "melanie");
    assert_list(&position.state, "customers_discarded", "");
    play_moves(&position, "serve stu");
    assert_int_equal(position.state.point, AT_OVER);
    assert_list(&position.state, "customers_unseen", "");
    assert_list(&position.state, "customers_discarded", "melanie");
}

TEST(test_views_show_what_lies_open)
{
    static const char *const changes[] = {
        "money 1",
        "round 2",
        "store dairy r3:1",
        "store dairy r4:1",
        "stock dairy r4:1",
        "cards dairy:1",
        "row stu mo rory donna melanie",
        "row stu rory mo/up donna melanie",
        "row stu rory mo/discarded donna melanie",
        "cost cost-2",
        "sale dairy",
        "used dairy",
        "restocked yes",
        "at SALE",
    };
    struct position plain;
    load_position(&plain, "");
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct position changed;
        load_position(&changed, changes[i]);
        for (size_t j = 0; j < VIEWERS; j++)
            if (same_view(&plain.state, &changed.state, viewers[j]))
                fail_msg("`%s` does not show", changes[i]);
    }
}

TEST(test_view_of_a_payment)
{
    struct position position;
    load_position(&position, "round 2\nmoney 10\nsale bakery\n"
                             "store bakery r3:2; dairy r4:2; frozen never:3\n"
                             "row ryan lesley mo donna melanie\ndice ryan 4,2");
    play_moves(&position, "serve ryan | initial take");
    json_t *view = supermarche_view(game, &position.state, viewers[0]);
    const json_t *trip = json_object_get(view, "trip");
    const json_t *coupon = json_object_get(trip, "coupon");
    assert_string_equal(json_string_value(json_object_get(view, "decision")), "pay");
    assert_string_equal(json_string_value(json_object_get(trip, "customer")), "ryan");
    assert_int_equal(json_integer_value(json_object_get(trip, "space")), 2);
    assert_int_equal(json_integer_value(json_object_get(trip, "bought")), 1);
    assert_int_equal(json_integer_value(json_object_get(trip, "takings")), 3);
    assert_int_equal(json_array_size(json_object_get(json_object_get(trip, "normal"), "foods")), 1);
    assert_int_equal(json_array_size(json_object_get(coupon, "foods")), 2);
    assert_true(json_is_true(json_object_get(coupon, "available")));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(view, "prices"), "bakery")),
                     3);
    json_decref(view);
}

/* ---- Events ---- */

/* One after another, the kinds of events that `moves` bring about in their last ply. */
static void assert_kinds(const char *set_up, const char *moves, const char *last,
                         const char *expected)
{
    struct position position;
    char bytes[1000];
    struct text kinds = TEXT_OVER(bytes);
    load_position(&position, set_up);
    play_moves(&position, moves);
    struct supermarche_state before = position.state;
    play_moves(&position, last);
    const struct ply ply = {0, span_of(last)};
    json_t *events = supermarche_events(game, &before, &position.state, &ply, viewers[1]);
    json_t *event;
    size_t i;
    json_array_foreach(events, i, event)
    {
        text_add(&kinds, i > 0 ? " " : "");
        text_add(&kinds, json_string_value(json_object_get(event, "kind")));
    }
    json_decref(events);
    assert_string_equal(bytes, expected);
}

TEST(test_events_of_deliveries)
{
    static const char full[] = "at DELIVERY\nround 3\nmoney 9\ncost cost-1\n"
                               "store frozen never:4; dry-goods r4:10\nstock bakery r3:2";
    assert_kinds(full, "", "buy produce 1", "buy");
    assert_kinds(full, "", "buy done", "phase_end");
    assert_kinds(full, "buy done", "stock bakery r3 1", "stock phase_end");
    assert_kinds(full, "buy done | stock bakery r3 1", "sale dairy", "sale");
    assert_kinds(full, "buy done | stock bakery r3 1", "sale none", "no_sale");
}

TEST(test_events_of_trips)
{
    static const char trip[] = "round 2\nmoney 10\nsale bakery\nstock frozen never:1\n"
                               "store bakery r3:3; dairy r4:2; frozen never:1\n"
                               "row ryan rory mo donna melanie\n"
                               "dice ryan 4,2 1,2\ndice rory 6,1";
    assert_kinds(trip, "", "serve ryan", "serve");
    assert_kinds(trip, "serve ryan", "initial skip", "initial_skip roll");
    assert_kinds(trip, "serve ryan", "initial take", "sell");
    assert_kinds(trip, "serve ryan | initial take", "roll", "roll");
    assert_kinds(trip, "serve ryan | initial take | roll", "pay coupon",
                 "sell sell coupon complete");
    assert_kinds(trip, "serve ryan | initial take | roll | pay coupon", "next", "next flip");
    assert_kinds(trip, "serve ryan | initial take | roll | pay coupon", "restock",
                 "discard_unseen auto_stock phase_end flip");
    assert_kinds(trip, "serve ryan | initial take", "restock", "leave auto_stock phase_end flip");
    assert_kinds(trip, "serve ryan | initial skip | pay normal", "roll", "roll fail");
}

TEST(test_events_of_a_new_round)
{
    static const char last[] =
        "round 3\nmoney 10\nnext-cost cost-4\nnext-row stu dave zoe amy phil\n"
        "store dry-goods r6:1; dairy r3:1; bakery r3:2\n"
        "row rory/up lesley/done mo/up donna/done melanie/done\n"
        "dice rory 1,1\ndice mo 2,2";
    assert_kinds(last, "", "serve rory",
                 "serve roll sell complete serve roll fail return expire expire waste deal flip "
                 "flip cost_card");
    static const char end[] = "round 6\nmoney 0\nused dairy bakery produce\n"
                              "row rory/up lesley/done mo/up donna/done melanie/done\n"
                              "dice rory 1,1\ndice mo 2,2";
    assert_kinds(end, "", "serve rory", "serve roll fail game_over");
    static const char one_cube[] = "round 6\nmoney 20\nused dairy bakery produce\n"
                                   "store dairy r6:1\ndice stu 1,1\n"
                                   "row stu/up lesley/done mo/up donna/done melanie/done\n"
                                   "dice mo 6,6";
    assert_kinds(one_cube, "", "serve mo",
                 "serve roll fail serve roll fail expire waste game_over");
    static const char nothing[] = "round 6\nmoney 20\nused dairy bakery produce\n"
                                  "dice stu 1,1\ndice mo 6,6\n"
                                  "row stu/up lesley/done mo/up donna/done melanie/done";
    assert_kinds(nothing, "", "serve mo", "serve roll fail serve roll fail game_over");
}

TEST(test_events_in_words)
{
    struct position position;
    load_position(&position, "at DELIVERY\nround 3\nmoney 9\ncost cost-1");
    struct supermarche_state before = position.state;
    play_moves(&position, "buy bakery 3");
    char *text = print_events(&before, &position.state, "buy bakery 3", viewers[0]);
    assert_string_equal(text, "[{\"cost\":6,\"cubes\":3,\"food\":\"bakery\",\"kind\":\"buy\","
                              "\"seat\":0,\"text\":\"{seat 0} buys 3 Bakery for $6.\"}]");
    free(text);
}

/* A restock between customers names neither the card that goes nor those that stay face down. */
TEST(test_events_hide_cards)
{
    static const char position_text[] = "round 3\nmoney 20\nstore dry-goods r6:1\n"
                                        "stock dairy r5:1; bakery r5:1\n"
                                        "row rory lesley mo donna melanie\ndice rory 1,1";
    struct position position;
    load_position(&position, position_text);
    play_moves(&position, "serve rory");
    struct supermarche_state one = position.state;
    struct supermarche_state two = one;
    two.deck[13] = one.deck[14];
    two.deck[14] = one.deck[13];
    struct supermarche_state before_one = one;
    struct supermarche_state before_two = two;
    struct refusal refusal;
    assert_true(supermarche_play(game, &one, 0, span_of("restock"), &position.chance, &refusal));
    assert_true(supermarche_play(game, &two, 0, span_of("restock"), &position.chance, &refusal));
    for (size_t i = 0; i < VIEWERS; i++) {
        char *first = print_events(&before_one, &one, "restock", viewers[i]);
        char *second = print_events(&before_two, &two, "restock", viewers[i]);
        assert_string_equal(first, second);
        assert_null(strstr(first, "melanie"));
        assert_null(strstr(first, "donna"));
        free(first);
        free(second);
    }
}

int main(void)
{
    game = catalog_newest(span_of("supermarche"));
    return run_all_tests(start_up, NULL);
}
