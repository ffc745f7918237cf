/* The tables of wards, stations, connections, goods and customers. The names below stand for
 * indices, so that a row can be checked against the map. */
#include "engine/games/shinjuku/components.h"

enum {
    STATION_AKIHABARA,
    STATION_AOTO,
    STATION_DAIBA,
    STATION_EBISU,
    STATION_EIFUKUCHO,
    STATION_FUTAKO_TAMAGAWA,
    STATION_HATCHOBORI,
    STATION_HIRAI,
    STATION_IIDABASHI,
    STATION_IKEBUKURO,
    STATION_JIYUGAOKA,
    STATION_KACHIDOKI,
    STATION_KASAI_RINKAI_KOEN,
    STATION_KINSHICHO,
    STATION_KITA_SENJU,
    STATION_KOENJI,
    STATION_KOMAGOME,
    STATION_MEGURO,
    STATION_MEIDAI_MAE,
    STATION_MONZEN_NAKACHO,
    STATION_NAKA_MEGURO,
    STATION_NAKANO,
    STATION_NERIMA,
    STATION_NISHI_NIPPORI,
    STATION_OIMACHI,
    STATION_OJI,
    STATION_OMORI,
    STATION_OSHIAGE,
    STATION_OYAMA,
    STATION_ROPPONGI,
    STATION_SANGENJAYA,
    STATION_SHIBUYA,
    STATION_SHIMBASHI,
    STATION_SHIN_KIBA,
    STATION_SHIN_KOIWA,
    STATION_SHINAGAWA,
    STATION_SHINJUKU,
    STATION_TAKADANOBABA,
    STATION_TAMAGAWA,
    STATION_TODAI_MAE,
    STATION_TOKYO,
    STATION_UENO,
    STATION_YOTSUYA,
    STATION_YOYOGI,
};

