#pragma once

#include "record/describe.hpp"
#include "record/types.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

namespace gapless {

/// A page of a list.
struct page
{
    bounded<0, std::numeric_limits<std::int64_t>::max(), 0> after;
    bounded<1, 1'000, 100> limit;

    std::size_t size() const noexcept { return static_cast<std::size_t>(limit.value); }

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
    (after, "Items after this one: `next` of the page before."),
    (limit, "The most items a page may have.")
)

/// A page of a list of a series.
struct series_page
{
    std::string series;
    bounded<0, std::numeric_limits<std::int64_t>::max(), 0> after;
    bounded<1, 1'000, 100> limit;

    std::size_t size() const noexcept { return static_cast<std::size_t>(limit.value); }
};
GAPLESS_RECORD(
    series_page,
    (),
    (series, "Name of the series."),
    (after, "Items after this one: `next` of the page before."),
    (limit, "The most items a page may have.")
)

/// An item of a list that is not in the order of its first field.
template <record Record>
struct placed
{
    Record item;
    std::string place;  // what `next` tells, and `after` takes
};

}  // namespace gapless
