#pragma once

#include "base/refusal.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// The possible meanings of a text as a day, as 2026-12-31; empty: not a day. 31.12.26, 31.12.2026,
/// 31/12/2026 and 2026-12-31 have one reading. 01/02/26 has two: with slashes and dashes some write
/// the month first, and with dashes and two digits also the year. A month may have its German or
/// English name. Pure.
std::vector<std::string> read_days(std::string_view written);

/// The day that a text means, as 2026-12-31; what is no day stays as it is. Refuses a text that can
/// mean several. Pure.
result<std::string> read_one_day(std::string_view written);

}  // namespace gapless
