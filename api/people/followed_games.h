/* The games that an account follows, which its home page shows. */
#ifndef TILLROLL_API_PEOPLE_FOLLOWED_GAMES_H
#define TILLROLL_API_PEOPLE_FOLLOWED_GAMES_H

enum { FOLLOWED_GAMES_MAX = 50 }; /* per account */

#endif
