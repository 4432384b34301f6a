#include "harness/tls_fixture.hpp"
#include "webhooks/delivery_thread.hpp"

#include <doctest/doctest.h>

#include <atomic>

namespace webhook_tls_test {

using namespace gapless;
using namespace gapless::test;

/// How a delivery to this server ends that trusts the certificates of `ca_file`.
std::string deliver(tls_fixture& there, std::string const& host, std::string const& ca_file)
{
    std::string error;
    std::atomic<bool> done{};
    delivery_thread deliveries{
        {.networks = read_ip_networks("127.0.0.0/8").value(), .ca_file = ca_file},
        [&](delivery_report report) {
            error = std::move(report.error);
            done = true;
        }};
    auto const port = std::to_string(there.web.local_endpoint().port());
    deliveries.send(
        {.webhook_id = 1,
         .notice_id = "n",
         .url = "https://" + host + ":" + port + "/v1/webhooks",
         .keys = {"key"},
         .body = "{}"}
    );
    return there.happens([&] { return done.load(); }) ? error : "not told";
}

TEST_SUITE("webhooks/webhook_tls_http")
{
    TEST_CASE_FIXTURE(tls_fixture, "a receiver is believed that somebody we trust vouches for")
    {
        CHECK(deliver(*this, "127.0.0.1", files.certificate()) == "it answered 401");
        CHECK(deliver(*this, "localhost", files.certificate()) == "it answered 401");
    }

    TEST_CASE_FIXTURE(tls_fixture, "a receiver is not believed that nobody vouches for")
    {
        CHECK(deliver(*this, "127.0.0.1", "").starts_with("SSL certificate problem"));
        CHECK(web.counters().requests == 0);
    }

    TEST_CASE_FIXTURE(tls_fixture, "a certificate has to be for the name that was asked for")
    {
        files.renew({.name = "elsewhere.example", .on_loopback = false});
        read_files();
        auto const error = deliver(*this, "localhost", files.certificate());
        CHECK(error.find("no alternative certificate subject name") != std::string::npos);
        CHECK(web.counters().requests == 0);
    }

    TEST_CASE_FIXTURE(tls_fixture, "a certificate that has expired is none")
    {
        files.renew({.begins = std::chrono::hours{-2}, .ends = std::chrono::seconds{2}});
        read_files();  // while it is in force: none that has expired is read
        std::string error;
        CHECK(happens([&] {
            error = deliver(*this, "127.0.0.1", files.certificate());
            return error != "it answered 401";
        }));
        CHECK(error.find("expired") != std::string::npos);
    }
}

}  // namespace webhook_tls_test
