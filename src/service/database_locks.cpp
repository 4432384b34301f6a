#include "base/log.hpp"
#include "service/database_numbering.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

/// What the service tells of series that other sessions have locked.
namespace gapless {

namespace asio = boost::asio;

namespace {

/// For the refusal of a request that waited in vain.
std::string in_words(series_blocker const& blocker)
{
    return "role '" + blocker.role + "', application '" + blocker.application + "', pid " +
           std::to_string(blocker.pid) +
           (blocker.since.empty() ? std::string{} : ", since " + blocker.since);
}

}  // namespace

std::string database_numbering::name_of_series(std::int32_t series_id) const
{
    for (auto const& [name, entry] : series_)
        if (entry.series_id == series_id)
            return name;
    return std::to_string(series_id);
}

void database_numbering::find_blocker(std::int32_t series_id)
{
    if (finding_blocker_)  // it is asked for again in a second
        return;
    finding_blocker_ = true;
    asio::co_spawn(io_, look_at_blocker(series_id), asio::detached);
}

asio::awaitable<void> database_numbering::look_at_blocker(std::int32_t series_id)
{
    try
    {
        auto look = [series_id](pqxx::connection& connection) {
            return run_read(
                connection,
                [&](auto& transaction) -> result<std::vector<series_blocker>> {
                    return read_blockers(transaction, series_id);
                }
            );
        };
        auto const found = co_await threads_.run(std::move(look));
        auto const known = found.has_value() && !found->empty();
        if (known)
            queue_.note_blocker(series_id, in_words(found->front()));
        // Once for each time it is locked, and not before it is known by whom.
        if (known && locked_series_.emplace(series_id, found->front()).second)
        {
            auto const name = name_of_series(series_id);
            auto const& blocker = found->front();
            log_event(
                log_level::warning,
                "series_locked",
                {{"series", name},
                 {"pid", blocker.pid},
                 {"role", blocker.role},
                 {"application", blocker.application},
                 {"since", blocker.since}}
            );
        }
    }
    catch (std::exception const& error)
    {
        log_event(log_level::error, "blocker_not_found", {{"what", error.what()}});
    }
    finding_blocker_ = false;
}

void database_numbering::note_free(std::int32_t series_id)
{
    if (locked_series_.erase(series_id) > 0)
        log_event(log_level::info, "series_free_again", {{"series", name_of_series(series_id)}});
}

}  // namespace gapless
