/* The games that an account follows: they stand on its home page. */
#ifndef TILLROLL_API_PEOPLE_FOLLOWED_GAMES_H
#define TILLROLL_API_PEOPLE_FOLLOWED_GAMES_H

enum { FOLLOWED_GAMES_MAX = 50 }; /* of an account */

#endif
