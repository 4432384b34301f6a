#include "formats/series_directory.hpp"

#include "formats/format_store.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr int ahead_at_once = 200;  // 5 ms, for which a name that is asked for may have to wait

}  // namespace

series_entry const* series_directory::known(std::string_view name) const
{
    auto const found = read_.front().find(name);
    return found == read_.front().end() ? nullptr : &found->second;
}

void series_directory::forget()
{
    if (!read_.front().empty())
        read_.emplace_front();
    ahead_.emplace();
}

/// A read of several series, and the callers that wait for it.
struct series_directory::reading
{
    explicit reading(asio::any_io_executor const& executor)
        : ended{executor, asio::steady_timer::time_point::max()}
    {
    }

    std::vector<std::string> names;
    asio::steady_timer ended;  // expires then
    entries const* into{};     // a forget() meanwhile: no longer the front
    std::optional<refusal> trouble;
    std::exception_ptr failure;
};

asio::awaitable<result<series_entry const*>> series_directory::find(std::string name)
{
    auto const executor = co_await asio::this_coro::executor;
    while (true)
    {
        if (auto const* entry = known(name))
            co_return entry;
        if (!next_)
            next_ = std::make_shared<reading>(executor);
        auto const mine = next_;
        mine->names.push_back(name);
        if (!std::exchange(reads_, true))
            asio::co_spawn(executor, read_all(), asio::detached);
        co_await mine->ended.async_wait(asio::as_tuple(asio::use_awaitable));
        if (mine->failure)
            std::rethrow_exception(mine->failure);
        if (auto const* entry = known(name))
            co_return entry;
        if (mine->trouble)
            co_return *mine->trouble;
        if (mine->into == &read_.front())
            co_return missing_series(name);
        // Forgotten since it was read: what it found may not be there any more.
    }
}

asio::awaitable<void> series_directory::read_all()
{
    for (bool more = true; next_ || more;)
        if (auto const now = std::exchange(next_, nullptr))
        {
            co_await read(*now);
            now->ended.expires_at(asio::steady_timer::time_point::min());
        }
        else
        {
            more = co_await read_ahead();
        }
    reads_ = false;
}

/// False: all are read, or it failed; the next name that is not known tries again.
asio::awaitable<bool> series_directory::read_ahead()
{
    if (!ahead_)
        co_return false;
    auto& into = read_.front();
    auto look = [after = *ahead_](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return read_series_settings(transaction, after, ahead_at_once);
        });
    };
    try
    {
        auto found = co_await threads_.run(std::move(look));
        if (found.has_error())
            co_return false;
        if (&into != &read_.front())
            co_return true;
        if (found->size() < ahead_at_once)
            ahead_.reset();
        else
            ahead_ = found->back().name;
        for (auto& entry : *found)
            into.try_emplace(std::string{entry.name}, std::move(entry));
        co_return ahead_.has_value();
    }
    catch (std::exception const&)
    {
        co_return false;
    }
}

asio::awaitable<void> series_directory::read(reading& now)
{
    auto& into = read_.front();
    now.into = &into;
    auto look = [names = now.names](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return read_series_settings(transaction, names);
        });
    };
    try
    {
        auto found = co_await threads_.run(std::move(look));
        if (found.has_error())
            now.trouble = found.error();
        else
            for (auto& entry : *found)
                into.try_emplace(std::string{entry.name}, std::move(entry));
    }
    catch (...)
    {
        now.failure = std::current_exception();
    }
}

std::string series_directory::name_of(std::int32_t series_id) const
{
    for (auto const& [name, entry] : read_.front())
        if (entry.series_id == series_id)
            return name;
    return std::to_string(series_id);
}

}  // namespace gapless
