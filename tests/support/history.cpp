#include "support/history.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace gapless::test {

namespace {

nlohmann::json to_json(attempt const& done)
{
    auto ranges = nlohmann::json::array();
    for (auto const& range : done.ranges)
        ranges.push_back(
            {{"block", range.block},
             {"first", range.first},
             {"last", range.last},
             {"ordinal", range.ordinal}}
        );
    return {
        {"operation", to_text(done.what)},
        {"client", done.client},
        {"series", done.series},
        {"key", done.key},
        {"count", done.count},
        {"contiguous", done.contiguous},
        {"attempt", done.turn},
        {"instance", done.instance},
        {"started", done.started},
        {"ended", done.ended},
        {"sent_at", done.sent_at},
        {"class", to_text(done.fate)},
        {"status", done.status},
        {"problem", done.problem},
        {"executed", done.executed},
        {"replayed", done.replayed},
        {"epoch", done.epoch},
        {"issuance", done.issuance},
        {"ranges", std::move(ranges)},
        {"defect", done.defect},
        {"issued", done.issued}};
}

}  // namespace

test_time now() noexcept
{
    auto const since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

std::int64_t wall_clock() noexcept
{
    auto const since = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::microseconds>(since).count();
}

void history::add(attempt done)
{
    std::lock_guard const lock{mutex_};
    attempts_.push_back(std::move(done));
}

void history::mark_healed()
{
    std::lock_guard const lock{mutex_};
    healed_ = now();
}

std::size_t history::count(attempt_fate fate) const
{
    std::lock_guard const lock{mutex_};
    return static_cast<std::size_t>(std::ranges::count(attempts_, fate, &attempt::fate));
}

void history::write(std::ostream& out) const
{
    std::lock_guard const lock{mutex_};
    for (auto const& done : attempts_)
        out << to_json(done).dump() << '\n';
}

std::string to_text(attempt_fate fate)
{
    switch (fate)
    {
    case attempt_fate::ok: return "ok";
    case attempt_fate::fail: return "fail";
    case attempt_fate::info: return "info";
    }
    return {};
}

std::string to_text(operation what)
{
    switch (what)
    {
    case operation::issue: return "issue";
    case operation::reuse: return "reuse";
    case operation::read: return "read";
    }
    return {};
}

}  // namespace gapless::test
