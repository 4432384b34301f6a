#pragma once

#include "base/limits.hpp"
#include "http/exchange.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace gapless::bodies {

struct issue_request
{
    bounded<1, count_max, 1> count;
    std::optional<std::string> reference;
    std::optional<bool> contiguous;
    std::optional<bounded<1, hold_seconds_max>> hold_seconds;
};
GAPLESS_RECORD(
    issue_request,
    (),
    (count, "How many."),
    (reference, "Your words, kept with the numbers."),
    (contiguous, "One range or none."),
    (hold_seconds, "Reserve the numbers for so long; confirm or release them before.")
)

}  // namespace gapless::bodies

namespace gapless {

/// POST /v1/series/{series}/numbers — issues the next numbers of a series.
///
/// Header Idempotency-Key, required: 1 to 255 printable ASCII characters, quoted or not. Body
/// {"count":1..100000,"reference":"…","contiguous":false,"hold_seconds":600}, all optional;
/// reference up to 255 characters, none of them a control character; with hold_seconds (up to a
/// year) the numbers are held, and return unless they are confirmed in time. Query
/// numbers=true|false: list the numbers one by one, or do not; without it up to 1,000. 201 with the
/// issuance and its Location; the same again with Idempotency-Replayed: true when the request is
/// repeated. Accept: text/csv lists the numbers only, one to a line. Refusals: contract of
/// numbering::issue. Safe to repeat with the same key.
boost::asio::awaitable<result<void>> post_numbers(exchange& current);

}  // namespace gapless
