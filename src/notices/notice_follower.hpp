#pragma once

#include "cli/command_context.hpp"
#include "notices/notice.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gapless::cli {

/// How notices are followed.
struct follow_options
{
    std::int64_t after{};   // those with higher seq; 0: from the oldest on
    std::string command{};  // of the shell, gets each notice; empty: they are printed
    std::string state{};    // file with the seq of the last one that is done; empty: none
};

/// Passes notices on as they are published, one at a time, and repeats each until it succeeds: a
/// receiver may get one twice, under the same id. For one thread; blocks.
class notice_follower
{
public:
    /// `print` shows notices on stdout.
    notice_follower(
        command_context& context,
        follow_options options,
        std::function<void(std::vector<notice_record> const&)> print
    );

    /// Goes on until the program is interrupted. A database that is away is waited for. Throws
    /// command_failed where the first look fails, the state cannot be read or written, and the
    /// command cannot be run.
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

/// The seq that a state file has; 0 where there is no such file. Throws command_failed (usage) for
/// a file with anything else.
std::int64_t read_state(std::string const& file);

}  // namespace gapless::cli
