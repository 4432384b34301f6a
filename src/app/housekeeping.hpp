#pragma once

#include "access/quota_cache.hpp"
#include "postgres/clock_store.hpp"
#include "postgres/database_threads.hpp"
#include "proof/sealer.hpp"
#include "series/low_water.hpp"
#include "series/series_look.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

namespace gapless {

/// The intervals of the tasks; each is a setting of gaplessd.
struct housekeeping_settings
{
    std::chrono::milliseconds interval{1'000};  // for expired holds and blocks
    /// For how many numbers remain in every series; longer if reading that takes long.
    std::chrono::milliseconds series_interval{15'000};
    std::chrono::milliseconds seal_interval{10'000};  // sealing in hash chains; 0: never
    /// How long answers are kept by key, except those to issuing.
    std::chrono::milliseconds answer_life{std::chrono::days{90}};
};

/// What the service does by itself: ends expired holds and blocks, deletes old answers, gathers
/// daily use, seals records, all of this in the one instance whose turn it is; looks at the
/// database's clock, and warns of series that run low. Nothing expires while the clock is in doubt.
/// I/O thread only.
class housekeeping
{
public:
    /// The references must outlive it; `has_turn` is called on the I/O thread.
    housekeeping(
        boost::asio::io_context& io,
        database_threads& threads,
        quota_cache& quotas,
        std::function<bool()> has_turn,
        housekeeping_settings const& settings
    );

    void start() { sweep_later(); }
    void stop();

    /// Takes the series as another task has just read them.
    void note_series(series::series_look seen);

    /// The series as last read from the database, and when; empty until the first time. They are
    /// read repeatedly only while somebody requests them.
    std::vector<series::watched_series> const& series() const
    {
        asked_ = clock::now();
        return series_;
    }
    std::optional<std::chrono::system_clock::time_point> series_read() const { return read_; }

    class sealer const& sealer() const noexcept { return sealer_; }

private:
    using clock = std::chrono::steady_clock;

    void sweep_later();
    boost::asio::awaitable<void> sweep();
    boost::asio::awaitable<void> look_at_clock();
    boost::asio::awaitable<void> end_expired();
    boost::asio::awaitable<void> forget_answers();
    boost::asio::awaitable<void> gather_use();
    boost::asio::awaitable<void> tidy_up();
    bool are_series_due() const;
    boost::asio::awaitable<void> look_at_series();

    boost::asio::io_context& io_;
    database_threads& threads_;
    quota_cache& quotas_;
    std::function<bool()> has_turn_;
    housekeeping_settings settings_;
    class sealer sealer_;
    boost::asio::steady_timer timer_;
    bool stopped_{};
    std::optional<clock_mark> clock_;    // of the last look that trusted the database's clock
    bool trusts_clock_{};                // the last look did
    clock::time_point clock_due_{};      // when to look again without the turn
    clock::time_point answers_due_{};    // when to search for old ones again
    clock::time_point use_due_{};        // when to search for past days again
    clock::time_point series_due_{};     // when to read them again
    mutable clock::time_point asked_{};  // when the series were last requested
    std::vector<series::watched_series> series_;
    std::optional<std::chrono::system_clock::time_point> read_;
    low_water_watch low_water_;
};

}  // namespace gapless
