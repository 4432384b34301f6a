#include "http/health_handlers.hpp"

#include "wire/json_writer.hpp"

namespace gapless {

namespace asio = boost::asio;

namespace {

void append_readiness(readiness const& found, std::string& json)
{
    json += '{';
    append_text(json, "status", found.ready() ? "ok" : found.stale ? "stale" : "unavailable");
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
    auto const found = current.service().status.known_readiness();
    if (!found.ready())
    {
        current.out.status = 503;
        current.out.retry_after_seconds = current.state.problems.to_retry_after({});
    }
    append_readiness(found, current.out.body);
    co_return result<void>{};
}

}  // namespace gapless
