#include "notices/notice_list.hpp"

#include "notices/notice_json.hpp"

namespace gapless::cases {

result<notice_list> list_notices::run(pqxx::transaction_base& transaction) const
{
    notice_list list{.bounds = read_notice_bounds(transaction), .notices = {}};
    for (auto const& each : read_notices(transaction, page))
        list.notices.push_back({each.seq, each.series, each.kind, notice_json(each)});
    return list;
}

result<std::int64_t> tell_findings::run(
    pqxx::transaction_base& transaction, std::string const& /*actor*/
) const
{
    note_verified(transaction, findings, /*chain=*/false);
    return findings;
}

}  // namespace gapless::cases
