/* Views and events of Mall World hold nothing hidden: two positions that differ only in what a
 * viewer may not know look the same to that viewer, and different to those who may know it; and
 * while bids are missing nobody sees who has bid. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "engine/game/catalog.h"
#include "tests/engine/games/mall-world/mall_world_position.h"
#include "tests/engine/support/dice.h"
#include "tests/engine/support/sight.h"
#include "tests/test.h"

/* The game, and its components. */
static const struct game *game;

static const char table[] = "seats 4\n"
                            "round 2\n"
                            "tiles c2=clothing f2=sports/men c5=hobby f5=food\n"
                            "hand 0 food-food hobby-hobby use-food-food\n"
                            "hand 1 clothing-food sports-sports special-biologic-skateman\n"
                            "hand 2 food-hobby special-lovis-girls-things\n"
                            "confirmed 3 rent-biologic-lovis\n"
                            "display food-food food-sports hobby-hobby sports-sports\n"
                            "stack food-sports clothing-food hobby-sports\n"
                            "discard clothing-food\n"
                            "lobby rent-fresh-fish-skateman\n"
                            "orders rent-bananas-maid-of-the-mall rent-game-lobby-jump-and-gun\n"
                            "bureau 4000 -1000\n"
                            "at PROGRESS";

static bool same_view(const struct mall_world_state *a, const struct mall_world_state *b,
                      enum viewer_kind kind, unsigned seat)
{
    return is_same_view(game, a, b, (struct viewer){kind, seat});
}

static bool same_for_everybody(const struct mall_world_state *a, const struct mall_world_state *b)
{
    bool same = same_view(a, b, VIEWER_SPECTATOR, 0) && same_view(a, b, VIEWER_AUDITOR, 0);
    for (unsigned seat = 0; seat < a->seats; seat++)
        same = same && same_view(a, b, VIEWER_SEAT, seat);
    return same;
}

TEST(test_views_hide_piles_and_box)
{
    struct mall_world_state a;
    LOAD_POSITION(game, &a, table);
    struct mall_world_state b = a;
    b.stack[0] = a.stack[2];
    b.stack[2] = a.stack[0];
    b.orders[0] = a.orders[1];
    b.orders[1] = a.orders[0];
    b.boxed = 5;
    b.epoch = 3;
    assert_memory_not_equal(&a, &b, sizeof a);
    assert_true(same_for_everybody(&a, &b));
}

/* Only the owner and the auditor see the difference. */
static void check_secret_of_seat_1(const struct mall_world_state *a,
                                   const struct mall_world_state *b)
{
    assert_true(same_view(a, b, VIEWER_SPECTATOR, 0));
    assert_true(same_view(a, b, VIEWER_SEAT, 0));
    assert_true(same_view(a, b, VIEWER_SEAT, 2));
    assert_true(same_view(a, b, VIEWER_SEAT, 3));
    assert_false(same_view(a, b, VIEWER_SEAT, 1));
    assert_false(same_view(a, b, VIEWER_AUDITOR, 0));
}

TEST(test_views_hide_hands_and_coins)
{
    struct mall_world_state a;
    LOAD_POSITION(game, &a, table);
    struct mall_world_state b = a;
    b.hand[1][0]++;
    b.hand[1][9]--;
    check_secret_of_seat_1(&a, &b);
    b = a;
    b.held[1] = UINT32_C(1) << SPECIAL_ORDER_FIRST;
    check_secret_of_seat_1(&a, &b);
    b = a;
    b.coins[1]--;
    check_secret_of_seat_1(&a, &b);
}

