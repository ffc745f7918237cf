/* Views and events of Super Motherload hold nothing hidden: two positions that differ only in what
 * a viewer may not know look the same to that viewer, and different to those who may know it. */
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "engine/games/super-motherload/piles.h"
#include "engine/games/super-motherload/rules.h"
#include "tests/engine/games/super-motherload/motherload_game.h"
#include "tests/engine/support/position.h"
#include "tests/engine/support/sight.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;

static const char table[] = "seats 3\n"
                            "boards 1a 2b\n"
                            "tunnels 1h1-7 2h2\n"
                            "hand 0 r0 b0 w0\n"
                            "draw 0 y0 b0\n"
                            "hand 1 y0 y0\n"
                            "draw 1 r0 b0 w0\n"
                            "artifacts 0 copy\n"
                            "artifacts 1 relic platinum\n"
                            "artifact-pile recruit relic copy gold-draw\n"
                            "minor-deck assay crossing long-haul overtime";

static bool same_view(const struct motherload_state *a, const struct motherload_state *b,
                      enum viewer_kind kind, unsigned seat)
{
    return is_same_view(game, a, b, (struct viewer){kind, seat});
}

static void swap_bytes(uint8_t *a, uint8_t *b)
{
    uint8_t byte = *a;
    *a = *b;
    *b = byte;
}

TEST(test_views_hide_the_order_of_piles)
{
    struct motherload_state a;
    LOAD_POSITION(game, &a, table);
    struct motherload_state b = a;
    swap_bytes(&b.pile[0][0], &b.pile[0][1]);
    swap_bytes(&b.pile[1][0], &b.pile[1][2]);
    swap_bytes(&b.artifact_pile[ARTIFACT_TILES - 1], &b.artifact_pile[ARTIFACT_TILES - 2]);
    swap_bytes(&b.minor_deck[0], &b.minor_deck[3]);
    b.side[2] = 1;
    b.side[3] = 0;
    b.epoch = 4;
    assert_memory_not_equal(&a, &b, sizeof a);
    assert_true(same_view(&a, &b, VIEWER_SPECTATOR, 0));
    assert_true(same_view(&a, &b, VIEWER_AUDITOR, 0));
    for (unsigned seat = 0; seat < 3; seat++)
        assert_true(same_view(&a, &b, VIEWER_SEAT, seat));
}

TEST(test_views_hide_rival_hands)
{
    struct motherload_state a;
    LOAD_POSITION(game, &a, table);
    struct motherload_state b = a;
    b.hand[1][CARD(YELLOW, 0)]--;
    b.hand[1][b.pile[1][0]]++;
    b.pile[1][0] = CARD(YELLOW, 0);
    assert_true(same_view(&a, &b, VIEWER_SPECTATOR, 0));
    assert_true(same_view(&a, &b, VIEWER_SEAT, 0));
    assert_true(same_view(&a, &b, VIEWER_SEAT, 2));
    assert_false(same_view(&a, &b, VIEWER_SEAT, 1));
    assert_false(same_view(&a, &b, VIEWER_AUDITOR, 0));
}

/* A relic is worth points: the score that others see must not tell. */
TEST(test_views_hide_rival_artifacts)
{
    struct motherload_state a;
    LOAD_POSITION(game, &a, table);
    struct motherload_state b = a;
    b.artifacts[1][RELIC]--;
    b.artifacts[1][EXTRA_ACTION]++;
    assert_true(same_view(&a, &b, VIEWER_SPECTATOR, 0));
    assert_true(same_view(&a, &b, VIEWER_SEAT, 0));
    assert_true(same_view(&a, &b, VIEWER_SEAT, 2));
    assert_false(same_view(&a, &b, VIEWER_SEAT, 1));
    assert_false(same_view(&a, &b, VIEWER_AUDITOR, 0));
}

