#pragma once

#include "base/refusal.hpp"
#include "formats/bound_format.hpp"
#include "issuing/issuance.hpp"

#include <vector>

namespace gapless {

/// The numbers of an issuance that are no longer its own, in order.
std::vector<gone_numbers> list_gone(issuance const& value, bound_format const& format);

/// The refusal of a request for numbers of an issuance that has none left: issuance_settled, with
/// its id and what happened to them.
refusal refuse_settled(issuance const& value, bound_format const& format);

}  // namespace gapless
