#include "cases/formats.hpp"

#include "domain/format/catalogue.hpp"
#include "store/format_store.hpp"

namespace gapless::cases {

result<std::vector<number_declaration>> list_formats::run(pqxx::transaction_base& transaction) const
{
    std::vector<number_declaration> all;
    for (auto const& row : catalogue())
        all.push_back(to_declaration(row));
    for (auto& own : read_declared_formats(transaction))
        all.push_back(std::move(own));
    return all;
}

result<number_declaration> read_format::run(pqxx::transaction_base& transaction) const
{
    auto const found = find_number_format(transaction, name);
    if (found.has_error())
        return refusal{refusal_kind::not_found, found.error().detail};
    return found->declaration();
}

result<number_declaration> declare_format::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    auto const kept = gapless::declare_format(transaction, declaration, actor);
    if (kept.has_error())
        return kept.error();
    return declaration;
}

}  // namespace gapless::cases