TEST(test_views_show_minors_put_under_their_deck)
{
    struct motherload_state a;
    LOAD_POSITION(game, &a, table);
    motherload_bury_minor(&a, 16);
    motherload_bury_minor(&a, 17);
    struct motherload_state b = a;
    swap_bytes(&b.minor_deck[4], &b.minor_deck[5]);
    assert_false(same_view(&a, &b, VIEWER_SPECTATOR, 0));
    b = a;
    swap_bytes(&b.minor_deck[3], &b.minor_deck[2]);
    assert_true(same_view(&a, &b, VIEWER_AUDITOR, 0));
    json_t *view = motherload_view(game, &a, (struct viewer){VIEWER_SEAT, 2});
    const json_t *bottom = json_object_get(json_object_get(view, "minor_deck"), "bottom");
    assert_int_equal(json_array_size(bottom), 2);
    assert_string_equal(json_string_value(json_array_get(bottom, 0)), "powder-room");
    assert_string_equal(json_string_value(json_array_get(bottom, 1)), "double-hire");
    json_decref(view);
}

TEST(test_views_show_what_lies_open)
{
    static const char *const changes[] = {
        "boards 1b",
        "boards 1a 2a",
        "tunnels 1a1",
        "at 1",
        "left 1",
        "taken 1",
        "idle 3",
        "bought 2 1 0 0 0",
        "decks gray green orange",
        "hand 2 r0",
        "draw 2 r0",
        "discard 2 r0 r0 b0 b0 y0 y0 w0\nbought 2 0 0 0 0\nbombs 2 2",
        "minerals 2 red iron",
        "bombs 2 0",
        "supply 3",
        "artifacts 2 copy",
        "achievements 2 crossing",
        "majors - red-and-yellow red-and-wild",
        "minors joker-drill - ruby-stock",
        "minor-deck iron-stock",
        "artifact-pile relic",
        "options sides=drawn",
        "options decks=seat",
    };
    check_seen(game, "seats 3\n", changes, sizeof changes / sizeof changes[0]);
    static const char *const tokens[] = {"bombs 2 0"}; /* and the supply is the same */
    check_seen(game, "seats 3\nsupply 3\n", tokens, 1);
}

TEST(test_views_show_an_action_in_progress)
{
    struct motherload_state state;
    LOAD_POSITION(game, &state, "bought 0 0 0 0 4\nhand 0 y0 w25\ndraw 0 r0\ntunnels 1h1-6");
    play(&state, "drill yellow y0 w25");
    json_t *view = motherload_view(game, &state, (struct viewer){VIEWER_SPECTATOR, 0});
    const json_t *turn = json_object_get(view, "turn");
    const json_t *act = json_object_get(turn, "act");
    assert_string_equal(json_string_value(json_object_get(view, "decision")), "place");
    assert_string_equal(json_string_value(json_object_get(act, "kind")), "drill");
    assert_string_equal(json_string_value(json_object_get(act, "color")), "yellow");
    assert_int_equal(json_integer_value(json_object_get(act, "length")), 4);
    const json_t *bonuses = json_object_get(act, "bonuses");
    assert_int_equal(json_array_size(bonuses), 1);
    assert_string_equal(json_string_value(json_array_get(bonuses, 0)), "split");
    json_decref(view);

    play(&state, "place 1d6 h");
    play(&state, "put blue");
    view = motherload_view(game, &state, (struct viewer){VIEWER_SPECTATOR, 0});
    turn = json_object_get(view, "turn");
    assert_string_equal(json_string_value(json_object_get(view, "decision")), "put");
    assert_int_equal(json_array_size(json_object_get(view, "last_tunnel")), 4);
    const json_t *waiting = json_object_get(turn, "waiting");
    assert_int_equal(json_integer_value(json_object_get(waiting, "gold")), 1);
    assert_int_equal(json_integer_value(json_object_get(waiting, "iron")), 1);
    assert_string_equal(json_string_value(json_object_get(turn, "put_before")), "gold");
    json_decref(view);
}

