#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gapless {

/// How far a series has come: every number up to this ordinal was issued.
struct series_mark
{
    using moment = std::chrono::sys_time<std::chrono::microseconds>;

    std::int32_t series_id{};
    std::int64_t ordinal{};
    std::int32_t turn{};  // of its latest reissue
    // When these were issued, by the database's clock; 1970: unknown. Not compared.
    moment ordinal_at{};
    moment turn_at{};
    bool is_new{};  // of a new answer: its moment is later than all before it in the series
    std::int64_t next_serial{};  // the serial after that of the ordinal; 0: unknown. Not compared.

    /// Raises this mark to what another mark of the series knows beyond it.
    void raise(series_mark const& mark) noexcept
    {
        series_id = mark.series_id;
        is_new = is_new || mark.is_new;
        if (mark.ordinal > ordinal || (mark.ordinal == ordinal && next_serial == 0))
            next_serial = mark.next_serial;
        if (mark.ordinal > ordinal || (mark.ordinal == ordinal && ordinal_at == moment{}))
        {
            ordinal = mark.ordinal;
            ordinal_at = mark.ordinal_at;
        }
        if (mark.turn > turn || (mark.turn == turn && turn_at == moment{}))
        {
            turn = mark.turn;
            turn_at = mark.turn_at;
        }
    }

    friend bool operator==(series_mark const& a, series_mark const& b) noexcept
    {
        return a.series_id == b.series_id && a.ordinal == b.ordinal && a.turn == b.turn;
    }
};

/// What a database reports about itself when a connection begins.
struct database_life
{
    std::int32_t epoch{};
    std::string database_id;           // the same in all copies and epochs
    std::string database_oid;          // differs between copies on one server
    std::int64_t system_identifier{};  // of the server's data directory, from initdb
    std::string timeline;              // eight hexadecimal digits; a promotion moves it on
    std::string trouble;               // its own reason why nothing may be issued; empty: none
    bool movable{};                    // the timeline is the only trouble, as after a failover
    std::uint32_t counter_oid{};       // of gapless.counter; a restore makes the table anew
    series_mark::moment opened_at{};   // when the epoch began
    // The latest that voided what was held and free, as turns before it do not count; 0: none.
    std::int32_t voided_epoch{};
};

/// The state of a database when it was admitted, which batches on its connection are compared with.
struct admitted_database
{
    std::int32_t epoch{};
    std::uint32_t counter_oid{};  // 0: not known
    std::vector<series_mark> marks;
    std::int32_t voided_epoch{};  // as in database_life
};

/// Reads what a database reports about itself, at the moment of the call.
using life_reader = std::function<database_life()>;

/// Reads how far each series of a database has come, at the moment of the call.
using marks_reader = std::function<std::vector<series_mark>()>;

/// Whether an instance may issue on a database.
struct admission
{
    std::string trouble{};  // empty: it may
    bool raise{};           // tell the database, so that nobody else issues either
    bool follow{};          // open the next epoch first: a failover that lost nothing
    std::string proof{};    // what was compared, for the audit log
    std::string journal{};  // id of the journal used; empty: none is kept
    // The trouble tells what the database, then alone, has issued since. 1970: nothing to tell.
    series_mark::moment alone_since{};
};

/// Decides on each new connection before the first number. Runs on a database thread. Reads life
/// and marks after what it compares them with, as other connections and instances go on.
using admission_check = std::function<admission(life_reader const&, marks_reader const&)>;

}  // namespace gapless
