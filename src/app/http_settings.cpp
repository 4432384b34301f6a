#include "app/http_settings.hpp"

#include <algorithm>
#include <iterator>

namespace gapless {

using namespace std::chrono_literals;

namespace {

std::vector<setting> size_settings(http_limits& limits)
{
    return {
        make_setting(
            "connections_max",
            "open connections; beyond: the longest idle one is closed, else 503 overloaded",
            limits.connections_max,
            1,
            100'000
        ),
        make_setting(
            "target_bytes_max",
            "length of a request's target; beyond: 414",
            limits.target_bytes_max,
            256,
            65'536
        ),
        make_setting(
            "header_bytes_max",
            "size of a request's header; beyond: 431",
            limits.header_bytes_max,
            1'024,
            65'536
        ),
        make_setting(
            "header_fields_max",
            "fields in a request's header; beyond: 431",
            limits.header_fields_max,
            8,
            1'000
        ),
        make_setting(
            "body_bytes_max", "size of a body; beyond: 413", limits.body_bytes_max, 256, 1'048'576
        ),
        make_setting(
            "large_body_bytes_max",
            "size of a body that loads blocks; beyond: 413",
            limits.large_body_bytes_max,
            256,
            67'108'864
        ),
        make_setting(
            "cors_origins",
            "origins whose pages may ask with a token, such as https://shop.example; *: every; "
            "empty: none",
            limits.cors_origins
        ),
        make_setting(
            "client_requests_max",
            "requests of a token, or of an address without a known one, that may wait for the "
            "database once three times as many wait in all; beyond: 503 overloaded",
            limits.client_requests_max,
            1,
            100'000
        ),
        make_setting(
            "failed_tokens_per_minute_max",
            "tokens of an address that may fail in a minute; beyond: 429 for bad ones; 0: no limit",
            limits.failed_tokens_per_minute_max,
            0,
            1'000'000
        ),
    };
}

std::vector<setting> invoice_settings(http_limits& limits)
{
    return {
        make_setting(
            "invoice_bytes_max",
            "size of a carrier's invoice; beyond: 413",
            limits.invoice_bytes_max,
            1'024,
            67'108'864
        ),
        make_setting(
            "invoices_max",
            "invoices longer than large_body_bytes_max that are received at the same time; beyond: "
            "503 overloaded",
            limits.invoices_max,
            1,
            64
        ),
    };
}

std::vector<setting> time_settings(http_limits& limits)
{
    return {
        make_setting(
            "header_time_max", "time to send a header", limits.header_time_max, 100ms, 10min
        ),
        make_setting("body_time_max", "time to send a body", limits.body_time_max, 100ms, 10min),
        make_setting(
            "write_time_max", "time to take an answer", limits.write_time_max, 100ms, 10min
        ),
        make_setting(
            "half_closed_time_max",
            "time for the answer to a client that will send nothing more: it may be gone",
            limits.half_closed_time_max,
            100ms,
            10min
        ),
        make_setting(
            "idle_time_max",
            "time between two requests of a connection",
            limits.idle_time_max,
            100ms,
            1h
        ),
    };
}

}  // namespace

std::vector<setting> http_settings(http_limits& limits)
{
    auto all = size_settings(limits);
    std::ranges::move(invoice_settings(limits), std::back_inserter(all));
    std::ranges::move(time_settings(limits), std::back_inserter(all));
    return all;
}

}  // namespace gapless
