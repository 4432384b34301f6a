#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace gapless {

/// How fast a connection is of late, and whether its next batch is worth waiting for. Pure.
class queue_pace
{
public:
    using time = std::chrono::steady_clock::time_point;
    using duration = std::chrono::steady_clock::duration;

    /// What stands around a batch that was answered.
    struct crowd
    {
        std::size_t answered{};
        std::size_t waiting{};
        std::size_t under_way{};  // in other batches
        std::size_t batch_max{};
    };

    /// A batch is done.
    void note_done(time sent, time now);

    /// Two halves of the clients in turn, one on its way while the other is issued, pay for two
    /// COMMITs where all of them in one batch pay for one. They are worth gathering when they are
    /// back sooner than a COMMIT takes. Who does not come in that time is not waited for the next
    /// time.
    void expect_back(crowd const& seen, time now);

    /// Nobody is waited for.
    void stop_gathering() noexcept { gather_ = 0; }

    /// As many requests are waited for before the next batch leaves; 0: none.
    std::size_t gather(time now) const noexcept { return now < gather_until_ ? gather_ : 0; }

    /// When nobody is waited for any longer; none: nobody is.
    std::optional<time> gathers_until() const noexcept
    {
        return gather_ > 0 && gather_until_ != time::max() ? std::optional{gather_until_}
                                                           : std::nullopt;
    }

    /// Of late, from one batch that is done to the next.
    duration batch_time() const noexcept { return batch_time_; }

private:
    time last_done_{};
    duration batch_time_{};
    std::size_t most_{};  // requests of late that were not answered at once
    std::size_t gather_{};
    time gather_until_{};
};

}  // namespace gapless
