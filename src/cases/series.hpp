#pragma once

#include "domain/records.hpp"
#include "domain/refusal.hpp"
#include "domain/series_entry.hpp"
#include "store/pqxx_fwd.hpp"

#include <string>
#include <vector>

/// Use cases: what can be asked of the records, and what can be done to them. Each is a value with
/// what was asked; run() does it inside the caller's transaction, maybe more than once, and has no
/// other effect. `actor` is written into the audit log. Service and command line run the same ones.
namespace gapless::cases {

struct list_series
{
    using answer = std::vector<series_record>;
    series_filter wanted{};

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Refuses with unknown_series.
struct read_series
{
    using answer = series_record;
    std::string name;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// The same with what was used of it by day. Refuses with unknown_series.
struct read_series_use
{
    using answer = series_use;
    std::string name;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// A series as its numbers need it. Refuses with unknown_series.
struct find_series
{
    using answer = series_entry;
    std::string name;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// The same of every series.
struct find_all_series
{
    using answer = std::vector<series_entry>;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Refuses with state_conflict, out_of_range.
struct create_series
{
    using answer = series_record;
    series_draft draft;

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// Refuses with unknown_series, precondition_failed, out_of_range.
struct change_series
{
    using answer = series_record;
    std::string name;
    series_change change;

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// Recomputes the proof of a series; takes as long as its ledger is long. Refuses with
/// unknown_series.
struct verify_series
{
    using answer = verification;
    std::string name;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

}  // namespace gapless::cases
