#pragma once

#include "harness/http_client.hpp"
#include "harness/json_value.hpp"
#include "harness/service_bench.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gapless::test {

/// Series s and t, one instance, and requests to it.
struct clerk_bench : database_bench
{
    using fields = std::vector<std::pair<std::string, std::string>>;

    clerk_bench()
    {
        create_series("s", {{100, 99'999}});
        create_series("t", {{200'000, 299'999}});
        start_instances(1);
        boss = create_token("boss").token;
    }

    /// With that token, if it is not empty; a body is JSON.
    http_answer ask(
        std::string const& method,
        std::string const& target,
        std::string const& token,
        std::string const& body = {},
        fields more = {},
        std::size_t at = 0
    )
    {
        http_request wanted{
            .method = method, .target = target, .fields = std::move(more), .body = body};
        if (!token.empty())
            wanted.fields.emplace_back("Authorization", "Bearer " + token);
        if (!body.empty())
            wanted.fields.emplace_back("Content-Type", "application/json");
        http_client client{instance(at).address()};
        return client.exchange(wanted).answer.value_or(http_answer{});
    }

    http_answer get(std::string const& target, std::string const& token)
    {
        return ask("GET", target, token);
    }

    /// The JSON of an answer with that status.
    static json_value json_of(http_answer const& got, int status)
    {
        if (got.status != status)
            throw std::runtime_error{std::to_string(got.status) + ' ' + got.body};
        return json_value::parse(got.body);
    }

    /// "<status> <problem>"
    static std::string outcome(http_answer const& got)
    {
        auto const type = json_value::parse_or_null(got.body).text_of("type");
        return std::to_string(got.status) + ' ' + type.substr(type.rfind('/') + 1);
    }

    std::string boss;  // a token for everything
};

}  // namespace gapless::test
