#pragma once

#include "domain/open_hold.hpp"
#include "store/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gapless {

/// Which open holds are wanted; none: all.
struct hold_page
{
    std::optional<std::string> series{};
    std::optional<hold_place> after{};  // those behind this one
    std::optional<std::int32_t> limit{};
};

/// Open holds by expiry, of the series that the acting token is for. Refuses with unknown_series,
/// unauthenticated, forbidden. One round trip inside the caller's transaction; blocks.
std::vector<open_hold> read_open_holds(pqxx::transaction_base& transaction, hold_page const& page);

}  // namespace gapless