TEST(test_everything_is_open_at_the_end)
{
    struct motherload_state state;
    LOAD_POSITION(game, &state, table);
    state.point = AT_OVER;
    char *spectator =
        print_json(motherload_view(game, &state, (struct viewer){VIEWER_SPECTATOR, 0}));
    char *auditor = print_json(motherload_view(game, &state, (struct viewer){VIEWER_AUDITOR, 0}));
    assert_string_equal(spectator, auditor);
    free(auditor);
    free(spectator);
    json_t *view = motherload_view(game, &state, (struct viewer){VIEWER_SPECTATOR, 0});
    assert_int_equal(json_array_size(json_object_get(view, "outcome")), 3);
    for (size_t seat = 0; seat < 3; seat++) {
        const json_t *player = json_array_get(json_object_get(view, "players"), seat);
        assert_non_null(json_object_get(player, "hand"));
        assert_non_null(json_object_get(player, "artifacts"));
        assert_non_null(json_object_get(player, "score"));
    }
    json_decref(view);
}

/* Plays moves parted by ` | `. */
static void play_all(struct motherload_state *state, const char *moves)
{
    char move[80];
    for (const char *end; (end = strstr(moves, " | ")) != NULL; moves = end + 3) {
        size_t length = (size_t)(end - moves);
        assert_true(length < sizeof move);
        memcpy(move, moves, length);
        move[length] = '\0';
        play(state, move);
    }
    play(state, moves);
}

/* The events of `move`, made in the position after the moves `first` (NULL: at once). */
static json_t *events_of(const char *position, const char *first, const char *move,
                         struct viewer viewer)
{
    struct motherload_state before;
    LOAD_POSITION(game, &before, position);
    if (first != NULL)
        play_all(&before, first);
    struct motherload_state after = before;
    struct ply ply = {before.active, span_of(move)};
    play(&after, move);
    return motherload_events(game, &before, &after, &ply, viewer);
}

static void check_draw(struct viewer viewer, bool sees)
{
    json_t *events = events_of("hand 0 r0\ndraw 0 w0 b0 y0", NULL, "draw", viewer);
    const json_t *drawn = find_event(events, "cards_drawn");
    assert_non_null(drawn);
    assert_int_equal(json_integer_value(json_object_get(drawn, "count")), 2);
    assert_int_equal(json_array_size(json_object_get(drawn, "cards")), sees ? 2 : 0);
    assert_string_equal(json_string_value(json_object_get(drawn, "text")),
                        sees ? "{seat 0} draws 2 cards: w0, b0." : "{seat 0} draws 2 cards.");
    char *all = json_dumps(events, 0);
    assert_int_equal(strstr(all, "w0") != NULL, sees);
    free(all);
    json_decref(events);
}

static void check_find(struct viewer viewer, bool sees)
{
    json_t *events = events_of("tunnels 1m5\nhand 0 b0 r0\nartifact-pile copy platinum",
                               "drill blue b0", "place 1n5", viewer);
    const json_t *found = find_event(events, "artifact_found");
    assert_non_null(found);
    assert_int_equal(json_object_get(found, "artifact") != NULL, sees);
    char *all = json_dumps(events, 0);
    assert_int_equal(strstr(all, "copy") != NULL, sees);
    free(all);
    json_decref(events);
}

TEST(test_events_name_hidden_things_to_their_owner)
{
    static const struct {
        struct viewer viewer;
        bool sees;
    } viewers[] = {{{VIEWER_SPECTATOR, 0}, false},
                   {{VIEWER_SEAT, 0}, true},
                   {{VIEWER_SEAT, 1}, false},
                   {{VIEWER_AUDITOR, 0}, true}};
    for (size_t i = 0; i < sizeof viewers / sizeof viewers[0]; i++) {
        check_draw(viewers[i].viewer, viewers[i].sees);
        check_find(viewers[i].viewer, viewers[i].sees);
    }
}

