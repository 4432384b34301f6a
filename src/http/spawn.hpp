#pragma once

#include "base/log.hpp"

#include <exception>
#include <string_view>

namespace gapless {

/// The completion handler of a spawned coroutine: logs an escaping exception as `event`, which must
/// live as long as the program.
inline auto log_failure_as(std::string_view event)
{
    return [event](std::exception_ptr failure) {
        if (!failure)
            return;
        try
        {
            std::rethrow_exception(failure);
        }
        catch (std::exception const& why)
        {
            log_event(log_level::error, event, {{"why", why.what()}});
        }
    };
}

}  // namespace gapless
