#pragma once

#include "domain/limits.hpp"
#include "numbers/number_range.hpp"
#include "record/describe.hpp"
#include "record/finding.hpp"
#include "record/types.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What hand-written handlers read and answer as JSON.
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

/// Give first and last, or first_serial and last_serial.
struct block_draft
{
    std::optional<written_number> first;
    std::optional<written_number> last;
    std::optional<decimal_digits> first_serial;
    std::optional<decimal_digits> last_serial;
    std::optional<decimal_digits> count;
    std::optional<std::string> reference;
    std::optional<database_time> valid_until;
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
    (valid_until, "A date (its last moment) or an RFC 3339 moment."),
    (issued_until, "Numbers from the first up to this one were issued elsewhere."),
    (confirm_warnings, "Codes of warnings that are meant so.")
)

/// Which numbers of a hold are settled.
struct settlement
{
    std::optional<std::vector<numbers::number_range>> ranges;
};
GAPLESS_RECORD(
    settlement, (), (ranges, "Runs of its numbers, at most 10,000. Left out: all that are held.")
)

struct manifest_draft
{
    std::string date;
};
GAPLESS_RECORD(
    manifest_draft,
    (),
    (date, "The day to close, in the database's time zone.", .example = R"("2026-11-20")")
)

/// Throws wrong_field for what is no day.
void check(manifest_draft const& wanted);

struct session_draft
{
    std::string token;
};
GAPLESS_RECORD(session_draft, (), (token, "The token that the cookie shall hold."))

/// Who asks, and what the database says of itself.
struct session
{
    record_id id;
    std::string name;
    std::vector<std::string> scopes;
    std::optional<std::vector<std::string>> series;
    std::string time_zone;
    std::string today;
    std::optional<std::string> environment;
    quoted<std::int64_t> last_notice;
};
GAPLESS_RECORD(
    session,
    (),
    (id, "Id of the token."),
    (name, "Whose it is."),
    (scopes, "What it allows."),
    (series, "Null: every series."),
    (time_zone, "Where the database's days begin: a name of the IANA database."),
    (today, "The day it is there."),
    (environment, "What the database belongs to; null: nobody named it."),
    (last_notice, "The seq of the latest notice; 0: none was published.")
)

/// How much was looked at.
struct checked_ledger
{
    quoted<std::int64_t> ledger_rows;
    std::string numbers;
    quoted<std::int64_t> blocks;
};
GAPLESS_RECORD(
    checked_ledger,
    (),
    (ledger_rows, "Rows of the ledger."),
    (numbers, "Numbers in them."),
    (blocks, "Blocks of the series.")
)

struct verification
{
    std::vector<finding> findings;
    checked_ledger checked;
};
GAPLESS_RECORD(
    verification, (), (findings, "Empty: gapless."), (checked, "How much was looked at.")
)

}  // namespace gapless::bodies
