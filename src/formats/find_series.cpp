#include "formats/find_series.hpp"

#include "formats/format_store.hpp"

namespace gapless::cases {

result<series_entry> find_series::run(pqxx::transaction_base& transaction) const
{
    auto found = read_series_settings(transaction, name);
    if (found.empty())
        return missing_series(name);
    return std::move(found.front());
}

}  // namespace gapless::cases
