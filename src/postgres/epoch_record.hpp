#pragma once

#include "postgres/database_life.hpp"
#include "record/pqxx_fwd.hpp"

#include <string>
#include <vector>

namespace gapless {

/// The current epoch, and what the database reports about itself.
struct epoch_record
{
    database_life life;
    std::string opened_at;  // RFC 3339
    std::string opened_by;
    std::string reason;
    std::vector<series_mark> marks;
    std::vector<std::string> series;  // names, in the order of marks
};

epoch_record read_epoch(pqxx::transaction_base& transaction);

}  // namespace gapless
