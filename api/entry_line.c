#include "api/entry_line.h"

#include "db/ratings.h"
#include "engine/tournament/rating.h"

/* 0 for who has not played the ruleset. */
static bool read_rating(struct call *call, const struct loaded_event *loaded,
                        const struct id *player, json_int_t *number)
{
    enum { RATING_MOST = 1 << 24 };
    struct rating_row row;
    *number = 0;
    enum db_status status = rating_find(call->db, player, loaded->event.slug, &row);
    if (status == DB_NONE)
        return true;
    if (!call_found(call, status))
        return false;
    int64_t thousandths =
        rating_ordinal((struct rating){(int32_t)row.mu, (int32_t)row.sigma}) / 1000;
    *number = thousandths < 1 ? 1 : thousandths > RATING_MOST ? RATING_MOST : thousandths;
    return true;
}

bool entry_line(struct call *call, const struct loaded_event *loaded, const struct id *player,
                json_t **detail)
{
    json_int_t rating;
    *detail = NULL;
    if (!read_rating(call, loaded, player, &rating))
        return false;
    *detail = json_pack("{s:s, s:o}", "player", player->text, "rating",
                        rating == 0 ? json_null() : json_integer(rating));
    return true;
}
