#pragma once

#include "formats/series_entry.hpp"
#include "postgres/database_threads.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace gapless {

/// The series by name, as the database told: a series is for ever, so what is known stays true and
/// entries live as long as the directory. I/O thread only.
class series_directory
{
public:
    /// `threads` outlive it.
    explicit series_directory(database_threads& threads) : threads_{threads} {}

    /// Null: not known here.
    series_entry const* known(std::string_view name) const;

    /// Refuses with unknown_series.
    boost::asio::awaitable<result<series_entry const*>> find(std::string name);

    /// The name for logs and metrics; the id where the series is not known here.
    std::string name_of(std::int32_t series_id) const;

private:
    database_threads& threads_;
    std::map<std::string, series_entry, std::less<>> series_;  // never shrinks
};

}  // namespace gapless
