#include "app/cli/series_formats.hpp"

#include "store/series_store.hpp"

namespace gapless::cli {

series_formats read_series_formats(
    pqxx::transaction_base& transaction, std::optional<std::string> const& name
)
{
    series_formats formats;
    for (auto& settings : read_series_settings(transaction, name))
        formats.emplace(std::move(settings.name), std::move(settings.format));
    return formats;
}

result<series_settings> read_one_settings(
    pqxx::transaction_base& transaction, std::string const& name
)
{
    auto found = read_series_settings(transaction, name);
    if (!found.empty())
        return std::move(found.front());
    // The series' own reader words the refusal.
    auto const series = read_one_series(transaction, name);
    return series.has_error() ? series.error()
                              : refusal{refusal_kind::unknown_series, "the series is gone"};
}

}  // namespace gapless::cli
