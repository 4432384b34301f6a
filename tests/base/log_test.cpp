#include "base/log.hpp"
#include "base/repeated_log.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace log_test {

using namespace gapless;
using namespace std::chrono_literals;

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

    TEST_CASE("the same failure is told once a minute, with how often it came")
    {
        repeated_failures failures;
        auto now = repeated_failures::clock::time_point{};
        auto const tell = [&](std::string_view what, std::chrono::seconds later) {
            now += later;
            auto const repeated = failures.count("sweep_failed", what, now);
            return repeated ? std::to_string(*repeated) : "nothing";
        };
        CHECK(tell("no library", 0s) == "0");
        CHECK(tell("no library", 1s) == "nothing");
        CHECK(tell("no memory", 0s) == "0");  // another one
        CHECK(tell("no library", 58s) == "nothing");
        CHECK(tell("no library", 1s) == "2");
        CHECK(tell("no library", 59s) == "nothing");
        CHECK(tell("no library", 1s) == "1");
        CHECK(tell("no library", 60s) == "0");
    }
}

}  // namespace log_test
