#pragma once

#include "cases/find_number.hpp"
#include "domain/issuance_id.hpp"
#include "domain/number_record.hpp"
#include "domain/records.hpp"
#include "store/pqxx_fwd.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// Use cases of numbers after they left; see cases/series.hpp.
namespace gapless::cases {

/// Refuses with unknown_issuance.
struct read_issuance
{
    using answer = issuance_record;
    issuance_id id;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// What became of a number, in any spelling, in the series that holds it. Refuses as find_number().
struct look_up_number
{
    using answer = found_number;
    std::vector<series_entry const*> series;  // outlive the answer, which points at one
    std::string number;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// A page of the ledger of a series by ordinal. Refuses with not_found where it is to be of a block
/// that the series does not have.
struct read_ledger
{
    using answer = std::vector<ledger_row>;
    series_entry const* series{};  // outlives the case
    ledger_page page;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// A hold after some of its numbers were settled.
struct settled_hold
{
    issuance_record issuance;
    std::int64_t settled{};  // numbers, now
};

/// Confirms or releases runs of serials of a hold, or (none given) all that is still held.
/// Repeatable. Refuses with unknown_issuance, state_conflict, unknown_number; issuance_settled when
/// all are to be confirmed and none is left; hold_expired when all are to be released and expired.
struct settle_hold
{
    using answer = settled_hold;
    issuance_id id;
    std::vector<serial_range> ranges;
    settlement what{};

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;

    /// What a repeated key is told: how the issuance stands now.
    result<answer> repeat(pqxx::transaction_base& transaction) const;
};

/// Records an event for runs of serials; the answer is how many numbers changed. Refuses with
/// unknown_number, state_conflict, out_of_range.
struct note_event
{
    using answer = std::int64_t;
    std::int32_t series_id{};
    event_draft event;

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

}  // namespace gapless::cases
