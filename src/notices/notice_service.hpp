#pragma once

#include "base/refusal.hpp"
#include "http/pending_request.hpp"
#include "notices/notice_list.hpp"
#include "record/principal.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>

#include <chrono>
#include <cstdint>
#include <memory>

namespace gapless {

/// A request that waits for notices. Leaves the list it was added to when it goes. I/O thread only.
class notice_waiter : public pending_request,
                      public boost::intrusive::list_base_hook<
                          boost::intrusive::link_mode<boost::intrusive::auto_unlink>>
{
public:
    using clock = std::chrono::steady_clock;

    /// `wanted.after`: up to there its client was told everything. Waits until `end` at the
    /// longest.
    notice_waiter(
        boost::asio::any_io_executor const& executor,
        notice_page wanted,
        std::shared_ptr<principal const> asks,
        clock::time_point end
    );

    /// Whose request it is. Asked anew now and then: what the token may see counts at that moment.
    std::shared_ptr<principal const> who;

    /// The seq up to which all that it wants was told, or would have been.
    std::int64_t seen() const noexcept { return seen_; }

    /// Whether it follows `after`, was asked for, and is visible to the token.
    bool wants(cases::told_notice const& notice) const;

    /// Everything that was published behind `from`, up to `through`. Ends the waiting if it wants
    /// one of them. Nothing for one that has not seen what is before.
    void tell(
        std::shared_ptr<cases::notice_list const> const& published,
        std::int64_t from,
        std::int64_t through
    );

    /// Ends the waiting without a notice. Safe to repeat.
    void end() noexcept override;

    /// Has wait() return for once, so that its token is looked at.
    void ring() { bell_.cancel(); }

    /// Waits until it is told, ended or rung, or the time is over.
    boost::asio::awaitable<void> wait();

    bool is_over() const noexcept { return told_ || ended_ || clock::now() >= end_; }

    /// What it was told; null: nothing that it wants.
    std::shared_ptr<cases::notice_list const> const& told() const noexcept { return told_; }

private:
    notice_page wanted_;
    std::int64_t seen_{wanted_.after};
    clock::time_point end_;
    boost::asio::steady_timer bell_;
    std::shared_ptr<cases::notice_list const> told_{};
    bool ended_{};
};

using notice_waiters =
    boost::intrusive::list<notice_waiter, boost::intrusive::constant_time_size<false>>;

/// Tells requests that wait of notices as they are published, whichever instance publishes them.
class notice_service : public pending_requests
{
public:
    /// Tells it of what was published behind waiter.seen(), whether before or from now on. Rings it
    /// about once a second. Ends it when the service stops, and when the database is fenced.
    /// Refuses with overloaded when too many wait.
    virtual result<void> add(notice_waiter& waiter) = 0;
};

}  // namespace gapless
