#pragma once

#include "harness/cli_program.hpp"

namespace gapless::test {

/// Runs `gapless` with these words; stdout is a pipe whose reader has gone.
inline process_end run_unread(database const& on, std::vector<std::string> words)
{
    process_start start{
        .words = {
            "/bin/bash",
            "-c",
            R"(set -e; f=$(mktemp -u); mkfifo "$f"; exec 3<>"$f" 4>"$f" 3<&-; rm "$f"; "$@" >&4)",
            "bash",
            GAPLESS_BIN_DIR "/gapless"}};
    start.words.insert(start.words.end(), words.begin(), words.end());
    start.environment["GAPLESS_DATABASE_URL"] = on.url();
    return run_program(start);
}

}  // namespace gapless::test
