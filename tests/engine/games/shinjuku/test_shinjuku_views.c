/* Views and events of Shinjuku hold nothing hidden: two positions that differ only in what a viewer
 * may not know look the same to that viewer, and different to those who may know it. */
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/shinjuku/rules.h"
#include "tests/engine/support/position.h"
#include "tests/engine/support/sight.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;
static const struct shinjuku_components *set;

static const char table[] = "seats 3\n"
                            "hand 0 kita ota ota\n"
                            "hand 1 koto minato\n"
                            "customers 0 food books\n"
                            "customers 1 clothing electronics\n"
                            "store tokyo 0 food ueno 1 books\n"
                            "track 0 akihabara tokyo\n"
                            "ward chiyoda food books-2";

static bool same_view(const struct shinjuku_state *a, const struct shinjuku_state *b,
                      enum viewer_kind kind, unsigned seat)
{
    return is_same_view(game, a, b, (struct viewer){kind, seat});
}

TEST(test_views_hide_the_order_of_piles)
{
    struct shinjuku_state a;
    LOAD_POSITION(game, &a, table);
    struct shinjuku_state b = a;
    b.deck[b.deck_next] = a.deck[a.deck_end - 1];
    b.deck[b.deck_end - 1] = a.deck[a.deck_next];
    b.bag[b.bag_next] = a.bag[a.bag_end - 1];
    b.bag[b.bag_end - 1] = a.bag[a.bag_next];
    b.deck_words += 7;
    assert_memory_not_equal(&a, &b, sizeof a);
    assert_true(same_view(&a, &b, VIEWER_SPECTATOR, 0));
    assert_true(same_view(&a, &b, VIEWER_AUDITOR, 0));
    for (unsigned seat = 0; seat < 3; seat++)
        assert_true(same_view(&a, &b, VIEWER_SEAT, seat));
}

TEST(test_views_hide_rival_hands)
{
    struct shinjuku_state a;
    LOAD_POSITION(game, &a, table);
    struct shinjuku_state b = a;
    uint8_t koto = shinjuku_ward_named(set, span_of("koto"));
    b.hand[1][koto]--;
    b.hand[1][b.deck[b.deck_next]]++;
    b.deck[b.deck_next] = koto;
    assert_true(same_view(&a, &b, VIEWER_SPECTATOR, 0));
    assert_true(same_view(&a, &b, VIEWER_SEAT, 0));
    assert_true(same_view(&a, &b, VIEWER_SEAT, 2));
    assert_false(same_view(&a, &b, VIEWER_SEAT, 1));
    assert_false(same_view(&a, &b, VIEWER_AUDITOR, 0));
}

TEST(test_views_hide_rival_collections)
{
    struct shinjuku_state a;
    LOAD_POSITION(game, &a, table);
    struct shinjuku_state b = a;
    memcpy(b.earned[0], a.earned[1], sizeof b.earned[0]);
    memcpy(b.earned[1], a.earned[0], sizeof b.earned[1]);
    assert_true(same_view(&a, &b, VIEWER_SPECTATOR, 0));
    assert_true(same_view(&a, &b, VIEWER_SEAT, 2));
    assert_false(same_view(&a, &b, VIEWER_SEAT, 0));
    assert_false(same_view(&a, &b, VIEWER_SEAT, 1));
    assert_false(same_view(&a, &b, VIEWER_AUDITOR, 0));
}

TEST(test_views_show_what_lies_open)
{
    static const char *const changes[] = {
        "store shibuya 2 food",
        "ward kita food",
        "track 2 komagome oji",
        "bonus 2 1",
        "first 2 1",
        "matsuri kita",
        "final yes",
        "discard kita",
        "queue 3 kita",
        "supply 2 track=3",
        "used open",
        "upgrades 3",
        "hand 2 kita",
        "at 1 action 1",
        "at 0 action 2",
        "bag only none",
    };
    check_seen(game, "seats 3\n", changes, sizeof changes / sizeof changes[0]);
}

