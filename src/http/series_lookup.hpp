#pragma once

#include "base/refusal.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace gapless {

struct series_entry;

/// Resolves {series} in a path. I/O thread; nothing blocks it. Entries live as long as the service.
class series_lookup
{
public:
    virtual ~series_lookup() = default;

    /// The series of that name, if it is known without asking the database; else null.
    virtual series_entry const* known_series(std::string_view name) const = 0;

    virtual std::int32_t id_of(series_entry const& series) const noexcept = 0;

    /// The series of that name. Refuses with unknown_series, overloaded, database_unavailable.
    virtual boost::asio::awaitable<result<series_entry const*>> find_series(std::string name) = 0;
};

}  // namespace gapless
