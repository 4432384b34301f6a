#include "carriers/operations.hpp"

#include "carriers/carrier.hpp"
#include "postgres/sql.hpp"
#include "record/operates.hpp"
#include "record/refused.hpp"

#include <fmt/format.h>

/// A token limited to some series sees the carriers of these.
namespace gapless::carriers {

namespace {

std::vector<carrier> list(
    pqxx::transaction_base& database, carrier_page const& wanted, viewer const& sees
)
{
    auto all = select<carrier>(
        database, "select * from gapless.carrier_report(p_series => $1::text[])", sees.series
    );
    std::erase_if(all, [&](carrier const& each) {
        return wanted.after && each.code <= *wanted.after;
    });
    return all;
}

carrier read(pqxx::transaction_base& database, carrier_code const& which, viewer const& sees)
{
    auto found = select<carrier>(
        database, "select * from gapless.carrier_report($1, $2::text[])", which.code, sees.series
    );
    if (found.empty())
        throw refused{
            refusal_kind::not_found,
            fmt::format("there is no carrier '{}'; list them: gapless carrier list", which.code)};
    return std::move(found.front());
}

/// Switching off four eyes takes two people: they stay on after the first one's request. Refuses
/// with not_found, out_of_range, forbidden.
may_wait<carrier> change(
    pqxx::transaction_base& database, carrier_change const& wanted, caller const& by
)
{
    auto stored = wanted;
    if (stored.contact && !stored.contact.value)
        stored.contact.value = "";  // null would leave it as it is
    call(database, "carrier_change", stored, by);
    auto changed = read(database, {wanted.code}, {});
    auto const waits = wanted.four_eyes && !wanted.four_eyes.value && changed.four_eyes;
    return {std::move(changed), waits};
}

// In the order of `gapless carrier --help`.
constexpr operation table[]{
    operates<&list>({
        .verb = "list",
        .method = http_method::get,
        .path = "/v1/carriers",
        .needs = scope::read,
        .summary = "The carriers of all series",
        .help = "List carriers",
    }),
    operates<&read>({
        .verb = "show",
        .method = http_method::get,
        .path = "/v1/carriers/{code}",
        .needs = scope::read,
        .summary = "A carrier",
        .help = "Show one carrier",
    }),
    operates<&change>({
        .verb = "set",
        .method = http_method::patch,
        .path = "/v1/carriers/{code}",
        .needs = scope::admin,
        .summary = "Set how blocks of a carrier are ordered and loaded",
        .help = "Change a carrier",
        .description = "Two people switch four_eyes off, too: the first one is answered 202, and "
                       "nothing changes until another one asks for the same within 7 days.",
        .id = "changeCarrier",
        .waiting = "four eyes stay on until somebody else asks for the same within 7 days: "
                   "gapless carrier set '{code}' --four-eyes off",
    }),
};

}  // namespace

constinit feature const administration{
    "carrier", "Carriers, and how their blocks are ordered and loaded", table};

}  // namespace gapless::carriers
