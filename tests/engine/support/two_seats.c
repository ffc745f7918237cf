#include "tests/engine/support/two_seats.h"

#include <string.h>

static bool add_bye(struct two_seats *event, uint16_t entry, uint16_t round, char letter)
{
    static const char letters[] = "UFHZV";
    const char *found = strchr(letters, letter);
    if (letter == '.')
        return true;
    if (found == NULL)
        return false;
    event->results[event->result_count++] = (struct table_result){
        .round = round,
        .seats = 1,
        .seat = {{entry, (uint8_t)(ROUND_PAIRING_BYE + (found - letters)), 0, 0}}};
    return true;
}

static struct table_result *game_of(struct two_seats *event, uint16_t entry, uint16_t round)
{
    for (size_t i = 0; i < event->result_count; i++)
        if (event->results[i].round == round && event->results[i].seats == 2 &&
            (event->results[i].seat[0].entry == entry || event->results[i].seat[1].entry == entry))
            return &event->results[i];
    return NULL;
}

/* Both lines of a game write its table; each states its own seat's kind and part of the ranks. */
static bool add_game(struct two_seats *event, uint16_t entry, uint16_t round, struct span cell)
{
    uint64_t number;
    bool forfeit = cell.at[1] == 'F';
    if (!span_number((struct span){cell.at + 2, cell.length - 2}, event->players, &number) ||
        number == 0)
        return false;
    uint16_t opponent = (uint16_t)(number - 1);
    struct table_result *table = game_of(event, entry, round);
    unsigned seat = cell.at[1] == 'B' || (forfeit && opponent < entry);
    if (table == NULL) {
        table = &event->results[event->result_count++];
        *table = (struct table_result){.round = round, .table = (uint16_t)(entry + 1), .seats = 2};
        table->seat[seat] = (struct seat_result){.entry = entry, .rank = 1};
        table->seat[1 - seat] = (struct seat_result){.entry = opponent, .rank = 1};
    }
    if (table->seat[seat].entry != entry || table->seat[1 - seat].entry != opponent)
        return false;
    if (forfeit)
        table->seat[seat].kind = cell.at[0] == '+' ? ROUND_FORFEIT_WIN : ROUND_FORFEIT_LOSS;
    if (cell.at[0] == '+')
        table->seat[1 - seat].rank = 2;
    return true;
}

bool two_seats_read(struct two_seats *event, const char *const *lines, size_t players)
{
    *event = (struct two_seats){.players = players};
    for (uint16_t entry = 0; entry < players; entry++) {
        struct span line = span_of(lines[entry]);
        event->entries[entry].tpn = (uint16_t)(entry + 1);
        event->ratings[entry] = 2200 - 50 * entry;
        uint16_t round = 0;
        while (line.length > 0) {
            struct span cell = span_word(&line);
            bool read = ++round <= TWO_SEATS_ROUNDS_MAX &&
                        (cell.length == 1 ? add_bye(event, entry, round, cell.at[0])
                                          : cell.length > 2 && add_game(event, entry, round, cell));
            if (!read)
                return false;
        }
        event->rounds = round;
    }
    return true;
}

struct standings_input two_seats_input(const struct two_seats *event, enum unplayed_rules rules,
                                       const struct tie_break_rule *chain, size_t chain_count)
{
    return (struct standings_input){.entries = event->entries,
                                    .entry_count = event->players,
                                    .results = event->results,
                                    .result_count = event->result_count,
                                    .scoring = &scoring_find(span_of("1-half-0"))->scoring,
                                    .chain = chain,
                                    .chain_count = chain_count,
                                    .rules = rules,
                                    .rounds = event->rounds,
                                    .ratings = event->ratings};
}
