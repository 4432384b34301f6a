#include "base/contract.hpp"

#include "base/log.hpp"

#include <cstdlib>
#include <unistd.h>

namespace gapless {

void stop_at_once(std::exception const& why) noexcept
{
    constexpr int exit_failure = 1;
    try
    {
        // Written here, because the log's own thread would not run any more.
        auto const now =
            std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
        auto const line =
            to_log_line(now, log_level::error, "broken_promise", {{"what", why.what()}}) + '\n';
        if (::write(STDERR_FILENO, line.data(), line.size()) < 0)
            std::_Exit(exit_failure);  // nobody can be told
    }
    catch (...)
    {
        std::_Exit(exit_failure);  // stops all the same
    }
    std::_Exit(exit_failure);
}

}  // namespace gapless
