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

/// The steps of a reserve, each with its records in the journal of leases and its transaction in
/// the order that survives a crash between any two of them. All run on a database thread and block,
/// for the disk and for the database. A refusal of the database is returned; a disk that fails
/// throws lease_journal_failure or journal_failure.
namespace gapless {

/// What has to be known before there is a journal.
struct reserve_home
{
    std::string database;  // names the files: id and oid of the database
    bool wanted{};         // some series is to have a reserve
    std::vector<std::filesystem::path> files;
};

result<reserve_home> find_reserve_home(
    pqxx::connection& connection, std::filesystem::path const& folder
);

/// Introduces the instance; `claim` stays the same while the answer is not known. The secret is in
/// the journal before the database hears of it.
result<lease_claim> introduce(
    pqxx::connection& connection,
    journal_writer& writer,
    instance_identity const& who,
    lease_id const& claim
);

/// What one contact with the database brings.
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

/// Notes who else may have numbers on lease: a database that is put back may have forgotten it, and
/// then an epoch must not be opened without its journal.
result<bool> note_holders(journal_writer& writer, std::vector<lease_holder> const& holders);

/// Answers drawn from one lease, in the order of their sequences.
struct settling
{
    lease_id lease;
    std::int32_t series_id{};
    std::vector<lease_left> records;  // at most settle_records_max
    std::uint64_t sequence{};         // of the last of them
};

/// Writes answers into the ledger, keeps their turns in the journal of ordinals, then notes that it
/// is done. `marks` and `writer` may be none. Safe to repeat.
result<std::vector<settled_record>> settle_answers(
    pqxx::connection& connection,
    instance_identity const& who,
    settling const& what,
    journal* marks,
    journal_writer* writer
);

/// Takes numbers on lease. None: there is nothing to be had. Safe to repeat with the same lease.
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

/// Ends a lease of which everything is settled -> how many numbers were returned. Safe to repeat.
result<std::int64_t> give_back_lease(
    pqxx::connection& connection,
    instance_identity const& who,
    lease_id const& lease,
    journal_writer& writer
);

/// Whether nothing of a lease is held any more: it was returned or written off, or there is none.
result<bool> is_lease_ended(
    pqxx::connection& connection, instance_identity const& who, lease_id const& lease
);

}  // namespace gapless
