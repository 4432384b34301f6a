#pragma once

#include "base/refusal.hpp"
#include "issuing/issuance.hpp"
#include "issuing/issue_listener.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <utility>

namespace gapless {

/// Issues numbers. I/O thread; nothing blocks it.
class issuing_service
{
public:
    virtual ~issuing_service() = default;

    /// Queues an issue request; `listener` is told the outcome. Refuses with series_exhausted,
    /// not_contiguous, series_paused, idempotency_key_reused, fenced, overloaded,
    /// database_unavailable, outcome_unknown. Safe to repeat with the same key.
    virtual void issue(issue_request request, std::unique_ptr<issue_listener> listener) = 0;
};

/// Issues as an awaitable: suspends the calling coroutine until the outcome is there.
inline boost::asio::awaitable<result<issuance>> issue(
    issuing_service& service, issue_request request
)
{
    auto const initiate =
        []<class Handler>(Handler handler, issuing_service* asked, issue_request wanted) {
            struct waiting : issue_listener
            {
                explicit waiting(Handler h) : resume{std::move(h)} {}
                void ended(result<issuance> outcome) override
                {
                    std::move(resume)(std::move(outcome));
                }
                Handler resume;
            };
            asked->issue(std::move(wanted), std::make_unique<waiting>(std::move(handler)));
        };
    return boost::asio::async_initiate<
        boost::asio::use_awaitable_t<> const,
        void(result<issuance>)>(initiate, boost::asio::use_awaitable, &service, std::move(request));
}

}  // namespace gapless