static void check_kinds(const char *position, const char *first, const char *move,
                        const char *expected)
{
    char bytes[400];
    struct text kinds = TEXT_OVER(bytes);
    json_t *events = events_of(position, first, move, (struct viewer){VIEWER_SPECTATOR, 0});
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
    check_kinds("new", NULL, "side a", "board_placed achievements_dealt");
    check_kinds("new", "side a", "deck gray", "deck_taken");
    check_kinds("new\noptions sides=drawn", "deck gray", "deck green",
                "deck_taken cards_drawn cards_drawn turn_begins");
    check_kinds("new\noptions decks=seat", NULL, "side b",
                "board_placed achievements_dealt deck_taken deck_taken cards_drawn cards_drawn "
                "turn_begins");
    check_kinds("hand 0 r0\ndraw 0 b0", NULL, "draw", "draw cards_drawn shuffled cards_drawn");
    check_kinds("hand 0 b0 r0", NULL, "drill blue b0", "drill");
    check_kinds("hand 0 b0 r0\ntunnels 1h1-5", "drill blue b0", "place 1h6",
                "tunnel bomb_token_taken");
    check_kinds("hand 0 r0\ntunnels 1h1", NULL, "bomb r0", "bomb");
    check_kinds("left 1\nhand 0 b0\ntunnels 1e5\nminerals 0 yellow iron iron iron iron",
                "drill blue b0", "place 1e6", "tunnel");
    check_kinds("bought 0 0 0 0 1\nhand 0 w10\ndraw 0 r0", "drill red w10", "swap joker-drill",
                "achievement_swapped achievement_revealed");
    check_kinds("minerals 0 yellow gold\nhand 0 r0\nartifacts 0 platinum", NULL,
                "artifact platinum yellow", "artifact_used minerals_put card_bought extra_action");
    check_kinds("hand 0 r0\nartifacts 0 extra-action", NULL, "artifact extra-action",
                "artifact_used extra_action");
    check_kinds("hand 0 r0\nminerals 0 red iron\nartifacts 0 copy", NULL, "artifact copy iron blue",
                "artifact_used mineral_copied");
    check_kinds("hand 0 r0\nminerals 0 red iron iron iron iron\nminors iron-stock assay crossing\n"
                "minor-deck overtime",
                NULL, "claim iron-stock", "achievement_claimed achievement_revealed");
    check_kinds("hand 0 r0\nminerals 0 red iron iron iron iron\nminors iron-stock assay crossing\n"
                "minor-deck -",
                NULL, "claim iron-stock", "achievement_claimed");
    check_kinds("hand 0 r0 r0 b0 b0 y0 y0", "end", "discard r0",
                "card_discarded turn_ends turn_begins");
    check_kinds("boards 1a 2a\ntunnels 1n7 2n1-6 2b4 2g6 2j6\nhand 0 b0 r0", "drill blue b0",
                "place 2n7", "tunnel");
    check_kinds("options sides=drawn\nboards 1a 2a\ntunnels 1n7 2n1-6 2b4 2g6 2j6\nhand 0 b0 r0",
                "drill blue b0", "place 2n7", "tunnel board_removed board_placed");
    check_kinds("boards 2a 4a\ntunnels 4g3 4a5 4n7 4i5\nhand 0 b0 r0\nartifact-pile relic",
                "drill blue b0", "place 4i6", "tunnel");
    check_kinds("boards 2a 4a\ntunnels 4g3 4a5 4i6 4n7\nhand 0 b0 r0\nartifact-pile relic",
                "drill blue b0", "place 4i7", "tunnel artifact_found ending");
    check_kinds("idle 5", NULL, "end", "turn_ends game_over");
    check_kinds("hand 0 r0\ndraw 0 b0\nartifacts 0 gold-draw", NULL, "artifact gold-draw wild",
                "artifact_used minerals_put cards_drawn");
    check_kinds("left 1\nhand 0 b0\ntunnels 1g1-6", "drill blue b0 | place 1f6", "put red",
                "minerals_put turn_ends turn_begins");
    check_kinds("bought 0 4 4 4 4\nhand 0 b0 r0\ntunnels 1g1-6", "drill blue b0", "place 1f6",
                "tunnel minerals_lost");
    check_kinds("bought 0 4 4 4 4\nhand 0 b0 r0", "drill blue b0", "place 1a1", "tunnel");
    check_kinds("bought 0 1 0 0 0\nhand 0 r0\nminerals 0 red gold gold\nminerals 0 blue iron\n"
                "artifacts 0 platinum",
                "artifact platinum red", "copy iron yellow", "mineral_copied");
}

