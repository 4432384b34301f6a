#pragma once

#include "service/database_threads.hpp"
#include "service/issue_queue.hpp"
#include "service/low_water.hpp"
#include "service/numbering.hpp"
#include "service/quota_book.hpp"
#include "service/request_rates.hpp"
#include "service/token_cache.hpp"
#include "store/journal.hpp"
#include "store/lock_store.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <map>
#include <string>

namespace gapless {

struct numbering_settings
{
    std::string database_url;
    thread_limits threads;  // for everything but issuing
    std::chrono::milliseconds token_life{4'000};
    std::chrono::milliseconds sweep_interval{
        1'000};  // how often expired holds and blocks are looked for
    std::chrono::milliseconds series_interval{
        15'000};  // how often metrics and warnings look at what is left of every series
    std::chrono::milliseconds seal_interval{
        10'000};              // how often records are sealed in their hash chains; 0: never
    std::string journal;      // folder of the journals; empty: none is kept
    token_limits limits;      // of tokens that have no word of their own
    std::string environment;  // the database has to belong to; empty: any
    bool accept_risk{};  // issue also where a crash of the server can lose acknowledged numbers
    queue_limits queue;
};

/// The use cases on PostgreSQL: issuing through the queue and its lane, everything else through the
/// database threads.
class database_numbering : public numbering
{
public:
    /// Throws journal_failure.
    database_numbering(boost::asio::io_context& io, numbering_settings settings);

    /// Starts connecting; nothing is thrown when there is no database yet.
    void start();

    /// Ends what waits. The I/O context has to run until the database threads are done.
    void stop();

    issue_queue const& queue() const noexcept { return queue_; }

    std::shared_ptr<principal const> known_principal(std::string_view token) override;
    boost::asio::awaitable<result<std::shared_ptr<principal const>>> identify(std::string token
    ) override;
    result<void> count_request(principal const& who) override;
    boost::asio::awaitable<result<quota_share>> take_quota(
        std::shared_ptr<principal const> who, issue_request request
    ) override;
    void give_back(quota_share const& share) override { quotas_.give_back(share); }
    series_entry const* known_series(std::string_view name) const override;
    boost::asio::awaitable<result<series_entry const*>> find_series(std::string name) override;
    void issue(issue_request request, std::unique_ptr<issue_listener> listener) override;
    boost::asio::awaitable<result<issuance_record>> read_issuance(issuance_id id) override;
    boost::asio::awaitable<result<std::vector<series_record>>> list_series() override;
    boost::asio::awaitable<result<series_record>> read_series(std::string name) override;
    boost::asio::awaitable<result<rendered_answer>> create_series(
        series_draft draft,
        request_actor actor,
        std::optional<request_identity> identity,
        renderer<series_record> render
    ) override;
    boost::asio::awaitable<result<series_record>> change_series(
        std::string name, series_change change, request_actor actor
    ) override;
    boost::asio::awaitable<result<std::vector<block_record>>> list_blocks(std::string series
    ) override;
    boost::asio::awaitable<result<rendered_answer>> load_block(
        block_draft draft,
        request_actor actor,
        std::optional<request_identity> identity,
        bool dry_run,
        renderer<block_record> render
    ) override;
    boost::asio::awaitable<result<rendered_answer>> settle_hold(
        issuance_id id,
        std::vector<serial_range> ranges,
        bool confirm,
        request_actor actor,
        std::optional<request_identity> identity,
        renderer<issuance_record> render
    ) override;
    boost::asio::awaitable<result<rendered_answer>> note_event(
        std::int32_t series_id,
        event_draft event,
        request_actor actor,
        std::optional<request_identity> identity,
        renderer<std::int64_t> render
    ) override;
    boost::asio::awaitable<result<number_record>> read_number(
        series_entry const* series, std::string number
    ) override;
    boost::asio::awaitable<result<found_number>> search_number(
        std::shared_ptr<principal const> who, std::string number
    ) override;
    boost::asio::awaitable<result<std::vector<ledger_row>>> read_ledger(
        std::int32_t series_id, ledger_page page
    ) override;
    boost::asio::awaitable<result<std::vector<number_declaration>>> list_formats() override;
    boost::asio::awaitable<result<rendered_answer>> declare_format(
        number_declaration declaration,
        request_actor actor,
        std::optional<request_identity> identity,
        renderer<number_declaration> render
    ) override;
    boost::asio::awaitable<result<verification>> verify(std::string series) override;
    readiness known_readiness() const override;
    service_figures figures() const override;

private:
    boost::asio::awaitable<result<std::optional<token_record>>> read_token_record(
        std::int32_t token_id, secret_hash hash
    );
    boost::asio::awaitable<void> renew_token(std::shared_ptr<principal const> who);
    boost::asio::awaitable<result<void>> learn_series(std::optional<std::string> name);
    boost::asio::awaitable<void> sweep();
    boost::asio::awaitable<void> end_expired();
    boost::asio::awaitable<void> look_at_series();
    boost::asio::awaitable<void> seal();
    boost::asio::awaitable<bool> seal_all();
    boost::asio::awaitable<void> watch_health();
    boost::asio::awaitable<void> look_at_health();
    work_order change_of(std::string_view series) const;
    boost::asio::awaitable<void> look_at_blocker(std::int32_t series_id);
    void find_blocker(std::int32_t series_id);
    void note_free(std::int32_t series_id);
    std::string name_of_series(std::int32_t series_id) const;
    void sweep_later();

    /// What is older is told as stale.
    static constexpr std::chrono::seconds readiness_age_max{5};
    /// Of one look at the database; several fit into readiness_age_max with what lies between.
    static constexpr std::chrono::milliseconds look_time_max{3'000};

    boost::asio::io_context& io_;
    // These outlive the threads, which may be using them when we end.
    std::unique_ptr<journal> journal_;  // none: what was answered is kept nowhere else
    std::map<std::string, series_entry, std::less<>>
        series_;  // never shrinks: a series is for ever
    database_threads threads_;
    database_threads health_thread_;  // so that it looks also while the others are held up
    issue_queue queue_;
    token_cache tokens_;
    request_rates rates_;
    quota_book quotas_;
    bool verifying_{};
    bool finding_blocker_{};                                // one look-up at a time
    std::map<std::int32_t, series_blocker> locked_series_;  // of which an event told, and by whom
    std::chrono::milliseconds sweep_interval_;
    boost::asio::steady_timer sweep_timer_;  // for holds and blocks whose time is over
    std::chrono::milliseconds series_interval_;
    std::chrono::steady_clock::time_point series_due_{};  // when they are looked at again
    std::chrono::milliseconds seal_interval_;
    std::chrono::steady_clock::time_point seal_due_{};  // when records are sealed again
    boost::asio::steady_timer seal_timer_;              // for the rest after a link
    bool sealing_{};
    std::optional<std::chrono::system_clock::time_point> sealed_at_;  // all that is older
    std::vector<series_record> series_seen_;
    std::optional<std::chrono::system_clock::time_point> series_seen_at_;
    low_water_watch low_water_;
    boost::asio::steady_timer health_timer_;
    bool accept_risk_;
    bool stopped_{};
    int connections_;  // this instance may open
    readiness seen_;   // of the database, when it was last looked at
    std::chrono::steady_clock::time_point seen_at_{};  // not yet, while `looked_` is false
    bool looked_{};
    std::vector<health_check> checks_;
};

}  // namespace gapless
