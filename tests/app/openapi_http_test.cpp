#include "app/openapi_document.hpp"
#include "app/routes.hpp"

#include <boost/beast/http/verb.hpp>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <set>

namespace openapi_test {

using namespace gapless;
using namespace gapless::test;
using nlohmann::json;

std::string lower_verb(route const& row)
{
    auto const name = boost::beast::http::to_string(row.verb);
    std::string text{name.data(), name.size()};
    std::ranges::transform(text, text.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return text;
}

/// What the document says of a route. Throws where it says nothing.
json const& operation_of(route const& row)
{
    return openapi().at("paths").at(std::string{row.pattern}).at(lower_verb(row));
}

/// The names of an operation's parameters in the path or the query. One that stands for many has no
/// name of its own.
std::set<std::string> parameters_in(json const& operation, std::string_view place)
{
    std::set<std::string> names;
    for (auto const& each : operation.value("parameters", json::array()))
    {
        auto const& parameter = resolve(each);
        if (parameter.at("in") == place && !parameter.value("explode", false))
            names.insert(parameter.at("name"));
    }
    return names;
}

std::set<std::string> braced_in(std::string_view pattern)
{
    std::set<std::string> names;
    while (pattern.find('{') != std::string_view::npos)
    {
        pattern.remove_prefix(pattern.find('{') + 1);
        names.emplace(pattern.substr(0, pattern.find('}')));
    }
    return names;
}

void for_each_value(json const& value, std::function<void(json const&)> const& look)
{
    look(value);
    if (value.is_structured())
        for (auto const& part : value)
            for_each_value(part, look);
}

TEST_SUITE("app/openapi_http")
{
    TEST_CASE("the document is of this program's version")
    {
        CHECK(openapi().at("openapi") == "3.1.0");
        CHECK(openapi().at("info").at("version") == GAPLESS_VERSION);
    }

    TEST_CASE("the document describes every route and nothing else")
    {
        std::set<std::string> served;
        for (auto const& row : routes())
            served.insert(lower_verb(row) + ' ' + std::string{row.pattern});
        std::set<std::string> described;
        for (auto const& [path, operations] : openapi().at("paths").items())
            for (auto const& [verb, operation] : operations.items())
                described.insert(verb + ' ' + path);
        CHECK(described == served);
    }

    TEST_CASE("every operation has the parameters and the body of its route")
    {
        for (auto const& row : routes())
        {
            CAPTURE(row.pattern);
            auto const& operation = operation_of(row);
            CHECK(parameters_in(operation, "path") == braced_in(row.pattern));
            std::set<std::string> const query{row.query.begin(), row.query.end()};
            CHECK(parameters_in(operation, "query") == query);
            CHECK(operation.contains("requestBody") == (row.body != body_size::none));
        }
    }

    TEST_CASE("every operation says how it succeeds and how it is refused")
    {
        std::set<std::string> ids;
        for (auto const& row : routes())
        {
            CAPTURE(row.pattern);
            auto const& operation = operation_of(row);
            CHECK(ids.insert(operation.at("operationId")).second);
            CHECK_FALSE(operation.at("summary").get<std::string>().empty());
            auto const& responses = operation.at("responses");
            auto const has = [&](char first) {
                return std::ranges::any_of(responses.items(), [first](auto const& each) {
                    return each.key().front() == first;
                });
            };
            CHECK(has('2'));
            CHECK(has('4'));
            // A session begins with a token of its body, is told to whatever token it has, and is
            // changed for pages of its own host alone.
            auto const of_session = row.pattern == "/v1/session";
            auto const is_read = row.verb == boost::beast::http::verb::get;
            auto const ends = row.verb == boost::beast::http::verb::delete_;
            CHECK(responses.contains("401") == (row.needs.has_value() || (of_session && !ends)));
            CHECK(responses.contains("403") == (row.needs.has_value() || (of_session && !is_read)));
        }
    }

    TEST_CASE("every reference leads somewhere, and everything named is referred to")
    {
        std::set<std::string> targets;
        for_each_value(openapi(), [&](json const& value) {
            if (!value.is_object() || !value.contains("$ref"))
                return;
            CAPTURE(value.dump());
            CHECK_NOTHROW(resolve(value));
            targets.insert(value.at("$ref"));
        });
        for (auto const& [kind, named] : openapi().at("components").items())
            for (auto const& [name, component] : named.items())
                if (kind != "securitySchemes")
                    CHECK(targets.contains("#/components/" + kind + "/" + name));
    }
}

}  // namespace openapi_test
