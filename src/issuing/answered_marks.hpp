#pragma once

#include "issuing/issuance.hpp"
#include "postgres/database_life.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace gapless {

/// What is known to have left, for as long as the process lives: the numbers it was answered, and
/// those that the database had issued when its connections began. A database that is behind was put
/// back to an earlier state, which ends no connection. Pure.
///
/// Turns count within an epoch only: what could leave again is voided when the next one begins.
class answered_marks
{
public:
    /// A connection begins. What another server had issued that nobody was answered is forgotten: a
    /// failover may lose it.
    void connect(std::string const& server, admitted_database const& found);

    /// Remembers what was answered. Returns in what it contradicts what was known before, then it
    /// must not be answered; empty: in nothing.
    std::string take(std::vector<result<issuance>> const& answers);

    /// The latest epoch in which something is known.
    std::int32_t epoch() const noexcept { return epoch_; }

    series_mark of(std::int32_t series_id) const;

private:
    using marks = std::unordered_map<std::int32_t, series_mark>;

    void begin_epoch(std::int32_t epoch);
    std::string find_contradiction(issuance const& answer) const;

    marks answered_;
    marks present_;  // on server_
    std::string server_;
    std::int32_t epoch_{};
};

}  // namespace gapless
