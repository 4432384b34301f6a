#pragma once

#include "domain/forecast.hpp"
#include "domain/issuance.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What the database tells about series, blocks, tokens and the proof. Plain values, as read in one
/// snapshot.
namespace gapless {

/// How many numbers of a series are in each state; decimal where a sum over blocks can exceed
/// int64.
struct number_states
{
    std::int64_t free{};  // came back, go out first
    std::int64_t held{};
    std::int64_t issued{};  // and nothing else since
    std::int64_t printed{};
    std::string voided{"0"};  // with the rest of closed blocks
    std::int64_t manifested{};
    std::int64_t returned{};
};

/// A series: what is fixed, what an operator set, and where it stands.
struct series_record
{
    std::int32_t series_id{};
    std::string name;
    std::string carrier;
    std::string space;
    std::string format;
    std::map<std::string, std::string> params;
    std::string on_release;                 // "reissue" or "void"
    std::string on_expiry;                  // "void" or "reissue"
    std::optional<std::int64_t> low_water;  // none: nobody is warned
    bool paused{};
    std::int32_t version{};            // counts changes; the ETag
    std::int64_t issued{};             // numbers
    std::string remaining;             // decimal; a sum over blocks can exceed int64
    std::optional<std::int64_t> next;  // serial; none: no number is left
    std::int64_t blocks{};
    std::optional<std::string> reuse_after;  // an interval; none: numbers are never loaded again
    std::optional<std::int64_t> reserve_numbers;  // of each instance; none: there is no reserve
    std::int64_t on_lease{};                      // numbers, now
    std::int64_t overdue{};                       // of them, of leases whose draw_until is over
    number_states states;
    std::optional<forecast> ahead;  // none before three days with numbers are over
    double used_a_day{};            // numbers: of today so far, or by forecast where that is more
};

/// A series, and what was used of it by day.
struct series_use
{
    series_record series;
    consumption used;
};

/// What people have to know of a database to read what it says.
struct database_record
{
    std::string time_zone;                   // a name of the IANA database; days begin there
    std::string today;                       // there, like 2026-11-20
    std::optional<std::string> environment;  // none: nobody named it
    std::int64_t last_notice{};              // the seq of the latest; 0: none was published
};

/// Which series are wanted; what is empty leaves any.
struct series_filter
{
    std::optional<std::vector<std::string>> visible;  // names
    std::optional<std::string> carrier;
    std::optional<std::string> state;   // active, low, exhausted, paused: gapless.series_page
    std::optional<std::string> search;  // part of a name or of a carrier's code
    std::optional<std::string> after;   // a name
    std::optional<std::int32_t> limit;
};

/// What creating a series takes; empty means the default.
struct series_draft
{
    std::string name;
    std::string carrier;
    std::optional<std::string> space;   // default: the carrier's code
    std::optional<std::string> format;  // default: plain
    std::map<std::string, std::string> params;
    std::optional<std::string> on_release;
    std::optional<std::string> on_expiry;
    std::optional<std::int64_t> low_water;
    std::optional<std::string> reuse_after;       // an interval as PostgreSQL reads it: "12 months"
    std::optional<std::int64_t> reserve_numbers;  // 1..lease_numbers_max; none: no reserve
};

/// What changing a series sets; empty leaves as it is.
struct series_change
{
    std::optional<bool> paused;
    std::optional<std::optional<std::int64_t>> low_water;  // set to none: removed
    std::optional<std::string> on_release;
    std::optional<std::string> on_expiry;
    std::optional<std::optional<std::string>> reuse_after;       // set to none: removed
    std::optional<std::optional<std::int64_t>> reserve_numbers;  // set to none: no reserve
    std::optional<std::int32_t> if_version;  // refused with precondition_failed at any other
};

/// What loading a block takes.
struct block_draft
{
    std::string series;
    std::int64_t first{};
    std::int64_t last{};
    std::optional<std::string> count;  // decimal, as the carrier states it
    std::optional<std::string> reference;
    std::optional<database_time> valid_until;
    std::optional<std::int64_t> issued_until;  // serial; it and those before were issued elsewhere
};

/// A broken promise found by verify.
struct finding
{
    std::string series;
    std::string at;    // "ordinal 17", "block 3", "counter"
    std::string what;  // a sentence
};

/// What verify looked at in one series.
struct verification
{
    std::string series;
    std::int64_t ledger_rows{};
    std::string numbers;  // decimal
    std::int64_t blocks{};
    std::vector<finding> findings;  // empty: gapless
};

/// An issuance as looked up by its id.
struct issuance_record
{
    std::string series;
    issuance value;
};

}  // namespace gapless
