#include "http/list_page.hpp"

#include <limits>

namespace gapless {

result<list_page> read_list_page(exchange const& current)
{
    constexpr std::int64_t items_max = 1'000;
    auto const after =
        current.query.read_integer("after", 0, std::numeric_limits<std::int64_t>::max());
    if (after.has_error())
        return after.error();
    auto const limit = current.query.read_integer("limit", 1, items_max);
    if (limit.has_error())
        return limit.error();
    list_page page{.after = after->value_or(0)};
    if (*limit)
        page.limit = static_cast<std::size_t>(**limit);
    return page;
}

}  // namespace gapless
