#include "formats/check_algorithm.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace gapless {
namespace {

using enum check_kernel;
using enum weights_from;

constexpr std::string_view alphabet_36{"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"};

// tests/data/formats/published_numbers.txt names the source of every number they are tested with.
constexpr check_algorithm table[]{
    {.name = "none"},
    {.name = "gs1", .kernel = weighted_sum, .weights = {3, 1}, .from = right},
    {.name = "gs1-left", .kernel = weighted_sum, .weights = {3, 1}, .from = left},
    {.name = "dp-4-9", .kernel = weighted_sum, .weights = {4, 9}, .from = left},
    {.name = "gls", .kernel = weighted_sum, .weights = {3, 1}, .from = left, .add = 1},
    {.name = "ups",
     .kernel = weighted_sum,
     .weights = {1, 2},
     .from = left,
     .values = character_values::ups},
    {.name = "s10",
     .kernel = weighted_sum,
     .weights = {8, 6, 4, 2, 3, 5, 9, 7},
     .from = left,
     .modulus = 11,
     .remap = {{{10, 0}, {11, 5}}}},
    {.name = "fedex-137",
     .kernel = weighted_sum,
     .weights = {1, 3, 7},
     .from = right,
     .modulus = 11,
     .result_is_remainder = true,
     .second_modulus = 10},
    {.name = "usps-91", .kernel = weighted_sum, .weights = {3, 1}, .from = right, .prepend = "91"},
    {.name = "luhn", .kernel = luhn},
    {.name = "mod7", .kernel = remainder, .modulus = 7},
    {.name = "iso7064-37-36", .kernel = iso7064_hybrid, .alphabet = alphabet_36},
    {.name = "iso7064-11-10", .kernel = iso7064_hybrid, .alphabet = "0123456789"},
    {.name = "correos",
     .kernel = weighted_sum,
     .weights = {1},
     .from = left,
     .modulus = 23,
     .values = character_values::ascii,
     .result_is_remainder = true,
     .alphabet = "TRWAGMYFPDXBNJZSQVHLCKE"},
};

constexpr bool is_capital(char character) noexcept
{
    return 'A' <= character && character <= 'Z';
}

constexpr int value_of(check_algorithm const& algorithm, char character) noexcept
{
    if (algorithm.values == character_values::ascii)
        return character;
    if (is_digit(character))
        return character - '0';
    return algorithm.values == character_values::ups ? (character - 63) % 10 : 0;
}

constexpr std::size_t weight_count(check_algorithm const& algorithm) noexcept
{
    auto const& weights = algorithm.weights;
    return static_cast<std::size_t>(std::find(weights.begin(), weights.end(), 0) - weights.begin());
}

// Treats what is prepended and the body as one text; `index` counts from its left end.
constexpr int share_at(
    check_algorithm const& algorithm, std::size_t full_length, std::size_t index, int value
)
{
    auto const from_right = full_length - 1 - index;
    switch (algorithm.kernel)
    {
    case weighted_sum: {
        auto const place = algorithm.from == left ? index : from_right;
        return value * algorithm.weights[place % weight_count(algorithm)] % algorithm.modulus;
    }
    case luhn: return from_right % 2 == 0 ? value * 2 / 10 + value * 2 % 10 : value;
    case remainder: {
        auto power = 1;
        for (std::size_t place = 0; place < from_right; ++place)
            power = power * 10 % algorithm.modulus;
        return value * power % algorithm.modulus;
    }
    case none:
    case iso7064_hybrid: break;
    }
    return 0;
}

constexpr int linear_result(check_algorithm const& algorithm, int rest) noexcept
{
    auto result = rest;
    if (algorithm.kernel != remainder && !algorithm.result_is_remainder)
    {
        result = algorithm.modulus - rest;
        auto const* const change = std::find_if(
            algorithm.remap.begin(),
            algorithm.remap.end(),
            [&](check_remap const& remap) { return remap.from == result; }
        );
        if (change != algorithm.remap.end())
            result = change->to;
        else if (result == algorithm.modulus)
            result = 0;
    }
    return algorithm.second_modulus == 0 ? result : result % algorithm.second_modulus;
}

constexpr bool every_result_is_one_character()
{
    for (auto const& algorithm : table)
        for (auto rest = 0; rest < algorithm.modulus; ++rest)
            if (linear_result(algorithm, rest) < 0 ||
                linear_result(algorithm, rest) >= static_cast<int>(algorithm.alphabet.size()))
                return false;
    return true;
}
static_assert(every_result_is_one_character(), "a linear algorithm prints one of its alphabet");

char hybrid_character(check_algorithm const& algorithm, std::string_view body)
{
    auto const size = static_cast<int>(algorithm.alphabet.size());
    auto product = size;
    for (auto const character : body)
    {
        auto const sum = (product + static_cast<int>(algorithm.alphabet.find(character))) % size;
        product = (sum == 0 ? size : sum) * 2 % (size + 1);
    }
    return algorithm.alphabet[static_cast<std::size_t>((size + 1 - product) % size)];
}

}  // namespace

std::span<check_algorithm const> check_algorithms() noexcept
{
    return table;
}

check_algorithm const* find_check_algorithm(std::string_view name) noexcept
{
    auto const* const row =
        std::ranges::find(table, name, [](check_algorithm const& known) { return known.name; });
    return row == std::end(table) ? nullptr : row;
}

bool reads(check_algorithm const& algorithm, char character) noexcept
{
    switch (algorithm.kernel)
    {
    case none: return false;
    case weighted_sum:
        return is_digit(character) ||
               (algorithm.values != character_values::digits && is_capital(character));
    case luhn:
    case remainder: return is_digit(character);
    case iso7064_hybrid: return algorithm.alphabet.find(character) != std::string_view::npos;
    }
    return false;
}

std::optional<char> check_character(check_algorithm const& algorithm, std::string_view body)
{
    auto const readable =
        std::ranges::all_of(body, [&](char character) { return reads(algorithm, character); });
    if (algorithm.kernel == none || body.empty() || !readable)
        return std::nullopt;
    if (algorithm.kernel == iso7064_hybrid)
        return hybrid_character(algorithm, body);

    auto sum = linear_start(algorithm, body.size());
    for (std::size_t position = 0; position < body.size(); ++position)
        sum += linear_share(algorithm, body.size(), position, body[position]);
    return linear_character(algorithm, sum % linear_modulus(algorithm));
}

int linear_share(
    check_algorithm const& algorithm, std::size_t length, std::size_t position, char character
)
{
    auto const before = algorithm.prepend.size();
    return share_at(algorithm, before + length, before + position, value_of(algorithm, character));
}

int linear_start(check_algorithm const& algorithm, std::size_t length)
{
    auto sum = algorithm.add;
    auto const before = algorithm.prepend.size();
    for (std::size_t index = 0; index < before; ++index)
        sum += share_at(
            algorithm, before + length, index, value_of(algorithm, algorithm.prepend[index])
        );
    return sum % algorithm.modulus;
}

int linear_modulus(check_algorithm const& algorithm) noexcept
{
    return algorithm.modulus;
}

char linear_character(check_algorithm const& algorithm, int rest) noexcept
{
    return algorithm.alphabet[static_cast<std::size_t>(linear_result(algorithm, rest))];
}

}  // namespace gapless
