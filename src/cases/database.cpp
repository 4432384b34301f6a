#include "cases/database.hpp"

#include "store/calendar_store.hpp"
#include "store/environment.hpp"
#include "store/notice_store.hpp"

namespace gapless::cases {

result<database_record> read_database::run(pqxx::transaction_base& transaction) const
{
    return database_record{
        .time_zone = read_time_zone(transaction),
        .today = read_today(transaction),
        .environment = read_environment(transaction),
        .last_notice = read_last_notice(transaction)};
}

}  // namespace gapless::cases