TEST(test_views_show_what_lies_open)
{
    static const char *const changes[] = {
        "round 2",
        "active 1",
        "slush 1",
        "block a3",
        "tiles c1=food",
        "tiles c2=food/men",
        "rents open",
        "hand 2 food-food",
        "hand 2 use-food-food",
        "confirmed 2 use-food-food",
        "account 2 1000",
        "lobby use-food-food",
        "orders use-food-food",
        "display food-food",
        "stack food-food",
        "discard food-food",
        "markers 2",
        "bureau 4000",
        "final 2",
        "stall 2",
    };
    static const char plain_text[] = "at SUPPLY\ndisplay 4xhobby-hobby\ntiles c2=food\n";
    struct mall_world_state plain;
    LOAD_POSITION(game, &plain, plain_text);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char bytes[200];
        struct text text = TEXT_OVER(bytes);
        struct mall_world_state changed;
        text_add(&text, strncmp(changes[i], "tiles c2", 8) == 0
                            ? "at SUPPLY\ndisplay 4xhobby-hobby\n"
                            : plain_text);
        text_add(&text, changes[i]);
        LOAD_POSITION(game, &changed, bytes);
        if (same_view(&plain, &changed, VIEWER_SPECTATOR, 0))
            fail_msg("`%s` is not seen", changes[i]);
    }
}

TEST(test_everything_is_open_at_the_end)
{
    struct mall_world_state state;
    LOAD_POSITION(game, &state, table);
    state.point = AT_OVER;
    state.boxed = 6;
    char *spectator =
        print_json(mall_world_view(game, &state, (struct viewer){VIEWER_SPECTATOR, 0}));
    char *auditor = print_json(mall_world_view(game, &state, (struct viewer){VIEWER_AUDITOR, 0}));
    assert_string_equal(spectator, auditor);
    free(auditor);
    free(spectator);
    json_t *view = mall_world_view(game, &state, (struct viewer){VIEWER_SPECTATOR, 0});
    assert_int_equal(json_array_size(json_object_get(view, "outcome")), 4);
    assert_int_equal(json_array_size(json_object_get(view, "orders_boxed")), 2);
    for (size_t seat = 0; seat < 4; seat++) {
        const json_t *player = json_array_get(json_object_get(view, "players"), seat);
        assert_non_null(json_object_get(player, "coins"));
        assert_non_null(json_object_get(player, "cards"));
        assert_non_null(json_object_get(player, "orders"));
    }
    json_decref(view);
}

/* ---- Sealed bids ---- */

static char *events_text(const struct mall_world_state *before,
                         const struct mall_world_state *after, const struct ply *ply,
                         enum viewer_kind kind, unsigned seat)
{
    return print_json(mall_world_events(game, before, after, ply, (struct viewer){kind, seat}));
}

static void check_silence(const struct mall_world_state *before,
                          const struct mall_world_state *after, const struct ply *ply,
                          enum viewer_kind kind, unsigned seat)
{
    char *events = events_text(before, after, ply, kind, seat);
    assert_string_equal(events, "[]");
    free(events);
    assert_true(same_view(before, after, kind, seat));
}

/* To all but the bidder nothing has happened; the bidder sees its bid and has nothing to decide. */
static void check_sealed(const struct mall_world_state *before,
                         const struct mall_world_state *after, unsigned bidder, const char *move)
{
    const struct ply ply = {bidder, span_of(move)};
    check_silence(before, after, &ply, VIEWER_SPECTATOR, 0);
    check_silence(before, after, &ply, VIEWER_AUDITOR, 0);
    for (unsigned seat = 0; seat < after->seats; seat++)
        if (seat != bidder)
            check_silence(before, after, &ply, VIEWER_SEAT, seat);
    assert_false(same_view(before, after, VIEWER_SEAT, bidder));
    char *events = events_text(before, after, &ply, VIEWER_SEAT, bidder);
    assert_non_null(strstr(events, "bid_sealed"));
    assert_non_null(strstr(events, move + 4));
    free(events);
}

