#include "cases/series.hpp"

#include "series/operations.hpp"
#include "store/format_store.hpp"
#include "store/verify_store.hpp"

namespace gapless::cases {

result<series_entry> find_series::run(pqxx::transaction_base& transaction) const
{
    auto found = read_series_settings(transaction, name);
    if (found.empty())
        return series::missing_series(name);
    return std::move(found.front());
}

result<verification> verify_series::run(pqxx::transaction_base& transaction) const
{
    auto const known = series::find(transaction, name);
    if (known.has_error())
        return known.error();
    return gapless::verify_series(transaction, known->series_id, known->name);
}

}  // namespace gapless::cases
