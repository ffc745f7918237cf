#include "fill_maker.h"

#include <stdlib.h>
#include <string.h>

#include "api/request/call.h"
#include "engine/game/catalog.h"

void fill_maker_open(struct fill_maker *maker, const struct fill_players *players, uint32_t seed)
{
    *maker = (struct fill_maker){.players = players};
    dice_open(&maker->dice, "fill", seed);
    for (size_t i = 0; catalog_at(i) != NULL; i++)
        if (i >= FILL_RULESETS_MAX || !move_list_init(&maker->legal[i], catalog_at(i)))
            abort();
}

void fill_maker_close(struct fill_maker *maker)
{
    for (size_t i = 0; catalog_at(i) != NULL; i++)
        move_list_free(&maker->legal[i]);
    fill_game_free(&maker->game);
}

static struct move_list *legal_of(struct fill_maker *maker, const struct game *ruleset)
{
    size_t i = 0;
    while (catalog_at(i) != ruleset)
        i++;
    return &maker->legal[i];
}

static void copy_id_text(char to[static RECORD_ID_LENGTH + 1], const struct id *id)
{
    memcpy(to, id->text, RECORD_ID_LENGTH + 1);
}

static void set_seats(const struct fill_maker *maker, const struct fill_seating *seating,
                      struct record_header *header)
{
    for (unsigned seat = 0; seat < header->seats; seat++) {
        const struct fill_player *player = &maker->players->player[seating->player[seat]];
        struct text name = TEXT_OVER(header->seat[seat].name);
        copy_id_text(header->seat[seat].player, &player->id);
        text_add(&name, player->name);
    }
}

static void commit(struct fill_maker *maker, struct record_header *header)
{
    char bytes[RECORD_SCOPE_MAX];
    struct text scope = TEXT_OVER(bytes);
    for (size_t i = 0; i < sizeof maker->secret; i++)
        maker->secret[i] = (uint8_t)dice_below(&maker->dice, 256);
    record_scope(header, &scope);
    record_commitment(text_span(&scope), maker->secret, header->commitment);
}

void fill_maker_make(struct fill_maker *maker, const struct game *ruleset, unsigned seats,
                     const struct fill_seating *seating, const struct fill_place *place)
{
    struct id id = id_new(seating->started_at_ms);
    struct record_header header = {
        .game = ruleset, .options = game_options_initial(ruleset), .seats = seats};
    copy_id_text(header.game_id, &id);
    if (place != NULL) {
        header.in_event = true;
        header.round = place->round;
        header.table = place->table;
        copy_id_text(header.event_id, &place->event);
    }
    set_seats(maker, seating, &header);
    commit(maker, &header);
    time_print(seating->started_at_ms, header.start);
    fill_game_play(&maker->game, &header, maker->secret, legal_of(maker, ruleset), &maker->dice);
}
