#include "access/audit_operations.hpp"

#include "postgres/sql.hpp"
#include "record/operates.hpp"

namespace gapless::audit {

bool read_column(std::string_view text, document& value)
{
    value.json = text;
    return true;
}

void append_json(std::string& json, document const& value)
{
    constexpr std::string_view of_numbers{"+-.0123456789Ee"};
    bool in_text = false;
    bool in_number = false;
    bool is_escaped = false;
    for (auto const c : value.json)
    {
        auto const begins = (c >= '0' && c <= '9') || c == '-';
        auto const goes_on = in_number && of_numbers.find(c) != of_numbers.npos;
        if (!in_text && (in_number ? !goes_on : begins))
        {
            json += '"';
            in_number = !in_number;
        }
        if (c == '"' && !is_escaped)
            in_text = !in_text;
        is_escaped = in_text && c == '\\' && !is_escaped;
        json += c;
    }
    if (in_number)
        json += '"';
}

namespace {

/// Refuses with forbidden, also for a token that is limited to some series.
std::vector<act> list(pqxx::transaction_base& database, act_search const& wanted)
{
    auto const before = wanted.after > 0 ? std::optional{wanted.after.value} : std::nullopt;
    return select<act>(
        database,
        "select audit_id as id, token_id as token, * from gapless.audit_page(p_actor => $1, "
        "p_subject => $2, p_from => gapless.moment_of($3, false), p_to => gapless.moment_of($4, "
        "true), p_before => $5, "
        "p_limit => $6, p_action => $7, p_series => $8, p_block => $9)",
        wanted.actor,
        wanted.subject,
        wanted.from,
        wanted.to,
        before,
        wanted.rows(),
        wanted.action,
        wanted.series,
        wanted.block
    );
}

constexpr operation table[]{
    operates<&list>({
        .method = http_method::get,
        .path = "/v1/audit",
        .needs = scope::admin,
        .summary = "Who did what, the newest first",
        .description = "For tokens for every series.",
    }),
};

}  // namespace

constinit feature const administration{"audit", "Who did what", table, "access", "audit"};

}  // namespace gapless::audit
