#include "cases/notices.hpp"

#include "series/operations.hpp"
#include "store/transaction.hpp"

namespace gapless::cases {

result<std::vector<notice_record>> list_notices::run(pqxx::transaction_base& transaction) const
{
    return read_notices(transaction, page);
}

result<notice_events> read_notice_events::run(pqxx::transaction_base& transaction) const
{
    auto const bounds = read_notice_bounds(transaction);
    auto const notices = read_notices(transaction, page);
    auto const more = notices.size() >= static_cast<std::size_t>(page.limit);
    auto const through = more ? notices.back().seq : bounds.last;
    return notice_events{bounds, to_chunks(page.after, notices, through), more};
}

result<notice_start> begin_notices::run(pqxx::transaction_base& transaction) const
{
    auto const events = read_notice_events{page}.run(transaction);
    if (events.has_error())
        return events.error();
    auto const reach = read_notice_reach(transaction, {token});
    return notice_start{*events, reach.empty() ? std::nullopt : std::optional{reach.front()}};
}

result<std::vector<notice_reach>> read_reach::run(pqxx::transaction_base& transaction) const
{
    return read_notice_reach(transaction, tokens);
}

result<std::int64_t> look_for_notices(pqxx::connection& connection)
{
    auto const due = run_read_committed(connection, [](pqxx::transaction_base& transaction) {
        return are_notices_due(transaction);
    });
    if (due.has_error())
        return due.error();
    if (!*due)
        return std::int64_t{0};
    auto const series = run_read(connection, [](pqxx::transaction_base& transaction) {
        return series::read_known(transaction);
    });
    if (series.has_error())
        return series.error();
    auto const forecasts = series::to_forecasts_json(*series);
    return run_read_committed(connection, [&](pqxx::transaction_base& transaction) {
        return find_notices(transaction, forecasts);
    });
}

result<std::int64_t> tell_findings::run(
    pqxx::transaction_base& transaction, std::string const& /*actor*/
) const
{
    note_verified(transaction, findings, /*chain=*/false);
    return findings;
}

}  // namespace gapless::cases
