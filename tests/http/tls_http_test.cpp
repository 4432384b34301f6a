#include "harness/tls_fixture.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace tls_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::string_view liveness{"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"};
constexpr std::chrono::seconds soon{2};

/// Sends each piece as a record of its own.
void send_in_records(tls_client& client, std::string_view bytes, std::size_t record_bytes)
{
    for (; !bytes.empty(); bytes.remove_prefix(std::min(record_bytes, bytes.size())))
        client.send(bytes.substr(0, record_bytes));
}

TEST_SUITE("http/tls_http")
{
    TEST_CASE_FIXTURE(tls_fixture, "numbers are issued over TLS 1.2 and TLS 1.3")
    {
        for (auto const version : {tls_1_2, tls_1_3})
        {
            CAPTURE(version);
            auto client = connect_tls({.least_version = version, .most_version = version});
            REQUIRE(client.shake_hands() == "");
            CHECK(client.version() == (version == tls_1_2 ? "TLSv1.2" : "TLSv1.3"));
            client.send(issue_request("tls-" + std::to_string(version), R"({"count":3})"));
            auto const answer = client.receive();
            CHECK(answer.status == 201);
            CHECK(answer.body.find(R"("count":3)") != std::string::npos);
            client.send(liveness);
            CHECK(client.receive().status == 200);
        }
        CHECK(service.issued.size() == 2);
        CHECK(web.counters().tls_handshakes == 2);
        CHECK(web.counters().tls_handshake_failures == 0);
    }

    TEST_CASE_FIXTURE(tls_fixture, "older versions and ciphers without forward secrecy are refused")
    {
        std::vector<tls_wish> const refused{
            {.least_version = tls_1_1, .most_version = tls_1_1},
            {.most_version = tls_1_2, .ciphers = "ECDHE-ECDSA-AES128-SHA"},
            {.most_version = tls_1_2, .ciphers = "ECDHE-ECDSA-AES256-CCM"},
            {.most_version = tls_1_2, .ciphers = "AES128-GCM-SHA256"},
            {.most_version = tls_1_2, .ciphers = "DHE-RSA-AES128-GCM-SHA256"}};
        for (auto const& wish : refused)
        {
            CAPTURE(wish.ciphers);
            auto client = connect_tls(wish);
            CHECK(client.shake_hands() != "");
        }
        CHECK(happens([&] { return web.counters().tls_handshake_failures == refused.size(); }));
        auto good = connect_tls(
            {.most_version = tls_1_2,
             .ciphers = "ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-CHACHA20-POLY1305"}
        );
        CHECK(good.shake_hands() == "");
        CHECK(good.cipher() == "ECDHE-ECDSA-CHACHA20-POLY1305");
    }

    TEST_CASE_FIXTURE(tls_fixture, "plain HTTP is told to speak TLS, and nothing is executed")
    {
        auto plain = connect();
        plain.send(issue_request("plain"));
        auto const answer = plain.receive();
        CHECK(answer.status == 400);
        CHECK(answer.problem() == "malformed-request");
        CHECK(answer.body.find("https://") != std::string::npos);
        CHECK_FALSE(answer.told_request_id.empty());
        CHECK(plain.is_closed_within(soon));
        CHECK(service.issued.empty());
    }

    TEST_CASE_FIXTURE(tls_fixture, "nonsense instead of a handshake ends that connection only")
    {
        auto client = connect_tls();
        REQUIRE(client.shake_hands() == "");
        for (std::string const nonsense :
             {"nonsense\r\n\r\n", "DELETE / HTTP/1.1\r\n\r\n", "\x16\x03\x01\x7f\xff rest", "\x80"})
        {
            auto plain = connect();
            plain.send(nonsense);
            plain.end_sending();
            CHECK(plain.receive_all().find("HTTP/") == std::string::npos);
        }
        client.send(liveness);
        CHECK(client.receive().status == 200);
        client.send(std::string(100'000, 'x'));
        CHECK(client.receive().status >= 400);
    }

    TEST_CASE_FIXTURE(tls_fixture, "http/1.1 is agreed on where a client asks, h2 alone is refused")
    {
        auto silent = connect_tls();
        CHECK(silent.shake_hands() == "");
        CHECK(silent.protocol() == "");
        auto both = connect_tls({.protocols = {"h2", "http/1.1"}});
        CHECK(both.shake_hands() == "");
        CHECK(both.protocol() == "http/1.1");
        auto other = connect_tls({.protocols = {"h2"}});
        CHECK(other.shake_hands() != "");
    }

    TEST_CASE_FIXTURE(tls_fixture, "a client cannot have the handshake again")
    {
        auto client = connect_tls({.most_version = tls_1_2});
        REQUIRE(client.shake_hands() == "");
        client.send(liveness);
        CHECK(client.receive().status == 200);
        CHECK(client.renegotiate() != "");
        CHECK(web.counters().tls_handshakes == 1);
    }

    TEST_CASE_FIXTURE(tls_fixture, "records and segments of any size make the same request")
    {
        auto whole = connect_tls();
        REQUIRE(whole.shake_hands() == "");
        auto const request = issue_request("split", R"({"count":3,"reference":"order-4711"})");
        whole.send(request);
        CHECK(whole.receive().status == 201);
        whole.send(request);
        auto const expected = whole.receive();
        for (auto const version : {tls_1_2, tls_1_3})
            for (std::size_t const record : {1U, 7U, 1'000U})
                for (std::size_t const piece : {1U, 21U})
                {
                    CAPTURE(record);
                    CAPTURE(piece);
                    auto client = connect_tls({.most_version = version, .piece_bytes = piece});
                    REQUIRE(client.shake_hands() == "");
                    send_in_records(client, request, record);
                    auto const answer = client.receive();
                    REQUIRE(answer.text() == expected.text());
                    REQUIRE(answer.fields == expected.fields);
                }
    }

    TEST_CASE_FIXTURE(tls_fixture, "metrics tell of handshakes and when the certificate ends")
    {
        auto client = connect_tls();
        REQUIRE(client.shake_hands() == "");
        client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
        auto const metrics = client.receive().body;
        CHECK(metrics.find("\ngapless_tls_handshakes_total 1\n") != std::string::npos);
        CHECK(metrics.find("\ngapless_tls_handshake_failures_total 0\n") != std::string::npos);
        auto const ends = std::to_string(web.counters().tls_certificate_expires);
        auto const line = "\ngapless_tls_certificate_expires_time_seconds " + ends + "\n";
        CHECK(metrics.find(line) != std::string::npos);
    }

    TEST_CASE_FIXTURE(tls_fixture, "a renewed certificate is for new connections, old ones stay")
    {
        auto old = connect_tls();
        REQUIRE(old.shake_hands() == "");
        CHECK(old.certificate_name() == "localhost");
        files.renew({.name = "renewed"});
        read_files();
        auto fresh = connect_tls();
        REQUIRE(fresh.shake_hands() == "");
        CHECK(fresh.certificate_name() == "renewed");
        for (auto* const client : {&old, &fresh})
        {
            client->send(liveness);
            CHECK(client->receive().status == 200);
        }
    }
}

}  // namespace tls_test
