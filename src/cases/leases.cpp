#include "cases/leases.hpp"

#include <algorithm>

namespace gapless::cases {

result<std::vector<listed_lease>> list_leases::run(pqxx::transaction_base& transaction) const
{
    return read_leases(transaction, page);
}

result<listed_lease> read_lease::run(pqxx::transaction_base& transaction) const
{
    auto found = gapless::read_lease(transaction, lease);
    if (!found)
        return refusal{refusal_kind::not_found, "there is no lease " + to_text(lease)};
    return std::move(*found);
}

result<listed_lease> recall_lease::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    gapless::recall_lease(transaction, lease, actor);
    return read_lease{lease}.run(transaction);
}

result<std::vector<listed_lease>> recall_leases::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    gapless::recall_leases(transaction, series, actor);
    auto all = read_leases(transaction, {.series = series});
    std::erase_if(all, [](listed_lease const& each) { return each.held == 0; });
    return all;
}

result<written_off_lease> write_off_lease::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    auto const voided = gapless::write_off_lease(transaction, lease, reason, actor);
    auto after = read_lease{lease}.run(transaction);
    if (after.has_error())
        return after.error();
    return written_off_lease{std::move(*after), voided};
}

result<database_time> drill_series::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    return gapless::drill_series(transaction, series, time, actor);
}

}  // namespace gapless::cases
