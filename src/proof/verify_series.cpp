#include "proof/verify_series.hpp"

#include "proof/verify_store.hpp"
#include "series/operations.hpp"

namespace gapless::cases {

result<verification> verify_series::run(pqxx::transaction_base& transaction) const
{
    auto const known = series::find(transaction, name);
    if (known.has_error())
        return known.error();
    return gapless::verify_series(transaction, known->series_id, known->name);
}

}  // namespace gapless::cases
