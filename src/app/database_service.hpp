#pragma once

#include "access/database_access.hpp"
#include "app/health_watch.hpp"
#include "app/housekeeping.hpp"
#include "app/status_service.hpp"
#include "http/series_lookup.hpp"
#include "http/service_set.hpp"
#include "issuing/issuing_service.hpp"
#include "issuing/journal.hpp"
#include "notices/notice_publisher.hpp"
#include "notices/notice_watch.hpp"
#include "postgres/database_records.hpp"
#include "reserve/lease_manager.hpp"
#include "series/lock_watch.hpp"
#include "webhooks/address_check.hpp"
#include "webhooks/webhook_sender.hpp"

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace gapless {

struct service_settings
{
    std::string database_url;
    thread_limits threads;  // for everything but issuing
    std::chrono::milliseconds token_life{4'000};
    housekeeping_settings sweep;
    std::string journal;      // folder of the journals; empty: no journal
    token_limits limits;      // for tokens without limits of their own
    std::string environment;  // the database must belong to it; empty: any
    bool accept_risk{};  // issue also where a crash of the server can lose acknowledged numbers
    queue_limits queue;
    std::chrono::milliseconds lease_time{std::chrono::hours{8}};  // of reserves, from each contact
    std::size_t reserve_keys_max{1'000'000};                      // remembered with their answers
    std::size_t notice_waiters_max{256};  // requests waiting at the same time
    std::size_t metrics_series{200};      // with lines of their own; all_series_lines: no limit
    std::vector<ip_network> webhook_networks;  // where private addresses and http are allowed
};

/// The service on PostgreSQL: issues through the queue and its issue connections, everything else
/// through the database threads. I/O thread only.
class database_service : public issuing_service, public series_lookup, public status_service
{
public:
    /// Throws journal_failure.
    database_service(boost::asio::io_context& io, service_settings settings);

    /// Starts connecting; does not throw if there is no database yet.
    void start();

    /// Ends all waiting requests. The I/O context must run until the database threads are done.
    void stop();

    /// Tries at once whether the database accepts a new session; readiness and the log tell.
    void try_new_session() { health_.try_new_session(); }

    /// The services that handlers use.
    service_set offered();

    series_entry const* known_series(std::string_view name) const override;
    std::int32_t id_of(series_entry const& series) const noexcept override
    {
        return series.series_id;
    }
    boost::asio::awaitable<result<series_entry const*>> find_series(std::string name) override;
    void issue(issue_request request, std::unique_ptr<issue_listener> listener) override;
    readiness known_readiness() const override;
    bool reserve_serves(std::string_view series) const override;
    service_figures figures() const override;

private:
    // These must outlive the threads, which may be using them during destruction.
    std::unique_ptr<journal> journal_;  // null: no journal is kept
    series_directory series_;

    std::size_t const series_lines_;  // of metrics
    database_threads threads_;
    issue_queue queue_;
    lock_watch locks_;
    database_access access_;
    database_records records_;
    housekeeping housekeeping_;
    notice_watch notices_;
    notice_publisher publisher_;
    health_watch health_;
    address_check address_check_;
    webhook_sender webhooks_;
    lease_manager reserve_;
};

}  // namespace gapless
