#include "reserve/lease_operations.hpp"

#include "base/written_value.hpp"
#include "postgres/sql.hpp"
#include "record/operates.hpp"

namespace gapless {

result<lease_id> read_text(std::string_view text, std::type_identity<lease_id>)
{
    if (auto const id = read_lease_id(text))
        return *id;
    return refusal{
        refusal_kind::malformed_request,
        written::to_quoted(text) + " is no id of a lease; 'gapless lease list' shows the ids"};
}

}  // namespace gapless

namespace gapless::leases {

void check(lease_recall const& wanted)
{
    auto const all = wanted.all.value_or(false);
    if (wanted.lease.has_value() == all)
        throw refused{
            refusal_kind::malformed_request, "say what is wanted back: either LEASE or --all"};
    if (!all && wanted.series)
        throw refused{refusal_kind::malformed_request, "--series goes with --all"};
}

void check(lease_end const& wanted)
{
    check_reason(wanted.reason, name_of(&lease_end::reason));
}

namespace {

/// Leases after that place, at most `count`; none: all.
std::vector<placed<listed_lease>> read_page(
    pqxx::transaction_base& database,
    std::optional<std::string> const& series,
    std::int64_t after,
    std::optional<std::int64_t> count
)
{
    if (!query_value<bool>(database, "select to_regclass('gapless.lease') is not null"))
        return {};  // before interface 3
    auto const rows = query_rows(
        database,
        "select * from gapless.lease_page(p_series => $1, p_after => $2, p_limit => $3) "
        "order by place",
        series,
        after,
        count
    );
    std::vector<placed<listed_lease>> found;
    row_reader<listed_lease> const read_row{rows};
    for (auto const& row : rows)
        found.push_back({read_row(row), row["place"].as<std::string>()});
    return found;
}

std::vector<placed<listed_lease>> list(pqxx::transaction_base& database, series_page const& wanted)
{
    return read_page(database, wanted.series, wanted.after, wanted.limit + 1);
}

std::vector<listed_lease> list_wanted(pqxx::transaction_base& database, wanted_leases const& wanted)
{
    auto found = read_all(database, wanted.series);
    if (!wanted.all.value_or(false))  // ended leases are history
        std::erase_if(found, [](listed_lease const& each) { return each.held == 0; });
    return found;
}

// In the order of `gapless lease --help`; `recover` and `drill` follow.
constexpr operation table[]{
    operates<&list>({
        .method = http_method::get,
        .path = "/v1/series/{series}/leases",
        .needs = scope::read,
        .summary = "Numbers on lease: what instances may issue while the database is away",
        .description = "The oldest lease first, also those that are at their end.",
    }),
    operates<&list_wanted>({
        .verb = "list",
        .method = http_method::get,
        .summary = "List leases that hold numbers, the oldest first",
    }),
    operates<&read>({
        .verb = "show",
        .method = http_method::get,
        .summary = "Show one lease",
    }),
    operates<&recall>({
        .verb = "recall",
        .method = http_method::post,
        .summary = "Have instances return their numbers",
    }),
    operates<&write_off>({
        .verb = "write-off",
        .method = http_method::post,
        .summary = "Give up the numbers of an instance that is lost",
        .question = "Write off {held} numbers of {series} at {host}, last heard of at {contact}? "
                    "They are never issued again, unless it comes back and settles them.",
        .done = "{written_off} numbers were voided",
    }),
};

}  // namespace

std::vector<listed_lease> read_all(
    pqxx::transaction_base& database, std::optional<std::string> const& series
)
{
    std::vector<listed_lease> all;
    for (auto& each : read_page(database, series, 0, std::nullopt))
        all.push_back(std::move(each.item));
    return all;
}

listed_lease read(pqxx::transaction_base& database, lease_name const& which)
{
    auto found = select<listed_lease>(
        database, "select * from gapless.lease_report(p_lease => $1::uuid)", which.lease
    );
    if (found.empty())
        throw refused{refusal_kind::not_found, "there is no lease " + to_text(which.lease)};
    return std::move(found.front());
}

std::vector<listed_lease> recall(
    pqxx::transaction_base& database, lease_recall const& wanted, caller const& by
)
{
    if (wanted.lease)
    {
        lease_name const which{*wanted.lease};
        call(database, "lease_recall", which, by);
        return {read(database, which)};
    }
    execute(
        database,
        "select gapless.lease_recall_all(p_series => $1, p_actor => $2)",
        wanted.series,
        by.name
    );
    return list_wanted(database, {wanted.series, {}});
}

listed_lease write_off(pqxx::transaction_base& database, lease_end const& wanted, caller const& by)
{
    call(database, "lease_write_off", wanted, by);
    return read(database, wanted);
}

database_time drill(
    pqxx::transaction_base& database,
    std::string const& series,
    std::chrono::seconds time,
    std::string const& actor
)
{
    auto const until = query_value<std::int64_t>(
        database,
        "select (extract(epoch from gapless.lease_drill(p_series => $1, p_seconds => $2, "
        "p_actor => $3)) * 1000000)::bigint",
        series,
        static_cast<std::int32_t>(time.count()),
        actor
    );
    return database_time{std::chrono::microseconds{until}};
}

constinit feature const administration{
    "lease", "Numbers that instances may issue while the database is away", table, "series"};

}  // namespace gapless::leases
