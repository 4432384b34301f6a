#pragma once

#include <csignal>
#include <cstdint>
#include <sys/resource.h>

namespace gapless::test {

/// Files of this process do not grow beyond it, as on a full disk.
struct file_size_limit
{
    explicit file_size_limit(std::uint64_t bytes)
    {
        ::getrlimit(RLIMIT_FSIZE, &before);
        auto const lower = rlimit{static_cast<rlim_t>(bytes), before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &lower);
    }
    ~file_size_limit()
    {
        ::setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
    }
    file_size_limit(file_size_limit const&) = delete;
    file_size_limit& operator=(file_size_limit const&) = delete;

    rlimit before{};
    void (*handler)(int){std::signal(SIGXFSZ, SIG_IGN)};
};

}  // namespace gapless::test
