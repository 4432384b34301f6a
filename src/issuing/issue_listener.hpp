#pragma once

#include "base/refusal.hpp"
#include "issuing/issuance.hpp"

namespace gapless {

/// Told once, on the I/O thread, how an issue request ended.
class issue_listener
{
public:
    virtual ~issue_listener() = default;
    virtual void ended(result<issuance> outcome) = 0;
};

}  // namespace gapless
