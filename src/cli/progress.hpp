#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace gapless::cli {

/// A progress bar on stderr for long work: drawn only if stderr is a terminal, at most ten times a
/// second, not in the first half second, and erased at the end.
class progress
{
public:
    /// `total` steps of `what`, a plural: "blocks".
    progress(std::string what, std::size_t total);
    ~progress();
    progress(progress const&) = delete;
    progress& operator=(progress const&) = delete;

    /// Shows that `done` steps are done; the value may go back.
    void show(std::size_t done);

private:
    using clock = std::chrono::steady_clock;

    std::string what_;
    std::size_t total_;
    bool enabled_;
    bool drawn_{};
    clock::time_point next_;
};

}  // namespace gapless::cli
