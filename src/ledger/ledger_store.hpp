#pragma once

#include "ledger/ledger_row.hpp"
#include "postgres/query.hpp"

#include <cstdint>
#include <vector>

/// Reads the ledger of a series in pieces. Every function runs inside the caller's transaction.
namespace gapless {

/// A piece of a ledger as received from PostgreSQL. It may be parsed on another thread while the
/// connection is used again.
class fetched_piece
{
public:
    fetched_piece(std::int32_t series_id, pqxx::result const& rows, pqxx::result const& states)
        : series_id_{series_id},
          rows_{rows},
          states_{states}
    {
    }

    std::size_t size() const noexcept { return row_count(rows_); }

    /// The place of the last row; there must be one.
    std::int64_t place() const;

    ledger_piece to_piece() const;

private:
    std::int32_t series_id_;
    pqxx::result rows_;
    pqxx::result states_;
};

/// A page of the ledger by ordinal, with the states of its numbers; at most `page.limit` rows,
/// except that for a reference all rows with the last ordinal are included.
fetched_piece fetch_ledger(
    pqxx::transaction_base& transaction, std::int32_t series_id, ledger_page const& page
);

/// Every run of ordinals with a state of its own, by ordinal; all other numbers are issued.
std::vector<state_range> read_states(pqxx::transaction_base& transaction, std::int32_t series_id);

}  // namespace gapless
