#pragma once

#include "base/messages.hpp"

#include <string_view>

namespace gapless {

/// What a client would rather have than JSON, or JSON; none: it does not say.
enum class preference
{
    none = 1,
    json,
    csv,
    events,  // of which there are none any more: what names nothing else is refused
};

/// The kind of ours that an Accept field wants most, of several the first, and events only where it
/// names no other; none of weight 0 (RFC 9110, 12.4.2 and 12.5.1). Kinds that are not ours and
/// ranges like */* say nothing.
preference preferred_in(std::string_view accept) noexcept;

/// The language of ours that Accept-Language wants most; English where it names none of them.
language language_in(std::string_view accept) noexcept;

}  // namespace gapless
