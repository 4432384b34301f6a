#include "base/failpoint.hpp"

#include "base/contract.hpp"
#include "base/text.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace gapless {

namespace {

struct armed_point
{
    std::string_view point;
    std::string_view action;  // kill, stop, delay, drop or break
    std::chrono::milliseconds pause{};
    unsigned long due{1};  // the passage that fails
    std::atomic<unsigned long> passages{};
};

struct armed_points
{
    std::array<armed_point, 8> points;
    std::size_t count{};
};

std::string_view environment(char const* name) noexcept
{
    auto const* text = std::getenv(name);
    return text != nullptr ? text : "";
}

unsigned long read_number(std::string_view text) noexcept
{
    return read_decimal<unsigned long>(text).value_or(0);
}

/// Cuts `text` at the first `mark` and returns what followed it.
std::string_view cut_behind(std::string_view& text, char mark) noexcept
{
    auto const at = text.find(mark);
    if (at == std::string_view::npos)
        return {};
    auto const behind = text.substr(at + 1);
    text = text.substr(0, at);
    return behind;
}

void read_points(armed_points& armed) noexcept
{
    auto rest = environment("GAPLESS_FAILPOINT");
    while (!rest.empty() && armed.count < armed.points.size())
    {
        auto item = rest;
        rest = cut_behind(item, ',');
        auto& added = armed.points[armed.count++];
        if (auto const due = cut_behind(item, '@'); !due.empty())
            added.due = read_number(due);
        added.action = cut_behind(item, ':');
        added.pause = std::chrono::milliseconds{read_number(cut_behind(added.action, '='))};
        added.point = item;
    }
}

armed_point* find_point(std::string_view point) noexcept
{
    static armed_points armed;
    static bool const read = (read_points(armed), true);
    for (std::size_t n = 0; read && n < armed.count; ++n)
        if (armed.points[n].point == point)
            return &armed.points[n];
    return nullptr;
}

}  // namespace

bool failpoint_due(std::string_view point) noexcept
{
    auto* armed = find_point(point);
    return armed != nullptr && ++armed->passages == armed->due;
}

bool run_failpoint(std::string_view point)
{
    auto const* armed = find_point(point);
    if (armed == nullptr)
        return false;
    if (armed->action == "kill")
        std::raise(SIGKILL);
    if (armed->action == "stop")
        std::raise(SIGSTOP);
    ensure(armed->action != "break", "this failpoint holds");
    std::this_thread::sleep_for(armed->pause);
    return armed->action == "drop";
}

}  // namespace gapless
