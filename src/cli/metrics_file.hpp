#pragma once

#include "cli/command_context.hpp"
#include "cli/verb.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

/// Metrics that a nightly command leaves for Prometheus: a file in its text format, for the
/// textfile collector of node_exporter. `gapless verify` writes
///   gapless_verify_last_success_timestamp_seconds   0: never; stays where it is when a run fails
///   gapless_verify_last_run_timestamp_seconds       success or not
///   gapless_verify_exit_code                        of the last run
///   gapless_verify_duration_seconds                 of the last run
///   gapless_verify_findings                         of the last run that could tell
/// and `gapless anchor` the same, without findings.
namespace gapless::cli {

/// The exit code of a run, and the number of findings if the command looks for them.
struct measured_run
{
    exit_code code{exit_code::ok};
    std::optional<std::uint64_t> findings{};
};

/// The option --metrics-file.
parameter metrics_file_parameter(std::string& into);

/// Runs `work` and then replaces `file` by the metrics of `command` ("verify"), also when `work`
/// throws, and rethrows. Writes nothing if `file` is empty, or in a dry run. Throws command_failed
/// (failure) if `work` succeeded but the file cannot be written; otherwise the error of `work`
/// comes first.
exit_code run_measured(
    command_context const& context,
    std::string const& command,
    std::string const& file,
    std::function<measured_run()> const& work
);

}  // namespace gapless::cli
