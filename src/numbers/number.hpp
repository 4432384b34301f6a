#pragma once

#include "formats/series_number.hpp"
#include "issuing/issuance_id_field.hpp"
#include "record/types.hpp"

#include <optional>
#include <string>
#include <vector>

/// The records of look-ups.
namespace gapless::numbers {

/// One entry of a number's history.
struct history_entry
{
    std::string kind;
    database_time at;
    std::string actor;
    std::optional<std::string> reason;
};
GAPLESS_RECORD(
    history_entry,
    (),
    (kind,
     "held, issued, leased, confirmed, released, expired, found, printed, reprinted, voided, "
     "manifested or returned."),
    (at, "When."),
    (actor, "Who: token:, cli: or sql: and a name."),
    (reason, "Why it was voided; of what was issued, its reference.")
)

/// The instance that has a number on lease.
struct lease_place
{
    std::string host;
    database_time since;
};
GAPLESS_RECORD(lease_place, (), (host, "Host of the instance."), (since, "Since when."))

/// The state and history of one number.
struct number_record
{
    series_number number;
    quoted<std::int64_t> serial;
    std::string series;
    std::string state;
    std::optional<quoted<std::int64_t>> ordinal;
    record_id block;
    std::int32_t cycle{1};
    std::optional<issuance_id> issuance;
    std::optional<std::string> reference;
    flag reference_erased;
    flag recalled;
    given<lease_place> on_lease;
    std::vector<history_entry> history;
    given<std::string> hrt;
    given<std::string> completed;
};
GAPLESS_RECORD(
    number_record,
    (),
    (number, "As it is printed."),
    (serial, "The integer inside of it."),
    (series, "Name of the series."),
    (state, "free, held, issued, printed, voided, manifested, returned or elsewhere."),
    (ordinal, "Its place in the series. Null: it has not left."),
    (block, "Id of its block."),
    (cycle, "How many times its serial was loaded, this block included."),
    (issuance, "Id of the issuance it left in. Null: it has not left."),
    (reference, "The client's reference. Null: it named none, or it was erased."),
    (reference_erased, "There was a reference; nobody knows it any more."),
    (recalled, "The carrier rejects its block.", .is_column = false),
    (on_lease,
     "An instance may have issued it while the database was away. Only where that is not known "
     "yet.",
     .is_column = false),
    (history, "What happened to it, in order.", .is_column = false),
    (hrt, "As people read it. Only where the format says how.", .is_column = false),
    (completed,
     "That the number asked for was not whole: which one it is, and what was left out.",
     .is_column = false)
)

/// A number of a series, in any spelling.
struct number_name
{
    std::string series;
    std::string number;
};
GAPLESS_RECORD(
    number_name,
    (),
    (series, "Name of the series."),
    (number, "A number as a person or a scanner writes it.")
)

/// The same if the series may be unknown.
struct number_search
{
    std::string number;
    std::optional<std::string> series;
};
GAPLESS_RECORD(
    number_search,
    (),
    (number,
     "A number as a person or a scanner writes it.",
     .option = "NUMBER",
     .help = "Number in any spelling",
     .number = true),
    (series, "Its series; default: the one that has it.")
)

struct number_void : number_search
{
    std::string reason;
    std::optional<bool> force;
};
GAPLESS_RECORD(
    number_void,
    (number_search),
    (reason, "Why; stays in the records.", .value = "TEXT"),
    (force, "Also when it was manifested or returned.")
)

// What a request may contain; see record/read.hpp.
void check(number_void const& wanted);

}  // namespace gapless::numbers
