#include "abuse/route_expectations.hpp"
#include "app/routes.hpp"
#include "harness/json_value.hpp"
#include "harness/service_bench.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

namespace authorization_test {

using namespace gapless;
using namespace gapless::test;
using namespace gapless::test::authorization;
using namespace std::chrono_literals;

constexpr std::array<std::string_view, 4> scopes{"issue", "read", "load", "admin"};

std::string replaced(std::string text, std::string_view what, std::string_view by)
{
    if (auto const at = text.find(what); at != std::string::npos)
        text.replace(at, what.size(), by);
    return text;
}

/// A problem without the name of its request, which differs each time.
std::string nameless(std::string body)
{
    constexpr std::string_view mark{R"(,"request_id":")"};
    if (auto const at = body.find(mark); at != std::string::npos)
        body.erase(at, body.find('"', at + mark.size()) + 1 - at);
    return body;
}

/// What a path is filled with.
struct place
{
    std::string series;
    std::string issuance;
    std::string block;
    std::string number;
};

/// One instance; the series own and foreign; for each scope a token that has it alone and one that
/// has all others, of own alone.
struct matrix_bench : database_bench
{
    matrix_bench()
    {
        create_series("own", {{100, 199}});
        create_series("foreign", {{500, 599}});
        start_instances(1, {"--failed-tokens-per-minute-max", "0"});
        client_ = std::make_unique<http_client>(instance(0).address());
        everything_ = create_token("everything").token;
        own_ = {"own", hold("own"), "1", "100"};
        foreign_ = {"foreign", hold("foreign"), "2", "500"};
        missing_ = {"missing", "1999", "3", "900"};
        for (unsigned set = 1; set < 16; ++set)
            if (std::popcount(set) != 2)
                tokens_.emplace(set, token_of(set));
    }

    std::string const& with(unsigned set) const { return tokens_.at(set); }

    /// A token for the series own with these scopes, a set of bits.
    std::string token_of(unsigned set, token_wish wish = {})
    {
        wish.scopes.clear();
        wish.series = {"own"};
        for (std::size_t n = 0; n < scopes.size(); ++n)
            if ((set >> n & 1U) != 0)
                wish.scopes.emplace_back(scopes[n]);
        return create_token("matrix", wish).token;
    }

    http_answer ask(expectation const& row, place const& where, std::string const& token)
    {
        auto const space = row.route.find(' ');
        std::string target{row.route.substr(space + 1)};
        auto const of_block = target.find("/blocks/") != std::string::npos;
        target = replaced(target, "{series}", where.series);
        target = replaced(target, "{id}", of_block ? where.block : where.issuance);
        target = replaced(target, "{number}", where.number);
        target = replaced(target, "{name}", "plain");
        target = replaced(target, "{date}", "2026-01-01");
        http_request wanted{
            .method = std::string{row.route.substr(0, space)},
            .target = target,
            .fields = {},
            .body = std::string{row.body}};
        if (!token.empty())
            wanted.fields.emplace_back("Authorization", "Bearer " + token);
        if (wanted.method == "POST")
            wanted.fields.emplace_back("Idempotency-Key", "k" + std::to_string(++keys_));
        if (!wanted.body.empty())
            wanted.fields.emplace_back(
                "Content-Type", wanted.body.starts_with('{') ? "application/json" : "text/csv"
            );
        auto const answered = client_->exchange(wanted).answer;
        return answered ? *answered : http_answer{};
    }

    /// "" when the answer is as expected, else what it is.
    static std::string unlike(http_answer const& got, std::string_view statuses)
    {
        auto const status = std::to_string(got.status);
        return statuses.find(status) != std::string_view::npos ? "" : status + ' ' + got.body;
    }

    /// "<status> <problem>"
    static std::string problem(http_answer const& got)
    {
        auto const type = json_value::parse_or_null(got.body).text_of("type");
        return std::to_string(got.status) + ' ' + type.substr(type.rfind('/') + 1);
    }

    place const& own() const { return own_; }
    place const& foreign() const { return foreign_; }
    place const& missing() const { return missing_; }

private:
    /// Holds two numbers of a series and returns the issuance's id.
    std::string hold(std::string const& of)
    {
        auto const held = ask(
            {"POST /v1/series/{series}/numbers", "", R"({"count":2,"hold_seconds":3600})", "", ""},
            {of, "", "", ""},
            everything_
        );
        return json_value::parse(held.body).text_of("id");
    }

    std::unique_ptr<http_client> client_;
    std::string everything_;
    std::uint64_t keys_{};
    std::map<unsigned, std::string> tokens_;
    place own_;
    place foreign_;
    place missing_;
};

constexpr unsigned every_set = 15;

/// The set of a route's scope; 0 where it asks for none.
unsigned needed_by(expectation const& row)
{
    auto const at = std::ranges::find(scopes, row.scope) - scopes.begin();
    return at == std::ssize(scopes) ? 0 : 1U << at;
}

TEST_SUITE("abuse/authorization_process")
{
    TEST_CASE("every route has its expectation, and nothing else has one")
    {
        std::set<std::string> expected;
        for (auto const& row : expectations)
            CHECK(expected.emplace(row.route).second);
        std::set<std::string> there;
        for (auto const& row : routes())
        {
            auto const method = boost::beast::http::to_string(row.verb);
            there.insert(
                std::string{method.data(), method.size()} + ' ' + std::string{row.pattern}
            );
        }
        CHECK(expected == there);
    }

    TEST_CASE_FIXTURE(matrix_bench, "each route takes its scope alone, and no other")
    {
        for (auto const& row : expectations)
        {
            CAPTURE(row.route);
            auto const needed = needed_by(row);
            if (needed != 0)
                CHECK(unlike(ask(row, own(), with(needed)), row.own) == "");
            auto const others = ask(row, own(), with(every_set ^ needed));
            if (needed != 0)
                CHECK(problem(others) == "403 forbidden");
            else
                CHECK(unlike(others, row.own) == "");
        }
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(matrix_bench, "what is of a foreign series looks like what is not there")
    {
        auto const before = run("select count(*) from gapless.ledger");
        for (auto const& row : expectations)
        {
            if (row.foreign.empty())
                continue;
            auto const needed = needed_by(row);
            for (auto const set : {needed, every_set ^ needed})
            {
                CAPTURE(set);
                CAPTURE(row.route);
                auto const got = ask(row, foreign(), with(set));
                auto const none = ask(row, missing(), with(set));
                CHECK(
                    problem(got) ==
                    (set == needed ? "404 " + std::string{row.foreign} : "403 forbidden")
                );
                CHECK(got.status == none.status);
                CHECK(
                    nameless(replaced(replaced(got.body, "500", "900"), foreign().issuance, "1999")
                    ) == nameless(none.body)
                );
            }
        }
        CHECK(run("select count(*) from gapless.ledger") == before);
        CHECK(run("select count(*) from gapless.block") == "2");
    }
}

}  // namespace authorization_test
