#pragma once

#include "record/describe.hpp"
#include "record/types.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace gapless {

/// A page of a list.
struct page
{
    bounded<0, std::numeric_limits<std::int64_t>::max(), 0> after;
    bounded<1, 1'000, 100> limit;

    /// Rows to select: one more than the page holds, to learn whether there is a next page.
    std::int32_t rows() const noexcept { return static_cast<std::int32_t>(limit.value) + 1; }

    /// `after`, for 32-bit ids.
    std::int32_t after_id() const noexcept
    {
        constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
        return static_cast<std::int32_t>(std::min(after.value, most));
    }
};
GAPLESS_RECORD(
    page,
    (),
    (after, "Items after this one: `next` of the previous page."),
    (limit, "The most items a page may have.")
)

/// A page of a list within a series.
struct series_page
{
    std::string series;
    bounded<0, std::numeric_limits<std::int64_t>::max(), 0> after;
    bounded<1, 1'000, 100> limit;
};
GAPLESS_RECORD(
    series_page,
    (),
    (series, "Name of the series."),
    (after, "Items after this one: `next` of the previous page."),
    (limit, "The most items a page may have.")
)

/// Appends {"items":[…],"next":…} from items that are one more than the page holds if more follow.
/// append(item) appends an item, append_place(item) the `next` after it.
template <class Item, class Append, class AppendPlace>
void append_page(
    std::string& json,
    std::vector<Item> const& items,
    std::int64_t limit,
    Append append,
    AppendPlace append_place
)
{
    json += R"({"items":[)";
    auto const shown = std::min(items.size(), static_cast<std::size_t>(limit));
    for (std::size_t n = 0; n < shown; ++n)
    {
        if (n > 0)
            json += ',';
        append(items[n]);
    }
    json += R"(],"next":)";
    if (shown < items.size())
        append_place(items[shown - 1]);
    else
        json += "null";
    json += '}';
}

/// An item of a list that is not ordered by its first field.
template <record Record>
struct placed
{
    Record item;
    std::string place;  // the value of `next`, which `after` takes
};

}  // namespace gapless
