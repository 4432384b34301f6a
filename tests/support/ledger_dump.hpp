#pragma once

#include <pqxx/pqxx>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gapless::test {

/// A row of the ledger, with names instead of ids. A range that continues an issuance has the key
/// of its head.
struct ledger_range
{
    std::string series;
    std::int64_t ordinal{};
    std::int64_t serial{};
    std::int64_t count{};
    std::int64_t block{};
    std::string client;  // the token's name, or "role:<name>"
    std::string key;     // as the ledger holds it; see to_ledger_key
    std::int64_t epoch{};
    int turn{};
    std::int64_t issued_at{};  // microseconds since 1970: when its transaction began

    std::int64_t last_serial() const noexcept { return serial + count - 1; }
};

/// A block as the database shows it.
struct block_state
{
    std::string series;
    std::int64_t block{};
    std::int64_t first{};
    std::int64_t last{};
    std::string state;
    std::optional<std::int64_t> first_ordinal;
    std::int64_t position{};
};

/// Where a series goes on.
struct series_state
{
    std::string series;
    std::int64_t next_ordinal{};
    std::optional<std::int64_t> next_serial;
    std::int64_t epoch{};
};

/// What the database holds in the end.
struct ledger_dump
{
    std::vector<ledger_range> ranges;  // by series and ordinal
    std::vector<block_state> blocks;
    std::vector<series_state> series;
};

/// Reads everything in one snapshot; needs a superuser's connection.
ledger_dump read_ledger(pqxx::connection& connection);

/// A client's key as the ledger holds it: a UUID in lower case.
std::string to_ledger_key(std::string const& key);

}  // namespace gapless::test
