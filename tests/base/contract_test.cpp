#include "base/contract.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace contract_test {

using namespace gapless;

/// What a process of its own said and how it ended: "<exit code> <stderr>".
template <class Function>
std::string run_apart(Function const& run)
{
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    auto const child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0)
    {
        ::dup2(ends[1], STDERR_FILENO);
        run();
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string said;
    std::array<char, 256> bytes{};
    for (auto n = ::read(ends[0], bytes.data(), bytes.size()); n > 0;
         n = ::read(ends[0], bytes.data(), bytes.size()))
        said.append(bytes.data(), static_cast<std::size_t>(n));
    ::close(ends[0]);
    int status{};
    ::waitpid(child, &status, 0);
    return (WIFEXITED(status) ? std::to_string(WEXITSTATUS(status)) : "killed") + ' ' + said;
}

TEST_SUITE("base/contract")
{
    TEST_CASE("where numbers are issued a broken promise ends the process, whoever would catch it")
    {
        auto const ended = run_apart([] {
            try
            {
                or_stop([] { ensure(false, "two and two are five"); });
            }
            catch (std::exception const&)
            {
                ::_exit(7);  // as a request's handler would, to go on with the next one
            }
        });
        CHECK(ended.starts_with("1 {"));
        CHECK(ended.find("\"event\":\"broken_promise\"") != std::string::npos);
        CHECK(ended.find("two and two are five") != std::string::npos);
    }

    TEST_CASE("other exceptions pass, and so do results")
    {
        CHECK(or_stop([] { return 4; }) == 4);
        CHECK_THROWS_AS(or_stop([] { throw std::runtime_error{"trouble"}; }), std::runtime_error);
    }
}

}  // namespace contract_test
