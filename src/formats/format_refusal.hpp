#pragma once

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gapless {

/// Why a format, a parameter or a number was not accepted: one sentence for the person who wrote
/// it, without a full stop at the end. Example: "check character: expected 7, found 3".
struct format_refusal
{
    format_refusal() = default;

    /// Joins the pieces. Takes a list because a constructor from one string would make
    /// format_result<std::string> unable to tell a text from a refusal.
    format_refusal(std::initializer_list<std::string_view> pieces)
    {
        for (auto const piece : pieces)
            reason += piece;
    }

    std::string reason;
};

template <class T>
using format_result = boost::system::result<T, format_refusal>;

/// Thrown by `value()` on a refusal that was not checked. Found by boost::system::result.
[[noreturn]] inline void
throw_exception_from_error(format_refusal const& refusal, boost::source_location const&)
{
    throw std::invalid_argument{refusal.reason};
}

}  // namespace gapless
