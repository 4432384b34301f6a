#pragma once

#include "formats/check_algorithm.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// The check character of numbers that differ only in their serial. Everything independent of the
/// serial is computed once; what remains is one table look-up per digit.
class serial_checker
{
public:
    /// Checks nothing.
    serial_checker() = default;

    /// `head` and `tail` are what is checked before and after a serial of `width` characters. The
    /// algorithm lives as long as the program.
    serial_checker(
        check_algorithm const& algorithm,
        std::string_view head,
        std::size_t width,
        std::string_view tail
    );

    /// The check character. `serial` points to as many digits, in base 36 capitals too, as the
    /// width says.
    char character_for(char const* serial) const noexcept;

private:
    static constexpr std::size_t values = 36;  // characters 0-9 and A-Z

    void prepare_linear(std::string_view head, std::size_t width, std::string_view tail);
    void prepare_hybrid(std::string_view head);

    check_algorithm const* algorithm_{};
    std::size_t width_{};
    // linear kernels: what a character adds, by place of the serial
    std::vector<std::array<std::uint8_t, values>> shares_;
    std::uint32_t start_{};
    std::uint32_t modulus_{1};
    std::array<char, 32> results_{};  // by remainder
    // hybrid kernel: the state after a character
    std::vector<std::array<std::uint8_t, values>> next_;
    std::uint8_t first_state_{};
    std::string tail_;
};

}  // namespace gapless
