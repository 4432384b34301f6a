#pragma once

#include "base/refusal.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// Use cases of the database as a whole; see formats/find_series.hpp.
namespace gapless {

/// What readers need to know about a database to interpret its answers.
struct database_record
{
    std::string time_zone;                   // an IANA name; days begin there
    std::string today;                       // the date there, like 2026-11-20
    std::optional<std::string> environment;  // none: not set
    std::int64_t last_notice{};              // the latest notice's seq; 0: none was published
};

}  // namespace gapless

namespace gapless::cases {

/// Reads the time zone in which days begin, the date there, and the environment.
struct read_database
{
    using answer = database_record;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

}  // namespace gapless::cases