static void check_minerals(const char *position, const char *first, const char *move,
                           const char *kind, const char *mineral, unsigned count)
{
    json_t *events = events_of(position, first, move, (struct viewer){VIEWER_SPECTATOR, 0});
    const json_t *minerals = json_object_get(find_event(events, kind), "minerals");
    assert_int_equal(json_object_size(minerals), 1);
    assert_int_equal(json_integer_value(json_object_get(minerals, mineral)), count);
    json_decref(events);
}

TEST(test_events_count_minerals)
{
    check_minerals("hand 0 r0\nartifacts 0 platinum", NULL, "artifact platinum red", "minerals_put",
                   "platinum", 1);
    check_minerals("hand 0 r0\nartifacts 0 gold-draw", NULL, "artifact gold-draw red",
                   "minerals_put", "gold", 1);
    check_minerals("hand 0 b0 b0 r0\ntunnels 1a1", "drill blue b0 b0 | place 1a2 h", "put red",
                   "minerals_put", "iron", 2);
    check_minerals("hand 0 b0 r0\ntunnels 1g1-6", "drill blue b0 | place 1f6", "put red",
                   "minerals_put", "gold", 1);
    check_minerals("bought 0 4 4 4 4\nhand 0 b0 r0\ntunnels 1g1-6", "drill blue b0", "place 1f6",
                   "minerals_lost", "gold", 1);
}

TEST(test_the_end_is_announced_once)
{
    struct motherload_state before;
    LOAD_POSITION(game, &before,
                  "boards 2a 4a\ntunnels 4g3 4a5 4i6 4n7\nhand 0 b0 y0\ndraw 0 r0\n"
                  "artifact-pile relic");
    play(&before, "drill blue b0");
    play(&before, "place 4i7");
    play(&before, "drill yellow y0");
    struct motherload_state after = before;
    struct ply ply = {0, span_of("place 4j7")};
    play(&after, "place 4j7");
    json_t *events =
        motherload_events(game, &before, &after, &ply, (struct viewer){VIEWER_SPECTATOR, 0});
    assert_non_null(find_event(events, "tunnel"));
    assert_null(find_event(events, "ending"));
    json_decref(events);
}

static void check_purchase(const char *position, const char *move, bool to_hand, bool recruit)
{
    json_t *events =
        events_of(position, "artifact platinum red", move, (struct viewer){VIEWER_SPECTATOR, 0});
    const json_t *bought = find_event(events, "card_bought");
    assert_int_equal(json_is_true(json_object_get(bought, "to_hand")), to_hand);
    assert_int_equal(json_is_true(json_object_get(bought, "recruit")), recruit);
    json_decref(events);
}

TEST(test_events_tell_where_a_card_goes)
{
    static const char *const gray = "minerals 0 red gold\nartifacts 0 platinum recruit";
    static const char *const orange = "decks orange gray\nbought 0 1 0 0 0\n"
                                      "minerals 0 red ruby\nartifacts 0 platinum recruit";
    check_purchase(gray, "buy red", false, false);
    check_purchase(gray, "buy red recruit", true, true);
    check_purchase(orange, "buy red", true, false);
}

int main(void)
{
    game = catalog_newest(span_of("super-motherload"));
    return run_all_tests(NULL, NULL);
}
