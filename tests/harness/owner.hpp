#pragma once

#include "harness/issuing.hpp"

#include <algorithm>
#include <initializer_list>

namespace gapless::test {

/// What somebody does who owns the tables and goes around the functions, at READ COMMITTED.
struct owner : issuing
{
    /// Series 1 with 100-104 exhausted (block 1), 200-209 open with 200-201 gone (block 2) and
    /// 300-309 queued (block 3); then a series 2 of the same space with 500-509 (block 4, open).
    owner()
    {
        create_series("s", {{100, 104}, {200, 209}, {300, 309}});
        create_series("t", {{500, 509}});
        issue("s", {"a", 7});
        issue("t", {"b", 1});
        // So that the trigger takes its short ways, too, as for a session that issues all the time.
        run("select gapless.find_counter(1), gapless.find_counter(2)");
    }

    /// Inserts ranges, each "(series, block, ordinal, serial, count)", in one statement with fresh
    /// keys.
    std::string insert(std::string const& ranges)
    {
        return run(
            "insert into gapless.ledger (series_id, block_id, ordinal, serial, count, key, "
            "issued_at, owner_id, epoch) "
            "select v.*, gen_random_uuid(), now(), 1, 1 from (values " +
            ranges + ") v"
        );
    }

    bool unchanged()
    {
        return verify() == "gapless" && run("select sum(count) from gapless.ledger") == "8";
    }
};

inline bool starts_with_any(std::string const& text, std::initializer_list<char const*> prefixes)
{
    return std::ranges::any_of(prefixes, [&](auto const* prefix) {
        return text.starts_with(prefix);
    });
}

}  // namespace gapless::test
