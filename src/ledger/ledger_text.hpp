#pragma once

#include "base/csv_writer.hpp"
#include "formats/bound_format.hpp"
#include "ledger/ledger_row.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace gapless {

/// The output format of the numbers of a ledger.
struct ledger_style
{
    bool json{};           // one object per line
    csv_style csv{};       // if it is not JSON
    std::int64_t part{1};  // of the shares among which ordinals are dealt, 1..shares
    std::int64_t shares{1};
};

/// The numbers of a ledger as text, one per line: number, serial, ordinal, block, issuance,
/// reference, issued_at, state, reference_erased. All functions append.
class ledger_text
{
public:
    /// `format` must outlive it.
    ledger_text(bound_format const& format, ledger_style style);

    /// The names of the columns; nothing in JSON.
    void begin(std::string& out) const;

    /// Sets the states of the rows in a piece; call it before them. The piece must outlive their
    /// writing.
    void begin_piece(ledger_piece const& piece);

    /// Appends all numbers of a row of that piece.
    void append(std::string& out, ledger_row const& row);

private:
    void prepare(ledger_row const& row);
    void append_moment(database_time moment);
    std::string_view state_at(std::int64_t ordinal);

    bound_format const& format_;
    ledger_style style_;
    std::string between_;  // the text between two fields of CSV
    std::vector<state_range> const* states_{};
    std::vector<state_range>::const_iterator state_;
    std::int64_t looked_up_{};  // the highest ordinal whose state was looked up
    std::string number_;
    std::string same_;        // the common part of all numbers of a row
    std::string told_state_;  // the last one, with its text for Excel
    std::string told_as_;
    std::string erased_;  // the end of a record: whether the reference was erased
    std::chrono::sys_seconds second_;
    std::string moment_;  // within that second
};

}  // namespace gapless
