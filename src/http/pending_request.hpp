#pragma once

namespace gapless {

/// A request that waits for something to happen, and can be told to stop waiting. I/O thread only.
class pending_request
{
public:
    virtual ~pending_request() = default;

    /// Ends the waiting: it is answered with what there is. Safe to repeat.
    virtual void end() noexcept = 0;
};

/// Who has such requests.
class pending_requests
{
public:
    virtual ~pending_requests() = default;

    /// The service stops: ends those that wait, and from now on each at once.
    virtual void end_waiting() = 0;
};

}  // namespace gapless
