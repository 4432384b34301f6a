#include "base/process_start.hpp"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace gapless {

void begin_process()
{
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    // The usual soft limit, 1,024, is for programs with select(). Connections need more.
    constexpr rlim_t descriptors_wanted = 65'536;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < descriptors_wanted)
    {
        limit.rlim_cur = std::min(limit.rlim_max, descriptors_wanted);
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
    for (auto stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
        if (::fcntl(stream, F_GETFD) < 0)
            ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace gapless
