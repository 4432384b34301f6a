#pragma once

#include "base/refusal.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// Use cases of the database itself; see formats/find_series.hpp.
namespace gapless {

/// What people have to know of a database to read what it says.
struct database_record
{
    std::string time_zone;                   // a name of the IANA database; days begin there
    std::string today;                       // there, like 2026-11-20
    std::optional<std::string> environment;  // none: nobody named it
    std::int64_t last_notice{};              // the seq of the latest; 0: none was published
};

}  // namespace gapless

namespace gapless::cases {

/// In which time zone its days begin, which day it is there, and which environment it belongs to.
struct read_database
{
    using answer = database_record;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

}  // namespace gapless::cases
