#pragma once

#include "domain/issuance.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What the database tells about itself, blocks and the proof. Plain values, as read in one
/// snapshot.
namespace gapless {

/// What people have to know of a database to read what it says.
struct database_record
{
    std::string time_zone;                   // a name of the IANA database; days begin there
    std::string today;                       // there, like 2026-11-20
    std::optional<std::string> environment;  // none: nobody named it
    std::int64_t last_notice{};              // the seq of the latest; 0: none was published
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
