#pragma once

namespace gapless::cli {

/// What `gapless` tells the shell. Part of the contract: scripts depend on the values.
enum class exit_code
{
    ok = 0,
    failure = 1,        // anything that has no code of its own
    usage = 2,          // the command line, a file or a value in it cannot be taken
    not_found = 3,      // no such series, block, token
    not_allowed = 4,    // the database role lacks a right
    conflict = 5,       // the state of things does not allow it: exhausted, paused, overlap …
    findings = 6,       // verify found something
    unreachable = 7,    // no database answers
    interrupted = 130,  // SIGINT or SIGTERM
};

}  // namespace gapless::cli
