/* By which names a service may be asked for, and where a cookie may be a plain one. */
#include "api/request/hosts.h"
#include "tests/test.h"

static struct http_request request_of(const char *peer, const char *host)
{
    struct http_request request = {.host = host};
    assert_true(http_read_address(span_of(peer), request.peer));
    return request;
}

static bool knows(const char *peer, const char *host, const char *site)
{
    const struct http_request request = request_of(peer, host);
    return hosts_know(&request, site);
}

TEST(test_names)
{
    static const char *const known[] = {"localhost",
                                        "localhost:8080",
                                        "127.0.0.1:8080",
                                        "192.168.1.5",
                                        "[::1]:8080",
                                        "[fd00::1]",
                                        "pc",
                                        "PC:80",
                                        "pc.local",
                                        "PC.LOCAL:8080",
                                        "a.b.lan",
                                        "club.internal",
                                        "x.home.arpa",
                                        "pc.home",
                                        "pc.fritz.box:8080",
                                        "me.localhost",
                                        "club.example",
                                        "CLUB.Example",
                                        "club.example:8443"};
    static const char *const strange[] = {"evil.example",
                                          "evil.example:8080",
                                          "127.0.0.1.evil.example",
                                          "localhost.evil.example",
                                          "1.2.3.4.nip.io",
                                          "notlocal.examplelocal.x",
                                          "local.",
                                          "club.example.evil.example",
                                          "evilclub.example",
                                          "lub.example",
                                          ".club.example",
                                          "arpa.home.evil",
                                          "club.examplf",
                                          "pc.box",
                                          "notfritz.box"};
    static const char *const peers[] = {"127.0.0.1", "192.168.1.9", "::", "fe80::"};
    for (size_t i = 0; i < sizeof peers / sizeof peers[0]; i++) {
        for (size_t j = 0; j < sizeof known / sizeof known[0]; j++)
            assert_true(knows(peers[i], known[j], "https://club.example"));
        for (size_t j = 0; j < sizeof strange / sizeof strange[0]; j++)
            assert_false(knows(peers[i], strange[j], "https://club.example"));
    }
    assert_true(knows("10.0.0.1", "club.example:8080", "http://club.example:8080"));
    assert_false(knows("10.0.0.1", "club.example", NULL));
    assert_true(knows("192.0.2.7", "evil.example", NULL));
}

/* A page can send the field, but not come from the proxy's address. */
TEST(test_proxies)
{
    struct http_request request = request_of("192.168.1.9", "evil.example");
    request.forwarded_for = "192.0.2.7";
    assert_false(hosts_know(&request, NULL));
    request.forwarded = true;
    assert_true(hosts_know(&request, NULL));
}

TEST(test_home)
{
    static const struct {
        const char *peer, *host;
        bool proxied;
        const char *site;
        bool home;
    } cases[] = {{"127.0.0.1", "localhost", false, NULL, true},
                 {"192.168.1.9", "192.168.1.5:8080", false, "https://club.example", true},
                 {"192.168.1.9", "192.168.1.5", true, NULL, false},
                 {"192.0.2.7", "192.0.2.1", false, NULL, false},
                 {"10.0.0.1", "club.example:8080", false, "http://club.example:8080", true},
                 /* of a proxy that does not say for whom it asks */
                 {"127.0.0.1", "club.example", false, "https://club.example", false},
                 {"127.0.0.1", "evil.example", false, "http://club.example", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct http_request request = request_of(cases[i].peer, cases[i].host);
        request.proxied = cases[i].proxied;
        assert_int_equal(hosts_at_home(&request, cases[i].site), cases[i].home);
    }
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
