#pragma once

#include "postgres/database_life.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gapless {

/// How far a series had come when a move was prepared, or how far it is now.
struct move_mark
{
    std::string series;
    std::int32_t series_id{};
    std::int64_t ordinal{};
    std::int32_t turn{};
    std::int64_t events{};  // of its history

    friend bool operator==(move_mark const&, move_mark const&) = default;
};

/// The journal of an instance that was admitted on this server.
struct known_journal
{
    std::string id;
    std::string host;      // where it was last seen
    std::int32_t epoch{};  // in which it was last admitted
};

/// What a database reports about a move to another server.
struct move_record
{
    std::int32_t epoch{};
    std::string database_id;
    std::string database_oid;        // of the database for which the epoch was opened
    std::string other_fence;         // the reason of a fence that is not the move's, or empty
    std::string move_id;             // empty: no move was prepared in this epoch
    std::string prepared_at;         // RFC 3339
    std::vector<move_mark> marks;    // at preparation, by name
    std::vector<move_mark> present;  // now, by name
    std::vector<known_journal> journals;
    std::string opened_on;        // the server the epoch was opened on
    std::string here;             // this server
    std::int32_t voided_epoch{};  // as in database_life
};

move_record read_move(pqxx::transaction_base& transaction);

/// Ends the epoch for a move to another server; safe to repeat. The transaction must be READ
/// COMMITTED. Refuses with state_conflict if the database is fenced for another reason.
void prepare_move(
    pqxx::transaction_base& transaction, std::string const& reason, std::string const& actor
);

/// The input for opening an epoch; two people give the same.
struct epoch_opening
{
    std::int32_t epoch{};  // the next one
    std::string reason;
    std::string proof;  // JSON, for the audit log
    std::string actor;
};

/// Opens the next epoch after a move, without voiding anything. Like open_epoch(), but also refuses
/// with state_conflict if a series changed after the move was prepared.
void complete_move(pqxx::transaction_base& transaction, epoch_opening const& wanted);

/// What is known of the missing numbers.
enum class missing_numbers
{
    were_issued = 1,
    may_be_issued,  // so they are voided
};

/// How many fresh numbers the blocks of a series have left; nullopt: no such series.
std::optional<std::int64_t> read_room(pqxx::transaction_base& transaction, std::int32_t series_id);

/// Records that the numbers of a series up to an ordinal were issued. Returns how many were
/// missing. Refuses with state_conflict if the database is not fenced, series_exhausted if blocks
/// are missing, too.
std::int64_t fill_series(
    pqxx::transaction_base& transaction,
    series_mark const& up_to,
    missing_numbers what,
    std::string const& reason,
    std::string const& actor
);

/// Proposes to open an epoch. Returns the database role that proposed the same before; nullopt:
/// this is the first, and another one has to follow. Refuses with state_conflict.
std::optional<std::string> propose_epoch(
    pqxx::transaction_base& transaction, epoch_opening const& wanted
);

/// The instances that may have numbers on lease and whose journals the proof does not name;
/// nullopt: the proof suffices.
std::optional<std::string> find_unproven_leases(
    pqxx::transaction_base& transaction, std::string const& proof
);

/// Voids numbers that were issued after the database was put back although they had been answered
/// before: those up to an outside mark, issued later than its moments. Returns how many.
std::int64_t void_issued_again(
    pqxx::transaction_base& transaction,
    std::int32_t series_id,
    series_mark const& noted,
    std::string const& reason,
    std::string const& actor
);

/// Opens an epoch, which another role must have proposed as well. Returns how many held and free
/// numbers were voided. Refuses with state_conflict.
std::int64_t open_epoch(pqxx::transaction_base& transaction, epoch_opening const& wanted);

}  // namespace gapless
