#include "base/process_start.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace process_start_test {

TEST_SUITE("base/process_start")
{
    TEST_CASE("a closed stream stays closed, and no file or pipe ends the process")
    {
        auto const child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0)
        {
            ::close(STDIN_FILENO);
            ::close(STDOUT_FILENO);
            gapless::begin_process();
            auto const is_kept = ::open("/dev/null", O_RDWR) > STDERR_FILENO;
            char byte{};
            auto const fails = ::write(STDOUT_FILENO, &byte, 1) < 0 && errno == EBADF &&
                               ::read(STDIN_FILENO, &byte, 1) < 0 && errno == EBADF;
            auto const lives = ::raise(SIGXFSZ) == 0 && ::raise(SIGPIPE) == 0;
            ::_exit(is_kept && fails && lives ? 0 : 1);
        }
        int status{};
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(status == 0);
    }
}

}  // namespace process_start_test
