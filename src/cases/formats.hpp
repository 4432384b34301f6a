#pragma once

#include "domain/format/number_declaration.hpp"
#include "domain/refusal.hpp"
#include "store/pqxx_fwd.hpp"

#include <string>
#include <vector>

/// Use cases of formats; see cases/series.hpp.
namespace gapless::cases {

/// Every format: the catalogue's and the shipper's own.
struct list_formats
{
    using answer = std::vector<number_declaration>;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// The format of that name. Refuses with not_found, naming those that were nearly named.
struct read_format
{
    using answer = number_declaration;
    std::string name;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Keeps a format of the shipper's own; the answer is what was kept. Refuses with out_of_range,
/// state_conflict.
struct declare_format
{
    using answer = number_declaration;
    number_declaration declaration;

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

}  // namespace gapless::cases
