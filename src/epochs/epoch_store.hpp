#pragma once

#include "postgres/database_life.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gapless {

/// How far a series had come when a move was prepared, or has come.
struct move_mark
{
    std::string series;
    std::int32_t series_id{};
    std::int64_t ordinal{};
    std::int32_t turn{};
    std::int64_t events{};  // of its history

    friend bool operator==(move_mark const&, move_mark const&) = default;
};

/// The journal of an instance that was admitted in an epoch.
struct known_journal
{
    std::string id;
    std::string host;  // where it was seen last
};

/// What a database says of a move to another server.
struct move_record
{
    std::int32_t epoch{};
    std::string database_id;
    std::string database_oid;        // of the database the epoch was opened for
    std::string trouble;             // why nothing is issued; else empty
    std::string move_id;             // empty: no move was prepared in this epoch
    std::string prepared_at;         // RFC 3339
    std::vector<move_mark> marks;    // when it was prepared, by name
    std::vector<move_mark> present;  // now, by name
    std::vector<known_journal> journals;
    std::string opened_on;  // the server the epoch was opened on
    std::string here;       // this server
};

move_record read_move(pqxx::transaction_base& transaction);

/// Ends the epoch for a move to another server; repeating it changes nothing. The transaction has
/// to be READ COMMITTED. Refuses with state_conflict where the database is fenced for another
/// reason.
void prepare_move(
    pqxx::transaction_base& transaction, std::string const& reason, std::string const& actor
);

/// What it takes to open an epoch; two people say the same.
struct epoch_opening
{
    std::int32_t epoch{};  // the next one
    std::string reason;
    std::string proof;  // JSON, for the audit log
    std::string actor;
};

/// Opens the next epoch after a move, without voiding anything. Like open_epoch(); refuses with
/// state_conflict also where a series is not as it was when the move was prepared.
void complete_move(pqxx::transaction_base& transaction, epoch_opening const& wanted);

/// What is known of numbers that are missing.
enum class missing_numbers
{
    were_issued = 1,
    may_be_issued,  // so they are voided
};

/// How many fresh numbers the blocks of a series have left; none: there is no such series.
std::optional<std::int64_t> read_room(pqxx::transaction_base& transaction, std::int32_t series_id);

/// Records that the numbers of a series up to an ordinal are issued. Returns how many were missing.
/// Refuses with state_conflict when nothing is fenced, series_exhausted when blocks are missing,
/// too.
std::int64_t fill_series(
    pqxx::transaction_base& transaction,
    series_mark const& up_to,
    missing_numbers what,
    std::string const& reason,
    std::string const& actor
);

/// Proposes to open an epoch. The database role that proposed the same
/// before; none: this is the first, and another one has to follow. Refuses with state_conflict.
std::optional<std::string> propose_epoch(
    pqxx::transaction_base& transaction, epoch_opening const& wanted
);

/// The instances that may have numbers on lease and whose journals the proof does not name; none:
/// the proof is enough.
std::optional<std::string> find_unproven_leases(
    pqxx::transaction_base& transaction, std::string const& proof
);

/// Voids what was issued after the database was put back although it had been answered before: the
/// numbers up to a mark of outside that are younger than it. Returns how many. Where the mark has
/// no moments, none.
std::int64_t void_issued_again(
    pqxx::transaction_base& transaction,
    std::int32_t series_id,
    series_mark const& noted,
    std::string const& reason,
    std::string const& actor
);

/// Opens an epoch. Another role has to have proposed the same. Refuses with state_conflict.
void open_epoch(pqxx::transaction_base& transaction, epoch_opening const& wanted);

}  // namespace gapless
