/* Who counts as one client. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <arpa/inet.h>
#include <cmocka.h>
#include <string.h>

#include "api/http.h"

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

static void test_peers(void **state)
{
    (void)state;
    assert_string_equal(peer_of("192.0.2.7"), "::ffff:192.0.2.7");
    assert_string_equal(peer_of("::ffff:192.0.2.7"), "::ffff:192.0.2.7");
    assert_string_equal(peer_of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
    assert_string_equal(peer_of("2001:db8:1:2:ffff:ffff:ffff:ffff"), "2001:db8:1:2::");
    assert_string_equal(peer_of("2001:db8:1:3::1"), "2001:db8:1:3::");
    assert_string_equal(peer_of("::1"), "::");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_peers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
