#pragma once

#include "harness/issuing.hpp"

#include <charconv>

namespace gapless::test {

/// Series s with references that are erased, and t beside it.
struct erasing : issuing
{
    erasing()
    {
        create_series("s", {{100, 104}, {200, 299}});
        create_series("t", {{500, 599}});
        issue_batch("s", {{"a", 1, "Meier"}, {"b", 2, "Huber"}, {"c"}});
        issue("t", {"a of t", 1, "Meier"});
        issue("s", {"d", 3, "Meier"});  // two ranges
    }

    static int to_int(std::string_view digits)
    {
        int number = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
        return number;
    }

    /// Erases what has this text, or what was issued before a moment, in steps of so many rows.
    std::string erase(
        std::string const& series,
        std::string const& reference,
        std::string const& before = "null",
        int step = 100
    )
    {
        auto const text = reference.empty() ? "null" : "'" + reference + "'";
        auto const begun =
            run("select gapless.erasure_begin('" + series + "', " + before + ", " + text +
                ", 'asked for', 'me')");
        if (begun.starts_with("null") || begun.find_first_not_of("0123456789") != begun.npos)
            return begun;
        int erased = 0;
        std::string place = "0, 0";
        for (;;)
        {
            auto const done =
                run("select erased, coalesce(turn, 0) || ', ' || coalesce(ordinal, 0), more from "
                    "gapless.erase_references(" +
                    begun + ", " + text + ", " + place + ", " + std::to_string(step) + ")");
            auto const first = done.find('|');
            auto const second = done.rfind('|');
            if (first == std::string::npos)
                return done;
            erased += to_int(done.substr(0, first));
            place = done.substr(first + 1, second - first - 1);
            if (done.ends_with("|f"))
                return std::to_string(erased);
        }
    }

    std::string references(std::string const& series = "s")
    {
        return run(
            "select coalesce(l.reference, case when l.reference_digest is not null then '#' end, "
            "'-') from gapless.ledger l join gapless.series s using (series_id) where s.name = '" +
            series + "' order by turn, ordinal"
        );
    }

    /// The chain of s, made to end here, and what recomputing finds.
    std::string chain()
    {
        run("select gapless.seal(1), gapless.seal(0)");
        return run("select links > 0, findings from gapless.verify_chain(1)");
    }
};

inline constexpr auto before_now = "clock_timestamp()";

}  // namespace gapless::test
