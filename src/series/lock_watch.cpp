#include "series/lock_watch.hpp"

#include "base/log.hpp"
#include "base/repeated_log.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace gapless {

namespace asio = boost::asio;

namespace {

/// For the refusal of a request that waited in vain: who has the lock, and whether to end it.
std::string in_words(series_blocker const& blocker)
{
    auto const who = "role '" + blocker.role + "', application '" + blocker.application +
                     "', pid " + std::to_string(blocker.pid) +
                     (blocker.since.empty() ? std::string{} : ", since " + blocker.since);
    if (blocker.waits_for_standby)
        return "the COMMIT of another transaction (" + who + ") waits for the standby";
    return "another transaction has locked the series (" + who + "); end it";
}

}  // namespace

lock_watch::lock_watch(
    asio::io_context& io,
    database_threads& threads,
    series_directory const& series,
    issue_queue& queue
)
    : io_{io},
      threads_{threads},
      series_{series},
      queue_{queue}
{
}

void lock_watch::look_for_blocker(std::int32_t series_id)
{
    wanted_.insert(series_id);
    if (looking_)
        return;
    looking_ = true;
    asio::co_spawn(io_, look(), asio::detached);
}

asio::awaitable<void> lock_watch::look()
{
    try
    {
        while (!wanted_.empty())
        {
            auto const series_id = wanted_.extract(wanted_.begin()).value();
            auto find = [series_id](pqxx::connection& connection) {
                return run_read(
                    connection,
                    [&](auto& transaction) -> result<std::vector<series_blocker>> {
                        return read_blockers(transaction, series_id);
                    }
                );
            };
            auto const found = co_await threads_.run(std::move(find));
            if (found.has_value() && !found->empty())
                note(series_id, found->front());
        }
    }
    catch (std::exception const& error)
    {
        log_failure("blocker_not_found", error.what());
    }
    looking_ = false;
}

/// Logs an event each time a series is locked, but not before the blocker is known. By then the
/// series may be free again.
void lock_watch::note(std::int32_t series_id, series_blocker const& blocker)
{
    if (!queue_.note_blocker(series_id, in_words(blocker)) ||
        !blockers_.insert_or_assign(series_id, blocker).second)
        return;
    log_event(
        log_level::warning,
        "series_locked",
        {{"series", series_.name_of(series_id)},
         {"pid", blocker.pid},
         {"role", blocker.role},
         {"application", blocker.application},
         {"since", blocker.since},
         {"waits_for_standby", blocker.waits_for_standby}}
    );
}

void lock_watch::note_free(std::int32_t series_id)
{
    wanted_.erase(series_id);
    if (blockers_.erase(series_id) > 0)
        log_event(log_level::info, "series_free_again", {{"series", series_.name_of(series_id)}});
}

std::vector<locked_series> lock_watch::locked() const
{
    std::vector<locked_series> all;
    for (auto const series_id : queue_.locked())
    {
        auto& one = all.emplace_back(series_.name_of(series_id));
        if (auto const by = blockers_.find(series_id); by != blockers_.end())
        {
            one.role = by->second.role;
            one.application = by->second.application;
        }
    }
    return all;
}

}  // namespace gapless
