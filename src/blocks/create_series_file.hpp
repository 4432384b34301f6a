#pragma once

#include "blocks/series_file.hpp"
#include "record/describe.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gapless::cases {

/// What became of a file of series.
struct created_series
{
    std::int64_t series{};
    std::int64_t blocks{};
    std::int64_t proposals{};             // blocks that somebody else has to confirm
    std::vector<std::string> warnings{};  // "series.csv:17: short-validity: …"
};
GAPLESS_RECORD(
    created_series,
    (),
    (series, "Series that were created."),
    (blocks, "Blocks that were loaded."),
    (proposals, "Blocks that wait for the confirmation of somebody else."),
    (warnings, "What a person should look at, by line.", .is_column = false)
)

/// Creates the series of a file and loads their blocks, all or none. Refuses with what creating a
/// series and loading a block refuse, of the row `at`; confirmation_needed has its warnings.
struct create_series_file
{
    using answer = created_series;
    std::string name;                       // of the file
    blocks::series_file file;               // without faults
    bool confirmed{};                       // warnings are meant so
    line_fault* at{};                       // where it is: line, and column of a block
    std::function<void(std::size_t)> tick;  // how many rows are done; may be empty

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

}  // namespace gapless::cases
