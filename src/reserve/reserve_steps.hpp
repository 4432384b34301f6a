#pragma once

#include "issuing/journal.hpp"
#include "reserve/journal_writer.hpp"
#include "reserve/lease_store.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

/// The steps of a reserve: each writes its records to the journal of leases and runs its
/// transaction in an order that survives a crash between any two of them. All run on a database
/// thread and block, on the disk and on the database. A refusal of the database is returned; a disk
/// failure throws lease_journal_failure or journal_failure.
namespace gapless {

/// What must be known before there is a journal.
struct reserve_home
{
    std::string database;  // names the files: id and oid of the database
    bool wanted{};         // some series should have a reserve
    std::vector<std::filesystem::path> files;
};

result<reserve_home> find_reserve_home(
    pqxx::connection& connection, std::filesystem::path const& folder
);

/// Introduces the instance; `claim` stays the same while the answer is unknown. The secret is in
/// the journal before it is sent to the database.
result<lease_claim> introduce(
    pqxx::connection& connection,
    journal_writer& writer,
    instance_identity const& who,
    lease_id const& claim
);

/// The result of one contact with the database.
struct reserve_contact
{
    lease_contact leases;
    lease_tokens tokens;
    std::vector<wanted_reserve> wanted;
    std::vector<lease_holder> holders;
};

result<reserve_contact> make_contact(
    pqxx::connection& connection,
    instance_identity const& who,
    std::chrono::milliseconds lease_time,
    std::vector<std::int32_t> const& used_tokens
);

/// Notes which other instances may have numbers on lease: a database that is put back may have
/// forgotten, and then an epoch must not be opened without their journals.
result<bool> note_holders(journal_writer& writer, std::vector<lease_holder> const& holders);

/// Answers drawn from one lease, in the order of their sequences.
struct settling
{
    lease_id lease;
    std::int32_t series_id{};
    std::vector<lease_left> records;  // at most settle_records_max
    std::uint64_t sequence{};         // of the last of them
};

/// Writes answers into the ledger, notes their turns in the journal of ordinals, then marks them
/// settled. `marks` and `writer` may be null. Safe to repeat.
result<std::vector<settled_record>> settle_answers(
    pqxx::connection& connection,
    instance_identity const& who,
    settling const& what,
    journal* marks,
    journal_writer* writer
);

/// Takes numbers on lease; nullopt: none are available. Safe to repeat with the same lease.
struct taking
{
    lease_id lease;
    std::int32_t series_id{};
    std::int64_t count{};
    std::chrono::milliseconds lease_time{};
};
result<std::optional<lease_taking>> take_numbers(
    pqxx::connection& connection,
    instance_identity const& who,
    taking const& wanted,
    journal* marks,
    journal_writer& writer
);

/// Returns a lease whose answers are all settled; how many numbers that was. Safe to repeat.
result<std::int64_t> give_back_lease(
    pqxx::connection& connection,
    instance_identity const& who,
    lease_id const& lease,
    journal_writer& writer
);

/// Whether a lease holds nothing any more: returned, written off, or unknown to the database.
result<bool> is_lease_ended(
    pqxx::connection& connection, instance_identity const& who, lease_id const& lease
);

}  // namespace gapless
