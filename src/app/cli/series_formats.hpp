#pragma once

#include "store/format_store.hpp"

#include <map>
#include <string>

namespace gapless::cli {

/// The formats of series by the name of the series.
using series_formats = std::map<std::string, bound_format, std::less<>>;

/// A record and the formats its numbers are written in.
template <class T>
struct formatted
{
    T value;
    series_formats formats;
};

/// The formats of all series, or of the named one.
series_formats read_series_formats(
    pqxx::transaction_base& transaction, std::optional<std::string> const& name
);

/// A record with the formats of all series, or of the named one; a refusal stays one.
template <class T>
result<formatted<T>> with_formats(
    pqxx::transaction_base& transaction,
    result<T> outcome,
    std::optional<std::string> const& name = std::nullopt
)
{
    if (outcome.has_error())
        return outcome.error();
    return formatted<T>{std::move(*outcome), read_series_formats(transaction, name)};
}

/// The settings of the named series. Refuses with unknown_series.
result<series_settings> read_one_settings(
    pqxx::transaction_base& transaction, std::string const& name
);

}  // namespace gapless::cli
