#include "notices/notice_list.hpp"

#include "notices/notice_json.hpp"
#include "postgres/transaction.hpp"
#include "series/operations.hpp"

namespace gapless::cases {

result<notice_list> list_notices::run(pqxx::transaction_base& transaction) const
{
    notice_list list{.bounds = read_notice_bounds(transaction), .notices = {}};
    for (auto const& each : read_notices(transaction, page))
        list.notices.push_back({each.seq, each.series, each.kind, notice_json(each)});
    return list;
}

result<looked_at> look_for_notices(pqxx::connection& connection)
{
    auto const due = run_read_committed(connection, [](pqxx::transaction_base& transaction) {
        return are_notices_due(transaction);
    });
    if (due.has_error())
        return due.error();
    if (!*due)
        return looked_at{};
    auto series = run_read(connection, [](pqxx::transaction_base& transaction) {
        return series::read_known(transaction);
    });
    if (series.has_error())
        return series.error();
    auto const forecasts = series::to_forecasts_json(*series);
    auto const found = run_read_committed(connection, [&](pqxx::transaction_base& transaction) {
        return find_notices(transaction, forecasts);
    });
    if (found.has_error())
        return found.error();
    return looked_at{std::move(*series)};
}

result<std::int64_t> tell_findings::run(
    pqxx::transaction_base& transaction, std::string const& /*actor*/
) const
{
    note_verified(transaction, findings, /*chain=*/false);
    return findings;
}

}  // namespace gapless::cases
