#include "http/problem.hpp"

#include "base/json_writer.hpp"
#include "record/json.hpp"
#include "record/refusal_records.hpp"

#include <algorithm>

namespace gapless {

namespace {

struct document
{
    std::string_view name{};  // empty: type about:blank
    std::string_view title{};
    int status{};
    told detail{};  // empty: left out
    language wanted{language::english};
    bool executed_unknown{};
    refusal const* lists{};  // whose warnings and faults to include; null: none
};

/// Appends a sentence, and "lang":"en" if it is English although another language was requested.
void append_sentence(std::string& json, std::string_view name, told const& sentence)
{
    append_text(json, name, sentence.text);
    if (sentence.is_foreign)
        append_text(json, "lang", "en");
}

void append_faults(std::string& json, std::vector<line_fault> const& faults, language wanted)
{
    append_name(json, "faults") += '[';
    for (auto const& fault : faults)
    {
        json += json.back() == '[' ? "{" : ",{";
        append_decimal(append_name(json, "line"), static_cast<std::int64_t>(fault.line));
        append_decimal(append_name(json, "column"), static_cast<std::int64_t>(fault.column));
        append_sentence(json, "what", tell(fault.what, wanted));
        json += '}';
    }
    json += ']';
}

void write_document(answer& given, document const& what)
{
    auto allow = std::move(given.allow);  // set by the route for 405
    given.clear();
    given.allow = std::move(allow);
    given.status = what.status;
    given.problem = what.name;
    given.content_type = media_type::problem;
    auto& json = given.body;
    json += R"({"type":")";
    json += what.name.empty() ? "about:blank" : "/problems/";
    json += what.name;
    json += R"(","title":)";
    append_json_string(json, tell(what.title, what.wanted).text);
    json += R"(,"status":)";
    append_decimal(json, what.status);
    if (!what.detail.text.empty())
        append_sentence(json, "detail", what.detail);
    json += what.executed_unknown ? R"(,"executed":"unknown")" : R"(,"executed":"no")";
    if (what.lists)
    {
        if (!what.lists->warnings.empty())
        {
            auto warnings = what.lists->warnings;
            tell(warnings, what.wanted);
            append_json(append_name(json, "warnings"), warnings);
        }
        if (!what.lists->faults.empty())
            append_faults(json, what.lists->faults, what.wanted);
        if (!what.lists->series.empty())
            append_json(append_name(json, "series"), what.lists->series);
        if (!what.lists->issuance.empty())
        {
            json += R"(,"issuance":")" + what.lists->issuance + '"';
            append_json(append_name(json, "gone"), what.lists->gone);
        }
    }
    if (!given.request_id.empty())
    {
        json += R"(,"request_id":")";
        json += given.request_id;
        json += '"';
    }
    json += '}';
}

bool is_worth_another_try(int status) noexcept
{
    return status == 429 || status == 503;
}

}  // namespace

int status_of(refusal_kind kind) noexcept
{
    switch (kind)
    {
    case refusal_kind::malformed_request:
    case refusal_kind::idempotency_key_missing: return 400;
    case refusal_kind::unauthenticated: return 401;
    case refusal_kind::forbidden: return 403;
    case refusal_kind::unknown_series:
    case refusal_kind::unknown_number:
    case refusal_kind::unknown_issuance:
    case refusal_kind::not_found: return 404;
    case refusal_kind::method_not_allowed: return 405;
    case refusal_kind::not_acceptable: return 406;
    case refusal_kind::series_exhausted:
    case refusal_kind::not_contiguous:
    case refusal_kind::series_paused:
    case refusal_kind::hold_expired:
    case refusal_kind::issuance_settled:
    case refusal_kind::block_overlap:
    case refusal_kind::state_conflict:
    case refusal_kind::on_lease:
    case refusal_kind::ambiguous_number:
    case refusal_kind::confirmation_needed: return 409;
    case refusal_kind::precondition_failed: return 412;
    case refusal_kind::too_large: return 413;
    case refusal_kind::unsupported_media_type: return 415;
    case refusal_kind::idempotency_key_reused:
    case refusal_kind::out_of_range: return 422;
    case refusal_kind::too_many_requests: return 429;
    case refusal_kind::overloaded:
    case refusal_kind::database_unavailable:
    case refusal_kind::fenced:
    case refusal_kind::outcome_unknown: return 503;
    }
    return 500;
}

void problem_writer::write(answer& given, refusal const& why, language wanted)
{
    document const what{
        .name = name_of(why.kind),
        .title = title_of(why.kind),
        .status = status_of(why.kind),
        .detail = tell(why.detail, wanted),
        .wanted = wanted,
        .executed_unknown = why.kind == refusal_kind::outcome_unknown,
        .lists = &why};
    write_document(given, what);
    given.asks_for_token = why.kind == refusal_kind::unauthenticated;
    if (is_worth_another_try(what.status) || why.kind == refusal_kind::on_lease)
        given.retry_after_seconds = to_retry_after(why.retry_after);
}

int problem_writer::to_retry_after(std::chrono::seconds least)
{
    auto const seconds = std::max(static_cast<int>(least.count()), 1);
    auto const spread = std::max(seconds / 10, 2);
    return seconds + static_cast<int>(random_() % static_cast<unsigned>(spread + 1));
}

void problem_writer::write(answer& given, fault const& why, language wanted)
{
    std::string detail{why.detail};
    if (auto const gap = detail.find("{}"); gap != std::string::npos)
        detail.replace(gap, 2, std::to_string(why.most));
    document what{.status = why.status, .detail = tell(detail, wanted), .wanted = wanted};
    switch (why.status)
    {
    case 408: what.title = "Request Timeout"; break;
    case 417: what.title = "Expectation Failed"; break;
    default: {
        auto const kind = why.status == 400   ? refusal_kind::malformed_request
                          : why.status == 415 ? refusal_kind::unsupported_media_type
                                              : refusal_kind::too_large;
        what.name = name_of(kind);
        what.title = title_of(kind);
    }
    }
    write_document(given, what);
}

void problem_writer::write_failure(answer& given, language wanted)
{
    document const what{
        .title = "Internal Server Error",
        .status = 500,
        .wanted = wanted,
        .executed_unknown = true};
    write_document(given, what);
}

}  // namespace gapless
