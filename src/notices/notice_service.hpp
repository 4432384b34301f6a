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

/// A request that waits for notices. Its destructor removes it from the list. I/O thread only.
class notice_waiter : public pending_request,
                      public boost::intrusive::list_base_hook<
                          boost::intrusive::link_mode<boost::intrusive::auto_unlink>>
{
public:
    using clock = std::chrono::steady_clock;

    /// `wanted.after`: its client has everything up to there. Waits until `end` at the latest.
    notice_waiter(
        boost::asio::any_io_executor const& executor,
        notice_page wanted,
        std::shared_ptr<principal const> asks,
        clock::time_point end
    );

    /// The principal of the request. Looked up again regularly: what the token may see now counts.
    std::shared_ptr<principal const> who;

    /// The seq up to which it was told all it wants, or would have been.
    std::int64_t seen() const noexcept { return seen_; }

    /// Whether the notice follows `after`, was requested, and is visible to the token.
    bool wants(cases::told_notice const& notice) const;

    /// Tells it everything published after `from`, up to `through`. Ends the wait if it wants any
    /// of them. Ignored if it has not seen everything before `from`.
    void tell(
        std::shared_ptr<cases::notice_list const> const& published,
        std::int64_t from,
        std::int64_t through
    );

    /// Ends the wait without a notice. Safe to repeat.
    void end() noexcept override;

    /// Makes wait() return once, so that the token is checked.
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

/// Tells waiting requests about notices as they are published, by whichever instance.
class notice_service : public pending_requests
{
public:
    /// Tells the waiter everything published after waiter.seen(), before or from now on. Rings it
    /// about once a second. Ends it when the service stops, and when the database is fenced.
    /// Refuses with overloaded if too many wait.
    virtual result<void> add(notice_waiter& waiter) = 0;
};

}  // namespace gapless
