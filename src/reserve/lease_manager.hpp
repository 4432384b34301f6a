#pragma once

#include "access/database_access.hpp"
#include "formats/series_directory.hpp"
#include "postgres/database_threads.hpp"
#include "reserve/adopted_journal.hpp"
#include "reserve/journal_folder.hpp"
#include "reserve/reserve_figures.hpp"
#include "reserve/reserve_router.hpp"
#include "reserve/reserve_steps.hpp"
#include "reserve/trusted_tokens.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace gapless {

struct reserve_settings
{
    std::string database_url;
    std::filesystem::path folder;  // of the journals; empty: no reserves
    std::chrono::milliseconds lease_time{std::chrono::hours{8}};
    std::chrono::milliseconds answer_time_max{10'000};  // until an answer is on the disk
    std::size_t keys_max{1'000'000};                    // remembered with their answers
    token_limits limits;                                // for tokens without limits of their own
};

/// Keeps the reserves of this instance: introduces it to the database, takes leases, renews them
/// each second, settles first of all what was drawn in an outage, returns unused numbers. Database
/// work runs on a thread of its own. I/O thread only.
class lease_manager : public outage_tokens
{
public:
    /// The references must outlive it; `marks` may be null.
    lease_manager(
        boost::asio::io_context& io,
        reserve_settings settings,
        database_threads::connection_check check,
        issue_queue& queue,
        series_directory& series,
        journal* marks
    );

    void start();

    /// Stops drawing. With a database everything is settled and returned in the background; without
    /// one the journal keeps it for the next start.
    void stop();

    /// Every issue request of the service comes in here.
    void issue(issue_request request, std::unique_ptr<issue_listener> listener)
    {
        router_.issue(std::move(request), std::move(listener));
    }

    /// An issue connection was lost or is up again.
    void on_connection_changed();

    /// The connection in use may lead to a former primary.
    void forget_connections() { thread_.forget_connections(); }

    bool is_trusting() const override;
    bool is_cut() const override;
    bool knows_key(issue_request const& asked) const override
    {
        return core_.find_drawn(asked).has_value();
    }
    result<std::shared_ptr<principal const>> trust(token_text const& token) override;
    void note_used(std::int32_t token_id) override { tokens_.note_used(token_id); }

    /// Whether a request for a number of this series would be served from its reserve right now.
    bool serves(std::int32_t series_id) const { return router_.serves(series_id); }

    reserve_figures figures() const;

private:
    boost::asio::awaitable<void> keep();
    boost::asio::awaitable<void> rest();
    void look();

    // One pass over everything that there may be to do.
    boost::asio::awaitable<void> pass();
    std::shared_ptr<journal_writer> hand_over();
    boost::asio::awaitable<bool> begin();
    boost::asio::awaitable<bool> introduce_us();
    boost::asio::awaitable<bool> contact();
    boost::asio::awaitable<bool> stay_in_contact();
    boost::asio::awaitable<bool> note_others(std::vector<lease_holder> const& holders);
    boost::asio::awaitable<bool> settle();
    void count_settled(settling const& what, std::vector<settled_record> const& outcomes);
    boost::asio::awaitable<bool> adopt();
    boost::asio::awaitable<bool> open_again();
    void take_up(unopened_journals::look&& found);
    void write_to(std::unique_ptr<lease_journal> own);

    // The leases.
    boost::asio::awaitable<void> see_to(wanted_reserve wanted);
    boost::asio::awaitable<void> take(wanted_reserve wanted);
    boost::asio::awaitable<bool> give_back(std::int32_t series_id, lease_id lease);
    void add_notice(instance_identity const& who, std::int32_t series_id, outage_sums const& sums);
    boost::asio::awaitable<void> tell_outages();

    void trust_tokens(lease_tokens&& tokens);
    bool note_trouble(std::string const& step, refusal const& why);
    template <class Work>
    auto run(Work work);

    boost::asio::io_context& io_;
    reserve_settings settings_;
    issue_queue& queue_;
    series_directory& series_;
    journal* marks_;
    database_threads thread_;
    reserve_core core_;
    reserve_router router_;
    trusted_tokens tokens_;
    boost::asio::steady_timer timer_;
    boost::asio::steady_timer look_timer_;
    bool stopped_{};

    /// A notice that the database has not received yet.
    struct notice
    {
        instance_identity who;
        std::int32_t series_id{};
        std::string data;  // JSON
    };

    std::shared_ptr<journal_writer> writer_;  // null: no reserve is wanted, or none can be kept
    instance_identity who_;
    std::optional<lease_id> next_instance_;  // of a journal that could not be created yet
    std::optional<lease_id> claim_;  // under way; none: introduced since contact was last lost
    bool introduced_{};
    reserve_time contacted_;  // before the last contact was sent
    bool idle_{};             // no series has a reserve, and none is left over
    bool goes_on_{};          // the next pass follows at once
    std::vector<std::shared_ptr<adopted_journal>> adopted_;
    std::shared_ptr<unopened_journals> unopened_{std::make_shared<unopened_journals>()};
    bool unopened_hold_keys_{};
    std::string database_;  // whose journals are ours to look at; empty: not known yet
    std::map<std::filesystem::path, std::filesystem::file_time_type> empty_;  // of others
    std::vector<wanted_reserve> wanted_;
    std::map<lease_id, database_time> heard_;  // in the journal: which instances may have leases
    std::map<std::int32_t, taking> takings_;   // requests whose answer is unknown
    std::vector<notice> notices_;
    std::set<std::string> trouble_;      // of the pass before, which is not logged again
    std::set<std::string> new_trouble_;  // of this pass
};

/// Runs a step on the manager's thread; a disk failure becomes a refusal like others.
template <class Work>
auto lease_manager::run(Work work)
{
    auto guarded = [work = std::move(work)](pqxx::connection& connection
                   ) mutable -> std::invoke_result_t<Work&, pqxx::connection&> {
        try
        {
            return work(connection);
        }
        catch (lease_journal_failure const& failure)
        {
            return refusal{refusal_kind::state_conflict, failure.what()};
        }
        catch (journal_failure const& failure)
        {
            return refusal{refusal_kind::state_conflict, failure.what()};
        }
    };
    return thread_.run(std::move(guarded), work_order{.kind = work_kind::write});
}

}  // namespace gapless
