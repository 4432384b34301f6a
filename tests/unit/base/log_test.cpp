#include "base/log.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace log_test {

using namespace gapless;

constexpr log_time moment{std::chrono::microseconds{1'795'212'311'000'042}};

TEST_SUITE("base/log")
{
    TEST_CASE("an event is one JSON object with time, level and name first")
    {
        CHECK(
            to_log_line(moment, log_level::info, "listening", {{"address", "127.0.0.1:8080"}}) ==
            R"({"ts":"2026-11-20T22:05:11.000042Z","level":"info","event":"listening",)"
            R"("address":"127.0.0.1:8080"})"
        );
    }

    TEST_CASE("fields keep their order and their kinds")
    {
        std::string const text{"t"};
        CHECK(
            to_log_line(
                {},
                log_level::error,
                "e",
                {{"text", text},
                 {"number", -5},
                 {"large", std::numeric_limits<std::int64_t>::max()},
                 {"size", std::size_t{7}},
                 {"truth", true},
                 {"half", 0.5},
                 {"none", std::numeric_limits<double>::quiet_NaN()}}
            ) == R"({"ts":"1970-01-01T00:00:00.000000Z","level":"error","event":"e","text":"t",)"
                 R"("number":-5,"large":9223372036854775807,"size":7,"truth":true,"half":0.5,)"
                 R"("none":null})"
        );
    }

    TEST_CASE("no value can end its line or leave its quotes")
    {
        auto const line =
            to_log_line({}, log_level::warning, "e", {{"why", "a\n\"},{\"level\":\"\xff"}});
        CHECK(line.find('\n') == std::string::npos);
        CHECK(line.ends_with("\"why\":\"a\\n\\\"},{\\\"level\\\":\\\"\xef\xbf\xbd\"}"));
    }
}

}  // namespace log_test
