#include "base/log.hpp"
#include "service/reserve_run.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

/// Which leases the keeper has: taken, given back, and what is told after an outage.
namespace gapless {

namespace asio = boost::asio;

/// Gives back what is not wanted any more or was drawn on, takes what is.
asio::awaitable<bool> reserve_keeper::see_to(wanted_reserve wanted)
{
    if (wanted.status == lease_status::lost)
        co_return true;
    auto const* const ours = core_.lease_of(wanted.series_id);
    auto const known = ours != nullptr && wanted.lease == ours->lease;
    auto const size = std::min(wanted.reserve_numbers.value_or(0), wanted.available);
    if (wanted.lease && !takings_.contains(wanted.series_id))
    {
        auto const over = !wanted.reserve_numbers || wanted.status == lease_status::recalled;
        auto const better = wanted.reserve_numbers && wanted.rest != *wanted.reserve_numbers &&
                            (size > wanted.rest || wanted.rest > *wanted.reserve_numbers);
        if (known && !over && (!better || wanted.drill))
            co_return true;
        // One that is not known here: an earlier try to give it back was not answered.
        auto const lease = *wanted.lease;
        core_.close(lease);
        if (!co_await give_back(wanted.series_id, lease))
            co_return false;
        wanted.lease.reset();
        if (over && wanted.reserve_numbers)
            co_return true;  // recalled: the next one is taken in the next pass
    }
    if (!wanted.reserve_numbers || wanted.paused || wanted.fenced || wanted.low ||
        (size == 0 && !takings_.contains(wanted.series_id)) || !core_.journal_trouble().empty())
        co_return true;
    co_return co_await take(std::move(wanted));
}

asio::awaitable<bool> reserve_keeper::take(wanted_reserve wanted)
{
    // Its numbers have to be written without a database.
    auto const entry = co_await series_.find(wanted.series);
    if (entry.has_error())
        co_return note_trouble("take", entry.error());
    auto const [kept, fresh] = takings_.try_emplace(
        wanted.series_id,
        taking{
            .lease = make_lease_id(),
            .series_id = wanted.series_id,
            .count = std::min(*wanted.reserve_numbers, wanted.available),
            .lease_time = settings_.lease_time}
    );
    auto const sent = reserve_now();
    auto work = [asked = kept->second, who = who_, marks = marks_, writer = writer_](
                    pqxx::connection& connection
                ) { return take_numbers(connection, who, asked, marks, *writer); };
    auto const taken = co_await run(std::move(work));
    auto const unsure =
        taken.has_error() && (taken.error().kind == refusal_kind::outcome_unknown ||
                              taken.error().kind == refusal_kind::database_unavailable ||
                              taken.error().kind == refusal_kind::state_conflict);
    if (!unsure)
        takings_.erase(wanted.series_id);
    if (taken.has_error())
        co_return note_trouble("take", taken.error());
    if (!*taken)
        co_return true;
    core_.keep((*taken)->grant, sent, (*taken)->draw_for);
    log_event(
        log_level::info,
        "reserve_taken",
        {{"series", wanted.series}, {"numbers", (*taken)->grant.count}}
    );
    co_return true;
}

asio::awaitable<bool> reserve_keeper::give_back(std::int32_t series_id, lease_id lease)
{
    // Drawn a moment ago, when the database did not answer: settled first, in the next pass.
    if (std::ranges::find(core_.unsettled(), lease, &unsettled_answer::lease) !=
        core_.unsettled().end())
        co_return false;
    auto work = [lease, who = who_, writer = writer_](pqxx::connection& connection) {
        return give_back_lease(connection, who, lease, *writer);
    };
    auto const returned = co_await run(std::move(work));
    if (returned.has_error())
        co_return note_trouble("give back", returned.error());
    returned_[series_id] += *returned;
    co_return true;
}

/// One notice for each series after an outage.
asio::awaitable<void> reserve_keeper::tell_outages()
{
    auto const told = std::exchange(desk_.outages(), {});
    auto const returned = std::exchange(returned_, {});
    for (auto const& [series_id, sums] : told)
    {
        if (desk_.practises(series_id))
        {
            desk_.outages().emplace(series_id, sums);  // one notice, when the practice is over
            continue;
        }
        if (sums.issued == 0)
            continue;
        auto const revoked = std::ranges::count_if(sums.owners, [&](auto owner) {
            return !tokens_.knows_owner(owner);
        });
        auto const back = returned.find(series_id);
        auto const data = fmt::format(
            R"({{"instance":"{}","issued":"{}","returned":"{}","answered_twice":{},)"
            R"("tokens_revoked":{},"in_doubt":{}}})",
            to_text(who_.instance),
            sums.issued,
            back == returned.end() ? 0 : back->second,
            sums.answered_twice,
            revoked,
            sums.in_doubt
        );
        auto const name = series_.name_of(series_id);
        auto work = [who = who_, name, data](pqxx::connection& connection) {
            return run_serializable(connection, {}, [&](auto& transaction) {
                note_settled(transaction, who.instance, name, data);
                return true;
            });
        };
        auto const noted = co_await run(std::move(work));
        if (noted.has_error())
            note_trouble("notice", noted.error());
        log_event(log_level::info, "reserve_settled", {{"series", name}, {"sums", data}});
    }
}

}  // namespace gapless