TEST(test_nobody_sees_who_has_bid)
{
    static const unsigned sequence[][3] = {{1, 2, 3}, {3, 2, 1}, {2, 1, 3}};
    for (size_t i = 0; i < sizeof sequence / sizeof sequence[0]; i++) {
        struct mall_world_state state;
        LOAD_POSITION(game, &state, table);
        play_all(&state, "0> offer food-food hobby-hobby");
        for (unsigned j = 0; j < 2; j++) {
            struct chance chance = {.stacks = NULL};
            struct refusal refusal;
            struct mall_world_state before = state;
            unsigned seat = sequence[i][j];
            assert_true(mall_world_play(game, &state, seat, span_of("bid 4"), &chance, &refusal));
            check_sealed(&before, &state, seat, "bid 4");
        }
        json_t *view = mall_world_view(game, &state, (struct viewer){VIEWER_SPECTATOR, 0});
        assert_int_equal(json_array_size(json_object_get(view, "deciders")), 3);
        json_decref(view);
        view = mall_world_view(game, &state, (struct viewer){VIEWER_SEAT, sequence[i][0]});
        assert_int_equal(json_array_size(json_object_get(view, "deciders")), 2);
        json_decref(view);
    }
}

/* What the others may do does not tell who has bid, either. */
TEST(test_legal_moves_do_not_tell_who_has_bid)
{
    struct mall_world_state state;
    struct move_list before;
    struct move_list after;
    assert_true(move_list_init(&before, game) && move_list_init(&after, game));
    LOAD_POSITION(game, &state, table);
    play_all(&state, "0> offer food-food hobby-hobby");
    mall_world_legal(game, &state, 2, &before);
    play_all(&state, "1> bid 2\n3> bid 0");
    mall_world_legal(game, &state, 2, &after);
    assert_int_equal(before.count, after.count);
    for (size_t i = 0; i < after.count; i++)
        assert_true(span_equal(move_list_get(&before, i), move_list_get(&after, i)));
    move_list_free(&before);
    move_list_free(&after);
}

