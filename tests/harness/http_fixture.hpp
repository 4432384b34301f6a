#pragma once

#include "app/routes.hpp"
#include "harness/fake_service.hpp"
#include "harness/raw_client.hpp"
#include "http/server.hpp"

#include <boost/asio/io_context.hpp>

#include <string>
#include <string_view>

namespace gapless::test {

inline constexpr unsigned all_scopes = 15;

/// Limits with short times, so that tests of deadlines are quick.
inline http_limits quick_limits()
{
    http_limits limits;
    limits.header_time_max = std::chrono::milliseconds{60};
    limits.body_time_max = std::chrono::milliseconds{60};
    limits.write_time_max = std::chrono::milliseconds{60};
    limits.idle_time_max = std::chrono::milliseconds{120};
    limits.linger_time_max = std::chrono::milliseconds{60};
    limits.sweep_period = std::chrono::milliseconds{10};
    return limits;
}

/// So many bad tokens a minute from an address; 0: as many as it likes.
inline http_limits bad_tokens_max(std::size_t max)
{
    http_limits limits;
    limits.failed_tokens_per_minute_max = max;
    return limits;
}

/// A server on a free port over a fake service that knows the series dhl-paket and the token "all".
struct http_fixture
{
    explicit http_fixture(http_limits const& limits = {}, http_log log = {})
        : web{io, service, routes(), limits, std::move(log)}
    {
        service.add_series("dhl-paket");
        service.add_token("all", all_scopes);
        web.listen({boost::asio::ip::address_v4::loopback(), 0});
    }

    raw_client connect() { return {io, web.local_endpoint()}; }

    /// One request on a connection of its own, and its answer.
    raw_answer ask(std::string_view request)
    {
        auto client = connect();
        client.send(request);
        return client.receive(request.starts_with("HEAD "));
    }

    /// "<method> <target>" with the token "all", more header lines (each with CR LF) and a body.
    raw_answer ask(std::string_view line, std::string_view lines, std::string_view body = {})
    {
        return ask(request(line, lines, body));
    }

    static std::string request(
        std::string_view line, std::string_view lines = {}, std::string_view body = {}
    )
    {
        auto text =
            std::string{line} + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer all\r\n";
        text += lines;
        if (!body.empty())
            text +=
                "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
                "\r\n";
        text += "\r\n";
        text += body;
        return text;
    }

    /// A request for numbers under a key.
    static std::string issue_request(std::string_view key, std::string_view body = "{}")
    {
        return request(
            "POST /v1/series/dhl-paket/numbers",
            "Idempotency-Key: " + std::string{key} + "\r\n",
            body
        );
    }

    boost::asio::io_context io;
    fake_service service{io};
    server web;
};

/// The same, however many tokens fail.
struct patient_fixture : http_fixture
{
    patient_fixture() : http_fixture{bad_tokens_max(0)} {}
};

/// The same with few bad tokens.
struct strict_fixture : http_fixture
{
    strict_fixture() : http_fixture{bad_tokens_max(2)} {}
};

/// The same with short deadlines.
struct quick_fixture : http_fixture
{
    quick_fixture() : http_fixture{quick_limits()} {}
};

}  // namespace gapless::test
