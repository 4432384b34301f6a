#include "http/lease_handlers.hpp"

#include "cases/leases.hpp"
#include "http/list_page.hpp"
#include "wire/lease_json.hpp"

namespace gapless {

namespace asio = boost::asio;

asio::awaitable<result<void>> get_leases(exchange& current)
{
    auto const page = read_list_page(current);
    if (page.has_error())
        co_return page.error();
    cases::list_leases wanted{};
    wanted.page.series = current.series->name;
    wanted.page.after = page->after;
    wanted.page.limit =
        static_cast<std::int32_t>(page->limit) + 1;  // one more tells whether more follow
    auto const found =
        co_await current.service().records.read_for(std::move(wanted), current.by(std::nullopt));
    if (found.has_error())
        co_return found.error();
    auto const place_of = [](listed_lease const& lease) { return lease.place; };
    append_page(current.out.body, *page, *found, place_of, append_lease);
    co_return result<void>{};
}

}  // namespace gapless
