#include "app/health_handlers.hpp"

#include "app/status_service.hpp"
#include "base/json_writer.hpp"
#include "http/dispatch.hpp"
#include "http/series_lookup.hpp"

namespace gapless {

namespace asio = boost::asio;

namespace {

std::string_view status_of(readiness const& found, bool reserved) noexcept
{
    if (found.ready())
        return found.detail.empty() ? "ok" : "degraded";
    return reserved ? "degraded" : found.stale ? "stale" : "unavailable";
}

void append_readiness(readiness const& found, bool reserved, std::string& json)
{
    json += '{';
    append_text(json, "status", status_of(found, reserved));
    append_truth(append_name(json, "database"), found.database);
    append_truth(append_name(json, "schema"), found.schema);
    append_truth(append_name(json, "primary"), found.primary);
    append_truth(append_name(json, "lane"), found.lane);
    append_truth(append_name(json, "fenced"), found.fenced);
    append_truth(append_name(json, "safe"), found.safe);
    append_truth(append_name(json, "accept_risk"), found.accept_risk);
    append_text(json, "detail", found.detail);
    if (found.epoch > 0)
        append_count(json, "epoch", found.epoch);
    else
        append_name(json, "epoch") += "null";
    append_name(json, "warnings") += '[';
    for (auto const& warning : found.warnings)
    {
        if (json.back() != '[')
            json += ',';
        json += '{';
        append_text(json, "check", warning.name);
        append_text(json, "severity", name_of(warning.severity));
        append_text(json, "value", warning.value);
        append_text(json, "advice", warning.advice);
        json += '}';
    }
    json += "]}";
}

}  // namespace

asio::awaitable<result<void>> get_liveness(exchange& current)
{
    current.out.body = R"({"status":"ok"})";
    co_return result<void>{};
}

asio::awaitable<result<void>> get_readiness(exchange& current)
{
    auto const& status = current.service<status_service>();
    auto const found = status.known_readiness();
    bool reserved = false;
    if (auto const series = current.query.find(name_of(&queries::readiness_query::series)))
    {
        // Asks the database only while it answers.
        if (found.ready() && !current.service<series_lookup>().known_series(*series))
        {
            std::string name{*series};
            auto const known =
                co_await current.service<series_lookup>().find_series(std::move(name));
            if (known.has_error())
                co_return known.error().kind == refusal_kind::unknown_series ? unknown_series()
                                                                             : known.error();
        }
        reserved = !found.ready() && status.reserve_serves(*series);
    }
    if (!found.ready() && !reserved)
    {
        current.out.status = 503;
        current.out.retry_after_seconds = current.state.problems.to_retry_after({});
    }
    append_readiness(found, reserved, current.out.body);
    co_return result<void>{};
}

}  // namespace gapless
