#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gapless {

/// How far a series has come: every number up to this ordinal has left.
struct series_mark
{
    std::int32_t series_id{};
    std::int64_t ordinal{};
    std::int32_t turn{};  // of its latest reissue

    friend bool operator==(series_mark const&, series_mark const&) = default;
};

/// What a database says of itself when a connection begins.
struct database_life
{
    std::int32_t epoch{};
    std::string database_id;           // the same in all copies and epochs
    std::string database_oid;          // differs between copies on one server
    std::int64_t system_identifier{};  // of the server's data directory, from initdb
    std::string timeline;              // eight hexadecimal digits; a promotion moves it on
    std::string trouble;               // why it says itself that nothing may be issued; else empty
    bool movable{};                    // the trouble is the timeline alone, as after a failover
};

/// Reads what a database says of itself, at the moment of the call.
using life_reader = std::function<database_life()>;

/// Reads how far each series of a database has come, at the moment of the call.
using marks_reader = std::function<std::vector<series_mark>()>;

/// Whether an instance may issue on a database.
struct admission
{
    std::string trouble{};  // empty: it may
    bool raise{};           // tell the database, so that nobody else issues either
    bool follow{};          // open the next epoch first: a failover that lost nothing
    std::string proof{};    // what was compared; for the audit log
    std::string journal{};  // the id of the journal that was asked; empty: none is kept
};

/// Decides on each new connection before the first number. Runs on a database thread. Reads life
/// and marks after what it compares them with: other connections and instances go on meanwhile.
using gatekeeper = std::function<admission(life_reader const&, marks_reader const&)>;

}  // namespace gapless
