#include "http/problem.hpp"

#include "http/json_writer.hpp"

#include <algorithm>

namespace gapless {

namespace {

struct document
{
    std::string_view name{};  // empty: type about:blank
    std::string_view title{};
    int status{};
    std::string_view detail{};  // empty: left out
    bool executed_unknown{};
};

void write_document(answer& given, document const& what)
{
    auto allow = std::move(given.allow);  // found by the route, and part of 405
    given.clear();
    given.allow = std::move(allow);
    given.status = what.status;
    given.content_type = media_type::problem;
    auto& json = given.body;
    json += R"({"type":")";
    json += what.name.empty() ? "about:blank" : "/problems/";
    json += what.name;
    json += R"(","title":)";
    append_json_string(json, what.title);
    json += R"(,"status":)";
    append_decimal(json, what.status);
    if (!what.detail.empty())
    {
        json += R"(,"detail":)";
        append_json_string(json, what.detail);
    }
    json += what.executed_unknown ? R"(,"executed":"unknown"})" : R"(,"executed":"no"})";
}

bool is_worth_another_try(int status) noexcept
{
    return status == 429 || status == 503;
}

}  // namespace

void problem_writer::write(answer& given, refusal const& why)
{
    document const what{
        .name = name_of(why.kind),
        .title = title_of(why.kind),
        .status = status_of(why.kind),
        .detail = why.detail,
        .executed_unknown = why.kind == refusal_kind::outcome_unknown};
    write_document(given, what);
    given.asks_for_token = why.kind == refusal_kind::unauthenticated;
    if (is_worth_another_try(what.status))
        given.retry_after_seconds = to_retry_after(why.retry_after);
}

int problem_writer::to_retry_after(std::chrono::seconds least)
{
    auto const seconds = std::max(static_cast<int>(least.count()), 1);
    auto const spread = std::max(seconds / 10, 2);
    return seconds + static_cast<int>(random_() % static_cast<unsigned>(spread + 1));
}

void problem_writer::write(answer& given, fault const& why)
{
    document what{.status = why.status, .detail = why.detail};
    switch (why.status)
    {
    case 408: what.title = "Request Timeout"; break;
    case 417: what.title = "Expectation Failed"; break;
    default: {
        auto const kind =
            why.status == 400 ? refusal_kind::malformed_request : refusal_kind::too_large;
        what.name = name_of(kind);
        what.title = title_of(kind);
    }
    }
    write_document(given, what);
}

void problem_writer::write_failure(answer& given)
{
    document const what{.title = "Internal Server Error", .status = 500, .executed_unknown = true};
    write_document(given, what);
}

}  // namespace gapless
