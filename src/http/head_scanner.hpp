#pragma once

#include "http/fault.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace gapless {

/// Finds the end of a request's head in bytes that arrive piece by piece, and signs that there will
/// be none: line ends other than CR LF, folded lines, a first byte that begins no method.
class head_scanner
{
public:
    /// Scans all bytes received so far; the earlier ones must be unchanged since the last call.
    /// Returns true if the head is complete or faulty; otherwise more bytes are needed.
    bool scan(std::string_view received) noexcept;

    /// Bytes of the complete head, with its empty line.
    std::size_t end() const noexcept { return end_; }

    /// True until the request line is complete.
    bool in_request_line() const noexcept { return line_ == 0; }

    std::optional<fault> const& found_fault() const noexcept { return fault_; }

private:
    bool found(std::string_view detail) noexcept;

    std::size_t line_{};     // start of the current line
    std::size_t scanned_{};  // no line feed in the current line before here
    std::size_t end_{};
    std::optional<fault> fault_;
};

}  // namespace gapless
