#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace gapless {

/// How fast a connection has been lately, and whether its next batch is worth waiting for. Pure.
class queue_pace
{
public:
    using time = std::chrono::steady_clock::time_point;
    using duration = std::chrono::steady_clock::duration;

    /// The load when a batch was answered.
    struct crowd
    {
        std::size_t answered{};
        std::size_t waiting{};
        std::size_t under_way{};  // in other batches
        std::size_t batch_max{};
    };

    /// A batch is done.
    void note_done(time sent, time now);

    /// With half of the clients on their way back while the other half is issued, two COMMITs do
    /// what one batch of all would do with one. Gathering pays when the clients are back before a
    /// COMMIT would end. Clients that are slower are not waited for the next time.
    void expect_back(crowd const& seen, time now);

    /// Stops waiting for clients.
    void stop_gathering() noexcept { gather_ = 0; }

    /// How many requests the next batch waits for; 0: does not wait.
    std::size_t gather(time now) const noexcept { return now < gather_until_ ? gather_ : 0; }

    /// When the wait ends; none: there is no wait.
    std::optional<time> gathers_until() const noexcept
    {
        return gather_ > 0 && gather_until_ != time::max() ? std::optional{gather_until_}
                                                           : std::nullopt;
    }

    /// Recent average from the end of one batch to the end of the next.
    duration batch_time() const noexcept { return batch_time_; }

private:
    time last_done_{};
    duration batch_time_{};
    std::size_t most_{};  // recent peak of requests in the queue, under way or just answered
    std::size_t gather_{};
    time gather_until_{};
};

}  // namespace gapless
