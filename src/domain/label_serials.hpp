#pragma once

#include "domain/number_record.hpp"
#include "domain/records.hpp"
#include "domain/refusal.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace gapless {

/// Most numbers of an issuance whose labels are drawn in one answer.
inline constexpr int labels_max = 1'000;

/// The serials of an issuance that may be on a parcel, in the order in which they were issued. Of a
/// hold those that were confirmed: the others may belong to another client by now. Without those
/// in `voided`, ordinals of its series in any order.
///
/// Refuses with out_of_range: the issuance has more than labels_max numbers; with state_conflict:
/// some of them are still held, or none may be on a parcel.
result<std::vector<std::int64_t>> read_label_serials(
    issuance_record const& record, std::span<state_range const> voided
);

}  // namespace gapless
