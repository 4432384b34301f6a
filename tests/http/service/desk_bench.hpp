#pragma once

#include "harness/http_client.hpp"
#include "harness/service_bench.hpp"

#include <nlohmann/json.hpp>

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
    nlohmann::json body{};  // null where it is no JSON
    std::string text{};

    /// "201", or "409 block-overlap" for a problem.
    std::string outcome() const
    {
        std::string const type{body.is_object() ? body.value("type", "") : ""};
        auto const name = type.substr(type.rfind('/') + 1);
        return std::to_string(status) + (name.empty() ? "" : " " + name);
    }

    /// The codes of its warnings, in their order.
    std::string warnings() const
    {
        std::string codes;
        for (auto const& each : body.value("warnings", nlohmann::json::array()))
            codes += (codes.empty() ? "" : " ") + each.at("code").get<std::string>();
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
        desk_answer read{
            .status = got->status,
            .location = got->field("location"),
            .replayed = got->field("idempotency-replayed") == "true",
            .text = got->body};
        read.body = nlohmann::json::parse(got->body, nullptr, /*allow_exceptions=*/false);
        if (read.body.is_discarded())
            read.body = nullptr;
        return read;
    }

    /// Loads a block of such members into series s.
    desk_answer load(nlohmann::json const& block, std::string const& query = {})
    {
        return ask("POST", "/v1/series/s/blocks" + query, block.dump());
    }

    /// An act on a block of series s, with a reason.
    desk_answer act(int block, std::string const& verb, std::string const& reason = "typo")
    {
        return ask(
            "POST",
            "/v1/series/s/blocks/" + std::to_string(block) + "/" + verb,
            nlohmann::json{{"reason", reason}}.dump()
        );
    }

    /// first…last state of each block of series s, in the order of the queue.
    std::string queue()
    {
        std::string all;
        auto const blocks = ask("GET", "/v1/series/s/blocks").body.at("items");
        for (auto const& block : blocks)
            all += (all.empty() ? "" : " ") + block.at("first").get<std::string>() + "…" +
                   block.at("last").get<std::string>() + " " + block.at("state").get<std::string>();
        return all;
    }

    /// Issues numbers of series s: the answer's numbers, or the outcome.
    std::string issue(std::string const& key, int count = 1, int hold_seconds = 0)
    {
        nlohmann::json body{{"count", count}};
        if (hold_seconds != 0)
            body["hold_seconds"] = hold_seconds;
        auto const got =
            ask("POST", "/v1/series/s/numbers", body.dump(), {{"Idempotency-Key", key}});
        if (got.status != 201)
            return got.outcome();
        issuance = got.body.at("id").get<std::string>();
        std::string numbers;
        for (auto const& number : got.body.at("numbers"))
            numbers += (numbers.empty() ? "" : " ") + number.get<std::string>();
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
