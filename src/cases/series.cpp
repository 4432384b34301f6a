#include "cases/series.hpp"

#include "store/format_store.hpp"
#include "store/series_store.hpp"
#include "store/verify_store.hpp"

namespace gapless::cases {

result<std::vector<series_record>> list_series::run(pqxx::transaction_base& transaction) const
{
    return read_series_page(transaction, wanted);
}

result<series_record> read_series::run(pqxx::transaction_base& transaction) const
{
    return read_one_series(transaction, name);
}

result<series_use> read_series_use::run(pqxx::transaction_base& transaction) const
{
    return gapless::read_series_use(transaction, name);
}

result<series_entry> find_series::run(pqxx::transaction_base& transaction) const
{
    auto found = read_series_settings(transaction, name);
    if (!found.empty())
        return std::move(found.front());
    // The series' own reader words the refusal.
    auto const series = read_one_series(transaction, name);
    return series.has_error() ? series.error()
                              : refusal{refusal_kind::unknown_series, "the series is gone"};
}

result<std::vector<series_entry>> find_all_series::run(pqxx::transaction_base& transaction) const
{
    return read_series_settings(transaction, std::nullopt);
}

result<series_record> create_series::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    return gapless::create_series(transaction, draft, actor);
}

result<series_record> change_series::run(
    pqxx::transaction_base& transaction, std::string const& actor
) const
{
    return gapless::change_series(transaction, name, change, actor);
}

result<verification> verify_series::run(pqxx::transaction_base& transaction) const
{
    auto const known = read_one_series(transaction, name);
    if (known.has_error())
        return known.error();
    return gapless::verify_series(transaction, *known);
}

}  // namespace gapless::cases
