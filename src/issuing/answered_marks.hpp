#pragma once

#include "issuing/issuance.hpp"
#include "postgres/database_life.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace gapless {

/// What is known to have been issued, for the life of the process: the numbers this instance
/// answered with, and those the database had issued when its connections were set up. A database
/// that is behind was put back to an earlier state, which ends no connection. Pure.
///
/// An epoch that an operator opens voids whatever could have been reissued: turns before it do not
/// count. One that follows a failover voids nothing.
class answered_marks
{
public:
    /// Called when a connection is set up. Forgets what another server had issued but nobody was
    /// answered with: a failover may lose it.
    void connect(std::string const& server, admitted_database const& found);

    /// Remembers the answers. If they contradict what was known before, returns how, and they must
    /// not be sent; otherwise returns an empty string.
    std::string take(std::vector<result<issuance>> const& answers);

    /// The latest epoch about which anything is known.
    std::int32_t epoch() const noexcept { return epoch_; }

    series_mark of(std::int32_t series_id) const;

private:
    using marks = std::unordered_map<std::int32_t, series_mark>;

    void forget_voided_turns(std::int32_t voided_epoch);
    std::string find_contradiction(issuance const& answer) const;

    marks answered_;
    marks present_;  // on server_
    std::string server_;
    std::int32_t epoch_{};
    std::int32_t voided_epoch_{};  // of database_life
};

}  // namespace gapless
