#pragma once

#include "base/refusal.hpp"
#include "formats/bound_format.hpp"
#include "issuing/issuance.hpp"

#include <vector>

namespace gapless {

/// The numbers of an issuance that are not its own any more, in order.
std::vector<gone_numbers> list_gone(issuance const& value, bound_format const& format);

/// What whoever wants numbers of an issuance is told of which none is left: issuance_settled, with
/// its id and what became of them.
refusal refuse_settled(issuance const& value, bound_format const& format);

}  // namespace gapless
