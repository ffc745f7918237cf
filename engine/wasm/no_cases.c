/* Worked cases are for tests: no browser module includes them (engine/wasm/CMakeLists.txt omits
 * their files), and the games' tables refer to these stubs. */
#include "engine/game/game.h"

#define NO_CASES(game)                                                                             \
    extern const struct game_cases game##_worked_cases;                                            \
    const struct game_cases game##_worked_cases = {NULL, 0, NULL, NULL};

NO_CASES(mall_world)
NO_CASES(shinjuku)
NO_CASES(motherload)
NO_CASES(supermarche)
NO_CASES(superstore)

extern const struct game_cases supermarche_worked_cases_0_9_0;
const struct game_cases supermarche_worked_cases_0_9_0 = {NULL, 0, NULL, NULL};
