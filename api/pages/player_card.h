/* A player's card, to show, share or print: name, rating and last results, as a page and as a
 * picture. */
#ifndef TILLROLL_API_PAGES_PLAYER_CARD_H
#define TILLROLL_API_PAGES_PLAYER_CARD_H

#include "api/pages/page.h"
#include "api/pages/page_parts.h"

/* The image beside a link to this player, {"id", "name"}. Owned by the call's arena. */
struct page_image player_card_image(struct call *call, const json_t *player);

#endif
