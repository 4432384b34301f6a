#pragma once

#include "domain/records.hpp"
#include "store/pqxx_fwd.hpp"

#include <optional>
#include <string>
#include <vector>

/// Series. Every function runs inside the caller's transaction and blocks for one
/// round trip or two. SQL's refusals leave through run_serializable and run_read (transaction.hpp).
namespace gapless {

/// Every series by name, or just the named one (no row: there is none).
std::vector<series_record> read_series(
    pqxx::transaction_base& transaction, std::optional<std::string> const& name
);

/// Those the filter leaves, by name.
std::vector<series_record> read_series_page(
    pqxx::transaction_base& transaction, series_filter const& wanted
);

/// The named series. Refuses with unknown_series.
result<series_record> read_one_series(pqxx::transaction_base& transaction, std::string const& name);

/// The same with what was used of it. Refuses with unknown_series.
result<series_use> read_series_use(pqxx::transaction_base& transaction, std::string const& name);

/// Creates a series and returns it. Refuses with state_conflict (the name is taken), out_of_range
/// (also a format that does not exist, and parameters that do not fit it).
result<series_record> create_series(
    pqxx::transaction_base& transaction, series_draft const& draft, std::string const& actor
);

/// Changes a series and returns it. Refuses with unknown_series, precondition_failed, out_of_range.
series_record change_series(
    pqxx::transaction_base& transaction,
    std::string const& name,
    series_change const& change,
    std::string const& actor
);

}  // namespace gapless
