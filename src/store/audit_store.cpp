#include "store/audit_store.hpp"

#include "store/columns.hpp"
#include "store/query.hpp"

namespace gapless {

std::vector<audit_record> read_audit(pqxx::transaction_base& transaction, audit_page const& page)
{
    auto const rows = query_rows(
        transaction,
        "select audit_id, actor, role, action, subject, before, after, token_id, request_id,"
        " (extract(epoch from at) * 1000000)::bigint as at "
        "from gapless.audit_page(p_actor => $1, p_subject => $2, p_from => $3::timestamptz, "
        "p_to => $4::timestamptz, p_before => $5, p_limit => $6)",
        page.actor,
        page.subject,
        to_parameter(page.from),
        to_parameter(page.to),
        page.before,
        page.limit
    );
    std::vector<audit_record> acts;
    for (auto const& row : rows)
        acts.push_back(
            {.audit_id = row["audit_id"].as<std::int64_t>(),
             .at = to_time(row["at"]),
             .actor = row["actor"].as<std::string>(),
             .role = row["role"].as<std::string>(),
             .action = row["action"].as<std::string>(),
             .subject = row["subject"].as<std::string>(),
             .before = optional_text(row["before"]),
             .after = optional_text(row["after"]),
             .token_id = optional_number(row["token_id"]),
             .request_id = optional_text(row["request_id"])}
        );
    return acts;
}

}  // namespace gapless
