#pragma once

#include "harness/database.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gapless::test {

/// One request of a batch, with what a client leaves out left out.
struct wanted
{
    std::string key;
    int count{1};
    std::string reference{};  // empty: none
    bool contiguous{};
    int owner{1};
    int hold_seconds{};  // 0: issued for good; through issue_requests only
};

/// A database whose issuing functions are called as the service calls them: batches in serializable
/// transactions. Outcomes are text: "103-104 900-902", "again 103-104" for a replay, "refused:
/// series-exhausted"; those of a batch are joined by ", ".
class issuing : public database
{
public:
    /// A batch through gapless.issue_requests, each request's outcome in the order of the batch.
    std::string issue_batch(std::string const& series, std::vector<wanted> const& batch);

    /// One request through gapless.issue_requests.
    std::string issue(std::string const& series, wanted const& request)
    {
        return issue_batch(series, {request});
    }

    /// A batch through gapless.issue_plain. "nothing" when it is not plain. `offsets` none: the
    /// right ones.
    std::string issue_plain(
        std::string const& series,
        std::vector<wanted> const& batch,
        std::optional<std::vector<std::int64_t>> const& offsets = std::nullopt
    );

    /// One request of each of several series through gapless.issue_plain_many, in the order in
    /// which the series were created: "s 101-101, t 501-501" without those that were left out,
    /// "nothing" when all were.
    std::string issue_plain_many(std::vector<std::pair<std::string, wanted>> const& batch);

    /// gapless.issue in the caller's hands: "100 101 102" or the refusal; isolation read committed
    /// unless named.
    std::string call_issue(
        std::string const& series,
        int count,
        std::string const& key,
        std::string const& isolation = "read committed"
    );

    /// How much a figure of pg_stat_xact_user_tables, of a table of gapless, grows by these
    /// statements; they end with a semicolon. Throws std::runtime_error if they fail.
    std::int64_t work_of(
        std::string const& statements, std::string const& table, std::string const& figure
    );

    /// The series' id.
    std::string id_of(std::string const& series);
};

/// The batch as SQL arguments after the series: counts, owners, keys, references (issue_plain puts
/// offsets first).
std::string batch_arguments(std::vector<wanted> const& batch);

}  // namespace gapless::test
