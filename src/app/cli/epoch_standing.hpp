#pragma once

#include "store/epoch_store.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gapless::cli {

/// How far a series has come, in the database and in the journals.
struct standing
{
    std::string series;
    series_mark here;
    series_mark noted;  // zeros: no journal knows the series

    std::int64_t behind() const noexcept
    {
        return std::max<std::int64_t>(noted.ordinal - here.ordinal, 0);
    }
};

/// Every series of a database beside what the journals in these folders know. `look` reads the
/// database; it is called after the journals were read, because instances may go on meanwhile.
/// Throws journal_failure.
std::vector<standing> compare(
    std::vector<std::string> const& journals, std::function<epoch_record()> const& look
);

}  // namespace gapless::cli
