#pragma once

#include "epochs/epoch_store.hpp"
#include "postgres/epoch_record.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gapless::cli {

/// How far a series has come, in the database and in the journals.
struct standing
{
    std::string series;
    series_mark here{};
    series_mark noted{};  // zeros: no journal has the series
    series_mark dated{};  // of what is noted, as far as its moment is known
    bool is_gone{};       // the database does not have it

    std::int64_t behind() const noexcept
    {
        return std::max<std::int64_t>(noted.ordinal - here.ordinal, 0);
    }
};

/// Sources outside the database that know of issued numbers.
struct noted_outside
{
    std::vector<std::string> journals;  // folders
    std::vector<std::string> anchors;   // files; they know sealed numbers, never the latest
};

/// Receives what is wrong with a line of a file of anchors, in a sentence.
using fault_teller = std::function<void(std::string const&)>;

/// Compares every series of a database with the journals and anchors. `look` reads the database; it
/// is called after the journals were read, because instances may continue meanwhile. Lines that are
/// no anchors go to `tell`, and prove nothing. Throws journal_failure, and command_failed (usage)
/// for a file with anchors of another database.
std::vector<standing> compare(
    noted_outside const& noted,
    std::function<epoch_record()> const& look,
    fault_teller const& tell = [](auto const&) {}
);

/// The series that a restore took away together with issued numbers, and what to do; nullopt: none.
std::optional<std::string> find_gone(std::vector<standing> const& all);

/// A folder that holds no journal of this database: it proves nothing.
std::optional<std::string> folder_without_journals(
    noted_outside const& noted, database_life const& life
);

}  // namespace gapless::cli
