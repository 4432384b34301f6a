#include "support/history.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace gapless::test;

TEST_SUITE("process/history")
{
    TEST_CASE("a history is written as one JSON document per attempt")
    {
        history seen;
        attempt issued;
        issued.client = "shop";
        issued.series = "dhl-paket";
        issued.key = "order-4711";
        issued.fate = attempt_fate::ok;
        issued.status = 201;
        issued.ranges = {{1, 100, 102, 1}, {2, 200, 200, 4}};
        seen.add(issued);
        attempt unknown;
        unknown.key = "order-4712";
        seen.add(unknown);

        std::ostringstream out;
        seen.write(out);
        std::istringstream lines{out.str()};
        std::string line;
        REQUIRE(std::getline(lines, line));
        auto const first = nlohmann::json::parse(line);
        CHECK(first["class"] == "ok");
        CHECK(first["key"] == "order-4711");
        CHECK(first["ranges"][1]["first"] == 200);
        CHECK(first["ranges"][1]["ordinal"] == 4);
        REQUIRE(std::getline(lines, line));
        CHECK(nlohmann::json::parse(line)["class"] == "info");
        CHECK_FALSE(std::getline(lines, line));
        CHECK(seen.count(attempt_fate::info) == 1);
    }
}
