#pragma once

#include "base/moment.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Field types with a representation of their own. The usual types mean what one expects:
/// std::string, bool, integers, std::optional (null), std::vector (a list), database_time; for
/// inputs also first_moment and last_moment.
namespace gapless {

/// An integer written as a string in JSON because it may exceed 2^53: serials, counts.
template <std::integral Integer>
struct quoted
{
    Integer value{};

    constexpr quoted() = default;
    constexpr quoted(Integer of) : value{of} {}
    constexpr operator Integer() const noexcept { return value; }
};

/// The id of a row: 1, 2, 3 … A string in JSON.
struct record_id
{
    std::int32_t value{};

    constexpr operator std::int32_t() const noexcept { return value; }
};

inline constexpr std::int64_t no_default = std::numeric_limits<std::int64_t>::min();

/// What an omitted field holds: its default, or the smallest value.
constexpr std::int64_t when_omitted(std::int64_t usual, std::int64_t least)
{
    return usual == no_default ? least : usual;
}

/// An integer from `least` to `most`. A field with a default (`usual`) may be omitted.
template <std::int64_t least, std::int64_t most, std::int64_t usual = no_default>
struct bounded
{
    std::int64_t value{when_omitted(usual, least)};

    constexpr bounded() = default;
    constexpr bounded(std::int64_t of) : value{of} {}
    constexpr operator std::int64_t() const noexcept { return value; }
};

/// A value shown exactly once. It is cleared before the answer is stored for replays, and a cleared
/// secret is omitted from JSON.
struct secret
{
    std::string text;
};

/// A number shown with that many decimals: whole ones as an integer, others as a string.
template <int decimals>
struct rounded
{
    double value{};
};

/// True, or left out of JSON.
struct flag
{
    bool value{};
};

/// A list without duplicates, in the order given.
template <class T>
struct distinct : std::vector<T>
{
    using std::vector<T>::vector;
};

/// A field that a request may omit, for PATCH. given<std::optional<T>> distinguishes absent, null
/// and a value. In an answer: a field that only some answers have; no row has it.
template <class T>
struct given
{
    bool present{};
    T value{};

    explicit operator bool() const noexcept { return present; }
};

/// Texts by name, in JSON an object of strings: the parameters of a format.
using texts_by_name = std::map<std::string, std::string>;

/// An integer from 0 as decimal digits without leading zeros, 40 at most: for inputs, where a
/// number may exceed every integer type.
struct decimal_digits
{
    std::string digits;
};

/// A number as a person wrote it: digits, letters, blanks. For inputs.
struct written_number
{
    std::string text;
};

/// How often a record was changed. Not in JSON; HTTP sends it as the ETag.
struct version
{
    std::int32_t value{};
};

/// For inputs: the version required by the header field If-Match. None: any.
struct if_match
{
    std::optional<std::int32_t> version{};
};

/// The values an integer type accepts.
struct integer_bounds
{
    std::int64_t least{};
    std::int64_t most{};
};

/// The bounds of T; 0 to 0 for types that are not integers.
template <class T>
inline constexpr integer_bounds bounds_of{};
template <class Integer>
inline constexpr integer_bounds bounds_of<quoted<Integer>>{0, std::numeric_limits<Integer>::max()};
template <>
inline constexpr integer_bounds bounds_of<record_id>{1, std::numeric_limits<std::int32_t>::max()};
template <std::int64_t least, std::int64_t most, std::int64_t usual>
inline constexpr integer_bounds bounds_of<bounded<least, most, usual>>{least, most};
template <class T>
inline constexpr integer_bounds bounds_of<std::optional<T>> = bounds_of<T>;
template <class T>
inline constexpr integer_bounds bounds_of<given<T>> = bounds_of<T>;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
inline constexpr bool is_given = false;
template <class T>
inline constexpr bool is_given<given<T>> = true;

/// True if a request must contain the field.
template <class T>
inline constexpr bool is_required = !is_optional<T> && !is_given<T>;
template <std::int64_t least, std::int64_t most, std::int64_t usual>
inline constexpr bool is_required<bounded<least, most, usual>> = usual == no_default;
template <>
inline constexpr bool is_required<texts_by_name> = false;
template <>
inline constexpr bool is_required<if_match> = false;

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;
template <class T>
inline constexpr bool is_list<distinct<T>> = true;

}  // namespace gapless
