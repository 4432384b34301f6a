#include "harness/history.hpp"

#include <nlohmann/json.hpp>

namespace gapless::test {

namespace {

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

/// The fields of Attempt in tests/harness/history.py.
nlohmann::json to_json(attempt const& done)
{
    auto ranges = nlohmann::json::array();
    for (auto const& range : done.ranges)
        ranges.push_back(nlohmann::json::array({range.block, range.first, range.last, range.ordinal}
        ));
    return {{"op", to_text(done.what)},    {"client", done.client},
            {"series", done.series},       {"key", done.key},
            {"count", done.count},         {"contiguous", done.contiguous},
            {"turn", done.turn},           {"instance", done.instance},
            {"start", done.started},       {"end", done.ended},
            {"sent_at", done.sent_at},     {"fate", to_text(done.fate)},
            {"status", done.status},       {"problem", done.problem},
            {"executed", done.executed},   {"replayed", done.replayed},
            {"epoch", done.epoch},         {"issuance", done.issuance},
            {"ranges", std::move(ranges)}, {"body", done.body},
            {"defect", done.defect},       {"issued", done.issued}};
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

void history::write(std::ostream& out) const
{
    std::lock_guard const lock{mutex_};
    out << R"({"healed": 0})" << '\n';
    for (auto const& done : attempts_)
        out << to_json(done).dump() << '\n';
}

}  // namespace gapless::test
