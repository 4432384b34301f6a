#pragma once

#include "base/refusal.hpp"
#include "formats/number_format.hpp"
#include "formats/series_entry.hpp"
#include "record/pqxx_fwd.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

/// Number formats: the catalogue's, which the programs carry, and the shipper's own, which the
/// database keeps.
namespace gapless {

/// The format of that name, from the catalogue or the database. Refuses with out_of_range, naming
/// it.
result<number_format> find_number_format(
    pqxx::transaction_base& transaction, std::string const& name
);

/// A format with the parameters of a series. Refuses with out_of_range, saying what is wrong.
result<bound_format> bind_format(
    pqxx::transaction_base& transaction,
    std::string const& name,
    std::map<std::string, std::string> const& params
);

/// The series with their formats, by id; of all series, or of the named one (no row: no such
/// series).
std::vector<series_entry> read_series_settings(
    pqxx::transaction_base& transaction, std::optional<std::string> const& name
);

/// Those of the named series that exist, in one round trip.
std::vector<series_entry> read_series_settings(
    pqxx::transaction_base& transaction, std::vector<std::string> const& names
);

/// At most `limit` series whose names come after `after`, by name in bytes.
std::vector<series_entry> read_series_settings(
    pqxx::transaction_base& transaction, std::string const& after, int limit
);

/// The shipper's own formats, by name.
std::vector<number_declaration> read_declared_formats(pqxx::transaction_base& transaction);

}  // namespace gapless