#define WARD(id, name, title, cards, neighbours, ...)                                              \
    [WARD_##id] = {SPAN_LITERAL(name), title, cards, neighbours, {__VA_ARGS__}}
#define STATION(id, name, title, ward, sakura, links, ...)                                         \
    [STATION_##id] = {SPAN_LITERAL(name), title, WARD_##ward, sakura, links, {__VA_ARGS__}}
#define LINK(station, connection)                                                                  \
    {                                                                                              \
        STATION_##station, connection                                                              \
    }

enum { PLAIN = false, SAKURA = true };

const struct shinjuku_ward shinjuku_wards[WARDS] = {
    WARD(CHIYODA, "chiyoda", "Chiyoda", 3, 5, WARD_BUNKYO, WARD_CHUO, WARD_MINATO, WARD_SHINJUKU,
         WARD_TAITO),
    WARD(CHUO, "chuo", "Chuo", 3, 5, WARD_CHIYODA, WARD_KOTO, WARD_MINATO, WARD_SUMIDA, WARD_TAITO),
    WARD(MINATO, "minato", "Minato", 4, 6, WARD_CHIYODA, WARD_CHUO, WARD_KOTO, WARD_SHIBUYA,
         WARD_SHINAGAWA, WARD_SHINJUKU),
    WARD(SHINJUKU, "shinjuku", "Shinjuku", 4, 6, WARD_BUNKYO, WARD_CHIYODA, WARD_MINATO,
         WARD_NAKANO, WARD_SHIBUYA, WARD_TOSHIMA),
    WARD(BUNKYO, "bunkyo", "Bunkyo", 2, 6, WARD_ARAKAWA, WARD_CHIYODA, WARD_KITA, WARD_SHINJUKU,
         WARD_TAITO, WARD_TOSHIMA),
    WARD(TAITO, "taito", "Taito", 2, 5, WARD_ARAKAWA, WARD_BUNKYO, WARD_CHIYODA, WARD_CHUO,
         WARD_SUMIDA),
    WARD(SUMIDA, "sumida", "Sumida", 2, 7, WARD_ADACHI, WARD_ARAKAWA, WARD_CHUO, WARD_EDOGAWA,
         WARD_KATSUSHIKA, WARD_KOTO, WARD_TAITO),
    WARD(KOTO, "koto", "Koto", 3, 6, WARD_CHUO, WARD_EDOGAWA, WARD_MINATO, WARD_OTA, WARD_SHINAGAWA,
         WARD_SUMIDA),
    WARD(SHINAGAWA, "shinagawa", "Shinagawa", 3, 5, WARD_KOTO, WARD_MEGURO, WARD_MINATO, WARD_OTA,
         WARD_SHIBUYA),
    WARD(MEGURO, "meguro", "Meguro", 2, 4, WARD_OTA, WARD_SETAGAYA, WARD_SHIBUYA, WARD_SHINAGAWA),
    WARD(OTA, "ota", "Ota", 5, 4, WARD_KOTO, WARD_MEGURO, WARD_SETAGAYA, WARD_SHINAGAWA),
    WARD(SETAGAYA, "setagaya", "Setagaya", 5, 4, WARD_MEGURO, WARD_OTA, WARD_SHIBUYA,
         WARD_SUGINAMI),
    WARD(SHIBUYA, "shibuya", "Shibuya", 3, 7, WARD_MEGURO, WARD_MINATO, WARD_NAKANO, WARD_SETAGAYA,
         WARD_SHINAGAWA, WARD_SHINJUKU, WARD_SUGINAMI),
    WARD(NAKANO, "nakano", "Nakano", 2, 5, WARD_NERIMA, WARD_SHIBUYA, WARD_SHINJUKU, WARD_SUGINAMI,
         WARD_TOSHIMA),
    WARD(SUGINAMI, "suginami", "Suginami", 4, 4, WARD_NAKANO, WARD_NERIMA, WARD_SETAGAYA,
         WARD_SHIBUYA),
    WARD(TOSHIMA, "toshima", "Toshima", 2, 6, WARD_BUNKYO, WARD_ITABASHI, WARD_KITA, WARD_NAKANO,
         WARD_NERIMA, WARD_SHINJUKU),
    WARD(KITA, "kita", "Kita", 2, 5, WARD_ADACHI, WARD_ARAKAWA, WARD_BUNKYO, WARD_ITABASHI,
         WARD_TOSHIMA),
    WARD(ARAKAWA, "arakawa", "Arakawa", 2, 5, WARD_ADACHI, WARD_BUNKYO, WARD_KITA, WARD_SUMIDA,
         WARD_TAITO),
    WARD(ITABASHI, "itabashi", "Itabashi", 4, 3, WARD_KITA, WARD_NERIMA, WARD_TOSHIMA),
    WARD(NERIMA, "nerima", "Nerima", 4, 4, WARD_ITABASHI, WARD_NAKANO, WARD_SUGINAMI, WARD_TOSHIMA),
    WARD(ADACHI, "adachi", "Adachi", 4, 4, WARD_ARAKAWA, WARD_KATSUSHIKA, WARD_KITA, WARD_SUMIDA),
    WARD(KATSUSHIKA, "katsushika", "Katsushika", 3, 3, WARD_ADACHI, WARD_EDOGAWA, WARD_SUMIDA),
    WARD(EDOGAWA, "edogawa", "Edogawa", 4, 3, WARD_KATSUSHIKA, WARD_KOTO, WARD_SUMIDA),
};

const uint8_t shinjuku_wards_in_byte_order[WARDS] = {
    WARD_ADACHI,   WARD_ARAKAWA,    WARD_BUNKYO, WARD_CHIYODA,  WARD_CHUO,    WARD_EDOGAWA,
    WARD_ITABASHI, WARD_KATSUSHIKA, WARD_KITA,   WARD_KOTO,     WARD_MEGURO,  WARD_MINATO,
    WARD_NAKANO,   WARD_NERIMA,     WARD_OTA,    WARD_SETAGAYA, WARD_SHIBUYA, WARD_SHINAGAWA,
    WARD_SHINJUKU, WARD_SUGINAMI,   WARD_SUMIDA, WARD_TAITO,    WARD_TOSHIMA};

const struct shinjuku_station shinjuku_stations[STATIONS] = {
    STATION(AKIHABARA, "akihabara", "Akihabara", CHIYODA, SAKURA, 4, LINK(IIDABASHI, 0),
            LINK(KINSHICHO, 1), LINK(TOKYO, 2), LINK(UENO, 3)),
    STATION(AOTO, "aoto", "Aoto", KATSUSHIKA, PLAIN, 2, LINK(KITA_SENJU, 4), LINK(OSHIAGE, 5)),
    STATION(DAIBA, "daiba", "Daiba", MINATO, PLAIN, 3, LINK(OIMACHI, 6), LINK(SHIMBASHI, 7),
            LINK(SHIN_KIBA, 8)),
    STATION(EBISU, "ebisu", "Ebisu", SHIBUYA, PLAIN, 4, LINK(MEGURO, 9), LINK(NAKA_MEGURO, 10),
            LINK(ROPPONGI, 11), LINK(SHIBUYA, 12)),
    STATION(EIFUKUCHO, "eifukucho", "Eifukucho", SUGINAMI, PLAIN, 1, LINK(MEIDAI_MAE, 13)),
    STATION(FUTAKO_TAMAGAWA, "futako-tamagawa", "Futako Tamagawa", SETAGAYA, PLAIN, 2,
            LINK(JIYUGAOKA, 14), LINK(SANGENJAYA, 15)),
    STATION(HATCHOBORI, "hatchobori", "Hatchobori", CHUO, PLAIN, 2, LINK(MONZEN_NAKACHO, 16),
            LINK(TOKYO, 17)),
    STATION(HIRAI, "hirai", "Hirai", EDOGAWA, PLAIN, 3, LINK(KINSHICHO, 18), LINK(OSHIAGE, 19),
            LINK(SHIN_KOIWA, 20)),
    STATION(IIDABASHI, "iidabashi", "Iidabashi", CHIYODA, PLAIN, 6, LINK(AKIHABARA, 0),
            LINK(SHINJUKU, 21), LINK(TAKADANOBABA, 22), LINK(TODAI_MAE, 23), LINK(TOKYO, 24),
            LINK(UENO, 25)),
    STATION(IKEBUKURO, "ikebukuro", "Ikebukuro", TOSHIMA, SAKURA, 3, LINK(KOMAGOME, 26),
            LINK(OYAMA, 27), LINK(TAKADANOBABA, 28)),
    STATION(JIYUGAOKA, "jiyugaoka", "Jiyugaoka", MEGURO, PLAIN, 4, LINK(FUTAKO_TAMAGAWA, 14),
            LINK(NAKA_MEGURO, 29), LINK(OIMACHI, 30), LINK(TAMAGAWA, 31)),
    STATION(KACHIDOKI, "kachidoki", "Kachidoki", CHUO, PLAIN, 2, LINK(MONZEN_NAKACHO, 32),
            LINK(SHIMBASHI, 33)),
    STATION(KASAI_RINKAI_KOEN, "kasai-rinkai-koen", "Kasai Rinkai Koen", EDOGAWA, PLAIN, 1,
            LINK(SHIN_KIBA, 34)),
    STATION(KINSHICHO, "kinshicho", "Kinshicho", SUMIDA, PLAIN, 4, LINK(AKIHABARA, 1),
            LINK(HIRAI, 18), LINK(MONZEN_NAKACHO, 35), LINK(OSHIAGE, 36)),
    STATION(KITA_SENJU, "kita-senju", "Kita Senju", ADACHI, SAKURA, 3, LINK(AOTO, 4),
            LINK(NISHI_NIPPORI, 37), LINK(UENO, 38)),
    STATION(KOENJI, "koenji", "Koenji", SUGINAMI, PLAIN, 1, LINK(NAKANO, 39)),
    STATION(KOMAGOME, "komagome", "Komagome", TOSHIMA, PLAIN, 4, LINK(IKEBUKURO, 26),
            LINK(NISHI_NIPPORI, 40), LINK(OJI, 41), LINK(TODAI_MAE, 42)),
    STATION(MEGURO, "meguro", "Meguro", SHINAGAWA, SAKURA, 3, LINK(EBISU, 9), LINK(OIMACHI, 43),
            LINK(SHINAGAWA, 44)),
    STATION(MEIDAI_MAE, "meidai-mae", "Meidai Mae", SETAGAYA, PLAIN, 3, LINK(EIFUKUCHO, 13),
            LINK(SHIBUYA, 45), LINK(SHINJUKU, 46)),
    STATION(MONZEN_NAKACHO, "monzen-nakacho", "Monzen Nakacho", KOTO, PLAIN, 4,
            LINK(HATCHOBORI, 16), LINK(KACHIDOKI, 32), LINK(KINSHICHO, 35), LINK(SHIN_KIBA, 47)),
    STATION(NAKA_MEGURO, "naka-meguro", "Naka Meguro", MEGURO, SAKURA, 3, LINK(EBISU, 10),
            LINK(JIYUGAOKA, 29), LINK(SHIBUYA, 48)),
    STATION(NAKANO, "nakano", "Nakano", NAKANO, PLAIN, 4, LINK(KOENJI, 39), LINK(NERIMA, 49),
            LINK(SHINJUKU, 50), LINK(TAKADANOBABA, 51)),
    STATION(NERIMA, "nerima", "Nerima", NERIMA, PLAIN, 1, LINK(NAKANO, 49)),
    STATION(NISHI_NIPPORI, "nishi-nippori", "Nishi Nippori", ARAKAWA, PLAIN, 4,
            LINK(KITA_SENJU, 37), LINK(KOMAGOME, 40), LINK(OJI, 52), LINK(UENO, 53)),
    STATION(OIMACHI, "oimachi", "Oimachi", SHINAGAWA, PLAIN, 5, LINK(DAIBA, 6), LINK(JIYUGAOKA, 30),
            LINK(MEGURO, 43), LINK(OMORI, 54), LINK(SHINAGAWA, 55)),
    STATION(OJI, "oji", "Oji", KITA, PLAIN, 2, LINK(KOMAGOME, 41), LINK(NISHI_NIPPORI, 52)),
    STATION(OMORI, "omori", "Omori", OTA, PLAIN, 1, LINK(OIMACHI, 54)),
    STATION(OSHIAGE, "oshiage", "Oshiage", SUMIDA, PLAIN, 4, LINK(AOTO, 5), LINK(HIRAI, 19),
            LINK(KINSHICHO, 36), LINK(UENO, 56)),
    STATION(OYAMA, "oyama", "Oyama", ITABASHI, PLAIN, 1, LINK(IKEBUKURO, 27)),
    STATION(ROPPONGI, "roppongi", "Roppongi", MINATO, PLAIN, 4, LINK(EBISU, 11),
            LINK(SHIMBASHI, 57), LINK(YOTSUYA, 58), LINK(YOYOGI, 59)),
    STATION(SANGENJAYA, "sangenjaya", "Sangenjaya", SETAGAYA, PLAIN, 2, LINK(FUTAKO_TAMAGAWA, 15),
            LINK(SHIBUYA, 60)),
    STATION(SHIBUYA, "shibuya", "Shibuya", SHIBUYA, SAKURA, 5, LINK(EBISU, 12),
            LINK(MEIDAI_MAE, 45), LINK(NAKA_MEGURO, 48), LINK(SANGENJAYA, 60), LINK(YOYOGI, 61)),
    STATION(SHIMBASHI, "shimbashi", "Shimbashi", MINATO, SAKURA, 5, LINK(DAIBA, 7),
            LINK(KACHIDOKI, 33), LINK(ROPPONGI, 57), LINK(SHINAGAWA, 62), LINK(TOKYO, 63)),
    STATION(SHIN_KIBA, "shin-kiba", "Shin Kiba", KOTO, PLAIN, 3, LINK(DAIBA, 8),
            LINK(KASAI_RINKAI_KOEN, 34), LINK(MONZEN_NAKACHO, 47)),
    STATION(SHIN_KOIWA, "shin-koiwa", "Shin Koiwa", KATSUSHIKA, PLAIN, 1, LINK(HIRAI, 20)),
    STATION(SHINAGAWA, "shinagawa", "Shinagawa", MINATO, SAKURA, 3, LINK(MEGURO, 44),
            LINK(OIMACHI, 55), LINK(SHIMBASHI, 62)),
    STATION(SHINJUKU, "shinjuku", "Shinjuku", SHINJUKU, SAKURA, 6, LINK(IIDABASHI, 21),
            LINK(MEIDAI_MAE, 46), LINK(NAKANO, 50), LINK(TAKADANOBABA, 64), LINK(YOTSUYA, 65),
            LINK(YOYOGI, 66)),
    STATION(TAKADANOBABA, "takadanobaba", "Takadanobaba", SHINJUKU, SAKURA, 4, LINK(IIDABASHI, 22),
            LINK(IKEBUKURO, 28), LINK(NAKANO, 51), LINK(SHINJUKU, 64)),
    STATION(TAMAGAWA, "tamagawa", "Tamagawa", OTA, PLAIN, 1, LINK(JIYUGAOKA, 31)),
    STATION(TODAI_MAE, "todai-mae", "Todai Mae", BUNKYO, PLAIN, 2, LINK(IIDABASHI, 23),
            LINK(KOMAGOME, 42)),
    STATION(TOKYO, "tokyo", "Tokyo", CHIYODA, SAKURA, 5, LINK(AKIHABARA, 2), LINK(HATCHOBORI, 17),
            LINK(IIDABASHI, 24), LINK(SHIMBASHI, 63), LINK(YOTSUYA, 67)),
    STATION(UENO, "ueno", "Ueno", TAITO, SAKURA, 5, LINK(AKIHABARA, 3), LINK(IIDABASHI, 25),
            LINK(KITA_SENJU, 38), LINK(NISHI_NIPPORI, 53), LINK(OSHIAGE, 56)),
    STATION(YOTSUYA, "yotsuya", "Yotsuya", SHINJUKU, PLAIN, 3, LINK(ROPPONGI, 58),
            LINK(SHINJUKU, 65), LINK(TOKYO, 67)),
    STATION(YOYOGI, "yoyogi", "Yoyogi", SHIBUYA, PLAIN, 3, LINK(ROPPONGI, 59), LINK(SHIBUYA, 61),
            LINK(SHINJUKU, 66)),
};

const struct shinjuku_connection shinjuku_connections[CONNECTIONS] = {
    {STATION_AKIHABARA, STATION_IIDABASHI, false},
    {STATION_AKIHABARA, STATION_KINSHICHO, false},
    {STATION_AKIHABARA, STATION_TOKYO, false},
    {STATION_AKIHABARA, STATION_UENO, false},
    {STATION_AOTO, STATION_KITA_SENJU, false},
    {STATION_AOTO, STATION_OSHIAGE, false},
    {STATION_DAIBA, STATION_OIMACHI, false},
    {STATION_DAIBA, STATION_SHIMBASHI, false},
    {STATION_DAIBA, STATION_SHIN_KIBA, false},
    {STATION_EBISU, STATION_MEGURO, false},
    {STATION_EBISU, STATION_NAKA_MEGURO, false},
    {STATION_EBISU, STATION_ROPPONGI, false},
    {STATION_EBISU, STATION_SHIBUYA, false},
    {STATION_EIFUKUCHO, STATION_MEIDAI_MAE, false},
    {STATION_FUTAKO_TAMAGAWA, STATION_JIYUGAOKA, false},
    {STATION_FUTAKO_TAMAGAWA, STATION_SANGENJAYA, false},
    {STATION_HATCHOBORI, STATION_MONZEN_NAKACHO, false},
    {STATION_HATCHOBORI, STATION_TOKYO, false},
    {STATION_HIRAI, STATION_KINSHICHO, false},
    {STATION_HIRAI, STATION_OSHIAGE, false},
    {STATION_HIRAI, STATION_SHIN_KOIWA, false},
    {STATION_IIDABASHI, STATION_SHINJUKU, false},
    {STATION_IIDABASHI, STATION_TAKADANOBABA, false},
    {STATION_IIDABASHI, STATION_TODAI_MAE, false},
    {STATION_IIDABASHI, STATION_TOKYO, false},
    {STATION_IIDABASHI, STATION_UENO, false},
    {STATION_IKEBUKURO, STATION_KOMAGOME, false},
    {STATION_IKEBUKURO, STATION_OYAMA, false},
    {STATION_IKEBUKURO, STATION_TAKADANOBABA, false},
    {STATION_JIYUGAOKA, STATION_NAKA_MEGURO, false},
    {STATION_JIYUGAOKA, STATION_OIMACHI, false},
    {STATION_JIYUGAOKA, STATION_TAMAGAWA, false},
    {STATION_KACHIDOKI, STATION_MONZEN_NAKACHO, false},
    {STATION_KACHIDOKI, STATION_SHIMBASHI, false},
    {STATION_KASAI_RINKAI_KOEN, STATION_SHIN_KIBA, false},
    {STATION_KINSHICHO, STATION_MONZEN_NAKACHO, false},
    {STATION_KINSHICHO, STATION_OSHIAGE, false},
    {STATION_KITA_SENJU, STATION_NISHI_NIPPORI, false},
    {STATION_KITA_SENJU, STATION_UENO, false},
    {STATION_KOENJI, STATION_NAKANO, false},
    {STATION_KOMAGOME, STATION_NISHI_NIPPORI, false},
    {STATION_KOMAGOME, STATION_OJI, false},
    {STATION_KOMAGOME, STATION_TODAI_MAE, false},
    {STATION_MEGURO, STATION_OIMACHI, false},
    {STATION_MEGURO, STATION_SHINAGAWA, false},
    {STATION_MEIDAI_MAE, STATION_SHIBUYA, false},
    {STATION_MEIDAI_MAE, STATION_SHINJUKU, false},
    {STATION_MONZEN_NAKACHO, STATION_SHIN_KIBA, false},
    {STATION_NAKA_MEGURO, STATION_SHIBUYA, false},
    {STATION_NAKANO, STATION_NERIMA, false},
    {STATION_NAKANO, STATION_SHINJUKU, false},
    {STATION_NAKANO, STATION_TAKADANOBABA, false},
    {STATION_NISHI_NIPPORI, STATION_OJI, false},
    {STATION_NISHI_NIPPORI, STATION_UENO, false},
    {STATION_OIMACHI, STATION_OMORI, false},
    {STATION_OIMACHI, STATION_SHINAGAWA, false},
    {STATION_OSHIAGE, STATION_UENO, false},
    {STATION_ROPPONGI, STATION_SHIMBASHI, false},
    {STATION_ROPPONGI, STATION_YOTSUYA, false},
    {STATION_ROPPONGI, STATION_YOYOGI, false},
    {STATION_SANGENJAYA, STATION_SHIBUYA, false},
    {STATION_SHIBUYA, STATION_YOYOGI, false},
    {STATION_SHIMBASHI, STATION_SHINAGAWA, false},
    {STATION_SHIMBASHI, STATION_TOKYO, false},
    {STATION_SHINJUKU, STATION_TAKADANOBABA, false},
    {STATION_SHINJUKU, STATION_YOTSUYA, false},
    {STATION_SHINJUKU, STATION_YOYOGI, true},
    {STATION_TOKYO, STATION_YOTSUYA, false},
};

const uint8_t shinjuku_link_from = STATION_SHINJUKU;
const uint8_t shinjuku_link_to = STATION_YOYOGI;

const struct span shinjuku_goods[GOODS] = {
    [FOOD] = SPAN_LITERAL("food"),
    [CLOTHING] = SPAN_LITERAL("clothing"),
    [BOOKS] = SPAN_LITERAL("books"),
    [ELECTRONICS] = SPAN_LITERAL("electronics"),
};

const uint8_t shinjuku_goods_in_byte_order[GOODS] = {BOOKS, CLOTHING, ELECTRONICS, FOOD};

const struct shinjuku_kind shinjuku_kinds[KINDS] = {
    {SPAN_LITERAL("food"), "food", 1, 22},
    {SPAN_LITERAL("food-2"), "double food", 2, 1},
    {SPAN_LITERAL("clothing"), "clothing", 1, 16},
    {SPAN_LITERAL("clothing-2"), "double clothing", 2, 4},
    {SPAN_LITERAL("books"), "books", 1, 8},
    {SPAN_LITERAL("books-2"), "double books", 2, 8},
    {SPAN_LITERAL("electronics"), "electronics", 1, 2},
    {SPAN_LITERAL("electronics-2"), "double electronics", 2, 11},
};

const uint8_t shinjuku_kinds_in_byte_order[KINDS] = {4, 5, 2, 3, 6, 7, 0, 1};

const uint8_t shinjuku_bonus_stacks[BONUS_STACKS] = {3, 2, 2, 2, 1, 1};

const uint8_t shinjuku_set_points[GOODS + 1] = {0, 1, 3, 6, 10};

/* Names are few and short: bisection of the sorted list is fast enough. */
uint8_t shinjuku_ward_named(struct span name)
{
    unsigned low = 0;
    unsigned high = WARDS;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        uint8_t ward = shinjuku_wards_in_byte_order[middle];
        int order = span_compare(shinjuku_wards[ward].name, name);
        if (order == 0)
            return ward;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NONE;
}

uint8_t shinjuku_station_named(struct span name)
{
    unsigned low = 0;
    unsigned high = STATIONS;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        int order = span_compare(shinjuku_stations[middle].name, name);
        if (order == 0)
            return (uint8_t)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NONE;
}

uint8_t shinjuku_good_named(struct span name)
{
    for (uint8_t good = 0; good < GOODS; good++)
        if (span_equal(shinjuku_goods[good], name))
            return good;
    return NONE;
}

uint8_t shinjuku_kind_named(struct span name)
{
    for (uint8_t kind = 0; kind < KINDS; kind++)
        if (span_equal(shinjuku_kinds[kind].name, name))
            return kind;
    return NONE;
}

uint8_t shinjuku_connection_between(uint8_t a, uint8_t b)
{
    const struct shinjuku_station *station = &shinjuku_stations[a];
    for (unsigned i = 0; i < station->link_count; i++)
        if (station->link[i].station == b)
            return station->link[i].connection;
    return NONE;
}
