#include "reserve/lease_drill.hpp"

#include "base/moment.hpp"
#include "cli/progress.hpp"
#include "reserve/lease_operations.hpp"
#include "reserve/lease_telling.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <thread>
#include <vector>

namespace gapless::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto drill_look_interval = 500ms;
constexpr auto settling_max = 30s;  // after the end of a drill

/// How many numbers are settled.
std::int64_t settled_of(std::vector<leases::listed_lease> const& leases)
{
    std::int64_t sum = 0;
    for (auto const& lease : leases)
        sum += lease.settled;
    return sum;
}

/// Whether every instance that holds numbers was in contact since, unless it is overdue.
bool all_heard_since(std::vector<leases::listed_lease> const& leases, database_time moment)
{
    return std::ranges::all_of(leases, [&](leases::listed_lease const& lease) {
        return lease.held == 0 || lease.overdue || lease.contact > moment;
    });
}

/// Waits that long.
void wait(command_context& context, std::chrono::seconds time)
{
    progress bar{"seconds of the drill", static_cast<std::size_t>(time.count())};
    auto const begun = std::chrono::steady_clock::now();
    for (auto now = begun; now < begun + time; now = std::chrono::steady_clock::now())
    {
        context.signals().stop_if_arrived();
        bar.show(static_cast<std::size_t>((now - begun) / 1s));
        std::this_thread::sleep_for(drill_look_interval);
    }
}

/// Waits until no more is settled: each instance was in contact some time after the drill, and two
/// readings agree. Returns how many numbers were settled.
std::int64_t wait_for_settling(
    command_context& context, std::string const& series, database_time until
)
{
    auto const latest = std::chrono::steady_clock::now() + settling_max;
    auto leases = read_leases(context, series);
    while (std::chrono::steady_clock::now() < latest)
    {
        context.signals().stop_if_arrived();
        std::this_thread::sleep_for(drill_look_interval);
        auto const before = settled_of(leases);
        leases = read_leases(context, series);
        if (all_heard_since(leases, until + 2s) && settled_of(leases) == before)
            break;
    }
    return settled_of(leases);
}

}  // namespace

exit_code run_drill(command_context& context, std::string const& series, std::chrono::seconds time)
{
    auto const before = read_leases(context, series);
    auto const reserve = std::ranges::any_of(before, [](leases::listed_lease const& lease) {
        return lease.status == lease_status::open && lease.held > 0;
    });
    if (!reserve)
        throw command_failed{
            exit_code::conflict,
            fmt::format(
                "no instance has numbers of {} on lease: set a reserve, and start gaplessd\n  "
                "gapless series set {} --reserve N",
                series,
                series
            )};
    context.confirm(fmt::format(
        "Issue numbers of {} from the reserve for {} s, as if the database were away? A key that "
        "another instance answers, or that was answered before, gets a second number.",
        series,
        time.count()
    ));
    auto const until = value_of(context.change([&](pqxx::transaction_base& transaction) {
        return leases::drill(transaction, series, time, context.actor());
    }));
    if (context.options().dry_run)
    {
        context.say("dry run: nothing was changed");
        return exit_code::ok;
    }
    context.say(fmt::format("the drill ends at {}", to_rfc3339(until)));
    wait(context, time);
    auto const numbers = wait_for_settling(context, series, until) - settled_of(before);
    context.print_text(fmt::format(
        "the drill has ended; {} numbers were issued from the reserve and are in the ledger\n",
        numbers
    ));
    if (numbers == 0)
        context.say("no request came, or no instance heard of the drill in time");
    return exit_code::ok;
}

}  // namespace gapless::cli