static int number(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

TEST(test_all_bids_are_opened_in_seat_order)
{
    struct mall_world_state before;
    LOAD_POSITION(game, &before, table);
    play_all(&before, "0> offer food-food hobby-hobby\n3> bid 2\n2> bid 0");
    struct mall_world_state after = before;
    play_all(&after, "1> bid 1");
    const struct ply ply = {1, span_of("bid 1")};
    json_t *events =
        mall_world_events(game, &before, &after, &ply, (struct viewer){VIEWER_SEAT, 0});
    static const int coins[] = {1, 0, 2};
    for (unsigned i = 0; i < 3; i++) {
        const json_t *event = json_array_get(events, i);
        assert_string_equal(json_string_value(json_object_get(event, "kind")), "bid");
        assert_int_equal(number(event, "seat"), i + 1);
        assert_int_equal(number(event, "coins"), coins[i]);
    }
    const json_t *paid = find_event(events, "paid");
    assert_int_equal(number(paid, "seat"), 3);
    assert_string_equal(json_string_value(json_object_get(paid, "to")), "slush");
    json_decref(events);

    json_t *view = mall_world_view(game, &after, (struct viewer){VIEWER_SPECTATOR, 0});
    const json_t *auction = json_object_get(view, "auction");
    assert_int_equal(json_array_size(json_object_get(auction, "bids")), 3);
    const json_t *rights = json_object_get(auction, "rights");
    assert_int_equal(json_array_size(rights), 2);
    assert_int_equal(number(json_array_get(rights, 0), "seat"), 3);
    assert_int_equal(number(json_array_get(rights, 0), "price"), 2);
    assert_int_equal(number(json_array_get(rights, 1), "seat"), 0);
    json_decref(view);
}

/* ---- Events ---- */

TEST(test_events_in_words)
{
    struct mall_world_state before;
    LOAD_POSITION(game, &before, table);
    play_all(&before, "0> offer food-food");
    struct mall_world_state after = before;
    play_all(&after, "0> realize food-food rent women f5");
    const struct ply ply = {0, span_of("realize food-food rent women f5")};
    json_t *events =
        mall_world_events(game, &before, &after, &ply, (struct viewer){VIEWER_SPECTATOR, 0});
    const json_t *let = find_event(events, "let");
    assert_non_null(let);
    assert_string_equal(json_string_value(json_object_get(let, "chain")), "biologic");
    assert_string_equal(json_string_value(json_object_get(let, "room")), "f5");
    assert_string_equal(json_string_value(json_object_get(let, "text")),
                        "{seat 0} realizes food-food: f5 is let to women and becomes Biologic.");
    json_decref(events);
}

/* Plays `move` of seat 0; its event of a kind, a borrowed part of `*events`, or NULL. */
static const json_t *told(const char *position, const char *first, const char *move,
                          const char *kind, json_t **events)
{
    struct mall_world_state before;
    char line[80];
    struct text text = TEXT_OVER(line);
    LOAD_POSITION(game, &before, position);
    play_all(&before, first);
    struct mall_world_state after = before;
    text_add(&text, "0> ");
    text_add(&text, move);
    play_all(&after, line);
    const struct ply ply = {0, span_of(move)};
    *events = mall_world_events(game, &before, &after, &ply, (struct viewer){VIEWER_SPECTATOR, 0});
    return find_event(*events, kind);
}

static void check_cards(const json_t *event, const char *first, const char *second)
{
    const json_t *cards = json_object_get(event, "cards");
    assert_int_equal(json_array_size(cards), second == NULL ? 1 : 2);
    assert_string_equal(json_string_value(json_array_get(cards, 0)), first);
    if (second != NULL)
        assert_string_equal(json_string_value(json_array_get(cards, 1)), second);
}

#define SUPPLY                                                                                     \
    "at SUPPLY\nactive 0\ntiles c2=clothing f5=food\nhand 0 use-food-food\nlobby use-food-hobby\n" \
    "bureau 4000\ndisplay food-food hobby-hobby\n"

/* Offered, taken, discarded and left over: by name. */
TEST(test_events_name_cards)
{
    json_t *events;
    check_cards(told(table, "", "offer food-food hobby-hobby", "offered", &events), "food-food",
                "hobby-hobby");
    json_decref(events);
    check_cards(told(SUPPLY, "", "take food-food hobby-hobby", "taken", &events), "food-food",
                "hobby-hobby");
    json_decref(events);
    check_cards(told(SUPPLY, "", "refresh", "refreshed", &events), "food-food", "hobby-hobby");
    json_decref(events);
    check_cards(told("seats 3\nat PROGRESS\nonly c1 d1 e1\ntiles c1=food e1=hobby\n"
                     "hand 0 food-food food-hobby\nlobby use-food-food\nbureau 4000\n",
                     "0> offer food-food food-hobby\n1> bid 0\n2> bid 0\n0> bid 0",
                     "realize food-food build food d1", "lapsed", &events),
                "food-hobby", NULL);
    json_decref(events);
}

/* Markers are told to leave the lobby if there are any. */
TEST(test_markers_leave_if_there_are_any)
{
    json_t *events;
    static const char position[] =
        "tiles c2=clothing f5=food\nlobby use-food-food\norders use-food-hobby\nbureau 4000\n";
    char with[200];
    struct text text = TEXT_OVER(with);
    text_add(&text, position);
    text_add(&text, "markers 2\n");
    assert_null(told(position, "", "accept use-food-food", "markers_back", &events));
    json_decref(events);
    assert_non_null(told(with, "", "accept use-food-food", "markers_back", &events));
    json_decref(events);
}

/* A marker that lies in the lobby already is not told again. */
TEST(test_a_marker_is_told_once)
{
    static const char *const markers[] = {"markers 1\n", "markers 0 1\n"};
    for (unsigned i = 0; i < 2; i++) {
        char position[300];
        struct text text = TEXT_OVER(position);
        struct mall_world_state before;
        text_add(&text, "hand 0 food-food\nlobby use-food-hobby\norders use-food-food\n"
                        "bureau 4000\ntiles c2=clothing f5=food\n");
        text_add(&text, markers[i]);
        LOAD_POSITION(game, &before, position);
        struct mall_world_state after = before;
        play_all(&after, "0> pass");
        const struct ply ply = {0, span_of("pass")};
        json_t *events =
            mall_world_events(game, &before, &after, &ply, (struct viewer){VIEWER_SPECTATOR, 0});
        assert_non_null(find_event(events, "declined"));
        assert_int_equal(find_event(events, "marker") != NULL, i == 0);
        json_decref(events);
    }
}

/* What seat 0 does looks the same to the others whatever seat 1 and the piles hide, and to all. */
TEST(test_events_hide_hands)
{
    static const char *const moves[] = {"confirm use-food-food bribe 4000",
                                        "offer food-food hobby-hobby", "offer hobby-hobby"};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        struct mall_world_state a;
        struct chance chance = {.stacks = NULL};
        struct refusal refusal;
        LOAD_POSITION(game, &a, table);
        struct mall_world_state b = a;
        b.hand[1][0]++;
        b.hand[1][9]--;
        b.coins[1]--;
        struct mall_world_state after_a = a;
        struct mall_world_state after_b = b;
        const struct ply ply = {0, span_of(moves[i])};
        assert_true(mall_world_play(game, &after_a, 0, ply.move, &chance, &refusal));
        assert_true(mall_world_play(game, &after_b, 0, ply.move, &chance, &refusal));
        for (unsigned seat = 0; seat < 4; seat++) {
            char *one = events_text(&a, &after_a, &ply, VIEWER_SEAT, seat);
            char *two = events_text(&b, &after_b, &ply, VIEWER_SEAT, seat);
            assert_string_equal(one, two);
            free(one);
            free(two);
        }
        assert_true(same_view(&after_a, &after_b, VIEWER_SEAT, 0));
        assert_true(same_view(&after_a, &after_b, VIEWER_SPECTATOR, 0));
    }
}

