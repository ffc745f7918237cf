/* How many an address has, and who waits longest where most wait. */
#include <string.h>

#include "api/http/http.h"
#include "api/http/peers.h"
#include "engine/base/text.h"
#include "tests/test.h"

enum { MOST = 4 };

static void read_address(const char *text, uint8_t address[static 16])
{
    assert_true(http_read_address(span_of(text), address));
}

static struct peer *enter(struct peers *peers, const char *text)
{
    uint8_t address[16];
    read_address(text, address);
    return peers_enter(peers, address);
}

TEST(test_most_of_an_address)
{
    struct peers *peers = peers_new(2);
    struct peer *one = enter(peers, "192.0.2.1");
    assert_ptr_equal(enter(peers, "192.0.2.1"), one);
    assert_null(enter(peers, "192.0.2.1"));
    struct peer *other = enter(peers, "192.0.2.2");
    assert_non_null(other);
    peers_leave(peers, one);
    assert_ptr_equal(enter(peers, "192.0.2.1"), one);
    peers_leave(peers, one);
    peers_leave(peers, one);
    peers_leave(peers, other);
    peers_free(peers);
}

TEST(test_networks)
{
    static const struct {
        const char *one, *other;
        bool same;
    } rows[] = {
        {"192.0.2.1", "192.0.2.255", true},
        {"192.0.2.1", "192.0.3.1", false},
        {"2001:db8:1::1", "2001:db8:1:ffff::1", true},
        {"2001:db8:1::1", "2001:db8:2::1", false},
        {"::ffff:192.0.2.1", "192.0.2.7", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t address[16];
        uint8_t one[16];
        uint8_t other[16];
        read_address(rows[i].one, address);
        peers_network(address, one);
        read_address(rows[i].other, address);
        peers_network(address, other);
        assert_int_equal(memcmp(one, other, sizeof one) == 0, rows[i].same);
    }
}

TEST(test_longest_where_most_wait)
{
    struct peers *peers = peers_new(MOST);
    struct peer *few = enter(peers, "192.0.2.1");
    struct peer *many = enter(peers, "192.0.2.2");
    struct peer_waiter of_few = {.peer = NULL};
    struct peer_waiter of_many[3] = {{.peer = NULL}};
    assert_null(peers_longest(peers, INT64_MAX));
    peers_wait(peers, few, &of_few, 1);
    for (size_t i = 0; i < 3; i++)
        peers_wait(peers, many, &of_many[i], 2 + (int64_t)i);
    assert_ptr_equal(peers_longest(peers, INT64_MAX), &of_many[0]);
    assert_ptr_equal(peers_longest(peers, 1), &of_few); /* the others have not waited that long */
    assert_null(peers_longest(peers, 0));
    peers_wait(peers, many, &of_many[0], 5); /* again, from now on */
    assert_ptr_equal(peers_longest(peers, INT64_MAX), &of_many[1]);
    peers_end_wait(peers, &of_many[1]);
    peers_end_wait(peers, &of_many[1]);
    assert_ptr_equal(peers_longest(peers, INT64_MAX), &of_many[2]);
    peers_end_wait(peers, &of_many[2]);
    peers_end_wait(peers, &of_many[0]);
    assert_ptr_equal(peers_longest(peers, INT64_MAX), &of_few);
    peers_end_wait(peers, &of_few);
    assert_null(peers_longest(peers, INT64_MAX));
    peers_leave(peers, few);
    peers_leave(peers, many);
    peers_free(peers);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
