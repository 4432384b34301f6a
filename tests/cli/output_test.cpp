#include "cli/output.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <fcntl.h>
#include <future>
#include <unistd.h>

namespace gapless::cli::cli_output_test {

using json = nlohmann::ordered_json;

constexpr std::array columns{
    column{.key = "id", .number = true},
    column{.key = "valid_until"},
    column{.key = "note", .in_table = false},
};

json row(json id, json valid_until, json note)
{
    return {
        {"id", std::move(id)}, {"valid_until", std::move(valid_until)}, {"note", std::move(note)}};
}

TEST_SUITE("cli/output")
{
    TEST_CASE("a table is aligned, numbers to the right, absent values as a dash")
    {
        auto const rows = json::array({row("7", "ü", "x"), row("1234", nullptr, "y")});
        CHECK(to_table(rows, columns, false) == "  ID  VALID UNTIL\n   7  ü\n1234  -\n");
    }

    TEST_CASE("a table without rows is its header")
    {
        CHECK(to_table(json::array(), columns, false) == "ID  VALID UNTIL\n");
    }

    TEST_CASE("colour marks the header only, and only when asked for")
    {
        auto const rows = json::array({row("7", "x", "y")});
        CHECK(to_table(rows, columns, true) == "\x1b[1mID  VALID UNTIL\x1b[0m\n 7  x\n");
    }

    TEST_CASE("control characters cannot reach a terminal")
    {
        auto const rows = json::array({row("7", "a\x1b[2J\nb\xc2\x9bü", "")});
        CHECK(to_table(rows, columns, false) == "ID  VALID UNTIL\n 7  a\\x1b[2J\\x0ab\\u009bü\n");
    }

    TEST_CASE("a single thing is shown line by line")
    {
        CHECK(
            to_details(row("7", nullptr, json::array({"a", "b"})), columns, false) ==
            "id           7\nvalid until  -\nnote         a,b\n"
        );
        CHECK(to_details({{"id", "7"}}, columns, false) == "id  7\n");  // the rest is of others
    }

    TEST_CASE("CSV has a header and every column, absent values are empty")
    {
        CHECK(
            to_csv(json::array({row("7", nullptr, true), row("-7", "-7", "a,b")}), columns) ==
            "id,valid_until,note\n7,,yes\n-7,-7,\"a,b\"\n"
        );
    }

    TEST_CASE("the members of objects are key=value in one field")
    {
        json const params{{"prefix", "AB"}, {"width", "9"}};
        CHECK(
            to_csv(json::array({row("7", nullptr, params)}), columns) ==
            "id,valid_until,note\n7,,prefix=AB width=9\n"
        );
    }

    TEST_CASE("a column may show a member of a member, under its last name")
    {
        constexpr std::array nested{column{.key = "a.b"}, column{.key = "a.none"}};
        json const rows = json::array({{{"a", {{"b", "7"}}}}, {{"a", nullptr}}});
        CHECK(to_csv(rows, nested) == "b,none\n7,\n,\n");
        CHECK(to_table(rows, nested, false).starts_with("B  NONE\n7  -\n"));
    }

    TEST_CASE("a pipe that does not block gets all of it")
    {
        std::array<int, 2> ends{};
        REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
        REQUIRE(::fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
        std::string const text(1'000'000, 'x');  // more than a pipe holds
        auto written = std::async(std::launch::async, [&] {
            bool all = false;
            try
            {
                all = write_while_read(ends[1], text);
            }
            catch (output_failed const&)
            {
                // all stays false
            }
            ::close(ends[1]);
            return all;
        });
        std::string read;
        std::array<char, 4'096> part{};
        while (auto const count = ::read(ends[0], part.data(), part.size()))
            read.append(part.data(), static_cast<std::size_t>(count));
        ::close(ends[0]);
        CHECK(written.get());
        CHECK(read == text);
    }
}

}  // namespace gapless::cli::cli_output_test
