#pragma once

#include "http/exchange.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gapless::bodies {

/// Give first and last, or first_serial and last_serial.
struct block_draft
{
    std::optional<written_number> first;
    std::optional<written_number> last;
    std::optional<decimal_digits> first_serial;
    std::optional<decimal_digits> last_serial;
    std::optional<decimal_digits> count;
    std::optional<std::string> reference;
    std::optional<last_moment> valid_until;
    std::optional<written_number> issued_until;
    std::optional<std::vector<std::string>> confirm_warnings;
};
GAPLESS_RECORD(
    block_draft,
    (),
    (first, "First number, in any spelling; beyond 2^53 as text."),
    (last, "Last number, written like the first one."),
    (first_serial, "Serial of the first number, instead of first."),
    (last_serial, "Serial of the last number, instead of last."),
    (count, "What the carrier says; has to agree."),
    (reference, "Your words, such as the letter that assigned it."),
    (valid_until,
     "A date, through its end, or a moment; without a zone, in the database's time zone."),
    (issued_until, "Numbers from the first up to this one were issued elsewhere."),
    (confirm_warnings, "Codes of the warnings that you confirm.")
)

}  // namespace gapless::bodies

namespace gapless::queries {

struct load_query
{
    std::optional<std::string> confirm_warnings;
    std::optional<bool> dry_run;
};
GAPLESS_RECORD(
    load_query,
    (),
    (confirm_warnings, "Codes of warnings that were looked at; with commas in between."),
    (dry_run, "Check only; nothing is kept.")
)

}  // namespace gapless::queries

namespace gapless {

/// POST /v1/series/{series}/blocks — loads a block at the end of the queue.
///
/// Body {"first","last"} as the carrier writes them, whole numbers or serials, or
/// {"first_serial","last_serial"}; and, optional, {"count","reference","valid_until",
/// "issued_until","confirm_warnings"}: count as decimal digits or an integer; reference up to 255
/// characters; valid_until a date or an RFC 3339 moment; issued_until the last number that another
/// system issued; confirm_warnings the codes of warnings that were looked at. Idempotency-Key
/// optional. Query dry_run=true checks everything and keeps nothing: 200 with "dry_run":true and no
/// id. Else 201 with the block and its Location, or 202 with a proposal if two people load. All
/// have "warnings". 409 block-overlap, confirmation-needed; 422 out-of-range.
///
/// Or a body text/csv, a table of blocks as read_block_file takes it: all or none of them; answers
/// have {"items":[block]}, and 409 and 422 "faults":[{"line","column","what"}]. Query
/// confirm_warnings=code,code, with either body.
boost::asio::awaitable<result<void>> post_block(exchange& current);

/// POST /v1/proposals/{id}/confirm — loads what another person proposed. 201 like the load itself;
/// 403 for one's own; 404 not-found; 409 state-conflict, block-overlap.
boost::asio::awaitable<result<void>> post_proposal_confirmation(exchange& current);

}  // namespace gapless
