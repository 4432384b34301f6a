#pragma once

#include "issuing/journal.hpp"
#include "reserve/journal_writer.hpp"
#include "reserve/lease_store.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
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
    std::vector<wanted_reserve> wanted;
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
    std::int32_t series_id{};  // 0: not known
    std::vector<lease_left> records;
    std::uint64_t sequence{};  // of the last of them
};

/// The next answers to settle, settle_records_max in all: clients alternate between series.
struct settling_round
{
    std::vector<settling> leases;  // without their series
    std::uint64_t last{};          // sequence of the last answer that was looked at
    std::uint64_t upto{};  // everything up to here is settled with these; 0: some are left out
};

/// The next round of answers, ordered by sequence, behind the sequence `after` and without those of
/// the leases `left_out`. `drawn`: the last sequence there is, settled ones included.
template <class Answers>
settling_round next_round(
    Answers const& answers,
    std::uint64_t after,
    std::set<lease_id> const& left_out,
    std::uint64_t drawn
)
{
    settling_round round{.leases = {}, .last = after};
    std::map<lease_id, std::size_t> places;
    std::size_t count = 0;
    auto next = std::ranges::upper_bound(answers, after, {}, &unsettled_answer::sequence);
    for (; next != answers.end() && count < settle_records_max; ++next)
    {
        round.last = next->sequence;
        if (left_out.contains(next->lease))
            continue;
        auto const place = places.try_emplace(next->lease, round.leases.size()).first->second;
        if (place == round.leases.size())
            round.leases.push_back({.lease = next->lease});
        round.leases[place].records.push_back(next->left);
        round.leases[place].sequence = next->sequence;
        ++count;
    }
    if (left_out.empty())
        round.upto = next == answers.end() ? drawn : next->sequence - 1;
    return round;
}

/// Whether this is about one series alone, which somebody has locked: others can go on.
bool is_of_one_series(refusal const& why);

/// What became of each lease's answers in a round.
using settled_leases = std::vector<result<std::vector<settled_record>>>;

/// Writes answers into the ledger, those of each lease in a transaction of its own, notes their
/// turns in the journal of ordinals, then marks everything up to `upto` as settled, unless it is 0
/// or a lease failed. A lease that is unknown to the database fails alone. The outcomes end with
/// the first lease that is locked, since waiting for it took seconds: go on with another round.
/// `marks` and `writer` may be null. Safe to repeat.
result<settled_leases> settle_answers(
    pqxx::connection& connection,
    instance_identity const& who,
    std::vector<settling> const& leases,
    std::uint64_t upto,
    journal* marks,
    journal_writer* writer
);

/// Settles all answers, ordered by sequence, then returns the leases; at the end of a process.
/// Those that are locked stay as they are. `drawn` as for next_round().
result<bool> settle_and_return(
    pqxx::connection& connection,
    instance_identity const& who,
    std::deque<unsettled_answer> const& answers,
    std::uint64_t drawn,
    std::vector<lease_grant> const& leases,
    journal* marks,
    journal_writer& writer
);

/// Takes numbers on lease; nullopt: none are available. Safe to repeat with the same lease.
struct taking
{
    lease_id lease;
    std::int32_t series_id{};
    std::int64_t count{};
    std::chrono::milliseconds lease_time{};
    std::int64_t known{};  // the ordinal that was noted of the series before it was first sent
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
