#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace gapless {

/// Completion token for coroutines that check the error code themselves: an operation that fails or
/// is cancelled returns instead of throwing.
inline constexpr auto as_outcome = boost::asio::as_tuple(boost::asio::use_awaitable);

}  // namespace gapless
