#pragma once

#include "http/exchange.hpp"
#include "issuing/issuance_id.hpp"
#include "numbers/issuance_json.hpp"
#include "numbers/issuance_store.hpp"
#include "numbers/number_range.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace gapless::bodies {

/// Which numbers of a hold are settled.
struct settlement
{
    std::optional<std::vector<numbers::number_range>> ranges;
};
GAPLESS_RECORD(
    settlement, (), (ranges, "Runs of its numbers, at most 10,000. Left out: all that are held.")
)

}  // namespace gapless::bodies

namespace gapless::queries {

struct issuance_query
{
    std::optional<bool> numbers;
    std::optional<excel_language> excel;
};
GAPLESS_RECORD(
    issuance_query,
    (),
    (numbers,
     "List the numbers one by one: true, whatever their count; false, never. Default: up to 1,000."
    ),
    (excel, "Of text/csv: for Excel in German or English, else for programs.")
)

}  // namespace gapless::queries

namespace gapless {

/// GET /v1/issuances/{id} — the current state of the issuance; query and Accept as for issuing.
/// 200, also when none of its numbers is still its own; 404 unknown-issuance.
boost::asio::awaitable<result<void>> get_issuance(exchange& current);

/// POST /v1/issuances/{id}/confirm — the numbers of a hold are used, so they are issued for good.
///
/// Body none, or {"ranges":[{"first","last"}]}: up to 10,000 runs of its numbers; without them, all
/// that is still held. Repeatable. 200 with the issuance's current state; 404 unknown-issuance,
/// unknown-number; 409 issuance-settled, hold-expired, state-conflict.
boost::asio::awaitable<result<void>> post_confirmation(exchange& current);

/// POST /v1/issuances/{id}/release — the numbers of a hold are not used; body and answers as above.
boost::asio::awaitable<result<void>> post_release(exchange& current);

/// The issuance of the path, if this token may see it. Refuses with unknown_issuance.
boost::asio::awaitable<result<issuance_record>> find_issuance(exchange& current);

/// The refusal for an id that does not exist or is hidden from this token.
refusal unknown_issuance(issuance_id const& id);

/// How numbers are to be listed, by the query.
struct listing_style
{
    listing numbers{listing::usual};  // in JSON
    csv_style csv{};
};

/// Refuses like the fields of the query.
result<listing_style> read_listing(exchange const& current);

/// Writes an issuance in the format that the client wants: JSON, or CSV. A long list of numbers is
/// sent as the rest of the answer.
void write_issuance(
    exchange& current, series_entry const& series, issuance const& value, listing_style style
);

}  // namespace gapless
