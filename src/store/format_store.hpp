#pragma once

#include "domain/format/bound_format.hpp"
#include "domain/format/number_format.hpp"
#include "domain/refusal.hpp"

#include <pqxx/pqxx>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Number formats: the catalogue's, which the programs carry, and the shipper's own, which the
/// database keeps.
namespace gapless {

/// What a series is made of and how its numbers are written.
struct series_settings
{
    std::int32_t series_id{};
    std::string name;
    bound_format format;
};

/// The format of that name, from the catalogue or the database. Refuses with out_of_range, naming
/// it.
result<number_format> find_number_format(
    pqxx::transaction_base& transaction, std::string const& name
);

/// A format with the parameters of a series. Refuses with out_of_range, saying what does not fit.
result<bound_format> bind_format(
    pqxx::transaction_base& transaction,
    std::string const& name,
    std::map<std::string, std::string> const& params
);

/// The series with their formats, by id; of all series, or of the named one (no row: there is
/// none).
std::vector<series_settings> read_series_settings(
    pqxx::transaction_base& transaction, std::optional<std::string> const& name
);

/// The shipper's own formats, by name.
std::vector<number_declaration> read_declared_formats(pqxx::transaction_base& transaction);

/// Keeps a format of the shipper's own; repeatable. Refuses with out_of_range (what is wrong with
/// the declaration, or a name of the catalogue) and state_conflict (the name is taken by another
/// declaration).
result<void> declare_format(
    pqxx::transaction_base& transaction,
    number_declaration const& declaration,
    std::string const& actor
);

/// A declaration as JSON: {"name","number","length","check","hrt","barcode":{"symbology","data"}};
/// length a number, or "18-22", or null.
std::string to_declaration_json(number_declaration const& declaration);

/// Reads a declaration. Refuses with malformed_request naming the field.
result<number_declaration> read_declaration_json(std::string_view text);

}  // namespace gapless
