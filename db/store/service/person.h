/* SQL expressions for persons: a person is a player together with the player's bots. A bot and all
 * other bots of its owner are the same person as the owner. */
#ifndef TILLROLL_DB_STORE_SERVICE_PERSON_H
#define TILLROLL_DB_STORE_SERVICE_PERSON_H

/* The person of a player, as the id of the owner; `alias` names a row of tillroll.player. */
#define PERSON_OF_ROW(alias) "coalesce(" alias ".owner_id, " alias ".id)"

/* The person of the player with the id that the expression yields. */
#define PERSON_OF(id)                                                                              \
    "(SELECT " PERSON_OF_ROW("self") " FROM tillroll.player AS self WHERE self.id = " id ")"

/* All players of this person, as an array. */
#define PERSON_PLAYERS_OF(id)                                                                      \
    "ARRAY(SELECT " PERSON_OF(id) " UNION ALL SELECT bot.id FROM tillroll.player AS bot"           \
                                  " WHERE bot.owner_id = " PERSON_OF(id) ")"

#endif
