/* For statements: a person is a player with their bots. A bot is its owner, and so are all bots of
 * one owner. */
#ifndef TILLROLL_DB_STORE_SERVICE_PERSON_H
#define TILLROLL_DB_STORE_SERVICE_PERSON_H

/* The person that a player is; `alias` names a row of tillroll.player. */
#define PERSON_OF_ROW(alias) "coalesce(" alias ".owner_id, " alias ".id)"

/* The person of the player whose id an expression gives. */
#define PERSON_OF(id)                                                                              \
    "(SELECT " PERSON_OF_ROW("self") " FROM tillroll.player AS self WHERE self.id = " id ")"

/* The players that this person is, as an array. */
#define PERSON_PLAYERS_OF(id)                                                                      \
    "ARRAY(SELECT " PERSON_OF(id) " UNION ALL SELECT bot.id FROM tillroll.player AS bot"           \
                                  " WHERE bot.owner_id = " PERSON_OF(id) ")"

#endif
