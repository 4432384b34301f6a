#pragma once

namespace gapless::cli {

/// Exit codes of `gapless`. Part of the contract: scripts depend on the values.
enum class exit_code
{
    ok = 0,
    failure = 1,        // anything without a code of its own
    usage = 2,          // the command line, a file or a value in it is invalid
    not_found = 3,      // no such series, block, token
    not_allowed = 4,    // the database role lacks a right
    conflict = 5,       // the current state forbids it: exhausted, paused, overlap …
    findings = 6,       // verify found something
    unreachable = 7,    // no database answers
    interrupted = 130,  // SIGINT or SIGTERM
};

}  // namespace gapless::cli
