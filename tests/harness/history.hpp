#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <ostream>
#include <string>
#include <vector>

namespace gapless::test {

/// What a client may conclude from an attempt.
enum class attempt_fate
{
    ok = 1,  // answered with 2xx
    fail,    // nothing was executed: the answer says so, or the request was never sent
    info,    // nobody knows
};

/// What an attempt was meant to do.
enum class operation
{
    issue = 1,
    reuse,  // issue with a key that was spent on another request: to be refused
    read,   // how many numbers of a series have been issued
};

/// Nanoseconds of the steady clock: one clock for all clients of a test.
using test_time = std::int64_t;

test_time now() noexcept;

/// Microseconds since 1970 by the clock on the wall, which the database reads, too.
std::int64_t wall_clock() noexcept;

/// A range as it was answered.
struct answered_range
{
    std::int64_t block{};
    std::int64_t first{};
    std::int64_t last{};
    std::int64_t ordinal{};  // of the first number

    std::int64_t count() const noexcept { return last - first + 1; }

    friend bool operator==(answered_range const&, answered_range const&) = default;
};

/// One request that a client sent, or tried to, and what came of it.
struct attempt
{
    operation what{operation::issue};
    std::string client;  // the name of its token: whose key it is
    std::string series;
    std::string key;
    int count{1};
    bool contiguous{};
    int turn{1};  // 1 for the first attempt with this key
    std::string instance;

    test_time started{};     // before the first byte was sent
    test_time ended{};       // after the answer was read, or given up
    std::int64_t sent_at{};  // like started, in microseconds of the clock on the wall
    attempt_fate fate{attempt_fate::info};
    int status{};          // 0: no answer
    std::string problem;   // the name behind type, of a refusal
    std::string detail;    // of a refusal
    std::string executed;  // "no" or "unknown", of a refusal
    bool replayed{};
    std::int64_t epoch{};
    std::string issuance;  // its id
    std::vector<answered_range> ranges;
    std::string body;       // of an answer with numbers, as it came
    std::string defect;     // what is wrong with the answer on its face; empty: nothing
    std::int64_t issued{};  // what a read answered

    std::int64_t numbers() const noexcept
    {
        std::int64_t sum = 0;
        for (auto const& range : ranges)
            sum += range.count();
        return sum;
    }
};

/// Every attempt of a test, written by any thread as it ends.
class history
{
public:
    void add(attempt done);

    /// As tools/history_check reads it: a JSON document per attempt and line, in the order of
    /// their ends, behind a line about the whole.
    void write(std::ostream& out) const;

private:
    mutable std::mutex mutex_;
    std::vector<attempt> attempts_;
};

}  // namespace gapless::test
