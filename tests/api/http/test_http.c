/* What counts as one client, and how much of something it has. */
#include <arpa/inet.h>
#include <string.h>

#include "api/http/http.h"
#include "api/http/peers.h"
#include "tests/test.h"

/* The peer of an address, in the words of IPv6. */
static const char *peer_of(const char *address)
{
    static char words[INET6_ADDRSTRLEN];
    union {
        struct sockaddr any;
        struct sockaddr_in ipv4;
        struct sockaddr_in6 ipv6;
    } socket = {0};
    uint8_t peer[16];
    if (strchr(address, ':') != NULL) {
        socket.ipv6.sin6_family = AF_INET6;
        assert_int_equal(inet_pton(AF_INET6, address, &socket.ipv6.sin6_addr), 1);
    } else {
        socket.ipv4.sin_family = AF_INET;
        assert_int_equal(inet_pton(AF_INET, address, &socket.ipv4.sin_addr), 1);
    }
    memset(peer, 0xaa, sizeof peer);
    http_peer(&socket.any, peer);
    assert_non_null(inet_ntop(AF_INET6, peer, words, sizeof words));
    return words;
}

TEST(test_peers)
{
    assert_string_equal(peer_of("192.0.2.7"), "::ffff:192.0.2.7");
    assert_string_equal(peer_of("::ffff:192.0.2.7"), "::ffff:192.0.2.7");
    assert_string_equal(peer_of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    assert_string_equal(peer_of("2001:db8:1:2:ffff:ffff:ffff:ffff"), "2001:db8:1:2::");
    assert_string_equal(peer_of("2001:db8:1:3::1"), "2001:db8:1:3::");
    assert_string_equal(peer_of("::1"), "::");
}

static bool is_private(const char *address)
{
    uint8_t peer[16];
    assert_int_equal(inet_pton(AF_INET6, peer_of(address), peer), 1);
    return http_is_private(peer);
}

TEST(test_private_peers)
{
    static const char *const within[] = {
        "127.0.0.1",       "127.8.9.1",      "::1",         "10.0.0.0",           "10.255.255.255",
        "172.16.0.0",      "172.31.255.255", "192.168.0.0", "192.168.255.255",    "169.254.0.0",
        "169.254.255.255", "fc00::1",        "fdff::1",     "::ffff:192.168.1.5", "fe80::1",
        "febf::1"};
    static const char *const outside[] = {
        "9.255.255.255", "11.0.0.0",      "126.255.255.255", "128.0.0.0",       "172.15.255.255",
        "172.32.0.0",    "192.167.255.1", "192.169.0.0",     "169.253.255.255", "169.255.0.0",
        "192.0.2.7",     "fbff::1",       "fe00::1",         "fe7f::1",         "fec0::1",
        "2001:db8::1",   "::ffff:8.8.8.8"};
    for (size_t i = 0; i < sizeof within / sizeof within[0]; i++)
        assert_true(is_private(within[i]));
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
        assert_false(is_private(outside[i]));
}

/* The peer of what a proxy says, in the words of IPv6; "-" if it says nothing that helps. */
static const char *forwarded(const char *field)
{
    static char words[INET6_ADDRSTRLEN];
    uint8_t peer[16];
    uint8_t untouched[16];
    memset(peer, 0xaa, sizeof peer);
    memset(untouched, 0xaa, sizeof untouched);
    if (!http_forwarded_peer(field, peer)) {
        assert_memory_equal(peer, untouched, sizeof peer);
        return "-";
    }
    assert_non_null(inet_ntop(AF_INET6, peer, words, sizeof words));
    return words;
}

TEST(test_forwarded)
{
    assert_string_equal(forwarded("192.0.2.7"), "::ffff:192.0.2.7");
    assert_string_equal(forwarded("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    assert_string_equal(forwarded("::ffff:192.0.2.7"), "::ffff:192.0.2.7");
    assert_string_equal(forwarded("198.51.100.1, 192.0.2.7"), "::ffff:192.0.2.7");
    assert_string_equal(forwarded("unknown,192.0.2.7 "), "::ffff:192.0.2.7");
    assert_string_equal(forwarded(",\t192.0.2.7\t"), "::ffff:192.0.2.7");
    assert_string_equal(forwarded(NULL), "-");
    assert_string_equal(forwarded(""), "-");
    assert_string_equal(forwarded("192.0.2.7,"), "-");
    assert_string_equal(forwarded("192.0.2.7, unknown"), "-");
    assert_string_equal(forwarded("192.0.2.7:80"), "-");
    assert_string_equal(forwarded("[2001:db8::1]"), "-");
    assert_string_equal(forwarded("192.0.2.7 192.0.2.8x"), "-");
    assert_string_equal(forwarded("192.0.2"), "-");
    assert_string_equal(forwarded("1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa"), "-");
}

TEST(test_whole_addresses)
{
    uint8_t whole[16];
    const uint8_t loopback[16] = {[15] = 1};
    assert_true(http_read_address(span_of("::1"), whole));
    assert_memory_equal(whole, loopback, sizeof whole);
    assert_false(http_read_address(span_of(""), whole));
    assert_false(http_read_address(span_of("127.0.0.1:8080"), whole));
    assert_false(http_read_address(span_of("localhost"), whole));
}

/* Many more addresses than chains of the table. */
TEST(test_shares)
{
    enum { PEERS = 20000, MOST = 2 };
    static struct peer *peer[PEERS][MOST];
    struct peers *peers = peers_new(MOST);
    assert_non_null(peers);
    for (unsigned i = 0; i < PEERS; i++) {
        uint8_t address[16] = {(uint8_t)(i >> 8), (uint8_t)i};
        for (unsigned n = 0; n < MOST; n++)
            assert_non_null(peer[i][n] = peers_enter(peers, address));
        assert_null(peers_enter(peers, address));
    }
    for (unsigned i = 0; i < PEERS; i++) {
        uint8_t address[16] = {(uint8_t)(i >> 8), (uint8_t)i};
        peers_leave(peers, peer[i][0]);
        assert_non_null(peer[i][0] = peers_enter(peers, address));
        assert_null(peers_enter(peers, address));
        peers_leave(peers, peer[i][0]);
        peers_leave(peers, peer[i][1]);
    }
    peers_free(peers);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
