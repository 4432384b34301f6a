#pragma once

#include "base/messages.hpp"

#include <string_view>

namespace gapless {

/// A format that a client prefers over JSON, or JSON; none: it does not say.
enum class preference
{
    none = 1,
    json,
    csv,
    events,  // not served any more: refused unless the client names another kind
};

/// Which of our media types an Accept field prefers: the highest weight, then the first; events
/// only if it names no other; never one of weight 0 (RFC 9110, 12.4.2 and 12.5.1). Other media
/// types and ranges like */* are ignored.
preference preferred_in(std::string_view accept) noexcept;

/// Which of our languages Accept-Language prefers; English if it names none of them.
language language_in(std::string_view accept) noexcept;

}  // namespace gapless