/* Every kind of event comes up when the adviser and luck play together. */
TEST(test_every_event_is_told)
{
    static const char *const kinds[] = {
        "accepted",    "declined",  "marker",    "markers_back", "order_removed", "order_laid",
        "rents_open",  "offered",   "confirmed", "no_progress",  "bid",           "bid_sealed",
        "paid",        "built",     "let",       "lapsed",       "unusable",      "removed",
        "refreshed",   "displayed", "shuffled",  "taken",        "done",          "slush_shared",
        "round_ended", "cashed",    "round",     "last_turns",   "turn",          "over"};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    bool told[KINDS] = {false};
    struct move_list legal;
    assert_true(move_list_init(&legal, game));
    for (uint32_t number = 0; number < 60; number++) {
        struct mall_world_state state;
        struct chance chance = {.stacks = NULL};
        struct dice dice;
        const struct game_options options = {{0}};
        dice_seed(number, chance.seed);
        dice_open(&dice, "events", number);
        memset(&state, 0, sizeof state);
        game->setup(game, &state, 3 + number % 3, &options, &chance);
        while (game->deciders(&state) != 0) {
            struct mall_world_state before = state;
            struct refusal refusal;
            unsigned seat = (unsigned)__builtin_ctz(game->deciders(&state));
            move_list_clear(&legal);
            game->legal(game, &state, seat, &legal);
            struct span move = move_list_get(&legal, dice_below(&dice, legal.count));
            const struct ply ply = {seat, move};
            assert_true(game->play(game, &state, seat, move, &chance, &refusal));
            json_t *events =
                game->events(game, &before, &state, &ply, (struct viewer){VIEWER_SEAT, seat});
            assert_true(json_array_size(events) > 0);
            for (size_t i = 0; i < KINDS; i++)
                told[i] = told[i] || find_event(events, kinds[i]) != NULL;
            json_decref(events);
        }
    }
    move_list_free(&legal);
    for (size_t i = 0; i < KINDS; i++)
        if (!told[i])
            fail_msg("`%s` never came up", kinds[i]);
}

FIXTURE(start_up)
{
    return sodium_init() < 0;
}

int main(void)
{
    game = catalog_newest(span_of("mall-world"));
    return run_all_tests(start_up, NULL);
}
