#pragma once

#include "app/service_figures.hpp"
#include "http/counters.hpp"

#include <array>
#include <cstdint>

namespace gapless {

/// A counter, given as a member of `Counters`.
template <class Counters>
struct counted
{
    char const* name;
    char const* help;
    std::uint64_t Counters::*value;
};

/// The server's counters, with their Prometheus names.
inline constexpr std::array http_rows{
    counted<http_counters>{
        "gapless_http_connections_accepted_total",
        "Connections that were accepted.",
        &http_counters::connections_accepted},
    counted<http_counters>{
        "gapless_http_connections_refused_total",
        "Connections beyond connections_max.",
        &http_counters::connections_refused},
    counted<http_counters>{
        "gapless_http_accept_failures_total",
        "Times without a file descriptor or memory for a connection.",
        &http_counters::accept_failures},
    counted<http_counters>{
        "gapless_http_framing_faults_total",
        "Requests that could not be told from the next.",
        &http_counters::framing_faults},
    counted<http_counters>{
        "gapless_http_timeouts_total",
        "Requests that came too slowly, and answers that were read too slowly.",
        &http_counters::timeouts},
    counted<http_counters>{
        "gapless_http_departures_total",
        "Clients that went while their request ran.",
        &http_counters::departures},
    counted<http_counters>{
        "gapless_http_failures_total",
        "Requests that ended with status 500.",
        &http_counters::failures},
    counted<http_counters>{
        "gapless_tls_handshakes_total",
        "TLS handshakes that succeeded.",
        &http_counters::tls_handshakes},
    counted<http_counters>{
        "gapless_tls_handshake_failures_total",
        "TLS handshakes that failed or took too long.",
        &http_counters::tls_handshake_failures},
    counted<http_counters>{
        "gapless_http_received_bytes_total", "Bytes received.", &http_counters::bytes_received},
    counted<http_counters>{
        "gapless_http_sent_bytes_total", "Bytes sent.", &http_counters::bytes_sent},
};

/// The issue queue's counters.
inline constexpr std::array queue_rows{
    counted<queue_counters>{
        "gapless_numbers_issued_total",
        "Numbers issued or held by this instance over HTTP, replays not counted.",
        &queue_counters::numbers},
    counted<queue_counters>{
        "gapless_issue_requests_total",
        "Issue requests sent to the database; one that is sent again counts again.",
        &queue_counters::requests},
    counted<queue_counters>{
        "gapless_issue_batches_total",
        "Transactions these requests shared.",
        &queue_counters::batches},
    counted<queue_counters>{
        "gapless_issue_replays_total",
        "Issue requests answered with the numbers of their first time.",
        &queue_counters::replays},
    counted<queue_counters>{
        "gapless_issue_conflicts_total",
        "Batches that were rolled back and tried again.",
        &queue_counters::conflicts},
    counted<queue_counters>{
        "gapless_issue_lost_batches_total",
        "Batches under way when the connection was lost.",
        &queue_counters::unknown_batches},
    counted<queue_counters>{
        "gapless_issue_unknown_total",
        "Issue requests answered outcome-unknown.",
        &queue_counters::answered_unknown},
    counted<queue_counters>{
        "gapless_issue_overloaded_total",
        "Issue requests refused because the queue was full.",
        &queue_counters::refused_overloaded},
};

}  // namespace gapless
