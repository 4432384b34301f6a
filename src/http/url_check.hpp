#pragma once

#include "base/refusal.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>

namespace gapless {

/// Checks where this service may send requests, before an operation stores a URL. I/O thread.
class url_check
{
public:
    virtual ~url_check() = default;

    /// Refuses with out_of_range text that is not a URL, or a URL that currently leads where this
    /// service sends nothing. A name without an address passes: it is checked again on connecting.
    /// Refuses with overloaded. Does not block.
    virtual boost::asio::awaitable<result<void>> check(std::string url) = 0;
};

}  // namespace gapless
