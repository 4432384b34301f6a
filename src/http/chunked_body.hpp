#pragma once

#include "http/fault.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// Decodes the chunked transfer coding (RFC 9112 section 7.1) of one body as bytes arrive. Stricter
/// than the RFC requires, so that no other server on the way can see a different end: lines end
/// with CR LF only, a size has 1 to 16 hexadecimal digits and nothing around them, and no line
/// holds a control character. Extensions and trailer fields are dropped.
class chunked_body
{
public:
    /// `bytes_max`: of the body; a chunk that exceeds it gives `too_large` at once.
    chunked_body(std::uint64_t bytes_max, fault too_large)
        : bytes_max_{bytes_max},
          too_large_{too_large}
    {
    }

    /// Takes the bytes that belong to the body and returns how many: fewer than given once it is
    /// complete or faulty.
    std::size_t take(std::string_view received);

    bool complete() const noexcept { return place_ == place::end; }
    std::optional<fault> const& found_fault() const noexcept { return fault_; }
    std::string_view bytes() const noexcept { return bytes_; }

private:
    enum class place
    {
        size = 1,
        extension,
        line_end,  // LF of a chunk's first line
        data,
        data_cr,
        data_lf,
        trailer,       // first byte of a line after the last chunk
        trailer_name,  // up to the colon
        trailer_value,
        trailer_lf,
        last_lf,
        end,
    };

    place step(char byte) noexcept;
    place read_size(char byte) noexcept;
    place end_size() noexcept;
    place refuse(std::string_view detail) noexcept;
    place drop(char byte, place next) noexcept;

    std::uint64_t bytes_max_;
    fault too_large_;
    place place_{place::size};
    std::uint64_t left_{};  // of the current chunk; its size while being read
    int digits_{};
    std::size_t dropped_{};  // bytes of extensions and trailer fields
    std::string bytes_;
    std::optional<fault> fault_;
};

}  // namespace gapless
