#pragma once

#include "store/binary_parameters.hpp"
#include "store/lane.hpp"

/// What a batch hands to the functions of SQL that issue.
namespace gapless {

/// Fills in the parameters of a batch. Returns the name of its prepared statement: plain, many or
/// requests (batch_protocol.cpp).
char const* fill_parameters(binary_parameters& parameters, lane_batch const& batch);

}  // namespace gapless
