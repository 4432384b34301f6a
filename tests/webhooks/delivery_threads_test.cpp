#include "harness/receiver.hpp"
#include "webhooks/delivery_thread.hpp"
#include "webhooks/webhook_signature.hpp"

#include <doctest/doctest.h>

#include <array>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <optional>

namespace delivery_thread_test {

using namespace gapless;
using namespace gapless::test;
using namespace std::chrono_literals;

std::string const key(32, 'k');

std::vector<ip_network> loopback()
{
    return read_ip_networks("127.0.0.0/8,::1").value();
}

delivery to(std::string url, std::int32_t webhook = 1, std::string id = "n1")
{
    return {
        .webhook_id = webhook,
        .notice_id = std::move(id),
        .url = std::move(url),
        .keys = {key},
        .body = R"({"type":"series.low"})"};
}

/// A thread that delivers, and what it told.
class deliverer
{
public:
    explicit deliverer(delivery_rules rules)
        : thread_{std::move(rules), [this](delivery_report report) {
                      std::lock_guard const lock{mutex_};
                      reports_.push_back(std::move(report));
                      told_.notify_all();
                  }}
    {
    }

    void send(delivery wanted) { thread_.send(std::move(wanted)); }

    /// The next report in the order they were told; a test fails after 10 s without one.
    delivery_report next()
    {
        std::unique_lock lock{mutex_};
        REQUIRE(told_.wait_for(lock, 10s, [this] { return reports_.size() > taken_; }));
        return reports_[taken_++];
    }

