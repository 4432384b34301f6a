#pragma once

#include "http/auth_throttle.hpp"
#include "http/concurrency_limit.hpp"
#include "http/counters.hpp"
#include "http/http_log.hpp"
#include "http/limits.hpp"
#include "http/problem.hpp"
#include "http/service_set.hpp"
#include "http/tls.hpp"

#include <boost/intrusive/list.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace gapless {

class http_connection;
struct route;

/// Puts a connection into the server's list without an allocation, and takes it out when it is
/// destroyed.
using connection_hook =
    boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

/// What a server and its connections share. Lives until the last of them is gone. I/O thread only:
/// no locks.
struct server_state
{
    service_set services;  // they outlive the io_context's last run
    std::span<route const> routes;
    http_limits limits;
    http_log log{};  // empty: requests are not logged
    http_counters counters{};
    std::uint64_t requests_begun{};
    std::size_t connections{};  // including those whose client left while the request runs
    problem_writer problems{};
    std::shared_ptr<tls_context const> tls{};  // for new connections; null: plain
    std::chrono::steady_clock::time_point handshake_failure_logged{};
    std::size_t invoices{};  // long ones now held, see take_room()
    concurrency_limit places{limits.client_requests_max, 3 * limits.client_requests_max};
    auth_throttle throttle{limits.failed_tokens_per_minute_max};
    bool stopping{};
    std::chrono::system_clock::time_point started{std::chrono::system_clock::now()};

    /// Counts sweeps. Deadlines are counted in sweeps instead of read from a clock: a request costs
    /// no clock call, and after a frozen process resumes, not every client is late.
    std::uint64_t sweep{};

    std::function<void()> on_connection_ended{};
};

/// Makes the id of a request for its answer and the logs: differs between requests, and almost
/// certainly between starts of the program.
void write_request_id(std::uint64_t number, std::string& id);

}  // namespace gapless
