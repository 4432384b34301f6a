#include "harness/fake_service.hpp"
#include "notices/notice_json.hpp"

#include <memory>
#include <utility>

namespace gapless::test {

result<void> fake_service::add(notice_waiter& waiter)
{
    if (refuses_waiting)
        return *refuses_waiting;
    waiters.push_back(waiter);
    return {};
}

void fake_service::end_waiting()
{
    for (auto& waiter : waiters)
        waiter.end();
}

void fake_service::ring_waiters()
{
    for (auto& waiter : waiters)
        waiter.ring();
}

void fake_service::publish(notice_record notice)
{
    auto const through = notice.seq;
    notices.push_back(std::move(notice));
    auto const list = std::make_shared<cases::notice_list const>(list_notices({.limit = 1'000}));
    for (auto& waiter : waiters)
        waiter.tell(list, 0, through);
}

cases::notice_list fake_service::list_notices(notice_page const& page) const
{
    cases::notice_list found;
    if (!notices.empty())
        found.bounds = {.oldest = notices.front().seq, .last = notices.back().seq};
    for (auto const& notice : notices)
        if (notice.seq > page.after && found.notices.size() < static_cast<std::size_t>(page.limit))
            found.notices.push_back({notice.seq, notice.series, notice.kind, notice_json(notice)});
    return found;
}

void fake_service::answer_notices()
{
    answer<cases::list_notices>([this](auto const& wanted) {
        notice_pages.push_back(wanted.page);
        return list_notices(wanted.page);
    });
}

}  // namespace gapless::test
