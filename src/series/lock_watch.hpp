#pragma once

#include "formats/series_directory.hpp"
#include "issuing/issue_queue.hpp"
#include "issuing/lock_store.hpp"
#include "issuing/queue_figures.hpp"

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace gapless {

/// Finds out who has locked a series that the queue waits for, tells the queue, and logs it once
/// each time. I/O thread only.
class lock_watch
{
public:
    /// The references must outlive it.
    lock_watch(
        boost::asio::io_context& io,
        database_threads& threads,
        series_directory const& series,
        issue_queue& queue
    );

    /// Called when a series is locked, and every second while it stays locked.
    void look_for_blocker(std::int32_t series_id);

    /// Called when it is free again.
    void note_free(std::int32_t series_id);

    /// The currently locked series, and by whom.
    std::vector<locked_series> locked() const;

private:
    boost::asio::awaitable<void> look();
    void note(std::int32_t series_id, series_blocker const& blocker);

    boost::asio::io_context& io_;
    database_threads& threads_;
    series_directory const& series_;
    issue_queue& queue_;
    bool looking_{};                                   // one look-up at a time
    std::set<std::int32_t> wanted_;                    // to be looked up next
    std::map<std::int32_t, series_blocker> blockers_;  // already logged
};

}  // namespace gapless
