#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gapless {

/// What one client may cost. Times are per phase, not per byte, so that trickling gains a client
/// nothing; a phase ends at most two sweeps after its time.
struct http_limits
{
    std::size_t connections_max{1'024};  // beyond: 503 overloaded, then closed
    std::uint64_t requests_per_connection_max{
        0};                                   // 0: no limit; label printers keep theirs for weeks
    std::size_t target_bytes_max{2 * 1'024};  // beyond: 414
    std::size_t header_bytes_max{8 * 1'024};  // request line and fields; beyond: 431
    std::size_t header_fields_max{64};        // beyond: 431
    std::size_t body_bytes_max{16 * 1'024};   // beyond: 413
    std::size_t large_body_bytes_max{1'024 * 1'024};    // where a route takes blocks or events
    std::size_t invoice_bytes_max{16 * 1'024 * 1'024};  // where it takes a carrier's invoice
    std::size_t invoices_max{4};  // of more than large_body_bytes_max, here at the same time

    std::size_t client_requests_max{
        250};  // of one token, or address without one, that wait for the database once three times
               // as many wait in all; beyond: 503
    std::size_t failed_tokens_per_minute_max{
        20};  // of one address; then 429 for bad tokens; 0: no limit

    // Origins whose pages may call, as browsers name them; "*": all. Never with a cookie.
    std::vector<std::string> cors_origins{};

    std::chrono::milliseconds header_time_max{
        5'000};  // from the first byte, or from connecting; then 408
    std::chrono::milliseconds body_time_max{10'000};   // from the end of the header; then 408
    std::chrono::milliseconds write_time_max{10'000};  // from the first byte; then closed
    std::chrono::milliseconds idle_time_max{30'000};   // between two requests; then closed
    std::chrono::milliseconds half_closed_time_max{
        2'000};  // for an answer to a client that ended its side; then closed
    std::chrono::milliseconds linger_time_max{1'000};  // discarding what follows the last answer
    std::chrono::milliseconds sweep_period{250};       // how often deadlines are checked
};

}  // namespace gapless
