#include "service/series_directory.hpp"

#include "store/format_store.hpp"

namespace gapless {

namespace asio = boost::asio;

series_entry const* series_directory::known(std::string_view name) const
{
    auto const found = series_.find(name);
    return found == series_.end() ? nullptr : &found->second;
}

asio::awaitable<result<void>> series_directory::learn(std::optional<std::string> name)
{
    auto look = [name = std::move(name)](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return read_series_settings(transaction, name);
        });
    };
    auto found = co_await threads_.run(std::move(look));
    if (found.has_error())
        co_return found.error();
    for (auto& entry : *found)
    {
        auto const name_of_entry = entry.name;
        series_.try_emplace(name_of_entry, std::move(entry));
    }
    co_return result<void>{};
}

asio::awaitable<result<series_entry const*>> series_directory::find(std::string name)
{
    if (auto const* entry = known(name))
        co_return entry;
    std::optional<std::string> wanted{name};
    auto const learnt = co_await learn(std::move(wanted));
    if (learnt.has_error())
        co_return learnt.error();
    if (auto const* entry = known(name))
        co_return entry;
    co_return refusal{refusal_kind::unknown_series, "there is no series '" + name + "'"};
}

asio::awaitable<result<std::vector<series_entry const*>>> series_directory::find_all()
{
    auto const learnt = co_await learn(std::nullopt);
    if (learnt.has_error())
        co_return learnt.error();
    std::vector<series_entry const*> all;
    all.reserve(series_.size());
    for (auto const& [name, entry] : series_)
        all.push_back(&entry);
    co_return all;
}

std::string series_directory::name_of(std::int32_t series_id) const
{
    for (auto const& [name, entry] : series_)
        if (entry.series_id == series_id)
            return name;
    return std::to_string(series_id);
}

}  // namespace gapless
