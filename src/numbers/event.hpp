#pragma once

#include "numbers/number_range.hpp"
#include "record/types.hpp"

#include <optional>
#include <string>
#include <vector>

/// Records of what happens to numbers after they were issued.
namespace gapless::numbers {

enum class event_kind
{
    printed = 1,
    reprinted,
    voided,
    manifested,
    returned,
};
BOOST_DESCRIBE_ENUM(event_kind, printed, reprinted, voided, manifested, returned)

/// What happened to which numbers, as in a request.
struct event_draft
{
    std::string series;
    event_kind kind{};
    std::vector<number_range> ranges;
    std::optional<std::string> reason;
    std::optional<bool> force;
};
GAPLESS_RECORD(
    event_draft,
    (),
    (series, "Name of the series."),
    (kind, "What happened."),
    (ranges, "Runs of numbers, 1 to 10,000."),
    (reason, "Why, in 255 characters at most. Voiding needs it."),
    (force, "True: manifested and returned numbers are voided, too.")
)

/// A recorded event.
struct event
{
    std::string series;
    event_kind kind{};
    std::int64_t count{};
    std::vector<number_range> ranges;
    std::optional<std::string> reason;
};
GAPLESS_RECORD(
    event,
    (),
    (series, "Name of the series."),
    (kind, "What happened."),
    (count, "How many numbers it concerns."),
    (ranges, "The runs of numbers."),
    (reason, "Why.")
)

// What a request may contain; see record/read.hpp.
void check(event_draft const& wanted);

}  // namespace gapless::numbers
