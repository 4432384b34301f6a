#pragma once

#include "domain/records.hpp"
#include "domain/refusal.hpp"
#include "store/pqxx_fwd.hpp"

/// Use cases of the database itself; see cases/series.hpp.
namespace gapless::cases {

/// In which time zone its days begin, which day it is there, and which environment it belongs to.
struct read_database
{
    using answer = database_record;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

}  // namespace gapless::cases
