#pragma once

#include "formats/series_entry.hpp"
#include "postgres/database_threads.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace gapless {

/// The series by name, as the database told: a series is for ever, so what is known stays true and
/// entries live as long as the directory. I/O thread only.
///
/// One read is under way at a time; names that are asked for meanwhile share the next one. So when
/// thousands of series are asked for first after a start, PostgreSQL plans a read per round trip
/// and not per series, and it takes one database thread.
class series_directory
{
public:
    /// `threads` outlive it.
    explicit series_directory(database_threads& threads) : threads_{threads} {}

    /// Null: not known here.
    series_entry const* known(std::string_view name) const;

    /// Refuses with unknown_series, overloaded, database_unavailable.
    boost::asio::awaitable<result<series_entry const*>> find(std::string name);

    /// The name for logs and metrics; the id where the series is not known here.
    std::string name_of(std::int32_t series_id) const;

private:
    struct reading;

    boost::asio::awaitable<void> read_all();
    boost::asio::awaitable<void> read(reading& now);

    database_threads& threads_;
    std::shared_ptr<reading> next_;  // null: nobody waits for one
    bool reads_{};
    std::map<std::string, series_entry, std::less<>> series_;  // never shrinks
};

}  // namespace gapless
