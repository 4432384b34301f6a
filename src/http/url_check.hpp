#pragma once

#include "base/refusal.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>

namespace gapless {

/// Where this service may send requests of its own, asked before an operation keeps a URL. I/O
/// thread.
class url_check
{
public:
    virtual ~url_check() = default;

    /// Refuses with out_of_range a URL that is none, or that leads, at this moment, where this
    /// service sends nothing. A name without an address is let through: it is looked at again when
    /// it is connected to. Refuses with overloaded. Does not block.
    virtual boost::asio::awaitable<result<void>> check(std::string url) = 0;
};

}  // namespace gapless
