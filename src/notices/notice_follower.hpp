#pragma once

#include "cli/command_context.hpp"
#include "notices/notice.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gapless::cli {

/// How to follow notices.
struct follow_options
{
    std::int64_t after{};   // those with a higher seq; 0: from the oldest on
    std::string command{};  // shell command that gets each notice; empty: print them
    std::string state{};    // file with the seq of the last completed one; empty: none
};

/// Passes notices on as they are published, one at a time, and repeats each until it succeeds: a
/// receiver may get one twice, under the same id. Used by one thread; blocks.
class notice_follower
{
public:
    /// `print` prints notices on stdout.
    notice_follower(
        command_context& context,
        follow_options options,
        std::function<void(std::vector<notice_record> const&)> print
    );

    /// Runs until the program is interrupted. Waits for an unavailable database. Throws
    /// command_failed if the first look fails, the state cannot be read or written, the command
    /// cannot be run, or notices cannot be printed: the state then is that of those before.
    [[noreturn]] void run();

private:
    void look();
    std::vector<notice_record> read();
    void tell(notice_record const& notice);
    void done_with(std::int64_t seq);
    void wait_for_database();

    command_context& context_;
    follow_options options_;
    std::function<void(std::vector<notice_record> const&)> print_;
    std::int64_t position_{};
};

/// The seq in a state file; 0 if there is no such file. Throws command_failed (usage) for a file
/// with any other content.
std::int64_t read_state(std::string const& file);

}  // namespace gapless::cli