TEST(test_views_show_the_bonus_stacks_that_are_left)
{
    static const struct {
        const char *position;
        size_t left;
    } cases[] = {{"upgrades 2", 4}, {"upgrades 7", 0}, {"option advanced on\nupgrades 2", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct shinjuku_state state;
        LOAD_POSITION(game, &state, cases[i].position);
        json_t *view = shinjuku_view(game, &state, (struct viewer){VIEWER_SPECTATOR, 0});
        assert_int_equal(json_array_size(json_object_get(view, "bonus_stacks")), cases[i].left);
        json_decref(view);
    }
}

static void play(struct shinjuku_state *state, const char *move)
{
    struct chance chance = {.stacks = NULL};
    struct refusal refusal = {"", ""};
    if (!shinjuku_play(game, state, state->active, span_of(move), &chance, &refusal))
        fail_msg("%s was refused: %s", move, refusal.code);
}

TEST(test_views_show_an_action_in_progress)
{
    struct shinjuku_state state;
    LOAD_POSITION(game, &state, "hand 0 kita ota\nward kita food books\ntrack 1 komagome oji");
    play(&state, "move oji");
    json_t *view = shinjuku_view(game, &state, (struct viewer){VIEWER_SPECTATOR, 0});
    const json_t *pending = json_object_get(view, "pending");
    assert_string_equal(json_string_value(json_object_get(view, "decision")), "pay");
    assert_string_equal(json_string_value(json_object_get(pending, "action")), "move");
    assert_true(json_is_null(json_object_get(view, "movement")));
    json_decref(view);

    play(&state, "pay kita");
    play(&state, "step komagome");
    assert_int_equal(state.point, AT_ACTION); /* only `stop` was left, so the MOVE is over */

    LOAD_POSITION(game, &state,
                  "hand 0 kita\nward kita food books\n"
                  "track 1 komagome oji ikebukuro komagome");
    play(&state, "move oji");
    play(&state, "step komagome");
    view = shinjuku_view(game, &state, (struct viewer){VIEWER_SPECTATOR, 0});
    const json_t *movement = json_object_get(view, "movement");
    assert_string_equal(json_string_value(json_object_get(movement, "station")), "komagome");
    assert_int_equal(json_array_size(json_object_get(movement, "visited")), 2);
    assert_int_equal(json_object_size(json_object_get(movement, "customers")), 2);
    const json_t *income = json_object_get(movement, "income_for");
    assert_int_equal(json_array_size(income), 1);
    assert_int_equal(json_integer_value(json_array_get(income, 0)), 1);
    json_decref(view);
}

/* Own track and the permanent connection bring nobody an income. */
TEST(test_views_name_rivals_only_for_an_income)
{
    struct shinjuku_state state;
    LOAD_POSITION(game, &state,
                  "hand 0 shinjuku\nward shinjuku food\ntrack 0 shinjuku yotsuya\n"
                  "track 1 shibuya yoyogi");
    play(&state, "move yotsuya");
    play(&state, "step shinjuku");
    play(&state, "step yoyogi");
    json_t *view = shinjuku_view(game, &state, (struct viewer){VIEWER_SEAT, 0});
    const json_t *movement = json_object_get(view, "movement");
    assert_int_equal(json_array_size(json_object_get(movement, "visited")), 3);
    assert_int_equal(json_array_size(json_object_get(movement, "income_for")), 0);
    json_decref(view);
}

TEST(test_everything_is_open_at_the_end)
{
    struct shinjuku_state state;
    LOAD_POSITION(game, &state, table);
    state.point = AT_OVER;
    char *spectator = print_json(shinjuku_view(game, &state, (struct viewer){VIEWER_SPECTATOR, 0}));
    char *auditor = print_json(shinjuku_view(game, &state, (struct viewer){VIEWER_AUDITOR, 0}));
    assert_string_equal(spectator, auditor);
    free(auditor);
    free(spectator);
    json_t *view = shinjuku_view(game, &state, (struct viewer){VIEWER_SPECTATOR, 0});
    assert_int_equal(json_array_size(json_object_get(view, "outcome")), 3);
    for (size_t seat = 0; seat < 3; seat++) {
        const json_t *player = json_array_get(json_object_get(view, "players"), seat);
        assert_non_null(json_object_get(player, "hand"));
        assert_non_null(json_object_get(player, "customers"));
        assert_non_null(json_object_get(player, "score"));
    }
    json_decref(view);
}

/* The events of `move`, made by seat 0 in the position. */
static json_t *events_of(const char *position, const char *move, struct viewer viewer)
{
    struct shinjuku_state before;
    LOAD_POSITION(game, &before, position);
    struct shinjuku_state after = before;
    struct ply ply = {0, span_of(move)};
    play(&after, move);
    return shinjuku_events(game, &before, &after, &ply, viewer);
}

static void check_income(struct viewer viewer, bool sees)
{
    json_t *events = events_of("deck kita minato nerima toshima", "income", viewer);
    const json_t *income = find_event(events, "income");
    assert_non_null(income);
    assert_int_equal(json_integer_value(json_object_get(income, "count")), 4);
    assert_int_equal(json_array_size(json_object_get(income, "cards")), sees ? 4 : 0);
    const char *sentence = json_string_value(json_object_get(income, "text"));
    assert_int_equal(strstr(sentence, "Minato") != NULL, sees);
    assert_non_null(strstr(sentence, "{seat 0}"));
    char *all = json_dumps(events, 0);
    assert_int_equal(strstr(all, "inato") != NULL, sees);
    free(all);
    json_decref(events);
}

TEST(test_events_name_drawn_cards_to_their_owner)
{
    check_income((struct viewer){VIEWER_SPECTATOR, 0}, false);
    check_income((struct viewer){VIEWER_SEAT, 0}, true);
    check_income((struct viewer){VIEWER_SEAT, 1}, false);
    check_income((struct viewer){VIEWER_AUDITOR, 0}, true);
}

static void check_kinds(const char *position, const char *move, const char *expected)
{
    char bytes[400];
    struct text kinds = TEXT_OVER(bytes);
    json_t *events = events_of(position, move, (struct viewer){VIEWER_SPECTATOR, 0});
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        text_add(&kinds, i > 0 ? " " : "");
        text_add(&kinds, json_string_value(json_object_get(event, "kind")));
        const char *sentence = json_string_value(json_object_get(event, "text"));
        assert_true(strlen(sentence) > 10 && sentence[strlen(sentence) - 1] == '.');
    }
    assert_string_equal(bytes, expected);
    json_decref(events);
}

