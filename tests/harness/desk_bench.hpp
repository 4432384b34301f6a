#pragma once

#include "harness/http_client.hpp"
#include "harness/json_value.hpp"
#include "harness/service_bench.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gapless::test {

/// An answer of the service, with its body read.
struct desk_answer
{
    int status{};
    std::string location{};
    bool replayed{};
    json_value body{};  // null where it is no JSON
    std::string text{};

    /// "201", or "409 block-overlap" for a problem.
    std::string outcome() const
    {
        auto const type = body.text_of("type");
        auto const name = type.substr(type.rfind('/') + 1);
        return std::to_string(status) + (name.empty() ? "" : " " + name);
    }

    /// The codes of its warnings, in their order.
    std::string warnings() const
    {
        std::string codes;
        if (!body.contains("warnings"))
            return codes;
        for (auto const& each : body["warnings"].elements())
            codes += (codes.empty() ? "" : " ") + each.at("code").text();
        return codes;
    }
};

/// One instance of the service on a database of its own, and two clerks with tokens of all scopes.
struct desk_bench : database_bench
{
    desk_bench() : anna{create_token("anna")}, ben{create_token("ben")} { start_instances(1); }

    desk_answer ask(
        std::string const& method,
        std::string const& target,
        std::string body = {},
        std::vector<std::pair<std::string, std::string>> fields = {}
    )
    {
        return ask_as(anna, method, target, std::move(body), std::move(fields));
    }

    desk_answer ask_as(
        credential const& who,
        std::string const& method,
        std::string const& target,
        std::string body = {},
        std::vector<std::pair<std::string, std::string>> fields = {}
    )
    {
        fields.emplace_back("Authorization", "Bearer " + who.token);
        if (!body.empty())
            fields.emplace_back("Content-Type", "application/json");
        http_client client{instance(0).address()};
        auto const got = client
                             .exchange(
                                 {.method = method,
                                  .target = target,
                                  .fields = std::move(fields),
                                  .body = std::move(body)}
                             )
                             .answer;
        if (!got)
            throw std::runtime_error{"no answer to " + method + ' ' + target};
        return {
            .status = got->status,
            .location = got->field("location"),
            .replayed = got->field("idempotency-replayed") == "true",
            .body = json_value::parse_or_null(got->body),
            .text = got->body};
    }

    /// Loads a block of such members into series s.
    desk_answer load(json_value const& block, std::string const& query = {})
    {
        return ask("POST", "/v1/series/s/blocks" + query, block.dump());
    }

    /// An act on a block of series s, with a reason.
    desk_answer act(int block, std::string const& verb, std::string const& reason = "typo")
    {
        return ask(
            "POST",
            "/v1/series/s/blocks/" + std::to_string(block) + "/" + verb,
            json_value{{"reason", reason}}.dump()
        );
    }

    /// first…last state of each block of series s, in the order of the queue.
    std::string queue()
    {
        std::string all;
        auto const blocks = ask("GET", "/v1/series/s/blocks").body.at("items");
        for (auto const& block : blocks.elements())
            all += (all.empty() ? "" : " ") + block.at("first").text() + "…" +
                   block.at("last").text() + " " + block.at("state").text();
        return all;
    }

    /// Issues numbers of series s: the answer's numbers, or the outcome.
    std::string issue(std::string const& key, int count = 1, int hold_seconds = 0)
    {
        json_value body{{"count", count}};
        if (hold_seconds != 0)
            body.set("hold_seconds", hold_seconds);
        auto const got =
            ask("POST", "/v1/series/s/numbers", body.dump(), {{"Idempotency-Key", key}});
        if (got.status != 201)
            return got.outcome();
        issuance = got.body.at("id").text();
        std::string numbers;
        for (auto const& number : got.body.at("numbers").elements())
            numbers += (numbers.empty() ? "" : " ") + number.text();
        return numbers;
    }

    desk_answer number(std::string const& which)
    {
        return ask("GET", "/v1/series/s/numbers/" + which);
    }

    /// verify and verify --chain, after everything was sealed: "gapless", or what they find.
    std::string proof()
    {
        auto const found = verify();
        run("select gapless.seal(s.series_id) from gapless.series s");
        run("select gapless.seal(0)");
        auto const chain = run("select string_agg(c.findings::text, ' ') from gapless.series s, "
                               "gapless.verify_chain(s.series_id) c where c.findings <> '[]'");
        return chain == "null" ? found : found + " " + chain;
    }

    credential anna;
    credential ben;
    std::string issuance{};  // the id of the latest one
};

}  // namespace gapless::test
