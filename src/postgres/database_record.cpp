#include "postgres/database_record.hpp"

#include "postgres/environment.hpp"
#include "postgres/query.hpp"

namespace gapless::cases {

namespace {

/// The seq of the latest notice; 0: none was published, or the schema is older than notices.
std::int64_t read_last_notice(pqxx::transaction_base& transaction)
{
    auto const there = query_value<bool>(
        transaction, "select to_regprocedure('gapless.notice_bounds()') is not null"
    );
    return there
               ? query_value<std::int64_t>(transaction, "select last from gapless.notice_bounds()")
               : 0;
}

}  // namespace

result<database_record> read_database::run(pqxx::transaction_base& transaction) const
{
    return database_record{
        .time_zone = read_time_zone(transaction),
        .today = read_today(transaction),
        .environment = read_environment(transaction),
        .last_notice = read_last_notice(transaction)};
}

}  // namespace gapless::cases