    /// Sends one and returns how it ended: "" when it was delivered.
    std::string deliver(delivery wanted)
    {
        send(std::move(wanted));
        return next().error;
    }

private:
    std::mutex mutex_;
    std::condition_variable told_;
    std::vector<delivery_report> reports_;
    std::size_t taken_{};
    delivery_thread thread_;  // last: tells us
};

deliverer& usual()
{
    static deliverer one{{.networks = loopback()}};
    return one;
}

/// A variable of the environment while it lives.
class variable
{
public:
    variable(char const* name, std::string const& value) : name_{name}
    {
        ::setenv(name, value.c_str(), 1);
    }
    ~variable() { ::unsetenv(name_); }
    variable(variable const&) = delete;
    variable& operator=(variable const&) = delete;

private:
    char const* name_;
};

TEST_SUITE("webhooks/delivery_threads")
{
    TEST_CASE("a delivery is one signed POST, and 2xx is its receipt")
    {
        for (std::string const status : {"200 OK", "201 Created", "202 Accepted", "204 No Content"})
        {
            receiver there{[&](auto const&) { return answer_of(status); }};
            CHECK(usual().deliver(to(there.url("/in/./x?a=%2F"))) == "");
            REQUIRE(there.received().size() == 1);
            auto const got = there.received()[0];
            CHECK(got.line == "POST /in/./x?a=%2F HTTP/1.1");
            CHECK(got.body == R"({"type":"series.low"})");
            CHECK(got.fields.at("content-type") == "application/json");
            CHECK(got.fields.at("user-agent") == "gapless/" GAPLESS_VERSION);
            CHECK(got.fields.at("webhook-id") == "n1");
            CHECK(got.fields.count("expect") == 0);
            auto const& moment = got.fields.at("webhook-timestamp");
            std::int64_t sent{};
            std::from_chars(moment.data(), moment.data() + moment.size(), sent);
            std::array const keys{key};
            signed_message const message{.id = "n1", .sent_seconds = sent, .body = got.body};
            CHECK(got.fields.at("webhook-signature") == sign(message, keys));
            auto const now = std::chrono::system_clock::now().time_since_epoch();
            CHECK(
                std::abs(sent - std::chrono::duration_cast<std::chrono::seconds>(now).count()) < 5
            );
        }
    }

    TEST_CASE("a report says which delivery it is of")
    {
        receiver there;
        auto wanted = to(there.url(), 7, "n7");
        wanted.attempt = 3;
        usual().send(std::move(wanted));
        auto const report = usual().next();
        CHECK(report.webhook_id == 7);
        CHECK(report.attempt == 3);
        CHECK(report.notice_id == "n7");
        CHECK(report.error == "");
    }

    TEST_CASE("an authorization is sent as it is, and only where there is one")
    {
        receiver there;
        auto wanted = to(there.url());
        CHECK(usual().deliver(wanted) == "");
        wanted.authorization = "Bearer a b=";
        CHECK(usual().deliver(wanted) == "");
        REQUIRE(there.received().size() == 2);
        CHECK(there.received()[0].fields.count("authorization") == 0);
        CHECK(there.received()[1].fields.at("authorization") == "Bearer a b=");
    }

    TEST_CASE("a report says how long the receiver wants to be left alone, and whether for ever")
    {
        auto const ends = [&](std::string const& status, std::string const& pause) {
            auto const fields = pause.empty() ? "" : "Retry-After: " + pause + "\r\n";
            receiver there{[&](auto const&) { return answer_of(status, fields); }};
            usual().send(to(there.url()));
            return usual().next();
        };
        CHECK(ends("503 Later", "120").pause_seconds == 120);
        CHECK(ends("503 Later", "120.5 seconds").pause_seconds == 120);
        for (std::string const longest :
             {"99999999",
              "9223372036854775808",
              "99999999999999999999",
              "99999999999999999999.5",
              "Fri, 31 Dec 2999 23:59:59 GMT",
              "Fri, 31 Dec 10000 23:59:59 GMT"})
        {
            CAPTURE(longest);
            CHECK(ends("429 Too Many Requests", longest).pause_seconds == 3'600);
        }
        for (std::string const odd :
             {"-5", "-99999999999999999999", "", "soon", "Fri, 31 Dec 1999 23:59:59 GMT"})
        {
            CAPTURE(odd);
            CHECK(ends("503 Later", odd).pause_seconds == 0);
        }
        CHECK_FALSE(ends("503 Later", "120").gone);
        CHECK(ends("410 Gone", "").gone);
        CHECK(ends("410 Gone", "").status == 410);
        usual().send(to("http://no-such-host.invalid/"));
        CHECK(usual().next().status == 0);
    }

    TEST_CASE("other answers are failures, and a redirect is not followed")
    {
        receiver target;
        receiver there{[&](received_delivery const& got) {
            if (got.line.find("/moved") != std::string::npos)
                return answer_of("307 Temporary Redirect", "Location: " + target.url() + "\r\n");
            if (got.line.find("/gone") != std::string::npos)
                return answer_of("410 Gone");
            return answer_of("500 Internal Server Error");
        }};
        CHECK(usual().deliver(to(there.url("/"))) == "it answered 500");
        CHECK(usual().deliver(to(there.url("/gone"))) == "it answered 410");
        CHECK(
            usual().deliver(to(there.url("/moved"))) ==
            "it answered 307: redirects are not followed"
        );
        CHECK(target.received().empty());
        CHECK(there.received().size() == 3);
    }

    TEST_CASE("a receiver that is down, resets or talks nonsense has not got it")
    {
        std::optional<receiver> there{
            std::in_place, [](auto const&) { return receiver_reply{.resets = true}; }};
        auto const url = there->url();
        CHECK(usual().deliver(to(url)) != "");
        there.reset();
        CHECK(usual().deliver(to(url)) == "it cannot be connected to: Connection refused");
        receiver nonsense{[](auto const&) { return receiver_reply{.bytes = "hello\r\n\r\n"}; }};
        CHECK(usual().deliver(to(nonsense.url())) == "it does not answer in HTTP");
        CHECK(usual().deliver(to("http://no-such-host.invalid/")) == "its name has no address");
    }

    TEST_CASE("an answer that takes too long is none, and holds up no other receiver")
    {
        receiver slow{[](auto const&) { return receiver_reply{.delay = 4s}; }};
        receiver quick;
        deliverer hasty{{.networks = loopback(), .time_max = 2s}};
        auto const begun = std::chrono::steady_clock::now();
        hasty.send(to(slow.url(), 1, "slow"));
        for (int n = 0; n < 5; ++n)
        {
            hasty.send(to(quick.url(), 2, "quick"));
            CHECK(hasty.next().notice_id == "quick");
        }
        auto const late = hasty.next();
        CHECK(late.notice_id == "slow");
        CHECK(late.error.starts_with("no answer within"));
        CHECK(std::chrono::steady_clock::now() - begun < 4s);
    }

    TEST_CASE("an answer that does not end counts by its status, and is cut short")
    {
        auto const endless = [](std::string const& status) {
            return receiver_reply{
                .bytes = "HTTP/1.1 " + status + "\r\nContent-Length: 99999999\r\n\r\n" +
                         std::string(1'000'000, 'x')};
        };
        receiver good{[&](auto const&) { return endless("200 OK"); }};
        CHECK(usual().deliver(to(good.url())) == "");
        receiver broken{[&](auto const&) {
            return receiver_reply{.bytes = "HTTP/1.1 204 Fine\r\nContent-Length: 10\r\n\r\nab"};
        }};
        CHECK(usual().deliver(to(broken.url())) == "");
        receiver bad{[&](auto const&) { return endless("503 Later"); }};
        CHECK(usual().deliver(to(bad.url())) == "it answered 503");
    }

    TEST_CASE("an address that is not allowed is not connected to, by whatever name")
    {
        receiver there;
        deliverer strict{{.networks = read_ip_networks("10.0.0.0/8").value()}};
        auto const port = std::to_string(there.port());
        for (std::string const host : {"127.0.0.1", "localhost", "[::ffff:127.0.0.1]"})
        {
            CAPTURE(host);
            CHECK(
                strict.deliver(to("http://" + host + ":" + port + "/")) ==
                "http leads to a loopback address, which is not within webhook_networks"
            );
            CHECK(
                strict.deliver(to("https://" + host + ":" + port + "/")) ==
                "https leads to a loopback address, which is not within webhook_networks"
            );
        }
        CHECK(there.connections() == 0);
        CHECK(usual().deliver(to("http://localhost:" + port + "/")) == "");
        CHECK(usual().deliver(to("http://[::ffff:127.0.0.1]:" + port + "/")) == "");
    }

    TEST_CASE("no proxy of the environment is asked")
    {
        receiver proxy;
        receiver there;
        auto const url = "http://127.0.0.1:" + std::to_string(proxy.port());
        variable const one{"http_proxy", url};
        variable const other{"ALL_PROXY", url};
        CHECK(usual().deliver(to(there.url())) == "");
        CHECK(proxy.received().empty());
        CHECK(there.received().size() == 1);
    }

    TEST_CASE("a row that somebody else wrote does no harm")
    {
        for (std::string const url : {"file:///etc/passwd", "", "ftp://127.0.0.1/", "http://a b/"})
            CHECK(usual().deliver(to(url)) == "its URL is none that deliveries can be made to");
    }

    TEST_CASE("connections are kept for the next delivery")
    {
        receiver there;
        for (int n = 0; n < 5; ++n)
            CHECK(usual().deliver(to(there.url())) == "");
        CHECK(there.received().size() == 5);
        CHECK(there.connections() == 1);
    }

    TEST_CASE("many deliveries go at the same time")
    {
        receiver there{[](auto const&) { return receiver_reply{.delay = 300ms}; }};
        auto const begun = std::chrono::steady_clock::now();
        for (int n = 0; n < 50; ++n)
            usual().send(to(there.url(), n));
        for (int n = 0; n < 50; ++n)
            CHECK(usual().next().error == "");
        CHECK(std::chrono::steady_clock::now() - begun < 5s);
    }

    TEST_CASE("the end waits for no receiver")
    {
        receiver slow{[](auto const&) { return receiver_reply{.delay = 20s}; }};
        auto const begun = std::chrono::steady_clock::now();
        {
            deliverer leaving{{.networks = loopback()}};
            leaving.send(to(slow.url()));
            while (slow.connections() == 0)
                std::this_thread::sleep_for(1ms);
        }
        CHECK(std::chrono::steady_clock::now() - begun < 5s);
    }
}

}  // namespace delivery_thread_test
