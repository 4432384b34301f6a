#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gapless {

/// How the check character is computed. Each algorithm below is one of these with its numbers.
///
///   weighted_sum     every character's value times its weight, summed, taken modulo `modulus`
///   luhn             every second digit from the right doubled, digit sums added, to the next ten
///   remainder        the whole body as one decimal number, modulo `modulus`
///   iso7064_hybrid   ISO/IEC 7064 hybrid system, MOD M+1,M, M = size of the alphabet
enum class check_kernel : std::uint8_t
{
    none = 1,
    weighted_sum,
    luhn,
    remainder,
    iso7064_hybrid,
};

/// End of the body at which the weights start.
enum class weights_from : std::uint8_t
{
    left = 1,
    right,
};

/// The value of a character in a weighted sum.
enum class character_values : std::uint8_t
{
    digits = 1,  // 0-9 as they are; no letters
    ups,         // letters too: (ASCII code - 63) mod 10, so A = 2 ... H = 9, I = 0 ... Z = 7
    ascii,       // letters too: the ASCII code, of digits as well
};

/// Replaces one result of a weighted sum by another: S10 prints 10 as 0 and 11 as 5.
struct check_remap
{
    int from{-1};
    int to{-1};
};

/// One row of the algorithm table. Members that a kernel does not use keep their defaults.
struct check_algorithm
{
    std::string_view name;
    check_kernel kernel{check_kernel::none};
    std::array<int, 8> weights{};  // cycling; the first 0 ends them
    weights_from from{weights_from::right};
    int modulus{10};
    character_values values{character_values::digits};
    int add{0};                               // added to the sum before the modulus
    std::array<check_remap, 2> remap{};       // applied to modulus - remainder
    bool result_is_remainder{false};          // else the result is what the next multiple requires
    int second_modulus{0};                    // 0: none
    std::string_view prepend{};               // read before the body, printed nowhere
    std::string_view alphabet{"0123456789"};  // of results; iso7064_hybrid also reads it
};

/// Every algorithm, in the order of the documentation. "none" is the first.
std::span<check_algorithm const> check_algorithms() noexcept;

/// The algorithm of that name, or nothing.
check_algorithm const* find_check_algorithm(std::string_view name) noexcept;

/// True when the algorithm gives this character a value.
bool reads(check_algorithm const& algorithm, char character) noexcept;

/// The check character of `body`. Nullopt if there is none to compute, or `body` is empty or has a
/// character that the algorithm does not read.
std::optional<char> check_character(check_algorithm const& algorithm, std::string_view body);

/// The amount that `character` at `position` of a body of `length` adds to the sum; sums are taken
/// modulo `linear_modulus`. Only for the kernels weighted_sum, luhn and remainder.
int linear_share(
    check_algorithm const& algorithm, std::size_t length, std::size_t position, char character
);

/// The initial value of the sum for a body of `length`: `add`, plus the share of what is prepended.
int linear_start(check_algorithm const& algorithm, std::size_t length);

/// The modulus of a linear sum.
int linear_modulus(check_algorithm const& algorithm) noexcept;

/// The check character of a linear sum already taken modulo `linear_modulus`.
char linear_character(check_algorithm const& algorithm, int remainder) noexcept;

}  // namespace gapless
