#pragma once

#include "domain/refusal.hpp"
#include "domain/webhook_url.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// Where webhooks may deliver to, asked before one is created. I/O thread.
class webhook_gate
{
public:
    virtual ~webhook_gate() = default;

    /// Refuses with out_of_range a URL that leads, at this moment, where this service delivers
    /// nothing. A name without an address is let through: each delivery looks again, at the address
    /// it connects to. Refuses with overloaded. Does not block.
    virtual boost::asio::awaitable<result<void>> check(webhook_url url) = 0;
};

}  // namespace gapless
