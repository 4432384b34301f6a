#include "issuing/queue_pace.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace gapless {

namespace {

// About what a request costs on its way from the answer through the client back to this queue, and
// what its row costs PostgreSQL. Exact figures do not matter: a COMMIT takes as long as tens of
// requests on a fast disk, hundreds on a slow one.
constexpr std::chrono::microseconds way_back_of_one{18};
constexpr std::chrono::microseconds way_back_of_first{60};
constexpr std::chrono::microseconds row_time{8};

}  // namespace

void queue_pace::note_done(time sent, time now)
{
    constexpr int memory = 4;  // batches
    auto const took = now - std::max(sent, std::exchange(last_done_, now));
    batch_time_ += (took - batch_time_) / memory;
}

void queue_pace::expect_back(crowd const& seen, time now)
{
    auto const callers = seen.answered + seen.waiting + seen.under_way;
    most_ = std::max(callers, most_ - most_ / 16);
    // Signed: the time left of a short batch may be negative.
    auto const way_back = way_back_of_first + way_back_of_one * static_cast<std::int64_t>(most_);
    auto const commit_time = batch_time_ - row_time * static_cast<std::int64_t>(seen.answered);
    auto const wanted = std::min(callers - callers / 10, seen.batch_max);
    gather_ = callers > 1 && commit_time > way_back && wanted > seen.waiting ? wanted : 0;
    // With another batch under way, its end decides again.
    gather_until_ =
        seen.under_way > 0 ? time::max() : now + std::max<duration>(way_back, commit_time / 4);
}

}  // namespace gapless
