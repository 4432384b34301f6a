#pragma once

namespace gapless {

/// A request that waits for an event, and can be told to stop waiting. I/O thread only.
class pending_request
{
public:
    virtual ~pending_request() = default;

    /// Ends the wait: the request is answered with what there is. Safe to repeat.
    virtual void end() noexcept = 0;
};

/// Owns such requests.
class pending_requests
{
public:
    virtual ~pending_requests() = default;

    /// Called when the service stops: ends all that wait, and later ones at once.
    virtual void end_waiting() = 0;
};

}  // namespace gapless
