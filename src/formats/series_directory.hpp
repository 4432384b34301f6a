#pragma once

#include "formats/series_entry.hpp"
#include "postgres/database_threads.hpp"

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// Series by name, as read from the database. Series are never deleted, so entries stay valid until
/// the database is put back to an earlier state; they live as long as the directory. I/O thread
/// only.
///
/// One read runs at a time; names requested meanwhile share the next one. Between them all other
/// series are read ahead, in pages. So when thousands of series are first used after a start, few
/// requests wait for a read, and one database thread is enough.
class series_directory
{
public:
    /// `threads` outlive it.
    explicit series_directory(database_threads& threads) : threads_{threads} {}

    /// Null: not read yet, or unknown.
    series_entry const* known(std::string_view name) const;

    /// Refuses with unknown_series, overloaded, database_unavailable.
    boost::asio::awaitable<result<series_entry const*>> find(std::string name);

    /// Reads every series anew, also those that are being read: the database may have other ones
    /// under these names, or ids.
    void forget();

    /// The name for logs and metrics, or the id of a series that is not known here.
    std::string name_of(std::int32_t series_id) const;

private:
    using entries = std::map<std::string, series_entry, std::less<>>;
    struct reading;

    boost::asio::awaitable<void> read_all();
    boost::asio::awaitable<void> read(reading& now);
    boost::asio::awaitable<bool> read_ahead();

    database_threads& threads_;
    std::shared_ptr<reading> next_;  // null: nobody waits for one
    bool reads_{};
    std::list<entries> read_{1};  // the latest ones first; callers may have kept one of any
    std::optional<std::string> ahead_{std::in_place};  // the last name read ahead; null: all are
};

}  // namespace gapless
