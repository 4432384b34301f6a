#pragma once

#include "issuing/issuance.hpp"

#include <cstdint>
#include <vector>

namespace gapless {

/// Most numbers of an issuance whose labels are drawn in one answer.
inline constexpr int labels_max = 1'000;

/// The serials of an issuance that may be on a parcel, in the order of issue: those still its own.
///
/// Refuses with out_of_range if these are more than labels_max numbers; with state_conflict if some
/// of them are still held, or none is left.
result<std::vector<std::int64_t>> read_label_serials(issuance const& value);

}  // namespace gapless
