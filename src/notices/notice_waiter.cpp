#include "base/as_outcome.hpp"
#include "notices/notice_service.hpp"

#include <algorithm>
#include <utility>

namespace gapless {

namespace asio = boost::asio;

notice_waiter::notice_waiter(
    asio::any_io_executor const& executor,
    notice_page wanted,
    std::shared_ptr<principal const> asks,
    clock::time_point end
)
    : who{std::move(asks)},
      wanted_{std::move(wanted)},
      end_{end},
      bell_{executor}
{
}

/// The same rule as in gapless.notice_page.
bool notice_waiter::wants(cases::told_notice const& notice) const
{
    if (notice.seq <= wanted_.after || (wanted_.kind && notice.kind != *wanted_.kind))
        return false;
    if (wanted_.series && notice.series != wanted_.series)
        return false;
    return notice.series ? who->sees(*notice.series) : !who->series && who->may(scope::admin);
}

void notice_waiter::tell(
    std::shared_ptr<cases::notice_list const> const& published,
    std::int64_t from,
    std::int64_t through
)
{
    if (told_ || seen_ < from)
        return;
    seen_ = std::max(seen_, through);
    if (std::ranges::none_of(published->notices, [this](auto const& each) { return wants(each); }))
        return;
    told_ = published;
    bell_.cancel();
}

void notice_waiter::end() noexcept
{
    ended_ = true;
    bell_.cancel();
}

asio::awaitable<void> notice_waiter::wait()
{
    bell_.expires_at(end_);
    co_await bell_.async_wait(as_outcome);
}

}  // namespace gapless
