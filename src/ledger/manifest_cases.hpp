#pragma once

#include "base/refusal.hpp"
#include "formats/serial_range.hpp"
#include "ledger/day.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Use cases of manifests: days as reported to the carrier; see formats/find_series.hpp.
namespace gapless::cases {

/// True for a day in the format of manifests: 2026-11-20.
bool is_day(std::string_view text) noexcept;

/// A closed day, whether closed now or before.
struct closed_day
{
    std::int64_t count{};  // numbers on its manifest
    bool is_new{};
};

/// Puts every number that was printed by the end of that day, and not reported before, onto its
/// manifest. Repeatable. Refuses with out_of_range (a day in the future), unknown_series,
/// state_conflict.
struct close_day
{
    using answer = closed_day;
    days::day_name day;

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// The numbers on a manifest as runs of serials, so that a long day takes little memory.
struct manifest_record
{
    std::int64_t count{};  // numbers
    std::vector<serial_range> runs;
};

/// Refuses with not_found.
struct read_manifest
{
    using answer = manifest_record;
    days::day_name day;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

}  // namespace gapless::cases
