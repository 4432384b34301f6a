#include "formats/series_directory.hpp"

#include "formats/format_store.hpp"

namespace gapless {

namespace asio = boost::asio;

series_entry const* series_directory::known(std::string_view name) const
{
    auto const found = series_.find(name);
    return found == series_.end() ? nullptr : &found->second;
}

asio::awaitable<result<series_entry const*>> series_directory::find(std::string name)
{
    if (auto const* entry = known(name))
        co_return entry;
    auto look = [name](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return read_series_settings(transaction, name);
        });
    };
    auto found = co_await threads_.run(std::move(look));
    if (found.has_error())
        co_return found.error();
    if (found->empty())
        co_return refusal{refusal_kind::unknown_series, "there is no series '" + name + "'"};
    co_return &series_.try_emplace(name, std::move(found->front())).first->second;
}

std::string series_directory::name_of(std::int32_t series_id) const
{
    for (auto const& [name, entry] : series_)
        if (entry.series_id == series_id)
            return name;
    return std::to_string(series_id);
}

}  // namespace gapless
