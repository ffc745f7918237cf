/* Addresses that may be sent to, and those that may not. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "api/channels/target.h"
#include "tests/test.h"

static bool is_public(const char *words)
{
    struct sockaddr_in four = {.sin_family = AF_INET};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, words, &four.sin_addr) == 1)
        return target_address_public((const struct sockaddr *)&four);
    assert_int_equal(inet_pton(AF_INET6, words, &six.sin6_addr), 1);
    return target_address_public((const struct sockaddr *)&six);
}

TEST(test_addresses)
{
    static const char *const open[] = {"1.1.1.1",         "8.8.8.8",         "9.255.255.255",
                                       "11.0.0.0",        "100.63.255.255",  "100.128.0.0",
                                       "126.255.255.255", "128.0.0.1",       "168.63.129.15",
                                       "169.253.255.255", "169.255.0.0",     "172.15.255.255",
                                       "172.32.0.0",      "192.0.1.0",       "192.167.255.255",
                                       "192.169.0.0",     "198.17.255.255",  "198.20.0.0",
                                       "223.255.255.255", "2606:4700::1111", "2001:4860:4860::8888",
                                       "2001:200::1",     "2a00::1",         "2003::1",
                                       "3ffe::1"};
    static const char *const shut[] = {"0.0.0.0",
                                       "0.1.2.3",
                                       "10.0.0.1",
                                       "10.255.255.255",
                                       "100.64.0.1",
                                       "100.100.100.200",
                                       "100.127.255.255",
                                       "127.0.0.1",
                                       "127.255.255.254",
                                       "168.63.129.16",
                                       "169.254.0.1",
                                       "169.254.169.254",
                                       "172.16.0.1",
                                       "172.31.255.255",
                                       "192.0.0.192",
                                       "192.0.2.1",
                                       "192.88.99.1",
                                       "192.168.0.1",
                                       "192.168.255.255",
                                       "198.18.0.1",
                                       "198.19.255.255",
                                       "198.51.100.7",
                                       "203.0.113.9",
                                       "224.0.0.1",
                                       "239.255.255.250",
                                       "240.0.0.1",
                                       "255.255.255.255",
                                       "::",
                                       "::1",
                                       "::ffff:127.0.0.1",
                                       "::ffff:8.8.8.8",
                                       "::7f00:1",
                                       "64:ff9b::7f00:1",
                                       "64:ff9b::a00:1",
                                       "64:ff9b:1::1",
                                       "100::1",
                                       "2001::1",
                                       "2001:2::1",
                                       "2001:10::1",
                                       "2001:20::1",
                                       "2001:db8::1",
                                       "2002:7f00:1::",
                                       "3fff::1",
                                       "5f00::1",
                                       "fc00::1",
                                       "fd00:ec2::254",
                                       "fe80::1",
                                       "fec0::1",
                                       "ff02::1",
                                       "ff0e::1"};
    for (size_t i = 0; i < sizeof open / sizeof open[0]; i++)
        if (!is_public(open[i]))
            fail_msg("%s is public", open[i]);
    for (size_t i = 0; i < sizeof shut / sizeof shut[0]; i++)
        if (is_public(shut[i]))
            fail_msg("%s is not public", shut[i]);
    const struct sockaddr local = {.sa_family = AF_UNIX};
    assert_false(target_address_public(&local));
}

TEST(test_urls)
{
    static const char *const good[] = {
        "https://hooks.chat.example/services/T0/B0/x",
        "https://chat.example:8443/a?b=c&d=%20",
        "https://1.1.1.1/",
        "https://[2606:4700::1111]/x",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAA-_x",
        "HTTPS://Chat.Example/"};
    static const char *const bad[] = {"",
                                      "x",
                                      "https://",
                                      "https:///x",
                                      "//chat.example/",
                                      "http://chat.example/",
                                      "ftp://chat.example/",
                                      "file:///etc/passwd",
                                      "gopher://chat.example/",
                                      "smtp://chat.example",
                                      "javascript:alert(1)",
                                      "https://user@chat.example/",
                                      "https://user:word@chat.example/",
                                      "https://chat.example/#x",
                                      "https://chat.example/a b",
                                      "https://chat.example/\n",
                                      "https://chat.example\\@10.0.0.1/",
                                      "https://ch\xc3\xa4t.example/",
                                      "https://localhost/",
                                      "https://LOCALHOST:8080/",
                                      "https://localhost./",
                                      "https://a.localhost/",
                                      "https://router/",
                                      "https://router./",
                                      "https://printer.local/",
                                      "https://metadata.google.internal/x",
                                      "https://nas.lan/",
                                      "https://x.home.arpa/",
                                      "https://127.0.0.1/",
                                      "https://127.1/",
                                      "https://0x7f.1/",
                                      "https://0x7f000001/",
                                      "https://2130706433/",
                                      "https://017700000001/",
                                      "https://0/",
                                      "https://10.0.0.1/",
                                      "https://169.254.169.254/latest/meta-data",
                                      "https://192.168.1.1/",
                                      "https://[::1]/",
                                      "https://[::ffff:127.0.0.1]/",
                                      "https://[::ffff:7f00:1]/",
                                      "https://[fe80::1%25eth0]/",
                                      "https://[fd00:ec2::254]/",
                                      "https://[64:ff9b::a00:1]/",
                                      "https://[2002:7f00:1::]/",
                                      "https://chat.example:99999/"};
    char longest[TARGET_URL_MAX + 2];
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        if (target_fault(good[i], false) != NULL)
            fail_msg("%s %s", good[i], target_fault(good[i], false));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (target_fault(bad[i], false) == NULL)
            fail_msg("%s is accepted", bad[i]);
    assert_int_equal(
        snprintf(longest, sizeof longest, "https://chat.example/%0*d", TARGET_URL_MAX - 21, 0),
        TARGET_URL_MAX);
    assert_null(target_fault(longest, false));
    memcpy(longest + TARGET_URL_MAX, "0", 2);
    assert_non_null(target_fault(longest, false));
}

TEST(test_private_urls)
{
    assert_null(target_fault("http://127.0.0.1:8080/hook", true));
    assert_null(target_fault("http://localhost/hook", true));
    assert_null(target_fault("https://router/hook", true));
    assert_non_null(target_fault("ftp://127.0.0.1/", true));
    assert_non_null(target_fault("http://a@127.0.0.1/", true));
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}
