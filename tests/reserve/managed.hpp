#pragma once

#include "formats/series_directory.hpp"
#include "harness/leasing.hpp"
#include "issuing/issue_queue.hpp"
#include "reserve/lease_manager.hpp"
#include "reserve/leases.hpp"

#include <pqxx/pqxx>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace gapless::test {

/// An issue queue and the manager of its reserves, run in the test's own thread. The database can
/// be cut off from both; a test's own connections stay.
struct managed : leasing
{
    managed()
    {
        queue.start();
        manager.start();
    }
    ~managed()
    {
        connect();
        manager.stop();
        if (second)
            second->stop();
        queue.stop();
        threads.stop();
        while (io.poll() > 0)
            ;
    }
    managed(managed const&) = delete;
    managed& operator=(managed const&) = delete;

    template <class Condition>
    void run_until(Condition const& condition)
    {
        auto const deadline = std::chrono::steady_clock::now() + 30s;
        while (!condition())
        {
            REQUIRE(std::chrono::steady_clock::now() < deadline);
            io.run_one_for(5ms);
        }
    }

    /// Sets a series' reserve and waits until that many numbers are on lease here.
    void keep_in_reserve(std::string const& name, std::int64_t numbers)
    {
        run("select gapless.series_change('" + name +
            "', '{\"reserve_numbers\": " + std::to_string(numbers) + "}', null, 'me')");
        run_until([&] { return rest(name) == numbers; });
    }

    /// Numbers of the series left in the reserve.
    std::int64_t rest(std::string const& name) const
    {
        for (auto const& each : manager.figures().series)
            if (each.series == name)
                return each.rest;
        return 0;
    }

    /// Ends the connections of queue and manager, and admits no new ones.
    void cut()
    {
        allow_connections(false);
        end_connections();
        run_until([&] { return !queue.connected() && !queue.fenced(); });
    }

    void connect() { allow_connections(true); }

    /// From another database, since nobody may say so of his own.
    void allow_connections(bool allowed)
    {
        pqxx::connection elsewhere{server_url()};
        test::run(
            elsewhere,
            "alter database \"" + name() + "\" with allow_connections " +
                (allowed ? "true" : "false")
        );
    }

    void end_connections()
    {
        run("select pg_terminate_backend(pid) from pg_stat_activity where datname = "
            "current_database() and application_name = 'gaplessd'");
    }

    /// Asks for one number; the result names the request.
    std::size_t ask(std::int32_t series_id, std::uint32_t key)
    {
        auto request = request_of(key, 1, series_id);
        request.owner_id = owner;
        told_.push_back(std::make_shared<std::string>());
        manager.issue(std::move(request), std::make_unique<listener>(told_.back()));
        return told_.size() - 1;
    }

    /// "issued", "drawn" or the kind of the refusal.
    std::string outcome(std::size_t asked)
    {
        run_until([&] { return !told_[asked]->empty(); });
        return *told_[asked];
    }

    struct listener : issue_listener
    {
        explicit listener(std::shared_ptr<std::string> kept) : told{std::move(kept)} {}
        void ended(result<issuance> got) override
        {
            *told = got.has_error() ? std::string{name_of(got.error().kind)}
                    : got->reserve  ? "drawn"
                                    : "issued";
        }
        std::shared_ptr<std::string> told;
    };

    std::atomic<bool> refuses{};  // whether the admission check does; asked on other threads
    boost::asio::io_context io;
    new_folder folder;
    database_threads threads{io, url(), {}, {}};
    series_directory directory{threads};
    issue_queue queue{
        io,
        {.database_url = url(),
         .admit =
             [this](life_reader const&, marks_reader const&) {
                 return refuses ? admission{.trouble = "made up"} : admission{};
             },
         .accept_risk = true},
        {.issue_time_max = 2s},
        {.connection_changed = [this] { manager.on_connection_changed(); }}};
    lease_manager manager{
        io, {.database_url = url(), .folder = folder.path}, {}, queue, directory, nullptr};
    std::optional<lease_manager> second;  // of another instance, if a test has one

private:
    std::vector<std::shared_ptr<std::string>> told_;
};

}  // namespace gapless::test