TEST(test_events_tell_plies_in_order)
{
    check_kinds("at 0 matsuri", "matsuri koto", "matsuri");
    check_kinds("hand 0 kita ota", "open oji food", "action_named");
    check_kinds("hand 0 kita", "open oji food", "paid store_opened");
    check_kinds("hand 0 kita\nstore ueno 0 food", "open oji from ueno", "paid store_relocated");
    check_kinds("hand 0 taito", "expand nishi-nippori ueno oshiage", "paid track_laid track_laid");
    check_kinds("at 0 action 1", "expand akihabara tokyo", "track_laid");
    check_kinds("hand 0 taito\nstore ueno 0 food\ncustomers 0 food", "upgrade ueno food",
                "paid store_upgraded queued bonus_claimed");
    check_kinds("hand 0 taito\nstore ueno 0 food\ncustomers 0 food\nfinal yes\nbag only none",
                "upgrade ueno food", "paid store_upgraded removed bonus_claimed");
    check_kinds("hand 0 kita\nward kita food books\nstore oji 1 food\ntrack 1 komagome oji",
                "move oji", "paid move_begins delivered");
    check_kinds("at 0 action 2\nhand 0 kita\nward kita food books\nstore oji 1 food", "move oji",
                "paid move_begins delivered move_ends turn_begins customers_placed "
                "queue_card_taken card_revealed queued");
    check_kinds("at 0 action 2\ndeck only none\nbag only none\nqueue 2 edogawa", "end",
                "turn_ends turn_begins customers_placed final_phase queue_card_taken shuffled "
                "card_revealed");
}

/* How many customers of a kind an event names. */
static json_int_t count_in(const json_t *events, const char *event, const char *kind)
{
    const json_t *customers = json_object_get(find_event(events, event), "customers");
    return json_integer_value(json_object_get(customers, kind));
}

TEST(test_events_count_customers)
{
    json_t *events = events_of("at 0 action 2\nhand 0 kita\nward kita food books-2\n"
                               "store oji 1 food\nqueue 1 ota clothing clothing-2=2",
                               "move oji", (struct viewer){VIEWER_SPECTATOR, 0});
    assert_int_equal(count_in(events, "move_begins", "food"), 1);
    assert_int_equal(count_in(events, "move_begins", "books-2"), 1);
    assert_int_equal(count_in(events, "move_ends", "food"), 0);
    assert_int_equal(count_in(events, "move_ends", "books-2"), 1);
    assert_int_equal(count_in(events, "customers_placed", "clothing"), 1);
    assert_int_equal(count_in(events, "customers_placed", "clothing-2"), 2);
    json_decref(events);
}

TEST(test_events_of_a_ride)
{
    struct shinjuku_state before;
    LOAD_POSITION(game, &before, "hand 0 kita\nward kita food books\ntrack 1 komagome oji");
    play(&before, "move oji");
    struct shinjuku_state after = before;
    struct ply ply = {0, span_of("step komagome")};
    play(&after, "step komagome");
    json_t *events = shinjuku_events(game, &before, &after, &ply, (struct viewer){VIEWER_SEAT, 0});
    const json_t *step = find_event(events, "step");
    assert_int_equal(json_integer_value(json_object_get(step, "track_of")), 1);
    const json_t *end = find_event(events, "move_ends");
    assert_string_equal(json_string_value(json_object_get(end, "ward")), "toshima");
    assert_int_equal(json_object_size(json_object_get(end, "customers")), 2);
    const json_t *income = find_event(events, "income");
    assert_int_equal(json_integer_value(json_object_get(income, "seat")), 1);
    assert_null(json_object_get(income, "cards"));
    json_decref(events);
}

TEST(test_the_last_event_is_the_end)
{
    struct shinjuku_state before;
    LOAD_POSITION(game, &before, "at 1 action 2\nfinal yes");
    struct shinjuku_state after = before;
    struct ply ply = {1, span_of("end")};
    play(&after, "end");
    json_t *events =
        shinjuku_events(game, &before, &after, &ply, (struct viewer){VIEWER_SPECTATOR, 0});
    assert_int_equal(json_array_size(events), 2);
    assert_non_null(find_event(events, "game_over"));
    json_decref(events);
}

int main(void)
{
    game = catalog_newest(span_of("shinjuku"));
    set = game->set;
    return run_all_tests(NULL, NULL);
}
